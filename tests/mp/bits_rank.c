/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of jobs whose sums must have the bits of the bracket, whatever they
 * go over; bits.t starts them.
 *
 *     bits_rank INPUTS          so many inputs, in all reductions; rank 0 tells
 *                               the digest of all sums
 *     bits_rank INPUTS RANKS    no job: what it has to be
 *
 * Exit code 1 if a bit was wrong at this rank.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>
#include "examples/cg/cg_bracket.h"

enum {
	RANKS = 64,
	MOST = 20000			/* elements */
};

/* Of one input all ranks know what each of them gives. */
struct input {
	int number, ranks;
	size_t n;
};

static struct weft_job *job;
static struct weft_comm *world;
static int me, failures;
static double in[MOST + RANKS], out[MOST + RANKS];

static struct input input_of(int number, int ranks)
{
	static const size_t lengths[] = { 1, 7, 8, 60, 129, 1500, MOST };

	return (struct input){ number, ranks, lengths[number % 7] };
}

/* Sums of such numbers have other bits in another bracket. */
static double given(const struct input *input, int rank, size_t i)
{
	uint64_t x = ((uint64_t)input->number << 40 | (uint64_t)rank << 24 |
		      i) * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return ((double)(x >> 11) * 0x1p-53 - 0.5) * (x & 1 ? 1.0 : 1e5);
}

static void fill(const struct input *input, double *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = given(input, me, i);
}

/* Of the ranks [0, upto): the largest ranges of the bracket, from the left. */
static double sum_of(const struct input *input, int upto, size_t i)
{
	double of_rank[RANKS], sum = 0;
	int low = 0, end = input->ranks;

	for (int r = 0; r < upto; r++)
		of_rank[r] = given(input, r, i);
	while (low < upto) {
		int middle = end <= upto ? end : (low + end + 1) / 2;
		double range;

		if (middle > upto) {
			end = middle;
			continue;
		}
		range = cg_bracket_sum(of_rank + low, middle - low);
		sum = low ? sum + range : range;
		low = middle;
	}
	return sum;
}

static void check(const struct input *input, const char *call, int status,
		  int upto)
{
	if (status) {
		printf("# rank %d: %s: %s\n", me, call, weft_error_text(job));
		failures++;
	}
	for (size_t i = 0; i < input->n && !status && upto; i++) {
		double want = sum_of(input, upto, i);

		if (!memcmp(&out[i], &want, sizeof(want)))
			continue;
		printf("# rank %d: %s, input %d, element %zu of %zu is %a, "
		       "not %a\n", me, call, input->number, i, input->n,
		       out[i], want);
		failures++;
		return;
	}
}

static struct weft_part sums(size_t n)
{
	return weft_part(out, n, &weft_type_double);
}

static void by_requests(const struct input *input)
{
	struct weft_part to = sums(input->n);
	struct weft_request *req = NULL;
	int status = weft_iallreduce(world, in, to, &weft_op_sum, &req);

	check(input, "iallreduce", status ? status : weft_request_wait(req),
	      input->ranks);
	check(input, "free", weft_request_free(&req), 0);
	status = weft_allreduce_init(world, in, to, &weft_op_sum, &req);
	check(input, "allreduce_init", status, 0);
	for (int i = 0; i < 2 && !status; i++) {
		memset(out, 0, input->n * sizeof(*out));
		check(input, "start", weft_request_start(req), 0);
		check(input, "wait", weft_request_wait(req), input->ranks);
	}
	check(input, "free", weft_request_free(&req), 0);
}

/* The own part is moved to where all of them would be. */
static void by_parts(const struct input *input)
{
	size_t part = input->n / (size_t)input->ranks + 1;
	size_t first = part * (size_t)me;
	struct weft_part to = weft_part(out + first, part, &weft_type_double);

	for (size_t i = 0; i < input->n; i++)
		out[i] = sum_of(input, input->ranks, i);
	memset(out + first, 0, part * sizeof(*out));
	check(input, "reduce_scatter_block",
	      weft_reduce_scatter_block(world, in, to, &weft_op_sum),
	      input->ranks);
}

static void reduce(const struct input *input)
{
	const struct weft_op *sum = &weft_op_sum;
	struct weft_part to = sums(input->n);
	int root = input->number % input->ranks;

	fill(input, in, MOST + RANKS);
	check(input, "reduce", weft_reduce(world, in, to, sum, root),
	      me == root ? input->ranks : 0);
	check(input, "scan", weft_scan(world, in, to, sum), me + 1);
	check(input, "exscan", weft_exscan(world, in, to, sum), me);
	by_parts(input);
	by_requests(input);
	fill(input, out, input->n);
	check(input, "allreduce in place",
	      weft_allreduce(world, WEFT_IN_PLACE, to, sum), input->ranks);
	check(input, "allreduce", weft_allreduce(world, in, to, sum),
	      input->ranks);
}

/* FNV-1a, over the bits of all sums. */
static uint64_t add_digest(uint64_t digest, const double *sum, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &sum[i], sizeof(bits));
		digest = (digest ^ bits) * UINT64_C(0x100000001b3);
		digest ^= digest >> 32;
	}
	return digest;
}

/* Of one's own, or those of a job. */
static uint64_t digest_of(int inputs, int ranks)
{
	uint64_t digest = UINT64_C(0xcbf29ce484222325);

	for (int k = 0; k < inputs; k++) {
		const struct input input = input_of(k, ranks);

		if (job)
			reduce(&input);
		for (size_t i = 0; i < input.n && !job; i++)
			out[i] = sum_of(&input, ranks, i);
		digest = add_digest(digest, out, input.n);
	}
	return digest;
}

static int run_job(int inputs)
{
	uint64_t digest;
	int status = weft_job_open(NULL, &job);

	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	world = weft_job_world(job);
	me = weft_job_rank(job);
	digest = digest_of(inputs, weft_job_size(job));
	if (me == 0)
		printf("digest %016llx\n", (unsigned long long)digest);
	fflush(stdout);
	status = weft_job_close(job);
	if (status)
		printf("# close: %s\n", weft_status_name(status));
	return status || failures;
}

int main(int argc, char **argv)
{
	int inputs = argc > 1 ? atoi(argv[1]) : 0;
	int ranks = argc > 2 ? atoi(argv[2]) : 0;

	if (argc > 3 || inputs < 1 || ranks < 0 || ranks > RANKS ||
	    (argc == 3 && !ranks)) {
		fprintf(stderr, "usage: bits_rank INPUTS [RANKS]\n");
		return 2;
	}
	if (!ranks)
		return run_job(inputs);
	printf("digest %016llx\n",
	       (unsigned long long)digest_of(inputs, ranks));
	return 0;
}
