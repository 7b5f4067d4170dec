/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of elements that lie anywhere, against the kernels of vectors called
 * for one element at a time: all types and operations that have them, places
 * that come twice, limits of integers, zeros of both signs, and NaNs.
 */
#include "type/kernel_at.h"

#include <math.h>
#include <string.h>
#include <weft/op.h>
#include <weft/type.h>

#include "base/random.h"
#include "tests/tap.h"
#include "type/kernel.h"
#include "type/op_identity.h"
#include "type/type.h"

enum {
	PLACES = 9,			/* less than what comes: some twice */
	COMING = 67,
	ROUNDS = 200,
	WIDEST = 8
};

#define MARK (UINT32_C(1) << 31)

static const struct weft_type *const types[] = {
	&weft_type_int8, &weft_type_uint8, &weft_type_int16,
	&weft_type_uint16, &weft_type_int32, &weft_type_uint32,
	&weft_type_int64, &weft_type_uint64, &weft_type_float,
	&weft_type_double, &weft_type_long_double, &weft_type_bool,
	&weft_type_complex_float, &weft_type_2int
};
static const struct weft_op *const ops[] = {
	&weft_op_sum, &weft_op_min, &weft_op_max, &weft_op_prod, &weft_op_band,
	&weft_op_minloc
};

/* ---- elements ---- */

static double draw_real(struct wf_random *random)
{
	static const double odd[] = {
		0.0, -0.0, INFINITY, -INFINITY, NAN, 1e300, -1e-300
	};
	uint64_t k = wf_random_below(random, 2 * TAP_COUNT(odd));

	return k < TAP_COUNT(odd) ? odd[k] :
				    (double)wf_random_below(random, 999) / 7;
}

/* All bits of integers, among them the least and the greatest. */
static void draw(struct wf_random *random, const struct weft_type *type,
		 void *at)
{
	static const uint64_t odd[] = {
		0, UINT64_MAX, UINT64_C(0x8080808080808080),
		UINT64_C(0x7f7f7f7f7f7f7f7f), (uint64_t)INT64_MIN, INT64_MAX,
		UINT64_C(0x8000000080000000), UINT64_C(0x7fffffff7fffffff)
	};
	uint64_t k = wf_random_below(random, 2 * TAP_COUNT(odd));
	uint64_t bits = k < TAP_COUNT(odd) ? odd[k] : wf_random_u64(random);
	double real = draw_real(random);
	float single = (float)real;

	if (type == &weft_type_double)
		memcpy(at, &real, sizeof(real));
	else if (type == &weft_type_float)
		memcpy(at, &single, sizeof(single));
	else
		memcpy(at, &bits, wf_type_bytes(type));
}

/* To the bit, but for which NaN a sum of two has. */
static bool same(const struct weft_type *type, const void *a, const void *b)
{
	double x, y;
	float f, g;

	if (!memcmp(a, b, wf_type_bytes(type)))
		return true;
	memcpy(&f, a, sizeof(f));
	memcpy(&g, b, sizeof(g));
	if (type == &weft_type_float)
		return isnan(f) && isnan(g);
	if (type != &weft_type_double)
		return false;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return isnan(x) && isnan(y);
}

/* ---- one type and operation ---- */

struct drawn {
	_Alignas(16) char base[PLACES * WIDEST], coming[COMING * WIDEST];
	uint32_t at[COMING];
};

static void draw_all(struct wf_random *random, const struct weft_type *type,
		     struct drawn *d)
{
	size_t size = wf_type_bytes(type);

	for (size_t i = 0; i < PLACES; i++)
		draw(random, type, d->base + i * size);
	for (size_t i = 0; i < COMING; i++) {
		draw(random, type, d->coming + i * size);
		d->at[i] = (uint32_t)wf_random_below(random, PLACES);
		if (wf_random_below(random, 2))
			d->at[i] |= MARK;
	}
}

static bool agree(struct wf_random *random, const struct weft_op *op,
		  const struct weft_type *type)
{
	size_t size = wf_type_bytes(type);
	wf_kernel one = wf_kernel_find(op, type);
	_Alignas(16) char want[PLACES * WIDEST];
	struct drawn d;
	bool good = true;

	draw_all(random, type, &d);
	memcpy(want, d.base, sizeof(want));
	for (size_t i = 0; i < COMING; i++) {
		char *to = want + (d.at[i] & ~MARK) * size;

		one(to, d.coming + i * size, to, 1);
	}
	wf_kernel_at_find(op, type)(d.base, d.at, ~MARK, d.coming, COMING);
	for (size_t i = 0; i < PLACES; i++)
		good &= same(type, d.base + i * size, want + i * size);
	return good;
}

static void as_one_by_one(void)
{
	struct wf_random random;
	int found = 0;

	wf_random_init(&random, 1);
	for (int t = 0; t < TAP_COUNT(types); t++)
		for (int o = 0; o < TAP_COUNT(ops); o++) {
			bool good = true;

			if (!wf_kernel_at_find(ops[o], types[t]))
				continue;
			found++;
			for (int i = 0; good && i < ROUNDS; i++)
				good = agree(&random, ops[o], types[t]);
			if (!TAP_CHECK(good))
				tap_diag("type %d, operation %d", t, o);
		}
	TAP_EQUAL(found, 7 * 3);
}

/* What has none starts from the first one that comes, which no kernel knows. */
static void with_an_identity(void)
{
	for (int t = 0; t < TAP_COUNT(types); t++)
		for (int o = 0; o < TAP_COUNT(ops); o++)
			TAP_CHECK(!wf_kernel_at_find(ops[o], types[t]) ||
				  wf_identity_of(ops[o], types[t]));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as one by one", as_one_by_one },
		{ "each has an identity", with_an_identity }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
