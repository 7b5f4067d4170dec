/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank for tests of joining and leaving; tests/mp/job_ends.t starts it.
 *
 *     member meet            open, meet in a barrier, close: what each returns
 *     member alloc BYTES     the same, and so much from the arena in between
 *     member fork            children try each call, the job goes on
 *     member abort R CODE    rank R aborts the job, the others wait
 *     member late MS CALL    rank 0 comes so late to the barrier or the close
 *     member close_die       rank 1 is killed in its close, 0 closes after that
 *     member connect_die     rank 1 is stopped, then killed, before it answers
 *     member bare [shut]     of descriptors 0, 1 and 2 some are closed; shut:
 *                            all of them, once the job is open
 *     member headless        the same in a second thread: the first one ended
 *
 * Exit code 1: a call failed that must not.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/mp/tells.h"

static bool given[3];		/* the standard streams */

static int meet(void)
{
	tell("barrier", weft_barrier(weft_job_world(job)));
	close_job();
	return 0;
}

static int alloc(size_t bytes)
{
	void *base = NULL;
	int status = weft_mem_alloc(job, bytes, &base);

	tell("alloc", status);
	if (!status)
		weft_mem_free(job, base);
	else if (base)
		return 1;
	return meet();
}

/* ---- fork ---- */

struct things {
	void *block;
	struct weft_mem *mem;
	char own[64];
};

static void child_calls(struct things *t)
{
	struct weft_comm *world = weft_job_world(job);
	struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *graph = NULL;
	void *base = NULL;
	struct weft_mem *mem = NULL;
	int64_t one = 1, sum = 0;

	must("progress", weft_job_progress(job), WEFT_ERR_FORKED);
	must("barrier", weft_barrier(world), WEFT_ERR_FORKED);
	must("allreduce", weft_allreduce(world, &one,
					 weft_part(&sum, 1, &weft_type_int64),
					 &weft_op_sum),
	     WEFT_ERR_FORKED);
	must("graph", weft_graph_create_adjacent(world, &none, &none, NULL,
						 false, &graph),
	     WEFT_ERR_FORKED);
	must("alloc", weft_mem_alloc(job, 8, &base), WEFT_ERR_FORKED);
	must("register", weft_mem_register(job, t->own, sizeof(t->own), &mem),
	     WEFT_ERR_FORKED);
	weft_mem_free(job, t->block);
	mem = t->mem;
	weft_mem_unregister(&mem);
	must("unregister", mem == t->mem ? WEFT_OK : WEFT_ERR_ARG, WEFT_OK);
	must("close", weft_job_close(job), WEFT_ERR_FORKED);
	must("outputs", base || graph ? WEFT_ERR_ARG : WEFT_OK, WEFT_OK);
}

/* Its exit code. */
static int child(struct things *t, int code)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		child_calls(t);
		if (code)
			weft_job_abort(job, code, "a child");
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int forks(void)
{
	struct things t = { .block = NULL };

	must("alloc", weft_mem_alloc(job, 4096, &t.block), WEFT_OK);
	must("register", weft_mem_register(job, t.own, sizeof(t.own), &t.mem),
	     WEFT_OK);
	memset(t.block, 7, 4096);
	must("barrier", weft_barrier(weft_job_world(job)), WEFT_OK);
	must("first child", child(&t, 0), 0);
	must("barrier", weft_barrier(weft_job_world(job)), WEFT_OK);
	must("second child", child(&t, 42), 42);
	must("block", ((char *)t.block)[4095], 7);
	weft_mem_unregister(&t.mem);
	weft_mem_free(job, t.block);
	return meet();
}

/* ---- ends ---- */

static int abort_job(int who, int code)
{
	if (me == who)
		weft_job_abort(job, code, "enough");
	must("barrier", weft_barrier(weft_job_world(job)), WEFT_OK);
	return meet();
}

/* Connected before, so that the others have somebody to wait for. */
static int late(int ms, const char *call)
{
	must("barrier", weft_barrier(weft_job_world(job)), WEFT_OK);
	if (!me && !strcmp(call, "barrier"))
		sleep_ms(ms);
	must("barrier", weft_barrier(weft_job_world(job)), WEFT_OK);
	if (!me)
		sleep_ms(ms);
	close_job();
	return 0;
}

