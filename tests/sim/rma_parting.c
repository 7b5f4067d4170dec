/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An owner takes its region back while its user lets go of it by itself:
 * whatever each has heard of the other by then, both calls end.  Who has let
 * go is not waited for.
 */
#include "base/random.h"
#include "rma/rma.h"
#include "rma/rma_link.h"
#include "rma/rma_wire.h"
#include "tests/sim/scene.h"

enum {
	OWNER, USER, RANKS,
	ROUNDS = 30,
	BYTES = 64,
	LATE_NS = 30000,		/* at most, behind the other one */
	LONG_NS = 1000000000
};

static struct weft_region_key key;

/* The other one has done its part. */
static void meet(const struct scene *s)
{
	ok(s, weft_barrier(s->world), "barrier");
}

/* Without progress: what comes meanwhile is found by the call behind it. */
static void be_late(const struct scene *s, struct wf_random *dice)
{
	pause_for(s, wf_random_below(dice, LATE_NS));
}

static void own(const struct scene *s, struct wf_random *dice)
{
	struct weft_region *region;

	ok(s, weft_region_expose(s->world, NULL, BYTES, &region), "expose");
	ok(s, weft_region_key(region, &key), "key");
	meet(s);
	meet(s);
	be_late(s, dice);
	ok(s, weft_region_free(&region), "take back");
}

static void use_it(const struct scene *s, struct wf_random *dice)
{
	struct weft_target at = { .peer = OWNER };
	char bytes[BYTES] = "";

	meet(s);
	ok(s, weft_region_attach(s->world, &key, &at.region), "attach");
	ok(s, weft_put(&at, bytes, BYTES, NULL), "put");
	if (wf_random_below(dice, 2))
		ok(s, weft_flush(at.region, OWNER, WEFT_FLUSH_REMOTE),
		   "flush");
	meet(s);
	be_late(s, dice);
	ok(s, weft_region_free(&at.region), "let go");
}

static void both(struct wf_sim_rank *rank, void *arg)
{
	uint64_t seed = *(uint64_t *)arg;
	struct wf_random dice;
	struct scene s;

	if (!start(&s, rank))
		return;
	wf_random_init(&dice, 2 * seed + (uint64_t)wf_sim_rank(rank));
	for (int i = 0; i < ROUNDS; i++) {
		if (wf_sim_rank(rank) == OWNER)
			own(&s, &dice);
		else
			use_it(&s, &dice);
		meet(&s);
	}
	stop(&s);
}

static void at_once(void)
{
	long seeds = tap_figure("SEEDS", 10);
	long first = tap_figure("FIRST_SEED", 1);

	for (long i = first; i < first + seeds; i++) {
		struct wf_sim_options options;
		uint64_t seed = (uint64_t)i;

		wf_sim_options_init(&options, RANKS, seed);
		wf_sim_options_vary(&options);
		wf_sim_options_unsignal(&options);
		if (!sim_flow_run(&options, both, &seed))
			return;
	}
}

/* As if a mail of the user had come. */
static void comes(const struct scene *s, const struct weft_region *region,
		  enum wf_rma_owes what)
{
	struct wf_rma_note note = {
		.what = what, .rank = USER, .region = region->id,
		.number = WF_RMA_NO_NUMBER
	};
	struct wf_letter letter = {
		.from = wf_peer_get(s->job, USER),
		.head = { .kind = WF_MAIL_RMA, .length = sizeof(note) },
		.payload = &note
	};

	wf_rma_deliver(&region->rma->port, &letter);
}

/* It asked twice: the second question is answered behind its CLOSED. */
static void ask_and_close(const struct scene *s)
{
	struct weft_region *region;
	uint64_t since;

	ok(s, weft_region_expose(s->world, NULL, BYTES, &region), "expose");
	meet(s);
	comes(s, region, WF_RMA_ASK);
	comes(s, region, WF_RMA_CLOSED);
	linger(s);
	since = wf_sim_now(s->rank);
	ok(s, weft_region_free(&region), "take back");
	if (wf_sim_now(s->rank) - since >= LONG_NS / 2)
		wf_sim_fail(s->rank, "it waits for who has let go");
}

static void late_answer(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == OWNER) {
		ask_and_close(&s);
	} else {
		meet(&s);
		pause_for(&s, LONG_NS);
	}
	stop(&s);
}

static void before_the_answer(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, RANKS, 1);
	sim_flow_run(&options, late_answer, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "owner and user end it at the same time", at_once },
		{ "a user lets go before it is answered", before_the_answer }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
