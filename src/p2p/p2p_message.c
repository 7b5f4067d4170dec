/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that come: matched, or kept until a receive takes them.  Those for a
 * context that is still to come are early, and matched in the order in which
 * they came; those for one that was freed are dropped.
 *
 * A message without memory is lost.  Then nobody knows which receive is whose:
 * all that wait for its sender fail, and so does what it awaits an answer for.
 */
#include <stdlib.h>
#include <string.h>
#include "p2p/p2p_content.h"
#include "p2p/p2p_office.h"

static bool is_short(const struct wf_p2p_note *note)
{
	return note->what == WF_P2P_SHORT;
}

/* All of it has come, and its sender has, or needs, no answer. */
static void release(struct wf_p2p_message *msg)
{
	bool whole = !is_short(&msg->note) || msg->come == msg->note.bytes ||
		     msg->pair->partial != msg;

	if (!whole || msg->answer.queued)
		return;
	wf_list_del(&msg->link);
	free(msg);
}

/* ---- answers ---- */

static uint16_t build(struct wf_owed *owed, struct wf_mail *head,
		      void *payload)
{
	struct wf_p2p_message *msg = wf_container(owed, struct wf_p2p_message,
						  answer);

	return wf_p2p_write(head, msg->context, payload, &msg->answered);
}

static void settled(struct wf_owed *owed, int status)
{
	struct wf_p2p_message *msg = wf_container(owed, struct wf_p2p_message,
						  answer);

	(void)status;
	if (!msg->to)
		release(msg);
}

/* The one who takes it needs it no more. */
static void leave(struct wf_p2p_message *msg)
{
	if (msg->to)
		msg->to->msg = NULL;
	msg->to = NULL;
	release(msg);
}

void wf_p2p_answer(struct wf_p2p_message *msg, enum wf_p2p_what what,
		   uint64_t bytes, int status)
{
	msg->answered = (struct wf_p2p_note){
		.what = what, .tag = status, .bytes = bytes,
		.serial = msg->note.serial
	};
	msg->answer.build = build;
	msg->answer.settled = settled;
	wf_list_del(&msg->link);
	wf_list_add_tail(&msg->pair->office->answers, &msg->link);
	wf_owe(msg->pair->peer, &msg->answer);
}

void wf_p2p_abandon(struct wf_p2p_message *msg)
{
	if (msg->pair->partial == msg)
		msg->pair->partial = NULL;
	leave(msg);
}

/* Its communicator, by the program; one that is still to come was not. */
static bool is_freed(const struct wf_p2p_message *msg)
{
	struct wf_contexts *ctx = wf_contexts(msg->pair->office->job);
	const struct weft_comm *comm = wf_comm_find(ctx, msg->context);

	return comm ? comm->freed : wf_cid_is_freed(&ctx->ids, msg->context);
}

void wf_p2p_forget(struct wf_p2p_message *msg)
{
	struct wf_p2p_pair *pair = msg->pair;
	struct weft_job *job = pair->office->job;
	bool closes = job->leaving && !is_freed(msg);

	job->mailbox.dropped++;
	wf_debug(&job->log, "dropped a message of %llu bytes from rank %d, tag "
		 "%d: %s", (unsigned long long)msg->note.bytes,
		 pair->peer->rank, msg->note.tag, closes ?
		 "the job closes" : "its communicator was freed");
	wf_pair_taken(pair, is_short(&msg->note) ? msg->note.bytes : 0);
	if (pair->partial == msg)
		pair->partial = NULL;
	/* either is the end of it, at once where nobody is there to hear */
	if (msg->note.serial)
		wf_p2p_answer(msg, is_short(&msg->note) ? WF_P2P_TAKEN :
			      WF_P2P_GO, 0, closes ? WEFT_ERR_PEER :
						     WEFT_ERR_GRAPH);
	else
		release(msg);
}

/* ---- content ---- */

/* n bytes more; of those that wait there is room for all. */
static void put(struct wf_p2p_message *msg, const void *content, uint64_t n)
{
	if (msg->to)
		wf_p2p_take(msg->to, msg->come, content, n);
	else
		memcpy(msg->content + msg->come, content, n);
	msg->come += n;
}

static void end_if_whole(struct wf_p2p_message *msg)
{
	struct wf_p2p_request *to = msg->to;

	if (msg->come < msg->note.bytes || !to)
		return;
	leave(msg);
	wf_office_end(to);
}

/* The receive has its message. */
static void accept(struct wf_p2p_request *req, struct wf_p2p_pair *pair,
		   struct weft_envelope from, uint64_t bytes)
{
	req->pair = pair;
	req->got.source = from.rank;
	req->got.tag = from.tag;
	req->got.bytes = bytes;
	if (bytes > req->bytes)
		wf_p2p_fail(req, WEFT_ERR_TRUNCATE, "%s: a message of %llu "
			    "bytes from rank %d, tag %d, for %llu bytes: "
			    "enlarge the buffer", req->call,
			    (unsigned long long)bytes, from.rank, from.tag,
			    (unsigned long long)req->bytes);
}

