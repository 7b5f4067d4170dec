/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the verbs backend: work requests, before they are posted and while
 * they are under way.
 */
#ifndef WEFT_TRANSPORT_VERBS_QUEUE_H
#define WEFT_TRANSPORT_VERBS_QUEUE_H

#include <infiniband/verbs.h>
#include "transport/transport.h"
#include "transport/verbs/verbs_fate.h"
#include "transport/verbs/verbs_wire.h"

struct wf_verbs;
struct wf_verbs_ep;

enum {
	WF_VERBS_SQ = 64,		/* posts of a queue pair under way, at
					 * most: a letter asks about all */
	WF_VERBS_SQ_LEAST = 16,
	WF_VERBS_LETTERS = 4,		/* between two lives, besides */
	WF_VERBS_CHAIN = 3,		/* staged at a time, at most */
	WF_VERBS_KEPT = 1024,		/* posts of all, as a rule: one block */
	WF_VERBS_INLINE = 128,		/* bytes, at most */
	WF_VERBS_ROUTED = 8192,		/* bytes with an immediate, at most,
					 * where routes may be adaptive */
	WF_VERBS_SLOTS = 136,
	WF_VERBS_SPARE_SLOTS = 8,	/* of them, for letters */
	WF_VERBS_EP_SLOTS = 24,		/* of them, for each endpoint */
	WF_VERBS_SLOT = 1088		/* a mail, or a head and its bytes */
};

/* What a work request has besides a slot, until it is complete. */
enum wf_verbs_lent {
	WF_VERBS_LENT_NOTHING,
	WF_VERBS_LENT_MR,		/* registered for it */
	WF_VERBS_LENT_BOUNCE
};

/* A work request, staged or under way. */
struct wf_verbs_wr {
	uint64_t post;			/* posts up to it, once complete */
	char *slot;			/* or NULL */
	void *to;			/* where its bytes go; or NULL */
	union {
		struct ibv_mr *mr;	/* WF_VERBS_LENT_MR */
		char *bounce;		/* WF_VERBS_LENT_BOUNCE */
	};
	struct wf_verbs_request *request;
	uint32_t bytes;
	struct wf_verbs_mark mark;
	uint8_t lent;			/* enum wf_verbs_lent */
	bool holds;			/* a source, or a target, of the user */
	bool part;			/* of a post that later ones complete */
	bool reports;			/* its completion will come */
};

/*
 * What is posted, and posted again.  Of the device's pool: as many are used as
 * there are posts under way, not as many as would fit into all queue pairs.
 */
struct wf_verbs_request {
	uint64_t address;		/* remote */
	uint32_t key, imm;
	uint8_t opcode, pieces;
	bool is_inline;
	bool fenced;			/* behind the reads before it */
	union {
		struct {
			struct ibv_sge sge[2];
			uint64_t operand[2];
		} from;
		char copy[WF_VERBS_INLINE];	/* of what is inline */
	};
};

/* verbs_queue.c: queue pairs and what is under way on them */
/*
 * What the device does not do goes into ep->why, and who asked for it tells: it
 * may do it later.  The status.
 */
int wf_verbs_failed(struct wf_verbs_ep *ep, const char *what, int error);
int wf_verbs_qp_create(struct wf_verbs *dev, struct wf_verbs_ep *ep);
enum ibv_mtu wf_verbs_path_mtu(const struct wf_verbs *dev,
			       const struct wf_verbs_address *peer);
int wf_verbs_qp_join(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		     const struct wf_verbs_hello *hello);
void wf_verbs_qp_destroy(struct wf_verbs_ep *ep);
void wf_verbs_qp_drop(struct wf_verbs_ep *ep);
void wf_verbs_recount(struct wf_verbs_ep *ep);
void wf_verbs_count(uint64_t *counter, const struct wf_verbs_wr *entry);
void wf_verbs_complete(struct wf_verbs *dev, const struct ibv_wc *wc);
void wf_verbs_retire(struct wf_verbs_ep *ep);
void wf_verbs_break(struct wf_verbs_ep *ep, const char *why);
bool wf_verbs_has_slots(const struct wf_verbs_ep *ep, int n);
char *wf_verbs_take_slot(struct wf_verbs_ep *ep);
void wf_verbs_give_slot(struct wf_verbs_ep *ep, char *slot);

/* verbs_request.c, see verbs_post.h */
void wf_verbs_discard(struct wf_verbs_ep *ep);
bool wf_verbs_do_again(struct wf_verbs_ep *ep, uint32_t at);

/*
 * verbs_local.c: what the adapter reads and writes here.  Where n bytes of ours
 * go that are not inline; NULL: there is no slot now.
 */
char *wf_verbs_slotted(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		       size_t n);
void wf_verbs_sunk(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry);
int wf_verbs_source(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		    struct wf_loc src, size_t n);
int wf_verbs_target(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry,
		    struct wf_loc dst, size_t n);

/*
 * Of an operation of so long parts: what has no key, and is not copied part by
 * part, is registered, all of it, and *loc is of *whole then, which has no mr
 * else.  Behind its requests, of which the first has the number before, the
 * last one that needs it has it: it completes last.
 */
struct wf_verbs_region;
int wf_verbs_borrow(struct wf_verbs_ep *ep, struct wf_loc *loc, size_t n,
		    size_t part, bool written, struct wf_verbs_region *whole);
void wf_verbs_lend(struct wf_verbs_ep *ep, uint32_t before,
		   const struct wf_verbs_region *whole);

/* verbs_word.c */
int wf_verbs_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		       uint64_t *old);
int wf_verbs_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		 uint64_t desired, uint64_t *old);

struct wf_verbs_word {
	enum ibv_wr_opcode opcode;
	uint64_t operand[2];		/* add; or expected, desired */
};

/* Nobody wants the old value: it takes no slot.  NULL: no memory. */
struct wf_verbs_wr *wf_verbs_stage_word(struct wf_verbs_ep *ep,
					const struct wf_verbs_word *op,
					struct wf_rloc dst,
					enum wf_verbs_what what);

/* verbs_raise.c: signals of the peer whose words we change */
int wf_verbs_find_signal(struct wf_verbs_ep *ep, uint32_t sig);
int wf_verbs_raise_stored(struct wf_verbs_ep *ep, struct wf_verbs_wr *bytes,
			  uint32_t sig);
int wf_verbs_raise_behind(struct wf_verbs_ep *ep, struct wf_verbs_wr *bytes,
			  uint32_t sig);
void wf_verbs_located(struct wf_verbs_ep *ep, const struct wf_verbs_wr *entry);
void wf_verbs_forget_raised(struct wf_verbs_ep *ep);

/* verbs_progress.c: what all endpoints share */
int wf_verbs_complete_all(struct wf_verbs *dev);

/* verbs_event.c: nothing is known of any endpoint any more */
void wf_verbs_break_all(struct wf_verbs *dev, const char *why);

#endif
