/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of one rank that no neighbour reduction may take, in its three
 * forms: an error there, whose sentence names argument and value, an error at
 * who gets something of that rank, and no element changes; a prepared one is an
 * error at all.  Everything goes on behind it.
 */
#include "tests/sim/scene.h"

enum { EDGES = 2, N = 4, ARRIVE = 5, FORMS = 3 };

static const char *const calls[FORMS] = {
	"weft_neighbor_reduce", "weft_ineighbor_reduce",
	"weft_neighbor_reduce_init"
};

/* What a rank gives, good before it is spoilt: two edges to its next rank. */
struct given {
	struct scene *s;
	int32_t sent[ARRIVE], base[N];
	size_t out[EDGES], in[EDGES];
	int int_counts[EDGES];
	ptrdiff_t displs[EDGES];
	uint32_t at[ARRIVE];
	struct weft_vec send;
	struct weft_fold recv;
	const struct weft_vec *send_p;
	const struct weft_fold *recv_p;
	const struct weft_op *op;
	struct weft_op *made;
	bool nowhere;			/* no place for the request */
};

static void join(const void *in, void *inout, size_t n,
		 const struct weft_type *type, void *arg)
{
	(void)in, (void)inout, (void)n, (void)type, (void)arg;
}

static void no_send(struct given *g)
{
	g->send_p = NULL;
}

static void no_recv(struct given *g)
{
	g->recv_p = NULL;
}

static void no_op(struct given *g)
{
	g->op = NULL;
}

static void no_place(struct given *g)
{
	g->nowhere = true;
}

static void no_type(struct given *g)
{
	g->recv.type = NULL;
}

static void undefined(struct given *g)
{
	g->recv.type = &weft_type_float;
	g->op = &weft_op_band;
}

static void replace(struct given *g)
{
	g->op = &weft_op_replace;
}

static void make_op(struct given *g, size_t unit)
{
	struct weft_op_options options;

	weft_op_options_init(&options, sizeof(options));
	options.call = join;
	options.unit = unit;
	ok(g->s, weft_op_create(g->s->job, &options, &g->made), "op");
	g->op = g->made;
}

static void units(struct given *g)
{
	make_op(g, 3);
}

static void no_base(struct given *g)
{
	g->recv.base = NULL;
}

static void in_place(struct given *g)
{
	g->recv.base = (void *)WEFT_IN_PLACE;
}

static void no_counts(struct given *g)
{
	g->recv.counts = NULL;
}

static void negative(struct given *g)
{
	g->send.counts = NULL;
	g->send.int_counts = g->int_counts;
	g->int_counts[1] = -3;
}

static void index_beyond(struct given *g)
{
	g->at[3] = N;
}

static void last_index(struct given *g)
{
	g->at[ARRIVE - 1] = UINT32_MAX;
}

static void too_many(struct given *g)
{
	g->recv.at = NULL;
	g->recv.n = 2;
}

static void long_edge(struct given *g)
{
	g->in[0] = SIZE_MAX / 2;
}

static void long_edges(struct given *g)
{
	g->in[0] = g->in[1] = SIZE_MAX / 16 * 3 / 2;
}

static void many_elements(struct given *g)
{
	g->recv.n = SIZE_MAX / 2;
}

static const struct refusal {
	void (*spoil)(struct given *g);
	int status;
	const char *says;
} refusals[] = {
	{ no_send, WEFT_ERR_ARG, "send is NULL" },
	{ no_recv, WEFT_ERR_ARG, "recv is NULL" },
	{ no_op, WEFT_ERR_ARG, "op is NULL" },
	{ no_type, WEFT_ERR_ARG, "recv->type is NULL" },
	{ undefined, WEFT_ERR_ARG, "band is not defined for float" },
	{ replace, WEFT_ERR_ARG, "replace is not defined for int32" },
	{ units, WEFT_ERR_ARG, "op combines units of 3 elements, which" },
	{ no_base, WEFT_ERR_ARG, "recv->base is NULL, but has 4 elements" },
	{ in_place, WEFT_ERR_ARG, "recv->base is WEFT_IN_PLACE" },
	{ no_counts, WEFT_ERR_ARG, "recv->counts is NULL with 2 in-edges" },
	{ negative, WEFT_ERR_ARG, "send->int_counts[1] is -3, negative" },
	{ index_beyond, WEFT_ERR_RANGE,
	  "recv->at[3] is 4, of in-edge 1, but recv->n is 4" },
	{ last_index, WEFT_ERR_RANGE,
	  "recv->at[4] is 4294967295, of in-edge 1, but recv->n is 4" },
	{ too_many, WEFT_ERR_RANGE,
	  "recv->counts[1] is 3, but recv->n is 2 and recv->at is NULL" },
	{ long_edge, WEFT_ERR_RANGE, "recv->counts[0] is 9223372036854775807, "
	  "elements of 4 bytes, which exceed 2^63 bytes" },
	{ long_edges, WEFT_ERR_RANGE,
	  "the edges of recv together exceed 2^63 bytes" },
	{ many_elements, WEFT_ERR_RANGE, "recv->n is 9223372036854775807, "
	  "elements of 4 bytes, which exceed 2^63 bytes" },
	{ no_place, WEFT_ERR_ARG, "req_p is NULL" }
};

