/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes drawn at random, of repetitions, lists and moves four deep, against
 * the offsets of their bytes one by one: bounds, packed bytes from any byte on,
 * and the shortest form of what lies side by side.
 */
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include "base/random.h"
#include "type/shape.h"

#include <stdlib.h>
#include <weft/status.h>

enum {
	SHAPES = 10000,
	MOST = 4000,			/* bytes of a shape, or little more */
	FIELD = 1 << 16,		/* of memory, elements in its middle */
	PARTS = 5
};

/* The same shape by its bytes, in their order. */
struct walk {
	size_t n;
	ptrdiff_t at[MOST + 64];
	bool empty;
};

struct drawn {
	struct wf_shape shape;
	struct walk *walk;
};

static void add(struct walk *to, const struct walk *from, ptrdiff_t by)
{
	for (size_t i = 0; i < from->n; i++)
		to->at[to->n++] = from->at[i] + by;
	to->empty &= from->empty;
}

static struct walk *new_walk(void)
{
	struct walk *walk = calloc(1, sizeof(*walk));

	walk->empty = true;
	return walk;
}

static void drop(struct drawn *d)
{
	wf_shape_drop(&d->shape);
	free(d->walk);
}

/* Bytes of 1 to 9, which lie side by side. */
static struct drawn leaf(struct wf_random *random)
{
	size_t n = 1 + wf_random_below(random, 9);
	struct drawn d = {
		{ .content.bytes = n, .ub = (ptrdiff_t)n,
		  .true_ub = (ptrdiff_t)n, .align = 1 },
		new_walk()
	};

	for (size_t i = 0; i < n; i++)
		d.walk->at[d.walk->n++] = (ptrdiff_t)i;
	d.walk->empty = false;
	return d;
}

static ptrdiff_t draw_offset(struct wf_random *random, ptrdiff_t most)
{
	return (ptrdiff_t)wf_random_below(random, 2 * (uint64_t)most + 1) -
	       most;
}

static struct drawn draw(struct wf_random *random, int depth);

/* Often as far apart as they are long, so that they touch. */
static struct drawn repeated(struct wf_random *random, int depth)
{
	struct drawn of = draw(random, depth - 1), d = { .walk = new_walk() };
	size_t n = wf_random_below(random, 6);
	ptrdiff_t stride = wf_random_below(random, 2) ?
			   (ptrdiff_t)of.walk->n : draw_offset(random, 60);

	if (n * of.walk->n > MOST)
		n = 1;
	TAP_EQUAL(wf_shape_repeat(&of.shape, n, stride, &d.shape), WEFT_OK);
	for (size_t i = 0; i < n; i++)
		add(d.walk, of.walk, (ptrdiff_t)i * stride);
	drop(&of);
	return d;
}

static struct drawn moved(struct wf_random *random, int depth)
{
	struct drawn of = draw(random, depth - 1), d = { .walk = new_walk() };
	ptrdiff_t by = draw_offset(random, 200);

	TAP_EQUAL(wf_shape_move(&of.shape, by, &d.shape), WEFT_OK);
	add(d.walk, of.walk, by);
	drop(&of);
	return d;
}

/* Parts that begin where the one before ends, or anywhere. */
static struct drawn joined(struct wf_random *random, int depth)
{
	size_t n = wf_random_below(random, PARTS + 1);
	struct drawn part[PARTS], d = { .walk = new_walk() };
	struct wf_shape shape[PARTS];
	ptrdiff_t at = draw_offset(random, 50);

	for (size_t i = 0; i < n; i++) {
		part[i] = draw(random, depth - 1);
		if (d.walk->n + part[i].walk->n > MOST) {
			drop(&part[i]);
			part[i] = leaf(random);
		}
		if (wf_random_below(random, 3) == 0)
			at = draw_offset(random, 400);
		TAP_EQUAL(wf_shape_move(&part[i].shape, at, &shape[i]),
			  WEFT_OK);
		add(d.walk, part[i].walk, at);
		at += (ptrdiff_t)part[i].walk->n;
	}
	TAP_EQUAL(wf_shape_join(shape, n, &d.shape), WEFT_OK);
	for (size_t i = 0; i < n; i++) {
		wf_shape_drop(&shape[i]);
		drop(&part[i]);
	}
	return d;
}

