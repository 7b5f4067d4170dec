/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange sets: making and giving up, the window, the mails of their edges.
 */
#include "plan/set.h"

#include <stdlib.h>
#include "base/assert.h"
#include "base/zeroed.h"
#include "plan/channel_signals.h"
#include "plan/inquiry.h"
#include "transport/limits.h"

static void deliver(struct wf_port *port, const struct wf_letter *letter)
{
	struct wf_set *set = wf_container(port, struct wf_set, port);

	switch (letter->head.kind) {
	case WF_MAIL_LANDING:
	case WF_MAIL_GROWTH:
	case WF_MAIL_GROWN:
	case WF_MAIL_READY:
	case WF_MAIL_CLOSED:
		wf_channel_deliver(set, letter);
		break;
	case WF_MAIL_QUESTION:
	case WF_MAIL_ANSWER:
		wf_inquiry_deliver(set, letter);
		break;
	case WF_MAIL_COLL:
		wf_in_mail_deliver(set, letter);
		break;
	default:
		wf_mail_drop(letter->from->job, letter, "not for a set");
	}
}

struct wf_out *wf_set_find_out(const struct wf_set *set,
			       const struct wf_peer *peer,
			       const struct wf_edge *edge)
{
	int i = wf_names_find(&set->outs, edge);

	return i >= 0 && set->out[i].peer == peer ? &set->out[i] : NULL;
}

struct wf_in *wf_set_find_in(const struct wf_set *set,
			     const struct wf_peer *peer,
			     const struct wf_edge *edge)
{
	int i = wf_names_find(&set->ins, edge);

	return i >= 0 && set->in[i].peer == peer ? &set->in[i] : NULL;
}

static bool all_paid(struct wf_set *set)
{
	bool all = true;

	for (int i = 0; i < set->nin; i++)
		if (wf_peer_is_there(set->in[i].peer) &&
		    !set->in[i].talk.ended)
			all &= wf_in_pay(&set->in[i]);
	return all;
}

/*
 * Is nothing on its way to the memory of this edge?  Credits are written by
 * the receiver: as many as the epochs that it consumed give.  Those of chunks
 * have come: the last chunk of a message is put behind all of them, and behind
 * an error, among the chunks, the set asks instead.
 */
static bool out_is_quiet(const struct wf_out *out)
{
	const struct wf_set *set = out->set;
	uint64_t due = out->count->done / (unsigned)set->window;

	if (!wf_peer_is_there(out->peer))
		return true;
	if (out->mail.queued || out->grown.queued || out->talk.owed.queued)
		return false;
	if (!out->told || out->unpaid || out->talk.ended)
		return true;
	/* Where sizes differ a ready line may come that nobody awaits. */
	if (out->ready && !out->closed && !set->refused)
		return false;
	WF_ASSERT(wf_signal_count(out->area_credit, out->area_credit_sig) >=
		  out->area_due);
	return out->has_reverse ||
	       wf_signal_count(out->credit, out->credit_sig) >= due;
}

static bool in_is_quiet(const struct wf_in *in)
{
	if (!wf_peer_is_there(in->peer))
		return true;
	return !in->closed.queued && !in->talk.owed.queued &&
	       !(in->landing && in->landing->mail.queued);
}

static bool is_quiet(struct wf_set *set)
{
	bool quiet = all_paid(set);

	for (int i = 0; quiet && i < set->nout; i++)
		quiet = out_is_quiet(&set->out[i]);
	for (int i = 0; quiet && i < set->nin; i++)
		quiet = in_is_quiet(&set->in[i]);
	return quiet;
}

/* After an error counts do not tell; those who may write do. */
static bool has_ended(const struct wf_set *set)
{
	for (int i = 0; i < set->nout; i++)
		if (!wf_inquiry_out_ended(&set->out[i]))
			return false;
	for (int i = 0; i < set->nin; i++)
		if (!wf_inquiry_in_ended(&set->in[i]))
			return false;
	return true;
}

/* The other end of an edge, in edges first. */
static const struct wf_peer *peer_of(const struct wf_set *set, int i)
{
	return i < set->nin ? set->in[i].peer : set->out[i - set->nin].peer;
}

