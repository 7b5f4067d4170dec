/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * N ranks in one process. Opened by boot.c when the options name the shared
 * object; the simulator runs its ranks as coroutines, tests run one thread
 * per rank.
 *
 * Everything shared is under `lock`. A fence counts arrivals of an epoch; the
 * last one raises the epoch, which is the predicate that the others wait for.
 * A fence that cannot end (time, abort) breaks the whole object, because the
 * count of arrivals is wrong from then on.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weft/job.h>

#include "base/clock.h"
#include "base/handle.h"
#include "base/log.h"
#include "boot/boot_impl.h"
#include "boot/boot_inproc.h"
#include "boot/kv.h"

enum {
	INPROC_RANKS_MAX = 1 << 20
};

struct inproc_rank {
	struct wf_kv kv;
	uint64_t fences; /* fences entered */
	bool opened;
};

struct weft_inproc {
	int size;
	int ranks_per_node; /* 0: one node */
	struct wf_inproc_wait wait;
	uint64_t (*now)(void *arg);
	void *now_arg;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t epoch; /* fences completed */
	int arrived;    /* in the fence under way */
	int broken;     /* a status: every fence ends with it */
	char why[256];
	struct inproc_rank ranks[];
};

struct boot_inproc {
	struct wf_boot base;
	struct weft_inproc *shared;
};

static struct weft_inproc *shared_of(struct wf_boot *boot)
{
	return ((struct boot_inproc *)boot)->shared;
}

static int init_sync(struct weft_inproc *inproc)
{
	pthread_condattr_t attr;
	int error;

	error = pthread_mutex_init(&inproc->lock, NULL);
	if (error != 0)
		return error;
	error = pthread_condattr_init(&attr);
	if (error == 0) {
		pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
		error = pthread_cond_init(&inproc->changed, &attr);
		pthread_condattr_destroy(&attr);
	}
	if (error != 0)
		pthread_mutex_destroy(&inproc->lock);
	return error;
}

int weft_inproc_create(int size, struct weft_inproc **inproc_p)
{
	struct weft_inproc *inproc;
	int r;

	wf_no_handle(inproc_p);
	if (size < 1 || size > INPROC_RANKS_MAX || inproc_p == NULL)
		return WEFT_ERR_ARG;
	inproc = calloc(1, sizeof(*inproc) +
			(size_t)size * sizeof(inproc->ranks[0]));
	if (inproc == NULL)
		return WEFT_ERR_NOMEM;
	if (init_sync(inproc) != 0) {
		free(inproc);
		return WEFT_ERR_NOMEM;
	}
	inproc->size = size;
	for (r = 0; r < size; r++)
		wf_kv_init(&inproc->ranks[r].kv);
	*inproc_p = inproc;
	return WEFT_OK;
}

void weft_inproc_free(struct weft_inproc **inproc_p)
{
	struct weft_inproc *inproc = inproc_p != NULL ? *inproc_p : NULL;
	int r;

	if (inproc == NULL)
		return;
	*inproc_p = NULL;
	for (r = 0; r < inproc->size; r++)
		wf_kv_fini(&inproc->ranks[r].kv);
	pthread_cond_destroy(&inproc->changed);
	pthread_mutex_destroy(&inproc->lock);
	free(inproc);
}

void wf_inproc_set_wait(struct weft_inproc *inproc,
			const struct wf_inproc_wait *wait)
{
	if (wait != NULL)
		inproc->wait = *wait;
	else
		inproc->wait = (struct wf_inproc_wait){ .idle = NULL };
}

void wf_inproc_set_clock(struct weft_inproc *inproc, uint64_t (*now)(void *arg),
			 void *arg)
{
	inproc->now = now;
	inproc->now_arg = arg;
}

void wf_inproc_set_nodes(struct weft_inproc *inproc, int ranks_per_node)
{
	inproc->ranks_per_node = ranks_per_node;
}

