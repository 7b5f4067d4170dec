/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a communicator that is made, and not used yet, costs a rank: bytes of
 * heap, the same for 64 ranks and for many, as docs/arch.md has them.  Where
 * the ranks lie in a row or stride nothing grows with their number.
 */
#include "job/job.h"
#include "tests/fail_malloc.h"
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

#include <weft.h>

enum {
	EACH = 16,			/* of a kind */
	CALLS = 8,			/* until channels and plans are there */
	SETTLE_NS = 2000000,		/* longer than any flight */
	BOUND = 544
};

enum kind { DUP, BLOCKS, TURNS, RANGE, KINDS };

static const char *const names[KINDS] = {
	"dup", "split in blocks", "split in turn", "create of a range"
};

struct member {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_comm *world;
	struct weft_group *half;
	long *heap;			/* of all ranks, before each kind */
};

static void pass(struct member *m, uint64_t ns)
{
	uint64_t end = wf_sim_now(m->rank) + ns;

	while (wf_sim_now(m->rank) < end) {
		if (weft_job_progress(m->job))
			wf_sim_fail(m->rank, "%s", weft_error_text(m->job));
		wf_sim_idle(m->rank, end);
	}
}

/* When all are here and nothing is under way. */
static void measure(struct member *m, int at)
{
	if (weft_barrier(m->world))
		wf_sim_fail(m->rank, "%s", weft_error_text(m->job));
	pass(m, SETTLE_NS);
	if (!wf_sim_rank(m->rank))
		m->heap[at] = fail_malloc_bytes();
	pass(m, SETTLE_NS);
}

static int make(struct member *m, enum kind kind, struct weft_comm **made_p)
{
	int me = wf_sim_rank(m->rank);

	switch (kind) {
	case DUP:
		return weft_comm_dup(m->world, made_p);
	case BLOCKS:
		return weft_comm_split(m->world, me / 32, 0, made_p);
	case TURNS:
		return weft_comm_split(m->world, me % 32, me, made_p);
	default:
		return weft_comm_create(m->world, m->half, made_p);
	}
}

static void make_many(struct member *m, enum kind kind,
		      struct weft_comm **made)
{
	for (int i = 0; i < EACH; i++) {
		made[i] = NULL;
		if (make(m, kind, &made[i]))
			wf_sim_fail(m->rank, "%s: %s", names[kind],
				    weft_error_text(m->job));
	}
	measure(m, kind + 1);
}

static void prepare(struct member *m)
{
	struct weft_range range = { 0, wf_sim_size(m->rank) / 2 - 1, 1 };
	struct weft_group *all = NULL;
	struct weft_comm *made = NULL;

	for (int i = 0; i < CALLS; i++)
		if (make(m, BLOCKS, &made) || weft_comm_free(&made))
			wf_sim_fail(m->rank, "%s", weft_error_text(m->job));
	if (weft_comm_group(m->world, &all) ||
	    weft_group_range_incl(all, 1, &range, &m->half) ||
	    weft_group_free(&all))
		wf_sim_fail(m->rank, "%s", weft_error_text(m->job));
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *made[KINDS][EACH];
	struct member m = { .rank = rank, .heap = arg };

	if (wf_sim_job_open(rank, &m.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	m.world = weft_job_world(m.job);
	prepare(&m);
	measure(&m, 0);
	for (int kind = 0; kind < KINDS; kind++)
		make_many(&m, (enum kind)kind, made[kind]);
	/* They go with their job. */
	if (weft_job_close(m.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void run(int ranks)
{
	static char *const environ[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
	};
	struct wf_sim_options options;
	struct wf_sim_result result = { .violations = 0 };
	long heap[KINDS + 1] = { 0 };

	wf_sim_options_init(&options, ranks, 1);
	options.ranks_per_node = 1;
	options.net = wf_sim_net_find("hdr200");
	options.environ = environ;
	fail_malloc_at(0);
	TAP_EQUAL(wf_sim_run(&options, program, heap, &result), WEFT_OK);
	if (!TAP_EQUAL(result.violations, 0))
		tap_diag("%s", result.text);
	for (int kind = 0; kind < KINDS; kind++) {
		/* Of a range half of the ranks have none. */
		long holders = kind == RANGE ? ranks / 2 : ranks;
		long bytes = (heap[kind + 1] - heap[kind]) / EACH / holders;

		tap_diag("%d ranks, %s: %ld bytes", ranks, names[kind], bytes);
		TAP_CHECK(bytes > 0 && bytes <= BOUND);
	}
}

static void some(void)
{
	run(64);
}

static void many(void)
{
	run((int)tap_figure("MOST_RANKS", 1024));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "64 ranks", some },
		{ "1024 ranks", many }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
