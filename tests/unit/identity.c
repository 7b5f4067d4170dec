/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The facts that a process tells about itself.
 */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lack.h"
#include "base/process.h"
#include "boot/identity.h"
#include "tests/tap.h"

static void own_facts(void)
{
	struct wf_identity id;
	char host[WF_HOST_MAX + 1];
	char why[200] = "";

	TAP_EQUAL(wf_identity_read(&id, why, sizeof(why)), WEFT_OK);
	TAP_EQUAL(id.pid, getpid());
	TAP_EQUAL(id.uid, getuid());
	TAP_CHECK(id.pid_ns != 0);
	TAP_EQUAL(id.start, wf_process_start_time(getpid()));
	TAP_EQUAL(gethostname(host, sizeof(host)), 0);
	TAP_CHECK(strcmp(host, id.host) == 0);
}

/* A child is on the same node and is another process. */
static void child_facts(void)
{
	struct wf_identity mine;
	struct wf_identity theirs;
	char why[200] = "";
	int ends[2];
	pid_t pid;

	TAP_EQUAL(pipe(ends), 0);
	TAP_EQUAL(wf_identity_read(&mine, why, sizeof(why)), WEFT_OK);
	pid = fork();
	if (pid == 0) {
		int status = wf_identity_read(&theirs, why, sizeof(why));

		if (write(ends[1], &theirs, sizeof(theirs)) < 0)
			status = 1;
		_exit(status == WEFT_OK ? 0 : 1);
	}
	TAP_EQUAL(read(ends[0], &theirs, sizeof(theirs)), sizeof(theirs));
	TAP_EQUAL(waitpid(pid, NULL, 0), pid);
	TAP_EQUAL(theirs.pid, pid);
	TAP_EQUAL(theirs.pid_ns, mine.pid_ns);
	TAP_CHECK(memcmp(theirs.boot_id, mine.boot_id, 16) == 0);
	close(ends[0]);
	close(ends[1]);
}

/* Not taken for what a container hides. */
static void no_descriptor(void)
{
	struct rlimit before, none;
	struct wf_identity id;
	char why[WF_LACK_TEXT + 64] = "";
	int status;

	TAP_EQUAL(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &none), 0);
	status = wf_identity_read(&id, why, sizeof(why));
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &before), 0);
	TAP_EQUAL(status, WEFT_ERR_NOMEM);
	if (!TAP_CHECK(strstr(why, "(ulimit -n, now 0)")))
		tap_diag("%s", why);
}

static void uuids(void)
{
	static const char *const bad[] = {
		"", "7", "7ffb9a26-6855-4a44-83a6-6e0dccd95ee",
		"7ffb9a26 6855-4a44-83a6-6e0dccd95eee",
		"7ffb9a2g-6855-4a44-83a6-6e0dccd95eee",
	};
	uint8_t id[16];
	int i;

	TAP_EQUAL(wf_identity_parse_uuid(
		"7ffb9A26-6855-4a44-83a6-6e0dccd95eee\n", id), WEFT_OK);
	TAP_EQUAL(id[0], 0x7f);
	TAP_EQUAL(id[2], 0x9a);
	TAP_EQUAL(id[15], 0xee);
	for (i = 0; i < TAP_COUNT(bad); i++)
		TAP_EQUAL(wf_identity_parse_uuid(bad[i], id), WEFT_ERR_DEVICE);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "own facts", own_facts },
		{ "those of a child", child_facts },
		{ "no descriptor is left", no_descriptor },
		{ "boot ids", uuids },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
