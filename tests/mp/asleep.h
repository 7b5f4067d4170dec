/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether another process sleeps: one that is in a call of the library then
 * waits there, and has done all that it does before.
 */
#ifndef WEFT_TESTS_MP_ASLEEP_H
#define WEFT_TESTS_MP_ASLEEP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static inline bool is_asleep(int pid)
{
	char path[32], line[256] = "", state = 0, *end;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat = fopen(path, "re");
	if (!stat)
		return false;
	end = fgets(line, sizeof(line), stat) ? strrchr(line, ')') : NULL;
	if (end)
		sscanf(end, ") %c", &state);
	fclose(stat);
	return state == 'S';
}

#endif
