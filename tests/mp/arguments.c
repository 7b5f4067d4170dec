/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments that no public call may take: each is refused with the status that
 * the header promises, the sentence names the argument and its value, outputs
 * stay as they were, and the next good call works.  A job of one rank, whose
 * graph has two edges to itself.
 */
#include <limits.h>
#include <stdint.h>
#include <weft.h>
#include "tests/tap.h"

/* An output that no refused call touches. */
#define POISON ((void *)0x55)

enum { EDGES = 2 };

static struct weft_job *job;
static struct weft_comm *world, *graph;

/* One call, or one way to spoil its arguments. */
struct row {
	const char *name;
	int (*call)(void);
	int status;
	const char *says;		/* a part of the sentence */
};

static void expect(const char *name, int have, int want, const char *says)
{
	const char *text = weft_error_text(job);

	if (!TAP_EQUAL(have, want) || (says && !TAP_CHECK(strstr(text, says))))
		tap_diag("%s: %s: \"%s\", expected \"%s\"", name,
			 weft_status_name(have), text, says ? says : "");
}

/* ---- what is good, and still works after each refusal ---- */

static int64_t sent[EDGES] = { 3, 4 }, received[EDGES];
static const size_t counts[EDGES] = { 1, 1 };
static const ptrdiff_t displs[EDGES] = { 0, 1 };

static struct weft_vec good_vec(void *base)
{
	return (struct weft_vec){ .base = base, .type = &weft_type_int64,
		.counts = counts, .displs = displs };
}

static void works(const char *after)
{
	struct weft_vec send = good_vec(sent), recv = good_vec(received);
	int64_t one = ++sent[0], sum = 0;
	int status = weft_neighbor_alltoallv(graph, &send, &recv);

	if (!status)
		status = weft_allreduce(world, &one,
					weft_part(&sum, 1, &weft_type_int64),
					&weft_op_sum);
	if (!TAP_EQUAL(status, WEFT_OK) || !TAP_EQUAL(received[0], sent[0]) ||
	    !TAP_EQUAL(sum, one))
		tap_diag("after %s: %s", after, weft_error_text(job));
}

static void run_rows(const struct row *row, int n)
{
	for (int i = 0; i < n; i++) {
		expect(row[i].name, row[i].call(), row[i].status, row[i].says);
		works(row[i].name);
	}
}

/* ---- edges of a new graph ---- */

static const int negative[] = { 0, -2 }, beyond[] = { 0, 0, 1 };
static const int self[] = { 0, 0 };

static int create(const struct weft_edges *in, const struct weft_edges *out)
{
	struct weft_comm *made = POISON;
	int status = weft_graph_create_adjacent(world, in, out, NULL, false,
						&made);

	TAP_CHECK(!made);
	return status;
}

static void edges(void)
{
	static const struct weft_edges none = { 0, NULL, NULL };
	static const struct {
		struct weft_edges edges;
		const char *says;	/* after the name of the argument */
	} row[] = {
		{ { -1, NULL, NULL }, "->n is -1" },
		{ { INT_MIN, self, NULL }, "->n is -2147483648" },
		{ { 2, NULL, NULL }, "->ranks is NULL with 2 edges" },
		{ { 2, negative, NULL }, "->ranks[1] is -2, the communicator "
			"has 1 ranks" },
		{ { 3, beyond, NULL }, "->ranks[2] is 1, the communicator has "
			"1 ranks" },
		{ { 2, self, negative }, "->weights[1] is -2, negative" },
	};
	char says[200];

	for (int i = 0; i < TAP_COUNT(row); i++) {
		snprintf(says, sizeof(says), "weft_graph_create_adjacent: in%s",
			 row[i].says);
		expect(says, create(&row[i].edges, &none), WEFT_ERR_ARG, says);
		snprintf(says, sizeof(says),
			 "weft_graph_create_adjacent: out%s", row[i].says);
		expect(says, create(&none, &row[i].edges), WEFT_ERR_ARG, says);
		works(says);
	}
	expect("in", create(NULL, &none), WEFT_ERR_ARG, ": in is NULL");
	expect("out", create(&none, NULL), WEFT_ERR_ARG, ": out is NULL");
	works("NULL edges");
}

