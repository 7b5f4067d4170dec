/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets from and to their packed form: see packets.h. */
#include "type/packets.h"

#include <string.h>

static char *packet(const struct wf_packets *of, size_t i)
{
	return of->base + of->index[i] * of->unit;
}

/*
 * Whole ones: of the sizes that most have, each is one load and one store.  No
 * store changes what is read next, so nothing is read twice.
 */
#define MOVE_EACH(unit, to, from)                                          \
	do {                                                               \
		for (size_t k = 0; k < n; k++)                             \
			memcpy(to, from, unit);                            \
	} while (0)

static void gather_whole(const struct wf_packets *of, size_t i,
			 char *restrict to, size_t n)
{
	const uint32_t *restrict at = of->index + i;
	const char *restrict base = of->base;
	size_t unit = of->unit;

	if (unit == 8)
		MOVE_EACH(8, to + 8 * k, base + 8 * (size_t)at[k]);
	else if (unit == 4)
		MOVE_EACH(4, to + 4 * k, base + 4 * (size_t)at[k]);
	else
		MOVE_EACH(unit, to + unit * k, base + unit * at[k]);
}

static void scatter_whole(const struct wf_packets *of, size_t i,
			  const char *restrict data, size_t n)
{
	const uint32_t *restrict at = of->index + i;
	char *restrict base = of->base;
	size_t unit = of->unit;

	if (unit == 8)
		MOVE_EACH(8, base + 8 * (size_t)at[k], data + 8 * k);
	else if (unit == 4)
		MOVE_EACH(4, base + 4 * (size_t)at[k], data + 4 * k);
	else
		MOVE_EACH(unit, base + unit * at[k], data + unit * k);
}

/* n packed bytes, from so many on: the rest of a packet, whole ones, a rest. */
struct span {
	size_t head, first, whole, tail;
};

/* Most are from the first one on: of the divisions one is left then. */
static struct span span_of(const struct wf_packets *of, size_t from, size_t n)
{
	struct span s = { .head = 0 };

	if (from) {
		size_t rest = (of->unit - from % of->unit) % of->unit;

		s.head = rest < n ? rest : n;
		s.first = (from + s.head) / of->unit;
	}
	s.whole = (n - s.head) / of->unit;
	s.tail = (n - s.head) % of->unit;
	return s;
}

void wf_packets_gather(const struct wf_packets *of, size_t from, void *to,
		       size_t bytes)
{
	struct span s;
	char *at = to;

	if (!bytes)
		return;
	if (!of->index) {
		memcpy(to, of->base + from, bytes);
		return;
	}
	s = span_of(of, from, bytes);
	if (s.head)
		memcpy(at, packet(of, from / of->unit) + from % of->unit,
		       s.head);
	at += s.head;
	gather_whole(of, s.first, at, s.whole);
	if (s.tail)
		memcpy(at + s.whole * of->unit, packet(of, s.first + s.whole),
		       s.tail);
}

void wf_packets_scatter(const struct wf_packets *of, size_t from,
			const void *data, size_t bytes)
{
	const char *at = data;
	struct span s;

	if (!bytes)
		return;
	if (!of->index) {
		memcpy(of->base + from, data, bytes);
		return;
	}
	s = span_of(of, from, bytes);
	if (s.head)
		memcpy(packet(of, from / of->unit) + from % of->unit, at,
		       s.head);
	at += s.head;
	scatter_whole(of, s.first, at, s.whole);
	if (s.tail)
		memcpy(packet(of, s.first + s.whole), at + s.whole * of->unit,
		       s.tail);
}
