/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of a job in which rank 1 broadcasts from another root than all
 * others, over and over, of some communicators; odds.t starts them.
 *
 * Each rank hears that the calls differ, prints what it heard first, and goes
 * on with the next communicator.  Exit code 1 if anything was wrong at this
 * rank.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <weft.h>

enum {
	ROUNDS = 20,
	MOST = 5000			/* words of a broadcast */
};

static struct weft_job *job;
static int me, failures;

static void check(int good, const char *what)
{
	if (good)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

/* Who is the root may be done before another one is there. */
static void differ(struct weft_comm *comm, size_t n)
{
	static int64_t data[MOST];
	int status = WEFT_OK;

	for (int i = 0; !status && i < 3; i++)
		status = weft_bcast(comm, weft_part(data, n, &weft_type_int64),
				    me == 1);
	check(status == WEFT_ERR_ARG &&
	      strstr(weft_error_text(job), " differs: "), "not at odds");
}

static void play(struct weft_comm *world, int round)
{
	struct weft_comm *comm;

	check(!weft_comm_dup(world, &comm), "dup");
	differ(comm, round % 2 ? MOST : 1);
	if (!round)
		printf("%d heard: %s\n", me, weft_error_text(job));
	check(!weft_barrier(world), "barrier of the world");
	check(!weft_comm_free(&comm), "free");
}

int main(void)
{
	if (weft_job_open(NULL, &job))
		return 1;
	me = weft_comm_rank(weft_job_world(job));
	for (int round = 0; round < ROUNDS; round++)
		play(weft_job_world(job), round);
	check(!weft_job_close(job), "close");
	return failures > 0;
}
