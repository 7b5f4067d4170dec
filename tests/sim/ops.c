/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All operations on all types: an allreduce has the bits of the tree of halves,
 * folded by weft_reduce_local() on one rank; what is not defined is refused by
 * a sentence that names both.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"
#include "type/element.h"

#include <complex.h>
#include <stddef.h>

enum {
	MOST = 150,			/* elements */
	WIDEST = sizeof(long double complex),
	GAP = 0x55			/* before, in each byte */
};

static char *env[] = { "WEFT_ARENA=64k", "WEFT_ARENA_MAX=256m", NULL };

static const struct weft_op *const ops[] = {
	&weft_op_sum, &weft_op_prod, &weft_op_min, &weft_op_max,
	&weft_op_land, &weft_op_lor, &weft_op_lxor,
	&weft_op_band, &weft_op_bor, &weft_op_bxor,
	&weft_op_minloc, &weft_op_maxloc,
	&weft_op_replace, &weft_op_no_op
};

/* Of ops those from one to another are defined for it. */
static const struct kind {
	const struct weft_type *type;
	int from, end;
} kinds[] = {
	{ &weft_type_byte, 7, 10 }, { &weft_type_char, 0, 0 },
	{ &weft_type_wchar, 0, 0 }, { &weft_type_int8, 0, 10 },
	{ &weft_type_uint8, 0, 10 }, { &weft_type_int16, 0, 10 },
	{ &weft_type_uint16, 0, 10 }, { &weft_type_int32, 0, 10 },
	{ &weft_type_uint32, 0, 10 }, { &weft_type_int64, 0, 10 },
	{ &weft_type_uint64, 0, 10 }, { &weft_type_int128, 0, 10 },
	{ &weft_type_float, 0, 4 }, { &weft_type_double, 0, 4 },
	{ &weft_type_long_double, 0, 4 }, { &weft_type_complex_float, 0, 2 },
	{ &weft_type_complex_double, 0, 2 },
	{ &weft_type_complex_long_double, 0, 2 }, { &weft_type_bool, 4, 7 },
	{ &weft_type_float_int, 10, 12 }, { &weft_type_double_int, 10, 12 },
	{ &weft_type_long_int, 10, 12 }, { &weft_type_2int, 10, 12 },
	{ &weft_type_short_int, 10, 12 },
	{ &weft_type_long_double_int, 10, 12 },
	{ &weft_type_2float, 10, 12 }, { &weft_type_2double, 10, 12 },
	{ &weft_type_2int64, 10, 12 }, { &weft_type_float_int64, 10, 12 },
	{ &weft_type_double_int64, 10, 12 },
	{ &weft_type_long_double_int64, 10, 12 }
};

/* As they lie; a double is as wide as an int64, which short ones begin. */
struct pair_32 {
	union { float f; int16_t s; int32_t i; } value;
	union { float f; int32_t i; } index;
};

struct pair_mixed {
	double value;
	int32_t index;
};

struct pair_64 {
	union { double d; float f; int64_t i; } value;
	union { double d; int64_t i; } index;
};

struct pair_long {
	long double value;
	union { int32_t i; int64_t l; } index;
};

struct player {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	const struct kind *kind;
	const struct weft_op *op;
	size_t n;
};

union element {
	float f;
	double d;
	long double l;
	float complex cf;
	double complex cd;
	long double complex cl;
	struct pair_32 p32;
	struct pair_mixed mixed;
	struct pair_64 p64;
	struct pair_long pl;
	unsigned char byte[WIDEST];
};

/* Few values, so that there are ties, and indices in no order. */
static bool give_pair(const struct weft_type *type, int rank, size_t i,
		      union element *e)
{
	int value = (rank * 5 + (int)i * 3) % 4 - 1;
	int index = (rank * 7 + (int)i) % 10 - 2;

