/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dimensions for a grid: of all ways to write a number as a product of so many
 * the one whose largest factor exceeds its least by as little as possible.
 *
 * Factors are tried from the largest one down, each from the least that can be
 * the largest of those left, on. What the others can have at most as the least
 * one is a root, which falls as the factor rises: once that is no better than
 * what was found, nothing behind it is.
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include "topo/cart.h"

enum {
	DIVISORS = 1600,		/* that an int has at most */
	FACTORS = 31			/* with more of them some are 1 in any
					   case, and so is the least of these */
};

struct search {
	int divisor[DIVISORS], ndivisors;	/* ascending */
	int n;				/* factors */
	int now[FACTORS], best[FACTORS];
	int spread;			/* of the best */
};

/* Of x to the k-th, what is more than an int counts as one more. */
static int64_t power(int64_t x, int k)
{
	int64_t p = 1;

	while (k-- > 0 && p <= INT_MAX)
		p *= x;
	return p <= INT_MAX ? p : (int64_t)INT_MAX + 1;
}

/* The largest number whose k-th power is n at most. */
static int root(int n, int k)
{
	int low = 1, high = n;

	while (low < high) {
		int mid = low + (high - low + 1) / 2;

		if (power(mid, k) <= n)
			low = mid;
		else
			high = mid - 1;
	}
	return low;
}

static void find_divisors(struct search *s, int n)
{
	int large[DIVISORS / 2], nlarge = 0;

	for (int d = 1; d <= n / d; d++) {
		if (n % d)
			continue;
		s->divisor[s->ndivisors++] = d;
		if (d != n / d)
			large[nlarge++] = n / d;
	}
	while (nlarge > 0)
		s->divisor[s->ndivisors++] = large[--nlarge];
}

static void keep(struct search *s, int least)
{
	s->now[s->n - 1] = least;
	if (s->now[0] - least >= s->spread)
		return;
	s->spread = s->now[0] - least;
	memcpy(s->best, s->now, sizeof(s->best));
}

/* rest as a product of k factors, none above cap. */
static void factor(struct search *s, int rest, int k, int cap)
{
	if (k == 1) {
		if (rest <= cap)
			keep(s, rest);
		return;
	}
	for (int i = 0; i < s->ndivisors && s->divisor[i] <= cap; i++) {
		int d = s->divisor[i];

		if (rest % d || power(d, k) < rest)
			continue;
		s->now[s->n - k] = d;
		if (s->now[0] - root(rest / d, k - 1) >= s->spread)
			return;
		factor(s, rest / d, k - 1, d);
	}
}

/* In the place of zeros. */
static void fill(int n, int ndims, int *dims, int free_dims)
{
	struct search s = { .ndivisors = 0, .spread = INT_MAX };
	int at = 0;

	if (!free_dims)
		return;
	s.n = free_dims < FACTORS ? free_dims : FACTORS;
	find_divisors(&s, n);
	factor(&s, n, s.n, n);
	for (int i = 0; i < ndims; i++)
		if (!dims[i]) {
			dims[i] = at < s.n ? s.best[at] : 1;
			at++;
		}
}

/* ---- the call ---- */

/* What the free dimensions have to make of n, and their number; told. */
static int divide(struct weft_job *job, int ndims, const int *dims, int *n_p,
		  int *free_p)
{
	static const char call[] = "weft_dims_create";
	int n = *n_p;
	int64_t fixed = 1;		/* n at most, before the next one */

	*free_p = 0;
	for (int i = 0; i < ndims; i++) {
		if (dims[i] < 0)
			return wf_job_fail(job, WEFT_ERR_ARG, "%s: dims[%d] is "
					   "%d, negative", call, i, dims[i]);
		*free_p += !dims[i];
		if (dims[i])
			fixed *= dims[i];
		if (n % fixed)
			return wf_job_fail(job, WEFT_ERR_ARG, "%s: n is %d, "
					   "which the product of dims up to "
					   "dims[%d] does not divide", call, n,
					   i);
	}
	if (ndims && !*free_p && fixed != n)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: n is %d, but the "
				   "product of dims, none of which is 0, is "
				   "%d", call, n, (int)fixed);
	*n_p = n / (int)fixed;
	return WEFT_OK;
}

static int check(struct weft_job *job, int n, int ndims, const int *dims)
{
	static const char call[] = "weft_dims_create";

	if (n < 1)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
				       "%s: n is %d, not 1 or more", call, n);
	if (ndims < 0)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
				       "%s: ndims is %d, negative", call,
				       ndims);
	if (ndims && !dims)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: dims is NULL with "
				   "%d dimensions", call, ndims);
	return WEFT_OK;
}

int weft_dims_create(struct weft_job *job, int n, int ndims, int *dims)
{
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG, free_dims;

	if (status)
		return status;
	status = check(job, n, ndims, dims);
	if (!status)
		status = divide(job, ndims, dims, &n, &free_dims);
	if (!status)
		fill(n, ndims, dims, free_dims);
	wf_job_leave(job);
	return status;
}
