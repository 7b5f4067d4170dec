/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types, operations and reduction kernels.
 *
 * Integers are checked against 128-bit arithmetic cut to the size of the type,
 * floats against sums in double (exact enough: 53 >= 2 * 24 + 2 bits), doubles
 * against single additions that the compiler cannot join.
 */
#include "tests/tap.h"

#include "base/random.h"
#include "type/kernel.h"
#include "type/op.h"
#include "type/type.h"

#include <math.h>
#include <stdint.h>

enum {
	LONGEST = 67		/* elements: several vectors and a rest */
};

static const struct weft_type *const integers[] = {
	&weft_type_int8, &weft_type_uint8, &weft_type_int16,
	&weft_type_uint16, &weft_type_int32, &weft_type_uint32,
	&weft_type_int64, &weft_type_uint64,
};
static const char *const integer_names[] = {
	"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
	"uint64",
};
static const size_t integer_sizes[] = { 1, 1, 2, 2, 4, 4, 8, 8 };
static const struct weft_op *const ops[] = {
	&weft_op_sum, &weft_op_min, &weft_op_max,
};

static __int128 element(const struct weft_type *type, const void *vector,
			size_t i)
{
	bool has_sign = type->name[0] != 'u';
	uint64_t bits = 0;

	memcpy(&bits, (const char *)vector + i * type->size, type->size);
	if (has_sign && bits >> (type->size * 8 - 1))
		return (__int128)bits - ((__int128)1 << (type->size * 8));
	return bits;
}

static __int128 combine(const struct weft_op *op, __int128 a, __int128 b)
{
	if (op == &weft_op_sum)
		return a + b;
	if (op == &weft_op_min)
		return a < b ? a : b;
	return a > b ? a : b;
}

static void fill(struct wf_random *random, uint64_t *vector)
{
	for (int i = 0; i < LONGEST; i++)
		vector[i] = wf_random_u64(random);
}

/* alias 0: out is a third vector, 1: the left one, 2: the right one. */
static void check_integers(const struct weft_op *op,
			   const struct weft_type *type, size_t n, int alias,
			   struct wf_random *random)
{
	uint64_t left[LONGEST], right[LONGEST], third[LONGEST];
	uint64_t a[LONGEST], b[LONGEST];
	uint64_t *out = alias == 0 ? third : alias == 1 ? left : right;
	uint64_t before[LONGEST];

	fill(random, left);
	fill(random, right);
	fill(random, third);
	memcpy(a, left, sizeof(a));
	memcpy(b, right, sizeof(b));
	memcpy(before, out, sizeof(before));
	wf_kernel_find(op, type)(left, right, out, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t want = (uint64_t)combine(op, element(type, a, i),
						  element(type, b, i));

		TAP_CHECK(memcmp((char *)out + i * type->size, &want,
				 type->size) == 0);
	}
	TAP_CHECK(memcmp((char *)out + n * type->size,
			 (char *)before + n * type->size,
			 sizeof(before) - n * type->size) == 0);
}

static void integer_kernels(void)
{
	struct wf_random random;

	wf_random_init(&random, 1);
	for (int t = 0; t < TAP_COUNT(integers); t++)
		for (int o = 0; o < TAP_COUNT(ops); o++)
			for (size_t n = 0; n <= LONGEST; n++)
				check_integers(ops[o], integers[t], n,
					       (int)(n % 3), &random);
}

/* All magnitudes, so that most sums round. */
static double any_double(struct wf_random *random)
{
	return ldexp(wf_random_unit(random) - 0.5,
		     (int)wf_random_below(random, 60) - 30);
}

