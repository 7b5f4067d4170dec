/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Routing, stage by stage from the largest blocks down.
 *
 * Idea: a parcel goes to that block in which its rank is, to the rank there
 * that has the sender's place; so each stage brings it into a smaller block,
 * and the last one to its rank.  In a stage each edge first says how many bytes
 * follow, and right behind that they go in one message, none if they are none.
 * Rounds: ceil(log_k P).  Messages: 2 an edge, of which a rank gives along
 * k - 1 in a stage, and credits.  Bytes: 8 an edge, and 20 for each parcel
 * besides its own, in each stage that it moves in.  Memory: twice that of the
 * parcels that are here; what lies in the order of edges is not copied, as of a
 * rank that gives in the order of ranks.
 *
 * An error goes in the place of a number of bytes, and down all edges of the
 * later stages: who would have got a parcel through the rank hears of it.  So
 * both ends of an edge know what goes along it, also where memory is lacking;
 * the channels for the numbers are there before the first of them.  Where one
 * of these fails all the same the two ends may differ, and nothing goes along
 * the schedule any more.
 */
#include "coll/route.h"

#include <stdlib.h>
#include <string.h>
#include "base/assert.h"
#include "base/text.h"
#include "base/zeroed.h"
#include "coll/refusal.h"
#include "coll/route_stage.h"

/* What one direction of a stage is at. */
enum side {
	NUMBERS,			/* of bytes, under way */
	CONTENT,
	OVER
};

struct routes {
	struct wf_schedule schedule;	/* its run in reserve is what goes, */
	struct wf_run comes;		/* along all edges; without memory: none
					   so far */
	struct wf_poller poller;	/* while there are some in the queue */
	struct wf_list queue, made;	/* struct wf_route */
	bool driven;
	int stages;			/* of the first one, still to begin */
	enum side out, in;
	struct wf_route_stage stage;
	struct wf_route refused;	/* that in reserve, */
	int times;			/* for so many calls in a row */
	char stray[WF_ERROR_TEXT];	/* why nothing goes any more */
};

static struct routes *routes_of(const struct wf_schedule *s)
{
	return wf_container(s, struct routes, schedule);
}

/* Those of a communicator that has them. */
static struct routes *find(const struct weft_comm *comm)
{
	struct wf_cargo *cargo = comm->coll.schedule[WF_COLL_ROUTES];

	return routes_of(wf_container(cargo, struct wf_schedule, cargo));
}

static struct wf_route *first(const struct routes *r)
{
	return wf_container(r->queue.next, struct wf_route, link);
}

/* ---- errors ---- */

static void fail(struct wf_route *route, int status, int culprit,
		 const char *why)
{
	if (route->status)
		return;
	route->status = status;
	route->culprit = culprit;
	route->error[0] = 0;
	wf_text_add(route->error, sizeof(route->error), "%s", why);
}

static void fail_here(struct routes *r, const char *why)
{
	struct wf_route *route = first(r);
	char text[WF_ERROR_TEXT] = "";

	wf_text_add(text, sizeof(text), "%s: %s", route->call, why);
	fail(route, WEFT_ERR_NOMEM, r->schedule.comm->rank, text);
}

/* In the place of a number of bytes: below 0, and whose error it is. */
static int64_t word_of(const struct wf_route *route)
{
	return -((int64_t)route->culprit << 16 | -route->status);
}

static void hear(struct routes *r, int64_t word)
{
	struct wf_route *route = first(r);
	int culprit = (int)(-word >> 16), status = -(int)(-word & 0xffff);
	char text[WF_ERROR_TEXT] = "";

	wf_text_add(text, sizeof(text), "%s: rank %d of the communicator "
		    "failed with %s", route->call, culprit,
		    weft_status_name(status));
	fail(route, status, culprit, text);
}

/*
 * Content that lacks memory is lost, and both ends know how much it was.  Of
 * what else fails, and of numbers, that is not known.
 */
static void look(struct routes *r, const struct wf_run *run, enum side side)
{
	struct weft_comm *comm = r->schedule.comm;

	if (!run->status)
		return;
	fail(first(r), run->status, comm->rank, run->error);
	if (side == NUMBERS || run->status != WEFT_ERR_NOMEM)
		comm->coll.strays[WF_COLL_ROUTES] = (int16_t)run->status;
}

/* ---- the runs of a stage ---- */

static void aim(struct wf_step *step, enum wf_step_kind kind, uint64_t offset,
		uint64_t bytes)
{
	const struct wf_place at = { WF_BUFFER_SEND, (int64_t)offset };

	step->kind = kind;
	step->from = step->to = at;
	step->bytes = bytes;
}

