/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What goes wrong: calls that fail, mishaps of ports and devices, chance; and
 * findings, which are mistakes of the device's user.
 *
 * A finding is a line on standard error, or in the file that
 * VERBS_DEVICE_FINDINGS names.  The file of VERBS_DEVICE_STRUCK says what has
 * gone wrong as it was described: a test of a mishap that never came is none.
 */
#include "tests/verbs_device/device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	AGAIN_NS = 1000000		/* nothing is there yet to be struck */
};

/* To standard error without a path. */
static void write_line(const char *path, const char *text)
{
	FILE *to = path ? fopen(path, "a") : stderr;

	if (!to)
		vd_die("%s: %s: %s", path, strerror(errno), text);
	fprintf(to, "verbs device: process %d: %s\n", (int)getpid(), text);
	if (path)
		fclose(to);
}

void vd_finding(const char *format, ...)
{
	char text[400];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	write_line(getenv("VERBS_DEVICE_FINDINGS"), text);
}

static void struck(const char *what, int number)
{
	const char *path = getenv("VERBS_DEVICE_STRUCK");
	char text[100];

	snprintf(text, sizeof(text), "%s %d", what, number);
	if (path)
		write_line(path, text);
}

/* The errno by which this call fails now; 0: it does not. */
int vd_fails(const char *call)
{
	struct vd_setup *s = vd_setup();
	int error = 0;

	for (int i = 0; i < s->nfails; i++) {
		struct vd_fail *f = &s->fail[i];
		unsigned n;

		if (strcmp(f->call, call) ||
		    (f->rank >= 0 && f->rank != s->rank))
			continue;
		n = __atomic_add_fetch(&f->calls, 1, __ATOMIC_RELAXED);
		if (n >= f->n && n < f->n + f->times)
			error = f->error;
		if (n == f->n)
			struck(call, (int)n);
	}
	return error;
}

/* Of this process, and of this seed. */
static uint64_t draw(void)
{
	static uint64_t state;

	if (!state)
		state = (vd_setup()->adverse.seed + 1) * 0x9e3779b97f4a7c15u ^
			(uint64_t)(vd_setup()->rank + 1) << 32;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1du >> 32;
}

bool vd_one_in(unsigned n)
{
	return n && draw() % n == 0;
}

/* ns */
uint64_t vd_delay(void)
{
	uint64_t most = vd_setup()->adverse.delay_us * (uint64_t)1000;

	return most ? draw() % most : 0;
}

/* For each process in its own time; none comes before its first context. */
static uint64_t begins(const struct vd_mishap *m, const struct vd_process *p)
{
	return p->born ? p->born + m->after_us * (uint64_t)1000 : UINT64_MAX;
}

static uint64_t ends(const struct vd_mishap *m, const struct vd_process *p)
{
	return m->for_us ? begins(m, p) + m->for_us * (uint64_t)1000 :
			   UINT64_MAX;
}

/* A link that is down takes nothing and brings nothing, at either end. */
bool vd_is_down(const struct vd_process *p, int device, int port)
{
	struct vd_setup *s = vd_setup();
	uint64_t now = s->nmishaps ? vd_now() : 0;

	for (int i = 0; i < s->nmishaps; i++) {
		const struct vd_mishap *m = &s->mishap[i];

		if (m->down && m->host == p->host && m->device == device &&
		    m->port == port && now >= begins(m, p) && now < ends(m, p))
			return true;
	}
	return false;
}

/* By how many its LID has gone up. */
uint16_t vd_lids_moved(const struct vd_process *p, int device, int port)
{
	struct vd_setup *s = vd_setup();
	uint64_t now = s->nmishaps ? vd_now() : 0;
	unsigned moved = 0;

	for (int i = 0; i < s->nmishaps; i++) {
		const struct vd_mishap *m = &s->mishap[i];

		if (m->host == p->host && m->device == device &&
		    m->port == port && now >= begins(m, p))
			moved += m->lids;
	}
	return (uint16_t)moved;
}

/* By how many places the GIDs of this process's port are behind the first. */
unsigned vd_gids_moved(int device, int port)
{
	struct vd_setup *s = vd_setup();
	unsigned moved = 0;

	for (int i = 0; i < s->nmishaps; i++) {
		const struct vd_mishap *m = &s->mishap[i];

		moved += m->moves && m->begun && m->host == vd_self->host &&
			 m->device == device && m->port == port;
	}
	return moved;
}

/* Those with oneself, or those with others; false: there is none. */
static bool fail_connected(const struct vd_mishap *m)
{
	bool any = false;

	for (struct vd_qp *q = vd_qps; q; q = q->next) {
		bool oneself = q->state->attr.dest_qp_num == q->state->qpn;

		if (q->state->device != m->device || oneself != m->oneself ||
		    q->state->type != IBV_QPT_RC)
			continue;
		vd_qp_fail(q->state);
		vd_announce(q->state, IBV_EVENT_QP_FATAL);
		any = true;
	}
	return any;
}

/* False: there is nothing that it could happen to. */
static bool happen(const struct vd_mishap *m, enum ibv_event_type type)
{
	bool any = false;

	if (type == IBV_EVENT_QP_FATAL)
		return fail_connected(m);
	if (type == IBV_EVENT_CQ_ERR && vd_cqs)
		vd_cq_fail(vd_cqs->state);
	if (type == IBV_EVENT_CQ_ERR)
		return vd_cqs;
	for (struct vd_qp *q = vd_qps; q && type == IBV_EVENT_DEVICE_FATAL;
	     q = q->next)
		if (q->state->device == m->device)
			vd_qp_fail(q->state);
	for (struct vd_context *c = vd_contexts; c; c = c->next) {
		if (c->device != m->device)
			continue;
		vd_announce_port(c, type, m->port);
		any = true;
	}
	return any;
}

/* What begins, and what ends; when the next of these is due. */
static uint64_t look_at(struct vd_mishap *m, uint64_t now)
{
	if (!m->begun && now < begins(m, vd_self))
		return begins(m, vd_self);
	if (!m->begun && !happen(m, m->event))
		return now + AGAIN_NS;
	if (!m->begun)
		struck("mishap", (int)m->event);
	m->begun = true;
	if (!m->down || m->ended)
		return UINT64_MAX;
	if (now < ends(m, vd_self))
		return ends(m, vd_self);
	m->ended = true;
	happen(m, IBV_EVENT_PORT_ACTIVE);
	return UINT64_MAX;
}

/* This process has its first context since it came into the world. */
void vd_mishaps_begin(void)
{
	struct vd_setup *s = vd_setup();

	vd_self->born = vd_now();
	vd_due(vd_self->born);
	for (int i = 0; i < s->nmishaps; i++)
		s->mishap[i].begun = s->mishap[i].ended = false;
}

/* Those whose time has come, to this process; when the next one is due. */
uint64_t vd_mishaps(uint64_t now)
{
	struct vd_setup *s = vd_setup();
	uint64_t due = UINT64_MAX;

	for (int i = 0; vd_self->born && i < s->nmishaps; i++)
		if (s->mishap[i].host == vd_self->host)
			due = vd_sooner(due, look_at(&s->mishap[i], now));
	return due;
}
