/* SPDX-License-Identifier: BSD-3-Clause */
/* What was missed is refused later: see make_up.h. */
#include "coll/make_up.h"

#include "coll/schedule.h"

/* A schedule that gets its memory refuses what was missed. */
static bool try_one(struct weft_comm *comm, enum wf_coll_kind kind)
{
	struct wf_schedule *s;
	bool made;

	wf_comm_hold(comm);		/* who waited may free it */
	made = !wf_schedule_of(comm, kind, &s);
	wf_comm_drop(comm);
	return made;
}

enum outcome { DONE, MADE, LEFT };

/* One at most, as communicators may come and go by it. */
static enum outcome try_any(struct wf_contexts *ctx)
{
	enum outcome outcome = DONE;
	size_t cursor = 0;
	uint64_t id;
	void *comm;

	while (wf_map_next(&ctx->comms, &cursor, &id, &comm)) {
		struct wf_coll_state *coll = &((struct weft_comm *)comm)->coll;

		for (int kind = 0; kind < WF_COLL_KINDS; kind++) {
			if (!coll->missed[kind] || coll->strays[kind])
				continue;
			if (try_one(comm, (enum wf_coll_kind)kind))
				return MADE;
			outcome = LEFT;
		}
	}
	return outcome;
}

static bool make_up(struct wf_poller *poller)
{
	struct wf_contexts *ctx = wf_contexts(poller->job);
	enum outcome outcome = try_any(ctx);

	if (outcome == DONE) {
		ctx->lacks = false;
		wf_poller_del(poller->job, poller);
	}
	return outcome == MADE;
}

static int waits_for(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	(void)cursor;
	return -1;
}

void wf_make_up_begin(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);

	if (ctx->lacks)
		return;
	ctx->lacks = true;
	ctx->lacking.poll = make_up;
	ctx->lacking.waits_for = waits_for;
	ctx->lacking.for_others = true;
	wf_poller_add(job, &ctx->lacking);
}
