/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the build tree is, for test programs that start others of it.
 */
#ifndef WEFT_TESTS_FIND_BUILT_H
#define WEFT_TESTS_FIND_BUILT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The absolute path of a file of the build tree, "tests/run" for example,
 * looked for upwards from the running program; NULL: not there. The caller
 * frees it.
 */
__attribute__((unused))
static char *find_built(const char *name)
{
	char here[4096];
	char path[4096 + 256];
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	char *slash;

	if (n < 0)
		return NULL;
	here[n] = '\0';
	while ((slash = strrchr(here, '/'))) {
		*slash = '\0';
		snprintf(path, sizeof(path), "%s/%s", here, name);
		if (access(path, X_OK) == 0)
			return strdup(path);
	}
	return NULL;
}

#endif
