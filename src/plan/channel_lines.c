/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the lines of edges lie.  Two edges of the same two ranks are twins, the
 * 1st and the 2nd, the 3rd and the 4th: their lines lie in turns, so that one
 * message can carry both of an epoch.  Nothing else changes for them.
 */
#include "job/peer.h"
#include "plan/set.h"

static struct wf_edge twin_of(const struct wf_edge *edge)
{
	struct wf_edge twin = *edge;

	twin.k ^= 1;
	return twin;
}

struct wf_out *wf_out_twin(const struct wf_out *out)
{
	struct wf_edge twin = twin_of(&out->edge);

	return wf_set_find_out(out->set, out->peer, &twin);
}

static struct wf_in *in_twin(const struct wf_in *in)
{
	struct wf_edge twin = twin_of(&in->edge);

	return wf_set_find_in(in->set, in->peer, &twin);
}

/* The first of two, which the second finds; -1: none. */
static int find_elder(const struct wf_names *names, const struct wf_edge *edge)
{
	struct wf_edge elder = twin_of(edge);

	return edge->k % 2 ? wf_names_find(names, &elder) : -1;
}

/*
 * Twins are in the same epoch: where each edge counts for itself there are
 * none.
 */
void wf_set_find_twins(struct wf_set *set)
{
	int at;

	if (set->counts)
		return;
	for (int i = 0; i < set->nout; i++) {
		at = find_elder(&set->outs, &set->out[i].edge);
		if (at >= 0)
			set->out[at].has_twin = set->out[i].has_twin = true;
	}
	for (int i = 0; i < set->nin; i++) {
		at = find_elder(&set->ins, &set->in[i].edge);
		if (at >= 0)
			set->in[at].has_twin = set->in[i].has_twin = true;
	}
}

static void set_lines(struct wf_in *in, uint64_t offset)
{
	in->lines_offset = offset;
	in->lines = wf_segment_at(&in->peer->job->segment, offset);
}

static bool is_younger(const struct wf_in *in)
{
	return in->has_twin && in->edge.k % 2;
}

int wf_in_make_lines(struct wf_in *in)
{
	struct wf_in *twin = in->has_twin ? in_twin(in) : NULL;
	uint64_t width = twin ? 2 * WF_LINE_BYTES : WF_LINE_BYTES, offset;
	bool younger = is_younger(in);
	int status = wf_segment_alloc(&in->peer->job->segment,
				      (in->set->mask + 1) * width, width,
				      &offset);

	if (status)
		return status;
	set_lines(in, offset + (younger ? WF_LINE_BYTES : 0));
	if (twin)
		set_lines(twin, offset + (younger ? 0 : WF_LINE_BYTES));
	return WEFT_OK;
}

void wf_in_free_lines(struct wf_in *in)
{
	if (in->lines && !is_younger(in))
		wf_segment_free(&in->peer->job->segment, in->lines_offset);
}
