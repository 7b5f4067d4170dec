/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * external32 of drawn types, four deep, against a walk of their constructors,
 * number by number: the bytes, a second call that goes on behind the first, and
 * what comes back, with its gaps as they were.
 */
#include <stdint.h>
#include <wchar.h>
#include "base/random.h"
#include "tests/sim/user_op.h"

enum {
	TYPES = 10000,
	DEEP = 4,
	MOST = 300,			/* numbers of an element */
	FIELD = 1 << 16,
	PARTS = 4
};

/* A number of so many bytes, or what the letter says. */
struct number {
	ptrdiff_t at;
	char sort;			/* 1, 2, 4, 8; wide, long double */
};

/* A type, and the same by its numbers, in their order. */
struct drawn {
	struct weft_type *made;
	const struct weft_type *type;
	size_t n;
	struct number of[MOST];
};

struct blocks {
	size_t n, count[PARTS];
	ptrdiff_t at[PARTS];
	const struct weft_type *types[PARTS];
};

struct artist {
	const struct player *p;
	struct wf_random *random;
};

static size_t below(const struct artist *a, size_t n)
{
	return (size_t)wf_random_below(a->random, n);
}

static const struct {
	const struct weft_type *type;
	size_t n;
	struct number of[2];
} basics[] = {
	{ &weft_type_char, 1, { { 0, 1 } } },
	{ &weft_type_wchar, 1, { { 0, 'w' } } },
	{ &weft_type_int16, 1, { { 0, 2 } } },
	{ &weft_type_float, 1, { { 0, 4 } } },
	{ &weft_type_double, 1, { { 0, 8 } } },
	{ &weft_type_long_double, 1, { { 0, 'q' } } },
	{ &weft_type_complex_double, 2, { { 0, 8 }, { 8, 8 } } },
	{ &weft_type_short_int, 2, { { 0, 2 }, { 4, 4 } } },
	{ &weft_type_double_int, 2, { { 0, 8 }, { 8, 4 } } },
	{ &weft_type_float_int64, 2, { { 0, 4 }, { 8, 8 } } },
	{ &weft_type_long_double_int, 2, { { 0, 'q' }, { 16, 4 } } }
};

static void add(struct drawn *to, const struct drawn *of, ptrdiff_t by)
{
	for (size_t i = 0; i < of->n && to->n < MOST; i++) {
		to->of[to->n] = of->of[i];
		to->of[to->n++].at += by;
	}
}

static void done(const struct artist *a, struct drawn *d)
{
	if (d->made)
		good(a->p, weft_type_free(&d->made), "free");
}

static void draw(const struct artist *a, struct drawn *d, int depth);

static void draw_basic(const struct artist *a, struct drawn *d)
{
	size_t i = below(a, TAP_COUNT(basics));

	*d = (struct drawn){ NULL, basics[i].type, basics[i].n, { { 0, 0 } } };
	memcpy(d->of, basics[i].of, sizeof(basics[i].of));
}

/* Elements of one: blocks with a gap, a copy, or other bounds. */
static void draw_vector(const struct artist *a, struct drawn *d, int depth)
{
	struct drawn of;
	size_t count = below(a, 4), block = below(a, 3), gap = below(a, 2);
	ptrdiff_t extent;

	draw(a, &of, depth - 1);
	if (count * block * of.n > MOST)
		count = block = 1;
	extent = weft_type_extent(of.type);
	good(a->p, weft_type_vector(a->p->job, count, block,
				    (ptrdiff_t)(block + gap), of.type,
				    &d->made), "vector");
	for (size_t i = 0; i < count * block; i++)
		add(d, &of, extent * (ptrdiff_t)(i / block * (block + gap) +
						 i % block));
	done(a, &of);
}

static void draw_like(const struct artist *a, struct drawn *d, int depth)
{
	struct drawn of;
	ptrdiff_t extent;

	draw(a, &of, depth - 1);
	extent = weft_type_extent(of.type);
	if (below(a, 2))
		good(a->p, weft_type_dup(a->p->job, of.type, &d->made), "dup");
	else
		good(a->p, weft_type_resized(a->p->job, of.type, 0,
					     extent + 24, &d->made),
		     "resized");
	add(d, &of, 0);
	done(a, &of);
}

/* Its bounds are around all: those that a part has would hide others. */
static void make_struct(const struct artist *a, struct drawn *d,
			ptrdiff_t extent, struct blocks *b)
{
	struct weft_type *plain;

	good(a->p, weft_type_struct(a->p->job, b->n, b->count, b->at, b->types,
				    &plain), "struct");
	good(a->p, weft_type_resized(a->p->job, plain, 0, extent, &d->made),
	     "resized");
	good(a->p, weft_type_free(&plain), "free");
}

