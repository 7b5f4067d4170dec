/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several fields in one exchange against as many serial ones: drawn graphs,
 * types and sizes, contents that differ by field, edge and start.  What is not
 * received stays as it was, and there is one message along each edge.
 */
#include <stdlib.h>

#include "tests/sim/neighbor_play.h"

enum {
	FIELDS = 4,			/* at most */
	BATCHES = 5,
	STARTS = 3
};

struct batch {
	int n;
	struct trial *field[FIELDS];
	struct weft_request *req;
};

/* Its arguments are not there any more when it starts. */
static int init(const struct play *p, struct batch *b)
{
	const struct weft_vec *send[FIELDS], *recv[FIELDS];
	struct weft_vec none = { .base = NULL };
	int status;

	for (int i = 0; i < b->n; i++) {
		send[i] = &b->field[i]->send.vec;
		recv[i] = &b->field[i]->recv.vec;
	}
	status = weft_exchange_batch_init(p->graph, b->n, b->n ? send : NULL,
					  b->n ? recv : NULL, &b->req);
	for (int i = 0; i < b->n; i++)
		b->field[i]->send.vec = b->field[i]->recv.vec = none;
	return status;
}

/* Of the x-th batch; each field is a vector, or has types of its edges. */
static struct batch make(const struct play *p, int x)
{
	static const int most[] = { 0, 1, 2, FIELDS };
	struct batch b = { most[((uint64_t)x + p->seed) % 4], { NULL }, NULL };

	for (int i = 0; i < b.n; i++) {
		bool typed = (p->seed >> i) % 2;

		b.field[i] = trial_make_of(p, x * FIELDS + i,
					   typed ? ALLTOALLW : ALLTOALLV);
	}
	ok(&p->s, init(p, &b), "init");
	return b;
}

static void drop(const struct play *p, struct batch *b)
{
	ok(&p->s, weft_request_free(&b->req), "free");
	for (int i = 0; i < b->n; i++)
		trial_free(b->field[i]);
}

static void start_it(const struct play *p, struct batch *b, int start)
{
	for (int i = 0; i < b->n; i++) {
		b->field[i]->start = start;
		fill(p, b->field[i]);
	}
	ok(&p->s, weft_request_start(b->req), "start");
}

static void finish(const struct play *p, struct batch *b)
{
	ok(&p->s, weft_request_wait(b->req), "wait");
	for (int i = 0; i < b->n; i++)
		check(p, b->field[i]);
}

/* Two at a time, whose order differs between ranks. */
static void drawn(struct wf_sim_rank *rank, void *arg)
{
	struct play *p = play_begin(rank, *(const uint64_t *)arg);
	int first = p ? p->me % 2 : 0;

	for (int x = 0; p && x < BATCHES; x++) {
		struct batch b[] = { make(p, 2 * x), make(p, 2 * x + 1) };

		for (int start = 0; start < STARTS; start++) {
			start_it(p, &b[first], start);
			start_it(p, &b[!first], start);
			finish(p, &b[!first]);
			finish(p, &b[first]);
		}
		drop(p, &b[0]);
		drop(p, &b[1]);
	}
	play_end(p);
}

static void as_serial_ones(void)
{
	run_seeds(400, PLAY_RANKS, drawn);
}

/* ---- a ring with edges both ways ---- */

enum {
	SIDES = 2,			/* edge 0 leads to the right */
	MOST = 300,			/* elements of a field */
	KEPT = -7
};

struct ring {
	struct scene s;
	int me, size, n;
	struct weft_comm *graph;
	struct weft_request *req;
	size_t sent[FIELDS][SIDES], taken[FIELDS][SIDES];
	int32_t given[FIELDS][SIDES * MOST], got[FIELDS][SIDES * MOST];
};

static bool ring_begin(struct ring *r, struct wf_sim_rank *rank)
{
	int size = wf_sim_size(rank), me = wf_sim_rank(rank);
	const int to[] = { (me + 1) % size, (me + size - 1) % size };
	const int from[] = { to[1], to[0] };
	struct weft_edges in = { SIDES, from, NULL }, out = { SIDES, to, NULL };

	r->me = me;
	r->size = size;
	if (!start(&r->s, rank))
		return false;
	ok(&r->s, weft_graph_create_adjacent(r->s.world, &in, &out, NULL,
					     false, &r->graph), "graph");
	return true;
}

static void ring_end(struct ring *r)
{
	ok(&r->s, weft_comm_free(&r->graph), "free");
	stop(&r->s);
	free(r);
}

/* n fields of so many elements. */
static void ring_shape(struct ring *r, int n, size_t elements)
{
	r->n = n;
	for (int f = 0; f < FIELDS; f++)
		for (int e = 0; e < SIDES; e++)
			r->sent[f][e] = r->taken[f][e] = elements;
}

static void ring_init(struct ring *r)
{
	static const ptrdiff_t displs[] = { 0, MOST };
	struct weft_vec out[FIELDS], in[FIELDS];
	const struct weft_vec *send[FIELDS], *recv[FIELDS];

	for (int f = 0; f < FIELDS; f++) {
		out[f] = in[f] = (struct weft_vec){
			.type = &weft_type_int32, .displs = displs
		};
		out[f].base = r->given[f];
		out[f].counts = r->sent[f];
		in[f].base = r->got[f];
		in[f].counts = r->taken[f];
		send[f] = &out[f];
		recv[f] = &in[f];
	}
	ok(&r->s, weft_exchange_batch_init(r->graph, r->n, send, recv,
					   &r->req), "init");
}

