/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mails to a context: delivered to their port, parked whole if the context or
 * the port is still to come, dropped if it was freed.  Parking keeps the order
 * of arrival, and a port gets what was parked for it when it opens.
 *
 * Some places are kept for when there is no memory.  A mail that gets none is
 * lost; whoever waits for it, at either end, asks for it (plan/inquiry.h).  One
 * with ids for a group is not asked for: see struct wf_relay_note.
 */
#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "comm/comm.h"
#include "type/op_made.h"
#include "type/type.h"

enum {
	RANGES_KEPT = 1024,	/* of used ids, per owner */
	PLACES_KEPT = 16,
	PLACE_BYTES = 168	/* all but long pieces of collectives */
};

struct parked {
	struct wf_list link;
	struct wf_peer *from;
	bool kept;		/* one of the places */
	struct wf_mail head;
	char payload[];
};

static struct parked *get_place(struct wf_contexts *ctx, size_t bytes)
{
	struct parked *p = malloc(sizeof(*p) + bytes);
	struct wf_list *at;

	if (p) {
		p->kept = false;
		return p;
	}
	at = bytes > PLACE_BYTES ? NULL : wf_list_pop(&ctx->places);
	return at ? wf_container(at, struct parked, link) : NULL;
}

static void put_place(struct wf_contexts *ctx, struct parked *p)
{
	if (p->kept)
		wf_list_add_head(&ctx->places, &p->link);
	else
		free(p);
}

static int make_places(struct wf_contexts *ctx)
{
	for (int i = 0; i < PLACES_KEPT; i++) {
		struct parked *p = malloc(sizeof(*p) + PLACE_BYTES);

		if (!p)
			return WEFT_ERR_NOMEM;
		p->kept = true;
		put_place(ctx, p);
	}
	return WEFT_OK;
}

static void drop_all(struct wf_list *list)
{
	struct wf_list *at;

	while ((at = wf_list_pop(list)))
		free(wf_container(at, struct parked, link));
}

static struct weft_comm *comm_of(const struct wf_contexts *ctx,
				 const struct wf_mail *head)
{
	return wf_map_get(&ctx->comms, head->context);
}

static bool is_relay(const struct wf_mail *head)
{
	return head->kind == WF_MAIL_RELAY && head->word == WF_PORT_RELAY &&
	       head->length == sizeof(struct wf_relay_note);
}

/* Others may use what its ids are for: they hear that it is not here. */
static void lose(struct weft_job *job, const struct wf_letter *letter)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct weft_comm *comm = comm_of(ctx, &letter->head);
	struct wf_relay_note note;

	if (wf_mail_is_p2p(&letter->head))
		letter->from->unheard = true;
	if (is_relay(&letter->head)) {
		memcpy(&note, letter->payload, sizeof(note));
		if (note.low < note.end)
			wf_cid_pass_over(&ctx->ids, note.low, note.end);
		if (comm)
			comm->relays_lost = true;
		else
			ctx->relays_lost = true;
	}
	wf_mail_drop(job, letter, "no memory to park it");
}

/* Behind one that was lost nobody knows which is whose. */
static bool is_behind_lost(const struct wf_contexts *ctx,
			   const struct wf_mail *head)
{
	const struct weft_comm *comm = comm_of(ctx, head);

	return is_relay(head) &&
	       (comm ? comm->relays_lost : ctx->relays_lost);
}

static void park(struct weft_job *job, const struct wf_letter *letter)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct parked *p = is_behind_lost(ctx, &letter->head) ? NULL :
			   get_place(ctx, letter->head.length);

	if (!p) {
		lose(job, letter);
		return;
	}
	p->from = letter->from;
	p->head = letter->head;
	memcpy(p->payload, letter->payload, letter->head.length);
	wf_list_add_tail(&ctx->parked, &p->link);
	ctx->nparked++;
	ctx->parked_ever++;
}

static void drop(struct weft_job *job, const struct wf_letter *letter)
{
	struct wf_contexts *ctx = wf_contexts(job);

	if (ctx->orphan)
		ctx->orphan(job, letter);
	else
		wf_mail_drop(job, letter, "its context was freed");
}

