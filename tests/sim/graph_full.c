/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs that each rank knows as a whole: what they tell is what was given,
 * also in a duplicate, where the lists are shared by a node, and where ranks
 * have moved; what goes along their edges, whether or not they lead both ways;
 * refusals.
 */
#include "tests/drawn.h"
#include "tests/sim/scene.h"

enum { RANKS = 64, EDGES = RANKS * RANKS, MANY = 2 * RANKS };

struct model {
	bool both_ways, complete;
	int n, index[RANKS], edges[EDGES];
};

static struct weft_graph_full full_of(const struct model *m)
{
	return (struct weft_graph_full){ m->n, m->index, m->edges };
}

static const int *list_of(const struct model *m, int rank, int *n_p)
{
	int first = rank ? m->index[rank - 1] : 0;

	*n_p = m->index[rank] - first;
	return m->edges + first;
}

/* So many edges lead from one to the other, also to itself. */
static int drawn_number(const struct model *m, uint64_t seed, int from, int to)
{
	uint64_t a = (uint64_t)from, b = (uint64_t)to;

	if (m->complete)
		return from != to;
	if (m->both_ways && a > b)
		return drawn_number(m, seed, to, from);
	return (int)(drawn_mix(seed, a, b) % 5 % 3);
}

/* Each rank has its neighbours from itself on, backwards. */
static void draw(struct model *m, int n, uint64_t seed)
{
	int at = 0;

	m->both_ways = seed % 2;
	m->n = n;
	for (int r = 0; r < n; r++) {
		for (int k = 0; k < n; k++) {
			int to = (r + n - k) % n;

			for (int i = drawn_number(m, seed, r, to); i; i--)
				m->edges[at++] = to;
		}
		m->index[r] = at;
	}
}

static void check_told(const struct scene *s, struct weft_comm *graph,
		       const struct model *m)
{
	int index[RANKS], edges[EDGES], ranks[MANY], n = -1, all = -1, count;
	enum weft_topo kind = WEFT_TOPO_NONE;

	ok(s, weft_topo_kind(graph, &kind), "kind");
	ok(s, weft_graph_full_dims(graph, &n, &all), "dims");
	ok(s, weft_graph_full_get(graph, RANKS, EDGES, index, edges), "get");
	if (kind != WEFT_TOPO_GRAPH_FULL || n != m->n ||
	    all != m->index[n - 1] ||
	    memcmp(index, m->index, (size_t)n * sizeof(*index)) ||
	    memcmp(edges, m->edges, (size_t)all * sizeof(*edges)))
		wf_sim_fail(s->rank, "another graph");
	for (int r = 0; r < m->n; r++) {
		const int *want = list_of(m, r, &n);

		ok(s, weft_graph_full_neighbors_count(graph, r, &count), "n");
		ok(s, weft_graph_full_neighbors(graph, r, MANY, ranks), "all");
		if (count != n ||
		    memcmp(ranks, want, (size_t)n * sizeof(*want)))
			wf_sim_fail(s->rank, "other neighbours of %d", r);
	}
}

/* How often one rank names another one. */
static int times(const struct model *m, int from, int to)
{
	int n, times = 0;
	const int *list = list_of(m, from, &n);

	for (int i = 0; i < n; i++)
		times += list[i] == to;
	return times;
}

/* Whoever names this rank, in the order that is promised; how many. */
static int find_sources(const struct model *m, int me, int *from)
{
	int mine, n = 0;
	const int *own = list_of(m, me, &mine);
	bool same = true;

	for (int r = 0; r < m->n; r++) {
		same &= times(m, r, me) == times(m, me, r);
		for (int i = times(m, r, me); i; i--)
			from[n++] = r;
	}
	if (same)
		memcpy(from, own, (size_t)mine * sizeof(*own));
	return n;
}

/* The k-th place of a rank in a list. */
static int place_of(const int *list, int rank, int k)
{
	int i = 0;

	while (list[i] != rank || k--)
		i++;
	return i;
}

static void check_exchange(const struct scene *s, struct weft_comm *graph,
			   const struct model *m)
{
	const struct weft_type *type = &weft_type_int32;
	int me = weft_comm_rank(graph), from[MANY], nfrom, n;
	int32_t send[MANY], recv[MANY];

	nfrom = find_sources(m, me, from);
	list_of(m, me, &n);
	for (int i = 0; i < MANY; i++)
		send[i] = MANY * me + i;
	ok(s, weft_neighbor_alltoall(graph, weft_part(send, 1, type),
				     weft_part(recv, 1, type)), "alltoall");
	for (int i = 0; i < nfrom; i++) {
		const int *list = list_of(m, from[i], &n);
		int k = 0;

		for (int j = 0; j < i; j++)
			k += from[j] == from[i];
		if (recv[i] != MANY * from[i] + place_of(list, me, k))
			wf_sim_fail(s->rank, "%d along in-edge %d", recv[i], i);
	}
}

