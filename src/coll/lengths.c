/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lengths along the tree: see lengths.h.
 *
 * Rounds and messages: those of a gather or scatter of the same root.  Bytes:
 * 8 for each rank behind the link.  Memory: 8 bytes for each rank of the row,
 * 16 at the root.
 */
#include "coll/lengths.h"

#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/zeroed.h"

/* ---- the plan ---- */

/* Of a row, in the memory that has all of this rank's, from `first` on. */
static struct wf_place place_of(const struct wf_tree *tree, int first,
				struct wf_tree_row row)
{
	int size = tree->schedule.comm->size;
	int64_t before = (row.first - first + size) % size;

	return (struct wf_place){ WF_BUFFER_RECV,
				  before * (int64_t)sizeof(uint64_t) };
}

static uint64_t bytes_of(struct wf_tree_row row)
{
	return (uint64_t)row.n * sizeof(uint64_t);
}

/* All come from the root before any goes on, or come before all go there. */
static void build(struct wf_builder *b, const struct wf_tree *tree,
		  int to_root, bool up)
{
	struct wf_tree_row near = wf_tree_near(tree, to_root), far;
	struct wf_place all = place_of(tree, near.first, near), at;
	uint32_t whole = 0, part;

	if (to_root >= 0)
		whole = up ? wf_build_send(b, (uint32_t)to_root, all,
					   bytes_of(near)) :
			     wf_build_recv(b, (uint32_t)to_root, all,
					   bytes_of(near));
	for (int i = 0; i < tree->nlinks; i++) {
		if (i == to_root)
			continue;
		far = wf_tree_far(tree, i);
		at = place_of(tree, near.first, far);
		part = up ? wf_build_recv(b, (uint32_t)i, at, bytes_of(far)) :
			    wf_build_send(b, (uint32_t)i, at, bytes_of(far));
		if (to_root >= 0)
			wf_build_after(b, up ? whole : part, up ? part : whole);
	}
}

int wf_lengths_build(const struct wf_schedule *s, struct wf_set *set,
		     const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	const struct wf_tree *tree = wf_tree(s);
	struct wf_builder b;
	int status = wf_builder_init(&b, set);

	if (status)
		return status;
	build(&b, tree, wf_tree_to_root(tree, key->root),
	      key->by->flow == WF_TREE_UP);
	return wf_builder_finish(&b, plan_p);
}

/* ---- their values ---- */

static int rank_at(const struct wf_lengths *l, const struct weft_comm *comm,
		   int i)
{
	return (l->row.first + i) % comm->size;
}

static uint64_t *own_of(const struct wf_lengths *l,
			const struct weft_comm *comm)
{
	return l->bytes + (comm->rank - l->row.first + comm->size) % comm->size;
}

/* As this rank was called with; the key has its ends. */
static uint64_t told(const struct wf_lengths *l, int rank)
{
	return wf_coll_before(&l->key, rank + 1) -
	       wf_coll_before(&l->key, rank);
}

/* The root has room for its own copy of the ends behind them. */
int wf_lengths_init(struct wf_lengths *l, const struct wf_schedule *s,
		    const struct wf_coll_key *key)
{
	const struct weft_comm *comm = s->comm;
	const struct wf_tree *tree = wf_tree(s);
	bool is_root = comm->rank == key->root;
	size_t n;

	l->key = *key;
	l->row = wf_tree_near(tree, wf_tree_to_root(tree, key->root));
	n = (size_t)l->row.n;
	l->bytes = wf_zeroed(is_root ? 2 * n : n, sizeof(*l->bytes));
	if (!l->bytes)
		return WEFT_ERR_NOMEM;
	if (!is_root) {
		*own_of(l, comm) = key->bytes;
		return WEFT_OK;
	}
	l->key.ends = memcpy(l->bytes + n, key->ends, n * sizeof(*l->bytes));
	for (int i = 0; i < l->row.n; i++)
		l->bytes[i] = told(l, rank_at(l, comm, i));
	return WEFT_OK;
}

void wf_lengths_fini(struct wf_lengths *l)
{
	free(l->bytes);
	l->bytes = NULL;
}

struct wf_coll_key wf_lengths_key(const struct wf_coll_key *behind)
{
	bool up = behind->by->flow == WF_TREE_UP;

	return (struct wf_coll_key){
		.call = behind->call, .root = behind->root, .with.width = 1,
		.by = wf_coll_choose(up ? WF_COLL_LENGTHS_UP :
					  WF_COLL_LENGTHS_DOWN)
	};
}

int wf_lengths_request(struct wf_lengths *l, struct wf_schedule *s,
		       struct wf_run_request **req_p)
{
	const struct wf_coll_key key = wf_lengths_key(&l->key);
	int status = wf_coll_request(s, &key, req_p);

	if (!status)
		(*req_p)->run.buffer[WF_BUFFER_RECV] = (char *)l->bytes;
	return status;
}

static int differs(uint64_t given, uint64_t wanted)
{
	return given > wanted ? WEFT_ERR_TRUNCATE : WEFT_ERR_SIZE;
}

/* What each rank gives, at the root. */
static int check_given(const struct wf_lengths *l,
		       const struct weft_comm *comm, char *why, size_t room)
{
	for (int i = 0; i < l->row.n; i++) {
		int rank = rank_at(l, comm, i);

		if (l->bytes[i] == told(l, rank))
			continue;
		wf_text_add(why, room, "%s: rank %d gives %llu bytes, and the "
			    "root, rank %d, wants %llu of it", l->key.call,
			    rank, (unsigned long long)l->bytes[i], comm->rank,
			    (unsigned long long)told(l, rank));
		return differs(l->bytes[i], told(l, rank));
	}
	return WEFT_OK;
}

/* What the root gives this rank. */
static int check_own(const struct wf_lengths *l, const struct weft_comm *comm,
		     char *why, size_t room)
{
	uint64_t given = *own_of(l, comm);

	if (given == l->key.bytes)
		return WEFT_OK;
	wf_text_add(why, room, "%s: the root, rank %d, gives %llu bytes, and "
		    "rank %d wants %llu", l->key.call, l->key.root,
		    (unsigned long long)given, comm->rank,
		    (unsigned long long)l->key.bytes);
	return differs(given, l->key.bytes);
}

/* Instead of each one's bytes where they end. */
static int add_up(struct wf_lengths *l, char *why, size_t room)
{
	for (int i = 1; i < l->row.n; i++) {
		if (!__builtin_add_overflow(l->bytes[i], l->bytes[i - 1],
					    &l->bytes[i]) &&
		    l->bytes[i] <= INT64_MAX)
			continue;
		wf_text_add(why, room, "%s: what passes through this rank "
			    "exceeds 2^63 bytes", l->key.call);
		return WEFT_ERR_RANGE;
	}
	l->key.ends = l->bytes;
	return WEFT_OK;
}

int wf_lengths_settle(struct wf_lengths *l, const struct weft_comm *comm,
		      char *why, size_t room)
{
	bool up = l->key.by->flow == WF_TREE_UP;
	int status = WEFT_OK;

	if (comm->rank == l->key.root)
		return up ? check_given(l, comm, why, room) : WEFT_OK;
	if (!up)
		status = check_own(l, comm, why, room);
	return status ? status : add_up(l, why, room);
}
