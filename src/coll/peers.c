/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Schedules of collectives: arithmetic on (cuts, rank, stage).
 *
 * Called by the builders of plans. The rule that keeps it correct: a node of
 * the tree is split by its bounds alone, so two ranks of a group find the same
 * blocks without asking each other.
 */
#include "coll/peers.h"

#include "base/assert.h"

/* Levels of the tree of so many ranks. */
static int tree_depth(int size)
{
	int depth = 0;

	while (((int64_t)1 << depth) < size)
		depth++;
	return depth;
}

static int levels_of(const struct wf_ragged_cuts *cuts, int stage)
{
	if (stage == 0)
		return cuts->bottom;
	return cuts->least + (stage <= cuts->more);
}

/* Levels above the groups of a stage: those that later stages join. */
static int levels_above(const struct wf_ragged_cuts *cuts, int stage)
{
	int levels = 0;

	while (++stage < cuts->stages)
		levels += levels_of(cuts, stage);
	return levels;
}

/* Messages that the ranks of a group of so many send in a stage. */
static int64_t messages_of(int64_t ranks, int levels)
{
	int64_t blocks = (int64_t)1 << levels;

	return ranks * ((ranks < blocks ? ranks : blocks) - 1);
}

/* The nodes of a level have equal sizes, or differ by one. */
static int64_t messages(const struct wf_ragged_cuts *cuts)
{
	int64_t all = 0;

	for (int s = 0; s < cuts->stages; s++) {
		int64_t groups = (int64_t)1 << levels_above(cuts, s);
		int64_t least = cuts->size / groups;
		int64_t more = cuts->size % groups;
		int levels = levels_of(cuts, s);

		all += more * messages_of(least + 1, levels) +
		       (groups - more) * messages_of(least, levels);
	}
	return all;
}

/*
 * With so many levels in the first stage.  In each above it a rank takes
 * 2^levels - 1 messages, so they are fewest where the levels are equal; the
 * longer stages are the lower ones, whose groups are the more likely to share a
 * node.
 */
static struct wf_ragged_cuts cut_above(int size, int stages, int bottom)
{
	int rest = tree_depth(size) - bottom, others = stages - 1;

	return (struct wf_ragged_cuts){
		.size = size, .stages = (uint8_t)stages,
		.bottom = (uint8_t)bottom,
		.least = (uint8_t)(others > 0 ? rest / others : 0),
		.more = (uint8_t)(others > 0 ? rest % others : 0)
	};
}

struct wf_ragged_cuts wf_ragged_cut(int size, int radix)
{
	int depth = tree_depth(size), most = tree_depth(radix);
	int stages = (depth + most - 1) / most;
	int bottom = depth < most ? depth : most;
	struct wf_ragged_cuts best = cut_above(size, stages, bottom);

	/* Fewer levels below, as far as the stages above can take the rest. */
	while (--bottom > 0 && depth - bottom <= (stages - 1) * most) {
		struct wf_ragged_cuts cuts = cut_above(size, stages, bottom);

		if (messages(&cuts) < messages(&best))
			best = cuts;
	}
	return best;
}

/* The half of [low, end) that contains the rank. */
static void descend(int rank, int *low, int *end)
{
	int middle = *low + wf_ragged_half(*end - *low);

	if (rank < middle)
		*end = middle;
	else
		*low = middle;
}

/* Blocks so many levels below [low, end), or single ranks above them. */
static void add_blocks(struct wf_ragged_stage *stage, int low, int end,
		       int levels)
{
	int middle = low + wf_ragged_half(end - low);

	if (levels == 0 || end - low == 1) {
		WF_ASSERT(stage->nblocks < WF_RAGGED_RADIX_MAX);
		stage->first[stage->nblocks++] = low;
		stage->first[stage->nblocks] = end;
		return;
	}
	add_blocks(stage, low, middle, levels - 1);
	add_blocks(stage, middle, end, levels - 1);
}

static int block_size(const struct wf_ragged_stage *stage, int block)
{
	return stage->first[block + 1] - stage->first[block];
}

/* The ranks of another block whose index there maps to own_at. */
static void add_targets(struct wf_ragged_stage *stage, int block, int own_at)
{
	int size = block_size(stage, block);

	for (int i = own_at; i < size; i += block_size(stage, stage->own)) {
		WF_ASSERT(stage->ntargets < WF_RAGGED_TARGETS_MAX);
		stage->target[stage->ntargets++] = stage->first[block] + i;
	}
}

void wf_ragged_stage(const struct wf_ragged_cuts *cuts, int rank, int stage,
		     struct wf_ragged_stage *stage_p)
{
	struct wf_ragged_stage *st = stage_p;
	int at;

	st->low = 0;
	st->end = cuts->size;
	for (int n = levels_above(cuts, stage); n && st->end - st->low > 1; n--)
		descend(rank, &st->low, &st->end);
	st->nblocks = st->ntargets = st->own = 0;
	add_blocks(st, st->low, st->end, levels_of(cuts, stage));
	while (st->first[st->own + 1] <= rank)
		st->own++;
	at = rank - st->first[st->own];
	for (int b = 0; b < st->nblocks; b++)
		st->source[b] = st->first[b] + at % block_size(st, b);
	for (int k = 1; k < st->nblocks; k++)
		add_targets(st, (st->own + k) % st->nblocks, at);
}

int wf_tree_most(const struct wf_ragged_cuts *cuts)
{
	int most = 2;

	for (int s = 0; s < cuts->stages; s++)
		most += (1 << levels_of(cuts, s)) - 1;
	return most;
}

static int mesh_links(int size, int rank, struct wf_tree_link *link)
{
	for (int k = 1; k < size; k++) {
		int r = (rank + k) % size;

		*link++ = (struct wf_tree_link){ r, r, r + 1 };
	}
	return size - 1;
}

int wf_tree_links(const struct wf_ragged_cuts *cuts, int rank,
		  struct wf_tree_link *link)
{
	int n = rank > 0;
	struct wf_ragged_stage st;

	if (wf_tree_is_mesh(cuts))
		return mesh_links(cuts->size, rank, link);
	for (int s = cuts->stages - 1; s >= 0; s--) {
		wf_ragged_stage(cuts, rank, s, &st);
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
