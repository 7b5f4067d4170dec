/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gather and scatter along the tree of the communicator.
 *
 * Idea: behind each link of the tree are ranks that follow each other, all
 * around: a block, or all ranks outside one.  To the root goes by each link,
 * once, what the ranks behind it have, put together on the way; from the root
 * the same the other way round.
 * Rounds: ceil(log_8 P) to or from rank 0, as many more of a root as it has
 * ranks above; 1 up to P = 8.  Bytes: n times the ranks behind the link; P - 1
 * messages.  Copies: one at each rank on the way, of its own part; at a root
 * that is not rank 0 a second one of what comes from above or goes there, if it
 * is not in one piece.  Scratch: what goes by the link to the root.  Any P and
 * root.
 */
#include "coll/tree.h"

/* Ranks that follow each other; rank 0 follows the last one. */
struct row {
	int first, n;
};

struct mover {
	struct wf_builder b;
	const struct wf_tree *tree;
	int me, size, to_root;
	uint64_t bytes;			/* of a rank */
};

/* Where the block of this rank ends. */
static int block_end(const struct mover *m)
{
	int end = m->me + 1;

	for (int i = 0; i < m->tree->nlinks; i++)
		if (m->tree->link[i].end > end)
			end = m->tree->link[i].end;
	return end;
}

/* The ranks behind a link. */
static struct row far_of(const struct mover *m, int link)
{
	const struct wf_tree_link *l = &m->tree->link[link];
	int end;

	if (l->end)
		return (struct row){ l->low, l->end - l->low };
	end = block_end(m);
	return (struct row){ end % m->size, m->size - (end - m->me) };
}

/* Those on this side of the link to the root. */
static struct row near_of(const struct mover *m)
{
	struct row far;

	if (m->tree->mesh)
		return (struct row){ m->me, 1 };
	far = far_of(m, m->to_root);
	return (struct row){ (far.first + far.n) % m->size, m->size - far.n };
}

/* In a row that begins with another rank. */
static struct wf_place place_of(const struct mover *m, struct wf_place at,
				int first, int rank)
{
	int i = (rank - first + m->size) % m->size;

	at.offset += (int64_t)m->bytes * i;
	return at;
}

static uint64_t bytes_of(const struct mover *m, struct row row)
{
	return m->bytes * (uint64_t)row.n;
}

static int begin(struct mover *m, const struct wf_schedule *s,
		 struct wf_set *set, const struct wf_coll_key *key)
{
	m->tree = wf_tree(s);
	m->me = s->comm->rank;
	m->size = s->comm->size;
	m->to_root = wf_tree_to_root(m->tree, key->root);
	m->bytes = key->bytes;
	return wf_builder_init(&m->b, set);
}

/* Does it go past the last rank? */
static bool is_split(const struct mover *m, struct row row)
{
	return row.first + row.n > m->size;
}

/* Both pieces of such a row, packed, from or to where all ranks are. */
struct pieces {
	uint32_t step[2];
};

static struct pieces copy_pieces(struct mover *m, struct row row,
				 struct wf_place all, struct wf_place packed,
				 bool join)
{
	int n[2] = { m->size - row.first, row.first + row.n - m->size };
	int first[2] = { row.first, 0 };
	struct pieces p;

	for (int i = 0; i < 2; i++) {
		struct wf_place at = place_of(m, all, 0, first[i]);
		struct wf_place here = place_of(m, packed, row.first, first[i]);

		p.step[i] = wf_build_copy(&m->b, join ? at : here,
					  join ? here : at,
					  m->bytes * (uint64_t)n[i]);
	}
	return p;
}

/* ---- gather ---- */

static void gather_split(struct mover *m, int link, struct row far,
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
		struct row far = far_of(m, i);

		if (is_split(m, far))
			gather_split(m, i, far, all);
		else
			wf_build_recv(&m->b, (uint32_t)i,
				      place_of(m, all, 0, far.first),
				      bytes_of(m, far));
	}
	wf_build_copy(&m->b, own, place_of(m, all, 0, m->me), m->bytes);
}

/* Behind all that comes from the other side. */
static void pass_up(struct mover *m, struct row near)
{
	struct wf_place own = { WF_BUFFER_SEND, 0 };
	struct wf_place at = wf_build_scratch(&m->b, bytes_of(m, near));
	uint32_t goes = wf_build_send(&m->b, (uint32_t)m->to_root, at,
				      bytes_of(m, near));

	wf_build_after(&m->b, goes,
		       wf_build_copy(&m->b, own,
				     place_of(m, at, near.first, m->me),
				     m->bytes));
	for (int i = 0; i < m->tree->nlinks; i++) {
		struct row far = far_of(m, i);

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
	else if (near_of(&m).n == 1)
		wf_build_send(&m.b, (uint32_t)m.to_root, own, m.bytes);
	else
		pass_up(&m, near_of(&m));
	return wf_builder_finish(&m.b, plan_p);
}

/* ---- scatter ---- */

static void scatter_split(struct mover *m, int link, struct row far,
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
		struct row far = far_of(m, i);

		if (is_split(m, far))
			scatter_split(m, i, far, all);
		else
			wf_build_send(&m->b, (uint32_t)i,
				      place_of(m, all, 0, far.first),
				      bytes_of(m, far));
	}
	wf_build_copy(&m->b, place_of(m, all, 0, m->me), own, m->bytes);
}

static void pass_on(struct mover *m, struct row near)
{
	struct wf_place own = { WF_BUFFER_RECV, 0 };
	struct wf_place at = wf_build_scratch(&m->b, bytes_of(m, near));
	uint32_t comes = wf_build_recv(&m->b, (uint32_t)m->to_root, at,
				       bytes_of(m, near));

	for (int i = 0; i < m->tree->nlinks; i++) {
		struct row far = far_of(m, i);

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
				     m->bytes),
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
	else if (near_of(&m).n == 1)
		wf_build_recv(&m.b, (uint32_t)m.to_root, own, m.bytes);
	else
		pass_on(&m, near_of(&m));
	return wf_builder_finish(&m.b, plan_p);
}
