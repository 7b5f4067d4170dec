/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits against an oracle that sees all colours and keys; what they cost; and
 * splits of splits, whose ranks are in a table or in a stride.
 */
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	PATTERNS = 12,
	REGULAR = 4,			/* of them, the first ones */
	ANY_COLORS = 9,			/* drawn, from this one on */
	MOST = 4096,
	WARM = 2,			/* splits until channels are open */
	ALLOCATIONS = 30		/* more than a split takes */
};

/* ---- what ranks wish ---- */

struct wish {
	int color, key;
};

static uint32_t dice(uint64_t seed, int rank)
{
	uint64_t x = (seed * 4099 + (uint64_t)rank + 1) *
		     UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)((x ^ x >> 29) >> 16);
}

/* Shapes that programs have: by blocks of k, or in turn. */
static struct wish regular(int pattern, int rank, int size, int k)
{
	switch (pattern) {
	case 0:					/* the last block is shorter */
		return (struct wish){ rank / k, 0 };
	case 1:					/* in turn, keys as ranks */
		return (struct wish){ 3 + rank % k, rank };
	case 2:					/* a leader of each block */
		return (struct wish){ rank % k ? WEFT_UNDEFINED : 4, rank };
	default:				/* falling blocks */
		return (struct wish){ (size - 1 - rank) / k, rank };
	}
}

/* And what is nearly one of them. */
static struct wish irregular(int pattern, int rank, int size, int k)
{
	switch (pattern) {
	case 4:					/* backwards */
		return (struct wish){ rank % 2, size - rank };
	case 5:					/* the last cycle goes on */
		return (struct wish){ rank + k >= size ? rank - size + 2 * k :
				      rank % k, 0 };
	case 6:					/* blocks, keys fall once */
		return (struct wish){ rank / k, rank == size / 2 ? -1 : 0 };
	case 7:					/* two blocks of a colour */
		return (struct wish){ rank / k % 3, rank / 2 };
	default:				/* nobody with anybody */
		return (struct wish){ WEFT_UNDEFINED, 0 };
	}
}

static struct wish wish_of(int pattern, uint64_t seed, int rank, int size)
{
	int k = 1 + (int)(seed % 5), some = (int)(dice(seed, rank) % 7);

	if (pattern < REGULAR)
		return regular(pattern, rank, size, k);
	if (pattern < ANY_COLORS)
		return irregular(pattern, rank, size, k);
	if (pattern == ANY_COLORS)		/* any */
		return (struct wish){ some, (int)(dice(seed + 9, rank) % 3) };
	if (pattern == 10)			/* some with nobody */
		return (struct wish){ some > 4 ? WEFT_UNDEFINED : some, -some };
	return (struct wish){ (int)(dice(seed, rank) >> 8), 0 };
}

/* Those with the colour of a rank, in their order; how many. */
static int oracle(int pattern, uint64_t seed, int rank, int size, int *to)
{
	struct wish own = wish_of(pattern, seed, rank, size);
	int n = 0;

	for (int r = 0; r < size && own.color != WEFT_UNDEFINED; r++) {
		struct wish w = wish_of(pattern, seed, r, size);
		int at = n;

		if (w.color != own.color)
			continue;
		for (; at > 0 && wish_of(pattern, seed, to[at - 1], size).key >
				 w.key; at--)
			to[at] = to[at - 1];
		to[at] = r;
		n++;
	}
	return n;
}

/* ---- right ones ---- */

static void check_members(struct scene *s, struct weft_comm *of,
			  struct weft_comm *made, const int *want, int n)
{
	if (weft_comm_size(made) != n)
		wf_sim_fail(s->rank, "%d ranks, and not %d",
			    weft_comm_size(made), n);
	for (int r = 0; r < n && r < weft_comm_size(made); r++)
		if (wf_comm_world_rank(made, r) !=
		    wf_comm_world_rank(of, want[r]))
			wf_sim_fail(s->rank, "rank %d is %d of the world", r,
				    wf_comm_world_rank(made, r));
	if (made && wf_comm_world_rank(made, weft_comm_rank(made)) !=
		    wf_sim_rank(s->rank))
		wf_sim_fail(s->rank, "another own rank");
}

