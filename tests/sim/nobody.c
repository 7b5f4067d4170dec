/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edges of nobody, at both ends of a line of ranks: they are told in their
 * places, nothing goes along them, and what is received along them stays; also
 * in a duplicate, where the ranks have moved, and where ends are compared.
 */
#include "tests/sim/scene.h"

enum { KEPT = -7 };

/* The line zigzags, so that a reorder moves ranks; n is even. */
static int rank_at(int place, int n)
{
	if (place < 0 || place >= n)
		return WEFT_PROC_NULL;
	return place % 2 ? n / 2 + place / 2 : place / 2;
}

static int place_of(int rank, int n)
{
	return rank < n / 2 ? 2 * rank : 2 * (rank - n / 2) + 1;
}

static void find_sides(const struct weft_comm *comm, int far[2])
{
	int n = weft_comm_size(comm);
	int place = place_of(weft_comm_rank(comm), n);

	far[0] = rank_at(place - 1, n);
	far[1] = rank_at(place + 1, n);
}

static void check_told(const struct scene *s, const struct weft_comm *graph)
{
	int far[2], in[2], out[2], nin = -1, nout = -1;
	struct weft_edge_info info;

	find_sides(graph, far);
	ok(s, weft_graph_degrees(graph, &nin, &nout, NULL), "degrees");
	ok(s, weft_graph_neighbors(graph, &(struct weft_neighbors){
		2, in, NULL
	}, &(struct weft_neighbors){ 2, out, NULL }), "neighbors");
	if (nin != 2 || nout != 2 || memcmp(in, far, sizeof(far)) ||
	    memcmp(out, far, sizeof(far)))
		wf_sim_fail(s->rank, "other neighbours");
	for (int i = 0; i < 4; i++) {
		ok(s, weft_graph_edge(graph, i / 2, i % 2, &info), "edge");
		if (info.rank != far[i % 2] || info.duplicate ||
		    (info.rank == WEFT_PROC_NULL &&
		     (info.transport || info.host)))
			wf_sim_fail(s->rank, "edge %d differs", i);
	}
}

static void check_ways(const struct scene *s, const struct weft_request *req,
		       const int far[2])
{
	const char *way;

	for (int i = 0; i < 2; i++) {
		way = "?";
		ok(s, weft_neighbor_way(req, i, &way), "way");
		if (far[i] == WEFT_PROC_NULL ? way != NULL :
					       strcmp(way, "line"))
			wf_sim_fail(s->rank, "another way");
	}
}

/* Each end of an edge gets the number that the other one has for it. */
static void exchange(const struct scene *s, struct weft_comm *graph)
{
	const struct weft_type *type = &weft_type_int32;
	int32_t me = weft_comm_rank(graph);
	int32_t send[2] = { 2 * me, 2 * me + 1 }, recv[2] = { KEPT, KEPT };
	struct weft_request *req = NULL;
	int far[2];

	find_sides(graph, far);
	ok(s, weft_ineighbor_alltoall(graph, weft_part(send, 1, type),
				      weft_part(recv, 1, type), &req),
	   "exchange");
	ok(s, weft_request_wait(req), "wait");
	check_ways(s, req, far);
	ok(s, weft_request_free(&req), "free");
	for (int i = 0; i < 2; i++)
		if (recv[i] != (far[i] < 0 ? KEPT : 2 * far[i] + !i))
			wf_sim_fail(s->rank, "%d along edge %d", recv[i], i);
}

static struct weft_comm *make(const struct scene *s)
{
	struct weft_comm *graph = NULL;
	struct weft_info *info = NULL;
	struct weft_edges edges;
	int far[2];

	find_sides(s->world, far);
	edges = (struct weft_edges){ 2, far, NULL };
	ok(s, weft_info_create(s->job, &info), "info");
	ok(s, weft_info_set(info, "weft_reorder", "greedy"), "key");
	ok(s, weft_graph_create_adjacent(s->world, &edges, &edges, info, true,
					 &graph), "graph");
	ok(s, weft_info_free(&info), "info");
	return graph;
}

static void play(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *graph, *twin = NULL;
	struct weft_reorder_info info;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	graph = make(&s);
	ok(&s, weft_reorder_query(graph, &info), "query");
	if (wf_sim_size(rank) > 2 && !info.moved)
		wf_sim_fail(rank, "nobody has moved");
	check_told(&s, graph);
	exchange(&s, graph);
	ok(&s, weft_comm_dup(graph, &twin), "dup");
	ok(&s, weft_comm_free(&graph), "free");
	check_told(&s, twin);
	exchange(&s, twin);
	check_told(&s, twin);
	ok(&s, weft_comm_free(&twin), "free");
	stop(&s);
}

static void line(void)
{
	static char *compared[] = { "WEFT_CHECK=2", NULL };
	static const int sizes[] = { 2, 8, 64 };

	for (int i = 0; i < 2 * TAP_COUNT(sizes); i++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, sizes[i / 2], 1);
		options.ranks_per_node = 2;
		if (i % 2)
			options.environ = compared;
		sim_flow_run(&options, play, NULL);
	}
}

/* ---- edges that any rank gives ---- */

static void give_nobody(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), one = 1, nobody = WEFT_PROC_NULL;
	struct weft_comm *graph = NULL;
	struct scene s;
	int status;

	(void)arg;
	if (!start(&s, rank))
		return;
	status = weft_graph_create(s.world, &(struct weft_graph_edges){
		1, &me, &one, &nobody, NULL
	}, NULL, false, &graph);
	if (status != WEFT_ERR_ARG || graph ||
	    !strstr(weft_error_text(s.job), "edges->destinations[0] is -3, "
		    "the communicator has 3 ranks"))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	stop(&s);
}

static void given(void)
{
	run(3, 1, give_nobody);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the ends of a line", line },
		{ "nobody in edges that any rank gives", given }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
