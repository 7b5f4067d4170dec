/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is done in the peer's segment: line, put, put_signal, get, fetch_add,
 * cas; its other memory is copied by the kernel (shm_cma.c).  Nothing of it
 * can be full and nothing is under way when an op returns; what a reader may
 * see when is decided by one release store at the end of each write.
 *
 * The sender is the only writer of a signal's word and keeps no copy of it:
 * the word itself says how often it was raised, and of which generation.
 */
#include "transport/shm/shm.h"

#include <string.h>
#include "transport/line.h"
#include "transport/word.h"

/* The segment has grown, or the operand is not of this peer: then NULL. */
static char *look_again(struct wf_shm_ep *ep, struct wf_rloc dst, size_t n)
{
	/* With the release in grow() of segment.c. */
	ep->size = atomic_load_explicit(&ep->header->size,
					memory_order_acquire);
	if (dst.key != ep->key || dst.addr > ep->size ||
	    n > ep->size - dst.addr)
		return NULL;
	return ep->base + dst.addr;
}

static inline char *target(struct wf_shm_ep *ep, struct wf_rloc dst, size_t n)
{
	if (dst.key == ep->key && dst.addr <= ep->size &&
	    n <= ep->size - dst.addr)
		return ep->base + dst.addr;
	return look_again(ep, dst, n);
}

static int shm_lines(struct wf_ep *base, struct wf_rloc dst,
		     const struct wf_piece *piece, uint32_t n, uint32_t seq)
{
	char *to = target(wf_shm_ep(base), dst, n * WF_LINE_BYTES);
	struct wf_line *line = (struct wf_line *)to;

	if (!to || !wf_pieces_fit(piece, n, WF_LINE_DATA, dst.addr))
		return WEFT_ERR_RANGE;
	wf_line_write(line, piece->data, piece->n, seq);
	if (n > 1)
		wf_line_write(line + 1, piece[1].data, piece[1].n, seq);
	wf_shm_wake(wf_shm_ep(base));
	return wf_shm_posted(base);
}

/* Memory outside of its segment, by address? */
static inline bool is_anywhere(const struct wf_shm_ep *ep, struct wf_rloc dst)
{
	return dst.key == ep->any_key && dst.key != ep->key;
}

static int shm_put(struct wf_ep *base, struct wf_loc src, struct wf_rloc dst,
		   size_t n)
{
	struct wf_shm_ep *ep = wf_shm_ep(base);
	char *to;
	int status;

	if (!n)
		return wf_shm_posted(base);
	to = target(ep, dst, n);
	if (!to && is_anywhere(ep, dst)) {
		status = wf_shm_write_anywhere(ep, dst.addr,
					       wf_loc_address(src), n);
		return status ? status : wf_shm_posted(base);
	}
	if (!to)
		return WEFT_ERR_RANGE;
	memcpy(to, wf_loc_address(src), n);
	return wf_shm_posted(base);
}

/*
 * Where a signal of the peer is, and its next value.  NULL: it is not in use
 * under this number, which the owner counts.
 */
static _Atomic uint64_t *find_signal(struct wf_shm_ep *ep, uint32_t sig,
				     uint64_t *next_p)
{
	uint32_t index = wf_signal_index(sig);
	struct wf_rloc block = { atomic_load_explicit(
		&ep->directory->block[index / WF_SIGNAL_BLOCK],
		memory_order_relaxed), ep->key };
	struct wf_signal_line *lines = (struct wf_signal_line *)target(
		ep, block, WF_SIGNAL_BLOCK * sizeof(*lines));
	uint64_t word;

	if (!block.addr || !lines)
		return NULL;
	lines += index % WF_SIGNAL_BLOCK;
	word = atomic_load_explicit(&lines->word, memory_order_relaxed);
	if (word >> WF_SIGNAL_COUNT_BITS != wf_signal_generation(sig))
		return NULL;
	*next_p = word + 1;
	return &lines->word;
}

