/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derived datatypes drawn at random, four constructors deep, against a walk
 * that places each byte of each element by the words of the standard: bounds,
 * packed bytes from any one on, and the recipe.
 */
#include "tests/sim/user_op.h"

#include <limits.h>
#include "base/random.h"
#include "type/element.h"
#include "type/type_made.h"

enum {
	TYPES = 10000,
	MOST = 3000,			/* bytes of an element, */
	ENTRIES = 6,			/* blocks of a constructor, */
	FIELD = 1 << 20,		/* and of memory around them */
	AROUND = 64			/* bytes that are looked at, too */
};

/* An element by its bytes, in their order. */
struct walk {
	size_t n;
	ptrdiff_t lb, ub;
	size_t align;
	bool none, sets;		/* no entry; bounds were set */
	ptrdiff_t at[MOST];
};

struct drawn {
	struct weft_type *type;		/* NULL: a basic one */
	const struct weft_type *handle;
	struct walk *walk;
};

static char field[FIELD], copy[FIELD], packed[3 * MOST];

/* ---- the walk ---- */

static struct walk *new_walk(void)
{
	struct walk *w = calloc(1, sizeof(*w));

	w->none = true;
	w->align = 1;
	return w;
}

static ptrdiff_t extent_of(const struct walk *w)
{
	return w->ub - w->lb;
}

/* One element more, with its bounds, which hide others if they were set. */
static void add(struct walk *to, const struct walk *one, ptrdiff_t by)
{
	ptrdiff_t lb = one->lb + by, ub = one->ub + by;

	for (size_t i = 0; i < one->n; i++)
		to->at[to->n++] = one->at[i] + by;
	if (one->none)
		return;
	if (to->none || (one->sets && !to->sets)) {
		to->lb = lb;
		to->ub = ub;
	} else if (one->sets == to->sets) {
		to->lb = lb < to->lb ? lb : to->lb;
		to->ub = ub > to->ub ? ub : to->ub;
	}
	to->none = false;
	to->sets |= one->sets;
	to->align = one->align > to->align ? one->align : to->align;
}

static void add_block(struct walk *to, const struct walk *one, size_t count,
		      ptrdiff_t by)
{
	for (size_t i = 0; i < count; i++)
		add(to, one, by + (ptrdiff_t)i * extent_of(one));
}

static void drop_drawn(const struct player *p, struct drawn *d)
{
	good(p, weft_type_free(&d->type), "free");
	free(d->walk);
}

/* ---- drawing ---- */

static const struct weft_type *const basic[] = {
	&weft_type_byte, &weft_type_int16, &weft_type_int32, &weft_type_double,
	&weft_type_short_int, &weft_type_double_int, &weft_type_int128
};

static struct drawn draw_basic(struct wf_random *random)
{
	const struct weft_type *type = basic[wf_random_below(
		random, TAP_COUNT(basic))];
	struct drawn d = { NULL, type, new_walk() };
	struct walk *w = d.walk;

	w->none = false;
	w->ub = weft_type_extent(type);
	w->align = type->shape.align;
	for (ptrdiff_t i = 0; i < w->ub; i++) {
		bool gap = type == &weft_type_short_int ? i == 2 || i == 3 :
			   type == &weft_type_double_int && i >= 12;

		if (!gap)
			w->at[w->n++] = i;
	}
	return d;
}

static ptrdiff_t draw_offset(struct wf_random *random, int most)
{
	return (ptrdiff_t)wf_random_below(random, 2 * (uint64_t)most + 1) -
	       most;
}

/* So that all blocks have room; rarely none. */
static size_t draw_count(struct wf_random *random, const struct walk *of,
			 size_t blocks)
{
	size_t most = of->n ? MOST / blocks / of->n : 5;

	if (!most || wf_random_below(random, 12) == 0)
		return 0;
	return 1 + wf_random_below(random, most < 4 ? most : 4);
}

