/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which posts of a lost queue pair have come: see verbs_fate.h.
 */
#include "transport/verbs/verbs_fate.h"
#include "transport/line.h"

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

		if (m->numbered && is_before(m->number, received))
			came = i + 1;
	}
	return came;
}

/* It is not done before what has a number and was posted earlier. */
bool wf_verbs_is_lost(const struct wf_verbs_window *w, int came)
{
	for (int i = 0; i < w->n && (i < came || !w->mark[i].numbered); i++)
		if (w->mark[i].what == WF_VERBS_DO_WORD)
			return true;
	return false;
}

/* Does the peer act on it, without a number, as far as is known? */
static bool tells(const struct wf_verbs_mark *m)
{
	return !m->came && (m->what == WF_VERBS_DO_LINE ||
			    m->what == WF_VERBS_DO_SIGNAL);
}

int wf_verbs_doubts(const struct wf_verbs_window *w, int came,
		    struct wf_verbs_doubt *doubt)
{
	int n = 0;

	for (int i = came; i < w->n; i++) {
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

uint64_t wf_verbs_first(int n)
{
	return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

static bool overlap(const struct wf_verbs_mark *a,
		    const struct wf_verbs_mark *b)
{
	return a->where < b->where + b->lines * WF_LINE_BYTES &&
	       b->where < a->where + a->lines * WF_LINE_BYTES;
}

/* It would land on top of a younger one now, whichever is posted first. */
static bool is_overtaken(const struct wf_verbs_window *w, int i)
{
	const struct wf_verbs_mark *m = &w->mark[i];

	for (int k = i + 1; k < w->n && m->what == WF_VERBS_DO_LINE; k++)
		if (w->mark[k].what == WF_VERBS_DO_LINE &&
		    overlap(m, &w->mark[k]))
			return true;
	return false;
}

/* A signal is raised behind all that was posted before it, a line is not. */
uint64_t wf_verbs_answered(const struct wf_verbs_window *w, int came,
			   uint64_t answer)
{
	uint64_t have = wf_verbs_first(came);

	for (int i = came; i < w->n; i++) {
		if (!tells(&w->mark[i]))
			continue;
		if (is_overtaken(w, i))
			have |= UINT64_C(1) << i;
		if (answer & 1)
			have |= w->mark[i].what == WF_VERBS_DO_LINE ?
				UINT64_C(1) << i : wf_verbs_first(i + 1);
		answer >>= 1;
	}
	return have;
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

uint64_t wf_verbs_judge(const struct wf_segment *seg,
			const struct wf_signals *signals,
			const struct wf_verbs_doubt *doubt, size_t n)
{
	uint64_t came = 0;

	for (size_t i = 0; i < n; i++) {
		const struct wf_verbs_doubt *d = &doubt[i];
		bool has = d->stamp & WF_VERBS_IS_LINE ? line_came(seg, d) :
			!wf_signal_lacks(signals, (uint32_t)d->where,
					 d->stamp);

		came |= (uint64_t)has << i;
	}
	return came;
}
