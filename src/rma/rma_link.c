/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A region and one peer: keys are asked for, given, taken back.  Handlers note
 * what came and owe the answer; what an answer says is decided when it goes.
 */
#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "rma/rma_link.h"
#include "rma/rma_signal.h"
#include "rma/rma_wire.h"

/* ---- what is owed ---- */

/*
 * Atomics of two agents are not atomic with each other.  No agent but the
 * owner's CPU has memory of the program.
 */
static enum wf_rma_words words_for(struct wf_rma_link *link)
{
	struct weft_region *region = link->region;
	struct wf_device *dev = link->peer->ep->dev;
	bool direct = region->memory.allocated && dev->caps & WF_CAP_ATOMIC;
	bool by_device = direct && dev->caps & WF_CAP_OWN_AGENT;
	struct wf_device *agent = by_device ? dev : NULL;

	if (!link->wanted.words)
		return WF_RMA_WORDS_UNKNOWN;
	if (!region->has_agent) {
		region->agent = agent;
		wf_debug(&link->peer->job->log, "region %llu: atomics are done "
			 "by %s", (unsigned long long)(region->id & UINT32_MAX),
			 agent ? agent->ops->name : "CPUs");
	}
	region->has_agent = true;
	return direct && region->agent == agent ? WF_RMA_WORDS_DIRECT :
						  WF_RMA_WORDS_ASKED;
}

static void fill_number(struct wf_rma_link *link, struct wf_rma_note *note)
{
	struct wf_rma_source *source = wf_rma_source_get(
		link->region, link->rank, note->number);

	if (!source) {
		note->number_status = WEFT_ERR_NOMEM;
		return;
	}
	note->sig = source->sig;
	/* Of this rank itself two may raise it, as user of both names. */
	if (link->peer->ep->dev->caps & WF_CAP_REPORTS &&
	    link->rank != link->region->rma->comm->rank)
		wf_rma_source_quicken(link, source);
	if (!source->quick_word)
		return;
	note->quick = source->quick;
	note->room = source->raises;
	note->came = wf_rma_source_settle(source);
}

/* Of the first source; each has a mail of its own. */
static void fill_credit(struct wf_rma_link *link, struct wf_rma_note *note)
{
	struct wf_rma_source *source = wf_container(
		wf_list_first(&link->credits), struct wf_rma_source, credit);

	note->number = source->number;
	note->came = wf_rma_source_settle(source);
}

static void fill_grant(struct wf_rma_link *link, struct wf_rma_note *note)
{
	struct weft_region *region = link->region;
	struct wf_rma_memory *m = &region->memory;

	note->number = link->wanted.number;
	if (region->ending)
		note->status = WEFT_ERR_RANGE;
	else if (!link->wants)
		note->status = WEFT_AGAIN;
	else
		note->status = wf_rma_memory_key(m, link->peer->ep->dev,
						 &note->at);
	if (note->status)
		return;
	link->holds = true;
	note->bytes = m->bytes;
	note->words = words_for(link);
	note->anywhere = !m->allocated && link->peer->ep->dev->caps &
					  WF_CAP_ANYWHERE;
	if (note->number != WF_RMA_NO_NUMBER)
		fill_number(link, note);
}

static unsigned first_of(unsigned owes)
{
	return owes & -owes;
}

static void fill_head(const struct wf_rma *rma, struct wf_mail *head,
		      struct wf_rma_note *note)
{
	head->kind = WF_MAIL_RMA;
	head->word = rma->port.number;
	head->context = rma->comm->id;
	note->rank = rma->comm->rank;
}

static uint16_t build(struct wf_owed *owed, struct wf_mail *head,
		      void *payload)
{
	struct wf_rma_link *link = wf_container(owed, struct wf_rma_link,
						mail);
	struct wf_rma_note note = { .region = link->region->id };

	link->sending = first_of(link->owes);
	note.what = link->sending;
	fill_head(link->region->rma, head, &note);
	if (link->sending == WF_RMA_ASK) {
		note.number = link->asked.number;
		note.words = link->asked.words;
	} else if (link->sending == WF_RMA_GRANT) {
		fill_grant(link, &note);
	} else if (link->sending == WF_RMA_CREDIT) {
		fill_credit(link, &note);
	} else if (link->sending == WF_RMA_WORD) {
		wf_rma_agent_fill_word(link, &note);
	} else if (link->sending == WF_RMA_OLD) {
		wf_rma_agent_fill_old(link, &note);
	}
	memcpy(payload, &note, sizeof(note));
	return sizeof(note);
}

