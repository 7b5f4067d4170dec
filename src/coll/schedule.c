/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all schedules have in common: life, plans that are kept, start and wait.
 */
#include "coll/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "base/config.h"
#include "base/zeroed.h"
#include "coll/digits.h"
#include "coll/ragged.h"
#include "coll/refusal.h"
#include "coll/route.h"
#include "coll/tree.h"

static_assert((int)WF_CONFIG_RADIX_MAX <= (int)WF_RAGGED_RADIX_MAX,
	      "the schedules serve what may be set");

static const struct wf_schedule_kind *const kinds[WF_COLL_KINDS] = {
	[WF_COLL_PROGRAM] = &wf_ragged_program,
	[WF_COLL_IDS] = &wf_ragged_ids,
	[WF_COLL_TREE] = &wf_tree_kind,
	[WF_COLL_DIGITS] = &wf_digits_kind,
	[WF_COLL_ROUTES] = &wf_route_kind
};

/* ---- life ---- */

static void drop_plan(struct wf_coll_plan *p)
{
	if (!p->plan)
		return;
	if (p->run)
		wf_run_fini(p->run);
	free(p->run);
	p->run = NULL;
	free((void *)p->key.ends);
	wf_plan_destroy(p->plan);
	p->plan = NULL;
	p->key.by = NULL;
	p->key.ends = NULL;
}

static void destroy_schedule(struct wf_cargo *cargo)
{
	struct wf_schedule *s = wf_container(cargo, struct wf_schedule, cargo);
	struct wf_plan *refused = s->reserve.plan;

	wf_run_requests_fini(&s->requests);
	if (s->kind->end)
		s->kind->end(s);
	for (int i = 0; i < WF_COLL_PLANS; i++)
		drop_plan(&s->kept[i]);
	wf_run_fini(&s->reserve);
	wf_plan_destroy(refused);
	if (s->set)
		wf_set_destroy(s->set);
	if (s->kind->free)
		s->kind->free(s);
	else
		free(s);
}

static void init(struct wf_schedule *s, struct weft_comm *comm,
		 const struct wf_schedule_kind *kind)
{
	s->cargo.destroy = destroy_schedule;
	s->kind = kind;
	s->comm = comm;
	s->cuts = wf_ragged_cut(comm->size, (int)comm->job->config.coll);
	wf_run_requests_init(&s->requests, comm, NULL);
}

int wf_schedule_edges_init(struct wf_schedule_edges *e, size_t most)
{
	e->nout = e->nin = 0;
	e->out = wf_zeroed(2 * most + 1, sizeof(*e->out));
	if (!e->out)
		return WEFT_ERR_NOMEM;
	e->in = e->out + most;
	return WEFT_OK;
}

void wf_schedule_edges_fini(struct wf_schedule_edges *e)
{
	free(e->out);
	e->out = e->in = NULL;
}

/* With edges that are given back. */
static int make_set(const struct wf_schedule *s, struct wf_set_shape *shape,
		    struct wf_schedule_edges *e, struct wf_set **set_p)
{
	int status;

	shape->collective = true;
	shape->nout = e->nout;
	shape->nin = e->nin;
	shape->out = e->out;
	shape->in = e->in;
	status = wf_set_create(s->comm, shape, set_p);
	wf_schedule_edges_fini(e);
	return status;
}

/* In a pairwise one nothing is implied by edges without bytes. */
int wf_schedule_make_set(const struct wf_schedule *s,
			 const struct wf_coll_key *key, uint32_t number,
			 struct wf_set **set_p)
{
	const struct wf_coll_apart *apart = key->by->apart;
	struct wf_set_shape shape = {
		.number = WF_PORT_SETS + number, .window = 1,
		.synchronising = !apart && !s->kind->rooted,
		.rooted = !apart && s->kind->rooted
	};
	struct wf_schedule_edges e;
	int status = apart ? apart->edges(s, key, &e) :
			     s->kind->find_edges(s, &e);

	return status ? status : make_set(s, &shape, &e, set_p);
}

/*
 * The port stays open once there is a set, also where memory is lacking then:
 * what others have told it cannot be asked for twice, and no other may take its
 * number.
 */
static int make_main_set(struct wf_schedule *s)
{
	struct wf_set_shape shape = {
		.number = s->kind->port, .window = WF_COLL_WINDOW,
		.mailed = !s->kind->complete,
		.synchronising = !s->kind->rooted, .rooted = s->kind->rooted
	};
	struct wf_schedule_edges e;
	int status = s->kind->find_edges(s, &e);

	return status ? status : make_set(s, &shape, &e, &s->set);
}

