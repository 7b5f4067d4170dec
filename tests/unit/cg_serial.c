/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The serial solver: known iteration counts of the real matrices, the same in
 * blocks within the bounds that a parallel solve must hold, and the bounds
 * themselves, which must see what is wrong.
 */
#include "examples/cg/cg_check.h"
#include "examples/cg/cg_load.h"
#include "examples/cg/cg_mesh.h"
#include "tests/cg_data.h"
#include "tests/tap.h"

#include <math.h>

static const int sizes[] = { 1, 2, 3, 4, 7, 16 };

static int64_t before(const void *matrix, int64_t row)
{
	return ((const struct cg_csr *)matrix)->start[row];
}

/* A solve in blocks stands for a parallel one: cg_check() looks at it. */
static void check_blocks(struct cg_solved *solved, int ranks, double *x,
			 struct cg_verdict *verdict)
{
	struct cg_blocks blocks;
	struct cg_why why;

	TAP_EQUAL(cg_blocks_alloc(&blocks, ranks, &why), 0);
	cg_partition(&blocks, solved->a->rows, before, solved->a);
	TAP_EQUAL(cg_serial_solve(solved->a, &blocks, &solved->limits, x,
				  &solved->outcome, &why), 0);
	solved->x = x;
	solved->blocks = &blocks;
	TAP_EQUAL(cg_check(solved, verdict, &why), 0);
	if (!TAP_CHECK(cg_verdict_ok(verdict)))
		tap_diag("%d blocks: %lld iterations, difference %g, residual "
			 "%g", ranks, (long long)solved->outcome.iterations,
			 verdict->difference, solved->outcome.true_residual);
	TAP_CHECK(verdict->bits_ok && solved->outcome.converged);
	cg_blocks_free(&blocks);
}

struct expected {
	const char *name;
	int64_t iterations, allowed;
	double difference;
};

static void check_file(const struct expected *e)
{
	struct cg_solved solved = { .limits = { 1e-8, 100000 } };
	struct cg_verdict verdict;
	struct cg_csr a;
	struct cg_why why;
	const char *files = getenv("CG_FILES");
	char path[4200];
	double *x;

	if (files && !strstr(files, e->name)) {
		tap_skip("%s is not in CG_FILES", e->name);
		return;
	}
	if (!cg_data_path(e->name, path, sizeof(path))) {
		tap_skip("%s is not there; set WEFT_TEST_DATA", e->name);
		return;
	}
	if (!TAP_CHECK(cg_load(path, &a, &why) == 0)) {
		tap_diag("%s", why.text);
		return;
	}
	x = calloc((size_t)a.rows, sizeof(*x));
	solved.a = &a;
	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		check_blocks(&solved, sizes[i], x, &verdict);
		TAP_EQUAL(verdict.serial.iterations, e->iterations);
		TAP_EQUAL(verdict.allowed_iterations, e->allowed);
		TAP_CHECK(verdict.allowed_difference == e->difference);
	}
	free(x);
	cg_csr_free(&a);
}

static void bcsstk16(void)
{
	static const struct expected e = { "bcsstk16.mtx", 213, 1, 1e-13 };

	check_file(&e);
}

static void bcsstk13(void)
{
	static const struct expected e = { "bcsstk13.mtx", 1513, 60, 1e-9 };

	check_file(&e);
}

static void airfoil(void)
{
	static const struct expected e = { "4elt.graph", 27, 0, 1e-13 };

	check_file(&e);
}

static void make_mesh(struct cg_csr *a, int64_t n)
{
	struct cg_mesh mesh = { { n, n, n } };
	struct cg_why why;

	TAP_EQUAL(cg_mesh_rows_make(&mesh, 0, n * n * n, a, &why), 0);
}

static void mesh(void)
{
	struct cg_solved solved = { .limits = { 1e-8, 1000 } };
	struct cg_verdict verdict;
	struct cg_csr a;
	double *x;

	make_mesh(&a, 12);
	x = calloc((size_t)a.rows, sizeof(*x));
	solved.a = &a;
	for (int i = 0; i < TAP_COUNT(sizes); i++)
		check_blocks(&solved, sizes[i], x, &verdict);
	free(x);
	cg_csr_free(&a);
}

