/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A packed copy of memory of the program whose elements are not packed: what
 * is given is gathered into it before, what was got is scattered from it
 * afterwards, and no gap between elements is written to.  Or what was got is
 * combined with elements of the program (fold.h).  One of middling size
 * in which something is got lies in the arena, if that has room, so that peers
 * write to it; others would cost the arena more than they gain.
 */
#ifndef WEFT_PLAN_STAGED_H
#define WEFT_PLAN_STAGED_H

#include <weft/vec.h>
#include "job/job.h"
#include "plan/fold.h"
#include "type/element.h"
#include "type/packets.h"
#include "type/type_made.h"

/* Elements side by side, or packets of elements. */
struct wf_staged_part {
	const struct weft_type *type;	/* NULL: packets of bytes */
	size_t unit;			/* of a packet, packed; 0: elements */
	const uint32_t *index;		/* which packets; somebody keeps it */
	char *base;
	uint64_t bytes;			/* packed */
	uint64_t at;			/* in the copy: wf_staged_lay() */
	bool moved;			/* given: it is in the copy; got: it is
					   where it belongs */
};

struct wf_staged {
	struct weft_job *job;
	char *packed;			/* the parts, one behind the other */
	uint64_t offset;		/* of it in the arena, if it is there */
	bool in_arena;
	int per_out, per_edge;		/* parts that each edge gives and gets;
					   0: they are of no edges */
	bool loose;			/* outside the arena long ones go
					   without it, where devices let them */
	bool ample;			/* more of the arena is worth it */
	struct wf_fold *fold;		/* takes what is got; NULL: scattered */
	struct wf_packets all;		/* that are got, in the order of the
					   program, and their places in the
					   copy; no index: part by part */
	size_t nall;
	void (*let_go)(void *owner);	/* of indices; NULL: nobody has to */
	void *owner[2];			/* know, of what is given and got, */
	char *base[2];			/* and where their packets begin */
	int given, n;			/* parts: the first ones are given */
	uint64_t bytes;			/* of all parts, as they are laid */
	char *heap;			/* of packed, outside the arena, */
	uint64_t room;			/* and its bytes */
	size_t most;			/* parts there is room for */
	struct wf_staged_part part[];
};

/*
 * In two steps: room for so many parts, of which nothing is said yet, and then
 * the copy of those that were filled in, whose types it holds, the first ones
 * given and the others got.  Takes one that was left before, or NULL.
 * WEFT_ERR_NOMEM: nothing is left.
 */
struct wf_staged *wf_staged_begin(struct weft_job *job, size_t most,
				  struct wf_staged **left);
int wf_staged_lay(struct wf_staged **staged, int given, int n);

/* The same of parts that are elsewhere. */
int wf_staged_make(struct weft_job *job, const struct wf_staged_part *part,
		   int given, int n, struct wf_staged **staged_p);

/* Of one part that is given, so many bytes of it, packed. */
int wf_staged_make_one(struct weft_job *job, const struct weft_part *part,
		       uint64_t bytes, struct wf_staged **staged_p);

void wf_staged_free(struct wf_staged *staged);

/* It is not used any more; what is worth it is left for the next one. */
void wf_staged_leave(struct wf_staged *staged, struct wf_staged **left);

/*
 * Between uses of one that stays with who has owners: it has nothing of the
 * arena.  WEFT_ERR_NOMEM: it goes on resting.
 */
void wf_staged_rest(struct wf_staged *staged);
int wf_staged_wake(struct wf_staged *staged);

/* Is what it has at rest little, whatever it moves? */
bool wf_staged_is_light(const struct wf_staged *staged);

/* The packets of its owners begin elsewhere in the program. */
void wf_staged_move(struct wf_staged *staged, char *const base[2]);

/* Before each start: nothing is there. */
void wf_staged_rewind(struct wf_staged *staged);

/* That, and all that is given. */
void wf_staged_gather(struct wf_staged *staged);

/* What was got, as far as it is not there: all, or by the i-th edge. */
void wf_staged_scatter(const struct wf_staged *staged);
void wf_staged_scatter_edge(const struct wf_staged *staged, int i);

/* The part whose turn it is goes into the fold. */
void wf_staged_fold(const struct wf_staged *staged);

/* ---- without the copy ---- */

/*
 * n packed bytes of an edge, from so many on, straight from the memory of the
 * program, or to it.
 */
void wf_staged_pack(const struct wf_staged *staged, int edge, uint64_t from,
		    char *to, uint64_t n);
void wf_staged_unpack(const struct wf_staged *staged, int edge, uint64_t from,
		      const char *data, uint64_t n);

/* What an edge gives is in the copy; what it has got was unpacked. */
bool wf_staged_is_gathered(const struct wf_staged *staged, int edge);
void wf_staged_gather_edge(struct wf_staged *staged, int edge);
void wf_staged_was_unpacked(struct wf_staged *staged, int edge);

/* Where the copy of what is got begins; that of what is given, at `packed`. */
static inline char *wf_staged_got(const struct wf_staged *staged)
{
	return staged->packed + (staged->given < staged->n ?
				 staged->part[staged->given].at : 0);
}

#endif
