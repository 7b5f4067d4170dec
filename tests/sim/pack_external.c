/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * external32: basic types against bytes written by hand from the standard, what
 * is refused, structs of any depth and of many bytes.  Drawn types are in
 * pack_drawn.c.
 */
#include <complex.h>
#include <stdint.h>
#include <wchar.h>
#include "tests/fail_malloc.h"
#include "tests/sim/user_op.h"

static void refuses(const struct player *p, int status, int want,
		    const char *why)
{
	const char *text = weft_error_text(p->job);

	if (status != want || !strstr(text, why))
		wf_sim_fail(p->rank, "not \"%s\" but %s: \"%s\"", why,
			    weft_status_name(status), text);
}

static void on_one_rank(void (*program)(struct wf_sim_rank *rank, void *arg))
{
	sim_flow_seeds(1, 1, env, program, NULL);
}

/* ---- basic types ---- */

struct known {
	const struct weft_type *type;
	const void *value;
	const char *external;
	size_t bytes;
};

/* There and back, into memory that was 0. */
static void check_known(const struct player *p, const struct known *k)
{
	const size_t extent = (size_t)weft_type_extent(k->type);
	const char *name = weft_type_name(k->type);
	char got[64], back[64] = { 0 };
	size_t at = 1, from = 1;

	good(p, weft_pack_external(p->job, weft_part((void *)k->value, 1,
						     k->type),
				   got, sizeof(got), &at), "pack");
	if (at != 1 + k->bytes || memcmp(got + 1, k->external, k->bytes) ||
	    weft_pack_external_size(1, k->type) != k->bytes)
		wf_sim_fail(p->rank, "%s: %zu bytes, and wrong", name, at - 1);
	good(p, weft_unpack_external(p->job, got, at, &from,
				     weft_part(back, 1, k->type)), "unpack");
	if (from != at || memcmp(back, k->value, extent))
		wf_sim_fail(p->rank, "%s: another value comes back", name);
}

#define Z4 "\0\0\0\0"
#define Z8 Z4 Z4

static const __int128 long_one = (__int128)INT64_C(0x0102030405060708) << 64 |
				 INT64_C(0x090a0b0c0d0e0f10);

static void numbers(const struct player *p)
{
	static const float complex half = 0.5f - 2.0f * I;
	static const double complex third = 1.0 + 2.0 * I;
	static const int8_t small = -2;
	static const uint16_t word = 0x1234;
	static const int16_t minus = -2;
	static const int32_t four = -16909061;
	static const uint32_t ufour = 0xdeadbeef;
	static const int64_t eight = INT64_C(0x0102030405060708);
	static const uint64_t ueight = UINT64_C(0xf102030405060708);
	static const float one = 1.0f;
	static const double minus_two = -2.5;
	static const _Bool yes = true;
	static const wchar_t euro = 0x20ac;
	static const struct known all[] = {
		{ &weft_type_byte, "\x81", "\x81", 1 },
		{ &weft_type_char, "A", "A", 1 },
		{ &weft_type_bool, &yes, "\1", 1 },
		{ &weft_type_wchar, &euro, "\x20\xac", 2 },
		{ &weft_type_int8, &small, "\xfe", 1 },
		{ &weft_type_uint8, &small, "\xfe", 1 },
		{ &weft_type_int16, &minus, "\xff\xfe", 2 },
		{ &weft_type_uint16, &word, "\x12\x34", 2 },
		{ &weft_type_int32, &four, "\xfe\xfd\xfc\xfb", 4 },
		{ &weft_type_uint32, &ufour, "\xde\xad\xbe\xef", 4 },
		{ &weft_type_int64, &eight, "\1\2\3\4\5\6\7\10", 8 },
		{ &weft_type_uint64, &ueight, "\xf1\2\3\4\5\6\7\10", 8 },
		{ &weft_type_int128, &long_one, "\1\2\3\4\5\6\7\10"
		  "\11\12\13\14\15\16\17\20", 16 },
		{ &weft_type_float, &one, "\x3f\x80\0\0", 4 },
		{ &weft_type_double, &minus_two, "\xc0\4\0\0" Z4, 8 },
		{ &weft_type_complex_float, &half,
		  "\x3f\0\0\0\xc0\0\0\0", 8 },
		{ &weft_type_complex_double, &third,
		  "\x3f\xf0\0\0" Z4 "\x40\0\0\0" Z4, 16 }
	};

	for (int i = 0; i < TAP_COUNT(all); i++)
		check_known(p, &all[i]);
}

