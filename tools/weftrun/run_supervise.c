/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop of weftrun: waits for signals, rings of the server's thread,
 * output and time limits until all ranks have ended.
 *
 * All signals come through signal_fd, SIGCHLD too, so nothing runs in signal
 * context. The ends of ranks that are seen together are judged together.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/process.h"
#include "tools/weftrun/weftrun.h"

#define BATCH 64
#define CAUSE_MS 1000
#define LAST_OUTPUT_MS 1000

/* timeout(1) sends a signal to its child, and then to the group, too. */
#define TWICE_NS (100 * WF_NS_PER_MS)

/* A leader that has ended, while its number still is its own. */
static void reap(struct run_job *job, siginfo_t *end, int rank)
{
	pid_t pid = end->si_pid;

	/* What it left in its group would run on with nobody to see it. */
	kill(-pid, SIGKILL);
	run_guardian_forget(job, pid);
	while (waitid(P_PID, (id_t)pid, end, WEXITED) != 0 && errno == EINTR)
		;
	job->ranks[rank].pid = 0;
	job->running--;
}

static int rank_of(const struct run_job *job, pid_t pid)
{
	int r;

	for (r = 0; r < job->options.n; r++)
		if (job->ranks[r].pid == pid)
			return r;
	return -1;
}

/* Ends of ranks that are judged together. */
struct batch {
	int n;
	int ranks[BATCH];
	siginfo_t ends[BATCH];
};