int wf_shm_reach(struct wf_ep *base, struct wf_rloc dst, size_t n, uint32_t sig,
		 void **to_p)
{
	struct wf_shm_ep *ep = wf_shm_ep(base);
	char *to = target(ep, dst, n);
	uint64_t next;

	if (!to)
		return WEFT_ERR_RANGE;
	*to_p = find_signal(ep, sig, &next) ? to : NULL;
	return WEFT_OK;
}

static int drop_raise(struct wf_shm_ep *ep)
{
	atomic_fetch_add_explicit(&ep->directory->dropped, 1,
				  memory_order_relaxed);
	return wf_shm_posted(&ep->ep);
}

/* The bytes of a put: the head, then those of the source. */
static int write_bytes(struct wf_shm_ep *ep, const void *src,
		       struct wf_rloc dst, size_t n, const uint64_t *head)
{
	size_t front = head ? WF_HEAD_BYTES : 0;
	char *to = target(ep, dst, n + front);

	if (!to && is_anywhere(ep, dst) && !head)
		return wf_shm_write_anywhere(ep, dst.addr, src, n);
	if (!to)
		return WEFT_ERR_RANGE;
	if (head)
		memcpy(to, head, sizeof(*head));
	if (n)
		memcpy(to + front, src, n);
	return WEFT_OK;
}

static int shm_put_signal(struct wf_ep *base, struct wf_loc src,
			  struct wf_rloc dst, size_t n, uint32_t sig,
			  const uint64_t *head)
{
	struct wf_shm_ep *ep = wf_shm_ep(base);
	_Atomic uint64_t *word;
	int status = WEFT_OK;
	uint64_t next;

	word = find_signal(ep, sig, &next);
	if (!word)
		return drop_raise(ep);
	if (n || head)
		status = write_bytes(ep, wf_loc_address(src), dst, n, head);
	if (status)
		return status;
	/* With the acquire in wf_signal_count(): the bytes are there. */
	atomic_store_explicit(word, next, memory_order_release);
	wf_shm_wake(ep);
	return wf_shm_posted(base);
}

static int shm_get(struct wf_ep *base, struct wf_loc dst, struct wf_rloc src,
		   size_t n)
{
	struct wf_shm_ep *ep = wf_shm_ep(base);
	const char *from;
	int status;

	if (!n)
		return wf_shm_posted(base);
	from = target(ep, src, n);
	if (!from && is_anywhere(ep, src)) {
		status = wf_shm_read_anywhere(ep, wf_loc_address(dst), src.addr,
					      n);
		return status ? status : wf_shm_posted(base);
	}
	if (!from)
		return WEFT_ERR_RANGE;
	memcpy(wf_loc_address(dst), from, n);
	return wf_shm_posted(base);
}

/* The CPUs of the node are the agent. */
static int change_word(struct wf_ep *base, struct wf_rloc dst,
		       const struct wf_word_op *op, uint64_t *old)
{
	char *word = target(wf_shm_ep(base), dst, WF_WORD_BYTES);

	if (!word || dst.addr % WF_WORD_BYTES)
		return WEFT_ERR_RANGE;
	*old = wf_word_do(word, op);
	return wf_shm_posted(base);
}

static int shm_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
			 uint64_t *old)
{
	const struct wf_word_op op = { .operand = add };

	return change_word(ep, dst, &op, old);
}

static int shm_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		   uint64_t desired, uint64_t *old)
{
	const struct wf_word_op op = { .operand = desired,
				       .expected = expected, .is_cas = true };

	return change_word(ep, dst, &op, old);
}

/* All that was posted is reusable and, behind any release, visible. */
static int shm_flush(struct wf_ep *base, enum wf_flush what)
{
	(void)base;
	(void)what;
	return WEFT_OK;
}

const struct wf_ep_ops wf_shm_ep_ops = {
	wf_shm_mail,
	shm_lines,
	shm_put,
	shm_put_signal,
	shm_get,
	shm_fetch_add,
	shm_cas,
	shm_flush
};