void wf_p2p_join(struct wf_p2p_message *msg, struct wf_p2p_request *req,
		 const void *content)
{
	uint64_t come = msg->come;

	msg->to = req;
	req->msg = msg;
	accept(req, msg->pair, weft_from(msg->match.source, msg->note.tag),
	       msg->note.bytes);
	if (!is_short(&msg->note)) {
		wf_pair_taken(msg->pair, 0);
		/* its sender has given it up, or will */
		if (msg->pair->peer->unheard) {
			leave(msg);
			return;
		}
		req->wanted = wf_p2p_min(msg->note.bytes, req->bytes);
		wf_list_add_tail(&msg->pair->office->begin, &req->queue);
		return;
	}
	wf_pair_taken(msg->pair, msg->note.bytes);
	if (msg->note.serial)
		wf_p2p_answer(msg, WF_P2P_TAKEN, 0, WEFT_OK);
	msg->come = 0;
	put(msg, content, come);
	end_if_whole(msg);
}

/* ---- what comes ---- */

/* A mail, taken apart. */
struct parcel {
	const struct wf_letter *letter;
	struct wf_p2p_note note;
	const char *content;
	uint64_t bytes;			/* of it that are in the mail */
};

/* It holds so many bytes of content. */
static struct wf_p2p_message *new_message(struct wf_p2p_pair *pair,
					  uint64_t context,
					  const struct wf_p2p_note *note,
					  uint64_t content)
{
	struct wf_p2p_message *msg = malloc(sizeof(*msg) + content);

	if (!msg)
		return NULL;
	memset(msg, 0, sizeof(*msg));
	wf_list_init(&msg->link);
	msg->pair = pair;
	msg->context = context;
	msg->note = *note;
	msg->match.tag = note->tag;
	return msg;
}

/* The receive that waits for one; NULL: none does. */
static struct wf_p2p_request *claim(struct wf_p2p *p2p, int source, int tag)
{
	struct wf_match_receive *receive = wf_match_claim(&p2p->match, source,
							  tag);
	struct wf_p2p_request *req;

	if (!receive)
		return NULL;
	req = wf_container(receive, struct wf_p2p_request, receive);
	wf_pair_await_not(req);
	return req;
}

static int source_of(const struct weft_comm *comm,
		     const struct wf_p2p_pair *pair)
{
	return wf_group_find(comm->group, pair->peer->rank) -
	       wf_remote_first(comm);
}

/* The receive that waits for one of the pair, and the rank of that. */
static inline struct wf_p2p_request *claim_from(struct wf_p2p_pair *pair,
						uint64_t context, int tag,
						int *source_p)
{
	struct wf_contexts *ctx = wf_contexts(pair->office->job);
	struct weft_comm *comm = wf_comm_find(ctx, context);

	*source_p = comm && comm->p2p ? source_of(comm, pair) : -1;
	if (*source_p < 0 || pair->peer->unheard)
		return NULL;
	return claim(wf_p2p_of(comm), *source_p, tag);
}

/*
 * One that is whole, and whose sender awaits no answer, needs no place; false:
 * no receive waits for it.
 */
static bool hand_over(struct wf_p2p_pair *pair, const struct wf_letter *letter)
{
	int source, tag = (int32_t)letter->head.word;
	struct wf_p2p_request *req = claim_from(pair, letter->head.context, tag,
						&source);
	uint64_t bytes = letter->head.length;

	if (!req)
		return false;
	accept(req, pair, weft_from(source, tag), bytes);
	wf_p2p_take(req, 0, letter->payload, bytes);
	wf_pair_taken(pair, bytes);
	wf_office_end(req);
	return true;
}

/*
 * Will nobody receive one that no receive waits for?  What is under way holds a
 * freed communicator, but begins no receive; only a persistent one may.
 */
static bool is_vain(struct weft_job *job, const struct wf_p2p_message *msg)
{
	struct weft_comm *comm = wf_comm_find(wf_contexts(job), msg->context);

	if (job->leaving || !is_freed(msg))
		return job->leaving;
	return !comm || !comm->p2p || !wf_p2p_of(comm)->standing;
}

/* Of a communicator that is there; one that was freed gets none. */
static struct wf_p2p *room_of(struct weft_comm *comm)
{
	return comm && (comm->p2p || !comm->freed) ? wf_p2p_of(comm) : NULL;
}

