/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SIGUSR1 in one process: whose handler is there, what is reported, and jobs
 * that come and go while signals come.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft.h>
#include "tests/tap.h"

static atomic_int heard;		/* by the handler of the program */

static void on_signal(int number)
{
	(void)number;
	atomic_fetch_add(&heard, 1);
}

static struct weft_job *open_job(void)
{
	struct weft_job *job = NULL;

	TAP_EQUAL(weft_job_open(NULL, &job), WEFT_OK);
	return job;
}

static void set(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigemptyset(&action.sa_mask);
	TAP_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
}

static bool is(void (*handler)(int))
{
	struct sigaction now;

	return !sigaction(SIGUSR1, NULL, &now) && now.sa_handler == handler;
}

/* What a call of progress writes to standard error. */
static const char *told(struct weft_job *job)
{
	static char text[8000];
	FILE *file = tmpfile();
	int old = dup(STDERR_FILENO);
	size_t n;

	dup2(fileno(file), STDERR_FILENO);
	TAP_EQUAL(weft_job_progress(job), WEFT_OK);
	dup2(old, STDERR_FILENO);
	close(old);
	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = 0;
	fclose(file);
	return text;
}

static void taken_and_given_back(void)
{
	struct weft_job *a, *b;

	set(SIG_DFL);
	a = open_job();
	TAP_CHECK(!is(SIG_DFL));
	b = open_job();
	TAP_EQUAL(weft_job_close(a), WEFT_OK);
	TAP_CHECK(!is(SIG_DFL));
	raise(SIGUSR1);
	TAP_CHECK(strstr(told(b), ": report: memory: "));
	/* once */
	TAP_CHECK(!*told(b));
	TAP_EQUAL(weft_job_close(b), WEFT_OK);
	TAP_CHECK(is(SIG_DFL));
}

static void of_the_program(void)
{
	struct weft_job *job;

	atomic_store(&heard, 0);
	set(on_signal);
	job = open_job();
	TAP_CHECK(is(on_signal));
	raise(SIGUSR1);
	TAP_EQUAL(atomic_load(&heard), 1);
	TAP_CHECK(!*told(job));
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	TAP_CHECK(is(on_signal));
	/* ignored is not default, either */
	set(SIG_IGN);
	job = open_job();
	TAP_CHECK(is(SIG_IGN));
	/* put over ours: stays */
	set(SIG_DFL);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	job = open_job();
	set(on_signal);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	TAP_CHECK(is(on_signal));
	set(SIG_DFL);
}

static void each_job(void)
{
	struct weft_job *a, *b;

	a = open_job();
	b = open_job();
	raise(SIGUSR1);
	TAP_CHECK(strstr(told(a), ": report: process "));
	TAP_CHECK(strstr(told(b), ": report: process "));
	TAP_EQUAL(weft_job_close(a), WEFT_OK);
	TAP_EQUAL(weft_job_close(b), WEFT_OK);
}

static void child_of_a_fork(void)
{
	struct weft_job *job = open_job();
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		struct weft_job *own;

		if (!is(SIG_DFL) || weft_job_open(NULL, &own) || is(SIG_DFL) ||
		    raise(SIGUSR1) || weft_job_close(own))
			_exit(1);
		raise(SIGUSR1);
		_exit(2);
	}
	TAP_EQUAL(waitpid(pid, &status, 0), pid);
	TAP_CHECK(WIFSIGNALED(status));
	if (WIFEXITED(status))
		tap_diag("code %d", WEXITSTATUS(status));
	else
		TAP_EQUAL(WTERMSIG(status), SIGUSR1);
	TAP_CHECK(!is(SIG_DFL));
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
}

static atomic_bool enough;

/* Signals for the process, which any of its threads may get. */
static void *storm(void *arg)
{
	(void)arg;
	while (!atomic_load(&enough))
		kill(getpid(), SIGUSR1);
	return NULL;
}

static void jobs_come_and_go(void)
{
	struct weft_job *stays = open_job();
	pthread_t thread;

	atomic_store(&enough, false);
	TAP_EQUAL(pthread_create(&thread, NULL, storm, NULL), 0);
	for (int i = 0; i < 100; i++) {
		struct weft_job *a = open_job(), *b = open_job();

		TAP_EQUAL(weft_job_close(i % 2 ? a : b), WEFT_OK);
		TAP_EQUAL(weft_job_close(i % 2 ? b : a), WEFT_OK);
	}
	atomic_store(&enough, true);
	pthread_join(thread, NULL);
	TAP_CHECK(strstr(told(stays), ": report: process "));
	TAP_EQUAL(weft_job_close(stays), WEFT_OK);
	TAP_CHECK(is(SIG_DFL));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "taken, and given back", taken_and_given_back },
		{ "a handler of the program", of_the_program },
		{ "each job of a process", each_job },
		{ "the child of a fork", child_of_a_fork },
		{ "jobs that come and go", jobs_come_and_go },
	};

	if (setenv("WEFT_BOOT", "solo", 1))
		return 1;
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
