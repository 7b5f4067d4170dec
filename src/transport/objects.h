/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ops of the transport contract work on: operands, mails, regions,
 * devices, endpoints, and what a device gets and reports.
 *
 * Part of transport.h, which states the rules and includes this file; backends
 * embed struct wf_device, struct wf_ep and struct wf_region as first members.
 */
#ifndef WEFT_TRANSPORT_OBJECTS_H
#define WEFT_TRANSPORT_OBJECTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "transport/caps.h"

struct wf_blob;
struct wf_boot;
struct wf_config;
struct wf_device;
struct wf_doorbell;
struct wf_ep;
struct wf_ep_ops;
struct wf_log;
struct wf_random;
struct wf_region;
struct wf_segment;
struct wf_signals;
struct wf_tp_ops;
struct wf_tp_refusal;

/* A local operand.  region NULL: offset is an address (WF_CAP_LOCAL_ANY). */
struct wf_loc {
	struct wf_region *region;
	uint64_t offset;
};

/* What goes into a line. */
struct wf_piece {
	const void *data;
	uint32_t n;
};

/* A remote operand, as its owner packed it; travels in mails and lines. */
struct wf_rloc {
	uint64_t addr;
	uint64_t key;
};

/*
 * The header of a mail, also its form on the wire.  The transport looks at
 * flags and length only.
 */
struct wf_mail {
	uint8_t kind;
	uint8_t flags;			/* enum wf_mail_flag */
	uint16_t length;		/* of the payload, in bytes */
	uint32_t word;			/* meaning depends on the kind */
	uint64_t context;
};

/* Of a word of the node, to `desired` if it is `expected`; equal: a look. */
struct wf_swap {
	uint64_t number;
	uint64_t expected, desired;
};

enum wf_mail_flag {
	WF_MAIL_RESERVED = 1u << 0	/* may use the reserved credit */
};

enum {
	WF_BOARD_WORDS = 8,		/* of the node, for each rank of it */
	WF_HEAD_BYTES = 64,		/* from a head word to its payload */
	WF_MAIL_MAX = 1024,		/* header and payload */
	WF_MAIL_PAYLOAD = WF_MAIL_MAX - (int)sizeof(struct wf_mail),
	WF_MAIL_LONGEST = 4096 + 32	/* payload of any device */
};

/* A registered piece of local memory. */
struct wf_region {
	struct wf_device *dev;
	void *base;
	uint64_t bytes;
	bool apart;			/* set by its owner: see reg() */
};

/*
 * What a device reports upwards, from its progress only, mails before deaths.
 * An upcall may not call an op of the contract, but it may connect().
 */
struct wf_tp_up {
	/* A mail has arrived; payload is valid during the call only. */
	void (*deliver)(void *arg, struct wf_ep *ep, const struct wf_mail *mail,
			const void *payload);
	/* A rank without an endpoint here has made contact: connect to it. */
	void (*contact)(void *arg, int rank);
	/*
	 * Trouble with a peer; only the failure detector declares deaths.  why
	 * NULL: it is over.
	 */
	void (*suspect)(void *arg, int rank, const char *why);
	/* Told by memory: a rank of the node is dead, or itself says it left */
	void (*told)(void *arg, int rank, bool left);
	void *arg;
};

/* What a device gets when it is opened; all of it outlives the device. */
struct wf_tp_env {
	const struct wf_log *log;
	const struct wf_config *config;
	struct wf_boot *boot;		/* rank, size, node map, blobs */
	const struct wf_blob *self;	/* own blob, without this address */
	struct wf_segment *segment;
	struct wf_signals *signals;
	struct wf_random *random;
	const struct wf_doorbell *doorbell;	/* NULL: nobody sleeps */
	struct wf_tp_up up;
	void *world;			/* shared by simulated ranks, or NULL */
	bool crowded;			/* more ranks on the node than CPUs */
};

