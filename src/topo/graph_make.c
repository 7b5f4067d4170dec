/* SPDX-License-Identifier: BSD-3-Clause */
/* What all constructors of graphs have in common: see graph_make.h. */
#include "topo/graph_make.h"

#include "base/handle.h"
#include "coll/agree.h"
#include "derive/block.h"
#include "p2p/p2p.h"
#include "plan/inquiry.h"
#include "topo/graph_reorder.h"

/* ---- arguments ---- */

int wf_graph_check_weights(struct wf_graph_maker *m, const char *name,
			   const int *weights, int n)
{
	struct weft_job *job = m->parent->job;

	m->weighted |= weights != NULL;
	m->unweighted |= n && !weights;
	if (weights == WEFT_WEIGHTS_EMPTY && n)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: %s is "
				   "WEFT_WEIGHTS_EMPTY with %d edges", m->call,
				   name, n);
	for (int i = 0; weights && i < n; i++)
		if (weights[i] < 0)
			return wf_job_fail(job, WEFT_ERR_ARG, "%s: %s[%d] is "
					   "%d, negative", m->call, name, i,
					   weights[i]);
	return WEFT_OK;
}

static int check_ranks(const struct wf_graph_maker *m, const char *name,
		       const struct weft_edges *e)
{
	int size = m->parent->size;

	for (int i = 0; i < e->n; i++)
		if (e->ranks[i] != WEFT_PROC_NULL &&
		    (e->ranks[i] < 0 || e->ranks[i] >= size))
			return wf_job_fail_for(m->parent->job,
					       WEFT_ARGUMENT_RANK,
					       WEFT_ERR_ARG, "%s: "
					       "%s->ranks[%d] is %d, the "
					       "communicator has %d ranks",
					       m->call, name, i, e->ranks[i],
					       size);
	return WEFT_OK;
}

int wf_graph_check_side(struct wf_graph_maker *m, const char *name,
			const struct weft_edges *e)
{
	struct weft_job *job = m->parent->job;
	char weights[24];
	int status;

	if (!e)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: %s is NULL",
				   m->call, name);
	if (e->n < 0)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
				       "%s: %s->n is %d", m->call, name, e->n);
	if (e->n && !e->ranks)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: %s->ranks is NULL "
				   "with %d edges", m->call, name, e->n);
	status = check_ranks(m, name, e);
	if (status)
		return status;
	snprintf(weights, sizeof(weights), "%s->weights", name);
	return wf_graph_check_weights(m, weights, e->weights, e->n);
}

/* ---- the communicator ---- */

void wf_graph_pass_over(struct weft_job *job,
			const struct wf_cid_block *block)
{
	if (block->low < block->end)
		wf_cid_pass_over(&wf_contexts(job)->ids, block->low,
				 block->end);
	wf_ports_clear(job);
}

static int no_communicator(const struct wf_graph_maker *m, int status)
{
	return wf_job_fail(m->parent->job, status,
			   "%s: no memory for a communicator", m->call);
}

int wf_graph_choose(struct wf_graph_maker *m, struct wf_lore *lore)
{
	int status = WEFT_OK;

	m->lore = lore;
	m->outside = m->parent->rank >= lore->n;
	if (!m->outside && lore->n < m->parent->size)
		status = wf_group_make_part(m->parent->group, 0, 1, lore->n,
					    &m->group);
	return status ? no_communicator(m, status) : WEFT_OK;
}

static int make_comm(struct wf_graph_maker *m,
		     const struct wf_cid_block *block)
{
	struct weft_comm *parent = m->parent;
	struct weft_group *group = m->group;
	int status;

	m->group = NULL;
	if (m->outside) {
		wf_graph_pass_over(parent->job, block);
		return WEFT_OK;
	}
	if (!group)
		group = wf_group_hold(parent->group);
	status = wf_comm_make(parent->job, group, block, &m->made);
	return status ? no_communicator(m, status) : WEFT_OK;
}

int wf_graph_begin(struct wf_graph_maker *m)
{
	struct wf_cid_block block = { 0 };
	int status;

	wf_inquiry_listen(m->parent->job);
	wf_office_expect(m->parent->job);
	status = wf_block_take(m->parent, m->call, &block);
	return status ? status : make_comm(m, &block);
}

int wf_graph_add_edges(struct wf_graph_maker *m, const struct weft_edges *in,
		       const struct weft_edges *out)
{
	int status = wf_graph_attach(m->made, m->lore, in, out);

	if (status)
		wf_job_fail(m->parent->job, status, "%s: no memory for %d "
			    "in-edges and %d out-edges", m->call, in->n,
			    out->n);
	return status;
}

/* ---- the agreement ---- */

