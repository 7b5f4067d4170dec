/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the verbs backend: one RDMA device and port per job, an RC queue
 * pair per connected rank, and one UD queue pair by which ranks make first
 * contact.
 *
 * Queue pairs receive from shared receive queues, or each from its own where
 * the device has no shared ones (verbs_receive.h).  Completion queues hold all
 * that may be posted (verbs_cq.h).  RC completes in order, so what is under way
 * is a ring of posts, and one completion answers for all before it.
 */
#ifndef WEFT_TRANSPORT_VERBS_H
#define WEFT_TRANSPORT_VERBS_H

#include <infiniband/verbs.h>
#include "base/forked.h"
#include "base/list.h"
#include "base/map.h"
#include "base/pool.h"
#include "boot/blob.h"
#include "transport/segment.h"
#include "transport/signals.h"
#include "transport/transport.h"
#include "transport/verbs/verbs_bounce.h"
#include "transport/verbs/verbs_cq.h"
#include "transport/verbs/verbs_credit.h"
#include "transport/verbs/verbs_hello.h"
#include "transport/verbs/verbs_mend.h"
#include "transport/verbs/verbs_port.h"
#include "transport/verbs/verbs_queue.h"
#include "transport/verbs/verbs_receive.h"
#include "transport/verbs/verbs_wire.h"

enum {
	WF_VERBS_UD = 64,		/* datagrams each way, at most */
	WF_VERBS_UD_BYTES = 256,
	WF_VERBS_MRS = 32,		/* the segment doubles: enough */
	WF_VERBS_WHY = 600		/* bytes of a sentence */
};

struct wf_verbs_ep {
	struct wf_ep ep;
	struct ibv_qp *qp;		/* NULL: fenced */
	struct wf_verbs_cq *cq;		/* of its send queue */
	struct wf_verbs_rq *rq;
	struct wf_list receives;	/* in those of its receive queue */
	uint32_t serial;		/* in the work request ids */
	uint32_t qpn, peer_qpn;		/* the peer's: joined */
	uint32_t head, tail;		/* posted ever, complete */
	uint32_t staged;		/* behind head, not posted yet */
	uint32_t hold;			/* the first that holds, else head */
	uint32_t silent;		/* inline ones since the last report */
	uint64_t looked;		/* posts that a read is behind */
	uint32_t inline_max;
	struct wf_verbs_ece ece;	/* that the own adapter has */
	int nslots, bounced;		/* slots, and units of bounce memory */
	uint32_t tag;			/* upper half of the peer's keys */
	struct wf_rloc zero;		/* the peer's */
	uint64_t door, directory;	/* addresses there, under its key */
	uint32_t numbered, received;	/* mails and immediates, ever */
	uint32_t stamp;			/* of the last mail: older blocks */
	struct wf_verbs_life life;
	struct wf_verbs_credit credit;	/* mails, each way */
	struct wf_map blocks, raised;	/* of the peer's: verbs_raise.c */
	struct wf_list work;		/* in the device's, or in none */
	struct wf_list calling;		/* the same: hellos are due */
	uint64_t hello_at, hello_pause;
	struct wf_verbs_handle *handle;	/* NULL: few, or oneself */
	uint32_t psn, depth;		/* of the ring: a power of two */
	bool answers;			/* it was called first */
	bool hello_seen, answer_due, reported;
	char why[WF_VERBS_WHY];		/* it is broken, or lost; before it is
					 * ready: where it calls */
	struct wf_blob_key key;		/* the peer's */
	struct wf_verbs_address address;
	char host[WF_HOST_MAX + 1];
	struct wf_verbs_wr ring[];
};

struct wf_verbs_region {
	struct wf_region region;
	struct ibv_mr *mr;
	struct wf_list link;		/* in the device's, if not apart */
	bool read_only;
};

struct wf_verbs {
	struct wf_device dev;
	struct wf_tp_env env;
	struct wf_forked forked;
	struct wf_verbs_port port;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	int vector;			/* of completion queues */
	struct ibv_cq *ucq;		/* of ud, both directions */
	struct ibv_qp *ud;
	struct wf_verbs_cqs scqs;
	struct wf_verbs_rqs rqs;
	bool no_ece;			/* it was asked for, and refused */
	bool told_replace;		/* that a queue pair is not replaced */
	struct ibv_mr *mr[WF_VERBS_MRS];	/* of the segment; the last */
	int nmrs;
	uint64_t covered;		/* bytes of it that have a key */
	uint64_t tried;			/* or should, when it was tried */
	uint64_t told;			/* or cannot have: told once */
	uint64_t door;			/* offset of it in the segment */
	struct wf_list regions;		/* struct wf_verbs_region */
	struct wf_pool kept;		/* struct wf_verbs_request */
	struct wf_map eps, by_serial, by_qpn;	/* struct wf_verbs_ep */
	struct wf_verbs_ep *lately;	/* of by_qpn, what came last; or NULL */
	uint32_t serial;
	struct wf_map strangers;	/* rank -> its struct wf_verbs_hello */
	struct wf_map refused;		/* ranks that get no endpoint, and */
	struct wf_list refusals;	/* those to be told: verbs_refuse.c */
	struct wf_list work;		/* endpoints that owe something */
	struct wf_list calling;		/* endpoints without an answer */
	struct wf_list leaving;		/* handles by which something leaves */
	bool few_handles;		/* each is for one hello */
	uint32_t depth;			/* of the ring of each endpoint */
	uint32_t mails_heard;
	/* One piece of registered memory: */
	char *buffers;
	size_t buffer_bytes;
	struct ibv_mr *buffer_mr;
	char *slots, *datagrams, *sink;
	char *free_slot[WF_VERBS_SLOTS];
	int nfree;
	struct wf_verbs_bounce bounce;
	uint32_t ud_room;		/* datagrams to come, and to go */
	uint32_t ud_sent, ud_done;
	bool ud_failed;			/* it is to be revived */
	uint64_t ud_revived;
	uint64_t called_at, called_ns;	/* the time of calls */
	unsigned armed;			/* completion events to come, at most */
	unsigned passes;		/* in vain; 0: events may tell why */
	unsigned looks;			/* in vain or not */
	unsigned reports;		/* of work requests to come */
	uint64_t dropped;		/* messages for nobody */
	char failed[WF_VERBS_WHY / 2];	/* why nothing comes; empty: it does */
};

