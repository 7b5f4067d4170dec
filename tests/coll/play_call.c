/* SPDX-License-Identifier: BSD-3-Clause */
/* From a drawn call to that of the library: see play_call.h. */
#include "tests/coll/play_call.h"

enum { RANKS = 160 };

static bool is_placed(const struct deed *d)
{
	return d->what == ALLGATHERV || d->what == GATHERV ||
	       d->what == SCATTERV;
}

size_t play_count(const struct deed *d, int rank)
{
	uint64_t x = d->shape + (uint64_t)rank * UINT64_C(0x9e3779b97f4a7c15);

	if (d->what != REDUCE_SCATTERV && !is_placed(d))
		return d->n;
	/* one rank has all, or each as many as it likes */
	if (d->shape % 3 == 0)
		return d->shape / 3 % (uint64_t)d->size == (uint64_t)rank ?
		       d->n : 0;
	return (size_t)((x ^ x >> 29) * 31 >> 7) % (d->n + 1);
}

size_t play_before(const struct deed *d, int rank)
{
	size_t n = 0;

	while (rank > 0)
		n += play_count(d, --rank);
	return n;
}

/* In a row, in that order with room between them, or the last rank first. */
size_t play_place(const struct deed *d, int rank)
{
	if (!is_placed(d) || d->shape % 2)
		return play_before(d, rank);
	if (d->shape % 4)
		return play_before(d, rank) + (size_t)rank;
	return play_before(d, d->size) - play_before(d, rank + 1) +
	       (size_t)(d->size - 1 - rank);
}

/* Many pairs have nothing; in place each gives what it gets. */
size_t play_pair(const struct deed *d, int from, int to)
{
	int a = d->in_place && from > to ? to : from;
	int b = d->in_place && from > to ? from : to;
	uint64_t x = d->shape + (uint64_t)(a * RANKS + b) *
		     UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 27;
	return x % 4 < d->shape / 7 % 4 ? 0 : (size_t)(x >> 8) % (d->n + 1);
}

static size_t pair_of(const struct deed *d, int me, int other, bool gives)
{
	return gives ? play_pair(d, me, other) : play_pair(d, other, me);
}

/* In a row, or the last rank first, with room between them. */
size_t play_pair_place(const struct deed *d, int me, int other, bool gives)
{
	bool back = d->shape % 4 == 0;
	size_t at = back ? (size_t)(d->size - 1 - other) : 0;

	for (int r = back ? d->size - 1 : 0; r != other; r += back ? -1 : 1)
		at += pair_of(d, me, r, gives);
	return at;
}

static bool is_root(const struct deed *d, const struct terms *t)
{
	return weft_comm_rank(t->comm) == d->root;
}

static int call_sums(const struct deed *d, const struct terms *t,
		     struct weft_request **req_p)
{
	const void *in = d->in_place ? WEFT_IN_PLACE : t->given;
	struct weft_part out = weft_part(t->got, d->n, t->type);
	int (*block)(struct weft_comm *, const void *, struct weft_part,
		     const struct weft_op *) =
		d->what == ALLREDUCE ? weft_allreduce :
		d->what == REDUCE_SCATTER ? weft_reduce_scatter_block :
		d->what == SCAN ? weft_scan : weft_exscan;
	int (*once)(struct weft_comm *, const void *, struct weft_part,
		    const struct weft_op *, struct weft_request **) =
		d->what == ALLREDUCE ? weft_iallreduce :
		d->what == REDUCE_SCATTER ? weft_ireduce_scatter_block :
		d->what == SCAN ? weft_iscan : weft_iexscan;
	int (*init)(struct weft_comm *, const void *, struct weft_part,
		    const struct weft_op *, struct weft_request **) =
		d->what == ALLREDUCE ? weft_allreduce_init :
		d->what == REDUCE_SCATTER ? weft_reduce_scatter_block_init :
		d->what == SCAN ? weft_scan_init : weft_exscan_init;

	if (d->form == BLOCKING)
		return block(t->comm, in, out, t->op);
	return (d->form == ONCE ? once : init)(t->comm, in, out, t->op, req_p);
}

static int call_reduce(const struct deed *d, const struct terms *t,
		       struct weft_request **req_p)
{
	const void *in = d->in_place && is_root(d, t) ? WEFT_IN_PLACE :
							t->given;
	struct weft_part out = weft_part(is_root(d, t) ? t->got : NULL, d->n,
					 t->type);

	if (d->form == BLOCKING)
		return weft_reduce(t->comm, in, out, t->op, d->root);
	return d->form == ONCE ?
	       weft_ireduce(t->comm, in, out, t->op, d->root, req_p) :
	       weft_reduce_init(t->comm, in, out, t->op, d->root, req_p);
}

