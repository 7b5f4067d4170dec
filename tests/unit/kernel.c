/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types, operations and reduction kernels.
 *
 * Integers are checked against 128-bit arithmetic cut to the size of the type,
 * floats against sums in double (exact enough: 53 >= 2 * 24 + 2 bits), doubles
 * and what is wider against single operations that the compiler cannot join.
 */
#include "tests/tap.h"

#include "base/random.h"
#include "type/element.h"
#include "type/kernel.h"
#include "type/op.h"
#include "type/type.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <wchar.h>

enum {
	LONGEST = 67		/* elements: several vectors and a rest */
};

static const struct weft_type *const integers[] = {
	&weft_type_int8, &weft_type_uint8, &weft_type_int16,
	&weft_type_uint16, &weft_type_int32, &weft_type_uint32,
	&weft_type_int64, &weft_type_uint64,
};
static const struct weft_op *const ops[] = {
	&weft_op_sum, &weft_op_prod, &weft_op_min, &weft_op_max,
	&weft_op_land, &weft_op_lor, &weft_op_lxor,
	&weft_op_band, &weft_op_bor, &weft_op_bxor,
	&weft_op_minloc, &weft_op_maxloc,
	&weft_op_replace, &weft_op_no_op,
};
static const char *const op_names[] = {
	"sum", "prod", "min", "max", "land", "lor", "lxor", "band", "bor",
	"bxor", "minloc", "maxloc", "replace", "no_op",
};

enum {
	OF_NUMBERS = 10,		/* of the operations */
	REDUCING = 12
};

/* All types, what operations they have, as columns of ops, and their size. */
static const struct {
	const struct weft_type *type;
	const char *name, *has;
	size_t size;
} types[] = {
	{ &weft_type_byte, "byte", ".......xxx....", 1 },
	{ &weft_type_char, "char", "..............", 1 },
	{ &weft_type_wchar, "wchar", "..............", sizeof(wchar_t) },
	{ &weft_type_int8, "int8", "xxxxxxxxxx....", 1 },
	{ &weft_type_uint8, "uint8", "xxxxxxxxxx....", 1 },
	{ &weft_type_int16, "int16", "xxxxxxxxxx....", 2 },
	{ &weft_type_uint16, "uint16", "xxxxxxxxxx....", 2 },
	{ &weft_type_int32, "int32", "xxxxxxxxxx....", 4 },
	{ &weft_type_uint32, "uint32", "xxxxxxxxxx....", 4 },
	{ &weft_type_int64, "int64", "xxxxxxxxxx....", 8 },
	{ &weft_type_uint64, "uint64", "xxxxxxxxxx....", 8 },
	{ &weft_type_int128, "int128", "xxxxxxxxxx....", 16 },
	{ &weft_type_float, "float", "xxxx..........", 4 },
	{ &weft_type_double, "double", "xxxx..........", 8 },
	{ &weft_type_long_double, "long_double", "xxxx..........",
	  sizeof(long double) },
	{ &weft_type_complex_float, "complex_float", "xx............", 8 },
	{ &weft_type_complex_double, "complex_double", "xx............", 16 },
	{ &weft_type_complex_long_double, "complex_long_double",
	  "xx............", sizeof(long double complex) },
	{ &weft_type_bool, "bool", "....xxx.......", sizeof(_Bool) },
	{ &weft_type_float_int, "float_int", "..........xx..", 8 },
	{ &weft_type_double_int, "double_int", "..........xx..", 12 },
	{ &weft_type_long_int, "long_int", "..........xx..",
	  sizeof(long) + 4 },
	{ &weft_type_2int, "2int", "..........xx..", 8 },
	{ &weft_type_short_int, "short_int", "..........xx..", 6 },
	{ &weft_type_long_double_int, "long_double_int", "..........xx..",
	  sizeof(long double) + 4 },
	{ &weft_type_2float, "2float", "..........xx..", 8 },
	{ &weft_type_2double, "2double", "..........xx..", 16 },
	{ &weft_type_2int64, "2int64", "..........xx..", 16 },
	{ &weft_type_float_int64, "float_int64", "..........xx..", 12 },
	{ &weft_type_double_int64, "double_int64", "..........xx..", 16 },
	{ &weft_type_long_double_int64, "long_double_int64", "..........xx..",
	  sizeof(long double) + 8 },
	{ &weft_type_remote, "remote", "..............", 8 },
};