struct wf_device {
	const struct wf_tp_ops *ops;
	uint32_t caps;			/* enum wf_tp_cap */
	uint32_t line_data;		/* bytes that a line carries, <= 56 */
	uint32_t mail_max;		/* of a payload, WF_MAIL_PAYLOAD up */
	uint32_t slot_max, chunk;	/* in bytes: see limits.h */
	struct wf_region arena;		/* the segment of env */
	/*
	 * All memory of this process, offsets are addresses.  Peers write it
	 * whose endpoint to here says so (wf_ep.writes_anywhere).
	 */
	struct wf_region anywhere;
	/*
	 * A word of this process that its peers here see, in wf_ep.away: 1
	 * while it has given its CPU away.  NULL: they see none.
	 */
	_Atomic uint32_t *away;
};

enum wf_ep_state {
	WF_EP_CONNECTING,
	WF_EP_READY,			/* hot ops are allowed */
	WF_EP_REFUSED,			/* the peer cannot or will not use it */
	WF_EP_CLOSED			/* the peer closed before it answered */
} __attribute__((packed));		/* there are very many endpoints */

/*
 * A backend embeds it as first member.  Each post raises posted; the others are
 * raised by the op itself or by progress.
 */
struct wf_ep {
	const struct wf_ep_ops *ops;
	struct wf_device *dev;
	uint64_t posted;		/* posts so far */
	uint64_t done;			/* up to it sources are reusable, and
					 * what is fetched is here */
	uint64_t flushed;		/* up to it visible at the peer */
	uint64_t arrived;		/* up to it there, if that is more */
	int rank;			/* the peer's world rank */
	enum wf_ep_state state;
	bool broken;			/* nothing gets through; what was under
					 * way may be lost, though it is done */
	bool gone;			/* the peer: the room above knows */
	bool writes_anywhere;		/* puts reach the peer's anywhere */
	uint32_t answers;		/* so far, with WF_CAP_ANSWERS */
	uint32_t room;			/* of signals that the peer raises */
	int failed;			/* errno of connecting; 0: none known */
	const char *where;		/* its address, for people, or NULL */
	const char *lack;		/* REFUSED for it; or NULL */
	const _Atomic uint32_t *away;	/* the peer's wf_device.away, or NULL */
	void *user;			/* of the room above */
};

/* Whom to connect to. */
struct wf_tp_peer {
	int rank;
	const struct wf_blob *blob;	/* copied where it is needed for long */
	struct wf_tp_refusal *refusal;	/* out; NULL: nobody wants to know */
	bool last;			/* try: the other end need not wait */
};

/* Why a backend cannot reach a peer. */
struct wf_tp_refusal {
	char why[280];			/* a sentence, cut; "": not known */
	bool gone;			/* it may have closed its job */
};

/*
 * Of all posted so far.  What has arrived the peer gets, whatever becomes of
 * this process, and sees it before mails that are posted from then on; others
 * may see it later.
 */
enum wf_flush {
	WF_FLUSH_LOCAL,			/* reusable */
	WF_FLUSH_ARRIVED,
	WF_FLUSH_REMOTE			/* visible to all who look there */
};

/* Bytes that a device holds, for reports and the tests of memory per peer. */
struct wf_tp_memory {
	uint64_t fixed;
	uint64_t per_ep;
};

/* Source of any memory, for devices with WF_CAP_LOCAL_ANY. */
static inline struct wf_loc wf_loc_any(const void *p)
{
	return (struct wf_loc){ NULL, (uintptr_t)p };
}

/* Where the bytes of a local operand are. */
static inline void *wf_loc_address(struct wf_loc loc)
{
	char *base = loc.region ? loc.region->base : NULL;

	return (void *)((uintptr_t)base + loc.offset);
}

static inline bool wf_ep_done(const struct wf_ep *ep, uint64_t post)
{
	return ep->done >= post;
}

static inline bool wf_ep_flushed(const struct wf_ep *ep, uint64_t post)
{
	return ep->flushed >= post;
}

static inline bool wf_ep_arrived(const struct wf_ep *ep, uint64_t post)
{
	return ep->arrived >= post || wf_ep_flushed(ep, post);
}

/* Of the bounds of a sleep the least counts. */
static inline void wf_lower(int *ms_p, int ms)
{
	if (*ms_p > ms)
		*ms_p = ms;
}

#endif