/* Locked. The first few ranks that the fence under way waits for. */
static void name_missing(const struct weft_inproc *inproc, char *text,
			 size_t size)
{
	size_t used = 0;
	int named = 0;
	int r;

	text[0] = '\0';
	for (r = 0; r < inproc->size && used < size; r++) {
		if (inproc->ranks[r].fences > inproc->epoch)
			continue;
		if (named++ == 8) {
			snprintf(text + used, size - used, " ...");
			return;
		}
		used += (size_t)snprintf(text + used, size - used, " %d", r);
	}
}

/* Locked. */
static void time_out(struct weft_inproc *inproc, uint64_t timeout_ns)
{
	char missing[80];

	name_missing(inproc, missing, sizeof(missing));
	inproc->broken = WEFT_ERR_TIMEOUT;
	snprintf(inproc->why, sizeof(inproc->why), "waited %g s "
		 "(WEFT_TIMEOUT) for %d of %d ranks to start:%s",
		 (double)timeout_ns / 1e9, inproc->size - inproc->arrived,
		 inproc->size, missing);
	pthread_cond_broadcast(&inproc->changed);
}

/*
 * Locked, and so on return, but not while the tick runs; false: `deadline`
 * (monotonic ns) has passed.
 */
static bool wait_change(struct weft_inproc *inproc, const struct wf_boot *boot,
			uint64_t deadline)
{
	uint64_t next = wf_clock_ns() + WF_BOOT_TICK_NS;
	struct timespec until;

	if (next > deadline)
		next = deadline;
	until.tv_sec = (time_t)(next / WF_NS_PER_S);
	until.tv_nsec = (long)(next % WF_NS_PER_S);
	if (pthread_cond_timedwait(&inproc->changed, &inproc->lock,
				   &until) == 0)
		return true;
	if (next == deadline)
		return false;
	pthread_mutex_unlock(&inproc->lock);
	wf_boot_tick(boot, "the fence of this process");
	pthread_mutex_lock(&inproc->lock);
	return true;
}

/* Locked, and so on return, but not while the hook runs. */
static bool wait_hook(struct weft_inproc *inproc, uint64_t deadline)
{
	if (inproc->now != NULL && inproc->now(inproc->now_arg) >= deadline)
		return false;
	pthread_mutex_unlock(&inproc->lock);
	inproc->wait.idle(inproc->wait.arg);
	pthread_mutex_lock(&inproc->lock);
	return true;
}

/* Locked, and so on return. */
static void wait_epoch(struct weft_inproc *inproc, uint64_t epoch,
		       const struct wf_boot *boot)
{
	uint64_t timeout_ns = boot->timeout_ns;
	uint64_t start = inproc->now != NULL ? inproc->now(inproc->now_arg) :
					       wf_clock_ns();
	uint64_t deadline = UINT64_MAX;
	bool in_time = true;

	if (timeout_ns < UINT64_MAX - start)
		deadline = start + timeout_ns;
	while (inproc->epoch == epoch && inproc->broken == 0) {
		if (!in_time) {
			time_out(inproc, timeout_ns);
			return;
		}
		if (inproc->wait.idle != NULL)
			in_time = wait_hook(inproc, deadline);
		else
			in_time = wait_change(inproc, boot, deadline);
	}
}

static int inproc_fence(struct wf_boot *boot)
{
	struct weft_inproc *inproc = shared_of(boot);
	uint64_t epoch;
	int status = WEFT_OK;

	pthread_mutex_lock(&inproc->lock);
	epoch = inproc->epoch;
	inproc->ranks[boot->rank].fences++;
	inproc->arrived++;
	if (inproc->broken == 0 && inproc->arrived == inproc->size) {
		inproc->arrived = 0;
		inproc->epoch++;
		pthread_cond_broadcast(&inproc->changed);
	} else {
		wait_epoch(inproc, epoch, boot);
	}
	/* Whoever breaks a fence later does not undo one that is complete. */
	if (inproc->epoch == epoch)
		status = wf_boot_fail(boot, inproc->broken, "%s", inproc->why);
	pthread_mutex_unlock(&inproc->lock);
	return status;
}

