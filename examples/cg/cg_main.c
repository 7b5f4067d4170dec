/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-cg: conjugate gradients on a real mesh or matrix, over all ranks of
 * the job.  The walk through a run: read or generate the rows, open the halo,
 * solve, gather, check, report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <weft.h>

#include "cg_distribute.h"
#include "cg_load.h"
#include "cg_options.h"
#include "cg_order.h"
#include "cg_report.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* A run, in the order in which its parts come to be. */
struct run {
	struct cg_options options;
	struct cg_ranks ranks;
	struct cg_order order;
	struct cg_star star;
	struct cg_csr whole;		/* rank 0, if read or for the check */
	struct cg_blocks blocks;
	struct cg_csr rows;
	struct cg_halo halo;
	struct cg_solver solver;
	struct cg_outcome outcome;
	double *x;			/* rank 0: the solution */
	struct cg_rank_facts *facts;	/* rank 0: one per rank */
	char source[64];
};

static int64_t mesh_before(const void *mesh, int64_t row)
{
	return cg_mesh_before(mesh, row);
}

/* Local: every rank makes its own rows. */
static int make_mesh(struct run *run, struct cg_why *why)
{
	const struct cg_mesh *mesh = &run->options.mesh;
	int64_t first, rows;

	if (cg_blocks_alloc(&run->blocks, run->ranks.size, why))
		return -1;
	cg_partition(&run->blocks, cg_mesh_rows(mesh), mesh_before, mesh);
	first = run->blocks.row[run->ranks.rank];
	rows = run->blocks.row[run->ranks.rank + 1] - first;
	return cg_mesh_rows_make(mesh, first, rows, &run->rows, why);
}

/* On rank 0, which stays rank 0: to hand it out, or for the check. */
static int read_whole(struct run *run, struct cg_why *why)
{
	const struct cg_mesh *mesh = &run->options.mesh;

	if (run->ranks.rank != 0)
		return 0;
	if (run->options.file)
		return cg_load(run->options.file, &run->whole, why);
	if (!run->options.serial_check)
		return 0;
	return cg_mesh_rows_make(mesh, 0, cg_mesh_rows(mesh), &run->whole, why);
}

/* To each rank its rows. */
static int deal_rows(struct run *run)
{
	struct cg_why why;

	if (cg_star_open(&run->star, &run->ranks))
		return -1;
	if (!run->options.file)
		return cg_agree(&run->ranks, make_mesh(run, &why), &why);
	return cg_distribute(&run->star, &run->whole, &run->blocks,
			     &run->rows);
}

static void drop_rows(struct run *run)
{
	cg_csr_free(&run->rows);
	cg_blocks_free(&run->blocks);
	if (run->star.ranks)
		cg_star_close(&run->star);
}

/* Once as the ranks are, and, if it is asked for, as they are best. */
static int open_matrix(struct run *run)
{
	struct cg_why why;

	if (cg_agree(&run->ranks, read_whole(run, &why), &why) ||
	    deal_rows(run))
		return -1;
	if (!run->options.reorder)
		return 0;
	if (cg_order_find(&run->order, &run->ranks, run->options.reorder,
			  &run->blocks, &run->rows))
		return -1;
	drop_rows(run);
	cg_ranks_follow(&run->ranks, run->order.comm);
	return deal_rows(run);
}

struct progress {
	struct timespec last;
	bool shown;
};

/* One line on a terminal, rewritten ten times a second. */
static void show_step(void *arg, int64_t iteration, double residual)
{
	struct progress *progress = arg;
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	if ((t.tv_sec - progress->last.tv_sec) * 10 +
	    (t.tv_nsec - progress->last.tv_nsec) / 100000000 < 1)
		return;
	progress->last = t;
	progress->shown = true;
	fprintf(stderr, "\riteration %lld, residual %.2e ",
		(long long)iteration, residual);
}

static int solve(struct run *run)
{
	struct progress progress = { .shown = false };
	struct cg_solver *solver = &run->solver;
	int status;

	if (cg_halo_open(&run->halo, &run->ranks, &run->blocks, &run->rows))
		return -1;
	if (cg_solver_open(solver, &run->ranks, &run->rows, &run->halo))
		return -1;
	solver->limits = run->options.limits;
	if (run->ranks.rank == 0 && isatty(STDERR_FILENO)) {
		clock_gettime(CLOCK_MONOTONIC, &progress.last);
		solver->watch.step = show_step;
		solver->watch.arg = &progress;
	}
	status = cg_solve(solver, &run->outcome);
	if (progress.shown)
		fprintf(stderr, "\r%-40s\r", "");
	return status;
}

static int alloc_results(struct run *run, struct cg_why *why)
{
	size_t rows = (size_t)run->blocks.row[run->ranks.size];
	size_t ranks = (size_t)run->ranks.size;

	if (run->ranks.rank != 0)
		return 0;
	run->x = calloc(rows + 1, sizeof(*run->x));
	run->facts = calloc(ranks, sizeof(*run->facts));
	if (!run->x || !run->facts)
		return cg_fail_memory(why, "the solution");
	return 0;
}

