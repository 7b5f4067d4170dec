/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gather and scatter along the tree of the communicator.
 *
 * Idea: behind each link of the tree are ranks that follow each other, all
 * around: a block, or all ranks outside one.  To the root goes by each link,
 * once, what the ranks behind it have, put together on the way; from the root
 * the same the other way round.  Where ranks have different sizes, what each of
 * them has to know of those comes first (lengths.h).
 * Rounds: ceil(log_8 P) to or from rank 0, as many more of a root as it has
 * ranks above; 1 up to P = 8.  Bytes: n times the ranks behind the link; P - 1
 * messages.  Copies: one at each rank on the way, of its own part; at a root
 * that is not rank 0 a second one of what comes from above or goes there, if it
 * is not in one piece.  Scratch: what goes by the link to the root.  Any P and
 * root.
 */
#include "coll/tree.h"

struct mover {
	struct wf_builder b;
	const struct wf_tree *tree;
	int me, size, to_root;
	uint64_t bytes;			/* of a rank; */
	const uint64_t *ends;		/* or of those from `first` on: where
					   each ends; NULL: all are alike */
	int first;
};

/* How many ranks after another. */
static int steps_from(const struct mover *m, int first, int rank)
{
	return (rank - first + m->size) % m->size;
}

/* Of the first n of the ranks whose ends are known. */
static uint64_t first_bytes(const struct mover *m, int n)
{
	return n ? m->ends[n - 1] : 0;
}

static uint64_t bytes_of(const struct mover *m, struct wf_tree_row row)
{
	int from = steps_from(m, m->first, row.first), to = from + row.n;

	if (!m->ends)
		return m->bytes * (uint64_t)row.n;
	if (to <= m->size)
		return first_bytes(m, to) - first_bytes(m, from);
	return first_bytes(m, m->size) - first_bytes(m, from) +
	       first_bytes(m, to - m->size);
}

/* In a row that begins with another rank. */
static struct wf_place place_of(const struct mover *m, struct wf_place at,
				int first, int rank)
{
	struct wf_tree_row before = { first, steps_from(m, first, rank) };

	at.offset += (int64_t)bytes_of(m, before);
	return at;
}

static uint64_t own_bytes(const struct mover *m)
{
	return bytes_of(m, (struct wf_tree_row){ m->me, 1 });
}

static int begin(struct mover *m, const struct wf_schedule *s,
		 struct wf_set *set, const struct wf_coll_key *key)
{
	m->tree = wf_tree(s);
	m->me = s->comm->rank;
	m->size = s->comm->size;
	m->to_root = wf_tree_to_root(m->tree, key->root);
	m->bytes = key->bytes;
	m->ends = key->ends;
	m->first = m->to_root < 0 ? 0 :
				    wf_tree_near(m->tree, m->to_root).first;
	return wf_builder_init(&m->b, set);
}

/* Does it go past the last rank? */
static bool is_split(const struct mover *m, struct wf_tree_row row)
{
	return row.first + row.n > m->size;
}

/* Both pieces of such a row, packed, from or to where all ranks are. */
struct pieces {
	uint32_t step[2];
};

static struct pieces copy_pieces(struct mover *m, struct wf_tree_row row,
				 struct wf_place all, struct wf_place packed,
				 bool join)
{
	struct wf_tree_row piece[2] = {
		{ row.first, m->size - row.first },
		{ 0, row.first + row.n - m->size }
	};
	struct pieces p;

	for (int i = 0; i < 2; i++) {
		struct wf_place at = place_of(m, all, 0,
					    piece[i].first);
		struct wf_place here = place_of(m, packed, row.first,
					      piece[i].first);

		p.step[i] = wf_build_copy(&m->b, join ? at : here,
					  join ? here : at,
					  bytes_of(m, piece[i]));
	}
	return p;
}

/* ---- gather ---- */

static void gather_split(struct mover *m, int link, struct wf_tree_row far,
			 struct wf_place all)
{
	struct wf_place packed = wf_build_scratch(&m->b, bytes_of(m, far));
	uint32_t comes = wf_build_recv(&m->b, (uint32_t)link, packed,
				       bytes_of(m, far));
	struct pieces p = copy_pieces(m, far, all, packed, false);

	wf_build_after(&m->b, p.step[0], comes);
	wf_build_after(&m->b, p.step[1], comes);
}

