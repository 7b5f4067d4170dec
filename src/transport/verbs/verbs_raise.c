/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How signals of the peer are raised whose words we change.  As a rule one is
 * raised by the immediate data of the write (verbs_post.h), which takes a
 * buffer of the peer's receive queue.  The peer gives out only so many such
 * numbers as that queue has room for (wf_signals_limit()); the others have an
 * index from WF_SIGNAL_REPORTED on, and we swap their word, behind the bytes.
 *
 * An adapter does an atomic op when all writes that were posted before it on
 * its queue pair are in memory.  Of two writes the second one may land first,
 * also if both are complete soon: who sees the count must see the bytes.  The
 * word is compared with what we have raised so far, so that a raise that is
 * done twice counts once, and one for an owner that has given the number to
 * somebody else not at all.  Where the adapters have no atomic ops the count is
 * written, behind a read that is answered when the bytes, and the count before
 * it, are in memory.
 *
 * Where the word is, the directory in the peer's segment tells: it is read
 * once for each block of signals, and the door with it, because the block may
 * lie in what the segment grew by.
 */
#include <stdlib.h>
#include "transport/verbs/verbs_post.h"

enum block_state {
	UNKNOWN,
	ASKED,
	KNOWN,
	ABSENT				/* there was no such block just now */
};

/* A block of the peer's signals. */
struct block {
	enum block_state state;
	uint64_t offset;		/* in its segment; 0: there is none */
	struct wf_rloc at;
};

/* A signal whose only writer we are. */
struct raised {
	uint32_t sig;
	uint64_t count;
};

static int stage_read(struct wf_verbs_ep *ep, uint64_t from, struct block *to)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, IBV_WR_RDMA_READ,
						   WF_VERBS_DO_LOCATE);

	if (!entry || !wf_verbs_slotted(ep, entry, sizeof(uint64_t)))
		return WEFT_AGAIN;
	wf_verbs_aim(entry, from, ep->zero.key);
	entry->post = ep->ep.posted;
	entry->to = to;
	return WEFT_OK;
}

/* The directory's entry first: what it names is behind the door, or will be. */
static int ask(struct wf_verbs_ep *ep, uint32_t number, struct block *b)
{
	uint64_t entry = ep->directory +
		number * sizeof(uint64_t) +
		offsetof(struct wf_signal_directory, block);
	int status = wf_verbs_room(ep, 2);
	struct wf_verbs_wr *first;

	if (!status)
		status = stage_read(ep, entry, b);
	if (!status) {
		first = wf_verbs_at(ep, ep->head);
		first->part = true;
		first->post++;
		status = stage_read(ep, ep->door, b);
	}
	if (!status)
		status = wf_verbs_do(ep);
	wf_verbs_discard(ep);
	if (!status)
		b->state = ASKED;
	return WEFT_AGAIN;
}

/* The first one has brought the offset, the last one brings the door. */
void wf_verbs_located(struct wf_verbs_ep *ep, const struct wf_verbs_wr *entry)
{
	const uint64_t bytes = WF_SIGNAL_BLOCK *
			       sizeof(struct wf_signal_line);
	struct block *b = entry->to;
	uint64_t word;

	memcpy(&word, entry->slot, sizeof(word));
	if (entry->part) {
		b->offset = word;
		return;
	}
	if (!b->offset)
		b->state = ABSENT;
	else if (b->offset + bytes > (word & UINT32_MAX) * WF_VERBS_DOOR_PAGE)
		b->state = UNKNOWN;
	else
		b->state = KNOWN;
	b->at = (struct wf_rloc){ ep->zero.addr + b->offset, word >> 32 };
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

/* For a count that is not inline, behind a head and a short last part. */
static bool has_room_for_count(const struct wf_verbs_ep *ep)
{
	return wf_verbs_has_atomics(wf_verbs_dev(ep->ep.dev)) ||
	       ep->inline_max >= sizeof(uint64_t) ||
	       wf_verbs_has_slots(ep, 3);
}

int wf_verbs_find_signal(struct wf_verbs_ep *ep, uint32_t sig)
{
	uint32_t number = wf_signal_index(sig) / WF_SIGNAL_BLOCK;
	struct block *b;

	if (!wf_verbs_stores(sig))
		return WEFT_OK;
	b = block_of(ep, number);
	if (!b || !raised_of(ep, sig))
		return WEFT_ERR_NOMEM;
	if (b->state == UNKNOWN)
		return ask(ep, number, b);
	return b->state == ASKED || !has_room_for_count(ep) ? WEFT_AGAIN :
							      WEFT_OK;
}

/* Behind the bytes, if there are any. */
static struct wf_verbs_wr *stage_swap(struct wf_verbs_ep *ep,
				      struct wf_rloc at, uint64_t word)
{
	struct wf_verbs_word op = { IBV_WR_ATOMIC_CMP_AND_SWP,
				    { word, word + 1 } };

	return wf_verbs_stage_word(ep, &op, at, WF_VERBS_DO_SIGNAL);
}

/* Nobody wants to know what is there. */
static struct wf_verbs_wr *stage_look(struct wf_verbs_ep *ep, uint64_t post)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, IBV_WR_RDMA_READ,
						   WF_VERBS_DO_FLUSH);

	if (!entry)
		return NULL;
	wf_verbs_sunk(ep, entry);
	wf_verbs_aim(entry, ep->zero.addr, ep->zero.key);
	entry->post = post;
	return entry;
}

