/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph in another order of ranks: see graph_reorder.h. */
#include "topo/graph_reorder.h"

#include <stdio.h>
#include <stdlib.h>
#include "base/zeroed.h"
#include "coll/sparse.h"
#include "coll/transfer.h"
#include "derive/block.h"
#include "topo/graph_move.h"
#include "topo/reorder_input.h"

/* What the root tells all ranks. */
struct verdict {
	struct wf_reordered what;
	int32_t place[];		/* of rank i, in the parent */
};

enum {
	ROOT = 0
};

static size_t verdict_bytes(const struct wf_graph_maker *m)
{
	return sizeof(struct verdict) +
	       (size_t)m->parent->size * sizeof(int32_t);
}

static int no_memory(const struct wf_graph_maker *m)
{
	return wf_job_fail(m->parent->job, WEFT_ERR_NOMEM,
			   "%s: no memory for a reorder at rank %d", m->call,
			   m->parent->rank);
}

/* ---- at the root ---- */

/* Nanoseconds since it began. */
struct watch {
	const struct weft_job *job;
	uint64_t began;
};

static uint64_t elapsed(void *arg)
{
	const struct watch *watch = arg;

	return wf_job_now(watch->job) - watch->began;
}

static void write_down(const struct wf_reorder_keys *keys,
		       const struct wf_reorder_result *r, struct verdict *v)
{
	const char *why = r->kept ? r->kept : r->instead;
	struct wf_reordered *what = &v->what;

	what->before = r->before;
	what->after = r->after;
	what->moved = r->moved;
	what->method = (int32_t)keys->method;
	if (r->instead)
		what->method = WF_REORDER_GREEDY;
	snprintf(what->why, sizeof(what->why), "%s", why ? why : "");
}

static int find_places(const struct wf_graph_maker *m,
		       const struct weft_sparse_got *got, struct verdict *v)
{
	struct watch watch = { m->parent->job, wf_job_now(m->parent->job) };
	struct wf_reorder_keys keys = m->wishes.keys;
	struct wf_reorder_result result;
	struct wf_reorder_input input;
	int status = wf_reorder_input_make(&input, got, &m->wishes);

	if (status)
		return status;
	keys.keep = input.keep;
	keys.coords = m->wishes.coords || m->located ? input.coords : NULL;
	keys.clock_ns = elapsed;
	keys.arg = &watch;
	status = wf_reorder(&input.graph, &input.places, &keys, v->place,
			    &result);
	if (!status)
		write_down(&keys, &result, v);
	v->what.ns = elapsed(&watch);
	wf_reorder_input_free(&input);
	return status;
}

/* ---- from all ranks to it, and back ---- */

static int gather(struct wf_graph_maker *m, struct verdict *v)
{
	struct wf_lone_mail mail = { .content = NULL };
	struct weft_sparse_got got = { 0 };
	int status = WEFT_OK;

	if (!v || wf_reorder_mail_make(&mail, m->parent->job,
				       wf_graph_of(m->made), m->located ?
				       m->coords : m->parent->coords, ROOT))
		status = no_memory(m);
	status = wf_sparse_exchange(m->parent, m->call, status, &mail.sparse,
				    &got, &m->whose);
	wf_lone_mail_free(&mail);
	if (!status && m->parent->rank == ROOT && find_places(m, &got, v))
		status = no_memory(m);
	weft_sparse_free(&got);
	return wf_graph_settle(m, status);
}

static int tell(struct wf_graph_maker *m, struct verdict *v)
{
	int status = wf_bcast_held(m->parent, m->call, weft_part(
			v, verdict_bytes(m), &weft_type_uint8), ROOT);

	return wf_graph_settle(m, status);
}

/* ---- the graph there ---- */

