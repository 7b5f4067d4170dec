/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ends by the will of a rank: the job, which its launcher ends, or the
 * ranks of a communicator, which end by themselves (abort.h).
 */
#include "job/abort.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "boot/boot.h"
#include "job/flood.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

int wf_abort_code(int code)
{
	return (code & 0xff) != 0 ? code & 0xff : 1;
}

void weft_job_abort(struct weft_job *job, int code, const char *why)
{
	code = wf_abort_code(code);
	if (!why)
		why = "";
	/* The child of a fork is no rank: the launcher does not know it. */
	if (job && !wf_job_is_child(job))
		wf_boot_abort(job->boot, code, why);
	else if (job)
		wf_error(&job->log, "the child %d of this rank aborts with "
			 "code %d: %s", (int)getpid(), code, why);
	_exit(code);
}

/* ---- telling ---- */

static uint16_t build_word(struct wf_owed *owed, struct wf_mail *head,
			   void *payload)
{
	const struct wf_abort *of =
		wf_container(owed, struct wf_abort_word, owed)->of;
	const int32_t rank = of->rank;

	head->kind = WF_MAIL_ABORT;
	head->flags = WF_MAIL_RESERVED;
	head->word = (uint32_t)of->code;
	head->context = of->context;
	memcpy(payload, &rank, sizeof(rank));
	return sizeof(rank);
}

static void word_settled(struct wf_owed *owed, int status);

/* To the nearest rank at the distance of the word. */
static void tell(struct weft_job *job, struct wf_abort_word *word)
{
	int distance = 1 << (word - word->of->words);
	int rank = wf_flood_next(job, distance);

	word->to = rank < 0 ? NULL : wf_peer_get(job, rank);
	word->owed.build = build_word;
	word->owed.settled = word_settled;
	word->owed.news = true;
	if (word->to)
		wf_owe(word->to, &word->owed);
}

/* Behind one that is not there any more there may be another one. */
static void word_settled(struct wf_owed *owed, int status)
{
	struct wf_abort_word *word = wf_container(owed, struct wf_abort_word,
						  owed);
	struct weft_job *job = word->to->job;

	if (status && !job->closing)
		tell(job, word);
}

static void spread(struct weft_job *job, struct wf_abort *abort)
{
	for (int i = 0; i < WF_ABORT_WORDS && 1 << i < job->size; i++) {
		abort->words[i].of = abort;
		tell(job, &abort->words[i]);
	}
}

static struct wf_abort *find(const struct weft_job *job, uint64_t context,
			     int rank)
{
	struct wf_list *at;

	for (at = job->aborts.next; at != &job->aborts; at = at->next) {
		struct wf_abort *abort = wf_container(at, struct wf_abort,
						      link);

		if (abort->context == context && abort->rank == rank)
			return abort;
	}
	return NULL;
}

/* Passes it on, the first time.  NULL: no memory, and others tell, too. */
static struct wf_abort *learn(struct weft_job *job, uint64_t context, int rank,
			      int code)
{
	struct wf_abort *abort = find(job, context, rank);

	if (abort)
		return abort;
	abort = calloc(1, sizeof(*abort));
	if (!abort)
		return NULL;
	abort->context = context;
	abort->rank = rank;
	abort->code = wf_abort_code(code);
	wf_list_add_tail(&job->aborts, &abort->link);
	/* A rank that closes meets no others. */
	if (!job->closing)
		spread(job, abort);
	return abort;
}

void wf_abort_look(struct weft_job *job)
{
	struct wf_list *at;

	for (at = job->aborts.next; at != &job->aborts; at = at->next) {
		struct wf_abort *abort = wf_container(at, struct wf_abort,
						      link);

		if (!job->ending && job->is_member &&
		    job->is_member(job, abort->context, abort->rank))
			job->ending = abort;
	}
}

void wf_abort_deliver(struct weft_job *job, const struct wf_letter *letter)
{
	int32_t rank = -1;

	if (letter->head.length == sizeof(rank))
		memcpy(&rank, letter->payload, sizeof(rank));
	if (rank < 0 || rank >= job->size) {
		wf_mail_drop(job, letter, "no such abort");
		return;
	}
	learn(job, letter->head.context, rank, (int)letter->head.word);
	wf_abort_look(job);
}

/* ---- ending ---- */

static bool is_told(const struct wf_abort_word *word)
{
	if (!word->to)
		return true;
	return !word->owed.queued && (word->to->state != WF_PEER_READY ||
				      wf_peer_has_all(word->to));
}

static bool all_are_told(const struct wf_abort *abort)
{
	bool all = true;

	for (int i = 0; i < WF_ABORT_WORDS; i++)
		all &= is_told(&abort->words[i]);
	return all;
}

/* What is under way stays as it is: it may be what called for the abort. */
static void stop_pollers(struct weft_job *job, struct wf_list *stopped)
{
	wf_list_add_head(&job->pollers, stopped);
	wf_list_del(&job->pollers);
}

static void rest(struct weft_job *job)
{
	if (job->env.idle)
		job->env.idle(job->env.arg, wf_job_now(job) +
			      WF_LIVE_TICK_MS * WF_NS_PER_MS);
	else
		sched_yield();
}

void wf_abort_end(struct weft_job *job)
{
	const struct wf_abort *abort = job->ending;
	uint64_t end = wf_job_now(job) + WF_ABORT_MS * WF_NS_PER_MS;
	struct wf_list stopped;

	stop_pollers(job, &stopped);
	while (!all_are_told(abort) && wf_job_now(job) < end)
		if (!wf_job_sweep(job))
			rest(job);
	wf_info(&job->log, "ends with code %d: rank %d has aborted context "
		"%llu", abort->code, abort->rank,
		(unsigned long long)abort->context);
	if (job->env.end)
		job->env.end(job->env.arg);
	_exit(abort->code);
}

void wf_abort_context(struct weft_job *job, uint64_t context, int code)
{
	struct wf_abort *abort = learn(job, context, job->rank, code);

	if (!abort)
		weft_job_abort(job, code, "no memory to abort a communicator");
	job->ending = abort;
	wf_abort_end(job);
}

void wf_abort_fini(struct weft_job *job)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&job->aborts)))
		free(wf_container(at, struct wf_abort, link));
}