	memset(e, GAP + 1, sizeof(*e));
	if (type == &weft_type_float_int)
		e->p32 = (struct pair_32){ { .f = (float)value },
					   { .i = index } };
	else if (type == &weft_type_2int)
		e->p32 = (struct pair_32){ { .i = value }, { .i = index } };
	else if (type == &weft_type_2float)
		e->p32 = (struct pair_32){ { .f = (float)value },
					   { .f = (float)index } };
	else if (type == &weft_type_short_int)
		e->p32.value.s = (int16_t)value, e->p32.index.i = index;
	else if (type == &weft_type_double_int)
		e->mixed.value = value, e->mixed.index = index;
	else if (type == &weft_type_long_int)
		e->p64.value.i = value, e->p64.index.i = index;
	else if (type == &weft_type_2double)
		e->p64 = (struct pair_64){ { .d = value }, { .d = index } };
	else if (type == &weft_type_2int64)
		e->p64 = (struct pair_64){ { .i = value }, { .i = index } };
	else if (type == &weft_type_float_int64)
		e->p64.value.f = (float)value, e->p64.index.i = index;
	else if (type == &weft_type_double_int64)
		e->p64 = (struct pair_64){ { .d = value }, { .i = index } };
	else if (type == &weft_type_long_double_int)
		e->pl.value = value, e->pl.index.i = index;
	else if (type == &weft_type_long_double_int64)
		e->pl.value = value, e->pl.index.l = index;
	else
		return false;
	return true;
}

/* Numbers whose sums and products depend on their bracket, and any bits. */
static union element given(const struct weft_type *type, int rank, size_t i)
{
	double x = 1 + ((rank * 37 + (int)i * 11) % 101 - 50) * 0.013;
	double complex z = x + I * (0.3 - x);
	bool is_zero = ((size_t)rank * 5 + i) % 13 == 0;
	union element e;

	if (give_pair(type, rank, i, &e))
		return e;
	memset(&e, 0, sizeof(e));
	if (type == &weft_type_float)
		e.f = (float)x;
	else if (type == &weft_type_double)
		e.d = x;
	else if (type == &weft_type_long_double)
		e.l = x / 3.0L;
	else if (type == &weft_type_complex_float)
		e.cf = (float complex)z;
	else if (type == &weft_type_complex_double)
		e.cd = z;
	else if (type == &weft_type_complex_long_double)
		e.cl = z / 3.0L;
	else if (type == &weft_type_bool)
		e.byte[0] = is_zero == (i % 2);
	else
		/* odd, so that products keep some bits */
		for (size_t k = 0; k < WIDEST && !is_zero; k++)
			e.byte[k] = (unsigned char)((rank * 71 + (int)i * 13 +
						     (int)k * 29) | !k);
	return e;
}

static void fill(const struct player *p, int rank, unsigned char *to)
{
	size_t size = (size_t)weft_type_extent(p->kind->type);

	for (size_t i = 0; i < p->n; i++) {
		union element e = given(p->kind->type, rank, i);

		memcpy(to + i * size, &e, size);
	}
}

static struct weft_part part_of(const struct player *p, void *base)
{
	return weft_part(base, p->n, p->kind->type);
}

/* Ranks [low, end), by halves. */
static void fold(const struct player *p, int low, int end, unsigned char *to)
{
	_Alignas(max_align_t) unsigned char left[MOST * WIDEST] = { 0 };
	int middle = (low + end + 1) / 2;

	if (end - low == 1) {
		fill(p, low, to);
		return;
	}
	fold(p, low, middle, left);
	fold(p, middle, end, to);
	if (weft_reduce_local(p->job, left, part_of(p, to), p->op))
		wf_sim_fail(p->rank, "%s", weft_error_text(p->job));
}

/* In memory that is not written to; a long double has bytes of no meaning. */
static int gap_of(const struct player *p)
{
	return p->kind->type->dense ? 0 : GAP;
}

/* Whatever is not written to is as it was. */
static void close_gaps(const struct player *p, unsigned char *at)
{
	size_t bytes = p->n * weft_type_size(p->kind->type);
	unsigned char packed[MOST * WIDEST];

	wf_gather(p->kind->type, at, 0, packed, bytes);
	memset(at, gap_of(p), MOST * WIDEST);
	wf_scatter(p->kind->type, at, 0, packed, bytes);
}