static int call_bcast(const struct deed *d, const struct terms *t,
		      struct weft_request **req_p)
{
	struct weft_part data = weft_part(t->got, d->n, t->type);

	if (d->form == BLOCKING)
		return weft_bcast(t->comm, data, d->root);
	return d->form == ONCE ?
	       weft_ibcast(t->comm, data, d->root, req_p) :
	       weft_bcast_init(t->comm, data, d->root, req_p);
}

static int call_barrier(const struct deed *d, const struct terms *t,
			struct weft_request **req_p)
{
	if (d->form == BLOCKING)
		return weft_barrier(t->comm);
	return d->form == ONCE ? weft_ibarrier(t->comm, req_p) :
				 weft_barrier_init(t->comm, req_p);
}

/* In the place of its part, where the rank may have it among all. */
static struct weft_part part(const struct deed *d, const struct terms *t,
			     void *at, bool may_be_there)
{
	return d->in_place && may_be_there ? weft_part(WEFT_IN_PLACE, 0, NULL) :
					     weft_part(at, d->n, t->type);
}

static int call_all(const struct deed *d, const struct terms *t,
		    struct weft_request **req_p)
{
	bool turns = d->what == ALLTOALL;
	struct weft_part send = part(d, t, t->given, true);
	struct weft_part recv = part(d, t, t->got, false);
	int (*block)(struct weft_comm *, struct weft_part, struct weft_part) =
		turns ? weft_alltoall : weft_allgather;
	int (*once)(struct weft_comm *, struct weft_part, struct weft_part,
		    struct weft_request **) =
		turns ? weft_ialltoall : weft_iallgather;
	int (*init)(struct weft_comm *, struct weft_part, struct weft_part,
		    struct weft_request **) =
		turns ? weft_alltoall_init : weft_allgather_init;

	if (d->form == BLOCKING)
		return block(t->comm, send, recv);
	return (d->form == ONCE ? once : init)(t->comm, send, recv, req_p);
}

/* Of counts of either kind. */
struct table {
	size_t counts[RANKS];
	ptrdiff_t displs[RANKS];
	int int_counts[RANKS], int_displs[RANKS];
};

static struct weft_vec fill_table(const struct deed *d, const struct terms *t,
				  struct table *table, bool places)
{
	struct weft_vec v = {
		.base = d->what == SCATTERV ? t->given : t->got,
		.type = t->type
	};

	for (int r = 0; r < d->size; r++) {
		table->counts[r] = play_count(d, r);
		table->int_counts[r] = (int)table->counts[r];
		table->displs[r] = (ptrdiff_t)play_place(d, r);
		table->int_displs[r] = (int)table->displs[r];
	}
	if (d->shape % 4 < 2)
		v.counts = table->counts;
	else
		v.int_counts = table->int_counts;
	if (places && d->shape % 8 < 4)
		v.displs = table->displs;
	else if (places)
		v.int_displs = table->int_displs;
	return v;
}

/* The same of pairs; of a type, or of one for each rank. */
struct pair_table {
	struct table table;
	const struct weft_type *types[RANKS];
};

static struct weft_vec fill_pairs(const struct deed *d, const struct terms *t,
				  struct pair_table *p, bool gives)
{
	struct weft_vec v = { .base = gives ? t->given : t->got };
	struct table *table = &p->table;
	ptrdiff_t unit = d->shape % 3 ? 1 : (ptrdiff_t)t->stride;
	int me = weft_comm_rank(t->comm);

	for (int r = 0; r < d->size; r++) {
		table->counts[r] = pair_of(d, me, r, gives);
		table->int_counts[r] = (int)table->counts[r];
		table->displs[r] = unit * (ptrdiff_t)
				   play_pair_place(d, me, r, gives);
		table->int_displs[r] = (int)table->displs[r];
		p->types[r] = t->type;
	}
	v.type = d->shape % 3 ? t->type : NULL;
	v.types = d->shape % 3 ? NULL : p->types;
	v.counts = d->shape % 4 < 2 ? table->counts : NULL;
	v.int_counts = d->shape % 4 < 2 ? NULL : table->int_counts;
	v.displs = d->shape % 8 < 4 ? table->displs : NULL;
	v.int_displs = d->shape % 8 < 4 ? NULL : table->int_displs;
	return v;
}

static int call_alltoallv(const struct deed *d, const struct terms *t,
			  struct weft_request **req_p)
{
	struct pair_table out, in;
	const struct weft_vec recv = fill_pairs(d, t, &in, false);
	struct weft_vec send = fill_pairs(d, t, &out, true);