static struct weft_comm *split(struct scene *s, struct weft_comm *of,
			       int pattern, uint64_t seed)
{
	int me = weft_comm_rank(of), size = weft_comm_size(of);
	struct wish own = wish_of(pattern, seed, me, size);
	struct weft_comm *made = of;
	int *want = malloc((size_t)size * sizeof(*want));
	int64_t sum = me, n;

	if (!want) {
		wf_sim_fail(s->rank, "no memory");
		return NULL;
	}
	ok(s, weft_comm_split(of, own.color, own.key, &made), "split");
	n = oracle(pattern, seed, me, size, want);
	check_members(s, of, made, want, (int)n);
	if (made)
		ok(s, weft_allreduce(made, WEFT_IN_PLACE, weft_part(&sum, 1,
				     &weft_type_int64), &weft_op_sum), "sum");
	for (int r = 0; r < n; r++)
		sum -= want[r];
	if (made && sum)
		wf_sim_fail(s->rank, "a sum over other ranks");
	free(want);
	return made;
}

/* All siblings have the same id, and use it at the same time. */
static void split_often(struct wf_sim_rank *rank, void *arg)
{
	uint64_t seed = *(const uint64_t *)arg;
	struct weft_comm *made, *below;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int p = 0; p < PATTERNS; p++) {
		made = split(&s, s.world, p, seed);
		if (!made)
			continue;
		for (int q = 0; q < 3; q++) {
			below = split(&s, made, (p + 5 * q) % PATTERNS,
				      seed + 1);
			if (below)
				ok(&s, weft_comm_free(&below), "free");
		}
		ok(&s, weft_comm_free(&made), "free");
	}
	stop(&s);
}

static void all_patterns(void)
{
	long seeds = tap_figure("SEEDS", 2);
	long first = tap_figure("FIRST_SEED", 1);

	for (int ranks = 1; ranks <= 33; ranks++)
		for (long seed = first; seed < first + seeds; seed++) {
			struct wf_sim_options options;
			uint64_t own = (uint64_t)(seed * 40 + ranks);

			wf_sim_options_init(&options, ranks, own);
			wf_sim_options_vary(&options);
			if (!sim_flow_run(&options, split_often, &own))
				return;
		}
}

/* ---- what they cost ---- */

/* Messages of an exchange: those of a scan on the same communicator, */
static uint64_t cost_of_scan(struct scene *s)
{
	uint64_t before = wf_sim_own_messages(s->rank);
	int64_t x = 1, y;

	ok(s, weft_exscan(s->world, &x, weft_part(&y, 1, &weft_type_int64),
			  &weft_op_sum), "exscan");
	return wf_sim_own_messages(s->rank) - before;
}

/* or of an allgather of what all wish. */
static uint64_t cost_of_allgather(struct scene *s)
{
	static int64_t all[MOST];	/* of all ranks: zeros for ever */
	uint64_t before = wf_sim_own_messages(s->rank);

	ok(s, weft_allgather(s->world, weft_part(WEFT_IN_PLACE, 0, NULL),
			     weft_part(all, 1, &weft_type_int64)), "allgather");
	return wf_sim_own_messages(s->rank) - before;
}

/* What was sent since then; and what was made goes. */
static void check_cost(struct scene *s, struct weft_comm **made_p,
		       uint64_t before, uint64_t wanted, const char *what)
{
	uint64_t sent = wf_sim_own_messages(s->rank) - before;

	if (sent != wanted)
		wf_sim_fail(s->rank, "%s: %d messages, and not %d", what,
			    (int)sent, (int)wanted);
	if (*made_p)
		ok(s, weft_comm_free(made_p), "free");
}

