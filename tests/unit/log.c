/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Log: the form of a line, levels, long lines, and that a line leaves by one
 * write to stderr.
 */
#include "base/log.h"
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static char seen[4096];
static size_t seen_bytes;
static int seen_calls;

static void keep(void *arg, const char *line, size_t n)
{
	TAP_CHECK(arg == &seen_calls);
	memcpy(seen, line, n);
	seen[n] = '\0';
	seen_bytes = n;
	seen_calls++;
}

static struct wf_log kept_log(enum wf_log_level level, const char *prefix)
{
	struct wf_log log;

	wf_log_init(&log, level, prefix);
	log.write = keep;
	log.arg = &seen_calls;
	seen_calls = 0;
	seen[0] = '\0';
	return log;
}

static void form(void)
{
	struct wf_log log = kept_log(WF_LOG_WARN, "rank 3 host n1");

	wf_warn(&log, "text %d", 7);
	TAP_CHECK(strcmp(seen, "weft: rank 3 host n1: warn: text 7\n") == 0);
	wf_error(&log, "bad");
	TAP_CHECK(strcmp(seen, "weft: rank 3 host n1: error: bad\n") == 0);
	log = kept_log(WF_LOG_DEBUG, "");
	wf_info(&log, "x");
	TAP_CHECK(strcmp(seen, "weft: info: x\n") == 0);
	wf_debug(&log, "y");
	TAP_CHECK(strcmp(seen, "weft: debug: y\n") == 0);
}

static void levels(void)
{
	struct wf_log log = kept_log(WF_LOG_ERROR, "");

	for (int level = WF_LOG_ERROR; level <= WF_LOG_TRACE; level++) {
		log.level = (enum wf_log_level)level;
		seen_calls = 0;
		wf_error(&log, "a");
		wf_warn(&log, "a");
		wf_info(&log, "a");
		wf_debug(&log, "a");
		TAP_EQUAL(seen_calls, level < 3 ? level + 1 : 4);
	}
	seen_calls = 0;
	wf_trace(&log, "a");
#ifdef WF_DEBUG
	TAP_EQUAL(seen_calls, 1);
#else
	TAP_EQUAL(seen_calls, 0);
#endif
}

static void long_lines(void)
{
	struct wf_log log = kept_log(WF_LOG_WARN, "p");
	char text[3000];

	for (int n = 990; n < 1040; n++) {
		memset(text, 'x', sizeof(text));
		text[n] = '\0';
		wf_warn(&log, "%s", text);
		TAP_CHECK(seen_bytes <= 1024);
		TAP_EQUAL(strlen(seen), seen_bytes);
		TAP_CHECK(seen[seen_bytes - 1] == '\n');
		TAP_CHECK(strchr(seen, '\n') == seen + seen_bytes - 1);
		TAP_CHECK(seen[seen_bytes - 2] == 'x');
	}
	TAP_EQUAL(seen_bytes, 1023);
	log = kept_log(WF_LOG_WARN, text);
	TAP_EQUAL(strlen(log.prefix), sizeof(log.prefix) - 1);
}

static void to_stderr(void)
{
	struct wf_log log;
	int pipe_fds[2];
	int saved = dup(STDERR_FILENO);
	char line[100];
	ssize_t n;

	wf_log_init(&log, WF_LOG_WARN, "rank 0");
	TAP_CHECK(pipe2(pipe_fds, O_DIRECT) == 0);
	fflush(stderr);
	dup2(pipe_fds[1], STDERR_FILENO);
	errno = ENOENT;
	wf_warn(&log, "one");
	TAP_EQUAL(errno, ENOENT);
	wf_warn(&log, "two");
	dup2(saved, STDERR_FILENO);
	close(saved);
	/* a pipe in packet mode gives what one write put in */
	n = read(pipe_fds[0], line, sizeof(line));
	TAP_EQUAL(n, strlen("weft: rank 0: warn: one\n"));
	TAP_CHECK(memcmp(line, "weft: rank 0: warn: one\n", (size_t)n) == 0);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

static void without_stderr(void)
{
	struct wf_log log;
	int saved = dup(STDERR_FILENO);

	wf_log_init(&log, WF_LOG_WARN, "");
	close(STDERR_FILENO);
	errno = 0;
	wf_warn(&log, "nobody reads this");
	TAP_EQUAL(errno, 0);
	dup2(saved, STDERR_FILENO);
	close(saved);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "form of a line", form },
		{ "levels", levels },
		{ "long lines are cut", long_lines },
		{ "one write per line", to_stderr },
		{ "stderr closed", without_stderr },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
