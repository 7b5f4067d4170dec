/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weftrun: start a job of several ranks on this machine and see it to its end.
 * This file has the order of things; weftrun.h says where each of them is.
 *
 * The guardian comes before the server, because a fork is safe only as long as
 * no other thread is busy, and main() only waits. The signals are blocked
 * before there are threads, so that none takes them.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <weft/status.h>

#include "base/clock.h"
#include "base/config.h"
#include "tools/weftrun/run_bind.h"
#include "tools/weftrun/weftrun.h"

#define STACK_BYTES (2 << 20)
#define FILES_OWN 16 /* open in a weftrun without ranks, at least */

/* Descriptors 0 to 2 exist, or a pipe of ours would become one of them. */
static void keep_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int read_settings(struct run_job *job)
{
	struct wf_config config;
	char why[256] = "";

	if (wf_config_read(&config, environ, why, sizeof(why)) != WEFT_OK) {
		run_say("%s", why);
		return -1;
	}
	job->timeout_ns = config.timeout_ns;
	return 0;
}

/*
 * A connection and two pipes per rank may be more than the soft limit. Where
 * even the hard one is too low, the libraries below would end this process, or
 * let ranks wait for a connection that is never accepted. 0, or the exit code.
 */
static int raise_files(struct run_job *job)
{
	int per_rank = job->options.tag_output ? 3 : 1;
	rlim_t least = FILES_OWN + (rlim_t)per_rank * (rlim_t)job->options.n;
	struct rlimit most;

	getrlimit(RLIMIT_NOFILE, &job->files);
	most = job->files;
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
	if (most.rlim_max >= least)
		return 0;
	run_say("%d ranks take %llu open files, and the limit is %llu: raise "
		"it (ulimit -Hn)", job->options.n, (unsigned long long)least,
		(unsigned long long)most.rlim_max);
	return RUN_EXIT_SELF;
}

/* For all threads to come. 0, or the exit code. */
static int catch_signals(struct run_job *job)
{
	static const int caught[] = { SIGCHLD, SIGINT,	SIGTERM,
				      SIGHUP,  SIGQUIT, SIGUSR1,
				      SIGUSR2, SIGTSTP, SIGCONT };
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaddset(&set, caught[i]);
	sigprocmask(SIG_BLOCK, &set, &job->mask);
	signal(SIGCHLD, SIG_DFL); /* ignored, it would reap by itself */
	job->on_pipe = signal(SIGPIPE, SIG_IGN);
	job->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	job->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	job->word_fd = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);
	if (job->signal_fd >= 0 && job->wake_fd >= 0 && job->word_fd >= 0)
		return 0;
	run_say("signalfd, eventfd: %s", strerror(errno));
	return RUN_EXIT_SELF;
}

static int make_ranks(struct run_job *job)
{
	const struct run_options *options = &job->options;
	struct run_rank *rank;
	int i;

	job->ranks = calloc((size_t)options->n, sizeof(job->ranks[0]));
	if (job->ranks == NULL) {
		run_say("no memory for %d ranks", options->n);
		return -1;
	}
	rank = job->ranks;
	for (i = 0; i < options->n_programs; i++) {
		const struct run_rank *end = rank + options->programs[i].n;

		for (; rank < end; rank++) {
			rank->rank = (int)(rank - job->ranks);
			rank->program = i;
		}
	}
	return 0;
}

/* 0, or the exit code of what cannot be started. */
static int check_programs(const struct run_options *options)
{
	int code = 0;
	int i;

	if (options->directory != NULL && chdir(options->directory) != 0) {
		run_say("--wdir %s: %s", options->directory, strerror(errno));
		return RUN_EXIT_SELF;
	}
	for (i = 0; i < options->n_programs && code == 0; i++)
		code = run_path_check(options->programs[i].argv[0]);
	return code;
}

static void run(struct run_job *job)
{
	uint64_t timeout = job->options.timeout_ns;
	int r;

	if (timeout != 0 && timeout != WF_CONFIG_INF)
		job->end_at = wf_clock_ns() + timeout;
	for (r = 0; r < job->options.n; r++)
		if (run_spawn(job, r) != 0)
			break;
	if (r < job->options.n) {
		job->exit_code = RUN_EXIT_SELF;
		run_verdict_kill(job);
	}
	run_supervise(job);
}

static int start_and_run(struct run_job *job)
{
	if (read_settings(job) != 0 || make_ranks(job) != 0 ||
	    run_bind_start(job) != 0 || run_guardian_start(job) != 0)
		return RUN_EXIT_SELF;
	if (run_server_start(job) != 0 || run_streams_start(job) != 0)
		return RUN_EXIT_SELF;
	run(job);
	run_streams_stop(job);
	run_guardian_stop(job);
	return job->exit_code;
}

static void *work(void *arg)
{
	struct run_job *job = arg;

	job->exit_code = start_and_run(job);
	return NULL;
}

/*
 * The PMIx library puts arrays of 100 kB onto the stack. Where the limit of
 * stacks (ulimit -s) is low that would end the process without a word, so the
 * work is done in a thread, whose stack may be larger. Its own threads get as
 * much.
 */
static int run_with_room(struct run_job *job)
{
	pthread_attr_t attr;
	pthread_t thread;
	int error;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_setattr_default_np(&attr);
	error = pthread_create(&thread, &attr, work, job);
	pthread_attr_destroy(&attr);
	if (error != 0) {
		run_say("cannot start a thread with a stack of %d KiB: %s",
			STACK_BYTES >> 10, strerror(error));
		return RUN_EXIT_SELF;
	}
	pthread_join(thread, NULL);
	return job->exit_code;
}

int main(int argc, char **argv)
{
	/*
	 * Not on the stack, and its ranks are not freed: the PMIx server, which
	 * cannot be ended safely, reports lost ranks until the process ends.
	 */
	static struct run_job job;
	int code;

	job.self = getpid();
	keep_streams();
	if (run_options_read(&job.options, argc, argv, &code) == 0) {
		code = check_programs(&job.options);
		/* before anything is opened that has no room */
		if (code == 0)
			code = raise_files(&job);
		if (code == 0)
			code = catch_signals(&job);
		if (code == 0)
			code = run_with_room(&job);
	}
	run_output_end();
	return code;
}
