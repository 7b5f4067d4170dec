/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics that the owner does for others, at both ends: see rma_agent.h. */
#include "rma/rma_agent.h"

#include "rma/rma_link.h"
#include "rma/rma_wire.h"

/* Mails to oneself cannot tell an exposed region from the same attached. */
static bool is_own(const struct wf_rma_link *link)
{
	const struct weft_region *region = link->region;

	return link->rank == region->rma->comm->rank &&
	       region->kind != WF_REGION_ATTACHED;
}

/* ---- who asks ---- */

bool wf_rma_agent_asks(const struct wf_rma_link *link)
{
	return link->asked_word.answered != link->asked_word.number;
}

static void serve(struct wf_rma_link *link, struct wf_rma_served *served,
		  const struct wf_rma_note *note);

static void ask(struct wf_rma_link *link)
{
	struct wf_rma_asked *asked = &link->asked_word;
	struct wf_rma_note note = { .what = WF_RMA_WORD };

	if (!is_own(link)) {
		asked->again = wf_job_now(link->peer->job) + asked->patience;
		wf_rma_owe(link, WF_RMA_WORD);
		return;
	}
	wf_rma_agent_fill_word(link, &note);
	serve(link, &link->own_word, &note);
}

int wf_rma_agent_ask(struct wf_rma_link *link, uint64_t offset,
		     const struct wf_word_op *op, uint64_t *old)
{
	struct wf_rma_asked *asked = &link->asked_word;

	if (wf_rma_agent_asks(link)) {
		wf_rma_agent_remind(link);
		return WEFT_AGAIN;
	}
	asked->op = *op;
	asked->offset = offset;
	asked->old = old;
	asked->number = ++link->region->rma->asked;
	asked->patience = WF_RMA_PATIENCE;
	ask(link);
	return WEFT_OK;
}

void wf_rma_agent_remind(struct wf_rma_link *link)
{
	struct wf_rma_asked *asked = &link->asked_word;

	if (is_own(link) || wf_job_now(link->peer->job) < asked->again)
		return;
	asked->patience *= 2;
	ask(link);
}

static void fail(struct wf_rma_asked *asked, int status)
{
	asked->answered = asked->number;
	asked->failed = asked->number;
	asked->status = status;
	asked->told = false;
}

void wf_rma_agent_forget(struct wf_rma_link *link)
{
	if (wf_rma_agent_asks(link))
		fail(&link->asked_word, wf_peer_status(link->peer));
}

static void say(struct wf_rma_link *link, struct wf_rma_wait *wait)
{
	int status = link->asked_word.status;

	if (!wf_rma_is_lost(wait))
		wf_rma_refused(wait, status, status == WEFT_ERR_ARG ?
			       "could not do an atomic op on its part, whose "
			       "base is no multiple of 8" :
			       "could not do an atomic op on its part");
}

void wf_rma_agent_tell(struct wf_rma_link *link, uint64_t number,
		       struct wf_rma_wait *wait)
{
	struct wf_rma_asked *asked = &link->asked_word;

	if (!asked->failed || (number == UINT64_MAX ? asked->told :
						      number != asked->failed))
		return;
	asked->told = true;
	say(link, wait);
}

/* Memory may come. */
void wf_rma_agent_refuse(struct wf_rma_link *link, struct wf_rma_wait *wait)
{
	const struct wf_rma_asked *asked = &link->asked_word;

	if (asked->failed && asked->status != WEFT_ERR_NOMEM)
		say(link, wait);
}

void wf_rma_agent_fill_word(const struct wf_rma_link *link,
			    struct wf_rma_note *note)
{
	const struct wf_rma_asked *asked = &link->asked_word;

	note->number = (uint32_t)asked->number;
	note->words = asked->op.is_cas;
	note->offset = asked->offset;
	note->operand = asked->op.operand;
	note->value = asked->op.expected;
}

void wf_rma_agent_old_comes(struct wf_rma_link *link,
			    const struct wf_rma_note *note)
{
	struct wf_rma_asked *asked = &link->asked_word;

	if (!wf_rma_agent_asks(link) ||
	    note->number != (uint32_t)asked->number)
		return;
	if (note->status) {
		fail(asked, note->status < 0 ? note->status : WEFT_ERR_DEVICE);
		return;
	}
	asked->answered = asked->number;
	*asked->old = note->value;
}

