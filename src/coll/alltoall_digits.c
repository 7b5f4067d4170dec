/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alltoall by the digits of distances.
 *
 * Idea: in a round a rank gives, for each digit but 0, all blocks whose
 * distance to their rank has that digit here to the rank that is so far above,
 * put together; a block has come when all its digits have had their round.
 * Rounds: ceil(log_8 P), each with at most 7 messages each way; up to P = 8
 * one, from and into the memory of the program.  Bytes: n P/8 a message, so
 * 7/8 n P a round.  Copies: of each block one a round that it takes part in,
 * and one at the end.  Scratch: twice the bytes of each round.  Any P.  All
 * ranks have begun when one is done.  At radix 8 a plan has at most
 * 7 (7 r - 6) steps of copies, of blocks at a constant stride, for its r-th
 * round, and about 8 for each in the end; one of blocks without bytes has none.
 *
 * Source: J. Bruck et al., Efficient algorithms for all-to-all communications
 * in multiport message-passing systems, IEEE TPDS 8(11), 1997.
 */
#include "coll/digits.h"

#include <stdlib.h>
#include "coll/chain.h"
#include "plan/copies.h"

struct mover {
	struct wf_chain chain;
	const struct weft_comm *comm;
	int base;
	uint64_t bytes;			/* of a block */
	struct wf_place *at;		/* blocks, by distance: sent by the rank
					   so far below, or for the one above */
	uint32_t edge;
	struct wf_copies copies;	/* not written down yet */
};

static struct wf_place place(enum wf_buffer buffer, uint64_t offset)
{
	return (struct wf_place){ buffer, (int64_t)offset };
}

/* Where the program wants the block that comes from so far. */
static struct wf_place wanted(const struct mover *m, int far)
{
	int size = m->comm->size, from = (m->comm->rank - far + size) % size;

	return place(WF_BUFFER_RECV, m->bytes * (uint64_t)from);
}

/*
 * The next distance with that digit there, from so far on; none, as where
 * blocks have no bytes: size.
 */
static int next_far(const struct mover *m, const struct wf_digit *d,
		    int64_t far)
{
	int64_t all = d->unit * m->base, first = d->unit * d->digit;
	int64_t at = far % all;

	if (at < first)
		far += first - at;
	else if (at >= first + d->unit)
		far += all - at + first;
	return m->bytes && far < m->comm->size ? (int)far : m->comm->size;
}

static int count(const struct mover *m, const struct wf_digit *d)
{
	int n = 0;

	for (int far = next_far(m, d, 0); far < m->comm->size;
	     far = next_far(m, d, far + 1))
		n++;
	return n;
}

static void write_down(struct mover *m)
{
	if (m->copies.n)
		wf_chain_then(&m->chain,
			      wf_build_copies(&m->chain.b, &m->copies));
	m->copies.n = 0;
}

static void copy(struct mover *m, struct wf_place from, struct wf_place to,
		 uint64_t bytes)
{
	if (wf_copies_add(&m->copies, from, to, bytes))
		return;
	write_down(m);
	wf_copies_add(&m->copies, from, to, bytes);
}

/*
 * Runs of blocks that one message of an earlier round has brought, or that have
 * not been sent yet: one in each period of the digit, from first on in it.
 */
static void copy_runs(struct mover *m, const struct wf_digit *d,
		      int64_t first, int64_t blocks, struct wf_place to)
{
	int64_t size = m->comm->size, unit = d->unit;

	for (int64_t far = unit * d->digit + first; far < size;
	     far += unit * m->base) {
		int64_t n = far + blocks < size ? blocks : size - far;
		int64_t before = far / (unit * m->base) * unit + first;
		struct wf_place at = to;

		at.offset += before * (int64_t)m->bytes;
		copy(m, m->at[far], at, (uint64_t)n * m->bytes);
	}
	write_down(m);
}

/* In the order of distances, by where they are. */
static void put_together(struct mover *m, const struct wf_digit *d,
			 struct wf_place to)
{
	copy_runs(m, d, 0, 1, to);
	for (int64_t unit = 1; unit < d->unit; unit *= m->base)
		for (int digit = 1; digit < m->base; digit++)
			copy_runs(m, d, unit * digit, unit, to);
}

/* What is sent by one edge; one block is where it is, and so are none. */
static struct wf_place prepare(struct mover *m, const struct wf_digit *d, int n)
{
	struct wf_place to;

	if (n <= 1)
		return m->at[d->unit * d->digit];
	to = wf_build_scratch(&m->chain.b, m->bytes * (uint64_t)n);
	put_together(m, d, to);
	return to;
}

/* One block has no digit left, and comes to where it is wanted. */
static struct wf_place room(struct mover *m, const struct wf_digit *d, int n)
{
	if (n <= 1)
		return wanted(m, (int)(d->unit * d->digit));
	return wf_build_scratch(&m->chain.b, m->bytes * (uint64_t)n);
}

/* Of one edge, whose blocks are at `to` from then on. */
static void exchange(struct mover *m, const struct wf_digit *d, int n,
		     struct wf_place from)
{
	struct wf_place to = room(m, d, n);
	uint64_t all = m->bytes * (uint64_t)n;

	wf_chain_send(&m->chain, m->edge, from, all);
	wf_chain_recv(&m->chain, m->edge++, to, all);
	for (int far = next_far(m, d, 0); far < m->comm->size;
	     far = next_far(m, d, far + 1)) {
		m->at[far] = to;
		to.offset += (int64_t)m->bytes;
	}
}

/* All edges of one unit. */
static void build_round(struct mover *m, int64_t unit)
{
	struct wf_place from[WF_RAGGED_RADIX_MAX];
	int n[WF_RAGGED_RADIX_MAX];
	struct wf_digit d = { unit, 1 };

	/* what goes now may have come in the last one */
	wf_chain_copy(&m->chain, m->at[0], m->at[0], 0);
	for (; d.digit < m->base && unit * d.digit < m->comm->size; d.digit++) {
		n[d.digit] = count(m, &d);
		from[d.digit] = prepare(m, &d, n[d.digit]);
	}
	for (int i = 1; i < d.digit; i++) {
		struct wf_digit one = { unit, i };

		exchange(m, &one, n[i], from[i]);
	}
}

static void build(struct mover *m)
{
	int size = m->comm->size;

	for (int far = 0; far < size; far++)
		m->at[far] = place(WF_BUFFER_SEND, m->bytes * (uint64_t)
				   ((m->comm->rank + far) % size));
	for (int64_t unit = 1; unit < size; unit *= m->base)
		build_round(m, unit);
	for (int far = 0; far < size && m->bytes; far++)
		if (m->at[far].buffer != WF_BUFFER_RECV)
			copy(m, m->at[far], wanted(m, far), m->bytes);
	write_down(m);
}

int wf_alltoall_build(const struct wf_schedule *s, struct wf_set *set,
		      const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	struct mover m = {
		.comm = s->comm, .base = wf_digits_base(s->comm),
		.bytes = key->bytes
	};
	int status;

	m.at = malloc((size_t)s->comm->size * sizeof(*m.at));
	if (!m.at)
		return WEFT_ERR_NOMEM;
	status = wf_chain_init(&m.chain, set);
	if (!status) {
		build(&m);
		status = wf_builder_finish(&m.chain.b, plan_p);
	}
	free(m.at);
	return status;
}
