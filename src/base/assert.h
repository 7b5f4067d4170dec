/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of our own invariants.
 *
 * WF_ASSERT is for what only a bug of the library can break, never for what a
 * user passes. Without --enable-debug the expression is compiled but not
 * evaluated: it must have no side effect.
 */
#ifndef WEFT_BASE_ASSERT_H
#define WEFT_BASE_ASSERT_H

/* Writes the broken invariant to stderr and aborts. */
_Noreturn void wf_assert_failed(const char *expr, const char *file, int line);

#ifdef WF_DEBUG
#define WF_ASSERT(expr) \
	((expr) ? (void)0 : wf_assert_failed(#expr, __FILE__, __LINE__))
#else
#define WF_ASSERT(expr) ((void)sizeof(!(expr)))
#endif

#endif
