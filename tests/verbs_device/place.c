/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the bytes of plain writes are between the wire and memory.  What may
 * happen to them, and where that is said:
 *
 * - Those of a later work request are there first.  InfiniBand vol. 1, 9.5: the
 *   order in which a responder executes requests is that of the requester, but
 *   an application must not depend on the order in which data gets into memory;
 *   ibv_query_qp_data_in_order(3): its answer is about one work request, and
 *   tells nothing of separate ones.
 * - Those of one write come by packets of the path's MTU in any order.  The
 *   same, unless the device promises it (in_order).
 * - The source is read as late as the bytes are placed.  It is the device's
 *   until the completion (10.8.3.2).
 * - They come after the completion of the sender.  9.7.5.1: an acknowledge says
 *   that the data has reached the adapter of the responder, and may be sent
 *   before it is in memory.  This has a word of its own (late), since adapters
 *   that are in use write before they acknowledge.
 *
 * What must wait for them is in send.c.
 */
#include "tests/verbs_device/device.h"

#include <stdlib.h>
#include <string.h>

enum {
	WORD = 8
};

/* A part of a write that is under way. */
struct vd_piece {
	struct vd_piece *next;
	struct vd_wr *wr;		/* NULL: it is acknowledged, */
	char *copy;			/* and these are its bytes */
	uint32_t process, qpn;		/* the peer's */
	uint32_t key;
	uint64_t addr;
	uint64_t offset, n;		/* in the source */
	uint64_t due;
};

/* Bytes [offset, offset + n) of what is gathered; how many parts. */
static int cut(const struct iovec *from, int parts, uint64_t offset,
	       uint64_t n, struct iovec *to)
{
	int k = 0;

	for (int i = 0; i < parts && n; i++) {
		uint64_t have = from[i].iov_len, take;

		if (offset >= have) {
			offset -= have;
			continue;
		}
		take = vd_sooner(have - offset, n);
		to[k++] = (struct iovec){ (char *)from[i].iov_base + offset,
					  take };
		offset = 0;
		n -= take;
	}
	return k;
}

static int store(uint32_t process, const struct iovec *from, int parts,
		 uint64_t to)
{
	uint64_t n = 0;
	struct iovec part[VD_SGES];
	int error = 0;

	for (int i = 0; i < parts; i++)
		n += from[i].iov_len;
	/* The last word is seen last where order is promised. */
	if (n > WORD) {
		error = vd_write(process, part, cut(from, parts, 0, n - WORD,
						    part), to);
		to += n - WORD;
		parts = cut(from, parts, n - WORD, WORD, part);
		from = part;
	}
	return error ? error : vd_write(process, from, parts, to);
}

static int source(const struct vd_wr *w, struct iovec *iov)
{
	if (!w->copy)
		return vd_gather(w->sge, w->wr.num_sge, iov);
	iov[0] = (struct iovec){ w->copy, w->bytes };
	return 1;
}

static void place(const struct vd_piece *p)
{
	struct iovec all[VD_SGES], part[VD_SGES];
	int parts = 1, error;

	if (p->copy)
		part[0] = (struct iovec){ p->copy, p->n };
	else
		parts = cut(all, source(p->wr, all), p->offset, p->n, part);
	error = store(p->process, part, parts, p->addr);
	if (error)
		vd_has_died(p->process, p->addr, error);
}

static bool is_promised(const struct vd_qp_state *to)
{
	return vd_device_of(to->host, to->device)->in_order;
}

static struct vd_piece *make_piece(struct vd_wr *w,
				   const struct vd_qp_state *to,
				   uint64_t offset, uint64_t n)
{
	struct vd_piece *p = calloc(1, sizeof(*p));

	if (!p)
		vd_die("no memory");
	*p = (struct vd_piece){
		.wr = w, .process = to->used, .qpn = to->qpn,
		.key = w->wr.wr.rdma.rkey,
		.addr = w->wr.wr.rdma.remote_addr + offset,
		.offset = offset, .n = n
	};
	return p;
}

/* In front or behind, so that those that are due together are not in order. */
static void add(struct vd_qp *q, struct vd_piece *p)
{
	struct vd_piece **at = &q->pieces;

	while (*at && vd_one_in(2))
		at = &(*at)->next;
	p->next = *at;
	*at = p;
	p->wr->pieces++;
	vd_due(p->due);
}

