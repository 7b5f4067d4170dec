/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffer that a program has attached to its job, for messages that leave
 * later.  Each lies in a place of its own, behind what is noted of it; places
 * are in the order of their addresses, and the first gap that fits is taken.
 */
#ifndef WEFT_P2P_P2P_BUFFER_H
#define WEFT_P2P_P2P_BUFFER_H

#include "p2p/p2p.h"

/* In the program's memory, in front of the content. */
struct wf_p2p_place {
	struct wf_list link;
	char *end;
	char content[];
};

struct wf_p2p_buffer {
	char *base;			/* as it was attached */
	size_t bytes;
	struct wf_list places;
	bool detaching;
};

/* For so much content; NULL: there is no such gap. */
struct wf_p2p_place *wf_buffer_get(struct wf_p2p_buffer *buffer,
				   uint64_t bytes);
void wf_buffer_put(struct wf_p2p_place *place);

/* Of a persistent one: it is complete at once, its message leaves later. */
void wf_p2p_start_buffered(struct wf_p2p_request *req);

#endif