/* Nobody asks the other end of an edge that is gone what it still writes. */
static void look_at_gone(struct wf_set *set)
{
	if (!set->comm->job->gone)
		return;
	for (int i = 0; !set->broken && i < set->nin + set->nout; i++)
		if (!wf_peer_is_there(peer_of(set, i)))
			set->broken = WEFT_ERR_PEER;
}

/*
 * Once an op has failed here, or a rank is dead, of whatever set, this rank may
 * not have started epochs that others have: their puts come to memory which
 * nobody counts them in.
 */
static bool is_uneven(const struct weft_job *job)
{
	return job->uneven || job->first_dead >= 0;
}

/*
 * In a close of both ends each may wait for what the other gives up when it
 * has closed.  After some time this one goes, so that bye can be said: until
 * all have said theirs the memory stays.
 */
static void look_at_close(struct wf_set *set)
{
	const struct weft_job *job = set->comm->job;

	if (job->leaving && !set->broken &&
	    wf_job_now(job) - job->leaving >= WF_ASK_AGAIN_NS)
		set->broken = WEFT_ERR_PEER;
}

static void leave(struct wf_set *set);

/* Is something to be mailed to it? */
static bool is_mailed(const struct wf_set *set, int i)
{
	if (i >= set->nin)
		return set->out[i - set->nin].talk.owed.queued;
	return set->in[i].talk.owed.queued || set->in[i].closed.queued;
}

/* Is something owed that a rank which is there may wait for? */
static bool has_words(const struct wf_set *set)
{
	for (int i = 0; i < set->nin + set->nout; i++)
		if (is_mailed(set, i))
			return true;
	return false;
}

static bool may_leave(struct wf_set *set)
{
	look_at_gone(set);
	look_at_close(set);
	if (set->broken)
		return !has_words(set);
	return set->asks ? has_ended(set) : is_quiet(set);
}

/* Somebody has credits to get, and the mail that says where was lost. */
static void want_signals(struct wf_set *set)
{
	uint64_t now = wf_job_now(set->comm->job);

	if (now - set->wanted < WF_ASK_AGAIN_NS)
		return;
	set->wanted = now;
	if (set->asks)
		wf_inquiry_remind(set);
	for (int i = 0; i < set->nin; i++)
		if (!set->in[i].heard && wf_in_owes(&set->in[i]))
			wf_inquiry_want(&set->in[i]);
}

static bool pay_dues(struct wf_poller *poller)
{
	struct wf_set *set = wf_container(poller, struct wf_set, dues);

	if (poller->old)
		want_signals(set);
	if (set->closing) {
		if (!may_leave(set))
			return false;
		leave(set);
		return true;
	}
	if (!all_paid(set))
		return false;
	wf_poller_del(set->comm->job, poller);
	set->polled = false;
	return true;
}

/* Is the word of the other end awaited? */
static bool is_asked(const struct wf_set *set, int i)
{
	if (!set->asks)
		return false;
	return i < set->nin ? !wf_inquiry_in_ended(&set->in[i]) :
			      !wf_inquiry_out_ended(&set->out[i - set->nin]);
}

/*
 * For those only who have still to be mailed to, or to answer: over a
 * connection that is broken no mail leaves, and nobody else may look whether
 * they are there.
 */
static int waits_for(struct wf_poller *poller, int *cursor)
{
	struct wf_set *set = wf_container(poller, struct wf_set, dues);

	while (*cursor < set->nin + set->nout) {
		int i = (*cursor)++;

		if (is_mailed(set, i) || is_asked(set, i))
			return peer_of(set, i)->rank;
	}
	return -1;
}

void wf_set_owes(struct wf_set *set)
{
	if (set->polled)
		return;
	set->polled = true;
	wf_poller_add(set->comm->job, &set->dues);
}

/* What mails bring has its place before they come. */
static int reserve(struct wf_set *set, bool mailed)
{
	size_t slots = set->mask + 1;

	set->targets = malloc(((size_t)set->nout * slots + 1) *
			      sizeof(*set->targets));
	if (!set->targets)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < set->nout; i++)
		set->out[i].target = set->targets + i;
	if (mailed && wf_mail_reserve(set))
		return WEFT_ERR_NOMEM;
	return wf_inquiry_reserve(set);
}

