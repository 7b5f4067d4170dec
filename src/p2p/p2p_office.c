/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a job and a communicator keep of matched messages, and the poller of
 * the requests that are active.
 */
#include <stdlib.h>
#include "base/zeroed.h"
#include "job/liveness.h"
#include "p2p/p2p_buffer.h"
#include "p2p/p2p_office.h"

/* ---- the poller ---- */

static struct wf_office *office_of(struct wf_poller *poller)
{
	return wf_container(poller, struct wf_office, listener.poller);
}

/*
 * Handlers of mails have left these to progress.  To start one may be progress,
 * too: then those behind it are started here.
 */
static bool begin_long(struct wf_office *office)
{
	struct wf_list *at;
	bool moved = false;

	if (office->beginning)
		return false;
	office->beginning = true;
	while ((at = wf_list_pop(&office->begin))) {
		wf_long_start(wf_container(at, struct wf_p2p_request, queue));
		moved = true;
	}
	office->beginning = false;
	return moved;
}

void wf_office_wake(struct wf_office *office)
{
	wf_poller_add(office->job, &office->listener.poller);
	office->job->awaits_mails = true;
	office->awake = true;
}

static void rest(struct wf_office *office)
{
	wf_poller_del(office->job, &office->listener.poller);
	office->job->awaits_mails = false;
	office->awake = false;
}

/*
 * Where they have ended somebody was at work on them, or on what goes with
 * them: a long one's run, the communicator.
 */
bool wf_office_free_spent(struct wf_office *office)
{
	bool moved = office->spent;
	struct wf_p2p_request *req;

	while ((req = office->spent)) {
		office->spent = req->next;
		if (req->status)
			wf_info(&office->job->log, "a message that nobody "
				"waits for has failed: %s",
				req->base.ops->error(&req->base));
		req->base.ops->release(&req->base);
	}
	return moved;
}

static void look_at_gone(struct wf_office *office)
{
	struct wf_list *at = office->requests.next;

	office->gone_seen = office->job->gone;
	while (at != &office->requests) {
		struct wf_p2p_request *req =
			wf_container(at, struct wf_p2p_request, link);

		at = at->next;
		wf_p2p_look_at_gone(req);
	}
}

/* Who waits sends nothing to itself meanwhile. */
static bool look_alone(struct wf_office *office)
{
	office->alone = false;
	look_at_gone(office);
	return !office->alone;
}

static bool poll(struct wf_poller *poller)
{
	struct wf_office *office = office_of(poller);
	uint32_t gone = office->job->gone;
	bool moved = begin_long(office);

	moved |= wf_office_free_spent(office);
	if (!office->active) {
		rest(office);
		return true;
	}
	if (office->alone && office->job->wait)
		moved |= look_alone(office);
	if (office->gone_seen == gone)
		return moved;
	/* In the next pass: what it has sent is looked at before. */
	if (office->gone_noticed == gone)
		look_at_gone(office);
	office->gone_noticed = gone;
	return true;
}

/* A long one under way is looked after by its run. */
static bool is_awaited(const struct wf_p2p_pair *pair)
{
	return pair->waited || pair->partial ||
	       !wf_list_empty(&pair->queue) || !wf_list_empty(&pair->awaiting);
}

/* Those of which nothing is awaited any more leave the list here. */
static int waits_for(struct wf_poller *poller, int *cursor)
{
	struct wf_office *office = office_of(poller);

	while ((size_t)*cursor < office->n_awaited) {
		struct wf_p2p_pair *pair = office->awaited[*cursor];

		if (is_awaited(pair)) {
			++*cursor;
			return pair->peer->rank;
		}
		pair->listed = false;
		office->awaited[*cursor] = office->awaited[--office->n_awaited];
	}
	return -1;
}

void wf_anybody(struct wf_p2p_request *req)
{
	struct wf_p2p *p2p = req->p2p;

	p2p->office->waited++;
	if (wf_list_empty(&p2p->anybody))
		wf_list_add_tail(&p2p->office->open, &p2p->open);
	wf_list_add_tail(&p2p->anybody, &req->queue);
}

