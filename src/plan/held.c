/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs that wait for what is not known so far: see set.h. */
#include "plan/set.h"

void wf_set_hold(struct wf_set *set, struct wf_held *held)
{
	struct wf_held **last = &set->held;

	while (*last)
		last = &(*last)->next;
	*last = held;
	held->next = NULL;
	held->epoch = set->count.next;
	set->ahead = 0;
}

struct wf_held *wf_set_unhold(struct wf_set *set)
{
	struct wf_held *held = set->held;

	set->held = held->next;
	if (!set->held)
		set->ahead = set->window;
	return held;
}

bool wf_set_admits_held(struct wf_set *set, uint64_t epoch)
{
	struct wf_held *held = set->held;

	if (epoch > held->epoch ||
	    epoch >= set->count.done + (unsigned)set->window)
		return false;
	if (epoch < held->epoch)
		return true;
	if (!held->ready(held))
		return false;
	wf_set_unhold(set);
	held->end(held, true);
	return true;
}
