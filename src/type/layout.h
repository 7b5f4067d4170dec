/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the bytes of an element lie in memory: a tree whose leaves are runs of
 * bytes that lie side by side.  Inside the library, and on the wire, elements
 * are packed: their bytes follow each other in the order of the constructors.
 *
 * A layout never changes, and is shared by all that are built upon it.  There
 * is none for what lies side by side, whatever it was built by.  Repetition
 * doubles the bytes at least, and lists in lists are joined at some depth: the
 * tree is never deep.
 */
#ifndef WEFT_TYPE_LAYOUT_H
#define WEFT_TYPE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct wf_layout;

/* Bytes from an offset on: side by side, or as a layout says. */
struct wf_content {
	ptrdiff_t at;
	size_t bytes;			/* packed */
	const struct wf_layout *layout;	/* NULL: side by side */
};

struct wf_layout {
	int refs;			/* 0: a constant */
	int depth;			/* of lists in lists */
	bool same;			/* part[0] n times, */
	size_t n;
	ptrdiff_t stride;		/* so many bytes apart */
	const size_t *before;		/* else, of each of n parts: the bytes
					   of those in front of it */
	const struct wf_content *part;
};

/*
 * n elements of some content, extent bytes apart, the first at base: their
 * packed bytes from `from` on, so many of them.
 */
struct wf_elements {
	const struct wf_content *content;
	ptrdiff_t extent;
	char *base;
};

void wf_layout_pack(const struct wf_elements *of, size_t from, void *to,
		    size_t bytes);
void wf_layout_unpack(const struct wf_elements *of, size_t from,
		      const void *data, size_t bytes);

/* ---- making them (layout_make.c): WEFT_ERR_NOMEM, WEFT_ERR_RANGE ---- */

/* n times the same, stride bytes apart; a new reference. */
int wf_content_repeat(const struct wf_content *of, size_t n, ptrdiff_t stride,
		      struct wf_content *content_p);

/* One behind the other, packed; the list is the caller's, and overwritten. */
int wf_content_join(struct wf_content *list, size_t n,
		    struct wf_content *content_p);

/* The same one bytes further on; a new reference. */
int wf_content_move(const struct wf_content *of, ptrdiff_t by,
		    struct wf_content *content_p);

void wf_content_drop(struct wf_content *content);

#endif
