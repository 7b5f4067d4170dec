/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The budget of the data path: from the second exchange of a plan on, with
 * memory of the arena, no growth and a wait that spins, there is no system
 * call and no memory is allocated or freed.
 *
 * Each loop runs in a thread that has given up its system calls: a filter
 * turns them into a signal, whose handler notes the first one and how many
 * there were.  The main thread keeps its own, to open and close the job.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/fail_malloc.h"
#include "tests/ranks.h"
#include "tests/tap.h"

#include <weft.h>

enum {
	RANKS = 2,
	MIB = 1 << 20,
	TOO_LONG_NS = 100000000	/* somebody else had the CPU: a wait that is
				 * twice as old may probe its peer */
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

static struct weft_job *job;

/* What the handler has seen while armed. */
static _Atomic bool armed;
static _Atomic int calls, first_call;

static void on_call(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	if (armed && !calls++)
		first_call = info->si_syscall;
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

/* One kind of operation, and what it works on. */
struct scene {
	int (*once)(struct scene *scene);
	size_t bytes;
	int warm;			/* times before it must be quiet */
	int times;
	struct weft_comm *graph;
	struct weft_request *req;
	void *in, *out;
	size_t counts[2];
	ptrdiff_t displs[2];
	struct weft_vec send, recv;
};

/* What a loop in its thread has found. */
struct verdict {
	struct scene *scene;
	int filter;			/* errno of making it */
	int failed;			/* calls of the library */
	int judged, loud;
	long allocations, frees;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void judge_one(struct verdict *v)
{
	uint64_t began = now_ns();
	int calls_before = calls;

	fail_malloc_at(0);
	armed = true;
	v->failed += v->scene->once(v->scene) != WEFT_OK;
	armed = false;
	if (now_ns() - began > TOO_LONG_NS) {
		calls = calls_before;
		return;
	}
	v->judged++;
	v->loud += calls != calls_before;
	v->allocations += fail_malloc_count();
	v->frees += fail_malloc_frees();
}

static void *loop(void *arg)
{
	struct verdict *v = arg;
	void *volatile first = malloc(1);

	/* A thread's first allocation makes its arena, by system calls. */
	free(first);
	v->filter = give_up_calls();
	for (int i = 0; i < v->scene->times; i++)
		judge_one(v);
	return NULL;
}

static void judge(struct scene *scene)
{
	struct verdict v = { .scene = scene };
	pthread_t thread;

	calls = 0;
	for (int i = 0; i < scene->warm; i++)
		TAP_EQUAL(scene->once(scene), WEFT_OK);
	if (!TAP_EQUAL(pthread_create(&thread, NULL, loop, &v), 0))
		return;
	pthread_join(thread, NULL);
	TAP_EQUAL(v.filter, 0);
	TAP_EQUAL(v.failed, 0);
	TAP_CHECK(v.judged > scene->times / 2);
	if (!TAP_EQUAL(v.loud, 0))
		tap_diag("%d system calls, the first has number %d", calls,
			 first_call);
	TAP_EQUAL(v.allocations, 0);
	TAP_EQUAL(v.frees, 0);
}

/* ---- the operations ---- */

static int blocking(struct scene *s)
{
	return weft_neighbor_alltoallv(s->graph, &s->send, &s->recv);
}

static int persistent(struct scene *s)
{
	int status = weft_request_start(s->req);

	return status ? status : weft_request_wait(s->req);
}

static int nonblocking(struct scene *s)
{
	struct weft_request *req;
	int status = weft_neighbor_alltoallv_start(s->graph, &s->send,
						   &s->recv, &req);

	if (!status)
		status = weft_request_wait(req);
	return status ? status : weft_request_free(&req);
}

static int allreduce(struct scene *s)
{
	return weft_allreduce(s->graph, s->in, s->out, s->bytes / 8,
			      &weft_type_double, &weft_op_sum);
}

static int barrier(struct scene *s)
{
	return weft_barrier(s->graph);
}

/* To the other rank and back, and along a self edge. */
static bool make_graph(struct scene *s)
{
	int me = weft_job_rank(job);
	int ranks[2] = { 1 - me, me };
	struct weft_edges edges = { 2, ranks, NULL };

	if (!TAP_EQUAL(weft_graph_create_adjacent(weft_job_world(job), &edges,
						  &edges, NULL, false,
						  &s->graph), WEFT_OK))
		return false;
	if (!TAP_EQUAL(weft_mem_alloc(job, 2 * s->bytes, &s->in), WEFT_OK) ||
	    !TAP_EQUAL(weft_mem_alloc(job, 2 * s->bytes, &s->out), WEFT_OK))
		return false;
	memset(s->in, 1, 2 * s->bytes);
	s->counts[0] = s->counts[1] = s->bytes;
	s->displs[1] = (ptrdiff_t)s->bytes;
	s->send = (struct weft_vec){ .base = s->in, .type = &weft_type_byte,
				     .counts = s->counts,
				     .displs = s->displs };
	s->recv = s->send;
	s->recv.base = s->out;
	return true;
}

static void run(int (*once)(struct scene *scene), size_t bytes, int warm)
{
	struct scene s = { .once = once, .bytes = bytes, .warm = warm,
			   .times = bytes >= MIB ? 30 : 300 };

	if (sysconf(_SC_NPROCESSORS_ONLN) < RANKS) {
		tap_skip("%d ranks on one CPU must yield", RANKS);
		return;
	}
	if (!make_graph(&s))
		return;
	if (once != persistent ||
	    TAP_EQUAL(weft_neighbor_alltoallv_init(s.graph, &s.send, &s.recv,
						   &s.req), WEFT_OK))
		judge(&s);
	TAP_EQUAL(weft_request_free(&s.req), WEFT_OK);
	TAP_EQUAL(weft_comm_free(&s.graph), WEFT_OK);
	weft_mem_free(job, s.in);
	weft_mem_free(job, s.out);
}

static void run_sizes(int (*once)(struct scene *scene), int warm)
{
	run(once, 8, warm);
	run(once, 4096, warm);
	run(once, MIB, warm);
}

static void quiet_persistent(void)
{
	run_sizes(persistent, 1);
}

static void quiet_blocking(void)
{
	run_sizes(blocking, 1);
}

static void quiet_nonblocking(void)
{
	run_sizes(nonblocking, 1);
}

/* The first four go by mail, the fifth opens the channels. */
static void quiet_allreduce(void)
{
	run_sizes(allreduce, 6);
}

static void quiet_barrier(void)
{
	run(barrier, 8, 6);
}

/* A wait that yields is seen: the filter works. */
static int yield(struct scene *s)
{
	(void)s;
	sched_yield();
	return WEFT_OK;
}

static int allocate(struct scene *s)
{
	s->in = malloc(s->bytes);
	free(s->in);
	return s->in ? WEFT_OK : WEFT_ERR_NOMEM;
}

static void loud_ones_are_seen(void)
{
	struct scene s = { .once = yield, .bytes = 8, .times = 3 };
	struct verdict v = { .scene = &s };
	pthread_t thread;

	if (SANITIZED)
		return;
	calls = 0;
	if (!TAP_EQUAL(pthread_create(&thread, NULL, loop, &v), 0))
		return;
	pthread_join(thread, NULL);
	TAP_EQUAL(v.loud, v.judged);
	TAP_EQUAL(first_call, SYS_sched_yield);
	v = (struct verdict){ .scene = &s };
	s.once = allocate;
	if (!TAP_EQUAL(pthread_create(&thread, NULL, loop, &v), 0))
		return;
	pthread_join(thread, NULL);
	TAP_EQUAL(v.allocations, v.judged);
	TAP_EQUAL(v.frees, v.judged);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "system calls and allocations are seen",
		  loud_ones_are_seen },
		{ "persistent exchanges", quiet_persistent },
		{ "blocking exchanges", quiet_blocking },
		{ "nonblocking exchanges", quiet_nonblocking },
		{ "allreduce", quiet_allreduce },
		{ "barrier", quiet_barrier }
	};
	struct sigaction action = { .sa_sigaction = on_call,
				    .sa_flags = SA_SIGINFO };
	int result;

	setenv("WEFT_SPIN", "1000000000000", 1);
	ranks_start(argc, argv, RANKS, 60);
	if (sigaction(SIGSYS, &action, NULL) || weft_job_open(NULL, &job))
		return 1;
	tap_rank(weft_job_rank(job));
	/* Off the mailbox: a rank that is ahead must not mail to a loop. */
	for (int i = 0; i < 6; i++)
		TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : result;
}
