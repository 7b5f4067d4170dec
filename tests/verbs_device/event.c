/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events, asynchronous ones and those of completion queues: from who causes
 * them, which may be another process, to the descriptors of their owner.
 * A user acknowledges each; until then its object cannot be destroyed
 * (ibv_get_async_event(3), ibv_ack_cq_events(3)).
 */
#include "tests/verbs_device/device.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int vd_box_open(struct vd_box *box)
{
	box->n = 0;
	box->fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	return box->fd < 0 ? errno : 0;
}

void vd_box_close(struct vd_box *box)
{
	close(box->fd);
}

void vd_box_put(struct vd_box *box, void *item, int kind)
{
	const uint64_t one = 1;

	if (box->n == 2 * VD_EVENTS)
		return;
	box->item[box->n] = item;
	box->kind[box->n++] = kind;
	if (write(box->fd, &one, sizeof(one)) != sizeof(one))
		vd_die("an event cannot be told: %s", strerror(errno));
}

static void take_out(struct vd_box *box, int at)
{
	box->n--;
	memmove(&box->item[at], &box->item[at + 1],
		(size_t)(box->n - at) * sizeof(box->item[0]));
	memmove(&box->kind[at], &box->kind[at + 1],
		(size_t)(box->n - at) * sizeof(box->kind[0]));
}

/* Without the lock: it waits, unless the descriptor does not. */
bool vd_box_get(struct vd_box *box, void **item, int *kind)
{
	uint64_t one;

	if (read(box->fd, &one, sizeof(one)) != sizeof(one))
		return false;
	vd_lock();
	if (!box->n)
		vd_die("an event was read by two");
	*item = box->item[0];
	*kind = box->kind[0];
	take_out(box, 0);
	vd_unlock();
	return true;
}

/* Those of an object that is destroyed; how many. */
unsigned vd_box_purge(struct vd_box *box, const void *item)
{
	unsigned purged = 0;
	uint64_t one;

	for (int i = box->n; i-- > 0;) {
		if (box->item[i] != item)
			continue;
		take_out(box, i);
		purged += read(box->fd, &one, sizeof(one)) == sizeof(one);
	}
	return purged;
}

static void announce(uint32_t process, struct vd_news news)
{
	struct vd_process *p = vd_process(process);

	if (p->nnews == VD_EVENTS)
		return;
	p->news[p->nnews++] = news;
	vd_ring_process(process);
}

void vd_announce(struct vd_qp_state *q, enum ibv_event_type type)
{
	announce(q->used, (struct vd_news){ type, NULL, q->local });
}

void vd_announce_cq(struct vd_cq_state *c)
{
	announce(c->used, (struct vd_news){ IBV_EVENT_CQ_ERR, NULL,
					    c->local });
}

/* Of a port, or of the device. */
void vd_announce_port(struct vd_context *c, enum ibv_event_type type, int port)
{
	announce(vd_me(), (struct vd_news){ type, c,
					    (void *)(intptr_t)port });
}

void vd_forget_news(const void *element)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < vd_self->nnews; i++)
		if (vd_self->news[i].element != element)
			vd_self->news[kept++] = vd_self->news[i];
	vd_self->nnews = kept;
}

static struct vd_context *context_of(const struct vd_news *news)
{
	if (news->context)
		return news->context;
	if (news->type == IBV_EVENT_CQ_ERR)
		return vd_context(((struct vd_cq *)news->element)->ibv.context);
	return vd_context(((struct vd_qp *)news->element)->ibv.context);
}

static void tell_cqs(void)
{
	for (struct vd_cq *c = vd_cqs; c; c = c->next) {
		if (!c->state->rung || !c->channel)
			continue;
		c->state->rung = false;
		vd_box_put(&c->channel->box, c, 0);
	}
}

void vd_tell(void)
{
	uint32_t bell = __atomic_load_n(&vd_self->bell, __ATOMIC_SEQ_CST);

	if (vd_self->told == bell)
		return;
	vd_self->told = bell;
	for (uint32_t i = 0; i < vd_self->nnews; i++)
		vd_box_put(&context_of(&vd_self->news[i])->box,
			   vd_self->news[i].element,
			   (int)vd_self->news[i].type);
	vd_self->nnews = 0;
	tell_cqs();
}

/* A real one waits for them, for ever where one thread does all. */
bool vd_is_unacked(const char *call, unsigned events)
{
	if (events)
		vd_finding("%s would wait for ever: %u events are not "
			   "acknowledged", call, events);
	return events;
}

/* Those of its object that were read and not acknowledged; NULL: of a port. */
static unsigned *unacked_of(const struct ibv_async_event *event)
{
	switch (event->event_type) {
	case IBV_EVENT_CQ_ERR:
		return &vd_cq(event->element.cq)->unacked;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
		return &vd_qp(event->element.qp)->unacked;
	default:
		return NULL;
	}
}

static void count_unacked(const struct ibv_async_event *event, int by)
{
	unsigned *unacked = unacked_of(event);

	vd_lock();
	if (unacked)
		*unacked += (unsigned)by;
	vd_unlock();
}

int ibv_get_async_event(struct ibv_context *context,
			struct ibv_async_event *event)
{
	void *element;
	int kind;

	if (!vd_box_get(&vd_context(context)->box, &element, &kind))
		return -1;
	memset(event, 0, sizeof(*event));
	event->event_type = (enum ibv_event_type)kind;
	if (kind == IBV_EVENT_CQ_ERR)
		event->element.cq = element;
	else if ((intptr_t)element <= VD_PORTS)
		event->element.port_num = (int)(intptr_t)element;
	else
		event->element.qp = element;
	count_unacked(event, 1);
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	count_unacked(event, -1);
}
