/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constants of basic datatypes: those of the library (type.c), and those that
 * have the names of MPI.
 */
#ifndef WEFT_TYPE_TYPE_BASIC_H
#define WEFT_TYPE_TYPE_BASIC_H

#include <stddef.h>

#include "type/layout.h"
#include "type/type.h"

/* An initialiser: a row of the kernels, the type of C, the name. */
#define WF_TYPE_BASIC(row, c, name_) {                          \
		.shape = {                                      \
			.content.bytes = sizeof(c),             \
			.ub = sizeof(c), .true_ub = sizeof(c),  \
			.align = _Alignof(c)                    \
		},                                              \
		.kind = WF_TYPE_##row, .dense = true,           \
		.use = WF_TYPE_ANYBODYS,                        \
		.name = name_                                   \
	}

/* Between the two of a pair, and where the second one ends. */
#define WF_PAIR_GAP(pair) \
	(offsetof(pair, index) - sizeof(((pair *)0)->value))
#define WF_PAIR_END(pair) \
	(offsetof(pair, index) + sizeof(((pair *)0)->index))

/* A value and an index, and where they lie, once for each pair of a file. */
#define WF_TYPE_PAIR_LAYOUT(tag, v, i)                                     \
	struct pair_##tag {                                                \
		v value;                                                   \
		i index;                                                   \
	};                                                                 \
	static const struct wf_content part_##tag[] = {                    \
		{ .bytes = sizeof(v) },                                    \
		{ offsetof(struct pair_##tag, index), sizeof(i), NULL }    \
	};                                                                 \
	static const size_t before_##tag[] = { 0, sizeof(v) };             \
	static const struct wf_layout layout_##tag = {                     \
		.depth = 1, .n = 2, .before = before_##tag,                \
		.part = part_##tag                                         \
	}

/* An initialiser, behind that layout. */
#define WF_TYPE_PAIR(row, tag, name_) {                                    \
		.shape = {                                                 \
			.content.bytes =                                   \
				sizeof(((struct pair_##tag *)0)->value) +  \
				sizeof(((struct pair_##tag *)0)->index),   \
			.content.layout = WF_PAIR_GAP(struct pair_##tag) ? \
					  &layout_##tag : NULL,            \
			.ub = sizeof(struct pair_##tag),                   \
			.true_ub = WF_PAIR_END(struct pair_##tag),         \
			.align = _Alignof(struct pair_##tag)               \
		},                                                         \
		.kind = WF_TYPE_##row, .use = WF_TYPE_ANYBODYS,            \
		.dense = sizeof(((struct pair_##tag *)0)->value) +         \
			 sizeof(((struct pair_##tag *)0)->index) ==        \
			 sizeof(struct pair_##tag),                        \
		.name = name_                                              \
	}

#endif
