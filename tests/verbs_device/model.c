/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model of time: what an operation costs the process, by a table, and when
 * what it sends is there.  An adapter has one wire, which all processes of a
 * host share: requests go one after another, each so long as its bytes need,
 * and are there after the latency; as long takes the acknowledge, which a
 * datagram has none of.  Of a read, the bytes take that long on the wire of who
 * asks, too, since only one end is looked at.
 *
 * It counts, too.  Counts are exact, times are not shorter than the model says;
 * neither is a measurement of any adapter.
 */
#include "tests/verbs_device/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE = 4096
};

static struct {
	uint64_t doorbells, requests, bytes, registrations, pages, opens;
} counted;

/* The process computes so long; without the lock. */
static void spend(uint64_t ns)
{
	uint64_t until = ns ? vd_now() + ns : 0;

	while (until && vd_now() < until)
		;
}

void vd_model_doorbell(void)
{
	__atomic_add_fetch(&counted.doorbells, 1, __ATOMIC_RELAXED);
	spend(vd_setup()->model.doorbell_ns);
}

void vd_model_open(void)
{
	__atomic_add_fetch(&counted.opens, 1, __ATOMIC_RELAXED);
}

void vd_model_registration(uint64_t addr, uint64_t bytes)
{
	const struct vd_model *m = &vd_setup()->model;
	uint64_t pages = bytes ? (addr + bytes - 1) / PAGE - addr / PAGE + 1 :
				 0;

	__atomic_add_fetch(&counted.registrations, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&counted.pages, pages, __ATOMIC_RELAXED);
	spend(m->registration_ns + pages * m->page_ns);
}

/* When it is there, at the earliest; under the lock. */
void vd_model_request(const struct vd_qp *q, struct vd_wr *w)
{
	const struct vd_model *m = &vd_setup()->model;
	uint64_t *free_at = &vd_world->wire[q->state->host % VD_HOSTS]
					   [q->state->device];
	uint64_t now;

	counted.requests++;
	counted.bytes += w->bytes;
	if (!m->latency_ns && !m->request_ns && !m->rate)
		return;
	now = vd_now();
	if (*free_at < now)
		*free_at = now;
	*free_at += m->request_ns;
	if (m->rate)
		*free_at += w->bytes * 1000 / m->rate;
	w->ready = *free_at + m->latency_ns;
}

/* It is there; its sender hears of that later. */
void vd_model_done(const struct vd_qp *q, struct vd_wr *w, uint64_t now)
{
	unsigned latency = vd_setup()->model.latency_ns;

	if (latency && q->ibv.qp_type != IBV_QPT_UD)
		w->known = now + latency;
}

static void tell(FILE *to)
{
	fprintf(to, "rank %d: %llu doorbells, %llu requests, %llu bytes, "
		"%llu registrations, %llu pages, %llu opens\n",
		vd_setup()->rank,
		(unsigned long long)counted.doorbells,
		(unsigned long long)counted.requests,
		(unsigned long long)counted.bytes,
		(unsigned long long)counted.registrations,
		(unsigned long long)counted.pages,
		(unsigned long long)counted.opens);
	fclose(to);
}

void vd_model_tell(void)
{
	const char *path = getenv("VERBS_DEVICE_COUNTS");
	FILE *to = path ? fopen(path, "a") : NULL;

	if (path && !to)
		vd_die("%s cannot be written", path);
	if (to)
		tell(to);
	memset(&counted, 0, sizeof(counted));
}
