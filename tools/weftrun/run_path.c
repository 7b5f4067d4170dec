/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks for the program before anything is started, so that a wrong name is
 * one sentence and not one per rank. The rules are those of execvp().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/weftrun/weftrun.h"

/* 0, or the errno that an exec of this file would fail with. */
static int check_file(const char *file)
{
	struct stat facts;

	if (stat(file, &facts) != 0)
		return errno;
	if (!S_ISREG(facts.st_mode))
		return EACCES;
	return access(file, X_OK) == 0 ? 0 : errno;
}

static int check_path(const char *path, const char *program)
{
	char file[4096];
	int error = ENOENT;

	for (;; path++) {
		size_t n = strcspn(path, ":");
		int found;

		/* An empty element is the working directory. */
		snprintf(file, sizeof(file), "%.*s%s%s", (int)n, path,
			 n > 0 ? "/" : "", program);
		found = check_file(file);
		if (found == 0)
			return 0;
		if (found == EACCES)
			error = EACCES;
		path += n;
		if (*path == '\0')
			return error;
	}
}

int run_path_check(const char *program)
{
	const char *path = getenv("PATH");
	int error;

	if (program[0] == '\0')
		error = ENOENT;
	else if (strchr(program, '/') != NULL)
		error = check_file(program);
	else
		error = check_path(path != NULL ? path : "/bin:/usr/bin",
				   program);
	if (error == 0)
		return 0;
	run_say("cannot start %s: %s", program, strerror(error));
	if (error == ENOENT || error == ENOTDIR)
		return RUN_EXIT_NOTFOUND;
	return RUN_EXIT_NOEXEC;
}
