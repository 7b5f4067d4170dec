/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life of a communicator: made by carving an id from its parent, referenced
 * by the user and by what is under way on it, gone with the last reference.
 */
#include "comm/comm.h"

#include <stdlib.h>
#include "base/text.h"
#include "base/zeroed.h"
#include "comm/accord.h"
#include "comm/across.h"
#include "comm/comm_attr.h"
#include "job/abort.h"

/* NULL: no memory, and it is gone, as below. */
static struct weft_comm *compare_calls(struct weft_comm *comm)
{
	comm->special = true;
	if (!wf_accord_make(comm))
		return comm;
	wf_comm_discard(comm);
	return NULL;
}

struct weft_comm *wf_comm_new(struct weft_job *job, struct weft_group *group)
{
	struct weft_comm *comm = wf_zeroed(1, sizeof(*comm));

	if (!comm) {
		wf_group_drop(group);
		return NULL;
	}
	comm->job = job;
	comm->group = group;
	comm->rank = group->rank;
	comm->size = group->size;
	comm->refs = 1;
	wf_map_init(&comm->ports);
	wf_list_init(&comm->takers);
	return job->config.check >= 2 ? compare_calls(comm) : comm;
}

static void discard_rare(struct weft_comm *comm)
{
	if (comm->accord)
		wf_accord_free(comm);
	if (comm->across)
		wf_across_free(comm->across);
	free(comm->coords);
	free(comm->name);
	wf_comm_take_errors(comm, NULL);
}

void wf_comm_discard(struct weft_comm *comm)
{
	wf_map_fini(&comm->ports);
	wf_group_drop(comm->group);
	wf_comm_drop_attrs(comm);
	wf_info_drop(comm->hints);
	/* Most have nothing of that: one look at all, and no call. */
	if ((uintptr_t)comm->coords | (uintptr_t)comm->errors |
	    (uintptr_t)comm->name | comm->special)
		discard_rare(comm);
	free(comm);
}

static struct weft_comm *copy_across(const struct weft_comm *comm,
				     struct weft_comm *made)
{
	if (!made || !wf_across_copy(comm, made))
		return made;
	wf_comm_discard(made);
	return NULL;
}

struct weft_comm *wf_comm_new_like(const struct weft_comm *comm)
{
	struct weft_comm *made = wf_comm_new(comm->job,
					     wf_group_hold(comm->group));

	return comm->across ? copy_across(comm, made) : made;
}

/* The ids [low, end): the first is its own, the rest its pool. */
static int enter_table(struct weft_comm *comm, uint64_t low, uint64_t end)
{
	struct wf_contexts *ctx = wf_contexts(comm->job);
	int status = wf_cid_enter(&ctx->ids, low, end, &comm->pool);

	if (status)
		return status;
	comm->id = low;
	/* One that was lost before this context was here may have been its. */
	comm->relays_lost = ctx->relays_lost;
	if (comm->accord)
		status = wf_port_open(comm, &comm->accord->port);
	if (!status)
		status = wf_map_put(&ctx->comms, low, comm);
	ctx->made += !status;
	return status;
}

int wf_comm_make_world(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct weft_comm *world;
	struct weft_group *all;

	if (wf_group_make_row(job, 0, job->size, &all))
		return WEFT_ERR_NOMEM;
	world = wf_comm_new(job, all);
	if (!world)
		return WEFT_ERR_NOMEM;
	world->owned_by_job = true;
	world->pool = wf_cid_world(&ctx->ids);
	if ((world->accord && wf_port_open(world, &world->accord->port)) ||
	    wf_map_put(&ctx->comms, world->id, world)) {
		wf_comm_discard(world);
		return WEFT_ERR_NOMEM;
	}
	job->world = world;
	return WEFT_OK;
}

static inline int place(struct weft_comm *comm,
			const struct wf_cid_block *block)
{
	int status = enter_table(comm, block->low, block->end);

	if (!status) {
		wf_abort_look(comm->job);
		return WEFT_OK;
	}
	wf_cid_pass_over(&wf_contexts(comm->job)->ids, block->low, block->end);
	wf_ports_clear(comm->job);
	return status;
}

int wf_comm_place(struct weft_comm *comm, const struct wf_cid_block *block)
{
	return place(comm, block);
}

int wf_comm_settle(struct weft_job *job, struct weft_comm *comm,
		   const struct wf_cid_block *block, struct weft_comm **comm_p)
{
	int status;

	if (!comm) {
		wf_cid_pass_over(&wf_contexts(job)->ids, block->low,
				 block->end);
		wf_ports_clear(job);
		return WEFT_ERR_NOMEM;
	}
	status = place(comm, block);
	if (status)
		wf_comm_discard(comm);
	else
		*comm_p = comm;
	return status;
}

int wf_comm_make(struct weft_job *job, struct weft_group *group,
		 const struct wf_cid_block *block, struct weft_comm **comm_p)
{
	return wf_comm_settle(job, wf_comm_new(job, group), block, comm_p);
}

/* Cargo may hold the communicator until its last writes have come. */
static void unload(struct wf_cargo **cargo_p)
{
	struct wf_cargo *cargo = *cargo_p;

	if (!cargo)
		return;
	*cargo_p = NULL;
	cargo->destroy(cargo);
}

void wf_comm_drop_last(struct weft_comm *comm)
{
	struct wf_contexts *ctx = wf_contexts(comm->job);

	unload(&comm->topo);
	for (int i = 0; i < WF_COLL_KINDS; i++)
		unload(&comm->coll.schedule[i]);
	unload(&comm->pairs);
	unload(&comm->rma);
	unload(&comm->p2p);
	if (comm->accord)
		wf_accord_end(comm);
	if (--comm->refs)
		return;
	wf_map_del(&ctx->comms, comm->id);
	ctx->recent = NULL;
	wf_cid_free(&ctx->ids, &comm->pool);
	wf_comm_discard(comm);
}