static __int128 element(const struct weft_type *type, const void *vector,
			size_t i)
{
	bool has_sign = type->name[0] != 'u';
	size_t size = wf_type_bytes(type);
	uint64_t bits = 0;

	memcpy(&bits, (const char *)vector + i * size, size);
	if (has_sign && bits >> (size * 8 - 1))
		return (__int128)bits - ((__int128)1 << (size * 8));
	return bits;
}

static __int128 combine(const struct weft_op *op, __int128 a, __int128 b)
{
	switch (op->kind) {
	case WF_OP_SUM:
		return a + b;
	case WF_OP_PROD:
		/* of its lower bits, which wrap */
		return (__int128)((unsigned __int128)a * (unsigned __int128)b);
	case WF_OP_MIN:
		return a < b ? a : b;
	case WF_OP_MAX:
		return a > b ? a : b;
	case WF_OP_LAND:
		return a && b;
	case WF_OP_LOR:
		return a || b;
	case WF_OP_LXOR:
		return (a != 0) + (b != 0) == 1;
	case WF_OP_BAND:
		return a & b;
	case WF_OP_BOR:
		return a | b;
	default:
		return a ^ b;
	}
}

static void fill(struct wf_random *random, uint64_t *vector)
{
	/* zeros for what is logical, and small ones */
	for (int i = 0; i < LONGEST; i++)
		vector[i] = wf_random_u64(random) >>
			    (i % 3 ? wf_random_below(random, 64) : 0) &
			    (i % 5 ? UINT64_MAX : 0);
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

		TAP_CHECK(memcmp((char *)out + i * wf_type_bytes(type), &want,
				 wf_type_bytes(type)) == 0);
	}
	TAP_CHECK(memcmp((char *)out + n * wf_type_bytes(type),
			 (char *)before + n * wf_type_bytes(type),
			 sizeof(before) - n * wf_type_bytes(type)) == 0);
}