/* The arguments of a list. */
struct list {
	size_t n, block[ENTRIES];
	ptrdiff_t displs[ENTRIES];
};

static struct list draw_list(struct wf_random *random, const struct walk *of,
			     bool in_extents)
{
	struct list l = { .n = wf_random_below(random, ENTRIES) };
	ptrdiff_t at = 0;

	for (size_t i = 0; i < l.n; i++) {
		l.block[i] = draw_count(random, of, ENTRIES);
		if (wf_random_below(random, 3) == 0)
			at = draw_offset(random, in_extents ? 6 : 300);
		l.displs[i] = at;
		at += in_extents ? (ptrdiff_t)l.block[i] :
				   (ptrdiff_t)l.block[i] * extent_of(of);
	}
	return l;
}

static struct drawn draw(const struct player *p, struct wf_random *random,
			 int depth);

static void check_recipe(const struct player *p, const struct weft_type *type,
			 enum weft_combiner combiner, const struct list *l,
			 const struct weft_type *of)
{
	size_t sizes[ENTRIES + 1];
	ptrdiff_t displs[ENTRIES + 1];
	struct weft_type *types[1];
	struct weft_type_contents room = { sizes, displs, types };
	struct weft_type_recipe is;

	good(p, weft_type_get_recipe(type, &is), "recipe");
	good(p, weft_type_get_contents(type, &room), "contents");
	if (is.combiner != combiner || is.nsizes != l->n + 1 ||
	    is.ndispls != l->n || is.ntypes != 1 || sizes[0] != l->n ||
	    memcmp(sizes + 1, l->block, l->n * sizeof(size_t)) ||
	    memcmp(displs, l->displs, l->n * sizeof(ptrdiff_t)))
		wf_sim_fail(p->rank, "another recipe");
	if (!of->made ? types[0] != of :
	    memcmp(&types[0]->shape, &of->shape, sizeof(of->shape)))
		wf_sim_fail(p->rank, "a recipe of another type");
	if (of->made)
		good(p, weft_type_free(&types[0]), "free");
}

static struct drawn indexed(const struct player *p, struct wf_random *random,
			    struct drawn *of)
{
	bool in_extents = wf_random_below(random, 2);
	struct list l = draw_list(random, of->walk, in_extents);
	struct drawn d = { .walk = new_walk() };

	for (size_t i = 0; i < l.n; i++)
		add_block(d.walk, of->walk, l.block[i], in_extents ?
			  l.displs[i] * extent_of(of->walk) : l.displs[i]);
	good(p, (in_extents ? weft_type_indexed : weft_type_hindexed)(
		     p->job, l.n, l.block, l.displs, of->handle, &d.type),
	     "indexed");
	check_recipe(p, d.type, in_extents ? WEFT_COMBINER_INDEXED :
		     WEFT_COMBINER_HINDEXED, &l, of->handle);
	return d;
}

static struct drawn equal_blocks(const struct player *p,
				 struct wf_random *random, struct drawn *of)
{
	bool in_extents = wf_random_below(random, 2);
	struct list l = draw_list(random, of->walk, in_extents);
	size_t block = draw_count(random, of->walk, ENTRIES);
	struct drawn d = { .walk = new_walk() };

	for (size_t i = 0; i < l.n; i++)
		add_block(d.walk, of->walk, block, in_extents ?
			  l.displs[i] * extent_of(of->walk) : l.displs[i]);
	good(p, (in_extents ? weft_type_indexed_block :
			      weft_type_hindexed_block)(
		     p->job, l.n, block, l.displs, of->handle, &d.type),
	     "indexed_block");
	return d;
}

static struct drawn vector(const struct player *p, struct wf_random *random,
			   struct drawn *of)
{
	bool in_extents = wf_random_below(random, 2);
	size_t count = draw_count(random, of->walk, 3);
	size_t block = draw_count(random, of->walk, 4 * 3);
	ptrdiff_t stride = draw_offset(random, in_extents ? 5 : 200);
	struct drawn d = { .walk = new_walk() };

