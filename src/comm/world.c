/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The public opening and closing of a job: membership from job/, and around
 * it the table of contexts with the world communicator.
 */
#include "comm/world.h"

#include "base/text.h"
#include "comm/comm.h"
#include "job/job.h"

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

int weft_job_close(struct weft_job *job)
{
	struct wf_wait wait = { nothing_runs, describe_runs, job };
	int status, deleted, parted;

	if (!job)
		return WEFT_ERR_ARG;
	status = wf_job_enter(job);
	if (status)
		return status;
	/* Callbacks may call the library: all others still can, too. */
	deleted = wf_attrs_delete(job->world, "weft_job_close");
	job->leaving = wf_job_now(job);
	wf_job_wait(job, &wait);
	status = wf_job_say_bye(job);
	wf_contexts_fini(job);
	wf_job_leave(job);
	parted = wf_job_part(job);
	if (status)
		return status;
	return deleted ? deleted : parted;
}

struct weft_comm *weft_job_world(struct weft_job *job)
{
	return job ? job->world : NULL;
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
		status = WEFT_ERR_PEER;
	wf_job_leave(job);
	return status;
}
