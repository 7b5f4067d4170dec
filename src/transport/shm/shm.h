/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the shm backend: one device per job, one endpoint per connected
 * rank of the node.  A put or get is a memcpy to or from the peer's segment,
 * or a copy by the kernel where other memory is meant, an atomic op is done on
 * the mapped word, so all but mail is complete when its op returns.
 *
 * First contact: each side maps the other's segment, makes a ring for the
 * other's mails in its own and stores that ring's offset into the other's
 * header (shm_connect.c).  An endpoint is ready when both have done so.
 */
#ifndef WEFT_TRANSPORT_SHM_H
#define WEFT_TRANSPORT_SHM_H

#include <sys/types.h>
#include "base/list.h"
#include "base/ring.h"
#include "transport/segment.h"
#include "transport/shm/shm_wire.h"
#include "transport/signals.h"
#include "transport/transport.h"

enum {
	WF_SHM_WHY = 280		/* bytes of the reason of a refusal */
};

/* A peer's segment as this process sees it. */
struct wf_shm_map {
	char *base;
	uint64_t limit;
	uint64_t header;		/* offset */
	bool lent;			/* the owner's own mapping */
};

/* The pages of a peer's header alone, for a short time. */
struct wf_shm_view {
	void *pages;
	size_t bytes;
	struct wf_shm_header *header;
};

struct wf_shm_ep {
	struct wf_ep ep;
	char *base;			/* of the peer's segment */
	uint64_t size;			/* its size when last looked at */
	uint64_t key;			/* of operands in its segment */
	uint64_t any_key;		/* of all its memory, by address */
	struct wf_signal_directory *directory;
	struct wf_ring in;		/* of its mails; progress drains it */
	struct wf_ring out;		/* for our mails, in its segment */
	struct wf_shm_map map;
	struct wf_shm_header *header;	/* the peer's */
	uint64_t ring;			/* for its mails, offset in ours */
	struct wf_list connecting;	/* in the device's list until ready */
	uint32_t rung;			/* for this sleep of the peer */
	bool deaf;			/* its doorbell is not reached */
	int doorbell;			/* of the peer; -1: not opened */
	int index;			/* on the node */
	int pidfd;			/* -1: a rank of this process */
	pid_t pid;
	int memfd;			/* the number of its segment there, */
	uint64_t file;			/* and which file that is */
};

/* What the device knows of a rank of the node. */
struct wf_shm_slot {
	struct wf_shm_ep *ep;		/* NULL: none, or no more */
	bool met;			/* its contact was reported, or ours */
	uint32_t fate;			/* as we were told, or tell */
	bool reported;			/* upwards */
};

struct wf_shm {
	struct wf_device dev;
	struct wf_tp_env env;
	struct wf_shm_header *header;
	uint64_t header_at;		/* its offset */
	uint64_t bell;			/* as last seen */
	uint32_t sleeps;		/* number of the last sleep */
	int n, me;			/* ranks of the node, own index */
	int fates;			/* not yet reported */
	int ndeaf;			/* endpoints */
	/* Of the node's first rank; header NULL: it is ours, or not there. */
	struct wf_shm_view first;
	pid_t first_pid;
	uint64_t first_bell;		/* as last seen */
	struct wf_list connecting;	/* endpoints */
	/* Room for all: one may become ready while progress is at another. */
	struct wf_shm_ep **ready;
	int nready;
	struct wf_shm_slot slot[];	/* by index on the node */
};

extern const struct wf_ep_ops wf_shm_ep_ops;

static inline struct wf_shm *wf_shm_dev(struct wf_device *dev)
{
	return (struct wf_shm *)dev;
}

static inline struct wf_shm_ep *wf_shm_ep(struct wf_ep *ep)
{
	return (struct wf_shm_ep *)ep;
}

static inline size_t wf_shm_header_bytes(int ranks)
{
	return sizeof(struct wf_shm_header) +
	       (size_t)ranks * sizeof(struct wf_shm_node);
}

/* Of all rings. */
static inline struct wf_ring_shape wf_shm_ring_shape(void)
{
	return (struct wf_ring_shape){ WF_SHM_UNITS, sizeof(struct wf_mail) +
							WF_MAIL_LONGEST };
}

