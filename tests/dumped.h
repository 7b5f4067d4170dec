/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests: how much of the address space from base on a core dump of this
 * process would walk through, by what the kernel says of its mappings.
 */
#ifndef WEFT_TESTS_DUMPED_H
#define WEFT_TESTS_DUMPED_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

__attribute__((unused))
static uint64_t dumped_bytes(const void *base, uint64_t bytes)
{
	uint64_t first = (uint64_t)(uintptr_t)base, sum = 0;
	unsigned long long from, to, at = 0, end = 0;
	FILE *file = fopen("/proc/self/smaps", "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx-%llx ", &from, &to) == 2) {
			at = from;
			end = to;
		} else if (!strncmp(line, "VmFlags:", 8) &&
			   !strstr(line, " dd") && at >= first &&
			   end <= first + bytes) {
			sum += end - at;
		}
	}
	if (file)
		fclose(file);
	return sum;
}

#endif
