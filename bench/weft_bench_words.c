/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of command lines, for programs that read them with getopt_long().
 */
#include "bench/weft_bench_words.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool option_count(const char *text, long least, long most, long *count_p)
{
	char *end;
	long count = strtol(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || count < least ||
	    count > most)
		return false;
	*count_p = count;
	return true;
}

static bool take_size(const char **text, size_t most, size_t *n_p)
{
	unsigned long long value;
	int shift = 0;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	value = strtoull(*text, &end, 10);
	if (*end == 'k' || *end == 'K')
		shift = 10;
	else if (*end == 'm' || *end == 'M')
		shift = 20;
	else if (*end == 'g' || *end == 'G')
		shift = 30;
	if (errno || value > most >> shift)
		return false;
	*n_p = (size_t)value << shift;
	*text = end + (shift != 0);
	return true;
}

bool option_sizes(const char *text, size_t most, int room, size_t *list,
		  int *n_p)
{
	int n = 0;

	do {
		if (n == room || !take_size(&text, most, &list[n++]))
			return false;
	} while (*text++ == ',');
	if (text[-1])
		return false;
	*n_p = n;
	return true;
}

const char *option_name(const struct option *longs, int option)
{
	while (longs->val != option)
		longs++;
	return longs->name;
}

void option_wrong(const char *program, const char *what, const char *word)
{
	fprintf(stderr, "%s: %s%s; %s --help lists what there is\n", program,
		what, word, program);
}

int option_end(const char *program, int code)
{
	bool lost = ferror(stdout);

	if (!fflush(stdout) && !lost)
		return code;
	fprintf(stderr, "%s: standard output: %s\n", program,
		lost ? "a write has failed" : strerror(errno));
	return code ? code : 1;
}

bool option_file(const char *option, const char *path,
		 void (*put)(FILE *to, const void *arg), const void *arg)
{
	FILE *to = fopen(path, "w");
	bool good;

	if (to)
		put(to, arg);
	good = to && !ferror(to);
	if ((!to || !fclose(to)) && good)
		return true;
	fprintf(stderr, "%s %s: %s\n", option, path,
		strerror(errno ? errno : EIO));
	return false;
}
