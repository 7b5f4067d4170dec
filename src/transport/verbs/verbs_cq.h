/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the verbs backend: completion queues, which queue pairs and
 * receive queues share.
 */
#ifndef WEFT_TRANSPORT_VERBS_CQ_H
#define WEFT_TRANSPORT_VERBS_CQ_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

struct wf_verbs;

enum {
	WF_VERBS_CQES = 4096,		/* entries of the first one */
	WF_VERBS_DOUBLED = 14,		/* so often, by the next ones */
	WF_VERBS_CQS = 64
};

struct wf_verbs_cq {
	struct ibv_cq *cq;
	uint32_t room;			/* entries that nobody has yet */
	uint32_t left;			/* of queues that are gone */
};

/* Of what is sent, or of what is received. */
struct wf_verbs_cqs {
	struct wf_verbs_cq cq[WF_VERBS_CQS + 1];	/* the last: none */
	int n;
};

/* One whose entries hold so many more.  NULL and errno: there is none. */
struct wf_verbs_cq *wf_verbs_take_cq(struct wf_verbs *dev,
				     struct wf_verbs_cqs *set, uint32_t n);

/*
 * The queue that had so many is gone; what it has left there, on some devices,
 * takes their place until all has been polled.
 */
static inline void wf_verbs_give_cq(struct wf_verbs_cq *cq, uint32_t n)
{
	cq->left += n;
}

/* Would polling what is there make room for so many? */
bool wf_verbs_polling_helps(const struct wf_verbs_cqs *set, uint32_t n);

/* Fewer were polled than asked for. */
static inline void wf_verbs_cq_is_empty(struct wf_verbs_cq *cq)
{
	cq->room += cq->left;
	cq->left = 0;
}

void wf_verbs_cqs_close(struct wf_verbs_cqs *set);

/* The next completion of any makes an event; an errno. */
int wf_verbs_arm_cqs(const struct wf_verbs_cqs *set);

#endif
