/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of a job of two whose connection is reset while it is idle:
 *
 *     severed COMMAND FILE    rank 0 runs COMMAND, which makes FILE; then rank
 *                             1 sends to rank 0, which comes late, and waits
 *                             without anything under way
 *
 * Each hears of it while the other one lives: FILE.0 and FILE.1 say so.
 *
 * Exit code 0: what came was right, or an error named the other rank.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft.h>
#include "tests/mp/moments.h"

enum {
	WARM_MS = 1000,			/* for lifelines to greet each other */
	PATIENCE_MS = 20000,
	ROUNDS = 20
};

static struct weft_job *job;
static int me;

/* Rank 1 sends a number to rank 0. */
static int send_one(struct weft_comm *graph, int64_t number)
{
	int64_t value = me ? number : -1;
	size_t n = 1;
	ptrdiff_t displ = 0;
	struct weft_vec vec = {
		.base = &value, .type = &weft_type_int64, .counts = &n,
		.displs = &displ
	};
	int status = weft_neighbor_alltoallv(graph, &vec, &vec);

	if (!status && value != number) {
		printf("rank %d: %lld instead of %lld\n", me,
		       (long long)value, (long long)number);
		exit(1);
	}
	return status;
}

static int warm_up(struct weft_comm *world)
{
	int64_t start = now_ms(), mine, age = 0;
	int status = WEFT_OK;

	while (!status && age < WARM_MS) {
		mine = now_ms() - start;
		status = weft_allreduce(world, &mine,
					weft_part(&age, 1, &weft_type_int64),
					&weft_op_max);
	}
	return status;
}

static int await(const char *path)
{
	struct timespec pause = { 0, 10000000 };

	while (access(path, F_OK))
		nanosleep(&pause, NULL);
	return 0;
}

static int run(struct weft_comm *world, const char *command, const char *path)
{
	const int64_t number = 1000;
	int64_t value = 0;
	int other = 1 - me, status;
	struct weft_edges none = { 0 }, one = { .n = 1, .ranks = &other };
	struct weft_comm *graph;

	status = weft_graph_create_adjacent(world, me ? &none : &one,
					    me ? &one : &none, NULL, false,
					    &graph);
	for (int i = 0; !status && i < ROUNDS; i++)
		status = send_one(graph, i);
	if (!status)
		status = warm_up(world);
	if (status || (me == 0 ? system(command) : await(path)))
		return WEFT_ERR_INTERNAL;
	status = me ? weft_send(world, &number, 1, &weft_type_int64,
				weft_to(0, 0)) :
		      weft_recv(world, &value, 1, &weft_type_int64,
				weft_from(1, 0), NULL);
	if (!status && !me && value != number) {
		printf("rank 0: %lld\n", (long long)value);
		exit(1);
	}
	return status ? status : weft_barrier(world);
}

/* Neither hears of the other's end: it goes when both have heard. */
static void outlive(const char *path)
{
	int64_t end = now_ms() + PATIENCE_MS;
	char name[2][400];

	for (int i = 0; i < 2; i++)
		snprintf(name[i], sizeof(name[i]), "%s.%d", path, i);
	close(open(name[me], O_CREAT | O_WRONLY, 0600));
	while (access(name[1 - me], F_OK) && now_ms() < end)
		(void)!weft_job_progress(job);
}

int main(int argc, char **argv)
{
	int status;

	if (argc != 3 || weft_job_open(NULL, &job))
		return 2;
	me = weft_job_rank(job);
	status = run(weft_job_world(job), argv[1], argv[2]);
	printf("rank %d ended with %s: %s\n", me, weft_status_name(status),
	       status ? weft_error_text(job) : "");
	if (status && (status != WEFT_ERR_DEVICE ||
		       !strstr(weft_error_text(job), me ? "rank 0" : "rank 1")))
		return 1;
	outlive(argv[2]);
	/* It tells once more of the one that is lost. */
	return weft_job_close(job) && !status;
}
