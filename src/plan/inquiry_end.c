/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A set is given up: what its edges still answer, and, if something has failed
 * in this job, the question about all epochs to come.  Its answer is the word
 * after which the other end writes nothing here any more: memory goes no
 * earlier.
 */
#include "plan/inquiry.h"

#include "plan/set.h"

/* The last word on this edge, behind all that was put along it. */
static void say(struct wf_peer *peer, struct wf_talk *talk, enum wf_word word)
{
	talk->said = true;
	talk->after = peer->ep ? (uint32_t)peer->ep->posted : 0;
	talk->due[WF_DUE_END] = (uint8_t)word;
	wf_owe(peer, &talk->owed);
}

/* Does one who may not have given up hold an address of ours? */
static bool is_open(const struct wf_talk *talk, bool told)
{
	return told && !talk->ended;
}

/* A question that was kept for an epoch which does not come. */
static bool is_vain(const struct wf_count *count, const struct wf_verdict *v)
{
	return v->known && v->question && v->epoch >= count->next;
}

static void answer_vain(const struct wf_set *set, const struct wf_count *count,
			struct wf_peer *peer, struct wf_talk *talk)
{
	for (unsigned at = 0; at <= set->mask; at++) {
		if (!is_vain(count, &talk->heard[at]))
			continue;
		talk->due[at] = WF_WORD_NEVER_GRAPH;
		wf_owe(peer, &talk->owed);
	}
}

void wf_inquiry_answer_vain(struct wf_set *set)
{
	for (int i = 0; i < set->nout; i++)
		answer_vain(set, set->out[i].count, set->out[i].peer,
			    &set->out[i].talk);
	for (int i = 0; i < set->nin; i++)
		answer_vain(set, set->in[i].count, set->in[i].peer,
			    &set->in[i].talk);
}

static void close_edge(const struct wf_set *set, struct wf_peer *peer,
		       struct wf_talk *talk, bool told)
{
	if (set->asks && is_open(talk, told))
		say(peer, talk, WF_WORD_QUESTION);
	else if (talk->wanted)
		say(peer, talk, WF_WORD_ANSWER);
}

void wf_inquiry_close(struct wf_set *set)
{
	wf_inquiry_answer_vain(set);
	for (int i = 0; i < set->nout; i++)
		close_edge(set, set->out[i].peer, &set->out[i].talk,
			   set->out[i].told);
	for (int i = 0; i < set->nin; i++)
		close_edge(set, set->in[i].peer, &set->in[i].talk,
			   set->in[i].told);
}

static void remind(struct wf_peer *peer, struct wf_talk *talk, bool told)
{
	if (is_open(talk, told))
		say(peer, talk, WF_WORD_QUESTION);
}

void wf_inquiry_remind(struct wf_set *set)
{
	for (int i = 0; i < set->nout; i++)
		remind(set->out[i].peer, &set->out[i].talk, set->out[i].told);
	for (int i = 0; i < set->nin; i++)
		remind(set->in[i].peer, &set->in[i].talk, set->in[i].told);
}

void wf_inquiry_ended(const struct wf_set *set, struct wf_peer *peer,
		      struct wf_talk *talk, bool asked)
{
	talk->ended = true;
	talk->wanted |= asked;
	if (asked && set->closing && !talk->said)
		say(peer, talk, WF_WORD_ANSWER);
}

static bool has_ended(const struct wf_peer *peer, const struct wf_talk *talk,
		      bool told)
{
	return !wf_peer_is_there(peer) ||
	       (!talk->owed.queued && !is_open(talk, told));
}

bool wf_inquiry_out_ended(const struct wf_out *out)
{
	return has_ended(out->peer, &out->talk, out->told) &&
	       !out->grown.queued;
}

bool wf_inquiry_in_ended(const struct wf_in *in)
{
	return has_ended(in->peer, &in->talk, in->told) &&
	       !in->closed.queued;
}
