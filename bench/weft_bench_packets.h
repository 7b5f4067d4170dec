/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pattern of weft-bench dist: as many packets from each rank to each other
 * one, in random order.  A root of a rank is the end of one item of each other
 * rank; items are numbered by chance.
 *
 * What is sent are small whole numbers, which doubles hold exactly and which
 * tell sender, receiver, root, place in the packet and epoch.
 */
#ifndef WEFT_BENCH_PACKETS_H
#define WEFT_BENCH_PACKETS_H

#include "bench/weft_bench_run.h"

#include <stddef.h>
#include <stdint.h>

struct bench_packets {
	struct bench_run *run;
	size_t width;			/* doubles of a packet */
	size_t nroots;			/* of a rank: packets of a message */
	size_t nitems;			/* of a rank, in and out */
	struct weft_remote *dests;	/* of its items */
	double *items;			/* a packet for each forward item, */
	double *ritems;			/* for each reverse item, */
	double *roots;			/* and for each reverse root */
	uint32_t epoch;			/* of what is sent */
};

/* Messages of so many bytes; behind an error it is released, too. */
int bench_packets_allocate(struct bench_packets *p, size_t bytes);
void bench_packets_release(struct bench_packets *p);

/* Zeros for so many packets, of --memory. */
int bench_packets_room(const struct bench_packets *p, size_t packets,
		       double **base_p);
void bench_packets_leave(const struct bench_packets *p, double **base_p);

/* What an exchange takes and gives. */
struct weft_packets bench_packets_of(const struct bench_packets *p,
				     double *base);

/* New packets at forward items, or at reverse roots; the rest is spoilt. */
void bench_packets_fill_items(struct bench_packets *p);
void bench_packets_fill_roots(struct bench_packets *p);

/* Wrong bytes: at reverse items, at roots that have their sum, at items. */
size_t bench_packets_check_ritems(const struct bench_packets *p);
size_t bench_packets_check_sums(const struct bench_packets *p);
size_t bench_packets_check_items(const struct bench_packets *p);

#endif