/* Of a mail that finds no port: will there be none any more? */
static bool is_vain(const struct wf_contexts *ctx, const struct wf_mail *head)
{
	const struct weft_comm *comm = comm_of(ctx, head);

	if (wf_mail_is_p2p(head))
		return false;		/* its sender counts it */
	if (!comm)
		return wf_cid_is_freed(&ctx->ids, head->context);
	if (head->word == WF_PORT_IDS && comm->coll.strays[WF_COLL_IDS])
		return true;
	if (head->word >= WF_PORT_LANE_OUT && head->word & WF_PORT_PAIRS &&
	    comm->pairs_stray)
		return true;
	/* Constructors that are under way may open it still. */
	if (head->word == WF_PORT_IDS && !wf_list_empty(&comm->takers))
		return false;
	/* Who gave it up, and waits for others to do so, opens no port. */
	return head->word < comm->ports_given || comm->freed;
}

/* Does p2p/ listen?  It begins to at the first mail, if it may. */
static bool is_heard(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);

	if (!job->mailbox.matched && ctx->listen)
		ctx->listen(job);
	return job->mailbox.matched;
}

/* Of p2p/ only what is not heard. */
static void to_port(struct weft_job *job, const struct wf_letter *letter)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct weft_comm *comm = NULL;
	struct wf_port *port = NULL;

	if (!wf_mail_is_p2p(&letter->head))
		comm = wf_comm_find(ctx, letter->head.context);
	if (comm)
		port = wf_map_get(&comm->ports, letter->head.word);
	if (port)
		port->deliver(port, letter);
	else if (is_vain(ctx, &letter->head))
		drop(job, letter);
	else
		park(job, letter);
}

static void to_context(struct weft_job *job, const struct wf_letter *letter)
{
	if (wf_mail_is_p2p(&letter->head) && is_heard(job))
		job->mailbox.matched(job, letter);
	else
		to_port(job, letter);
}

/* Upcall of job/, which hears of communicators that were aborted. */
static bool is_member(struct weft_job *job, uint64_t context, int rank)
{
	struct weft_comm *comm = wf_comm_find(wf_contexts(job), context);

	return comm && !comm->freed && wf_group_find(comm->group, rank) >= 0;
}

static bool has_parked_p2p(const struct wf_contexts *ctx)
{
	struct wf_list *at = ctx->parked.next;

	while (at != &ctx->parked &&
	       !wf_mail_is_p2p(&wf_container(at, struct parked, link)->head))
		at = at->next;
	return at != &ctx->parked;
}

void wf_ports_clear(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct wf_list *at;

	/* Those that nobody will receive have senders that wait to hear so. */
	if (has_parked_p2p(ctx))
		is_heard(job);
	at = ctx->parked.next;

	while (at != &ctx->parked) {
		struct parked *p = wf_container(at, struct parked, link);
		struct wf_letter letter = { p->from, p->head, p->payload };

		at = at->next;
		if (!is_vain(ctx, &p->head))
			continue;
		wf_list_del(&p->link);
		ctx->nparked--;
		/* One that has gone meanwhile awaits no answer. */
		if (wf_peer_is_there(p->from))
			drop(job, &letter);
		else
			wf_mail_drop(job, &letter, "its sender is gone");
		put_place(ctx, p);
	}
	if (ctx->swept)
		ctx->swept(job);
}

void wf_ports_hand_over(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct wf_list *at = ctx->parked.next;

	while (at != &ctx->parked) {
		struct parked *p = wf_container(at, struct parked, link);
		struct wf_letter letter = { p->from, p->head, p->payload };

		at = at->next;
		if (!wf_mail_is_p2p(&p->head))
			continue;
		wf_list_del(&p->link);
		ctx->nparked--;
		job->mailbox.matched(job, &letter);
		put_place(ctx, p);
	}
}

static bool is_for(const struct parked *p, const struct weft_comm *comm,
		   uint32_t number)
{
	return p->head.context == comm->id && p->head.word == number &&
	       !wf_mail_is_p2p(&p->head);
}

