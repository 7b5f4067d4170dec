/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes tell each other before devices are opened: one rank of each. */
#include <pthread.h>
#include <string.h>

#include <weft/job.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "boot/boot.h"
#include "boot/boot_inproc.h"
#include "boot/offer.h"
#include "tests/tap.h"

enum {
	RANKS = 7
};

static struct wf_config config;
static struct wf_log quiet;

static void swallow(void *arg, const char *line, size_t n)
{
	(void)arg;
	(void)line;
	(void)n;
}

static struct wf_boot *opened(struct weft_inproc *inproc, int rank)
{
	static char *const nothing[] = { NULL };
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config, .log = &quiet,
		.inproc = inproc, .inproc_rank = rank, .environ = nothing
	};
	struct wf_boot *boot = NULL;
	char why[512] = "";

	config.timeout_ns = 10 * WF_NS_PER_S;
	wf_log_init(&quiet, WF_LOG_WARN, "test");
	quiet.write = swallow;
	if (!TAP_EQUAL(wf_boot_open(&options, &boot, why, sizeof(why)), 0))
		tap_diag("%s", why);
	return boot;
}

/* The number of its rank, so many times. */
static void put(struct wf_boot *boot, size_t n)
{
	char offer[WF_OFFER_MAX];

	memset(offer, wf_boot_rank(boot), sizeof(offer));
	TAP_EQUAL(wf_offer_put(boot, offer, n), 0);
}

struct job {
	struct weft_inproc *inproc;
	struct wf_boot *boot[RANKS];
};

static void open_job(struct job *job, int per_node)
{
	TAP_EQUAL(weft_inproc_create(RANKS, &job->inproc), WEFT_OK);
	wf_inproc_set_nodes(job->inproc, per_node);
	for (int r = 0; r < RANKS; r++)
		job->boot[r] = opened(job->inproc, r);
}

static void close_job(struct job *job)
{
	for (int r = 0; r < RANKS; r++)
		TAP_EQUAL(wf_boot_close(job->boot[r]), WEFT_OK);
	weft_inproc_free(&job->inproc);
}

static void *fence(void *boot)
{
	return wf_boot_fence(boot) ? boot : NULL;
}

static void fence_all(const struct job *job)
{
	pthread_t thread[RANKS];
	void *failed;

	for (int r = 0; r < RANKS; r++)
		pthread_create(&thread[r], NULL, fence, job->boot[r]);
	for (int r = 0; r < RANKS; r++) {
		pthread_join(thread[r], &failed);
		TAP_CHECK(!failed);
	}
}

/* Asks from the first rank on, as this one; the ranks that it came to. */
static void check_walk(struct wf_boot *boot, const int *wanted)
{
	char offer[WF_OFFER_MAX];
	int rank = 0;
	size_t n;

	for (; *wanted >= 0; wanted++) {
		TAP_EQUAL(rank, *wanted);
		if (!TAP_EQUAL(wf_offer_read(boot, &rank, offer, sizeof(offer),
					     &n), 0))
			return;
		/* each has put as many bytes as its number */
		TAP_EQUAL(n, *wanted);
		for (size_t i = 0; i < n; i++)
			TAP_EQUAL(offer[i], *wanted);
	}
	TAP_EQUAL(rank, RANKS);
}

static void one_of_each_node(void)
{
	static const struct {
		int per_node, wanted[RANKS + 1];
	} jobs[] = {
		{ 1, { 0, 1, 2, 3, 4, 5, 6, -1 } }, { 2, { 0, 2, 4, 6, -1 } },
		{ 3, { 0, 3, 6, -1 } }, { 5, { 0, 5, -1 } }, { 7, { 0, -1 } }
	};

	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct job job;

		open_job(&job, jobs[i].per_node);
		for (int r = 0; r < RANKS; r++)
			put(job.boot[r], (size_t)r);
		fence_all(&job);
		for (int r = 0; r < RANKS; r++)
			check_walk(job.boot[r], jobs[i].wanted);
		close_job(&job);
	}
}

/* Of another version, say: what it names is behind the asker, or too much. */
static void bad_ones_are_refused(void)
{
	static const unsigned char bad[][6] = {
		{ 0, 0, 0, 0 }, { RANKS + 1, 0, 0, 0 }, { 0, 0, 0, 0x80 },
		{ 1, 0, 0 }, { 1, 0, 0, 0, 5, 5 }
	};
	static const size_t length[] = { 4, 4, 4, 3, 6 };
	char offer[WF_OFFER_MAX];
	struct job job;
	int rank;
	size_t n;

	open_job(&job, 1);
	TAP_EQUAL(wf_offer_put(job.boot[0], offer, WF_OFFER_MAX + 1),
		  WEFT_ERR_SIZE);
	for (int r = 0; r < (int)(sizeof(bad) / sizeof(bad[0])); r++)
		TAP_EQUAL(wf_boot_put(job.boot[r], "offer", bad[r], length[r]),
			  0);
	fence_all(&job);
	for (int r = 0; r < RANKS; r++) {
		rank = r;
		TAP_EQUAL(wf_offer_read(job.boot[0], &rank, offer, 1, &n),
			  WEFT_ERR_BOOT);
		TAP_EQUAL(rank, r);
	}
	close_job(&job);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one of each node", one_of_each_node },
		{ "bad ones are refused", bad_ones_are_refused },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
