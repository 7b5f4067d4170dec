/* SPDX-License-Identifier: BSD-3-Clause */
/* How regions begin: made by all ranks or by one, or found by a key. */
#include <stdlib.h>
#include <string.h>
#include "base/handle.h"
#include "base/zeroed.h"
#include "coll/agree.h"
#include "rma/rma_link.h"
#include "rma/rma_wire.h"

enum {
	NUMBER_BITS = 38	/* of a region, below its owner's rank */
};

static const uint64_t EXPOSED = UINT64_C(1) << 62;
static const uint64_t ATTACHED = UINT64_C(1) << 63;

uint64_t wf_region_name(uint64_t id, int owner)
{
	uint64_t number = id & ((UINT64_C(1) << NUMBER_BITS) - 1);

	if (!(id & EXPOSED))
		return id;
	return ATTACHED | (uint64_t)owner << NUMBER_BITS | number;
}

int wf_region_enter(const struct weft_region *region, const char *call)
{
	return region ? wf_job_enter_by(wf_region_job(region), call) :
			WEFT_ERR_ARG;
}

int wf_region_check_peer(const struct weft_region *region, const char *call,
			 int peer)
{
	const struct weft_comm *comm = region->rma->comm;

	if (peer < 0 || peer >= comm->size)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_RANK,
				       WEFT_ERR_ARG, "%s: peer is %d, the "
				       "communicator has %d ranks", call, peer,
				       comm->size);
	if (region->kind != WF_REGION_CREATED && peer != region->owner)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_RANK,
				       WEFT_ERR_ARG, "%s: peer is %d, and the "
				       "region is of rank %d alone", call, peer,
				       region->owner);
	return WEFT_OK;
}

/* ---- the cargo of a communicator ---- */

/* With its job: nobody writes any more. */
static void destroy_rma(struct wf_cargo *cargo)
{
	struct wf_rma *rma = wf_container(cargo, struct wf_rma, cargo);
	size_t cursor = 0;
	void *region;

	while (wf_map_next(&rma->regions, &cursor, NULL, &region))
		wf_region_dismantle(region, false);
	wf_map_fini(&rma->regions);
	wf_rma_replies_fini(rma);
	wf_rma_requests_fini(rma);
	wf_port_close(rma->comm, &rma->port);
	free(rma);
}

int wf_rma_of(struct weft_comm *comm, struct wf_rma **rma_p)
{
	struct wf_rma *rma;

	if (comm->rma) {
		*rma_p = wf_container(comm->rma, struct wf_rma, cargo);
		return WEFT_OK;
	}
	rma = wf_zeroed(1, sizeof(*rma));
	if (!rma)
		return WEFT_ERR_NOMEM;
	rma->cargo.destroy = destroy_rma;
	rma->comm = comm;
	rma->piece = WF_RMA_PIECE;
	rma->port.number = WF_PORT_RMA;
	rma->port.deliver = wf_rma_deliver;
	wf_map_init(&rma->regions);
	wf_list_init(&rma->replies);
	wf_list_init(&rma->requests);
	if (wf_port_open(comm, &rma->port)) {
		free(rma);
		return WEFT_ERR_NOMEM;
	}
	comm->rma = &rma->cargo;
	*rma_p = rma;
	return WEFT_OK;
}

/* ---- making one ---- */

/* What a call makes. */
struct wanted {
	const char *call;
	enum wf_region_kind kind;
	uint64_t id, name;
	int owner;
	void *base;
	size_t bytes;
};

static int no_memory(struct weft_comm *comm, const char *call)
{
	return wf_job_fail(comm->job, WEFT_ERR_NOMEM,
			   "%s: no memory for a region", call);
}

static struct weft_region *new_region(struct wf_rma *rma,
				      const struct wanted *w)
{
	struct weft_region *region = wf_zeroed(1, sizeof(*region));

	if (!region)
		return NULL;
	region->rma = rma;
	region->kind = w->kind;
	region->id = w->id;
	region->owner = w->owner;
	wf_map_init(&region->links);
	wf_list_init(&region->all);
	wf_map_init(&region->raised);
	wf_list_init(&region->signals);
	return region;
}

static int make(struct wf_rma *rma, const struct wanted *w,
		struct weft_region **region_p)
{
	struct weft_region *region = new_region(rma, w);
	int status = WEFT_OK;

	if (!region)
		return no_memory(rma->comm, w->call);
	if (w->kind != WF_REGION_ATTACHED)
		status = wf_rma_memory_init(rma->comm->job, w->call, w->base,
					    w->bytes, &region->memory);
	if (status) {
		free(region);
		return status;
	}
	if (wf_map_put(&rma->regions, w->name, region)) {
		wf_region_dismantle(region, false);
		return no_memory(rma->comm, w->call);
	}
	wf_comm_hold(rma->comm);
	*region_p = region;
	return WEFT_OK;
}

static int null_output(struct weft_comm *comm, const char *call)
{
	return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: region_p is NULL",
			   call);
}