static void fill(struct given *g, struct scene *s)
{
	*g = (struct given){
		.s = s, .sent = { 1, 10, 100, 1000, 10000 },
		.base = { 5, 6, 7, 8 }, .out = { 2, 3 }, .in = { 2, 3 },
		.int_counts = { 2, 3 }, .displs = { 0, 2 },
		.at = { 2, 2, 0, 1, 2 },
		.send = { .base = g->sent, .type = &weft_type_int32,
			  .counts = g->out, .displs = g->displs },
		.recv = { g->base, N, &weft_type_int32, g->in, g->at },
		.send_p = &g->send, .recv_p = &g->recv, .op = &weft_op_sum
	};
}

static int call(const struct given *g, struct weft_comm *graph, int form,
		struct weft_request **req_p)
{
	if (g->nowhere)
		req_p = NULL;
	if (form == 0)
		return weft_neighbor_reduce(graph, g->send_p, g->recv_p, g->op);
	return (form == 1 ? weft_ineighbor_reduce : weft_neighbor_reduce_init)
	       (graph, g->send_p, g->recv_p, g->op, req_p);
}

/* What is started, is waited for. */
static int reduce(const struct given *g, struct weft_comm *graph, int form)
{
	struct weft_request *req = NULL;
	int status = call(g, graph, form, &req);

	if (status && req)
		wf_sim_fail(g->s->rank, "an error, and a request");
	if (!status && form == 2)
		status = weft_request_start(req);
	if (!status && req)
		status = weft_request_wait(req);
	ok(g->s, weft_request_free(&req), "free");
	return status;
}

static void is(const struct given *g, bool combined)
{
	static const int32_t none[] = { 5, 6, 7, 8 };
	static const int32_t all[] = { 105, 1006, 10018, 8 };

	if (memcmp(g->base, combined ? all : none, sizeof(g->base)))
		wf_sim_fail(g->s->rank, "%d %d %d %d", (int)g->base[0],
			    (int)g->base[1], (int)g->base[2], (int)g->base[3]);
}

static void says(const struct scene *s, const char *text)
{
	if (!strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "\"%s\", not \"%s\"",
			    weft_error_text(s->job), text);
}

/* By what this rank is to the odd one. */
static void refuse(struct scene *s, struct weft_comm *graph,
		   const struct refusal *r, int form)
{
	int size = wf_sim_size(s->rank), odd = size / 2;
	int me = wf_sim_rank(s->rank), status;
	bool hears = form == 2 || me == odd || me == (odd + 1) % size;
	struct given g;

	fill(&g, s);
	if (me == odd)
		r->spoil(&g);
	status = reduce(&g, graph, form);
	/* who sends to it may be done before it is refused, or hear of it */
	if (status != r->status && (hears || status))
		wf_sim_fail(s->rank, "\"%s\": %s", r->says,
			    weft_status_name(status));
	if (me == odd || form == 2) {
		says(s, r->says);
		says(s, calls[form]);
	}
	is(&g, !hears);
	ok(s, weft_op_free(&g.made), "free op");
	ok(s, weft_barrier(s->world), "barrier");
	fill(&g, s);
	ok(s, reduce(&g, graph, form), "a good one");
	is(&g, true);
}

static int make_graph(const struct scene *s, struct weft_comm **graph_p)
{
	int size = wf_sim_size(s->rank), me = wf_sim_rank(s->rank);
	const int from = (me + size - 1) % size, to = (me + 1) % size;

	return weft_graph_create_adjacent(s->world, &(struct weft_edges){
		EDGES, (int[]){ from, from }, NULL
	}, &(struct weft_edges){ EDGES, (int[]){ to, to }, NULL }, NULL, false,
					  graph_p);
}

static void refuse_all(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *graph = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, make_graph(&s, &graph), "graph");
	for (int form = 0; form < FORMS; form++)
		for (int i = 0; i < TAP_COUNT(refusals); i++)
			if (form || refusals[i].spoil != no_place)
				refuse(&s, graph, &refusals[i], form);
	ok(&s, weft_comm_free(&graph), "free");
	stop(&s);
}

static void arguments(void)
{
	static const int sizes[] = { 1, 2, 5 };

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		run(sizes[i], 1, refuse_all);
}

/* ---- what is not looked at ---- */

static void nothing(struct wf_sim_rank *rank, void *arg)
{
	static const struct weft_edges none = { 0, NULL, NULL };
	const struct weft_vec send = { .base = NULL };
	const struct weft_fold recv = { .n = 7 };
	struct weft_comm *graph = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_graph_create_adjacent(s.world, &none, &none, NULL, false,
					  &graph), "graph");
	ok(&s, weft_neighbor_reduce(graph, &send, &recv, &weft_op_sum),
	   "without edges");
	ok(&s, weft_neighbor_reduce(graph, &send, NULL, &weft_op_sum),
	   "without edges and elements");
	if (weft_neighbor_reduce(s.world, &send, &recv, &weft_op_sum) !=
	    WEFT_ERR_GRAPH)
		wf_sim_fail(rank, "a reduction over no graph");
	says(&s, "weft_neighbor_reduce: the communicator is no graph");
	ok(&s, weft_comm_free(&graph), "free");
	stop(&s);
}

static void without_edges(void)
{
	run(3, 1, nothing);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "arguments of one rank", arguments },
		{ "without edges", without_edges }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
