/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several ranks in one process, by threads and by a waiting hook, and the job
 * of one rank: store, fence, node map, and what happens when a rank does not
 * come.
 */
#include <pthread.h>
#include <semaphore.h>

#include <weft/job.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "boot/boot.h"
#include "boot/boot_inproc.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#define MANY 16

static struct wf_config config;
static struct wf_log quiet;

static void swallow(void *arg, const char *line, size_t n)
{
	(void)line;
	*(size_t *)arg += n;
}

static size_t logged;
static sem_t awaited; /* posted while a rank waits */

static void set_up(void)
{
	memset(&config, 0, sizeof(config));
	config.timeout_ns = 60 * WF_NS_PER_S;
	wf_log_init(&quiet, WF_LOG_WARN, "test");
	quiet.write = swallow;
	quiet.arg = &logged;
	logged = 0;
	sem_init(&awaited, 0, 0);
}

static void post_tick(void *arg, const char *what)
{
	(void)arg;
	(void)what;
	sem_post(&awaited);
}

static int open_rank(struct weft_inproc *inproc, int rank,
		     struct wf_boot **boot_p, char *why)
{
	static char *const nothing[] = { NULL };
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config, .log = &quiet,
		.inproc = inproc, .inproc_rank = rank, .environ = nothing,
		.tick = post_tick,
	};

	return wf_boot_open(&options, boot_p, why, 512);
}

static struct wf_boot *opened(struct weft_inproc *inproc, int rank)
{
	struct wf_boot *boot = NULL;
	char why[512] = "";

	if (!TAP_EQUAL(open_rank(inproc, rank, &boot, why), WEFT_OK))
		tap_diag("%s", why);
	return boot;
}

static struct weft_inproc *created(int size)
{
	struct weft_inproc *inproc = NULL;

	TAP_EQUAL(weft_inproc_create(size, &inproc), WEFT_OK);
	return inproc;
}

static void alone(void)
{
	struct wf_boot *boot;
	size_t n = 99;
	char value[8];

	set_up();
	boot = opened(NULL, 0);
	TAP_CHECK(strcmp(wf_boot_name(boot), "solo") == 0);
	TAP_EQUAL(wf_boot_rank(boot), 0);
	TAP_EQUAL(wf_boot_size(boot), 1);
	TAP_EQUAL(wf_boot_node_size(boot), 1);
	TAP_EQUAL(wf_boot_node_rank(boot), 0);
	TAP_EQUAL(wf_boot_node_count(boot), 1);
	TAP_EQUAL(wf_boot_node_member(boot, 0), 0);
	TAP_EQUAL(wf_boot_put(boot, "key", "abc", 3), WEFT_OK);
	TAP_EQUAL(wf_boot_get(boot, 0, "key", value, 8, &n), WEFT_ERR_BOOT);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	TAP_EQUAL(wf_boot_get(boot, 0, "key", value, 8, &n), WEFT_OK);
	TAP_EQUAL(n, 3);
	TAP_CHECK(memcmp(value, "abc", 3) == 0);
	TAP_EQUAL(wf_boot_close(boot), WEFT_OK);
}

