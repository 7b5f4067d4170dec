/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The guardian: a process that kills the ranks when weftrun is gone, however
 * that happened. It reads a pipe that only weftrun, and a rank before its
 * exec, can write; its end of file means that weftrun is no more.
 *
 * A rank enlists its own group before the exec, so there is no moment in
 * which it runs unknown. weftrun has a group forgotten before it reaps the
 * leader, so the number cannot have got a new owner. Killing groups reaches
 * programs behind a shell, which a parent-death signal does not.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/weftrun/weftrun.h"

/* Far below PIPE_BUF: writes of several processes do not mix. */
struct note {
	pid_t group;
	int enlist; /* 0: forget */
};

struct roll {
	pid_t *groups;
	int n;
	int room;
};

static void add(struct roll *roll, pid_t group)
{
	if (roll->n == roll->room) {
		int room = roll->room > 0 ? roll->room * 2 : 64;
		pid_t *groups = realloc(roll->groups, (size_t)room *
					sizeof(*groups));

		if (groups == NULL)
			return;
		roll->groups = groups;
		roll->room = room;
	}
	roll->groups[roll->n++] = group;
}

static void forget(struct roll *roll, pid_t group)
{
	int i;

	for (i = 0; i < roll->n; i++)
		if (roll->groups[i] == group)
			roll->groups[i--] = roll->groups[--roll->n];
}

static void guard(int fd)
{
	struct roll roll = { .groups = NULL };
	struct note note;
	ssize_t n;
	int i;

	while ((n = read(fd, &note, sizeof(note))) != 0) {
		if (n != (ssize_t)sizeof(note))
			continue;
		if (note.enlist != 0)
			add(&roll, note.group);
		else
			forget(&roll, note.group);
	}
	for (i = 0; i < roll.n; i++)
		kill(-roll.groups[i], SIGKILL);
	_exit(0);
}

/* Keeps nothing of weftrun that could hold up others, or be hit with it. */
static void detach(int fd)
{
	sigset_t all;
	int null;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "weft-guardian");
	null = open("/dev/null", O_RDWR);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	dup2(fd, STDERR_FILENO + 1);
	close_range(STDERR_FILENO + 2, ~0u, 0);
	if (chdir("/") != 0)
		return; /* then it stays; only umount would mind */
}

int run_guardian_start(struct run_job *job)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		run_say("pipe: %s", strerror(errno));
		return -1;
	}
	pid = fork();
	if (pid < 0) {
		run_say("fork: %s", strerror(errno));
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	if (pid == 0) {
		close(ends[1]);
		detach(ends[0]);
		guard(STDERR_FILENO + 1);
	}
	close(ends[0]);
	job->guardian = pid;
	job->guardian_fd = ends[1];
	return 0;
}

static void send_note(int fd, pid_t group, int enlist)
{
	struct note note = { .group = group, .enlist = enlist };
	ssize_t n;

	do
		n = write(fd, &note, sizeof(note));
	while (n < 0 && errno == EINTR);
}

void run_guardian_enlist(int fd, pid_t group)
{
	send_note(fd, group, 1);
}

void run_guardian_forget(struct run_job *job, pid_t group)
{
	send_note(job->guardian_fd, group, 0);
}

void run_guardian_stop(struct run_job *job)
{
	close(job->guardian_fd);
	while (waitpid(job->guardian, NULL, 0) < 0 && errno == EINTR)
		;
}
