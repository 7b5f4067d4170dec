/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench dist: exchanges along a Dist, beside the same done by hand, and
 * what it takes to set one up.  Packets are untouched between operations.
 */
#include "bench/weft_bench_by_hand.h"
#include "bench/weft_bench_time.h"

#include <stdio.h>

struct dist {
	struct bench_packets p;
	struct weft_dist *along, *inverse;
	struct bench_by_hand hand;
};

/* Where nothing is filled nothing is checked. */
struct way {
	const char *title;
	int (*once)(struct dist *d);
	void (*fill)(struct bench_packets *p);
	size_t (*check)(const struct bench_packets *p);
};

static int create(struct dist *d, struct weft_dist **dist_p)
{
	return weft_dist_create(d->p.run->world, d->p.dests, d->p.nitems,
				(int32_t)d->p.nroots, dist_p);
}

/* ---- what is timed ---- */

static int exch(struct dist *d)
{
	struct weft_packets items = bench_packets_of(&d->p, d->p.items);
	struct weft_packets ritems = bench_packets_of(&d->p, d->p.ritems);

	return weft_dist_exch(d->along, &items, &ritems);
}

static int by_hand(struct dist *d)
{
	return bench_by_hand_exchange(&d->hand);
}

static int exch_reduce(struct dist *d)
{
	struct weft_packets items = bench_packets_of(&d->p, d->p.items);
	struct weft_packets roots = bench_packets_of(&d->p, d->p.roots);

	return weft_dist_exch_reduce(d->along, &items, &weft_op_sum, &roots);
}

static int exch_back(struct dist *d)
{
	struct weft_packets roots = bench_packets_of(&d->p, d->p.roots);
	struct weft_packets items = bench_packets_of(&d->p, d->p.items);

	return weft_dist_exch(d->inverse, &roots, &items);
}

static int set_up(struct dist *d)
{
	struct weft_dist *dist = NULL;
	int status = create(d, &dist);

	return status == WEFT_OK ? weft_dist_free(&dist) : status;
}

static const struct way ways[] = {
	{ "exch", exch, bench_packets_fill_items, bench_packets_check_ritems },
	{ "gather, weft_neighbor_alltoallv, scatter", by_hand,
	  bench_packets_fill_items, bench_packets_check_ritems },
	{ "exch_reduce by sum", exch_reduce, bench_packets_fill_items,
	  bench_packets_check_sums },
	{ "exch along the inverse", exch_back, bench_packets_fill_roots,
	  bench_packets_check_items },
	{ "create and free", set_up, NULL, NULL }
};

/* ---- lines ---- */

struct timed {
	struct dist *dist;
	const struct way *way;
};

static int timed(void *arg, long n, double *us_p)
{
	const struct timed *t = arg;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = t->way->once(t->dist);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

/* New packets each time; what the last one sent stays for the timed pass. */
static int verify(const struct timed *t, size_t bytes, size_t *wrong_p)
{
	struct bench_packets *p = &t->dist->p;
	long count = bench_verify_count(bytes * (size_t)(p->run->ranks - 1));
	int status = WEFT_OK;

	for (long i = 0; i < count && status == WEFT_OK; i++) {
		t->way->fill(p);
		status = t->way->once(t->dist);
		*wrong_p += t->way->check(p);
	}
	return status;
}

static int run_line(struct timed *t, size_t bytes)
{
	struct bench_run *run = t->dist->p.run;
	struct bench_line line = {
		.bytes = bytes, .bound = BENCH_NO_BOUND,
		.checked = run->options->verify && t->way->fill
	};
	int status = WEFT_OK;
	size_t wrong = 0;

	if (line.checked)
		status = verify(t, bytes, &wrong);
	if (status == WEFT_OK)
		status = bench_time(run, timed, t, bytes, &line.times);
	if (line.checked)
		wrong += t->way->check(&t->dist->p);
	if (status == WEFT_OK && line.checked)
		status = bench_sum_wrong(run, wrong, &line.wrong);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}

static int prepare(struct dist *d, size_t bytes)
{
	int status = bench_packets_allocate(&d->p, bytes);

	if (status == WEFT_OK)
		status = create(d, &d->along);
	if (status == WEFT_OK)
		status = weft_dist_invert(d->along, &d->inverse);
	if (status == WEFT_OK)
		status = bench_by_hand_open(&d->hand, &d->p, d->along,
					    d->inverse);
	return status;
}

static int finish(struct dist *d, int status)
{
	int freed[] = {
		bench_by_hand_close(&d->hand), weft_dist_free(&d->inverse),
		weft_dist_free(&d->along)
	};

	for (size_t i = 0; i < sizeof(freed) / sizeof(*freed); i++)
		status = status == WEFT_OK ? freed[i] : status;
	bench_packets_release(&d->p);
	return status;
}

static int run_way(struct dist *d, const struct way *way)
{
	const struct bench_options *options = d->p.run->options;
	struct timed t = { d, way };
	int status = WEFT_OK;
	char title[80];

	snprintf(title, sizeof(title), "%s, packets of width %zu", way->title,
		 d->p.width);
	bench_report_case(d->p.run->report, title);
	for (int i = 0; i < options->nsizes && status == WEFT_OK; i++) {
		status = prepare(d, options->sizes[i]);
		if (status == WEFT_OK)
			status = run_line(&t, options->sizes[i]);
		status = finish(d, status);
	}
	return status;
}

int bench_run_dist(struct bench_run *run)
{
	struct dist d = {
		.p = { .run = run, .width = (size_t)run->options->width }
	};
	int status = WEFT_OK;

	run->report->sends = run->ranks - 1;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways) &&
			   status == WEFT_OK; i++)
		status = run_way(&d, &ways[i]);
	return status;
}
