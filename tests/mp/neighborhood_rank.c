/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of programs whose like has failed with other libraries: copies of
 * graphs with and without weights, ranks without edges, several edges to one
 * rank, more edges than ranks and fewer, graphs that ask for other ranks.
 * neighborhood.t starts it.
 *
 *     neighborhood_rank CASE
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mp/neighborhood.h"

enum {
	SAME = 5,			/* edges from a rank to the next one */
	AT_ONCE = 3,			/* exchanges under way */
	TIMES = 12			/* graphs, one after the other */
};

/* The same edges after each of them, and what goes along these. */
static void use(struct hood *h, struct weft_comm **graph_p,
		const struct weft_edges *in, const struct weft_edges *out)
{
	if (!*graph_p)
		return;
	hood_check_edges(h, *graph_p, in, out);
	hood_exchange_all(h, *graph_p, in, out);
	hood_ok(h, weft_comm_free(graph_p), "weft_comm_free");
}

/* ---- copies ---- */

/* The original goes before its copies are used. */
static void copy_twice(struct hood *h, struct weft_comm *graph,
		       const struct weft_edges *in,
		       const struct weft_edges *out)
{
	struct weft_comm *copy[2] = { NULL, NULL };
	struct weft_request *req = NULL;

	if (!graph || !hood_ok(h, weft_comm_dup(graph, &copy[0]), "dup") ||
	    !hood_ok(h, weft_comm_idup(copy[0], &copy[1], &req), "idup"))
		return;
	hood_ok(h, weft_request_wait(req), "wait");
	hood_ok(h, weft_request_free(&req), "weft_request_free");
	hood_ok(h, weft_comm_free(&graph), "weft_comm_free");
	use(h, &copy[1], in, out);
	use(h, &copy[0], in, out);
}

/* From each rank but the last one to the next, so two have one side only. */
static void copy_chain(struct hood *h, bool weighted)
{
	int before = h->me - 1, next = h->me + 1, weights[] = { 7, 7 + h->me };
	struct weft_edges in = { h->me > 0, &before, NULL };
	struct weft_edges out = { next < h->size, &next, NULL };

	weights[0] = 7 + before;
	if (weighted) {
		in.weights = in.n ? &weights[0] : WEFT_WEIGHTS_EMPTY;
		out.weights = out.n ? &weights[1] : WEFT_WEIGHTS_EMPTY;
	}
	copy_twice(h, hood_adjacent(h, &in, &out), &in, &out);
}

static void copies(struct hood *h)
{
	const struct weft_edges none = { 0, NULL, NULL };
	const struct weft_edges light = { 0, NULL, WEFT_WEIGHTS_EMPTY };
	struct weft_comm *plain = NULL;
	enum weft_topo kind = WEFT_TOPO_GRAPH;

	copy_chain(h, false);
	copy_chain(h, true);
	copy_twice(h, hood_adjacent(h, &none, &none), &none, &none);
	copy_twice(h, hood_adjacent(h, &light, &light), &light, &light);
	hood_ok(h, weft_comm_dup(h->world, &plain), "dup");
	hood_ok(h, weft_topo_kind(plain, &kind), "weft_topo_kind");
	if (kind != WEFT_TOPO_NONE)
		hood_fail(h, "a copy of the world has edges");
	hood_ok(h, weft_comm_free(&plain), "weft_comm_free");
}

/* ---- ranks without edges ---- */

static int *ranks_from(struct hood *h, int first, int n)
{
	int *ranks = hood_array(h, (size_t)n, sizeof(*ranks));

	for (int i = 0; i < n; i++)
		ranks[i] = first + i;
	return ranks;
}

/* One rank sends to all others, or gets from them, and has nothing else. */
static void star(struct hood *h, bool outward)
{
	const int hub = 0;
	const struct weft_edges none = { 0, NULL, NULL };
	const struct weft_edges one = { 1, &hub, NULL };
	const struct weft_edges spokes = {
		h->size - 1, ranks_from(h, 1, h->size - 1), NULL
	};
	const struct weft_edges *many = h->me == hub ? &spokes : &none;
	const struct weft_edges *few = h->me == hub ? &none : &one;
	const struct weft_edges *in = outward ? few : many;
	const struct weft_edges *out = outward ? many : few;
	struct weft_comm *graph = hood_adjacent(h, in, out);

	use(h, &graph, in, out);
	hood_release(h, 0);
}

/* Nobody has any; a rank may say so of a node that it names. */
static void nobody(struct hood *h, bool named)
{
	const struct weft_edges none = { 0, NULL, NULL };
	const int node = 0, degree = 0;
	const struct weft_graph_edges edges = {
		named, named ? &node : NULL, named ? &degree : NULL, NULL, NULL
	};
	struct weft_comm *graph = NULL;

	hood_ok(h, weft_graph_create(h->world, &edges, NULL, false, &graph),
		"weft_graph_create");
	use(h, &graph, &none, &none);
}

/* Rank 0 alone, with itself. */
static void only_one(struct hood *h)
{
	const int self[] = { 0, 0 };
	const struct weft_edges none = { 0, NULL, NULL };
	const struct weft_edges both = { 2, self, NULL };
	const struct weft_edges *mine = h->me ? &none : &both;
	struct weft_comm *graph = hood_adjacent(h, mine, mine);

	use(h, &graph, mine, mine);
}

static void without_edges(struct hood *h)
{
	star(h, true);
	star(h, false);
	nobody(h, false);
	nobody(h, true);
	only_one(h);
}

/* ---- several edges to one rank ---- */

static const size_t lengths[SAME] = { 8, 100000, 0, 300, 40 };

struct bundle {
	unsigned char *sent, *received;
	size_t counts[SAME], bytes;
	ptrdiff_t displs[SAME];
	struct weft_request *req;
};

