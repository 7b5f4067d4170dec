/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank for tests of the launcher: joins the job through boot/ alone.
 *
 *     boot_client run           put, fence, read from everybody, fence, close
 *     boot_client wait          print "pid N" after both fences, then stay
 *     boot_client die R         as wait, but rank R kills itself
 *     boot_client left R        as run, but rank R exits with 0 before close
 *     boot_client abort R CODE  as wait, but rank R aborts the job; -1: all do
 *     boot_client cut FILE      rank 1 loses its connection, rank 0 exits with
 *                               3 then, and only then rank 1 kills itself
 *     boot_client early R       as run, but rank R dies before the first fence
 *     boot_client hang PID      stops the launcher PID: print what fence, get
 *                               and close return, exit with 0
 *
 * Exit code 1 and a sentence on stdout if boot/ refuses.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "boot/boot.h"

#define VALUE_BYTES 600 /* as much as the largest boot blob */

static void give_up(const char *what, int status, const char *why)
{
	printf("%s: %s: %s\n", what, weft_status_name(status), why);
	exit(1);
}

static struct wf_boot *open_boot(void)
{
	static struct wf_config config;
	static struct wf_log log;
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config, .log = &log,
	};
	struct wf_boot *boot = NULL;
	char why[512] = "";
	int status;

	status = wf_config_read(&config, environ, why, sizeof(why));
	if (status == WEFT_OK) {
		wf_log_init(&log, config.log, "");
		status = wf_boot_open(&options, &boot, why, sizeof(why));
	}
	if (status != WEFT_OK)
		give_up("open", status, why);
	return boot;
}

static void meet(struct wf_boot *boot)
{
	int status = wf_boot_fence(boot);

	if (status != WEFT_OK)
		give_up("fence", status, wf_boot_why(boot));
}

static void put_and_meet(struct wf_boot *boot)
{
	unsigned char value[VALUE_BYTES];
	int status;

	memset(value, wf_boot_rank(boot), sizeof(value));
	status = wf_boot_put(boot, "value", value, sizeof(value));
	if (status != WEFT_OK)
		give_up("put", status, wf_boot_why(boot));
	meet(boot);
}

static void read_all(struct wf_boot *boot)
{
	unsigned char want[VALUE_BYTES];
	unsigned char have[VALUE_BYTES];
	size_t n = 0;
	int status;
	int r;

	for (r = 0; r < wf_boot_size(boot); r++) {
		memset(want, r, sizeof(want));
		status = wf_boot_get(boot, r, "value", have, sizeof(have), &n);
		if (status != WEFT_OK)
			give_up("get", status, wf_boot_why(boot));
		if (n != sizeof(want) || memcmp(have, want, n) != 0)
			give_up("get", WEFT_ERR_INTERNAL, "wrong bytes");
	}
}

static void stay(void)
{
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}

/* The state in a stat file of /proc; '?': there is none. */
static char state_in(const char *path)
{
	FILE *file = fopen(path, "r");
	char state = '?';

	if (!file)
		return state;
	if (fscanf(file, "%*d %*s %c", &state) != 1)
		state = '?';
	fclose(file);
	return state;
}

/* Is every thread of a process stopped? One that still runs could answer. */
static bool is_stopped(pid_t pid)
{
	char path[300];
	char state = 'T';
	DIR *tasks;
	struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	while (tasks && state == 'T' && (entry = readdir(tasks))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%.20s/stat",
			 (int)pid, entry->d_name);
		state = state_in(path);
	}
	if (tasks)
		closedir(tasks);
	return state == 'T';
}

/* The launcher stays stopped: its thread must not answer while this ends. */
static int hang(struct wf_boot *boot, pid_t launcher)
{
	size_t n;
	int status;

	kill(launcher, SIGSTOP);
	/* the limit of time is that of the test program */
	while (!is_stopped(launcher))
		sched_yield();
	status = wf_boot_fence(boot);
	printf("fence: %s: %s\n", weft_status_name(status), wf_boot_why(boot));
	status = wf_boot_get(boot, 0, "value", &n, sizeof(n), &n);
	printf("get: %s: %s\n", weft_status_name(status), wf_boot_why(boot));
	status = wf_boot_close(boot);
	printf("close: %s\n", weft_status_name(status));
	return 0;
}

static pid_t pid_of_rank_0(struct wf_boot *boot)
{
	pid_t pid = getpid();
	int status = wf_boot_put(boot, "pid", &pid, sizeof(pid));
	size_t n;

	if (status == WEFT_OK)
		status = wf_boot_fence(boot);
	if (status == WEFT_OK)
		status = wf_boot_get(boot, 0, "pid", &pid, sizeof(pid), &n);
	if (status != WEFT_OK)
		give_up("pid", status, wf_boot_why(boot));
	return pid;
}

/* FILE is there from rank 1's cut on. */
static void cut(struct wf_boot *boot, const char *file)
{
	struct timespec notice = { .tv_nsec = 300000000 };
	pid_t first = pid_of_rank_0(boot);
	char stat[40];

	if (wf_boot_rank(boot) == 0) {
		while (access(file, F_OK) != 0)
			sched_yield();
		/* the server has to see it, too */
		nanosleep(&notice, NULL);
		exit(3);
	}
	close_range(STDERR_FILENO + 1, ~0u, 0);
	if (open(file, O_WRONLY | O_CREAT, 0600) < 0)
		exit(1);
	snprintf(stat, sizeof(stat), "/proc/%d/stat", (int)first);
	while (!strchr("Z?", state_in(stat)))
		sched_yield();
	raise(SIGKILL);
}

static void end_by(struct wf_boot *boot, const char *mode, int code)
{
	if (strcmp(mode, "die") == 0)
		raise(SIGKILL);
	if (strcmp(mode, "left") == 0)
		exit(0);
	if (strcmp(mode, "abort") == 0)
		wf_boot_abort(boot, code, "enough");
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "run";
	int who = argc > 2 ? atoi(argv[2]) : -1;
	struct wf_boot *boot = open_boot();
	bool me = wf_boot_rank(boot) == who;

	if (strcmp(mode, "hang") == 0)
		return hang(boot, who);
	if (me && strcmp(mode, "early") == 0)
		raise(SIGKILL);
	put_and_meet(boot);
	read_all(boot);
	/* Hydra fails if its proxy answers a get of one that it has killed. */
	meet(boot);
	if (strcmp(mode, "cut") == 0)
		cut(boot, argv[2]);
	if (who == -1 && strcmp(mode, "abort") == 0)
		me = true;
	if (me)
		end_by(boot, mode, argc > 3 ? atoi(argv[3]) : 1);
	if (strcmp(mode, "run") != 0 && strcmp(mode, "left") != 0 &&
	    strcmp(mode, "early") != 0)
		stay();
	return wf_boot_close(boot) == WEFT_OK ? 0 : 1;
}
