/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How signals of the peer are raised.  As a rule by the immediate data of the
 * write, which takes an entry of the peer's shared receive queue.  The peer
 * gives out only so many such numbers as that queue has room for (wf_verbs_
 * ledger()); the others have an index from WF_SIGNAL_STORED on, and we store
 * their word by a second write behind the bytes, as shared memory does.
 *
 * Where the word is, the directory in the peer's segment tells: it is read
 * once for each block of signals, and the door with it, because the block may
 * lie in what the segment grew by.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include "transport/verbs/verbs.h"

enum block_state {
	UNKNOWN,
	ASKED,
	KNOWN,
	ABSENT				/* there was no such block just now */
};

/* A block of the peer's signals. */
struct block {
	enum block_state state;
	struct wf_rloc at;
};

/* A signal whose only writer we are. */
struct raised {
	uint32_t sig;
	uint64_t count;
};

static int read_word(struct wf_verbs_ep *ep, uint64_t from, char *to,
		     struct wf_verbs_wr entry)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_RDMA_READ, .num_sge = 1 },
		.sge = { { (uintptr_t)to, 8, dev->buffer_mr->lkey } },
		.entry = entry
	};

	p.wr.wr.rdma.remote_addr = from;
	p.wr.wr.rdma.rkey = (uint32_t)ep->zero.key;
	return wf_verbs_do(ep, &p);
}

/* The directory's entry first: what it names is behind the door, or will be. */
static int ask(struct wf_verbs_ep *ep, uint32_t number, struct block *b)
{
	uint64_t entry = ep->directory +
		number * sizeof(uint64_t) +
		offsetof(struct wf_signal_directory, block);
	struct wf_verbs_wr silent = { .post = ep->ep.posted,
				      .mark.what = WF_VERBS_DO_LOCATE };
	struct wf_verbs_wr last = silent;

	if (wf_verbs_room(ep, 2))
		return WEFT_AGAIN;
	last.slot = wf_verbs_take_slot(ep);
	if (!last.slot)
		return WEFT_AGAIN;
	last.to = b;
	if (read_word(ep, entry, last.slot, silent)) {
		wf_verbs_give_slot(ep, last.slot);
		return WEFT_AGAIN;
	}
	if (!read_word(ep, ep->door, last.slot + 8, last))
		b->state = ASKED;
	return WEFT_AGAIN;
}

void wf_verbs_located(struct wf_verbs_ep *ep, const struct wf_verbs_wr *entry)
{
	const uint64_t bytes = WF_SIGNAL_BLOCK *
			       sizeof(struct wf_signal_line);
	struct block *b = entry->to;
	uint64_t offset, door;

	if (!b)
		return;
	memcpy(&offset, entry->slot, sizeof(offset));
	memcpy(&door, entry->slot + 8, sizeof(door));
	if (!offset) {
		b->state = ABSENT;
	} else if (offset + bytes > (door & UINT32_MAX) * WF_VERBS_DOOR_PAGE) {
		b->state = UNKNOWN;
	} else {
		b->state = KNOWN;
		b->at = (struct wf_rloc){ ep->zero.addr + offset, door >> 32 };
	}
}

static struct block *block_of(struct wf_verbs_ep *ep, uint32_t number)
{
	struct block *b = wf_map_get(&ep->blocks, number);

	if (b)
		return b;
	b = calloc(1, sizeof(*b));
	if (b && wf_map_put(&ep->blocks, number, b)) {
		free(b);
		b = NULL;
	}
	return b;
}

static struct raised *raised_of(struct wf_verbs_ep *ep, uint32_t sig)
{
	struct raised *r = wf_map_get(&ep->raised, wf_signal_index(sig));

	if (!r) {
		r = calloc(1, sizeof(*r));
		if (r && wf_map_put(&ep->raised, wf_signal_index(sig), r)) {
			free(r);
			r = NULL;
		}
	}
	if (r && r->sig != sig)
		*r = (struct raised){ .sig = sig };
	return r;
}

static bool is_stored(uint32_t sig)
{
	return wf_signal_index(sig) >= WF_SIGNAL_STORED;
}

int wf_verbs_find_signal(struct wf_verbs_ep *ep, uint32_t sig)
{
	uint32_t number = wf_signal_index(sig) / WF_SIGNAL_BLOCK;
	struct block *b;

	if (!is_stored(sig))
		return WEFT_OK;
	b = block_of(ep, number);
	if (!b || !raised_of(ep, sig))
		return WEFT_ERR_NOMEM;
	if (b->state == UNKNOWN)
		return ask(ep, number, b);
	return b->state == ASKED ? WEFT_AGAIN : WEFT_OK;
}

/* Behind the bytes, if there are any. */
static int store(struct wf_verbs_ep *ep, const struct block *b,
		 struct raised *r, struct wf_verbs_post *bytes)
{
	uint64_t word = (uint64_t)wf_signal_generation(r->sig)
		<< WF_SIGNAL_COUNT_BITS | (r->count + 1);
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_RDMA_WRITE },
		.before = bytes->wr.num_sge ? bytes : NULL,
		.entry = { .post = bytes->entry.post,
			   .mark = { .where = r->sig, .stamp = r->count + 1,
				     .what = WF_VERBS_DO_SIGNAL } }
	};
	int status = wf_verbs_source(ep, wf_loc_any(&word), sizeof(word), &p);

	if (status && p.before)
		wf_verbs_undo(ep, &p.before->entry);
	p.wr.wr.rdma.remote_addr = b->at.addr +
		wf_signal_index(r->sig) % WF_SIGNAL_BLOCK *
		sizeof(struct wf_signal_line);
	p.wr.wr.rdma.rkey = (uint32_t)b->at.key;
	if (!status)
		status = wf_verbs_do(ep, &p);
	r->count += !status;
	return status;
}

/* The owner counts what was raised for nobody. */
static int drop(struct wf_verbs_ep *ep, uint64_t post)
{
	struct wf_rloc at = {
		ep->directory + offsetof(struct wf_signal_directory, dropped),
		ep->zero.key
	};

	return wf_verbs_add_one(ep, at, post);
}

int wf_verbs_raise(struct wf_verbs_ep *ep, struct wf_verbs_post *p,
		   uint32_t sig)
{
	uint32_t number = wf_signal_index(sig) / WF_SIGNAL_BLOCK;
	struct block *b;
	int status = WEFT_OK;

	if (!is_stored(sig)) {
		p->wr.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
		p->wr.imm_data = htobe32(wf_verbs_imm(sig, ep->numbered));
		return wf_verbs_do(ep, p);
	}
	b = block_of(ep, number);
	p->entry.part = true;
	if (b->state == KNOWN)
		return store(ep, b, raised_of(ep, sig), p);
	/* It may be there the next time. */
	b->state = UNKNOWN;
	if (p->wr.num_sge)
		status = wf_verbs_do(ep, p);
	return status ? status : drop(ep, p->entry.post);
}

static void free_all(struct wf_map *map)
{
	size_t cursor = 0;
	void *value;

	while (wf_map_next(map, &cursor, NULL, &value))
		free(value);
	wf_map_fini(map);
}

void wf_verbs_forget_raised(struct wf_verbs_ep *ep)
{
	free_all(&ep->blocks);
	free_all(&ep->raised);
}
