/* SPDX-License-Identifier: BSD-3-Clause */
/* All attributes of a communicator, for who makes and frees it: job/attr.h. */
#ifndef WEFT_COMM_COMM_ATTR_H
#define WEFT_COMM_COMM_ATTR_H

#include "comm/comm.h"

int wf_comm_copy_attrs(struct weft_comm *from, struct weft_comm *to,
		       const char *call);
int wf_comm_delete_attrs(struct weft_comm *comm, const char *call);
void wf_comm_undo_attrs(struct weft_comm *comm);
void wf_comm_drop_attrs(struct weft_comm *comm);

#endif
