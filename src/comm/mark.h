/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mark of a collective call: what of it has to be alike at all ranks.  It
 * goes over the wire as it is (docs/wire.md).
 */
#ifndef WEFT_COMM_MARK_H
#define WEFT_COMM_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wf_mark_form {
	WF_MARK_BLOCKS,
	WF_MARK_ONCE,			/* goes with one that blocks, */
	WF_MARK_INIT,			/* and this one with its like only */
	WF_MARK_FORMS
};

/* In the place of bytes: each rank has its own. */
#define WF_MARK_OWN_BYTES UINT64_MAX

/* Texts end with a zero, and are cut. */
struct wf_mark {
	uint64_t order;			/* of the call, from 1 on */
	uint64_t bytes;			/* of the signature */
	uint64_t counts;		/* of all ranks: a hash; 0: none */
	int32_t root;			/* -1: none */
	uint8_t form;
	uint8_t any;			/* goes with any call */
	uint8_t op, type;		/* kinds of a reduction, from 1 on; 0:
					   nothing is told of it */
	uint8_t made;			/* the operation is the program's */
	uint8_t asks;			/* for the last mark of the receiver */
	char call[32];			/* "weft_ibcast" */
	char op_name[10];
	char type_name[20];
};

_Static_assert(sizeof(struct wf_mark) == 96, "wire");

/* Text of a mail, for people: not empty, and without what controls. */
bool wf_mark_is_text(const char *text, size_t bytes);

/* From a mail; false: it is none. */
bool wf_mark_read(struct wf_mark *mark, const void *payload, size_t bytes);

/* Two of one order: do they not go together? */
bool wf_mark_differs(const struct wf_mark *a, const struct wf_mark *b);

/* "weft_bcast (root 0, 8 bytes)" */
void wf_mark_tell(const struct wf_mark *mark, char *text, size_t bytes);

#endif
