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
 *   - What a get or an atomic gave (dst, *old) counts if wf_ep_done() says so
 *     and the endpoint is not broken.  One that is lost, because the peer has
 *     died or refuses its operand, becomes done too, but sets broken before,
 *     and suspect() is called; or it stays under way until disconnect().
 *     After that *old is not written, nor dst with WF_CAP_FENCE.
 *   - Any hot op may return WEFT_ERR_RANGE: a remote operand is not memory of
 *     this peer (other backends learn it later and call suspect()); or
 *     another error of the device.  The edge that needed it ends with
 *     WEFT_ERR_DEVICE; a mail is tried again for WF_LIVE_AGE_MS, and for
 *     WF_LIVE_STARVED_MS after WEFT_ERR_NOMEM.
 */
#ifndef WEFT_TRANSPORT_H
#define WEFT_TRANSPORT_H

#include "transport/objects.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/status.h>

struct wf_tp_ops {
	const char *name;		/* "shm": as in WEFT_TRANSPORT */

	/*
	 * Can this process use the backend?  WEFT_ERR_UNSUPPORTED with the
	 * reason in why (a sentence, cut to why_bytes), WEFT_ERR_DEVICE if
	 * all that is missing is the permission, else WEFT_OK, for open().
	 */
	int (*query)(const struct wf_tp_env *env, char *why, size_t why_bytes);

	/*
	 * After a successful query: writes what all ranks of a job on several
	 * nodes are told before any of them opens a device (boot/offer.h), at
	 * most so many bytes.  Returns its length; 0: nothing.
	 */
	size_t (*offer)(const struct wf_tp_env *env, void *to, size_t bytes);

	/* Releases what this thread's last query has found, if not opened. */
	void (*forget)(void);

	/* The device, for close(); WEFT_ERR_NOMEM, WEFT_ERR_DEVICE (logged). */
	int (*open)(const struct wf_tp_env *env, struct wf_device **dev_p);

	/* All endpoints are disconnected, all regions released before. */
	void (*close)(struct wf_device *dev);

	/*
	 * Make local memory an operand of this device.  The caller keeps it
	 * mapped until release; or it sets the region apart, and operands are
	 * only those that name it: other memory may be there then.  What cannot
	 * be written is a source, and has no key.  WEFT_ERR_NOMEM, _DEVICE.
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

	/*
	 * Where this process stores into a peer's arena by itself, before it
	 * raises that signal; NULL: a put with it would be dropped.
	 * WEFT_ERR_RANGE: not there; _UNSUPPORTED: without WF_CAP_MAPPED.
	 */
	int (*reach)(struct wf_ep *ep, struct wf_rloc dst, size_t n,
		     uint32_t sig, void **to_p);

	/*
	 * What peers need to reach this device, for the boot blob.
	 * WEFT_ERR_UNSUPPORTED: it does not fit there, with the reason logged
	 * at info level; the device is closed then, and the job goes without.
	 */
	int (*address)(struct wf_device *dev, void *to, size_t bytes,
		       size_t *n_p);

	/*
	 * Start a connection.  The endpoint is there at once, its state
	 * changes in progress, or is READY already (always so for the own
	 * rank).  Both ends call it; the other end hears of it by contact().
	 * WEFT_ERR_UNSUPPORTED: this backend cannot reach the peer, with the
	 * reason logged at info level and in peer->refusal; WEFT_ERR_PEER: its
	 * process has ended; WEFT_ERR_NOMEM: something is lacking, ask again.
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
	 * Prepare for a sleep: from now on what arrives makes descriptor()
	 * readable or rings the doorbell of env, or *ms_p is lowered to the
	 * time after which somebody must look.  The caller then looks once
	 * more, at devices first, at memory last, and sleeps only if it finds
	 * nothing; disarm() in any case.  WEFT_AGAIN: something has arrived
	 * meanwhile; other statuses: it cannot be slept with this device.
	 */
	int (*arm)(struct wf_device *dev, int *ms_p);
	void (*disarm)(struct wf_device *dev);
	int (*descriptor)(struct wf_device *dev);	/* -1: none */
	void (*joined)(struct wf_device *dev);	/* all boot blobs are there */
	/* Tell the node: a death; or, true: all see it, that we leave. */
	bool (*tell)(struct wf_device *dev, int rank);

