/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much memory a rank has when it has connected to all others: a rank that
 * prints the largest resident set of the job, in KiB.
 */
#include <stdint.h>
#include <stdio.h>
#include <weft.h>

static long resident_kib(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];
	long kib = -1;

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmRSS: %ld", &kib) == 1)
			break;
	if (status)
		fclose(status);
	return kib;
}

int main(void)
{
	struct weft_job *job;
	int64_t kib, largest = 0;
	int status = weft_job_open(NULL, &job);

	if (status)
		return 1;
	for (int i = 0; !status && i < 100; i++) {
		kib = resident_kib();
		status = weft_allreduce(weft_job_world(job), &kib,
					weft_part(&largest, 1,
						  &weft_type_int64),
					&weft_op_max);
	}
	if (!status && weft_job_rank(job) == 0)
		printf("resident %lld KiB\n", (long long)largest);
	return weft_job_close(job) || status;
}