/* Of n edges, from one on: those that have something. */
struct parts {
	int from, n;
	const int64_t *bytes;		/* NULL: a number each */
	const uint64_t *at;		/* NULL: one behind the other */
	void *memory;
};

static void run_edges(struct routes *r, struct wf_run *run,
		      const struct parts *p)
{
	bool goes = run != &r->comes, any = false;
	struct wf_step *step = run->plan->step;
	uint64_t offset = 0;

	for (int i = 0; i < run->plan->nsteps; i++)
		aim(&step[i], WF_STEP_COPY, 0, 0);
	for (int i = 0; i < p->n; i++) {
		int64_t one = p->bytes ? p->bytes[i] :
					 (int64_t)sizeof(*p->bytes);

		if (one <= 0)
			continue;
		aim(&step[p->from + i], goes ? WF_STEP_SEND : WF_STEP_RECV,
		    p->at ? p->at[i] : offset, (uint64_t)one);
		offset += (uint64_t)one;
		any = true;
	}
	run->status = WEFT_OK;
	run->call = first(r)->call;
	run->buffer[WF_BUFFER_SEND] = p->memory;
	/* without memory for what comes it is dropped on its way */
	if (any)
		wf_run_start(run, p->memory ? WEFT_OK : WEFT_ERR_NOMEM);
}

static void give_numbers(struct routes *r)
{
	struct wf_route_stage *s = &r->stage;

	run_edges(r, &r->schedule.reserve, &(struct parts){
		s->first_out, s->ngives, NULL, NULL, s->gives });
}

static void get_numbers(struct routes *r)
{
	struct wf_route_stage *s = &r->stage;

	run_edges(r, &r->comes, &(struct parts){
		s->first_in, s->ngets, NULL, NULL, s->gets });
}

static void give_content(struct routes *r)
{
	const struct wf_route_stage *s = &r->stage;

	run_edges(r, &r->schedule.reserve, &(struct parts){
		s->first_out, s->ngives, s->gives, s->gives_at, s->packed });
}

static bool has_strayed(const struct routes *r)
{
	return r->schedule.comm->coll.strays[WF_COLL_ROUTES];
}

/* The own numbers are out: what they say follows. */
static bool advance_out(struct routes *r)
{
	enum side side = r->out;

	if (side == OVER || !wf_run_is_idle(&r->schedule.reserve))
		return false;
	look(r, &r->schedule.reserve, side);
	r->out = OVER;
	if (side == NUMBERS && !has_strayed(r)) {
		r->out = CONTENT;
		give_content(r);
	}
	return true;
}

/* What the numbers of others say has to come, also where it is in vain. */
static void get_content(struct routes *r)
{
	struct wf_route_stage *s = &r->stage;

	for (int i = 0; i < s->ngets; i++)
		if (s->gets[i] < 0)
			hear(r, s->gets[i]);
	if (!first(r)->status && wf_route_make_room(s))
		fail_here(r, "no memory for what passes through this rank");
	run_edges(r, &r->comes, &(struct parts){
		s->first_in, s->ngets, s->gets, NULL, s->comes.memory });
}

static bool advance_in(struct routes *r)
{
	enum side side = r->in;

	if (side == OVER || !wf_run_is_idle(&r->comes))
		return false;
	look(r, &r->comes, side);
	r->in = OVER;
	if (side == NUMBERS && !has_strayed(r)) {
		r->in = CONTENT;
		get_content(r);
	}
	return true;
}

/* ---- stages ---- */

static void drop_held(struct wf_route *route)
{
	wf_parcels_drop(&route->held[0]);
	wf_parcels_drop(&route->held[1]);
}

static void begin_stage(struct routes *r)
{
	const struct wf_schedule *s = &r->schedule;
	struct wf_route *route = first(r);

	wf_route_stage_init(&r->stage, &s->cuts, s->comm->rank, --r->stages);
	if (!route->status && wf_route_pack(&r->stage, route->held))
		fail_here(r, "no memory for what this rank gives");
	if (route->status) {
		drop_held(route);
		wf_route_give_none(&r->stage, word_of(route));
	}
	r->out = r->in = NUMBERS;
	give_numbers(r);
	get_numbers(r);
}

static void begin_first(struct routes *r)
{
	r->stages = r->schedule.cuts.stages;
	r->out = r->in = OVER;
	memset(&r->stage, 0, sizeof(r->stage));
}

