/* SPDX-License-Identifier: BSD-3-Clause */
/* Lanes and their runs: see lane.h. */
#include "plan/lane.h"

#include <stdlib.h>
#include "base/zeroed.h"

enum {
	WINDOW = 2			/* epochs of a lane under way */
};

void wf_lanes_init(struct wf_lanes *lanes, struct weft_comm *comm,
		   uint32_t use)
{
	lanes->comm = comm;
	lanes->use = use;
	wf_map_init(&lanes->out);
	wf_map_init(&lanes->in);
}

static int make_set(const struct wf_lanes *lanes, bool sends, int rank,
		    struct wf_set **set_p)
{
	struct weft_comm *comm = lanes->comm;
	struct wf_edge edge = {
		.sender = sends ? comm->rank : rank,
		.receiver = sends ? rank : comm->rank
	};
	uint32_t here = sends ? WF_PORT_LANE_OUT : WF_PORT_LANE_IN;
	uint32_t there = sends ? WF_PORT_LANE_IN : WF_PORT_LANE_OUT;
	struct wf_set_shape shape = {
		.number = here | lanes->use | (uint32_t)rank,
		.there = there | lanes->use | (uint32_t)comm->rank,
		.window = WINDOW, .pair = true,
		.by_ready = lanes->use == WF_PORT_MESSAGES,
		.nout = sends, .nin = !sends, .out = &edge, .in = &edge
	};

	return wf_set_create(comm, &shape, set_p);
}

static struct wf_lane *make_lane(struct wf_lanes *lanes, bool sends, int rank)
{
	struct wf_map *map = sends ? &lanes->out : &lanes->in;
	struct wf_lane *lane = wf_zeroed(1, sizeof(*lane));

	/* its place first: a set that is given up may keep the port */
	if (lane && !wf_map_put(map, (uint64_t)rank, lane)) {
		if (!make_set(lanes, sends, rank, &lane->set))
			return lane;
		wf_map_del(map, (uint64_t)rank);
	}
	free(lane);
	return NULL;
}

struct wf_lane *wf_lane_of(struct wf_lanes *lanes, bool sends, int rank)
{
	struct wf_lane *lane = wf_map_get(sends ? &lanes->out : &lanes->in,
					  (uint64_t)rank);

	return lane ? lane : make_lane(lanes, sends, rank);
}

/* ---- runs ---- */

/* One step, of as many bytes as it will be. */
static int make_plan(struct wf_set *set, struct wf_plan **plan_p)
{
	struct wf_place at = {
		.buffer = set->nout ? WF_BUFFER_SEND : WF_BUFFER_RECV
	};
	struct wf_builder b;
	int status = wf_builder_init(&b, set);

	if (status)
		return status;
	if (set->nout)
		wf_build_send(&b, 0, at, 0);
	else
		wf_build_recv(&b, 0, at, 0);
	return wf_builder_finish(&b, plan_p);
}

void wf_lane_run_destroy(struct wf_lane_run *r)
{
	wf_run_unpin(&r->run);
	r->run.pins = NULL;		/* those of its user */
	wf_run_fini(&r->run);
	if (r->plan)
		wf_plan_destroy(r->plan);
	free(r);
}

static struct wf_lane_run *make(struct wf_lane *lane)
{
	struct wf_lane_run *r = wf_zeroed(1, sizeof(*r));

	if (!r)
		return NULL;
	if (make_plan(lane->set, &r->plan) ||
	    wf_run_init(&r->run, r->plan, NULL)) {
		wf_lane_run_destroy(r);
		return NULL;
	}
	r->lane = lane;
	lane->made++;
	return r;
}

struct wf_lane_run *wf_lane_take(struct wf_lane *lane, const char *call)
{
	struct wf_lane_run *r = lane->spare;

	if (r) {
		lane->spare = r->next;
		lane->spares--;
	} else {
		r = make(lane);
	}
	if (r)
		r->run.call = call;
	return r;
}

/* As many serve again as are under way at once. */
void wf_lane_give_back(struct wf_lane_run *r)
{
	struct wf_lane *lane = r->lane;

	if (lane->spares == WINDOW) {
		lane->made--;
		wf_lane_run_destroy(r);
		return;
	}
	r->run.pins = NULL;
	r->next = lane->spare;
	lane->spare = r;
	lane->spares++;
}

/* ---- the end ---- */

static void close_all(struct wf_map *map)
{
	size_t cursor = 0;
	void *value;

	while (wf_map_next(map, &cursor, NULL, &value)) {
		struct wf_lane *lane = value;

		while (lane->spare)
			wf_lane_run_destroy(wf_lane_take(lane, NULL));
		wf_set_destroy(lane->set);
		free(lane);
	}
	wf_map_fini(map);
}

void wf_lanes_fini(struct wf_lanes *lanes)
{
	close_all(&lanes->out);
	close_all(&lanes->in);
}
