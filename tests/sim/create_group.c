/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators that only their members make: one message to each member but
 * the first, groups that overlap, tags in another order, and what goes wrong:
 * arguments, ids, groups that differ, deaths at any moment, behind which the
 * living make theirs.  Without memory: create_group_memory.c.
 */
#include <string.h>
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	STEPS = 40,
	LIVE = 8,
	MOST = 64,			/* ranks of random programs */
	ROUNDS = 12,
	TAG = 5,
	EARLY = 30			/* mails that come too early */
};

/* ---- messages ---- */

static uint64_t sent;			/* by all ranks of a run */

/* All ranks, then every second one, the last first. */
static void count_messages(struct wf_sim_rank *rank, void *arg)
{
	int size = wf_sim_size(rank), half = (size + 1) / 2;
	struct weft_group *groups[2];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	groups[0] = range(&s, 0, size, 1);
	groups[1] = range(&s, 2 * (half - 1), half, -2);
	for (int i = 0; i < 2; i++) {
		struct weft_comm *made = s.world;
		uint64_t before = wf_sim_own_messages(rank);

		ok(&s, weft_comm_create_group(s.world, groups[i], i, &made),
		   "create_group");
		sent += wf_sim_own_messages(rank) - before;
		if (made)
			ok(&s, weft_comm_free(&made), "free");
		else if (!i || wf_sim_rank(rank) % 2 == 0)
			wf_sim_fail(rank, "no communicator");
		ok(&s, weft_group_free(&groups[i]), "free group");
	}
	stop(&s);
}

static void one_each(void)
{
	int most = (int)tap_figure("MOST_RANKS", 4096);

	for (int ranks = 1; ranks <= 65; ranks++) {
		int n = ranks < 65 ? ranks : most;

		sent = 0;
		if (!run(n, 1, count_messages) ||
		    !TAP_EQUAL(sent, (n - 1) + ((n + 1) / 2 - 1)))
			return;
	}
}

/* ---- programs ---- */

/* Some ranks of a communicator in some order, drawn by all alike. */
static struct weft_group *draw(struct scene *s, struct weft_comm *of,
			       struct wf_random *random)
{
	struct weft_group *all = NULL, *part = NULL;
	int ranks[MOST], n = 0;
	uint64_t few = 1 + wf_random_below(random, 4);

	for (int r = 0; r < weft_comm_size(of); r++) {
		int at = (int)wf_random_below(random, (uint64_t)n + 1);

		if (wf_random_below(random, few))
			continue;
		ranks[n++] = ranks[at];
		ranks[at] = r;
	}
	ok(s, weft_comm_group(of, &all), "group");
	ok(s, weft_group_incl(all, n, ranks, &part), "incl");
	ok(s, weft_group_free(&all), "free group");
	return part;
}

/* The members alone call, at times for a child of the child. */
static void make(struct scene *s, struct weft_comm *of,
		 struct wf_random *random, struct weft_comm **made_p)
{
	struct weft_group *group = draw(s, of, random), *got = NULL;
	enum weft_comparison like = WEFT_UNEQUAL;

	*made_p = NULL;
	if (weft_group_rank(group) >= 0) {
		ok(s, weft_comm_create_group(of, group, TAG, made_p), "make");
		ok(s, weft_comm_group(*made_p, &got), "group");
		ok(s, weft_group_compare(group, got, &like), "compare");
		if (like != WEFT_IDENT)
			wf_sim_fail(s->rank, "another group");
		ok(s, weft_group_free(&got), "free group");
	}
	ok(s, weft_group_free(&group), "free group");
}

static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *live[LIVE] = { NULL };
	struct weft_contexts contexts;
	struct wf_random random, own;
	struct scene s;

	if (!start(&s, rank))
		return;
	wf_random_init(&random, *(const uint64_t *)arg);
	for (int i = 0; i < STEPS; i++) {
		uint64_t dice = wf_random_u64(&random);
		struct weft_comm **to = &live[wf_random_below(&random, LIVE)];
		struct weft_comm *made, *child;

		if (*to)
			ok(&s, weft_comm_free(to), "free");
		make(&s, s.world, &random, &made);
		if (!made)
			continue;
		check_id(&s, made, live, LIVE);
		use(&s, made);
		*to = made;
		if (dice & 1)
			continue;
		wf_random_init(&own, dice);
		make(&s, made, &own, &child);
		if (!child)
			continue;
		check_id(&s, child, live, LIVE);
		use(&s, child);
		ok(&s, weft_comm_free(&child), "free");
	}
	ok(&s, weft_context_query(s.job, &contexts), "query");
	if (contexts.refills)
		wf_sim_fail(rank, "%llu refills", contexts.refills);
	stop(&s);
}

static void programs(void)
{
	run_seeds(100, 19, any_program);
}