static int make(struct weft_comm *comm, enum wf_coll_kind kind)
{
	struct wf_schedule *s = NULL;

	if (kinds[kind]->make)
		s = kinds[kind]->make(comm);
	else
		s = wf_zeroed(1, sizeof(*s));
	if (!s)
		return WEFT_ERR_NOMEM;
	init(s, comm, kinds[kind]);
	comm->coll.schedule[kind] = &s->cargo;
	return WEFT_OK;
}

int wf_schedule_plain(struct weft_comm *comm, enum wf_coll_kind kind,
		      struct wf_schedule **s_p)
{
	struct wf_cargo **cargo = &comm->coll.schedule[kind];
	int status = *cargo ? WEFT_OK : make(comm, kind);

	if (!status)
		*s_p = wf_container(*cargo, struct wf_schedule, cargo);
	return status;
}

/* Refuses what was missed, and gets the run in reserve. */
static int complete(struct wf_schedule *s, enum wf_coll_kind kind)
{
	uint16_t *missed = &s->comm->coll.missed[kind];
	int status = WEFT_OK;

	if (s->kind->complete)
		return s->kind->complete(s);
	if (*missed)
		status = wf_refusals_make_up(s, missed);
	/* with it the schedule is complete */
	return status ? status : wf_refusal_reserve(s);
}

/* Runs that start make progress, by which somebody may come here again. */
static int complete_once(struct wf_schedule *s, enum wf_coll_kind kind)
{
	int status;

	if (s->completing)
		return WEFT_ERR_NOMEM;
	s->completing = true;
	status = complete(s, kind);
	s->completing = false;
	return status;
}

int wf_schedule_finish(struct weft_comm *comm, enum wf_coll_kind kind,
		       struct wf_schedule **s_p)
{
	int status = wf_schedule_plain(comm, kind, s_p);
	struct wf_schedule *s;

	if (status)
		return status;
	s = *s_p;
	/* it is out of step for good */
	if (s->kind->rooted)
		status = comm->coll.strays[kind];
	if (!status && !s->set)
		status = make_main_set(s);
	return status ? status : complete_once(s, kind);
}

void wf_schedule_end(struct weft_comm *comm, enum wf_coll_kind kind)
{
	struct wf_cargo *cargo = comm->coll.schedule[kind];

	comm->coll.schedule[kind] = NULL;
	cargo->destroy(cargo);
}

/* ---- plans ---- */

static bool has_same_ends(const uint64_t *a, const uint64_t *b, int size)
{
	return a && b && !memcmp(a, b, (size_t)size * sizeof(*a));
}

/* NULL: it is not kept. */
static struct wf_coll_plan *find(struct wf_schedule *s,
				 const struct wf_coll_key *key)
{
	for (int i = 0; i < WF_COLL_PLANS; i++) {
		struct wf_coll_plan *p = &s->kept[i];

		if (p->key.bytes == key->bytes && p->key.by == key->by &&
		    p->key.root == key->root &&
		    (p->key.ends == key->ends ||
		     has_same_ends(p->key.ends, key->ends, s->comm->size)) &&
		    wf_combination_is(&p->key.with, &key->with))
			return p;
	}
	return NULL;
}

static bool may_go(const struct wf_coll_plan *p)
{
	return !p->users && (!p->run || wf_run_is_idle(p->run));
}

/* The one that was not used for longest; NULL: all are in use. */
static struct wf_coll_plan *find_place(struct wf_schedule *s)
{
	struct wf_coll_plan *oldest = NULL;

	for (int i = 0; i < WF_COLL_PLANS; i++) {
		struct wf_coll_plan *p = &s->kept[i];

		if (may_go(p) && (!oldest || p->last_use < oldest->last_use))
			oldest = p;
	}
	return oldest;
}

static int copy_ends(const struct wf_schedule *s, const uint64_t **ends_p)
{
	size_t bytes = (size_t)s->comm->size * sizeof(**ends_p);
	uint64_t *copy;

	if (!*ends_p)
		return WEFT_OK;
	copy = malloc(bytes);
	if (!copy)
		return WEFT_ERR_NOMEM;
	*ends_p = memcpy(copy, *ends_p, bytes);
	return WEFT_OK;
}

static int fill_place(struct wf_schedule *s, const struct wf_coll_key *key,
		      struct wf_coll_plan *place)
{
	struct wf_coll_key kept = *key;
	int status;

	drop_plan(place);
	status = copy_ends(s, &kept.ends);
	if (status)
		return status;
	status = key->by->build(s, s->set, key, &place->plan);
	if (status) {
		free((void *)kept.ends);
		place->plan = NULL;
		return status;
	}
	place->key = kept;
	return WEFT_OK;
}

/* The plan for a key, kept or built; NULL: there is no room to keep it. */
static int find_plan(struct wf_schedule *s, const struct wf_coll_key *key,
		     struct wf_coll_plan **plan_p)
{
	struct wf_coll_plan *p = find(s, key);
	int status = WEFT_OK;

