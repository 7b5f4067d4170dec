/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank lacks memory at one of the allocations of a collective, at each in
 * turn, of every collective in every form: no rank waits for ever, each has an
 * error that says so or the right result, the same collective works when there
 * is memory again, and so does an allreduce behind it.
 *
 * SEEDS=10000 for all of them; else it is some allocations of some.
 */
#include "tests/sim/bracket.h"
#include "tests/sim/lacking.h"
#include "tests/sim/scene.h"

enum {
	VICTIM = 1,
	MOST = 11,			/* ranks */
	LATER = 3,			/* calls behind the one that lacks */
	SOON = 1			/* epochs by mail */
};

/* Of one run. */
struct lack {
	struct deed deed;
	bool gaps;			/* elements have them */
	bool compared;			/* calls are */
	int before;			/* calls that go well */
	long at;			/* the allocation; */
	bool reached;			/* there are so many */
	int status[MOST];		/* of the call */
	int made[MOST];			/* of what gives its request */
};

static void begin_lack(const struct scene *s, const struct lack *lack)
{
	if (wf_sim_rank(s->rank) == VICTIM)
		lacking_begin(lack->at);
}

static void end_lack(const struct scene *s, struct lack *lack)
{
	if (wf_sim_rank(s->rank) == VICTIM)
		lack->reached = lacking_end(lack->at);
}

/* ---- calls ---- */

struct caller {
	struct scene s;
	struct weft_comm *comm;
	struct lack *lack;
	struct bracket values;
	struct play_memory memory;
};

/* What it gives and gets: right, where it went well. */
static void judge(const struct caller *c, int status, bool may_fail)
{
	const char *why = status ? weft_error_text(c->s.job) :
			  play_memory_check(&c->memory, &c->lack->deed);

	if (!why || (status == WEFT_ERR_NOMEM && may_fail))
		return;
	wf_sim_fail(c->s.rank, "collective %d, form %d, root %d, allocation "
		    "%ld behind %d: %s", (int)c->lack->deed.what,
		    (int)c->lack->deed.form, c->lack->deed.root, c->lack->at,
		    c->lack->before, why);
}