/* The first one is far ahead; the second takes the tags from the last on. */
static void ahead(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *made[EARLY];
	struct weft_group *group;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 2, 1);
	for (int i = 0; i < EARLY; i++) {
		int tag = wf_sim_rank(rank) ? EARLY - 1 - i : i;

		ok(&s, weft_comm_create_group(s.world, group, tag, &made[tag]),
		   "create_group");
	}
	for (int i = 0; i < EARLY; i++) {
		check_id(&s, made[i], made, i);
		ok(&s, weft_comm_free(&made[i]), "free");
	}
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

static void tags(void)
{
	run(2, 1, ahead);
}

/* ---- what is refused ---- */

static void expect(struct scene *s, int status, int wanted, const char *text)
{
	if (status != wanted || !strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s->job));
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *made = NULL, *pair = NULL;
	struct weft_group *all, *two, *none;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	all = range(&s, 0, 4, 1);
	two = range(&s, 0, 2, 1);
	ok(&s, weft_group_excl(all, 4, (const int[]){ 0, 1, 2, 3 }, &none),
	   "excl");
	expect(&s, weft_comm_create_group(s.world, NULL, 0, &made),
	       WEFT_ERR_ARG, "group is NULL");
	expect(&s, weft_comm_create_group(s.world, all, -1, &made),
	       WEFT_ERR_ARG, "tag is -1");
	expect(&s, weft_comm_create_group(s.world, all, 0, NULL),
	       WEFT_ERR_ARG, "created_p is NULL");
	if (weft_comm_create_group(NULL, all, 0, &made) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	made = s.world;
	ok(&s, weft_comm_create_group(s.world, none, 0, &made), "none");
	if (made)
		wf_sim_fail(rank, "a communicator of nobody");
	/* no member may call, too */
	ok(&s, weft_comm_create_group(s.world, two, 0, &pair), "two");
	if ((pair == NULL) != (wf_sim_rank(rank) > 1))
		wf_sim_fail(rank, "not for the members");
	if (pair) {
		expect(&s, weft_comm_create_group(pair, all, 0, &made),
		       WEFT_ERR_ARG, "rank 2 of the group");
		ok(&s, weft_comm_free(&pair), "free");
	}
	ok(&s, weft_group_free(&none), "free group");
	ok(&s, weft_group_free(&two), "free group");
	ok(&s, weft_group_free(&all), "free group");
	stop(&s);
}

/* Rank 2 passes one rank less, and 3, which is below it, hears of that. */
static void disagree(struct scene *s, struct weft_comm *of)
{
	int me = wf_sim_rank(s->rank);
	struct weft_comm *made = NULL;
	struct weft_group *group = range(s, 0, 5, 1), *less = NULL;
	int status;

	ok(s, weft_group_excl(group, 1, (const int[]){ 4 }, &less), "excl");
	status = weft_comm_create_group(of, me == 2 || me == 3 ? less : group,
					TAG, &made);
	if (me == 2)
		expect(s, status, WEFT_ERR_ARG, "rank 0 on host");
	else if (me == 3)
		expect(s, status, WEFT_ERR_ARG, "rank 2 on host");
	else
		ok(s, status, "create_group");
	if (made)
		ok(s, weft_comm_free(&made), "free");
	ok(s, weft_comm_create_group(of, group, TAG, &made), "again");
	use(s, made);
	ok(s, weft_comm_free(&made), "free");
	ok(s, weft_group_free(&less), "free group");
	ok(s, weft_group_free(&group), "free group");
}

static void differ(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	disagree(&s, s.world);
	stop(&s);
}

/* The first rank has no ids: nobody gets a communicator. */
static void no_ids(struct wf_sim_rank *rank, void *arg)
{
	int size = wf_sim_size(rank);
	struct weft_comm *made = NULL;
	struct weft_group *group;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == size - 1)
		wf_contexts(s.job)->ids.mint_end =
			wf_contexts(s.job)->ids.mint_next;
	group = range(&s, size - 1, size, -1);
	expect(&s, weft_comm_create_group(s.world, group, TAG, &made),
	       WEFT_ERR_NOMEM, wf_sim_rank(rank) == size - 1 ?
	       "no context ids left" : "failed with WEFT_ERR_NOMEM");
	ok(&s, weft_group_free(&group), "free group");
	group = range(&s, 0, size, 1);
	ok(&s, weft_comm_create_group(s.world, group, TAG, &made), "create");
	use(&s, made);
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

static void refusals(void)
{
	run(4, 1, refuse);
	run(5, 1, differ);
	run(11, 1, no_ids);
}

/* ---- those that have left ---- */

/* One of the first rank's children: nobody gets a communicator. */
static void miss_one(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *made = NULL;
	struct weft_group *group;
	struct scene s;
	int status;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 4) {
		stop(&s);
		return;
	}
	linger(&s);
	group = range(&s, 0, 5, 1);
	status = weft_comm_create_group(s.world, group, TAG, &made);
	if (status != WEFT_ERR_PEER || made)
		wf_sim_fail(rank, "%s", weft_status_name(status));
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