/* The pid of rank 1, at all. */
static pid_t pid_of_1(void)
{
	int64_t mine = me == 1 ? getpid() : 0, pid;

	must("allreduce", weft_allreduce(weft_job_world(job), &mine,
					 weft_part(&pid, 1, &weft_type_int64),
					 &weft_op_max),
	     WEFT_OK);
	return (pid_t)pid;
}

/* By the kernel, also if it is stopped then. */
static void killed_after(int ms)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGKILL };
	struct itimerspec when = { .it_value = { 0, ms * 1000000L } };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &when, NULL))
		_exit(1);
}

static int close_die(void)
{
	pid_t victim = pid_of_1();

	if (me == 1)
		killed_after(200);
	while (!me && !kill(victim, 0))
		sleep_ms(5);
	close_job();
	return 0;
}

static int connect_die(void)
{
	if (me == 1) {
		killed_after(500);
		raise(SIGSTOP);
	}
	return meet();
}

/* ---- descriptors ---- */

/* Those that were closed are, or held by what nobody reads or writes. */
static void must_be_bare(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		int flags = fcntl(fd, F_GETFL);

		if (!given[fd] && flags >= 0 && !(flags & O_PATH))
			_exit(3 + fd);
	}
}

static void look_at_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		given[fd] = fcntl(fd, F_GETFL) >= 0;
}

static void shut_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		close(fd);
	look_at_streams();
}

static void pass_on(struct weft_comm *world)
{
	static char from[100000], to[100000];
	int n = weft_job_size(job);
	struct weft_request *req;

	must("irecv", weft_irecv(world, to, sizeof(to), &weft_type_byte,
				 weft_from((me + n - 1) % n, 0), &req),
	     WEFT_OK);
	must("send", weft_send(world, from, sizeof(from), &weft_type_byte,
			       weft_to((me + 1) % n, 0)), WEFT_OK);
	must("wait", weft_request_wait(req), WEFT_OK);
	must("free", weft_request_free(&req), WEFT_OK);
}

/* Memory that grows, first contacts, long messages, a wait that sleeps. */
static int bare(bool shut)
{
	struct weft_comm *world = weft_job_world(job);
	void *base;

	must_be_bare();
	if (shut)
		shut_streams();
	must("alloc", weft_mem_alloc(job, 1 << 24, &base), WEFT_OK);
	pass_on(world);
	if (!me)
		sleep_ms(50);
	must("barrier", weft_barrier(world), WEFT_OK);
	must_be_bare();
	weft_mem_free(job, base);
	must("close", weft_job_close(job), WEFT_OK);
	must_be_bare();
	return 0;
}

static int run(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "meet";
	int number = argc > 2 ? atoi(argv[2]) : 0;

	if (!strcmp(mode, "alloc") && argc > 2)
		return alloc(strtoull(argv[2], NULL, 0));
	if (!strcmp(mode, "fork"))
		return forks();
	if (!strcmp(mode, "abort") && argc > 3)
		return abort_job(number, atoi(argv[3]));
	if (!strcmp(mode, "late") && argc > 3)
		return late(number, argv[3]);
	if (!strcmp(mode, "close_die"))
		return close_die();
	if (!strcmp(mode, "connect_die"))
		return connect_die();
	if (!strcmp(mode, "bare"))
		return bare(argc > 2);
	return meet();
}

static int open_and_run(int argc, char **argv)
{
	int status;

	look_at_streams();
	status = weft_job_open(NULL, &job);
	if (status) {
		tell("open", status);
		return 2;
	}
	me = weft_job_rank(job);
	return run(argc, argv);
}

/* The working directory goes last of what threads share. */
static void *second(void *arg)
{
	(void)arg;
	while (!access("/proc/self/cwd", F_OK))
		sleep_ms(1);
	exit(open_and_run(2, (char *[]){ "member", "bare", NULL }));
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 2 || strcmp(argv[1], "headless"))
		return open_and_run(argc, argv);
	if (pthread_create(&thread, NULL, second, NULL))
		return 2;
	pthread_exit(NULL);
}
