/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * More paths than there are datagrams are to be made anew: each is called as
 * soon as there is room, and none waits longer because others came first.
 */
#include <stdlib.h>
#include "base/clock.h"
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

enum {
	LOST = 3 * WF_VERBS_UD / 2
};

static struct wf_verbs_ep *lost[LOST];
static struct ibv_mr mr;
static char datagrams[2 * WF_VERBS_UD][WF_VERBS_UD_BYTES];

/* What is in a hello. */
static void make_own(void)
{
	static struct wf_segment segment;
	static struct wf_signals signals;
	static struct wf_blob self;

	made.dev.env.segment = &segment;
	made.dev.env.signals = &signals;
	made.dev.env.self = &self;
	made.dev.dev.arena.dev = &made.dev.dev;
	made.dev.mr[0] = &mr;
	made.dev.nmrs = 1;
	made.dev.ud = &made.qp;
	made.dev.ucq = &made.cq;
	made.dev.buffer_mr = &mr;
	made.dev.datagrams = datagrams[0];
	made.dev.ud_room = WF_VERBS_UD;
}

static void lose_many(void)
{
	for (int i = 0; i < LOST; i++) {
		lost[i] = malloc(sizeof(*lost[i]));
		memcpy(lost[i], made.ep, sizeof(*lost[i]));
		lost[i]->ep.rank = 6;
		lost[i]->life.lost = lost[i]->life.fresh = true;
		wf_list_init(&lost[i]->work);
		wf_list_init(&lost[i]->calling);
		lost[i]->life.since = wf_clock_ns();
		wf_list_add_tail(&made.dev.calling, &lost[i]->calling);
	}
}

static void find_all(void)
{
	for (int i = 0; i < LOST; i++) {
		wf_list_del(&lost[i]->work);
		wf_list_del(&lost[i]->calling);
		free(lost[i]);
	}
}

/* How many have been called, and are due once more. */
static int make_due(void)
{
	int called = 0;

	for (int i = 0; i < LOST; i++) {
		called += lost[i]->hello_pause != 0;
		lost[i]->hello_at = 0;
	}
	return called;
}

static void many(void)
{
	verbs_made_open();
	make_own();
	lose_many();
	wf_verbs_hellos(&made.dev);
	TAP_EQUAL(made.nposts, WF_VERBS_UD);
	TAP_EQUAL(make_due(), WF_VERBS_UD);
	/* Room for those only that have not been called. */
	made.dev.ud_done = made.dev.ud_sent - (2 * WF_VERBS_UD - LOST);
	wf_verbs_hellos(&made.dev);
	TAP_EQUAL(made.nposts, LOST);
	TAP_EQUAL(make_due(), LOST);
	find_all();
	verbs_made_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "more than there is room for", many }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
