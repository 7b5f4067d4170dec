/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of neighbour reductions between processes, on drawn graphs, in all
 * forms, against a serial fold; neighbor_reduce.t starts it.
 *
 *     neighbor_reduce_rank SEED GRAPHS
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/coll/fold_play.h"

enum { TRIALS = 8, SEVERAL = 4, STARTS = 3 };

static struct weft_job *job;
static int me, failures;

static void ok(int status, const char *what)
{
	if (!status)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

static void check(const struct fold_trial *t)
{
	if (fold_trial_check(t))
		return;
	printf("# rank %d: graph %d, trial %d, kind %d, form %d: another "
	       "result\n", me, (int)t->play->seed, (int)t->number,
	       (int)t->kind, (int)t->form);
	fflush(stdout);
	failures++;
}

static void expect(struct fold_trial *t)
{
	fold_trial_fill(t);
	fold_trial_expect(t, t->play->nin);
}

static void finish(struct fold_trial *t, struct weft_request *req)
{
	ok(weft_request_wait(req), "wait");
	ok(weft_request_free(&req), "free");
	check(t);
	fold_trial_free(t);
}

static void often(struct fold_trial *t)
{
	struct weft_request *req = NULL;

	ok(fold_trial_call(t, &req), "init");
	for (t->start = 0; req && t->start < STARTS; t->start++) {
		expect(t);
		ok(weft_request_start(req), "start");
		ok(weft_request_wait(req), "wait");
		check(t);
	}
	ok(weft_request_free(&req), "free");
	fold_trial_free(t);
}

static void reduce(const struct fold_play *p, uint64_t number)
{
	struct fold_trial *t = fold_trial_make(p, number);
	struct weft_request *req = NULL;

	if (t->form == FOLD_PERSISTENT) {
		often(t);
		return;
	}
	expect(t);
	ok(fold_trial_call(t, &req), "reduce");
	if (req) {
		finish(t, req);
		return;
	}
	check(t);
	fold_trial_free(t);
}

static void reduce_several(const struct fold_play *p, uint64_t number)
{
	struct weft_request *req[SEVERAL] = { NULL };
	struct fold_trial *t[SEVERAL];

	for (int i = 0; i < SEVERAL; i++) {
		t[i] = fold_trial_make(p, number + (uint64_t)i);
		t[i]->form = FOLD_NONBLOCKING;
		expect(t[i]);
		ok(fold_trial_call(t[i], &req[i]), "start");
	}
	for (int i = SEVERAL; i-- > 0;)
		finish(t[i], req[i]);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	uint64_t graphs = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct fold_play p;

	if (weft_job_open(NULL, &job))
		return 1;
	me = weft_comm_rank(weft_job_world(job));
	for (uint64_t i = 0; i < graphs; i++) {
		ok(fold_play_begin(&p, job, seed * 1000 + i), "graph");
		for (uint64_t x = 0; p.graph && x < TRIALS; x++)
			reduce(&p, x);
		if (p.graph)
			reduce_several(&p, TRIALS);
		ok(fold_play_end(&p), "free");
	}
	ok(weft_job_close(job), "close");
	return failures > 0;
}