/*
 * Is there an edge in the other direction between the same two ranks?  If there
 * is one, there is a first.
 */
static bool is_returned(const struct wf_set *set, const struct wf_edge *edge)
{
	struct wf_edge back = {
		.sender = edge->receiver, .receiver = edge->sender,
		.direction = edge->direction
	};

	/* the two ends of a pair are sets of their own, also at one rank */
	if (edge->sender == edge->receiver)
		return !set->pair;
	return wf_names_find(edge->sender == set->comm->rank ? &set->ins :
							       &set->outs,
			     &back) >= 0;
}

/* Does what comes back tell that the place of an epoch is free? */
static bool has_reverse(const struct wf_set *set,
			const struct wf_set_shape *shape,
			const struct wf_edge *edge)
{
	if (shape->rooted)
		return false;
	return shape->synchronising || is_returned(set, edge);
}

static int name_edges(struct wf_set *set, const struct wf_set_shape *shape)
{
	int status;

	for (int i = 0; i < set->nout; i++)
		set->out[i].edge = shape->out[i];
	for (int i = 0; i < set->nin; i++)
		set->in[i].edge = shape->in[i];
	status = wf_names_init(&set->outs, &set->out->edge, sizeof(*set->out),
			       set->nout);
	return status ? status :
			wf_names_init(&set->ins, &set->in->edge,
				      sizeof(*set->in), set->nin);
}

static int init_edges(struct wf_set *set, const struct wf_set_shape *shape)
{
	struct weft_comm *comm = set->comm;

	for (int i = 0; i < shape->nout; i++) {
		struct wf_out *out = &set->out[i];

		out->set = set;
		out->count = set->counts ? &set->counts[i] : &set->count;
		out->short_since = UINT64_MAX;
		out->line_max = set->line_max;
		out->has_reverse = has_reverse(set, shape, &out->edge);
		out->peer = wf_comm_peer(comm, out->edge.receiver);
		if (!out->peer || (!out->has_reverse &&
				   wf_out_take_credits(out)))
			return WEFT_ERR_NOMEM;
	}
	for (int i = 0; i < shape->nin; i++) {
		struct wf_in *in = &set->in[i];

		in->set = set;
		in->count = set->counts ? &set->counts[set->nout + i] :
					  &set->count;
		in->line_max = set->line_max;
		in->slot_max = set->slot_least;
		in->has_reverse = has_reverse(set, shape, &in->edge);
		in->peer = wf_comm_peer(comm, in->edge.sender);
		if (!in->peer)
			return WEFT_ERR_NOMEM;
	}
	wf_set_find_twins(set);
	return WEFT_OK;
}

static void free_set(struct wf_set *set)
{
	free(set->targets);
	free(set->words);
	free(set->places);
	free(set->outgoing);
	wf_names_fini(&set->outs);
	wf_names_fini(&set->ins);
	free(set->counts);
	free(set->out);
	free(set->in);
	free(set);
}

static void init_count(struct wf_count *count, uint32_t mailed)
{
	count->lost = UINT64_MAX;
	count->mail_end = mailed;
}

/* The same at all ranks: both ends of an edge must say so. */
static uint32_t mailed_epochs(const struct weft_job *job,
			      const struct wf_set_shape *shape)
{
	uint32_t n = job->env.mailed_epochs;

	if (!shape->mailed)
		return 0;
	return n && n < WF_MAILED_EPOCHS ? n : WF_MAILED_EPOCHS;
}

static int make_counts(struct wf_set *set, uint32_t mailed)
{
	int ends = set->nout + set->nin;

	set->counts = wf_zeroed((size_t)ends + 1, sizeof(*set->counts));
	if (!set->counts)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < ends; i++)
		init_count(&set->counts[i], mailed);
	return WEFT_OK;
}

/*
 * What might go as a line counts as small, also to who does not know yet.  The
 * slots of a pair would serve one message each.
 */
