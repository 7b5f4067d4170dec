/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long messages: once a receive has taken one, its content is an epoch of a set
 * with one edge, from sender to receiver, which both ends number alike: the
 * receiver starts epochs in the order in which it mails GO, the sender in that
 * in which it hears it.  So ready lines, chunks and CMA are those of exchanges.
 */
#include <stdlib.h>
#include "p2p/p2p_office.h"

enum {
	WINDOW = 2			/* messages of a pair under way */
};

struct wf_long {
	struct wf_run run;
	struct wf_plan *plan;
	struct wf_p2p_request *req;
	struct lane *lane;
	struct wf_long *next;		/* spare one */
};

/* To one rank, or from it: the set, and runs that serve again. */
struct lane {
	struct wf_set *set;
	struct wf_long *spare;
	int spares;
};

static int make_set(struct wf_p2p *p2p, bool sends, int rank,
		    struct wf_set **set_p)
{
	struct weft_comm *comm = p2p->comm;
	struct wf_edge edge = {
		.sender = sends ? comm->rank : rank,
		.receiver = sends ? rank : comm->rank
	};
	struct wf_set_shape shape = {
		.number = (sends ? WF_PORT_LONG_OUT : WF_PORT_LONG_IN) |
			  (uint32_t)rank,
		.there = (sends ? WF_PORT_LONG_IN : WF_PORT_LONG_OUT) |
			 (uint32_t)comm->rank,
		.window = WINDOW, .pair = true,
		.nout = sends, .nin = !sends, .out = &edge, .in = &edge
	};

	return wf_set_create(comm, &shape, set_p);
}

static struct lane *make_lane(struct wf_p2p *p2p, bool sends, int rank)
{
	struct wf_map *map = sends ? &p2p->out : &p2p->in;
	struct lane *lane = calloc(1, sizeof(*lane));

	/* its place first: a set that is given up may keep the port */
	if (lane && !wf_map_put(map, (uint64_t)rank, lane)) {
		if (!make_set(p2p, sends, rank, &lane->set))
			return lane;
		wf_map_del(map, (uint64_t)rank);
	}
	free(lane);
	return NULL;
}

static struct lane *find_lane(struct wf_p2p *p2p, bool sends, int rank)
{
	struct lane *lane = wf_map_get(sends ? &p2p->out : &p2p->in,
				       (uint64_t)rank);

	return lane ? lane : make_lane(p2p, sends, rank);
}

/* One step, of as many bytes as it will be. */
static int make_plan(struct wf_set *set, bool sends, struct wf_plan **plan_p)
{
	struct wf_place at = {
		.buffer = sends ? WF_BUFFER_SEND : WF_BUFFER_RECV
	};
	struct wf_builder b;
	int status = wf_builder_init(&b, set);

	if (status)
		return status;
	if (sends)
		wf_build_send(&b, 0, at, 0);
	else
		wf_build_recv(&b, 0, at, 0);
	return wf_builder_finish(&b, plan_p);
}

static void finished(struct wf_run *run)
{
	struct wf_p2p_request *req = wf_container(run, struct wf_long,
						  run)->req;

	if (run->status)
		wf_p2p_fail(req, run->status, "%s: %s", req->call, run->error);
	wf_office_end(req);
}

static void destroy(struct wf_long *l)
{
	l->run.pins = NULL;		/* the request's */
	wf_run_fini(&l->run);
	if (l->plan)
		wf_plan_destroy(l->plan);
	free(l);
}

static struct wf_long *make(struct lane *lane, bool sends)
{
	struct wf_long *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	if (make_plan(lane->set, sends, &l->plan) ||
	    wf_run_init(&l->run, l->plan, "message")) {
		destroy(l);
		return NULL;
	}
	l->lane = lane;
	l->run.finished = finished;
	return l;
}

static struct wf_long *get(struct lane *lane, bool sends)
{
	struct wf_long *l = lane->spare;

	if (!l)
		return make(lane, sends);
	lane->spare = l->next;
	lane->spares--;
	return l;
}

int wf_long_prepare(struct wf_p2p_request *req)
{
	int rank = req->sends ? req->rank : req->got.source;
	struct lane *lane = find_lane(req->p2p, req->sends, rank);

	req->run = lane ? get(lane, req->sends) : NULL;
	if (!req->run)
		return WEFT_ERR_NOMEM;
	req->run->req = req;
	req->run->run.buffer[req->sends ? WF_BUFFER_SEND : WF_BUFFER_RECV] =
		req->data;
	req->run->run.pins = req->pins;
	return WEFT_OK;
}

/* The sender hears how much is wanted of it, or that nothing is. */
static bool invite(struct wf_p2p_request *req)
{
	struct wf_p2p_message *msg = req->msg;
	int status = WEFT_OK;

	/* Its sender hears, or has heard, that messages were lost here. */
	if (msg->pair->peer->unheard)
		status = WEFT_ERR_NOMEM;
	else if (req->wanted)
		status = wf_long_prepare(req);
	req->msg = NULL;
	msg->to = NULL;
	wf_p2p_answer(msg, WF_P2P_GO, req->wanted, status);
	if (status)
		wf_p2p_fail(req, status, "%s: no memory for %llu bytes from "
			    "rank %d", req->call,
			    (unsigned long long)req->wanted, req->got.source);
	return !status && req->wanted;
}

void wf_long_start(struct wf_p2p_request *req)
{
	if (!req->sends && !invite(req)) {
		wf_office_end(req);
		return;
	}
	req->run->plan->step[0].bytes = req->wanted;
	wf_run_start(&req->run->run, WEFT_OK);
}

bool wf_long_is_active(const struct wf_p2p_request *req)
{
	return req->run && !wf_run_is_idle(&req->run->run);
}

/* As many serve again as are under way at once. */
void wf_long_free(struct wf_p2p_request *req)
{
	struct wf_long *l = req->run;

	req->run = NULL;
	if (!l)
		return;
	if (l->run.status || l->lane->spares == WINDOW) {
		destroy(l);
		return;
	}
	l->next = l->lane->spare;
	l->lane->spare = l;
	l->lane->spares++;
}

void wf_long_discard(struct wf_p2p_request *req)
{
	if (req->run)
		destroy(req->run);
	req->run = NULL;
}

void wf_long_close(struct wf_map *lanes)
{
	size_t cursor = 0;
	void *value;

	while (wf_map_next(lanes, &cursor, NULL, &value)) {
		struct lane *lane = value;

		while (lane->spare)
			destroy(get(lane, false));
		wf_set_destroy(lane->set);
		free(lane);
	}
	wf_map_fini(lanes);
}