static struct wf_verbs_wr *stage_store(struct wf_verbs_ep *ep,
				       struct wf_rloc at, uint64_t word,
				       uint64_t post)
{
	struct wf_verbs_wr *look = stage_look(ep, post), *entry;
	char *to;

	if (!look)
		return NULL;
	look->part = true;
	entry = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE, WF_VERBS_DO_SIGNAL);
	to = entry ? wf_verbs_copied(ep, entry, sizeof(word)) : NULL;
	if (!to)
		return NULL;
	memcpy(to, &word, sizeof(word));
	entry->request->fenced = true;
	wf_verbs_aim(entry, at.addr, at.key);
	return entry;
}

static int swap(struct wf_verbs_ep *ep, const struct block *b,
		struct raised *r, uint64_t post)
{
	bool atomic = wf_verbs_has_atomics(wf_verbs_dev(ep->ep.dev));
	uint64_t word = (uint64_t)wf_signal_generation(r->sig)
		<< WF_SIGNAL_COUNT_BITS | r->count;
	struct wf_rloc at = {
		b->at.addr + wf_signal_index(r->sig) % WF_SIGNAL_BLOCK *
			sizeof(struct wf_signal_line), b->at.key
	};
	struct wf_verbs_wr *entry = atomic ? stage_swap(ep, at, word) :
		stage_store(ep, at, word + 1, post);
	int status;

	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->post = post;
	entry->mark.where = r->sig;
	entry->mark.stamp = r->count + 1;
	status = wf_verbs_do(ep);
	r->count += !status;
	return status;
}

/* The owner counts what was raised for nobody, if an adapter can. */
static int drop(struct wf_verbs_ep *ep, uint64_t post)
{
	bool atomic = wf_verbs_has_atomics(wf_verbs_dev(ep->ep.dev));
	struct wf_verbs_word op = { IBV_WR_ATOMIC_FETCH_AND_ADD, { 1, 0 } };
	struct wf_rloc at = {
		ep->directory + offsetof(struct wf_signal_directory, dropped),
		ep->zero.key
	};
	struct wf_verbs_wr *entry = atomic ?
		wf_verbs_stage_word(ep, &op, at, WF_VERBS_DO_WORD) :
		stage_look(ep, post);

	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->post = post;
	return wf_verbs_do(ep);
}

static int raise_word(struct wf_verbs_ep *ep, struct wf_verbs_wr *bytes,
		      uint32_t sig)
{
	struct block *b = block_of(ep, wf_signal_index(sig) / WF_SIGNAL_BLOCK);
	uint64_t post = bytes->post;

	if (bytes->bytes)
		bytes->part = true;
	else
		wf_verbs_discard(ep);
	if (b->state == KNOWN)
		return swap(ep, b, raised_of(ep, sig), post);
	/* It may be there the next time. */
	b->state = UNKNOWN;
	return drop(ep, post);
}

int wf_verbs_raise_stored(struct wf_verbs_ep *ep, struct wf_verbs_wr *bytes,
			  uint32_t sig)
{
	int status = raise_word(ep, bytes, sig);

	wf_verbs_discard(ep);
	return status;
}

int wf_verbs_raise_behind(struct wf_verbs_ep *ep, struct wf_verbs_wr *bytes,
			  uint32_t sig)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE,
						   WF_VERBS_DO_PUT);

	if (!entry) {
		wf_verbs_discard(ep);
		return WEFT_ERR_NOMEM;
	}
	bytes->part = true;
	entry->reports = false;
	wf_verbs_aim(entry, ep->zero.addr, ep->zero.key);
	wf_verbs_let_raise(ep, entry, sig);
	return wf_verbs_do(ep);
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