static struct weft_comm *split_alone(struct scene *s, int pattern)
{
	struct wish own = wish_of(pattern, 3, wf_sim_rank(s->rank),
				  wf_sim_size(s->rank));
	struct weft_comm *made = NULL;

	ok(s, weft_comm_split(s->world, own.color, own.key, &made), "split");
	return made;
}

static void by_nodes(struct scene *s, int key, uint64_t wanted)
{
	uint64_t before = wf_sim_own_messages(s->rank);
	struct weft_comm *made = NULL;

	ok(s, weft_comm_split_type(s->world, WEFT_SPLIT_NODE, key, &made),
	   "split by node");
	check_cost(s, &made, before, wanted, "nodes");
}

static void by_pattern(struct scene *s, int pattern, uint64_t wanted)
{
	uint64_t before = wf_sim_own_messages(s->rank);
	struct weft_comm *made = split_alone(s, pattern);

	if (made && made->group->table && pattern < REGULAR)
		wf_sim_fail(s->rank, "pattern %d has a table", pattern);
	check_cost(s, &made, before, wanted, "colours");
}

/*
 * With rows and strides one exchange and no table, else two: of any colours,
 * and of nodes whose ranks turn round.
 */
static void count_all(struct scene *s, uint64_t scan)
{
	int size = wf_sim_size(s->rank);
	uint64_t both = scan + cost_of_allgather(s);

	if (both != 2 * scan)
		wf_sim_fail(s->rank, "%d messages of both", (int)both);
	for (int p = 0; p < REGULAR; p++)
		by_pattern(s, p, scan);
	by_nodes(s, 0, scan);
	/* So many ranks that colours are irregular without fail. */
	for (int p = ANY_COLORS; p < PATTERNS && size > 9; p++)
		if (p == ANY_COLORS || size <= 64)
			by_pattern(s, p, both);
	if (size <= 64)
		by_nodes(s, -wf_sim_rank(s->rank), both);
}

/* The first ones open connections and channels, which grow. */
static void warm_up(struct scene *s)
{
	struct weft_comm *made[WARM];

	for (int i = 0; i < WARM; i++)
		made[i] = split_alone(s, ANY_COLORS);
	linger(s);
	for (int i = 0; i < WARM; i++)
		ok(s, weft_comm_free(&made[i]), "free");
}

static void count_messages(struct wf_sim_rank *rank, void *arg)
{
	struct scene s = { .rank = rank };
	int n = wf_sim_size(rank);
	uint64_t scan;

	(void)arg;
	if (wf_sim_job_open_soon(rank, 1, &s.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	s.world = weft_job_world(s.job);
	warm_up(&s);
	scan = cost_of_scan(&s);
	if (scan != (n == 64 ? 14 : n == 512 ? 21 : n == MOST ? 28 : scan))
		wf_sim_fail(rank, "%d messages of a scan", (int)scan);
	count_all(&s, scan);
	stop(&s);
}

static bool count_of(int ranks)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, 1);
	options.ranks_per_node = ranks > 2 ? (ranks + 1) / 2 : 0;
	return sim_flow_run(&options, count_messages, NULL);
}

static void cost(void)
{
	for (int ranks = 1; ranks <= 64 && count_of(ranks); ranks++)
		;
}

static void of_many(void)
{
	count_of((int)tap_figure("MOST_RANKS", 512));
}

/* ---- nodes ---- */

static void split_nodes(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), per_node = *(const int *)arg;
	int first = me / per_node * per_node;
	struct weft_comm *node = NULL, *none = NULL;
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_split_type(s.world, WEFT_SPLIT_NODE, -me, &node),
	   "split by node");
	if (wf_comm_world_rank(node, weft_comm_size(node) - 1) != first ||
	    weft_comm_rank(node) != weft_comm_size(node) - 1 - (me - first))
		wf_sim_fail(rank, "rank %d of %d on its node",
			    weft_comm_rank(node), weft_comm_size(node));
	ok(&s, weft_comm_split_type(node, WEFT_UNDEFINED, 0, &none), "nobody");
	if (none || weft_comm_split_type(node, 77, 0, &none) != WEFT_ERR_ARG ||
	    !strstr(weft_error_text(s.job), "type is 77"))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	stop(&s);
}