	if (wf_random_below(random, 3) == 0)
		stride = in_extents ? (ptrdiff_t)block :
			 (ptrdiff_t)block * extent_of(of->walk);
	for (size_t i = 0; i < count; i++)
		add_block(d.walk, of->walk, block, (ptrdiff_t)i * stride *
			  (in_extents ? extent_of(of->walk) : 1));
	good(p, (in_extents ? weft_type_vector : weft_type_hvector)(
		     p->job, count, block, stride, of->handle, &d.type),
	     "vector");
	return d;
}

static struct drawn contiguous(const struct player *p,
			       struct wf_random *random, struct drawn *of)
{
	size_t count = draw_count(random, of->walk, 1);
	struct drawn d = { .walk = new_walk() };

	add_block(d.walk, of->walk, count, 0);
	good(p, weft_type_contiguous(p->job, count, of->handle, &d.type),
	     "contiguous");
	return d;
}

static struct drawn resized(const struct player *p, struct wf_random *random,
			    struct drawn *of)
{
	ptrdiff_t lb = draw_offset(random, 20);
	ptrdiff_t extent = draw_offset(random, 200);
	struct drawn d = { .walk = new_walk() };

	add(d.walk, of->walk, 0);
	d.walk->lb = lb;
	d.walk->ub = lb + extent;
	d.walk->sets = true;
	d.walk->none = false;
	good(p, weft_type_resized(p->job, of->handle, lb, extent, &d.type),
	     "resized");
	return d;
}

static struct drawn duplicate(const struct player *p, struct drawn *of)
{
	struct drawn d = { .walk = new_walk() };

	memcpy(d.walk, of->walk, sizeof(*d.walk));
	good(p, weft_type_dup(p->job, of->handle, &d.type), "dup");
	return d;
}

/* Of several, whose extent is rounded up. */
static struct drawn structure(const struct player *p,
			      struct wf_random *random, int depth)
{
	struct list l = { .n = wf_random_below(random, ENTRIES) };
	const struct weft_type *types[ENTRIES];
	struct drawn part[ENTRIES], d = { .walk = new_walk() };
	struct walk *w = d.walk;

	for (size_t i = 0; i < l.n; i++) {
		part[i] = draw(p, random, depth - 1);
		l.block[i] = draw_count(random, part[i].walk, ENTRIES);
		l.displs[i] = wf_random_below(random, 2) ? w->ub :
			      draw_offset(random, 300);
		types[i] = part[i].handle;
		add_block(w, part[i].walk, l.block[i], l.displs[i]);
	}
	while (!w->sets && extent_of(w) % (ptrdiff_t)w->align)
		w->ub++;
	good(p, weft_type_struct(p->job, l.n, l.block, l.displs, types,
				 &d.type), "struct");
	for (size_t i = 0; i < l.n; i++)
		drop_drawn(p, &part[i]);
	return d;
}

static struct drawn derive(const struct player *p, struct wf_random *random,
			   struct drawn *of)
{
	switch (wf_random_below(random, 8)) {
	case 0:
		return indexed(p, random, of);
	case 1:
		return equal_blocks(p, random, of);
	case 2:
		return contiguous(p, random, of);
	case 3:
		return resized(p, random, of);
	case 4:
		return duplicate(p, of);
	default:
		return vector(p, random, of);
	}
}

/* What it is made of is freed at once. */
static struct drawn draw(const struct player *p, struct wf_random *random,
			 int depth)
{
	struct drawn of, d;

	if (!depth)
		return draw_basic(random);
	if (wf_random_below(random, 4) == 0) {
		d = structure(p, random, depth);
	} else {
		of = draw(p, random, depth - 1);
		d = derive(p, random, &of);
		drop_drawn(p, &of);
	}
	d.handle = d.type;
	return d;
}

/* ---- checks ---- */

