/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The placing of ranks by weftrun --bind, on machines that hwloc makes up.
 */
#include "tests/tap.h"
#include "tools/weftrun/run_bind.h"
#include "tools/weftrun/weftrun.h"

/* Two packages of two NUMA nodes, each with a cache, 3 cores, 6 threads. */
#define BIG "package:2 numa:2 l3:1 core:3 pu:2"

enum { RANKS = 24 };

/* In weftrun it is in the file that has main(). */
void run_say(const char *format, ...)
{
	tap_diag("unexpected: %s", format);
}

struct placing {
	hwloc_topology_t machine;
	hwloc_bitmap_t cpus[RANKS];
	int n;
	int status;
	char why[512];
};

/* `usable`: the CPUs that may be used; NULL: all. */
static void make(struct placing *p, const char *machine, const char *usable)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	memset(p, 0, sizeof(*p));
	TAP_CHECK(hwloc_topology_init(&p->machine) == 0);
	TAP_CHECK(hwloc_topology_set_synthetic(p->machine, machine) == 0);
	TAP_CHECK(hwloc_topology_load(p->machine) == 0);
	if (usable) {
		hwloc_bitmap_list_sscanf(set, usable);
		TAP_CHECK(hwloc_topology_restrict(p->machine, set,
				HWLOC_RESTRICT_FLAG_REMOVE_CPULESS) == 0);
	}
	hwloc_bitmap_free(set);
}

static void forget(struct placing *p)
{
	for (int r = 0; r < p->n && p->status == 0; r++)
		hwloc_bitmap_free(p->cpus[r]);
	p->n = 0;
}

static void place(struct placing *p, const char *word, int n)
{
	forget(p);
	p->n = n;
	p->why[0] = '\0';
	p->status = run_bind_place(p->machine, word, n, p->cpus, p->why,
				   sizeof(p->why));
}

static void drop(struct placing *p)
{
	forget(p);
	hwloc_topology_destroy(p->machine);
}

/* want: the CPUs of all ranks in order, separated by blanks. */
static void expect(const struct placing *p, const char *want)
{
	char have[1024] = "", one[64];

	TAP_EQUAL(p->status, 0);
	for (int r = 0; r < p->n && p->status == 0; r++) {
		hwloc_bitmap_list_snprintf(one, sizeof(one), p->cpus[r]);
		snprintf(have + strlen(have), sizeof(have) - strlen(have),
			 "%s%s", r > 0 ? " " : "", one);
	}
	if (!TAP_CHECK(strcmp(have, want) == 0))
		tap_diag("%s instead of %s", have, want);
}

static void one_each(void)
{
	struct placing p;

	make(&p, BIG, NULL);
	place(&p, "hwthread", 3);
	expect(&p, "0 1 2");
	place(&p, "core", 4);
	expect(&p, "0-1 2-3 4-5 6-7");
	drop(&p);
}

static void spread_in_blocks(void)
{
	struct placing p;

	make(&p, BIG, NULL);
	place(&p, "package", 4);
	expect(&p, "0-11 0-11 12-23 12-23");
	place(&p, "socket", 2);
	expect(&p, "0-11 12-23");
	place(&p, "numa", 2);
	expect(&p, "0-5 12-17");
	place(&p, "numa", 5);
	expect(&p, "0-5 0-5 6-11 12-17 18-23");
	place(&p, "l3cache", 1);
	expect(&p, "0-5");
	drop(&p);
}

static void more_than_there_are(void)
{
	struct placing p;

	make(&p, "numa:1 core:4 pu:2", NULL);
	place(&p, "core", 4);
	expect(&p, "0-1 2-3 4-5 6-7");
	place(&p, "core", 5);
	TAP_EQUAL(p.status, 1);
	place(&p, "hwthread", 9);
	TAP_EQUAL(p.status, 1);
	place(&p, "numa", 9);
	expect(&p, "0-7 0-7 0-7 0-7 0-7 0-7 0-7 0-7 0-7");
	drop(&p);
}

static void only_what_may_be_used(void)
{
	struct placing p;

	make(&p, BIG, "3-6,18");
	place(&p, "hwthread", 5);
	expect(&p, "3 4 5 6 18");
	place(&p, "core", 4);
	expect(&p, "3 4-5 6 18");
	place(&p, "core", 5);
	TAP_EQUAL(p.status, 1);
	/* as many ranks for each as it has usable CPUs */
	place(&p, "numa", 5);
	expect(&p, "3-5 3-5 3-5 6 18");
	drop(&p);
}

static void says_what_there_is(void)
{
	struct placing p;

	make(&p, "numa:2 core:4 pu:1", "0-6");
	place(&p, "board", 2);
	TAP_EQUAL(p.status, -1);
	TAP_CHECK(strcmp(p.why, "--bind board: it may be none, or what this "
			 "machine has (how many weftrun may use): hwthread (7) "
			 "core (7) numa (2)") == 0);
	/* a good word, but there is none here */
	place(&p, "l3cache", 2);
	TAP_EQUAL(p.status, -1);
	TAP_CHECK(strstr(p.why, "--bind l3cache: it may be none") == p.why);
	place(&p, "", 2);
	TAP_EQUAL(p.status, -1);
	drop(&p);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one each", one_each },
		{ "spread in blocks", spread_in_blocks },
		{ "more than there are", more_than_there_are },
		{ "only what may be used", only_what_may_be_used },
		{ "says what there is", says_what_there_is },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
