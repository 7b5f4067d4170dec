/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests made of other ones, their parts, for calls that are composed and
 * whose caller has one request: it is complete when all parts are and a
 * function has done what is left to do, and fails as the first part that did.
 *
 * The parts are driven by their rooms, and say whom they wait for; the request
 * is a poller that looks whether they are complete.  So it waits as any other
 * one, by itself or among many.  Nobody else knows the parts.
 */
#ifndef WEFT_PLAN_COMPOSITE_H
#define WEFT_PLAN_COMPOSITE_H

#include "comm/contexts.h"
#include "plan/request.h"

struct wf_composite;

/* What a room's requests do; NULL where that is nothing.  Job entered. */
struct wf_composite_kind {
	/* A persistent one starts, before its parts do. */
	void (*begin)(struct wf_composite *c);
	/*
	 * The parts are complete, status and all: may fail it.  Called by
	 * progress: calls nothing public, and waits for nothing.
	 */
	void (*finish)(struct wf_composite *c);
	/* What it was for, where that is a message. */
	void (*message)(const struct wf_composite *c,
			struct weft_message_status *got_p);
	/*
	 * Frees what it is a member of, and is not NULL.  Parts have gone,
	 * where the job closes the communicator as well.
	 */
	void (*destroy)(struct wf_composite *c);
};

/* A member of what its room makes, zeroed; which sets the first four. */
struct wf_composite {
	const struct wf_composite_kind *kind;
	const char *call;		/* how stalls and reports name it */
	struct weft_request **part;	/* which it owns, the array it does */
	int n;				/* not */
	struct weft_request base;
	struct wf_poller poller;	/* while it is active */
	struct wf_leftover leftover;
	int complete;			/* parts, the first ones */
	int failed;			/* the first part that did; -1: none */
	int status;
	bool active;
	bool given_up;			/* by the program, while active */
	bool inactive;			/* of a persistent one */
	char *error;			/* of its own; NULL: no memory for it */
};

/* Its parts are under way, or complete.  Holds the communicator. */
void wf_composite_begin(struct wf_composite *c, struct weft_comm *comm);

/* The same, persistent, of persistent parts that are inactive. */
void wf_composite_persist(struct wf_composite *c, struct weft_comm *comm);

/* By its function at the end; the first error counts. */
void wf_composite_fail(struct wf_composite *c, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
