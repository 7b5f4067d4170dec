/* SPDX-License-Identifier: BSD-3-Clause */
/* One call of a collective, whichever it is, in one of the three forms. */
#ifndef WEFT_TESTS_COLL_PLAY_CALL_H
#define WEFT_TESTS_COLL_PLAY_CALL_H

#include <stdbool.h>
#include <weft.h>

enum kind {
	WORD,				/* a sum of numbers */
	MATRIX,				/* products that do not commute */
	SPACED,				/* the same, with gaps */
	PAIR,				/* the least, with gaps */
	KINDS
};

enum what {
	BARRIER, BCAST, REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER,
	REDUCE_SCATTERV, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, GATHER,
	GATHERV, SCATTER, SCATTERV, WHATS
};

enum form { BLOCKING, ONCE, PERSISTENT };

/* One call, the same at all ranks. */
struct deed {
	uint64_t key;			/* of its values, */
	uint64_t shape;			/* of its counts and places */
	enum what what;
	enum kind kind;
	enum form form;
	int size, root;
	size_t n;			/* elements of a rank */
	bool in_place;
};

/* Does each rank get its part of what all give? */
static inline bool play_is_parted(const struct deed *d)
{
	return d->what == REDUCE_SCATTER || d->what == REDUCE_SCATTERV;
}

/* Elements of a rank where each has its own number, up to n. */
size_t play_count(const struct deed *d, int rank);

/* Those of the ranks below, and its place in the vec of all, in elements. */
size_t play_before(const struct deed *d, int rank);
size_t play_place(const struct deed *d, int rank);

/* Elements from one rank to another, and where rank me has those of another. */
size_t play_pair(const struct deed *d, int from, int to);
size_t play_pair_place(const struct deed *d, int me, int other, bool gives);

/* Memory of a rank for it, and what it is done with. */
struct terms {
	struct weft_comm *comm;
	const struct weft_type *type;
	const struct weft_op *op;
	void *given, *got;
	size_t stride;			/* bytes from element to element */
};

/* req_p is set but where it blocks. */
int play_call(const struct deed *d, const struct terms *t,
	      struct weft_request **req_p);

#endif
