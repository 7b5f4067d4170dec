/* SPDX-License-Identifier: BSD-3-Clause */
/* Edges that have another end: see wired.h. */
#include "topo/wired.h"

#include <stddef.h>
#include <stdlib.h>
#include <weft/group.h>

int wf_wired_init(struct wf_wired *wired, const int *ranks, int n)
{
	*wired = (struct wf_wired){ 0, NULL };
	for (int i = 0; i < n; i++)
		wired->n += ranks[i] != WEFT_PROC_NULL;
	if (wired->n == n)
		return WEFT_OK;
	wired->at = malloc(((size_t)wired->n + 1) * sizeof(*wired->at));
	if (!wired->at)
		return WEFT_ERR_NOMEM;
	for (int i = 0, k = 0; i < n; i++)
		if (ranks[i] != WEFT_PROC_NULL)
			wired->at[k++] = i;
	return WEFT_OK;
}

void wf_wired_fini(struct wf_wired *wired)
{
	free(wired->at);
	wired->at = NULL;
}

int wf_wired_find(const struct wf_wired *wired, int i)
{
	if (!wired->at)
		return i;
	for (int k = 0; k < wired->n && wired->at[k] <= i; k++)
		if (wired->at[k] == i)
			return k;
	return -1;
}
