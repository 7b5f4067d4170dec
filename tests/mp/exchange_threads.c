/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random exchanges with one rank per thread of one process, over shared
 * memory; made for ThreadSanitizer, which sees all of them.
 */
#include <pthread.h>
#include <time.h>
#include <weft.h>

#include "tests/exchange/exchange_program.h"
#include "tests/tap.h"

enum {
	MOST = 8,
	LARGEST = 200000
};

struct rank {
	pthread_t thread;
	struct weft_inproc *inproc;
	int rank;
	struct exchange_options exchange;
	struct exchange_result result;
};

static void sleep_a_little(void *arg)
{
	const struct timespec one_ms = { 0, 1000000 };

	(void)arg;
	nanosleep(&one_ms, NULL);
}

static void report(void *arg, const char *text)
{
	const struct rank *rank = arg;

	TAP_CHECK(!"an exchange is right");
	tap_diag("rank %d: %s", rank->rank, text);
}

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct weft_job_options options;
	struct weft_job *job;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = rank->inproc;
	options.inproc_rank = rank->rank;
	if (!TAP_EQUAL(weft_job_open(&options, &job), WEFT_OK))
		return NULL;
	exchange_run(job, &rank->exchange, &rank->result);
	if (!rank->result.failures)
		TAP_EQUAL(weft_job_close(job), WEFT_OK);
	return NULL;
}

static void run(int n, uint64_t seed)
{
	static struct rank ranks[MOST];
	struct weft_inproc *inproc;

	if (!TAP_EQUAL(weft_inproc_create(n, &inproc), WEFT_OK))
		return;
	for (int i = 0; i < n; i++) {
		ranks[i] = (struct rank){
			.inproc = inproc, .rank = i,
			.exchange = {
				.seed = seed, .max_bytes = LARGEST,
				.exchanges = tap_figure("EXCHANGES", 600) / 6,
				.max_degree = n, .graphs = 2,
				.mismatch_one_in = 100, .pause_one_in = 40,
				.replace_one_in = 40,
				.collective_one_in = 16, .every_call = true,
				.pause = sleep_a_little,
				.fail = report, .arg = &ranks[i]
			}
		};
		pthread_create(&ranks[i].thread, NULL, rank_main, &ranks[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(ranks[i].thread, NULL);
	tap_diag("%ld exchanges, %ld mismatches", ranks[0].result.exchanges,
		 ranks[0].result.mismatches);
	weft_inproc_free(&inproc);
}

static void two(void)
{
	run(2, 1);
}

static void four(void)
{
	run(4, 2);
}

static void eight(void)
{
	run(MOST, 3);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "two threads", two },
		{ "four threads", four },
		{ "eight threads", eight },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