	/*
	 * Swap a word of the node, 0 at first, that all its ranks reach; some
	 * numbers share one.  *seen_p is what it was.  WEFT_ERR_UNSUPPORTED,
	 * or why it cannot be reached: the rank that has it may be gone.
	 */
	int (*board)(struct wf_device *dev, const struct wf_swap *swap,
		     uint64_t *seen_p);

	void (*memory)(const struct wf_device *dev, struct wf_tp_memory *m_p);
};

struct wf_ep_ops {
	/*
	 * A small message into the peer's mailbox: copied, ordered among the
	 * mails of this endpoint.  WEFT_AGAIN: no credit; WEFT_ERR_RANGE:
	 * longer than dev->mail_max, or than WF_MAIL_PAYLOAD if reserved.
	 */
	int (*mail)(struct wf_ep *ep, const struct wf_mail *mail,
		    const void *payload);

	/*
	 * One or two pieces, copied into as many lines at the peer, each with
	 * this sequence number.  Two are one message, side by side, aligned to
	 * the size of both; a line says nothing of the other.  WEFT_AGAIN: the
	 * queue is full; WEFT_ERR_RANGE: too much, not aligned, another n.
	 */
	int (*lines)(struct wf_ep *ep, struct wf_rloc dst,
		     const struct wf_piece *piece, uint32_t n, uint32_t seq);

	/*
	 * Bytes into remote memory; the source is reusable when done.  n may
	 * be 0: src and dst are not looked at.
	 */
	int (*put)(struct wf_ep *ep, struct wf_loc src, struct wf_rloc dst,
		   size_t n);

	/*
	 * The same, then the peer's signal goes up by exactly 1, which is
	 * never seen before all bytes.  Puts pass each other.
	 *
	 * head: NULL, or one word that goes in front in the same message:
	 * *head to dst, the n bytes to dst + WF_HEAD_BYTES, so that the
	 * payload stays aligned; it is copied before the op returns, and
	 * written also where n is 0.
	 */
	int (*put_signal)(struct wf_ep *ep, struct wf_loc src,
			  struct wf_rloc dst, size_t n, uint32_t sig,
			  const uint64_t *head);

	/*
	 * Bytes from remote memory.  Until done dst may hold anything.  n may
	 * be 0: dst and src are not looked at.  It sees the bytes of an
	 * earlier put for sure where that was flushed REMOTE; gets are not
	 * ordered with anything else.
	 */
	int (*get)(struct wf_ep *ep, struct wf_loc dst, struct wf_rloc src,
		   size_t n);

	/*
	 * On 8 bytes in the peer's arena, aligned to 8, or WEFT_ERR_RANGE;
	 * never in its anywhere.  Add, or store desired where expected is
	 * found; what was found before is in *old when done.
	 *
	 * One agent per region makes them atomic: the CPUs of the owner's
	 * node, for peers there directly, for others in the owner's progress;
	 * or its HCA for everybody.  They are atomic with each other only,
	 * not with puts, nor with what the owner does to the word without an
	 * op.  They are not ordered with other posts: who lets others see
	 * what it has put flushes REMOTE first.  They wake nobody.
	 */
	int (*fetch_add)(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
			 uint64_t *old);
	int (*cas)(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		   uint64_t desired, uint64_t *old);

	/*
	 * Start making all that was posted reusable, let it arrive, or make it
	 * visible.  Without it progress need not raise done, but by gets and
	 * atomics.  WEFT_AGAIN: the queue is full.
	 */
	int (*flush)(struct wf_ep *ep, enum wf_flush what);
};

_Static_assert(sizeof(struct wf_ep_ops) == 64, "hot ops fill one cache line");

/*
 * Are posts up to this one reusable, or visible at the peer?  If not, that is
 * asked for; to be called again and again, as a flush may be refused.
 */
static inline bool wf_ep_ask_done(struct wf_ep *ep, uint64_t post)
{
	if (!wf_ep_done(ep, post))
		ep->ops->flush(ep, WF_FLUSH_LOCAL);
	return wf_ep_done(ep, post);
}

static inline bool wf_ep_ask_flushed(struct wf_ep *ep, uint64_t post)
{
	if (!wf_ep_flushed(ep, post))
		ep->ops->flush(ep, WF_FLUSH_REMOTE);
	return wf_ep_flushed(ep, post);
}

#endif
