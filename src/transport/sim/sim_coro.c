/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coroutines of the simulator: stacks and switches.
 *
 * A switch saves the registers that a called function must keep, on x86-64
 * and aarch64 by a few instructions (swapcontext() costs a system call),
 * elsewhere by ucontext. Floating-point control words are not switched: no
 * rank changes them. A rule for all builds: leave() before and enter() after
 * every switch, both by the side that runs at that moment.
 */
#include "transport/sim/sim_coro.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <weft/status.h>

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define WF_CORO_VALGRIND 1
#endif
#endif
#ifdef WF_CORO_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef WF_CORO_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum {
	STACK_PLAIN = 64 << 10,
	STACK_SANITIZED = 4 * STACK_PLAIN
};

#define CANARY UINT64_C(0x6361726e61727921)

#if defined(__x86_64__)

/* Six registers and the return address. */
enum { FRAME_WORDS = 7, FRAME_ENTRY = 6, FRAME_ARG = 3 };

__asm__(".text\n"
	".globl wf_coro_switch\n"
	".hidden wf_coro_switch\n"
	".type wf_coro_switch, @function\n"
	"wf_coro_switch:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size wf_coro_switch, . - wf_coro_switch\n"
	".globl wf_coro_start\n"
	".hidden wf_coro_start\n"
	".type wf_coro_start, @function\n"
	"wf_coro_start:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined rip\n"	/* a debugger's walk ends here */
	"	movq %r12, %rdi\n"
	"	call wf_coro_main\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size wf_coro_start, . - wf_coro_start\n");

#elif defined(__aarch64__)

/* x19-x30 and d8-d15. */
enum { FRAME_WORDS = 20, FRAME_ENTRY = 11, FRAME_ARG = 0 };

__asm__(".text\n"
	".globl wf_coro_switch\n"
	".hidden wf_coro_switch\n"
	".type wf_coro_switch, %function\n"
	"wf_coro_switch:\n"
	"	sub sp, sp, #160\n"
	"	stp x19, x20, [sp, #0]\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n"
	"	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n"
	"	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	add sp, sp, #160\n"
	"	ret\n"
	".size wf_coro_switch, . - wf_coro_switch\n"
	".globl wf_coro_start\n"
	".hidden wf_coro_start\n"
	".type wf_coro_start, %function\n"
	"wf_coro_start:\n"
	"	mov x0, x19\n"
	"	bl wf_coro_main\n"
	"	brk #1\n"
	".size wf_coro_start, . - wf_coro_start\n");

#endif

/* Called from above only, where an optimiser of whole programs cannot see. */
__attribute__((used)) void wf_coro_main(struct wf_coro *coro);

/*
 * From stops running, to runs next. In line, because ThreadSanitizer counts
 * entries and exits of functions per fiber.
 */
static inline __attribute__((always_inline)) void
leave(struct wf_coro_side *from, struct wf_coro_side *to, bool for_ever)
{
#ifdef WF_CORO_ASAN
	__sanitizer_start_switch_fiber(for_ever ? NULL : &from->fake,
				       to->stack, to->stack_bytes);
#endif
#ifdef WF_CORO_TSAN
	__tsan_switch_to_fiber(to->fiber, 0);
#endif
	(void)from;
	(void)to;
	(void)for_ever;
}

/* self runs again; from is the side that it came from. */
static inline __attribute__((always_inline)) void
enter(struct wf_coro_side *self, struct wf_coro_side *from)
{
#ifdef WF_CORO_ASAN
	__sanitizer_finish_switch_fiber(self->fake, &from->stack,
					&from->stack_bytes);
#endif
	(void)self;
	(void)from;
}

#ifdef WF_CORO_UCONTEXT

static inline __attribute__((always_inline)) void
jump(struct wf_coro_side *from, struct wf_coro_side *to)
{
	swapcontext(&from->context, &to->context);
}

/* makecontext() passes ints; a pointer goes as two of them. */
static void entry(unsigned int high, unsigned int low)
{
	uintptr_t at = (uintptr_t)((uint64_t)high << 32 | low);

	wf_coro_main((struct wf_coro *)at);
}

static void prepare(struct wf_coro *coro)
{
	ucontext_t *context = &coro->inside.context;
	uint64_t at = (uintptr_t)coro;

	getcontext(context);
	context->uc_stack.ss_sp = (void *)coro->inside.stack;
	context->uc_stack.ss_size = coro->inside.stack_bytes;
	context->uc_link = NULL;
	makecontext(context, (void (*)(void))entry, 2,
		    (unsigned int)(at >> 32), (unsigned int)at);
}

