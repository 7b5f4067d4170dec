/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a fuzz target over its kept corpus, every file of it and every
 * beginning of every file: one TAP line per file.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES 65536
#define MOST_PREFIXES 512

static void replay(const char *path)
{
	static uint8_t data[MOST_BYTES];
	FILE *file = fopen(path, "rb");
	size_t size = file ? fread(data, 1, sizeof(data), file) : 0;
	size_t step = size / MOST_PREFIXES + 1;

	if (!file) {
		perror(path);
		exit(1);
	}
	fclose(file);
	for (size_t n = 0; n < size; n += step) {
		/* in a block of its own, so that a read behind it is seen */
		uint8_t *copy = malloc(n ? n : 1);

		memcpy(copy, data, n);
		LLVMFuzzerTestOneInput(copy, n);
		free(copy);
	}
	LLVMFuzzerTestOneInput(data, size);
}

/* ".../tests/fuzz/fuzz_config.t" -> "fuzz_config" */
static const char *target(char *program)
{
	char *name = strrchr(program, '/');
	char *end;

	name = name ? name + 1 : program;
	end = strrchr(name, '.');
	if (end)
		*end = '\0';
	return name;
}

int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir");
	char path[4096];
	struct dirent **files;
	int number = 0;
	int n;

	(void)argc;
	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", top ? top : ".",
		 target(argv[0]));
	n = scandir(path, &files, NULL, alphasort);
	if (n < 0 || chdir(path) != 0) {
		perror(path);
		return 1;
	}
	for (int i = 0; i < n; i++) {
		if (files[i]->d_name[0] != '.') {
			replay(files[i]->d_name);
			printf("ok %d - %s\n", ++number, files[i]->d_name);
		}
		free(files[i]);
	}
	free(files);
	printf("1..%d\n", number);
	return number ? 0 : 1;
}