static void nodes(void)
{
	struct wf_sim_options options;

	for (int per_node = 1; per_node <= 5; per_node++) {
		wf_sim_options_init(&options, 13, 1);
		options.ranks_per_node = per_node;
		if (!sim_flow_run(&options, split_nodes, &per_node))
			return;
	}
}

/* ---- siblings ---- */

/* They have the same id, and nothing else: also not their regions. */
static void attach_to_sibling(struct wf_sim_rank *rank, void *arg)
{
	struct weft_region_key *key = arg;
	struct weft_region *own = NULL, *other = NULL;
	int me = wf_sim_rank(rank);
	struct weft_comm *made = NULL;
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_split(s.world, me / 2, -me, &made), "split");
	ok(&s, weft_region_expose(made, NULL, 64, &own), "expose");
	ok(&s, weft_region_key(own, &key[me]), "key");
	ok(&s, weft_barrier(s.world), "barrier");
	if (weft_region_attach(made, &key[(me + 2) % 4], &other) !=
		    WEFT_ERR_ARG ||
	    !strstr(weft_error_text(s.job), "of the world"))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	ok(&s, weft_region_attach(made, &key[me ^ 1], &other), "attach");
	ok(&s, weft_barrier(s.world), "barrier");
	ok(&s, weft_region_free(&other), "destroy");
	ok(&s, weft_region_free(&own), "destroy");
	stop(&s);
}

static void siblings(void)
{
	struct weft_region_key key[4];
	struct wf_sim_options options;

	wf_sim_options_init(&options, 4, 1);
	sim_flow_run(&options, attach_to_sibling, key);
}

/* ---- what is refused ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_comm *made = NULL;
	struct scene s;
	int status;

	(void)arg;
	if (!start(&s, rank))
		return;
	/* The others have theirs. */
	status = weft_comm_split(s.world, me == 1 ? -3 : 0, 0, &made);
	if (me == 1 ? status != WEFT_ERR_ARG || made ||
		      !strstr(weft_error_text(s.job), "color is -3") :
		      status || weft_comm_size(made) != 2 ||
		      weft_barrier(made))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	if (made)
		ok(&s, weft_comm_free(&made), "free");
	status = weft_comm_split(s.world, me, 0, me == 1 ? NULL : &made);
	if (status != (me == 1 ? WEFT_ERR_ARG : WEFT_OK))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	if (weft_comm_split(NULL, 0, 0, &made) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is split");
	ok(&s, weft_comm_split(s.world, 0, -me, &made), "split");
	ok(&s, weft_barrier(made), "barrier");
	stop(&s);
}

static void refusals(void)
{
	run(3, 1, refuse);
}

/* ---- no memory ---- */

/*
 * It lacks at rank 0 or whoever asks next.  The others have theirs, or fail as
 * well; the ids stay the same, so that a later one is good again.
 */
static void run_short(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), status;
	int64_t failed = 0;
	struct weft_comm *made;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	for (long n = 1; n <= ALLOCATIONS; n++) {
		made = NULL;
		if (me == 0)
			fail_malloc_once(n);
		/* Backwards: not without an allgather. */
		status = weft_comm_split(s.world, 0, n % 2 ? -me : 0, &made);
		if (me == 0)
			fail_malloc_at(0);
		failed += status != WEFT_OK;
		if (status && made)
			wf_sim_fail(rank, "it failed, and made one");
		if (status && status != WEFT_ERR_NOMEM)
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
		if (made)
			ok(&s, weft_comm_free(&made), "free");
	}
	/* It lacks no more once rank 0 is there. */
	ok(&s, weft_barrier(s.world), "barrier");
	ok(&s, weft_allreduce(s.world, WEFT_IN_PLACE, weft_part(&failed, 1,
			      &weft_type_int64), &weft_op_sum), "sum");
	if (failed < 5)
		wf_sim_fail(rank, "only %d failed", (int)failed);
	(void)split(&s, s.world, 4, 1);
	stop(&s);
}