/* Everything but mail is finished when its op returns. */
static inline int wf_shm_posted(struct wf_ep *ep)
{
	ep->posted++;
	ep->done = ep->posted;
	ep->flushed = ep->posted;
	return WEFT_OK;
}

/*
 * shm_attach.c: both say in why (WF_SHM_WHY bytes) what is wrong;
 * WEFT_ERR_RANGE: its memory is not there, as if it had closed its job.
 */
int wf_shm_view_open(const struct wf_shm *dev, const struct wf_blob *blob,
		     struct wf_shm_view *view_p, char *why);
void wf_shm_view_close(struct wf_shm_view *view);
int wf_shm_attach(const struct wf_shm *dev, const struct wf_blob *blob,
		  struct wf_shm_map *map_p, char *why);
void wf_shm_attach_self(const struct wf_shm *dev, struct wf_shm_map *map_p);
void wf_shm_detach(const struct wf_shm_map *map);
bool wf_shm_same_process(const struct wf_shm *dev, const struct wf_blob *blob);

/* shm_cma.c */
bool wf_shm_reaches_anywhere(const struct wf_shm *dev,
			     const struct wf_shm_ep *ep,
			     const struct wf_blob *blob);
int wf_shm_write_anywhere(const struct wf_shm_ep *ep, uint64_t addr,
			  const void *src, size_t n);
int wf_shm_read_anywhere(struct wf_shm_ep *ep, void *dst, uint64_t addr,
			 size_t n);

/* shm_connect.c */
int wf_shm_connect(struct wf_device *dev, const struct wf_tp_peer *peer,
		   struct wf_ep **ep_p);
void wf_shm_disconnect(struct wf_ep *ep);
int wf_shm_fence(struct wf_ep *ep);
bool wf_shm_try_ready(struct wf_shm *dev, struct wf_shm_ep *ep);
/*
 * Of a peer with a pidfd: has it ended, or is another program in its place?
 * Nothing of it stores here any more, and its memory is another one's.
 */
bool wf_shm_is_over(const struct wf_shm_ep *ep);

/* shm_mail.c: drain a ring; the number of mails */
int wf_shm_mail(struct wf_ep *ep, const struct wf_mail *mail,
		const void *payload);
int wf_shm_mail_drain(struct wf_shm *dev, struct wf_shm_ep *ep);

/* shm_progress.c */
int wf_shm_progress(struct wf_device *dev);

/*
 * shm_sleep.c: wake a peer that sleeps.  After a store of the hot path, which
 * the sleeper's membarrier orders before the load of its flag; and after a rare
 * one into a header that may be a stranger's, with a barrier of its own.
 */
void wf_shm_ring(struct wf_shm_ep *ep);
void wf_shm_ring_header(const struct wf_shm_header *header, pid_t pid);
void wf_shm_forget_doorbell(struct wf_shm_ep *ep);

static inline void wf_shm_wake(struct wf_shm_ep *ep)
{
	/* With wf_membarrier() in wf_shm_arm(). */
	atomic_signal_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&ep->header->asleep, memory_order_relaxed))
		wf_shm_ring(ep);
}

int wf_shm_arm(struct wf_device *dev, int *ms_p);
void wf_shm_disarm(struct wf_device *dev);

/* shm_tell.c; and a stranger's blob and header, as wf_shm_view_open() */
void wf_shm_joined(struct wf_device *dev);
bool wf_shm_tell(struct wf_device *dev, int rank);
int wf_shm_visit(struct wf_shm *dev, int rank, struct wf_blob *blob_p,
		 struct wf_shm_view *view_p, char *why);

/* shm_board.c */
int wf_shm_board(struct wf_device *dev, const struct wf_swap *swap,
		 uint64_t *seen_p);

/* shm_rma.c */
int wf_shm_reach(struct wf_ep *ep, struct wf_rloc dst, size_t n, uint32_t sig,
		 void **to_p);

/* shm_region.c */
int wf_shm_key(struct wf_region *region, uint64_t offset,
	       struct wf_rloc *rloc_p);

#endif