/* Where it goes; NULL: its owner has taken that back, or is dead. */
static struct vd_mr_state *region(const struct vd_piece *p)
{
	struct vd_mr_state *m = vd_mr_of(p->key, true);

	return m && m->used == p->process ? m : NULL;
}

/* From now on it is the peer's adapter that has it. */
static void acknowledge(struct vd_piece *p)
{
	struct iovec all[VD_SGES], part[VD_SGES];
	int parts = cut(all, source(p->wr, all), p->offset, p->n, part);
	char *to = p->copy = malloc(p->n);
	struct vd_mr_state *m = region(p);

	if (!to)
		vd_die("no memory");
	for (int i = 0; i < parts; i++) {
		memcpy(to, part[i].iov_base, part[i].iov_len);
		to += part[i].iov_len;
	}
	if (m)
		m->late++;
	p->wr->pieces--;
	p->wr = NULL;
}

static void free_piece(struct vd_piece *p)
{
	struct vd_mr_state *m = p->copy ? region(p) : NULL;

	if (m && m->late)
		m->late--;
	free(p->copy);
	free(p);
}

static uint64_t packet(const struct vd_qp *q)
{
	return (uint64_t)128 << q->state->attr.path_mtu;
}

void vd_launch(struct vd_qp *q, struct vd_wr *w, struct vd_qp_state *to)
{
	const struct vd_adverse *a = &vd_setup()->adverse;
	bool late = vd_one_in(a->reorder);
	bool parted = !is_promised(to) && vd_one_in(a->packets);
	bool early = (late || parted) && vd_one_in(a->late);
	uint64_t step = parted ? packet(q) : w->bytes, now = vd_now();

	if (!late && !parted) {
		vd_place_now(w, to);
		return;
	}
	for (uint64_t at = 0; at < w->bytes; at += step) {
		struct vd_piece *p = make_piece(w, to, at,
						vd_sooner(step,
							  w->bytes - at));

		p->due = now + (at && !parted ? 0 : vd_delay());
		add(q, p);
		if (early)
			acknowledge(p);
	}
}

void vd_place_now(struct vd_wr *w, struct vd_qp_state *to)
{
	struct vd_piece p = {
		.wr = w, .process = to->used,
		.addr = w->wr.wr.rdma.remote_addr, .n = w->bytes
	};

	if (w->bytes)
		place(&p);
}

/* One that is acknowledged: its sender may have been away for long. */
static void land(const struct vd_piece *p)
{
	if (region(p))
		place(p);
}

/* Its queue pair or its memory may be gone by now. */
static void arrive(struct vd_piece *p)
{
	const struct vd_qp_state *to = vd_qp_of(p->qpn);
	bool receives = to && (to->state == IBV_QPS_RTR ||
			       to->state == IBV_QPS_RTS);

	if (!p->wr) {
		land(p);
		return;
	}
	p->wr->pieces--;
	if (!receives)
		p->wr->begun = false;	/* it is sent again */
	else if (!region(p))
		vd_request_ends(p->wr, IBV_WC_REM_ACCESS_ERR);
	else
		place(p);
	if (p->wr->begun && !p->wr->pieces)
		p->wr->done = true;
}

/* When the next one is due. */
uint64_t vd_place_due(struct vd_qp *q, uint64_t now)
{
	struct vd_piece **at = &q->pieces, *p;
	uint64_t due = UINT64_MAX;

	while ((p = *at)) {
		if (p->due > now) {
			due = vd_sooner(due, p->due);
			at = &p->next;
			continue;
		}
		*at = p->next;
		arrive(p);
		free_piece(p);
	}
	return due;
}

bool vd_is_under_way(const struct vd_qp *q)
{
	return q->pieces;
}

/* The queue pair ends: what is not acknowledged never comes. */
void vd_land_acknowledged(struct vd_qp *q)
{
	struct vd_piece *p;

	while ((p = q->pieces)) {
		q->pieces = p->next;
		if (!p->wr)
			land(p);
		free_piece(p);
	}
}