static void gather_at_root(struct mover *m)
{
	const struct wf_place own = { WF_BUFFER_SEND, 0 };
	const struct wf_place all = { WF_BUFFER_RECV, 0 };

	for (int i = 0; i < m->tree->nlinks; i++) {
		struct wf_tree_row far = wf_tree_far(m->tree, i);

		if (is_split(m, far))
			gather_split(m, i, far, all);
		else
			wf_build_recv(&m->b, (uint32_t)i,
				      place_of(m, all, 0, far.first),
				      bytes_of(m, far));
	}
	wf_build_copy(&m->b, own, place_of(m, all, 0, m->me),
		      own_bytes(m));
}

/* Behind all that comes from the other side. */
static void pass_up(struct mover *m, struct wf_tree_row near)
{
	struct wf_place own = { WF_BUFFER_SEND, 0 };
	struct wf_place at = wf_build_scratch(&m->b, bytes_of(m, near));
	uint32_t goes = wf_build_send(&m->b, (uint32_t)m->to_root, at,
				      bytes_of(m, near));

	wf_build_after(&m->b, goes,
		       wf_build_copy(&m->b, own,
				     place_of(m, at, near.first, m->me),
				     own_bytes(m)));
	for (int i = 0; i < m->tree->nlinks; i++) {
		struct wf_tree_row far = wf_tree_far(m->tree, i);

		if (i == m->to_root)
			continue;
		wf_build_after(&m->b, goes,
			       wf_build_recv(&m->b, (uint32_t)i,
					     place_of(m, at, near.first,
						      far.first),
					     bytes_of(m, far)));
	}
}

int wf_gather_build(const struct wf_schedule *s, struct wf_set *set,
		    const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	const struct wf_place own = { WF_BUFFER_SEND, 0 };
	struct mover m;
	int status = begin(&m, s, set, key);

	if (status)
		return status;
	if (m.to_root < 0)
		gather_at_root(&m);
	else if (wf_tree_near(m.tree, m.to_root).n == 1)
		wf_build_send(&m.b, (uint32_t)m.to_root, own, own_bytes(&m));
	else
		pass_up(&m, wf_tree_near(m.tree, m.to_root));
	return wf_builder_finish(&m.b, plan_p);
}

/* ---- scatter ---- */

static void scatter_split(struct mover *m, int link, struct wf_tree_row far,
			  struct wf_place all)
{
	struct wf_place packed = wf_build_scratch(&m->b, bytes_of(m, far));
	struct pieces p = copy_pieces(m, far, all, packed, true);
	uint32_t goes = wf_build_send(&m->b, (uint32_t)link, packed,
				      bytes_of(m, far));

	wf_build_after(&m->b, goes, p.step[0]);
	wf_build_after(&m->b, goes, p.step[1]);
}

static void scatter_at_root(struct mover *m)
{
	const struct wf_place all = { WF_BUFFER_SEND, 0 };
	const struct wf_place own = { WF_BUFFER_RECV, 0 };

	for (int i = 0; i < m->tree->nlinks; i++) {
		struct wf_tree_row far = wf_tree_far(m->tree, i);

		if (is_split(m, far))
			scatter_split(m, i, far, all);
		else
			wf_build_send(&m->b, (uint32_t)i,
				      place_of(m, all, 0, far.first),
				      bytes_of(m, far));
	}
	wf_build_copy(&m->b, place_of(m, all, 0, m->me), own, own_bytes(m));
}

static void pass_on(struct mover *m, struct wf_tree_row near)
{
	struct wf_place own = { WF_BUFFER_RECV, 0 };
	struct wf_place at = wf_build_scratch(&m->b, bytes_of(m, near));
	uint32_t comes = wf_build_recv(&m->b, (uint32_t)m->to_root, at,
				       bytes_of(m, near));

	for (int i = 0; i < m->tree->nlinks; i++) {
		struct wf_tree_row far = wf_tree_far(m->tree, i);

		if (i == m->to_root)
			continue;
		wf_build_after(&m->b,
			       wf_build_send(&m->b, (uint32_t)i,
					     place_of(m, at, near.first,
						      far.first),
					     bytes_of(m, far)),
			       comes);
	}
	wf_build_after(&m->b,
		       wf_build_copy(&m->b,
				     place_of(m, at, near.first, m->me), own,
				     own_bytes(m)),
		       comes);
}

int wf_scatter_build(const struct wf_schedule *s, struct wf_set *set,
		     const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	const struct wf_place own = { WF_BUFFER_RECV, 0 };
	struct mover m;
	int status = begin(&m, s, set, key);

	if (status)
		return status;
	if (m.to_root < 0)
		scatter_at_root(&m);
	else if (wf_tree_near(m.tree, m.to_root).n == 1)
		wf_build_recv(&m.b, (uint32_t)m.to_root, own, own_bytes(&m));
	else
		pass_on(&m, wf_tree_near(m.tree, m.to_root));
	return wf_builder_finish(&m.b, plan_p);
}