static uint32_t least_of_a_slot(const struct wf_config *config,
				const struct wf_set_shape *shape)
{
	uint64_t least = config->slot_max;

	if (least == WF_CONFIG_AUTO)
		least = shape->collective ? WF_SLOT_COLL : WF_SLOT_LEAST;
	if (shape->pair || least < config->line_max)
		least = config->line_max;
	return shape->by_ready ? 0 : (uint32_t)least;
}

int wf_set_create(struct weft_comm *comm, const struct wf_set_shape *shape,
		  struct wf_set **set_p)
{
	struct weft_job *job = comm->job;
	struct wf_set *set = wf_zeroed(1, sizeof(*set));
	int status = WEFT_ERR_NOMEM;
	uint32_t mailed;

	if (!set)
		return status;
	set->comm = comm;
	set->window = set->ahead = shape->window;
	set->mask = 2 * (unsigned)shape->window - 1;
	set->next_seq = 1;
	mailed = mailed_epochs(job, shape);
	init_count(&set->count, mailed);
	set->nout = shape->nout;
	set->nin = shape->nin;
	set->dues.poll = pay_dues;
	set->dues.waits_for = waits_for;
	set->port.number = shape->number;
	set->there = shape->pair ? shape->there : shape->number;
	set->pair = shape->pair;
	set->collective = shape->collective;
	set->line_max = shape->by_ready ? 0 : (uint32_t)job->config.line_max;
	set->slot_least = least_of_a_slot(&job->config, shape);
	set->port.deliver = deliver;
	/* a byte more, as calloc() may give NULL for none */
	set->out = wf_zeroed(1, (size_t)shape->nout * sizeof(*set->out) + 1);
	set->in = wf_zeroed(1, (size_t)shape->nin * sizeof(*set->in) + 1);
	if (set->out && set->in)
		status = name_edges(set, shape);
	if (!status && shape->rooted)
		status = make_counts(set, mailed);
	if (!status)
		status = init_edges(set, shape);
	if (!status)
		status = reserve(set, mailed);
	if (!status)
		status = wf_port_open(comm, &set->port);
	if (status) {
		for (int i = 0; set->out && i < set->nout; i++)
			if (set->out[i].peer)
				wf_out_release(&set->out[i]);
		free_set(set);
		return status;
	}
	*set_p = set;
	return WEFT_OK;
}

void wf_set_tidy(struct wf_set *set)
{
	set->untidy = false;
	for (int i = 0; i < set->nin; i++)
		set->untidy |= !wf_in_tidy(&set->in[i]);
}

void wf_count_complete_early(struct wf_count *count, uint64_t epoch)
{
	count->early |= 1u << (epoch - count->done);
	while (count->early & 1) {
		count->early >>= 1;
		count->done++;
	}
}

/* Nothing is under way any more: give everything back. */
static void leave(struct wf_set *set)
{
	struct weft_comm *comm = set->comm;

	if (set->polled)
		wf_poller_del(comm->job, &set->dues);
	wf_port_close(comm, &set->port);
	/* Of what failed nobody knows whether it comes after all. */
	for (int i = 0; i < set->nout; i++)
		if (set->out[i].unpaid)
			set->broken = WEFT_ERR_DEVICE;
	for (int i = 0; i < set->nout; i++)
		wf_out_release(&set->out[i]);
	for (int i = 0; i < set->nin; i++)
		wf_in_release(&set->in[i]);
	free_set(set);
	wf_comm_drop(comm);
}

static void close_ins(struct wf_set *set)
{
	for (int i = 0; i < set->nin; i++)
		wf_in_close(&set->in[i]);
}

void wf_set_fails(struct wf_set *set)
{
	set->broken = WEFT_ERR_DEVICE;
	if (set->closing)
		close_ins(set);
}

void wf_set_end(struct wf_set *set)
{
	set->ended = true;
	wf_inquiry_answer_vain(set);
}

void wf_set_destroy(struct wf_set *set)
{
	wf_comm_hold(set->comm);
	set->closing = true;
	look_at_gone(set);
	set->asks = is_uneven(set->comm->job) && !set->broken;
	set->wanted = wf_job_now(set->comm->job);
	wf_inquiry_close(set);
	close_ins(set);
	if (set->comm->job->closing || may_leave(set))
		leave(set);
	else
		wf_set_owes(set);
}