void wf_anybody_not(struct wf_p2p_request *req)
{
	req->p2p->office->waited--;
	wf_p2p_leave_queue(req);
}

void wf_p2p_leave_queue(struct wf_p2p_request *req)
{
	wf_list_del(&req->queue);
	if (wf_list_empty(&req->p2p->anybody))
		wf_list_del(&req->p2p->open);
}

/* Has somebody waited there long enough? */
static bool is_open(const struct wf_p2p *p2p, const struct wf_round *round)
{
	const struct wf_p2p_request *oldest = wf_container(
		p2p->anybody.next, struct wf_p2p_request, queue);

	return !round->old || wf_live_is_old(p2p->office->job, oldest->born);
}

/* Members of communicators in which somebody waits for any of them. */
static int may_hear(struct wf_listener *listener, struct wf_round *round)
{
	struct wf_office *office = office_of(&listener->poller);
	int rank = -1;

	round->among = 0;
	for (struct wf_list *at = office->open.next; at != &office->open;
	     at = at->next) {
		const struct wf_p2p *p2p = wf_container(at, struct wf_p2p,
							open);
		int member = round->at - round->among;

		if (!is_open(p2p, round))
			continue;
		if (rank < 0 && member < p2p->comm->size)
			rank = wf_comm_world_rank(p2p->comm, member);
		round->among += p2p->comm->size;
	}
	round->at++;
	return rank;
}

static void report(struct wf_poller *poller, struct wf_report *to)
{
	enum { SHOWN = 8 };
	struct wf_office *office = office_of(poller);
	int n = 0;

	for (struct wf_list *at = office->requests.next;
	     at != &office->requests; at = at->next) {
		const struct wf_p2p_request *req =
			wf_container(at, struct wf_p2p_request, link);

		if (req->active && n++ < SHOWN)
			wf_report_line(to, "%s %s rank %d, tag %d, on context "
				       "%llu, %llu bytes", req->call,
				       req->sends ? "to" : "from", req->rank,
				       req->tag, (unsigned long long)
				       req->base.comm->id,
				       (unsigned long long)req->bytes);
	}
	if (n > SHOWN)
		wf_report_line(to, "and %d more messages", n - SHOWN);
}

/* ---- the office ---- */

static void free_message(struct wf_p2p_message *msg)
{
	if (msg)
		wf_owe_not(&msg->answer);
	free(msg);
}

static void free_messages(struct wf_list *list)
{
	struct wf_list *at;

	while ((at = wf_list_pop(list)))
		free_message(wf_container(at, struct wf_p2p_message, link));
}

static void free_requests(struct wf_list *list)
{
	struct wf_list *at;

	while ((at = wf_list_pop(list))) {
		struct wf_p2p_request *req =
			wf_container(at, struct wf_p2p_request, link);

		wf_long_discard(req);
		wf_pins_free(req->pins);
		wf_staged_free(req->staged);
		if (req->type)
			wf_type_unhold(req->type);
		free(req->error);
		free_message(req->held.msg);
		free(req);
	}
}

/* The job closes; communicators have gone before. */
static void destroy_office(struct wf_cargo *cargo)
{
	struct wf_office *office = wf_container(cargo, struct wf_office,
						cargo);
	struct wf_contexts *ctx = wf_contexts(office->job);
	struct wf_list *at;

	office->job->mailbox.matched = NULL;
	ctx->swept = NULL;
	ctx->office = NULL;
	if (office->awake)
		wf_poller_del(office->job, &office->listener.poller);
	free_requests(&office->requests);
	free_messages(&office->early);
	free_messages(&office->answers);
	while ((at = wf_list_pop(&office->all)))
		wf_pair_destroy(wf_container(at, struct wf_p2p_pair, link));
	free(office->awaited);
	free(office->buffer);
	free(office);
}