static void end_first(struct routes *r)
{
	struct wf_route *route = first(r);
	struct weft_comm *comm = r->schedule.comm;

	if (route == &r->refused && --r->times > 0 && !has_strayed(r)) {
		begin_first(r);
		return;
	}
	if (route == &r->refused)
		r->times = 0;
	wf_list_del(&route->link);
	if (wf_list_empty(&r->queue))
		wf_poller_del(comm->job, &r->poller);
	else
		begin_first(r);
	if (route->status)
		drop_held(route);
	if (route->done)
		route->done(route);
	wf_comm_drop(comm);
}

/* Others hear that nothing more comes from here. */
static void end_all(struct routes *r)
{
	struct weft_comm *comm = r->schedule.comm;
	int status = comm->coll.strays[WF_COLL_ROUTES];

	comm->job->uneven = true;
	wf_set_end(r->schedule.set);
	wf_text_add(r->stray, sizeof(r->stray), "%s", first(r)->error);
	while (!wf_list_empty(&r->queue)) {
		fail(first(r), status, comm->rank, r->stray);
		end_first(r);
	}
}

/* The first one goes on; false: it waits for its runs. */
static bool step(struct routes *r)
{
	if (advance_out(r) || advance_in(r))
		return true;
	if (r->out != OVER || r->in != OVER)
		return false;
	if (first(r)->status || r->stages == r->schedule.cuts.stages)
		wf_route_drop(&r->stage);
	else
		wf_route_take_over(&r->stage, first(r)->held);
	if (has_strayed(r))
		end_all(r);
	else if (r->stages)
		begin_stage(r);
	else
		end_first(r);
	return true;
}

/*
 * To start a run is progress, too: then what is behind it is done here.  The
 * last one may be all that holds the communicator.
 */
static bool drive(struct routes *r)
{
	struct weft_comm *comm = r->schedule.comm;
	bool moved = false;

	if (r->driven)
		return false;
	wf_comm_hold(comm);
	r->driven = true;
	while (!wf_list_empty(&r->queue) && step(r))
		moved = true;
	r->driven = false;
	wf_comm_drop(comm);
	return moved;
}

static bool poll(struct wf_poller *poller)
{
	return drive(wf_container(poller, struct routes, poller));
}

/* Its runs are looked after by themselves. */
static int waits_for(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	(void)cursor;
	return -1;
}

static void enqueue(struct routes *r, struct wf_route *route)
{
	wf_comm_hold(r->schedule.comm);
	if (wf_list_empty(&r->queue)) {
		r->poller.comm = r->schedule.comm;
		wf_poller_add(r->schedule.comm->job, &r->poller);
		begin_first(r);
	}
	wf_list_add_tail(&r->queue, &route->link);
	drive(r);
}

void wf_route_start(struct weft_comm *comm, struct wf_route *route)
{
	struct routes *r = find(comm);

	route->culprit = comm->rank;
	wf_list_add_tail(&r->made, &route->made);
	enqueue(r, route);
}

static bool is_refused_over(void *arg)
{
	return !((struct routes *)arg)->times;
}

static bool is_over(void *arg)
{
	return wf_list_empty(&((struct routes *)arg)->queue);
}

void wf_route_tell(const struct weft_comm *comm, char *text, size_t bytes)
{
	const struct routes *r = find(comm);

	if (wf_list_empty(&r->queue))
		return;
	wf_text_add(text, bytes, "%s of context %llu, %d of %d stages begun",
		    first(r)->call, (unsigned long long)comm->id,
		    r->schedule.cuts.stages - r->stages,
		    r->schedule.cuts.stages);
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct routes *r = arg;

	wf_route_tell(r->schedule.comm, text, bytes);
}

static void wait_until(struct routes *r, bool (*is_done)(void *arg))
{
	struct wf_wait wait = { is_done, describe, r };

	wf_job_wait(r->schedule.comm->job, &wait);
}

void wf_route_wait(struct weft_comm *comm)
{
	if (comm->coll.schedule[WF_COLL_ROUTES])
		wait_until(find(comm), is_over);
}

void wf_route_refuse(struct weft_comm *comm, const char *call, int status)
{
	struct routes *r = find(comm);
	struct wf_route *refused = &r->refused;

	if (r->times && r->queue.prev == &refused->link &&
	    refused->status == status) {
		r->times++;
		return;
	}
	wait_until(r, is_refused_over);
	if (has_strayed(r))
		return;
	memset(refused, 0, sizeof(*refused));
	refused->call = call;
	refused->status = status;
	refused->culprit = comm->rank;
	r->times = 1;
	enqueue(r, refused);
}

/* ---- the schedule ---- */

static struct wf_schedule *make(struct weft_comm *comm)
{
	struct routes *r = wf_zeroed(1, sizeof(*r));

