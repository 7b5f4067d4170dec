/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fetch_add and cas: the adapter of the owner does them, for all ranks, the
 * owner too.  The old value comes into a slot, and from there to the caller.
 */
#include "transport/verbs/verbs_post.h"
#include "transport/word.h"

static void make(struct wf_verbs_wr *entry, const struct wf_verbs_word *op,
		 struct wf_rloc dst)
{
	wf_verbs_aim(entry, dst.addr, dst.key);
	memcpy(entry->request->from.operand, op->operand, sizeof(op->operand));
}

/* NULL: not now. */
static struct wf_verbs_wr *stage(struct wf_verbs_ep *ep,
				 const struct wf_verbs_word *op,
				 struct wf_rloc dst)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, op->opcode,
						   WF_VERBS_DO_WORD);

	if (!entry)
		return NULL;
	if (!wf_verbs_slotted(ep, entry, WF_WORD_BYTES)) {
		wf_verbs_discard(ep);
		return NULL;
	}
	make(entry, op, dst);
	return entry;
}

static int post(struct wf_ep *base, struct wf_rloc dst,
		const struct wf_verbs_word *op, uint64_t *old)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	struct wf_verbs_wr *entry;
	int status;

	if (dst.addr % WF_WORD_BYTES || dst.key >> 32 != ep->tag)
		return WEFT_ERR_RANGE;
	status = wf_verbs_room(ep, 1);
	if (status)
		return status;
	entry = stage(ep, op, dst);
	if (!entry)
		return WEFT_AGAIN;
	entry->to = old;
	entry->holds = true;
	status = wf_verbs_do(ep);
	if (!status)
		wf_verbs_posted(ep);
	return status;
}

int wf_verbs_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		       uint64_t *old)
{
	struct wf_verbs_word op = { IBV_WR_ATOMIC_FETCH_AND_ADD, { add, 0 } };

	return post(ep, dst, &op, old);
}

int wf_verbs_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		 uint64_t desired, uint64_t *old)
{
	struct wf_verbs_word op = { IBV_WR_ATOMIC_CMP_AND_SWP,
			      { expected, desired } };

	return post(ep, dst, &op, old);
}

struct wf_verbs_wr *wf_verbs_stage_word(struct wf_verbs_ep *ep,
					const struct wf_verbs_word *op,
					struct wf_rloc dst,
					enum wf_verbs_what what)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, op->opcode, what);

	if (!entry)
		return NULL;
	wf_verbs_sunk(ep, entry);
	make(entry, op, dst);
	return entry;
}
