/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this process sends to another one, in order, and the budget of it.
 *
 * A sender may have so many messages, and so much content, at its peer that no
 * receive has taken.  Both are told as what it may send ever, when half of the
 * messages or a quarter of the content has been taken: told of half, a stream
 * over a long wire would wait for the other half.  A sender without messages
 * left says so, once; while somebody waits for a message of it, it gets more,
 * however many there are already.
 */
#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "p2p/p2p_content.h"
#include "p2p/p2p_office.h"

enum {
	BEHIND_NOTE = WF_MAIL_PAYLOAD - (int)sizeof(struct wf_p2p_note),
	/* Long mails follow: the receive is found meanwhile. */
	AHEAD = 232
};

/* ---- what goes next ---- */

static struct wf_p2p_request *first_of(const struct wf_list *list)
{
	struct wf_list *at = wf_list_first(list);

	return at ? wf_container(at, struct wf_p2p_request, queue) : NULL;
}

static void next(struct wf_p2p_pair *pair);

/* Bytes of a mail to it. */
static uint64_t most(const struct wf_p2p_pair *pair)
{
	const struct wf_ep *ep = pair->peer->ep;

	return ep ? ep->dev->mail_max : WF_MAIL_PAYLOAD;
}

/* It needs neither a note nor another mail. */
static bool is_whole(const struct wf_p2p_request *req)
{
	return req->way == WF_P2P_BY_MAIL && !req->begun && !req->synchronous &&
	       req->bytes <= most(req->pair);
}

static uint16_t build_whole(struct wf_p2p_pair *pair,
			    const struct wf_p2p_request *req,
			    struct wf_mail *head, void *payload)
{
	head->kind = WF_MAIL_MESSAGE;
	head->word = (uint32_t)req->tag;
	head->context = req->base.comm->id;
	wf_p2p_give(req, 0, payload, req->bytes);
	pair->piece = req->bytes;
	return (uint16_t)req->bytes;
}

/* May it leave with the first one, behind so many with so much content? */
static bool goes_along(const struct wf_p2p_pair *pair,
		       const struct wf_p2p_request *req, uint64_t content)
{
	return req->base.comm == first_of(&pair->queue)->base.comm &&
	       !req->synchronous &&
	       pair->messages + pair->several < pair->messages_end &&
	       pair->content + content + req->bytes <= pair->content_end;
}

/*
 * The first one and those behind it that have room: a mail may cost a round
 * trip, however short.  0: it would be alone.
 */
static uint16_t build_several(struct wf_p2p_pair *pair, struct wf_mail *head,
			      char *payload)
{
	const struct wf_p2p_note note = { .what = WF_P2P_SEVERAL };
	uint64_t at = sizeof(note), content = 0;

	pair->several = 0;
	for (struct wf_list *link = pair->queue.next; link != &pair->queue;
	     link = link->next) {
		const struct wf_p2p_request *req =
			wf_container(link, struct wf_p2p_request, queue);
		struct wf_p2p_item item = { req->tag, (uint32_t)req->bytes };

		if (at + sizeof(item) + req->bytes > WF_MAIL_PAYLOAD ||
		    !goes_along(pair, req, content))
			break;
		memcpy(payload + at, &item, sizeof(item));
		at += sizeof(item);
		wf_p2p_give(req, 0, payload + at, req->bytes);
		at += req->bytes;
		content += req->bytes;
		pair->several++;
	}
	if (pair->several < 2) {
		pair->several = 0;
		return 0;
	}
	wf_p2p_write(head, first_of(&pair->queue)->base.comm->id, payload,
		     &note);
	return (uint16_t)at;
}

/* Of one that has a note. */
static uint64_t first_piece(const struct wf_p2p_pair *pair,
			    const struct wf_p2p_request *req)
{
	if (req->bytes > BEHIND_NOTE && most(pair) > WF_MAIL_PAYLOAD)
		return AHEAD;
	return wf_p2p_min(req->bytes, BEHIND_NOTE);
}

static uint64_t next_piece(const struct wf_p2p_pair *pair,
			   const struct wf_p2p_request *req,
			   struct wf_mail *head)
{
	head->kind = WF_MAIL_PIECE;
	head->context = req->base.comm->id;
	return wf_p2p_min(req->bytes - req->sent, most(pair));
}

static uint16_t build_piece(struct wf_p2p_pair *pair,
			    const struct wf_p2p_request *req,
			    struct wf_mail *head, void *payload)
{
	pair->piece = next_piece(pair, req, head);
	wf_p2p_give(req, req->sent, payload, pair->piece);
	return (uint16_t)pair->piece;
}

