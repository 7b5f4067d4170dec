/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The real matrices for tests of weft-cg: found in $WEFT_TEST_DATA, else in
 * shared/data beside the source tree.
 */
#ifndef WEFT_TESTS_CG_DATA_H
#define WEFT_TESTS_CG_DATA_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* False if the file is not there; the path is cut to size. */
__attribute__((unused))
static bool cg_data_path(const char *name, char *path, size_t size)
{
	const char *folder = getenv("WEFT_TEST_DATA");
	char here[4096];
	char *slash;
	ssize_t n;

	if (folder) {
		snprintf(path, size, "%s/%s", folder, name);
		return access(path, R_OK) == 0;
	}
	n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	here[n > 0 ? n : 0] = '\0';
	while ((slash = strrchr(here, '/'))) {
		*slash = '\0';
		snprintf(path, size, "%s/shared/data/%s", here, name);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

#endif