/* From the call to its end; lacking: the victim lacks memory meanwhile. */
static int call(struct caller *c, bool lacking)
{
	struct lack *lack = c->lack;
	struct weft_request *req = NULL;
	const struct terms terms = {
		.comm = c->comm, .type = c->values.type,
		.op = c->values.op, .given = c->memory.given,
		.got = c->memory.got,
		.stride = c->memory.values->stride
	};
	int status;

	play_memory_fill(&c->memory, &lack->deed);
	if (lacking)
		begin_lack(&c->s, lack);
	status = play_call(&lack->deed, &terms, &req);
	if (lacking)
		lack->made[wf_sim_rank(c->s.rank)] = status;
	if (!status && lack->deed.form == PERSISTENT)
		status = weft_request_start(req);
	if (!status && req)
		status = weft_request_wait(req);
	if (lacking)
		end_lack(&c->s, lack);
	judge(c, status, lacking);
	ok(&c->s, weft_request_free(&req), "free");
	return status;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct lack *lack = arg;
	struct caller c = { .lack = lack };
	int me = wf_sim_rank(rank);

	c.s.rank = rank;
	if (wf_sim_job_open_soon(rank, SOON, &c.s.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	c.comm = c.s.world = weft_job_world(c.s.job);
	c.values = lack->gaps ?
		   bracket_of(c.s.job, &weft_type_short_int,
			      &weft_op_minloc) :
		   bracket_of(c.s.job, &weft_type_double, &weft_op_sum);
	play_memory_init(&c.memory, &c.values.values, &lack->deed, me);
	/* the peers know each other, and the simulator what it needs */
	for (int i = 0; i <= SOON; i++)
		call(&c, false);
	crowd(&c.s, c.comm);
	ok(&c.s, weft_comm_dup(c.s.world, &c.comm), "dup");
	for (int i = 0; i < lack->before; i++)
		call(&c, false);
	lack->status[me] = call(&c, true);
	for (int i = 0; i < LATER; i++) {
		call(&c, false);
		use(&c.s, c.comm);
	}
	ok(&c.s, weft_comm_free(&c.comm), "free");
	play_memory_fini(&c.memory);
	stop(&c.s);
}

/* ---- all of them ---- */

/* Does a rank wait for what the victim gives? */
static bool needs_victim(const struct deed *d, int rank)
{
	switch (d->what) {
	case BCAST:
	case SCATTER:
	case SCATTERV:
		return d->root == VICTIM;
	case REDUCE:
	case GATHER:
	case GATHERV:
		return d->root == rank;
	case ALLTOALLV:
		return rank == VICTIM || play_pair(d, VICTIM, rank);
	case SCAN:
		return rank >= VICTIM;
	case EXSCAN:
		return rank > VICTIM;
	default:
		return true;
	}
}

/* Who has no request has told all that wait; of a persistent one all have. */
static bool is_told(const struct lack *lack)
{
	const struct deed *d = &lack->deed;
	bool good = true;

	for (int r = 0; r < d->size && d->form == PERSISTENT; r++)
		good &= TAP_EQUAL(lack->made[r], lack->made[VICTIM]);
	for (int r = 0; r < d->size && d->form == ONCE; r++)
		if (lack->made[VICTIM] && needs_victim(d, r))
			good &= TAP_EQUAL(lack->status[r], WEFT_ERR_NOMEM);
	return good;
}

static bool lacks(struct lack *lack)
{
	static char *env[] = {
		"WEFT_CHECK=2", "WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
	};
	struct wf_sim_options options;
	const struct deed *d = &lack->deed;

	lack->reached = false;
	wf_sim_options_init(&options, d->size, (uint64_t)lack->at);
	if (lack->compared)
		options.environ = env;
	return sim_flow_run(&options, program, lack) && is_told(lack);
}

/* At all of its allocations, or each so many-th one. */
static bool lacks_anywhere(struct lack *lack, long first, long step)
{
	/*
	 * With the first one a pairwise call does not know with whom it should
	 * go on: alltoallv.t.
	 */
	if (lack->deed.what == ALLTOALLV && first == 1)
		first++;
	lack->reached = true;
	for (lack->at = first; lack->reached; lack->at += step)
		if (!lacks(lack)) {
			tap_diag("collective %d, form %d, root %d, %d ranks, "
				 "allocation %ld behind %d",
				 (int)lack->deed.what, (int)lack->deed.form,
				 lack->deed.root, lack->deed.size, lack->at,
				 lack->before);
			return false;
		}
	return true;
}

enum {
	ROOTS = 3,
	CHOICES = WHATS * 3 * ROOTS * 2 * 2 * 2 * 2,
	STRIDE = 997,			/* has no divisor in common with it */
	STEP = 7			/* where they are not all */
};

static int take(int *number, int choices)
{
	int chosen = *number % choices;

	*number /= choices;
	return chosen;
}

/* Is there another choice with the same calls? */
static bool is_twin(const struct lack *lack)
{
	const struct deed *d = &lack->deed;
	bool rooted = d->what == BCAST || d->what == REDUCE ||
		      d->what == GATHER || d->what == SCATTER ||
		      d->what == GATHERV || d->what == SCATTERV;

	return (d->root && !rooted) ||
	       (d->in_place && (d->what == BCAST || d->what == BARRIER)) ||
	       (d->what == BARRIER && (d->n > 5 || lack->gaps));
}

/* The number says everything but the allocation. */
static struct lack choose(int number)
{
	struct lack lack = { .deed = { .shape = (uint64_t)number } };

	lack.deed.what = (enum what)take(&number, WHATS);
	lack.deed.form = (enum form)take(&number, 3);
	lack.deed.size = take(&number, 2) ? MOST : 3;
	lack.deed.root = take(&number, ROOTS);
	lack.gaps = take(&number, 2);
	lack.deed.n = take(&number, 2) ? 700 : 5;
	lack.before = take(&number, 2) ? 2 : 0;
	lack.deed.in_place = take(&number, 2);
	return lack;
}

static void every_collective(long usual, bool compared)
{
	long first = tap_figure("FIRST_SEED", 1);
	long seeds = tap_figure("SEEDS", usual);
	long step = seeds < CHOICES ? STEP : 1;

	if (seeds > CHOICES)
		seeds = CHOICES;
	for (long seed = first; seed < first + seeds; seed++) {
		struct lack lack = choose((int)(seed * STRIDE % CHOICES));

		lack.compared = compared;
		if (!is_twin(&lack) &&
		    !lacks_anywhere(&lack, 1 + seed % step, step))
			return;
	}
}

static void alone(void)
{
	every_collective(120, false);
}

/* One that lacks memory goes with any. */
static void compared(void)
{
	every_collective(24, true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each allocation of each collective", alone },
		{ "the same where calls are compared", compared }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
