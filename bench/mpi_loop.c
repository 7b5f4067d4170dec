/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop of weft-bench(1) with the calls of MPI, to set both side by side:
 *
 *     mpicc -O2 -o mpi_loop mpi_loop.c
 *     mpiexec -n 2 ./mpi_loop exchange 8 65536 1048576
 *
 * Not part of the build; bench/README.md has the commands.  The pattern is
 * weft-bench's of two ranks: each sends one message to the other.  A library
 * without persistent neighbour exchanges (before MPI 4) is timed with the
 * blocking call.  Times are of the slowest rank, in microseconds.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 25 };

struct loop {
	MPI_Comm graph;
	char *out, *in;
	int bytes;
	int displ;
#if MPI_VERSION >= 4
	MPI_Request request;
#endif
};

typedef void one_fn(struct loop *loop);

static void exchange(struct loop *loop)
{
#if MPI_VERSION >= 4
	MPI_Start(&loop->request);
	MPI_Wait(&loop->request, MPI_STATUS_IGNORE);
#else
	MPI_Neighbor_alltoallv(loop->out, &loop->bytes, &loop->displ, MPI_BYTE,
			       loop->in, &loop->bytes, &loop->displ, MPI_BYTE,
			       loop->graph);
#endif
}

static void allreduce(struct loop *loop)
{
	MPI_Allreduce(loop->out, loop->in, loop->bytes / 8, MPI_DOUBLE,
		      MPI_SUM, MPI_COMM_WORLD);
}

static void barrier(struct loop *loop)
{
	(void)loop;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void set_up(struct loop *loop, size_t bytes)
{
	int rank, peer, weight = 1;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	peer = rank ^ 1;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &peer, &weight, 1,
				       &peer, &weight, MPI_INFO_NULL, 0,
				       &loop->graph);
	loop->bytes = (int)bytes;
	loop->out = aligned_alloc(64, (bytes + 63) / 64 * 64);
	loop->in = aligned_alloc(64, (bytes + 63) / 64 * 64);
	memset(loop->out, 0, bytes);
	memset(loop->in, 0, bytes);
#if MPI_VERSION >= 4
	MPI_Neighbor_alltoallv_init(loop->out, &loop->bytes, &loop->displ,
				    MPI_BYTE, loop->in, &loop->bytes,
				    &loop->displ, MPI_BYTE, loop->graph,
				    MPI_INFO_NULL, &loop->request);
#endif
}

static void take_down(struct loop *loop)
{
#if MPI_VERSION >= 4
	MPI_Request_free(&loop->request);
#endif
	MPI_Comm_free(&loop->graph);
	free(loop->out);
	free(loop->in);
}

static double sample(struct loop *loop, one_fn *one, long n)
{
	double start, took, slowest;

	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (long i = 0; i < n; i++)
		one(loop);
	took = MPI_Wtime() - start;
	MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX,
		      MPI_COMM_WORLD);
	return slowest;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A sample lasts 10 ms or more. */
static void time_size(size_t bytes, one_fn *one)
{
	struct loop loop = { .displ = 0 };
	double us[SAMPLES];
	long n = 16;
	int rank;

	set_up(&loop, bytes);
	sample(&loop, one, n);		/* connections, first touches */
	while (sample(&loop, one, n) < 0.01)
		n *= 2;
	for (int i = 0; i < SAMPLES; i++)
		us[i] = sample(&loop, one, n) / (double)n * 1e6;
	qsort(us, SAMPLES, sizeof(us[0]), compare);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!rank)
		printf("%10zu %10ld %10.4f %10.4f %10.4f\n", bytes, n, us[0],
		       us[SAMPLES / 2], us[SAMPLES - 1]);
	take_down(&loop);
}

static one_fn *find(const char *name)
{
	if (!strcmp(name, "exchange"))
		return exchange;
	if (!strcmp(name, "allreduce"))
		return allreduce;
	return strcmp(name, "barrier") ? NULL : barrier;
}

int main(int argc, char **argv)
{
	one_fn *one = argc > 2 ? find(argv[1]) : NULL;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!one || size % 2) {
		if (!rank)
			fprintf(stderr, "usage, on an even number of ranks: "
				"mpi_loop exchange|allreduce|barrier "
				"BYTES...\n");
		MPI_Finalize();
		return 2;
	}
	if (!rank)
		printf("%10s %10s %10s %10s %10s\n", "bytes", "loops",
		       "min[usec]", "median", "max");
	for (int i = 2; i < argc; i++)
		time_size(strtoul(argv[i], NULL, 0), one);
	MPI_Finalize();
	return 0;
}