/* By what the device can do. */
extern const struct wf_ep_ops wf_verbs_ep_ops, wf_verbs_ep_ops_without_atomics;

static inline bool wf_verbs_has_atomics(const struct wf_verbs *dev)
{
	return wf_verbs_port_has_atomics(&dev->port);
}

static inline unsigned wf_verbs_atomic_access(const struct wf_verbs *dev)
{
	return wf_verbs_has_atomics(dev) ? IBV_ACCESS_REMOTE_ATOMIC : 0;
}

static inline struct wf_verbs *wf_verbs_dev(struct wf_device *dev)
{
	return (struct wf_verbs *)dev;
}

static inline struct wf_verbs_ep *wf_verbs_ep(struct wf_ep *ep)
{
	return (struct wf_verbs_ep *)ep;
}

static inline size_t wf_verbs_ep_bytes(uint32_t depth)
{
	return sizeof(struct wf_verbs_ep) + depth * sizeof(struct wf_verbs_wr);
}

/* The work request of this number, which its completion tells, too. */
static inline struct wf_verbs_wr *wf_verbs_at(struct wf_verbs_ep *ep,
					      uint32_t at)
{
	return &ep->ring[at & (ep->depth - 1)];
}

/* It owes something: progress looks at it. */
static inline void wf_verbs_owes(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	if (wf_list_empty(&ep->work))
		wf_list_add_tail(&dev->work, &ep->work);
}

/* verbs_fork.c: in between no child keeps the device open */
void wf_verbs_close_in_child(const struct ibv_context *context);
void wf_verbs_guard(struct wf_verbs *dev);	/* by wf_forked_hold() */
void wf_verbs_unguard(struct wf_verbs *dev);

/* verbs_connect.c */
int wf_verbs_connect(struct wf_device *dev, const struct wf_tp_peer *peer,
		     struct wf_ep **ep_p);
void wf_verbs_disconnect(struct wf_ep *ep);
int wf_verbs_fence(struct wf_ep *ep);
int wf_verbs_meet(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		  const struct wf_verbs_hello *hello);
void wf_verbs_ready(struct wf_verbs_ep *ep);
void wf_verbs_say_where(const struct wf_verbs *dev, struct wf_verbs_ep *ep);
void wf_verbs_decide(struct wf_verbs_ep *ep, enum wf_ep_state state);
void wf_verbs_fill_address(const struct wf_verbs *dev,
			   struct wf_verbs_address *a);

/* verbs_rma.c */
int wf_verbs_empty(struct wf_verbs_ep *ep, uint64_t post,
		   enum wf_verbs_what what);

/* verbs_mail.c */
int wf_verbs_mail(struct wf_ep *ep, const struct wf_mail *mail,
		  const void *payload);
int wf_verbs_mail_credit(struct wf_verbs_ep *ep);
void wf_verbs_letter_comes(struct wf_verbs *dev, struct wf_verbs_ep *ep,
			   const char *message, size_t n);

/* verbs_progress.c, and events of the device: verbs_event.c */
void wf_verbs_look_again(struct wf_verbs *dev);	/* at its port */
bool wf_verbs_is_next(struct wf_verbs_ep *ep, uint32_t number, uint32_t bits);
int wf_verbs_progress(struct wf_device *dev);
struct wf_verbs_ep *wf_verbs_sender(struct wf_verbs *dev, uint32_t qpn);
void wf_verbs_arrived(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		      const struct ibv_wc *wc, const char *buffer);
void wf_verbs_look_at_events(struct wf_verbs *dev);

/* verbs_region.c */
int wf_verbs_reg(struct wf_device *dev, void *base, size_t bytes,
		 struct wf_region **region_p);
void wf_verbs_release(struct wf_region *region);
int wf_verbs_key(struct wf_region *region, uint64_t offset,
		 struct wf_rloc *rloc_p);
int wf_verbs_cover(struct wf_verbs *dev);
int wf_verbs_not_registered(struct wf_verbs *dev, uint64_t bytes, int error);
uint32_t wf_verbs_tag(const struct wf_blob_key *key);

/* verbs_sleep.c */
int wf_verbs_arm(struct wf_device *dev, int *ms_p);
void wf_verbs_disarm(struct wf_device *dev);
int wf_verbs_descriptor(struct wf_device *dev);

/* verbs_text.c */
void wf_verbs_gid_name(const uint8_t *gid, char *text, size_t bytes);
void wf_verbs_where(const struct wf_verbs_ep *ep, char *text, size_t bytes);
void wf_verbs_path_name(const struct wf_verbs_ep *ep, char *text, size_t bytes);
void wf_verbs_tell(const struct wf_verbs_ep *ep, const struct wf_verbs_wr *wr,
		   const struct ibv_wc *wc, char *text);

#endif
