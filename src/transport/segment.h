/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The segment: the one piece of memory of a process that peers write.
 *
 * Lines, landing slots, signals, mail rings and the user's arena memory are
 * blocks of it, named by their offset.  The address space is reserved once, so
 * that it grows in place and no address ever moves; a file without a name backs
 * it where peers of the node map it, anonymous memory elsewhere.  Bookkeeping
 * lies outside of it: no peer can damage it.
 *
 * The job opens it and gives it to all devices; whoever allocates a block
 * frees it only when no remote write to it can be under way.
 */
#ifndef WEFT_TRANSPORT_SEGMENT_H
#define WEFT_TRANSPORT_SEGMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/alloc.h"

enum wf_segment_kind {
	WF_SEGMENT_ANONYMOUS,
	WF_SEGMENT_MEMFD,
	WF_SEGMENT_HUGE		/* the same in huge pages of the system */
};

/* In the count of users: nobody may join them any more. */
#define WF_SEGMENT_CLOSED (UINT64_C(1) << 63)

struct wf_segment {
	char *base;		/* where this process maps it */
	uint64_t size;		/* usable bytes; only grows */
	uint64_t limit;		/* reserved bytes */
	int fd;			/* of its file; or -1 */
	bool huge;
	bool unsealed;		/* nothing but us keeps it from shrinking */
	int error;		/* an errno: why nothing more was given; 0: it
				 * has reached its limit */
	_Atomic uint64_t *published;	/* where peers read size, or NULL */
	_Atomic uint64_t *users;	/* of the mapping, us too; NULL: us */
	uint64_t used;		/* above it nothing was given, all is 0 */
	unsigned holds;		/* of who keeps blocks from being given again */
	struct wf_alloc blocks;
};

/* first and limit in bytes; WEFT_ERR_NOMEM leaves nothing behind but error. */
int wf_segment_open(struct wf_segment *seg, enum wf_segment_kind kind,
		    size_t first, size_t limit);

/*
 * Behind a WEFT_ERR_NOMEM: what was lacking, and what helps.  Where its own
 * last call has succeeded the process had no memory.
 */
void wf_segment_why(const struct wf_segment *seg, char *text, size_t bytes);

/* The mapping stays as long as it has other users; the last one unmaps it. */
void wf_segment_close(struct wf_segment *seg);
bool wf_segment_was_last(_Atomic uint64_t *users);

/* For the mapping of a peer's: nothing of it is in our core dump. */
void wf_segment_spare_dumps(void *base, size_t bytes);

/*
 * A zeroed block; align is a power of two.  Grows the segment if need be;
 * WEFT_ERR_NOMEM when the reserve is used up.  Memory that is given for the
 * first time is not touched.
 */
int wf_segment_alloc(struct wf_segment *seg, size_t bytes, size_t align,
		     uint64_t *offset_p);

/* The same without clearing it: for user memory and landing slots. */
int wf_segment_alloc_raw(struct wf_segment *seg, size_t bytes, size_t align,
			 uint64_t *offset_p);
void wf_segment_free(struct wf_segment *seg, uint64_t offset);

/*
 * While somebody holds it no memory is given again that is freed: a peer may
 * write once more what it has written there.
 */
void wf_segment_hold(struct wf_segment *seg);
void wf_segment_let_go(struct wf_segment *seg);

static inline void *wf_segment_at(const struct wf_segment *seg,
				  uint64_t offset)
{
	return seg->base + offset;
}

/* Do all n bytes at p lie in the segment?  Then *offset_p is where. */
static inline bool wf_segment_has(const struct wf_segment *seg, const void *p,
				  size_t n, uint64_t *offset_p)
{
	uintptr_t at = (uintptr_t)p - (uintptr_t)seg->base;

	if (at >= seg->size || n > seg->size - at)
		return false;
	*offset_p = at;
	return true;
}

/* Of the live block that contains offset: 1 and up; 0 if there is none. */
static inline uint32_t wf_segment_generation(const struct wf_segment *seg,
					     uint64_t offset)
{
	return wf_alloc_generation(&seg->blocks, offset);
}

#endif
