/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a random program: see p2p_play.h. */
#include <stdlib.h>
#include <weft/persistent.h>
#include "tests/sim/p2p_play.h"

/* ---- steps that wait for nothing ---- */

static int any_comm(struct play *p)
{
	return p->comm[1] ? play_draw(p, PLAY_COMMS) : 0;
}

static int any_source(struct play *p)
{
	return play_draw(p, 3) ? play_draw(p, p->ranks) : WEFT_ANY_SOURCE;
}

static int any_tag(struct play *p)
{
	return play_draw(p, 3) ? play_draw(p, PLAY_TAGS) : WEFT_ANY_TAG;
}

void play_send(struct play *p)
{
	static int (*const calls[])(struct weft_comm *comm, const void *data,
				    size_t n, const struct weft_type *type,
				    struct weft_envelope to,
				    struct weft_request **req_p) = {
		weft_isend, weft_isend, weft_issend, weft_irsend,
		weft_send_init, weft_ssend_init
	};
	struct weft_request **req = &p->sent[p->nsent];
	int c = any_comm(p), to = play_draw(p, p->ranks), how = play_draw(p, 6);
	const struct message *m;

	if (p->next[c][to] == PLAY_EACH)
		return;
	m = &p->show->message[c][p->me][to][p->next[c][to]++];
	ok(&p->s, calls[how](p->comm[c], p->show->content + m->shift, m->bytes,
			     &weft_type_byte, weft_to(to, m->tag), req),
	   "send");
	if (how > 3)
		ok(&p->s, weft_request_start(*req), "start");
	p->unsent--;
	p->to[p->nsent++] = to;
	/* nobody asks for it any more */
	if (!play_draw(p, 10)) {
		ok(&p->s, weft_request_free(req), "free");
		p->nsent--;
	}
}

static void post(struct play *p, int c, int source, int tag)
{
	struct weft_envelope from = weft_from(source, tag);
	struct held *h;

	if (p->nheld == PLAY_HELD)
		return;
	h = play_hold(p, c, order_post(&p->order[c], source, tag));
	if (!h)
		return;
	if (play_draw(p, 4)) {
		ok(&p->s, weft_irecv(p->comm[c], h->at, h->room,
				     &weft_type_byte, from, &h->req), "irecv");
		return;
	}
	ok(&p->s, weft_recv_init(p->comm[c], h->at, h->room, &weft_type_byte,
				 from, &h->req), "recv_init");
	ok(&p->s, weft_request_start(h->req), "start");
}

static void post_one(struct play *p)
{
	post(p, any_comm(p), any_source(p), any_tag(p));
}

/* What a probe has said. */
static struct order_take *note(struct play *p, int c,
			       struct weft_envelope from,
			       const struct weft_received *got)
{
	struct order *o = &p->order[c];
	struct order_take *take = order_post(o, from.rank, from.tag);

	if (!take)
		return NULL;
	take->ended = order_tick(o);
	take->end = ORDER_NOTHING;
	if (got && play_identify(p, c, got, take))
		take->end = ORDER_SEEN;
	return take;
}

static void look_one(struct play *p)
{
	int c = any_comm(p);
	struct weft_envelope from = weft_from(any_source(p), any_tag(p));
	struct weft_received got;
	bool found = false;

	ok(&p->s, weft_iprobe(p->comm[c], from, &found, &got), "iprobe");
	note(p, c, from, found ? &got : NULL);
}

/* Is there room for one more? */
static bool may_take(const struct play *p, int c)
{
	return p->nheld < PLAY_HELD && p->order[c].takes < ORDER_TAKES;
}

static void keep_taken(struct play *p, int c, struct weft_envelope from,
		       struct weft_message *msg,
		       const struct weft_received *got)
{
	struct order_take *take = note(p, c, from, got);
	struct held *h = play_hold(p, c, take);

	take->end = ORDER_GOT;
	p->got[c][take->from]++;
	h->msg = msg;
}

static void take_one(struct play *p)
{
	int c = any_comm(p);
	struct weft_envelope from = weft_from(any_source(p), any_tag(p));
	struct weft_message *msg = NULL;
	struct weft_received got;

	if (!may_take(p, c))
		return;
	ok(&p->s, weft_improbe(p->comm[c], from, &msg, &got), "improbe");
	if (msg)
		keep_taken(p, c, from, msg, &got);
	else
		note(p, c, from, NULL);
}

void play_start_taken(struct play *p, struct held *h)
{
	ok(&p->s, weft_imrecv(&h->msg, h->at, h->room, &weft_type_byte,
			      &h->req), "imrecv");
}

static void test_one(struct play *p)
{
	struct held *h = p->nheld ? &p->held[play_draw(p, p->nheld)] : NULL;
	bool done = false;

	if (!h)
		return;
	if (h->msg) {
		play_start_taken(p, h);
		return;
	}
	(void)!weft_request_test(h->req, &done);
	if (done)
		play_finish(p, h);
}

void play_cancel(struct play *p, struct held *h)
{
	if (h->msg)
		play_start_taken(p, h);
	if (!h->tried)
		h->tried = order_tick(&p->order[h->comm]);
	ok(&p->s, weft_request_cancel(h->req), "cancel");
}

static void cancel_one(struct play *p)
{
	if (p->nheld)
		play_cancel(p, &p->held[play_draw(p, p->nheld)]);
}

