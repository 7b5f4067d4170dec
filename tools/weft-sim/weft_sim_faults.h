/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults of a simulation by their names.
 */
#ifndef WEFT_SIM_FAULTS_H
#define WEFT_SIM_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wf_sim_options;

struct wsim_faults {
	unsigned int again;	/* one in so many; 0: none */
	unsigned int others;
	unsigned int slow;
	unsigned int tear;
	unsigned int flush;
	unsigned int forge;
	bool silent;
	bool shallow;
	bool held;
	bool laggard;
	bool contact;
	bool outage;
	bool unfenced;
	bool kill;
	bool cut;
	bool vary;
};

/* One of them: a rate or a flag. */
struct wsim_fault {
	const char *name;		/* NULL after the last one */
	size_t offset;
	bool is_rate;
};

/* In the order in which they are printed. */
extern const struct wsim_fault wsim_fault_list[];

/* The one of the two that it is; the other is NULL. */
unsigned int *wsim_fault_rate(const struct wsim_fault *fault,
			      struct wsim_faults *faults);
bool *wsim_fault_flag(const struct wsim_fault *fault,
		      struct wsim_faults *faults);

bool wsim_faults_any(const struct wsim_faults *faults);

/* A list like "again,slow:8,kill"; false: it is none. */
bool wsim_faults_parse(const char *text, struct wsim_faults *faults_p);

/* Into the options of a run; what is chosen follows from their seed. */
void wsim_faults_set(const struct wsim_faults *faults,
		     struct wf_sim_options *options);

/*
 * vary as the faults that it stands for with this seed; its delays, its depth
 * of queues but 1, and its order of mails have no names and get lost.
 */
void wsim_faults_spell_out(struct wsim_faults *faults, uint64_t seed);

#endif