/* ---- vectors: the same for all three ways to start an exchange ---- */

static const int int_counts[] = { 1, -7 }, int_displs[] = { 0, 1 };
static const size_t too_many[] = { 1, SIZE_MAX / 4 };
static const size_t half[] = { 1, (size_t)1 << 60 };
static const ptrdiff_t far[] = { 0, PTRDIFF_MAX / 4 };
static const ptrdiff_t near_end[] = { 0, PTRDIFF_MAX / 8 };

static const struct weft_type *const types[] = {
	&weft_type_byte, NULL
};

static const struct vec_row {
	struct weft_vec vec;		/* base: &sent stands for a good one */
	int status;
	const char *says;
} vec_rows[] = {
	{ { sent, NULL, NULL, counts, NULL, displs, NULL },
		WEFT_ERR_ARG, "->type is NULL" },
	{ { sent, &weft_type_int64, types, counts, NULL, displs, NULL },
		WEFT_ERR_ARG, "->types[1] is NULL" },
	{ { sent, &weft_type_int64, NULL, NULL, NULL, displs, NULL },
		WEFT_ERR_ARG, "->counts or" },
	{ { sent, &weft_type_int64, NULL, counts, int_counts, displs, NULL },
		WEFT_ERR_ARG, "->int_counts" },
	{ { sent, &weft_type_int64, NULL, counts, NULL, NULL, NULL },
		WEFT_ERR_ARG, "->displs or" },
	{ { sent, &weft_type_int64, NULL, counts, NULL, displs, int_displs },
		WEFT_ERR_ARG, "->int_displs" },
	{ { sent, &weft_type_int64, NULL, NULL, int_counts, displs, NULL },
		WEFT_ERR_ARG, "->int_counts[1] is -7, negative" },
	{ { NULL, &weft_type_int64, NULL, counts, NULL, displs, NULL },
		WEFT_ERR_ARG, "->base is NULL, edge 0 has 8 bytes" },
	{ { sent, &weft_type_int64, NULL, too_many, NULL, displs, NULL },
		WEFT_ERR_RANGE, "4611686018427387903 elements of 8 bytes" },
	{ { sent, &weft_type_int64, NULL, half, NULL, displs, NULL },
		WEFT_ERR_RANGE, "exceeds 2^63 bytes: 1152921504606846976" },
	{ { sent, &weft_type_int64, NULL, counts, NULL, far, NULL },
		WEFT_ERR_RANGE, "at displacement 2305843009213693951" },
	{ { sent, &weft_type_int64, NULL, counts, NULL, near_end, NULL },
		WEFT_ERR_RANGE, "at displacement 1152921504606846975" },
};

enum way { BLOCKING, STARTED, PREPARED, WAYS };

static int exchange(enum way way, const struct weft_vec *send,
		    const struct weft_vec *recv)
{
	struct weft_request *req = POISON;
	int status;

	if (way == BLOCKING)
		return weft_neighbor_alltoallv(graph, send, recv);
	if (way == STARTED)
		status = weft_ineighbor_alltoallv(graph, send, recv,
						  &req);
	else
		status = weft_neighbor_alltoallv_init(graph, send, recv, &req);
	TAP_CHECK(!req);
	return status;
}

static void spoil(enum way way, const struct vec_row *row, bool spoil_send)
{
	static const char *const call[] = {
		"weft_neighbor_alltoallv: ", "weft_ineighbor_alltoallv: ",
		"weft_neighbor_alltoallv_init: "
	};
	const char *name = spoil_send ? "send" : "recv";
	struct weft_vec good = good_vec(received);

	expect(row->says, exchange(way, spoil_send ? &row->vec : &good,
				   spoil_send ? &good : &row->vec),
	       row->status, row->says);
	TAP_CHECK(!strncmp(weft_error_text(job), call[way],
			   strlen(call[way])));
	TAP_CHECK(strstr(weft_error_text(job), name));
	works(row->says);
}