static void integer_kernels(void)
{
	struct wf_random random;

	wf_random_init(&random, 1);
	for (int t = 0; t < TAP_COUNT(integers); t++)
		for (int o = 0; o < OF_NUMBERS; o++)
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

/* ---- what is wider than a machine word, or no number ---- */

/* A result of each element against an expression of both operands. */
#define CHECK_KERNEL(op, of, type, left, right, expression)                 \
	do {                                                                \
		type got[LONGEST];                                          \
									    \
		wf_kernel_find(&weft_op_##op, &weft_type_##of)(left, right, \
							       got,         \
							       LONGEST);    \
		for (int i = 0; i < LONGEST; i++) {                         \
			volatile type a = (left)[i], b = (right)[i];        \
									    \
			TAP_CHECK(got[i] == (type)(expression));            \
		}                                                           \
	} while (0)

static void wide_integers(void)
{
	__int128 left[LONGEST], right[LONGEST];
	struct wf_random random;

	wf_random_init(&random, 4);
	for (int i = 0; i < LONGEST; i++) {
		left[i] = i % 3 ? (__int128)wf_random_u64(&random) << 62 : 0;
		right[i] = i % 4 ? -(__int128)wf_random_u64(&random) : 0;
	}
	CHECK_KERNEL(sum, int128, __int128, left, right, a + b);
	CHECK_KERNEL(prod, int128, __int128, left, right,
		     (__int128)((unsigned __int128)a * (unsigned __int128)b));
	CHECK_KERNEL(min, int128, __int128, left, right, a < b ? a : b);
	CHECK_KERNEL(max, int128, __int128, left, right, a > b ? a : b);
	CHECK_KERNEL(land, int128, __int128, left, right, a && b);
	CHECK_KERNEL(lor, int128, __int128, left, right, a || b);
	CHECK_KERNEL(lxor, int128, __int128, left, right, !a != !b);
	CHECK_KERNEL(band, int128, __int128, left, right, (a & b));
	CHECK_KERNEL(bor, int128, __int128, left, right, (a | b));
	CHECK_KERNEL(bxor, int128, __int128, left, right, (a ^ b));
}

static void products_and_wide_floats(void)
{
	float f[2][LONGEST];
	double d[2][LONGEST];
	long double l[2][LONGEST];
	struct wf_random random;

	wf_random_init(&random, 5);
	for (int i = 0; i < 2 * LONGEST; i++) {
		double x = any_double(&random);

		d[i % 2][i / 2] = x;
		f[i % 2][i / 2] = (float)x;
		l[i % 2][i / 2] = (long double)x * any_double(&random);
	}
	CHECK_KERNEL(prod, float, float, f[0], f[1], (float)(a * b));
	CHECK_KERNEL(prod, double, double, d[0], d[1], a * b);
	CHECK_KERNEL(sum, long_double, long double, l[0], l[1], a + b);
	CHECK_KERNEL(prod, long_double, long double, l[0], l[1], a * b);
	CHECK_KERNEL(min, long_double, long double, l[0], l[1],
		     a < b ? a : b);
	CHECK_KERNEL(max, long_double, long double, l[0], l[1],
		     a > b ? a : b);
}

static void complex_numbers(void)
{
	float complex f[2][LONGEST];
	double complex d[2][LONGEST];
	long double complex l[2][LONGEST];
	struct wf_random random;

	wf_random_init(&random, 6);
	for (int i = 0; i < 2 * LONGEST; i++) {
		double re = any_double(&random), im = any_double(&random);

		d[i % 2][i / 2] = re + I * im;
		f[i % 2][i / 2] = (float complex)(re + I * im);
		l[i % 2][i / 2] = re + I * im;
	}
	CHECK_KERNEL(sum, complex_float, float complex, f[0], f[1], a + b);
	CHECK_KERNEL(prod, complex_float, float complex, f[0], f[1], a * b);
	CHECK_KERNEL(sum, complex_double, double complex, d[0], d[1], a + b);
	CHECK_KERNEL(prod, complex_double, double complex, d[0], d[1], a * b);
	CHECK_KERNEL(sum, complex_long_double, long double complex, l[0], l[1],
		     a + b);
	CHECK_KERNEL(prod, complex_long_double, long double complex, l[0],
		     l[1], a * b);
}

static void truth_and_bytes(void)
{
	static const unsigned char some[] = { 0, 1, 2, 255 };
	unsigned char truth[2][LONGEST], byte[2][LONGEST];

	for (int i = 0; i < LONGEST; i++) {
		truth[0][i] = some[i % 4];
		truth[1][i] = some[i / 4 % 4];
		byte[0][i] = (unsigned char)(i * 7);
		byte[1][i] = (unsigned char)(i * 29 + 3);
	}
	CHECK_KERNEL(land, bool, unsigned char, truth[0], truth[1], (a && b));
	CHECK_KERNEL(lor, bool, unsigned char, truth[0], truth[1], (a || b));
	CHECK_KERNEL(lxor, bool, unsigned char, truth[0], truth[1],
		     (!a != !b));
	CHECK_KERNEL(band, byte, unsigned char, byte[0], byte[1], (a & b));
	CHECK_KERNEL(bor, byte, unsigned char, byte[0], byte[1], (a | b));
	CHECK_KERNEL(bxor, byte, unsigned char, byte[0], byte[1], (a ^ b));
}

/* Equal operands and NaNs: left stays; -0.0 is equal, and has another sign. */
#define CHECK_TIES(of, type)                                                \
	do {                                                                \
		static const type left[] = { 0.0, -0.0, NAN, 1.0, NAN };    \
		static const type right[] = { -0.0, 0.0, 1.0, NAN, 2.0 };   \
		static const struct weft_op *const least_most[] = {         \
			&weft_op_min, &weft_op_max                          \
		};                                                          \
		type got[5];                                                \
									    \
		for (int o = 0; o < 2; o++) {                               \
			wf_kernel_find(least_most[o], &weft_type_##of)(     \
				left, right, got, 5);                       \
			for (int i = 0; i < 5; i++) {                       \
				TAP_CHECK(isnan(got[i]) == isnan(left[i])); \
				TAP_CHECK(isnan(left[i]) ||                 \
					  got[i] == left[i]);               \
				TAP_CHECK(!signbit(got[i]) ==               \
					  !signbit(left[i]));               \
			}                                                   \
		}                                                           \
	} while (0)

static void ties_and_nans(void)
{
	CHECK_TIES(float, float);
	CHECK_TIES(double, double);
	CHECK_TIES(long_double, long double);
}

/* ---- pairs ---- */

/* Few values and few indices, so that there are ties, and some NaNs. */
#define CHECK_PAIRS(of, v, i, nan)                                          \
	do {                                                                \
		struct __attribute__((packed)) pair {                       \
			v value;                                            \
			i index;                                            \
		} a[LONGEST], b[LONGEST], low[LONGEST], high[LONGEST];      \
									    \
		memset(a, 0, sizeof(a));                                    \
		memset(b, 0, sizeof(b));                                    \
		for (int k = 0; k < LONGEST; k++) {                         \
			a[k].value = (v)(k % 7 == 6 ? (nan) : k % 3 - 1);   \
			b[k].value = (v)(k % 11 == 5 ? (nan) : k % 4 - 1);  \
			a[k].index = (i)(k % 5 - 2);                        \
			b[k].index = (i)(k % 2);                            \
		}                                                           \
		wf_kernel_find(&weft_op_minloc, &weft_type_##of)(           \
			a, b, low, LONGEST);                                \
		wf_kernel_find(&weft_op_maxloc, &weft_type_##of)(           \
			a, b, high, LONGEST);                               \
		for (int k = 0; k < LONGEST; k++) {                         \
			bool tie = a[k].value == b[k].value &&              \
				   b[k].index < a[k].index;                 \
			bool less = b[k].value < a[k].value || tie;         \
			bool more = b[k].value > a[k].value || tie;         \
									    \
			TAP_CHECK(!memcmp(&low[k], less ? &b[k] : &a[k],    \
					  sizeof(a[k])));                   \
			TAP_CHECK(!memcmp(&high[k], more ? &b[k] : &a[k],   \
					  sizeof(a[k])));                   \
		}                                                           \
	} while (0)

static void pairs(void)
{
	CHECK_PAIRS(float_int, float, int, NAN);
	CHECK_PAIRS(double_int, double, int, NAN);
	CHECK_PAIRS(long_int, long, int, 2);
	CHECK_PAIRS(2int, int, int, 2);
	CHECK_PAIRS(short_int, short, int, 2);
	CHECK_PAIRS(long_double_int, long double, int, NAN);
	CHECK_PAIRS(2float, float, float, NAN);
	CHECK_PAIRS(2double, double, double, NAN);
	CHECK_PAIRS(2int64, int64_t, int64_t, 2);
	CHECK_PAIRS(float_int64, float, int64_t, NAN);
	CHECK_PAIRS(double_int64, double, int64_t, NAN);
	CHECK_PAIRS(long_double_int64, long double, int64_t, NAN);
}

/* A C struct of the two, as it lies, and what finds its datatype. */
#define CHECK_LAYOUT(of, v, i, value_type, index_type)                      \
	do {                                                                \
		struct pair {                                               \
			v value;                                            \
			i index;                                            \
		} in[3], out[3];                                            \
		const struct weft_type *type = &weft_type_##of;             \
		struct weft_bounds bounds = weft_type_bounds(type);         \
		char packed[3 * sizeof(struct pair)];                       \
		size_t size = sizeof(v) + sizeof(i);                        \
		v value;                                                    \
									    \
		TAP_CHECK(weft_type_pair(&weft_type_##value_type,           \
					 &weft_type_##index_type) == type); \
		TAP_EQUAL(weft_type_extent(type), sizeof(struct pair));     \
		TAP_EQUAL(bounds.lb, 0);                                    \
		TAP_EQUAL(bounds.true_lb, 0);                               \
		TAP_EQUAL(bounds.true_ub,                                   \
			  offsetof(struct pair, index) + sizeof(i));        \
		TAP_EQUAL(type->shape.align, _Alignof(struct pair));        \
		memset(in, 0x11, sizeof(in));                               \
		memset(out, 0x22, sizeof(out));                             \
		for (int k = 0; k < 3; k++) {                               \
			in[k].value = (v)(k + 5);                           \
			in[k].index = (i)(k - 9);                           \
		}                                                           \
		wf_gather(type, in, 0, packed, 3 * size);                   \
		wf_scatter(type, out, 0, packed, 3 * size);                 \
		for (int k = 0; k < 3; k++) {                               \
			TAP_CHECK(out[k].value == in[k].value);             \
			TAP_CHECK(out[k].index == in[k].index);             \
			memcpy(&value, packed + (size_t)k * size,           \
			       sizeof(v));                                  \
			TAP_CHECK(value == in[k].value);                    \
			TAP_CHECK(gap_is(&out[k], 0x22, sizeof(v),          \
					 offsetof(struct pair, index)));    \
			TAP_CHECK(gap_is(&out[k], 0x22, (size_t)            \
					 bounds.true_ub, sizeof(out[k])));  \
		}                                                           \
	} while (0)

static bool gap_is(const void *pair, char byte, size_t from, size_t end)
{
	const char *at = pair;

	while (from < end && at[from] == byte)
		from++;
	return from == end;
}

static void layouts_of_pairs(void)
{
	CHECK_LAYOUT(float_int, float, int, float, int32);
	CHECK_LAYOUT(double_int, double, int, double, int32);
	CHECK_LAYOUT(long_int, long, int, int64, int32);
	CHECK_LAYOUT(2int, int, int, int32, int32);
	CHECK_LAYOUT(short_int, short, int, int16, int32);
	CHECK_LAYOUT(long_double_int, long double, int, long_double, int32);
	CHECK_LAYOUT(2float, float, float, float, float);
	CHECK_LAYOUT(2double, double, double, double, double);
	CHECK_LAYOUT(2int64, int64_t, int64_t, int64, int64);
	CHECK_LAYOUT(float_int64, float, int64_t, float, int64);
	CHECK_LAYOUT(double_int64, double, int64_t, double, int64);
	CHECK_LAYOUT(long_double_int64, long double, int64_t, long_double,
		     int64);
	TAP_CHECK(!weft_type_pair(&weft_type_byte, &weft_type_int32));
	TAP_CHECK(!weft_type_pair(&weft_type_double, &weft_type_float));
	TAP_CHECK(!weft_type_pair(NULL, &weft_type_int32));
	TAP_CHECK(!weft_type_pair(&weft_type_int32, NULL));
}

static void names_and_sizes(void)
{
	for (int i = 0; i < TAP_COUNT(types); i++) {
		TAP_CHECK(!strcmp(weft_type_name(types[i].type),
				  types[i].name));
		TAP_EQUAL(types[i].type->dense,
			  weft_type_extent(types[i].type) ==
			  (ptrdiff_t)types[i].size);
		TAP_EQUAL(weft_type_size(types[i].type), types[i].size);
	}
	for (int o = 0; o < TAP_COUNT(ops); o++) {
		TAP_CHECK(!strcmp(weft_op_name(ops[o]), op_names[o]));
		TAP_EQUAL(ops[o]->commute, o < REDUCING);
	}
}

static void defined_for(void)
{
	TAP_EQUAL(TAP_COUNT(types), WF_TYPE_DERIVED);
	TAP_EQUAL(TAP_COUNT(ops), WF_OP_MADE);
	for (int i = 0; i < TAP_COUNT(types); i++)
		for (int o = 0; o < TAP_COUNT(ops); o++) {
			bool has = types[i].has[o] == 'x';

			if (!TAP_EQUAL(!!wf_kernel_find(ops[o], types[i].type),
				       has))
				tap_diag("%s of %s", op_names[o],
					 types[i].name);
		}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "integers as 128-bit arithmetic says", integer_kernels },
		{ "doubles elementwise", double_kernels },
		{ "floats elementwise", float_kernels },
		{ "integers of 128 bits", wide_integers },
		{ "products, and long doubles", products_and_wide_floats },
		{ "complex numbers", complex_numbers },
		{ "truth values and bytes", truth_and_bytes },
		{ "ties and NaNs leave the left operand", ties_and_nans },
		{ "pairs: the better value, then the smaller index", pairs },
		{ "pairs lie as a C struct does", layouts_of_pairs },
		{ "names and sizes", names_and_sizes },
		{ "what is defined for what", defined_for },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
