/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as a user writes one: built against the installed library with
 * what pkg-config says, run by the installed launcher. Every rank adds its
 * rank; the sum tells that they met. With an argument it leaks, too.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

static void leak(void)
{
	volatile char *bytes = malloc(77);

	bytes[0] = 1;
}

int main(int argc, char **argv)
{
	struct weft_job *job;
	int64_t sum = 0;
	int64_t mine;
	int status = weft_job_open(NULL, &job);

	(void)argv;
	if (argc > 1)
		leak();
	if (status) {
		fprintf(stderr, "hello: %s\n", weft_status_text(status));
		return 1;
	}
	mine = weft_job_rank(job);
	status = weft_allreduce(weft_job_world(job), &mine,
				weft_part(&sum, 1, &weft_type_int64),
				&weft_op_sum);
	if (!status && mine == 0)
		printf("%d ranks, sum %lld\n", weft_job_size(job),
		       (long long)sum);
	return weft_job_close(job) || status;
}
