/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a random program: see p2p_play.h. */
#include "tests/p2p/p2p_play.h"

/* ---- steps that wait for nothing ---- */

static int any_comm(struct play *p)
{
	return p->comm[1] ? play_draw(p, PLAY_COMMS) : 0;
}

/* Of a rank in the world. */
static struct weft_envelope any_envelope(struct play *p)
{
	int source = play_draw(p, 3) ? play_draw(p, p->ranks) :
		     WEFT_ANY_SOURCE;
	int tag = play_draw(p, 3) ? play_draw(p, PLAY_TAGS) : WEFT_ANY_TAG;

	return weft_from(source, tag);
}

/* The same in a communicator. */
static struct weft_envelope in_comm(const struct play *p, int c,
				    struct weft_envelope from)
{
	return weft_from(play_place(p, c, from.rank), from.tag);
}

static void post_one(struct play *p)
{
	int c = any_comm(p);
	struct weft_envelope of = any_envelope(p), from = in_comm(p, c, of);
	struct held *h;

	if (!play_may_take(p, c))
		return;
	h = play_hold(p, c, order_post(&p->order[c], of.rank, of.tag),
		      play_room(p));
	if (play_draw(p, 4)) {
		play_ok(p, weft_irecv(p->comm[c], h->at, h->room,
				      &weft_type_byte, from, &h->req),
			"irecv");
		return;
	}
	play_ok(p, weft_recv_init(p->comm[c], h->at, h->room, &weft_type_byte,
				  from, &h->req), "recv_init");
	play_ok(p, weft_request_start(h->req), "start");
}

/* What a probe has said. */
static struct order_take *note(struct play *p, int c, struct weft_envelope of,
			       const struct weft_message_status *got)
{
	struct order *o = &p->order[c];
	struct order_take *take = order_post(o, of.rank, of.tag);

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
	struct weft_envelope of = any_envelope(p);
	struct weft_message_status got;
	bool found = false;

	play_ok(p, weft_iprobe(p->comm[c], in_comm(p, c, of), &found, &got),
		"iprobe");
	note(p, c, of, found ? &got : NULL);
}

bool play_may_take(const struct play *p, int c)
{
	return p->nheld < PLAY_HELD && p->order[c].takes < ORDER_TAKES;
}

static void keep_taken(struct play *p, int c, struct weft_envelope of,
		       struct weft_message *msg,
		       const struct weft_message_status *got)
{
	struct order_take *take = note(p, c, of, got);
	struct held *h = play_hold(p, c, take, play_room(p));

	take->end = ORDER_GOT;
	p->got[c][take->from]++;
	h->msg = msg;
}

static void take_one(struct play *p)
{
	int c = any_comm(p);
	struct weft_envelope of = any_envelope(p);
	struct weft_message *msg = NULL;
	struct weft_message_status got;

	if (!play_may_take(p, c))
		return;
	play_ok(p, weft_improbe(p->comm[c], in_comm(p, c, of), &msg, &got),
		"improbe");
	if (msg)
		keep_taken(p, c, of, msg, &got);
	else
		note(p, c, of, NULL);
}

