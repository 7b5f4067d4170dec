/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all collectives have in common: the communicator's channels and plans,
 * start and wait.  Each has a file that checks its arguments, and one for each
 * of its algorithms, which build plans.
 */
#include "coll/coll.h"

#include <assert.h>
#include <stdlib.h>
#include "base/config.h"
#include "base/lack.h"
#include "base/text.h"
#include "coll/ragged.h"

static_assert((int)WF_CONFIG_RADIX_MAX <= (int)WF_RAGGED_RADIX_MAX,
	      "the schedules serve what may be set");

static void drop_plan(struct wf_coll_plan *p)
{
	if (!p->plan)
		return;
	wf_run_fini(&p->run);
	wf_plan_destroy(p->plan);
	p->plan = NULL;
	p->key.build = NULL;
	wf_combination_drop(&p->key.with);
}

static void destroy_coll(struct wf_cargo *cargo)
{
	struct wf_coll *coll = wf_container(cargo, struct wf_coll, cargo);

	for (int i = 0; i < WF_COLL_PLANS; i++)
		drop_plan(&coll->kept[i]);
	wf_run_fini(&coll->reserve);
	wf_plan_destroy(coll->edges);
	if (coll->set)
		wf_set_destroy(coll->set);
	free(coll);
}

static int make_set(struct wf_coll *coll)
{
	struct wf_ragged_edges e;
	struct wf_set_shape shape = {
		.number = coll->kind == WF_COLL_IDS ? WF_PORT_IDS :
						      WF_PORT_COLL,
		.window = WF_COLL_WINDOW,
		.synchronising = true
	};
	int status = wf_ragged_edges_init(&e, coll);

	if (status)
		return status;
	shape.nout = e.nout;
	shape.nin = e.nin;
	shape.out = e.out;
	shape.in = e.in;
	status = wf_set_create(coll->comm, &shape, &coll->set);
	wf_ragged_edges_fini(&e);
	return status;
}

/* What an operation without memory is refused with. */
static int make_reserve(struct wf_coll *coll)
{
	const struct wf_coll_key none = {
		.build = wf_allreduce_build, .with.width = 1
	};
	int status = WEFT_OK;

	if (!coll->edges)
		status = none.build(coll, &none, &coll->edges);
	return status ? status : wf_run_init(&coll->reserve, coll->edges, NULL);
}

/* It is an error at all ranks, and takes its number at this one, too. */
static struct wf_run *start_refused(struct wf_coll *coll, const char *call,
				    int status)
{
	struct wf_run *run = &coll->reserve;

	run->call = call;
	wf_run_start(run, status);
	if (!run->error[0])
		wf_text_add(run->error, sizeof(run->error), "no part in a "
			    "collective: %s", weft_status_name(status));
	return run;
}

static int make_coll(struct weft_comm *comm, enum wf_coll_kind kind)
{
	struct wf_coll *coll = calloc(1, sizeof(*coll));

	if (!coll)
		return WEFT_ERR_NOMEM;
	coll->cargo.destroy = destroy_coll;
	coll->comm = comm;
	coll->kind = kind;
	coll->cuts = wf_ragged_cut(comm->size, (int)comm->job->config.coll);
	comm->coll[kind].cargo = &coll->cargo;
	return WEFT_OK;
}

/*
 * Goes on where memory was lacking: the port is open once there is a set, what
 * others have told it cannot be asked for twice, and no other may take its
 * number.
 */
static int finish(struct wf_coll *coll)
{
	unsigned *missed = &coll->comm->coll[coll->kind].missed;
	int status = coll->set ? WEFT_OK : make_set(coll);

	if (!status)
		status = make_reserve(coll);
	if (status)
		return status;
	for (; *missed; --*missed)
		wf_run_wait(start_refused(coll, NULL, WEFT_ERR_NOMEM));
	return WEFT_OK;
}

int wf_coll_of(struct weft_comm *comm, enum wf_coll_kind kind,
	       struct wf_coll **coll_p)
{
	struct wf_coll_state *state = &comm->coll[kind];
	int status = state->cargo ? WEFT_OK : make_coll(comm, kind);
	struct wf_coll *coll;

	if (status)
		return status;
	coll = wf_container(state->cargo, struct wf_coll, cargo);
	if (!coll->reserve.move)
		status = finish(coll);
	if (!status)
		*coll_p = coll;
	return status;
}

