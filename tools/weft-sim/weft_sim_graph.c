/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of exchanges: a periodic grid of 27 points, random edges, a file.
 *
 * Made before a run, read by all ranks of it. The edges of a source come in
 * any order, those of a target are in the order of sources, so that the k-th
 * edge from i to j is the same one for both.
 */
#include "tools/weft-sim/weft_sim_graph.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "examples/cg/cg_load.h"
#include "tools/weft-sim/weft_sim_edges.h"

enum {
	DEGREE_MAX = 10000,
	POINTS = 26		/* neighbours in three dimensions */
};

__attribute__((format(printf, 2, 3)))
static bool refuse(const char *name, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "weft-sim: --graph %s: ", name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return false;
}

void wsim_graph_free(struct wsim_graph *graph)
{
	free(graph->out);
	free(graph->to);
	free(graph->in);
	free(graph->edge);
	free(graph->from);
	*graph = (struct wsim_graph){ 0 };
}

/* With room for so many edges, at least one. */
static bool alloc(struct wsim_graph *g, int ranks, size_t edges)
{
	size_t n = (size_t)ranks + 1;

	g->ranks = ranks;
	g->out = calloc(n, sizeof(*g->out));
	g->in = calloc(n, sizeof(*g->in));
	g->to = calloc(edges + 1, sizeof(*g->to));
	g->from = calloc(edges + 1, sizeof(*g->from));
	g->edge = calloc(edges + 1, sizeof(*g->edge));
	return g->out && g->in && g->to && g->from && g->edge;
}

/* From sources to targets. */
static void turn(struct wsim_graph *g)
{
	size_t n = (size_t)g->ranks, edges = g->out[n];

	for (size_t e = 0; e < edges; e++)
		g->in[g->to[e] + 1]++;
	for (size_t r = 0; r < n; r++)
		g->in[r + 1] += g->in[r];
	for (size_t r = 0; r < n; r++) {
		for (size_t e = g->out[r]; e < g->out[r + 1]; e++) {
			size_t at = g->in[g->to[e]]++;

			g->edge[at] = e;
			g->from[at] = (int)r;
		}
	}
	/* each has moved to where the next one began */
	memmove(g->in + 1, g->in, n * sizeof(*g->in));
	g->in[0] = 0;
}

/* The largest divisor of n that is not above its root-th root. */
static int near_root(int n, int root)
{
	int best = 1;

	for (long d = 1; (root == 3 ? d * d * d : d * d) <= n; d++)
		if (n % d == 0)
			best = (int)d;
	return best;
}

/* Three factors as equal as the number lets them be. */
static void cut(int ranks, int size[3])
{
	size[0] = near_root(ranks, 3);
	size[1] = near_root(ranks / size[0], 2);
	size[2] = ranks / size[0] / size[1];
}

/* The rank that lies a step away, with step from 0 to 26, 13 is itself. */
static int neighbour(const int size[3], int rank, int step)
{
	int at[3] = { rank / size[2] / size[1], rank / size[2] % size[1],
		      rank % size[2] };
	int by[3] = { step / 9, step / 3 % 3, step % 3 };

	for (int d = 0; d < 3; d++)
		at[d] = (at[d] + by[d] + size[d] - 1) % size[d];
	return (at[0] * size[1] + at[1]) * size[2] + at[2];
}

static void make_grid(struct wsim_graph *g)
{
	int size[3];
	size_t e = 0;

	cut(g->ranks, size);
	for (int r = 0; r < g->ranks; r++) {
		for (int step = 0; step <= POINTS; step++)
			if (step != POINTS / 2)
				g->to[e++] = neighbour(size, r, step);
		g->out[r + 1] = e;
	}
}

static void make_random(struct wsim_graph *g, size_t degree, uint64_t seed)
{
	struct wf_random random;
	size_t e = 0;

	wf_random_init(&random, seed ^ 0x6772617068);
	for (int r = 0; r < g->ranks; r++) {
		for (size_t k = 0; k < degree; k++)
			g->to[e++] = (int)wf_random_below(&random,
							  (uint64_t)g->ranks);
		g->out[r + 1] = e;
	}
}

/* The columns of a row but the diagonal are the neighbours. */
static void take_rows(struct wsim_graph *g, const struct cg_csr *a)
{
	size_t e = 0;

	for (int r = 0; r < g->ranks; r++) {
		for (int64_t i = a->start[r]; i < a->start[r + 1]; i++)
			if (a->col[i] != r)
				g->to[e++] = (int)a->col[i];
		g->out[r + 1] = e;
	}
}

static bool load(const char *name, int ranks, struct wsim_graph *g)
{
	struct cg_csr a;
	struct cg_why why;
	bool good;

	if (cg_load(name, &a, &why))
		return refuse(name, "%s", why.text);
	if (a.rows > 1 << 20)
		good = refuse(name, "more than 1048576 vertices");
	else if (ranks && a.rows != ranks)
		good = refuse(name, "%lld vertices and %d ranks; leave -n out",
			      (long long)a.rows, ranks);
	else if (!alloc(g, (int)a.rows, (size_t)cg_csr_entries(&a)))
		good = refuse(name, "not enough memory");
	else
		good = true;
	if (good)
		take_rows(g, &a);
	cg_csr_free(&a);
	return good;
}

