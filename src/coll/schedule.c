/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all schedules have in common: life, plans that are kept, start and wait,
 * and operations that a rank refuses.
 */
#include "coll/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "base/config.h"
#include "base/lack.h"
#include "base/text.h"
#include "coll/digits.h"
#include "coll/ragged.h"
#include "coll/tree.h"

static_assert((int)WF_CONFIG_RADIX_MAX <= (int)WF_RAGGED_RADIX_MAX,
	      "the schedules serve what may be set");

static const struct wf_schedule_kind *const kinds[WF_COLL_KINDS] = {
	[WF_COLL_PROGRAM] = &wf_ragged_program,
	[WF_COLL_IDS] = &wf_ragged_ids,
	[WF_COLL_TREE] = &wf_tree_kind,
	[WF_COLL_DIGITS] = &wf_digits_kind
};

/* ---- life ---- */

static void drop_plan(struct wf_coll_plan *p)
{
	if (!p->plan)
		return;
	wf_run_fini(p->run);
	free(p->run);
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
	s->kind->free(s);
}

void wf_schedule_init(struct wf_schedule *s, struct weft_comm *comm,
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
	e->out = calloc(2 * most + 1, sizeof(*e->out));
	e->in = e->out + most;
	return e->out ? WEFT_OK : WEFT_ERR_NOMEM;
}

void wf_schedule_edges_fini(struct wf_schedule_edges *e)
{
	free(e->out);
	e->out = e->in = NULL;
}

static int make_set(const struct wf_schedule *s, struct wf_set_shape *shape,
		    struct wf_set **set_p)
{
	struct wf_schedule_edges e;
	int status = s->kind->find_edges(s, &e);

	if (status)
		return status;
	shape->collective = true;
	shape->synchronising = !s->kind->rooted;
	shape->rooted = s->kind->rooted;
	shape->nout = e.nout;
	shape->nin = e.nin;
	shape->out = e.out;
	shape->in = e.in;
	status = wf_set_create(s->comm, shape, set_p);
	wf_schedule_edges_fini(&e);
	return status;
}

int wf_schedule_make_set(const struct wf_schedule *s, uint32_t number,
			 struct wf_set **set_p)
{
	struct wf_set_shape shape = {
		.number = WF_PORT_SETS + number, .window = 1
	};

	return make_set(s, &shape, set_p);
}

/* What an operation without memory is refused with. */
static int make_reserve(struct wf_schedule *s)
{
	struct wf_plan *plan;
	int status = s->kind->build_refused(s, &plan);

	if (status)
		return status;
	status = wf_run_init(&s->reserve, plan, NULL);
	if (status)
		wf_plan_destroy(plan);
	return status;
}

/* It is an error at all ranks, and takes its number at this one, too. */
static struct wf_run *start_refused(struct wf_schedule *s,
				    const struct wf_coll_key *key, int status)
{
	struct wf_run *run = &s->reserve;

	/* That of a request whose call was refused. */
	if (!wf_run_is_idle(run))
		wf_run_wait(run);
	run->call = key->call;
	if (s->kind->aim_refused)
		s->kind->aim_refused(s, run->plan, key);
	wf_run_start(run, status);
	if (!run->error[0])
		wf_text_add(run->error, sizeof(run->error), "no part in a "
			    "collective: %s", weft_status_name(status));
	return run;
}

/* What was called before there was memory for it is refused, in that order. */
static void make_up(struct wf_schedule *s, uint16_t *missed)
{
	struct wf_coll_key key = { .call = NULL };

	for (unsigned i = 0; i < *missed; i++) {
		if (s->kind->rooted) {
			key.by = wf_coll_choose(s->comm->missed.op[i]);
			key.root = s->comm->missed.root[i];
		}
		wf_run_wait(start_refused(s, &key, WEFT_ERR_NOMEM));
	}
	*missed = 0;
}

/*
 * Goes on where memory was lacking: the port is open once there is a set, what
 * others have told it cannot be asked for twice, and no other may take its
 * number.
 */
static int finish(struct wf_schedule *s)
{
	struct wf_set_shape shape = {
		.number = s->kind->port, .window = WF_COLL_WINDOW,
		.mailed = true
	};
	int status = s->set ? WEFT_OK : make_set(s, &shape, &s->set);

	return status ? status : make_reserve(s);
}