static void double_kernels(void)
{
	double left[LONGEST], right[LONGEST], out[LONGEST];
	struct wf_random random;

	wf_random_init(&random, 2);
	for (int i = 0; i < LONGEST; i++) {
		left[i] = any_double(&random);
		right[i] = any_double(&random);
	}
	wf_kernel_find(&weft_op_sum, &weft_type_double)(left, right, out,
							LONGEST);
	for (int i = 0; i < LONGEST; i++) {
		volatile double want = left[i];

		want += right[i];
		TAP_CHECK(memcmp(&out[i], (double *)&want, 8) == 0);
	}
	wf_kernel_find(&weft_op_min, &weft_type_double)(left, right, out,
							LONGEST);
	for (int i = 0; i < LONGEST; i++)
		TAP_CHECK(out[i] == fmin(left[i], right[i]));
	wf_kernel_find(&weft_op_max, &weft_type_double)(left, right, left,
							LONGEST);
	for (int i = 0; i < LONGEST; i++)
		TAP_CHECK(left[i] == fmax(out[i], fmax(left[i], right[i])));
}

static void float_kernels(void)
{
	float left[LONGEST], right[LONGEST], out[LONGEST];
	struct wf_random random;

	wf_random_init(&random, 3);
	for (int i = 0; i < LONGEST; i++) {
		left[i] = (float)any_double(&random);
		right[i] = (float)any_double(&random);
	}
	wf_kernel_find(&weft_op_sum, &weft_type_float)(left, right, out,
						       LONGEST);
	for (int i = 0; i < LONGEST; i++)
		TAP_CHECK(out[i] == (float)((double)left[i] + right[i]));
	wf_kernel_find(&weft_op_min, &weft_type_float)(left, right, out,
						       LONGEST);
	for (int i = 0; i < LONGEST; i++)
		TAP_CHECK(out[i] == fminf(left[i], right[i]));
	wf_kernel_find(&weft_op_max, &weft_type_float)(left, right, out,
						       LONGEST);
	for (int i = 0; i < LONGEST; i++)
		TAP_CHECK(out[i] == fmaxf(left[i], right[i]));
}

/* Equal operands and NaNs: left stays. */
static void ties_and_nans(void)
{
	const double left[] = { 0.0, -0.0, NAN, 1.0, NAN };
	const double right[] = { -0.0, 0.0, 1.0, NAN, -NAN };
	double out[5];

	for (int o = 1; o < TAP_COUNT(ops); o++) {
		wf_kernel_find(ops[o], &weft_type_double)(left, right, out, 5);
		TAP_CHECK(memcmp(out, left, sizeof(out)) == 0);
	}
}

static void names_and_sizes(void)
{
	for (int i = 0; i < TAP_COUNT(integers); i++) {
		TAP_CHECK(!strcmp(weft_type_name(integers[i]),
				  integer_names[i]));
		TAP_EQUAL(weft_type_size(integers[i]), integer_sizes[i]);
	}
	TAP_EQUAL(weft_type_size(&weft_type_double), 8);
	TAP_EQUAL(weft_type_size(&weft_type_float), 4);
	TAP_EQUAL(weft_type_size(&weft_type_byte), 1);
	TAP_EQUAL(weft_type_size(&weft_type_char), 1);
	TAP_CHECK(!strcmp(weft_type_name(&weft_type_double), "double"));
	TAP_CHECK(!strcmp(weft_op_name(&weft_op_sum), "sum"));
	TAP_CHECK(!strcmp(weft_op_name(&weft_op_min), "min"));
	TAP_CHECK(!strcmp(weft_op_name(&weft_op_max), "max"));
}

static void no_arithmetic(void)
{
	for (int o = 0; o < TAP_COUNT(ops); o++) {
		TAP_CHECK(!wf_kernel_find(ops[o], &weft_type_byte));
		TAP_CHECK(!wf_kernel_find(ops[o], &weft_type_char));
		TAP_CHECK(ops[o]->commute);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "integers as 128-bit arithmetic says", integer_kernels },
		{ "doubles elementwise", double_kernels },
		{ "floats elementwise", float_kernels },
		{ "ties and NaNs leave the left operand", ties_and_nans },
		{ "names and sizes", names_and_sizes },
		{ "byte and char have no arithmetic", no_arithmetic },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
