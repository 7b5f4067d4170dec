/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank for tests of those that have never met; tests/mp/strangers.t starts
 * it.  FILE is how they wait for each other without meeting.
 *
 *     stranger left FILE     rank 0 closes its job and ends, then 1 sends to it
 *     stranger stays FILE    it does not end; 1 has received from anybody, too
 *     stranger anybody MS    all receive from anybody, in a ring that rank 0
 *                            begins so late
 *     stranger dead FILE     rank 2 is killed, rank 1 calls nothing, rank 0
 *                            receives from anybody
 *     stranger part MS       the upper half of the ranks closes their jobs at
 *                            once, the lower half waits so long for anybody
 *     stranger survive WHEN  the same, but they wait for good, and the last
 *                            rank is killed: watched, when those that wait
 *                            look at it by the network, else at once
 *     stranger files MS      rank 0 has no descriptor left, or
 *     stranger space MS      no address space, for so long after it has begun
 *                            to send; 0: for good.  Rank 1 receives
 *
 * Exit code 1: a call failed that must not.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "tests/mp/tells.h"

static struct weft_comm *world;
static int size;

static void tell_failed(void)
{
	const int *failed;
	int n;

	must("failed", weft_job_failed(job, &failed, &n), WEFT_OK);
	printf("rank %d knows of %d dead\n", me, n);
}

/* ---- by a file that holds a pid ---- */

static void write_pid(const char *file)
{
	char name[256];
	FILE *to;

	snprintf(name, sizeof(name), "%s.new", file);
	to = fopen(name, "w");
	if (!to || fprintf(to, "%d\n", (int)getpid()) < 0 || fclose(to) ||
	    rename(name, file))
		exit(2);
}

static pid_t await_pid(const char *file)
{
	int pid = 0;
	FILE *from;

	while (!(from = fopen(file, "r")))
		sleep_ms(1);
	if (fscanf(from, "%d", &pid) != 1)
		exit(2);
	fclose(from);
	return pid;
}

static int send_to(int rank)
{
	return weft_send(world, &me, 1, &weft_type_int32, weft_to(rank, 0));
}

static int receive(void)
{
	int32_t number;

	return weft_recv(world, &number, 1, &weft_type_int32,
			 weft_from(WEFT_ANY_SOURCE, 0), NULL);
}

/* ---- what they do ---- */

static void left(const char *file)
{
	pid_t pid;

	if (me == 0) {
		write_pid(file);
		close_job();
		return;
	}
	pid = await_pid(file);
	while (!kill(pid, 0))
		sleep_ms(1);
	tell("send", send_to(0));
	tell_failed();
	close_job();
}

/* For longer than who waits for it needs to look at it. */
static void receive_for(int ms)
{
	struct weft_request *request;
	int32_t number;
	bool done;

	must("irecv", weft_irecv(world, &number, 1, &weft_type_int32,
				 weft_from(WEFT_ANY_SOURCE, 0), &request),
	     WEFT_OK);
	for (int i = 0; i < ms; i++) {
		must("test", weft_request_test(request, &done), WEFT_OK);
		sleep_ms(1);
	}
	must("send", send_to(me), WEFT_OK);
	must("wait", weft_request_wait(request), WEFT_OK);
	must("free", weft_request_free(&request), WEFT_OK);
}

static void stays(const char *file)
{
	if (me == 0) {
		close_job();
		write_pid(file);
		while (!access(file, F_OK))
			sleep_ms(1);
		return;
	}
	await_pid(file);
	receive_for(700);
	tell("send", send_to(0));
	tell_failed();
	close_job();
	unlink(file);
}

static void anybody(int ms)
{
	if (me == 0)
		sleep_ms(ms);
	else
		must("recv", receive(), WEFT_OK);
	must("send", send_to((me + 1) % size), WEFT_OK);
	if (me == 0)
		must("recv", receive(), WEFT_OK);
	close_job();
}

static void dead(const char *file)
{
	if (me == 2)
		raise(SIGKILL);
	if (me == 1) {
		await_pid(file);
	} else {
		tell("recv", receive());
		write_pid(file);
	}
	tell_failed();
	close_job();
}

/* ---- half of them go ---- */

static int count_sockets(void)
{
	char name[64], to[64];
	int n = 0;

	for (int fd = 0; fd < 200; fd++) {
		ssize_t length;

		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		length = readlink(name, to, sizeof(to));
		n += length > 7 && !memcmp(to, "socket:", 7);
	}
	return n;
}

static void part(int ms)
{
	if (me < size / 2)
		receive_for(ms);
	tell_failed();
	close_job();
}

/* Each of those that wait has a connection to it then. */
static void await_watchers(void)
{
	int before = count_sockets();

	while (count_sockets() < before + size / 2) {
		(void)!weft_job_progress(job);
		sleep_ms(1);
	}
}

static void survive(const char *when)
{
	if (me == size - 1) {
		if (!strcmp(when, "watched"))
			await_watchers();
		raise(SIGKILL);
	}
	if (me < size / 2)
		tell("recv", receive());
	tell_failed();
	close_job();
}

/* ---- a limit ---- */

/* The next one that is opened would have this number. */
static rlim_t next_file(void)
{
	int fd = dup(0);

	close(fd);
	return (rlim_t)fd;
}

/* What is mapped, and some for the heap: less than a segment. */
static rlim_t used_space(void)
{
	FILE *from = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!from || fscanf(from, "%lu", &pages) != 1)
		exit(2);
	fclose(from);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (32 << 20);
}

/* Calls go on; what is lacking is met, if it is. */
static void test_for_ms(struct weft_request *req, int ms)
{
	bool done = false;

	for (int i = 0; i < ms; i++) {
		must("test", weft_request_test(req, &done), WEFT_OK);
		sleep_ms(1);
	}
	printf("rank %d has sent meanwhile: %s\n", me, done ? "yes" : "no");
}

static void send_by_limit(int resource, rlim_t limit, int ms)
{
	struct weft_request *req;
	struct rlimit old, less;

	if (getrlimit(resource, &old))
		exit(2);
	less = old;
	less.rlim_cur = limit;
	if (setrlimit(resource, &less))
		exit(2);
	must("issend", weft_issend(world, &me, 1, &weft_type_int32,
				   weft_to(1, 0), &req), WEFT_OK);
	if (ms)
		test_for_ms(req, ms);
	if (ms && setrlimit(resource, &old))
		exit(2);
	tell("send", weft_request_wait(req));
	must("free", weft_request_free(&req), WEFT_OK);
	setrlimit(resource, &old);
}

static void lacking(const char *which, int ms)
{
	if (me == 1)
		tell("recv", receive());
	else if (!strcmp(which, "files"))
		send_by_limit(RLIMIT_NOFILE, next_file(), ms);
	else
		send_by_limit(RLIMIT_AS, used_space(), ms);
	close_job();
}

int main(int argc, char **argv)
{
	if (argc < 3 || weft_job_open(NULL, &job))
		return 2;
	me = weft_job_rank(job);
	size = weft_job_size(job);
	world = weft_job_world(job);
	if (!strcmp(argv[1], "left"))
		left(argv[2]);
	else if (!strcmp(argv[1], "stays"))
		stays(argv[2]);
	else if (!strcmp(argv[1], "anybody"))
		anybody(atoi(argv[2]));
	else if (!strcmp(argv[1], "dead"))
		dead(argv[2]);
	else if (!strcmp(argv[1], "part"))
		part(atoi(argv[2]));
	else if (!strcmp(argv[1], "survive"))
		survive(argv[2]);
	else
		lacking(argv[1], atoi(argv[2]));
	return 0;
}
