/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the verbs backend: receive queues.
 *
 * Where the device has shared ones, endpoints receive from one until half of it
 * is for what each of them may send; then another one is opened.  Where it
 * gives no more, the last ones share what is there.  Without shared ones each
 * queue pair has its own.
 */
#ifndef WEFT_TRANSPORT_VERBS_RECEIVE_H
#define WEFT_TRANSPORT_VERBS_RECEIVE_H

#include <infiniband/verbs.h>
#include <stdint.h>
#include "base/list.h"
#include "base/map.h"
#include "transport/verbs/verbs_cq.h"

struct wf_verbs;
struct wf_verbs_ep;

enum {
	WF_VERBS_SPENT = 8,		/* buffers posted together */
	WF_VERBS_MOST_SPENT = 16,	/* the device does not take */
	WF_VERBS_RQ_LEAST = 32 + WF_VERBS_SPENT,
	WF_VERBS_OWN_RQ = 64		/* buffers of one queue pair */
};

struct wf_verbs_rq {
	uint32_t number;		/* upper half of its receives' ids */
	uint32_t size;			/* buffers, and WF_VERBS_SPENT more */
	uint32_t room;			/* of signals raised through it */
	uint32_t neps, given;		/* endpoints; bulks of mails to them */
	struct wf_list eps;		/* by turns: who is looked at next */
	struct wf_list link;		/* in the shared ones that take more */
	struct ibv_srq *srq;		/* NULL: of one queue pair, */
	struct ibv_qp *qp;		/* this one, if it has one now */
	struct wf_verbs_cq *cq;
	char *buffers;
	struct ibv_mr *mr;
	char *spent[WF_VERBS_MOST_SPENT];	/* to be posted */
	int nspent;
	bool failed;
};

/* Those of a device. */
struct wf_verbs_rqs {
	struct wf_verbs_cqs cqs;
	struct wf_list shared;		/* struct wf_verbs_rq that take more */
	struct wf_map by_number;	/* all of them */
	uint32_t last;			/* number */
	uint32_t no_room;		/* of signals; 0: queues have some */
	size_t posted;			/* buffers in all of them, at most */
	bool shares;			/* the device has shared ones, */
	bool full;			/* but no more of them */
	bool failed;			/* one of them */
	bool told_full, told_buffers;	/* that; one takes no buffers */
};

/* The first one, if the device shares them; an errno, and what failed. */
int wf_verbs_rq_open(struct wf_verbs *dev, const char **what_p);
void wf_verbs_rqs_close(struct wf_verbs *dev);

/* Bytes of the buffers of the first one, or of each endpoint's. */
size_t wf_verbs_rq_bytes(const struct wf_verbs *dev);

/* The one that an endpoint receives from; an errno, and what failed. */
int wf_verbs_rq_join(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		     const char **what_p);
void wf_verbs_rq_leave(struct wf_verbs_ep *ep);

/* What a queue pair is created with, and is done when it can receive. */
void wf_verbs_rq_fill(const struct wf_verbs_rq *rq,
		      struct ibv_qp_init_attr *attr);
int wf_verbs_rq_start(struct wf_verbs_rq *rq, struct ibv_qp *qp);

/* Nothing comes by it any more: its endpoints end, and nobody joins it. */
void wf_verbs_rq_fail(struct wf_verbs *dev, struct wf_verbs_rq *rq,
		      const char *why);
struct wf_verbs_rq *wf_verbs_rq_of(struct wf_verbs *dev,
				   const struct ibv_srq *srq);

int wf_verbs_receive(struct wf_verbs *dev);

/* One completion, for wf_verbs_receive(). */
void wf_verbs_received(struct wf_verbs *dev, const struct ibv_wc *wc);

#endif
