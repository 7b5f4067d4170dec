/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of communicators: for people, in reports and errors. */
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "comm/comm.h"

static const char *name_of(const struct weft_comm *comm)
{
	if (comm->name)
		return comm->name;
	if (comm == comm->job->world)
		return "world";
	return comm == comm->job->self ? "self" : "";
}

void wf_comm_tell(const struct weft_comm *comm, char *text, size_t bytes)
{
	const char *name = name_of(comm);

	wf_text_add(text, bytes, "context %llu", (unsigned long long)comm->id);
	if (*name)
		wf_text_add(text, bytes, " \"%s\"", name);
}

const char *weft_comm_name(const struct weft_comm *comm)
{
	return comm ? name_of(comm) : "";
}

int weft_comm_set_name(struct weft_comm *comm, const char *name)
{
	int status = name ? wf_comm_ask(comm) :
		wf_comm_refuse(comm, "weft_comm_set_name", "name");
	char *copy;

	if (status)
		return status;
	copy = malloc(strlen(name) + 1);
	if (copy) {
		strcpy(copy, name);
		free(comm->name);
		comm->name = copy;
	} else {
		status = wf_job_fail(comm->job, WEFT_ERR_NOMEM,
				     "weft_comm_set_name: no memory");
	}
	return wf_comm_leave(comm, status);
}