	(void)comm;
	if (!r)
		return NULL;
	r->poller.poll = poll;
	r->poller.waits_for = waits_for;
	wf_list_init(&r->queue);
	wf_list_init(&r->made);
	return &r->schedule;
}

/* Whatever is in the queue holds the communicator. */
static void end(struct wf_schedule *s)
{
	struct routes *r = routes_of(s);
	struct wf_plan *plan = r->comes.plan;
	struct wf_list *at;

	WF_ASSERT(wf_list_empty(&r->queue));
	while ((at = wf_list_pop(&r->made))) {
		struct wf_route *route =
			wf_container(at, struct wf_route, made);

		drop_held(route);
		route->destroy(route);
	}
	wf_run_fini(&r->comes);
	wf_plan_destroy(plan);
}

static void free_routes(struct wf_schedule *s)
{
	free(routes_of(s));
}

/* The stages as they come. */
static int find_edges(const struct wf_schedule *s, struct wf_schedule_edges *e)
{
	struct wf_route_stage stage = { .ngives = 0 };
	int me = s->comm->rank;

	if (wf_schedule_edges_init(e, (size_t)s->cuts.stages *
				      WF_RAGGED_TARGETS_MAX))
		return WEFT_ERR_NOMEM;
	for (int i = s->cuts.stages; i-- > 0;) {
		wf_route_stage_init(&stage, &s->cuts, me, i);
		for (int k = 0; k < stage.ngives; k++)
			e->out[e->nout++] = (struct wf_edge){
				me, wf_route_target(&stage, k), 0,
				(uint32_t)i };
		for (int k = 0; k < stage.ngets; k++)
			e->in[e->nin++] = (struct wf_edge){
				wf_route_source(&stage, k), me, 0,
				(uint32_t)i };
	}
	return WEFT_OK;
}

/* A run with a step for each edge of a direction, and its channels. */
static int make_run(const struct wf_schedule *s, struct wf_run *run, bool goes)
{
	const struct wf_place at = { WF_BUFFER_SEND, 0 };
	int n = goes ? s->set->nout : s->set->nin;
	struct wf_plan *plan;
	struct wf_builder b;
	int status = wf_builder_init(&b, s->set);

	if (status)
		return status;
	for (int i = 0; i < n; i++)
		if (goes)
			wf_build_send(&b, (uint32_t)i, at, sizeof(int64_t));
		else
			wf_build_recv(&b, (uint32_t)i, at, sizeof(int64_t));
	status = wf_builder_finish(&b, &plan);
	if (status)
		return status;
	status = wf_run_init(run, plan, NULL);
	if (!status)
		status = wf_run_prepare(run);
	if (status) {
		wf_run_fini(run);
		wf_plan_destroy(plan);
		run->plan = NULL;
	}
	return status;
}

/* Numbers never lack memory then; and what was missed is refused now. */
static int complete(struct wf_schedule *s)
{
	struct routes *r = routes_of(s);
	uint16_t *missed = &s->comm->coll.missed[WF_COLL_ROUTES];
	int status = WEFT_OK;

	if (!r->comes.plan)
		status = make_run(s, &r->comes, false);
	if (!status)
		status = make_run(s, &s->reserve, true);
	for (; !status && *missed; --*missed)
		wf_route_refuse(s->comm, "a sparse exchange", WEFT_ERR_NOMEM);
	return status;
}

const struct wf_schedule_kind wf_route_kind = {
	.port = WF_PORT_ROUTES, .rooted = true, .make = make, .end = end,
	.free = free_routes, .find_edges = find_edges, .complete = complete
};

/* Also where there never was memory for the channels. */
static int stray(struct weft_comm *comm, const char *call)
{
	const char *why = comm->coll.schedule[WF_COLL_ROUTES] ?
			  find(comm)->stray : "";

	return wf_job_fail(comm->job, comm->coll.strays[WF_COLL_ROUTES],
			   "%s: one of the communicator has failed before, at "
			   "this rank alone perhaps: free it%s%s", call,
			   *why ? ": " : "", why);
}

int wf_route_prepare(struct weft_comm *comm, const char *call)
{
	const struct wf_coll_key key = {
		.call = call, .by = wf_coll_choose(WF_COLL_SPARSE)
	};
	struct wf_schedule *s;
	int status;

	if (comm->coll.strays[WF_COLL_ROUTES])
		return stray(comm, call);
	status = wf_schedule_of(comm, WF_COLL_ROUTES, &s);
	return status ? wf_coll_miss(comm, &key, status) : WEFT_OK;
}