static struct drawn draw(struct wf_random *random, int depth)
{
	switch (depth ? wf_random_below(random, 7) : 0) {
	case 0:
		return leaf(random);
	case 1:
	case 2:
	case 3:
		return repeated(random, depth);
	case 4:
		return moved(random, depth);
	default:
		return joined(random, depth);
	}
}

/* ---- checks ---- */

static void check_bounds(const struct drawn *d)
{
	const struct walk *w = d->walk;
	ptrdiff_t low = w->n ? w->at[0] : 0, high = low - !!w->n;

	for (size_t i = 0; i < w->n; i++) {
		low = w->at[i] < low ? w->at[i] : low;
		high = w->at[i] > high ? w->at[i] : high;
	}
	TAP_EQUAL(d->shape.content.bytes, w->n);
	TAP_EQUAL(d->shape.true_lb, low);
	TAP_EQUAL(d->shape.true_ub, w->n ? high + 1 : low);
	TAP_EQUAL(d->shape.lb, low);
	TAP_EQUAL(d->shape.ub, w->n ? high + 1 : low);
	TAP_EQUAL(d->shape.empty, w->empty);
}

static void check_form(const struct drawn *d)
{
	const struct walk *w = d->walk;
	size_t i = 1;

	while (i < w->n && w->at[i] == w->at[i - 1] + 1)
		i++;
	TAP_EQUAL(!d->shape.content.layout, i >= w->n);
	if (w->n && !d->shape.content.layout)
		TAP_EQUAL(d->shape.content.at, w->at[0]);
}

static char field[FIELD], copy[FIELD], packed[4 * (MOST + 64)];

/* Elements `extent` apart: byte i of the packed ones. */
static ptrdiff_t offset_of(const struct walk *w, ptrdiff_t extent, size_t i)
{
	return (ptrdiff_t)(i / w->n) * extent + w->at[i % w->n];
}

static void check_copies(const struct drawn *d, struct wf_random *random)
{
	const struct walk *w = d->walk;
	ptrdiff_t extent = draw_offset(random, 500);
	struct wf_elements of = {
		&d->shape.content, extent, field + FIELD / 2
	};
	size_t all = 3 * w->n, from, n;

	if (!w->n)
		return;
	from = wf_random_below(random, all + 1);
	n = wf_random_below(random, all - from + 1);
	for (size_t i = 0; i < FIELD; i++)
		field[i] = (char)(i * 7 + i / 251);
	packed[n] = 'x';
	wf_layout_pack(&of, from, packed, n);
	TAP_EQUAL(packed[n], 'x');
	for (size_t i = 0; i < n; i++)
		TAP_CHECK(packed[i] ==
			  of.base[offset_of(w, extent, from + i)]);
	memcpy(copy, field, FIELD);
	for (size_t i = 0; i < n; i++) {
		packed[i] = (char)wf_random_u64(random);
		copy[FIELD / 2 + offset_of(w, extent, from + i)] = packed[i];
	}
	wf_layout_unpack(&of, from, packed, n);
	TAP_CHECK(!memcmp(copy, field, FIELD));
}

static void drawn_shapes(void)
{
	struct wf_random random;

	for (int seed = 0; seed < SHAPES; seed++) {
		struct drawn d;

		wf_random_init(&random, (uint64_t)seed);
		d = draw(&random, 4);
		check_bounds(&d);
		check_form(&d);
		check_copies(&d, &random);
		drop(&d);
	}
}

/* ---- by hand ---- */

