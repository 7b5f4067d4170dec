/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator with the ranks of another one, and a context of its own. */
#include "derive/child.h"

int weft_comm_dup(struct weft_comm *comm, struct weft_comm **dup_p)
{
	struct wf_child child;
	int status = wf_child_begin(&child, comm, "weft_comm_dup", "dup_p");

	if (status)
		return status;
	status = wf_child_make(&child, wf_group_hold(comm->group));
	if (!status && comm->topo && comm->topo->copy &&
	    comm->topo->copy(comm->topo, child.made))
		status = wf_child_starves(&child);
	if (!status && dup_p)
		status = wf_attrs_copy(comm, child.made, child.call);
	return wf_child_end(&child, status, dup_p);
}
