/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank lacks memory at any allocation of a neighbour reduction: nothing is
 * combined there, who gets something of it hears so, or all do; or the
 * reduction goes without it.  The next one works.
 */
#include "tests/coll/fold_element.h"
#include "tests/drawn.h"
#include "tests/sim/lacking.h"

enum { SIZE = 5, VICTIM = 2, COUNT = 40, N = 20 };

struct lack {
	enum fold_kind kind;
	bool prepared;			/* by _init, else nonblocking */
	long at;			/* the allocation, from 1 on */
	bool reached;			/* there were so many */
	int status[SIZE];
};

/* An edge to the next rank and one to itself. */
struct rank {
	struct scene s;
	struct fold_elements elements;
	struct weft_comm *graph;
	_Alignas(16) char sent[2 * COUNT * FOLD_WIDEST];
	_Alignas(16) char base[N * FOLD_WIDEST], want[N * FOLD_WIDEST];
	uint32_t at[2 * COUNT];
};

static void fill(struct rank *r, enum fold_kind kind)
{
	size_t extent = fold_extent(kind);

	memset(r->sent, 0, sizeof(r->sent));
	for (uint64_t i = 0; i < 2 * COUNT; i++) {
		fold_give(kind, i, r->sent + i * extent);
		r->at[i] = (uint32_t)(drawn_mix(i, 1, 2) % N);
	}
	memset(r->base, 0, sizeof(r->base));
	for (uint64_t e = 0; e < N; e++)
		fold_give(kind, e + 1000, r->base + e * extent);
	memcpy(r->want, r->base, sizeof(r->want));
}

/* All ranks send the same, so both edges of each are known here. */
static void check(const struct rank *r, enum fold_kind kind, bool combined)
{
	size_t extent = fold_extent(kind);
	char *want = (char *)r->want;

	for (size_t i = 0; combined && i < 2 * COUNT; i++)
		fold_serial(kind, want + r->at[i] * extent,
			    r->sent + i * extent, 1);
	if (memcmp(r->base, want, sizeof(r->base)))
		wf_sim_fail(r->s.rank, "kind %d: another result", (int)kind);
}

static int call(struct rank *r, const struct lack *lack,
		struct weft_request **req_p)
{
	const size_t counts[] = { COUNT, COUNT };
	const ptrdiff_t displs[] = { 0, COUNT };
	const struct weft_vec send = {
		.base = r->sent, .type = r->elements.type[lack->kind],
		.counts = counts, .displs = displs
	};
	const struct weft_fold recv = {
		r->base, N, r->elements.type[lack->kind], counts, r->at
	};

	return (lack->prepared ? weft_neighbor_reduce_init :
				 weft_ineighbor_reduce)
	       (r->graph, &send, &recv, r->elements.op[lack->kind], req_p);
}

static int finish(const struct rank *r, const struct lack *lack, int status,
		  struct weft_request *req)
{
	if (!status && lack->prepared)
		status = weft_request_start(req);
	if (!status)
		status = weft_request_wait(req);
	ok(&r->s, weft_request_free(&req), "free");
	return status;
}

static void good(struct rank *r, const struct lack *lack)
{
	struct weft_request *req = NULL;
	int status;

	fill(r, lack->kind);
	status = call(r, lack, &req);
	ok(&r->s, finish(r, lack, status, req), "a good one");
	check(r, lack->kind, true);
}

static void without(struct rank *r, struct lack *lack)
{
	int me = wf_sim_rank(r->s.rank), status;
	struct weft_request *req = NULL;

	fill(r, lack->kind);
	if (me == VICTIM)
		lacking_begin(lack->at);
	status = call(r, lack, &req);
	if (me == VICTIM)
		lack->reached = lacking_end(lack->at);
	if (!req != (status != WEFT_OK))
		wf_sim_fail(r->s.rank, "%s, and a request",
			    weft_status_name(status));
	status = lack->status[me] = finish(r, lack, status, req);
	/* who sends to it may hear of it, and has all that comes to itself */
	check(r, lack->kind, !status || (!lack->prepared && me != VICTIM &&
					 me != VICTIM + 1));
	ok(&r->s, weft_barrier(r->s.world), "barrier");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	const int from[] = { (me + n - 1) % n, me };
	const int to[] = { (me + 1) % n, me };
	struct lack *lack = arg;
	struct rank *r = calloc(1, sizeof(*r));

	if (!r || !start(&r->s, rank))
		abort();
	ok(&r->s, fold_elements_make(&r->elements, r->s.job), "elements");
	ok(&r->s, weft_graph_create_adjacent(r->s.world, &(struct weft_edges){
		2, from, NULL
	}, &(struct weft_edges){ 2, to, NULL }, NULL, false, &r->graph),
	   "graph");
	crowd(&r->s, r->s.world);
	crowd(&r->s, r->graph);
	without(r, lack);
	good(r, lack);
	good(r, lack);
	ok(&r->s, weft_comm_free(&r->graph), "free");
	ok(&r->s, fold_elements_free(&r->elements), "elements");
	stop(&r->s);
	free(r);
}

/* A prepared one fails at all; else those without an edge from it may go on. */
static bool agree(const struct lack *lack)
{
	int victim = lack->status[VICTIM];
	bool good = TAP_CHECK(!victim || victim == WEFT_ERR_NOMEM);

	good &= TAP_EQUAL(lack->status[VICTIM + 1], victim);
	for (int r = 0; r < SIZE; r++)
		good &= TAP_CHECK(lack->status[r] == victim ||
				  (!lack->prepared && !lack->status[r]));
	if (!good)
		tap_diag("kind %d, allocation %ld", (int)lack->kind, lack->at);
	return good;
}

static void lack_anywhere(enum fold_kind kind, bool prepared)
{
	struct lack lack = {
		.kind = kind, .prepared = prepared, .reached = true
	};
	struct wf_sim_options options;
	int failed = 0;

	for (lack.at = 1; lack.reached; lack.at++) {
		wf_sim_options_init(&options, SIZE, (uint64_t)lack.at);
		if (!sim_flow_run(&options, program, &lack) || !agree(&lack))
			return;
		failed += lack.status[VICTIM] != WEFT_OK;
	}
	/* a list of parts, the copy and its memory, the fold and its own */
	TAP_CHECK(failed >= (kind == FOLD_TEXT ? 6 : 4));
	tap_diag("%ld allocations, %d failed", lack.at - 2, failed);
}

static void nonblocking(void)
{
	lack_anywhere(FOLD_DOUBLE, false);
	lack_anywhere(FOLD_TEXT, false);
}

static void persistent(void)
{
	lack_anywhere(FOLD_DOUBLE, true);
	lack_anywhere(FOLD_TEXT, true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "nonblocking", nonblocking },
		{ "persistent", persistent }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