/* Their padding is 0, as what comes back leaves it. */
static void long_doubles(const struct player *p)
{
	struct {
		long double value;
		int index;
	} pair;
	struct {
		long double value;
		int64_t index;
	} long_pair;
	long double two[2];

	memset(&pair, 0, sizeof(pair));
	memset(&long_pair, 0, sizeof(long_pair));
	memset(two, 0, sizeof(two));
	long_pair.value = pair.value = two[0] = -1.5L;
	two[1] = 2.0L;
	pair.index = 3;
	long_pair.index = -1;
	check_known(p, &(struct known){ &weft_type_long_double, two,
		    "\xbf\xff\x80\0" Z4 Z8, 16 });
	check_known(p, &(struct known){ &weft_type_complex_long_double, two,
		    "\xbf\xff\x80\0" Z4 Z8 "\x40\0\0\0" Z4 Z8, 32 });
	check_known(p, &(struct known){ &weft_type_long_double_int, &pair,
		    "\xbf\xff\x80\0" Z4 Z8 "\0\0\0\3", 20 });
	check_known(p, &(struct known){ &weft_type_long_double_int64,
		    &long_pair, "\xbf\xff\x80\0" Z4 Z8
		    "\xff\xff\xff\xff\xff\xff\xff\xff", 24 });
}

#define PAIR(name, v, i, string)                                          \
	do {                                                              \
		struct {                                                  \
			v value;                                          \
			i index;                                          \
		} pair;                                                   \
									  \
		memset(&pair, 0, sizeof(pair));                           \
		pair.value = 1;                                           \
		pair.index = 2;                                           \
		check_known(p, &(struct known){ &weft_type_##name, &pair, \
			    string, sizeof(string) - 1 });                \
	} while (0)

static void pairs(const struct player *p)
{
	PAIR(float_int, float, int, "\x3f\x80\0\0\0\0\0\2");
	PAIR(double_int, double, int, "\x3f\xf0\0\0" Z4 "\0\0\0\2");
	PAIR(long_int, long, int, Z4 "\0\0\0\1\0\0\0\2");
	PAIR(2int, int, int, "\0\0\0\1\0\0\0\2");
	PAIR(short_int, short, int, "\0\1\0\0\0\2");
	PAIR(2float, float, float, "\x3f\x80\0\0\x40\0\0\0");
	PAIR(2double, double, double, "\x3f\xf0\0\0" Z4 "\x40\0\0\0" Z4);
	PAIR(2int64, int64_t, int64_t, Z4 "\0\0\0\1" Z4 "\0\0\0\2");
	PAIR(float_int64, float, int64_t, "\x3f\x80\0\0" Z4 "\0\0\0\2");
	PAIR(double_int64, double, int64_t,
	     "\x3f\xf0\0\0" Z4 Z4 "\0\0\0\2");
}

static void known_program(struct wf_sim_rank *rank, void *arg)
{
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	numbers(&p);
	long_doubles(&p);
	pairs(&p);
	leave(&p);
}

static void known_bytes(void)
{
	on_one_rank(known_program);
}

/* ---- longer than what is moved at a time ---- */

static void long_program(struct wf_sim_rank *rank, void *arg)
{
	enum { N = 100000 };
	double *x = calloc(N, sizeof(*x)), *back = calloc(N, sizeof(*x));
	char *form = malloc(N * sizeof(*x));
	size_t at = 0, taken = 0;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int i = 0; i < N; i++)
		x[i] = i + 0.25;
	good(&p, weft_pack_external(p.job, weft_part(x, N, &weft_type_double),
				    form, N * sizeof(*x), &at), "pack");
	for (int i = 0; i < N; i++) {
		const char *is = (const char *)&x[i];

		for (int j = 0; j < 8; j++)
			if (form[8 * i + j] != is[7 - j])
				wf_sim_fail(rank, "element %d", i);
	}
	good(&p, weft_unpack_external(p.job, form, at, &taken,
				      weft_part(back, N, &weft_type_double)),
	     "unpack");
	if (taken != at || memcmp(x, back, N * sizeof(*x)))
		wf_sim_fail(rank, "other elements come back");
	leave(&p);
	free(form);
	free(back);
	free(x);
}

