/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The transport contract: what every backend does for the rooms above it.
 *
 * A device is an opened backend, an endpoint one peer through one device, a
 * region registered memory.  Two tables: wf_tp_ops, cold, per device, and
 * wf_ep_ops, hot, per peer, one cache line.  Stated once for all ops:
 *
 *   - No op waits, and none retries silently: full is WEFT_AGAIN, and the
 *     caller tries again after progress.
 *   - No op sends from inside an upcall, and upcalls come from progress only.
 *   - All ops of a device are called by one thread at a time (the job lock).
 *   - What a backend cannot do is a typed stub of stubs.c, and its capability
 *     bit is clear.  Code above asks the bit, never the name.
 *   - On failure nothing was posted, and outputs are untouched.
 *   - Any hot op may return WEFT_ERR_RANGE: a remote operand is not memory of
 *     this peer (other backends learn it later and call suspect()).
 */
#ifndef WEFT_TRANSPORT_H
#define WEFT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/status.h>

struct wf_blob;
struct wf_boot;
struct wf_config;
struct wf_device;
struct wf_ep;
struct wf_log;
struct wf_random;
struct wf_region;
struct wf_segment;
struct wf_signals;

enum wf_tp_cap {
	WF_CAP_FENCE = 1u << 0,		/* fence() ends a peer's writes */
	WF_CAP_LOCAL_ANY = 1u << 1,	/* local operands need no region */
	WF_CAP_PUT_MAIL_ORDER = 1u << 2,/* a mail arrives after earlier puts */
	WF_CAP_TARGET_IDLE = 1u << 3,	/* puts land while the target computes */
	WF_CAP_LINE_PLAIN = 1u << 4,	/* lines are in the plain encoding */
	WF_CAP_LINE_WAKES = 1u << 5,	/* a line ends a blocking wait */
	WF_CAP_GET = 1u << 6,
	WF_CAP_ATOMIC = 1u << 7		/* fetch_add and cas */
};

/* A local operand.  region NULL: offset is an address (WF_CAP_LOCAL_ANY). */
struct wf_loc {
	struct wf_region *region;
	uint64_t offset;
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

enum wf_mail_flag {
	WF_MAIL_RESERVED = 1u << 0	/* may use the reserved credit */
};

enum {
	WF_MAIL_MAX = 1024,		/* header and payload */
	WF_MAIL_PAYLOAD = WF_MAIL_MAX - (int)sizeof(struct wf_mail)
};

enum {
	WF_HEAD_BYTES = 64		/* from a head word to its payload */
};

/* A registered piece of local memory. */
struct wf_region {
	struct wf_device *dev;
	void *base;
	uint64_t bytes;
};

/*
 * What a device reports upwards, from its progress only, mails before deaths.
 * An upcall may not call an op of the contract, but contact() may connect().
 */
struct wf_tp_up {
	/* A mail has arrived; payload is valid during the call only. */
	void (*deliver)(void *arg, struct wf_ep *ep, const struct wf_mail *mail,
			const void *payload);
	/* A rank without an endpoint here has made contact: connect to it. */
	void (*contact)(void *arg, int rank);
	/* Trouble with a peer; only the failure detector declares deaths. */
	void (*suspect)(void *arg, int rank, const char *why);
	/* A rank of this node told through shared memory that rank is dead. */
	void (*told)(void *arg, int rank);
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
	struct wf_tp_up up;
	void *world;			/* what simulated ranks share, or NULL */
};

struct wf_device {
	const struct wf_tp_ops *ops;
	uint32_t caps;			/* enum wf_tp_cap */
	uint32_t line_data;		/* bytes that a line carries, <= 56 */
	struct wf_region arena;		/* the segment of env */
};

enum wf_ep_state {
	WF_EP_CONNECTING,
	WF_EP_READY,			/* hot ops are allowed */
	WF_EP_REFUSED			/* the peer cannot, or will not, use it */
};

/*
 * A backend embeds it as first member.  Each post raises posted; done and
 * flushed are raised by the op itself or by progress.
 */
struct wf_ep {
	const struct wf_ep_ops *ops;
	struct wf_device *dev;
	uint64_t posted;		/* posts so far */
	uint64_t done;			/* sources of posts <= done: reusable */
	uint64_t flushed;		/* posts <= flushed: visible at peer */
	int rank;			/* the peer's world rank */
	enum wf_ep_state state;
	void *user;			/* of the room above */
};

/* Whom to connect to. */
struct wf_tp_peer {
	int rank;
	const struct wf_blob *blob;	/* copied where it is needed for long */
};

enum wf_flush {
	WF_FLUSH_LOCAL,			/* all posted so far: reusable */
	WF_FLUSH_REMOTE			/* all posted so far: visible */
};

/* Bytes that a device holds, for reports and the tests of memory per peer. */
struct wf_tp_memory {
	uint64_t fixed;
	uint64_t per_ep;
};

struct wf_tp_ops {
	const char *name;		/* "shm": as in WEFT_TRANSPORT */

	/*
	 * Can this process use the backend?  WEFT_ERR_UNSUPPORTED with the
	 * reason in why (a sentence, cut to why_bytes), else WEFT_OK.
	 */
	int (*query)(const struct wf_tp_env *env, char *why, size_t why_bytes);

	/* The device, for close(); WEFT_ERR_NOMEM, WEFT_ERR_DEVICE (logged). */
	int (*open)(const struct wf_tp_env *env, struct wf_device **dev_p);

	/* All endpoints are disconnected, all regions released before. */
	void (*close)(struct wf_device *dev);