static void bad_arguments(void)
{
	static const char long_key[] = "01234567890123456789012345678901";
	struct weft_inproc *inproc;
	struct wf_boot *boot;
	char value[8];
	size_t n = 99;

	set_up();
	TAP_EQUAL(weft_inproc_create(0, &inproc), WEFT_ERR_ARG);
	TAP_EQUAL(weft_inproc_create(1, NULL), WEFT_ERR_ARG);
	inproc = created(1);
	boot = opened(inproc, 0);
	TAP_EQUAL(wf_boot_put(boot, "", "x", 1), WEFT_ERR_ARG);
	TAP_EQUAL(wf_boot_put(boot, long_key, "x", 1), WEFT_ERR_ARG);
	TAP_EQUAL(wf_boot_put(boot, "a key", "x", 1), WEFT_ERR_ARG);
	TAP_EQUAL(wf_boot_put(boot, long_key + 1, "12345", 5), WEFT_OK);
	TAP_EQUAL(wf_boot_put(boot, "empty", NULL, 0), WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	TAP_EQUAL(wf_boot_get(boot, 0, "", value, 8, &n), WEFT_ERR_ARG);
	TAP_EQUAL(wf_boot_get(boot, 1, "k", value, 8, &n), WEFT_ERR_RANGE);
	TAP_EQUAL(wf_boot_get(boot, -1, "k", value, 8, &n), WEFT_ERR_RANGE);
	TAP_EQUAL(wf_boot_get(boot, 0, "k", value, 8, &n), WEFT_ERR_BOOT);
	TAP_CHECK(strstr(wf_boot_why(boot), "rank 0") != NULL);
	TAP_EQUAL(wf_boot_get(boot, 0, long_key + 1, value, 4, &n),
		  WEFT_ERR_SIZE);
	TAP_EQUAL(n, 99);
	TAP_EQUAL(wf_boot_get(boot, 0, "empty", value, 0, &n), WEFT_OK);
	TAP_EQUAL(n, 0);
	wf_boot_close(boot);
	weft_inproc_free(&inproc);
	weft_inproc_free(NULL);
}

static void opened_once(void)
{
	struct weft_inproc *inproc = created(2);
	struct wf_boot *boot;
	struct wf_boot *second = NULL;
	char why[512] = "";

	set_up();
	TAP_EQUAL(open_rank(inproc, 2, &second, why), WEFT_ERR_ARG);
	TAP_EQUAL(open_rank(inproc, -1, &second, why), WEFT_ERR_ARG);
	boot = opened(inproc, 1);
	TAP_EQUAL(open_rank(inproc, 1, &second, why), WEFT_ERR_BOOT);
	TAP_CHECK(second == NULL && strstr(why, "rank 1") != NULL);
	wf_boot_close(boot);
	weft_inproc_free(&inproc);
}

static void check_node(struct weft_inproc *inproc, int rank, int first,
		       int size)
{
	struct wf_boot *boot = opened(inproc, rank);
	int i;

	TAP_EQUAL(wf_boot_node_count(boot), 3);
	TAP_EQUAL(wf_boot_node_size(boot), size);
	TAP_EQUAL(wf_boot_node_rank(boot), rank - first);
	for (i = 0; i < size; i++)
		TAP_EQUAL(wf_boot_node_member(boot, i), first + i);
	TAP_EQUAL(wf_boot_node_member(boot, size), -1);
	TAP_EQUAL(wf_boot_node_member(boot, -1), -1);
	for (i = -1; i <= wf_boot_size(boot); i++)
		TAP_EQUAL(wf_boot_node_index(boot, i),
			  i >= first && i < first + size ? i - first : -1);
	wf_boot_close(boot);
}

static void nodes(void)
{
	struct weft_inproc *inproc = created(8);

	set_up();
	wf_inproc_set_nodes(inproc, 3);
	check_node(inproc, 0, 0, 3);
	check_node(inproc, 2, 0, 3);
	check_node(inproc, 4, 3, 3);
	check_node(inproc, 7, 6, 2);
	weft_inproc_free(&inproc);
}

struct thread {
	struct weft_inproc *inproc;
	int rank;
	int wrong; /* values that were not as they should be */
};

/* Rounds of put, fence and reading everybody, keys replaced each round. */
static void *exchange(void *arg)
{
	struct thread *self = arg;
	struct wf_boot *boot = NULL;
	char why[512];
	int have[2];
	size_t n;

	self->wrong = 1;
	if (open_rank(self->inproc, self->rank, &boot, why) != WEFT_OK)
		return NULL;
	for (int round = 0; round < 50; round++) {
		int mine[2] = { self->rank, round };

		self->wrong += wf_boot_put(boot, "v", mine, sizeof(mine));
		self->wrong += wf_boot_fence(boot);
		for (int r = 0; r < MANY; r++) {
			int status = wf_boot_get(boot, r, "v", have,
						 sizeof(have), &n);

			self->wrong += status != WEFT_OK || have[0] != r ||
				       have[1] != round;
		}
		/* Nobody puts the next value before all have read this. */
		self->wrong += wf_boot_fence(boot);
	}
	wf_boot_close(boot);
	self->wrong--;
	return NULL;
}

static void threads(void)
{
	struct weft_inproc *inproc = created(MANY);
	struct thread work[MANY];
	pthread_t ids[MANY];
	int r;

	set_up();
	for (r = 0; r < MANY; r++) {
		work[r] = (struct thread){ .inproc = inproc, .rank = r };
		TAP_EQUAL(pthread_create(&ids[r], NULL, exchange, &work[r]),
			  0);
	}
	for (r = 0; r < MANY; r++) {
		pthread_join(ids[r], NULL);
		TAP_EQUAL(work[r].wrong, 0);
	}
	weft_inproc_free(&inproc);
}

/* The second rank runs inside the first one's wait, as a coroutine would. */
struct hook {
	struct wf_boot *second;
	int calls;
	int status;
};

static void idle(void *arg)
{
	struct hook *hook = arg;

	if (++hook->calls == 3)
		hook->status = wf_boot_fence(hook->second);
}

static void waiting_hook(void)
{
	struct weft_inproc *inproc = created(2);
	struct hook hook = { .status = 1 };
	struct wf_inproc_wait wait = { .idle = idle, .arg = &hook };
	struct wf_boot *first;

	set_up();
	wf_inproc_set_wait(inproc, &wait);
	first = opened(inproc, 0);
	hook.second = opened(inproc, 1);
	TAP_EQUAL(wf_boot_fence(first), WEFT_OK);
	TAP_EQUAL(hook.calls, 3);
	TAP_EQUAL(hook.status, WEFT_OK);
	wf_boot_close(first);
	wf_boot_close(hook.second);
	wf_inproc_set_wait(inproc, NULL);
	weft_inproc_free(&inproc);
}

static void pass_time(void *arg)
{
	*(uint64_t *)arg += WF_NS_PER_S;
}

static uint64_t read_time(void *arg)
{
	return *(uint64_t *)arg;
}

/* By a clock of the test: the limit is exact, and no time is spent. */
static void nobody_comes(void)
{
	struct weft_inproc *inproc = created(MANY);
	uint64_t now = 5 * WF_NS_PER_S;
	struct wf_inproc_wait wait = { .idle = pass_time, .arg = &now };
	struct wf_boot *boot;
	struct wf_boot *late;

	set_up();
	wf_inproc_set_wait(inproc, &wait);
	wf_inproc_set_clock(inproc, read_time, &now);
	boot = opened(inproc, 3);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_ERR_TIMEOUT);
	TAP_EQUAL(now, 65 * WF_NS_PER_S);
	TAP_CHECK(strstr(wf_boot_why(boot), "15 of 16 ranks") != NULL);
	TAP_CHECK(strstr(wf_boot_why(boot), ": 0 1 2 4 5 6 7 8 ...") != NULL);
	/* Who comes later is told at once. */
	late = opened(inproc, 0);
	TAP_EQUAL(wf_boot_fence(late), WEFT_ERR_TIMEOUT);
	TAP_EQUAL(now, 65 * WF_NS_PER_S);
	wf_boot_close(boot);
	wf_boot_close(late);
	weft_inproc_free(&inproc);
}