static void settled(struct wf_owed *owed, int status)
{
	struct wf_rma_link *link = wf_container(owed, struct wf_rma_link,
						mail);

	link->owes = status ? 0 : link->owes & ~link->sending;
	if (link->sending == WF_RMA_CREDIT)
		wf_list_pop(&link->credits);
	if (!status && !wf_list_empty(&link->credits))
		link->owes |= WF_RMA_CREDIT;
	if (link->owes)
		wf_owe(link->peer, owed);
}

void wf_rma_owe(struct wf_rma_link *link, enum wf_rma_owes what)
{
	link->owes |= what;
	link->mail.build = build;
	link->mail.settled = settled;
	wf_owe(link->peer, &link->mail);
}

/* ---- replies on regions that are not there any more ---- */

struct reply {
	struct wf_list link;
	struct wf_owed mail;
	struct wf_rma *rma;
	struct wf_rma_note note;
};

static uint16_t build_reply(struct wf_owed *owed, struct wf_mail *head,
			    void *payload)
{
	struct reply *r = wf_container(owed, struct reply, mail);

	fill_head(r->rma, head, &r->note);
	memcpy(payload, &r->note, sizeof(r->note));
	return sizeof(r->note);
}

static void reply_settled(struct wf_owed *owed, int status)
{
	struct reply *r = wf_container(owed, struct reply, mail);

	(void)status;
	wf_list_del(&r->link);
	free(r);
}

static void reply(struct wf_rma *rma, struct wf_peer *to,
		  const struct wf_rma_note *note)
{
	struct reply *r = wf_zeroed(1, sizeof(*r));

	if (!r)
		return;
	r->rma = rma;
	r->note = *note;
	r->mail.build = build_reply;
	r->mail.settled = reply_settled;
	wf_list_add_tail(&rma->replies, &r->link);
	wf_owe(to, &r->mail);
}

void wf_rma_replies_fini(struct wf_rma *rma)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&rma->replies))) {
		struct reply *r = wf_container(at, struct reply, link);

		wf_owe_not(&r->mail);
		free(r);
	}
}

/* It was destroyed here: who asks hears that, who is to close has closed. */
static void answer_for_gone(struct wf_rma *rma, struct wf_peer *from,
			    const struct wf_rma_note *note)
{
	struct wf_rma_note back = { .region = note->region,
				    .number = note->number };

	if (note->what == WF_RMA_ASK) {
		back.what = WF_RMA_GRANT;
		back.status = WEFT_ERR_RANGE;
	} else if (note->what == WF_RMA_WORD) {
		back.what = WF_RMA_OLD;
		back.status = WEFT_ERR_RANGE;
	} else if (note->what == WF_RMA_REVOKE) {
		back.what = WF_RMA_CLOSED;
	} else {
		return;
	}
	reply(rma, from, &back);
}

/* ---- what comes ---- */

/* Another ASK may get another answer. */
static bool is_for_now(int status)
{
	return status == WEFT_AGAIN || status == WEFT_ERR_NOMEM;
}

/* All that it raised had come before it asked. */
static void take_quick(struct wf_rma_raiser *raiser,
		       const struct wf_rma_note *note)
{
	raiser->quick = note->quick;
	raiser->room = note->room;
	raiser->raised = note->came;
	raiser->most = note->came + note->room;
}

static void keep_number(struct wf_rma_link *link,
			const struct wf_rma_note *note)
{
	struct wf_rma_raiser *raiser = wf_map_get(&link->numbers,
						  note->number);

	/* Asked again for want of patience, it was granted twice. */
	if (raiser && raiser->room)
		raiser->most = note->came + raiser->room;
	else if (raiser)
		take_quick(raiser, note);
	if (raiser)
		return;
	if (!is_for_now(note->number_status))
		raiser = malloc(sizeof(*raiser));
	if (!raiser || wf_map_put(&link->numbers, note->number, raiser)) {
		free(raiser);
		link->denied++;
		return;
	}
	*raiser = (struct wf_rma_raiser){
		.status = note->number_status, .sig = note->sig
	};
	take_quick(raiser, note);
}

