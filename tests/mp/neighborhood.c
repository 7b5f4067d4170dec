/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of marks, in buffers and arrays with an element for each edge. */
#include "tests/mp/neighborhood.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/neighbor_call.h"

void hood_fail(struct hood *h, const char *format, ...)
{
	va_list args;

	h->failures++;
	printf("# rank %d: ", h->me);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

bool hood_ok(struct hood *h, int status, const char *call)
{
	if (status)
		hood_fail(h, "%s: %s: %s", call, weft_status_name(status),
			  weft_error_text(h->job));
	return !status;
}

void *hood_array(struct hood *h, size_t n, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t used = (n * bytes + page - 1) / page * page;
	char *at;

	if (!n)
		return NULL;
	at = mmap(NULL, used + page, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED || mprotect(at + used, page, PROT_NONE) ||
	    h->nmaps == HOOD_MAPS)
		abort();
	h->map[h->nmaps].at = at;
	h->map[h->nmaps++].bytes = used + page;
	return at + used - n * bytes;
}

void hood_release(struct hood *h, int left)
{
	while (h->nmaps > left) {
		h->nmaps--;
		munmap(h->map[h->nmaps].at, h->map[h->nmaps].bytes);
	}
}

struct weft_comm *hood_adjacent(struct hood *h, const struct weft_edges *in,
				const struct weft_edges *out)
{
	struct weft_comm *graph = NULL;

	hood_ok(h, weft_graph_create_adjacent(h->world, in, out, NULL, false,
					      &graph),
		"weft_graph_create_adjacent");
	return graph;
}

/* ---- queries ---- */

enum { ROOM = 3, LEFT_ALONE = -7 };

static void check_entry(struct hood *h, const struct weft_edges *edges, int i,
			int rank, int weight)
{
	bool there = i < edges->n;
	int want = there ? edges->ranks[i] : LEFT_ALONE;
	int heavy = there && edges->weights ? edges->weights[i] : LEFT_ALONE;

	if (rank != want || weight != heavy)
		hood_fail(h, "neighbour %d of %d is rank %d with weight %d, "
			  "not %d with %d", i, edges->n, rank, weight, want,
			  heavy);
}

static void check_side(struct hood *h, const struct weft_comm *graph,
		       const struct weft_edges *edges, bool out)
{
	int most = edges->n + ROOM, room[] = { edges->n / 2, most };
	int mark = h->nmaps;
	int *ranks = hood_array(h, (size_t)most, sizeof(*ranks));
	int *weights = hood_array(h, (size_t)most, sizeof(*weights));

	for (int k = 0; k < 2; k++) {
		const struct weft_neighbors asked = { room[k], ranks, weights };
		struct weft_edges want = *edges;

		if (want.n > room[k])
			want.n = room[k];
		for (int i = 0; i < most; i++)
			ranks[i] = weights[i] = LEFT_ALONE;
		hood_ok(h, weft_graph_neighbors(graph, out ? NULL : &asked,
						out ? &asked : NULL),
			"weft_graph_neighbors");
		for (int i = 0; i < most; i++)
			check_entry(h, &want, i, ranks[i], weights[i]);
	}
	hood_release(h, mark);
}

void hood_check_edges(struct hood *h, const struct weft_comm *graph,
		      const struct weft_edges *in,
		      const struct weft_edges *out)
{
	bool weighted = !out->weights && !in->weights;
	enum weft_topo kind = WEFT_TOPO_NONE;
	int nin = -1, nout = -1;

	hood_ok(h, weft_topo_kind(graph, &kind), "weft_topo_kind");
	hood_ok(h, weft_graph_degrees(graph, &nin, &nout, &weighted),
		"weft_graph_degrees");
	if (kind != WEFT_TOPO_GRAPH || nin != in->n || nout != out->n ||
	    weighted != (out->weights || in->weights))
		hood_fail(h, "kind %d, %d edges come, not %d, %d leave, not "
			  "%d, weights %d", (int)kind, nin, in->n, nout,
			  out->n, weighted);
	check_side(h, graph, in, false);
	check_side(h, graph, out, true);
}

/* ---- exchanges ---- */

struct exchange {
	enum call call;
	enum form form;
	int start;
	int64_t *sent, *received;
	const struct weft_edges *in, *out;
};

/* Of an edge, or of all edges of its sender. */
static int64_t mark_of(const struct exchange *x, int from, int to, int k)
{
	int64_t mark = (int64_t)(from + 1) << 40 | (int64_t)x->start;

	if (x->call == ALLGATHER || x->call == ALLGATHERV)
		return mark;
	return mark | (int64_t)(to + 1) << 24 | (int64_t)k << 8;
}

/* The i-th one is the k-th with its rank. */
static int count_before(const struct weft_edges *edges, int i)
{
	int k = 0;

	for (int e = 0; e < i; e++)
		k += edges->ranks[e] == edges->ranks[i];
	return k;
}

static void fill(const struct hood *h, const struct exchange *x)
{
	bool gather = x->call == ALLGATHER || x->call == ALLGATHERV;
	int n = gather && x->out->n ? 1 : x->out->n;

	for (int i = 0; i < n; i++)
		x->sent[i] = mark_of(x, h->me, x->out->ranks[i],
				     count_before(x->out, i));
	for (int i = 0; i < x->in->n; i++)
		x->received[i] = 0;
}

static void check(struct hood *h, const struct exchange *x)
{
	for (int i = 0; i < x->in->n; i++) {
		int from = x->in->ranks[i];
		int64_t want = mark_of(x, from, h->me, count_before(x->in, i));

		if (x->received[i] != want)
			hood_fail(h, "%s: in-edge %d of %d got %llx, not %llx",
				  neighbor_call_name(x->call, x->form), i,
				  x->in->n, (unsigned long long)x->received[i],
				  (unsigned long long)want);
	}
}

/* In the order of the edges; arrays as long as there are edges. */
static struct weft_vec vec_of(struct hood *h, enum call call, int n,
			      int64_t *base)
{
	size_t edges = (size_t)n;
	ptrdiff_t *displs = hood_array(h, edges, sizeof(*displs));
	int *counts = hood_array(h, edges, sizeof(*counts));
	const struct weft_type **types = NULL;

	if (call == ALLTOALLW)
		types = hood_array(h, edges, sizeof(*types));
	for (int i = 0; i < n; i++) {
		counts[i] = 1;
		displs[i] = types ? i * (ptrdiff_t)sizeof(*base) : i;
		if (types)
			types[i] = &weft_type_int64;
	}
	return (struct weft_vec){
		.base = base, .type = types || !n ? NULL : &weft_type_int64,
		.types = types, .int_counts = counts, .displs = displs
	};
}

static struct weft_part part_of(int n, int64_t *base)
{
	if (!n)
		return (struct weft_part){ NULL, 0, NULL };
	return weft_part(base, 1, &weft_type_int64);
}

static void start(struct hood *h, struct exchange *x, struct weft_comm *graph,
		  const struct neighbor_args *args)
{
	const char *name = neighbor_call_name(x->call, x->form);
	int starts = x->form == PERSISTENT ? 2 : 1;
	struct weft_request *req = NULL;

	fill(h, x);
	if (!hood_ok(h, neighbor_call(graph, x->call, x->form, args, &req),
		     name))
		return;
	for (x->start = 0; x->start < starts; x->start++) {
		if (x->form == PERSISTENT) {
			fill(h, x);
			hood_ok(h, weft_request_start(req), name);
		}
		if (req)
			hood_ok(h, weft_request_wait(req), name);
		check(h, x);
	}
	hood_ok(h, weft_request_free(&req), "weft_request_free");
}

static void exchange(struct hood *h, struct exchange *x,
		     struct weft_comm *graph)
{
	struct weft_vec send, recv;
	struct neighbor_args args;
	int mark = h->nmaps;

	x->sent = hood_array(h, (size_t)x->out->n, sizeof(*x->sent));
	x->received = hood_array(h, (size_t)x->in->n, sizeof(*x->received));
	send = vec_of(h, x->call, x->out->n, x->sent);
	recv = vec_of(h, x->call, x->in->n, x->received);
	args = (struct neighbor_args){
		part_of(x->out->n, x->sent), part_of(x->in->n, x->received),
		&send, &recv
	};
	start(h, x, graph, &args);
	hood_release(h, mark);
}

void hood_exchange_all(struct hood *h, struct weft_comm *graph,
		       const struct weft_edges *in,
		       const struct weft_edges *out)
{
	for (int i = 0; i < CALLS * FORMS && !h->failures; i++) {
		struct exchange x = {
			.call = (enum call)(i % CALLS),
			.form = (enum form)(i / CALLS), .in = in, .out = out
		};

		exchange(h, &x, graph);
	}
}
