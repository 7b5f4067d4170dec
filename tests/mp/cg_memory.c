/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that runs out on one rank while the parts of weft-cg are opened: at
 * whatever allocation, all ranks return the failure together, none waits for
 * another, and what was open can be closed.  Behind it, a solve still works.
 */
#include "examples/cg/cg_distribute.h"
#include "examples/cg/cg_mesh.h"
#include "examples/cg/cg_solve.h"
#include "tests/fail_malloc.h"
#include "tests/ranks.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <unistd.h>
#include <weft.h>

enum { RANKS = 3, MOST = 200 };

static struct weft_job *job;
static struct cg_ranks ranks;
static struct cg_csr whole;		/* on rank 0 */

struct parts {
	struct cg_star star;
	struct cg_csr rows;
	struct cg_blocks blocks;
	struct cg_halo halo;
	struct cg_solver solver;
};

static int open_parts(struct parts *p)
{
	memset(p, 0, sizeof(*p));
	if (cg_star_open(&p->star, &ranks) ||
	    cg_distribute(&p->star, &whole, &p->blocks, &p->rows) ||
	    cg_halo_open(&p->halo, &ranks, &p->blocks, &p->rows) ||
	    cg_solver_open(&p->solver, &ranks, &p->rows, &p->halo))
		return -1;
	return 0;
}

static void close_parts(struct parts *p)
{
	cg_solver_close(&p->solver);
	if (p->halo.ranks)
		cg_halo_close(&p->halo);
	cg_csr_free(&p->rows);
	cg_blocks_free(&p->blocks);
	if (p->star.ranks)
		cg_star_close(&p->star);
}

/* Of all ranks the same status, or the world is out of step. */
static void agreed(int status)
{
	int64_t least = status, most = status;

	TAP_EQUAL(weft_allreduce(ranks.world, WEFT_IN_PLACE,
				 weft_part(&least, 1, &weft_type_int64),
				 &weft_op_min), WEFT_OK);
	TAP_EQUAL(weft_allreduce(ranks.world, WEFT_IN_PLACE,
				 weft_part(&most, 1, &weft_type_int64),
				 &weft_op_max), WEFT_OK);
	TAP_EQUAL(least, status);
	TAP_EQUAL(most, status);
}

static void solve(struct parts *p)
{
	struct cg_outcome outcome = { .iterations = 0 };

	p->solver.limits.tol = 1e-8;
	p->solver.limits.maxit = 100;
	TAP_EQUAL(cg_solve(&p->solver, &outcome), 0);
	TAP_CHECK(outcome.converged);
}

/* Allocations of rank `victim` fail from the at-th one on, for every at. */
static void starve(int victim)
{
	struct parts p;
	long at;
	int status = -1;

	for (at = 1; status && at < MOST; at++) {
		if (ranks.rank == victim)
			fail_malloc_at(at);
		status = open_parts(&p);
		fail_malloc_at(0);
		agreed(status);
		if (!status)
			solve(&p);
		close_parts(&p);
	}
	/* at least one for each list that a rank holds */
	tap_diag("%ld allocations", at - 2);
	TAP_CHECK(at > 20 && at < MOST);
}

static void on_rank_0(void)
{
	starve(0);
}

static void on_another(void)
{
	starve(RANKS - 1);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "on rank 0", on_rank_0 },
		{ "on another rank", on_another },
	};
	static const struct cg_mesh mesh = { { 5, 6, 7 } };
	struct cg_why why;
	int result;

	ranks_start(argc, argv, RANKS, 60);
	if (weft_job_open(NULL, &job))
		return 1;
	cg_ranks_init(&ranks, job);
	tap_rank(ranks.rank);
	if (ranks.rank == 0 &&
	    cg_mesh_rows_make(&mesh, 0, cg_mesh_rows(&mesh), &whole, &why))
		return 1;
	/* Each failure is told; here they are what is wanted. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	cg_csr_free(&whole);
	return weft_job_close(job) ? 1 : result;
}
