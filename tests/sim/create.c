/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators of groups: without a message, several at once, in any order of
 * ranks; what overlaps; and random programs of all constructors, with pools so
 * small that they have to be refilled, in which ids agree and no process ever
 * sees one twice.  Those that only their members make: create_group.c.
 */
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	LIVE = 8,			/* communicators of a program */
	STEPS = 60,
	PARTS = 3,
	MOST = 64,			/* ranks of random programs */
	ALLOCATIONS = 12
};

/* ---- parts of a communicator ---- */

/* Its ranks in PARTS groups, drawn by all alike; the own one. */
static struct weft_group *draw_group(struct scene *s, struct weft_comm *of,
				     uint64_t seed)
{
	int size = weft_comm_size(of), n[PARTS] = { 0 }, own = 0;
	struct weft_group *all = NULL, *part = NULL;
	int ranks[PARTS][MOST];
	struct wf_random random;

	wf_random_init(&random, seed);
	for (int r = 0; r < size; r++) {
		int p = (int)wf_random_below(&random, PARTS);
		int at = (int)wf_random_below(&random, (uint64_t)n[p] + 1);

		ranks[p][n[p]++] = ranks[p][at];
		ranks[p][at] = r;
		if (r == weft_comm_rank(of))
			own = p;
	}
	ok(s, weft_comm_group(of, &all), "group");
	ok(s, weft_group_incl(all, n[own], ranks[own], &part), "incl");
	ok(s, weft_group_free(&all), "free group");
	return part;
}

/* By all ranks at once, or by the members of each group. */
static struct weft_comm *create(struct scene *s, struct weft_comm *of,
				uint64_t seed, bool together)
{
	struct weft_group *part = draw_group(s, of, seed), *got = NULL;
	struct weft_comm *made = of;
	enum weft_comparison like;

	if (together)
		ok(s, weft_comm_create(of, part, &made), "create");
	else
		ok(s, weft_comm_create_group(of, part, 0, &made), "group");
	if (made == of || !made) {
		wf_sim_fail(s->rank, "no communicator");
		return NULL;
	}
	ok(s, weft_comm_group(made, &got), "group");
	ok(s, weft_group_compare(part, got, &like), "compare");
	if (like != WEFT_IDENT || weft_comm_rank(made) != weft_group_rank(part))
		wf_sim_fail(s->rank, "another group");
	ok(s, weft_group_free(&got), "free group");
	ok(s, weft_group_free(&part), "free group");
	return made;
}

/* Nothing is sent; half of the ranks of one group, and all others get NULL. */
static void count_messages(struct wf_sim_rank *rank, void *arg)
{
	struct weft_group *all = NULL, *half = NULL;
	int size = wf_sim_size(rank), me = wf_sim_rank(rank);
	struct weft_range range = { 0, size - 1, 2 };
	struct weft_comm *made = NULL;
	uint64_t messages;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	messages = wf_sim_own_messages(rank);
	ok(&s, weft_comm_group(s.world, &all), "group");
	ok(&s, weft_group_range_incl(all, 1, &range, &half), "range");
	for (int i = 0; i < 50; i++) {
		ok(&s, weft_comm_create(s.world, half, &made), "create");
		if ((made == NULL) != me % 2 ||
		    (made && (weft_comm_rank(made) != me / 2 ||
			      made->group->table)))
			wf_sim_fail(rank, "rank %d", weft_comm_rank(made));
		if (made)
			ok(&s, weft_comm_free(&made), "free");
	}
	if (wf_sim_own_messages(rank) != messages)
		wf_sim_fail(rank, "%llu messages", (unsigned long long)
			    (wf_sim_own_messages(rank) - messages));
	ok(&s, weft_group_free(&half), "free group");
	ok(&s, weft_group_free(&all), "free group");
	stop(&s);
}

static void no_message(void)
{
	for (int ranks = 1; ranks <= 64; ranks++)
		if (!run(ranks, 1, count_messages))
			return;
	run((int)tap_figure("MOST_RANKS", 4096), 1, count_messages);
}

/* ---- programs ---- */

/* What all members of a communicator draw alike, whatever they did before. */
static struct weft_comm *construct(struct scene *s, struct weft_comm *of,
				   uint64_t dice)
{
	struct weft_comm *made = NULL;

	switch (dice % 4) {
	case 0:
		ok(s, weft_comm_dup(of, &made), "dup");
		break;
	case 1:
	case 2:
		made = create(s, of, dice, dice % 4 == 1);
		break;
	default:
		ok(s, weft_comm_split(of, (int)(dice >> 8) %
				      (1 + weft_comm_rank(of)),
				      (int)(dice >> 4 & 3), &made), "split");
	}
	return made;
}

/*
 * A child of the world, at times one of that as well, while those of the other
 * ranks, which have the same id, do the same.
 */
