/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks that go and come, what follows from those that differ, and the news of
 * that: see accord.h.  Mails of a peer keep their order, so the next mark of a
 * side is that of its next call; its order tells if one was lost.
 */
#include "comm/accord.h"

#include <string.h>
#include "base/text.h"

bool wf_accord_owes(const struct wf_accord *accord)
{
	for (int i = 0; i < accord->nsides; i++)
		if (accord->side[i].owed.queued || accord->side[i].news.queued)
			return true;
	return false;
}

/* The communicator was given up meanwhile, and may go with this. */
static void end_if_said(struct wf_accord *accord)
{
	if (!accord->holds || wf_accord_owes(accord))
		return;
	accord->holds = false;
	wf_comm_drop(accord->comm);
}

/* ---- the news ---- */

static void tell_news(struct wf_accord_side *side);

static uint16_t build_news(struct wf_owed *owed, struct wf_mail *head,
			   void *payload)
{
	const struct wf_accord *accord =
		wf_container(owed, struct wf_accord_side, news)->accord;
	size_t n = strlen(accord->odds);

	head->kind = WF_MAIL_ODDS;
	head->word = WF_PORT_MARKS;
	head->context = accord->comm->id;
	memcpy(payload, accord->odds, n);
	return (uint16_t)n;
}

/* Behind one that is not there any more there may be another one. */
static void news_settled(struct wf_owed *owed, int status)
{
	struct wf_accord_side *side = wf_container(owed, struct wf_accord_side,
						   news);

	if (status)
		tell_news(side);
	end_if_said(side->accord);
}

/* The nearest rank on that side that is there; NULL: nobody is. */
static struct wf_peer *next_there(const struct wf_accord_side *side)
{
	struct weft_comm *comm = side->accord->comm;
	int step = side - side->accord->side ? comm->size - 1 : 1;

	for (int r = side->rank; r != comm->rank; r = (r + step) % comm->size) {
		struct wf_peer *peer = wf_comm_peer(comm, r);

		if (peer && wf_peer_is_there(peer))
			return peer;
	}
	return NULL;
}

/* A rank that closes meets no others. */
static void tell_news(struct wf_accord_side *side)
{
	struct wf_peer *peer = side->accord->comm->job->closing ? NULL :
			       next_there(side);

	side->news.build = build_news;
	side->news.settled = news_settled;
	if (peer)
		wf_owe(peer, &side->news);
}

/* What is under way looks at it as at a rank that is gone. */
static void be_at_odds(struct wf_accord *accord, const char *text, size_t n)
{
	struct weft_job *job = accord->comm->job;

	if (accord->odds[0])
		return;
	memcpy(accord->odds, text, n);
	accord->odds[n] = 0;
	job->gone++;
	job->uneven = true;
	for (int i = 0; i < accord->nsides; i++) {
		struct wf_accord_side *side = &accord->side[i];

		wf_owe_not(&side->owed);
		wf_mark_queue_clear(&side->out);
		wf_mark_queue_clear(&side->own);
		wf_mark_queue_clear(&side->theirs);
		tell_news(side);
	}
}

/* ---- what differs ---- */

static void add_call(const struct wf_accord_side *side, bool own, char *text,
		     const struct wf_mark *mark)
{
	const struct weft_comm *comm = side->accord->comm;

	wf_text_add(text, WF_ERROR_TEXT, "rank %d on host %s calls ",
		    own ? comm->rank : side->rank,
		    own ? comm->job->blob.id.host : wf_peer_host(side->peer));
	wf_mark_tell(mark, text, WF_ERROR_TEXT);
}

/* Both ranks say the same, the lower one first. */
static void tell_difference(struct wf_accord_side *side,
			    const struct wf_mark *own,
			    const struct wf_mark *theirs)
{
	struct weft_comm *comm = side->accord->comm;
	bool first = comm->rank < side->rank;
	char text[WF_ERROR_TEXT] = "";

	wf_text_add(text, sizeof(text), "collective %llu of ",
		    (unsigned long long)own->order);
	wf_comm_tell(comm, text, sizeof(text));
	wf_text_add(text, sizeof(text), " differs: ");
	add_call(side, first, text, first ? own : theirs);
	wf_text_add(text, sizeof(text), ", ");
	add_call(side, !first, text, first ? theirs : own);
	wf_error(&comm->job->log, "%s", text);
	be_at_odds(side->accord, text, strlen(text));
}

