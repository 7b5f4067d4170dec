/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pattern gets the ranks of another communicator: the call.
 *
 * Both groups tell which process is which rank there, so that no message asks
 * it, and one that is missing is an error without having been waited for.  Only
 * msgs2ranks is new; nothing is reordered.
 */
#include "dist/setting.h"

/* The same processes in the new communicator. */
static int rename_ranks(const struct wf_dist_setting *s,
			const struct weft_dist *dist, enum wf_dist_way way,
			uint32_t *ranks)
{
	const struct wf_dist_array *old = dist->side[way]->array[WF_MSGS2RANKS];
	const struct weft_group *group = dist->parent->group;

	for (uint32_t m = 0; m < old->n; m++) {
		int world = wf_group_world_rank(group, (int)old->at[m]);
		int rank = wf_group_find(s->comm->group, world);

		if (rank == WEFT_UNDEFINED)
			return wf_job_fail_for(s->comm->job,
					       WEFT_ARGUMENT_COMM, WEFT_ERR_ARG,
					       "%s: rank %d of the old parent, "
					       "%s rank %d, is not in comm",
					       s->origin.call, (int)old->at[m],
					       way == WF_FORWARD ?
					       "to which items go from" :
					       "from which items come to",
					       dist->parent->rank);
		ranks[m] = (uint32_t)rank;
	}
	return WEFT_OK;
}

static struct wf_dist_side *rename_side(struct wf_dist_setting *s,
					const struct weft_dist *dist,
					enum wf_dist_way way)
{
	struct wf_dist_array *ranks;
	struct wf_dist_side *side;

	if (s->status)
		return NULL;
	side = wf_dist_side_copy(dist->side[way]);
	ranks = wf_dist_array_new(wf_dist_side_nmsgs(dist->side[way]));
	if (!side || !ranks)
		wf_dist_lack(s, "a side");
	else
		s->status = rename_ranks(s, dist, way, ranks->at);
	if (side && ranks)
		wf_dist_side_put(side, WF_MSGS2RANKS, ranks);
	else
		wf_dist_array_drop(ranks);
	return side;
}

static int check(const struct wf_dist_setting *s, const struct weft_dist *dist)
{
	struct weft_job *job = s->comm->job;

	if (!dist)
		return wf_job_fail_null(job, s->origin.call, "dist");
	if (dist->job != job)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COMM, WEFT_ERR_ARG,
				       "%s: comm is of another job",
				       s->origin.call);
	return wf_dist_check_pattern(dist, s->origin.call);
}

/* By all ranks of the new communicator. */
static int change(struct wf_dist_setting *s, struct weft_dist *dist)
{
	struct wf_dist_side *side[2] = { NULL, NULL };
	struct wf_dist_link *link;
	int status;

	s->status = check(s, dist);
	for (int way = 0; way < 2; way++)
		side[way] = rename_side(s, dist, way);
	link = wf_dist_link_make(s, side);
	status = wf_dist_settle(s);
	if (!status) {
		wf_dist_adopt(dist, side, link);
		wf_dist_set_parent(dist, s->comm);
		return WEFT_OK;
	}
	wf_dist_link_drop(link);
	wf_dist_side_drop(side[WF_FORWARD]);
	wf_dist_side_drop(side[WF_REVERSE]);
	return status;
}

int weft_dist_change_comm(struct weft_dist *dist, struct weft_comm *comm)
{
	int status = wf_comm_enter_one(comm, __func__);
	struct wf_dist_setting s;

	if (status)
		return status;
	wf_comm_hold(comm);
	s = wf_dist_setting(comm, (struct wf_origin){ __func__,
						      WF_CALLED_FROM });
	status = change(&s, dist);
	return wf_comm_leave_held(comm, status);
}
