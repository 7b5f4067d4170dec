/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that says with which attributes the library has joined its queue pair
 * to that of the other rank of the job.  The library's calls come by here,
 * because the program's functions go before those of libibverbs.
 */
#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <stdio.h>

#include <weft.h>

static struct ibv_qp_attr path, life;	/* to be ready to receive, to send */

__attribute__((visibility("default")))
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	int (*real)(struct ibv_qp *, struct ibv_qp_attr *, int) = NULL;
	void *symbol = dlsym(RTLD_NEXT, "ibv_modify_qp");

	/* ISO C knows no conversion of one to the other. */
	*(void **)&real = symbol;
	if (mask & IBV_QP_AV)
		path = *attr;
	if (mask & IBV_QP_RNR_RETRY)
		life = *attr;
	return real(qp, attr, mask);
}

static int meet(struct weft_job *job)
{
	int64_t one = 1, sum = 0;
	int status = weft_allreduce(weft_job_world(job), &one,
				    weft_part(&sum, 1, &weft_type_int64),
				    &weft_op_sum);

	if (status || sum != 2)
		return 1;
	printf("GID %d, traffic class %d, service level %d, timeout %d, "
	       "retries %d, RNR retries %d\n", path.ah_attr.grh.sgid_index,
	       path.ah_attr.grh.traffic_class, path.ah_attr.sl, life.timeout,
	       life.retry_cnt, life.rnr_retry);
	return 0;
}

int main(void)
{
	struct weft_job *job;
	int failed;

	if (weft_job_open(NULL, &job))
		return 1;
	failed = meet(job);
	return weft_job_close(job) || failed;
}
