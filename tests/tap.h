/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TAP for test programs.
 *
 * A program lists its cases and hands them to tap_run(); each case is one line
 * of TAP and fails if any of its checks fails:
 *
 *	static void grows(void)
 *	{
 *		TAP_CHECK(wf_map_count(&map) == 3);
 *	}
 *
 *	int main(int argc, char **argv)
 *	{
 *		static const struct tap_case cases[] = { { "grows", grows } };
 *
 *		return tap_run(argc, argv, cases, TAP_COUNT(cases));
 *	}
 *
 * `ring.t 3` runs the third case, as does its name, `ring.t -l` lists them. In
 * a job of several ranks each calls tap_rank() first: rank 0 prints TAP, the
 * others only what fails, and every rank exits with 1 if it saw a failure.
 * Checks may be made from several threads, and in each source file of a
 * program.
 */
#ifndef WEFT_TESTS_TAP_H
#define WEFT_TESTS_TAP_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tap_case {
	const char *name;
	void (*run)(void);
};

struct tap_state {
	_Atomic int failures;           /* of the running case */
	bool skipped;
	char reason[200];
	int rank;
};

/* Weak: all source files of a program share one. */
__attribute__((weak)) struct tap_state tap;

#define TAP_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* True if the expression holds; else the case fails, but goes on. */
#define TAP_CHECK(expr) tap_check((expr), #expr, __FILE__, __LINE__)

/* The same for integers, and prints both. */
#define TAP_EQUAL(have, want) \
	tap_equal((long long)(have), (long long)(want), #have, __FILE__, \
		  __LINE__)

/* Output for whoever looks into a failure; each call is one line. */
__attribute__((unused, format(printf, 1, 2)))
static void tap_diag(const char *format, ...)
{
	char line[1000];
	int used = 0;
	va_list args;

	if (tap.rank > 0)
		used = snprintf(line, sizeof(line), "rank %d: ", tap.rank);
	va_start(args, format);
	vsnprintf(line + used, sizeof(line) - (size_t)used, format, args);
	va_end(args);
	fprintf(tap.rank > 0 ? stderr : stdout, "# %s\n", line);
	fflush(stdout);
}

__attribute__((unused))
static bool tap_check(bool holds, const char *expr, const char *file, int line)
{
	if (holds)
		return true;
	/* a loop of a million checks shall not print a million lines */
	if (atomic_fetch_add(&tap.failures, 1) < 20)
		tap_diag("%s:%d: does not hold: %s", file, line, expr);
	return false;
}

__attribute__((unused))
static bool tap_equal(long long have, long long want, const char *expr,
		      const char *file, int line)
{
	bool holds = tap_check(have == want, expr, file, line);

	if (!holds && tap.failures <= 20)
		tap_diag("    is %lld, expected %lld", have, want);
	return holds;
}

/* Marks the running case as one that this machine cannot run. */
__attribute__((unused, format(printf, 1, 2)))
static void tap_skip(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(tap.reason, sizeof(tap.reason), format, args);
	va_end(args);
	tap.skipped = true;
}

/* Called once by each rank of a job, before tap_run(). */
__attribute__((unused))
static void tap_rank(int rank)
{
	tap.rank = rank;
}

/*
 * What a variable like SEEDS says, else the figure of a usual run; most:N is a
 * fifth of that, and N at most, for runs in which everything takes long.
 */
__attribute__((unused))
static long tap_figure(const char *name, long usual)
{
	const char *text = getenv(name);
	bool most = text && !strncmp(text, "most:", 5);
	char *end;
	long value;

	if (!text || !*text)
		return usual;
	value = strtol(text + (most ? 5 : 0), &end, 10);
	if (*end || value < 1) {
		tap_diag("%s is \"%s\": expected a number, or most: and a "
			 "number", name, text);
		exit(1);
	}
	if (most && value > (usual + 4) / 5)
		value = (usual + 4) / 5;
	return value;
}

static bool tap_run_case(const struct tap_case *one, int number)
{
	const char *result = "ok";

	tap.failures = 0;
	tap.skipped = false;
	one->run();
	if (tap.failures)
		result = "not ok";
	if (tap.rank == 0 && tap.skipped && !tap.failures)
		printf("ok %d - %s # SKIP %s\n", number, one->name,
		       tap.reason);
	else if (tap.rank == 0)
		printf("%s %d - %s\n", result, number, one->name);
	fflush(stdout);
	return tap.failures == 0;
}

static int tap_usage(const char *program, int n)
{
	fprintf(stderr, "usage: %s [-l | CASE], CASE from 1 to %d or a name\n",
		program, n);
	return 2;
}

static int tap_list(const struct tap_case *cases, int n)
{
	for (int i = 0; i < n; i++)
		printf("%d %s\n", i + 1, cases[i].name);
	return 0;
}

/* The number of a case that is given by number or name; 0: there is none. */
static int tap_find(const struct tap_case *cases, int n, const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);

	if (end != text && !*end)
		return number >= 1 && number <= n ? (int)number : 0;
	for (int i = 0; i < n; i++) {
		if (strcmp(cases[i].name, text) == 0)
			return i + 1;
	}
	return 0;
}

/* Runs all cases or the one on the command line; the exit code of main(). */
__attribute__((unused))
static int tap_run(int argc, char **argv, const struct tap_case *cases, int n)
{
	int only = argc == 2 ? tap_find(cases, n, argv[1]) : 0;
	int failed = 0;

	if (argc == 2 && strcmp(argv[1], "-l") == 0)
		return tap_list(cases, n);
	if (argc > 2 || (argc == 2 && !only))
		return tap_usage(argv[0], n);
	if (tap.rank == 0)
		printf("1..%d\n", only ? 1 : n);
	for (int i = 0; i < n; i++) {
		if (!only || only == i + 1)
			failed += !tap_run_case(&cases[i], only ? 1 : i + 1);
	}
	return failed ? 1 : 0;
}

#endif
