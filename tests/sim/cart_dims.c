/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dimensions of grids against their definition: of all products the one whose
 * factors differ least, in falling order, those given untouched; refusals.
 */
#include <limits.h>

#include "tests/sim/scene.h"

enum { MOST = 4096, NDIMS = 6 };

/* Of n as a product of k factors up to cap: the least spread below first. */
static int least_spread(int n, int k, int cap, int first)
{
	int best = INT_MAX;

	if (k == 1)
		return n <= cap ? (first ? first : n) - n : INT_MAX;
	for (int d = 1; d <= cap && d <= n; d++) {
		int spread;

		if (n % d)
			continue;
		spread = least_spread(n / d, k - 1, d, first ? first : d);
		if (spread < best)
			best = spread;
	}
	return best;
}

static void check(const struct scene *s, int n, int k, const int *dims)
{
	int64_t product = 1;
	bool falls = true;

	for (int i = 0; i < k; i++) {
		product *= dims[i];
		falls &= !i || dims[i] <= dims[i - 1];
	}
	if (product != n || !falls ||
	    dims[0] - dims[k - 1] != least_spread(n, k, n, 0))
		wf_sim_fail(s->rank, "%d in %d dimensions: %d to %d", n, k,
			    dims[0], dims[k - 1]);
}

static void all(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int n = 1; n <= MOST; n++)
		for (int k = 1; k <= NDIMS; k++) {
			int dims[NDIMS] = { 0 };

			ok(&s, weft_dims_create(s.job, n, k, dims), "dims");
			check(&s, n, k, dims);
		}
	stop(&s);
}

static void by_definition(void)
{
	run(1, 1, all);
}

/* ---- given ones, and large numbers ---- */

static const struct {
	int n, ndims, dims[4], want[4];
} examples[] = {
	{ 6, 2, { 0, 0 }, { 3, 2 } },
	{ 7, 2, { 0, 0 }, { 7, 1 } },
	{ 6, 3, { 0, 3, 0 }, { 2, 3, 1 } },
	{ 60, 3, { 0, 0, 5 }, { 4, 3, 5 } },
	{ 12, 2, { 3, 4 }, { 3, 4 } },
	{ 1, 3, { 0, 0, 0 }, { 1, 1, 1 } },
	{ INT_MAX, 2, { 0, 0 }, { INT_MAX, 1 } },
	{ 1 << 30, 3, { 0, 0, 0 }, { 1 << 10, 1 << 10, 1 << 10 } },
	{ 46341, 0, { 0 }, { 0 } }
};

static void fill(struct wf_sim_rank *rank, void *arg)
{
	int many[40] = { 0 }, product = 1;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < TAP_COUNT(examples); i++) {
		int dims[4];

		memcpy(dims, examples[i].dims, sizeof(dims));
		ok(&s, weft_dims_create(s.job, examples[i].n, examples[i].ndims,
					dims), "example");
		if (memcmp(dims, examples[i].want, sizeof(dims)))
			wf_sim_fail(rank, "example %d differs", i);
	}
	/* the int with most divisors, and more dimensions than primes in it */
	ok(&s, weft_dims_create(s.job, 2095133040, 40, many), "many");
	for (int i = 0; i < 40; i++)
		product *= many[i];
	if (product != 2095133040 || many[0] != 19 || many[39] != 1)
		wf_sim_fail(rank, "%d of many dimensions", many[0]);
	for (int k = 1; k <= 12; k++) {
		memset(many, 0, sizeof(many));
		ok(&s, weft_dims_create(s.job, 2095133040, k, many), "most");
	}
	stop(&s);
}

static void given(void)
{
	run(1, 1, fill);
}

/* ---- refusals ---- */

static const struct {
	int n, ndims, dims[3];
	bool none;
	const char *says;
} refusals[] = {
	{ 0, 2, { 0 }, false, "n is 0, not 1 or more" },
	{ 4, -1, { 0 }, false, "ndims is -1, negative" },
	{ 4, 2, { 0 }, true, "dims is NULL with 2 dimensions" },
	{ 4, 2, { 0, -2 }, false, "dims[1] is -2, negative" },
	{ 7, 3, { 0, 3, 0 }, false,
	  "n is 7, which the product of dims up to dims[1] does not divide" },
	{ INT_MAX, 3, { INT_MAX, INT_MAX, 0 }, false,
	  "the product of dims up to dims[1] does not divide" },
	{ 12, 2, { 3, 2 }, false, "n is 12, but the product of dims, none of "
	  "which is 0, is 6" }
};

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < TAP_COUNT(refusals); i++) {
		int dims[3], status;

		memcpy(dims, refusals[i].dims, sizeof(dims));
		status = weft_dims_create(s.job, refusals[i].n,
					  refusals[i].ndims,
					  refusals[i].none ? NULL : dims);
		if (status != WEFT_ERR_ARG ||
		    !strstr(weft_error_text(s.job), refusals[i].says) ||
		    memcmp(dims, refusals[i].dims, sizeof(dims)))
			wf_sim_fail(rank, "%d: %s", i, weft_error_text(s.job));
	}
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "by their definition", by_definition },
		{ "given ones, and large numbers", given },
		{ "refusals", refused }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
