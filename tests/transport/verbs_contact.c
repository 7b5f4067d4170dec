/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First contact over verbs: who is refused and why, who fails before it is
 * ready, or behind that, a key that is another's, and datagrams after the queue
 * pair that carries them has failed, as some devices let it where a link was
 * down.
 */
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"
#include "transport/verbs/verbs.h"

static struct fixture f;

static struct wf_verbs *device(int rank)
{
	return wf_verbs_dev(f.rank[rank].dev);
}

static uint8_t *packed_in(struct wf_blob *blob)
{
	struct wf_blob_addr *a = (struct wf_blob_addr *)wf_blob_find(blob,
								     "verbs");

	TAP_CHECK(a && a->n == sizeof(struct wf_verbs_address));
	return a->bytes;
}

/* It may lie anywhere in the blob. */
static struct wf_verbs_address address_in(struct wf_blob *blob)
{
	struct wf_verbs_address a;

	memcpy(&a, packed_in(blob), sizeof(a));
	return a;
}

static void give(struct wf_blob *blob, const struct wf_verbs_address *a)
{
	memcpy(packed_in(blob), a, sizeof(*a));
}

static void refused(const struct wf_blob *blob, const char *why)
{
	fixture_refused(&f, 1, blob, WEFT_ERR_UNSUPPORTED, why);
}

/* IPv4 here, IPv6 there. */
static void other_kinds(void)
{
	static const uint8_t ipv4[WF_VERBS_GID_BYTES] = {
		[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1
	};
	struct wf_verbs_gids *own = &device(0)->port.gids, kept = *own;
	struct wf_verbs_address a;
	struct wf_blob blob;

	fixture_blob(&f.rank[0], 1, &blob);
	a = address_in(&blob);
	TAP_CHECK(a.gids.n > 0);
	for (int i = 0; i < a.gids.n; i++)
		memset(a.gids.gid[i], 0x20, WF_VERBS_GID_BYTES);
	give(&blob, &a);
	memcpy(own->gid[0], ipv4, sizeof(ipv4));
	own->n = 1;
	refused(&blob, "are not of one kind: give both an IPv4");
	*own = kept;
}

/* With so much more in its version, and these flags the other way. */
static void refused_with(uint8_t version, uint8_t flags, const char *why)
{
	struct wf_verbs_address a;
	struct wf_blob blob;

	fixture_blob(&f.rank[0], 1, &blob);
	a = address_in(&blob);
	a.version = (uint8_t)(a.version + version);
	a.flags ^= flags;
	give(&blob, &a);
	refused(&blob, why);
}

/* Partitions of both. */
static void other_partition(uint16_t own, uint16_t peer, const char *why)
{
	struct wf_verbs_port *port = &device(0)->port;
	uint16_t kept = port->pkey;
	struct wf_verbs_address a;
	struct wf_blob blob;

	fixture_blob(&f.rank[0], 1, &blob);
	a = address_in(&blob);
	a.pkey = peer;
	port->pkey = own;
	give(&blob, &a);
	refused(&blob, why);
	port->pkey = kept;
}

static void refusals(void)
{
	struct wf_blob blob;

	fixture_open(&f, 2, 1);
	refused_with(1, 0, "is of another version");
	refused_with(0, WF_VERBS_ETHERNET,
		     "is on InfiniBand, the other on Ethernet");
	refused_with(0, WF_VERBS_ROCE_V1,
		     "by a GID of RoCE v1, the other by v2");
	refused_with(0, WF_VERBS_LINES_PLAIN, "WEFT_IB_IN_ORDER must be alike");
	fixture_blob(&f.rank[0], 1, &blob);
	blob.n_addrs = 0;
	refused(&blob, "uses no RDMA device");
	other_kinds();
	other_partition(0x8001, 0x8002, "partitions: see WEFT_IB_PKEY");
	other_partition(0xffff, 0x8001, "in different partitions");
	other_partition(0x7fff, 0x7fff, "both RDMA devices are limited");
	fixture_connect(&f, 0, 1);
	fixture_close(&f);
}

/* A hello with a key that is not the addressee's is no contact. */
static void wrong_key(void)
{
	uint64_t since = wf_clock_ns();
	struct wf_blob blob;

	fixture_open(&f, 3, 2);
	fixture_blob(&f.rank[0], 1, &blob);
	blob.key.word[1] ^= 1;
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_OK);
	while (!device(1)->dropped && wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_CHECK(device(1)->dropped > 0);
	TAP_EQUAL(f.rank[1].contacts[0], 0);
	TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_CONNECTING);
	/* others are not disturbed */
	fixture_connect(&f, 2, 1);
	fixture_close(&f);
}

static struct wf_verbs_ep *endpoint(int rank, int peer)
{
	return wf_verbs_ep(f.rank[rank].ep[peer]);
}

