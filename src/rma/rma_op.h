/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on a peer's part: put, put_signal, get, fetch_add, cas.  They
 * differ in what they post (rma_put.c, rma_word.c); how an operation goes
 * on, with and without a request, is the same for all (rma_op.c).
 */
#ifndef WEFT_RMA_RMA_OP_H
#define WEFT_RMA_RMA_OP_H

#include "plan/request.h"
#include "rma/rma_link.h"

enum wf_rma_phase {
	WF_RMA_POSTING,
	WF_RMA_UNDER_WAY		/* all is posted, or it has failed */
};

struct wf_rma_op;

struct wf_rma_op_kind {
	const char *call;
	/* Posts `bytes` from `done` on. */
	int (*post)(struct wf_rma_op *op, struct wf_rloc at, size_t bytes);
	bool fetches;			/* what it brings counts when done */
	bool signals;			/* behind all bytes */
	bool word;			/* 8 aligned bytes */
	uint32_t needs;			/* of enum wf_tp_cap */
};

/* What a call asks for. */
struct wf_rma_order {
	const struct wf_rma_op_kind *kind;
	char *local;			/* source, or where it goes */
	size_t bytes;
	uint32_t number;		/* of a signal, or WF_RMA_NO_NUMBER */
	struct wf_word_op word;
};

struct wf_rma_op {
	const struct wf_rma_op_kind *kind;
	enum wf_rma_phase phase;
	bool background;		/* of a request */
	size_t offset, bytes;
	size_t done;			/* posted so far */
	char *local;
	struct wf_rma_need need;
	struct wf_rma_raiser *raiser;
	struct wf_word_op word;
	uint64_t asked;			/* number of a WORD; 0: none */
	uint64_t mark;			/* its last post; 0: none */
	struct wf_rma_wait wait;	/* last: it ends in a long text */
};

/* Carries it out.  req_p NULL: until all is posted. */
int wf_rma_do(const struct weft_target *to, const struct wf_rma_order *order,
	      struct weft_request **req_p);

#endif
