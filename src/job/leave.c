/* SPDX-License-Identifier: BSD-3-Clause */
/* Telling and asking who has closed its job: see leave.h. */
#include "job/leave.h"

#include <stdio.h>
#include "base/clock.h"
#include "base/text.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

enum {
	AT_ONCE = 8,		/* ranks that are gone, in a look */
	PASSED = 4,		/* by who leaves, then it tells no keeper */
	OWN_SERVES = 3,		/* callers, their words, and some more */
	BUSY_MS = 50,		/* who has not read it by then does so later */
	SILENT_MS = 500,	/* who has not got it by then is left out */
	ANSWER_MS = 500,	/* then the other keeper is asked, or later */
	DOUBT_MS = 2000,	/* then it stays unknown how a rank ended */
	LEAVE_MS = WF_LIVE_BROKEN_MS
};

static const char has_closed[] = "has closed its job";
static const char has_ended[] = "has ended: it has closed its job, or died, "
	"and no rank is left that would know";

void wf_leave_init(struct weft_job *job)
{
	wf_rangeset_init(&job->leave.left, 0);
}

static void hush(struct weft_job *job)
{
	if (job->leave.on)
		job->env.live->hush(job);
	job->leave.asks = false;
}

void wf_leave_fini(struct weft_job *job)
{
	hush(job);
	wf_rangeset_fini(&job->leave.left);
}

bool wf_leave_knows(const struct weft_job *job, int rank)
{
	return wf_rangeset_has(&job->leave.left, (uint64_t)rank);
}

bool wf_leave_told(void *arg, int first, int last)
{
	struct weft_job *job = arg;

	if (first < 0 || first > last || last >= job->size)
		return false;
	/* What is known is being told, and stays as it is; or nobody asks. */
	if (job->leave.stage != WF_LEAVE_NOT || !job->leave.on)
		return true;
	if (wf_rangeset_add(&job->leave.left, (uint64_t)first,
			    (uint64_t)last + 1))
		return false;
	for (int r = first; r <= last; r++) {
		struct wf_peer *peer = wf_peer_find(job, r);

		if (peer && peer->state < WF_PEER_READY)
			wf_peer_gone(peer, WF_PEER_LEFT, has_closed);
	}
	return true;
}

/* ---- from rank to rank ---- */

static int behind(const struct weft_job *job, int rank)
{
	return rank + 1 < job->size ? rank + 1 : 0;
}

/* Where the search for either keeper of what this rank tells begins. */
static int place_of(const struct weft_job *job, int rank, int keeper)
{
	int half = (job->size + 1) / 2;

	return keeper ? behind(job, rank) : (rank + half) % job->size;
}

/* One that leaves may still be there, and answer. */
static bool is_gone(const struct weft_job *job, int rank)
{
	const struct wf_peer *peer = wf_peer_find(job, rank);

	return peer && (peer->ended || peer->state == WF_PEER_DEAD);
}

/* Who asks is one that may know, who tells is not. */
static bool is_out(const struct weft_job *job, int rank)
{
	return rank == job->rank ? job->leave.stage != WF_LEAVE_NOT :
				   is_gone(job, rank);
}

/* To the first that may be there, from this rank on; to nobody: itself. */
static void talk_to(struct weft_job *job, int rank)
{
	struct wf_leave *leave = &job->leave;

	job->env.live->hush(job);
	wf_life_renew(&leave->talk);
	for (; leave->others > 0 && is_out(job, rank); leave->others--)
		rank = behind(job, rank);
	leave->with = leave->others > 0 ? rank : job->rank;
	leave->since = wf_job_now(job);
	leave->served = job->lifeline.serves;
}

static void begin(struct weft_job *job, int rank, int keeper)
{
	job->leave.keeper = keeper;
	job->leave.others = job->size;
	job->leave.passed = 0;
	talk_to(job, place_of(job, rank, keeper));
}

/* This rank itself looks first at what has come. */
static enum wf_said talk_to_self(const struct weft_job *job)
{
	return job->lifeline.fd < 0 || job->leave.stage != WF_LEAVE_NOT ||
	       job->lifeline.serves >= job->leave.served + OWN_SERVES ?
	       WF_SAID_ANSWERED : WF_SAID_NOT_YET;
}

