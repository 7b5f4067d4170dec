/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starts a rank: fork, a process group of its own, its CPUs, standard
 * streams, exec.
 * Everything that allocates is done before the fork, because the library's
 * thread may hold a lock of the allocator then.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tools/weftrun/run_bind.h"
#include "tools/weftrun/weftrun.h"

static void take(int fd, int as)
{
	if (fd >= 0 && fd != as)
		dup2(fd, as);
}

/* All ranks fail alike: only the one that takes the word says so. */
static void complain(int word_fd, const char *what, const char *program,
		     int error)
{
	const char *parts[] = { "weftrun: cannot ", what, program, ": ",
				strerrordesc_np(error), "\n" };
	uint64_t word;
	sigset_t all;
	size_t i;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	if (read(word_fd, &word, sizeof(word)) != (ssize_t)sizeof(word))
		return;
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
			return;
}

/* In the child, until the exec: calls that are safe after a fork only. */
static void become_rank(const struct run_job *job, int rank,
			const struct run_stdio *stdio, char **environment)
{
	const struct run_rank *self = &job->ranks[rank];
	char **argv = job->options.programs[self->program].argv;
	int error;

	setpgid(0, 0);
	run_guardian_enlist(job->guardian_fd, getpid());
	/* A second net, should the guardian be killed, too. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != job->self)
		_exit(RUN_EXIT_SELF);
	take(stdio->in, STDIN_FILENO);
	take(stdio->out, STDOUT_FILENO);
	take(stdio->err, STDERR_FILENO);
	setrlimit(RLIMIT_NOFILE, &job->files);
	signal(SIGPIPE, job->on_pipe);
	error = run_bind_apply(job, rank);
	if (error != 0) {
		complain(job->word_fd, "bind ", argv[0], error);
		_exit(RUN_EXIT_SELF);
	}
	sigprocmask(SIG_SETMASK, &job->mask, NULL);
	execvpe(argv[0], argv, environment);
	error = errno;
	complain(job->word_fd, "start ", argv[0], error);
	_exit(error == ENOENT ? RUN_EXIT_NOTFOUND : RUN_EXIT_NOEXEC);
}

static void say_where(const struct run_job *job, int rank)
{
	int pid = (int)job->ranks[rank].pid;

	if (job->cpus != NULL)
		run_say("rank %d (pid %d) is bound to CPUs %s (%s)", rank, pid,
			job->cpus[rank].text, job->options.bind);
	else
		run_say("rank %d (pid %d) is not bound", rank, pid);
}

int run_spawn(struct run_job *job, int rank)
{
	struct run_stdio stdio = { -1, -1, -1 };
	char **environment = run_server_environment(job, rank);
	int error;
	pid_t pid;

	if (environment == NULL)
		return -1;
	if (run_streams_open(job, rank, &stdio) != 0) {
		run_server_free_environment(environment);
		return -1;
	}
	pid = fork();
	if (pid == 0)
		become_rank(job, rank, &stdio, environment);
	error = errno;
	run_streams_opened(&stdio);
	run_server_free_environment(environment);
	if (pid < 0) {
		run_say("cannot start rank %d: fork: %s", rank,
			strerror(error));
		return -1;
	}
	/* Both sides do it: neither may signal the group before it is one. */
	setpgid(pid, pid);
	job->ranks[rank].pid = pid;
	job->running++;
	if (job->options.verbose)
		say_where(job, rank);
	return 0;
}

void run_signal_all(struct run_job *job, int signal)
{
	int r;

	for (r = 0; r < job->options.n; r++)
		if (job->ranks[r].pid > 0)
			kill(-job->ranks[r].pid, signal);
}
