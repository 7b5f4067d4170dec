/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks of collective calls: their life, and the calls.  See accord.h. */
#include "comm/accord.h"

#include <stdlib.h>
#include "base/text.h"
#include "base/zeroed.h"

enum {
	SECOND = 1000000000		/* ns: a mark that was lost, */
};

/* ---- life ---- */

/* Ranks that are neighbours twice count once. */
static int make_sides(struct wf_accord *accord)
{
	struct weft_comm *comm = accord->comm;
	int size = comm->size;

	accord->nsides = size > 2 ? WF_ACCORD_SIDES : size - 1;
	for (int i = 0; i < accord->nsides; i++) {
		struct wf_accord_side *side = &accord->side[i];

		side->accord = accord;
		side->rank = (comm->rank + (i ? size - 1 : 1)) % size;
		side->peer = wf_comm_peer(comm, side->rank);
		if (!side->peer)
			return WEFT_ERR_NOMEM;
		wf_mark_queue_init(&side->out);
		wf_mark_queue_init(&side->own);
		wf_mark_queue_init(&side->theirs);
	}
	return WEFT_OK;
}

int wf_accord_make(struct weft_comm *comm)
{
	struct wf_accord *accord;
	int status;

	if (comm->size < 2)
		return WEFT_OK;
	accord = wf_zeroed(1, sizeof(*accord));
	if (!accord)
		return WEFT_ERR_NOMEM;
	accord->comm = comm;
	accord->port.number = WF_PORT_MARKS;
	accord->port.deliver = wf_accord_deliver;
	status = make_sides(accord);
	if (status)
		free(accord);
	else
		comm->accord = accord;
	return status;
}

void wf_accord_free(struct weft_comm *comm)
{
	struct wf_accord *accord = comm->accord;

	comm->accord = NULL;
	wf_port_close(comm, &accord->port);
	for (int i = 0; i < accord->nsides; i++) {
		struct wf_accord_side *side = &accord->side[i];

		wf_owe_not(&side->owed);
		wf_owe_not(&side->news);
		wf_mark_queue_clear(&side->out);
		wf_mark_queue_clear(&side->own);
		wf_mark_queue_clear(&side->theirs);
	}
	free(accord);
}

void wf_accord_end(struct weft_comm *comm)
{
	struct wf_accord *accord = comm->accord;

	if (comm->job->closing || accord->holds || !wf_accord_owes(accord))
		return;
	accord->holds = true;
	wf_comm_hold(comm);
}

/* ---- the wait ---- */

struct wait {
	struct wf_poller poller;
	struct weft_comm *comm;		/* held */
	const struct wf_mark *mark;
	uint64_t asked;			/* ns */
};

/* Who has left has said all that it will. */
static bool is_missing(const struct wf_accord_side *side, uint64_t order)
{
	return side->heard < order && wf_peer_is_there(side->peer);
}

static bool is_over(void *arg)
{
	const struct wait *w = arg;
	const struct wf_accord *accord = w->comm->accord;

	if (accord->odds[0] || wf_comm_dead(w->comm))
		return true;
	for (int i = 0; i < accord->nsides; i++)
		if (is_missing(&accord->side[i], w->mark->order))
			return false;
	return true;
}

/* The next one from *cursor on; NULL: those were all. */
static struct wf_accord_side *next_missing(const struct wait *w, int *cursor)
{
	struct wf_accord *accord = w->comm->accord;

	while (*cursor < accord->nsides) {
		struct wf_accord_side *side = &accord->side[(*cursor)++];

		if (is_missing(side, w->mark->order))
			return side;
	}
	return NULL;
}

static int waits_for(struct wf_poller *poller, int *cursor)
{
	const struct wf_accord_side *side = next_missing(
		wf_container(poller, struct wait, poller), cursor);

	return side ? side->peer->rank : -1;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct wait *w = arg;
	const struct wf_accord_side *side;
	const char *between = " of ";
	int cursor = 0;

	wf_text_add(text, bytes, "%s, collective %llu of ", w->mark->call,
		    (unsigned long long)w->mark->order);
	wf_comm_tell(w->comm, text, bytes);
	wf_text_add(text, bytes, ": the same call");
	while ((side = next_missing(w, &cursor))) {
		wf_text_add(text, bytes, "%srank %d on host %s", between,
			    side->rank, wf_peer_host(side->peer));
		between = " and ";
	}
}

static void report(struct wf_poller *poller, struct wf_report *to)
{
	char text[WF_ERROR_TEXT] = "";

	describe(wf_container(poller, struct wait, poller), text,
		 sizeof(text));
	wf_report_line(to, "  %s", text);
}

/*
 * A mark that came before the communicator was there may have found no memory:
 * the last ones are exchanged again.
 */
static bool poll(struct wf_poller *poller)
{
	struct wait *w = wf_container(poller, struct wait, poller);
	struct wf_accord_side *side;
	uint64_t now;
	int cursor = 0;

	if (!poller->old)
		return false;
	now = wf_job_now(w->comm->job);
	if (now - w->asked < SECOND)
		return false;
	w->asked = now;
	while ((side = next_missing(w, &cursor))) {
		side->asks = true;
		wf_accord_send(side);
	}
	return false;
}

static void await(struct weft_comm *comm, const struct wf_mark *mark)
{
	struct wait w = { .comm = comm, .mark = mark };
	struct wf_wait until = { is_over, describe, &w };

	if (is_over(&w))
		return;
	w.poller.poll = poll;
	w.poller.waits_for = waits_for;
	w.poller.report = report;
	wf_poller_add(comm->job, &w.poller);
	wf_job_wait(comm->job, &until);
	wf_poller_del(comm->job, &w.poller);
}

/* ---- calls ---- */

static void add(struct wf_accord_side *side, const struct wf_mark *mark)
{
	if (!wf_peer_is_there(side->peer))
		return;
	wf_mark_queue_push(&side->out, mark, 1);
	wf_mark_queue_push(&side->own, mark, 1);
	wf_accord_send(side);
	wf_accord_compare(side);
}

static void begin(struct wf_accord *accord, struct wf_mark *mark)
{
	mark->order = accord->last.order + 1;
	accord->last = *mark;
	for (int i = 0; i < accord->nsides && !accord->odds[0]; i++)
		add(&accord->side[i], mark);
}

int wf_accord_call(struct weft_comm *comm, struct wf_mark *mark, bool waits)
{
	struct wf_accord *accord = comm->accord;

	if (!accord->odds[0]) {
		begin(accord, mark);
		if (waits)
			await(comm, mark);
	}
	return accord->odds[0] ? wf_job_fail(comm->job, WEFT_ERR_ARG, "%s",
					     accord->odds) : WEFT_OK;
}