static struct wf_shape bytes_of(size_t n)
{
	return (struct wf_shape){
		.content.bytes = n, .ub = (ptrdiff_t)n,
		.true_ub = (ptrdiff_t)n, .align = 1
	};
}

/* What was made so far, and a byte behind it. */
static void a_deep_nest(void)
{
	enum { DEPTH = 3000 };
	struct wf_shape at = bytes_of(1), byte = bytes_of(1), list[2], next;
	struct wf_elements of = { &at.content, 0, field };

	for (ptrdiff_t i = 1; i < DEPTH; i++) {
		list[0] = at;
		/* in no order that a stride has */
		TAP_EQUAL(wf_shape_move(&byte, i * 2 + i % 3 * 7000, &list[1]),
			  WEFT_OK);
		TAP_EQUAL(wf_shape_join(list, 2, &next), WEFT_OK);
		wf_shape_drop(&at);
		at = next;
		TAP_CHECK(!at.content.layout || at.content.layout->depth <= 8);
	}
	for (size_t i = 0; i < FIELD; i++)
		field[i] = (char)(i * 7 + i / 251);
	TAP_EQUAL(at.content.bytes, DEPTH);
	wf_layout_pack(&of, 0, packed, DEPTH);
	for (ptrdiff_t i = 0; i < DEPTH; i++)
		TAP_EQUAL(packed[i], field[i * 2 + i % 3 * 7000]);
	wf_shape_drop(&at);
}

static void beyond_the_numbers(void)
{
	struct wf_shape of = bytes_of(16), to, pair[2];

	TAP_EQUAL(wf_shape_repeat(&of, SIZE_MAX, 16, &to), WEFT_ERR_RANGE);
	TAP_EQUAL(wf_shape_repeat(&of, SIZE_MAX / 16, 0, &to),
		  WEFT_ERR_RANGE);
	TAP_EQUAL(wf_shape_repeat(&of, 3, PTRDIFF_MAX / 2, &to),
		  WEFT_ERR_RANGE);
	TAP_EQUAL(wf_shape_move(&of, PTRDIFF_MAX - 3, &to), WEFT_ERR_RANGE);
	TAP_EQUAL(wf_shape_repeat(&of, (size_t)PTRDIFF_MAX / 16, 16, &to),
		  WEFT_OK);
	TAP_CHECK(!to.content.layout);
	pair[0] = pair[1] = to;
	TAP_EQUAL(wf_shape_join(pair, 2, &to), WEFT_ERR_RANGE);
	pair[0] = pair[1] = of;
	TAP_EQUAL(wf_shape_move(&of, PTRDIFF_MIN, &pair[0]), WEFT_OK);
	TAP_EQUAL(wf_shape_move(&of, 1, &pair[1]), WEFT_OK);
	TAP_EQUAL(wf_shape_join(pair, 2, &to), WEFT_ERR_RANGE);
}

/* Also where the last one that uses it goes first. */
static void without_memory(void)
{
	struct wf_shape of = bytes_of(3), gap, list[3], to;
	int failed = 0;

	TAP_EQUAL(wf_shape_repeat(&of, 4, 5, &gap), WEFT_OK);
	for (int nth = 1; nth < 6; nth++) {
		int status;

		list[0] = list[2] = of;
		TAP_EQUAL(wf_shape_move(&gap, 100, &list[1]), WEFT_OK);
		fail_malloc_at(nth);
		status = wf_shape_join(list, 3, &to);
		fail_malloc_at(0);
		wf_shape_drop(&list[1]);
		failed += status == WEFT_ERR_NOMEM;
		if (!status)
			wf_shape_drop(&to);
		TAP_CHECK(!status || status == WEFT_ERR_NOMEM);
	}
	TAP_EQUAL(failed, 2);
	wf_shape_drop(&gap);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "drawn shapes against their bytes", drawn_shapes },
		{ "a deep nest is flat", a_deep_nest },
		{ "beyond the numbers", beyond_the_numbers },
		{ "without memory", without_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