#else

extern void wf_coro_switch(void **save, void *load);
extern void wf_coro_start(void);

static inline __attribute__((always_inline)) void
jump(struct wf_coro_side *from, struct wf_coro_side *to)
{
	wf_coro_switch(&from->sp, to->sp);
}

/* A frame as wf_coro_switch() leaves it, that returns into the entry. */
static void prepare(struct wf_coro *coro)
{
	uintptr_t top = (uintptr_t)coro->inside.stack +
			coro->inside.stack_bytes;
	uintptr_t *frame = (uintptr_t *)(top - 64) - FRAME_WORDS;

	memset(frame, 0, FRAME_WORDS * sizeof(*frame));
	frame[FRAME_ARG] = (uintptr_t)coro;
	frame[FRAME_ENTRY] = (uintptr_t)wf_coro_start;
	coro->inside.sp = frame;
}

#endif

/* First function on a coroutine's stack. */
void wf_coro_main(struct wf_coro *coro)
{
	enter(&coro->inside, &coro->outside);
	coro->run(coro->arg);
	coro->finished = true;
	leave(&coro->inside, &coro->outside, true);
	jump(&coro->inside, &coro->outside);
	__builtin_unreachable();
}

size_t wf_coro_stack_bytes(void)
{
#if defined(WF_CORO_ASAN) || defined(WF_CORO_TSAN)
	return STACK_SANITIZED;
#else
	return STACK_PLAIN;
#endif
}

static void begin(struct wf_coro *coro, void (*run)(void *arg), void *arg)
{
	coro->run = run;
	coro->arg = arg;
#ifdef WF_CORO_TSAN
	coro->inside.fiber = __tsan_create_fiber(0);
#endif
#ifdef WF_CORO_VALGRIND
	coro->valgrind = VALGRIND_STACK_REGISTER(
		coro->inside.stack,
		(char *)coro->inside.stack + coro->inside.stack_bytes);
#endif
	prepare(coro);
}

int wf_coro_init(struct wf_coro *coro, size_t stack_bytes,
		 void (*run)(void *arg), void *arg)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	memset(coro, 0, sizeof(*coro));
	if (!stack_bytes)
		stack_bytes = wf_coro_stack_bytes();
	stack_bytes = (stack_bytes + page - 1) / page * page;
	coro->map_bytes = stack_bytes + page;
	coro->map = mmap(NULL, coro->map_bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (coro->map == MAP_FAILED)
		return WEFT_ERR_NOMEM;
	if (mprotect(coro->map, page, PROT_NONE)) {
		munmap(coro->map, coro->map_bytes);
		return WEFT_ERR_NOMEM;
	}

	coro->inside.stack = (char *)coro->map + page;
	coro->inside.stack_bytes = stack_bytes;
	begin(coro, run, arg);
	return WEFT_OK;
}

void wf_coro_init_at(struct wf_coro *coro, void *stack, size_t stack_bytes,
		     void (*run)(void *arg), void *arg)
{
	memset(coro, 0, sizeof(*coro));
	*(uint64_t *)stack = CANARY;
	coro->inside.stack = stack;
	coro->inside.stack_bytes = stack_bytes;
	begin(coro, run, arg);
}

bool wf_coro_is_sound(const struct wf_coro *coro)
{
	return coro->map || *(const uint64_t *)coro->inside.stack == CANARY;
}

void wf_coro_fini(struct wf_coro *coro)
{
#ifdef WF_CORO_VALGRIND
	VALGRIND_STACK_DEREGISTER(coro->valgrind);
#endif
#ifdef WF_CORO_TSAN
	__tsan_destroy_fiber(coro->inside.fiber);
#endif
#ifdef WF_CORO_ASAN
	/* The next mapping at this address must not find our red zones. */
	ASAN_UNPOISON_MEMORY_REGION(coro->inside.stack,
				    coro->inside.stack_bytes);
#endif
	if (coro->map)
		munmap(coro->map, coro->map_bytes);
}

void wf_coro_resume(struct wf_coro *coro)
{
#ifdef WF_CORO_TSAN
	coro->outside.fiber = __tsan_get_current_fiber();
#endif
	leave(&coro->outside, &coro->inside, false);
	jump(&coro->outside, &coro->inside);
	enter(&coro->outside, &coro->inside);
}

void wf_coro_suspend(struct wf_coro *coro)
{
	leave(&coro->inside, &coro->outside, false);
	jump(&coro->inside, &coro->outside);
	enter(&coro->inside, &coro->outside);
}
