/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arena of one rank is full: what needs some of it there is an error at
 * all ranks that take part, with a sentence of its own, and what comes when
 * there is room again works.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	FULL = 1,			/* the rank without room */
	BLOCKS = 4096,
	LENGTH = 20000			/* of a slot; twice of it is large */
};

/* Variants: what the full rank lacks room for. */
enum {
	SLOTS,				/* larger slots than at first */
	ALL,				/* all of an edge, from the first on */
	LARGE				/* the same, and for ready lines */
};

static char *env[] = {
	"WEFT_SLOT_MAX=32768", "WEFT_CHUNK=256", "WEFT_ARENA=64k",
	"WEFT_ARENA_MAX=2m", "WEFT_COLL=radix:2", NULL
};

static int ring(int from, int to, int ranks)
{
	return to == (from + 1) % ranks;
}

static int both(int from, int to, int ranks)
{
	return ring(from, to, ranks) + ring(to, from, ranks);
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	int least = shape->variant == LARGE ? 2 * LENGTH : LENGTH;

	return round ? (size_t)(least + 100 * from + to + k) : 8;
}

/* Takes all of the arena, in blocks that get smaller. */
struct hoard {
	struct weft_job *job;
	int n;
	void *block[BLOCKS];
};

static struct hoard *hoard_fill(struct weft_job *job)
{
	struct hoard *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->job = job;
	for (size_t size = 1 << 20; size >= 64; size /= 2)
		while (h->n < BLOCKS &&
		       !weft_mem_alloc(job, size, &h->block[h->n]))
			h->n++;
	return h;
}

static void hoard_drop(struct hoard *h)
{
	while (h && h->n)
		weft_mem_free(h->job, h->block[--h->n]);
	free(h);
}

static bool meets_full(const struct sim_flow_shape *shape,
		       struct wf_sim_rank *rank)
{
	int me = wf_sim_rank(rank), ranks = wf_sim_size(rank);

	return shape->edges(me, FULL, ranks) || shape->edges(FULL, me, ranks);
}

static void exchange(struct wf_sim_rank *rank, void *arg)
{
	const struct sim_flow_shape *shape = arg;
	/* more than go without credits */
	int end = shape->variant == SLOTS ? 4 : 7;
	struct sim_parcel p;
	struct sim_flow flow;
	struct hoard *h = NULL;
	bool mine = wf_sim_rank(rank) == FULL;
	int status;

	if (!sim_flow_join(&flow, shape, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	if (shape->variant == SLOTS)
		sim_parcel_exchange(&p, 0);
	if (mine)
		h = hoard_fill(flow.job);
	for (int round = 1; round < end; round++) {
		bool near = mine || meets_full(shape, rank);
		const char *text = mine ? "no memory for its channels" :
				   "failed or was refused at rank 1";

		sim_parcel_fill(&p, round);
		status = weft_neighbor_alltoallv(flow.graph, &p.out, &p.in);
		if (status != (near ? WEFT_ERR_NOMEM : WEFT_OK) ||
		    (near && !strstr(weft_error_text(flow.job), text)))
			wf_sim_fail(rank, "round %d: %s: %s", round,
				    weft_status_name(status),
				    weft_error_text(flow.job));
	}
	hoard_drop(h);
	for (int round = end; round < end + 6; round++)
		sim_parcel_exchange(&p, round);
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void run(int (*edges)(int from, int to, int ranks), int variant)
{
	struct sim_flow_shape shape = {
		edges, bytes, 2 * LENGTH + 1000, variant
	};

	for (int ranks = 2; ranks <= 5; ranks++)
		if (!sim_flow_seeds(ranks, 10, env, exchange, &shape))
			return;
}

static void landing_slots(void)
{
	run(ring, SLOTS);
	run(both, SLOTS);
}

static void first_exchange(void)
{
	run(ring, ALL);
	run(both, ALL);
	run(sim_edges_later, LARGE);
}

enum {
	REDUCTIONS = 10,
	VALUES = 500
};

/* Those of one value keep the plan of the first. */
static const int lengths[REDUCTIONS] = { 1, 40, 40, 1, VALUES, 40, 1, 1,
					 VALUES, 40 };
static const bool no_room[REDUCTIONS] = { [2] = true, [4] = true, [5] = true };

static void reduce_once(struct wf_sim_rank *rank, struct weft_job *job,
			int round)
{
	int n = lengths[round], status;
	int64_t v[VALUES];

	for (int i = 0; i < n; i++)
		v[i] = i + round;
	status = weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
				weft_part(v, (size_t)n, &weft_type_int64),
				round == 2 ? &weft_op_max : &weft_op_sum);
	if (status != (no_room[round] ? WEFT_ERR_NOMEM : WEFT_OK) ||
	    (!status && v[n - 1] != wf_sim_size(rank) * (n - 1 + round)))
		wf_sim_fail(rank, "round %d: %s: %s", round,
			    weft_status_name(status), weft_error_text(job));
}

/* One rank has no room for the scratch of a vector. */
static void reduce(struct wf_sim_rank *rank, void *arg)
{
	struct hoard *h = NULL;
	struct weft_job *job;

	(void)arg;
	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	for (int round = 0; round < REDUCTIONS; round++) {
		if (wf_sim_rank(rank) == FULL && round == 2)
			h = hoard_fill(job);
		reduce_once(rank, job, round);
		if (round == 5) {
			hoard_drop(h);
			h = NULL;
		}
	}
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

static void scratch(void)
{
	for (int ranks = 2; ranks <= 9; ranks++)
		if (!sim_flow_seeds(ranks, 10, env, reduce, NULL))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no room for landing slots", landing_slots },
		{ "no room from the first exchange on", first_exchange },
		{ "no room for the scratch of a collective", scratch }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