bool wf_port_take(struct weft_comm *comm, uint32_t number,
		  bool (*take)(void *arg, const struct wf_letter *letter),
		  void *arg)
{
	struct wf_contexts *ctx = wf_contexts(comm->job);
	struct wf_list *at;

	for (at = ctx->parked.next; at != &ctx->parked; at = at->next) {
		struct parked *p = wf_container(at, struct parked, link);
		struct wf_letter letter = { p->from, p->head, p->payload };

		if (!is_for(p, comm, number) || !take(arg, &letter))
			continue;
		wf_list_del(&p->link);
		ctx->nparked--;
		put_place(ctx, p);
		return true;
	}
	return false;
}

static void give(struct weft_comm *comm, uint32_t number)
{
	if (number < WF_PORT_COLL && number >= comm->ports_given)
		comm->ports_given = number + 1;
}

void wf_port_pass_over(struct weft_comm *comm, uint32_t number)
{
	give(comm, number);
	wf_ports_clear(comm->job);
}

int wf_port_open(struct weft_comm *comm, struct wf_port *port)
{
	struct wf_contexts *ctx = wf_contexts(comm->job);
	int status = wf_map_put(&comm->ports, port->number, port);
	struct wf_list *at;

	if (status)
		return status;
	give(comm, port->number);
	for (at = ctx->parked.next; at != &ctx->parked;) {
		struct parked *p = wf_container(at, struct parked, link);
		struct wf_letter letter = { p->from, p->head, p->payload };

		at = at->next;
		if (!is_for(p, comm, port->number))
			continue;
		wf_list_del(&p->link);
		ctx->nparked--;
		port->deliver(port, &letter);
		put_place(ctx, p);
	}
	return WEFT_OK;
}

void wf_port_close(struct weft_comm *comm, struct wf_port *port)
{
	wf_map_del(&comm->ports, port->number);
}

int wf_contexts_init(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_zeroed(1, sizeof(*ctx));

	if (!ctx)
		return WEFT_ERR_NOMEM;
	wf_map_init(&ctx->comms);
	wf_list_init(&ctx->groups);
	wf_list_init(&ctx->infos);
	wf_list_init(&ctx->leftovers);
	wf_list_init(&ctx->parked);
	wf_list_init(&ctx->places);
	if (make_places(ctx)) {
		drop_all(&ctx->places);
		free(ctx);
		return WEFT_ERR_NOMEM;
	}
	wf_cid_space_init(&ctx->ids, job->size, job->rank, NULL, RANGES_KEPT);
	job->comms = ctx;
	job->mailbox.to_context = to_context;
	job->is_member = is_member;
	return WEFT_OK;
}

/* Requests, groups and info objects that the program did not free. */
static void drop_objects(struct wf_contexts *ctx)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&ctx->leftovers))) {
		struct wf_leftover *left = wf_container(
			at, struct wf_leftover, link);

		left->drop(left);
	}
	while ((at = wf_list_first(&ctx->groups))) {
		struct weft_group *group = wf_container(at, struct weft_group,
							link);

		group->refs = 1;
		wf_group_drop(group);
	}
	while ((at = wf_list_first(&ctx->infos))) {
		struct weft_info *info = wf_container(at, struct weft_info,
						      link);

		info->refs = 1;
		wf_info_drop(info);
	}
}

void wf_contexts_fini(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);
	size_t cursor = 0;
	uint64_t id;
	void *comm;

	if (!ctx)
		return;
	job->mailbox.to_context = NULL;
	job->is_member = NULL;
	if (ctx->lacks)
		wf_poller_del(job, &ctx->lacking);
	/* What the program did not free goes with its job. */
	while (wf_map_next(&ctx->comms, &cursor, &id, &comm)) {
		((struct weft_comm *)comm)->refs = 1;
		wf_comm_drop(comm);
		cursor--;	/* the gap was closed from behind */
	}
	drop_objects(ctx);
	/* requests that are left hold their types */
	if (ctx->office)
		ctx->office->destroy(ctx->office);
	wf_types_drop(job);
	wf_ops_drop(job);
	wf_keyvals_drop(job);
	drop_all(&ctx->parked);
	drop_all(&ctx->places);
	if (ctx->spare_answer)
		wf_owe_not(ctx->spare_answer);
	free(ctx->spare_answer);
	wf_map_fini(&ctx->comms);
	wf_cid_space_fini(&ctx->ids);
	free(ctx);
	job->comms = NULL;
}