static void try_graph(const struct scene *s, const struct model *m,
		      const struct weft_info *info)
{
	struct weft_graph_full full = full_of(m);
	struct weft_comm *graph = NULL, *twin = NULL;
	int mapped = -5, me = weft_comm_rank(s->world);

	ok(s, weft_graph_full_map(s->world, &full, &mapped), "map");
	ok(s, weft_graph_full_create(s->world, &full, info, info != NULL,
				     &graph), "graph");
	if (mapped != (me < m->n ? me : WEFT_UNDEFINED) ||
	    (!info && !graph != (me >= m->n)))
		wf_sim_fail(s->rank, "who is in the graph");
	if (!graph)
		return;
	check_told(s, graph, m);
	ok(s, weft_comm_dup(graph, &twin), "dup");
	ok(s, weft_comm_free(&graph), "free");
	check_told(s, twin, m);
	check_exchange(s, twin, m);
	ok(s, weft_comm_free(&twin), "free");
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	uint64_t seed = *(const uint64_t *)arg;
	struct model m = { .complete = false };
	int n = wf_sim_size(rank);
	struct weft_info *info = NULL;
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_info_create(s.job, &info), "info");
	ok(&s, weft_info_set(info, "weft_reorder", "greedy"), "key");
	draw(&m, n, seed);
	try_graph(&s, &m, NULL);
	draw(&m, 1 + (int)(seed / 7) % n, seed + 1);
	try_graph(&s, &m, NULL);
	try_graph(&s, &m, info);
	ok(&s, weft_info_free(&info), "free");
	stop(&s);
}

static void as_given(void)
{
	run_seeds(60, 9, drawn);
}

/* ---- lists that a node shares ---- */

static void complete(struct wf_sim_rank *rank, void *arg)
{
	static struct model m;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	m.complete = true;
	draw(&m, RANKS, 1);
	try_graph(&s, &m, NULL);
	stop(&s);
}

static void shared(void)
{
	run(RANKS, 1, complete);
}

/* ---- nobody ---- */

static void empty(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_graph_full none = { 0, NULL, NULL };
	struct weft_comm *graph;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	graph = s.world;
	ok(&s, weft_graph_full_create(s.world, &none, NULL, false, &graph),
	   "nobody");
	if (graph)
		wf_sim_fail(rank, "a graph of nobody");
	stop(&s);
}

static void nobody(void)
{
	run(3, 1, empty);
}

/* ---- refusals, at one rank ---- */

static const int rises[] = { 1, 2, 3 }, falls[] = { 1, 0, 3 };
static const int below[] = { -1, 2, 3 };
static const int ring[] = { 1, 2, 0 }, beyond[] = { 1, 3, 0 };
static const int turned[] = { 2, 0, 1 };

static const struct {
	struct weft_graph_full full;
	int status;
	const char *says;
} refusals[] = {
	{ { -2, rises, ring }, WEFT_ERR_ARG, "full->n is -2, negative" },
	{ { 5, rises, ring }, WEFT_ERR_RANGE,
	  "full->n is 5, the communicator has 4 ranks" },
	{ { 3, NULL, ring }, WEFT_ERR_ARG, "full->index is NULL with 3 ranks" },
	{ { 3, rises, NULL }, WEFT_ERR_ARG,
	  "full->edges is NULL with 3 edges" },
	{ { 3, falls, ring }, WEFT_ERR_ARG, "full->index[1] is 0, below 1" },
	{ { 3, below, ring }, WEFT_ERR_ARG, "full->index[0] is -1, below 0" },
	{ { 3, rises, beyond }, WEFT_ERR_ARG,
	  "full->edges[1] is 3, the graph has 3 ranks" },
	{ { 3, rises, turned }, WEFT_ERR_ARG,
	  "not all ranks pass the same full" }
};

static void says(const struct scene *s, int status, int want, const char *text)
{
	if (status != want || !strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "%s, \"%s\", not \"%s\"",
			    weft_status_name(status), weft_error_text(s->job),
			    text);
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_graph_full good = { 3, rises, ring };
	bool odd = wf_sim_rank(rank) == 1;
	struct weft_comm *graph;
	struct scene s;
	int x;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < TAP_COUNT(refusals); i++)
		says(&s, weft_graph_full_create(s.world, odd ?
						&refusals[i].full : &good,
						NULL, false, &graph),
		     refusals[i].status, refusals[i].says);
	says(&s, weft_graph_full_create(s.world, odd ? NULL : &good, NULL,
					false, &graph), WEFT_ERR_ARG,
	     "full is NULL");
	says(&s, weft_graph_full_dims(s.world, &x, &x), WEFT_ERR_GRAPH,
	     "was not made by weft_graph_full_create()");
	ok(&s, weft_graph_full_create(s.world, &good, NULL, false, &graph),
	   "good");
	if (graph) {
		says(&s, weft_graph_full_get(graph, -1, 0, &x, &x),
		     WEFT_ERR_ARG, "max_index is -1");
		says(&s, weft_graph_full_neighbors(graph, 3, 1, &x),
		     WEFT_ERR_ARG, "rank is 3, the communicator has 3 ranks");
		says(&s, weft_graph_full_neighbors(graph, 2, 1, NULL),
		     WEFT_ERR_ARG, "ranks is NULL");
		says(&s, weft_graph_full_neighbors_count(graph, 0, NULL),
		     WEFT_ERR_ARG, "n_p is NULL");
	}
	ok(&s, weft_comm_free(&graph), "free");
	stop(&s);
}

static void refused(void)
{
	run(4, 1, refuse);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as they were given", as_given },
		{ "lists that a node shares", shared },
		{ "nobody", nobody },
		{ "refusals", refused }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
