/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A full barrier in all processes that take part, paid by who asks for it.
 *
 * The pattern: one side stores data and then loads a flag, the other stores
 * the flag and then loads the data, and one of them must see the other.  That
 * needs a full barrier between store and load on both sides.  The frequent
 * side has a compiler barrier only; the rare side calls wf_membarrier(), which
 * makes each running thread of a process that has joined pass one.
 */
#ifndef WEFT_BASE_MEMBARRIER_H
#define WEFT_BASE_MEMBARRIER_H

#include <stdbool.h>

/* This process is among those whose threads pass it; false: it cannot be. */
bool wf_membarrier_join(void);

/* A full barrier here, and in all that have joined; false: only here. */
bool wf_membarrier(void);

#endif