static uint16_t build_one(struct wf_p2p_pair *pair, struct wf_mail *head,
			  void *payload)
{
	const struct wf_p2p_request *req = first_of(&pair->queue);
	bool by_mail = req->way == WF_P2P_BY_MAIL;
	struct wf_p2p_note note = {
		.what = by_mail ? WF_P2P_SHORT :
			wf_p2p_has_gaps(req) ? WF_P2P_LONG_GAPS : WF_P2P_LONG,
		.tag = req->tag, .bytes = req->bytes,
		.serial = by_mail && !req->synchronous ? 0 : req->serial
	};
	uint16_t bytes;

	if (req->begun)
		return build_piece(pair, req, head, payload);
	if (is_whole(req))
		return build_whole(pair, req, head, payload);
	bytes = wf_p2p_write(head, req->base.comm->id, payload, &note);
	pair->piece = by_mail ? first_piece(pair, req) : 0;
	wf_p2p_give(req, 0, (char *)payload + bytes, pair->piece);
	return (uint16_t)(bytes + pair->piece);
}

static uint16_t build(struct wf_owed *owed, struct wf_mail *head,
		      void *payload)
{
	struct wf_p2p_pair *pair = wf_container(owed, struct wf_p2p_pair, mail);
	uint16_t bytes = 0;

	pair->several = 0;
	if (is_whole(first_of(&pair->queue)))
		bytes = build_several(pair, head, payload);
	return bytes ? bytes : build_one(pair, head, payload);
}

/* Its first mail has left. */
static void count(struct wf_p2p_pair *pair, struct wf_p2p_request *req)
{
	if (req->begun)
		return;
	req->begun = true;
	pair->messages++;
	if (req->way == WF_P2P_BY_MAIL)
		pair->content += req->bytes;
}

static void fail_all(struct wf_p2p_pair *pair)
{
	struct wf_p2p_request *req;

	while ((req = first_of(&pair->queue)))
		wf_p2p_fail_for(req, pair->peer);
}

static void several_left(struct wf_p2p_pair *pair)
{
	for (; pair->several; pair->several--) {
		struct wf_p2p_request *req = first_of(&pair->queue);

		req->way = WF_P2P_BY_MAIL;
		count(pair, req);
		wf_list_del(&req->queue);
		wf_office_end(req);
	}
	next(pair);
}

/* The next n bytes where they lie packed, or in the room. */
static const void *lay(const struct wf_p2p_request *req, uint64_t n, void *room)
{
	if (!wf_p2p_has_gaps(req))
		return req->data + req->sent;
	wf_p2p_give(req, req->sent, room, n);
	return room;
}

/* What needs no place to be built in, as far as it goes at once. */
static void send_pieces(struct wf_p2p_pair *pair, struct wf_p2p_request *req)
{
	while (req->way == WF_P2P_BY_MAIL && req->sent < req->bytes) {
		struct wf_mail head = { .kind = 0 };
		char room[WF_MAIL_LONGEST];

		head.length = (uint16_t)next_piece(pair, req, &head);
		if (!wf_peer_mail_now(pair->peer, &head,
				      lay(req, head.length, room)))
			return;
		req->sent += head.length;
	}
}

/* One of the first request in the queue. */
static void mail_left(struct wf_p2p_pair *pair, struct wf_p2p_request *req)
{
	count(pair, req);
	req->sent += pair->piece;
	send_pieces(pair, req);
	if (req->way == WF_P2P_BY_MAIL && req->sent < req->bytes)
		return;
	wf_list_del(&req->queue);
	if (req->way == WF_P2P_BY_SET || req->synchronous)
		wf_list_add_tail(&pair->awaiting, &req->queue);
	else
		wf_office_end(req);
}

static void settled(struct wf_owed *owed, int status)
{
	struct wf_p2p_pair *pair = wf_container(owed, struct wf_p2p_pair, mail);
	struct wf_p2p_request *req = first_of(&pair->queue);

	if (status) {
		fail_all(pair);
		return;
	}
	if (pair->several) {
		several_left(pair);
		return;
	}
	mail_left(pair, req);
	next(pair);
}

static uint16_t build_want(struct wf_owed *owed, struct wf_mail *head,
			   void *payload)
{
	struct wf_p2p_note note = { .what = WF_P2P_WANT };

	(void)owed;
	return wf_p2p_write(head, 0, payload, &note);
}

/* How the first one goes; false: it has failed, and is in the queue no more. */
static bool decide(struct wf_p2p_pair *pair, struct wf_p2p_request *req)
{
	if (req->way != WF_P2P_UNDECIDED)
		return true;
	if (req->bytes <= WF_P2P_SHORT_MAX &&
	    pair->content + req->bytes <= pair->content_end) {
		req->way = WF_P2P_BY_MAIL;
		return true;
	}
	if (!wf_long_prepare(req)) {
		req->way = WF_P2P_BY_SET;
		return true;
	}
	wf_list_del(&req->queue);
	wf_p2p_fail(req, WEFT_ERR_NOMEM, "%s: no memory for %llu bytes to rank "
		    "%d", req->call, (unsigned long long)req->bytes,
		    req->rank);
	wf_office_end(req);
	return false;
}

