/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduce along the tree of the communicator.
 *
 * Idea: who is first of a group folds what the first ranks of its other blocks
 * have, stage by stage, in the bracket of halves, and gives it to the rank
 * above; rank 0 has the result in the end, which goes down to the root.  Of a
 * mesh all give to the root, which folds alone.
 * Rounds: ceil(log_8 P) to rank 0, as many more to a root as it has ranks
 * above, which is what the value of a rank far from both needs anyway; 1 up to
 * P = 8.  Bytes: n per message, P - 1 messages and those down.  Scratch: n for
 * each value that comes, into which others are folded.  Any P and root; rank
 * order is kept, and the bracket is that of an allreduce.
 */
#include "coll/chain.h"
#include "coll/tree.h"

struct fold {
	struct wf_chain chain;
	const struct wf_tree *tree;
	uint64_t bytes;
	int me, root;
};

static const struct wf_place given = { WF_BUFFER_SEND, 0 };
static const struct wf_place result = { WF_BUFFER_RECV, 0 };

static uint32_t link_to(const struct wf_tree *tree, int rank)
{
	uint32_t i = 0;

	while (tree->link[i].rank != rank)
		i++;
	return i;
}

static void take(struct fold *f, int from, struct wf_place to)
{
	wf_chain_await(&f->chain,
		       wf_build_recv(&f->chain.b, link_to(f->tree, from), to,
				     f->bytes));
}

static void give(struct fold *f, int to, struct wf_place value)
{
	wf_chain_send(&f->chain, link_to(f->tree, to), value, f->bytes);
}

/* Of a stage in which this rank folds, to *to where that is given. */
static struct wf_place fold_stage(struct fold *f,
				  const struct wf_ragged_stage *st,
				  struct wf_place value,
				  const struct wf_place *to)
{
	struct wf_place block[WF_RAGGED_RADIX_MAX];

	for (int i = 0; i < st->nblocks; i++) {
		block[i] = value;
		if (i == st->own)
			continue;
		block[i] = wf_build_scratch(&f->chain.b, f->bytes);
		take(f, st->first[i], block[i]);
	}
	return wf_chain_fold(&f->chain, block, st->nblocks, f->bytes, to);
}

/* Of a mesh only the root folds, else who is first of a group. */
static bool folds(const struct fold *f, const struct wf_ragged_stage *st)
{
	return f->tree->mesh ? f->me == f->root : f->me == st->low;
}

static struct wf_place fold_all(struct fold *f)
{
	const struct wf_ragged_cuts *cuts = &f->tree->schedule.cuts;
	struct wf_place value = given;
	struct wf_ragged_stage st;

	for (int s = 0; s < cuts->stages; s++) {
		bool ends = s == cuts->stages - 1 && f->me == f->root;

		wf_ragged_stage(cuts, f->me, s, &st);
		if (st.nblocks > 1 && !folds(f, &st))
			break;
		if (st.nblocks > 1)
			value = fold_stage(f, &st, value,
					   ends ? &result : NULL);
	}
	return value;
}

/*
 * From rank 0 down to the root.  There it may go to where the own value was
 * given from, which is in it, so that has been read.
 */
static void pass_down(struct fold *f, struct wf_place value)
{
	const struct wf_tree *tree = f->tree;
	bool ends = f->me == f->root;

	if (f->me > 0) {
		value = ends ? result : wf_build_scratch(&f->chain.b, f->bytes);
		take(f, tree->link[0].rank, value);
		wf_chain_copy(&f->chain, value, value, 0);
	}
	if (!ends)
		give(f, tree->link[wf_tree_to_root(tree, f->root)].rank, value);
}

static void build(struct fold *f)
{
	const struct wf_tree *tree = f->tree;
	struct wf_place value = fold_all(f);
	bool down = !tree->mesh && f->root > 0;

	if (tree->mesh && f->me != f->root)
		give(f, f->root, value);
	if (!tree->mesh && f->me > 0)
		give(f, tree->link[0].rank, value);
	if (down && wf_tree_leads_to(tree, f->root))
		pass_down(f, value);
	/* alone */
	if (tree->nlinks == 0)
		wf_chain_copy(&f->chain, value, result, f->bytes);
}

int wf_reduce_build(const struct wf_schedule *s, struct wf_set *set,
		    const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	struct fold f = {
		.tree = wf_tree(s), .bytes = key->bytes, .me = s->comm->rank,
		.root = key->root
	};
	int status = wf_chain_init(&f.chain, set);

	if (status)
		return status;
	wf_build_combine(&f.chain.b, &key->with);
	build(&f);
	return wf_builder_finish(&f.chain.b, plan_p);
}
