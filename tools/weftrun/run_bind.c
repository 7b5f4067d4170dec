/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binds ranks to CPUs (--bind): looks at the machine once, reduced to the CPUs
 * that weftrun itself may use, and gives each rank its share of them.
 *
 * A rank r of n gets the r-th core or hardware thread; of larger places the
 * one that has the CPU at r/n of all CPUs, so that neighbours share a place,
 * ranks spread over all places, and a place of which only a part may be used
 * gets as many ranks less.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/status.h>

#include "base/text.h"
#include "tools/weftrun/run_bind.h"
#include "tools/weftrun/weftrun.h"

static const struct place {
	const char *word;
	hwloc_obj_type_t type;
	bool own; /* one rank each */
} places[] = {
	{ "hwthread", HWLOC_OBJ_PU, true },
	{ "core", HWLOC_OBJ_CORE, true },
	{ "l3cache", HWLOC_OBJ_L3CACHE, false },
	{ "numa", HWLOC_OBJ_NUMANODE, false },
	{ "package", HWLOC_OBJ_PACKAGE, false },
};

#define PLACES (sizeof(places) / sizeof(places[0]))

static int count(hwloc_topology_t machine, hwloc_obj_type_t type)
{
	int n = hwloc_get_nbobjs_by_type(machine, type);

	return n > 0 ? n : 0;
}

static const struct place *find_place(hwloc_topology_t machine,
				      const char *word)
{
	size_t i;

	if (strcmp(word, "socket") == 0)
		word = "package";
	for (i = 0; i < PLACES; i++)
		if (strcmp(word, places[i].word) == 0)
			return count(machine, places[i].type) > 0 ? &places[i]
								  : NULL;
	return NULL;
}

static void say_places(hwloc_topology_t machine, const char *word, char *why,
		       size_t why_len)
{
	size_t i;

	why[0] = '\0';
	wf_text_add(why, why_len, "--bind %.100s: it may be none, or what this "
		    "machine has (how many weftrun may use):", word);
	for (i = 0; i < PLACES; i++) {
		int n = count(machine, places[i].type);

		if (n > 0)
			wf_text_add(why, why_len, " %s (%d)", places[i].word,
				    n);
	}
}

/* The place that has a CPU: one that is about memory is no parent of it. */
static hwloc_obj_t place_of(hwloc_topology_t machine, hwloc_obj_type_t type,
			    hwloc_obj_t cpu)
{
	hwloc_obj_t at = NULL;

	while ((at = hwloc_get_next_obj_by_type(machine, type, at)) != NULL)
		if (hwloc_bitmap_isincluded(cpu->cpuset, at->cpuset))
			return at;
	return cpu;
}

static hwloc_obj_t place_of_rank(hwloc_topology_t machine,
				 const struct place *place, int rank, int n)
{
	int cpus = count(machine, HWLOC_OBJ_PU);
	unsigned i = (unsigned)((long long)rank * cpus / n);

	if (place->own)
		return hwloc_get_obj_by_type(machine, place->type,
					     (unsigned)rank);
	return place_of(machine, place->type,
			hwloc_get_obj_by_type(machine, HWLOC_OBJ_PU, i));
}

int run_bind_place(hwloc_topology_t machine, const char *word, int n,
		   hwloc_bitmap_t *cpus, char *why, size_t why_len)
{
	const struct place *place = find_place(machine, word);
	int r;

	if (place == NULL) {
		say_places(machine, word, why, why_len);
		return -1;
	}
	if (place->own && n > count(machine, place->type))
		return 1;
	for (r = 0; r < n; r++) {
		hwloc_obj_t obj = place_of_rank(machine, place, r, n);

		cpus[r] = hwloc_bitmap_dup(obj->cpuset);
		if (cpus[r] != NULL)
			continue;
		while (r > 0)
			hwloc_bitmap_free(cpus[--r]);
		snprintf(why, why_len, "no memory for the CPUs of %d ranks", n);
		return -1;
	}
	return 0;
}