void play_start_taken(struct play *p, struct held *h)
{
	play_ok(p, weft_imrecv(&h->msg, h->at, h->room, &weft_type_byte,
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
	play_ok(p, weft_request_cancel(h->req), "cancel");
}

static void cancel_one(struct play *p)
{
	if (p->nheld)
		play_cancel(p, &p->held[play_draw(p, p->nheld)]);
}

void play_pause(struct play *p)
{
	uint64_t most = UINT64_C(1) << play_draw(p, 20);

	p->hooks->pause(p->arg, play_random(&p->random) % most,
			p->show->dice % 2);
}

/* ---- the other communicator ---- */

static struct weft_group *all_turned(struct play *p)
{
	struct weft_range turned = { p->ranks - 1, 0, -1 };
	struct weft_group *all = NULL, *made = NULL;

	play_ok(p, weft_comm_group(p->comm[0], &all), "group");
	play_ok(p, weft_group_range_incl(all, 1, &turned, &made), "range");
	play_ok(p, weft_group_free(&all), "free a group");
	return made;
}

static void make_idup(struct play *p, struct weft_comm **made)
{
	struct weft_request *req = NULL;

	play_ok(p, weft_comm_idup(p->comm[0], made, &req), "idup");
	play_ok(p, weft_request_wait(req), "wait for idup");
	play_ok(p, weft_request_free(&req), "free");
}

static void make_of_group(struct play *p, struct weft_comm **made)
{
	struct weft_group *group = all_turned(p);

	if (p->show->maker == PLAY_CREATE)
		play_ok(p, weft_comm_create(p->comm[0], group, made),
			"create");
	else
		play_ok(p, weft_comm_create_group(p->comm[0], group, 5, made),
			"create_group");
	play_ok(p, weft_group_free(&group), "free a group");
}

void play_make(struct play *p)
{
	struct weft_comm *made = NULL;

	if (p->comm[1])
		return;
	if (p->hooks->makes)
		p->hooks->makes(p->arg);
	if (p->show->maker == PLAY_DUP)
		play_ok(p, weft_comm_dup(p->comm[0], &made), "dup");
	else if (p->show->maker == PLAY_IDUP)
		make_idup(p, &made);
	else if (p->show->maker == PLAY_SPLIT)
		play_ok(p, weft_comm_split(p->comm[0], 3, -p->me, &made),
			"split");
	else
		make_of_group(p, &made);
	p->comm[1] = made;
}

/* ---- steps that wait ---- */

int play_open(const struct play *p, int c, int source)
{
	int open = 0;

	for (int k = 0; k < p->nheld; k++) {
		const struct held *h = &p->held[k];

		if (h->comm == c && h->take->end == ORDER_OPEN &&
		    (source == WEFT_ANY_SOURCE || h->take->source == source ||
		     h->take->source == WEFT_ANY_SOURCE))
			open++;
	}
	return open;
}

int play_left(const struct play *p, int c, int source)
{
	int left = -play_open(p, c, source);

	for (int r = 0; r < p->ranks; r++)
		if (source == r || source == WEFT_ANY_SOURCE)
			left += PLAY_EACH - p->got[c][r];
	return left;
}

static void told(struct play *p, int status, int source)
{
	play_check_failure(p, status, weft_error_text(p->job), source);
}

/* false: it is lost. */
static bool receive_from(struct play *p, int c, struct weft_envelope of)
{
	struct weft_message_status got = { .source = -7 };
	struct held *h = play_hold(p, c, order_post(&p->order[c], of.rank,
						    of.tag), play_room(p));
	int status;

	if (!h)
		return false;
	status = weft_recv(p->comm[c], h->at, h->room, &weft_type_byte,
			   in_comm(p, c, of), &got);
	play_conclude(p, h, status, weft_error_text(p->job), &got);
	return !status || status == WEFT_ERR_TRUNCATE;
}

/* One that is taken, and received at once or later. */
static bool take_from(struct play *p, int c, struct weft_envelope of)
{
	struct weft_message *msg = NULL;
	struct weft_message_status got = { .source = -7 };
	struct held *h;
	int status = weft_mprobe(p->comm[c], in_comm(p, c, of), &msg, &got);

	if (status) {
		told(p, status, of.rank);
		return false;
	}
	keep_taken(p, c, of, msg, &got);
	h = &p->held[p->nheld - 1];
	if (play_draw(p, 2)) {
		status = weft_mrecv(&h->msg, h->at, h->room, &weft_type_byte,
				    &got);
		play_conclude(p, h, status, weft_error_text(p->job), &got);
	} else if (play_draw(p, 2)) {
		play_start_taken(p, h);
	}
	return true;
}

static bool probe_from(struct play *p, int c, struct weft_envelope of)
{
	struct weft_message_status got = { .source = -7 };
	int status = weft_probe(p->comm[c], in_comm(p, c, of), &got);

	if (status)
		told(p, status, of.rank);
	else
		note(p, c, of, &got);
	return !status;
}

bool play_wait_from(struct play *p, int c, int source)
{
	static bool (*const ways[])(struct play *p, int c,
				    struct weft_envelope of) = {
		receive_from, take_from, probe_from
	};

	return ways[play_draw(p, 3)](p, c, weft_from(source, WEFT_ANY_TAG));
}

static void wait_one(struct play *p)
{
	int c = any_comm(p), source = any_envelope(p).rank;

	if (play_may_take(p, c) && play_left(p, c, source) > 0)
		play_wait_from(p, c, source);
}

void play_steps(struct play *p, int n)
{
	static void (*const steps[])(struct play *p) = {
		play_send, play_send, play_send, post_one, post_one, look_one,
		take_one, test_one, test_one, cancel_one, play_pause, play_make
	};

	while (n-- > 0) {
		if (!p->unsent && !play_draw(p, 4))
			wait_one(p);
		steps[play_draw(p, 12)](p);
		if (play_draw(p, 16))
			continue;
		if (p->hooks->looks)
			p->hooks->looks(p->arg);
		if (p->show->dies[p->me] && !play_draw(p, 6))
			p->hooks->die(p->arg);
	}
}
