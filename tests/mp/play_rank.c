/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of the random programs of matched messages in real processes; p2p.t
 * starts them.
 *
 *     play_rank SEED SEEDS   the programs of so many seeds, one by one
 *     play_rank SEED death   one of the ranks is killed meanwhile
 *
 * Each rank knows what all others send, and asks the serial matcher whether
 * what it has received is in order.  Exit code 1 if anything was wrong at this
 * rank; rank 0 prints what has happened to it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/p2p/p2p_play.h"

static struct weft_job *job;
static int failures;

static void fail(void *arg, const char *text)
{
	(void)arg;
	printf("# rank %d: %s\n", weft_job_rank(job), text);
	fflush(stdout);
	failures++;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void let_pass(void *arg, uint64_t ns, bool progress)
{
	uint64_t until = now_ns() + ns;

	(void)arg;
	while (now_ns() < until)
		if (progress)
			(void)!weft_job_progress(job);
}

static void die(void *arg)
{
	(void)arg;
	kill(getpid(), SIGKILL);
}

static void run(struct show *show)
{
	static const struct play_hooks hooks = {
		.fail = fail, .pause = let_pass, .die = die
	};
	struct play *p = calloc(1, sizeof(*p));

	p->hooks = &hooks;
	play_run(p, show, job);
	if (show->dies[p->me])
		die(NULL);
	play_end(p);
	free(p);
}

/* A message of one program does not come in the one before. */
static void run_all(struct show *show, uint64_t seed, long seeds)
{
	int status = WEFT_OK;

	for (long k = 0; k < seeds && !status && !failures; k++) {
		play_draw_show(show, seed + (uint64_t)k, weft_job_size(job),
			       false);
		run(show);
		if (k + 1 < seeds)
			status = weft_barrier(weft_job_world(job));
	}
	if (status)
		fail(NULL, weft_error_text(job));
}

static void run_death(struct show *show, uint64_t seed)
{
	int ranks = weft_job_size(job);

	play_draw_show(show, seed, ranks, true);
	show->dies[seed % (uint64_t)ranks] = true;
	run(show);
}

static void start(char **argv, unsigned char *content)
{
	static struct show show;
	struct sights seen = { 0 };
	uint64_t seed = strtoull(argv[1], NULL, 10);

	show.seen = &seen;
	show.content = content;
	if (strcmp(argv[2], "death"))
		run_all(&show, seed, atol(argv[2]));
	else
		run_death(&show, seed);
	if (!weft_job_rank(job))
		printf("cancelled %lu, too late %lu, cut off %lu, failed %lu, "
		       "buffered %lu, sent and received %lu\n", seen.cancelled,
		       seen.late, seen.cut, seen.failed, seen.buffered,
		       seen.exchanged);
	/* the others of a failed rank cannot go on: weftrun ends them */
	if (failures)
		weft_job_abort(job, 1, "matched messages failed");
}

int main(int argc, char **argv)
{
	unsigned char *content;
	int status;

	if (argc != 3) {
		fprintf(stderr, "usage: play_rank SEED SEEDS | SEED death\n");
		return 2;
	}
	status = weft_job_open(NULL, &job);
	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	if (weft_job_size(job) > PLAY_RANKS)
		weft_job_abort(job, 2, "too many ranks");
	content = play_make_content();
	start(argv, content);
	/* sends that were given up may be under way until then */
	status = weft_job_close(job);
	free(content);
	if (!status || !strcmp(argv[2], "death"))
		return 0;
	printf("# close: %s\n", weft_status_name(status));
	return 1;
}
