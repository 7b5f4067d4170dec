/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process of an attempt: it runs, says nothing, and writes its outcome
 * into a pipe. One that a signal ends has failed, too, by that signal.
 */
#include "tools/weft-sim/weft_sim_attempt.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/weft-sim/weft_sim_graph.h"
#include "tools/weft-sim/weft_sim_run.h"

/* What a failure says before its first details, without numbers. */
static void find_kind(const char *text, char *kind)
{
	const char *colon = strstr(text, " ns: ");

	if (!strncmp(text, "at ", 3) && colon)
		text = colon + strlen(" ns: ");
	while (*text && *text != ';') {
		char *end;

		if (isdigit((unsigned char)*text)) {
			(void)strtod(text, &end);
			text = end;
			*kind++ = '#';
		} else {
			*kind++ = *text++;
		}
	}
	*kind = 0;
}

static void run(const struct wsim_options *options,
		struct wsim_outcome *outcome)
{
	struct wsim_graph graph = { .ranks = (int)options->ranks[0] };
	struct wsim_result result;
	struct wsim_run run = {
		.options = options, .graph = options->graph ? &graph : NULL,
		.bytes = options->bytes[0], .radix = options->radix[0],
		.seed = options->seed
	};

	if (options->graph &&
	    !wsim_graph_make(options->graph,
			     options->nranks ? (int)options->ranks[0] : 0,
			     options->seed, &graph))
		return;
	run.ranks = outcome->ranks = graph.ranks;
	if (!wsim_run(&run, &result) || wsim_result_good(&run, &result))
		return;
	outcome->fails = true;
	snprintf(outcome->text, sizeof(outcome->text), "%s", result.sim.text);
	find_kind(outcome->text, outcome->kind);
}

/* One write: a pipe takes so little at once. */
_Noreturn static void child(const struct wsim_options *options,
			    unsigned int seconds, int out)
{
	struct wsim_outcome outcome = { .fails = false };
	int null = open("/dev/null", O_WRONLY);

	(void)dup2(null, STDOUT_FILENO);
	(void)dup2(null, STDERR_FILENO);
	alarm(seconds);
	run(options, &outcome);
	if (write(out, &outcome, sizeof(outcome)) != sizeof(outcome))
		_exit(1);
	_exit(0);
}

static void wait_for(pid_t pid, struct wsim_outcome *outcome)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFSIGNALED(status) || WTERMSIG(status) == SIGALRM)
		return;
	outcome->fails = true;
	snprintf(outcome->text, sizeof(outcome->text), "killed by signal %d",
		 WTERMSIG(status));
	/* which one it was belongs to the kind */
	memcpy(outcome->kind, outcome->text, sizeof(outcome->kind));
}

bool wsim_attempt(const struct wsim_options *options, unsigned int seconds,
		  struct wsim_outcome *outcome_p)
{
	struct wsim_outcome outcome = { .fails = false };
	int ends[2];
	pid_t pid;

	fflush(stdout);
	if (pipe(ends))
		goto no_process;
	pid = fork();
	if (!pid)
		child(options, seconds, ends[1]);
	close(ends[1]);
	if (pid > 0) {
		if (read(ends[0], &outcome, sizeof(outcome)) !=
		    sizeof(outcome))
			outcome = (struct wsim_outcome){ .fails = false };
		wait_for(pid, &outcome);
	}
	close(ends[0]);
	if (pid < 0)
		goto no_process;
	*outcome_p = outcome;
	return true;

no_process:
	fprintf(stderr, "weft-sim: --shrink: no process: %s\n",
		strerror(errno));
	return false;
}
