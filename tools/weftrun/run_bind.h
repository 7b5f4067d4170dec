/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which CPUs each rank gets (--bind). Called by weftrun.c before anything is
 * started, and, run_bind_place() alone, by a test with machines of its own.
 */
#ifndef WEFT_TOOLS_RUN_BIND_H
#define WEFT_TOOLS_RUN_BIND_H

#include <hwloc.h>

struct run_job;

/* CPUs as text, for -v; cut where a list is longer. */
#define RUN_CPUS_TEXT 256

/* One for each rank, in job->cpus; NULL there: nobody is bound. */
struct run_cpus {
	unsigned long *mask; /* as sched_setaffinity() takes it */
	size_t bytes;
	char text[RUN_CPUS_TEXT];
};

/*
 * Gives n ranks their CPUs by a word of --bind that is not "none"; CPUs that
 * may not be used are not in the topology any more. 0: cpus[r] is the rank's
 * own copy, 1: there are fewer such places than ranks, and nothing was given,
 * -1: `why` says what the word may be and what the machine has.
 */
int run_bind_place(hwloc_topology_t machine, const char *word, int n,
		   hwloc_bitmap_t *cpus, char *why, size_t why_len);

/* Fills job->cpus from job->options.bind; -1: failed, said why. */
int run_bind_start(struct run_job *job);

/* In a new child, before its exec. 0, or the errno of the system call. */
int run_bind_apply(const struct run_job *job, int rank);

#endif
