/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a graph tells about itself is what was passed to make it: degrees, and
 * of each edge the neighbour, the weight and the number among its duplicates.
 * Graphs of every shape: drawn, without edges, of one rank, with edges to
 * oneself; each direction weighted or not.
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
	bool weighted[2];		/* in-, out-edges */
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
	shape->weighted[IN] = wf_random_below(&random, 2);
	shape->weighted[OUT] = wf_random_below(&random, 2);
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
		int weight = s->shape.weighted[which] ? side->weight[i] : -1;
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

	if (weft_graph_degrees(s->graph, &nin, &nout) ||
	    nin != s->side[IN].n || nout != s->side[OUT].n)
		wf_sim_fail(s->rank, "%d in, %d out", nin, nout);
	if (weft_graph_degrees(s->graph, &alone, NULL) || alone != nin ||
	    weft_graph_degrees(s->graph, NULL, &alone) || alone != nout ||
	    weft_graph_degrees(s->graph, NULL, NULL))
		wf_sim_fail(s->rank, "one degree alone: %d", alone);
}

static void check_all(const struct scene *s, bool used)
{
	check_degrees(s);
	for (int which = IN; which <= OUT; which++) {
		check_side(s, which, used);
		check_range(s, which);
	}
	if (weft_comm_rank(s->graph) != wf_sim_rank(s->rank) ||
	    weft_comm_size(s->graph) != wf_sim_size(s->rank) ||
	    weft_comm_job(s->graph) != s->job)
		wf_sim_fail(s->rank, "the communicator is another");
}

static void create(struct scene *s)
{
	struct weft_edges edges[2];

	for (int which = IN; which <= OUT; which++) {
		struct side *side = &s->side[which];

		draw_side(side, &s->shape, wf_sim_rank(s->rank), which);
		edges[which] = (struct weft_edges){ side->n,
			side->n ? side->rank : NULL,
			s->shape.weighted[which] ? side->weight : NULL };
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
		if (exchange(s))
			wf_sim_fail(rank, "%s", weft_error_text(s->job));
		check_all(s, true);
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