/* Of each rank they keep the order that they are given in. */
static bool take_edges(const char *name, const struct wsim_edge *edge,
		       size_t n, struct wsim_graph *g)
{
	size_t e = 0;

	for (size_t i = 0; i < n; i++)
		if (edge[i].from >= g->ranks || edge[i].to >= g->ranks)
			return refuse(name, "%d-%d and %d ranks", edge[i].from,
				      edge[i].to, g->ranks);
	if (!alloc(g, g->ranks, n))
		return refuse(name, "not enough memory");
	for (int r = 0; r < g->ranks; r++) {
		for (size_t i = 0; i < n; i++)
			if (edge[i].from == r)
				g->to[e++] = edge[i].to;
		g->out[r + 1] = e;
	}
	return true;
}

static bool make_edges(const char *name, int ranks, struct wsim_graph *g)
{
	struct wsim_edge *edge = calloc(WSIM_EDGES_MAX, sizeof(*edge));
	size_t n = edge ? wsim_edges_parse(name, edge) : 0;
	bool good;

	g->ranks = ranks;
	for (size_t i = 0; i < n && !ranks; i++) {
		int most = edge[i].from > edge[i].to ? edge[i].from :
						       edge[i].to;

		if (g->ranks <= most)
			g->ranks = most + 1;
	}
	good = edge ? take_edges(name, edge, n, g) :
		      refuse(name, "not enough memory");
	free(edge);
	return good;
}

static void deal_out(int *order, int n, uint64_t seed)
{
	struct wf_random random;

	wf_random_init(&random, seed ^ 0x6465616c);
	for (int i = 0; i < n; i++) {
		int j = (int)wf_random_below(&random, (uint64_t)i + 1);

		order[i] = order[j];
		order[j] = i;
	}
}

/* Ranks get other numbers by chance; each keeps the order of its edges. */
static bool shuffle(struct wsim_graph *g, uint64_t seed)
{
	size_t n = (size_t)g->ranks, e = 0;
	size_t *out = malloc((n + 1) * sizeof(*out));
	int *to = malloc((g->out[n] + 1) * sizeof(*to));
	int *old = malloc(2 * n * sizeof(*old)), *number = old + n;

	if (!out || !to || !old) {
		free(out);
		free(to);
		free(old);
		return false;
	}
	deal_out(old, g->ranks, seed);
	for (size_t r = 0; r < n; r++)
		number[old[r]] = (int)r;
	for (size_t r = 0; r < n; r++) {
		out[r] = e;
		for (size_t k = g->out[old[r]]; k < g->out[old[r] + 1]; k++)
			to[e++] = number[g->to[k]];
	}
	out[n] = e;
	free(g->out);
	free(g->to);
	free(old);
	g->out = out;
	g->to = to;
	return true;
}

static bool is_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && !strcmp(dot, ".graph");
}

/* DEGREE of random:DEGREE; 0: it is none. */
static size_t degree_of(const char *name)
{
	static const char word[] = "random:";
	const char *at = name + sizeof(word) - 1;
	unsigned long degree;
	char *end;

	if (strncmp(name, word, sizeof(word) - 1) || *at < '0' || *at > '9')
		return 0;
	degree = strtoul(at, &end, 10);
	return *end || degree > DEGREE_MAX ? 0 : degree;
}

/* What is behind shuffled: in a name; NULL: it is not there. */
static const char *shuffled(const char *name)
{
	static const char word[] = "shuffled:";

	return strncmp(name, word, sizeof(word) - 1) ? NULL :
						       name + sizeof(word) - 1;
}

bool wsim_graph_has_ranks(const char *name)
{
	if (shuffled(name))
		name = shuffled(name);
	return is_file(name) || wsim_edges_parse(name, NULL);
}

static bool is_grid(const char *name)
{
	return !strcmp(name, "27pt") || !strcmp(name, "mesh");
}

bool wsim_graph_is_known(const char *name)
{
	if (shuffled(name))
		name = shuffled(name);
	return wsim_graph_has_ranks(name) || is_grid(name) || degree_of(name);
}

static bool make(const char *name, int ranks, uint64_t seed,
		 struct wsim_graph *g)
{
	bool grid = is_grid(name);
	size_t degree = grid ? POINTS : degree_of(name);

	if (is_file(name))
		return load(name, ranks, g);
	if (wsim_edges_parse(name, NULL))
		return make_edges(name, ranks, g);
	if (!alloc(g, ranks, (size_t)ranks * degree))
		return refuse(name, "not enough memory");
	if (grid)
		make_grid(g);
	else
		make_random(g, degree, seed);
	return true;
}

bool wsim_graph_make(const char *name, int ranks, uint64_t seed,
		     struct wsim_graph *graph_p)
{
	struct wsim_graph graph = { 0 };
	const char *plain = shuffled(name);
	bool good = make(plain ? plain : name, ranks, seed, &graph);

	if (good && plain && !shuffle(&graph, seed))
		good = refuse(name, "not enough memory");
	if (!good) {
		wsim_graph_free(&graph);
		return false;
	}
	turn(&graph);
	*graph_p = graph;
	return true;
}