/* Something under way, or a persistent request, still holds it. */
int wf_comm_refuse_freed(struct weft_comm *comm)
{
	int status = wf_job_fail_for(comm->job, WEFT_ARGUMENT_COMM,
				     WEFT_ERR_ARG, "the communicator was given "
				     "to weft_comm_free()");

	wf_job_leave(comm->job);
	return status;
}

int wf_comm_refuse(struct weft_comm *comm, const char *call,
		   const char *argument)
{
	int status = wf_comm_ask(comm);

	if (status)
		return status;
	status = wf_job_fail_null(comm->job, call, argument);
	return wf_comm_leave(comm, status);
}

struct wf_peer *wf_comm_peer(struct weft_comm *comm, int rank)
{
	return wf_peer_get(comm->job, wf_comm_world_rank(comm, rank));
}

struct wf_peer *wf_comm_dead(struct weft_comm *comm)
{
	struct weft_job *job = comm->job;

	if (comm->gone_seen == job->gone)
		return comm->dead;
	comm->gone_seen = job->gone;
	for (int r = 0; !comm->dead && r < comm->size; r++) {
		struct wf_peer *peer =
			wf_peer_find(job, wf_comm_world_rank(comm, r));

		if (peer && peer->state == WF_PEER_DEAD)
			comm->dead = peer;
	}
	return comm->dead;
}

/*
 * What members do follows from that: "; rank 2 on host h is dead: ...", unless
 * the sentence is about the dead one.
 */
bool wf_comm_blame(struct weft_comm *comm, const struct wf_peer *peer,
		   char *text, size_t bytes)
{
	const struct wf_peer *dead = wf_comm_dead(comm);

	if (dead && dead != peer)
		wf_text_add(text, bytes, "; rank %d on host %s %s", dead->rank,
			    wf_peer_host(dead), wf_peer_why(dead));
	return dead;
}

/* Two that are not the same one. */
static enum weft_comparison compare(const struct weft_comm *a,
				    const struct weft_comm *b)
{
	enum weft_comparison groups, far = WEFT_IDENT;

	if (!a->across != !b->across)
		return WEFT_UNEQUAL;
	if (a->across) {
		groups = wf_group_comparison(a->across->local,
					     b->across->local);
		far = wf_group_comparison(a->across->remote, b->across->remote);
	} else {
		groups = wf_group_comparison(a->group, b->group);
	}
	if (far > groups)
		groups = far;
	return groups == WEFT_IDENT ? WEFT_CONGRUENT : groups;
}

int weft_comm_compare(struct weft_comm *a, struct weft_comm *b,
		      enum weft_comparison *result_p)
{
	int status = a && b && result_p ? wf_comm_ask(a) :
		wf_comm_refuse(a ? a : b, "weft_comm_compare",
			       !a ? "a" : b ? "result_p" : "b");

	if (status)
		return status;
	if (a->job != b->job || b->freed) {
		status = wf_job_fail_for(a->job, WEFT_ARGUMENT_COMM,
					 WEFT_ERR_ARG, "weft_comm_compare: the "
					 "second communicator %s", b->freed ?
					 "was given to weft_comm_free()" :
					 "is of another job");
	} else {
		*result_p = a == b ? WEFT_IDENT : compare(a, b);
	}
	return wf_comm_leave(a, status);
}

int weft_comm_rank(const struct weft_comm *comm)
{
	if (!comm)
		return WEFT_UNDEFINED;
	return comm->across ? wf_across_rank(comm) : comm->rank;
}

int weft_comm_size(const struct weft_comm *comm)
{
	if (!comm)
		return 0;
	return comm->across ? comm->across->local->size : comm->size;
}

struct weft_job *weft_comm_job(const struct weft_comm *comm)
{
	return comm ? comm->job : NULL;
}

static int delete_attrs(struct weft_comm *comm, const char *call)
{
	int status;

	if (comm->going)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: it is freed "
				   "already, and callbacks of attributes are "
				   "called", call);
	comm->going = true;
	status = wf_comm_delete_attrs(comm, call);
	comm->going = false;
	return status;
}

/* The one that is there, and entered. */
static inline int give_up(struct weft_comm **comm_p, struct weft_comm *comm,
			  const char *call)
{
	struct weft_job *job = comm->job;
	int status;

	if (comm->owned_by_job)
		status = wf_job_fail(job, WEFT_ERR_ARG, "%s: the world, and "
				     "the communicator of a rank alone, belong "
				     "to their job", call);
	else
		status = delete_attrs(comm, call);
	if (wf_job_is_child(job))
		return WEFT_ERR_FORKED;
	if (status)
		return wf_comm_leave(comm, status);
	comm->freed = true;
	if (comm->p2p && comm->p2p->freed)
		comm->p2p->freed(comm->p2p);
	wf_comm_drop(comm);
	*comm_p = NULL;
	wf_ports_clear(job);
	wf_job_leave(job);
	return WEFT_OK;
}

int wf_comm_give_up(struct weft_comm **comm_p, const char *call)
{
	return give_up(comm_p, *comm_p, call);
}

int weft_comm_free(struct weft_comm **comm_p)
{
	struct weft_comm *comm = comm_p ? *comm_p : NULL;
	int status;

	if (comm_p && !comm)
		return WEFT_OK;
	status = wf_comm_enter(comm);
	return status ? status : give_up(comm_p, comm, __func__);
}