static void next(struct wf_p2p_pair *pair)
{
	struct wf_p2p_request *req = first_of(&pair->queue);

	while (req && !decide(pair, req))
		req = first_of(&pair->queue);
	if (!req)
		return;
	if (req->begun || pair->messages < pair->messages_end) {
		wf_owe(pair->peer, &pair->mail);
	} else if (!pair->asked) {
		pair->asked = true;
		wf_owe(pair->peer, &pair->want);
	}
}

/* The first one in the queue begins without being owed, if it can. */
static void begin_now(struct wf_p2p_pair *pair, struct wf_p2p_request *req)
{
	_Alignas(uint64_t) char payload[WF_MAIL_PAYLOAD];
	struct wf_mail head = { .kind = 0 };

	if (!decide(pair, req) || pair->messages == pair->messages_end ||
	    is_whole(req) || pair->peer->state != WF_PEER_READY)
		return;
	head.length = build_one(pair, &head, payload);
	if (wf_peer_mail_now(pair->peer, &head, payload))
		mail_left(pair, req);
}

void wf_pair_send(struct wf_p2p_request *req)
{
	struct wf_p2p_pair *pair = req->pair;
	bool first = wf_list_empty(&pair->queue);

	req->serial = ++pair->serial;
	if (!pair->listed)
		wf_pair_list(pair);
	wf_list_add_tail(&pair->queue, &req->queue);
	if (!first)
		return;
	begin_now(pair, req);
	next(pair);
}

bool wf_pair_send_now(struct wf_p2p_pair *pair, uint64_t context, int tag,
		      const void *content, uint64_t bytes)
{
	const struct wf_mail head = {
		.kind = WF_MAIL_MESSAGE, .length = (uint16_t)bytes,
		.word = (uint32_t)tag, .context = context
	};

	if (!wf_list_empty(&pair->queue) || pair->shut ||
	    (bytes > WF_MAIL_PAYLOAD && bytes > most(pair)) ||
	    pair->messages == pair->messages_end ||
	    pair->content + bytes > pair->content_end ||
	    !wf_peer_mail_now(pair->peer, &head, content))
		return false;
	pair->messages++;
	pair->content += bytes;
	return true;
}

bool wf_pair_lacks_budget(const struct wf_p2p_pair *pair, uint64_t bytes)
{
	return bytes <= WF_P2P_SHORT_MAX &&
	       (pair->messages == pair->messages_end ||
		pair->content + bytes > pair->content_end);
}

bool wf_pair_has_more(const struct wf_p2p_pair *pair)
{
	return pair->arrived < pair->messages || !wf_list_empty(&pair->queue);
}

/* Has it left as a message of this kind that awaits an answer? */
static bool awaits(const struct wf_p2p_request *req, uint64_t serial, bool go)
{
	return req->serial == serial && req->begun &&
	       (go ? req->way == WF_P2P_BY_SET :
		     req->way == WF_P2P_BY_MAIL && req->synchronous);
}

struct wf_p2p_request *wf_pair_answered(struct wf_p2p_pair *pair,
					uint64_t serial, bool go)
{
	struct wf_p2p_request *req = first_of(&pair->queue);
	struct wf_list *at;

	if (req && !go && awaits(req, serial, go))
		return req;
	for (at = pair->awaiting.next; at != &pair->awaiting; at = at->next) {
		req = wf_container(at, struct wf_p2p_request, queue);
		if (awaits(req, serial, go)) {
			wf_list_del(&req->queue);
			return req;
		}
	}
	return NULL;
}

/* ---- what the peer may send ---- */

static uint16_t build_budget(struct wf_owed *owed, struct wf_mail *head,
			     void *payload)
{
	const struct wf_p2p_pair *pair = wf_container(owed, struct wf_p2p_pair,
						  budget);
	struct wf_p2p_note note = {
		.what = WF_P2P_BUDGET, .tag = pair->peer->unheard,
		.bytes = pair->content_told, .serial = pair->told
	};

	return wf_p2p_write(head, 0, payload, &note);
}

void wf_pair_lose(struct wf_p2p_pair *pair)
{
	pair->peer->unheard = pair->office->lost = true;
	pair->office->gone_seen--;	/* who waits for it is looked at */
	/* behind what is owed: who is asked for its content sends it */
	wf_owe_not(&pair->budget);
	wf_owe(pair->peer, &pair->budget);
}