	/*
	 * Make local memory an operand of this device.  The caller keeps it
	 * mapped until release.  WEFT_ERR_NOMEM, WEFT_ERR_DEVICE.
	 */
	int (*reg)(struct wf_device *dev, void *base, size_t bytes,
		   struct wf_region **region_p);
	void (*release)(struct wf_region *region);

	/*
	 * The remote operand of an offset of a region, for one peer's puts.
	 * WEFT_ERR_UNSUPPORTED: peers cannot write this region.  It may
	 * register what the segment grew by: WEFT_ERR_NOMEM,
	 * WEFT_ERR_DEVICE.
	 */
	int (*key)(struct wf_region *region, uint64_t offset,
		   struct wf_rloc *rloc_p);

	/* What peers need to reach this device, for the boot blob. */
	int (*address)(struct wf_device *dev, void *to, size_t bytes,
		       size_t *n_p);

	/*
	 * Start a connection.  The endpoint is there at once, its state
	 * changes in progress, or is READY already (always so for the own
	 * rank).  Both ends call it; the other end hears of it by contact().
	 * WEFT_ERR_UNSUPPORTED: this backend cannot reach the peer, with the
	 * reason logged at info level; WEFT_ERR_NOMEM.
	 */
	int (*connect)(struct wf_device *dev, const struct wf_tp_peer *peer,
		       struct wf_ep **ep_p);

	/*
	 * Frees the endpoint; nothing of the peer is written afterwards.  The
	 * peer has said bye, is dead and fenced, or never was ready.
	 */
	void (*disconnect)(struct wf_ep *ep);

	/*
	 * WEFT_OK: nothing from this peer is written here any more.
	 * WEFT_INPROGRESS: not yet, ask again.  The peer is dead or gone; a
	 * rank of the own process is so when its thread has left the job.
	 * WEFT_ERR_UNSUPPORTED: without WF_CAP_FENCE.
	 */
	int (*fence)(struct wf_ep *ep);

	/* Handle what arrived; the number of events, 0 if nothing happened. */
	int (*progress)(struct wf_device *dev);

	/*
	 * Prepare for a blocking wait on descriptor(): WEFT_OK, or WEFT_AGAIN
	 * if something has arrived meanwhile.  descriptor() is -1 if memory
	 * must be looked at instead.
	 */
	int (*arm)(struct wf_device *dev);
	int (*descriptor)(struct wf_device *dev);

	/* Tell all ranks of the node, through memory, that one is dead. */
	void (*tell)(struct wf_device *dev, int dead_rank);

	void (*memory)(const struct wf_device *dev, struct wf_tp_memory *m_p);
};

struct wf_ep_ops {
	/*
	 * A small message into the peer's mailbox: copied, ordered among the
	 * mails of this endpoint.  WEFT_AGAIN: no credit.
	 */
	int (*mail)(struct wf_ep *ep, const struct wf_mail *mail,
		    const void *payload);

	/*
	 * n bytes (at most dev->line_data) and a sequence number into one
	 * line at the peer; data is copied.  WEFT_AGAIN: the queue is full.
	 */
	int (*line)(struct wf_ep *ep, struct wf_rloc dst, const void *data,
		    uint32_t n, uint32_t seq);

	/* Bytes into remote memory; the source is reusable when done. */
	int (*put)(struct wf_ep *ep, struct wf_loc src, struct wf_rloc dst,
		   size_t n);

	/*
	 * The same, then the peer's signal goes up by exactly 1; the peer
	 * never sees the count before all bytes.  n may be 0: src and dst are
	 * not looked at.  Puts are not ordered with each other.
	 *
	 * head: NULL, or one word that goes in front in the same message:
	 * *head to dst, the n bytes to dst + WF_HEAD_BYTES, so that the
	 * payload stays aligned; it is copied before the op returns, and
	 * written also where n is 0.
	 */
	int (*put_signal)(struct wf_ep *ep, struct wf_loc src,
			  struct wf_rloc dst, size_t n, uint32_t sig,
			  const uint64_t *head);

	/* Bytes from remote memory; dst is written when done. */
	int (*get)(struct wf_ep *ep, struct wf_loc dst, struct wf_rloc src,
		   size_t n);

	/* 64-bit; the old value is in *old when done. */
	int (*fetch_add)(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
			 uint64_t *old);
	int (*cas)(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		   uint64_t desired, uint64_t *old);

	/*
	 * Start making all that was posted reusable, or visible.  WEFT_AGAIN:
	 * the queue is full.
	 */
	int (*flush)(struct wf_ep *ep, enum wf_flush what);
};

_Static_assert(sizeof(struct wf_ep_ops) == 64, "hot ops fill one cache line");

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

/*
 * The backends compiled in, best first, NULL at the end.  wf_tp_check()
 * asserts that no op is NULL and that stubs and capability bits agree.
 */
extern const struct wf_tp_ops *const wf_tp_table[];
extern const struct wf_tp_ops wf_shm_tp;

bool wf_tp_check(const struct wf_tp_ops *tp, const struct wf_ep_ops *ep,
		 uint32_t caps);

/* stubs.c: what a backend that cannot do it puts into its table. */
int wf_stub_fence(struct wf_ep *ep);
int wf_stub_get(struct wf_ep *ep, struct wf_loc dst, struct wf_rloc src,
		size_t n);
int wf_stub_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		      uint64_t *old);
int wf_stub_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		uint64_t desired, uint64_t *old);
int wf_stub_arm(struct wf_device *dev);
int wf_stub_descriptor(struct wf_device *dev);
void wf_stub_tell(struct wf_device *dev, int dead_rank);

#endif
