/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which posts of a lost queue pair have come: see verbs_fate.h.
 */
#include "transport/verbs/verbs_fate.h"

static bool is_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

int wf_verbs_came(const struct wf_verbs_window *w, uint32_t received)
{
	uint32_t oldest = w->next;
	int came = 0;

	for (int i = w->n; i-- > 0;)
		if (w->mark[i].numbered)
			oldest = w->mark[i].number;
	if (is_before(received, oldest) || is_before(w->next, received))
		return -1;
	for (int i = 0; i < w->n; i++) {
		const struct wf_verbs_mark *m = &w->mark[i];

		if (m->came || (m->numbered && is_before(m->number, received)))
			came = i + 1;
	}
	return came;
}

/* What is behind one that has not come has not come. */
int wf_verbs_doubt_end(const struct wf_verbs_window *w, int came)
{
	int end = came;

	while (end < w->n && !w->mark[end].numbered)
		end++;
	return end;
}

bool wf_verbs_is_lost(const struct wf_verbs_window *w, int end)
{
	for (int i = 0; i < end; i++)
		if (w->mark[i].what == WF_VERBS_DO_WORD)
			return true;
	return false;
}

/* Does the peer act on it, without a number? */
static bool tells(const struct wf_verbs_mark *m)
{
	return m->what == WF_VERBS_DO_LINE || m->what == WF_VERBS_DO_SIGNAL;
}

int wf_verbs_doubts(const struct wf_verbs_window *w, int came, int end,
		    struct wf_verbs_doubt *doubt)
{
	int n = 0;

	for (int i = came; i < end; i++) {
		const struct wf_verbs_mark *m = &w->mark[i];

		if (!tells(m))
			continue;
		doubt[n].where = m->where;
		doubt[n].stamp = m->stamp;
		if (m->what == WF_VERBS_DO_LINE)
			doubt[n].stamp |= WF_VERBS_IS_LINE;
		n++;
	}
	return n;
}

int wf_verbs_answered(const struct wf_verbs_window *w, int came, int end,
		      uint32_t answer)
{
	for (int i = came; i < end && answer; i++)
		if (tells(&w->mark[i])) {
			came = i + 1;
			answer--;
		}
	return came;
}

/*
 * Its block was there when its address was told.  A younger one, or none: the
 * owner had all that was due there before it gave the memory back.
 */
static bool line_came(const struct wf_segment *seg,
		      const struct wf_verbs_doubt *d)
{
	uint64_t offset = d->where - (uintptr_t)seg->base;
	uint32_t generation = wf_segment_generation(seg, offset);

	return !generation || is_before((uint32_t)d->stamp, generation);
}

uint32_t wf_verbs_judge(const struct wf_segment *seg,
			const struct wf_signals *signals,
			const struct wf_verbs_doubt *doubt, size_t n)
{
	uint32_t came = 0;

	for (size_t i = 0; i < n; i++) {
		const struct wf_verbs_doubt *d = &doubt[i];
		bool has = d->stamp & WF_VERBS_IS_LINE ? line_came(seg, d) :
			!wf_signal_lacks(signals, (uint32_t)d->where,
					 d->stamp);

		if (has)
			came = (uint32_t)i + 1;
	}
	return came;
}
