/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the ofi backend: one RDM endpoint of libfabric per job, which
 * reaches all peers; one struct wf_ofi_ep per connected rank.
 *
 * libfabric is loaded when the first device is opened: to be linked with it
 * would cost every process of every job 0.2 s.
 *
 * RDM endpoints have no connections; a hello to each other plays one
 * (ofi_connect.c).  What is under way is held by a fixed number of transmit
 * slots; an endpoint may hold a part of them, so that a peer that does not
 * progress keeps nobody else out.
 */
#ifndef WEFT_TRANSPORT_OFI_H
#define WEFT_TRANSPORT_OFI_H

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include "base/lack.h"
#include "base/list.h"
#include "base/map.h"
#include "boot/blob.h"
#include "transport/ofi/ofi_source.h"
#include "transport/ofi/ofi_word.h"
#include "transport/signals.h"
#include "transport/transport.h"

enum {
	WF_OFI_TX = 64,			/* slots, and the queue size asked */
	WF_OFI_EP_TX = 24,		/* of them, for one endpoint */
	WF_OFI_BOUNCE = 1088,		/* a mail, or a head and its bytes */
	WF_OFI_MOST = (64 << 20) + WF_HEAD_BYTES,	/* of one operation */
	WF_OFI_WHY = 480,		/* bytes of a sentence */
	WF_OFI_MRS = 24			/* the segment doubles: enough */
};

/* What is used of the library, by the versions that configure found. */
struct wf_ofi_lib {
	int (*getinfo)(uint32_t version, const char *node, const char *service,
		       uint64_t flags, const struct fi_info *hints,
		       struct fi_info **info);
	void (*freeinfo)(struct fi_info *info);
	struct fi_info *(*dupinfo)(const struct fi_info *info);
	int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric,
		      void *context);
	const char *(*strerror)(int error);
};

enum wf_ofi_what {
	WF_OFI_DO_MAIL,
	WF_OFI_DO_HELLO,
	WF_OFI_DO_LINE,
	WF_OFI_DO_PUT,
	WF_OFI_DO_GET,
	WF_OFI_DO_FLUSH,
	WF_OFI_DO_CREDIT,
	WF_OFI_DO_ASK,
	WF_OFI_DO_ANSWER
};

/* A transmit slot: one operation that has a completion. */
struct wf_ofi_tx {
	struct wf_ofi_context context;
	struct wf_list link;		/* free, or of its endpoint, in order */
	struct wf_ofi_ep *ep;		/* NULL: disconnected meanwhile */
	uint64_t post;
	size_t bytes;
	enum wf_ofi_what what;
	bool holds;			/* a source, or a target, of the user */
	char *bounce;			/* WF_OFI_BOUNCE bytes */
};

struct wf_ofi_ep {
	struct wf_ep ep;
	struct fid_ep *via;		/* by the path that is used */
	fi_addr_t addr;			/* the same */
	struct wf_rloc nowhere;		/* the peer's */
	struct wf_list under_way;	/* struct wf_ofi_tx */
	int nunder_way, nholding;
	uint64_t flush_acked;		/* posts that a flush has covered */
	uint64_t flush_sent;		/* or will, when it is done */
	uint64_t flush_want;		/* or shall: progress sends it */
	/* Mail: [0] as a rule, [1] the reserved one. */
	uint64_t sent[2];
	uint32_t credit[2];		/* the peer's signals, we raise */
	uint32_t consumed[2];		/* mails without credit yet */
	int given;			/* more credits than at first */
	uint32_t own[2];		/* our signals, the peer raises */
	const _Atomic uint64_t *word[2];
	struct wf_ofi_words words;	/* atomics */
	struct wf_list work;		/* in the device's, or in none */
	struct wf_list unguarded;	/* the same */
	uint64_t guarded_at;
	bool hello_sent, hello_seen, reported;
	int error;			/* of libfabric: it is broken */
	/* Is anybody there?  While nothing gets through: ofi_knock.c */
	struct wf_list doubtful;
	uint64_t knock_at, knock_pause, refused_at, starved_at, silent_since;
	int knock_fd;
	struct wf_blob_key key;		/* the peer's */
	struct wf_ofi_address address;
	struct wf_ofi_path path[WF_OFI_NAMES];	/* the best first */
	int npaths, at, refusals;	/* rounds in which one refused, and */
	bool refuses;			/* whether one does in this */
	char host[WF_HOST_MAX + 1];
	char where[80];			/* of it, for people */
};

struct wf_ofi {
	struct wf_device dev;
	struct wf_tp_env env;
	struct wf_ofi_lib lib;
	struct fi_info *info;		/* a list: of each source */
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_cq *cq;
	int wait_fd;			/* of cq; -1: none */
	struct fid_av *av;
	struct fid_mr *mr[WF_OFI_MRS];	/* the last one counts */
	int nmrs;
	uint64_t covered;		/* bytes of it that have a key */
	uint64_t nowhere;		/* its offset; 0: not there yet */
	size_t inject;			/* most bytes; 0: it is not used */
	bool ordered;			/* writes, and sends, arrive in order */
	bool guarded;			/* it reconnects without a word */
	struct wf_map eps;		/* rank -> struct wf_ofi_ep */
	struct wf_map strangers;	/* rank -> its struct wf_ofi_hello */
	struct wf_list free;		/* struct wf_ofi_tx */
	struct wf_list work;		/* endpoints that owe something */
	struct wf_list unguarded;	/* endpoints with posts that may be */
	struct wf_list doubtful;	/* endpoints */
	uint64_t next_knock;
	char lack[WF_LACK_TEXT];	/* why endpoints do not connect */
	uint64_t dropped;		/* messages for nobody */
	struct wf_ofi_self *self;	/* the endpoint to oneself */
	struct wf_ofi_tx tx[WF_OFI_TX];
	struct wf_ofi_source source[WF_OFI_NAMES];
	int nsources;
	int nheld;			/* of them: without an endpoint */
	uint64_t next_look;		/* at those */
	int nidle;			/* buffers that progress posts */
	int given;			/* more credits, of all peers */
	char *buffers;
};

