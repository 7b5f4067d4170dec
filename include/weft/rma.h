/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-sided access: regions of memory that other ranks write, read and change
 * without a call of their owner, and signals that tell it what has come.
 *
 * Units:    offsets and lengths are bytes; any alignment, but for atomics.
 *           0 bytes are allowed everywhere and touch no buffer.
 * Peers:    ranks in the region's communicator, the own one included.
 * Buffers:  belong to the library until the request is complete; without a
 *           request, sources until weft_flush(WEFT_FLUSH_LOCAL), what is
 *           fetched until either flush.
 * Order:    none between operations, but that a signal comes behind all bytes
 *           of its put; what weft_flush(WEFT_FLUSH_REMOTE) has ended is seen
 *           by everybody before what is called behind it.
 * Progress: what is under way moves in calls of both ranks, whichever they
 *           are; on shared memory and RDMA devices without the target's, once
 *           it has answered the first operation of this rank, but for atomics
 *           that the owner has to do (weft_fetch_add()).
 * Errors:   all that a rank awaits from a peer that dies, or closes its job,
 *           ends with WEFT_ERR_PEER, whose text names it; what concerns other
 *           peers goes on.  WEFT_ERR_DEVICE: no transport leads to a peer that
 *           lives.
 */
#ifndef WEFT_RMA_H
#define WEFT_RMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_region;
struct weft_request;
struct weft_signal;

enum {
	WEFT_ALL_PEERS = -5		/* in the place of a rank */
};

enum weft_flush {
	WEFT_FLUSH_LOCAL,	/* sources reusable, what was fetched is here */
	WEFT_FLUSH_REMOTE	/* and all that was put is visible there */
};

/* A place in a peer's part of a region. */
struct weft_target {
	struct weft_region *region;
	int peer;
	size_t offset;
};

/* What a rank tells another of its region; any bytes can carry it. */
struct weft_region_key {
	unsigned char bytes[64];
};

/**
 * weft_region_create - a region of which every rank has a part
 *
 * base, bytes      own memory; base NULL: allocated by weft, zeroed, aligned
 *                  to 64.  Ranks may differ in both.
 * region_p [out]   the region
 *
 * Own memory stays mapped until the region is freed.  Every transport of
 * the job must reach it: verbs does, shared memory with $WEFT_CMA, libfabric
 * never.  Atomics on it are done by its owner.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also memory of weft_mem_alloc()),
 *           WEFT_ERR_NOMEM ($WEFT_ARENA_MAX), WEFT_ERR_UNSUPPORTED (a transport
 *           does not reach base), WEFT_ERR_DEVICE, WEFT_ERR_PEER; the same at
 *           all ranks unless one died.
 * Blocks:   yes.   Collective: yes.
 */
WEFT_API int weft_region_create(struct weft_comm *comm, void *base,
				size_t bytes, struct weft_region **region_p)
	WEFT_MUST_CHECK;

/**
 * weft_region_expose - a region of this rank alone, for those who get its key
 *
 * base, bytes, region_p  as with weft_region_create()
 *
 * Returns:  as weft_region_create(), of this rank alone.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_region_expose(struct weft_comm *comm, void *base,
				size_t bytes, struct weft_region **region_p)
	WEFT_MUST_CHECK;

/**
 * weft_region_key - what lets others attach to an exposed region
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (the region was not exposed here).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_region_key(const struct weft_region *region,
			     struct weft_region_key *key_p) WEFT_MUST_CHECK;

/**
 * weft_region_attach - the region behind a key that another rank gave
 *
 * comm             the communicator on which it was exposed
 * region_p [out]   its only peer is its owner; free it to detach
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (no key, of another communicator, or
 *           attached already), WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_region_attach(struct weft_comm *comm,
				const struct weft_region_key *key,
				struct weft_region **region_p) WEFT_MUST_CHECK;

/**
 * weft_region_free - give a region up, its signals with it
 *
 * region_p         set to NULL; NULL inside is fine
 *
 * Flushes what this rank has posted, and returns when nobody writes its part
 * any more: peers of an exposed one learn that it ends, and what they call on
 * it then is WEFT_ERR_RANGE.  Memory that weft allocated is kept until the job
 * closes where a dead rank's writes cannot be stopped.
 *
 * Returns:  WEFT_OK; WEFT_ERR_REQUEST (a request on it is active: nothing was
 *           changed); WEFT_ERR_PEER, WEFT_ERR_DEVICE (a peer is gone, and what
 *           was put there is lost), or what weft_flush() would tell: the
 *           region is gone in these cases, too.
 * Blocks:   until its users have let go of it, in any call of theirs.
 * Collective: a created one yes, and it synchronises, also behind
 *           weft_comm_free() of its communicator; others no.
 */
WEFT_API int weft_region_free(struct weft_region **region_p)
	WEFT_MUST_CHECK;

/**
 * weft_region_base, weft_region_bytes - the own part
 *
 * Returns:  where it begins, NULL if attached; its length.
 * Blocks:   no.   Collective: no.
 */
WEFT_API void *weft_region_base(const struct weft_region *region);
WEFT_API size_t weft_region_bytes(const struct weft_region *region);

