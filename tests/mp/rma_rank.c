/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of jobs that use one-sided operations; rma.t starts them.
 *
 *     rma_rank random SEED ROUNDS   the random program
 *     rma_rank long                 a put and a get longer than a post can be
 *     rma_rank memory               regions of the program's own memory
 *     rma_rank exposed              who has no part of a region is no peer
 *     rma_rank agent RANK           atomics of all, and this one asks first
 *     rma_rank death                the last rank is killed, the others hear
 *     rma_rank unraised CALL WHOM   the same before it has met anybody, by
 *                                   "wait" or "test", for "all" or for "it"
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft.h>

#include "tests/rma/rma_program.h"

enum {
	LONG = (64 << 20) + (1 << 20) + 5,
	OWN = 3 << 20,
	TIMES = 100
};

static struct weft_job *job;
static int me, n, failures;

static void report(void *arg, const char *text)
{
	(void)arg;
	printf("# rank %d: %s\n", me, text);
	fflush(stdout);
	failures++;
}

static void expect(int have, int want, const char *what)
{
	char text[700];

	if (have == want)
		return;
	snprintf(text, sizeof(text), "%s: %s: %s", what,
		 weft_status_name(have), weft_error_text(job));
	report(NULL, text);
}

static void random_program(char **argv)
{
	const struct rma_options options = {
		.seed = strtoull(argv[2], NULL, 10),
		.rounds = atoi(argv[3]), .slot = 100000, .fail = report
	};

	rma_run(job, &options);
}

static void fill(unsigned char *p, size_t bytes, int by)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (unsigned char)(i * 7 + i / 4096 + (size_t)by);
}

/* To the next rank with a signal, and back by a get. */
static void ring(struct weft_region *region, size_t bytes)
{
	int next = (me + 1) % n, before = (me + n - 1) % n;
	struct weft_target at = { region, next, 3 };
	unsigned char *src = malloc(bytes), *dst = calloc(1, bytes);
	unsigned char *part = weft_region_base(region);
	struct weft_signal *came;
	struct weft_request *req;

	fill(src, bytes, me);
	expect(weft_signal_create(region, before, 0, &came), 0, "signal");
	expect(weft_put_signal(&at, src, bytes, 0, &req), 0, "put");
	expect(weft_signal_wait(came, 1), 0, "signal wait");
	expect(weft_request_wait(req), 0, "request");
	expect(weft_request_free(&req), 0, "free");
	expect(weft_get(&at, dst, bytes, NULL), 0, "get");
	expect(weft_flush(region, next, WEFT_FLUSH_REMOTE), 0, "flush");
	if (memcmp(src, dst, bytes))
		report(NULL, "what was fetched is wrong");
	fill(src, bytes, before);
	if (memcmp(src, part + 3, bytes))
		report(NULL, "what has come is wrong");
	expect(weft_region_free(&region), 0, "destroy");
	free(src);
	free(dst);
}

static void long_ones(void)
{
	struct weft_region *region;

	expect(weft_region_create(weft_job_world(job), NULL, LONG + 3,
				  &region), 0, "create");
	ring(region, LONG);
}

/* The owner does them. */
static void change_own_word(struct weft_region *region,
			    const unsigned char *own)
{
	struct weft_target word = { region, (me + 1) % n, 8 };
	uint64_t now;

	expect(weft_fetch_add(&word, 7, NULL, NULL), 0,
	       "an atomic on the program's memory");
	expect(weft_flush(region, word.peer, WEFT_FLUSH_REMOTE), 0, "flush");
	expect(weft_barrier(weft_job_world(job)), 0, "barrier");
	memcpy(&now, own + 8, sizeof(now));
	if (now != 7)
		report(NULL, "the word is wrong");
}

/* A part whose words are none. */
static void change_odd_word(unsigned char *own)
{
	struct weft_target word = { .peer = (me + 1) % n };

	expect(weft_region_create(weft_job_world(job), own + 1, 8,
				  &word.region), 0, "create");
	expect(weft_fetch_add(&word, 7, NULL, NULL), 0, "fetch_add");
	expect(weft_fetch_add(&word, 7, NULL, NULL), WEFT_ERR_ARG,
	       "fetch_add again");
	expect(weft_flush(word.region, word.peer, WEFT_FLUSH_LOCAL),
	       WEFT_ERR_ARG, "flush");
	if (!strstr(weft_error_text(job), "is no multiple of 8"))
		report(NULL, weft_error_text(job));
	expect(weft_flush(word.region, word.peer, WEFT_FLUSH_LOCAL), 0,
	       "another flush");
	expect(weft_region_free(&word.region), 0, "destroy");
}

static void own_memory(void)
{
	unsigned char *own = calloc(1, OWN + 3);
	struct weft_region *region;
	int status = weft_region_create(weft_job_world(job), own, OWN + 3,
					&region);

	if (me == 0 && !status)
		printf("own memory is reached\n");
	if (status == WEFT_ERR_UNSUPPORTED) {
		if (me == 0)
			printf("unsupported: %s\n", weft_error_text(job));
		free(own);
		return;
	}
	expect(status, 0, "create");
	change_own_word(region, own);
	change_odd_word(own);
	ring(region, OWN);
	free(own);
}

