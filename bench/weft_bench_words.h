/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the command lines of programs have in common: numbers, lists of them,
 * the sentence about a word that is not known, files that are written, and the
 * sentence about results that nobody gets.
 */
#ifndef WEFT_BENCH_WORDS_H
#define WEFT_BENCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct option;

/* A decimal number and nothing else. */
bool option_count(const char *text, long least, long most, long *count_p);

/*
 * Up to `room` numbers with commas between them, each up to most, with k, m or
 * g behind it for powers of 1024. False: *n_p is as it was, the list is not.
 */
bool option_sizes(const char *text, size_t most, int room, size_t *list,
		  int *n_p);

/* The long name of one that getopt_long() found. */
const char *option_name(const struct option *longs, int option);

/* "PROGRAM: unknown command bcast; PROGRAM --help lists what there is" */
void option_wrong(const char *program, const char *what, const char *word);

/* Ends standard output: the exit code, not 0 if something was not written. */
int option_end(const char *program, int code);

/*
 * Writes a file that an option names. False: it could not, which was said, as
 * "weft-sim: --svg FILE: No space left on device" of option "weft-sim: --svg".
 */
bool option_file(const char *option, const char *path,
		 void (*put)(FILE *to, const void *arg), const void *arg);

#endif