static void no_memory(void)
{
	run(2, 1, run_short);
	run(5, 1, run_short);
}

/* ---- one that fails at one rank alone ---- */

struct mishap {
	int who;			/* its rank */
	long nth;			/* malloc that fails; 0: a device */
	int before;			/* barriers: 1 mails, 8 channels */
	int failed, wrong;		/* splits; sums that say nothing */
	int sums;			/* that are right */
};

static void one_mishap(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), size = wf_sim_size(rank);
	struct weft_comm *made = NULL;
	struct mishap *m = arg;
	int64_t sum = 100 + me, want = 100 * size + size * (size - 1) / 2;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < m->before; i++)
		ok(&s, weft_barrier(s.world), "barrier");
	if (me == m->who && m->nth)
		fail_malloc_once(m->nth);
	else if (me == m->who)
		wf_sim_set_faults(rank, 3, 0);
	m->failed += weft_comm_split(s.world, me % 2, -me, &made) != WEFT_OK;
	if (me == m->who) {
		fail_malloc_at(0);
		wf_sim_set_faults(rank, 0, 0);
	}
	if (made && weft_comm_size(made) != (size + 1 - me % 2) / 2)
		m->wrong++;
	/* Another one than that of the split must not take its place. */
	if (!weft_allreduce(s.world, WEFT_IN_PLACE, weft_part(&sum, 1,
			    &weft_type_int64), &weft_op_sum)) {
		m->sums += sum == want;
		m->wrong += sum != want;
	}
	(void)!weft_job_close(s.job);
}

static struct mishap try(int ranks, uint64_t seed, struct mishap m)
{
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, ranks, seed);
	if (wf_sim_run(&options, one_mishap, &m, &result) || result.hung ||
	    result.finished != ranks)
		m.wrong++;
	fail_malloc_at(0);
	return m;
}

/* The others have theirs, or nobody has, and all go on together. */
static void no_memory_alone(void)
{
	int failed = 0;

	for (int ranks = 4; ranks <= 10; ranks += 6)
		for (int i = 0; i < ranks * 60; i++) {
			struct mishap m = {
				i % ranks, 1 + i / ranks, 1, 0, 0, 0
			};

			m = try(ranks, 1 + (uint64_t)i, m);
			failed += m.failed > 0 && m.failed < ranks;
			/* Or it was the sum that had no memory. */
			if (TAP_EQUAL(m.wrong, 0) &&
			    TAP_CHECK(m.sums == ranks || !m.sums))
				continue;
			tap_diag("%d ranks, malloc %ld of rank %d", ranks,
				 m.nth, m.who);
			return;
		}
	TAP_CHECK(failed > 0);
}

/* Who cannot know what the others do next makes it an error. */
static void device_alone(void)
{
	int failed = 0;

	for (int seed = 1; seed <= 100; seed++) {
		struct mishap m = try(6, (uint64_t)seed, (struct mishap){
			seed % 6, 0, 8, 0, 0, 0 });

		failed += m.failed > 0 && m.failed < 6;
		if (TAP_EQUAL(m.wrong, 0))
			continue;
		tap_diag("seed %d", seed);
		return;
	}
	TAP_CHECK(failed > 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "any pattern, and splits of it", all_patterns },
		{ "one exchange or two, 1 to 64 ranks", cost },
		{ "one exchange or two of 512", of_many },
		{ "the ranks of a node", nodes },
		{ "a sibling's region is none of mine", siblings },
		{ "what is refused", refusals },
		{ "no memory at one rank", no_memory },
		{ "no memory at one rank alone", no_memory_alone },
		{ "a device that fails it at one rank alone", device_alone }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