void wf_pair_taken(struct wf_p2p_pair *pair, uint64_t content)
{
	uint64_t may, may_content;

	pair->taken++;
	pair->content_taken += content;
	may = pair->taken + WF_P2P_MESSAGES;
	may_content = pair->content_taken + WF_P2P_CONTENT;
	if (may < pair->told + WF_P2P_MESSAGES / 2 &&
	    may_content < pair->content_told + WF_P2P_CONTENT / 4)
		return;
	if (may > pair->told)
		pair->told = may;
	pair->content_told = may_content;
	wf_owe(pair->peer, &pair->budget);
}

static void give_more(struct wf_p2p_pair *pair)
{
	pair->wants = false;
	pair->told += WF_P2P_MESSAGES;
	wf_owe(pair->peer, &pair->budget);
}

/* To all that want more: it may be any of them. */
static void give_all_more(struct wf_office *office)
{
	office->wanted = false;
	for (struct wf_list *at = office->all.next; at != &office->all;
	     at = at->next) {
		struct wf_p2p_pair *each =
			wf_container(at, struct wf_p2p_pair, link);

		if (each->wants)
			give_more(each);
	}
}

void wf_pair_list(struct wf_p2p_pair *pair)
{
	struct wf_office *office = pair->office;

	office->awaited[office->n_awaited++] = pair;
	pair->listed = true;
}

/* A message of a sender that waits for budget may be the one. */
void wf_pair_ask(struct wf_office *office, struct wf_p2p_pair *pair)
{
	if (pair && pair->wants)
		give_more(pair);
	else if (!pair && office->wanted)
		give_all_more(office);
}

void wf_pair_await(struct wf_p2p_request *req)
{
	struct wf_p2p_pair *pair = req->pair;

	if (!pair) {
		wf_anybody(req);
		wf_pair_ask(req->p2p->office, NULL);
		return;
	}
	pair->waited++;
	if (!pair->listed)
		wf_pair_list(pair);
	if (pair->wants)
		give_more(pair);
}

static void budget_comes(struct wf_p2p_pair *pair,
			 const struct wf_p2p_note *note)
{
	if (note->serial > pair->messages_end) {
		pair->messages_end = note->serial;
		pair->asked = false;
	}
	if (note->bytes > pair->content_end)
		pair->content_end = note->bytes;
	if (note->tag) {
		pair->shut = true;
		pair->office->gone_seen--;
	}
	next(pair);
}

void wf_pair_deliver(struct wf_p2p_pair *pair, const struct wf_p2p_note *note)
{
	if (note->what == WF_P2P_BUDGET) {
		budget_comes(pair, note);
		return;
	}
	pair->wants = true;
	pair->office->wanted = true;
	if (pair->waited || pair->office->waited)
		give_more(pair);
}

/* ---- life ---- */

/* For one more that is awaited. */
static bool has_room(struct wf_office *office)
{
	size_t n = office->n_pairs;
	void *more;

	/* as many as a power of two */
	if (n & (n - 1) || n == 1)
		return true;
	more = realloc(office->awaited, (n ? 2 * n : 2) *
		       sizeof(*office->awaited));
	if (more)
		office->awaited = more;
	return more;
}

struct wf_p2p_pair *wf_pair_of(struct wf_office *office, struct wf_peer *peer)
{
	struct wf_p2p_pair *pair = peer->matched;

	if (pair)
		return pair;
	pair = has_room(office) ? wf_zeroed(1, sizeof(*pair)) : NULL;
	if (!pair)
		return NULL;
	office->n_pairs++;
	peer->matched = pair;
	pair->office = office;
	pair->peer = peer;
	wf_list_init(&pair->queue);
	wf_list_init(&pair->awaiting);
	pair->mail.build = build;
	pair->mail.settled = settled;
	pair->want.build = build_want;
	pair->budget.build = build_budget;
	pair->messages_end = pair->told = WF_P2P_MESSAGES;
	pair->content_end = pair->content_told = WF_P2P_CONTENT;
	wf_list_add_tail(&office->all, &pair->link);
	return pair;
}

struct wf_p2p_pair *wf_pair_find(struct wf_p2p *p2p, int rank)
{
	struct weft_comm *comm = p2p->comm;
	struct wf_peer *peer = wf_comm_peer(comm, wf_remote_first(comm) + rank);
	int at = rank & (WF_P2P_RECENT - 1);

	p2p->recent[at].rank = rank;
	p2p->recent[at].pair = peer ? wf_pair_of(p2p->office, peer) : NULL;
	return p2p->recent[at].pair;
}

void wf_pair_destroy(struct wf_p2p_pair *pair)
{
	wf_owe_not(&pair->mail);
	wf_owe_not(&pair->want);
	wf_owe_not(&pair->budget);
	pair->peer->matched = NULL;
	free(pair);
}
