/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ranks of a job tell each other before they open their devices: it
 * goes into the store ahead of the blob, with a fence of its own, so that nodes
 * can agree on what they open.
 *
 * An offer names the next rank that is on another node, so that a reader need
 * not know the node map of the whole job, and the first rank of its node, so
 * that the reader counts each node once.
 */
#ifndef WEFT_BOOT_OFFER_H
#define WEFT_BOOT_OFFER_H

#include <stdbool.h>
#include <stddef.h>

#include <weft/status.h>

struct wf_boot;

enum {
	WF_OFFER_MAX = 256		/* bytes */
};

/* The parts of several backends, each with its name and length in front. */
struct wf_offer {
	unsigned char bytes[WF_OFFER_MAX];
	size_t n;
};

/* How long the next part may be. */
size_t wf_offer_room(const struct wf_offer *offer);

/* Adds a part of at most wf_offer_room() bytes; one of 0 is left out. */
void wf_offer_add(struct wf_offer *offer, const char *name, const void *bytes,
		  size_t n);

/* The part of this name and its length; NULL: there is none. */
const void *wf_offer_find(const struct wf_offer *offer, const char *name,
			  size_t *n_p);

/*
 * Call before the fence.  Each rank puts one offer, which may be empty.
 * Returns what wf_boot_put() does.
 */
int wf_offer_put(struct wf_boot *boot,
		 const struct wf_offer *offer) WEFT_MUST_CHECK;

/*
 * Call after the fence.  Reads the offer of *rank_p and sets *rank_p to the
 * next rank to ask, or to the size of the job after the last one.  *first_p: it
 * is that of the first rank of a node.  Errors: those of wf_boot_get();
 * WEFT_ERR_BOOT: a malformed offer, or one of another wire version.
 */
int wf_offer_read(struct wf_boot *boot, int *rank_p, struct wf_offer *offer,
		  bool *first_p) WEFT_MUST_CHECK;

#endif
