/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a graph tells about itself is what was passed to make it: degrees, and
 * of each edge the neighbour, the weight and the number among its duplicates;
 * and so does a duplicate.  Graphs of every shape: drawn, without edges, of one
 * rank, with edges to oneself; weighted or not.
 */
#include <limits.h>

#include "base/random.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	RANKS = 6,
	DUPLICATES = 3,			/* edges of a pair at most */
	MOST = RANKS * DUPLICATES	/* edges of a rank at most */
};

/* The same on all ranks; number[i][j] edges lead from i to j. */
struct shape {
	int ranks;
	int number[RANKS][RANKS];
	bool weighted;
};

/* The edges of one rank in one direction, in an order of its own. */
struct side {
	int n, rank[MOST], weight[MOST];
};

enum { IN, OUT };

static const char *const side_name[] = { "in", "out" };

static void draw_shape(struct shape *shape, uint64_t seed)
{
	struct wf_random random;
	unsigned kind;

	wf_random_init(&random, seed);
	memset(shape, 0, sizeof(*shape));
	shape->ranks = 1 + (int)wf_random_below(&random, RANKS);
	shape->weighted = wf_random_below(&random, 2);
	/* without edges, one edge to oneself, drawn ones */
	kind = (unsigned)wf_random_below(&random, 6);
	for (int i = 0; i < shape->ranks; i++)
		for (int j = 0; j < shape->ranks; j++) {
			if (kind == 1)
				shape->number[i][j] = i == j;
			else if (kind > 1)
				shape->number[i][j] = (int)wf_random_below(
					&random, DUPLICATES + 1);
		}
}

/* Each rank orders its edges by its own dice. */
static void draw_side(struct side *side, const struct shape *shape, int me,
		      int which)
{
	struct wf_random random;

	wf_random_init(&random, (uint64_t)(100 * me + which));
	side->n = 0;
	for (int r = 0; r < shape->ranks; r++) {
		int n = which == OUT ? shape->number[me][r] :
				       shape->number[r][me];

		while (n--) {
			int at = (int)wf_random_below(&random,
						      (uint64_t)side->n + 1);

			side->rank[side->n] = side->rank[at];
			side->rank[at] = r;
			side->n++;
		}
	}
	for (int i = 0; i < side->n; i++)
		side->weight[i] = (int)wf_random_below(&random, 1000);
	if (side->n)
		side->weight[0] = 0;
	if (side->n > 1)
		side->weight[1] = INT_MAX;
}

static int earlier(const struct side *side, int i)
{
	int k = 0;

	for (int j = 0; j < i; j++)
		k += side->rank[j] == side->rank[i];
	return k;
}

struct scene {
	struct wf_sim_rank *rank;
	struct shape shape;
	struct side side[2];
	struct weft_job *job;
	struct weft_comm *graph;
};

/* What carries an edge: the rank itself, or nothing before it is used. */
static bool carrier_is_right(const struct scene *s,
			     const struct weft_edge_info *info, bool used)
{
	if (info->rank == wf_sim_rank(s->rank))
		return info->transport && !strcmp(info->transport, "self");
	if (!info->transport)
		return !used;
	return !strcmp(info->transport, "sim") && info->host;
}

static void check_side(const struct scene *s, int which, bool used)
{
	const struct side *side = &s->side[which];

	for (int i = 0; i < side->n; i++) {
		int weight = s->shape.weighted ? side->weight[i] : -1;
		struct weft_edge_info info = {
			.rank = -7, .reserved = { &info, &info, &info, &info }
		};

		if (weft_graph_edge(s->graph, which == OUT, i, &info))
			wf_sim_fail(s->rank, "%s-edge %d: %s",
				    side_name[which], i,
				    weft_error_text(s->job));
		if (info.rank != side->rank[i] || info.weight != weight ||
		    info.duplicate != earlier(side, i) ||
		    info.reserved[0] || info.reserved[3] ||
		    !carrier_is_right(s, &info, used))
			wf_sim_fail(s->rank, "%s-edge %d of %d: rank %d not "
				    "%d, weight %d not %d, duplicate %d by %s",
				    side_name[which], i, side->n, info.rank,
				    side->rank[i], info.weight, weight,
				    info.duplicate, info.transport ?
				    info.transport : "nobody");
	}
}

