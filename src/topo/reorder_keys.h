/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keys by which a program asks for a reorder, in the info of a constructor
 * (weft/reorder.h).  All ranks pass the same.
 */
#ifndef WEFT_TOPO_REORDER_KEYS_H
#define WEFT_TOPO_REORDER_KEYS_H

#include <weft/info.h>
#include "comm/comm.h"
#include "topo/reorder.h"

enum wf_reorder_key {
	WF_REORDER_KEY_METHOD,
	WF_REORDER_KEY_METRIC,
	WF_REORDER_KEY_REFINE,
	WF_REORDER_KEY_KEEP,
	WF_REORDER_KEY_TIME,
	WF_REORDER_KEY_WEIGHTS,
	WF_REORDER_KEY_COORDS,
	WF_REORDER_KEY_COUNT
};

struct wf_reorder_wishes {
	bool any;			/* the info has one of the keys */
	bool coords;
	struct wf_reorder_keys keys;	/* those that all ranks know */
	const char *value[WF_REORDER_KEY_COUNT];	/* NULL: not there; the
							   info's */
};

enum {
	WF_REORDER_PASSES = 8,		/* of swaps, where nothing is said */
	WF_REORDER_PASSES_MOST = 1000000
};

/* The words for it; false: the text is none. */
bool wf_reorder_parse_method(const char *text, enum wf_reorder_method *p);
bool wf_reorder_parse_metric(const char *text, enum wf_reorder_metric *p);

/* Has it one of the keys?  NULL: no. */
bool wf_reorder_has_keys(const struct weft_info *info);

/*
 * From the info of a call, which may be NULL, for a communicator; keys that are
 * not known are left alone.  A bad value is told: WEFT_ERR_ARG.
 */
int wf_reorder_read(const struct weft_comm *comm, const char *call,
		    const struct weft_info *info, struct wf_reorder_wishes *w);

/* Are there coordinates, if that is to be reordered by some?  The same. */
int wf_reorder_check_coords(const struct weft_comm *comm, const char *call,
			    const struct wf_reorder_wishes *w);

/*
 * By all ranks, with values that were read: do all pass the same, and the same
 * reorder?  Told: WEFT_ERR_ARG, which names the key and two ranks.
 */
int wf_reorder_compare(struct weft_comm *comm, const char *call,
		       const struct wf_reorder_wishes *w, bool reorder);

/*
 * keep[i] is set for the ranks of a value of weft_reorder_keep; NULL: it is
 * only read.  False: it is no list of ranks below size.
 */
bool wf_reorder_mark_kept(const char *text, int size, bool *keep);

#endif