/* On a word of rank 0, in any order behind the first. */
static void agent(int first)
{
	struct weft_target at = { .peer = 0 };
	struct weft_request *req;
	uint64_t old, *word;

	expect(weft_region_create(weft_job_world(job), NULL, 8, &at.region), 0,
	       "create");
	if (me == first)
		expect(weft_fetch_add(&at, 0, NULL, NULL), 0, "the first");
	expect(weft_barrier(weft_job_world(job)), 0, "barrier");
	for (int i = 0; i < TIMES; i++) {
		expect(weft_fetch_add(&at, 1, &old, &req), 0, "fetch_add");
		expect(weft_request_wait(req), 0, "request");
		expect(weft_request_free(&req), 0, "free");
	}
	expect(weft_barrier(weft_job_world(job)), 0, "barrier");
	word = weft_region_base(at.region);
	if (me == 0 && *word != (uint64_t)n * TIMES)
		report(NULL, "the sum is wrong");
	expect(weft_region_free(&at.region), 0, "destroy");
}

static void exposed(void)
{
	struct weft_target at = { .peer = me };
	int next = (me + 1) % n;

	expect(weft_region_expose(weft_job_world(job), NULL, 8, &at.region), 0,
	       "expose");
	expect(weft_put(&at, &next, sizeof(next), NULL), 0, "put");
	expect(weft_flush(at.region, me, WEFT_FLUSH_REMOTE), 0, "flush");
	expect(weft_flush(at.region, WEFT_ALL_PEERS, WEFT_FLUSH_REMOTE), 0,
	       "flush all");
	expect(weft_flush(at.region, next, WEFT_FLUSH_LOCAL), WEFT_ERR_ARG,
	       "flush of another one");
	at.peer = next;
	expect(weft_put(&at, &next, sizeof(next), NULL), WEFT_ERR_ARG,
	       "put to another one");
	expect(weft_region_free(&at.region), 0, "destroy");
}

/* The sentence names the rank that was killed. */
static void expect_death(int status, const char *what)
{
	char name[20];

	expect(status, WEFT_ERR_PEER, what);
	snprintf(name, sizeof(name), "rank %d ", n - 1);
	if (!strstr(weft_error_text(job), name))
		report(NULL, weft_error_text(job));
}

/* All kinds of waits: even ranks put, odd ones listen. */
static void death(void)
{
	struct weft_target at = { .peer = n - 1 };
	struct weft_signal *signal;
	unsigned char bytes[1000] = "";
	uint64_t old;
	int status = WEFT_OK;

	expect(weft_region_create(weft_job_world(job), NULL, 1 << 16,
				  &at.region), 0, "create");
	expect(weft_signal_create(at.region, me % 4 == 1 ? WEFT_ALL_PEERS :
				  n - 1, 0, &signal), 0, "signal");
	if (me == n - 1) {
		for (int r = 0; r < n; r++) {
			at.peer = r;
			expect(weft_put_signal(&at, bytes, 8, 0, NULL), 0,
			       "put");
		}
		expect(weft_flush(at.region, WEFT_ALL_PEERS,
				  WEFT_FLUSH_REMOTE), 0, "flush");
		kill(getpid(), SIGKILL);
	}
	/* What came before the end counts. */
	expect(weft_signal_wait(signal, 1), 0, "the first signal");
	if (me % 2)
		status = weft_signal_wait(signal, 1000000);
	while (!status) {
		status = weft_put(&at, bytes, sizeof(bytes), NULL);
		if (!status)
			status = weft_fetch_add(&at, 1, &old, NULL);
		if (!status)
			status = weft_flush(at.region, n - 1,
					    WEFT_FLUSH_REMOTE);
	}
	expect_death(status, "what was awaited");
	expect_death(weft_put(&at, bytes, 1, NULL), "a put to the dead");
	expect_death(weft_region_free(&at.region), "destroy");
	if (at.region)
		report(NULL, "the region is still there");
}

static int await(struct weft_signal *signal, bool tests)
{
	bool reached = false;
	int status = WEFT_OK;

	if (!tests)
		return weft_signal_wait(signal, 1);
	while (!status && !reached)
		status = weft_signal_test(signal, 1, &reached);
	return status;
}

/* Nobody met the last rank, and none of its node lives on to tell. */
static void unraised(char **argv)
{
	struct weft_region *region;
	struct weft_signal *signal;

	if (me == n - 1)
		kill(getpid(), SIGKILL);
	expect(weft_region_expose(weft_job_world(job), NULL, 8, &region), 0,
	       "expose");
	expect(weft_signal_create(region, strcmp(argv[3], "all") ? n - 1 :
				  WEFT_ALL_PEERS, 0, &signal), 0, "signal");
	expect_death(await(signal, !strcmp(argv[2], "test")), "a signal");
	printf("rank %d heard of it\n", me);
}

static bool play(const char *what, int argc, char **argv)
{
	if (!strcmp(what, "random") && argc == 4)
		random_program(argv);
	else if (!strcmp(what, "long"))
		long_ones();
	else if (!strcmp(what, "memory"))
		own_memory();
	else if (!strcmp(what, "exposed"))
		exposed();
	else if (!strcmp(what, "agent") && argc == 3)
		agent(atoi(argv[2]));
	else if (!strcmp(what, "death"))
		death();
	else if (!strcmp(what, "unraised") && argc == 4)
		unraised(argv);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int status = weft_job_open(NULL, &job);

	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	me = weft_job_rank(job);
	n = weft_job_size(job);
	if (!play(what, argc, argv))
		report(NULL, "no such program");
	if (failures)
		weft_job_abort(job, 1, "one-sided operations failed");
	status = weft_job_close(job);
	if (!status || !strcmp(what, "death") || !strcmp(what, "unraised"))
		return 0;
	printf("# close: %s\n", weft_status_name(status));
	return 1;
}
