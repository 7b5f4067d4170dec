/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as a user writes one: built against the installed library with
 * what pkg-config says, run by the installed launcher. Every rank adds its
 * rank; the sum tells that they met.
 */
#include <stdint.h>
#include <stdio.h>
#include <weft.h>

int main(void)
{
	struct weft_job *job;
	int64_t sum = 0;
	int64_t mine;
	int status = weft_job_open(NULL, &job);

	if (status) {
		fprintf(stderr, "hello: %s\n", weft_status_text(status));
		return 1;
	}
	mine = weft_job_rank(job);
	status = weft_allreduce(weft_job_world(job), &mine, &sum, 1,
				&weft_type_int64, &weft_op_sum);
	if (!status && mine == 0)
		printf("%d ranks, sum %lld\n", weft_job_size(job),
		       (long long)sum);
	return weft_job_close(job) || status;
}