static void nobody_comes_threads(void)
{
	struct weft_inproc *inproc = created(2);
	struct wf_boot *boot;
	uint64_t start;

	set_up();
	config.timeout_ns = 20 * WF_NS_PER_MS;
	boot = opened(inproc, 0);
	start = wf_clock_ns();
	TAP_EQUAL(wf_boot_fence(boot), WEFT_ERR_TIMEOUT);
	TAP_CHECK(wf_clock_ns() - start >= 20 * WF_NS_PER_MS);
	wf_boot_close(boot);
	weft_inproc_free(&inproc);
}

static void *fence_only(void *arg)
{
	struct thread *self = arg;
	struct wf_boot *boot = opened(self->inproc, self->rank);

	self->wrong = wf_boot_fence(boot);
	wf_boot_close(boot);
	return NULL;
}

static void *fence_when_awaited(void *arg)
{
	while (sem_wait(&awaited) != 0)
		;
	return fence_only(arg);
}

/* Rank 1 comes when rank 0 says that it waits. */
static void late(void)
{
	struct weft_inproc *inproc = created(2);
	struct thread other = { .inproc = inproc, .rank = 1 };
	struct wf_boot *boot;
	pthread_t thread;

	set_up();
	boot = opened(inproc, 0);
	pthread_create(&thread, NULL, fence_when_awaited, &other);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	pthread_join(thread, NULL);
	TAP_EQUAL(other.wrong, WEFT_OK);
	wf_boot_close(boot);
	weft_inproc_free(&inproc);
}

static void aborted(void)
{
	struct weft_inproc *inproc = created(3);
	struct thread work[2];
	struct wf_boot *boot;
	pthread_t ids[2];
	int r;

	set_up();
	for (r = 0; r < 2; r++) {
		work[r] = (struct thread){ .inproc = inproc, .rank = r };
		TAP_EQUAL(pthread_create(&ids[r], NULL, fence_only, &work[r]),
			  0);
	}
	boot = opened(inproc, 2);
	wf_boot_abort(boot, 3, "tired");
	TAP_CHECK(logged > 0);
	for (r = 0; r < 2; r++) {
		pthread_join(ids[r], NULL);
		TAP_EQUAL(work[r].wrong, WEFT_ERR_BOOT);
	}
	TAP_EQUAL(wf_boot_fence(boot), WEFT_ERR_BOOT);
	TAP_CHECK(strstr(wf_boot_why(boot), "rank 2 aborted") != NULL);
	TAP_CHECK(strstr(wf_boot_why(boot), "tired") != NULL);
	wf_boot_close(boot);
	weft_inproc_free(&inproc);
}

static void no_memory(void)
{
	struct weft_inproc *inproc = NULL;
	struct wf_boot *boot = NULL;
	char why[512] = "";

	set_up();
	fail_malloc_at(1);
	TAP_EQUAL(weft_inproc_create(2, &inproc), WEFT_ERR_NOMEM);
	TAP_EQUAL(open_rank(NULL, 0, &boot, why), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_CHECK(inproc == NULL && boot == NULL);
	inproc = created(1);
	fail_malloc_at(1);
	TAP_EQUAL(open_rank(inproc, 0, &boot, why), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	boot = opened(inproc, 0);
	fail_malloc_at(1);
	TAP_EQUAL(wf_boot_put(boot, "k", "v", 1), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	wf_boot_close(boot);
	boot = opened(NULL, 0);
	fail_malloc_at(1);
	TAP_EQUAL(wf_boot_put(boot, "k", "v", 1), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	wf_boot_close(boot);
	weft_inproc_free(&inproc);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one rank", alone },
		{ "bad arguments", bad_arguments },
		{ "a rank is opened once", opened_once },
		{ "node map", nodes },
		{ "a rank per thread", threads },
		{ "a hook that waits", waiting_hook },
		{ "a rank that does not come", nobody_comes },
		{ "the same with threads", nobody_comes_threads },
		{ "a rank that comes late", late },
		{ "abort", aborted },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