/* The machine, without what this process may not use. */
static int look_at_machine(hwloc_topology_t *machine_p)
{
	hwloc_bitmap_t mine = hwloc_bitmap_alloc();
	hwloc_topology_t machine;

	if (mine == NULL || hwloc_topology_init(&machine) != 0) {
		hwloc_bitmap_free(mine);
		return -1;
	}
	if (hwloc_topology_load(machine) == 0 &&
	    hwloc_get_cpubind(machine, mine, HWLOC_CPUBIND_PROCESS) == 0 &&
	    hwloc_topology_restrict(machine, mine,
				    HWLOC_RESTRICT_FLAG_REMOVE_CPULESS) == 0) {
		hwloc_bitmap_free(mine);
		*machine_p = machine;
		return 0;
	}
	hwloc_topology_destroy(machine);
	hwloc_bitmap_free(mine);
	return -1;
}

/* A mask of its own for the child, which must not allocate. */
static int keep(struct run_cpus *cpus, hwloc_const_bitmap_t set)
{
	int words = hwloc_bitmap_nr_ulongs(set);

	if (words < 1)
		return -1;
	cpus->mask = calloc((size_t)words, sizeof(*cpus->mask));
	if (cpus->mask == NULL)
		return -1;
	cpus->bytes = (size_t)words * sizeof(*cpus->mask);
	hwloc_bitmap_to_ulongs(set, (unsigned)words, cpus->mask);
	hwloc_bitmap_list_snprintf(cpus->text, sizeof(cpus->text), set);
	return 0;
}

static int keep_all(struct run_job *job, hwloc_bitmap_t *sets)
{
	int status = 0;
	int r;

	job->cpus = calloc((size_t)job->options.n, sizeof(*job->cpus));
	if (job->cpus == NULL)
		status = -1;
	for (r = 0; r < job->options.n; r++) {
		if (status == 0)
			status = keep(&job->cpus[r], sets[r]);
		hwloc_bitmap_free(sets[r]);
	}
	if (status != 0)
		run_say("no memory for the CPUs of %d ranks", job->options.n);
	return status;
}

static int place_ranks(struct run_job *job, hwloc_topology_t machine)
{
	const char *word = job->options.bind;
	char why[512];
	hwloc_bitmap_t *sets;
	int status;

	/* A description from a file is not where the ranks will run. */
	if (!hwloc_topology_is_thissystem(machine)) {
		run_say("--bind %s: hwloc describes another machine than this "
			"one: unset HWLOC_SYNTHETIC and HWLOC_XMLFILE", word);
		return -1;
	}
	sets = calloc((size_t)job->options.n, sizeof(sets[0]));
	if (sets == NULL) {
		run_say("no memory for the CPUs of %d ranks", job->options.n);
		return -1;
	}
	status = run_bind_place(machine, word, job->options.n, sets, why,
				sizeof(why));
	if (status == 0)
		status = keep_all(job, sets);
	else if (status < 0)
		run_say("%s", why);
	else
		run_say("--bind %s: %d ranks are more than the places that "
			"weftrun may use: none is bound", word,
			job->options.n);
	free(sets);
	return status < 0 ? -1 : 0;
}

int run_bind_start(struct run_job *job)
{
	hwloc_topology_t machine;
	int status;

	if (strcmp(job->options.bind, "none") == 0)
		return 0;
	if (look_at_machine(&machine) != 0) {
		run_say("--bind %s: hwloc cannot look at this machine",
			job->options.bind);
		return -1;
	}
	status = place_ranks(job, machine);
	hwloc_topology_destroy(machine);
	return status;
}

int run_bind_apply(const struct run_job *job, int rank)
{
	const struct run_cpus *cpus;

	if (job->cpus == NULL)
		return 0;
	cpus = &job->cpus[rank];
	return sched_setaffinity(0, cpus->bytes, (const cpu_set_t *)cpus->mask)
		       == 0 ? 0 : errno;
}
