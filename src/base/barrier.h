/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What C11 atomics do not say.
 *
 * Order between CPUs is written with C11 atomics and explicit orders, each
 * with a comment at its partner; nothing of that is here. Order between a CPU
 * and a device gets a named barrier here, with its two observers, together
 * with the first backend that has such a device.
 */
#ifndef WEFT_BASE_BARRIER_H
#define WEFT_BASE_BARRIER_H

/*
 * Between two looks at memory that somebody else will change: tells the core
 * that this is a spin loop. It orders nothing.
 */
static inline void wf_cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("isb" ::: "memory");
#else
	__asm__ __volatile__("" ::: "memory");
#endif
}

#endif
