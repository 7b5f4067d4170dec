/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the verbs backend: work requests, before they are posted and while
 * they are under way.
 */
#ifndef WEFT_TRANSPORT_VERBS_QUEUE_H
#define WEFT_TRANSPORT_VERBS_QUEUE_H

#include <infiniband/verbs.h>
#include "transport/transport.h"
#include "transport/verbs/verbs_wire.h"

struct wf_verbs;
struct wf_verbs_ep;

enum {
	WF_VERBS_SQ = 64,		/* work requests of a queue pair */
	WF_VERBS_SILENT = 16,		/* of so many inline ones one reports */
	WF_VERBS_INLINE = 128,		/* bytes that are asked for */
	WF_VERBS_SLOTS = 128,		/* of bounce memory */
	WF_VERBS_EP_SLOTS = 24,		/* of them, for one endpoint */
	WF_VERBS_SLOT = 1088		/* a mail, or a head and its bytes */
};

enum wf_verbs_what {
	WF_VERBS_DO_MAIL,
	WF_VERBS_DO_LINE,
	WF_VERBS_DO_PUT,
	WF_VERBS_DO_GET,
	WF_VERBS_DO_WORD,
	WF_VERBS_DO_FLUSH,
	WF_VERBS_DO_CREDIT,
	WF_VERBS_DO_LOCATE
};

/* A work request that is under way. */
struct wf_verbs_wr {
	uint64_t post;			/* posts up to it, once complete */
	char *slot;			/* bounce memory; or NULL */
	void *to;			/* where its bytes go; or NULL */
	struct ibv_mr *mr;		/* registered for it; or NULL */
	uint32_t bytes;
	uint8_t what;			/* enum wf_verbs_what */
	bool holds;			/* a source, or a target, of the user */
	bool part;			/* of a post that later ones complete */
};

/* One to be posted: entry is what becomes of it. */
struct wf_verbs_post {
	struct ibv_send_wr wr;
	struct ibv_sge sge[2];
	struct wf_verbs_wr entry;
	bool copied;			/* may be inline: sge are ours */
};

struct wf_verbs_cq {
	struct ibv_cq *cq;
	uint32_t room;			/* work requests that still fit */
};

/* verbs_queue.c: queue pairs and what is under way on them */
int wf_verbs_qp_create(struct wf_verbs *dev, struct wf_verbs_ep *ep);
int wf_verbs_qp_join(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		     const struct wf_verbs_hello *hello);
void wf_verbs_qp_destroy(struct wf_verbs_ep *ep);
int wf_verbs_room(const struct wf_verbs_ep *ep, uint32_t n);
int wf_verbs_do(struct wf_verbs_ep *ep, struct wf_verbs_post *p);
void wf_verbs_posted(struct wf_verbs_ep *ep);
void wf_verbs_recount(struct wf_verbs_ep *ep);
void wf_verbs_complete(struct wf_verbs *dev, const struct ibv_wc *wc);
void wf_verbs_break(struct wf_verbs_ep *ep, const char *why);
char *wf_verbs_take_slot(struct wf_verbs_ep *ep);
void wf_verbs_give_slot(struct wf_verbs_ep *ep, char *slot);
void wf_verbs_undo(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry);

/* verbs_local.c: what the adapter reads and writes here */
int wf_verbs_source(struct wf_verbs_ep *ep, struct wf_loc src, size_t n,
		    struct wf_verbs_post *p);
int wf_verbs_target(struct wf_verbs_ep *ep, struct wf_loc dst, size_t n,
		    struct wf_verbs_post *p);
int wf_verbs_head(struct wf_verbs_ep *ep, const char *head,
		  struct wf_verbs_post *p);

#endif