void wf_accord_compare(struct wf_accord_side *side)
{
	const struct wf_mark *own, *theirs;

	while ((own = wf_mark_queue_first(&side->own)) &&
	       (theirs = wf_mark_queue_first(&side->theirs))) {
		if (wf_mark_differs(own, theirs)) {
			tell_difference(side, own, theirs);
			return;
		}
		wf_mark_queue_pop(&side->own);
		wf_mark_queue_pop(&side->theirs);
	}
}

/* ---- marks ---- */

static uint16_t build_mark(struct wf_owed *owed, struct wf_mail *head,
			   void *payload)
{
	struct wf_accord_side *side = wf_container(owed, struct wf_accord_side,
						   owed);
	const struct wf_mark *first = wf_mark_queue_first(&side->out);
	struct wf_mark mark = first ? *first : side->accord->last;

	side->sends = first;
	mark.asks = side->asks;
	head->kind = WF_MAIL_MARK;
	head->word = WF_PORT_MARKS;
	head->context = side->accord->comm->id;
	memcpy(payload, &mark, sizeof(mark));
	return sizeof(mark);
}

static void mark_settled(struct wf_owed *owed, int status)
{
	struct wf_accord_side *side = wf_container(owed, struct wf_accord_side,
						   owed);

	side->asks = side->answers = false;
	if (status)
		wf_mark_queue_clear(&side->out);
	else if (side->sends)
		wf_mark_queue_pop(&side->out);
	wf_accord_send(side);
	end_if_said(side->accord);
}

void wf_accord_send(struct wf_accord_side *side)
{
	side->owed.build = build_mark;
	side->owed.settled = mark_settled;
	if (wf_mark_queue_first(&side->out) || side->asks || side->answers)
		wf_owe(side->peer, &side->owed);
}

/* Of ranks that are neighbours twice there is one. */
static struct wf_accord_side *side_of(struct wf_accord *accord,
				      const struct wf_peer *from)
{
	for (int i = 0; i < accord->nsides; i++)
		if (accord->side[i].peer == from)
			return &accord->side[i];
	return NULL;
}

/* Those before it that were lost go with any call. */
static void take_mark(struct wf_accord_side *side, const struct wf_mark *mark)
{
	struct wf_mark lost = { .order = side->heard + 1, .any = true };

	if (mark->asks && side->accord->last.order) {
		side->answers = true;
		wf_accord_send(side);
	}
	if (mark->order <= side->heard)
		return;			/* it came before */
	if (mark->order > lost.order)
		wf_mark_queue_push(&side->theirs, &lost,
				   mark->order - lost.order);
	side->heard = mark->order;
	wf_mark_queue_push(&side->theirs, mark, 1);
	wf_accord_compare(side);
}

static bool take_news(struct wf_accord *accord,
		      const struct wf_letter *letter)
{
	size_t n = letter->head.length;

	if (n >= sizeof(accord->odds) || !wf_mark_is_text(letter->payload, n))
		return false;
	if (!accord->odds[0])
		wf_info(&accord->comm->job->log, "rank %d tells: %.*s",
			letter->from->rank, (int)n,
			(const char *)letter->payload);
	be_at_odds(accord, letter->payload, n);
	return true;
}

void wf_accord_deliver(struct wf_port *port, const struct wf_letter *letter)
{
	struct wf_accord *accord = wf_container(port, struct wf_accord, port);
	struct wf_accord_side *side = side_of(accord, letter->from);
	struct wf_mark mark;
	bool good = false;

	if (letter->head.kind == WF_MAIL_ODDS)
		good = take_news(accord, letter);
	else if (letter->head.kind == WF_MAIL_MARK && side)
		good = wf_mark_read(&mark, letter->payload,
				    letter->head.length);
	if (!good)
		wf_mail_drop(letter->from->job, letter, "no mark, or not of a "
			     "neighbour");
	else if (letter->head.kind == WF_MAIL_MARK && !accord->odds[0])
		take_mark(side, &mark);
}
