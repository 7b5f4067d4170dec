/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffer that a program has attached to its job, or to a communicator, for
 * messages that leave later.  Each lies in a place of its own, behind what is
 * noted of it; places are in the order of their addresses, and the first gap
 * that fits is taken.  An automatic one has no memory: each place is allocated.
 *
 * Places and those that wait for them to be left, flushes, are also in the
 * order in which they came: one that all in front of it have left is over.
 */
#ifndef WEFT_P2P_P2P_BUFFER_H
#define WEFT_P2P_P2P_BUFFER_H

#include "p2p/p2p.h"

/* In front of the content. */
struct wf_p2p_place {
	struct wf_list link;		/* by address */
	struct wf_list turn;		/* by age */
	struct wf_p2p_buffer *buffer;
	char *end;
	char content[];
};

struct wf_p2p_buffer {
	char *base;			/* as it was attached */
	size_t bytes;
	bool automatic;
	bool detaching;
	struct wf_list places;
	struct wf_list turns;		/* of places and flushes */
	struct wf_list flushes;		/* oldest first */
};

/* Waits until what was in the buffer has left it. */
struct wf_p2p_flush {
	struct wf_list turn;
	struct wf_list link;
	bool active;
	/* It is over, and may go; NULL: that says nothing. */
	void (*over)(struct wf_p2p_flush *flush);
};

void wf_buffer_init(struct wf_p2p_buffer *buffer, void *base, size_t bytes);

/* For so much content; NULL: there is no such gap, or no memory. */
struct wf_p2p_place *wf_buffer_get(struct wf_p2p_buffer *buffer,
				   uint64_t bytes);
void wf_buffer_put(struct wf_p2p_place *place);

/* From now on; one of an empty buffer is not active. */
void wf_buffer_flush(struct wf_p2p_buffer *buffer, struct wf_p2p_flush *flush);

/* How many messages are in it. */
int wf_buffer_count(const struct wf_p2p_buffer *buffer);

/*
 * That of a job, or of the communicator alone; NULL: none, or one that is being
 * detached.
 */
struct wf_p2p_buffer *wf_buffer_of_job(const struct weft_job *job);
struct wf_p2p_buffer *wf_buffer_of_comm(const struct weft_comm *comm);

/* Of a persistent one: it is complete at once, its message leaves later. */
void wf_p2p_start_buffered(struct wf_p2p_request *req);

#endif
