/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans by ragged recursive multiplying.
 *
 * Idea: the messages are those of an allreduce (allreduce_ragged.c); beside the
 * value of its block a rank keeps that of the ranks of the block which are
 * below it, to which those of the lower blocks come from the left in each
 * stage; and in the same way that of the ranks above it.  Rounds:
 * ceil(log_8 P).  Bytes: n per message.  Scratch: up to 16 n per stage.  Any P;
 * the operation need not commute, and the bracket depends on P and the radix
 * alone.  All ranks have begun when one is done, as in an allreduce.
 */
#include "coll/ragged.h"

/* What a rank has put together so far. */
struct sides {
	struct wf_ragged r;
	uint64_t bytes;
	struct wf_place value, below, above;
	bool has_below, has_above;
	bool wants_above;
};

static struct wf_place join(struct sides *s, struct wf_place left,
			    struct wf_place right)
{
	struct wf_place to = wf_build_scratch(&s->r.b, s->bytes);

	wf_ragged_reduce(&s->r, left, right, to, s->bytes);
	return to;
}

/* The blocks [low, end), from left to right. */
static struct wf_place fold(struct sides *s, const struct wf_place *block,
			    int low, int end)
{
	struct wf_place left = block[low];

	for (int i = low + 1; i < end; i++)
		left = join(s, left, block[i]);
	return left;
}

static void build_stage(struct sides *s)
{
	const struct wf_ragged_stage *st = &s->r.stage;
	struct wf_place block[WF_RAGGED_RADIX_MAX], left, right;
	bool is_last = wf_ragged_is_last(&s->r);

	wf_ragged_give(&s->r, s->value, s->bytes);
	for (int i = 0; i < st->nblocks; i++) {
		if (i == st->own)
			continue;
		block[i] = wf_build_scratch(&s->r.b, s->bytes);
		wf_ragged_take(&s->r, block[i], s->bytes);
	}
	if (st->own > 0) {
		left = fold(s, block, 0, st->own);
		s->below = s->has_below ? join(s, left, s->below) : left;
		s->has_below = true;
		if (!is_last)
			s->value = join(s, left, s->value);
	}
	if (st->own + 1 == st->nblocks || (is_last && !s->wants_above))
		return;
	right = fold(s, block, st->own + 1, st->nblocks);
	if (s->wants_above) {
		s->above = s->has_above ? join(s, s->above, right) : right;
		s->has_above = true;
	}
	if (!is_last)
		s->value = join(s, s->value, right);
}

static int begin(struct sides *s, const struct wf_coll *coll,
		 const struct wf_coll_key *key, bool wants_above)
{
	int status = wf_ragged_init(&s->r, coll);

	if (status)
		return status;
	s->bytes = key->bytes;
	s->value = (struct wf_place){ WF_BUFFER_SEND, 0 };
	s->has_below = s->has_above = false;
	s->wants_above = wants_above;
	s->r.b.plan->width = key->width;
	while (wf_ragged_next(&s->r))
		build_stage(s);
	return WEFT_OK;
}

static int finish(struct sides *s, const struct wf_coll_key *key,
		  struct wf_plan **plan_p)
{
	int status = wf_builder_finish(&s->r.b, plan_p);

	if (status)
		return status;
	(*plan_p)->fixed = true;	/* receives go to scratch */
	(*plan_p)->kernel = key->kernel;
	return WEFT_OK;
}

int wf_exscan_build(struct wf_coll *coll, const struct wf_coll_key *key,
		    struct wf_plan **plan_p)
{
	struct wf_place result = { WF_BUFFER_RECV, 0 };
	struct sides s;
	int status = begin(&s, coll, key, false);

	if (status)
		return status;
	if (s.has_below)
		wf_ragged_copy(&s.r, s.below, result, key->bytes);
	return finish(&s, key, plan_p);
}

int wf_scan_build(struct wf_coll *coll, const struct wf_coll_key *key,
		  struct wf_plan **plan_p)
{
	struct wf_place own = { WF_BUFFER_SEND, 0 };
	struct wf_place result = { WF_BUFFER_RECV, 0 };
	struct sides s;
	int status = begin(&s, coll, key, false);

	if (status)
		return status;
	if (s.has_below)
		wf_ragged_reduce(&s.r, s.below, own, result, key->bytes);
	else
		wf_ragged_copy(&s.r, own, result, key->bytes);
	return finish(&s, key, plan_p);
}

int wf_sides_build(struct wf_coll *coll, const struct wf_coll_key *key,
		   struct wf_plan **plan_p)
{
	struct wf_place below = { WF_BUFFER_RECV, 0 };
	struct wf_place above = { WF_BUFFER_RECV, (int64_t)key->bytes };
	struct sides s;
	int status = begin(&s, coll, key, true);

	if (status)
		return status;
	if (s.has_below)
		wf_ragged_copy(&s.r, s.below, below, key->bytes);
	if (s.has_above)
		wf_ragged_copy(&s.r, s.above, above, key->bytes);
	return finish(&s, key, plan_p);
}