static void collect(struct run_job *job, struct batch *batch)
{
	while (batch->n < BATCH) {
		siginfo_t *end = &batch->ends[batch->n];
		int rank;

		end->si_pid = 0;
		if (waitid(P_ALL, 0, end, WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    end->si_pid == 0)
			return;
		rank = rank_of(job, end->si_pid);
		if (rank >= 0) {
			reap(job, end, rank);
			batch->ranks[batch->n++] = rank;
			continue;
		}
		if (end->si_pid == job->guardian)
			run_say("the guardian process has died");
		waitid(P_PID, (id_t)end->si_pid, end, WEXITED);
	}
}

static bool by_signal(const siginfo_t *end)
{
	return end->si_code != CLD_EXITED;
}

static bool is_dying(const struct run_rank *rank)
{
	return rank->pid > 0 && (atomic_load(&rank->link) == RUN_LINK_LOST ||
				 wf_process_is_ending(rank->pid));
}

/*
 * A rank that dies loses its connection before it can be reaped, and another
 * may fail of that and be gone by then, even before the server has told of the
 * loss. So, if all of the batch just exited, a rank that is dying; 0: none.
 */
static pid_t cause_to_come(const struct run_job *job, const struct batch *batch)
{
	int i;

	for (i = 0; i < batch->n; i++)
		if (by_signal(&batch->ends[i]))
			return 0;
	for (i = 0; i < job->options.n && batch->n > 0; i++)
		if (is_dying(&job->ranks[i]))
			return job->ranks[i].pid;
	return 0;
}

static void await_end(pid_t pid)
{
	struct pollfd ended = { .events = POLLIN };

	ended.fd = pidfd_open(pid, 0);
	if (ended.fd < 0)
		return;
	poll(&ended, 1, CAUSE_MS);
	close(ended.fd);
}

static void children(struct run_job *job)
{
	struct batch batch;
	pid_t cause;
	int i;

	do {
		batch.n = 0;
		collect(job, &batch);
		cause = cause_to_come(job, &batch);
		if (cause > 0 && !job->killing) {
			await_end(cause);
			collect(job, &batch);
		}
		for (i = 0; i < batch.n; i++)
			if (by_signal(&batch.ends[i]))
				run_verdict_ended(job, batch.ranks[i],
						  &batch.ends[i]);
		for (i = 0; i < batch.n; i++)
			if (!by_signal(&batch.ends[i]))
				run_verdict_ended(job, batch.ranks[i],
						  &batch.ends[i]);
	} while (batch.n == BATCH);
}

/* The ranks may take their time to end, until they are asked again. */
static void ask_to_end(struct run_job *job, int signal)
{
	uint64_t now = wf_clock_ns();

	if (job->end_asked_at == 0) {
		job->end_asked_at = now;
		if (job->running == 0 && job->exit_code == 0)
			job->exit_code = 128 + signal; /* output is left */
	}
	if (now - job->end_asked_at < TWICE_NS) {
		run_signal_all(job, signal);
		return;
	}
	if (job->exit_code == 0)
		job->exit_code = 128 + signal;
	run_verdict_kill(job);
	run_signal_all(job, SIGKILL);
}

static void pass_on(struct run_job *job, int signal)
{
	switch (signal) {
	case SIGCHLD:
		break;
	case SIGINT:
	case SIGTERM:
		ask_to_end(job, signal);
		break;
	case SIGTSTP:
		/* Theirs could be ignored, as they have no terminal. */
		run_signal_all(job, SIGSTOP);
		raise(SIGSTOP);
		break;
	case SIGCONT:
		run_signal_all(job, SIGCONT);
		run_streams_continued(job);
		break;
	default:
		run_signal_all(job, signal);
		break;
	}
}

static void signals(struct run_job *job)
{
	struct signalfd_siginfo info;

	while (read(job->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info))
		pass_on(job, (int)info.ssi_signo);
}

static void note_joined(struct run_job *job)
{
	int joined = 0;
	int r;

	if (job->all_joined)
		return;
	for (r = 0; r < job->options.n; r++)
		if (atomic_load(&job->ranks[r].link) != RUN_LINK_NONE)
			joined++;
	if (joined > 0 && job->joined_at == 0)
		job->joined_at = wf_clock_ns();
	job->all_joined = joined == job->options.n;
}

static void server_news(struct run_job *job)
{
	struct run_abort aborted;
	uint64_t rings;

	if (read(job->wake_fd, &rings, sizeof(rings)) < 0)
		return;
	note_joined(job);
	if (run_server_aborted(job, &aborted))
		run_verdict_abort(job, &aborted);
	run_verdict_doubts(job, false);
}

/*
 * When those that have joined need not wait any longer for the others: at once
 * where one of these has ended, else a little before the ranks' own limit,
 * which would end them one by one with less to say.
 */
static uint64_t boot_deadline(const struct run_job *job)
{
	if (job->joined_at == 0 || job->all_joined || job->killing)
		return 0;
	if (job->absent > 0)
		return job->joined_at;
	if (job->timeout_ns == WF_CONFIG_INF)
		return 0;
	return job->joined_at + job->timeout_ns - job->timeout_ns / 20;
}

static void deadlines(struct run_job *job)
{
	uint64_t now = wf_clock_ns();
	uint64_t boot = boot_deadline(job);

	if (job->kill_at != 0 && now >= job->kill_at) {
		job->kill_at = 0;
		run_signal_all(job, SIGKILL);
	}
	if (job->doubt_at != 0 && now >= job->doubt_at)
		run_verdict_doubts(job, true);
	if (boot != 0 && now >= boot)
		run_verdict_not_joined(job);
	if (job->end_at != 0 && now >= job->end_at && !job->killing) {
		job->end_at = 0;
		run_verdict_timeout(job);
	}
}

static void earlier(uint64_t *first, uint64_t deadline)
{
	if (deadline != 0 && deadline < *first)
		*first = deadline;
}

/* For poll(): milliseconds to the next deadline, rounded up; -1: none. */
static int patience(const struct run_job *job)
{
	uint64_t first = UINT64_MAX;
	uint64_t now = wf_clock_ns();

	earlier(&first, job->kill_at);
	earlier(&first, job->doubt_at);
	earlier(&first, boot_deadline(job));
	earlier(&first, job->killing ? 0 : job->end_at);
	if (first == UINT64_MAX)
		return -1;
	if (first <= now)
		return 0;
	first = (first - now) / WF_NS_PER_MS + 1;
	return first < 60000 ? (int)first : 60000;
}

static void await_ranks(struct run_job *job, struct pollfd *fds)
{
	int n;

	fds[1] = (struct pollfd){ .fd = job->wake_fd, .events = POLLIN };
	while (job->running > 0 || job->doubt_at != 0) {
		n = run_streams_poll(job, fds + 2);
		if (poll(fds, (nfds_t)n + 2, patience(job)) < 0)
			continue;
		/* First what a rank said, then that it is gone. */
		run_streams_moved(job, fds + 2, n);
		server_news(job);
		signals(job);
		deadlines(job);
		children(job);
	}
}

static bool output_waits(void)
{
	return run_output_waits(STDOUT_FILENO) ||
	       run_output_waits(STDERR_FILENO);
}

/*
 * A reader may take as long as it likes after a job that did well. Pipes of
 * ranks that do not end are held open by what is none of ours.
 */
static int patience_with_reader(const struct run_job *job)
{
	bool is_urgent = job->exit_code != 0 || job->end_asked_at != 0;

	return output_waits() && !is_urgent ? -1 : LAST_OUTPUT_MS;
}

static void await_output(struct run_job *job, struct pollfd *fds)
{
	int found = 1;
	int n;

	run_streams_end_input(job);
	while (found != 0 && (n = run_streams_poll(job, fds + 1)) > 0) {
		found = poll(fds, (nfds_t)n + 1, patience_with_reader(job));
		if (found <= 0)
			continue;
		run_streams_moved(job, fds + 1, n);
		signals(job);
	}
	if (output_waits())
		run_say("nobody reads the output: the end of it is lost");
}

void run_supervise(struct run_job *job)
{
	size_t max = 2 + (size_t)run_streams_poll_max(job);
	struct pollfd *fds = calloc(max, sizeof(*fds));

	if (fds == NULL) {
		run_say("no memory to watch the ranks");
		job->exit_code = RUN_EXIT_SELF;
		run_signal_all(job, SIGKILL);
		return;
	}
	fds[0] = (struct pollfd){ .fd = job->signal_fd, .events = POLLIN };
	await_ranks(job, fds);
	await_output(job, fds);
	free(fds);
	if (job->exit_code == 0 && run_output_is_lost())
		job->exit_code = RUN_EXIT_SELF;
}
