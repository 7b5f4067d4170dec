/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted exchange|allgather|alltoall|allreduce|message|dup: a rank that is
 * alone does so 2000 times, in a function counted_..., for who counts its
 * instructions; the first three along the edges of a graph.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

enum { TIMES = 1000 };

static struct weft_job *job;
static struct weft_comm *world, *graph;
static double given = 1, got;

static void ok(int status, const char *call)
{
	if (!status)
		return;
	fprintf(stderr, "%s: %s\n", call, weft_error_text(job));
	exit(1);
}

void counted_exchange(void) __attribute__((noinline));
void counted_allgather(void) __attribute__((noinline));
void counted_alltoall(void) __attribute__((noinline));
void counted_allreduce(void) __attribute__((noinline));
void counted_message(void) __attribute__((noinline));
void counted_dup(void) __attribute__((noinline));

void counted_exchange(void)
{
	static const size_t one = 1;
	static const ptrdiff_t start;
	const struct weft_vec send = {
		.base = &given, .type = &weft_type_double, .counts = &one,
		.displs = &start
	};
	struct weft_vec recv = send;

	recv.base = &got;
	for (int i = 0; i < TIMES; i++)
		ok(weft_neighbor_alltoallv(graph, &send, &recv), "exchange");
}

void counted_allgather(void)
{
	for (int i = 0; i < TIMES; i++)
		ok(weft_neighbor_allgather(graph,
			weft_part(&given, 1, &weft_type_double),
			weft_part(&got, 1, &weft_type_double)), "allgather");
}

void counted_alltoall(void)
{
	for (int i = 0; i < TIMES; i++)
		ok(weft_neighbor_alltoall(graph,
			weft_part(&given, 1, &weft_type_double),
			weft_part(&got, 1, &weft_type_double)), "alltoall");
}

void counted_allreduce(void)
{
	for (int i = 0; i < TIMES; i++)
		ok(weft_allreduce(world, &given, weft_part(
			&got, 1, &weft_type_double), &weft_op_sum),
		   "allreduce");
}

void counted_message(void)
{
	const struct weft_type *type = &weft_type_double;
	struct weft_request *req;

	for (int i = 0; i < TIMES; i++) {
		ok(weft_irecv(world, &got, 1, type, weft_from(0, 0), &req),
		   "irecv");
		ok(weft_send(world, &given, 1, type, weft_to(0, 0)), "send");
		ok(weft_request_wait(req), "wait");
		ok(weft_request_free(&req), "free");
	}
}

void counted_dup(void)
{
	struct weft_comm *made;

	for (int i = 0; i < TIMES; i++) {
		ok(weft_comm_dup(world, &made), "dup");
		ok(weft_comm_free(&made), "free");
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "exchange", counted_exchange },
		{ "allgather", counted_allgather },
		{ "alltoall", counted_alltoall },
		{ "allreduce", counted_allreduce },
		{ "message", counted_message }, { "dup", counted_dup }
	};
	int self = 0;
	const struct weft_edges edges = { 1, &self, NULL };

	if (weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	ok(weft_graph_create_adjacent(world, &edges, &edges, NULL, false,
				      &graph), "graph");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (argc < 2 || strcmp(argv[1], all[i].name))
			continue;
		all[i].run();
		all[i].run();
	}
	ok(weft_comm_free(&graph), "free");
	return weft_job_close(job) != WEFT_OK;
}
