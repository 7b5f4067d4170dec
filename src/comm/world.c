/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The public opening and closing of a job: membership from job/, and around
 * it the table of contexts with the world communicator.
 */
#include "comm/world.h"

#include <stdio.h>

#include "base/text.h"
#include "comm/comm_attr.h"
#include "job/job.h"
#include "job/peer.h"

int wf_job_open_env(const struct wf_job_env *env, struct weft_job **job_p)
{
	struct weft_job *job;
	int status = wf_job_join(env, &job);

	if (status)
		return status;
	status = wf_contexts_init(job);
	if (!status)
		status = wf_comm_make_world(job);
	if (status) {
		wf_error(&job->log, "no memory for the world communicator");
		wf_contexts_fini(job);
		wf_job_part(job);
		return status;
	}
	*job_p = job;
	return WEFT_OK;
}

int weft_job_open(const struct weft_job_options *options,
		  struct weft_job **job_p)
{
	struct wf_job_env env = { .size = sizeof(env), .options = options };

	if (!job_p)
		return WEFT_ERR_ARG;
	*job_p = NULL;
	return wf_job_open_env(&env, job_p);
}

/* Runs that are under way complete, or end with an error. */
static bool nothing_runs(void *arg)
{
	struct weft_job *job = arg;
	struct wf_list *at = job->pollers.next;

	while (at != &job->pollers &&
	       wf_container(at, struct wf_poller, link)->for_others)
		at = at->next;
	return at == &job->pollers;
}

static void describe_runs(void *arg, char *text, size_t bytes)
{
	(void)arg;
	wf_text_add(text, bytes, "own requests to complete before closing");
}

/* Nothing begins any more: what nobody has received nobody will. */
static void begin_to_leave(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);

	job->leaving = wf_job_now(job);
	if (ctx->swept)
		ctx->swept(job);
}

/* Callbacks may call the library: all others still can, too. */
static int delete_attrs(struct weft_job *job)
{
	static const char call[] = "weft_job_close";
	int status = job->self ? wf_comm_delete_attrs(job->self, call) :
				 WEFT_OK;

	return status ? status : wf_comm_delete_attrs(job->world, call);
}

int weft_job_close(struct weft_job *job)
{
	struct wf_wait wait = { nothing_runs, describe_runs, job };
	int status, deleted, parted;

	if (!job)
		return WEFT_ERR_ARG;
	status = wf_job_enter(job);
	if (status)
		return status;
	deleted = delete_attrs(job);
	if (wf_job_is_child(job))
		return WEFT_ERR_FORKED;
	begin_to_leave(job);
	wf_job_wait(job, &wait);
	status = wf_job_say_bye(job);
	wf_comm_warn_of_leaks(job);
	wf_contexts_fini(job);
	wf_job_leave(job);
	parted = wf_job_part(job);
	if (status)
		return status;
	return deleted ? deleted : parted;
}

/* Its ids are of the rank's own: nobody else ever hears of them. */
static int make_self(struct weft_job *job)
{
	struct wf_contexts *ctx = wf_contexts(job);
	struct wf_cid_block block;
	struct weft_group *alone;
	int status = wf_cid_mint(&ctx->ids, &block.low, &block.end);

	if (!status)
		status = wf_group_make_row(job, job->rank, 1, &alone);
	if (!status)
		status = wf_comm_make(job, alone, &block, &job->self);
	if (!status)
		job->self->owned_by_job = true;
	return status;
}

struct weft_comm *weft_job_self(struct weft_job *job)
{
	if (!job || wf_job_ask(job))
		return NULL;
	if (!job->self && make_self(job))
		wf_job_fail(job, WEFT_ERR_NOMEM, "weft_job_self: no memory for "
			    "a communicator");
	wf_job_leave(job);
	return job->self;
}

struct weft_comm *weft_job_world(struct weft_job *job)
{
	return job ? job->world : NULL;
}

/* At each call, which may be one of many: it is not logged. */
static int tell_of_death(struct weft_job *job)
{
	const struct wf_peer *peer = wf_peer_find(job, job->first_dead);

	wf_failure(job)->argument = WEFT_ARGUMENT_NONE;
	snprintf(wf_sentence(job), WF_ERROR_TEXT, "weft_job_progress: rank %d "
		 "on host %s %s", peer->rank, wf_peer_host(peer),
		 wf_peer_why(peer));
	return WEFT_ERR_PEER;
}

int weft_job_progress(struct weft_job *job)
{
	int status;

	if (!job)
		return WEFT_ERR_ARG;
	status = wf_job_enter(job);
	if (status)
		return status;
	wf_job_look(job);
	if (job->first_dead >= 0)
		status = tell_of_death(job);
	wf_job_leave(job);
	return status;
}
