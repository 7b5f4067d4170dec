/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * More paths than there are datagrams are to be made anew: each is called as
 * soon as there is room, and none waits longer because others came first.  When
 * a peer that has not answered is given up.  And what is said to ranks that get
 * no connection.
 */
#include <stdlib.h>
#include "base/clock.h"
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

enum {
	LOST = 3 * WF_VERBS_UD / 2,
	CONTACT_S = 600,		/* WEFT_IB_CONTACT */
	RECONNECT_S = 30,		/* WEFT_IB_RECONNECT */
	COMPUTES_S = 660		/* without a call of weft */
};

static struct wf_verbs_ep *lost[LOST];
static struct ibv_mr mr;
static char datagrams[2 * WF_VERBS_UD][WF_VERBS_UD_BYTES];

/* What is in a hello. */
static void make_own(void)
{
	static struct wf_verbs_handle handle;
	static struct wf_segment segment;
	static struct wf_signals signals;
	static struct wf_blob self;

	made.dev.env.segment = &segment;
	made.dev.env.signals = &signals;
	made.dev.env.self = &self;
	made.dev.dev.arena.dev = &made.dev.dev;
	made.dev.mr[0] = &mr;
	made.dev.nmrs = 1;
	made.dev.ud = &made.qp;
	made.dev.ucq = &made.cq;
	made.dev.buffer_mr = &mr;
	made.dev.datagrams = datagrams[0];
	made.dev.ud_room = WF_VERBS_UD;
	made.ep->handle = &handle;
}

static void lose_many(void)
{
	for (int i = 0; i < LOST; i++) {
		lost[i] = malloc(sizeof(*lost[i]));
		memcpy(lost[i], made.ep, sizeof(*lost[i]));
		lost[i]->ep.rank = 6;
		lost[i]->life.lost = lost[i]->life.fresh = true;
		wf_list_init(&lost[i]->work);
		wf_list_init(&lost[i]->calling);
		lost[i]->life.since = wf_verbs_time_of_calls(&made.dev);
		wf_list_add_tail(&made.dev.calling, &lost[i]->calling);
	}
}

static void find_all(void)
{
	for (int i = 0; i < LOST; i++) {
		wf_list_del(&lost[i]->work);
		wf_list_del(&lost[i]->calling);
		free(lost[i]);
	}
}

/* How many have been called, and are due once more. */
static int make_due(void)
{
	int called = 0;

	for (int i = 0; i < LOST; i++) {
		called += lost[i]->hello_pause != 0;
		lost[i]->hello_at = 0;
	}
	return called;
}

static void many(void)
{
	verbs_made_open();
	make_own();
	lose_many();
	wf_verbs_hellos(&made.dev);
	TAP_EQUAL(made.nposts, WF_VERBS_UD);
	TAP_EQUAL(make_due(), WF_VERBS_UD);
	/* Room for those only that have not been called. */
	made.dev.ud_done = made.dev.ud_sent - (2 * WF_VERBS_UD - LOST);
	wf_verbs_hellos(&made.dev);
	TAP_EQUAL(made.nposts, LOST);
	TAP_EQUAL(make_due(), LOST);
	find_all();
	verbs_made_close();
}

/* The endpoint calls, and nothing has been heard yet. */
static void call(void)
{
	verbs_made_open();
	make_own();
	made.ep->ep.state = WF_EP_CONNECTING;
	made.ep->life.since = wf_verbs_time_of_calls(&made.dev);
	wf_list_add_tail(&made.dev.calling, &made.ep->calling);
}

static void end_call(void)
{
	wf_list_del(&made.ep->calling);
	verbs_made_close();
}

/* Then there is one pass. */
static void compute(void)
{
	made.dev.called_at -= COMPUTES_S * WF_NS_PER_S;
	wf_verbs_hellos(&made.dev);
}

/* Each time half a second counts: then two hellos have been due, at least. */
static void given_up(void)
{
	call();
	for (int i = 1; i < 2 * CONTACT_S; i++)
		compute();
	TAP_EQUAL(made.ep->ep.state, WF_EP_CONNECTING);
	compute();
	TAP_EQUAL(made.ep->ep.state, WF_EP_REFUSED);
	TAP_CHECK(strstr(made.ep->ep.lack, "no answer for 600000 ms ("));
	end_call();
}

/* It has called, and may compute, too. */
static void heard(void)
{
	call();
	made.ep->hello_seen = true;
	for (int i = 0; i < 3 * CONTACT_S; i++)
		compute();
	TAP_EQUAL(made.ep->ep.state, WF_EP_CONNECTING);
	end_call();
}

/* That the peer has ended, or given the path up, is told by others. */
static void nobody_there(void)
{
	for (int i = 0; i < 2; i++) {
		call();
		made.ep->ep.broken = !i;
		made.ep->ep.gone = i;
		made.nposts = 0;
		for (int n = 0; n < 3 * CONTACT_S; n++)
			compute();
		TAP_EQUAL(made.nposts, 0);
		TAP_CHECK(wf_list_empty(&made.dev.calling));
		TAP_EQUAL(made.ep->ep.state, WF_EP_CONNECTING);
		end_call();
	}
}

/* The peer may have answered long ago. */
static void lost_path(void)
{
	call();
	wf_verbs_decide(made.ep, WF_EP_READY);
	wf_verbs_lose(made.ep, "made up");
	for (int i = 1; i < 2 * RECONNECT_S; i++)
		compute();
	TAP_CHECK(!made.ep->ep.broken);
	compute();
	TAP_CHECK(made.ep->ep.broken);
	TAP_CHECK(strstr(made.ep->why, "no path to it for 30000 ms"));
	wf_list_del(&made.ep->work);
	end_call();
}

