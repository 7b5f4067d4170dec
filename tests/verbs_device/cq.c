/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completion queues.  An entry may be seen some time after it was
 * made, and with others: when is the device's business (ibv_poll_cq(3)), but
 * none is seen before those in front of it.
 */
#include "tests/verbs_device/device.h"

static struct vd_cqe *entry(const struct vd_cq_state *c, uint32_t at)
{
	return (struct vd_cqe *)vd_ring(c->ring) + at % c->size;
}

/* Is there one at the tail that may be seen? */
static bool shows(const struct vd_cq_state *c, uint64_t now)
{
	return c->head != c->tail && entry(c, c->tail)->due <= now;
}

/* Entries that are held back until some time are seen together then. */
static uint64_t hold(const struct vd_cq_state *c, uint64_t now)
{
	uint64_t due = now, before = 0;

	if (c->head != c->tail)
		before = entry(c, c->head - 1)->due;
	if (vd_one_in(vd_setup()->adverse.completions))
		due += vd_delay();
	return due > before ? due : before;
}

/* One that is seen now; only those do that were not there at the request. */
static void ring_for(struct vd_cq_state *c, const struct vd_cqe *e)
{
	if (!c->armed || e->due <= c->since ||
	    (c->armed == 2 && !e->solicited))
		return;
	c->armed = 0;
	c->rung = true;
	vd_ring_process(c->used);
}

/* InfiniBand vol. 1, 11.6.3.2: it is in error, and so are its queue pairs. */
void vd_cq_fail(struct vd_cq_state *c)
{
	uint32_t number = (uint32_t)(c - vd_world->cq);

	if (c->failed)
		return;
	c->failed = true;
	vd_announce_cq(c);
	for (int i = 0; i < VD_QPS; i++) {
		struct vd_qp_state *q = &vd_world->qp[i];

		if (q->used && (q->scq == number || q->rcq == number))
			vd_qp_fail(q);
	}
}

void vd_complete(struct vd_cq_state *c, const struct vd_cqe *e)
{
	struct vd_cqe *to = entry(c, c->head);
	uint64_t now = vd_now();

	if (c->head - c->tail == c->size && !c->failed) {
		vd_finding("completion queue of %u entries of process %d "
			   "overruns", (unsigned)c->size,
			   vd_process(c->used)->pid);
		vd_cq_fail(c);
	}
	if (c->failed)
		return;
	*to = *e;
	to->due = hold(c, now);
	to->solicited |= !!e->wc.status;
	__atomic_store_n(&c->head, c->head + 1, __ATOMIC_RELEASE);
	if (to->due <= now) {
		ring_for(c, to);
		return;
	}
	/* Its owner shows it in time. */
	vd_ring_process(c->used);
	if (c->used == vd_me())
		vd_due(to->due);
}

static uint64_t show(struct vd_cq_state *c, uint64_t now)
{
	for (uint32_t i = c->tail; i != c->head; i++) {
		const struct vd_cqe *e = entry(c, i);

		if (e->due > now)
			return e->due;
		ring_for(c, e);
	}
	return UINT64_MAX;
}

/* Events of what was held back; when the next one is due. */
uint64_t vd_show_completions(uint64_t now)
{
	uint64_t due = UINT64_MAX;

	for (struct vd_cq *c = vd_cqs; c; c = c->next)
		due = vd_sooner(due, show(c->state, now));
	return due;
}

/* Those of a queue pair that is destroyed or reset go with it. */
void vd_forget_completions(struct vd_cq_state *c, uint32_t qpn)
{
	uint32_t to = c->tail;

	for (uint32_t from = c->tail; from != c->head; from++) {
		const struct vd_cqe *e = entry(c, from);

		if (e->wc.qp_num != qpn)
			*entry(c, to++) = *e;
		else if (e->rq)
			vd_world->rq[e->rq].freed++;
	}
	__atomic_store_n(&c->head, to, __ATOMIC_RELEASE);
}

/* The place of its work request is free from now on. */
static void free_place(const struct vd_cqe *e)
{
	struct vd_qp_state *q = vd_qp_of(e->wc.qp_num);

	if (e->rq)
		vd_world->rq[e->rq].freed++;
	else if (q && q->used == vd_me())
		q->local->freed = e->frees;
}

int vd_poll_cq(struct ibv_cq *ibv, int n, struct ibv_wc *wc)
{
	struct vd_cq_state *c = vd_cq(ibv)->state;
	uint64_t now;
	int polled = 0;

	if (__atomic_load_n(&c->head, __ATOMIC_ACQUIRE) == c->tail &&
	    !vd_engine_is_due())
		return 0;
	vd_lock();
	vd_step_if_due();
	now = vd_now();
	while (polled < n && shows(c, now)) {
		const struct vd_cqe *e = entry(c, c->tail);

		wc[polled++] = e->wc;
		free_place(e);
		c->tail++;
	}
	vd_unlock();
	return polled;
}

/* What is there already makes no event (ibv_req_notify_cq(3)). */
int vd_req_notify_cq(struct ibv_cq *ibv, int solicited_only)
{
	struct vd_cq_state *c = vd_cq(ibv)->state;
	int error = vd_fails("ibv_req_notify_cq");
	uint64_t now;

	if (error)
		return error;
	vd_lock();
	now = vd_now();
	show(c, now);
	c->since = now;
	if (c->armed != 1)
		c->armed = solicited_only ? 2 : 1;
	vd_unlock();
	return 0;
}
