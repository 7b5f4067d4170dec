/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which edges of a rank, in one direction, have another end.  Those to or from
 * WEFT_PROC_NULL are counted by the program, and its arguments have a part for
 * each; along them nothing goes, and no exchange set knows of them.
 */
#ifndef WEFT_TOPO_WIRED_H
#define WEFT_TOPO_WIRED_H

struct wf_wired {
	int n;			/* edges with another end */
	int *at;		/* of each its place among all of the program,
				   ascending; NULL: all have one */
};

/* Of n ranks at other ends; WEFT_ERR_NOMEM. */
int wf_wired_init(struct wf_wired *wired, const int *ranks, int n);
void wf_wired_fini(struct wf_wired *wired);

/* Which one the i-th edge of the program is; -1: it is one of nobody. */
int wf_wired_find(const struct wf_wired *wired, int i);

static inline int wf_wired_at(const struct wf_wired *wired, int i)
{
	return wired->at ? wired->at[i] : i;
}

#endif
