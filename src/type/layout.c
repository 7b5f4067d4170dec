/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packing and unpacking: one walk of the tree of a layout, which is compiled
 * twice.  It begins at any byte, found by divisions and by a search in each
 * list, so nobody keeps a position.
 */
#include "type/layout.h"

#include <stdint.h>
#include <string.h>

/* The packed side, and how much is to be moved still. */
struct cursor {
	char *packed;
	size_t left;
};

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS void move(char *at, char *packed, size_t n, bool packs)
{
	if (packs)
		memcpy(packed, at, n);
	else
		memcpy(at, packed, n);
}

/* As numbers: at the edges of memory a base alone may be outside of it. */
static inline char *step(char *at, ptrdiff_t by)
{
	return (char *)((uintptr_t)at + (uintptr_t)by);
}

/* n whole runs; a constant number of bytes is one instruction. */
ALWAYS void move_runs(char *at, ptrdiff_t stride, size_t bytes, size_t n,
		      char *packed, bool packs)
{
	for (size_t i = 0; i < n; i++) {
		move(at, packed, bytes, packs);
		at = step(at, stride);
		packed += bytes;
	}
}

ALWAYS void move_strided(char *at, ptrdiff_t stride, size_t bytes, size_t n,
			 char *packed, bool packs)
{
	switch (bytes) {
	case 4:
		move_runs(at, stride, 4, n, packed, packs);
		break;
	case 8:
		move_runs(at, stride, 8, n, packed, packs);
		break;
	case 16:
		move_runs(at, stride, 16, n, packed, packs);
		break;
	case 32:
		move_runs(at, stride, 32, n, packed, packs);
		break;
	case 64:
		move_runs(at, stride, 64, n, packed, packs);
		break;
	default:
		move_runs(at, stride, bytes, n, packed, packs);
	}
}

static void pack_content(const struct wf_content *of, char *base, size_t from,
			 struct cursor *c);
static void unpack_content(const struct wf_content *of, char *base,
			   size_t from, struct cursor *c);

ALWAYS void walk_part(const struct wf_content *part, char *base, size_t from,
		      struct cursor *c, bool packs)
{
	size_t n = part->bytes - from;

	if (part->layout && packs) {
		pack_content(part, base, from, c);
		return;
	}
	if (part->layout) {
		unpack_content(part, base, from, c);
		return;
	}
	n = n < c->left ? n : c->left;
	move(step(base, part->at + (ptrdiff_t)from), c->packed, n, packs);
	c->packed += n;
	c->left -= n;
}

/* Runs that are whole, up to n. */
ALWAYS size_t walk_runs(const struct wf_content *run, char *base,
			ptrdiff_t stride, size_t n, struct cursor *c,
			bool packs)
{
	size_t whole = c->left / run->bytes;

	whole = whole < n ? whole : n;
	move_strided(step(base, run->at), stride, run->bytes, whole,
		     c->packed, packs);
	c->packed += whole * run->bytes;
	c->left -= whole * run->bytes;
	return whole;
}

/* n of the same; n may be without bound, since what is left has one. */
ALWAYS void walk_same(const struct wf_elements *of, size_t n, size_t from,
		      struct cursor *c, bool packs)
{
	const struct wf_content *part = of->content;
	ptrdiff_t stride = of->extent;
	size_t i = from / part->bytes;
	size_t rest = from % part->bytes;

	while (i < n && c->left) {
		char *at = step(of->base,
				(ptrdiff_t)(i * (size_t)stride));
		size_t whole = rest || part->layout ? 0 :
			walk_runs(part, at, stride, n - i, c, packs);

		i += whole;
		if (whole)
			continue;
		walk_part(part, at, rest, c, packs);
		rest = 0;
		i++;
	}
}

/* The last part that begins at a byte or in front of it. */
static size_t find_part(const struct wf_layout *l, size_t from)
{
	size_t low = 0, high = l->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (l->before[middle] <= from)
			low = middle;
		else
			high = middle;
	}
	return low;
}

ALWAYS void walk_list(const struct wf_layout *l, char *base, size_t from,
		      struct cursor *c, bool packs)
{
	size_t i = find_part(l, from);

	from -= l->before[i];
	for (; i < l->n && c->left; i++) {
		walk_part(&l->part[i], base, from, c, packs);
		from = 0;
	}
}

ALWAYS void walk_content(const struct wf_content *of, char *base, size_t from,
			 struct cursor *c, bool packs)
{
	const struct wf_layout *l = of->layout;

	base = step(base, of->at);
	if (l->same)
		walk_same(&(struct wf_elements){ l->part, l->stride, base },
			  l->n, from, c, packs);
	else
		walk_list(l, base, from, c, packs);
}

static void pack_content(const struct wf_content *of, char *base, size_t from,
			 struct cursor *c)
{
	walk_content(of, base, from, c, true);
}

static void unpack_content(const struct wf_content *of, char *base,
			   size_t from, struct cursor *c)
{
	walk_content(of, base, from, c, false);
}

void wf_layout_pack(const struct wf_elements *of, size_t from, void *to,
		    size_t bytes)
{
	struct cursor c = { to, bytes };

	if (bytes)
		walk_same(of, SIZE_MAX, from, &c, true);
}

void wf_layout_unpack(const struct wf_elements *of, size_t from,
		      const void *data, size_t bytes)
{
	struct cursor c = { (char *)data, bytes };

	if (bytes)
		walk_same(of, SIZE_MAX, from, &c, false);
}
