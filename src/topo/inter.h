/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intercommunicators: comm/across.h says what they are within the
 * library.  A collective call is an exchange along the edges that join the
 * groups, so each form of it is that of an exchange.  Messages: one for each
 * two ranks of different groups, also where it carries nothing.
 */
#ifndef WEFT_TOPO_INTER_H
#define WEFT_TOPO_INTER_H

#include <weft/inter.h>
#include "coll/across_call.h"
#include "topo/neighbor_side.h"

extern const struct wf_across_ops wf_inter_ops;

/* As wf_across_ops.make. */
int wf_inter_make(struct wf_child *child, struct weft_group *local,
		  struct weft_group *remote);

/*
 * All of weft_intercomm_create(), in the name of some call; failed: why a
 * leader cannot do its part, told, which all hear then, but the other leader.
 */
int wf_inter_create(struct weft_comm *comm, const struct wf_origin *origin,
		    const struct weft_bridge *bridge, int failed,
		    struct weft_comm **inter_p);

/* A collective call, with the communicator entered. */
struct wf_inter_call {
	struct weft_comm *comm;
	const char *name;
	const struct wf_across_call *given;
	enum wf_mark_form form;
	int refused;			/* why this rank cannot make it, told */
};

/* What each side of its exchange is given, and memory for that. */
struct wf_inter_sides {
	struct wf_sides sides;
	struct weft_part send, recv;
	struct weft_vec none, one;	/* nothing; something of a root */
	size_t *counts;			/* theirs; displacements are behind */
};

/* Those are refused with a status, which was told. */
void wf_inter_sides_refuse(struct wf_inter_sides *s, int status);
void wf_inter_sides_fini(struct wf_inter_sides *s);

/*
 * A side of a root: nothing, but so much along its edge, for a rank of the
 * remote group; WEFT_ERR_NOMEM, told.
 */
int wf_inter_sides_of_root(const struct wf_inter_call *c, int root,
			   const struct weft_part *part,
			   struct wf_inter_sides *s);

/* WEFT_ERR_RANGE, told: neither a rank of the remote group, nor a constant. */
int wf_inter_check_root(const struct wf_inter_call *c);

/* The exchange, which has a request; refused sides are an error. */
int wf_inter_exchange(const struct wf_inter_call *c,
		      const struct wf_sides *sides,
		      struct weft_request **req_p);

/* A call that combines what comes. */
int wf_inter_fold(const struct wf_inter_call *c, struct weft_request **req_p);

#endif
