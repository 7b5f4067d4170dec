/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The budget of the data path: from the second exchange of a plan on, with
 * memory of the arena, no growth and a wait that spins, there is no system
 * call and no memory is allocated or freed.
 *
 * Each loop runs in a thread that has given up its system calls: a filter
 * turns them into a signal, whose handler notes them.  The main thread keeps
 * its own, to open and close the job.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "tests/mp/quiet_loop.h"
#include "tests/tap.h"

enum {
	MIB = 1 << 20
};

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/*
 * The call fails.  Else it returns its number, and a rank that has to wait for
 * a CPU takes the other one for dead: poll() would have found an event.
 */
static void fail_call(ucontext_t *context)
{
#if defined(__x86_64__)
	context->uc_mcontext.gregs[REG_RAX] = -EINTR;
#elif defined(__aarch64__)
	context->uc_mcontext.regs[0] = (unsigned long long)-EINTR;
#else
	(void)context;
#endif
}

static void on_call(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	quiet_heard(info->si_syscall, NULL);
	fail_call(context);
}

/* The calling thread: all but what its end needs comes to on_call(). */
static int give_up_calls(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	if (SANITIZED)
		return 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return errno;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return errno;
	return 0;
}

/* A wait that yields is seen: the filter works. */
static int yield(struct quiet_scene *s)
{
	(void)s;
	sched_yield();
	return WEFT_OK;
}

static int allocate(struct quiet_scene *s)
{
	s->in = malloc(s->bytes);
	free(s->in);
	return s->in ? WEFT_OK : WEFT_ERR_NOMEM;
}

static void loud_ones_are_seen(void)
{
	struct quiet_scene s = { .once = yield, .bytes = 8, .times = 3 };
	struct quiet_verdict v;

	if (SANITIZED || !quiet_listen(&s, &v))
		return;
	TAP_EQUAL(v.loud, v.judged);
	TAP_EQUAL(quiet_watch.first_call, SYS_sched_yield);
	s.once = allocate;
	if (!quiet_listen(&s, &v))
		return;
	TAP_EQUAL(v.allocations, v.judged);
	TAP_EQUAL(v.frees, v.judged);
}

struct quiet_watch quiet_watch = { .begin = give_up_calls };

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_call,
				    .sa_flags = SA_SIGINFO };

	if (sigaction(SIGSYS, &action, NULL))
		return 1;
	return quiet_main(argc, argv, loud_ones_are_seen, MIB);
}
