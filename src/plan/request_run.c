/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests whose work is a run: what is asked of them is the run's business. */
#include "plan/request.h"

static const struct wf_run *run_of(const struct weft_request *req)
{
	return &wf_container(req, const struct wf_run_request, base)->run;
}

void wf_run_request_start(struct weft_request *req)
{
	wf_run_start(&wf_run_request(req)->run, WEFT_OK);
}

bool *wf_run_request_inactive(struct weft_request *req)
{
	return &wf_run_request(req)->inactive;
}

void wf_run_request_wait(struct weft_request *req)
{
	wf_run_wait(&wf_run_request(req)->run);
}

int wf_run_request_status(const struct weft_request *req)
{
	const struct wf_run *run = run_of(req);

	return wf_run_is_idle(run) ? run->status : WEFT_INPROGRESS;
}

const char *wf_run_request_error(const struct weft_request *req)
{
	return run_of(req)->error;
}
