/* SPDX-License-Identifier: BSD-3-Clause */
/* By which GIDs two ports reach each other; both ends must agree. */
#include <arpa/inet.h>
#include <string.h>
#include "base/random.h"
#include "tests/tap.h"
#include "transport/verbs/verbs_gid.h"

enum {
	RUNS = 20000
};

static void add(struct wf_verbs_gids *gids, const char *name)
{
	uint8_t *gid = gids->gid[gids->n++];

	if (strchr(name, ':')) {
		TAP_EQUAL(inet_pton(AF_INET6, name, gid), 1);
		return;
	}
	gid[10] = gid[11] = 0xff;
	TAP_EQUAL(inet_pton(AF_INET, name, gid + 12), 1);
}

/* Up to three names, then NULLs. */
struct names {
	const char *name[WF_VERBS_GIDS];
};

static const struct meeting {
	struct names own, peer;
	int pair[2];			/* -1: there is none */
} meetings[] = {
	{ { { "10.0.0.1" } }, { { "10.0.0.2" } }, { 0, 0 } },
	/* the subnet that both have, wherever it stands */
	{ { { "172.16.0.9", "10.0.0.1" } }, { { "10.0.0.2" } }, { 1, 0 } },
	{ { { "172.16.0.9", "10.0.0.1" } },
	  { { "192.168.0.4", "10.0.0.2", "fe80::2" } }, { 1, 1 } },
	/* IPv4 before IPv6, the rest in their order */
	{ { { "10.0.0.1", "2001:db8::1", "fd00::1" } },
	  { { "fd00::2", "2001:db8::2", "10.9.0.1" } }, { 0, 2 } },
	{ { { "10.0.0.1", "fd00::1", "fe80::1" } },
	  { { "fe80::2", "fd00::2" } }, { 1, 1 } },
	{ { { "10.0.0.1", "fe80::1" } }, { { "fe80::2", "fd00::2" } },
	  { 1, 0 } },
	/* routers join the global and the unique local ones */
	{ { { "2001:db8::1" } }, { { "fd00::2" } }, { 0, 0 } },
	/* none reaches another kind */
	{ { { "10.0.0.1" } }, { { "fd00::2", "fe80::2" } }, { -1, -1 } },
	{ { { "fe80::1" } }, { { "10.0.0.2", "2001:db8::2" } }, { -1, -1 } },
	{ { { NULL } }, { { "10.0.0.2" } }, { -1, -1 } },
	/* two subnets that are as good: the lower one */
	{ { { "192.168.0.1", "10.0.0.1" } }, { { "192.168.0.2", "10.0.0.2" } },
	  { 1, 1 } }
};

static struct wf_verbs_gids gids_of(const struct names *names)
{
	struct wf_verbs_gids gids = { .n = 0 };

	for (int i = 0; i < WF_VERBS_GIDS && names->name[i]; i++)
		add(&gids, names->name[i]);
	return gids;
}

static void the_kinds_and_subnets(void)
{
	for (int i = 0; i < TAP_COUNT(meetings); i++) {
		struct wf_verbs_gids own = gids_of(&meetings[i].own);
		struct wf_verbs_gids peer = gids_of(&meetings[i].peer);
		bool none = meetings[i].pair[0] < 0;
		struct wf_gid_pair pair;

		TAP_EQUAL(wf_gid_choose(&own, &peer, &pair), !none);
		TAP_EQUAL(pair.own, none ? 0 : meetings[i].pair[0]);
		TAP_EQUAL(pair.peer, none ? 0 : meetings[i].pair[1]);
	}
}

static struct wf_random draws;

/* Few different ones, so that beginnings are equally long, often. */
static struct wf_verbs_gids drawn(void)
{
	static const char *const names[] = {
		"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.1.0.1", "10.1.0.2",
		"192.168.0.1", "192.168.0.2", "2001:db8::1", "2001:db8::2",
		"fd00::1", "fd00::2", "fe80::1", "fe80::2", "fec0::1"
	};
	struct wf_verbs_gids gids = { .n = 0 };
	uint64_t n = wf_random_below(&draws, WF_VERBS_GIDS + 1);

	for (uint64_t i = 0; i < n; i++)
		add(&gids, names[wf_random_below(&draws, TAP_COUNT(names))]);
	return gids;
}

/* By the GIDs, not by the places: a list may have one of them twice. */
static void both_ends_agree(void)
{
	wf_random_init(&draws, 1);
	for (int i = 0; i < RUNS; i++) {
		struct wf_verbs_gids own = drawn(), peer = drawn();
		struct wf_gid_pair here, there;
		bool found = wf_gid_choose(&own, &peer, &here);

		TAP_EQUAL(wf_gid_choose(&peer, &own, &there), found);
		TAP_CHECK(!memcmp(own.gid[here.own], own.gid[there.peer],
				 WF_VERBS_GID_BYTES));
		TAP_CHECK(!memcmp(peer.gid[here.peer], peer.gid[there.own],
				 WF_VERBS_GID_BYTES));
	}
}

/* What a peer says may be anything. */
static void no_more_than_there_are(void)
{
	struct wf_verbs_gids own = { .n = 0 }, peer = { .n = UINT8_MAX };
	struct wf_gid_pair pair;

	add(&own, "10.0.0.1");
	TAP_CHECK(!wf_gid_choose(&own, &peer, &pair));
	TAP_EQUAL(pair.peer, 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the kinds, and the subnets", the_kinds_and_subnets },
		{ "both ends agree", both_ends_agree },
		{ "no more than there are", no_more_than_there_are },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
