/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the CPUs of a node do as the agent of a region: fetch_add and cas on a
 * word of it.  Peers on the node call it for the mapped word, the owner for
 * those elsewhere, so that all of them meet in the same instructions.
 */
#ifndef WEFT_TRANSPORT_WORD_H
#define WEFT_TRANSPORT_WORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	WF_WORD_BYTES = 8		/* also how it is aligned */
};

/* One of the two ops, as it is kept and sent. */
struct wf_word_op {
	uint64_t operand;		/* added, or stored */
	uint64_t expected;		/* of cas */
	bool is_cas;
};

static inline uint64_t wf_word_fetch_add(void *word, uint64_t add)
{
	return atomic_fetch_add_explicit((_Atomic uint64_t *)word, add,
					 memory_order_seq_cst);
}

static inline uint64_t wf_word_cas(void *word, uint64_t expected,
				   uint64_t desired)
{
	atomic_compare_exchange_strong_explicit((_Atomic uint64_t *)word,
						&expected, desired,
						memory_order_seq_cst,
						memory_order_seq_cst);
	return expected;
}

/* The old value. */
static inline uint64_t wf_word_do(void *word, const struct wf_word_op *op)
{
	return op->is_cas ? wf_word_cas(word, op->expected, op->operand) :
			    wf_word_fetch_add(word, op->operand);
}

#endif
