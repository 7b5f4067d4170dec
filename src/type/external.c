/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements to external32 and back: run by run of one kind, through packed
 * pieces of a few KiB.
 */
#include "type/external.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>
#include <weft/status.h>
#include "type/binary128.h"
#include "type/element.h"
#include "type/signature.h"

/* Packed bytes at a time. */
enum { PIECE = 4096 };

/* ---- numbers of one sort ---- */

typedef void turn_function(const char *from, char *to, size_t n);

static void as_it_is(const char *from, char *to, size_t n)
{
	memcpy(to, from, n);
}

static unsigned __int128 htobe128(unsigned __int128 bits)
{
	uint64_t words[2] = {
		htobe64((uint64_t)(bits >> 64)), htobe64((uint64_t)bits)
	};

	memcpy(&bits, words, sizeof(bits));
	return bits;
}

/* The same there and back. */
#define TURN(bits, word)                                                   \
	static void turn##bits(const char *from, char *to, size_t n)       \
	{                                                                  \
		for (size_t i = 0; i < n; i++) {                           \
			word w;                                            \
									   \
			memcpy(&w, from + i * sizeof(w), sizeof(w));       \
			w = htobe##bits(w);                                \
			memcpy(to + i * sizeof(w), &w, sizeof(w));         \
		}                                                          \
	}

TURN(16, uint16_t)
TURN(32, uint32_t)
TURN(64, uint64_t)
TURN(128, unsigned __int128)

/* Code points, of which 2 bytes have those of the basic plane. */
_Static_assert(sizeof(wchar_t) == 4, "a code point");

static bool wide_fit(const char *wide, size_t n)
{
	uint32_t all = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t one;

		memcpy(&one, wide + 4 * i, sizeof(one));
		all |= one;
	}
	return all <= UINT16_MAX;
}

static void pack_wide(const char *from, char *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t wide;
		uint16_t half;

		memcpy(&wide, from + 4 * i, sizeof(wide));
		half = htobe16((uint16_t)wide);
		memcpy(to + 2 * i, &half, sizeof(half));
	}
}

static void unpack_wide(const char *from, char *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint16_t half;
		uint32_t wide;

		memcpy(&half, from + 2 * i, sizeof(half));
		wide = be16toh(half);
		memcpy(to + 4 * i, &wide, sizeof(wide));
	}
}

static void pack_quad(const char *from, char *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned __int128 bits = htobe128(
			wf_binary128(from + i * sizeof(long double)));

		memcpy(to + 16 * i, &bits, sizeof(bits));
	}
}

static void unpack_quad(const char *from, char *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned __int128 bits;

		memcpy(&bits, from + 16 * i, sizeof(bits));
		wf_binary128_take(htobe128(bits),
				  to + i * sizeof(long double));
	}
}

/* ---- the table ---- */

struct sort {
	unsigned char packed, external;	/* bytes of a number */
	turn_function *pack, *unpack;
};

static const struct sort
	same = { 1, 1, as_it_is, as_it_is },
	two = { 2, 2, turn16, turn16 },
	four = { 4, 4, turn32, turn32 },
	eight = { 8, 8, turn64, turn64 },
	sixteen = { 16, 16, turn128, turn128 },
	wide = { 4, 2, pack_wide, unpack_wide },
	quad = { sizeof(long double), 16, pack_quad, unpack_quad };

/* What an element of a kind is: one number, or two, also of the same sort. */
struct row {
	const struct sort *first, *second;
};

