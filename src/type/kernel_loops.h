/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of kernels.  For kernel_*.c alone, which include it last: what it
 * asks of the compiler is for their functions.
 *
 * The rule that keeps it correct: element i of the result depends on elements i
 * of the operands alone, in the given order, so that a loop may be vectorised
 * but never reassociated.
 */
#ifndef WEFT_TYPE_KERNEL_LOOPS_H
#define WEFT_TYPE_KERNEL_LOOPS_H

#include "type/kernel.h"
#include "type/op.h"

#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__ || \
	defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "-ffast-math, or a part of it: no two builds would have the same bits"
#endif

/*
 * gcc vectorises loops of unknown length only from -O3 on, clang from -O2 on.
 * Operands are equal or disjoint: no iteration reads what another one wrote.
 */
#if defined(__clang__)
/* What the processor has no vectors of stays as it is, without a word. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/*
 * Integers are added without a sign, because signed overflow is undefined, and
 * multiplied as unsigned int at least, since short ones would become int; what
 * is no integer is multiplied as it is.  A second operand that is not looked at
 * would be a branch, and no loop of vectors.
 */
#define SUM(wide, a, b) ((wide)(a) + (wide)(b))
#define PROD(wide, a, b) (1u * (wide)(a) * (wide)(b))
#define TIMES(wide, a, b) ((a) * (b))
#define MIN(wide, a, b) ((b) < (a) ? (b) : (a))
#define MAX(wide, a, b) ((b) > (a) ? (b) : (a))
#define LAND(wide, a, b) (((a) != 0) & ((b) != 0))
#define LOR(wide, a, b) (((a) != 0) | ((b) != 0))
#define LXOR(wide, a, b) (((a) != 0) ^ ((b) != 0))
#define BAND(wide, a, b) ((a) & (b))
#define BOR(wide, a, b) ((a) | (b))
#define BXOR(wide, a, b) ((a) ^ (b))

#define KERNEL_AS(attribute, name, type, wide, OP)                          \
	attribute                                                           \
	static void name(const void *left, const void *right, void *out,    \
			 size_t n)                                          \
	{                                                                   \
		const type *a = left, *b = right;                           \
		type *c = out;                                              \
									    \
		INDEPENDENT                                                 \
		for (size_t i = 0; i < n; i++)                              \
			c[i] = (type)OP(wide, a[i], b[i]);                  \
	}

#define KERNEL(name, type, wide, OP) KERNEL_AS(, name, type, wide, OP)

/*
 * For AVX2, too, where the processor has it: of integers alone, which have the
 * same bits by any instruction, and of operations for which the 16 bytes that
 * each x86-64 has take 1.3 times as long or more (docs/rationale.md).
 */
#ifdef WF_CLONES
#define CLONED __attribute__((target_clones("avx2", "default")))
#else
#define CLONED
#endif

#define CLONED_KERNEL(name, type, wide, OP) \
	KERNEL_AS(CLONED, name, type, wide, OP)

#endif
