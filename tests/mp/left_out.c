/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A backend that turns out to be useless only when its device is open: its
 * address does not fit into the boot blob.  The job goes without it.
 */
#include <string.h>
#include <weft.h>
#include "comm/world.h"
#include "job/job.h"
#include "tests/tap.h"
#include "transport/backends.h"

static struct wf_device device;
static int opened, closed, address_status;

static int odd_query(const struct wf_tp_env *env, char *why, size_t bytes)
{
	(void)env;
	(void)why;
	(void)bytes;
	return WEFT_OK;
}

static int odd_open(const struct wf_tp_env *env, struct wf_device **dev_p)
{
	(void)env;
	opened++;
	*dev_p = &device;
	return WEFT_OK;
}

static void odd_close(struct wf_device *dev)
{
	closed += dev == &device;
}

static int odd_address(struct wf_device *dev, void *to, size_t bytes,
		       size_t *n_p)
{
	(void)dev;
	(void)to;
	(void)bytes;
	(void)n_p;
	return address_status;
}

static int open_with(const struct wf_tp_ops *other, struct weft_job **job_p)
{
	static struct wf_tp_ops odd;
	const struct wf_tp_ops *const tps[] = { &odd, other, NULL };
	const struct wf_job_env env = { .size = sizeof(env), .tps = tps };

	odd = wf_shm_tp;
	odd.name = "odd";
	odd.query = odd_query;
	odd.open = odd_open;
	odd.close = odd_close;
	odd.address = odd_address;
	device.ops = &odd;
	opened = closed = 0;
	return wf_job_open_env(&env, job_p);
}

static void alone(void)
{
	struct weft_job *job = NULL;

	address_status = WEFT_ERR_UNSUPPORTED;
	TAP_EQUAL(open_with(&wf_shm_tp, &job), WEFT_OK);
	TAP_EQUAL(opened, 1);
	TAP_EQUAL(closed, 1);
	if (!job)
		return;
	TAP_EQUAL(job->ndevs, 1);
	TAP_CHECK(job->dev[0]->ops == &wf_shm_tp);
	TAP_CHECK(!wf_blob_find(&job->blob, "odd"));
	TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	TAP_EQUAL(closed, 1);
}

static void no_other(void)
{
	struct weft_job *job = NULL;

	address_status = WEFT_ERR_UNSUPPORTED;
	TAP_EQUAL(open_with(NULL, &job), WEFT_ERR_DEVICE);
	TAP_EQUAL(opened, 1);
	TAP_EQUAL(closed, 1);
}

/* An error is one. */
static void broken(void)
{
	struct weft_job *job = NULL;

	address_status = WEFT_ERR_DEVICE;
	TAP_EQUAL(open_with(&wf_shm_tp, &job), WEFT_ERR_DEVICE);
	TAP_EQUAL(opened, 1);
	TAP_EQUAL(closed, 1);
	TAP_CHECK(!job);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "it alone is left out", alone },
		{ "there is no other", no_other },
		{ "a device that fails", broken },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