static void vectors(void)
{
	struct weft_vec good = good_vec(received);

	for (enum way way = 0; way < WAYS; way++) {
		for (int i = 0; i < TAP_COUNT(vec_rows); i++) {
			spoil(way, &vec_rows[i], true);
			spoil(way, &vec_rows[i], false);
		}
		expect("send", exchange(way, NULL, &good), WEFT_ERR_ARG,
		       ": send is NULL");
		expect("recv", exchange(way, &good, NULL), WEFT_ERR_ARG,
		       ": recv is NULL");
		works("NULL vectors");
	}
}

/* ---- handles and outputs of graphs and communicators ---- */

static int graph_no_comm(void)
{
	struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *made = POISON;
	int status = weft_graph_create_adjacent(NULL, &none, &none, NULL,
						false, &made);

	TAP_CHECK(!made);
	return status;
}

static int graph_no_place(void)
{
	struct weft_edges none = { 0, NULL, NULL };

	return weft_graph_create_adjacent(world, &none, &none, NULL, false,
					  NULL);
}

static int graph_info(void)
{
	struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *made = POISON;
	struct weft_info *info = NULL;
	int status;

	TAP_EQUAL(weft_info_create(NULL, &info), WEFT_OK);
	TAP_EQUAL(weft_info_set(info, "weft_reorder_refine", "many"), WEFT_OK);
	status = weft_graph_create_adjacent(world, &none, &none, info, false,
					    &made);
	TAP_CHECK(!made);
	TAP_EQUAL(weft_info_free(&info), WEFT_OK);
	return status;
}

static int degrees_no_comm(void)
{
	int n = -5, status = weft_graph_degrees(NULL, &n, &n, NULL);

	TAP_EQUAL(n, -5);
	return status;
}

static int degrees_no_graph(void)
{
	int n = -5, status = weft_graph_degrees(world, &n, &n, NULL);

	TAP_EQUAL(n, -5);
	return status;
}

static int neighbors_no_graph(void)
{
	return weft_graph_neighbors(world, NULL, NULL);
}

static int neighbors_below(void)
{
	const struct weft_neighbors none = { -1, NULL, NULL };
	int status = weft_graph_neighbors(graph, NULL, &none);

	return weft_graph_neighbors(graph, NULL, NULL) ? WEFT_OK : status;
}

static int kind_no_comm(void)
{
	enum weft_topo kind;

	return weft_topo_kind(NULL, &kind);
}

static int kind_no_place(void)
{
	return weft_topo_kind(graph, NULL);
}

static int edge(const struct weft_comm *comm, bool out, int i)
{
	struct weft_edge_info info = { .rank = -5, .host = POISON };
	int status = weft_graph_edge(comm, out, i, &info);

	TAP_EQUAL(info.rank, -5);
	TAP_CHECK(info.host == POISON);
	return status;
}

static int edge_no_comm(void) { return edge(NULL, true, 0); }
static int edge_no_graph(void) { return edge(world, true, 0); }
static int edge_below(void) { return edge(graph, true, -1); }
static int edge_beyond(void) { return edge(graph, false, EDGES); }
static int edge_no_place(void) { return weft_graph_edge(graph, true, 0, NULL); }

/* Of an exchange that was never started, of one that is none, of none. */
static int way(const struct weft_request *req, int i)
{
	const char *way = POISON;
	int status = weft_neighbor_way(req, i, &way);

	TAP_CHECK(way == POISON);
	return status;
}

static int way_no_request(void) { return way(NULL, 0); }

static int way_of(int i, bool place)
{
	struct weft_vec out = good_vec(sent), in = good_vec(received);
	struct weft_request *req;
	int status;

	TAP_EQUAL(weft_neighbor_alltoallv_init(graph, &out, &in, &req),
		  WEFT_OK);
	status = place ? way(req, i) : weft_neighbor_way(req, i, NULL);
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	return status;
}

static int way_below(void) { return way_of(-1, true); }
static int way_beyond(void) { return way_of(EDGES, true); }
static int way_no_place(void) { return way_of(0, false); }

static int free_nothing(void) { return weft_comm_free(NULL); }

static int free_null(void)
{
	struct weft_comm *none = NULL;

	return weft_comm_free(&none);
}

static int free_world(void)
{
	struct weft_comm *comm = world;
	int status = weft_comm_free(&comm);

	TAP_CHECK(comm == world);
	return status;
}

