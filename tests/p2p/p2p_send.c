/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sends of a random program, by all calls there are.  Those that wait are
 * for the last message of a rank, to one below it, when all others have begun,
 * and for one to itself that its own receive takes.
 */
#include "tests/p2p/p2p_play.h"

#include <stdlib.h>
#include <string.h>

/* A message on its way out. */
struct out {
	const struct message *m;
	const unsigned char *data;
	int comm, to;
};

static struct weft_envelope envelope(const struct play *p, const struct out *o)
{
	return weft_to(play_place(p, o->comm, o->to), o->m->tag);
}

/* Its data in memory that is another's as soon as the call returns. */
static unsigned char *lend(const struct out *o)
{
	unsigned char *data = malloc(o->m->bytes + 1);

	memcpy(data, o->data, o->m->bytes);
	return data;
}

static void reuse(const struct out *o, unsigned char *data)
{
	memset(data, 0, o->m->bytes);
	free(data);
}

/* ---- without waiting ---- */

static bool finds_buffer(struct play *p, const struct out *o)
{
	size_t n = o->m->bytes + WEFT_BSEND_OVERHEAD;

	if (n > p->buffer_left)
		return false;
	p->buffer_left -= n;
	p->show->seen->buffered++;
	return true;
}

/* Nobody is told what becomes of it. */
static bool send_buffered(struct play *p, const struct out *o)
{
	unsigned char *data;
	int status;

	if (!finds_buffer(p, o))
		return false;
	data = lend(o);
	status = weft_bsend(p->comm[o->comm], data, o->m->bytes,
			    &weft_type_byte, envelope(p, o));
	reuse(o, data);
	play_check_sent(p, status, weft_error_text(p->job), o->to);
	return true;
}

static void send_request(struct play *p, const struct out *o)
{
	static int (*const calls[])(struct weft_comm *comm, const void *data,
				    size_t n, const struct weft_type *type,
				    struct weft_envelope to,
				    struct weft_request **req_p) = {
		weft_isend, weft_isend, weft_issend, weft_irsend,
		weft_send_init, weft_ssend_init, weft_rsend_init,
		weft_bsend_init
	};
	struct weft_request **req = &p->sent[p->nsent];
	int how = play_draw(p, 8);

	if (how == 7 && !finds_buffer(p, o))
		how = 0;
	play_ok(p, calls[how](p->comm[o->comm], o->data, o->m->bytes,
			      &weft_type_byte, envelope(p, o), req), "send");
	if (how > 3)
		play_ok(p, weft_request_start(*req), "start");
	p->to[p->nsent++] = o->to;
	/* nobody asks for it any more */
	if (!play_draw(p, 10)) {
		play_ok(p, weft_request_free(req), "free");
		p->nsent--;
	}
}

/* ---- with a receive ---- */

/* All that is under way of it to itself is this message. */
static bool is_alone(const struct play *p, const struct out *o)
{
	return o->to == p->me && !play_open(p, o->comm, p->me) &&
	       p->next[o->comm][p->me] - 1 == p->got[o->comm][p->me];
}

static int replace(struct play *p, const struct out *o, struct held *h,
		   int source, struct weft_message_status *got)
{
	struct weft_incoming in = {
		h->at, h->room, &weft_type_byte,
		weft_from(source, WEFT_ANY_TAG)
	};

	memcpy(h->at, o->data, o->m->bytes);
	return weft_sendrecv_replace(p->comm[o->comm], &in, envelope(p, o),
				     got);
}

static int exchange(struct play *p, const struct out *o, struct held *h,
		    int source, struct weft_message_status *got)
{
	struct weft_outgoing out = {
		o->data, o->m->bytes, &weft_type_byte, envelope(p, o)
	};
	struct weft_incoming in = {
		h->at, h->room, &weft_type_byte,
		weft_from(source, WEFT_ANY_TAG)
	};

	return weft_sendrecv(p->comm[o->comm], &out, &in, got);
}

/* Of which of the two an error is nobody knows: where nobody dies. */
static bool send_and_receive(struct play *p, const struct out *o, int source)
{
	bool replaces = play_draw(p, 2);
	struct weft_message_status got = { .source = -7 };
	int from = play_place(p, o->comm, source), status;
	struct held *h;

	if (p->show->deaths || !play_may_take(p, o->comm))
		return false;
	h = play_hold(p, o->comm, order_post(&p->order[o->comm], source,
					     WEFT_ANY_TAG),
		      replaces ? o->m->bytes : play_room(p));
	status = (replaces ? replace : exchange)(p, o, h, from, &got);
	play_conclude(p, h, status, weft_error_text(p->job), &got);
	p->show->seen->exchanged++;
	return true;
}

/* ---- which way ---- */

/* All others have begun; who waits is no circle. */
static bool send_last(struct play *p, const struct out *o)
{
	static int (*const calls[])(struct weft_comm *comm, const void *data,
				    size_t n, const struct weft_type *type,
				    struct weft_envelope to) = {
		weft_send, weft_ssend, weft_rsend
	};
	int how = play_draw(p, 6), source = play_draw(p, p->ranks + 1), status;
	unsigned char *data;

	if (o->to >= p->me)
		return false;
	if (source == p->ranks)
		source = WEFT_ANY_SOURCE;
	if (how > 2)
		return play_left(p, o->comm, source) > 0 &&
		       send_and_receive(p, o, source);
	data = lend(o);
	status = calls[how](p->comm[o->comm], data, o->m->bytes,
			    &weft_type_byte, envelope(p, o));
	reuse(o, data);
	play_check_sent(p, status, weft_error_text(p->job), o->to);
	return true;
}

static bool goes_another_way(struct play *p, const struct out *o)
{
	if (is_alone(p, o) && play_draw(p, 2))
		return send_and_receive(p, o, p->me);
	if (!p->unsent)
		return send_last(p, o);
	return !play_draw(p, 8) && send_buffered(p, o);
}

void play_send(struct play *p)
{
	int c = p->comm[1] ? play_draw(p, PLAY_COMMS) : 0;
	struct out o = { .comm = c, .to = play_draw(p, p->ranks) };

	if (p->next[c][o.to] == PLAY_EACH)
		return;
	o.m = &p->show->message[c][p->me][o.to][p->next[c][o.to]++];
	o.data = p->show->content + o.m->shift;
	p->unsent--;
	if (!goes_another_way(p, &o))
		send_request(p, &o);
}
