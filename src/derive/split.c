/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators of the ranks with the same colour, in the order of their keys.
 *
 * Idea: one exchange of 56 bytes, an exclusive scan from either side, tells
 * each rank what the colours and keys below and above it look like (row.h).
 * Where the ranks of a colour lie in a row or stride, which all see alike, that
 * was all, and nobody holds memory for the others.  Else an allgather of 8
 * bytes per rank follows, whose own colour each rank sorts.  Rounds:
 * ceil(log_8 P), twice for the latter.  All colours share the context ids.
 */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include "base/handle.h"
#include "boot/boot.h"
#include "coll/schedule.h"
#include "derive/child.h"
#include "derive/locality.h"
#include "derive/row.h"
#include "derive/wishes.h"
#include "transport/line.h"
#include "type/type.h"

static_assert(sizeof(struct wf_row) <= WF_LINE_DATA, "a row is one line");

/* All ranks ask each other.  Without memory at one rank it fails at all. */
static int ask_all(struct wf_child *child, struct wf_wish wish,
		   struct weft_group **group_p)
{
	const struct wf_wishers all = { 0, child->parent->size };
	struct wf_wish *wishes;
	int status = wf_wishes_ask(child, wish, &wishes);

	if (!status && wish.color != WEFT_UNDEFINED &&
	    wf_wishes_group(child->parent, wishes, &all, group_p))
		status = wf_child_starves(child);
	free(wishes);
	return status;
}

/* ---- the calls ---- */

/* Leaves *group_p alone where there is none for this rank. */
static int find_group(struct wf_child *child, struct wf_wish wish,
		      struct weft_group **group_p)
{
	struct weft_comm *comm = child->parent;
	struct wf_row own = wf_row_of(comm->rank, wish), side[2];
	bool is_last = comm->rank + 1 == comm->size;
	struct wf_stride found;
	int status = wf_sides(comm, child->call, &own, side, sizeof(own),
			      wf_row_join);

	wf_coll_strays(comm, status);
	if (status)
		return status;
	if (!wf_row_finds(comm->rank, wish, comm->rank ? &side[0] : NULL,
			  is_last ? NULL : &side[1], &found))
		return ask_all(child, wish, group_p);
	if (found.n && wf_group_make_part(comm->group, found.first,
					  found.stride, found.n, group_p))
		return wf_child_starves(child);
	return WEFT_OK;
}

/* refused: as a rank without a colour, so that the others have theirs. */
static int split(struct wf_child *child, struct wf_wish wish,
		 const char *refused, struct weft_comm **split_p)
{
	struct weft_group *group = NULL;
	int status;

	wf_no_handle(split_p);
	status = wf_child_begin(child);
	if (status)
		return status;
	if (child->parent->across)
		status = wf_wishes_across(child, wish);
	else
		status = find_group(child, wish, &group);
	if (group)
		status = wf_child_make(child, group);
	if (!status && refused)
		status = wf_job_fail(child->parent->job, WEFT_ERR_ARG,
				     "%s: %s", child->call, refused);
	return wf_child_end(child, status, split_p);
}

int weft_comm_split(struct weft_comm *comm, int color, int key,
		    struct weft_comm **split_p)
{
	struct wf_child child = WF_CHILD_OF(comm, "weft_comm_split", "split_p");
	struct wf_wish wish = { color, key };
	char refused[80];

	if (color >= 0 || color == WEFT_UNDEFINED)
		return split(&child, wish, NULL, split_p);
	snprintf(refused, sizeof(refused), "color is %d: expected 0 or more, "
		 "or WEFT_UNDEFINED", color);
	wish.color = WEFT_UNDEFINED;
	return split(&child, wish, refused, split_p);
}

/*
 * One for each node, and behind those one for each object of each type, in a
 * row: all ranks count alike.  Numbers in turn make groups in turn.
 */
static int color_of_object(const struct weft_job *job, enum weft_split type,
			   int number)
{
	int node = wf_boot_node_member(job->boot, 0);
	int of_node = (INT_MAX - job->size) / job->size;
	int of_type = of_node / WEFT_SPLIT_L3;

	if (type == WEFT_SPLIT_NODE)
		return node;
	if (number >= of_type)
		return WEFT_UNDEFINED;
	return job->size + node * of_node + ((int)type - 1) * of_type + number;
}

/* Why it cannot be done; NULL: *color_p says with whom. */
static const char *find_color(const struct weft_comm *comm, int type,
			      int *color_p)
{
	const struct weft_job *job = comm->job;
	int number = type == WEFT_SPLIT_NODE ? 0 : WF_LOCALITY_UNKNOWN;

	*color_p = WEFT_UNDEFINED;
	if (comm->across)
		return "comm is an intercommunicator, and this call needs an "
		       "intracommunicator";
	if (type == WEFT_UNDEFINED)
		return NULL;
	if (type < WEFT_SPLIT_NODE || type > WEFT_SPLIT_L3)
		return "expected WEFT_SPLIT_NODE, WEFT_SPLIT_NUMA, "
		       "WEFT_SPLIT_PACKAGE, WEFT_SPLIT_L3 or WEFT_UNDEFINED";
	if (type != WEFT_SPLIT_NODE)
		number = wf_locality_of((enum weft_split)type);
	if (number == WF_LOCALITY_UNKNOWN)
		return "hwloc cannot tell where this process runs";
	if (number == WF_LOCALITY_NONE)
		return NULL;
	*color_p = color_of_object(job, (enum weft_split)type, number);
	return *color_p < 0 ? "its node has more objects than colours" : NULL;
}

int weft_comm_split_type(struct weft_comm *comm, int type, int key,
			 struct weft_comm **split_p)
{
	struct wf_child child = WF_CHILD_OF(comm, "weft_comm_split_type",
					    "split_p");
	struct wf_wish wish = { WEFT_UNDEFINED, key };
	const char *why = comm ? find_color(comm, type, &wish.color) : NULL;
	char refused[160];

	if (!why)
		return split(&child, wish, NULL, split_p);
	snprintf(refused, sizeof(refused), "type is %d: %s", type, why);
	return split(&child, wish, refused, split_p);
}
