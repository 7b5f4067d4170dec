/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of a job of two of which rank 1 sends a number to rank 0:
 *
 *     ping FILE [SECONDS]
 *
 * It computes for so long before it waits until that is sent.
 * Each says how that ended at its end, and stays until the other one has said
 * it, too (FILE.0 and FILE.1), so that nobody hears of it by a death.
 *
 * Exit code 0: both have heard something within the time that is theirs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <weft.h>

enum {
	PATIENCE_S = 20
};

static int send_it(struct weft_comm *world, const double *x, unsigned seconds)
{
	struct weft_request *req;
	int status = weft_issend(world, x, 1, &weft_type_double, weft_to(0, 0),
				 &req);

	if (status)
		return status;
	sleep(seconds);
	status = weft_request_wait(req);
	return weft_request_free(&req) ? 1 : status;
}

static int ping(struct weft_job *job, struct weft_comm *world, unsigned seconds)
{
	double x = 7, y = x;
	int status = weft_job_rank(job) ? send_it(world, &x, seconds) :
		weft_recv(world, &x, 1, &weft_type_double, weft_from(1, 0),
			  NULL);

	printf("rank %d: %s: %s\n", weft_job_rank(job),
	       weft_status_name(status), status ? weft_error_text(job) :
	       x == y ? "" : "a wrong number");
	fflush(stdout);
	return status;
}

/* Is it there in time?  Nothing else of this process may go on meanwhile. */
static int await(const char *file, int rank)
{
	const struct timespec pause = { 0, 10000000 };
	const time_t until = time(NULL) + PATIENCE_S;
	char name[4096];

	snprintf(name, sizeof(name), "%s.%d", file, rank);
	while (access(name, F_OK) && time(NULL) < until)
		nanosleep(&pause, NULL);
	return access(name, F_OK);
}

static void say(const char *file, int rank)
{
	char name[4096];
	int fd;

	snprintf(name, sizeof(name), "%s.%d", file, rank);
	fd = open(name, O_CREAT | O_WRONLY, 0600);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct weft_job *job;
	struct weft_comm *world;
	int status, missing;

	if (argc < 2 || weft_job_open(NULL, &job))
		return 2;
	world = weft_job_world(job);
	status = ping(job, world, argc > 2 ? (unsigned)atoi(argv[2]) : 0);
	say(argv[1], weft_job_rank(job));
	missing = await(argv[1], !weft_job_rank(job));
	/* It tells once more what has failed already. */
	return (weft_job_close(job) && !status) || missing;
}