static const struct row rows[WF_TYPE_KINDS] = {
	[WF_TYPE_BYTE] = { &same, NULL },
	[WF_TYPE_CHAR] = { &same, NULL },
	[WF_TYPE_WCHAR] = { &wide, NULL },
	[WF_TYPE_INT8] = { &same, NULL },
	[WF_TYPE_UINT8] = { &same, NULL },
	[WF_TYPE_INT16] = { &two, NULL },
	[WF_TYPE_UINT16] = { &two, NULL },
	[WF_TYPE_INT32] = { &four, NULL },
	[WF_TYPE_UINT32] = { &four, NULL },
	[WF_TYPE_INT64] = { &eight, NULL },
	[WF_TYPE_UINT64] = { &eight, NULL },
	[WF_TYPE_INT128] = { &sixteen, NULL },
	[WF_TYPE_FLOAT] = { &four, NULL },
	[WF_TYPE_DOUBLE] = { &eight, NULL },
	[WF_TYPE_LONG_DOUBLE] = { &quad, NULL },
	[WF_TYPE_COMPLEX_FLOAT] = { &four, &four },
	[WF_TYPE_COMPLEX_DOUBLE] = { &eight, &eight },
	[WF_TYPE_COMPLEX_LONG_DOUBLE] = { &quad, &quad },
	[WF_TYPE_BOOL] = { &same, NULL },
	[WF_TYPE_FLOAT_INT] = { &four, &four },
	[WF_TYPE_DOUBLE_INT] = { &eight, &four },
	[WF_TYPE_LONG_INT] = { &eight, &four },
	[WF_TYPE_2INT] = { &four, &four },
	[WF_TYPE_SHORT_INT] = { &two, &four },
	[WF_TYPE_LONG_DOUBLE_INT] = { &quad, &four },
	[WF_TYPE_2FLOAT] = { &four, &four },
	[WF_TYPE_2DOUBLE] = { &eight, &eight },
	[WF_TYPE_2INT64] = { &eight, &eight },
	[WF_TYPE_FLOAT_INT64] = { &four, &eight },
	[WF_TYPE_DOUBLE_INT64] = { &eight, &eight },
	[WF_TYPE_LONG_DOUBLE_INT64] = { &quad, &eight },
	[WF_TYPE_REMOTE] = { &four, &four }
};

/* A long is what an int64 is. */
_Static_assert(sizeof(long) == 8, "WF_TYPE_LONG_INT");

size_t wf_external_bytes(enum wf_type_kind kind)
{
	const struct row *row = &rows[kind];

	return (size_t)row->first->external +
	       (row->second ? row->second->external : 0);
}

static size_t packed_bytes(enum wf_type_kind kind)
{
	const struct row *row = &rows[kind];

	return (size_t)row->first->packed +
	       (row->second ? row->second->packed : 0);
}

/* ---- elements ---- */

/* Where the bytes that come next are, on both sides. */
struct transfer {
	const struct weft_type *type;
	char *base;			/* of the elements */
	size_t done;			/* packed bytes of theirs */
	char *external;
	bool packs;
};

static void turn(const struct transfer *t, const struct sort *sort,
		 char *packed, char *external, size_t n)
{
	if (t->packs)
		sort->pack(packed, external, n);
	else
		sort->unpack(external, packed, n);
}

/* n elements of one kind; those of a sort alone go at once. */
static void turn_kind(const struct transfer *t, enum wf_type_kind kind,
		      char *packed, size_t n)
{
	const struct sort *first = rows[kind].first;
	const struct sort *second = rows[kind].second;
	char *external = t->external;

	if (!second || second == first) {
		turn(t, first, packed, external, second ? 2 * n : n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		turn(t, first, packed, external, 1);
		packed += first->packed;
		external += first->external;
		turn(t, second, packed, external, 1);
		packed += second->packed;
		external += second->external;
	}
}

static int move_run(struct transfer *t, struct wf_kind_run run)
{
	char piece[PIECE];
	const size_t bytes = packed_bytes(run.kind);

	while (run.n) {
		size_t n = run.n < PIECE / bytes ? run.n : PIECE / bytes;

		if (t->packs)
			wf_gather(t->type, t->base, t->done, piece, n * bytes);
		if (t->packs && run.kind == WF_TYPE_WCHAR &&
		    !wide_fit(piece, n))
			return WEFT_ERR_RANGE;
		turn_kind(t, run.kind, piece, n);
		if (!t->packs)
			wf_scatter(t->type, t->base, t->done, piece, n * bytes);
		t->done += n * bytes;
		t->external += n * wf_external_bytes(run.kind);
		run.n -= n;
	}
	return WEFT_OK;
}

static int move_all(struct transfer *t, size_t count)
{
	struct wf_kind_run run;
	struct wf_kinds kinds;
	int status = wf_kinds_begin(&kinds, t->type, count);

	if (status)
		return status;
	while (!status && wf_kinds_next(&kinds, &run))
		status = move_run(t, run);
	wf_kinds_end(&kinds);
	return status;
}

int wf_external_pack(const struct weft_type *type, const void *base,
		     size_t count, char *to)
{
	struct transfer t = { type, (char *)base, 0, to, true };

	return move_all(&t, count);
}

int wf_external_unpack(const struct weft_type *type, void *base, size_t count,
		       const char *from)
{
	struct transfer t = { type, base, 0, (char *)from, false };

	return move_all(&t, count);
}
