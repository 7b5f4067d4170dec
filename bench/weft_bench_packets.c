/* SPDX-License-Identifier: BSD-3-Clause */
/* Pattern and packets of weft-bench dist: see weft_bench_packets.h. */
#include "bench/weft_bench_packets.h"

#include <stdlib.h>
#include <string.h>

/* A linear congruence of 64 bits, of which the upper ones are taken. */
static size_t draw(uint64_t *state, size_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)((*state >> 33) % below);
}

static void draw_dests(struct bench_packets *p)
{
	uint64_t state = (uint64_t)p->run->rank + 1;
	size_t n = 0;

	for (int32_t rank = 0; rank < p->run->ranks; rank++)
		for (size_t k = 0; rank != p->run->rank && k < p->nroots; k++)
			p->dests[n++] = (struct weft_remote){
				rank, (int32_t)k
			};
	for (; n > 1; n--) {
		struct weft_remote *other = &p->dests[draw(&state, n)];
		struct weft_remote last = p->dests[n - 1];

		p->dests[n - 1] = *other;
		*other = last;
	}
}

int bench_packets_room(const struct bench_packets *p, size_t packets,
		       double **base_p)
{
	size_t bytes = packets * p->width * sizeof(**base_p) + 64;
	void *base = NULL;
	int status = WEFT_OK;

	if (p->run->options->heap)
		base = malloc(bytes);
	else
		status = weft_mem_alloc(p->run->job, bytes, &base);
	if (status == WEFT_OK && !base)
		status = WEFT_ERR_NOMEM;
	if (status == WEFT_OK)
		*base_p = memset(base, 0, bytes);
	return status;
}

void bench_packets_leave(const struct bench_packets *p, double **base_p)
{
	if (p->run->options->heap)
		free(*base_p);
	else
		weft_mem_free(p->run->job, *base_p);
	*base_p = NULL;
}

int bench_packets_allocate(struct bench_packets *p, size_t bytes)
{
	int status;

	p->nroots = bytes / sizeof(double) / p->width;
	p->nitems = p->nroots * (size_t)(p->run->ranks - 1);
	p->dests = calloc(p->nitems + 1, sizeof(*p->dests));
	if (!p->dests)
		return WEFT_ERR_NOMEM;
	draw_dests(p);
	status = bench_packets_room(p, p->nitems, &p->items);
	if (status == WEFT_OK)
		status = bench_packets_room(p, p->nitems, &p->ritems);
	if (status == WEFT_OK)
		status = bench_packets_room(p, p->nroots, &p->roots);
	return status;
}

void bench_packets_release(struct bench_packets *p)
{
	free(p->dests);
	p->dests = NULL;
	bench_packets_leave(p, &p->items);
	bench_packets_leave(p, &p->ritems);
	bench_packets_leave(p, &p->roots);
}

struct weft_packets bench_packets_of(const struct bench_packets *p,
				     double *base)
{
	return (struct weft_packets){
		base, base == p->roots ? p->nroots : p->nitems, p->width,
		&weft_type_double
	};
}

/* ---- what is in them ---- */

/* Component c of what goes between an item of a rank and a root. */
static double value(const struct bench_packets *p, int rank,
		    struct weft_remote root, size_t c)
{
	return (double)p->epoch * 7 + rank * 1009.0 + root.rank * 31.0 +
	       (double)((size_t)root.idx * p->width + c);
}

/* What comes from a root does not depend on the item that it goes to. */
static double root_value(const struct bench_packets *p,
			 struct weft_remote root, size_t c)
{
	return value(p, root.rank, root, c);
}

static struct weft_remote own_root(const struct bench_packets *p, size_t k)
{
	return (struct weft_remote){ p->run->rank, (int32_t)k };
}

static void spoil(const struct bench_packets *p, double *base)
{
	struct weft_packets packets = bench_packets_of(p, base);

	memset(base, 0xff, packets.n * p->width * sizeof(*base));
}

void bench_packets_fill_items(struct bench_packets *p)
{
	double *at = p->items;

	spoil(p, p->ritems);
	spoil(p, p->roots);
	p->epoch++;
	for (size_t i = 0; i < p->nitems; i++)
		for (size_t c = 0; c < p->width; c++)
			*at++ = value(p, p->run->rank, p->dests[i], c);
}

void bench_packets_fill_roots(struct bench_packets *p)
{
	double *at = p->roots;

	spoil(p, p->items);
	p->epoch++;
	for (size_t k = 0; k < p->nroots; k++)
		for (size_t c = 0; c < p->width; c++)
			*at++ = root_value(p, own_root(p, k), c);
}

static size_t wrong(double have, double want)
{
	return memcmp(&have, &want, sizeof(have)) ? sizeof(have) : 0;
}

/* The packet of a rank. */
static size_t check_packet(const struct bench_packets *p, int rank, size_t k,
			   const double *at)
{
	size_t bad = 0;

	for (size_t c = 0; c < p->width; c++)
		bad += wrong(at[c], value(p, rank, own_root(p, k), c));
	return bad;
}

/* Root after root, and of each the other ranks as they ascend. */
size_t bench_packets_check_ritems(const struct bench_packets *p)
{
	const double *at = p->ritems;
	size_t bad = 0;

	for (size_t k = 0; k < p->nroots; k++)
		for (int rank = 0; rank < p->run->ranks; rank++) {
			if (rank == p->run->rank)
				continue;
			bad += check_packet(p, rank, k, at);
			at += p->width;
		}
	return bad;
}

/* Of what the other ranks send. */
static double sum(const struct bench_packets *p, size_t k, size_t c)
{
	double all = 0;

	for (int rank = 0; rank < p->run->ranks; rank++)
		if (rank != p->run->rank)
			all += value(p, rank, own_root(p, k), c);
	return all;
}

size_t bench_packets_check_sums(const struct bench_packets *p)
{
	const double *at = p->roots;
	size_t bad = 0;

	for (size_t k = 0; k < p->nroots; k++)
		for (size_t c = 0; c < p->width; c++)
			bad += wrong(*at++, sum(p, k, c));
	return bad;
}

size_t bench_packets_check_items(const struct bench_packets *p)
{
	const double *at = p->items;
	size_t bad = 0;

	for (size_t i = 0; i < p->nitems; i++)
		for (size_t c = 0; c < p->width; c++)
			bad += wrong(*at++, root_value(p, p->dests[i], c));
	return bad;
}