static void a_long_vector(void)
{
	on_one_rank(long_program);
}

/* ---- what is refused ---- */

static void refuse_room(const struct player *p)
{
	const struct weft_type *wide = &weft_type_wchar;
	wchar_t x[3] = { 'a', 'b', 0xffff };
	char form[8];
	size_t at = 4;

	refuses(p, weft_pack_external(p->job, weft_part(x, 3, wide), form, 8,
				      &at), WEFT_ERR_RANGE,
		"weft_pack_external: 3 elements of 2 bytes do not fit behind "
		"4 of 8 packed bytes");
	refuses(p, weft_unpack_external(p->job, form, 8, &at,
					weft_part(x, 3, wide)),
		WEFT_ERR_RANGE, "weft_unpack_external: 3 elements");
	refuses(p, weft_pack_external(p->job, weft_part(x, SIZE_MAX / 2, wide),
				      form, SIZE_MAX / 4, &at), WEFT_ERR_RANGE,
		"do not fit");
	refuses(p, weft_pack_external(p->job, weft_part(x, SIZE_MAX, wide),
				      form, SIZE_MAX, &at), WEFT_ERR_RANGE,
		"the count is -1, below 0");
	at = 0;
	refuses(p, weft_pack(p->job, weft_part(x, SIZE_MAX / 2, wide), form,
			     SIZE_MAX / 4, &at), WEFT_ERR_RANGE, "do not fit");
	good(p, weft_pack_external(p->job, weft_part(x, 3, wide), form, 6,
				   &at), "pack");
	if (at != 6 || memcmp(form, "\0a\0b\xff\xff", 6))
		wf_sim_fail(p->rank, "%zu bytes, or others", at);
	x[1] = 0x10000;
	at = 0;
	refuses(p, weft_pack_external(p->job, weft_part(x, 3, wide), form, 6,
				      &at), WEFT_ERR_RANGE,
		"weft_pack_external: a wide character is above 0xffff");
	if (at)
		wf_sim_fail(p->rank, "%zu bytes are said to be packed", at);
}

static void refuse_arguments(const struct player *p)
{
	const struct weft_type *base = &weft_type_int32;
	struct weft_type *type;
	int32_t x[2] = { 0, 0 };
	char form[8];
	size_t at = 0;

	refuses(p, weft_pack_external(p->job, weft_part(x, 2, base), form, 8,
				      NULL), WEFT_ERR_ARG,
		"weft_pack_external: at_p is NULL");
	refuses(p, weft_pack_external(p->job, weft_part(NULL, 2, base), form,
				      8, &at), WEFT_ERR_ARG,
		"weft_pack_external: base is NULL with 2 elements");
	refuses(p, weft_unpack_external(p->job, NULL, 8, &at,
					weft_part(x, 2, base)), WEFT_ERR_ARG,
		"weft_unpack_external: packed is NULL");
	refuses(p, weft_unpack_external(p->job, form, 8, &at,
					weft_part(x, 2, NULL)), WEFT_ERR_ARG,
		"weft_unpack_external: to.type is NULL");
	good(p, weft_type_contiguous(p->job, 1, base, &type), "contiguous");
	refuses(p, weft_pack_external(p->job, weft_part(x, 2, type), form, 8,
				      &at), WEFT_ERR_ARG,
		"weft_pack_external: from.type was not committed");
	good(p, weft_type_free(&type), "free");
	if (weft_pack_external(NULL, weft_part(x, 2, base), form, 8, &at) !=
	    WEFT_ERR_ARG || weft_pack_external_size(2, NULL))
		wf_sim_fail(p->rank, "without a job, or a type");
}

static void refusal_program(struct wf_sim_rank *rank, void *arg)
{
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	refuse_room(&p);
	refuse_arguments(&p);
	leave(&p);
}

static void refusals(void)
{
	on_one_rank(refusal_program);
}

/* ---- large and deep ones ---- */

static const size_t twice[] = { 1, 1 };