/* The lowest ranks of those who say it; all have heard the same. */
static int check_mixture(const struct wf_graph_maker *m,
			 const int64_t says[2])
{
	if (says[0] == INT64_MAX || says[1] == INT64_MAX)
		return WEFT_OK;
	return wf_job_fail(m->parent->job, WEFT_ERR_ARG, "%s: rank %d says "
			   "that edges have weights, and rank %d has some "
			   "without", m->call, (int)says[0], (int)says[1]);
}

/* All have heard the least and, negative, the greatest print of one. */
static int check_alike(const struct wf_graph_maker *m, const int64_t says[2])
{
	if (says[0] == -says[1])
		return WEFT_OK;
	return wf_job_fail(m->parent->job, WEFT_ERR_ARG, "%s: not all ranks "
			   "pass the same %s: compare those of rank %d",
			   m->call, m->lore->alike, m->parent->rank);
}

/* Whoever is to be reordered goes on with all others. */
static bool asks(const struct wf_graph_maker *m)
{
	return m->parent->job->config.check ||
	       (m->wishes.any && m->reorder);
}

static int agree(struct wf_graph_maker *m, int status)
{
	struct wf_saying says = { status, m->whose, 2, {
		m->weighted ? m->parent->rank : INT64_MAX,
		m->unweighted ? m->parent->rank : INT64_MAX
	}, m->wishes.any };

	if (m->lore) {
		says.least[0] = (int64_t)m->lore->print;
		says.least[1] = -(int64_t)m->lore->print;
	}
	if (asks(m))
		status = wf_agree_least(m->parent, m->call, &says);
	if (!status)
		status = m->lore ? check_alike(m, says.least) :
				   check_mixture(m, says.least);
	if (!status && !m->lore)
		wf_graph_weigh(wf_graph_of(m->made),
			       says.least[0] != INT64_MAX);
	m->wishes.any = says.more;
	return status;
}

int wf_graph_settle(struct wf_graph_maker *m, int status)
{
	struct wf_saying says = { .status = status, .whose = m->whose };

	return wf_agree_least(m->parent, m->call, &says);
}

/* Once a job, and at one rank. */
static void say_kept(const struct wf_graph_maker *m)
{
	struct weft_job *job = m->parent->job;

	if (wf_contexts(job)->said_kept || m->parent->rank)
		return;
	wf_contexts(job)->said_kept = true;
	wf_info(&job->log, "%s: reorder without a key of weft_reorder(3) keeps "
		"the ranks as they are", m->call);
}

/* What some rank wants, all must; with WEFT_CHECK=0 they promise it. */
static int reorder(struct wf_graph_maker *m)
{
	int status = WEFT_OK;

	if (!m->wishes.any) {
		if (m->reorder)
			say_kept(m);
		return WEFT_OK;
	}
	if (m->parent->job->config.check)
		status = wf_graph_settle(m, wf_reorder_compare(
				m->parent, m->call, &m->wishes, m->reorder));
	if (!status && m->reorder)
		status = wf_graph_reorder(m);
	return status;
}

void wf_graph_give_up(struct weft_comm *graph)
{
	struct weft_job *job;

	if (!graph)
		return;
	job = graph->job;
	graph->freed = true;
	wf_comm_drop(graph);
	wf_ports_clear(job);
}

/* With the statuses of all so far: gives it to the program, or gives it up. */
static int end(struct wf_graph_maker *m, int status,
	       struct weft_comm **graph_p)
{
	status = agree(m, status);
	if (!status)
		status = reorder(m);
	if (status) {
		wf_graph_give_up(m->made);
		return status;
	}
	if (m->made)
		wf_comm_take_errors(m->made, m->parent);
	*graph_p = m->made;
	return WEFT_OK;
}

int wf_graph_construct(struct weft_comm *comm, const struct wf_graph_call *c,
		       struct weft_comm **graph_p)
{
	struct wf_graph_maker m = { .parent = comm, .call = c->origin.call };
	int status = wf_comm_enter_one(comm, c->origin.call);

	wf_no_handle(graph_p);
	if (status)
		return status;
	wf_comm_hold(comm);
	m.whose = comm->rank;
	m.reorder = c->reorder;
	m.wishes.any = wf_reorder_has_keys(c->info);
	status = c->create(&m, c->edges);
	if (!status)
		status = wf_reorder_read(comm, m.call, c->info, &m.wishes);
	if (!status && m.reorder && !m.located)
		status = wf_reorder_check_coords(comm, m.call, &m.wishes);
	if (!status && !graph_p)
		status = wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: %s is NULL",
				     m.call, c->result);
	status = end(&m, status, graph_p);
	wf_lore_drop(m.lore, comm->job);
	if (m.group)
		wf_group_drop(m.group);
	if (!status && *graph_p)
		(*graph_p)->origin = c->origin;
	return wf_comm_leave_held(comm, status);
}
