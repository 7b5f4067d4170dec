/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each rank exchanges with each, by lines, slots and puts into the memory of
 * the program, every message checked, while the caller disturbs the network:
 *
 *     outage PATH    makes PATH.begun when the exchanges have begun; they end
 *                    when PATH.end is there, or with an error, which is printed
 *
 * Exit code 0: what came was right.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>
#include <weft.h>

#include "tests/mp/full_graph.h"

static struct full_graph g;
static int rounds;

static void path_of(char *to, size_t bytes, const char *path, const char *end)
{
	snprintf(to, bytes, "%s.%s", path, end);
}

static int make(const char *path)
{
	char name[200];
	int fd;

	path_of(name, sizeof(name), path, "begun");
	fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return WEFT_ERR_ARG;
	close(fd);
	return WEFT_OK;
}

static int each_size(void)
{
	static const size_t bytes[] = { 8, 24, 4000, 200000 };
	int status = WEFT_OK;

	for (int i = 0; !status && i < 4; i++) {
		status = full_graph_shape(&g, bytes[i], true);
		for (int k = 0; !status && k < 5; k++)
			status = full_graph_round(&g, rounds++);
	}
	return status;
}

/* Rank 0 looks whether it is over. */
static int look(const char *path, bool *over)
{
	int64_t mine = 0, sum = 0;
	char name[200];
	int status;

	path_of(name, sizeof(name), path, "end");
	if (g.me == 0)
		mine = access(name, F_OK) == 0;
	status = weft_allreduce(weft_job_world(g.job), &mine, &sum, 1,
				&weft_type_int64, &weft_op_sum);
	*over = sum;
	return status;
}

static int run(const char *path)
{
	bool over = false;
	int status = each_size();

	if (!status && g.me == 0)
		status = make(path);
	while (!status && !over) {
		status = each_size();
		if (!status)
			status = look(path, &over);
	}
	return status;
}

int main(int argc, char **argv)
{
	struct weft_job *job;
	int status;

	if (argc != 2 || weft_job_open(NULL, &job))
		return 2;
	status = full_graph_open(&g, weft_job_world(job));
	if (!status)
		status = run(argv[1]);
	if (status)
		printf("rank %d: %s: %s\n", g.me, weft_status_name(status),
		       weft_error_text(job));
	else
		printf("rank %d: all right, %d rounds\n", g.me, rounds);
	fflush(stdout);
	full_graph_close(&g);
	/* After an error the close says so, too. */
	if (weft_job_close(job) && !status)
		return 1;
	return status == WEFT_ERR_INTERNAL;
}
