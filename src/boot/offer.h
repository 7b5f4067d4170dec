/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ranks of a job tell each other before they open their devices: it
 * goes into the store ahead of the blob, with a fence of its own, so that nodes
 * can agree on what they open.
 *
 * Whoever wants to know asks one rank of each node: an offer names the next
 * rank that is on another one.  So nobody needs the node map of the whole job;
 * with a cyclic map each rank is asked.
 */
#ifndef WEFT_BOOT_OFFER_H
#define WEFT_BOOT_OFFER_H

#include <stddef.h>

#include <weft/status.h>

struct wf_boot;

enum {
	WF_OFFER_MAX = 256		/* bytes */
};

/*
 * Before the fence.  Each rank puts one, and may put 0 bytes.  WEFT_ERR_SIZE,
 * and what wf_boot_put() returns.
 */
int wf_offer_put(struct wf_boot *boot, const void *bytes,
		 size_t n) WEFT_MUST_CHECK;

/*
 * Behind the fence: that of *rank_p, which becomes the next one to ask; the
 * size of the job: there is none.  What wf_boot_get() returns, and
 * WEFT_ERR_BOOT where it is no offer.
 */
int wf_offer_read(struct wf_boot *boot, int *rank_p, void *bytes, size_t max,
		  size_t *n_p) WEFT_MUST_CHECK;

#endif