/**
 * weft_put, weft_get - copy bytes into a peer's region, or from it
 *
 * src, dst         any memory of this process
 * req_p [out]      NULL: weft_flush() collects it
 *
 * A request is complete when the buffer belongs to the program again; a put is
 * visible there after weft_flush(WEFT_FLUSH_REMOTE).
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE (outside of the peer's part,
 *           or the region was freed there), WEFT_ERR_NOMEM,
 *           WEFT_ERR_UNSUPPORTED, WEFT_ERR_DEVICE, WEFT_ERR_PEER; with a
 *           request, all that depends on the peer is told by the request.
 * Blocks:   with a request never; without, until there is room in a queue, and
 *           the first time with a peer until it has answered.
 * Collective: no.
 */
WEFT_API int weft_put(const struct weft_target *to, const void *src, size_t n,
		      struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_get(const struct weft_target *from, void *dst, size_t n,
		      struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_put_signal - copy bytes into a peer's region, then raise its signal
 *
 * signal           number of a signal of the peer's part, any but UINT32_MAX
 * n                0: the signal alone, and src may be NULL
 *
 * Returns:  as weft_put().
 * Blocks:   as weft_put().   Collective: no.
 */
WEFT_API int weft_put_signal(const struct weft_target *to, const void *src,
			     size_t n, uint32_t signal,
			     struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_fetch_add, weft_cas - change a 64-bit word in a peer's region
 *
 * at               its offset is a multiple of 8; own memory of a region, too
 * old_p [out]      what was there before; NULL: nobody wants it.  There when
 *                  the request is complete, or after a flush.
 *
 * weft_cas() stores desired where it finds expected.  Both are atomic with
 * each other, for all ranks, and with nothing else: not with puts, nor with
 * what the owner's program does to the word.  They wake nobody.  A part has one
 * agent for them, CPUs or an RDMA device, by the first that is called on it:
 * for ranks that come by the other, and on own memory, the owner does them, one
 * at a time for each rank, in any call of the library.
 *
 * Returns:  as weft_put().  Where the owner has to do it and cannot, the
 *           request, or without one the next flush, ends with WEFT_ERR_NOMEM
 *           (another try may succeed), WEFT_ERR_DEVICE, or WEFT_ERR_ARG if the
 *           base of own memory is no multiple of 8; after the last two all
 *           other calls on this part return the same.
 * Blocks:   as weft_put(); where the owner has to do it, and without a request,
 *           until it has done the one before.   Collective: no.
 */
WEFT_API int weft_fetch_add(const struct weft_target *at, uint64_t add,
			    uint64_t *old_p, struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_cas(const struct weft_target *at, uint64_t expected,
		      uint64_t desired, uint64_t *old_p,
		      struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_flush - wait for what this rank has called on a region so far
 *
 * peer             one peer, or WEFT_ALL_PEERS
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also a peer without a part), WEFT_ERR_PEER,
 *           WEFT_ERR_DEVICE (what was called may be lost; the others were
 *           waited for), and what an atomic operation failed with that the
 *           owner had to do.
 * Blocks:   yes.   Collective: no.
 */
WEFT_API int weft_flush(struct weft_region *region, int peer,
			enum weft_flush what) WEFT_MUST_CHECK;

/**
 * weft_signal_create - look at a signal of the own part
 *
 * peer             who raises it; WEFT_ALL_PEERS: the sum of all
 * number           as weft_put_signal() names it
 * signal_p [out]   gone with its region, or by weft_signal_free()
 *
 * What was raised before counts, too.  Several may look at the same.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also an attached region), WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_signal_create(struct weft_region *region, int peer,
				uint32_t number, struct weft_signal **signal_p)
	WEFT_MUST_CHECK;

/**
 * weft_signal_test - has it been raised so often?
 *
 * count            since the region was made, not since the last call
 * reached_p [out]  true: the bytes of so many puts can be read
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_PEER, WEFT_ERR_DEVICE (it is not
 *           reached, and the peer is gone; for WEFT_ALL_PEERS one of them is
 *           dead, or all others are gone).
 * Blocks:   no; drives what is under way.   Collective: no.
 */
WEFT_API int weft_signal_test(struct weft_signal *signal, uint64_t count,
			      bool *reached_p) WEFT_MUST_CHECK;

/**
 * weft_signal_wait - wait until it has been raised so often
 *
 * Returns:  as weft_signal_test().
 * Blocks:   yes; it ends, also when peers die.   Collective: no.
 */
WEFT_API int weft_signal_wait(struct weft_signal *signal, uint64_t count)
	WEFT_MUST_CHECK;

/**
 * weft_signal_count - how often it has been raised so far
 *
 * Returns:  the count since the region was made.
 * Blocks:   no; drives what is under way.   Collective: no.
 */
WEFT_API uint64_t weft_signal_count(const struct weft_signal *signal);

/**
 * weft_signal_free - look at it no more; the counts stay
 *
 * signal_p         set to NULL; NULL inside is fine
 *
 * Blocks:   no.   Collective: no.
 */
WEFT_API void weft_signal_free(struct weft_signal **signal_p);

#ifdef __cplusplus
}
#endif

#endif
