/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random exchanges over simulated ranks, from 2 to 33 of them, with class
 * limits so small that few bytes make every class. SEEDS says how many seeds,
 * FIRST_SEED where to begin, so that one that failed can be run alone.
 */
#include <weft.h>

#include "base/random.h"
#include "tests/exchange/exchange_program.h"
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum { PAUSE_NS = 1000000 };

static struct {
	long exchanges, mismatches, deaths;
	uint64_t bytes;
} total;

static void sleep_a_little(void *arg)
{
	struct wf_sim_rank *rank = arg;
	uint64_t until = wf_sim_now(rank) + PAUSE_NS;

	while (wf_sim_now(rank) < until)
		wf_sim_idle(rank, until);
}

static void report(void *arg, const char *text)
{
	wf_sim_fail(arg, "%s", text);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct exchange_options options = *(struct exchange_options *)arg;
	struct exchange_result result = { .exchanges = 0 };
	struct weft_job *job = NULL;
	int status = wf_sim_job_open(rank, &job);

	if (status) {
		wf_sim_fail(rank, "open: %s", weft_status_name(status));
		return;
	}
	options.arg = rank;
	exchange_run(job, &options, &result);
	total.exchanges += result.exchanges;
	total.bytes += result.bytes;
	if (wf_sim_rank(rank) == 0)
		total.mismatches += result.mismatches;
	if (result.failures)
		return;
	status = weft_job_close(job);
	if (status && !(options.deaths && status == WEFT_ERR_PEER))
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

/* Early in its life or late; some live to the end. */
static void choose_victim(struct wf_sim_options *options)
{
	struct wf_random random;

	wf_random_init(&random, options->seed);
	options->kill_rank = (int)wf_random_below(&random,
						  (uint64_t)options->ranks);
	options->kill_event = 1 + wf_random_below(&random, (uint64_t)1 <<
		(4 + wf_random_below(&random, 9)));
}

static bool one_seed(uint64_t seed, struct exchange_options *exchange)
{
	static char *const settings[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", "WEFT_LINE_MAX=28",
		"WEFT_SLOT_MAX=256", "WEFT_CHUNK=1024", NULL
	};
	struct wf_sim_result result = { .violations = 1 };
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2 + (int)(seed % 32), seed);
	wf_sim_options_vary(&options);
	options.environ = settings;
	if (exchange->deaths)
		choose_victim(&options);
	exchange->seed = seed;
	exchange->max_degree = seed % 8 ? 4 : options.ranks;
	if (!TAP_EQUAL(wf_sim_run(&options, program, exchange, &result),
		       WEFT_OK))
		return false;
	total.deaths += result.killed >= 0;
	if (TAP_EQUAL(result.violations, 0) &&
	    TAP_EQUAL(result.finished, options.ranks -
				       (result.killed >= 0)))
		return true;
	tap_diag("seed %llu: %s", (unsigned long long)seed, result.text);
	return false;
}

static void run_seeds(struct exchange_options *exchange)
{
	long seeds = tap_figure("SEEDS", 100);
	uint64_t first = (uint64_t)tap_figure("FIRST_SEED", 1);
	int bad = 0;

	memset(&total, 0, sizeof(total));
	for (long i = 0; i < seeds && bad < 5; i++)
		bad += !one_seed(first + (uint64_t)i, exchange);
	tap_diag("%ld exchanges of one rank, %ld mismatches, %ld deaths, "
		 "%llu bytes", total.exchanges, total.mismatches, total.deaths,
		 (unsigned long long)total.bytes);
}

static struct exchange_options defaults(void)
{
	return (struct exchange_options){
		.exchanges = 25, .max_bytes = 5000, .max_degree = 4,
		.graphs = 2, .replace_one_in = 10, .pause_one_in = 20,
		.pause = sleep_a_little, .fail = report
	};
}

static void all_agree(void)
{
	struct exchange_options exchange = defaults();

	run_seeds(&exchange);
	TAP_EQUAL(total.mismatches, 0);
}

static void some_disagree(void)
{
	struct exchange_options exchange = defaults();

	exchange.mismatch_one_in = 8;
	run_seeds(&exchange);
	TAP_CHECK(total.mismatches > 0);
}

static void some_die(void)
{
	struct exchange_options exchange = defaults();

	exchange.deaths = true;
	run_seeds(&exchange);
	TAP_CHECK(total.deaths > 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "random exchanges", all_agree },
		{ "random exchanges, some with a wrong length", some_disagree },
		{ "random exchanges until a rank dies", some_die },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
