/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of pairwise exchanges whose legs all land while nobody looks;
 * forms.t starts 17, so that a call has as many as may be under way.
 *
 *     alltoall_rank BOARD     BOARD is a file that all map
 *
 * Between start and wait a rank computes, which makes no progress, until all
 * have started.  Then one pass of progress finds all legs complete, and the
 * request is given back before anything else begins.
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <weft.h>

enum {
	BYTES = 700,			/* for each rank: not through others */
	ROUNDS = 10,
	CALLS = 4			/* that no credit is needed for */
};

static atomic_int *started;		/* on the board */
static struct weft_job *job;
static int me, n, calls, failures;

static void ok(int status, const char *what)
{
	if (!status)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

static void compute(void)
{
	atomic_fetch_add(started, 1);
	calls++;
	while (atomic_load(started) < calls * n)
		sched_yield();
}

static void call(struct weft_comm *comm, char *in, char *out)
{
	size_t all = (size_t)n * BYTES;
	struct weft_request *req = NULL;

	memset(in, me + 1, all);
	memset(out, 0, all);
	ok(weft_ialltoall(comm, weft_part(in, BYTES, &weft_type_byte),
			  weft_part(out, BYTES, &weft_type_byte), &req),
	   "start");
	compute();
	ok(weft_request_wait(req), "wait");
	ok(weft_request_free(&req), "free");
	for (size_t i = 0; i < all; i++)
		if (out[i] != (char)(i / BYTES + 1)) {
			ok(WEFT_ERR_SIZE, "content");
			return;
		}
}

static void run(void)
{
	char *in = malloc((size_t)n * BYTES), *out = malloc((size_t)n * BYTES);

	if (!in || !out)
		abort();
	for (int i = 0; i < ROUNDS; i++) {
		struct weft_comm *comm = NULL;

		ok(weft_comm_dup(weft_job_world(job), &comm), "dup");
		for (int k = 0; k < CALLS; k++)
			call(comm, in, out);
		ok(weft_comm_free(&comm), "free");
	}
	free(in);
	free(out);
}

static atomic_int *open_board(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *at = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, sizeof(*started)))
		at = mmap(NULL, sizeof(*started), PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);
	return at == MAP_FAILED ? NULL : at;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: alltoall_rank BOARD\n");
		return 2;
	}
	started = open_board(argv[1]);
	if (!started || weft_job_open(NULL, &job))
		return 1;
	me = weft_job_rank(job);
	n = weft_job_size(job);
	run();
	ok(weft_job_close(job), "close");
	return failures != 0;
}