static int neighbor_no_comm(void)
{
	struct weft_vec v = good_vec(sent);
	struct weft_request *req = POISON;

	TAP_EQUAL(weft_ineighbor_alltoallv(NULL, &v, &v, &req),
		  WEFT_ERR_ARG);
	TAP_EQUAL(weft_neighbor_alltoallv_init(NULL, &v, &v, &req),
		  WEFT_ERR_ARG);
	TAP_CHECK(!req);
	return weft_neighbor_alltoallv(NULL, &v, &v);
}

static int neighbor_no_graph(void)
{
	struct weft_vec v = good_vec(sent);

	return weft_neighbor_alltoallv(world, &v, &v);
}

static int start_no_graph(void)
{
	struct weft_vec v = good_vec(sent);
	struct weft_request *req;

	return weft_ineighbor_alltoallv(world, &v, &v, &req);
}

static int init_no_graph(void)
{
	struct weft_vec v = good_vec(sent);
	struct weft_request *req;

	return weft_neighbor_alltoallv_init(world, &v, &v, &req);
}

static int start_no_place(void)
{
	struct weft_vec v = good_vec(sent), w = good_vec(received);

	return weft_ineighbor_alltoallv(graph, &v, &w, NULL);
}

static int init_no_place(void)
{
	struct weft_vec v = good_vec(sent), w = good_vec(received);

	return weft_neighbor_alltoallv_init(graph, &v, &w, NULL);
}

static void handles(void)
{
	static const struct row row[] = {
		{ "graph of NULL", graph_no_comm, WEFT_ERR_ARG, NULL },
		{ "graph to NULL", graph_no_place, WEFT_ERR_ARG,
			"weft_graph_create_adjacent: graph_p is NULL" },
		{ "graph info", graph_info, WEFT_ERR_ARG,
			"weft_graph_create_adjacent: weft_reorder_refine is "
			"\"many\" in info at rank 0, expected a number" },
		{ "degrees of NULL", degrees_no_comm, WEFT_ERR_ARG, NULL },
		{ "degrees of world", degrees_no_graph, WEFT_ERR_GRAPH,
			"weft_graph_degrees: the communicator is no graph" },
		{ "neighbours of world", neighbors_no_graph, WEFT_ERR_GRAPH,
			"weft_graph_neighbors: the communicator is no graph" },
		{ "neighbours -1", neighbors_below, WEFT_ERR_ARG,
			"weft_graph_neighbors: out->max is -1" },
		{ "kind of NULL", kind_no_comm, WEFT_ERR_ARG, NULL },
		{ "kind to NULL", kind_no_place, WEFT_ERR_ARG,
			"weft_topo_kind: kind_p is NULL" },
		{ "edge of NULL", edge_no_comm, WEFT_ERR_ARG, NULL },
		{ "edge of world", edge_no_graph, WEFT_ERR_GRAPH,
			"weft_graph_edge: the communicator is no graph" },
		{ "edge -1", edge_below, WEFT_ERR_RANGE,
			"i is -1, rank 0 has 2 out-edges" },
		{ "edge n", edge_beyond, WEFT_ERR_RANGE,
			"i is 2, rank 0 has 2 in-edges" },
		{ "edge to NULL", edge_no_place, WEFT_ERR_ARG,
			"weft_graph_edge: info_p is NULL" },
		{ "way of NULL", way_no_request, WEFT_ERR_ARG, NULL },
		{ "way of edge -1", way_below, WEFT_ERR_RANGE,
			"weft_neighbor_way: i is -1, rank 0 has 2 in-edges" },
		{ "way of edge n", way_beyond, WEFT_ERR_RANGE,
			"i is 2, rank 0 has 2 in-edges" },
		{ "way to NULL", way_no_place, WEFT_ERR_ARG,
			"weft_neighbor_way: way_p is NULL" },
		{ "free nothing", free_nothing, WEFT_ERR_ARG, NULL },
		{ "free NULL", free_null, WEFT_OK, NULL },
		{ "free the world", free_world, WEFT_ERR_ARG,
			"weft_comm_free: the world" },
		{ "exchange on NULL", neighbor_no_comm, WEFT_ERR_ARG, NULL },
		{ "exchange on world", neighbor_no_graph, WEFT_ERR_GRAPH,
			"weft_neighbor_alltoallv: the communicator is no" },
		{ "start on world", start_no_graph, WEFT_ERR_GRAPH,
			"weft_ineighbor_alltoallv: the communicator is no" },
		{ "init on world", init_no_graph, WEFT_ERR_GRAPH,
			"_init: the communicator is no graph" },
		{ "start to NULL", start_no_place, WEFT_ERR_ARG,
			"weft_ineighbor_alltoallv: req_p is NULL" },
		{ "init to NULL", init_no_place, WEFT_ERR_ARG,
			"weft_neighbor_alltoallv_init: req_p is NULL" },
	};

	run_rows(row, TAP_COUNT(row));
}

