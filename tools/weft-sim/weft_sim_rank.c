/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a simulated rank does: it opens a job, calls the public interface like
 * any program, and checks what it got.
 *
 * A result is right, or the call failed with WEFT_ERR_PEER in a run in which
 * somebody dies or a link is cut; all else is a violation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weft.h>

#include "base/random.h"
#include "bench/weft_bench_pattern.h"
#include "tests/sim/sim_job.h"
#include "tools/weft-sim/weft_sim_child.h"
#include "tools/weft-sim/weft_sim_colls.h"
#include "tools/weft-sim/weft_sim_dist.h"
#include "tools/weft-sim/weft_sim_graph.h"
#include "tools/weft-sim/weft_sim_messages.h"
#include "tools/weft-sim/weft_sim_run.h"
#include "tools/weft-sim/weft_sim_topo.h"
#include "tools/weft-sim/weft_sim_trace.h"

enum {
	STAGGER_NS = 20000,	/* within it ranks start when not together */
	LOOK_NS = 500000,	/* between looks for the others; less than */
	GATHER_NS = 1000000	/* from the last arrival to the start */
};

struct player {
	struct wf_sim_rank *rank;
	struct wsim_run *run;
	struct weft_job *job;
	struct weft_comm *comm;		/* the world, or the graph */
	struct weft_group *group;	/* the own one of what is made */
	struct weft_comm *made;
	struct wsim_dist *dist;		/* NULL: another command */
	struct wf_random random;
	int me;
	char *send, *recv;
	size_t nout, nin;		/* edges */
	size_t *counts;			/* of the one direction that has more */
	ptrdiff_t *displs;
};

/* ---- what a trace shows ---- */

static void enter(struct player *p, const char *call)
{
	wsim_trace_begin(p->run->trace, p->me, wf_sim_now_ps(p->rank), call);
}

static void leave(struct player *p)
{
	wsim_trace_end(p->run->trace, p->me, wf_sim_now_ps(p->rank));
}

/* An operation, or one of a round. */
static const char *op_name(const struct player *p, long op)
{
	return p->dist ? wsim_dist_phase_name((int)(op % p->run->phases)) :
			 wsim_command_name(p->run->options->command);
}

static void enter_op(struct player *p, long op)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %ld", op_name(p, op),
		 op / p->run->phases);
	enter(p, text);
}

/* ---- collectives ---- */

static struct wsim_coll coll_of(const struct player *p)
{
	return (struct wsim_coll){
		.run = p->run, .comm = p->comm, .me = p->me, .send = p->send,
		.recv = p->recv, .counts = p->counts, .displs = p->displs
	};
}

static void fill_coll(const struct player *p, long op)
{
	struct wsim_coll c = coll_of(p);

	wsim_coll_fill(&c, op);
}

static void check_coll(const struct player *p, long op)
{
	struct wsim_coll c = coll_of(p);
	size_t wrong = wsim_coll_check(&c, op);

	if (wrong)
		wf_sim_fail(p->rank, "%s %ld: %zu wrong bytes",
			    wsim_command_name(p->run->options->command), op,
			    wrong);
}

static int call_coll(const struct player *p)
{
	struct wsim_coll c = coll_of(p);

	return wsim_coll_call(&c);
}

/* ---- exchange ---- */

static struct bench_stamp stamp(const struct player *p, int sender,
				size_t edge, long op)
{
	size_t first = p->run->graph->out[sender];

	return (struct bench_stamp){ (uint32_t)sender,
				     (uint32_t)(edge - first), (uint64_t)op };
}

static void fill_edges(struct player *p, long op)
{
	size_t first = p->run->graph->out[p->me], bytes = p->run->bytes;

	for (size_t i = 0; i < p->nout; i++)
		bench_pattern_fill(p->send + i * bytes, bytes,
				   stamp(p, p->me, first + i, op));
	memset(p->recv, 0xa5, p->nin * bytes);
}

static void check_edges(struct player *p, long op)
{
	const struct wsim_graph *g = p->run->graph;
	size_t first = g->in[p->me], bytes = p->run->bytes;

	for (size_t i = 0; i < p->nin; i++) {
		int from = g->from[first + i];
		size_t wrong = bench_pattern_check(p->recv + i * bytes, bytes,
				stamp(p, from, g->edge[first + i], op));

		if (!wrong)
			continue;
		wf_sim_fail(p->rank, "%s %ld, edge %zu from rank %d: %zu wrong "
			    "bytes of %zu",
			    wsim_command_name(p->run->options->command), op, i,
			    from, wrong, bytes);
		return;
	}
}

static int exchange(struct player *p)
{
	struct weft_vec send = { .base = p->send, .type = &weft_type_byte,
				 .counts = p->counts, .displs = p->displs };
	struct weft_vec recv = send;

	recv.base = p->recv;
	return weft_neighbor_alltoallv(p->comm, &send, &recv);
}

/* Ranks that are gone, or are no more reached, end operations. */
static bool is_endangered(const struct player *p)
{
	return p->run->kills || p->run->cuts;
}

