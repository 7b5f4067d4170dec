/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of executed lines are written at exit(); this writes them also where
 * a process ends by _exit(), or becomes another program by execvpe().  Included
 * before every source file of a build with --enable-coverage, and in no other.
 */
#ifndef WEFT_TOOLS_COVERAGE_ENDS_H
#define WEFT_TOOLS_COVERAGE_ENDS_H

#include <gcov.h>
#include <unistd.h>

__attribute__((noreturn, unused))
static void wf_coverage_exit(int code)
{
	__gcov_dump();
	_exit(code);
}

__attribute__((unused))
static int wf_coverage_exec(const char *file, char *const argv[],
			    char *const env[])
{
	__gcov_dump();
	__gcov_reset();
	return execvpe(file, argv, env);
}

#define _exit wf_coverage_exit
#define execvpe wf_coverage_exec

#endif
