/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of weft-cg see a single wrong value: the solve of bcsstk16 (or
 * of a mesh, where that file is not there) on four ranks, where in one
 * iteration one element of one rank's halo is the one of the iteration before.
 * Undisturbed, the same program passes.
 */
#include "examples/cg/cg_check.h"
#include "examples/cg/cg_distribute.h"
#include "examples/cg/cg_load.h"
#include "examples/cg/cg_mesh.h"
#include "examples/cg/cg_solve.h"
#include "tests/cg_data.h"
#include "tests/ranks.h"
#include "tests/tap.h"

#include <weft.h>

enum { RANKS = 4, VICTIM = 1 };

/* Element `place` of the victim's halo is stale in one iteration. */
struct stale {
	int64_t iteration;	/* -1: never */
	int64_t place;
	double before;
	int64_t changed;	/* how often it was really another value */
};

static struct weft_job *job;

static void make_stale(void *arg, int64_t iteration, double *halo, int64_t n)
{
	struct stale *stale = arg;
	double now;

	if (stale->place >= n)
		return;
	now = halo[stale->place];
	if (stale->iteration == iteration) {
		stale->changed += now != stale->before;
		halo[stale->place] = stale->before;
	}
	stale->before = now;
}

static void read_matrix(struct cg_csr *a)
{
	static const struct cg_mesh mesh = { { 16, 16, 16 } };
	struct cg_why why;
	char path[4200];

	if (cg_data_path("bcsstk16.mtx", path, sizeof(path)))
		TAP_EQUAL(cg_load(path, a, &why), 0);
	else
		TAP_EQUAL(cg_mesh_rows_make(&mesh, 0, cg_mesh_rows(&mesh), a,
					    &why), 0);
}

/* The parts of a solve, as main of weft-cg puts them together. */
struct parts {
	struct cg_ranks ranks;
	struct cg_star star;
	struct cg_csr whole, rows;
	struct cg_blocks blocks;
	struct cg_halo halo;
	struct cg_solver solver;
	struct cg_outcome outcome;
	double *x;
};

static void open_parts(struct parts *p)
{
	memset(p, 0, sizeof(*p));
	cg_ranks_init(&p->ranks, job);
	if (p->ranks.rank == 0)
		read_matrix(&p->whole);
	TAP_EQUAL(cg_star_open(&p->star, &p->ranks), 0);
	TAP_EQUAL(cg_distribute(&p->star, &p->whole, &p->blocks, &p->rows), 0);
	TAP_EQUAL(cg_halo_open(&p->halo, &p->ranks, &p->blocks, &p->rows), 0);
	TAP_EQUAL(cg_solver_open(&p->solver, &p->ranks, &p->rows, &p->halo),
		  0);
	p->solver.limits.tol = 1e-8;
	p->solver.limits.maxit = 10000;
	p->x = calloc((size_t)p->blocks.row[p->ranks.size], sizeof(*p->x));
}

static void close_parts(struct parts *p)
{
	cg_solver_close(&p->solver);
	cg_halo_close(&p->halo);
	cg_star_close(&p->star);
	cg_csr_free(&p->rows);
	cg_csr_free(&p->whole);
	cg_blocks_free(&p->blocks);
	free(p->x);
}

/* Solves; on rank 0 the verdict is the one of the serial check. */
static void solve(struct parts *p, struct stale *stale,
		  struct cg_verdict *verdict)
{
	struct cg_whole x = { .base = p->x, .first = p->blocks.row };
	struct cg_solved solved = {
		.a = &p->whole, .blocks = &p->blocks, .x = p->x,
		.limits = p->solver.limits,
	};
	struct cg_why why;

	if (p->ranks.rank == VICTIM) {
		p->solver.watch.arrived = make_stale;
		p->solver.watch.arg = stale;
	}
	TAP_EQUAL(cg_solve(&p->solver, &p->outcome), 0);
	TAP_EQUAL(cg_star_gather(&p->star, &weft_type_double, &x, p->solver.x,
				 p->rows.rows), 0);
	if (p->ranks.rank == VICTIM)
		TAP_EQUAL(stale->changed, stale->iteration > 0);
	if (p->ranks.rank != 0)
		return;
	solved.outcome = p->outcome;
	TAP_EQUAL(cg_check(&solved, verdict, &why), 0);
	tap_diag("%lld iterations, serially %lld; difference %.1e, true "
		 "residual %.1e", (long long)p->outcome.iterations,
		 (long long)verdict->serial.iterations, verdict->difference,
		 p->outcome.true_residual);
}

static void undisturbed(void)
{
	struct stale stale = { .iteration = -1 };
	struct cg_verdict verdict;
	struct parts p;

	open_parts(&p);
	solve(&p, &stale, &verdict);
	if (p.ranks.rank == 0)
		TAP_CHECK(cg_verdict_ok(&verdict));
	close_parts(&p);
}

static void one_stale_value(void)
{
	struct stale stale = { .iteration = 3, .place = 3 };
	struct cg_verdict verdict;
	struct parts p;

	open_parts(&p);
	solve(&p, &stale, &verdict);
	if (p.ranks.rank == 0) {
		/* the recursion does not see it */
		TAP_CHECK(p.outcome.converged);
		TAP_CHECK(!verdict.bits_ok);
		TAP_CHECK(!verdict.residual_ok);
		TAP_CHECK(!verdict.difference_ok);
		TAP_CHECK(!cg_verdict_ok(&verdict));
	}
	close_parts(&p);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "undisturbed", undisturbed },
		{ "one stale value", one_stale_value },
	};
	int result;

	ranks_start(argc, argv, RANKS, 60);
	if (weft_job_open(NULL, &job))
		return 1;
	tap_rank(weft_job_rank(job));
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : result;
}