static void reduce(const struct player *p)
{
	_Alignas(max_align_t) unsigned char in[MOST * WIDEST] = { 0 };
	_Alignas(max_align_t) unsigned char out[MOST * WIDEST];
	_Alignas(max_align_t) unsigned char want[MOST * WIDEST] = { 0 };

	memset(out, gap_of(p), sizeof(out));
	fill(p, wf_sim_rank(p->rank), in);
	fold(p, 0, wf_sim_size(p->rank), want);
	close_gaps(p, want);
	if (weft_allreduce(weft_job_world(p->job), in, part_of(p, out),
			   p->op))
		wf_sim_fail(p->rank, "%s", weft_error_text(p->job));
	else if (memcmp(out, want, sizeof(out)))
		wf_sim_fail(p->rank, "%s of %zu %s", weft_op_name(p->op), p->n,
			    weft_type_name(p->kind->type));
}

static void check_refusal(const struct player *p, int status, const char *call)
{
	char want[100];

	snprintf(want, sizeof(want), "%s: %s is not defined for %s", call,
		 weft_op_name(p->op), weft_type_name(p->kind->type));
	if (status != WEFT_ERR_ARG ||
	    weft_error_argument(p->job) != WEFT_ARGUMENT_OP ||
	    strcmp(weft_error_text(p->job), want))
		wf_sim_fail(p->rank, "not \"%s\" but \"%s\"", want,
			    weft_error_text(p->job));
}

/* Nobody waits: the call is not made. */
static void refuse(const struct player *p)
{
	_Alignas(max_align_t) unsigned char in[WIDEST] = { 0 };
	_Alignas(max_align_t) unsigned char out[WIDEST] = { 0 };
	struct weft_part part = weft_part(out, 1, p->kind->type);

	check_refusal(p, weft_allreduce(weft_job_world(p->job), in, part,
					p->op), "weft_allreduce");
	check_refusal(p, weft_reduce_local(p->job, in, part, p->op),
		      "weft_reduce_local");
}

static void all_pairs(struct player *p)
{
	for (int k = 0; k < TAP_COUNT(kinds); k++)
		for (int o = 0; o < TAP_COUNT(ops); o++) {
			p->kind = &kinds[k];
			p->op = ops[o];
			if (p->kind->from <= o && o < p->kind->end)
				reduce(p);
			else
				refuse(p);
		}
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .rank = rank, .n = *(const size_t *)arg };

	if (wf_sim_job_open(rank, &p.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	all_pairs(&p);
	if (weft_job_close(p.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void all_operations(void)
{
	static size_t lengths[] = { 1, 5, MOST };

	for (int l = 0; l < TAP_COUNT(lengths); l++)
		for (int ranks = 1; ranks <= 9; ranks++)
			if (!sim_flow_seeds(ranks, 1, env, program,
					    &lengths[l]))
				return;
}

static void refuses(struct wf_sim_rank *rank, struct weft_job *job, int status,
		    const char *why)
{
	const char *text = weft_error_text(job);

	if (status != WEFT_ERR_ARG || !strstr(text, why))
		wf_sim_fail(rank, "not \"%s\" but %s: \"%s\"", why,
			    weft_status_name(status), text);
}

static void bad_arguments(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_op *sum = &weft_op_sum;
	int64_t x = 3, y = 4;
	struct weft_part one = weft_part(&y, 1, &weft_type_int64);
	struct weft_part none = weft_part(NULL, 0, &weft_type_int64);
	struct weft_job *job;

	(void)arg;
	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	refuses(rank, job, weft_reduce_local(job, WEFT_IN_PLACE, one, sum),
		"weft_reduce_local: in is WEFT_IN_PLACE");
	refuses(rank, job, weft_reduce_local(job, NULL, one, sum),
		"weft_reduce_local: in is NULL with 1 elements");
	refuses(rank, job, weft_reduce_local(job, &x, one, NULL),
		"weft_reduce_local: op is NULL");
	if (weft_reduce_local(NULL, &x, one, sum) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "without a job");
	if (weft_reduce_local(job, NULL, none, sum))
		wf_sim_fail(rank, "nothing: %s", weft_error_text(job));
	if (weft_reduce_local(job, &x, one, sum) || y != 7)
		wf_sim_fail(rank, "3 + 4 is %d", (int)y);
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

static void on_one_rank(void)
{
	sim_flow_seeds(1, 1, env, bad_arguments, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "all types and operations, 1 to 9 ranks", all_operations },
		{ "arguments of weft_reduce_local()", on_one_rank },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
