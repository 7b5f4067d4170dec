/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The edges of a rank, what flows along them, and what must have come.
 */
#include "tests/sim/sim_flow.h"

#include "job/job.h"
#include "plan/set.h"
#include "tests/tap.h"
#include "topo/graph.h"

enum {
	GUARD = 64,			/* bytes between messages */
	GUARD_BYTE = 0xa5,
	SETTLE_NS = 2000000		/* longer than any flight */
};

char *const sim_small_env[] = {
	"WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=256", "WEFT_CHUNK=64",
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

char *const sim_unchecked_env[] = {
	"WEFT_CHECK=0", "WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

char *const *sim_any_env(uint64_t seed)
{
	static char *const compared[] = { "WEFT_CHECK=2", NULL };

	switch (seed % 4) {
	case 1:
		return sim_unchecked_env;
	case 2:
		return compared;
	case 3:
		return sim_small_env;
	default:
		return NULL;
	}
}

size_t sim_bytes_class(const struct sim_flow_shape *shape, int from, int to,
		       int k, int round)
{
	static const size_t of[] = { 20, 2000, SIM_BYTES_MOST };

	(void)from;
	(void)to;
	(void)k;
	(void)round;
	return of[shape->variant];
}

int sim_edges_ring(int from, int to, int ranks)
{
	return (to == (from + 1) % ranks) + (from == (to + 1) % ranks);
}

int sim_edges_chain(int from, int to, int ranks)
{
	(void)ranks;
	return to == from + 1;
}

int sim_edges_all(int from, int to, int ranks)
{
	(void)ranks;
	return from != to;
}

int sim_edges_later(int from, int to, int ranks)
{
	(void)ranks;
	return from < to;
}

int sim_edges_slope(int from, int to, int ranks)
{
	return sim_edges_later(from, to, ranks) +
	       sim_edges_chain(from, to, ranks);
}

static void find_edges(struct sim_flow *flow)
{
	int n = wf_sim_size(flow->rank);

	for (int r = 0; r < n; r++) {
		int out = flow->shape->edges(flow->me, r, n);
		int in = flow->shape->edges(r, flow->me, n);

		for (int k = 0; k < out; k++) {
			flow->to[flow->nout] = r;
			flow->out_k[flow->nout++] = k;
		}
		for (int k = 0; k < in; k++) {
			flow->from[flow->nin] = r;
			flow->in_k[flow->nin++] = k;
		}
	}
}

int sim_flow_try(struct sim_flow *flow, const struct sim_flow_shape *shape,
		 struct wf_sim_rank *rank, struct weft_job *job)
{
	struct weft_edges in, out;

	*flow = (struct sim_flow){
		.shape = shape, .rank = rank, .job = job,
		.me = wf_sim_rank(rank)
	};
	find_edges(flow);
	in = (struct weft_edges){ flow->nin, flow->from, NULL };
	out = (struct weft_edges){ flow->nout, flow->to, NULL };
	return weft_graph_create_adjacent(weft_job_world(job), &in, &out, NULL,
					  false, &flow->graph);
}

bool sim_flow_open(struct sim_flow *flow, const struct sim_flow_shape *shape,
		   struct wf_sim_rank *rank, struct weft_job *job)
{
	if (!sim_flow_try(flow, shape, rank, job))
		return true;
	wf_sim_fail(rank, "no graph: %s", weft_error_text(job));
	return false;
}

bool sim_flow_join(struct sim_flow *flow, const struct sim_flow_shape *shape,
		   struct wf_sim_rank *rank)
{
	struct weft_job *job;

	if (!wf_sim_job_open(rank, &job))
		return sim_flow_open(flow, shape, rank, job);
	wf_sim_fail(rank, "cannot open the job");
	return false;
}

void sim_flow_part(struct sim_flow *flow)
{
	sim_flow_close(flow);
	if (weft_job_close(flow->job))
		wf_sim_fail(flow->rank, "cannot close the job");
}

void sim_flow_close(struct sim_flow *flow)
{
	if (weft_comm_free(&flow->graph))
		wf_sim_fail(flow->rank, "cannot free the graph");
}

static unsigned char *take(struct sim_parcel *p, size_t bytes)
{
	void *base = NULL;

	if (!p->arena)
		base = malloc(bytes);
	else if (weft_mem_alloc(p->flow->job, bytes, &base))
		return NULL;
	return base;
}

static size_t recv_bytes_all(const struct sim_flow *flow)
{
	return (size_t)flow->nin * (flow->shape->most + GUARD) + GUARD;
}

bool sim_parcel_init(struct sim_parcel *p, struct sim_flow *flow, bool arena)
{
	size_t most = flow->shape->most;

	*p = (struct sim_parcel){ .flow = flow, .arena = arena, .sizes = -1 };
	p->send = take(p, (size_t)flow->nout * most + 1);
	p->recv = take(p, recv_bytes_all(flow));
	if (!p->send || !p->recv) {
		wf_sim_fail(flow->rank, "no memory for an exchange");
		return false;
	}
	for (int i = 0; i < flow->nout; i++)
		p->send_at[i] = i * (ptrdiff_t)most;
	for (int i = 0; i < flow->nin; i++)
		p->recv_at[i] = GUARD + i * (ptrdiff_t)(most + GUARD);
	p->out = (struct weft_vec){ .base = p->send,
		.type = &weft_type_byte, .counts = p->send_bytes,
		.displs = p->send_at };
	p->in = (struct weft_vec){ .base = p->recv,
		.type = &weft_type_byte, .counts = p->recv_bytes,
		.displs = p->recv_at };
	return true;
}

void sim_parcel_fini(struct sim_parcel *p)
{
	if (p->arena) {
		weft_mem_free(p->flow->job, p->send);
		weft_mem_free(p->flow->job, p->recv);
	} else {
		free(p->send);
		free(p->recv);
	}
}

/* What the message of an edge in a round begins with; then it counts up. */
static unsigned int first_of(int from, int to, int k, int round)
{
	return (unsigned int)from * 31 + (unsigned int)to * 17 +
	       (unsigned int)k * 7 + (unsigned int)round * 61;
}

static unsigned char byte_of(unsigned int first, size_t i)
{
	return (unsigned char)(first + i + (i >> 8) * 3);
}

static size_t bytes_of(const struct sim_flow_shape *shape, int from, int to,
		       int k, int round)
{
	return shape->bytes ? shape->bytes(shape, from, to, k, round) :
			      shape->most;
}

void sim_parcel_fill(struct sim_parcel *p, int round)
{
	const struct sim_flow *f = p->flow;
	int sizes = p->sizes < 0 ? round : p->sizes;

	p->round = round;
	memset(p->recv, GUARD_BYTE, recv_bytes_all(f));
	for (int e = 0; e < f->nin; e++)
		p->recv_bytes[e] = bytes_of(f->shape, f->from[e], f->me,
					    f->in_k[e], sizes);
	for (int e = 0; e < f->nout; e++) {
		unsigned int first = first_of(f->me, f->to[e], f->out_k[e],
					      round);
		unsigned char *to = p->send + p->send_at[e];

		p->send_bytes[e] = bytes_of(f->shape, f->me, f->to[e],
					    f->out_k[e], sizes);
		for (size_t i = 0; i < p->send_bytes[e]; i++)
			to[i] = byte_of(first, i);
	}
}

static bool check_edge(const struct sim_parcel *p, int e)
{
	const struct sim_flow *f = p->flow;
	unsigned int first = first_of(f->from[e], f->me, f->in_k[e], p->round);
	const unsigned char *at = p->recv + p->recv_at[e];

	for (size_t i = 0; i < f->shape->most; i++) {
		unsigned int want = i < p->recv_bytes[e] ?
				    byte_of(first, i) : GUARD_BYTE;

		if (at[i] == want)
			continue;
		wf_sim_fail(f->rank, "exchange %d, edge %d from rank %d, byte "
			    "%zu of %zu is %d, not %d", p->round, e,
			    f->from[e], i, p->recv_bytes[e], at[i], want);
		return false;
	}
	return true;
}

bool sim_parcel_check(const struct sim_parcel *p)
{
	bool good = true;

	for (int e = 0; good && e < p->flow->nin; e++)
		good = check_edge(p, e);
	return good;
}

static void outcome(const struct sim_parcel *p, int status)
{
	if (status)
		wf_sim_fail(p->flow->rank, "exchange %d: %s: %s", p->round,
			    weft_status_name(status),
			    weft_error_text(p->flow->job));
	else
		sim_parcel_check(p);
}

void sim_parcel_exchange(struct sim_parcel *p, int round)
{
	sim_parcel_fill(p, round);
	outcome(p, weft_neighbor_alltoallv(p->flow->graph, &p->out, &p->in));
}

void sim_parcel_start(struct sim_parcel *p, int round)
{
	sim_parcel_fill(p, round);
	if (weft_ineighbor_alltoallv(p->flow->graph, &p->out, &p->in,
				     &p->req))
		wf_sim_fail(p->flow->rank, "cannot start exchange %d: %s",
			    round, weft_error_text(p->flow->job));
}

void sim_parcel_wait(struct sim_parcel *p)
{
	if (!p->req)
		return;
	outcome(p, weft_request_wait(p->req));
	if (weft_request_free(&p->req))
		wf_sim_fail(p->flow->rank, "cannot free the request of %d",
			    p->round);
}

void sim_flow_compute(struct sim_flow *flow, uint64_t ns)
{
	uint64_t until = wf_sim_now(flow->rank) + ns;

	while (wf_sim_now(flow->rank) < until)
		wf_sim_idle(flow->rank, until);
}

void sim_flow_settle(struct sim_flow *flow)
{
	uint64_t until = wf_sim_now(flow->rank) + SETTLE_NS;

	while (wf_sim_now(flow->rank) < until) {
		if (weft_job_progress(flow->job))
			wf_sim_fail(flow->rank, "no progress");
		/* What a pass has found may give work to the next one. */
		wf_sim_idle(flow->rank, wf_sim_now(flow->rank) + 10000);
	}
}

struct sim_holdings sim_flow_holdings(const struct sim_flow *flow)
{
	const struct weft_job *job = flow->job;
	const struct wf_signal_half *half = job->signals.half;
	uint32_t room = half[0].capacity + half[1].capacity;

	/* The blocks of signals stay. */
	return (struct sim_holdings){
		job->segment.blocks.count - room / WF_SIGNAL_BLOCK,
		wf_signals_in_use(&job->signals)
	};
}

void sim_flow_check_holdings(const struct sim_flow *flow,
			     struct sim_holdings before)
{
	struct sim_holdings now = sim_flow_holdings(flow);

	if (now.blocks != before.blocks || now.signals != before.signals)
		wf_sim_fail(flow->rank, "%zu blocks and %u signals are held, "
			    "%zu and %u were", now.blocks, now.signals,
			    before.blocks, before.signals);
}

static uint64_t credits(const _Atomic uint64_t *word, uint32_t sig)
{
	return word ? wf_signal_count(word, sig) : 0;
}

static void check_out(const struct sim_flow *flow, const struct wf_out *out)
{
	uint64_t due = out->count->done / (unsigned int)out->set->window;
	uint64_t have = credits(out->credit, out->credit_sig);
	uint64_t chunks = credits(out->area_credit, out->area_credit_sig);

	if (out->has_reverse || !out->told)
		due = 0;
	if (have != due || chunks != out->area_due)
		wf_sim_fail(flow->rank, "to rank %d: %llu credits of %llu, "
			    "%llu of %llu for chunks", out->edge.receiver,
			    (unsigned long long)have, (unsigned long long)due,
			    (unsigned long long)chunks,
			    (unsigned long long)out->area_due);
}

void sim_flow_check_credits(const struct sim_flow *flow,
			    const struct weft_comm *graph)
{
	const struct wf_set *set = wf_graph_of(graph)->set;

	for (int i = 0; i < set->nout; i++)
		check_out(flow, &set->out[i]);
	for (int i = 0; i < set->nin; i++)
		if (set->in[i].credits_due || set->in[i].area_credits_due)
			wf_sim_fail(flow->rank, "from rank %d: %u and %u "
				    "credits are due", set->in[i].edge.sender,
				    set->in[i].credits_due,
				    set->in[i].area_credits_due);
}

bool sim_flow_run(const struct wf_sim_options *options,
		  void (*program)(struct wf_sim_rank *rank, void *arg),
		  void *arg)
{
	int survivors = options->ranks - (options->kill_rank >= 0);
	struct wf_sim_result result;

	if (!TAP_EQUAL(wf_sim_run(options, program, arg, &result), WEFT_OK))
		return false;
	if (TAP_EQUAL(result.violations, 0) &&
	    TAP_EQUAL(result.finished, survivors))
		return true;
	tap_diag("%d ranks, seed %llu: %s", options->ranks,
		 (unsigned long long)options->seed, result.text);
	return false;
}

bool sim_flow_seeds(int ranks, long seeds, char *const *environ,
		    void (*program)(struct wf_sim_rank *rank, void *arg),
		    void *arg)
{
	return sim_flow_seeds_set(ranks, seeds, environ, NULL, program, arg);
}

bool sim_flow_seeds_set(int ranks, long seeds, char *const *environ,
			void (*set)(struct wf_sim_options *options),
			void (*program)(struct wf_sim_rank *rank, void *arg),
			void *arg)
{
	long first = tap_figure("FIRST_SEED", 1);

	seeds = tap_figure("SEEDS", seeds);
	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, ranks, (uint64_t)seed);
		wf_sim_options_vary(&options);
		options.environ = environ;
		if (set)
			set(&options);
		if (!sim_flow_run(&options, program, arg))
			return false;
	}
	return true;
}
