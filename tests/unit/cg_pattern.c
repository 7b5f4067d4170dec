/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Halo patterns of random symmetric matrices: what a rank sends is what the
 * other end needs, in the same order, and the product over all ranks, with
 * the halo copied by hand, has the bits of the product on one rank.
 */
#include "examples/cg/cg_kernel.h"
#include "examples/cg/cg_pattern.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#define RANKS 16

struct job {
	struct cg_csr whole;
	struct cg_blocks blocks;
	struct cg_ranks ranks[RANKS];
	struct cg_csr rows[RANKS];
	struct cg_halo halo[RANKS];
};

static uint64_t seed;

static double random_unit(void)
{
	seed = seed * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (double)(seed >> 11) * 0x1p-53;
}

static int64_t before(const void *matrix, int64_t row)
{
	return ((const struct cg_csr *)matrix)->start[row];
}

/* A symmetric matrix with a full diagonal, by a dense table. */
static void make_matrix(struct cg_csr *a, int64_t n, double density)
{
	double *dense = calloc((size_t)(n * n), sizeof(*dense));
	int64_t i, j, k = 0;
	struct cg_why why;

	for (i = 0; i < n; i++) {
		dense[i * n + i] = 10.0;
		for (j = 0; j < i; j++)
			if (random_unit() < density)
				dense[i * n + j] = dense[j * n + i] =
					random_unit();
	}
	TAP_EQUAL(cg_csr_alloc(a, n, n * n, &why), 0);
	for (i = 0; i < n; i++) {
		for (j = 0; j < n; j++) {
			if (dense[i * n + j] == 0.0)
				continue;
			a->col[k] = j;
			a->val[k++] = dense[i * n + j];
		}
		a->start[i + 1] = k;
	}
	free(dense);
}

static void take_rows(struct job *job, int rank)
{
	int64_t first = job->blocks.row[rank], i;
	int64_t rows = job->blocks.row[rank + 1] - first;
	int64_t begin = job->blocks.entry[rank];
	int64_t n = job->blocks.entry[rank + 1] - begin;
	struct cg_csr *mine = &job->rows[rank];
	struct cg_why why;

	TAP_EQUAL(cg_csr_alloc(mine, rows, n, &why), 0);
	for (i = 0; i <= rows; i++)
		mine->start[i] = job->whole.start[first + i] - begin;
	memcpy(mine->col, job->whole.col + begin, (size_t)n * 8);
	memcpy(mine->val, job->whole.val + begin, (size_t)n * 8);
}

static void open_job(struct job *job, int64_t n, int ranks, double density)
{
	struct cg_why why;
	int r;

	memset(job, 0, sizeof(*job));
	make_matrix(&job->whole, n, density);
	TAP_EQUAL(cg_blocks_alloc(&job->blocks, ranks, &why), 0);
	cg_partition(&job->blocks, n, before, &job->whole);
	for (r = 0; r < ranks; r++) {
		take_rows(job, r);
		job->ranks[r].rank = r;
		job->ranks[r].size = ranks;
		job->halo[r].ranks = &job->ranks[r];
		TAP_EQUAL(cg_pattern_make(&job->halo[r], &job->blocks,
					  &job->rows[r], &why), 0);
	}
}

static void close_job(struct job *job)
{
	for (int r = 0; r < job->blocks.n; r++) {
		cg_pattern_free(&job->halo[r]);
		cg_csr_free(&job->rows[r]);
	}
	cg_csr_free(&job->whole);
	cg_blocks_free(&job->blocks);
}

static int edge_to(const struct cg_halo *halo, int rank)
{
	for (int k = 0; k < halo->neighbours; k++)
		if (halo->nbr2rank[k] == rank)
			return k;
	return -1;
}

/* Each element on the way into the halo of `rank` along edge k. */
static void check_edge(const struct job *job, int rank, int k)
{
	const struct cg_halo *mine = &job->halo[rank], *other;
	int owner = mine->nbr2rank[k], back;
	int64_t row, col;

	other = &job->halo[owner];
	back = edge_to(other, rank);
	TAP_CHECK(owner != rank && back >= 0);
	TAP_EQUAL(other->out[back], mine->in[k]);
	for (size_t e = 0; e < mine->in[k]; e++) {
		row = other->outbox2row[(size_t)other->out_at[back] + e];
		col = mine->halo2col[(size_t)mine->in_at[k] + e];
		TAP_EQUAL(job->blocks.row[owner] + row, col);
	}
}

static void multiply(const struct job *job, int rank, const double *x,
		     double *y)
{
	const struct cg_halo *halo = &job->halo[rank];
	int64_t i, first = job->blocks.row[rank], done = 0;
	double vector[200];

	for (i = 0; i < halo->own; i++)
		vector[i] = x[first + i];
	for (i = 0; i < halo->size; i++)
		vector[halo->own + i] = 1e300;
	for (i = 0; i < halo->n_inner; i++, done++)
		y[first + halo->inner[i]] =
			cg_row(&job->rows[rank], halo->inner[i], vector);
	for (i = 0; i < halo->size; i++)
		vector[halo->own + i] = x[halo->halo2col[i]];
	for (i = 0; i < halo->n_rim; i++, done++)
		y[first + halo->rim[i]] =
			cg_row(&job->rows[rank], halo->rim[i], vector);
	TAP_EQUAL(done, halo->own);
}

static void check_job(int64_t n, int ranks, double density)
{
	double x[100], y[100], want[100];
	struct job job;
	int r, k;

	open_job(&job, n, ranks, density);
	for (int64_t i = 0; i < n; i++)
		x[i] = random_unit() - 0.5;
	for (r = 0; r < ranks; r++) {
		for (k = 0; k < job.halo[r].neighbours; k++)
			check_edge(&job, r, k);
		multiply(&job, r, x, y);
	}
	for (int64_t i = 0; i < n; i++)
		want[i] = cg_row(&job.whole, i, x);
	TAP_CHECK(memcmp(y, want, (size_t)n * sizeof(*y)) == 0);
	close_job(&job);
}

static void random_matrices(void)
{
	static const double densities[] = { 0.0, 0.02, 0.1, 0.5, 1.0 };
	int64_t n;

	for (n = 1; n <= 100; n += n < 20 ? 1 : 20)
		for (int ranks = 1; ranks <= RANKS; ranks++)
			for (int d = 0; d < TAP_COUNT(densities); d++)
				check_job(n, ranks, densities[d]);
}

static void no_memory(void)
{
	struct cg_halo halo = { 0 };
	struct cg_csr rows;
	struct cg_why why;
	struct job job;
	long at, failures = 0;
	int status = -1;

	open_job(&job, 30, 3, 0.2);
	for (at = 1; status && at < 100; at++) {
		cg_csr_free(&job.rows[1]);
		take_rows(&job, 1);
		rows = job.rows[1];
		memset(&halo, 0, sizeof(halo));
		halo.ranks = &job.ranks[1];
		fail_malloc_at(at);
		status = cg_pattern_make(&halo, &job.blocks, &rows, &why);
		fail_malloc_at(0);
		failures += status != 0;
		cg_pattern_free(&halo);
	}
	TAP_EQUAL(failures, 11);
	close_job(&job);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "random matrices", random_matrices },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