/* Between two losses nobody is called, and all of the time counts. */
static void lost_again(void)
{
	call();
	wf_verbs_decide(made.ep, WF_EP_READY);
	for (int times = 0; times <= RECONNECT_S / 10; times++) {
		TAP_CHECK(!made.ep->ep.broken);
		wf_list_del(&made.ep->calling);
		made.ep->life.lost = false;
		made.dev.called_at -= 10 * WF_NS_PER_S;
		wf_verbs_lose(made.ep, "made up");
		wf_list_add_tail(&made.dev.calling, &made.ep->calling);
		wf_verbs_hellos(&made.dev);
	}
	TAP_CHECK(made.ep->ep.broken);
	wf_list_del(&made.ep->work);
	end_call();
}

/*
 * What is in the queue: so many hellos of ours that have gone, calls of a rank,
 * which are in the datagram behind it, and what rank 5 says: that it closes.
 */
static int gone, calls, closes;

static struct ibv_wc received(int at)
{
	return (struct ibv_wc){
		.wr_id = (uint64_t)at,
		.byte_len = WF_VERBS_GRH + sizeof(struct wf_verbs_hello)
	};
}

static int poll_behind(struct ibv_cq *cq, int entries, struct ibv_wc *wc)
{
	int n = 0;

	TAP_CHECK(cq == &made.cq);
	for (; n < entries && gone; gone--)
		wc[n++] = (struct ibv_wc){ .wr_id = WF_VERBS_UD };
	for (; n < entries && calls; calls--)
		wc[n++] = received(1);
	for (; n < entries && closes; closes--)
		wc[n++] = received(0);
	return n;
}

static int post_receive(struct ibv_qp *qp, struct ibv_recv_wr *wr,
			struct ibv_recv_wr **bad)
{
	(void)qp;
	(void)wr;
	(void)bad;
	return 0;
}

static void is_said(int at, uint32_t from, uint16_t flags)
{
	const struct wf_verbs_hello hello = {
		.version = WF_VERBS_VERSION, .from = from, .flags = flags
	};

	memcpy(datagrams[at] + WF_VERBS_GRH, &hello, sizeof(hello));
}

static void have_queue(void)
{
	call();
	is_said(0, 5, WF_VERBS_CLOSED | WF_VERBS_DONE);
	is_said(1, 6, 0);
	made.context.ops.poll_cq = poll_behind;
	made.context.ops.post_recv = post_receive;
}

static void read_first(void)
{
	for (int n = 0; n < 2 * WF_VERBS_UD; n += 7) {
		have_queue();
		gone = n;
		closes = 1;
		made.dev.called_ns += CONTACT_S * WF_NS_PER_S;
		compute();
		TAP_EQUAL(made.ep->ep.state, WF_EP_CLOSED);
		end_call();
	}
}

static int handles;

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	static struct ibv_ah ah;

	(void)pd;
	TAP_EQUAL(attr->port_num, made.dev.port.number);
	handles++;
	return &ah;
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
	TAP_CHECK(ah != NULL);
	handles--;
	return 0;
}

static void refuse(void)
{
	struct wf_blob blob = { .n_addrs = 0 };
	const struct wf_tp_peer peer = { .rank = 6, .blob = &blob };

	have_queue();
	made.ep->life.met = true;	/* and so it says nothing here */
	wf_verbs_turn_down(&made.dev, &peer, &made.ep->address);
}

static void was_told(int times)
{
	uint16_t flags;

	TAP_EQUAL(made.nposts, times);
	memcpy(&flags, made.post[times - 1].bytes + 2, sizeof(flags));
	TAP_EQUAL(flags, WF_VERBS_REFUSED | WF_VERBS_DONE);
}

/* At once; and once more for all calls that a pass reads. */
static void refused(void)
{
	refuse();
	was_told(1);
	calls = WF_VERBS_UD / 2;
	closes = 1;
	wf_verbs_hellos(&made.dev);
	was_told(2);
	TAP_EQUAL(made.ep->ep.state, WF_EP_CLOSED);
	wf_verbs_hellos(&made.dev);
	was_told(2);
	end_call();
	TAP_EQUAL(handles, 0);
}

/* It is said as soon as there is. */
static void refused_without_room(void)
{
	refuse();
	made.dev.ud_sent = made.dev.ud_done + WF_VERBS_UD;
	calls = 1;
	wf_verbs_hellos(&made.dev);
	was_told(1);
	gone = 1;
	wf_verbs_hellos(&made.dev);
	was_told(2);
	end_call();
}

/* A device that has failed has no other path: in its first life, too. */
static void broken(void)
{
	struct wf_verbs_hello hello;

	have_queue();
	made.ep->ep.state = WF_EP_READY;
	wf_verbs_break(made.ep, "made up");
	wf_verbs_make_hello(&made.dev, made.ep, &hello);
	TAP_CHECK(hello.flags & WF_VERBS_REFUSED);
	TAP_CHECK(hello.flags & WF_VERBS_DONE);
	wf_list_del(&made.ep->work);
	end_call();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "more than there is room for", many },
		{ "a peer that does not answer is given up", given_up },
		{ "not one that has called", heard },
		{ "nobody who is gone is called", nobody_there },
		{ "a lost path is as patient", lost_path },
		{ "not one that is lost again and again", lost_again },
		{ "what it has said is read first", read_first },
		{ "all calls of a refused rank at once", refused },
		{ "a refusal that finds no room", refused_without_room },
		{ "who is broken refuses", broken }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
