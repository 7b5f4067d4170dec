/* SPDX-License-Identifier: BSD-3-Clause */
/* Who raises which signal of a region: see rma_signal.h. */
#include <stdlib.h>
#include "base/assert.h"
#include "base/zeroed.h"
#include "rma/rma_signal.h"

enum {
	SHARE = 8		/* of the room that is left, for one source */
};

struct wf_rma_raised *wf_rma_raised_get(struct weft_region *region,
					uint32_t number)
{
	struct wf_rma_raised *raised = wf_map_get(&region->raised, number);

	if (raised)
		return raised;
	raised = wf_zeroed(1, sizeof(*raised));
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
					struct wf_rma_raised *raised, int rank,
					uint32_t number)
{
	struct wf_rma_source *s = wf_zeroed(1, sizeof(*s));

	if (!s)
		return NULL;
	if (wf_map_put(&raised->by_rank, (uint64_t)rank, s))
		goto free_source;
	if (wf_signal_alloc_many(signals, &s->sig))
		goto take_out;
	s->word = wf_signal_word(signals, s->sig);
	s->rank = rank;
	s->number = number;
	wf_list_init(&s->credit);
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
				  rank, number);
}

void wf_rma_source_quicken(const struct wf_rma_link *link,
			   struct wf_rma_source *source)
{
	struct wf_signals *signals = &wf_region_job(link->region)->signals;
	uint32_t room = link->peer->ep->room;
	uint32_t spare = wf_signals_spare(signals, room);
	uint32_t raises = spare / SHARE;

	if (raises > WF_RMA_QUICK)
		raises = WF_RMA_QUICK;
	if (raises < WF_RMA_QUICK_LEAST && spare >= WF_RMA_QUICK_LEAST)
		raises = WF_RMA_QUICK_LEAST;
	if (source->quick_word || raises < WF_RMA_QUICK_LEAST ||
	    wf_signal_alloc_booked(signals, room, raises, &source->quick))
		return;
	source->room = room;
	source->raises = raises;
	source->quick_word = wf_signal_word(signals, source->quick);
}

uint64_t wf_rma_source_settle(struct wf_rma_source *source)
{
	source->credited = wf_signal_count(source->quick_word, source->quick);
	return source->credited;
}

/* When half of its credits have been used. */
static void credit(struct weft_region *region, struct wf_rma_source *s)
{
	struct wf_rma_link *link;
	uint64_t used;

	if (!s->quick_word || !wf_list_empty(&s->credit) ||
	    !wf_signals_fit(&wf_region_job(region)->signals, s->room))
		return;
	used = wf_signal_count(s->quick_word, s->quick) - s->credited;
	WF_ASSERT(used <= s->raises);
	if (used < s->raises / 2)
		return;
	link = wf_map_get(&region->links, (uint64_t)s->rank);
	if (!link->holds)
		return;
	wf_list_add_tail(&link->credits, &s->credit);
	wf_rma_owe(link, WF_RMA_CREDIT);
}

void wf_rma_signal_credit(const struct weft_signal *signal)
{
	const struct wf_list *end;

	if (signal->one) {
		credit(signal->region, signal->one);
		return;
	}
	end = &signal->all->sources;
	for (struct wf_list *at = end->next; at != end; at = at->next)
		credit(signal->region, wf_container(at, struct wf_rma_source,
						    link));
}

static void give_back(struct wf_signals *signals,
		      const struct wf_rma_source *s)
{
	wf_signal_free(signals, s->sig);
	if (s->quick_word)
		wf_signal_free_booked(signals, s->raises, s->quick);
}

static void free_raised(struct wf_signals *signals,
			struct wf_rma_raised *raised, bool kept)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&raised->sources))) {
		struct wf_rma_source *s = wf_container(
			at, struct wf_rma_source, link);

		if (!kept)
			give_back(signals, s);
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