static void take_credit(struct wf_rma_link *link,
			const struct wf_rma_note *note)
{
	struct wf_rma_raiser *raiser = wf_map_get(&link->numbers,
						  note->number);

	if (raiser)
		raiser->most = note->came + raiser->room;
}

static void take_grant(struct wf_rma_link *link,
		       const struct wf_rma_note *note)
{
	link->asking = false;
	if (is_for_now(note->status)) {
		link->denied += note->status == WEFT_ERR_NOMEM;
		return;
	}
	if (note->status) {
		link->refusal = note->status;
		return;
	}
	link->granted = true;
	link->at = note->at;
	link->bytes = note->bytes;
	if (note->words)
		link->words = note->words == WF_RMA_WORDS_DIRECT ?
			      WF_RMA_WORDS_DIRECT : WF_RMA_WORDS_ASKED;
	link->anywhere = note->anywhere;
	if (note->number != WF_RMA_NO_NUMBER)
		keep_number(link, note);
}

static bool is_closed(struct wf_rma_link *link)
{
	if (!wf_peer_is_there(link->peer))
		return true;
	if (wf_rma_agent_asks(link))
		return false;
	if (!wf_ep_ask_flushed(link->peer->ep, link->close_mark))
		return false;
	wf_rma_owe(link, WF_RMA_CLOSED);
	return true;
}

static bool poll_closing(struct wf_poller *poller)
{
	struct wf_rma_link *link = wf_container(poller, struct wf_rma_link,
						closing);

	if (!is_closed(link))
		return false;
	link->closes = false;
	wf_poller_del(poller->job, poller);
	return true;
}

static int closing_waits_for(struct wf_poller *poller, int *cursor)
{
	struct wf_rma_link *link = wf_container(poller, struct wf_rma_link,
						closing);

	return (*cursor)++ ? -1 : link->peer->rank;
}

static void take_revoke(struct wf_rma_link *link)
{
	link->refusal = WEFT_ERR_RANGE;
	link->granted = false;
	if (link->closes)
		return;
	link->closes = true;
	link->close_mark = link->peer->ep->posted;
	link->closing.poll = poll_closing;
	link->closing.waits_for = closing_waits_for;
	wf_poller_add(link->peer->job, &link->closing);
}

/* It raises nothing any more. */
static void drop_credits(struct wf_rma_link *link)
{
	while (wf_list_pop(&link->credits))
		;
	link->owes &= ~WF_RMA_CREDIT;
	if (!link->owes)
		wf_owe_not(&link->mail);
}

static void take_note(struct wf_rma_link *link, const struct wf_rma_note *note)
{
	switch (note->what) {
	case WF_RMA_ASK:
		link->wants = true;
		link->wanted.number = note->number;
		link->wanted.words = note->words;
		wf_rma_owe(link, WF_RMA_GRANT);
		break;
	case WF_RMA_GRANT:
		take_grant(link, note);
		break;
	case WF_RMA_REVOKE:
		take_revoke(link);
		break;
	case WF_RMA_CLOSED:
		link->wants = false;
		link->holds = false;
		drop_credits(link);
		break;
	case WF_RMA_CREDIT:
		take_credit(link, note);
		break;
	case WF_RMA_WORD:
		wf_rma_agent_word_comes(link, note);
		break;
	case WF_RMA_OLD:
		wf_rma_agent_old_comes(link, note);
		break;
	}
}

static struct weft_region *find_region(const struct wf_rma *rma,
				       const struct wf_rma_note *note)
{
	bool ours = note->what & (WF_RMA_ASK | WF_RMA_CLOSED | WF_RMA_WORD);

	return wf_map_get(&rma->regions, ours ? note->region :
			  wf_region_name(note->region, note->rank));
}

static bool is_sound(const struct wf_rma *rma, const struct wf_letter *letter,
		     const struct wf_rma_note *note)
{
	return note->rank >= 0 && note->rank < rma->comm->size &&
	       wf_comm_world_rank(rma->comm, note->rank) == letter->from->rank;
}