/* ---- reductions ---- */

static int reduce(const void *in, void *out, size_t n,
		  const struct weft_type *type, const struct weft_op *op)
{
	return weft_allreduce(world, in, weft_part(out, n, type), op);
}

static void reductions(void)
{
	const struct weft_type *i64 = &weft_type_int64;
	const struct weft_op *sum = &weft_op_sum;
	int64_t x = 1, y = 77;

	expect("comm", weft_allreduce(NULL, &x, weft_part(&y, 1, i64),
				      sum), WEFT_ERR_ARG,
	       NULL);
	expect("barrier", weft_barrier(NULL), WEFT_ERR_ARG, NULL);
	expect("in", reduce(NULL, &y, 3, i64, sum), WEFT_ERR_ARG,
	       "weft_allreduce: in is NULL with 3 elements");
	expect("out", reduce(&x, NULL, 3, i64, sum), WEFT_ERR_ARG,
	       "weft_allreduce: out.base is NULL with 3 elements");
	expect("in place of NULL", reduce(WEFT_IN_PLACE, NULL, 3, i64, sum),
	       WEFT_ERR_ARG, "out.base is NULL with 3 elements");
	expect("out in place", reduce(&x, (void *)WEFT_IN_PLACE, 1, i64, sum),
	       WEFT_ERR_ARG, "out.base is WEFT_IN_PLACE");
	expect("type", reduce(&x, &y, 1, NULL, sum), WEFT_ERR_ARG,
	       "weft_allreduce: out.type is NULL");
	expect("op", reduce(&x, &y, 1, i64, NULL), WEFT_ERR_ARG,
	       "weft_allreduce: op is NULL");
	expect("bytes", reduce(&x, &y, 1, &weft_type_byte, sum), WEFT_ERR_ARG,
	       "sum is not defined for byte");
	expect("chars", reduce(&x, &y, 1, &weft_type_char, &weft_op_max),
	       WEFT_ERR_ARG, "max is not defined for char");
	expect("2^66", reduce(&x, &y, SIZE_MAX / 4, i64, sum), WEFT_ERR_RANGE,
	       "4611686018427387903 elements of 8 bytes exceed 2^63");
	expect("2^63", reduce(&x, &y, (size_t)1 << 60, i64, sum),
	       WEFT_ERR_RANGE, "1152921504606846976 elements of 8 bytes");
	TAP_EQUAL(y, 77);
	TAP_EQUAL(reduce(NULL, NULL, 0, i64, sum), WEFT_OK);
	works("refused reductions");
}

/* ---- the job of one rank ---- */

static int open_scene(void)
{
	static const struct weft_edges edges = { EDGES, self, NULL };
	int status = weft_job_open(NULL, &job);

	if (status)
		return status;
	world = weft_job_world(job);
	return weft_graph_create_adjacent(world, &edges, &edges, NULL, false,
					  &graph);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "edges of a graph", edges },
		{ "vectors of an exchange", vectors },
		{ "handles and outputs", handles },
		{ "reductions", reductions },
	};
	int failed;

	if (setenv("WEFT_BOOT", "solo", 1) || open_scene())
		return 1;
	failed = tap_run(argc, argv, cases, TAP_COUNT(cases));
	if (weft_comm_free(&graph) || weft_job_close(job))
		return 1;
	return failed;
}