/* Whole, or its first piece: no receive waits for it. */
static void keep(struct wf_p2p_message *msg, const void *content)
{
	struct weft_job *job = msg->pair->office->job;
	struct weft_comm *comm = wf_comm_find(wf_contexts(job), msg->context);
	struct wf_p2p *p2p = room_of(comm);

	msg->match.source = comm ? source_of(comm, msg->pair) : 0;
	if (msg->match.source < 0 || is_vain(job, msg)) {
		wf_p2p_forget(msg);
		return;
	}
	memcpy(msg->content, content, msg->come);
	if (p2p)
		wf_match_keep(&p2p->match, &msg->match);
	else
		wf_list_add_tail(&msg->pair->office->early, &msg->link);
}

static void drop(const struct wf_p2p_pair *pair, const struct wf_letter *letter)
{
	wf_mail_drop(pair->office->job, letter, "of a strange length");
}

static bool has_strange_length(const struct parcel *parcel)
{
	uint64_t bytes = parcel->note.bytes, n = parcel->bytes;

	return is_short(&parcel->note) ? bytes > WF_P2P_SHORT_MAX ||
					 n > bytes || (!n && bytes) : n > 0;
}

static void comes(struct wf_p2p_pair *pair, const struct parcel *parcel)
{
	uint64_t n = parcel->bytes, context = parcel->letter->head.context;
	const struct wf_p2p_note *note = &parcel->note;
	struct wf_p2p_message *msg = NULL;
	struct wf_p2p_request *req;
	int source;

	if (has_strange_length(parcel)) {
		drop(pair, parcel->letter);
		return;
	}
	pair->arrived++;
	pair->left = is_short(note) ? note->bytes - n : 0;
	pair->partial = NULL;
	req = claim_from(pair, context, note->tag, &source);
	if (!pair->peer->unheard)
		msg = new_message(pair, context, note,
				  is_short(note) && !req ? note->bytes : 0);
	if (!msg) {
		wf_pair_lose(pair);
		return;
	}
	msg->come = n;
	pair->partial = pair->left ? msg : NULL;
	if (pair->left && !pair->listed)
		wf_pair_list(pair);
	msg->match.source = source;
	if (req)
		wf_p2p_join(msg, req, parcel->content);
	else
		keep(msg, parcel->content);
}

static void more(struct wf_p2p_pair *pair, const struct wf_letter *letter)
{
	uint64_t n = letter->head.length;
	struct wf_p2p_message *msg = pair->partial;

	if (!n || n > pair->left) {
		drop(pair, letter);
		return;
	}
	pair->left -= n;
	if (!msg)
		return;
	put(msg, letter->payload, n);
	if (!pair->left)
		pair->partial = NULL;
	end_if_whole(msg);
}

/* Why nobody receives it there. */
static const char *why(int status)
{
	if (status == WEFT_ERR_GRAPH)
		return "it has freed the communicator";
	return status == WEFT_ERR_PEER ? "it has closed its job" :
					 "it has no memory for the message";
}

/* The other end refuses it: perhaps because of a death, told before. */
static void refused(struct wf_p2p_request *req, int status)
{
	bool follows = status == WEFT_ERR_GRAPH || status == WEFT_ERR_PEER;
	const char *reason = why(status);
	char dead[WF_PEER_WHY] = "";

	if (follows && wf_comm_blame(req->base.comm, req->pair->peer, dead,
				     sizeof(dead)))
		status = WEFT_ERR_PEER;
	wf_p2p_fail(req, status, "%s: rank %d, tag %d: %s%s", req->call,
		    req->rank, req->tag, reason, dead);
}

/* A message of this process has its receive, or never will. */
static void answered(struct wf_p2p_pair *pair,
		     const struct wf_letter *letter,
		     const struct wf_p2p_note *note)
{
	bool go = note->what == WF_P2P_GO;
	struct wf_p2p_request *req = wf_pair_answered(pair, note->serial, go);

	if (!req) {
		wf_mail_drop(pair->office->job, letter, "nobody awaits it");
		return;
	}
	req->wanted = wf_p2p_min(note->bytes, req->bytes);
	if (note->tag)
		refused(req, note->tag);
	if (!go && req->sent < req->bytes)
		req->synchronous = false;	/* once all of it has left */
	else if (!note->tag && go && req->wanted)
		wf_list_add_tail(&pair->office->begin, &req->queue);
	else
		wf_office_end(req);
}

/* false: it is too short for what it is. */
static bool take_apart(const struct wf_letter *letter, struct parcel *parcel)
{
	parcel->letter = letter;
	parcel->bytes = letter->head.length;
	if (parcel->bytes < sizeof(parcel->note))
		return false;
	memcpy(&parcel->note, letter->payload, sizeof(parcel->note));
	parcel->content = (const char *)letter->payload + sizeof(parcel->note);
	parcel->bytes -= sizeof(parcel->note);
	return true;
}