/* With progress or without. */
void play_pause(struct play *p)
{
	uint64_t until = wf_sim_now(p->s.rank) +
			 wf_random_below(&p->random, 1 << play_draw(p, 20));

	do {
		if (p->show->dice % 2)
			(void)!weft_job_progress(p->s.job);
		wf_sim_idle(p->s.rank, until);
	} while (wf_sim_now(p->s.rank) < until);
}

void play_dup(struct play *p)
{
	const struct wf_contexts *ctx = wf_contexts(p->s.job);
	const struct wf_office *office = !ctx->office ? NULL :
		wf_container(ctx->office, struct wf_office, cargo);

	if (p->comm[1])
		return;
	p->show->seen->early += ctx->nparked ||
		      (office && office->early.next != &office->early);
	ok(&p->s, weft_comm_dup(p->s.world, &p->comm[1]), "dup");
}

/* One who dies by itself. */
static void die_some(struct play *p)
{
	bool dies = p->show->dies[p->me] && p->me != p->show->victim;

	if (dies && !play_draw(p, 6))
		wf_sim_die(p->s.rank);
}

/* ---- steps that wait ---- */

/* Messages that no receive under way takes: from a rank, or anybody. */
static int left_of(const struct play *p, int c, int source)
{
	int left = 0;

	for (int r = 0; r < p->ranks; r++)
		if (source == r || source == WEFT_ANY_SOURCE)
			left += PLAY_EACH - p->got[c][r];
	for (int k = 0; k < p->nheld; k++) {
		const struct held *h = &p->held[k];

		if (h->comm == c && h->take->end == ORDER_OPEN &&
		    (source == WEFT_ANY_SOURCE || h->take->source == source ||
		     h->take->source == WEFT_ANY_SOURCE))
			left--;
	}
	return left;
}

static void told(struct play *p, int status, int source)
{
	play_check_failure(p, status, weft_error_text(p->s.job), source);
}

/* false: it is lost. */
static bool receive_from(struct play *p, int c, int source)
{
	struct weft_received got = { .source = -7 };
	struct held *h = play_hold(p, c, order_post(&p->order[c], source,
					       WEFT_ANY_TAG));
	int status;

	if (!h)
		return false;
	status = weft_recv(p->comm[c], h->at, h->room, &weft_type_byte,
			   weft_from(source, WEFT_ANY_TAG), &got);
	play_conclude(p, h, status, weft_error_text(p->s.job), &got);
	return !status || status == WEFT_ERR_TRUNCATE;
}

/* One that is taken, and received at once or later. */
static bool take_from(struct play *p, int c, int source)
{
	struct weft_envelope from = weft_from(source, WEFT_ANY_TAG);
	struct weft_message *msg = NULL;
	struct weft_received got = { .source = -7 };
	struct held *h;
	int status = weft_mprobe(p->comm[c], from, &msg, &got);

	if (status) {
		told(p, status, source);
		return false;
	}
	keep_taken(p, c, from, msg, &got);
	h = &p->held[p->nheld - 1];
	if (play_draw(p, 2)) {
		status = weft_mrecv(&h->msg, h->at, h->room, &weft_type_byte,
				    &got);
		play_conclude(p, h, status, weft_error_text(p->s.job), &got);
	} else if (play_draw(p, 2)) {
		play_start_taken(p, h);
	}
	return true;
}

static bool probe_from(struct play *p, int c, int source)
{
	struct weft_envelope from = weft_from(source, WEFT_ANY_TAG);
	struct weft_received got = { .source = -7 };
	int status = weft_probe(p->comm[c], from, &got);

	if (status)
		told(p, status, source);
	else
		note(p, c, from, &got);
	return !status;
}

bool play_wait_from(struct play *p, int c, int source)
{
	static bool (*const ways[])(struct play *p, int c, int source) = {
		receive_from, take_from, probe_from
	};

	return ways[play_draw(p, 3)](p, c, source);
}

static void wait_one(struct play *p)
{
	int c = any_comm(p), source = any_source(p);

	if (may_take(p, c) && left_of(p, c, source) > 0)
		play_wait_from(p, c, source);
}

/* What has left, and come, was allowed. */
static void check_budgets(struct play *p)
{
	for (int r = 0; r < p->ranks; r++) {
		const struct wf_p2p_pair *pair = pair_of(&p->s, r);

		if (pair->messages > pair->messages_end ||
		    pair->content > pair->content_end ||
		    pair->arrived > pair->told ||
		    pair->content_told > pair->content_taken + WF_P2P_CONTENT)
			wf_sim_fail(p->s.rank, "a budget, with rank %d", r);
		p->show->seen->full += pair->content + WF_P2P_SHORT_MAX >
				       pair->content_end;
	}
}

void play_steps(struct play *p, int n)
{
	static void (*const steps[])(struct play *p) = {
		play_send, play_send, play_send, post_one, post_one, look_one,
		take_one, test_one, test_one, cancel_one, play_pause, play_dup
	};

	while (n-- > 0) {
		if (!p->unsent && !play_draw(p, 4))
			wait_one(p);
		steps[play_draw(p, 12)](p);
		if (!play_draw(p, 16)) {
			check_budgets(p);
			die_some(p);
		}
	}
}
