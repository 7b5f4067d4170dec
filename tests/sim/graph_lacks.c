/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank lacks memory at any allocation while a graph is made: it is made at
 * all ranks, or at none, which all hear; the next one is made.
 */
#include "tests/sim/lacking.h"

enum {
	SIZE = 5,
	VICTIM = 2,			/* in the middle */
	ROOT = 0,			/* which computes a reorder */
	EDGES = 3			/* given by a rank, of one source */
};

static char *compares[] = { "WEFT_CHECK=2", NULL };

struct lack {
	bool general;			/* by which constructor */
	int per_node;			/* ranks, where they are reordered */
	int victim;
	char **settings;
	long at;			/* the allocation, from 1 on */
	bool reached;			/* there were so many */
	int status[SIZE];
	struct weft_info *info[SIZE];	/* NULL: no reorder */
};

/* Those of the rank in front lead to three ranks, one of them itself. */
static int create_any(const struct scene *s, struct weft_comm **graph_p)
{
	int me = wf_sim_rank(s->rank), source = (me + SIZE - 1) % SIZE;
	const int to[EDGES] = { me, source, (me + 1) % SIZE };
	const int weights[EDGES] = { 3, me, 5 }, n = EDGES;

	return weft_graph_create(s->world, &(struct weft_graph_edges){
		1, &source, &n, to, weights
	}, NULL, false, graph_p);
}

static int create_adjacent(const struct scene *s, struct weft_comm **graph_p)
{
	int me = wf_sim_rank(s->rank);
	const int from[] = { (me + SIZE - 1) % SIZE, me };
	const int to[] = { (me + 1) % SIZE, me };
	const int in_weight[] = { from[0], me }, out_weight[] = { me, me };

	return weft_graph_create_adjacent(s->world, &(struct weft_edges){
		2, from, in_weight
	}, &(struct weft_edges){ 2, to, out_weight }, NULL, false, graph_p);
}

/* Who is two behind is on another node. */
static int create_reordered(const struct scene *s, const struct lack *lack,
			    struct weft_comm **graph_p)
{
	int me = wf_sim_rank(s->rank), to = (me + 2) % SIZE, one = 1;

	return weft_graph_create(s->world, &(struct weft_graph_edges){
		1, &me, &one, &to, NULL
	}, lack->info[me], true, graph_p);
}

static int create(const struct scene *s, const struct lack *lack,
		  struct weft_comm **graph_p)
{
	if (lack->per_node)
		return create_reordered(s, lack, graph_p);
	return lack->general ? create_any(s, graph_p) :
			       create_adjacent(s, graph_p);
}

static void begin(const struct scene *s, struct lack *lack)
{
	struct weft_info **info = &lack->info[wf_sim_rank(s->rank)];

	*info = NULL;
	if (!lack->per_node)
		return;
	if (weft_info_create(s->job, info) ||
	    weft_info_set(*info, "weft_reorder", "greedy"))
		wf_sim_fail(s->rank, "no info");
}

static void check_moved(const struct scene *s, const struct lack *lack,
			const struct weft_comm *graph)
{
	struct weft_reorder_info info;

	ok(s, weft_reorder_query(graph, &info), "query");
	if (!info.moved != !lack->per_node)
		wf_sim_fail(s->rank, "%d ranks moved", info.moved);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *graph = NULL;
	struct lack *lack = arg;
	struct scene s;
	int me = wf_sim_rank(rank);

	if (!start(&s, rank))
		return;
	begin(&s, lack);
	ok(&s, create(&s, lack, &graph), "first");
	check_moved(&s, lack, graph);
	ok(&s, weft_comm_free(&graph), "free");
	crowd(&s, s.world);
	if (me == lack->victim)
		lacking_begin(lack->at);
	lack->status[me] = create(&s, lack, &graph);
	if (me == lack->victim)
		lack->reached = lacking_end(lack->at);
	if (!graph != (lack->status[me] != WEFT_OK))
		wf_sim_fail(rank, "%s, and a graph",
			    weft_status_name(lack->status[me]));
	if (graph)
		use(&s, graph);
	ok(&s, weft_comm_free(&graph), "free");
	ok(&s, create(&s, lack, &graph), "next");
	use(&s, graph);
	ok(&s, weft_comm_free(&graph), "free");
	stop(&s);
}

static bool agree(const struct lack *lack)
{
	bool good = TAP_CHECK(lack->status[lack->victim] == WEFT_OK ||
			      lack->status[lack->victim] == WEFT_ERR_NOMEM);

	for (int r = 0; r < SIZE; r++)
		good &= TAP_EQUAL(lack->status[r], lack->status[lack->victim]);
	if (!good)
		tap_diag("allocation %ld", lack->at);
	return good;
}

static void lack_anywhere(struct lack *lack)
{
	struct wf_sim_options options;

	lack->reached = true;
	for (lack->at = 1; lack->reached; lack->at++) {
		wf_sim_options_init(&options, SIZE, (uint64_t)lack->at);
		options.environ = lack->settings;
		options.ranks_per_node = lack->per_node;
		if (!sim_flow_run(&options, program, lack) || !agree(lack))
			return;
	}
	TAP_CHECK(lack->at > 8);
	tap_diag("%ld allocations", lack->at - 2);
}

static void of_any_rank(void)
{
	struct lack lack = { .general = true, .victim = VICTIM };

	lack_anywhere(&lack);
}

static void of_own_edges(void)
{
	struct lack lack = { .general = false, .victim = VICTIM };

	lack_anywhere(&lack);
}

static void compared(void)
{
	struct lack lack = { .settings = compares, .victim = VICTIM };

	lack_anywhere(&lack);
}

static void reordered(void)
{
	struct lack lack = { .per_node = 2, .victim = VICTIM };

	lack_anywhere(&lack);
	lack.victim = ROOT;
	lack_anywhere(&lack);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "edges that any rank gives", of_any_rank },
		{ "edges of each rank", of_own_edges },
		{ "edges of each rank, compared", compared },
		{ "in another order of ranks", reordered }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