void wf_coll_end(struct weft_comm *comm, enum wf_coll_kind kind)
{
	struct wf_cargo *cargo = comm->coll[kind].cargo;

	comm->coll[kind].cargo = NULL;
	cargo->destroy(cargo);
}

static struct wf_coll_plan *find(struct wf_coll *coll,
				 const struct wf_coll_key *key,
				 struct wf_coll_plan **oldest_p)
{
	struct wf_coll_plan *oldest = &coll->kept[0];

	for (int i = 0; i < WF_COLL_PLANS; i++) {
		struct wf_coll_plan *p = &coll->kept[i];

		if (p->key.bytes == key->bytes &&
		    p->key.build == key->build &&
		    wf_combination_is(&p->key.with, &key->with))
			return p;
		if (p->last_use < oldest->last_use)
			oldest = p;
	}
	*oldest_p = oldest;
	return NULL;
}

int wf_coll_plan(struct wf_coll *coll, const struct wf_coll_key *key,
		 struct wf_coll_plan **plan_p)
{
	struct wf_coll_plan *place = NULL;
	struct wf_coll_plan *p = find(coll, key, &place);
	int status;

	if (!p) {
		drop_plan(place);
		status = key->build(coll, key, &place->plan);
		if (status)
			return status;
		status = wf_run_init(&place->run, place->plan, NULL);
		if (status) {
			wf_plan_destroy(place->plan);
			place->plan = NULL;
			return status;
		}
		place->key = *key;
		wf_combination_hold(&key->with);
		p = place;
	}
	p->last_use = ++coll->uses;
	*plan_p = p;
	return WEFT_OK;
}

struct wf_run *wf_coll_start(struct wf_coll *coll,
			     const struct wf_coll_key *key, uint64_t most,
			     const void *in, void *out)
{
	struct wf_coll_plan *p;
	int status = wf_coll_plan(coll, key, &p);

	if (status)
		return start_refused(coll, key->call, status);
	p->run.call = key->call;
	p->run.buffer[WF_BUFFER_SEND] = (char *)in;
	p->run.buffer[WF_BUFFER_RECV] = out;
	wf_count_promote(&coll->set->count, most);
	wf_run_start(&p->run, WEFT_OK);
	return &p->run;
}

/* The others hear of it when this rank has memory for its channels. */
static int miss(struct weft_comm *comm, int status)
{
	char why[WF_LACK_TEXT];

	comm->coll[WF_COLL_PROGRAM].missed++;
	wf_segment_why(&comm->job->segment, why, sizeof(why));
	return wf_job_fail(comm->job, status, "no memory for the channels of "
			   "a collective, of the process or of its arena: %s",
			   why);
}

int wf_coll_refuse(struct weft_comm *comm, const char *call, int status)
{
	struct wf_coll *coll;
	struct wf_run *run;

	if (wf_coll_of(comm, WF_COLL_PROGRAM, &coll))
		return miss(comm, status);
	run = start_refused(coll, call, status);
	wf_run_wait(run);
	return wf_job_fail(comm->job, status, "%s", run->error);
}

void wf_coll_strays(struct weft_comm *comm, int status)
{
	if (status == WEFT_ERR_DEVICE)
		comm->coll[WF_COLL_PROGRAM].strays = status;
}

static int refuse_stray(struct weft_comm *comm, const char *call)
{
	int status = wf_coll_refuse(comm, call,
				    comm->coll[WF_COLL_PROGRAM].strays);

	return wf_job_fail(comm->job, status, "collectives of this "
			   "communicator are out of step, since a constructor "
			   "failed with %s, at this rank alone perhaps: free "
			   "it", weft_status_name(status));
}

int wf_coll_run(struct weft_comm *comm, const struct wf_coll_key *key,
		uint64_t most, const void *in, void *out)
{
	struct wf_coll *coll;
	struct wf_run *run;
	int status;

	if (comm->coll[WF_COLL_PROGRAM].strays)
		return refuse_stray(comm, key->call);
	status = wf_coll_of(comm, WF_COLL_PROGRAM, &coll);
	if (status)
		return miss(comm, status);
	run = wf_coll_start(coll, key, most, in, out);
	status = wf_run_wait(run);
	if (status)
		wf_job_fail(comm->job, status, "%s", run->error);
	return status;
}
