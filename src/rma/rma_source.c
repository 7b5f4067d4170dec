/* SPDX-License-Identifier: BSD-3-Clause */
/* Who raises which signal of a region: see rma_signal.h. */
#include <stdlib.h>
#include "rma/rma_signal.h"

struct wf_rma_raised *wf_rma_raised_get(struct weft_region *region,
					uint32_t number)
{
	struct wf_rma_raised *raised = wf_map_get(&region->raised, number);

	if (raised)
		return raised;
	raised = calloc(1, sizeof(*raised));
	if (!raised)
		return NULL;
	wf_list_init(&raised->sources);
	wf_map_init(&raised->by_rank);
	if (wf_map_put(&region->raised, number, raised)) {
		free(raised);
		return NULL;
	}
	return raised;
}

static struct wf_rma_source *new_source(struct wf_signals *signals,
					struct wf_rma_raised *raised, int rank)
{
	struct wf_rma_source *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	if (wf_map_put(&raised->by_rank, (uint64_t)rank, s))
		goto free_source;
	if (wf_signal_alloc_many(signals, &s->sig))
		goto take_out;
	s->word = wf_signal_word(signals, s->sig);
	wf_list_add_tail(&raised->sources, &s->link);
	return s;

take_out:
	wf_map_del(&raised->by_rank, (uint64_t)rank);
free_source:
	free(s);
	return NULL;
}

struct wf_rma_source *wf_rma_source_get(struct weft_region *region, int rank,
					uint32_t number)
{
	struct wf_rma_raised *raised = wf_rma_raised_get(region, number);
	struct wf_rma_source *s;

	if (!raised)
		return NULL;
	s = wf_map_get(&raised->by_rank, (uint64_t)rank);
	return s ? s : new_source(&wf_region_job(region)->signals, raised,
				  rank);
}

static void free_raised(struct wf_signals *signals,
			struct wf_rma_raised *raised, bool kept)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&raised->sources))) {
		struct wf_rma_source *s = wf_container(
			at, struct wf_rma_source, link);

		if (!kept)
			wf_signal_free(signals, s->sig);
		free(s);
	}
	wf_map_fini(&raised->by_rank);
	free(raised);
}

void wf_rma_sources_fini(struct weft_region *region, bool kept)
{
	size_t cursor = 0;
	void *raised;

	while (wf_map_next(&region->raised, &cursor, NULL, &raised))
		free_raised(&wf_region_job(region)->signals, raised, kept);
	wf_map_fini(&region->raised);
}