static int make(struct weft_comm *comm, enum wf_coll_kind kind)
{
	struct wf_schedule *s;
	int status = kinds[kind]->make(comm, &s);

	if (!status)
		comm->coll.schedule[kind] = &s->cargo;
	return status;
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

int wf_schedule_finish(struct weft_comm *comm, enum wf_coll_kind kind,
		       struct wf_schedule **s_p)
{
	int status = wf_schedule_plain(comm, kind, s_p);

	if (!status)
		status = finish(*s_p);
	if (!status)
		make_up(*s_p, &comm->coll.missed[kind]);
	return status;
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

/*
 * NULL: it is not kept.  Then *place_p is where it may be: that place which was
 * not used for longest; NULL: all are in use.
 */
static struct wf_coll_plan *find(struct wf_schedule *s,
				 const struct wf_coll_key *key,
				 struct wf_coll_plan **place_p)
{
	struct wf_coll_plan *oldest = NULL;

	for (int i = 0; i < WF_COLL_PLANS; i++) {
		struct wf_coll_plan *p = &s->kept[i];

		if (p->key.bytes == key->bytes && p->key.by == key->by &&
		    p->key.root == key->root &&
		    (p->key.ends == key->ends ||
		     has_same_ends(p->key.ends, key->ends, s->comm->size)) &&
		    wf_combination_is(&p->key.with, &key->with))
			return p;
		if (!p->users && (!oldest || p->last_use < oldest->last_use))
			oldest = p;
	}
	*place_p = oldest;
	return NULL;
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

static int make_run(struct wf_coll_plan *place)
{
	place->run = malloc(sizeof(*place->run));
	return place->run ? wf_run_init(place->run, place->plan, NULL) :
			    WEFT_ERR_NOMEM;
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
		return status;
	}
	status = make_run(place);
	if (status) {
		free(place->run);
		free((void *)kept.ends);
		wf_plan_destroy(place->plan);
		place->plan = NULL;
		return status;
	}
	place->key = kept;
	return WEFT_OK;
}

/* The plan for a key, kept or built; NULL: it is not to be kept. */
static int find_plan(struct wf_schedule *s, const struct wf_coll_key *key,
		     struct wf_coll_plan **plan_p)
{
	struct wf_coll_plan *place = NULL;
	struct wf_coll_plan *p = find(s, key, &place);
	int status;

	if (!p && place && !key->by->request) {
		status = fill_place(s, key, place);
		if (status)
			return status;
		p = place;
	}
	if (p)
		p->last_use = ++s->uses;
	*plan_p = p;
	return WEFT_OK;
}

static int take_request(struct wf_schedule *s, struct wf_plan *plan,
			struct wf_run_request **req_p)
{
	struct wf_run_request *req = wf_run_requests_spare(&s->requests);
	int status;

	if (!req)
		return wf_run_requests_add(&s->requests, plan, req_p);
	status = wf_run_take(&req->run, plan);
	if (status)
		wf_run_request_unuse(req);
	else
		*req_p = req;
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
		status = take_request(s, plan, req_p);
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
		return start_refused(s, key, status);
	go(&req->run, most, in, out);
	wf_run_wait(&req->run);
	wf_run_request_release(req);
	/* it is a spare one, and says still how it ended */
	return &req->run;
}

struct wf_run *wf_coll_start(struct wf_schedule *s,
			     const struct wf_coll_key *key, uint64_t most,
			     const void *in, void *out)
{
	struct wf_coll_plan *p;
	int status = find_plan(s, key, &p);

	if (status)
		return start_refused(s, key, status);
	if (!p)
		return start_apart(s, key, most, in, out);
	p->run->call = key->call;
	go(p->run, most, in, out);
	return p->run;
}

/* Notes what was missed; false: there is no room for one more. */
static bool note_missed(struct weft_comm *comm, const struct wf_coll_key *key)
{
	bool rooted = kinds[key->by->kind]->rooted;
	uint16_t *missed = &comm->coll.missed[key->by->kind];

	if (*missed == (rooted ? WF_MISSED_MOST : UINT16_MAX))
		return false;
	if (rooted) {
		comm->missed.op[*missed] = (uint8_t)(key->by - wf_algorithms);
		comm->missed.root[*missed] = key->root;
	}
	++*missed;
	return true;
}

/* The others hear of it when this rank has memory for its channels. */
static int miss(struct weft_comm *comm, const struct wf_coll_key *key,
		int status)
{
	bool noted = note_missed(comm, key);
	char why[WF_LACK_TEXT];

	wf_segment_why(&comm->job->segment, why, sizeof(why));
	return wf_job_fail(comm->job, status, "no memory for the channels of "
			   "a collective, of the process or of its arena%s: %s",
			   noted ? "" : ", again, and the call was not made",
			   why);
}

int wf_coll_refuse(struct weft_comm *comm, const struct wf_coll_key *key,
		   int status)
{
	struct wf_schedule *s;
	struct wf_run *run;

	if (wf_schedule_of(comm, key->by->kind, &s))
		return miss(comm, key, status);
	run = start_refused(s, key, status);
	wf_run_wait(run);
	return wf_job_fail(comm->job, status, "%s", run->error);
}

static void refused(struct wf_run *run)
{
	run->finished = NULL;
	wf_comm_drop(run->set->comm);
}

int wf_coll_refuse_apart(struct weft_comm *comm, const struct wf_coll_key *key,
			 int status)
{
	struct wf_schedule *s;
	struct wf_run *run;

	if (wf_schedule_of(comm, key->by->kind, &s))
		return miss(comm, key, status);
	run = start_refused(s, key, status);
	wf_job_fail(comm->job, status, "%s", run->error);
	if (wf_run_is_idle(run))
		return status;
	wf_comm_hold(comm);
	run->finished = refused;
	return status;
}

void wf_coll_strays(struct weft_comm *comm, int status)
{
	if (status == WEFT_ERR_DEVICE)
		comm->coll.strays[WF_COLL_PROGRAM] = (int16_t)status;
}

int wf_coll_refuse_stray(struct weft_comm *comm, const struct wf_coll_key *key)
{
	int status = wf_coll_refuse(comm, key,
				    comm->coll.strays[WF_COLL_PROGRAM]);

	return wf_job_fail(comm->job, status, "collectives of this "
			   "communicator are out of step, since a constructor "
			   "failed with %s, at this rank alone perhaps: free "
			   "it", weft_status_name(status));
}

int wf_coll_run(struct weft_comm *comm, const struct wf_coll_key *key,
		uint64_t most, const void *in, void *out)
{
	struct wf_schedule *s;
	struct wf_run *run;
	int status;

	if (comm->coll.strays[WF_COLL_PROGRAM])
		return wf_coll_refuse_stray(comm, key);
	status = wf_schedule_of(comm, key->by->kind, &s);
	if (status)
		return miss(comm, key, status);
	run = wf_coll_start(s, key, most, in, out);
	status = wf_run_wait(run);
	if (status)
		wf_job_fail(comm->job, status, "%s", run->error);
	return status;
}
