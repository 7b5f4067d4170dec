/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators without end: chains of four duplicates made and freed again and
 * again, and very many that live at once, without failure, and without memory
 * or lists of used ids that grow with what was.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	RANKS = 2,
	WARM = 100,			/* chains until tables are large */
	SLACK = 4096,			/* bytes, of all ranks */
	PER_COMM = 400,			/* bytes of a rank, at most */
	NO_REFILL = 10000000		/* chains, see docs/arch.md */
};

/* A dup of a dup of a dup of a dup; all go. */
static bool chain(struct scene *s)
{
	struct weft_comm *made[4], *of = s->world;

	for (int i = 0; i < 4; i++) {
		if (weft_comm_dup(of, &made[i])) {
			ok(s, WEFT_ERR_NOMEM, "dup");
			return false;
		}
		of = made[i];
	}
	for (int i = 0; i < 4; i++)
		ok(s, weft_comm_free(&made[i]), "free");
	return true;
}

static void many_chains(struct wf_sim_rank *rank, void *arg)
{
	long chains = tap_figure("CHAINS", 200000), before, after;
	struct weft_contexts contexts;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < WARM; i++)
		chain(&s);
	ok(&s, weft_barrier(s.world), "barrier");
	before = fail_malloc_bytes();
	for (long i = 0; i < chains && chain(&s); i++)
		;
	after = fail_malloc_bytes();
	ok(&s, weft_context_query(s.job, &contexts), "query");
	if (contexts.live != 1 ||
	    contexts.made != 4 * (unsigned long long)(chains + WARM))
		wf_sim_fail(rank, "%llu live, %llu made", contexts.live,
			    contexts.made);
	if (contexts.refills && chains <= NO_REFILL)
		wf_sim_fail(rank, "%llu refills", contexts.refills);
	if (after > before + SLACK)
		wf_sim_fail(rank, "%ld bytes, and then %ld", before, after);
	if (wf_cid_ranges(&wf_contexts(s.job)->ids) > 4)
		wf_sim_fail(rank, "%zu ranges of used ids",
			    wf_cid_ranges(&wf_contexts(s.job)->ids));
	if (!wf_sim_rank(rank))
		tap_diag("%ld chains: %llu refills, %llu ids left", chains,
			 contexts.refills, contexts.left);
	ok(&s, weft_job_close(s.job), "close");
}

static void chains(void)
{
	fail_malloc_at(0);
	run(RANKS, 1, many_chains);
}

/* Every third one stays when the others go. */
static void many_alive(struct wf_sim_rank *rank, void *arg)
{
	long n = tap_figure("COMMS", 100000), before;
	struct weft_comm **live = calloc((size_t)n, sizeof(*live));
	struct weft_contexts contexts;
	struct scene s;

	(void)arg;
	if (!live || !start(&s, rank)) {
		wf_sim_fail(rank, "no memory");
		free(live);
		return;
	}
	ok(&s, weft_barrier(s.world), "barrier");
	before = fail_malloc_bytes();
	for (long i = 0; i < n; i++)
		ok(&s, weft_comm_dup(i % 7 ? live[i - i % 7] : s.world,
				     &live[i]), "dup");
	ok(&s, weft_context_query(s.job, &contexts), "query");
	if (contexts.live != (unsigned long long)n + 1)
		wf_sim_fail(rank, "%llu live", contexts.live);
	ok(&s, weft_barrier(s.world), "barrier");
	if (fail_malloc_bytes() - before > n * RANKS * PER_COMM)
		wf_sim_fail(rank, "%ld bytes for each", (fail_malloc_bytes() -
			    before) / n / RANKS);
	ok(&s, weft_barrier(live[n - 1]), "barrier of the last one");
	for (long i = 0; i < n; i++)
		if (i % 3)
			ok(&s, weft_comm_free(&live[i]), "free");
	ok(&s, weft_barrier(live[n / 6 * 3]), "barrier of one between");
	if (!wf_sim_rank(rank))
		tap_diag("%ld alive: %llu refills, %zu ranges of used ids", n,
			 contexts.refills,
			 wf_cid_ranges(&wf_contexts(s.job)->ids));
	ok(&s, weft_job_close(s.job), "close");
	free(live);
}

static void alive(void)
{
	fail_malloc_at(0);
	run(RANKS, 1, many_alive);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "chains of duplicates", chains },
		{ "very many at once", alive }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