/* Mails of it found no memory while nobody listened. */
static void look_for_lost(struct wf_office *office)
{
	size_t cursor = 0;
	void *value;

	while (wf_map_next(&office->job->peers, &cursor, NULL, &value)) {
		struct wf_peer *peer = value;
		struct wf_p2p_pair *pair =
			peer->unheard ? wf_pair_of(office, peer) : NULL;

		office->lost |= peer->unheard;
		if (pair)
			wf_pair_lose(pair);
	}
}

static struct wf_office *make_office(struct weft_job *job)
{
	struct wf_office *office = wf_zeroed(1, sizeof(*office));

	if (!office)
		return NULL;
	office->cargo.destroy = destroy_office;
	office->job = job;
	wf_list_init(&office->all);
	wf_list_init(&office->open);
	wf_list_init(&office->early);
	wf_list_init(&office->answers);
	wf_list_init(&office->requests);
	wf_list_init(&office->begin);
	wf_p2p_init_sent(&office->sent, job);
	office->gone_seen = office->gone_noticed = job->gone;
	office->listener = (struct wf_listener){
		.poller = { .poll = poll, .waits_for = waits_for,
			    .report = report, .listens = true },
		.may_hear = may_hear
	};
	return office;
}

struct wf_office *wf_office_of(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct wf_office *office;

	if (ctx->office)
		return wf_container(ctx->office, struct wf_office, cargo);
	office = make_office(job);
	if (!office)
		return NULL;
	ctx->office = &office->cargo;
	job->mailbox.matched = wf_p2p_deliver;
	ctx->swept = wf_p2p_sweep;
	wf_ports_hand_over(job);
	look_for_lost(office);
	return office;
}

static void listen(struct weft_job *job)
{
	/* Without memory mails are parked, and the next one tries again. */
	(void)!wf_office_of(job);
}

void wf_office_expect(struct weft_job *job)
{
	wf_contexts(job)->listen = listen;
}

/* ---- communicators ---- */

/* No request is left, and what has come nobody takes. */
static void destroy_p2p(struct wf_cargo *cargo)
{
	struct wf_p2p *p2p = wf_container(cargo, struct wf_p2p, cargo);

	wf_p2p_clear(p2p);
	wf_list_del(&p2p->open);
	wf_match_fini(&p2p->match);
	wf_lanes_fini(&p2p->lanes);
	free(p2p->buffer);
	free(p2p);
}

/* Something under way may hold it for long. */
static void freed(struct wf_cargo *cargo)
{
	struct wf_p2p *p2p = wf_container(cargo, struct wf_p2p, cargo);

	if (!p2p->standing)
		wf_p2p_clear(p2p);
}

static bool is_busy(const struct wf_cargo *cargo)
{
	const struct wf_p2p *p2p = wf_container(cargo, const struct wf_p2p,
						cargo);
	const struct wf_list *all = &p2p->office->requests;

	for (struct wf_list *at = all->next; at != all; at = at->next) {
		const struct wf_p2p_request *req =
			wf_container(at, struct wf_p2p_request, link);

		/* one that was given up has its memory until it is freed */
		if (req->base.comm == p2p->comm &&
		    (req->active || req->given_up))
			return true;
	}
	return false;
}

struct wf_p2p *wf_p2p_make(struct weft_comm *comm)
{
	struct wf_office *office = wf_office_of(comm->job);
	struct wf_p2p *p2p;

	/* that may have brought a message for it */
	if (comm->p2p)
		return wf_container(comm->p2p, struct wf_p2p, cargo);
	p2p = office ? wf_zeroed(1, sizeof(*p2p)) : NULL;
	if (!p2p)
		return NULL;
	p2p->cargo.destroy = destroy_p2p;
	p2p->cargo.freed = freed;
	p2p->cargo.busy = is_busy;
	p2p->comm = comm;
	p2p->office = office;
	wf_match_init(&p2p->match);
	wf_list_init(&p2p->open);
	wf_list_init(&p2p->anybody);
	wf_lanes_init(&p2p->lanes, comm, WF_PORT_MESSAGES);
	comm->p2p = &p2p->cargo;
	wf_p2p_adopt(p2p);
	return p2p;
}