static void check_bounds(const struct player *p, const struct drawn *d,
			 uint64_t seed)
{
	struct weft_bounds b = weft_type_bounds(d->handle);
	const struct walk *w = d->walk;
	ptrdiff_t low = w->n ? w->at[0] : 0, high = low - !!w->n;

	for (size_t i = 0; i < w->n; i++) {
		low = w->at[i] < low ? w->at[i] : low;
		high = w->at[i] > high ? w->at[i] : high;
	}
	if (weft_type_size(d->handle) != w->n || b.lb != w->lb ||
	    b.ub != w->ub || weft_type_extent(d->handle) != extent_of(w))
		wf_sim_fail(p->rank, "type %d: %zu bytes, [%td, %td), not %zu, "
			    "[%td, %td)", (int)seed, weft_type_size(d->handle),
			    b.lb, b.ub, w->n, w->lb, w->ub);
	else if (w->n && (b.true_lb != low || b.true_ub != high + 1))
		wf_sim_fail(p->rank, "type %d: true bounds", (int)seed);
}

/* Dense ones are those whose bytes follow each other, element by element. */
static void check_dense(const struct player *p, const struct drawn *d,
			uint64_t seed)
{
	const struct walk *w = d->walk;
	bool dense = extent_of(w) == (ptrdiff_t)w->n;

	for (size_t i = 0; i < w->n; i++)
		dense &= w->at[i] == (ptrdiff_t)i;
	if (dense != d->handle->dense)
		wf_sim_fail(p->rank, "type %d: dense", (int)seed);
}

static ptrdiff_t place(const struct walk *w, size_t i)
{
	return (ptrdiff_t)(i / w->n) * extent_of(w) + w->at[i % w->n];
}

/* Where three elements lie in the field; false: beyond it. */
static bool find_span(const struct walk *w, size_t *from_p, size_t *bytes_p)
{
	ptrdiff_t low = 0, high = 0;

	for (size_t i = 0; i < 3 * w->n; i++) {
		ptrdiff_t at = place(w, i);

		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	*from_p = (size_t)(FIELD / 2 + low - AROUND);
	*bytes_p = (size_t)(high - low + 2 * AROUND);
	return low > AROUND - FIELD / 2 && high < FIELD / 2 - AROUND;
}

static void check_copies(const struct player *p, const struct drawn *d,
			 struct wf_random *random, uint64_t seed)
{
	const struct walk *w = d->walk;
	char *base = field + FIELD / 2;
	size_t all = 3 * w->n, from, n, first, bytes;

	if (!w->n || !find_span(w, &first, &bytes))
		return;
	from = wf_random_below(random, all + 1);
	n = wf_random_below(random, all - from + 1);
	wf_gather(d->handle, base, from, packed, n);
	for (size_t i = 0; i < n; i++)
		if (packed[i] != base[place(w, from + i)]) {
			wf_sim_fail(p->rank, "type %d: pack", (int)seed);
			return;
		}
	for (size_t i = 0; i < n; i++) {
		packed[i] = (char)(packed[i] + 1 + (char)i);
		copy[FIELD / 2 + place(w, from + i)] = packed[i];
	}
	wf_scatter(d->handle, base, from, packed, n);
	if (memcmp(field + first, copy + first, bytes))
		wf_sim_fail(p->rank, "type %d: unpack", (int)seed);
}

static void drawn_program(struct wf_sim_rank *rank, void *arg)
{
	struct wf_random random;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (size_t i = 0; i < FIELD; i++)
		field[i] = copy[i] = (char)(i * 7 + i / 251);
	for (uint64_t seed = 0; seed < TYPES; seed++) {
		struct drawn d;

		wf_random_init(&random, seed);
		d = draw(&p, &random, 1 + (int)(seed % 4));
		check_bounds(&p, &d, seed);
		check_dense(&p, &d, seed);
		check_copies(&p, &d, &random, seed);
		drop_drawn(&p, &d);
	}
	leave(&p);
}

static void drawn_types(void)
{
	sim_flow_seeds(1, 1, env, drawn_program, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "drawn types against their bytes", drawn_types },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
