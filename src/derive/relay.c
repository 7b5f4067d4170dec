/* SPDX-License-Identifier: BSD-3-Clause */
/* Ids go down a tree of the members of a group: see relay.h. */
#include "derive/relay.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"

enum {
	HOPS = WF_CID_OWNER_BITS_MAX,	/* children of the first rank */
	NOBODY = -1
};

/* One rank below this one in the tree. */
struct hop {
	struct wf_owed mail;
	struct relay *relay;
	int rank;			/* in the world, as all ranks here */
	bool owed;			/* it is, or was */
};

struct relay {
	struct weft_comm *parent;
	const struct weft_group *group;
	const char *call;
	struct wf_poller poller;
	struct wf_relay_note note;		/* what goes down */
	int source;			/* NOBODY: this is the first rank */
	bool heard;			/* the note is complete */
	bool over;
	uint64_t looked;		/* at so many parked mails, and */
	bool has_looked;
	int status;			/* WEFT_OK, or why it failed */
	int nhops, unsent;
	struct hop hop[HOPS];
	char why[WF_ERROR_TEXT];
};

static void fail(struct relay *r, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fail(struct relay *r, int status, const char *fmt, ...)
{
	va_list args;

	if (r->status)
		return;
	r->status = status;
	va_start(args, fmt);
	vsnprintf(r->why, sizeof(r->why), fmt, args);
	va_end(args);
}

static void fail_by(struct relay *r, const struct wf_peer *peer)
{
	if (!r->status && peer->state == WF_PEER_DEAD)
		r->note.dead = peer->rank;
	fail(r, wf_peer_status(peer), "rank %d on host %s %s", peer->rank,
	     wf_peer_host(peer), wf_peer_why(peer));
}

/* ---- what comes from above ---- */

static void fail_alike(struct relay *r, const struct wf_relay_note *note,
		       const struct wf_peer *from)
{
	struct wf_peer *dead = NULL;

	if (note->dead >= 0 && note->dead < r->parent->job->size)
		dead = wf_peer_get(r->parent->job, note->dead);
	if (dead && dead->rank != r->parent->job->rank) {
		wf_peer_gone(dead, WF_PEER_DEAD, "is dead, as a rank of its "
			     "group told");
		fail_by(r, dead);
	}
	fail(r, note->status, "rank %d on host %s failed with %s", from->rank,
	     wf_peer_host(from), weft_status_name(note->status));
}

static void understand(struct relay *r, const struct wf_relay_note *note,
		       const struct wf_peer *from)
{
	if (note->print != r->note.print) {
		fail(r, WEFT_ERR_ARG, "rank %d on host %s passed another group "
		     "with tag %d", r->source, wf_peer_host(from), note->tag);
		return;
	}
	r->note.low = note->low;
	r->note.end = note->end;
	if (note->status)
		fail_alike(r, note, from);
}

/*
 * While all members of the parent live, what is sent is waited for, in its
 * order.
 */
static bool is_of_another_call(const struct relay *r,
			       const struct wf_relay_note *note)
{
	return note->tag != r->note.tag ||
	       (note->print != r->note.print &&
		(note->deaths || wf_comm_dead(r->parent)));
}

static bool take(void *arg, const struct wf_letter *letter)
{
	struct relay *r = arg;
	struct wf_relay_note note;

	if (letter->from->rank != r->source ||
	    letter->head.length != sizeof(note))
		return false;
	memcpy(&note, letter->payload, sizeof(note));
	if (is_of_another_call(r, &note))
		return false;
	understand(r, &note, letter->from);
	return true;
}

static bool has_come(struct relay *r)
{
	uint64_t parked = wf_contexts(r->parent->job)->parked_ever;

	if (r->has_looked && r->looked == parked)
		return false;
	r->has_looked = true;
	r->looked = parked;
	return wf_port_take(r->parent, WF_PORT_RELAY, take, r);
}

static struct wf_peer *find_dead(struct relay *r)
{
	struct weft_job *job = r->parent->job;
	bool any = wf_comm_dead(r->parent);

	for (int i = 0; any && i < r->group->size; i++) {
		struct wf_peer *peer = wf_peer_find(
			job, wf_group_world_rank(r->group, i));

		if (peer && peer->state == WF_PEER_DEAD)
			return peer;
	}
	return NULL;
}

static const char *host_of(const struct relay *r, int rank)
{
	const struct wf_peer *peer = wf_peer_get(r->parent->job, rank);

	return peer ? wf_peer_host(peer) : "?";
}

/* Nothing has come; can it still? */
static bool is_vain(struct relay *r)
{
	struct wf_peer *source = wf_peer_find(r->parent->job, r->source);
	struct wf_peer *dead = find_dead(r);

	if (dead)
		fail_by(r, dead);
	else if (r->parent->relays_lost)
		fail(r, WEFT_ERR_NOMEM, "no memory for a mail, perhaps that of "
		     "rank %d on host %s", r->source, host_of(r, r->source));
	else if (source && !wf_peer_is_there(source))
		fail_by(r, source);
	return r->status;
}

static void mint(struct relay *r)
{
	struct wf_cid_space *ids = &wf_contexts(r->parent->job)->ids;

	if (wf_cid_mint(ids, &r->note.low, &r->note.end))
		fail(r, WEFT_ERR_NOMEM, "it has no context ids left, and none "
		     "is given twice: make fewer communicators, and keep them");
}

static void hear(struct relay *r)
{
	struct wf_peer *dead;

	if (r->source == NOBODY)
		mint(r);
	else if (!has_come(r) && !is_vain(r))
		return;
	r->heard = true;
	dead = find_dead(r);
	if (dead)
		fail_by(r, dead);
	for (int i = 0; i < r->nhops; i++) {
		const struct wf_peer *child = wf_peer_find(r->parent->job,
							   r->hop[i].rank);

		if (child && !wf_peer_is_there(child))
			fail_by(r, child);
	}
}

/* ---- what goes below ---- */

static uint16_t build(struct wf_owed *owed, struct wf_mail *head, void *payload)
{
	struct hop *hop = wf_container(owed, struct hop, mail);
	struct relay *r = hop->relay;

	head->kind = WF_MAIL_RELAY;
	head->word = WF_PORT_RELAY;
	head->context = r->parent->id;
	r->note.status = r->status;
	r->note.deaths = wf_comm_dead(r->parent) != NULL;
	memcpy(payload, &r->note, sizeof(r->note));
	return sizeof(r->note);
}

static void settled(struct wf_owed *owed, int status)
{
	struct hop *hop = wf_container(owed, struct hop, mail);
	struct relay *r = hop->relay;

	r->unsent--;
	if (status)
		fail_by(r, wf_peer_find(r->parent->job, hop->rank));
}

/* Without memory for a peer it is tried again. */
static void tell(struct relay *r)
{
	for (int i = 0; i < r->nhops; i++) {
		struct hop *hop = &r->hop[i];
		struct wf_peer *peer;

		if (hop->owed)
			continue;
		peer = wf_peer_get(r->parent->job, hop->rank);
		if (!peer)
			continue;
		hop->owed = true;
		wf_owe(peer, &hop->mail);
	}
}

/* ---- the wait ---- */

static void step(struct relay *r)
{
	if (!r->heard)
		hear(r);
	if (r->heard)
		tell(r);
	r->over = r->heard && !r->unsent;
}

static bool poll(struct wf_poller *poller)
{
	struct relay *r = wf_container(poller, struct relay, poller);

	bool heard = r->heard;

	if (r->over)
		return false;
	step(r);
	return r->over || r->heard != heard;
}

static int waits_for(struct wf_poller *poller, int *cursor)
{
	struct relay *r = wf_container(poller, struct relay, poller);

	if (!r->heard)
		return (*cursor)++ ? NOBODY : r->source;
	while (*cursor < r->nhops) {
		const struct hop *hop = &r->hop[(*cursor)++];

		if (!hop->owed || hop->mail.queued)
			return hop->rank;
	}
	return NOBODY;
}

static void describe(void *arg, char *text, size_t bytes)
{
	struct relay *r = arg;
	int cursor = 0, rank = waits_for(&r->poller, &cursor);

	wf_text_add(text, bytes, "%s with tag %d of %d ranks of ", r->call,
		    r->note.tag, r->group->size);
	wf_comm_tell(r->parent, text, bytes);
	wf_text_add(text, bytes, ": ids %s rank %d on host %s",
		    r->heard ? "to" : "from", rank,
		    rank == NOBODY ? "?" : host_of(r, rank));
}

static void report(struct wf_poller *poller, struct wf_report *to)
{
	char text[WF_ERROR_TEXT] = "";

	describe(wf_container(poller, struct relay, poller), text,
		 sizeof(text));
	wf_report_line(to, "  %s", text);
}

static bool is_over(void *arg)
{
	return ((struct relay *)arg)->over;
}

/* The lowest bit of a rank is its edge up, those below are its edges down. */
static void find_hops(struct relay *r)
{
	int me = r->group->rank, size = r->group->size;
	int up = me & -me;

	r->source = me ? wf_group_world_rank(r->group, me - up) : NOBODY;
	for (int bit = 1; (!me || bit < up) && bit < size - me; bit *= 2)
		r->hop[r->nhops++] = (struct hop){
			.mail = { .build = build, .settled = settled },
			.relay = r,
			.rank = wf_group_world_rank(r->group, me + bit)
		};
	r->unsent = r->nhops;
}

static void wait(struct relay *r)
{
	struct weft_job *job = r->parent->job;
	struct wf_wait until = { is_over, describe, r };

	step(r);
	if (r->over)
		return;
	r->poller = (struct wf_poller){
		.poll = poll, .waits_for = waits_for, .report = report
	};
	wf_poller_add(job, &r->poller);
	wf_job_wait(job, &until);
	wf_poller_del(job, &r->poller);
}

int wf_relay_block(struct weft_comm *parent,
		   const struct weft_group *group, int tag,
		   const char *call, struct wf_cid_block *block_p)
{
	struct relay r = {
		.parent = parent, .group = group, .call = call,
		.note = { .print = wf_group_print(group), .tag = tag,
			  .dead = NOBODY }
	};

	find_hops(&r);
	wait(&r);
	if (r.note.low < r.note.end)
		*block_p = (struct wf_cid_block){ r.note.low, r.note.end };
	if (r.status)
		return wf_job_fail(parent->job, r.status, "%s: %s", call,
				   r.why);
	return WEFT_OK;
}