	if (d->in_place)
		send = (struct weft_vec){ .base = (void *)WEFT_IN_PLACE };
	if (d->form == BLOCKING)
		return weft_alltoallv(t->comm, &send, &recv);
	return d->form == ONCE ?
	       weft_ialltoallv(t->comm, &send, &recv, req_p) :
	       weft_alltoallv_init(t->comm, &send, &recv, req_p);
}

static int call_allgatherv(const struct deed *d, const struct terms *t,
			   struct weft_request **req_p)
{
	struct table table;
	const struct weft_vec recv = fill_table(d, t, &table, true);
	struct weft_part send = part(d, t, t->given, true);

	if (send.base != WEFT_IN_PLACE)
		send.count = play_count(d, weft_comm_rank(t->comm));
	if (d->form == BLOCKING)
		return weft_allgatherv(t->comm, send, &recv);
	return d->form == ONCE ?
	       weft_iallgatherv(t->comm, send, &recv, req_p) :
	       weft_allgatherv_init(t->comm, send, &recv, req_p);
}

static int call_parts(const struct deed *d, const struct terms *t,
		      struct weft_request **req_p)
{
	const void *in = d->in_place ? WEFT_IN_PLACE : t->given;
	struct table table;
	const struct weft_vec out = fill_table(d, t, &table, false);

	if (d->form == BLOCKING)
		return weft_reduce_scatter(t->comm, in, &out, t->op);
	return d->form == ONCE ?
	       weft_ireduce_scatter(t->comm, in, &out, t->op, req_p) :
	       weft_reduce_scatter_init(t->comm, in, &out, t->op, req_p);
}

static int call_rooted(const struct deed *d, const struct terms *t,
		       struct weft_request **req_p)
{
	bool gathers = d->what == GATHER;
	struct weft_part send = part(d, t, t->given,
				     gathers && is_root(d, t));
	struct weft_part recv = part(d, t, t->got, !gathers && is_root(d, t));
	int (*block)(struct weft_comm *, struct weft_part, struct weft_part,
		     int) = gathers ? weft_gather : weft_scatter;
	int (*once)(struct weft_comm *, struct weft_part, struct weft_part,
		    int, struct weft_request **) =
		gathers ? weft_igather : weft_iscatter;
	int (*init)(struct weft_comm *, struct weft_part, struct weft_part,
		    int, struct weft_request **) =
		gathers ? weft_gather_init : weft_scatter_init;

	if (d->form == BLOCKING)
		return block(t->comm, send, recv, d->root);
	return (d->form == ONCE ? once : init)(t->comm, send, recv, d->root,
					       req_p);
}

/* Elsewhere than at the root there is no vec. */
static int call_rooted_vec(const struct deed *d, const struct terms *t,
			   struct weft_request **req_p)
{
	bool gathers = d->what == GATHERV;
	struct table table;
	const struct weft_vec filled = fill_table(d, t, &table, true);
	const struct weft_vec *all = is_root(d, t) ? &filled : NULL;
	struct weft_part one = part(d, t, gathers ? t->given : t->got,
				    is_root(d, t));

	if (one.base != WEFT_IN_PLACE)
		one.count = play_count(d, weft_comm_rank(t->comm));
	if (gathers && d->form == BLOCKING)
		return weft_gatherv(t->comm, one, all, d->root);
	if (gathers)
		return (d->form == ONCE ? weft_igatherv : weft_gatherv_init)
		       (t->comm, one, all, d->root, req_p);
	if (d->form == BLOCKING)
		return weft_scatterv(t->comm, all, one, d->root);
	return (d->form == ONCE ? weft_iscatterv : weft_scatterv_init)
	       (t->comm, all, one, d->root, req_p);
}

int play_call(const struct deed *d, const struct terms *t,
	      struct weft_request **req_p)
{
	switch (d->what) {
	case BARRIER:
		return call_barrier(d, t, req_p);
	case BCAST:
		return call_bcast(d, t, req_p);
	case REDUCE:
		return call_reduce(d, t, req_p);
	case ALLGATHER:
	case ALLTOALL:
		return call_all(d, t, req_p);
	case ALLTOALLV:
		return call_alltoallv(d, t, req_p);
	case ALLGATHERV:
		return call_allgatherv(d, t, req_p);
	case REDUCE_SCATTERV:
		return call_parts(d, t, req_p);
	case GATHER:
	case SCATTER:
		return call_rooted(d, t, req_p);
	case GATHERV:
	case SCATTERV:
		return call_rooted_vec(d, t, req_p);
	default:
		return call_sums(d, t, req_p);
	}
}
