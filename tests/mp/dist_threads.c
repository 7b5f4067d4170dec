/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Dist changes, or is freed, by another thread while an exchange that stayed
 * with it is under way: that one ends by the pattern that it began with, and
 * the next one goes by the new one.  The ranks are threads of this process, so
 * that ThreadSanitizer sees everything.
 *
 * Rank 0 combines what comes from itself while rank 1 sends nothing yet, since
 * it waits for a message that follows the change.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include "tests/tap.h"
#include <weft.h>

enum {
	RANKS = 2,
	ITEMS = 3			/* of rank 0, the last one to rank 1 */
};

struct rank {
	pthread_t thread, exchanger;
	struct weft_inproc *inproc;
	int rank;
	struct weft_job *job;
	struct weft_comm *world;
	struct weft_dist *dist;
	struct weft_op *op;
	atomic_int calls;		/* of its operation */
	bool frees;			/* or sets roots */
};

static void multiply(const void *in, void *inout, size_t n,
		     const struct weft_type *type, void *arg)
{
	struct rank *r = arg;
	const int32_t *a = in;
	int32_t *b = inout;

	(void)type;
	for (size_t i = 0; i < n; i++)
		b[i] *= a[i];
	atomic_fetch_add(&r->calls, 1);
}

static void make(struct rank *r)
{
	static const struct weft_remote of_0[] = {
		{ 0, 0 }, { 0, 0 }, { 1, 0 }
	}, of_1[] = { { 0, 0 } };
	static const int32_t apart[] = { 0, 1, 2, 3 };
	struct weft_op_options options;

	TAP_EQUAL(weft_dist_create(r->world, r->rank ? of_1 : of_0,
				   r->rank ? 1 : ITEMS, 1, &r->dist), WEFT_OK);
	if (!r->rank)
		TAP_EQUAL(weft_dist_set_roots2items(r->dist, apart, ITEMS),
			  WEFT_OK);
	weft_op_options_init(&options, sizeof(options));
	options.call = multiply;
	options.arg = r;
	TAP_EQUAL(weft_op_create(r->job, &options, &r->op), WEFT_OK);
}

/* Of 2, 3 and 5 at rank 0, and 7. */
static void exchange(struct rank *r, int32_t want)
{
	int32_t out[] = { r->rank ? 7 : 2, 3, 5 }, in = 0;

	TAP_EQUAL(weft_dist_exch_reduce(r->dist, &(struct weft_packets){
		out, r->rank ? 1 : ITEMS, 1, &weft_type_int32
	}, r->op, &(struct weft_packets){ &in, 1, 1, &weft_type_int32 }),
		  WEFT_OK);
	TAP_EQUAL(in, want);
}

static void *exchange_again(void *arg)
{
	exchange(arg, 2 * 3 * 7);
	return NULL;
}

/* With the exchange under way. */
static void change(struct rank *r)
{
	static const int32_t odd[] = { 0, 0, 2, 3 };
	struct weft_dist *dist = r->dist;

	if (r->frees)
		TAP_EQUAL(weft_dist_free(&dist), WEFT_OK);
	else
		TAP_EQUAL(weft_dist_set_roots2items(r->dist, odd, ITEMS),
			  WEFT_OK);
}

static void run_0(struct rank *r)
{
	int calls, begun;

	exchange(r, 2 * 3 * 7);
	calls = atomic_load(&r->calls);
	begun = pthread_create(&r->exchanger, NULL, exchange_again, r);
	if (!TAP_EQUAL(begun, 0))
		return;
	while (atomic_load(&r->calls) == calls)
		sched_yield();
	change(r);
	TAP_EQUAL(weft_send(r->world, NULL, 0, &weft_type_byte, weft_to(1, 0)),
		  WEFT_OK);
	pthread_join(r->exchanger, NULL);
	if (r->frees)
		return;
	exchange(r, 3 * 3 * 7);
	TAP_EQUAL(weft_dist_free(&r->dist), WEFT_OK);
}

static void run_1(struct rank *r)
{
	exchange(r, 5);
	TAP_EQUAL(weft_recv(r->world, NULL, 0, &weft_type_byte,
			    weft_from(0, 0), NULL), WEFT_OK);
	exchange(r, 5);
	if (!r->frees)
		exchange(r, 5);
	TAP_EQUAL(weft_dist_free(&r->dist), WEFT_OK);
}

static void *rank_main(void *arg)
{
	struct weft_job_options options;
	struct rank *r = arg;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = r->inproc;
	options.inproc_rank = r->rank;
	options.threads = true;
	if (!TAP_EQUAL(weft_job_open(&options, &r->job), WEFT_OK))
		return NULL;
	r->world = weft_job_world(r->job);
	make(r);
	if (r->rank)
		run_1(r);
	else
		run_0(r);
	TAP_EQUAL(weft_op_free(&r->op), WEFT_OK);
	TAP_EQUAL(weft_job_close(r->job), WEFT_OK);
	return NULL;
}

static void run(bool frees)
{
	struct rank rank[RANKS] = { { .frees = frees } };
	struct weft_inproc *inproc;

	if (!TAP_EQUAL(weft_inproc_create(RANKS, &inproc), WEFT_OK))
		return;
	for (int i = 0; i < RANKS; i++) {
		rank[i].inproc = inproc;
		rank[i].rank = i;
		rank[i].frees = frees;
		pthread_create(&rank[i].thread, NULL, rank_main, &rank[i]);
	}
	for (int i = 0; i < RANKS; i++)
		pthread_join(rank[i].thread, NULL);
	weft_inproc_free(&inproc);
}

static void changed(void)
{
	run(false);
}

static void freed(void)
{
	run(true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "changed under way", changed },
		{ "freed by another thread", freed }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
