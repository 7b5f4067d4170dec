/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random one-sided operations over the public interface, every byte checked.
 *
 * What every rank does in every round follows from the seed, so each knows
 * what its part must hold, which signals were raised how often, and what the
 * atomics add up to.  The same source runs over simulated ranks and over
 * processes; those that call it differ in the hooks only.
 */
#ifndef WEFT_TESTS_RMA_PROGRAM_H
#define WEFT_TESTS_RMA_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

struct weft_job;
struct weft_region;

struct rma_options {
	uint64_t seed;
	int rounds;
	size_t slot;			/* bytes that each has at each */
	/* A region was made; may be NULL. */
	void (*made)(void *arg, struct weft_region *region);
	/* Something is wrong; one line. */
	void (*fail)(void *arg, const char *text);
	void *arg;
};

/* The number of failures. */
int rma_run(struct weft_job *job, const struct rma_options *options);

#endif