/* Parts with gaps between them; the last one may come first. */
static void draw_struct(const struct artist *a, struct drawn *d, int depth)
{
	struct drawn *part = calloc(PARTS, sizeof(*part));
	struct blocks b = { .n = 1 + below(a, PARTS) };
	bool turned = below(a, 2);
	ptrdiff_t next = 0;

	for (size_t i = 0; i < b.n; i++) {
		size_t j = turned ? b.n - 1 - i : i;

		draw(a, &part[j], depth - 1);
		b.count[j] = below(a, 3);
		if (b.count[j] * part[j].n > MOST / PARTS)
			b.count[j] = part[j].n <= MOST / PARTS;
		b.types[j] = part[j].type;
		b.at[j] = next;
		next += (ptrdiff_t)b.count[j] * weft_type_extent(b.types[j]) +
			16 * (ptrdiff_t)below(a, 2);
	}
	make_struct(a, d, next, &b);
	for (size_t i = 0; i < b.n; i++) {
		for (size_t j = 0; j < b.count[i]; j++)
			add(d, &part[i], b.at[i] + (ptrdiff_t)j *
			    weft_type_extent(b.types[i]));
		done(a, &part[i]);
	}
	free(part);
}

static void draw(const struct artist *a, struct drawn *d, int depth)
{
	*d = (struct drawn){ .n = 0 };
	switch (depth ? below(a, 6) : 0) {
	case 0:
		draw_basic(a, d);
		return;
	case 1:
		draw_vector(a, d, depth);
		break;
	case 2:
		draw_like(a, d, depth);
		break;
	default:
		draw_struct(a, d, depth);
	}
	d->type = d->made;
}

/* ---- and what their bytes are ---- */

/* What lies there from now on, and its form; returns where that ends. */
static char *set_number(const struct artist *a, const struct number *is,
			char *memory, char *to)
{
	uint64_t bits = wf_random_u64(a->random);
	wchar_t wide = (wchar_t)(bits & 0xffff);
	const size_t n = (size_t)is->sort;
	long double quad = (long double)(int64_t)bits;

	if (is->sort == 'w') {
		memcpy(memory, &wide, sizeof(wide));
		*to++ = (char)(wide >> 8);
		*to++ = (char)wide;
		return to;
	}
	if (is->sort == 'q') {
		size_t at = 0;

		memset(memory, 0, sizeof(quad));
		memcpy(memory, &quad, 10);
		good(a->p, weft_pack_external(
			a->p->job, weft_part(memory, 1, &weft_type_long_double),
			to, 16, &at), "pack");
		return to + 16;
	}
	memcpy(memory, &bits, n);
	for (size_t i = 0; i < n; i++)
		to[i] = memory[n - 1 - i];
	return to + n;
}

struct field {
	char memory[FIELD], back[FIELD], want[FIELD], got[FIELD];
};

/* So many elements of it, each a call of its own or all of them one. */
static void check_drawn(const struct artist *a, const struct drawn *d,
			struct field *f)
{
	const struct player *p = a->p;
	const ptrdiff_t extent = weft_type_extent(d->type);
	size_t count = 1 + below(a, 3), at = 0, taken = 0, bytes;
	size_t first = below(a, count + 1);
	char *end = f->want;

	memset(f->memory, 0x5a, FIELD);
	memset(f->back, 0x5a, FIELD);
	for (size_t i = 0; i < count * d->n; i++) {
		const struct number *is = &d->of[i % d->n];

		end = set_number(a, is, f->memory + is->at +
				 (ptrdiff_t)(i / d->n) * extent, end);
	}
	bytes = (size_t)(end - f->want);
	good(p, weft_pack_external(p->job, weft_part(f->memory, first,
						     d->type),
				   f->got, bytes, &at), "the first ones");
	good(p, weft_pack_external(
		p->job, weft_part(f->memory + (ptrdiff_t)first * extent,
				  count - first, d->type),
		f->got, bytes, &at), "the others");
	if (at != bytes || memcmp(f->want, f->got, bytes) ||
	    weft_pack_external_size(count, d->type) != bytes)
		wf_sim_fail(p->rank, "%zu bytes for %zu, or others", at, bytes);
	good(p, weft_unpack_external(p->job, f->got, bytes, &taken,
				     weft_part(f->back, count, d->type)),
	     "unpack");
	if (taken != bytes || memcmp(f->memory, f->back, FIELD))
		wf_sim_fail(p->rank, "other elements come back, or gaps");
}

static void drawn_program(struct wf_sim_rank *rank, void *arg)
{
	struct field *f = malloc(sizeof(*f));
	struct drawn *d = malloc(sizeof(*d));
	struct wf_random random;
	struct player p;
	struct artist a = { &p, &random };

	(void)arg;
	wf_random_init(&random, 29);
	if (!enter(rank, &p))
		return;
	for (int i = 0; i < TYPES; i++) {
		draw(&a, d, DEEP);
		good(&p, weft_type_commit((struct weft_type *)d->type),
		     "commit");
		if ((size_t)weft_type_extent(d->type) < FIELD / 4 &&
		    d->n < MOST)
			check_drawn(&a, d, f);
		done(&a, d);
	}
	leave(&p);
	free(d);
	free(f);
}

static void drawn_types(void)
{
	sim_flow_seeds(1, 1, env, drawn_program, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "drawn types", drawn_types },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
