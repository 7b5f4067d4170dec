/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements for neighbour reductions, and how each kind of them is combined: by
 * the library, and by a serial loop that owes it nothing.  For the sim and the
 * mp floor; public interface only.
 */
#ifndef WEFT_TESTS_COLL_FOLD_ELEMENT_H
#define WEFT_TESTS_COLL_FOLD_ELEMENT_H

#include <stddef.h>
#include <stdint.h>
#include <weft.h>

enum fold_kind {
	FOLD_INT,			/* sums that wrap */
	FOLD_DOUBLE,			/* sums whose bits tell the order */
	FOLD_MINLOC,			/* of pairs without gaps, */
	FOLD_MAXLOC,			/* and with them */
	FOLD_MIX,			/* 31 a + b: each bracket differs */
	FOLD_TEXT,			/* joined strings, with gaps; of long
					   ones the end */
	FOLD_UNIT,			/* three integers, combined at once */
	FOLD_KINDS
};

enum {
	FOLD_WIDEST = 32,		/* bytes from one element to the next */
	FOLD_UNIT_SIZE = 3
};

/* Types and operations of a job by kind, and those of them that were made. */
struct fold_elements {
	struct weft_job *job;
	const struct weft_type *type[FOLD_KINDS];
	const struct weft_op *op[FOLD_KINDS];
	struct weft_type *text;
};

int fold_elements_make(struct fold_elements *of, struct weft_job *job);
int fold_elements_free(struct fold_elements *of);

/* One like that of a kind, which the program made; NULL: predefined, status. */
int fold_op_make(struct weft_job *job, enum fold_kind kind,
		 struct weft_op **op_p);

/* Bytes from one element to the next, and those it has packed. */
size_t fold_extent(enum fold_kind kind);
size_t fold_width(enum fold_kind kind);

/* The element of a number; gaps stay as they are. */
void fold_give(enum fold_kind kind, uint64_t number, void *to);

/* The same, packed. */
void fold_give_packed(enum fold_kind kind, uint64_t number, void *to);

/* n elements as if one by one: to[i] = to[i] op from[i] */
void fold_serial(enum fold_kind kind, void *to, const void *from, size_t n);

#endif
