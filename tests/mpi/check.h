/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of MPI programs: TAP by rank 0 of what all ranks have checked.  They
 * use mpi.h alone, so that other implementations can run them as they are.
 *
 *	static void ring(void)
 *	{
 *		CHECK(left_of(rank) >= 0);
 *	}
 *
 *	int main(int argc, char **argv)
 *	{
 *		static const struct check_case cases[] = { { "ring", ring } };
 *
 *		return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
 *	}
 */
#ifndef WEFT_TESTS_MPI_CHECK_H
#define WEFT_TESTS_MPI_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_case {
	const char *name;
	void (*run)(void);
};

static int check_failures;		/* of the running case, at this rank */
static int rank, size;			/* of MPI_COMM_WORLD */

#define CHECK_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* True if the expression holds; else the case fails, but goes on. */
#define CHECK(expr) check_that((expr), #expr, __FILE__, __LINE__)

static inline int check_that(int holds, const char *expr, const char *file,
			     int line)
{
	if (!holds && check_failures++ < 10)
		fprintf(stderr, "# rank %d of %d: %s:%d: %s\n", rank, size,
			file, line, expr);
	return holds;
}

/* CHECK_LEFT_OUT: names of cases, each between two semicolons. */
static inline int check_is_left_out(const char *name)
{
	const char *all = getenv("CHECK_LEFT_OUT");
	char quoted[100];

	snprintf(quoted, sizeof(quoted), ";%s;", name);
	return all && strstr(all, quoted);
}

static inline int check_run(int *argc, char ***argv,
			    const struct check_case *cases, int n)
{
	int failures = 0, ready = 0;

	MPI_Initialized(&ready);
	if (!ready)
		MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!rank)
		printf("1..%d\n", n);
	for (int i = 0; i < n; i++) {
		int all = 0, is_left_out;

		check_failures = 0;
		is_left_out = check_is_left_out(cases[i].name);
		if (!is_left_out)
			cases[i].run();
		MPI_Allreduce(&check_failures, &all, 1, MPI_INT, MPI_SUM,
			      MPI_COMM_WORLD);
		if (!rank)
			printf("%s %d - %s%s\n", all ? "not ok" : "ok", i + 1,
			       cases[i].name,
			       is_left_out ? " # SKIP left out" : "");
		failures += all;
	}
	fflush(stdout);
	MPI_Finalize();
	return failures ? 1 : 0;
}

#endif
