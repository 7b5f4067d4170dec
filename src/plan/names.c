/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table with linear probing, at most half full, which never changes.  A few
 * names are looked at one by one: most sets have no more.
 */
#include "plan/names.h"

#include <stdlib.h>
#include <weft/status.h>
#include "base/zeroed.h"

enum {
	FEW = 4
};

/* Of many edges one rank is the same, and k or the stage often is. */
static uint32_t home(const struct wf_names *names, const struct wf_edge *edge)
{
	uint64_t mix = (uint64_t)(uint32_t)edge->sender << 32 |
		       (uint32_t)edge->receiver;

	mix = (mix ^ mix >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	mix += (uint64_t)edge->direction << 32 | edge->k;
	mix = (mix ^ mix >> 32) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(mix >> 32) & names->mask;
}

static const struct wf_edge *name(const struct wf_names *names, size_t i)
{
	return (const void *)((const char *)names->first + i * names->stride);
}

/* The place of the edge, or the free one where it would be. */
static uint32_t find(const struct wf_names *names, const struct wf_edge *edge)
{
	uint32_t at = home(names, edge);

	while (names->place[at] &&
	       !wf_edge_is(name(names, names->place[at] - 1), edge))
		at = (at + 1) & names->mask;
	return at;
}

int wf_names_init(struct wf_names *names, const struct wf_edge *first,
		  size_t stride, int n)
{
	size_t places = 2 * FEW;

	*names = (struct wf_names){ first, (uint32_t)stride, n, NULL, 0 };
	if (n <= FEW)
		return WEFT_OK;
	while (places < 2 * (size_t)n)
		places *= 2;
	names->mask = (uint32_t)places - 1;
	names->place = wf_zeroed(places, sizeof(*names->place));
	if (!names->place)
		return WEFT_ERR_NOMEM;
	for (uint32_t i = 0; i < (uint32_t)n; i++)
		names->place[find(names, name(names, i))] = i + 1;
	return WEFT_OK;
}

void wf_names_fini(struct wf_names *names)
{
	free(names->place);
}

int wf_names_find(const struct wf_names *names, const struct wf_edge *edge)
{
	int i = 0;

	if (names->place)
		return (int)names->place[find(names, edge)] - 1;
	while (i < names->n && !wf_edge_is(name(names, (size_t)i), edge))
		i++;
	return i < names->n ? i : -1;
}