/* Its ranks in their order, which the new communicator takes. */
static struct weft_group *group_of(const struct wf_graph_maker *m,
				   const struct verdict *v)
{
	const struct weft_comm *parent = m->parent;
	int n = m->lore ? m->lore->n : parent->size;
	int *table = malloc((size_t)n * sizeof(*table));
	struct weft_group *group;

	for (int i = 0; table && i < n; i++)
		table[i] = wf_comm_world_rank(parent, v->place[i]);
	if (wf_group_make(parent->job, table, n, &group))
		return NULL;
	return group;
}

/* Takes ids in any case; NULL: this process is in no graph any more. */
static int make_comm(const struct wf_graph_maker *m, const struct verdict *v,
		     struct weft_comm **comm_p)
{
	struct weft_group *group = group_of(m, v);
	struct wf_cid_block block = { 0 };
	int status = wf_block_take(m->parent, m->call, &block);

	if (!group) {
		wf_graph_pass_over(m->parent->job, &block);
		return no_memory(m);
	}
	if (status) {
		wf_group_drop(group);
		return status;
	}
	if (group->rank < 0) {
		wf_group_drop(group);
		wf_graph_pass_over(m->parent->job, &block);
		return WEFT_OK;
	}
	return wf_comm_make(m->parent->job, group, &block, comm_p) ?
	       no_memory(m) : WEFT_OK;
}

static int attach(const struct wf_graph_maker *m,
		  const struct weft_sparse_got *got, struct weft_comm *comm)
{
	bool weighted = !m->lore && wf_graph_of(m->made)->weighted;
	struct weft_edges in, out;

	wf_move_read(got, weighted, &in, &out);
	if (wf_graph_attach(comm, m->lore, &in, &out))
		return no_memory(m);
	wf_graph_weigh(wf_graph_of(comm), weighted);
	return WEFT_OK;
}

/* To the process in whose place this one's edges are, if it has any. */
static int move(struct wf_graph_maker *m, const struct verdict *v)
{
	struct wf_lone_mail mail = { .content = NULL };
	struct weft_sparse_got got = { 0 };
	struct weft_comm *comm = NULL;
	int status = make_comm(m, v, &comm);

	if (!status && m->made && wf_move_mail_make(&mail, wf_graph_of(m->made),
					 v->place[m->parent->rank]))
		status = no_memory(m);
	status = wf_sparse_exchange(m->parent, m->call, status, &mail.sparse,
				    &got, &m->whose);
	wf_lone_mail_free(&mail);
	if (!status && comm)
		status = attach(m, &got, comm);
	weft_sparse_free(&got);
	status = wf_graph_settle(m, status);
	wf_graph_give_up(status ? comm : m->made);
	if (!status)
		m->made = comm;
	return status;
}

static void log_it(const struct wf_graph_maker *m, const struct wf_reordered *w)
{
	if (m->parent->rank != ROOT)
		return;
	wf_info(&m->parent->job->log, "%s: %d of %d ranks have moved%s%s; "
		"weight between nodes %lld, before %lld; of one node %lld, "
		"before %lld", m->call, w->moved, m->parent->size,
		w->why[0] ? ": " : "", w->why, (long long)w->after.sum,
		(long long)w->before.sum, (long long)w->after.max,
		(long long)w->before.max);
}

/* The note is there before the graph can change, so that nothing fails then. */
static int follow(struct wf_graph_maker *m, const struct verdict *v,
		  struct wf_reordered **note_p)
{
	int status = WEFT_OK;

	if (v->what.moved)
		status = move(m, v);
	if (status)
		return status;
	**note_p = v->what;
	if (m->made) {
		wf_graph_of(m->made)->reordered = *note_p;
		*note_p = NULL;
	}
	log_it(m, &v->what);
	return WEFT_OK;
}

int wf_graph_reorder(struct wf_graph_maker *m)
{
	struct wf_reordered *note = wf_zeroed(1, sizeof(*note));
	struct verdict *v = note ? wf_zeroed(1, verdict_bytes(m)) : NULL;
	int status = gather(m, v);

	if (!status)
		status = tell(m, v);
	if (!status)
		status = follow(m, v, &note);
	free(v);
	free(note);
	return status;
}