void wf_rma_deliver(struct wf_port *port, const struct wf_letter *letter)
{
	struct wf_rma *rma = wf_container(port, struct wf_rma, port);
	struct weft_region *region;
	struct wf_rma_link *link;
	struct wf_rma_note note;

	if (letter->head.length != sizeof(note)) {
		wf_mail_drop(rma->comm->job, letter, "wrong length");
		return;
	}
	memcpy(&note, letter->payload, sizeof(note));
	if (!is_sound(rma, letter, &note)) {
		wf_mail_drop(rma->comm->job, letter, "not of its sender");
		return;
	}
	region = find_region(rma, &note);
	if (!region) {
		answer_for_gone(rma, letter->from, &note);
		return;
	}
	link = wf_rma_link_get(region, note.rank);
	if (link)
		take_note(link, &note);
	else
		wf_mail_drop(rma->comm->job, letter, "no memory for it");
}

/* ---- links ---- */

struct wf_rma_link *wf_rma_link_get(struct weft_region *region, int rank)
{
	struct wf_rma_link *link = wf_map_get(&region->links, (uint64_t)rank);

	if (link)
		return link;
	link = wf_zeroed(1, sizeof(*link));
	if (!link)
		return NULL;
	link->region = region;
	link->rank = rank;
	link->peer = wf_comm_peer(region->rma->comm, rank);
	wf_map_init(&link->numbers);
	wf_list_init(&link->credits);
	if (!link->peer || wf_map_put(&region->links, (uint64_t)rank, link)) {
		free(link);
		return NULL;
	}
	wf_list_add_tail(&region->all, &link->all);
	return link;
}

static void free_numbers(struct wf_rma_link *link)
{
	size_t cursor = 0;
	void *raiser;

	while (wf_map_next(&link->numbers, &cursor, NULL, &raiser))
		free(raiser);
	wf_map_fini(&link->numbers);
}

void wf_rma_links_fini(struct weft_region *region)
{
	size_t cursor = 0;
	void *at;

	while (wf_map_next(&region->links, &cursor, NULL, &at)) {
		struct wf_rma_link *link = at;

		if (link->closes)
			wf_poller_del(link->peer->job, &link->closing);
		wf_owe_not(&link->mail);
		wf_rma_agent_fini(link);
		free_numbers(link);
		free(link);
	}
	wf_map_fini(&region->links);
}

/* What is known here of a key, of words, and of a signal. */
static int look_up(const struct wf_rma_link *link,
		   const struct wf_rma_need *need,
		   struct wf_rma_raiser **raiser_p)
{
	bool granted = link->granted && (!need->words || link->words);
	struct wf_rma_raiser *known = NULL;

	if (link->refusal)
		return link->refusal;
	if (granted && need->number == WF_RMA_NO_NUMBER)
		return WEFT_OK;
	if (granted)
		known = wf_map_get(&link->numbers, need->number);
	if (known) {
		*raiser_p = known;
		return known->status;
	}
	return link->denied == need->denied ? WEFT_INPROGRESS : WEFT_ERR_NOMEM;
}

/* No mail: one that was exposed and one attached here have the same name. */
static void ask_self(struct wf_rma_link *link, const struct wf_rma_need *need)
{
	struct wf_rma_note note = { .what = WF_RMA_GRANT };

	if (link->peer->state != WF_PEER_READY) {
		wf_peer_connect(link->peer);
		return;
	}
	link->wants = true;
	link->wanted = *need;
	fill_grant(link, &note);
	take_grant(link, &note);
}

/*
 * An owner without memory to note who asks says nothing: it is asked again, in
 * growing times, since it may just as well compute.
 */
static void ask(struct wf_rma_link *link, const struct wf_rma_need *need)
{
	uint64_t now = wf_job_now(link->peer->job);

	if (link->asking && now < link->ask_again)
		return;
	link->patience = link->asking ? 2 * link->patience : WF_RMA_PATIENCE;
	link->ask_again = now + link->patience;
	link->asking = true;
	link->asked = *need;
	wf_rma_owe(link, WF_RMA_ASK);
}

int wf_rma_link_ready(struct wf_rma_link *link,
		      const struct wf_rma_need *need,
		      struct wf_rma_raiser **raiser_p)
{
	const struct weft_region *region = link->region;
	int status = look_up(link, need, raiser_p);

	if (status != WEFT_INPROGRESS)
		return status;
	if (link->rank != region->rma->comm->rank ||
	    region->kind == WF_REGION_ATTACHED) {
		ask(link, need);
		return status;
	}
	ask_self(link, need);
	return look_up(link, need, raiser_p);
}