/* No edge before the first, or behind the last. */
static void check_range(const struct scene *s, int which)
{
	const int beyond[] = { -1, INT_MIN, s->side[which].n, INT_MAX };
	struct weft_edge_info info;
	char text[100];

	for (int i = 0; i < TAP_COUNT(beyond); i++) {
		int status = weft_graph_edge(s->graph, which == OUT, beyond[i],
					     &info);

		snprintf(text, sizeof(text), "i is %d, rank %d has %d "
			 "%s-edges", beyond[i], wf_sim_rank(s->rank),
			 s->side[which].n, side_name[which]);
		if (status != WEFT_ERR_RANGE ||
		    !strstr(weft_error_text(s->job), text))
			wf_sim_fail(s->rank, "%s, not \"%s\"",
				    weft_error_text(s->job), text);
	}
}

static void check_degrees(const struct scene *s)
{
	int nin = -1, nout = -1, alone = -1;
	bool weighted = !s->shape.weighted;

	if (weft_graph_degrees(s->graph, &nin, &nout, &weighted) ||
	    nin != s->side[IN].n || nout != s->side[OUT].n ||
	    weighted != s->shape.weighted)
		wf_sim_fail(s->rank, "%d in, %d out, %s", nin, nout,
			    weighted ? "weighted" : "unweighted");
	if (weft_graph_degrees(s->graph, &alone, NULL, NULL) || alone != nin ||
	    weft_graph_degrees(s->graph, NULL, &alone, NULL) || alone != nout ||
	    weft_graph_degrees(s->graph, NULL, NULL, NULL))
		wf_sim_fail(s->rank, "one degree alone: %d", alone);
}

/* The first ones, and no others are written. */
static void check_neighbors(const struct scene *s, int which, int max)
{
	const struct side *side = &s->side[which];
	int ranks[MOST + 1], weights[MOST + 1];
	struct weft_neighbors all = { max, ranks, weights };

	for (int i = 0; i <= MOST; i++)
		ranks[i] = weights[i] = -7;
	if (weft_graph_neighbors(s->graph, which == IN ? &all : NULL,
				 which == OUT ? &all : NULL))
		wf_sim_fail(s->rank, "%s", weft_error_text(s->job));
	for (int i = 0; i <= MOST; i++) {
		bool told = i < max && i < side->n;

		if (ranks[i] != (told ? side->rank[i] : -7) ||
		    weights[i] != (told && s->shape.weighted ?
				   side->weight[i] : -7))
			wf_sim_fail(s->rank, "%s-neighbour %d of %d: %d, "
				    "weight %d", side_name[which], i, max,
				    ranks[i], weights[i]);
	}
}

static void check_kind(const struct scene *s, const struct weft_comm *comm,
		       enum weft_topo want)
{
	enum weft_topo kind = WEFT_TOPO_NONE;

	if (weft_topo_kind(comm, &kind) || kind != want)
		wf_sim_fail(s->rank, "kind %d", (int)kind);
}

static void check_all(const struct scene *s, bool used)
{
	check_degrees(s);
	check_kind(s, s->graph, WEFT_TOPO_GRAPH);
	for (int which = IN; which <= OUT; which++) {
		check_neighbors(s, which, MOST);
		check_neighbors(s, which, s->side[which].n / 2);
		check_side(s, which, used);
		check_range(s, which);
	}
	if (weft_comm_rank(s->graph) != wf_sim_rank(s->rank) ||
	    weft_comm_size(s->graph) != wf_sim_size(s->rank) ||
	    weft_comm_job(s->graph) != s->job)
		wf_sim_fail(s->rank, "the communicator is another");
}