/* The one that is given is freed. */
static struct weft_type *make_pair(const struct player *p,
				   struct weft_type *inner,
				   const struct weft_type *next)
{
	const struct weft_type *types[] = { inner, next ? next : inner };
	const ptrdiff_t at[] = { 0, weft_type_extent(inner) };
	struct weft_type *type;

	good(p, weft_type_struct(p->job, 2, twice, at, types, &type),
	     "struct");
	good(p, weft_type_free(&inner), "free");
	return type;
}

/* Each is twice the one before: 2^40 of the first, and nothing is walked. */
static void large_program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_type *type, *empty;
	struct player p;
	char form[8];
	size_t at = 0;

	(void)arg;
	if (!enter(rank, &p))
		return;
	good(&p, weft_type_dup(p.job, &weft_type_short_int, &type), "dup");
	type = make_pair(&p, type, &weft_type_wchar);
	for (int i = 0; i < 40; i++)
		type = make_pair(&p, type, NULL);
	good(&p, weft_type_commit(type), "commit");
	if (weft_pack_external_size(2, type) != (size_t)8 << 41 ||
	    weft_pack_external_size(SIZE_MAX / 8, type) != SIZE_MAX)
		wf_sim_fail(rank, "%zu bytes",
			    weft_pack_external_size(2, type));
	refuses(&p, weft_pack_external(p.job, weft_part(form, 1, type), form,
				       8, &at), WEFT_ERR_RANGE, "do not fit");
	good(&p, weft_type_contiguous(p.job, 0, type, &empty), "contiguous");
	good(&p, weft_type_commit(empty), "commit");
	good(&p, weft_pack_external(p.job, weft_part(NULL, SIZE_MAX, empty),
				    form, 8, &at), "nothing");
	if (at || weft_pack_external_size(SIZE_MAX, empty))
		wf_sim_fail(rank, "there is something of nothing");
	good(&p, weft_type_free(&empty), "free");
	good(&p, weft_type_free(&type), "free");
	leave(&p);
}

static void large_types(void)
{
	on_one_rank(large_program);
}

enum {
	DEPTH = 3000,
	SPAN = 2 * DEPTH + 8		/* they are aligned */
};

/* A struct in each, and a character behind it: where those are. */
static struct weft_type *make_deep(const struct player *p, ptrdiff_t *at)
{
	struct weft_type *type;

	good(p, weft_type_contiguous(p->job, 1, &weft_type_int16, &type),
	     "contiguous");
	for (int i = 0; i < DEPTH; i++) {
		at[i] = weft_type_extent(type);
		type = make_pair(p, type, &weft_type_char);
	}
	good(p, weft_type_commit(type), "commit");
	return type;
}

static void deep_program(struct wf_sim_rank *rank, void *arg)
{
	char memory[SPAN] = { 1, 2 }, back[SPAN] = { 0 }, form[2 + DEPTH];
	ptrdiff_t chars[DEPTH];
	size_t at = 0, taken = 0;
	struct weft_type *type;
	struct weft_part part;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	type = make_deep(&p, chars);
	part = weft_part(memory, 1, type);
	for (int i = 0; i < DEPTH; i++)
		memory[chars[i]] = (char)(i % 97 + 1);
	fail_malloc_at(1);
	refuses(&p, weft_pack_external(p.job, part, form, sizeof(form), &at),
		WEFT_ERR_NOMEM, "weft_pack_external: no memory for the structs "
		"within from.type");
	fail_malloc_at(0);
	good(&p, weft_pack_external(p.job, part, form, sizeof(form), &at),
	     "pack");
	if (at != sizeof(form) || form[0] != 2 || form[1] != 1)
		wf_sim_fail(rank, "%zu bytes, or others", at);
	for (int i = 0; i < DEPTH; i++)
		if (form[2 + i] != memory[chars[i]])
			wf_sim_fail(rank, "character %d", i);
	part.base = back;
	good(&p, weft_unpack_external(p.job, form, at, &taken, part),
	     "unpack");
	if (taken != at || memcmp(memory, back, SPAN))
		wf_sim_fail(rank, "other elements come back");
	good(&p, weft_type_free(&type), "free");
	leave(&p);
}

static void deep_types(void)
{
	on_one_rank(deep_program);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "known bytes", known_bytes },
		{ "a long vector", a_long_vector },
		{ "what is refused", refusals },
		{ "large types", large_types },
		{ "deep types", deep_types },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
