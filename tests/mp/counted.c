/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted exchange|allgather|alltoall|allreduce|message|dup|dist|dist_reduce: a
 * rank that is alone does so 2000 times, in a function counted_..., for who
 * counts its instructions; the first three along the edges of a graph, the last
 * two 64 bytes along a Dist.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

enum { TIMES = 1000, ITEMS = 8 };

static struct weft_job *job;
static struct weft_comm *world, *graph;
static struct weft_dist *along;
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
void counted_dist(void) __attribute__((noinline));
void counted_dist_reduce(void) __attribute__((noinline));

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

void counted_dist(void)
{
	double out[ITEMS] = { 1 }, in[ITEMS];

	for (int i = 0; i < TIMES; i++)
		ok(weft_dist_exch(along, &(struct weft_packets){
			out, ITEMS, 1, &weft_type_double
		}, &(struct weft_packets){
			in, ITEMS, 1, &weft_type_double
		}), "exch");
}

void counted_dist_reduce(void)
{
	double out[ITEMS] = { 1 }, in[ITEMS / 2];

	for (int i = 0; i < TIMES; i++)
		ok(weft_dist_exch_reduce(along, &(struct weft_packets){
			out, ITEMS, 1, &weft_type_double
		}, &weft_op_sum, &(struct weft_packets){
			in, ITEMS / 2, 1, &weft_type_double
		}), "exch_reduce");
}

/*
 * Two items for each root, which are not in its order.  Only where it is
 * counted: others would look at its collectives first.
 */
static void make_dist(void)
{
	struct weft_remote dests[ITEMS];

	for (int i = 0; i < ITEMS; i++)
		dests[i] = (struct weft_remote){ 0, i * 3 % (ITEMS / 2) };
	ok(weft_dist_create(world, dests, ITEMS, ITEMS / 2, &along), "create");
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
		{ "message", counted_message }, { "dup", counted_dup },
		{ "dist", counted_dist }, { "dist_reduce", counted_dist_reduce }
	};
	int self = 0;
	const struct weft_edges edges = { 1, &self, NULL };

	if (weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	ok(weft_graph_create_adjacent(world, &edges, &edges, NULL, false,
				      &graph), "graph");
	if (argc > 1 && !strncmp(argv[1], "dist", 4))
		make_dist();
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (argc < 2 || strcmp(argv[1], all[i].name))
			continue;
		all[i].run();
		all[i].run();
	}
	ok(weft_comm_free(&graph), "free");
	if (along)
		ok(weft_dist_free(&along), "free");
	return weft_job_close(job) != WEFT_OK;
}