static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *live[LIVE] = { NULL };
	struct weft_contexts contexts;
	struct wf_random random;
	struct scene s;

	if (!start(&s, rank))
		return;
	wf_random_init(&random, *(const uint64_t *)arg);
	shrink_pools(&s, &random);
	for (int i = 0; i < STEPS; i++) {
		uint64_t dice = wf_random_below(&random, UINT32_MAX);
		struct weft_comm **to = &live[wf_random_below(&random, LIVE)];
		struct weft_comm *of = s.world, *made;

		if (*to)
			ok(&s, weft_comm_free(to), "free");
		made = construct(&s, of, dice);
		if (made && dice & 1 << 20) {
			of = made;
			made = construct(&s, of, dice >> 3);
			check_id(&s, made, live, LIVE);
			use(&s, of);
			ok(&s, weft_comm_free(&of), "free");
		}
		check_id(&s, made, live, LIVE);
		use(&s, made);
		*to = made;
	}
	ok(&s, weft_context_query(s.job, &contexts), "query");
	if (!contexts.refills || contexts.live > LIVE + 1)
		wf_sim_fail(rank, "%llu live, %llu refills", contexts.live,
			    contexts.refills);
	stop(&s);
}

static void programs(void)
{
	run_seeds(60, 17, any_program);
}

/* ---- what is refused ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_comm *made = NULL, *pair = NULL;
	struct weft_group *group, *some;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 3, 1);
	some = range(&s, 0, 2, 1);
	if (weft_comm_create(s.world, me == 1 ? NULL : group,
			     me == 1 ? &pair : &made) !=
		    (me == 1 ? WEFT_ERR_ARG : WEFT_OK) ||
	    (me == 1 && !strstr(weft_error_text(s.job), "group is NULL")))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	if (made)
		ok(&s, weft_comm_free(&made), "free");
	ok(&s, weft_comm_create(s.world, some, &pair), "create");
	if (me < 2 && (weft_comm_create(pair, group, &made) != WEFT_ERR_ARG ||
		       !strstr(weft_error_text(s.job), "rank 2 of the group, "
			       "rank 2 of the world")))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	if (weft_comm_create(NULL, group, &made) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	ok(&s, weft_comm_create(s.world, group, &made), "create");
	ok(&s, weft_barrier(made), "barrier");
	ok(&s, weft_group_free(&group), "free group");
	ok(&s, weft_group_free(&some), "free group");
	stop(&s);
}

static void refusals(void)
{
	run(3, 1, refuse);
}

/* Ranks 1 and 2 disagree about who is with them. */
static void overlap(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_comm *made = NULL;
	struct weft_group *group;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, me < 2 ? 0 : 1, me < 2 ? 2 : 3, 1);
	if (weft_comm_create(s.world, group, &made) != WEFT_ERR_ARG || made ||
	    !strstr(weft_error_text(s.job), "weft_comm_create: rank 1, which "
		    "is in this rank's group, passed another group") ||
	    (me < 2 && !strstr(weft_error_text(s.job),
			       "rank 2 of the communicator: ")))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	ok(&s, weft_group_free(&group), "free group");
	group = range(&s, me < 2 ? 0 : 2, 2, 1);
	ok(&s, weft_comm_create(s.world, group, &made), "create");
	ok(&s, weft_barrier(made), "barrier");
	ok(&s, weft_comm_free(&made), "free");
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

static void overlaps(void)
{
	static char *env[] = { "WEFT_CHECK=2", NULL };
	struct wf_sim_options options;

	wf_sim_options_init(&options, 4, 1);
	options.environ = env;
	sim_flow_run(&options, overlap, NULL);
}

/* Of the own call only: nothing else goes on meanwhile. */
static void run_short(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), failed = 0;
	struct weft_comm *made;
	struct weft_group *group;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 2, 1);
	for (long n = 1; n <= ALLOCATIONS; n++) {
		int status;

		made = NULL;
		if (me == 0)
			fail_malloc_once(n);
		status = weft_comm_create(s.world, group, &made);
		if (me == 0)
			fail_malloc_at(0);
		failed += status != WEFT_OK;
		if (status && (me || status != WEFT_ERR_NOMEM || made))
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
		if (made)
			ok(&s, weft_comm_free(&made), "free");
	}
	if (me == 0 && !failed)
		wf_sim_fail(rank, "none failed");
	ok(&s, weft_comm_create(s.world, group, &made), "create");
	ok(&s, weft_barrier(made), "barrier");
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

static void no_memory(void)
{
	run(2, 1, run_short);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no message, 1 to 64 ranks and 4096", no_message },
		{ "programs of all constructors", programs },
		{ "what is refused", refusals },
		{ "groups that overlap", overlaps },
		{ "no memory at one rank", no_memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