static enum wf_said talk(struct weft_job *job)
{
	struct wf_leave *leave = &job->leave;
	struct wf_peer *peer;

	if (leave->with == job->rank)
		return talk_to_self(job);
	peer = wf_peer_get(job, leave->with);
	if (!peer)
		return WF_SAID_IN_VAIN;
	return job->env.live->talk(peer, &leave->talk);
}

static bool is_older(const struct weft_job *job, uint64_t since, uint64_t ms)
{
	return wf_job_now(job) - since >= ms * WF_NS_PER_MS;
}

/* ---- asking ---- */

static void ask_about(struct weft_job *job, int rank, bool sure)
{
	struct wf_leave *leave = &job->leave;

	leave->asks = true;
	leave->about = rank;
	leave->sure = sure;
	leave->talk.tells = NULL;
	leave->talk.last = (struct wf_life_word){ WF_LIFE_WHO, 0,
						  job->size - 1 };
	leave->talk.left = wf_leave_told;
	leave->talk.arg = job;
	begin(job, rank, 0);
}

void wf_leave_ask(struct wf_peer *peer, bool sure)
{
	struct weft_job *job = peer->job;

	peer->ended |= sure;
	if (!job->leave.asks && job->leave.stage == WF_LEAVE_NOT)
		ask_about(job, peer->rank, sure);
}

/*
 * A rank that may have had it from the one in question; -1: none had.  Who has
 * left has told all it knew when it is gone, not before; and no further than
 * behind PASSED ranks.
 */
static int first_in_between(const struct weft_job *job)
{
	const struct wf_leave *leave = &job->leave;
	int r = place_of(job, leave->about, leave->keeper), passed = 0;

	while (r != leave->with &&
	       (r == leave->about ||
		(wf_leave_knows(job, r) && is_gone(job, r)))) {
		if (++passed == PASSED)
			return r;
		r = behind(job, r);
	}
	return r == leave->with ? -1 : r;
}

/*
 * Nobody is left who could know.  A connection shows whether it has ended at
 * all; if it has, that alone is told, and a death by those who have met it.
 */
static void doubt(struct wf_peer *peer)
{
	uint32_t now = (uint32_t)(wf_job_now(peer->job) / WF_NS_PER_MS);

	if (!peer->doubted)
		peer->doubted = now | 1;
	if (!peer->job->leave.sure)
		wf_peer_connect(peer);
	else if ((int32_t)(now - peer->doubted) >= DOUBT_MS)
		wf_peer_gone(peer, WF_PEER_LEFT, has_ended);
}

static void is_dead(struct wf_peer *peer, int keeper)
{
	char why[160];

	snprintf(why, sizeof(why), "is dead: it has ended, and rank %d, which "
		 "it would have told, does not know that it has closed its job",
		 keeper);
	wf_live_died(peer->job, peer->rank, why);
}

/* Neither keeper could tell: one that may have known is in question, too. */
static void put_off(struct weft_job *job, struct wf_peer *peer, int between)
{
	struct wf_peer *other = between < 0 ? NULL :
					      wf_peer_find(job, between);

	hush(job);
	doubt(peer);
	if (other && wf_peer_is_there(other) && other->ended &&
	    !other->doubted)
		ask_about(job, between, true);
}

static void judge(struct weft_job *job)
{
	struct wf_leave *leave = &job->leave;
	struct wf_peer *peer = wf_peer_get(job, leave->about);
	int with = leave->with, between = first_in_between(job);

	if (!peer || !wf_peer_is_there(peer)) {
		hush(job);
	} else if (between < 0 && leave->sure) {
		hush(job);
		is_dead(peer, with);
	} else if (!leave->keeper) {
		begin(job, peer->rank, 1);
	} else {
		put_off(job, peer, between);
	}
}

static void is_silent(struct weft_job *job)
{
	struct wf_peer *peer = wf_peer_find(job, job->leave.about);

	hush(job);
	if (peer)
		doubt(peer);
}