static int32_t value(int sender, int field, int edge, int start, size_t i)
{
	return (((sender * FIELDS + field) * SIDES + edge) * STARTS + start) *
	       1000 + (int)i;
}

static int ring_exchange(struct ring *r, int start)
{
	for (int f = 0; f < FIELDS; f++)
		for (size_t i = 0; i < SIDES * MOST; i++) {
			r->got[f][i] = KEPT;
			r->given[f][i] = value(r->me, f, (int)(i / MOST),
					       start, i % MOST);
		}
	ok(&r->s, weft_request_start(r->req), "start");
	return weft_request_wait(r->req);
}

/* Along an edge, nothing or all that its other end has sent. */
static void ring_check(const struct ring *r, int edge, int start, bool came)
{
	int from = (r->me + (edge ? 1 : r->size - 1)) % r->size;

	for (int f = 0; f < FIELDS; f++)
		for (size_t i = 0; i < MOST; i++) {
			bool comes = came && f < r->n && i < r->taken[f][edge];
			int32_t want = comes ? value(from, f, edge, start, i) :
					       KEPT;

			if (r->got[f][(size_t)edge * MOST + i] == want)
				continue;
			wf_sim_fail(r->s.rank, "element %zu of field %d from "
				    "rank %d, start %d", i, f, from, start);
			return;
		}
}

static struct ring *ring_of(struct wf_sim_rank *rank)
{
	struct ring *r = calloc(1, sizeof(*r));

	if (!r)
		abort();
	if (ring_begin(r, rank))
		return r;
	free(r);
	return NULL;
}

/* ---- messages ---- */

/* Of all starts but the first; that is the one which makes connections. */
static void count(struct ring *r, int n, size_t elements)
{
	uint64_t before = 0, sent;

	ring_shape(r, n, elements);
	ring_init(r);
	for (int start = 0; start < STARTS; start++) {
		if (start == 1)
			before = wf_sim_own_messages(r->s.rank);
		ok(&r->s, ring_exchange(r, start), "exchange");
		ring_check(r, 0, start, true);
		ring_check(r, 1, start, true);
	}
	sent = wf_sim_own_messages(r->s.rank) - before;
	if (sent != SIDES * (STARTS - 1))
		wf_sim_fail(r->s.rank, "%d messages of %d fields of %zu in %d "
			    "starts", (int)sent, n, elements, STARTS - 1);
	ok(&r->s, weft_request_free(&r->req), "free");
	ok(&r->s, weft_barrier(r->s.world), "barrier");
}

/* By lines, and by slots. */
static void counted(struct wf_sim_rank *rank, void *arg)
{
	static const size_t elements[] = { 2, 50 };
	struct ring *r = ring_of(rank);

	(void)arg;
	for (int i = 0; r && i < TAP_COUNT(elements); i++)
		for (int n = 1; n <= FIELDS; n++)
			count(r, n, elements[i]);
	if (r)
		ring_end(r);
}

static void one_message(void)
{
	for (int ranks = 3; ranks <= 6; ranks++)
		run(ranks, (uint64_t)ranks, counted);
}

/* ---- sizes that differ ---- */

/* Rank 0 gives more, or less, of one field to the right. */
struct odd {
	int field;
	size_t usual, sent;
	int status;			/* of rank 1 */
};

static const struct odd odds[] = {
	{ 0, 2, 3, WEFT_ERR_TRUNCATE }, { 2, 2, 1, WEFT_ERR_SIZE },
	{ 1, 40, 100, WEFT_ERR_TRUNCATE }, { 2, 60, 10, WEFT_ERR_SIZE },
	{ 0, 30, MOST, WEFT_ERR_TRUNCATE }, { 1, MOST, 0, WEFT_ERR_SIZE },
	{ 2, 0, 1, WEFT_ERR_TRUNCATE }
};

static void differ(struct ring *r, const struct odd *odd)
{
	ring_shape(r, 3, odd->usual);
	if (r->me == 0)
		r->sent[odd->field][0] = odd->sent;
	ring_init(r);
	for (int start = 0; start < STARTS; start++) {
		int status = ring_exchange(r, start);
		int want = r->me > 1 || (r->me == 0 && !status) ? WEFT_OK :
								  odd->status;

		if (status != want)
			wf_sim_fail(r->s.rank, "start %d: %s: %s", start,
				    weft_status_name(status),
				    weft_error_text(r->s.job));
		ring_check(r, 0, start, r->me != 1);
		ring_check(r, 1, start, true);
	}
	/* who asks what became of an edge must find its other end */
	ok(&r->s, weft_barrier(r->s.world), "barrier");
	ok(&r->s, weft_request_free(&r->req), "free");
	ring_shape(r, 3, odd->usual);
	ring_init(r);
	ok(&r->s, ring_exchange(r, 0), "a good one");
	ring_check(r, 0, 0, true);
	ring_check(r, 1, 0, true);
	ok(&r->s, weft_request_free(&r->req), "free");
}

static void odd_sizes(struct wf_sim_rank *rank, void *arg)
{
	struct ring *r = wf_sim_size(rank) > 1 ? ring_of(rank) : NULL;

	(void)arg;
	for (int i = 0; r && i < TAP_COUNT(odds); i++)
		differ(r, &odds[i]);
	if (r)
		ring_end(r);
}

static void sizes_differ(void)
{
	run_seeds(60, 5, odd_sizes);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as serial exchanges", as_serial_ones },
		{ "one message along each edge", one_message },
		{ "sizes that differ", sizes_differ }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
