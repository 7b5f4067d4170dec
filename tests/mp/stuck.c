/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of tests/mp/report.t: all but rank 1 call what the first argument
 * names, and rank 1 does so only when SIGUSR2 comes; until then it calls
 * weft_job_progress(). With "threads", two threads of each rank wait at a
 * time, one in each of two communicators; with "open" it is the job that rank 1
 * opens late.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <weft.h>

static sigset_t go;

/* From each rank one message to the next one, of so many bytes. */
static int exchange(struct weft_comm *graph, size_t bytes)
{
	static char memory[2][100000];
	const ptrdiff_t displ = 0;
	const struct weft_vec send = { .base = memory[0],
		.type = &weft_type_byte, .counts = &bytes, .displs = &displ };
	const struct weft_vec recv = { .base = memory[1],
		.type = &weft_type_byte, .counts = &bytes, .displs = &displ };

	return weft_neighbor_alltoallv(graph, &send, &recv);
}

static int make_ring(struct weft_comm *world, struct weft_comm **ring_p)
{
	int me = weft_comm_rank(world), n = weft_comm_size(world);
	int next = (me + 1) % n, before = (me + n - 1) % n;
	const struct weft_edges in = { 1, &before, NULL };
	const struct weft_edges out = { 1, &next, NULL };

	return weft_graph_create_adjacent(world, &in, &out, NULL, false,
					  ring_p);
}

static void *in_barrier(void *world)
{
	if (weft_barrier(world))
		_exit(4);
	return NULL;
}

static int both(struct weft_comm *world, struct weft_comm *ring)
{
	pthread_t other;
	int status;

	if (pthread_create(&other, NULL, in_barrier, world))
		return WEFT_ERR_NOMEM;
	status = exchange(ring, 8);
	pthread_join(other, NULL);
	return status;
}

static int call(const char *what, struct weft_comm *world,
		struct weft_comm *ring)
{
	double one = 1;

	if (!strcmp(what, "exchange"))
		return exchange(ring, 8);
	if (!strcmp(what, "large"))
		return exchange(ring, 100000);
	if (!strcmp(what, "allreduce"))
		return weft_allreduce(world, WEFT_IN_PLACE,
				      weft_part(&one, 1, &weft_type_double),
				      &weft_op_sum);
	if (!strcmp(what, "barrier"))
		return weft_barrier(world);
	if (!strcmp(what, "threads"))
		return both(world, ring);
	return strcmp(what, "close") ? WEFT_ERR_ARG : WEFT_OK;
}

static int linger(struct weft_job *job)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	while (sigtimedwait(&go, NULL, &pause) < 0)
		if (weft_job_progress(job))
			return 1;
	return 0;
}

static void say_pid(void)
{
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
}

/* Rank 1, which the launcher's variable tells, is no rank that can be asked. */
static void come_late(const char *rank)
{
	sigset_t both = go;
	int number;

	say_pid();
	if (!rank || strcmp(rank, "1"))
		return;
	sigaddset(&both, SIGUSR1);
	sigprocmask(SIG_BLOCK, &both, NULL);
	sigwait(&go, &number);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	bool late = !strcmp(what, "open");
	struct weft_job_options options;
	struct weft_comm *ring;
	struct weft_job *job;

	sigemptyset(&go);
	sigaddset(&go, SIGUSR2);
	sigprocmask(SIG_BLOCK, &go, NULL);
	weft_job_options_init(&options, sizeof(options));
	options.threads = !strcmp(what, "threads");
	if (late)
		come_late(getenv("PMIX_RANK"));
	if (weft_job_open(&options, &job) ||
	    make_ring(weft_job_world(job), &ring))
		return 2;
	/* so that all know each other */
	if (exchange(ring, 8) || weft_barrier(weft_job_world(job)))
		return 2;
	if (!late)
		say_pid();
	if (!late && weft_job_rank(job) == 1 && linger(job))
		return 3;
	if (!late && call(what, weft_job_world(job), ring))
		return 4;
	return weft_comm_free(&ring) || weft_job_close(job) ? 5 : 0;
}
