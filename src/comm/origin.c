/* SPDX-License-Identifier: BSD-3-Clause */
/* Who made the communicators that live: for people who look for leaks. */
#include <dlfcn.h>
#include <string.h>
#include "base/text.h"
#include "comm/comm.h"

enum {
	LEAKS_SHOWN = 10
};

/* "weft-cg(+0x12f4)", as addr2line -e takes it. */
static void tell_where(const void *where, char *text, size_t bytes)
{
	const char *file, *slash;
	Dl_info info;

	if (!dladdr(where, &info) || !info.dli_fname) {
		wf_text_add(text, bytes, "%p", where);
		return;
	}
	slash = strrchr(info.dli_fname, '/');
	file = slash ? slash + 1 : info.dli_fname;
	wf_text_add(text, bytes, "%s(+0x%zx)", file,
		    (size_t)((const char *)where -
			     (const char *)info.dli_fbase));
}

static void tell_origin(const struct weft_comm *comm, char *text, size_t bytes)
{
	wf_comm_tell(comm, text, bytes);
	wf_text_add(text, bytes, ", %d rank%s, by ", comm->size,
		    comm->size == 1 ? "" : "s");
	if (!comm->origin.call) {
		wf_text_add(text, bytes, "the job");
		return;
	}
	wf_text_add(text, bytes, "%s at ", comm->origin.call);
	tell_where(comm->origin.where, text, bytes);
}

static bool is_leak(const struct weft_comm *comm)
{
	return !comm->freed && !comm->owned_by_job;
}

void wf_comm_warn_of_leaks(struct weft_job *job)
{
	const struct wf_contexts *ctx = wf_contexts(job);
	size_t cursor = 0;
	int n = 0;
	void *comm;

	while (job->config.check >= 2 &&
	       wf_map_next(&ctx->comms, &cursor, NULL, &comm)) {
		char text[WF_ERROR_TEXT] = "";

		if (!is_leak(comm) || n++ >= LEAKS_SHOWN)
			continue;
		tell_origin(comm, text, sizeof(text));
		wf_warn(&job->log, "not freed: %s", text);
	}
	if (n > LEAKS_SHOWN)
		wf_warn(&job->log, "not freed: %d more communicators",
			n - LEAKS_SHOWN);
}

int weft_context_list(struct weft_job *job,
		      void (*tell)(void *arg, const char *text), void *arg)
{
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG;
	size_t cursor = 0;
	void *comm;

	if (status)
		return status;
	if (!tell)
		status = wf_job_fail(job, WEFT_ERR_ARG,
				     "weft_context_list: tell is NULL");
	while (!status && wf_map_next(&wf_contexts(job)->comms, &cursor, NULL,
				      &comm)) {
		char text[WF_ERROR_TEXT] = "";

		tell_origin(comm, text, sizeof(text));
		tell(arg, text);
	}
	wf_job_leave(job);
	return status;
}
