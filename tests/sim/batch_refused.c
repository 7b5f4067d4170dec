/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A batch that one rank cannot make, for its arguments or for memory: no rank
 * has it, all hear of it, and the next one is made.
 */
#include <weft/coll.h>

#include "tests/sim/lacking.h"

enum {
	FIELDS = 3,
	EDGES = 2			/* to oneself, and to the right */
};

/* Of each field one element along each edge. */
struct given {
	int64_t out[FIELDS][EDGES], in[FIELDS][EDGES];
	struct weft_vec send_vec[FIELDS], recv_vec[FIELDS];
	const struct weft_vec *send[FIELDS], *recv[FIELDS];
	int n;
	const struct weft_vec *const *send_p, *const *recv_p;
	bool nowhere;			/* no place for the request */
};

struct refusal {
	void (*spoil)(struct given *g);
	int status;
	const char *says;
};

static void negative_n(struct given *g)
{
	g->n = -2;
}

static void no_send(struct given *g)
{
	g->send_p = NULL;
}

static void no_recv(struct given *g)
{
	g->recv_p = NULL;
}

static void no_field(struct given *g)
{
	g->recv[1] = NULL;
}

static void only_field_missing(struct given *g)
{
	g->n = 1;
	g->send[0] = NULL;
}

static void only_field_bad(struct given *g)
{
	g->n = 1;
	g->recv_vec[0].counts = NULL;
}

static void no_counts(struct given *g)
{
	g->send_vec[2].counts = NULL;
}

static void both_displs(struct given *g)
{
	static const int displs[EDGES];

	g->recv_vec[1].int_displs = displs;
}

static void negative_count(struct given *g)
{
	static const int counts[EDGES] = { 1, -5 };

	g->recv_vec[2].counts = NULL;
	g->recv_vec[2].int_counts = counts;
}

static void no_base(struct given *g)
{
	g->send_vec[0].base = NULL;
}

static void in_place(struct given *g)
{
	g->recv_vec[1].base = (void *)WEFT_IN_PLACE;
}

static void no_type(struct given *g)
{
	g->send_vec[2].type = NULL;
}

static void no_type_of_edge(struct given *g)
{
	static const struct weft_type *const types[EDGES] = {
		&weft_type_int64, NULL
	};

	g->send_vec[1].types = types;
}

static void huge(struct given *g)
{
	static const size_t counts[EDGES] = { SIZE_MAX / 4, 1 };

	g->recv_vec[0].counts = counts;
}

/* No field is: of all together 2^64 bytes and some. */
static void huge_together(struct given *g)
{
	static const size_t counts[EDGES] = { 1, ((size_t)1 << 60) - 1 };
	static const ptrdiff_t displs[EDGES];

	for (int f = 0; f < FIELDS; f++) {
		g->send_vec[f].counts = counts;
		g->send_vec[f].displs = displs;
	}
}

static void no_place(struct given *g)
{
	g->nowhere = true;
}

static const struct refusal refusals[] = {
	{ negative_n, WEFT_ERR_ARG, "n is -2, negative" },
	{ no_send, WEFT_ERR_ARG, "send is NULL with 3 fields" },
	{ no_recv, WEFT_ERR_ARG, "recv is NULL with 3 fields" },
	{ no_field, WEFT_ERR_ARG, "recv[1] is NULL" },
	{ only_field_missing, WEFT_ERR_ARG, "send[0] is NULL" },
	{ only_field_bad, WEFT_ERR_ARG, "set either recv[0]->counts" },
	{ no_counts, WEFT_ERR_ARG,
	  "set either send[2]->counts or send[2]->int_counts" },
	{ both_displs, WEFT_ERR_ARG,
	  "set either recv[1]->displs or recv[1]->int_displs" },
	{ negative_count, WEFT_ERR_ARG,
	  "recv[2]->int_counts[1] is -5, negative" },
	{ no_base, WEFT_ERR_ARG,
	  "send[0]->base is NULL, edge 0 has 8 bytes" },
	{ in_place, WEFT_ERR_ARG, "recv[1]->base is WEFT_IN_PLACE" },
	{ no_type, WEFT_ERR_ARG, "send[2]->type" },
	{ no_type_of_edge, WEFT_ERR_ARG, "send[1]->types[1]" },
	{ huge, WEFT_ERR_RANGE, "edge 0 of recv[0] exceeds 2^63 bytes" },
	{ huge_together, WEFT_ERR_RANGE,
	  "the edges of send together exceed 2^63 bytes" },
	{ no_place, WEFT_ERR_ARG, "req_p is NULL" }
};

static int64_t value(int rank, int field, int edge)
{
	return (rank * FIELDS + field) * EDGES + edge + 1;
}

static void fill(struct given *g, int me)
{
	static const size_t counts[EDGES] = { 1, 1 };
	static const ptrdiff_t displs[EDGES] = { 0, 1 };

	*g = (struct given){
		.n = FIELDS, .send_p = g->send, .recv_p = g->recv
	};
	for (int f = 0; f < FIELDS; f++) {
		for (int e = 0; e < EDGES; e++)
			g->out[f][e] = value(me, f, e);
		g->send_vec[f] = (struct weft_vec){
			.base = g->out[f], .type = &weft_type_int64,
			.counts = counts, .displs = displs
		};
		g->recv_vec[f] = g->send_vec[f];
		g->recv_vec[f].base = g->in[f];
		g->send[f] = &g->send_vec[f];
		g->recv[f] = &g->recv_vec[f];
	}
}

