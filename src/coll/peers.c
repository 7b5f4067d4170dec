/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Schedules of collectives: arithmetic on (size, radix, rank, stage).
 *
 * Called by the builders of plans. The rule that keeps it correct: how a group
 * is cut depends on its bounds and its level only, so two ranks of a group
 * find the same blocks without asking each other.
 */
#include "coll/peers.h"
#include "base/assert.h"

/* The ranks [low, end), cut into n blocks; the first `more` have one more. */
struct cut {
	int low;
	int end;
	int n;
	int least;		/* ranks of the smaller blocks */
	int more;
};

/* The fewest blocks of at most `fit` ranks. */
static struct cut cut_group(int low, int end, long fit)
{
	int size = end - low;
	int n = (int)((size + fit - 1) / fit);

	return (struct cut){ low, end, n, size / n, size % n };
}

static int block_low(const struct cut *cut, int block)
{
	int longer = block < cut->more ? block : cut->more;

	return cut->low + block * cut->least + longer;
}

static int block_size(const struct cut *cut, int block)
{
	return cut->least + (block < cut->more);
}

static int block_of(const struct cut *cut, int rank)
{
	int at = rank - cut->low;
	int longer = cut->more * (cut->least + 1);

	if (at < longer)
		return at / (cut->least + 1);
	return cut->more + (at - longer) / cut->least;
}

/* Ranks that a block may have before `stages` stages have run. */
static long capacity(int radix, int stages)
{
	long fit = 1;

	while (stages--)
		fit *= radix;
	return fit;
}

/* The ranks of another block whose index there maps to own_at. */
static void add_targets(const struct cut *cut, int block, int own_at,
			struct wf_ragged_stage *stage)
{
	int low = block_low(cut, block);
	int size = block_size(cut, block);

	for (int i = own_at; i < size; i += block_size(cut, stage->own)) {
		WF_ASSERT(stage->ntargets < WF_RAGGED_TARGETS_MAX);
		stage->target[stage->ntargets++] = low + i;
	}
}

int wf_ragged_stages(int size, int radix)
{
	int stages = 0;

	for (long reach = 1; reach < size; reach *= radix)
		stages++;
	return stages;
}

void wf_ragged_stage(int size, int radix, int rank, int stage,
		     struct wf_ragged_stage *stage_p)
{
	int level = wf_ragged_stages(size, radix) - 1;
	struct cut cut = cut_group(0, size, capacity(radix, level));
	int at;

	for (; level > stage; level--) {
		int block = block_of(&cut, rank);
		int low = block_low(&cut, block);

		cut = cut_group(low, low + block_size(&cut, block),
				capacity(radix, level - 1));
	}
	stage_p->low = cut.low;
	stage_p->end = cut.end;
	stage_p->nblocks = cut.n;
	stage_p->own = block_of(&cut, rank);
	stage_p->ntargets = 0;
	at = rank - block_low(&cut, stage_p->own);
	for (int b = 0; b < cut.n; b++) {
		stage_p->first[b] = block_low(&cut, b);
		stage_p->source[b] = stage_p->first[b] +
				     at % block_size(&cut, b);
	}
	stage_p->first[cut.n] = cut.end;
	for (int k = 1; k < cut.n; k++)
		add_targets(&cut, (stage_p->own + k) % cut.n, at, stage_p);
}

int wf_tree_most(int size, int radix)
{
	return (radix - 1) * wf_ragged_stages(size, radix) + 2;
}

static int mesh_links(int size, int rank, struct wf_tree_link *link)
{
	for (int k = 1; k < size; k++) {
		int r = (rank + k) % size;

		*link++ = (struct wf_tree_link){ r, r, r + 1 };
	}
	return size - 1;
}

int wf_tree_links(int size, int radix, int rank, struct wf_tree_link *link)
{
	int n = rank > 0;
	struct wf_ragged_stage st;

	if (wf_tree_is_mesh(size, radix))
		return mesh_links(size, rank, link);
	for (int s = wf_ragged_stages(size, radix) - 1; s >= 0; s--) {
		wf_ragged_stage(size, radix, rank, s, &st);
		/* The last one of these is where it is first of a block. */
		if (st.low != rank)
			link[0] = (struct wf_tree_link){ st.low, 0, 0 };
		for (int b = 1; st.low == rank && b < st.nblocks; b++)
			link[n++] = (struct wf_tree_link){
				st.first[b], st.first[b], st.first[b + 1] };
	}
	return n;
}

int wf_tree_toward(const struct wf_tree_link *link, int nlinks, int rank,
		   int root)
{
	for (int i = 0; i < nlinks; i++)
		if (link[i].low <= root && root < link[i].end)
			return i;
	return root == rank ? -1 : 0;
}
