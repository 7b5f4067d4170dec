/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coroutines: functions with stacks of their own that one scheduler resumes.
 *
 * A simulated rank is one. Control goes from the scheduler into a coroutine
 * and back, never from one coroutine to another, and all of them belong to
 * one thread. Sanitizers and valgrind are told of every stack, so that they
 * work as they do without coroutines.
 */
#ifndef WEFT_TRANSPORT_SIM_CORO_H
#define WEFT_TRANSPORT_SIM_CORO_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WF_CORO_ASAN 1
#elif __has_feature(thread_sanitizer)
#define WF_CORO_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(WF_CORO_ASAN)
#define WF_CORO_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__) && !defined(WF_CORO_TSAN)
#define WF_CORO_TSAN 1
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#define WF_CORO_UCONTEXT 1
#include <ucontext.h>
#endif

/* Where one side of a switch goes on, and what the tools know of it. */
struct wf_coro_side {
#ifdef WF_CORO_UCONTEXT
	ucontext_t context;
#else
	void *sp;		/* saved registers lie above it */
#endif
	const void *stack;	/* lowest usable byte */
	size_t stack_bytes;
	void *fake;		/* of ASan while the side is not running */
	void *fiber;		/* of TSan */
};

struct wf_coro {
	struct wf_coro_side inside;
	struct wf_coro_side outside;	/* the scheduler that resumed it */
	void (*run)(void *arg);
	void *arg;
	void *map;		/* guard page and stack; NULL: the caller's */
	size_t map_bytes;
	unsigned int valgrind;	/* its number of the stack */
	bool finished;		/* run() has returned; never resume again */
};

/*
 * stack_bytes 0 is 64 KiB, four times as much in sanitizer builds. A page
 * below the stack is not accessible. WEFT_OK, WEFT_ERR_NOMEM.
 */
int wf_coro_init(struct wf_coro *coro, size_t stack_bytes,
		 void (*run)(void *arg), void *arg);

/*
 * The same on memory of the caller, without a guard page: the kernel gives a
 * process some 65530 mappings. The lowest word is a canary instead.
 */
void wf_coro_init_at(struct wf_coro *coro, void *stack, size_t stack_bytes,
		     void (*run)(void *arg), void *arg);

/* False: it has used more than its stack, and memory of others is broken. */
bool wf_coro_is_sound(const struct wf_coro *coro);

/* What stack_bytes 0 stands for. */
size_t wf_coro_stack_bytes(void);

/* Also of one that has not finished: what it holds is not given back. */
void wf_coro_fini(struct wf_coro *coro);

/* By the scheduler: run it until it suspends itself or finishes. */
void wf_coro_resume(struct wf_coro *coro);

/* By the coroutine: back to the scheduler, until resumed. */
void wf_coro_suspend(struct wf_coro *coro);

/* The end of its stack while it does not run; NULL: not known. */
static inline const void *wf_coro_frames(const struct wf_coro *coro)
{
#ifdef WF_CORO_UCONTEXT
	(void)coro;
	return NULL;
#else
	return coro->inside.sp;
#endif
}

#endif