/* Of no edges: nothing, or that those of others have weights. */
static const int *weights(const struct scene *s, int which)
{
	static const int *const of_none[] = { NULL, WEFT_WEIGHTS_EMPTY };
	const struct side *side = &s->side[which];

	if (!s->shape.weighted)
		return NULL;
	return side->n ? side->weight :
			 of_none[(wf_sim_rank(s->rank) + which) % 2];
}

static void create(struct scene *s)
{
	struct weft_edges edges[2];

	for (int which = IN; which <= OUT; which++) {
		struct side *side = &s->side[which];

		draw_side(side, &s->shape, wf_sim_rank(s->rank), which);
		edges[which] = (struct weft_edges){ side->n,
			side->n ? side->rank : NULL,
			weights(s, which) };
	}
	if (weft_graph_create_adjacent(weft_job_world(s->job), &edges[IN],
				       &edges[OUT], NULL, false, &s->graph))
		wf_sim_fail(s->rank, "no graph: %s", weft_error_text(s->job));
}

/* One byte along each edge connects all of them. */
static int exchange(struct scene *s)
{
	size_t counts[MOST];
	ptrdiff_t displs[MOST];
	char sent[MOST] = "", received[MOST];
	struct weft_vec send = { .base = sent, .type = &weft_type_byte,
		.counts = counts, .displs = displs }, recv = send;

	for (int i = 0; i < MOST; i++) {
		counts[i] = 1;
		displs[i] = i;
	}
	recv.base = received;
	return weft_neighbor_alltoallv(s->graph, &send, &recv);
}

static void expect_ok(const struct scene *s, int status)
{
	if (status)
		wf_sim_fail(s->rank, "%s", weft_error_text(s->job));
}

/* It is one as well, and goes on when the first one is freed. */
static void duplicate(struct scene *s)
{
	struct weft_comm *made = NULL;

	expect_ok(s, weft_comm_dup(s->graph, &made));
	expect_ok(s, weft_comm_free(&s->graph));
	s->graph = made;
	check_all(s, false);
	expect_ok(s, exchange(s));
}

/* Communicators of other kinds, of which no constructor makes it one. */
static void derive(const struct scene *s)
{
	const struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *made = NULL;
	int nin = -1, nout = -1;

	check_kind(s, weft_job_world(s->job), WEFT_TOPO_NONE);
	expect_ok(s, weft_comm_split(s->graph, 0, 0, &made));
	check_kind(s, made, WEFT_TOPO_NONE);
	expect_ok(s, weft_comm_free(&made));
	expect_ok(s, weft_graph_create_adjacent(s->graph, &none, &none, NULL,
						false, &made));
	if (weft_graph_degrees(made, &nin, &nout, NULL) || nin || nout)
		wf_sim_fail(s->rank, "%d in, %d out of none", nin, nout);
	expect_ok(s, weft_comm_free(&made));
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct scene *s = calloc(1, sizeof(*s));

	if (!s || wf_sim_job_open(rank, &s->job)) {
		wf_sim_fail(rank, "cannot open the job");
		free(s);
		return;
	}
	s->rank = rank;
	s->shape = *(const struct shape *)arg;
	create(s);
	if (s->graph) {
		check_all(s, false);
		expect_ok(s, exchange(s));
		check_all(s, true);
		duplicate(s);
		derive(s);
	}
	if (weft_comm_free(&s->graph) || weft_job_close(s->job))
		wf_sim_fail(rank, "cannot close");
	free(s);
}

static void queries(void)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		struct shape shape;

		draw_shape(&shape, (uint64_t)seed);
		wf_sim_options_init(&options, shape.ranks, (uint64_t)seed);
		wf_sim_options_vary(&options);
		if (!sim_flow_run(&options, program, &shape))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "graphs of every shape", queries },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