extern const struct wf_ep_ops wf_ofi_ep_ops;

static inline struct wf_ofi *wf_ofi_dev(struct wf_device *dev)
{
	return (struct wf_ofi *)dev;
}

static inline struct wf_ofi_ep *wf_ofi_ep(struct wf_ep *ep)
{
	return (struct wf_ofi_ep *)ep;
}

/* It owes something: progress looks at it. */
static inline void wf_ofi_owes(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	if (wf_list_empty(&ep->work))
		wf_list_add_tail(&dev->work, &ep->work);
}

/* ofi_device.c: the first call that fails says so; the status */
int wf_ofi_open_failed(const struct wf_ofi *dev, const struct fi_info *info,
		       const char *call, int result);

/* ofi_load.c: WEFT_ERR_UNSUPPORTED with the reason */
int wf_ofi_load(struct wf_ofi_lib *lib_p, char *why, size_t why_bytes);

/* ofi_sleep.c: a result of libfabric */
int wf_ofi_open_cq(struct wf_ofi *dev, size_t entries);
bool wf_ofi_lines_wake(const struct wf_ofi *dev);
int wf_ofi_arm(struct wf_device *dev, int *ms_p);
int wf_ofi_descriptor(struct wf_device *dev);

/* ofi_text.c: sentences about what failed, and where an address points */
void wf_ofi_tell(const struct wf_ofi *dev, const struct wf_ofi_tx *tx,
		 const struct fi_cq_err_entry *error, char *text);
void wf_ofi_reason(const struct wf_ofi *dev, int result, char *text);
void wf_ofi_name(uint32_t format, const void *addr, char *text, size_t bytes);
bool wf_ofi_is_loopback(uint32_t format, const void *addr);

/* ofi_connect.c */
int wf_ofi_connect(struct wf_device *dev, const struct wf_tp_peer *peer,
		   struct wf_ep **ep_p);
void wf_ofi_disconnect(struct wf_ep *ep);
void wf_ofi_hello_comes(struct wf_ofi *dev, const struct wf_ofi_hello *hello);
int wf_ofi_send_hello(struct wf_ofi *dev, struct wf_ofi_ep *ep);

/* ofi_guard.c: after a post, every now and then, and before a sleep */
void wf_ofi_guard_start(struct wf_ofi_ep *ep);
void wf_ofi_guards(struct wf_ofi *dev);
void wf_ofi_guard_all(struct wf_ofi *dev);

/* ofi_knock.c: of a whole pass; the number of endpoints that changed */
int wf_ofi_knock(struct wf_ofi *dev);
bool wf_ofi_can_knock(const struct wf_ofi *dev);
void wf_ofi_knock_start(struct wf_ofi *dev, struct wf_ofi_ep *ep);
void wf_ofi_knock_stop(struct wf_ofi_ep *ep);
void wf_ofi_knock_rest(struct wf_ofi_ep *ep);

/* ofi_mail.c */
int wf_ofi_mail(struct wf_ep *ep, const struct wf_mail *mail,
		const void *payload);
void wf_ofi_receive(struct wf_ofi *dev, const void *message, size_t n);
bool wf_ofi_pay(struct wf_ofi_ep *ep);
int wf_ofi_send(struct wf_ofi_ep *ep, enum wf_ofi_what what,
		const void *message, size_t n);
void wf_ofi_drop(struct wf_ofi *dev, const char *why);

/* ofi_progress.c */
int wf_ofi_progress(struct wf_device *dev);
int wf_ofi_post_rx(struct wf_ofi_rx *rx);
void wf_ofi_empty(struct wf_ofi *dev);

/* ofi_region.c */
int wf_ofi_key(struct wf_region *region, uint64_t offset,
	       struct wf_rloc *rloc_p);
bool wf_ofi_is_key(const struct wf_ofi *dev, uint64_t key);
void *wf_ofi_own(struct wf_ofi *dev, struct wf_rloc rloc, size_t n);

/* ofi_self.c */
int wf_ofi_self_connect(struct wf_ofi *dev, struct wf_ep **ep_p);
void wf_ofi_self_disconnect(struct wf_ofi *dev);
int wf_ofi_self_progress(struct wf_ofi *dev);

/* ofi_rma.c: slots, and what becomes of a call of libfabric */
struct wf_ofi_tx *wf_ofi_take(struct wf_ofi_ep *ep, enum wf_ofi_what what);
void wf_ofi_give(struct wf_ofi *dev, struct wf_ofi_tx *tx);
int wf_ofi_status(struct wf_ofi_ep *ep, ssize_t result);
void wf_ofi_completed(struct wf_ofi *dev, struct wf_ofi_tx *tx);
void wf_ofi_posted(struct wf_ofi_ep *ep, struct wf_ofi_tx *tx, bool holds);
void wf_ofi_sent(struct wf_ofi_ep *ep, struct wf_ofi_tx *tx);
void wf_ofi_recount(struct wf_ofi_ep *ep);
int wf_ofi_credit(struct wf_ofi_ep *ep, uint32_t sig);
int wf_ofi_flush(struct wf_ofi_ep *ep);
void wf_ofi_break(struct wf_ofi_ep *ep, int error);

#endif