static void pass_over(struct weft_job *job, enum wf_said said)
{
	struct wf_peer *peer = wf_peer_find(job, job->leave.with);

	if (peer && (said == WF_SAID_TO_NOBODY ||
		     (said == WF_SAID_REFUSED &&
		      wf_leave_knows(job, peer->rank))))
		peer->ended = true;
	job->leave.others--;
	/* All may leave at once: a search through them would take long. */
	if (++job->leave.passed >= PASSED && job->leave.stage != WF_LEAVE_NOT)
		job->leave.others = 0;
	talk_to(job, behind(job, job->leave.with));
}

/* False: there is nothing more to do now. */
static bool go_on_asking(struct weft_job *job)
{
	enum wf_said said = talk(job);
	bool old = is_older(job, job->leave.since, ANSWER_MS);

	if (said == WF_SAID_ANSWERED)
		judge(job);
	else if (said >= WF_SAID_TO_NOBODY)
		pass_over(job, said);
	else if (old && !job->leave.keeper)
		begin(job, job->leave.about, 1);
	else if (old && said == WF_SAID_THERE)
		hush(job);	/* it is busy, and may know */
	else if (old)
		is_silent(job);
	else
		return false;
	return job->leave.asks;
}

void wf_leave_progress(struct weft_job *job)
{
	for (int i = 0; i < AT_ONCE && job->leave.asks; i++)
		if (job->leave.stage != WF_LEAVE_NOT || !go_on_asking(job))
			return;
}

/* ---- telling ---- */

static void tell(struct weft_job *job, int keeper)
{
	struct wf_leave *leave = &job->leave;

	leave->talk.tells = &leave->left;
	leave->talk.last = (struct wf_life_word){ WF_LIFE_ENDS, job->rank,
						  job->rank };
	begin(job, job->rank, keeper);
}

/* The other keeper, or nobody else. */
static void go_on(struct weft_job *job)
{
	struct wf_leave *leave = &job->leave;
	int told = leave->with;

	if (told != job->rank)
		wf_debug(&job->log, "rank %d is told that this one leaves, "
			 "after %llu ms", told, (unsigned long long)
			 ((wf_job_now(job) - leave->begun) / WF_NS_PER_MS));
	if (leave->keeper)
		tell(job, 0);
	if (leave->with == told)
		leave->stage = WF_LEAVE_DONE;
}

static void go_on_telling(struct weft_job *job)
{
	struct wf_leave *leave = &job->leave;
	enum wf_said said = talk(job);

	if (is_older(job, leave->begun, LEAVE_MS))
		leave->stage = WF_LEAVE_DONE;
	else if (said == WF_SAID_ANSWERED ||
		 (said == WF_SAID_THERE &&
		  is_older(job, leave->since, BUSY_MS)))
		go_on(job);
	else if (said >= WF_SAID_TO_NOBODY ||
		 is_older(job, leave->since, SILENT_MS))
		pass_over(job, said);
}

/* Others that leave, too, pass this one over as soon as it hangs up. */
static bool has_told(void *arg)
{
	struct weft_job *job = arg;

	wf_lifeline_serve(&job->lifeline, wf_job_now(job));
	if (job->leave.stage != WF_LEAVE_DONE)
		go_on_telling(job);
	return job->leave.stage == WF_LEAVE_DONE;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct weft_job *job = arg;

	wf_text_add(text, bytes, "rank %d to hear that this one leaves",
		    job->leave.with);
}

void wf_leave_tell(struct weft_job *job)
{
	struct wf_wait wait = { has_told, describe, job };
	struct wf_leave *leave = &job->leave;
	uint64_t self = (uint64_t)job->rank;

	if (!leave->on || leave->stage != WF_LEAVE_NOT)
		return;
	hush(job);
	/* What has come is handed on. */
	for (int i = 0; i < OWN_SERVES; i++)
		wf_lifeline_serve(&job->lifeline, wf_job_now(job));
	job->lifeline.parting = true;
	leave->begun = wf_job_now(job);
	if (wf_rangeset_add(&leave->left, self, self + 1))
		return;
	leave->stage = WF_LEAVE_TELLS;
	tell(job, 1);
	wf_job_wait(job, &wait);
	hush(job);
}
