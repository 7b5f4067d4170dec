/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Routing: parcels of each rank, for any ranks of a communicator, which know
 * nothing of them so far, arrive in as many steps as an allreduce has stages,
 * along its connections.  No memory and no message grows with the number of
 * ranks, only with the parcels that pass.
 *
 * Those of a communicator go one after the other, in the order of the calls,
 * which is the same at all ranks; each is driven by progress.
 */
#ifndef WEFT_COLL_ROUTE_H
#define WEFT_COLL_ROUTE_H

#include "coll/parcels.h"
#include "coll/schedule.h"

extern const struct wf_schedule_kind wf_route_kind;

/* One of them; the memory is the caller's, zeros where nothing is said. */
struct wf_route {
	struct wf_list link;		/* in the queue */
	struct wf_list made;		/* until its owner takes it out, */
	void (*destroy)(struct wf_route *route);	/* or the communicator
							   goes */
	const char *call;
	/*
	 * What this rank gives, in one row or two, and at the end what is for
	 * it, in no order; dropped after an error.
	 */
	struct wf_parcels held[2];
	int status;			/* an error from the start on: it takes
					   part, and others hear of that */
	int culprit;			/* whose error it is */
	char error[WF_ERROR_TEXT];
	/* By progress, out of the queue; it may free this. */
	void (*done)(struct wf_route *route);
};

/*
 * For wf_route_start(), with channels; an error was told, as that of the call,
 * which does not take part then but where there is memory again.
 */
int wf_route_prepare(struct weft_comm *comm, const char *call);

/* Behind all that were started before. */
void wf_route_start(struct weft_comm *comm, struct wf_route *route);

/*
 * This rank takes part with nothing but its status, by memory that was kept
 * for that; where that is in use, and others were started since, it waits.
 */
void wf_route_refuse(struct weft_comm *comm, const char *call, int status);

/* Until all that were started are over; which is first of them, for people. */
void wf_route_wait(struct weft_comm *comm);
void wf_route_tell(const struct weft_comm *comm, char *text, size_t bytes);

#endif