static int init(struct weft_comm *graph, const struct given *g,
		struct weft_request **req_p)
{
	return weft_exchange_batch_init(graph, g->n, g->send_p, g->recv_p,
					g->nowhere ? NULL : req_p);
}

static void exchange(const struct scene *s, struct given *g,
		     struct weft_request *req)
{
	int size = wf_sim_size(s->rank), me = wf_sim_rank(s->rank);
	int left = (me + size - 1) % size;

	ok(s, weft_request_start(req), "start");
	ok(s, weft_request_wait(req), "wait");
	for (int f = 0; f < FIELDS; f++)
		if (g->in[f][0] != value(me, f, 0) ||
		    g->in[f][1] != value(left, f, 1))
			wf_sim_fail(s->rank, "field %d", f);
}

static void a_good_one(const struct scene *s, struct weft_comm *graph)
{
	struct weft_request *req = NULL;
	struct given g;

	fill(&g, wf_sim_rank(s->rank));
	ok(s, init(graph, &g, &req), "a good one");
	exchange(s, &g, req);
	ok(s, weft_request_free(&req), "free");
}

static struct weft_comm *make_graph(const struct scene *s)
{
	int size = wf_sim_size(s->rank), me = wf_sim_rank(s->rank);
	const int from[EDGES] = { me, (me + size - 1) % size };
	const int to[EDGES] = { me, (me + 1) % size };
	struct weft_edges in = { EDGES, from, NULL }, out = { EDGES, to, NULL };
	struct weft_comm *graph = NULL;

	ok(s, weft_graph_create_adjacent(s->world, &in, &out, NULL, false,
					 &graph), "graph");
	return graph;
}

/* ---- arguments ---- */

static void says(const struct scene *s, const char *text)
{
	if (!strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "\"%s\", not \"%s\"",
			    weft_error_text(s->job), text);
}

/* At the rank in the middle. */
static void refuse(const struct scene *s, struct weft_comm *graph,
		   const struct refusal *r)
{
	int odd = wf_sim_size(s->rank) / 2, me = wf_sim_rank(s->rank);
	struct weft_request *req = NULL;
	struct given g;
	char text[60];
	int status;

	fill(&g, me);
	if (me == odd)
		r->spoil(&g);
	status = init(graph, &g, &req);
	if (req || status != r->status)
		wf_sim_fail(s->rank, "%s: %s", r->says,
			    weft_status_name(status));
	says(s, "weft_exchange_batch_init: ");
	says(s, r->says);
	snprintf(text, sizeof(text), "rank %d of the communicator: ", odd);
	if (me != odd)
		says(s, text);
	a_good_one(s, graph);
}

static void refuse_all(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	struct weft_comm *graph;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	graph = make_graph(&s);
	for (int i = 0; i < TAP_COUNT(refusals); i++)
		refuse(&s, graph, &refusals[i]);
	if (weft_exchange_batch_init(s.world, 0, NULL, NULL, &req) !=
	    WEFT_ERR_GRAPH || req)
		wf_sim_fail(rank, "on a communicator that is no graph");
	says(&s, "the communicator is no graph");
	ok(&s, weft_comm_free(&graph), "free");
	stop(&s);
}

static void arguments(void)
{
	run(2, 1, refuse_all);
	run(5, 1, refuse_all);
}

/* ---- memory ---- */

enum { SIZE = 5, VICTIM = 2 };

struct lack {
	long at;			/* the allocation, from 1 on */
	bool reached;			/* there were so many */
	int status[SIZE];
};

static void lacks(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	struct weft_comm *graph;
	struct lack *lack = arg;
	struct scene s;
	int me = wf_sim_rank(rank);
	struct given g;

	if (!start(&s, rank))
		return;
	graph = make_graph(&s);
	a_good_one(&s, graph);
	crowd(&s, s.world);
	fill(&g, me);
	if (me == VICTIM)
		lacking_begin(lack->at);
	lack->status[me] = init(graph, &g, &req);
	if (me == VICTIM)
		lack->reached = lacking_end(lack->at);
	if (!req != (lack->status[me] != WEFT_OK))
		wf_sim_fail(rank, "%s, and a request",
			    weft_status_name(lack->status[me]));
	if (lack->status[me])
		says(&s, "weft_exchange_batch_init");
	if (req)
		exchange(&s, &g, req);
	ok(&s, weft_request_free(&req), "free");
	a_good_one(&s, graph);
	ok(&s, weft_comm_free(&graph), "free");
	stop(&s);
}

static bool agree(const struct lack *lack)
{
	bool good = TAP_CHECK(lack->status[VICTIM] == WEFT_OK ||
			      lack->status[VICTIM] == WEFT_ERR_NOMEM);

	for (int r = 0; r < SIZE; r++)
		good &= TAP_EQUAL(lack->status[r], lack->status[VICTIM]);
	if (!good)
		tap_diag("allocation %ld", lack->at);
	return good;
}

static void memory(void)
{
	struct lack lack = { .reached = true };
	struct wf_sim_options options;

	for (lack.at = 1; lack.reached; lack.at++) {
		wf_sim_options_init(&options, SIZE, (uint64_t)lack.at);
		if (!sim_flow_run(&options, lacks, &lack) || !agree(&lack))
			return;
	}
	TAP_CHECK(lack.at > 8);
	tap_diag("%ld allocations", lack.at - 2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "arguments of one rank", arguments },
		{ "memory of one rank", memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