/* x of a small dense system, by elimination in long double. */
static void eliminate(const struct cg_csr *a, double *x)
{
	long double m[64][65] = { { 0 } };
	int64_t n = a->rows, i, j, k;

	for (i = 0; i < n; i++) {
		for (k = a->start[i]; k < a->start[i + 1]; k++)
			m[i][a->col[k]] = a->val[k];
		m[i][n] = 1.0L;
	}
	for (k = 0; k < n; k++)
		for (i = k + 1; i < n; i++)
			for (j = n; j >= k; j--)
				m[i][j] -= m[k][j] * m[i][k] / m[k][k];
	for (i = n - 1; i >= 0; i--) {
		for (j = i + 1; j < n; j++)
			m[i][n] -= m[i][j] * m[j][n];
		m[i][n] /= m[i][i];
		x[i] = (double)m[i][n];
	}
}

static void right_answer(void)
{
	const struct cg_limits limits = { 1e-14, 1000 };
	double x[64], want[64];
	struct cg_outcome outcome;
	struct cg_csr a;
	struct cg_why why;

	make_mesh(&a, 4);
	eliminate(&a, want);
	TAP_EQUAL(cg_serial_solve(&a, NULL, &limits, x, &outcome, &why), 0);
	for (int i = 0; i < 64; i++)
		TAP_CHECK(fabs(x[i] - want[i]) < 1e-13 * fabs(want[i]));
	TAP_CHECK(outcome.true_residual < 1e-13);
	cg_csr_free(&a);
}

static void gives_up(void)
{
	const struct cg_limits limits = { 1e-8, 3 };
	double x[1000];
	struct cg_outcome outcome;
	struct cg_csr a;
	struct cg_why why;

	make_mesh(&a, 10);
	TAP_EQUAL(cg_serial_solve(&a, NULL, &limits, x, &outcome, &why), 0);
	TAP_EQUAL(outcome.iterations, 3);
	TAP_CHECK(!outcome.converged && outcome.residual > 1e-8);
	cg_csr_free(&a);
}

/* One last bit of one element is seen, and one part in 1e12 of it, too. */
static void bounds_see(void)
{
	const int64_t all[2] = { 0, 1000 };
	struct cg_blocks blocks = { .n = 1, .row = (int64_t *)(uintptr_t)all };
	struct cg_solved solved = { .limits = { 1e-8, 100 } };
	struct cg_verdict verdict;
	struct cg_csr a;
	struct cg_why why;
	double x[1000];

	make_mesh(&a, 10);
	solved.a = &a;
	solved.x = x;
	solved.blocks = &blocks;
	TAP_EQUAL(cg_serial_solve(&a, NULL, &solved.limits, x,
				  &solved.outcome, &why), 0);
	TAP_EQUAL(cg_check(&solved, &verdict, &why), 0);
	TAP_CHECK(cg_verdict_ok(&verdict) && verdict.difference == 0.0);

	x[500] = nextafter(x[500], 1e9);
	TAP_EQUAL(cg_check(&solved, &verdict, &why), 0);
	TAP_CHECK(!verdict.bits_ok && verdict.difference_ok);
	x[500] *= 1 + 1e-11;
	TAP_EQUAL(cg_check(&solved, &verdict, &why), 0);
	TAP_CHECK(!verdict.difference_ok && !cg_verdict_ok(&verdict));

	solved.outcome.iterations++;
	solved.outcome.true_residual *= 2;
	TAP_EQUAL(cg_check(&solved, &verdict, &why), 0);
	TAP_CHECK(!verdict.iterations_ok && !verdict.residual_ok);
	cg_csr_free(&a);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "bcsstk16.mtx", bcsstk16 },
		{ "bcsstk13.mtx", bcsstk13 },
		{ "4elt.graph", airfoil },
		{ "mesh", mesh },
		{ "right answer", right_answer },
		{ "gives up", gives_up },
		{ "bounds see", bounds_see },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