int weft_region_create(struct weft_comm *comm, void *base, size_t bytes,
		       struct weft_region **region_p)
{
	struct wanted w = {
		.call = "weft_region_create", .kind = WF_REGION_CREATED,
		.owner = -1, .base = base, .bytes = bytes
	};
	struct weft_region *region = NULL;
	struct wf_rma *rma;
	int status = wf_comm_enter_one(comm, w.call);

	wf_no_handle(region_p);
	if (status)
		return status;
	wf_comm_hold(comm);
	/* It takes its number at all ranks, also where it fails. */
	w.id = w.name = comm->rma_created++;
	if (!region_p)
		status = null_output(comm, w.call);
	else if (wf_rma_of(comm, &rma))
		status = no_memory(comm, w.call);
	else
		status = make(rma, &w, &region);
	status = wf_agree(comm, w.call, status);
	if (!status)
		*region_p = region;
	/* Where one died, others may have heard nothing of it, and use it. */
	else if (region)
		wf_region_part(region, w.call, status, true);
	return wf_comm_leave_held(comm, status);
}

static int expose(struct weft_comm *comm, void *base, size_t bytes,
		  struct weft_region **region_p)
{
	struct wanted w = {
		.call = "weft_region_expose", .kind = WF_REGION_EXPOSED,
		.owner = comm->rank, .base = base, .bytes = bytes
	};
	struct wf_rma *rma;

	if (!region_p)
		return null_output(comm, w.call);
	if (wf_rma_of(comm, &rma))
		return no_memory(comm, w.call);
	w.id = w.name = EXPOSED | rma->exposed++;
	return make(rma, &w, region_p);
}

int weft_region_expose(struct weft_comm *comm, void *base, size_t bytes,
		       struct weft_region **region_p)
{
	int status = wf_comm_enter_one(comm, __func__);

	wf_no_handle(region_p);
	if (status)
		return status;
	status = expose(comm, base, bytes, region_p);
	return wf_comm_leave(comm, status);
}

int weft_region_key(const struct weft_region *region,
		    struct weft_region_key *key_p)
{
	int status = region ? wf_job_ask(wf_region_job(region)) : WEFT_ERR_ARG;
	struct wf_rma_key key;

	if (status)
		return status;
	if (!key_p || region->kind != WF_REGION_EXPOSED) {
		status = wf_job_fail(wf_region_job(region), WEFT_ERR_ARG,
				     "weft_region_key: %s", key_p ?
				     "the region is not of "
				     "weft_region_expose()" : "key_p is NULL");
	} else {
		key = (struct wf_rma_key){
			.magic = WF_RMA_KEY_MAGIC,
			.owner = wf_region_job(region)->rank,
			.context = region->rma->comm->id,
			.region = region->id,
			.bytes = region->memory.bytes
		};
		memcpy(key_p->bytes, &key, sizeof(key));
	}
	return wf_comm_leave(region->rma->comm, status);
}

/* ---- attaching ---- */

/* The owner's rank in the communicator. */
static int find_owner(struct weft_comm *comm, const struct wf_rma_key *key,
		      int *owner_p)
{
	static const char call[] = "weft_region_attach";

	if (key->magic != WF_RMA_KEY_MAGIC || key->owner < 0 ||
	    !(key->region & EXPOSED))
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: these bytes "
				   "are no key of weft_region_key()", call);
	*owner_p = wf_group_find(comm->group, key->owner);
	if (key->context != comm->id || *owner_p < 0)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: the region "
				   "was exposed on context %llu by rank %d of "
				   "the world; this is context %llu, and that "
				   "rank is%s in it", call,
				   (unsigned long long)key->context,
				   key->owner, (unsigned long long)comm->id,
				   *owner_p < 0 ? " not" : "");
	return WEFT_OK;
}

static int attach(struct weft_comm *comm, const struct weft_region_key *key_p,
		  struct weft_region **region_p)
{
	struct wanted w = {
		.call = "weft_region_attach", .kind = WF_REGION_ATTACHED
	};
	struct wf_rma_key key;
	struct wf_rma *rma;
	int status;

	if (!key_p || !region_p)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: %s is NULL",
				   w.call, key_p ? "region_p" : "key");
	memcpy(&key, key_p->bytes, sizeof(key));
	status = find_owner(comm, &key, &w.owner);
	if (status)
		return status;
	if (wf_rma_of(comm, &rma))
		return no_memory(comm, w.call);
	w.id = key.region;
	w.name = wf_region_name(w.id, w.owner);
	if (wf_map_get(&rma->regions, w.name))
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: this rank has "
				   "attached the region of rank %d already",
				   w.call, w.owner);
	return make(rma, &w, region_p);
}

int weft_region_attach(struct weft_comm *comm,
		       const struct weft_region_key *key,
		       struct weft_region **region_p)
{
	int status = wf_comm_enter_one(comm, __func__);

	wf_no_handle(region_p);
	if (status)
		return status;
	status = attach(comm, key, region_p);
	return wf_comm_leave(comm, status);
}

void *weft_region_base(const struct weft_region *region)
{
	return region ? region->memory.base : NULL;
}

size_t weft_region_bytes(const struct weft_region *region)
{
	return region ? region->memory.bytes : 0;
}