static void leavers(void)
{
	run(5, 1, miss_one);
}

/* ---- deaths ---- */

static int heard;			/* survivors that were told */

/* By the same tag, over whatever the failed calls have left. */
static void go_on_without(struct scene *s, int victim)
{
	struct weft_comm *living = NULL;
	struct weft_group *all = NULL, *rest = NULL;

	ok(s, weft_comm_group(s->world, &all), "group");
	ok(s, weft_group_excl(all, 1, &victim, &rest), "excl");
	ok(s, weft_comm_create_group(s->world, rest, TAG, &living), "rest");
	use(s, living);
	ok(s, weft_comm_free(&living), "free");
	ok(s, weft_group_free(&rest), "free group");
	ok(s, weft_group_free(&all), "free group");
}

static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	int victim = *(const int *)arg, size = wf_sim_size(rank), status = 0;
	char name[16];
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; !status; i++) {
		struct weft_group *group = range(&s, i % 2 ? size - 1 : 0,
						 size, i % 2 ? -1 : 1);
		struct weft_comm *made = NULL;

		status = weft_comm_create_group(s.world, group, TAG, &made);
		/* who does not hear of the death is not to run away */
		if (made && i % 4 == 3)
			status = weft_barrier(made);
		if (made)
			ok(&s, weft_comm_free(&made), "free");
		ok(&s, weft_group_free(&group), "free group");
		if (wf_sim_rank(rank) == victim && i == ROUNDS)
			wf_sim_die(rank);
	}
	snprintf(name, sizeof(name), "rank %d ", victim);
	expect(&s, status, WEFT_ERR_PEER, name);
	heard++;
	go_on_without(&s, victim);
	status = weft_job_close(s.job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

/* In a communicator without the dead one nothing is as after a death. */
static void differ_without(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *living = NULL;
	int status;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_split(s.world, wf_sim_rank(rank) == 5, 0, &living),
	   "split");
	/* All are through with it by then. */
	if (wf_sim_rank(rank) == 5)
		linger(&s);
	if (wf_sim_rank(rank) == 5)
		wf_sim_die(rank);
	while (weft_job_progress(s.job) != WEFT_ERR_PEER)
		wf_sim_idle(rank, wf_sim_now(rank) + 1000000);
	disagree(&s, living);
	ok(&s, weft_comm_free(&living), "free");
	status = weft_job_close(s.job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

static void death_elsewhere(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 6, 1);
	options.kill_rank = 5;
	sim_flow_run(&options, differ_without, NULL);
}

/*
 * Rank 0 knows of a death, and so does not make the call that rank 3 is in, but
 * the next one by the same tag.  It had no memory to remember whom to tell of
 * it, and those who would tell rank 3 instead compute.
 */
static void one_knows(struct wf_sim_rank *rank, void *arg)
{
	const int three[] = { 0, 3, 5 };
	struct weft_group *all = NULL, *group = NULL;
	struct weft_comm *made = NULL;
	int me = wf_sim_rank(rank), x = 0, status;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (me == 5)
		wf_sim_die(rank);
	ok(&s, weft_comm_group(s.world, &all), "group");
	ok(&s, weft_group_incl(all, 3, three, &group), "incl");
	if (me == 0)
		expect(&s, weft_recv(s.world, &x, 1, &weft_type_int32,
				     weft_from(5, 0), NULL),
		       WEFT_ERR_PEER, "rank 5 ");
	else if (me == 3)
		expect(&s, weft_comm_create_group(s.world, group, TAG, &made),
		       WEFT_ERR_PEER, "rank 5 ");
	else
		pause_for(&s, 1000000000);
	if (me == 0)
		s.job->deaths.n = 0;
	ok(&s, weft_group_free(&group), "free group");
	ok(&s, weft_group_incl(all, 2, three, &group), "incl");
	if (me == 0 || me == 3) {
		ok(&s, weft_comm_create_group(s.world, group, TAG, &made),
		   "without");
		pause_for(&s, 1000000000);
		ok(&s, weft_comm_free(&made), "free");
	}
	ok(&s, weft_group_free(&group), "free group");
	ok(&s, weft_group_free(&all), "free group");
	status = weft_job_close(s.job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

static void death_unheard(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 6, 1);
	options.kill_rank = 5;
	options.ranks_per_node = 1;
	options.told_ranks = 1;
	sim_flow_run(&options, one_knows, NULL);
}

static void deaths(void)
{
	run_deaths(200, &heard, lose_one);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one message each, 1 to 64 ranks and 4096", one_each },
		{ "programs of groups that overlap", programs },
		{ "tags in another order", tags },
		{ "what is refused", refusals },
		{ "a member has left", leavers },
		{ "a member dies", deaths },
		{ "another rank has died", death_elsewhere },
		{ "one knows of a death before another", death_unheard }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
