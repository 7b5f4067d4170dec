/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graphs of a pattern, each with exchanges of its own: one in the
 * direction of who made them, one in the other.  Handles share them, counted,
 * and they are freed with the last reference.
 */
#ifndef WEFT_DIST_LINK_H
#define WEFT_DIST_LINK_H

struct weft_comm;
struct wf_dist_setting;
struct wf_dist_side;

struct wf_dist_link {
	int refs;
	struct weft_comm *graph[2];
};

/*
 * By all ranks of a setting, whatever has failed here, since ids of contexts
 * are taken by all; of the forward and the reverse side.  NULL: the setting has
 * an error.
 */
struct wf_dist_link *wf_dist_link_make(struct wf_dist_setting *s,
				       struct wf_dist_side *const side[2]);

/* NULL: nothing is done. */
void wf_dist_link_drop(struct wf_dist_link *link);

#endif