static int inproc_put(struct wf_boot *boot, const char *key, const void *value,
		      size_t n)
{
	struct weft_inproc *inproc = shared_of(boot);
	int status;

	pthread_mutex_lock(&inproc->lock);
	status = wf_kv_put(&inproc->ranks[boot->rank].kv, inproc->epoch, key,
			   value, n);
	pthread_mutex_unlock(&inproc->lock);
	if (status != WEFT_OK)
		return wf_boot_fail(boot, status, "no memory for value %s of "
				    "%zu bytes", key, n);
	return WEFT_OK;
}

static int inproc_get(struct wf_boot *boot, int rank, const char *key,
		      struct wf_boot_value *value)
{
	struct weft_inproc *inproc = shared_of(boot);
	const struct wf_kv_entry *entry;
	int status;

	pthread_mutex_lock(&inproc->lock);
	entry = wf_kv_find(&inproc->ranks[rank].kv, inproc->epoch, key);
	if (entry != NULL)
		status = wf_boot_give(boot, key, entry->bytes, entry->n, value);
	else
		status = wf_boot_fail(boot, WEFT_ERR_BOOT, "rank %d has put "
				      "no value %s", rank, key);
	pthread_mutex_unlock(&inproc->lock);
	return status;
}

static void inproc_abort(struct wf_boot *boot, int code, const char *why)
{
	struct weft_inproc *inproc = shared_of(boot);

	wf_error(boot->log, "job aborted with code %d: %s", code, why);
	pthread_mutex_lock(&inproc->lock);
	if (inproc->broken == 0) {
		inproc->broken = WEFT_ERR_BOOT;
		snprintf(inproc->why, sizeof(inproc->why), "rank %d aborted "
			 "the job with code %d: %s", boot->rank, code, why);
		pthread_cond_broadcast(&inproc->changed);
	}
	pthread_mutex_unlock(&inproc->lock);
}

static int inproc_close(struct wf_boot *boot)
{
	free(boot);
	return WEFT_OK;
}

static const struct wf_boot_ops inproc_ops = {
	"inproc",     inproc_put,   inproc_fence,
	inproc_get,   inproc_abort, inproc_close,
};

static void set_node(struct wf_boot *boot, int ranks_per_node)
{
	int per_node = ranks_per_node > 0 ? ranks_per_node : boot->size;
	int first = boot->rank - boot->rank % per_node;
	int left = boot->size - first;

	boot->node.count = (boot->size - 1) / per_node + 1;
	boot->node.first = first;
	boot->node.size = left < per_node ? left : per_node;
}

/* Takes the rank; one boot per rank in the life of the object. */
static bool claim(struct weft_inproc *inproc, int rank)
{
	bool free_rank;

	pthread_mutex_lock(&inproc->lock);
	free_rank = !inproc->ranks[rank].opened;
	inproc->ranks[rank].opened = true;
	pthread_mutex_unlock(&inproc->lock);
	return free_rank;
}

int wf_boot_inproc_open(const struct wf_boot_options *options,
			struct wf_boot **boot_p, char *why, size_t why_len)
{
	struct weft_inproc *inproc = options->inproc;
	struct boot_inproc *boot;
	int rank = options->inproc_rank;

	if (rank < 0 || rank >= inproc->size) {
		snprintf(why, why_len, "rank %d of a job of %d ranks in one "
			 "process", rank, inproc->size);
		return WEFT_ERR_ARG;
	}
	boot = wf_boot_create(sizeof(*boot), &inproc_ops, options, why,
			      why_len);
	if (boot == NULL)
		return WEFT_ERR_NOMEM;
	if (!claim(inproc, rank)) {
		snprintf(why, why_len, "rank %d of this process has opened "
			 "its job already", rank);
		free(boot);
		return WEFT_ERR_BOOT;
	}
	boot->base.rank = rank;
	boot->base.size = inproc->size;
	boot->shared = inproc;
	set_node(&boot->base, inproc->ranks_per_node);
	*boot_p = &boot->base;
	return WEFT_OK;
}