/* What this rank tells rank 0 about itself. */
static int collect_facts(struct run *run, struct cg_rank_facts *mine)
{
	memset(mine, 0, sizeof(*mine));
	mine->rows = run->rows.rows;
	mine->entries = cg_csr_entries(&run->rows);
	mine->neighbours = run->halo.neighbours;
	mine->bytes = cg_halo_bytes(&run->halo);
	mine->times = run->solver.times;
	return cg_halo_carriers(&run->halo, mine->carriers);
}

static int gather_facts(struct run *run, int64_t *first)
{
	const int64_t size = (int64_t)sizeof(struct cg_rank_facts);
	struct cg_whole all = { .base = run->facts, .first = first };
	struct cg_rank_facts mine;
	int r;

	for (r = 0; r <= run->ranks.size; r++)
		first[r] = r * size;
	if (collect_facts(run, &mine))
		return -1;
	return cg_star_gather(&run->star, &weft_type_byte, &all, &mine, size);
}

/* The solution and the facts of all ranks, to rank 0. */
static int gather(struct run *run)
{
	int64_t *first = calloc((size_t)run->ranks.size + 1, sizeof(*first));
	struct cg_whole x = { .first = run->blocks.row };
	struct cg_why why;
	int status;

	status = first ? alloc_results(run, &why) :
		cg_fail_memory(&why, "the results");
	status = cg_agree(&run->ranks, status, &why);
	x.base = run->x;
	if (!status)
		status = cg_star_gather(&run->star, &weft_type_double, &x,
					run->solver.x, run->rows.rows);
	if (!status)
		status = gather_facts(run, first);
	free(first);
	return status;
}

/* On rank 0: check, print, and say what is not as it should be. */
static int report(struct run *run, struct cg_why *why)
{
	struct cg_solved solved = {
		.a = &run->whole, .blocks = &run->blocks, .x = run->x,
		.limits = run->options.limits, .outcome = run->outcome,
	};
	struct cg_summary summary = {
		.source = run->options.file ? run->options.file : run->source,
		.ranks = run->ranks.size, .facts = run->facts,
		.solved = &solved,
		.order = run->options.reorder ? &run->order.info : NULL,
	};
	struct cg_verdict verdict;

	if (run->options.serial_check) {
		if (cg_check(&solved, &verdict, why))
			return -1;
		summary.verdict = &verdict;
	}
	if (run->options.json)
		cg_report_json(stdout, &summary);
	else
		cg_report_text(stdout, &summary);
	if (fflush(stdout))
		return cg_fail(why, "the report could not be written");
	if (!run->outcome.converged)
		return cg_fail(why, "no convergence in %lld iterations",
			       (long long)run->outcome.iterations);
	if (summary.verdict && !cg_verdict_ok(summary.verdict))
		return cg_fail(why, "the serial check failed");
	return 0;
}

/* maxit is known only when the rows are; all ranks know them. */
static void complete_options(struct run *run)
{
	int64_t rows = run->blocks.row[run->ranks.size];
	const int64_t *n = run->options.mesh.n;

	if (run->options.limits.maxit == 0)
		run->options.limits.maxit = rows > INT64_MAX / 10 ? INT64_MAX :
			10 * rows;
	snprintf(run->source, sizeof(run->source), "mesh %lld,%lld,%lld",
		 (long long)n[0], (long long)n[1], (long long)n[2]);
}

static int run_all(struct run *run)
{
	struct cg_why why;
	int status = 0;

	if (open_matrix(run))
		return -1;
	complete_options(run);
	if (solve(run) || gather(run))
		return -1;
	if (run->ranks.rank == 0)
		status = report(run, &why);
	return cg_agree(&run->ranks, status, &why);
}

static void run_close(struct run *run)
{
	cg_solver_close(&run->solver);
	if (run->halo.ranks)
		cg_halo_close(&run->halo);
	drop_rows(run);
	cg_csr_free(&run->whole);
	cg_order_close(&run->order, &run->ranks);
	free(run->x);
	free(run->facts);
}

static int run_job(struct run *run, int bad_options, const struct cg_why *why)
{
	struct weft_job *job;
	int status;

	status = weft_job_open(NULL, &job);
	if (status) {
		fprintf(stderr, "weft-cg: opening the job: %s\n",
			weft_status_text(status));
		return EXIT_FAILURE;
	}
	cg_ranks_init(&run->ranks, job);
	status = cg_agree(&run->ranks, bad_options, why);
	if (!status)
		status = run_all(run);
	run_close(run);
	if (weft_job_close(job) && !status) {
		fprintf(stderr, "weft-cg: a rank ended before the job did\n");
		status = -1;
	}
	return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct run run = { .x = NULL };
	struct cg_why why;
	int bad_options = cg_options_read(&run.options, argc, argv, &why);

	if (!bad_options && run.options.help) {
		fputs(cg_options_usage(), stdout);
		return EXIT_SUCCESS;
	}
	if (!bad_options && run.options.version) {
		puts("weft-cg " PACKAGE_VERSION);
		return EXIT_SUCCESS;
	}
	return run_job(&run, bad_options, &why);
}
