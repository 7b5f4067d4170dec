/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of sparse exchanges between processes, in all patterns, blocking and
 * several at once; sparse.t starts it.
 *
 *     sparse_rank SEED ROUNDS
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/coll/sparse_play.h"

enum {
	SEVERAL = 4,
	MOST = 60000			/* bytes of a message */
};

static struct weft_job *job;
static int me, n, failures;

static void ok(int status, const char *what)
{
	if (!status)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

static void begin(struct sparse_play *play, struct sparse_deed *d,
		  uint64_t number)
{
	d->pattern = (enum sparse_pattern)(number % SPARSE_PATTERNS);
	d->number = number;
	d->size = n;
	d->most = number % 4 ? 50 : MOST;
	sparse_play_init(play, d, me);
}

static void end(struct sparse_play *play, const struct sparse_deed *d)
{
	if (!sparse_play_check(play, d, me)) {
		printf("# rank %d: pattern %d, number %d: other messages\n",
		       me, (int)d->pattern, (int)d->number);
		fflush(stdout);
		failures++;
	}
	sparse_play_fini(play);
}

static void exchange(struct weft_comm *comm, uint64_t number)
{
	struct weft_request *req[SEVERAL] = { NULL };
	struct sparse_play play[SEVERAL];
	struct sparse_deed d[SEVERAL];

	begin(&play[0], &d[0], number);
	ok(weft_sparse_exchange(comm, &play[0].send, &play[0].got),
	   "exchange");
	end(&play[0], &d[0]);
	for (int i = 0; i < SEVERAL; i++) {
		begin(&play[i], &d[i], number + (uint64_t)i);
		ok(weft_isparse_exchange(comm, &play[i].send, &play[i].got,
					 &req[i]), "start");
	}
	ok(weft_request_wait_all(req, SEVERAL, NULL), "wait");
	ok(weft_request_free_all(req, SEVERAL), "free");
	for (int i = 0; i < SEVERAL; i++)
		end(&play[i], &d[i]);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct weft_comm *comm = NULL;

	if (weft_job_open(NULL, &job))
		return 1;
	me = weft_comm_rank(weft_job_world(job));
	n = weft_comm_size(weft_job_world(job));
	for (uint64_t i = 0; i < rounds; i++)
		exchange(weft_job_world(job), seed * 100 + i);
	ok(weft_comm_dup(weft_job_world(job), &comm), "dup");
	exchange(comm, seed);
	ok(weft_comm_free(&comm), "free");
	ok(weft_job_close(job), "close");
	return failures > 0;
}
