/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that call at once, with MPI_THREAD_MULTIPLE: collectives on a
 * communicator of each thread, messages on one of all, duplicates.
 */
#include <pthread.h>
#include "tests/mpi/check.h"

enum { THREADS = 4, ROUNDS = 20 };

static MPI_Comm own[THREADS];		/* of a thread of each rank */
static int wrong[THREADS];		/* what a thread has seen */

static void check_thread(int t, int holds)
{
	wrong[t] += !holds;
}

static void run(void *body(void *))
{
	pthread_t thread[THREADS];
	int number[THREADS];

	for (int t = 0; t < THREADS; t++) {
		number[t] = t;
		wrong[t] = 0;
		CHECK(!pthread_create(&thread[t], NULL, body, &number[t]));
	}
	for (int t = 0; t < THREADS; t++)
		CHECK(!pthread_join(thread[t], NULL) && !wrong[t]);
}

static void run_own(void *body(void *))
{
	for (int t = 0; t < THREADS; t++)
		MPI_Comm_dup(MPI_COMM_WORLD, &own[t]);
	run(body);
	for (int t = 0; t < THREADS; t++)
		MPI_Comm_free(&own[t]);
}

static void *reduce(void *arg)
{
	int t = *(int *)arg;

	for (int i = 0; i < ROUNDS; i++) {
		int x = rank + t, sum = -1, root = i % size, y = -1;
		MPI_Request request;

		MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, own[t]);
		check_thread(t, sum == size * (size - 1) / 2 + size * t);
		if (rank == root)
			y = i + t;
		MPI_Ibcast(&y, 1, MPI_INT, root, own[t], &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		check_thread(t, y == i + t);
		MPI_Barrier(own[t]);
	}
	return NULL;
}

static void collectives(void)
{
	run_own(reduce);
}

/* A thread's messages have its tag; lengths are short and long in turn. */
static void *talk(void *arg)
{
	enum { LONG = 20000 };
	int t = *(int *)arg;
	int *out = malloc(2 * LONG * sizeof(*out)), *in = out + LONG;

	for (int i = 0; out && i < ROUNDS; i++) {
		int n = i % 4 ? 1 : LONG, to = (rank + 1) % size;
		MPI_Status status;

		out[0] = 100 * rank + t;
		out[n - 1] = out[0];
		MPI_Sendrecv(out, n, MPI_INT, to, t, in, n, MPI_INT,
			     MPI_ANY_SOURCE, t, MPI_COMM_WORLD, &status);
		check_thread(t, in[n - 1] == 100 * status.MPI_SOURCE + t &&
			     status.MPI_TAG == t);
	}
	free(out);
	return NULL;
}

static void messages(void)
{
	run(talk);
}

static void *duplicate(void *arg)
{
	int t = *(int *)arg;

	for (int i = 0; i < ROUNDS; i++) {
		int one = 1, sum = -1;
		MPI_Request request;
		MPI_Comm dup, second;

		MPI_Comm_dup(own[t], &dup);
		MPI_Comm_idup(dup, &second, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		if (i % 5 == 0) {
			MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, second);
			check_thread(t, sum == size);
		}
		MPI_Comm_free(&second);
		MPI_Comm_free(&dup);
	}
	return NULL;
}

static void duplicates(void)
{
	run_own(duplicate);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "collectives", collectives },
		{ "messages", messages },
		{ "duplicates", duplicates }
	};
	int provided = -1;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided != MPI_THREAD_MULTIPLE)
		return 1;
	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
