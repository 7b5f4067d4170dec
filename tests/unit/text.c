/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sentences of bounded length, the clock, and what a broken invariant does.
 */
#include "base/assert.h"
#include "base/clock.h"
#include "base/text.h"
#include "tests/tap.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void adding(void)
{
	char buf[16] = "";

	buf[12] = '#';
	wf_text_add(buf, 12, "%d", 12345);
	wf_text_add(buf, 12, " %s", "ab");
	TAP_CHECK(strcmp(buf, "12345 ab") == 0);
	wf_text_add(buf, 12, "cdefgh");
	TAP_CHECK(strcmp(buf, "12345 abcde") == 0);
	wf_text_add(buf, 12, "more");
	TAP_CHECK(strcmp(buf, "12345 abcde") == 0);
	TAP_CHECK(buf[12] == '#');
}

static void no_room(void)
{
	char buf[4] = { '#', '#', '#', '#' };

	wf_text_add(buf, 0, "x");
	TAP_CHECK(buf[0] == '#');
	/* not ended within its size: left alone */
	wf_text_add(buf, 4, "x");
	TAP_CHECK(buf[3] == '#');
	buf[0] = '\0';
	wf_text_add(buf, 1, "x");
	TAP_CHECK(buf[0] == '\0' && buf[1] == '#');
}

static void lists(void)
{
	static const struct {
		const char *list, *word;
		bool listed, allowed;
	} all[] = {
		{ "", "shm", false, true }, { "shm", "shm", true, true },
		{ "shm", "sh", false, false }, { "shm", "shmx", false, false },
		{ "ofi,shm", "shm", true, true },
		{ "ofi,shm", "ofi", true, true },
		{ "ofi,,shm,", "shm", true, true },
		{ ",", "", true, true }, { "^ofi", "shm", false, true },
		{ "^ofi", "ofi", false, false },
		{ "^shm,ofi", "ofi", true, false }, { "^", "ofi", false, true }
	};

	for (int i = 0; i < TAP_COUNT(all); i++) {
		TAP_EQUAL(wf_text_lists(all[i].list, all[i].word),
			  all[i].listed);
		TAP_EQUAL(wf_text_allows(all[i].list, all[i].word),
			  all[i].allowed);
	}
}

static void clock_rises(void)
{
	uint64_t first = wf_clock_ns();
	uint64_t now = first;

	TAP_CHECK(first > 0);
	for (int i = 0; i < 1000; i++) {
		uint64_t next = wf_clock_ns();

		TAP_CHECK(next >= now);
		now = next;
	}
	TAP_CHECK(now > first);
}

static void broken_invariant(void)
{
	int fds[2];
	char line[200] = "";
	int status = 0;
	pid_t child;

	TAP_EQUAL(pipe(fds), 0);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		dup2(fds[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		wf_assert_failed("1 == 2", "file.c", 7);
	}
	close(fds[1]);
	TAP_CHECK(read(fds[0], line, sizeof(line) - 1) > 0);
	close(fds[0]);
	TAP_CHECK(strcmp(line, "weft: broken invariant: 1 == 2 (file.c:7)\n")
		  == 0);
	TAP_EQUAL(waitpid(child, &status, 0), child);
	TAP_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	WF_ASSERT(line[0] == 'w');
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "adding", adding },
		{ "no room", no_room },
		{ "lists of words", lists },
		{ "clock rises", clock_rises },
		{ "broken invariant", broken_invariant },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
