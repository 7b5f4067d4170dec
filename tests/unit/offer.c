/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes tell each other before devices are opened: one rank of each. */
#include <pthread.h>
#include <string.h>

#include <weft/job.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "boot/blob.h"
#include "boot/boot_impl.h"
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
	char part[WF_OFFER_MAX];
	struct wf_offer offer = { .n = 0 };

	memset(part, wf_boot_rank(boot), sizeof(part));
	wf_offer_add(&offer, "test", part, n);
	TAP_EQUAL(wf_offer_put(boot, &offer), 0);
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

/* Each has put as many bytes as its number. */
static void check_part(const struct wf_offer *offer, int rank)
{
	size_t n = 0;
	const char *part = wf_offer_find(offer, "test", &n);

	if (!TAP_EQUAL(!part, !rank))
		return;
	TAP_EQUAL(n, rank);
	for (size_t i = 0; i < n; i++)
		TAP_EQUAL(part[i], rank);
	TAP_CHECK(!wf_offer_find(offer, "tes", &n));
}

/* Asks from the first rank on, as this one: the ranks that are of new nodes. */
static void check_walk(struct wf_boot *boot, const int *wanted)
{
	struct wf_offer offer;
	int rank = 0, asked;
	bool first;

	while (rank < RANKS) {
		asked = rank;
		if (!TAP_EQUAL(wf_offer_read(boot, &rank, &offer, &first), 0))
			return;
		check_part(&offer, asked);
		if (first)
			TAP_EQUAL(asked, *wanted++);
	}
	TAP_EQUAL(*wanted, -1);
	TAP_EQUAL(rank, RANKS);
}

static void tell_all(const struct job *job, const int *wanted)
{
	for (int r = 0; r < RANKS; r++)
		put(job->boot[r], (size_t)r);
	fence_all(job);
	for (int r = 0; r < RANKS; r++)
		check_walk(job->boot[r], wanted);
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
		tell_all(&job, jobs[i].wanted);
		close_job(&job);
	}
}

/* Ranks go around three nodes, and all of them are asked. */
static void cyclic_map(void)
{
	static const int wanted[] = { 0, 1, 2, -1 };
	static int members[3][RANKS];
	struct job job;

	open_job(&job, 1);
	for (int r = 0; r < RANKS; r++)
		members[r % 3][r / 3] = r;
	for (int r = 0; r < RANKS; r++) {
		struct wf_boot_node *node = &job.boot[r]->node;

		node->count = 3;
		node->size = (RANKS - r % 3 + 2) / 3;
		node->ranks = members[r % 3];
	}
	tell_all(&job, wanted);
	close_job(&job);
}

static void parts_of_several_backends(void)
{
	struct wf_offer offer = { .n = 0 };
	char much[WF_OFFER_MAX] = "much";
	size_t n = 0;

	wf_offer_add(&offer, "a", "1", 1);
	wf_offer_add(&offer, "empty", "", 0);
	wf_offer_add(&offer, "eightlong", "23", 2);
	TAP_CHECK(!memcmp(wf_offer_find(&offer, "eightlon", &n), "23", 2));
	TAP_EQUAL(n, 2);
	TAP_CHECK(!wf_offer_find(&offer, "empty", &n));
	wf_offer_add(&offer, "rest", much, wf_offer_room(&offer));
	TAP_EQUAL(offer.n, WF_OFFER_MAX);
	TAP_EQUAL(wf_offer_room(&offer), 0);
	TAP_CHECK(!memcmp(wf_offer_find(&offer, "rest", &n), much, 4));
	/* cut on its way */
	offer.n--;
	TAP_CHECK(!wf_offer_find(&offer, "rest", &n));
	TAP_CHECK(!!wf_offer_find(&offer, "a", &n));
	offer.n = 3;
	TAP_CHECK(!wf_offer_find(&offer, "a", &n));
}

/* What they name is behind the asker, or too much; another version; cut. */
static void bad_ones_are_refused(void)
{
	static const uint32_t bad[][3] = {
		{ WF_WIRE_VERSION, 0, 0 }, { WF_WIRE_VERSION, RANKS + 1, 0 },
		{ WF_WIRE_VERSION, 0x80000000, 0 },
		{ WF_WIRE_VERSION + 1, RANKS, 0 }, { WF_WIRE_VERSION, RANKS }
	};
	struct wf_offer offer;
	struct job job;
	bool first;
	int rank;

	open_job(&job, 1);
	for (int r = 0; r < TAP_COUNT(bad); r++)
		TAP_EQUAL(wf_boot_put(job.boot[r], "offer", bad[r],
				      r < 4 ? 12 : 11), 0);
	fence_all(&job);
	for (int r = 0; r < RANKS; r++) {
		rank = r;
		TAP_EQUAL(wf_offer_read(job.boot[0], &rank, &offer, &first),
			  WEFT_ERR_BOOT);
		TAP_EQUAL(rank, r);
	}
	close_job(&job);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one of each node", one_of_each_node },
		{ "cyclic map", cyclic_map },
		{ "parts of several backends", parts_of_several_backends },
		{ "bad ones are refused", bad_ones_are_refused },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