static unsigned char byte_of(int from, int k, int number)
{
	return (unsigned char)(1 + from * 35 + k * 7 + number);
}

static void bundle_start(struct hood *h, struct bundle *b, int number,
			 struct weft_comm *graph)
{
	struct weft_vec send = { .type = &weft_type_byte,
				 .counts = b->counts, .displs = b->displs };
	struct weft_vec recv;

	*b = (struct bundle){ .bytes = 0 };
	for (int k = 0; k < SAME; k++) {
		b->counts[k] = lengths[(k + number) % SAME];
		b->displs[k] = (ptrdiff_t)b->bytes;
		b->bytes += b->counts[k];
	}
	b->sent = hood_array(h, b->bytes, 1);
	b->received = hood_array(h, b->bytes, 1);
	for (int k = 0; k < SAME; k++)
		memset(b->sent + b->displs[k], byte_of(h->me, k, number),
		       b->counts[k]);
	recv = send;
	send.base = b->sent;
	recv.base = b->received;
	hood_ok(h, weft_ineighbor_alltoallv(graph, &send, &recv, &b->req),
		"weft_ineighbor_alltoallv");
}

static void bundle_end(struct hood *h, struct bundle *b, int number)
{
	int from = (h->me + h->size - 1) % h->size;

	hood_ok(h, weft_request_wait(b->req), "wait");
	hood_ok(h, weft_request_free(&b->req), "weft_request_free");
	for (int k = 0; k < SAME; k++)
		for (size_t i = 0; i < b->counts[k]; i++) {
			unsigned char have = b->received[b->displs[k] +
							 (ptrdiff_t)i];

			if (have == byte_of(from, k, number))
				continue;
			hood_fail(h, "exchange %d, edge %d, byte %zu is %d",
				  number, k, i, have);
			break;
		}
}

/* Of lengths that take other ways, so that a later one could be faster. */
static void in_flight(struct hood *h, struct weft_comm *graph)
{
	struct bundle b[AT_ONCE];

	for (int i = 0; i < AT_ONCE; i++)
		bundle_start(h, &b[i], i, graph);
	for (int i = AT_ONCE; i--;)
		bundle_end(h, &b[i], i);
	hood_release(h, 0);
}

static void duplicates(struct hood *h)
{
	int next = (h->me + 1) % h->size, before = h->me + h->size - 1;
	int to[SAME], from[SAME];
	struct weft_edges in = { SAME, from, NULL }, out = { SAME, to, NULL };
	struct weft_comm *graph;

	for (int k = 0; k < SAME; k++) {
		to[k] = next;
		from[k] = before % h->size;
	}
	graph = hood_adjacent(h, &in, &out);
	for (int i = 0; graph && i < 4; i++)
		in_flight(h, graph);
	use(h, &graph, &in, &out);
}

/* ---- graphs that ask for other ranks ---- */

/* From all ranks to all, given by one of them. */
static struct weft_comm *complete(struct hood *h, int giver, const int *ranks)
{
	size_t n = h->me == giver ? (size_t)h->size : 0;
	int *degrees = hood_array(h, n, sizeof(*degrees));
	int *to = hood_array(h, n * n, sizeof(*to));
	const struct weft_graph_edges edges = {
		(int)n, n ? ranks : NULL, degrees, to, NULL
	};
	struct weft_comm *graph = NULL;

	for (size_t i = 0; i < n; i++)
		degrees[i] = h->size;
	for (size_t i = 0; i < n * n; i++)
		to[i] = (int)(i % n);
	hood_ok(h, weft_graph_create(h->world, &edges, NULL, true, &graph),
		"weft_graph_create");
	return graph;
}

/* Nothing says by which measure, so the ranks stay, on any machine. */
static void asked_to_reorder(struct hood *h)
{
	int *ranks = ranks_from(h, 0, h->size), mark = h->nmaps;
	const struct weft_edges all = { h->size, ranks, NULL };
	struct weft_comm *graph = NULL;

	for (int i = 0; i < TIMES && !h->failures; i++) {
		graph = complete(h, i * 5 % h->size, ranks);
		if (graph && weft_comm_rank(graph) != h->me)
			hood_fail(h, "is rank %d", weft_comm_rank(graph));
		if (graph)
			hood_check_edges(h, graph, &all, &all);
		hood_ok(h, weft_comm_free(&graph), "weft_comm_free");
		hood_release(h, mark);
	}
	hood_ok(h, weft_graph_create_adjacent(h->world, &all, &all, NULL, true,
					      &graph),
		"weft_graph_create_adjacent");
	use(h, &graph, &all, &all);
	hood_release(h, 0);
}

/* ---- which case ---- */

static const struct {
	const char *name;
	void (*run)(struct hood *h);
} cases[] = {
	{ "copies", copies },
	{ "without_edges", without_edges },
	{ "duplicates", duplicates },
	{ "torus", hood_torus },
	{ "asked_to_reorder", asked_to_reorder }
};

int main(int argc, char **argv)
{
	void (*program)(struct hood *h) = NULL;
	struct hood h = { .failures = 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (argc == 2 && !strcmp(argv[1], cases[i].name))
			program = cases[i].run;
	if (!program) {
		fprintf(stderr, "usage: neighborhood_rank CASE\n");
		return 2;
	}
	if (weft_job_open(NULL, &h.job))
		return 1;
	h.world = weft_job_world(h.job);
	h.me = weft_job_rank(h.job);
	h.size = weft_job_size(h.job);
	program(&h);
	/* the others of a failed rank cannot go on: weftrun ends them */
	if (h.failures)
		weft_job_abort(h.job, 1, "a neighbourhood failed");
	return weft_job_close(h.job) != WEFT_OK;
}