/* ---- who does it ---- */

/* Of the last that was done: the next one may be under way when it leaves. */
static void fill_old(const struct wf_rma_served *served,
		     struct wf_rma_note *note)
{
	note->number = served->answered;
	note->status = served->status;
	note->value = served->old;
}

void wf_rma_agent_fill_old(const struct wf_rma_link *link,
			   struct wf_rma_note *note)
{
	fill_old(&link->served_word, note);
}

static void answer(struct wf_rma_served *served, int status)
{
	struct wf_rma_note note = { .what = WF_RMA_OLD };

	served->open = false;
	served->done = true;
	served->answered = served->number;
	served->status = status;
	if (served != &served->link->own_word) {
		wf_rma_owe(served->link, WF_RMA_OLD);
		return;
	}
	fill_old(served, &note);
	wf_rma_agent_old_comes(served->link, &note);
}

static bool poll(struct wf_poller *poller)
{
	struct wf_rma_served *served = wf_container(
		poller, struct wf_rma_served, poller);
	struct weft_region *region = served->link->region;
	int status = wf_loop_do(poller->job, region->agent, served,
				region->memory.offset + served->offset,
				&served->op, &served->old);

	if (status == WEFT_INPROGRESS)
		return false;
	wf_poller_del(poller->job, poller);
	answer(served, status);
	return true;
}

/* Its own device. */
static int waits_for(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	(void)cursor;
	return -1;
}

static void report(struct wf_poller *poller, struct wf_report *to)
{
	const struct wf_rma_served *served = wf_container(
		poller, struct wf_rma_served, poller);

	wf_report_line(to, "  an atomic op by the device, for rank %d",
		       served->link->peer->rank);
}

static int check(const struct wf_rma_link *link, uint64_t offset)
{
	const struct wf_rma_memory *m = &link->region->memory;

	if (!link->holds || m->bytes < WF_WORD_BYTES ||
	    offset > m->bytes - WF_WORD_BYTES)
		return WEFT_ERR_RANGE;
	return ((uintptr_t)m->base + offset) % WF_WORD_BYTES ? WEFT_ERR_ARG :
							       WEFT_OK;
}

/* Where no device is the agent the CPU does it at once. */
static void carry_out(struct wf_rma_served *served)
{
	struct weft_region *region = served->link->region;
	int status = check(served->link, served->offset);

	if (status) {
		answer(served, status);
	} else if (!region->agent) {
		served->old = wf_word_do((char *)region->memory.base +
					 served->offset, &served->op);
		answer(served, WEFT_OK);
	} else {
		served->open = true;
		served->poller.poll = poll;
		served->poller.waits_for = waits_for;
		served->poller.report = report;
		served->poller.for_others = true;
		wf_poller_add(wf_region_job(region), &served->poller);
	}
}

static void serve(struct wf_rma_link *link, struct wf_rma_served *served,
		  const struct wf_rma_note *note)
{
	served->link = link;
	served->op = (struct wf_word_op){
		.operand = note->operand, .expected = note->value,
		.is_cas = note->words
	};
	served->offset = note->offset;
	served->number = note->number;
	carry_out(served);
}

void wf_rma_agent_word_comes(struct wf_rma_link *link,
			     const struct wf_rma_note *note)
{
	struct wf_rma_served *served = &link->served_word;

	/* It asks one by one, and for the same again. */
	if (served->open)
		return;
	if (served->done && served->number == note->number)
		wf_rma_owe(link, WF_RMA_OLD);
	else
		serve(link, served, note);
}

bool wf_rma_agent_serves(const struct wf_rma_link *link)
{
	return link->served_word.open || link->own_word.open;
}

static void stop(struct wf_rma_served *served)
{
	if (!served->open)
		return;
	wf_poller_del(served->poller.job, &served->poller);
	wf_loop_forget(served->poller.job, served);
}

void wf_rma_agent_fini(struct wf_rma_link *link)
{
	stop(&link->served_word);
	stop(&link->own_word);
}