/* Of a rank that gives up another one hears that its graph is gone, too. */
static bool may_fail(const struct player *p, int status)
{
	return (status == WEFT_ERR_PEER && is_endangered(p)) ||
	       ((status == WEFT_ERR_DEVICE || status == WEFT_ERR_GRAPH) &&
		p->run->cuts);
}

static bool open_graph(struct player *p)
{
	int status;

	enter(p, "create graph");
	status = wsim_topo_adjacent(p->run, weft_job_world(p->job), &p->comm);
	leave(p);
	if (may_fail(p, status))
		p->run->refused++;
	else if (status)
		wf_sim_fail(p->rank, "no graph: %s", weft_error_text(p->job));
	return !status;
}

/* ---- the operations ---- */

static void fill(struct player *p, long op)
{
	if (p->dist)
		wsim_dist_fill(p->dist, op);
	else if (wsim_has_messages(p->run->options))
		fill_edges(p, op);
	else if (wsim_has_bytes(p->run->options))
		fill_coll(p, op);
}

static void check_made(struct player *p, long op)
{
	if (wsim_topo_is_made(p->run->options->command) ?
	    wsim_topo_is_wrong(p->run, op, &p->made) :
	    wsim_child_is_wrong(p->run, p->comm, op, &p->made))
		wf_sim_fail(p->rank, "%s %ld: another communicator than asked "
			    "for", wsim_command_name(p->run->options->command),
			    op);
}

static void check_dist(struct player *p, long op)
{
	size_t wrong = wsim_dist_check(p->dist, op);

	if (wrong)
		wf_sim_fail(p->rank, "%s %ld of a Dist: %zu are wrong",
			    op_name(p, op), op / p->run->phases, wrong);
}

static void check(struct player *p, long op)
{
	if (p->dist)
		check_dist(p, op);
	else if (wsim_has_messages(p->run->options))
		check_edges(p, op);
	else if (wsim_has_bytes(p->run->options))
		check_coll(p, op);
	else if (wsim_child_is_made(p->run->options->command))
		check_made(p, op);
	else if (p->run->entered[op] < p->run->ranks)
		wf_sim_fail(p->rank, "barrier %ld let it pass with %d ranks "
			    "in it", op, p->run->entered[op]);
}

static int call(struct player *p, long op)
{
	const struct wsim_options *o = p->run->options;

	if (p->dist)
		return wsim_dist_call(p->dist, p->comm, op);
	if (o->command == WSIM_BARRIER)
		return weft_barrier(p->comm);
	if (o->command == WSIM_EXCHANGE)
		return exchange(p);
	if (o->command == WSIM_P2P)
		return wsim_messages_pass(p->run, p->comm, p->send, p->recv);
	if (wsim_has_bytes(o))
		return call_coll(p);
	if (wsim_topo_is_made(o->command))
		return wsim_topo_make(p->run, p->comm, &p->made);
	return wsim_child_make(p->run, p->comm, p->group, &p->made);
}

static void progress(struct player *p)
{
	int status = weft_job_progress(p->job);

	if (status && !is_endangered(p))
		wf_sim_fail(p->rank, "progress: %s", weft_error_text(p->job));
}

static void pass_until(struct player *p, uint64_t time)
{
	while (wf_sim_now(p->rank) < time) {
		progress(p);
		wf_sim_idle(p->rank, time);
	}
}

/* The last to come says when all of them start. */
static void meet(struct player *p)
{
	struct wsim_run *run = p->run;
	long before = run->met;

	if (++run->arrived == run->ranks) {
		run->arrived = 0;
		run->met++;
		run->start = wf_sim_now(p->rank) + GATHER_NS;
	}
	while (run->met == before) {
		progress(p);
		wf_sim_idle(p->rank, wf_sim_now(p->rank) + LOOK_NS);
	}
	pass_until(p, run->start);
}

/*
 * Where flights are random, starts are, too.  With the times of a network ranks
 * go on together, as in programs, unless somebody is to die at any moment.
 */
static void stagger(struct player *p)
{
	if (p->run->options->net.name && !is_endangered(p))
		return;
	pass_until(p, wf_sim_now(p->rank) +
		      wf_random_below(&p->random, STAGGER_NS));
}

static void keep_end(struct player *p, long op)
{
	struct wsim_run *run = p->run;
	uint64_t *end = &run->end[op - run->first];
	size_t round = (size_t)((op - run->first) / run->phases);
	size_t rounds = (size_t)run->options->iterations;
	size_t phase = (size_t)(op % run->phases);
	uint64_t took = wf_sim_now_ps(p->rank) - run->start * 1000;

	if (*end < took)
		*end = took;
	if (run->took)
		run->took[(phase * rounds + round) * (size_t)run->ranks +
			  (size_t)p->me] = took;
}