/* A whole one that no receive waits for. */
static void whole_comes(struct wf_p2p_pair *pair,
			const struct wf_letter *letter)
{
	const struct parcel parcel = {
		letter, {
			.what = WF_P2P_SHORT, .tag = (int32_t)letter->head.word,
			.bytes = letter->head.length
		}, letter->payload, letter->head.length
	};

	comes(pair, &parcel);
}

/* Each as if it had come in a mail of its own. */
static void several_come(struct wf_p2p_pair *pair, const struct parcel *parcel)
{
	struct wf_letter each = *parcel->letter;
	const char *at = parcel->content, *end = at + parcel->bytes;
	struct wf_p2p_item item = { .bytes = 0 };

	each.head.kind = WF_MAIL_MESSAGE;
	while ((size_t)(end - at) >= sizeof(item)) {
		memcpy(&item, at, sizeof(item));
		at += sizeof(item);
		if (item.bytes > (size_t)(end - at))
			break;
		each.head.word = (uint32_t)item.tag;
		each.head.length = (uint16_t)item.bytes;
		each.payload = at;
		wf_p2p_deliver(pair->office->job, &each);
		at += item.bytes;
		item.bytes = 0;
	}
	if (at != end || item.bytes)
		drop(pair, parcel->letter);
}

static void mail_comes(struct wf_p2p_pair *pair, const struct wf_letter *letter)
{
	struct parcel parcel;

	if (!take_apart(letter, &parcel)) {
		drop(pair, letter);
		return;
	}
	switch (parcel.note.what) {
	case WF_P2P_SHORT:
	case WF_P2P_LONG:
	case WF_P2P_LONG_GAPS:
		comes(pair, &parcel);
		break;
	case WF_P2P_GO:
	case WF_P2P_TAKEN:
		answered(pair, letter, &parcel.note);
		break;
	case WF_P2P_BUDGET:
	case WF_P2P_WANT:
		wf_pair_deliver(pair, &parcel.note);
		break;
	case WF_P2P_SEVERAL:
		several_come(pair, &parcel);
		break;
	default:
		wf_mail_drop(pair->office->job, letter, "not of a message");
	}
}

void wf_p2p_deliver(struct weft_job *job, const struct wf_letter *letter)
{
	struct wf_office *office = wf_container(wf_contexts(job)->office,
						struct wf_office, cargo);
	struct wf_p2p_pair *pair = wf_pair_of(office, letter->from);

	if (!pair) {
		letter->from->unheard = office->lost = true;
		office->gone_seen--;
	} else if (letter->head.kind == WF_MAIL_PIECE) {
		more(pair, letter);
	} else if (letter->head.kind == WF_MAIL_P2P) {
		mail_comes(pair, letter);
	} else if (hand_over(pair, letter)) {
		pair->arrived++;
		pair->left = 0;
		pair->partial = NULL;
	} else {
		whole_comes(pair, letter);
	}
}

/* ---- early ones ---- */

void wf_p2p_adopt(struct wf_p2p *p2p)
{
	struct wf_list *early = &p2p->office->early, *at = early->next;

	while (at != early) {
		struct wf_p2p_message *msg =
			wf_container(at, struct wf_p2p_message, link);
		struct wf_p2p_request *req;

		at = at->next;
		if (msg->context != p2p->comm->id)
			continue;
		wf_list_del(&msg->link);
		msg->match.source = source_of(p2p->comm, msg->pair);
		if (msg->match.source < 0) {
			wf_p2p_forget(msg);
			continue;
		}
		req = claim(p2p, msg->match.source, msg->match.tag);
		if (req)
			wf_p2p_join(msg, req, msg->content);
		else
			wf_match_keep(&p2p->match, &msg->match);
	}
}

void wf_p2p_clear(struct wf_p2p *p2p)
{
	struct wf_match_message *match;

	while ((match = wf_match_any_message(&p2p->match))) {
		wf_match_take(&p2p->match, match);
		wf_p2p_forget(wf_container(match, struct wf_p2p_message,
					   match));
	}
}

static void clear_all(struct wf_contexts *ctx)
{
	size_t cursor = 0;
	void *value;

	while (wf_map_next(&ctx->comms, &cursor, NULL, &value)) {
		struct weft_comm *comm = value;

		if (comm->p2p)
			wf_p2p_clear(wf_p2p_of(comm));
	}
}

void wf_p2p_sweep(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct wf_office *office = wf_container(ctx->office, struct wf_office,
						cargo);
	struct wf_list *at = office->early.next;

	while (at != &office->early) {
		struct wf_p2p_message *msg =
			wf_container(at, struct wf_p2p_message, link);

		at = at->next;
		if (is_vain(job, msg)) {
			wf_list_del(&msg->link);
			wf_p2p_forget(msg);
		}
	}
	if (job->leaving)
		clear_all(ctx);
}
