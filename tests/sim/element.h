/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All predefined types and operations, which of them belong together, and
 * values of each type that tell one bracket from another.
 */
#ifndef WEFT_TESTS_SIM_ELEMENT_H
#define WEFT_TESTS_SIM_ELEMENT_H

#include <stddef.h>
#include <weft.h>

enum {
	ELEMENT_OPS = 14,
	ELEMENT_KINDS = 31,
	ELEMENT_WIDEST = 32		/* bytes of any */
};

extern const struct weft_op *const element_ops[ELEMENT_OPS];

/* Of the operations those from one to another are defined for it. */
struct element_kind {
	const struct weft_type *type;
	int from, end;
};

extern const struct element_kind element_kinds[ELEMENT_KINDS];

/* The i-th one of a rank, with its gaps: as many bytes as the extent. */
void element_give(const struct weft_type *type, int rank, size_t i, void *to);

/* Bytes of one that have a meaning, where its others have none; else 0. */
size_t element_meant(const struct weft_type *type);

#endif