/* When all have met: of the operation before, if it was timed. */
static void count_messages(struct player *p, long op)
{
	struct wsim_run *run = p->run;
	uint64_t posted = wf_sim_messages(p->rank);

	if (op > run->first)
		run->messages[(op - 1) % run->phases] += posted - run->posted;
	run->posted = posted;
}

/* Where all start it together. */
static void begin_timed(struct player *p, long op)
{
	meet(p);
	if (!p->run->entered[op])
		count_messages(p, op);
	if (p->dist)
		wsim_dist_measure(p->dist, p->comm, op);
}

/* True: the next one. */
static bool one_op(struct player *p, long op)
{
	bool timed = op >= p->run->first && !is_endangered(p);
	int status;

	fill(p, op);
	if (timed)
		begin_timed(p, op);
	else
		stagger(p);
	p->run->entered[op]++;
	enter_op(p, op);
	status = call(p, op);
	leave(p);
	if (timed)
		keep_end(p, op);
	if (!status)
		check(p, op);
	else if (may_fail(p, status))
		p->run->refused++;
	else
		wf_sim_fail(p->rank, "%s %ld: %s: %s", op_name(p, op),
			    op / p->run->phases, weft_status_name(status),
			    weft_error_text(p->job));
	return !status;
}

/* Nobody has begun to leave. */
static void take_stock(struct player *p)
{
	struct wsim_run *run = p->run;

	if (is_endangered(p))
		return;
	meet(p);
	if (run->resident)
		return;
	run->resident = wsim_resident();
	count_messages(p, run->ops);
}

static void play(struct player *p)
{
	long op = 0;

	while (op < p->run->ops && one_op(p, op))
		op++;
	if (op == p->run->ops)
		take_stock(p);
}

/* ---- what a rank needs ---- */

static bool has_too_many_items(struct player *p, size_t edges)
{
	long items = p->run->options->items;

	if (!wsim_has_items(p->run->options) ||
	    edges <= (size_t)(INT32_MAX / items))
		return false;
	wf_sim_fail(p->rank, "%zu edges of %ld items each are more than %d "
		    "items: give fewer by --items", edges, items, INT32_MAX);
	return true;
}

static bool alloc(struct player *p)
{
	const struct wsim_graph *g = p->run->graph;
	size_t bytes = p->run->bytes, most;

	p->nout = g ? g->out[p->me + 1] - g->out[p->me] :
		      wsim_coll_room(p->run, p->me, true);
	p->nin = g ? g->in[p->me + 1] - g->in[p->me] :
		     wsim_coll_room(p->run, p->me, false);
	most = p->nout > p->nin ? p->nout : p->nin;
	if (has_too_many_items(p, most))
		return false;
	p->send = malloc(p->nout * bytes + 1);
	p->recv = malloc(p->nin * bytes + 1);
	p->counts = calloc(most + 1, sizeof(*p->counts));
	p->displs = calloc(most + 1, sizeof(*p->displs));
	if (wsim_has_items(p->run->options))
		p->dist = wsim_dist_new(p->run, p->me);
	if (!p->send || !p->recv || !p->counts || !p->displs ||
	    (wsim_has_items(p->run->options) && !p->dist)) {
		wf_sim_fail(p->rank, "no memory for its buffers");
		return false;
	}
	for (size_t i = 0; i < most; i++) {
		p->counts[i] = g ? bytes :
				   wsim_coll_length(p->run, p->me, i);
		p->displs[i] = (ptrdiff_t)(i * bytes);
	}
	return true;
}

static void release(struct player *p)
{
	wsim_dist_free(p->dist);
	free(p->send);
	free(p->recv);
	free(p->counts);
	free(p->displs);
}

static void in_job(struct player *p)
{
	int status;

	p->comm = weft_job_world(p->job);
	p->group = wsim_child_group(p->run, p->comm);
	if (p->run->options->command != WSIM_EXCHANGE || open_graph(p))
		play(p);
	wsim_dist_free(p->dist);
	p->dist = NULL;
	if (p->comm != weft_job_world(p->job)) {
		enter(p, "free graph");
		status = weft_comm_free(&p->comm);
		leave(p);
		if (status && !may_fail(p, status))
			wf_sim_fail(p->rank, "cannot free the graph: %s",
				    weft_status_name(status));
	}
	enter(p, "close job");
	status = weft_job_close(p->job);
	leave(p);
	if (status && !may_fail(p, status))
		wf_sim_fail(p->rank, "cannot close the job: %s",
			    weft_status_name(status));
}

void wsim_rank_main(struct wf_sim_rank *rank, void *arg)
{
	struct player p = {
		.rank = rank, .run = arg, .me = wf_sim_rank(rank)
	};
	int status;

	wf_random_init(&p.random, wf_sim_seed(rank));
	if (alloc(&p)) {
		enter(&p, "open job");
		status = wf_sim_job_open_soon(rank,
					      p.run->options->mailed_epochs,
					      &p.job);
		leave(&p);
		if (status)
			wf_sim_fail(rank, "cannot open its job: %s",
				    weft_status_name(status));
		else
			in_job(&p);
	}
	release(&p);
}
