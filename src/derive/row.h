/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the colours and keys of consecutive ranks look like, in one cache line:
 * enough to see that the ranks of a colour lie in a row, or each so many behind
 * the one before, in the order that they are to have.
 */
#ifndef WEFT_DERIVE_ROW_H
#define WEFT_DERIVE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a rank wants: to be with those of its colour, in order of keys. */
struct wf_wish {
	int32_t color;			/* WEFT_UNDEFINED: with nobody */
	int32_t key;
};

enum {
	WF_ROW_KEYS = 1,	/* keys of who has a colour never fall */
	WF_ROW_RUN_KEYS = 2,	/* nor within a run of one colour */
	WF_ROW_UP = 4,		/* colours never fall, or */
	WF_ROW_DOWN = 8,	/* never rise: each has one run */
	WF_ROW_CYCLE = 16,	/* each is the next one, or they begin anew */
	WF_ROW_DROPS = 32,	/* they do, after `top` with `bottom` */
	WF_ROW_ONE = 64		/* one has a colour, and its ranks a stride */
};

struct wf_row {
	struct wf_wish first, last;	/* keys: of the first and the last
					   who have a colour */
	int32_t ranks;
	int32_t head, tail;		/* of the first colour, of the last */
	uint32_t facts;
	int32_t top, bottom;
	int32_t only;			/* the colour of all who have one, */
	int32_t first_at, last_at;	/* in the parent */
	int32_t stride;			/* between them; 0: no two */
};

struct wf_row wf_row_of(int rank, struct wf_wish wish);

/* A kernel: rows of neighbours, the left one of the lower ranks. */
void wf_row_join(const void *left, const void *right, void *out, size_t n);

/* n ranks of the parent, from one on. */
struct wf_stride {
	int first, stride, n;
};

/*
 * Who has the colour of a rank, which stands between two rows (NULL: nobody);
 * all ranks get true, or none does.  n is 0 for one without a colour.
 */
bool wf_row_finds(int rank, struct wf_wish wish, const struct wf_row *below,
		  const struct wf_row *above, struct wf_stride *found_p);

#endif
