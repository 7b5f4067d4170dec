/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans by ragged recursive multiplying.
 *
 * Idea: the messages are those of an allreduce (allreduce_ragged.c).  The ranks
 * up to one are a row of nodes of the tree, each as large as may be: a rank
 * keeps the values of those nodes as the stages bring them, the nearest first,
 * and at the end folds them from the left, the largest first.  In the same way
 * it folds the nodes that the ranks above it are, the nearest first, as they
 * come.  Rounds: ceil(log_8 P).  Bytes: n per message.  Scratch: as of an
 * allreduce.  Any P; the operation need not commute, and the bracket depends on
 * P and the rank alone: a scan gives the last rank the bits of an allreduce.
 * All ranks have begun when one is done, as in an allreduce.
 */
#include "coll/ragged.h"

#include "base/assert.h"

enum { NODES_MAX = 31 };	/* levels of a tree of INT_MAX ranks */

/* What a rank has put together so far. */
struct sides {
	struct wf_ragged r;
	uint64_t bytes;
	struct wf_place value;		/* of its block */
	bool row_open;			/* scan: no rank of it is above */
	bool wants_above, has_above;
	struct wf_place above;
	int nbelow;			/* nodes below, the nearest first; */
	struct wf_place below[NODES_MAX + 1];	/* scan: with the own rank */
};

static struct wf_place join(struct sides *s, struct wf_place left,
			    struct wf_place right)
{
	/* of both sides, what is above becomes a part of two values */
	struct wf_place to = s->wants_above ?
		wf_build_scratch(&s->r.chain.b, s->bytes) :
		wf_chain_into(&s->r.chain, right, s->bytes);

	wf_chain_reduce(&s->r.chain, left, right, to, s->bytes);
	return to;
}

/* Is the value of the rank's node asked for, now that it has grown? */
static bool has_use(const struct sides *s)
{
	return s->row_open || !wf_ragged_is_last(&s->r);
}

static void add_below(struct sides *s, struct wf_place node)
{
	WF_ASSERT(s->nbelow <= NODES_MAX);
	s->below[s->nbelow++] = node;
}

/* The rank's node is the largest one that ends with it. */
static void end_row(struct sides *s)
{
	if (s->row_open)
		add_below(s, s->value);
	s->row_open = false;
}

/* The node on the left of the rank's one, which together are the next. */
static void add_left(struct sides *s, struct wf_place left)
{
	if (!s->row_open)
		add_below(s, left);
	if (has_use(s))
		s->value = join(s, left, s->value);
}

static void add_right(struct sides *s, const struct wf_place *block, int n)
{
	struct wf_place right;

	end_row(s);
	if (!has_use(s) && !s->wants_above)
		return;
	right = wf_chain_fold(&s->r.chain, block, n, s->bytes, NULL);
	if (s->wants_above)
		s->above = s->has_above ? join(s, s->above, right) : right;
	s->has_above = s->wants_above;
	if (has_use(s))
		s->value = join(s, s->value, right);
}

/* From the rank's block up to the node of blocks [low, low + n) around it. */
static void climb(struct sides *s, const struct wf_place *block, int low,
		  int n)
{
	int half = wf_ragged_half(n), middle = low + half;
	bool is_top = wf_ragged_is_last(&s->r) && n == s->r.stage.nblocks;

	if (n == 1)
		return;
	if (s->r.stage.own < middle) {
		climb(s, block, low, half);
		add_right(s, &block[middle], n - half);
	} else {
		climb(s, block, middle, n - half);
		/* that of all ranks is folded as a row of two */
		if (is_top)
			end_row(s);
		add_left(s, wf_chain_fold(&s->r.chain, &block[low], half,
					  s->bytes, NULL));
	}
}

static void build_stage(struct sides *s)
{
	const struct wf_ragged_stage *st = &s->r.stage;
	struct wf_place block[WF_RAGGED_RADIX_MAX];

	wf_ragged_give(&s->r, s->value, s->bytes);
	for (int i = 0; i < st->nblocks; i++) {
		if (i == st->own)
			continue;
		block[i] = wf_build_scratch(&s->r.chain.b, s->bytes);
		wf_ragged_take(&s->r, block[i], s->bytes);
	}
	climb(s, block, 0, st->nblocks);
}

/* The nodes below, from the left. */
static void put_below(struct sides *s, struct wf_place to)
{
	int n = s->nbelow;
	struct wf_place left;

	if (n == 1)
		wf_chain_copy(&s->r.chain, s->below[0], to, s->bytes);
	if (n < 2)
		return;
	left = s->below[n - 1];
	for (int i = n - 2; i > 0; i--)
		left = join(s, left, s->below[i]);
	wf_chain_reduce(&s->r.chain, left, s->below[0], to, s->bytes);
}

static int begin(struct sides *s, const struct wf_schedule *schedule,
		 struct wf_set *set, const struct wf_coll_key *key)
{
	int status = wf_ragged_init(&s->r, schedule, set);

	if (status)
		return status;
	s->bytes = key->bytes;
	s->value = (struct wf_place){ WF_BUFFER_SEND, 0 };
	wf_build_combine(&s->r.chain.b, &key->with);
	while (wf_ragged_next(&s->r))
		build_stage(s);
	return WEFT_OK;
}

static int finish(struct sides *s, struct wf_plan **plan_p)
{
	int status = wf_builder_finish(&s->r.chain.b, plan_p);

	if (status)
		return status;
	(*plan_p)->fixed = true;	/* receives go to scratch */
	return WEFT_OK;
}

int wf_exscan_build(const struct wf_schedule *schedule, struct wf_set *set,
		    const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	struct wf_place result = { WF_BUFFER_RECV, 0 };
	struct sides s = { .nbelow = 0 };
	int status = begin(&s, schedule, set, key);

	if (status)
		return status;
	put_below(&s, result);
	return finish(&s, plan_p);
}

int wf_scan_build(const struct wf_schedule *schedule, struct wf_set *set,
		  const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	struct wf_place result = { WF_BUFFER_RECV, 0 };
	struct sides s = { .row_open = true };
	int status = begin(&s, schedule, set, key);

	if (status)
		return status;
	end_row(&s);
	put_below(&s, result);
	return finish(&s, plan_p);
}

int wf_sides_build(const struct wf_schedule *schedule, struct wf_set *set,
		   const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	struct wf_place below = { WF_BUFFER_RECV, 0 };
	struct wf_place above = { WF_BUFFER_RECV, (int64_t)key->bytes };
	struct sides s = { .wants_above = true };
	int status = begin(&s, schedule, set, key);

	if (status)
		return status;
	put_below(&s, below);
	if (s.has_above)
		wf_chain_copy(&s.r.chain, s.above, above, key->bytes);
	return finish(&s, plan_p);
}