/* Passes until the peer has heard that the other end is none, for 10 s. */
static bool is_over(int rank, int peer)
{
	const struct wf_ep *ep = f.rank[rank].ep[peer];
	uint64_t since = wf_clock_ns();

	while (ep->state != WF_EP_REFUSED && !ep->broken &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	return TAP_CHECK(ep->state == WF_EP_REFUSED || ep->broken);
}

/* The room above takes the next backend, when others have failed, too. */
static void fails_early(void)
{
	struct wf_ep *ep;
	int tried = 0;

	fixture_open(&f, 2, 5);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	ep = f.rank[0].ep[1];
	TAP_CHECK(ep->where != NULL);
	for (; ep->state == WF_EP_CONNECTING && tried < 10; tried++) {
		wf_verbs_lose(endpoint(0, 1), "made up");
		fixture_pump(&f);
	}
	TAP_EQUAL(tried, 3);
	TAP_EQUAL(ep->state, WF_EP_REFUSED);
	TAP_CHECK(!ep->where && ep->lack && !strcmp(ep->lack, "made up"));
	ep->dev->ops->disconnect(ep);
	f.rank[0].ep[1] = NULL;
	TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	is_over(1, 0);
	TAP_EQUAL(f.rank[1].ep[0]->state, WF_EP_REFUSED);
	fixture_close(&f);
}

static bool is_connected(const struct wf_ep *ep)
{
	static const struct wf_rloc nowhere;

	if (ep->state != WF_EP_READY)
		return false;
	if (!ep->posted)
		ep->ops->put((struct wf_ep *)ep, wf_loc_any(NULL), nowhere, 0);
	ep->ops->flush((struct wf_ep *)ep, WF_FLUSH_ARRIVED);
	return ep->posted && wf_ep_arrived(ep, ep->posted);
}

/* At any moment of the contact; what is posted gets through. */
static void another_is_connected(int passes)
{
	struct wf_ep *ep, *back;
	uint64_t since;

	fixture_open(&f, 2, 8);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	for (int i = 0; i < passes; i++) {
		if (i == passes / 2)
			TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
		fixture_pump(&f);
	}
	if (passes < 1)
		TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	ep = f.rank[0].ep[1];
	back = f.rank[1].ep[0];
	/* what is ready is mended */
	if (ep->state == WF_EP_CONNECTING) {
		wf_verbs_lose(endpoint(0, 1), "made up");
		TAP_EQUAL(ep->state, WF_EP_CONNECTING);
	}
	since = wf_clock_ns();
	while ((!is_connected(ep) || !is_connected(back)) &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_CHECK(is_connected(ep) && is_connected(back));
	fixture_close(&f);
}

static void fails_once(void)
{
	for (int passes = 0; passes < 16; passes++)
		another_is_connected(passes);
}

/* Whoever loses the path to it is not left to call. */
static void fails_later(void)
{
	fixture_open(&f, 2, 6);
	fixture_connect(&f, 0, 1);
	wf_verbs_break(endpoint(0, 1), "made up");
	wf_verbs_lose(endpoint(1, 0), "made up");
	is_over(1, 0);
	fixture_close(&f);
}

/* It gets lost at times. */
static void refused_when_ready(void)
{
	fixture_open(&f, 2, 7);
	fixture_connect(&f, 0, 1);
	for (int i = 0; i < 20; i++) {
		wf_verbs_part(device(0), endpoint(0, 1), WF_VERBS_REFUSED);
		fixture_pump(&f);
	}
	is_over(1, 0);
	TAP_CHECK(strstr(endpoint(1, 0)->why, "has given its end up"));
	fixture_close(&f);
}

/* Nobody connects to it any more, nor it to others, or itself. */
static void device_fails(void)
{
	struct wf_blob blob;

	fixture_open(&f, 3, 8);
	fixture_connect(&f, 0, 1);
	wf_verbs_break_all(device(0), "made up");
	TAP_CHECK(endpoint(0, 1)->ep.broken);
	fixture_blob(&f.rank[0], 2, &blob);
	fixture_refused(&f, 2, &blob, WEFT_ERR_UNSUPPORTED, "made up");
	fixture_blob(&f.rank[0], 0, &blob);
	fixture_refused(&f, 0, &blob, WEFT_ERR_UNSUPPORTED, "made up");
	TAP_EQUAL(fixture_ask(&f, 2, 0), WEFT_OK);
	is_over(2, 0);
	fixture_close(&f);
}

static void fail_datagrams(int rank)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	TAP_EQUAL(ibv_modify_qp(device(rank)->ud, &attr, IBV_QP_STATE), 0);
}

/* Of who calls, of who is called, of both; before and among the hellos. */
static void revived(void)
{
	for (int failed = 1; failed <= 3; failed++) {
		fixture_open(&f, 4, 3);
		for (int rank = 0; rank < 2; rank++)
			if (failed >> rank & 1)
				fail_datagrams(rank);
		fixture_connect(&f, 0, 1);
		TAP_EQUAL(fixture_ask(&f, 0, 2), WEFT_OK);
		if (failed & 1)
			fail_datagrams(0);
		fixture_connect(&f, 2, 1);
		fixture_connect(&f, 0, 3);
		TAP_EQUAL(fixture_mail(&f, 0, 3, 5, NULL, 0), WEFT_OK);
		fixture_await(&f, &f.rank[3].nletters, 1);
		TAP_EQUAL(device(0)->ud_revived != 0, failed & 1);
		TAP_EQUAL(device(1)->ud_revived != 0, failed >> 1);
		fixture_close(&f);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "addresses that do not fit are refused", refusals },
		{ "a queue pair that fails before it is ready", fails_once },
		{ "an endpoint that fails before it is ready", fails_early },
		{ "one that fails in its first life", fails_later },
		{ "a refusal of one that is ready", refused_when_ready },
		{ "a device that has failed", device_fails },
		{ "a key of another", wrong_key },
		{ "datagrams after their queue pair has failed", revived }
	};
	const char *why = fixture_backend.lacks();

	if (why) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
