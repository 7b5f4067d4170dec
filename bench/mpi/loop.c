/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a loop, as weft-bench takes them: see loop.h. */
#include "loop.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 25 };

static bool by_mpi(void)
{
	const char *where = getenv("LOOP_MEMORY");

	return where && !strcmp(where, "mpi");
}

void *loop_memory(size_t bytes)
{
	size_t whole = bytes / 64 * 64 + 64;
	void *memory = NULL;

	if (!by_mpi())
		memory = aligned_alloc(64, whole);
	else if (MPI_Alloc_mem((MPI_Aint)whole, MPI_INFO_NULL, &memory))
		memory = NULL;
	if (!memory)
		abort();
	return memset(memory, 0, whole);
}

void loop_memory_free(void *memory)
{
	if (by_mpi())
		MPI_Free_mem(memory);
	else
		free(memory);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*
 * From the first rank's start to the last one's end: of ranks that take turns
 * on a core some may be done before others begin.
 */
static double sample(const struct loop *loop, long n)
{
	double at[2], all[2];

	MPI_Barrier(MPI_COMM_WORLD);
	at[0] = -now();
	for (long i = 0; i < n; i++)
		loop->one();
	at[1] = now();
	MPI_Allreduce(at, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return all[0] + all[1];
}

/* Seconds: several turns, where ranks take turns. */
static double least_sample(void)
{
	int ranks;

	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	return ranks > sysconf(_SC_NPROCESSORS_ONLN) ? 0.05 : 0.01;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void time_size(const struct loop *loop, size_t bytes)
{
	double us[SAMPLES];
	int operations = loop->operations ? loop->operations : 1;
	double least = least_sample();
	long n = 16;
	int rank;

	if (loop->set_up)
		loop->set_up(bytes);
	sample(loop, n);		/* connections, first touches */
	while (sample(loop, n) < least)
		n *= 2;
	for (int i = 0; i < SAMPLES; i++)
		us[i] = sample(loop, n) / (double)n / operations * 1e6;
	qsort(us, SAMPLES, sizeof(us[0]), compare);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!rank)
		printf("%10zu %10ld %10.4f %10.4f %10.4f\n", bytes, n, us[0],
		       us[SAMPLES / 2], us[SAMPLES - 1]);
	if (loop->take_down)
		loop->take_down();
}

int loop_main(int argc, char **argv, const struct loop *loop)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc < 2) {
		if (!rank)
			fprintf(stderr, "usage: %s BYTES...\n", loop->name);
		MPI_Finalize();
		return 2;
	}
	if (!rank)
		printf("%10s %10s %10s %10s %10s\n", "bytes", "loops",
		       "min[usec]", "median", "max");
	for (int i = 1; i < argc; i++)
		time_size(loop, strtoul(argv[i], NULL, 0));
	MPI_Finalize();
	return 0;
}
