/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the end of a rank means: says who failed of what, ends the others, and
 * keeps the exit code of the first failure. Called by run_supervise.c only.
 *
 * Once the ranks are being killed, their ends are consequences, not news.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "tools/weftrun/weftrun.h"

/* From SIGTERM to SIGKILL; the whole is to take less than a second. */
#define GRACE_NS (500 * WF_NS_PER_MS)

/* How long the server may take to notice the end of a connection. */
#define DOUBT_NS (2 * WF_NS_PER_S)

static void note_code(struct run_job *job, int code)
{
	if (job->exit_code == 0)
		job->exit_code = code;
}

void run_verdict_kill(struct run_job *job)
{
	if (job->killing)
		return;
	job->killing = true;
	job->kill_at = wf_clock_ns() + GRACE_NS;
	run_signal_all(job, SIGTERM);
	run_signal_all(job, SIGCONT); /* a stopped one could not end */
}

static const char *consequence(const struct run_job *job)
{
	if (job->options.keep_going || job->running == 0)
		return "";
	return "; the others are killed";
}

static void failed(struct run_job *job, int code)
{
	note_code(job, code);
	if (!job->options.keep_going)
		run_verdict_kill(job);
}

static void left(struct run_job *job, int rank)
{
	run_say("rank %d left without closing its job%s", rank,
		consequence(job));
	failed(job, 1);
}

/* Exit code 0 of a rank that has joined: has it also closed its job? */
static void exited_well(struct run_job *job, struct run_rank *rank)
{
	switch (atomic_load(&rank->link)) {
	case RUN_LINK_OPEN:
		/* The server may have the news in its socket still. */
		rank->doubtful = true;
		if (job->doubt_at == 0)
			job->doubt_at = wf_clock_ns() + DOUBT_NS;
		break;
	case RUN_LINK_LOST:
		left(job, rank->rank);
		break;
	default:
		break;
	}
}

static bool has_not_joined(const struct run_rank *rank)
{
	return atomic_load(&rank->link) == RUN_LINK_NONE;
}

void run_verdict_ended(struct run_job *job, int rank, const siginfo_t *end)
{
	if (has_not_joined(&job->ranks[rank]))
		job->absent++;
	if (job->killing) {
		if (end->si_code != CLD_EXITED)
			note_code(job, 128 + end->si_status);
		else if (end->si_status != 0)
			note_code(job, end->si_status);
	} else if (end->si_code != CLD_EXITED) {
		run_say("rank %d (pid %d) died of signal %d (%s)%s", rank,
			(int)end->si_pid, end->si_status,
			strsignal(end->si_status), consequence(job));
		failed(job, 128 + end->si_status);
	} else if (end->si_status != 0) {
		run_say("rank %d (pid %d) exited with code %d%s", rank,
			(int)end->si_pid, end->si_status, consequence(job));
		failed(job, end->si_status);
	} else {
		exited_well(job, &job->ranks[rank]);
	}
}

void run_verdict_doubts(struct run_job *job, bool too_late)
{
	bool doubts = false;
	int r;

	for (r = 0; r < job->options.n; r++) {
		struct run_rank *rank = &job->ranks[r];
		int link = atomic_load(&rank->link);

		if (!rank->doubtful)
			continue;
		rank->doubtful = link == RUN_LINK_OPEN && !too_late;
		if (rank->doubtful)
			doubts = true;
		else if (link != RUN_LINK_CLOSED && !job->killing)
			left(job, r);
	}
	if (!doubts)
		job->doubt_at = 0;
}

void run_verdict_abort(struct run_job *job, const struct run_abort *aborted)
{
	int code = aborted->code & 0xff;

	if (job->killing)
		return;
	run_say("rank %d aborted the job with code %d: %s", aborted->rank,
		aborted->code, aborted->why);
	note_code(job, code != 0 ? code : 1);
	run_verdict_kill(job);
}

/*
 * The first rank that has not joined, of all or of those that have ended; as
 * many as there are ranks: none any more, as news come while this is asked.
 */
static int first_missing(const struct run_job *job, bool ended)
{
	int r = 0;

	while (r < job->options.n &&
	       (!has_not_joined(&job->ranks[r]) ||
		(ended && job->ranks[r].pid > 0)))
		r++;
	return r;
}

void run_verdict_not_joined(struct run_job *job)
{
	int first = first_missing(job, job->absent > 0);
	int missing = 0;
	char limit[80] = ", which others have joined";
	int r;

	if (first == job->options.n) {
		/* its end was seen before that it had joined */
		job->absent = 0;
		return;
	}
	for (r = 0; r < job->options.n; r++)
		missing += has_not_joined(&job->ranks[r]);
	if (job->absent == 0)
		snprintf(limit, sizeof(limit), " within %g s (WEFT_TIMEOUT) of "
			 "the others", (double)job->timeout_ns / WF_NS_PER_S);
	run_say("%d of %d ranks, the first of them rank %d%s, have not joined "
		"the job%s; all are killed", missing, job->options.n, first,
		job->absent > 0 ? " (ended)" : "", limit);
	note_code(job, RUN_EXIT_TIMEOUT);
	run_verdict_kill(job);
}

void run_verdict_timeout(struct run_job *job)
{
	run_say("the job has not ended within %g s (--timeout); all ranks are "
		"killed", (double)job->options.timeout_ns / WF_NS_PER_S);
	note_code(job, RUN_EXIT_TIMEOUT);
	run_verdict_kill(job);
}
