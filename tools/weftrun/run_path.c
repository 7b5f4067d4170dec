/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks for the program before anything is started, so that a wrong name is
 * one sentence and not one per rank. The rules are those of execvp().
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/weftrun/weftrun.h"

/* What was looked for, in one place after the other, and not found. */
struct search {
	int error;
	char interpreter[256]; /* of a program that was found; "" */
};

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

/* It, and what it is run by, which may be a script, too. */
static bool is_found(struct search *search, const char *file)
{
	char name[256];
	int level;
	int error = check_file(file);

	snprintf(name, sizeof(name), "%s", file);
	for (level = 0; error == 0 && level < 4; level++) {
		char next[256];

		run_interpreter(level == 0 ? file : name, next, sizeof(next));
		if (next[0] == '\0')
			return true;
		error = check_file(next);
		memcpy(name, next, sizeof(name));
	}
	if (error == 0)
		return true;
	if (level > 0)
		memcpy(search->interpreter, name, sizeof(name));
	if (level > 0 || error == EACCES)
		search->error = error;
	return false;
}

static bool is_in_path(struct search *search, const char *path,
		       const char *program)
{
	char file[4096];

	for (;; path++) {
		size_t n = strcspn(path, ":");

		/* An empty element is the working directory. */
		snprintf(file, sizeof(file), "%.*s%s%s", (int)n, path,
			 n > 0 ? "/" : "", program);
		if (is_found(search, file))
			return true;
		path += n;
		if (*path == '\0')
			return false;
	}
}

static void say_why(const struct search *search, const char *program)
{
	const char *name = search->interpreter;
	size_t n = strlen(name);

	if (n == 0)
		run_say("cannot start %s: %s", program,
			strerror(search->error));
	else if (name[n - 1] == '\r')
		run_say("cannot start %s: its first line ends with a carriage "
			"return, as on Windows, so that %.*s is not found",
			program, (int)n - 1, name);
	else
		run_say("cannot start %s: it is run by %s: %s", program, name,
			strerror(search->error));
}

int run_path_check(const char *program)
{
	struct search search = { .error = ENOENT };
	const char *path = getenv("PATH");
	bool found = false;

	if (strchr(program, '/') != NULL) {
		search.error = check_file(program);
		found = is_found(&search, program);
	} else if (program[0] != '\0') {
		found = is_in_path(&search, path != NULL ? path :
				   "/bin:/usr/bin", program);
	}
	if (found)
		return 0;
	say_why(&search, program);
	if (search.error == ENOENT || search.error == ENOTDIR)
		return RUN_EXIT_NOTFOUND;
	return RUN_EXIT_NOEXEC;
}
