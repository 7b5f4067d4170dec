/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of jobs whose ranks make the same irregular group; group.t starts
 * them.
 *
 *     group_rank share      each says in which file its table is, and that the
 *                           file is gone behind it
 *     group_rank death      whoever made the file is killed, too; the others
 *                           look again, and then make the group once more
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft.h>

static struct weft_job *job;
static struct weft_comm *world;
static int me, n, failures;

static void ok(int status, const char *what)
{
	if (!status)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	failures++;
}

/* Not in a row, nor is its inverse the same. */
static struct weft_group *make(void)
{
	int *ranks = malloc((size_t)n * sizeof(*ranks));
	struct weft_group *all = NULL, *made = NULL;

	for (int i = 0; i < n; i++)
		ranks[i] = (i + n / 3) % n;
	ok(weft_comm_group(world, &all), "group");
	ok(weft_group_incl(all, n, ranks, &made), "incl");
	ok(weft_group_free(&all), "free");
	free(ranks);
	return made;
}

static void look(struct weft_group *made)
{
	struct weft_group *all = NULL;

	ok(weft_comm_group(world, &all), "group");
	for (int i = 0; i < n; i++) {
		int there = (i + n / 3) % n, rank = -1;

		ok(weft_group_translate(made, 1, &i, all, &rank), "translate");
		if (rank != there) {
			printf("# rank %d: member %d is %d\n", me, i, rank);
			failures++;
		}
		ok(weft_group_translate(all, 1, &there, made, &rank), "back");
		if (rank != i) {
			printf("# rank %d: %d is member %d\n", me, there, rank);
			failures++;
		}
	}
	ok(weft_group_free(&all), "free");
}

/* The numbers of the files that this process maps. */
static void list_files(const char *when)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long inode;
	char line[512];
	bool found = false;

	while (maps && fgets(line, sizeof(line), maps)) {
		if (!strstr(line, "memfd:weft-shared") ||
		    sscanf(line, "%*s %*s %*s %*s %lu", &inode) != 1)
			continue;
		printf("%s %lu\n", when, inode);
		found = true;
	}
	if (maps)
		fclose(maps);
	if (!found)
		printf("%s none\n", when);
	fflush(stdout);
}

/* Has this process it as a descriptor? */
static bool is_maker(void)
{
	DIR *fds = opendir("/proc/self/fd");
	struct dirent *entry;
	bool found = false;

	while (fds && (entry = readdir(fds))) {
		char path[300], name[64] = "";

		snprintf(path, sizeof(path), "/proc/self/fd/%s", entry->d_name);
		if (readlink(path, name, sizeof(name) - 1) > 0)
			found |= strstr(name, "memfd:weft-shared") != NULL;
	}
	if (fds)
		closedir(fds);
	return found;
}

/* With all others, or not any more. */
static void meet(bool all)
{
	int status = weft_barrier(world);

	if (status != (all ? WEFT_OK : WEFT_ERR_PEER))
		ok(status ? status : WEFT_ERR_INTERNAL, "barrier");
}

static struct weft_group *make_again(struct weft_group *made)
{
	look(made);
	list_files("kept");
	ok(weft_group_free(&made), "free");
	made = make();
	look(made);
	list_files("again");
	return made;
}

static void run(bool death)
{
	struct weft_group *made = make();
	bool maker = is_maker();

	look(made);
	list_files("made");
	if (maker)
		printf("maker\n");
	/* Its end may come before others are out of this one. */
	if (!death)
		meet(true);
	else
		(void)!weft_barrier(world);
	if (death && maker)
		kill(getpid(), SIGKILL);
	if (death) {
		meet(false);
		made = make_again(made);
		fflush(stdout);
	}
	ok(weft_group_free(&made), "free");
	list_files("freed");
}

int main(int argc, char **argv)
{
	int status;

	if (argc != 2 || weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	me = weft_job_rank(job);
	n = weft_job_size(job);
	run(!strcmp(argv[1], "death"));
	status = weft_job_close(job);
	if (status && status != WEFT_ERR_PEER)
		ok(status, "close");
	return failures != 0;
}