	if (!p) {
		p = find_place(s);
		if (p)
			status = fill_place(s, key, p);
	}
	if (!status && p)
		p->last_use = ++s->uses;
	*plan_p = p;
	return status;
}

/* With a plan that is kept, or else one of its own. */
static int find_request(struct wf_schedule *s, const struct wf_coll_key *key,
			struct wf_run_request **req_p)
{
	struct wf_coll_plan *p;
	struct wf_plan *plan = NULL;
	int status = find_plan(s, key, &p);

	if (status)
		return status;
	if (p)
		plan = p->plan;
	else
		status = key->by->build(s, s->set, key, &plan);
	if (!status)
		status = wf_run_requests_take(&s->requests, plan, req_p);
	if (status) {
		if (!p)
			wf_plan_destroy(plan);
		return status;
	}
	if (p)
		p->users++;
	(*req_p)->users = p ? &p->users : NULL;
	return WEFT_OK;
}

int wf_coll_request(struct wf_schedule *s, const struct wf_coll_key *key,
		    struct wf_run_request **req_p)
{
	int status = key->by->request ? key->by->request(s, key, req_p) :
					find_request(s, key, req_p);

	if (status)
		return status;
	(*req_p)->run.call = key->call;
	wf_run_request_use(*req_p);
	return WEFT_OK;
}

/* ---- operations ---- */

void wf_coll_go(struct wf_run *run, uint64_t most)
{
	wf_count_promote(&run->set->count, most);
	wf_run_start(run, WEFT_OK);
}

static void go(struct wf_run *run, uint64_t most, const void *in, void *out)
{
	run->buffer[WF_BUFFER_SEND] = (char *)in;
	run->buffer[WF_BUFFER_RECV] = out;
	wf_coll_go(run, most);
}

/* With a plan that is not kept: as a request, which goes when it is over. */
static struct wf_run *start_apart(struct wf_schedule *s,
				  const struct wf_coll_key *key, uint64_t most,
				  const void *in, void *out)
{
	struct wf_run_request *req;
	int status = wf_coll_request(s, key, &req);

	if (status)
		return wf_refusal_start(s, key, status);
	go(&req->run, most, in, out);
	wf_run_wait(&req->run);
	wf_run_request_release(req);
	/* it is a spare one, and says still how it ended */
	return &req->run;
}

/* At the first call that blocks. */
static int make_run(struct wf_coll_plan *p)
{
	struct wf_run *run = malloc(sizeof(*run));
	int status = run ? wf_run_init(run, p->plan, NULL) : WEFT_ERR_NOMEM;

	if (status)
		free(run);
	else
		p->run = run;
	return status;
}

/* Apart from the way that most calls go. */
static struct wf_run *start_kept(struct wf_schedule *s,
				 const struct wf_coll_key *key, uint64_t most,
				 const void *in, void *out)
	__attribute__((noinline));

static struct wf_run *start_kept(struct wf_schedule *s,
				 const struct wf_coll_key *key, uint64_t most,
				 const void *in, void *out)
{
	struct wf_coll_plan *p = NULL;
	int status = find_plan(s, key, &p);

	if (!status && p && !p->run)
		status = make_run(p);
	if (status)
		return wf_refusal_start(s, key, status);
	/* of another thread, which should not */
	if (!p || !wf_run_is_idle(p->run))
		return start_apart(s, key, most, in, out);
	p->run->call = key->call;
	go(p->run, most, in, out);
	return p->run;
}

/* Mostly the plan is there. */
struct wf_run *wf_coll_start(struct wf_schedule *s,
			     const struct wf_coll_key *key, uint64_t most,
			     const void *in, void *out)
{
	struct wf_coll_plan *p;

	/* of whose plans none is kept by its key */
	if (key->by->request)
		return start_apart(s, key, most, in, out);
	p = find(s, key);
	if (!p || !p->run || !wf_run_is_idle(p->run))
		return start_kept(s, key, most, in, out);
	p->last_use = ++s->uses;
	p->run->call = key->call;
	go(p->run, most, in, out);
	return p->run;
}

int wf_coll_run(struct weft_comm *comm, const struct wf_coll_key *key,
		uint64_t most, const void *in, void *out)
{
	struct wf_schedule *s;
	struct wf_run *run;
	int status;

	if (comm->coll.strays[WF_COLL_PROGRAM])
		return wf_coll_refuse_stray(comm, key, true);
	status = wf_schedule_of(comm, key->by->kind, &s);
	if (status)
		return wf_coll_miss(comm, key, status);
	run = wf_coll_start(s, key, most, in, out);
	status = wf_run_wait(run);
	if (status)
		wf_job_fail(comm->job, status, "%s", run->error);
	return status;
}
