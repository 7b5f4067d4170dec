/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One exchange: lengths and bytes from its keys, buffers with guarded gaps,
 * the call, and the check of all that has arrived.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/exchange/exchange_parts.h"

static const unsigned char guard = 0xa5;
static const unsigned char poison = 0x5c;

/* A short, so many bytes of a gap, an int. */
enum { GAP_AT = 2, GAP_END = 4, UNIT = 8, PACKED = 6 };

static uint64_t edge_key(uint64_t key, const struct edge *e)
{
	key = draw_mix(key, (uint64_t)e->from << 32 | (uint64_t)e->to);
	return draw_mix(key, (uint64_t)e->k);
}

static bool same_edge(const struct edge *a, const struct edge *b)
{
	return a->from == b->from && a->to == b->to && a->k == b->k;
}

/* In elements. The receiver of a wrong edge expects more or less. */
static size_t count_of(const struct run *run, const struct op *op,
		       const struct edge *e, bool receiver)
{
	struct draw draw = { edge_key(op->lengths, e) };
	size_t count = draw_bytes(&draw, run->options->max_bytes) / op->unit;

	if (!receiver || !same_edge(e, &op->wrong))
		return count;
	if (count && draw_below(&draw, 2))
		return draw_below(&draw, count);
	return count + 1 + draw_below(&draw, 100);
}

/*
 * Displacements count elements, so the gaps are elements, too. Edges lie in
 * the buffer in their order, or in the opposite one.
 */
static void lay_out(struct run *run, struct op *op, struct side *s,
		    bool receiver)
{
	bool backwards = draw_below(&run->own, 2);
	size_t gap = (GAP + s->unit - 1) / s->unit;
	size_t each = s->unit < op->unit ? PACKED : 1;
	size_t at = gap;

	s->counts = calloc((size_t)s->n + 1, sizeof(*s->counts));
	s->displs = calloc((size_t)s->n + 1, sizeof(*s->displs));
	s->int_counts = calloc((size_t)s->n + 1, sizeof(*s->int_counts));
	s->int_displs = calloc((size_t)s->n + 1, sizeof(*s->int_displs));
	for (int k = 0; k < s->n; k++) {
		int i = backwards ? s->n - 1 - k : k;

		s->counts[i] = each * count_of(run, op, &s->edges[i],
					       receiver);
		s->int_counts[i] = (int)s->counts[i];
		s->displs[i] = (ptrdiff_t)at;
		s->int_displs[i] = (int)at;
		at += s->counts[i] + gap;
	}
	s->bytes = at * s->unit;
}

static const struct weft_type *type_of(const struct side *s)
{
	if (s->gaps)
		return &weft_type_short_int;
	if (s->unit == 1)
		return &weft_type_byte;
	return s->unit == 4 ? &weft_type_int32 : &weft_type_double;
}

/*
 * Elements of 8 bytes have gaps at both ends, at one, where the other end has
 * their bytes, or at none.
 */
static void draw_gaps(const struct op *op, struct side *s, bool receiver)
{
	enum { NONE, BOTH, SENT, RECEIVED } who = (int)(op->lengths % 4);

	s->unit = op->unit;
	if (op->unit != UNIT || who == NONE)
		return;
	s->gaps = who == BOTH || (who == RECEIVED) == receiver;
	if (!s->gaps)
		s->unit = 1;
}

/* To each edge its own, with displacements in bytes. */
static void give_types(struct side *s)
{
	s->types = calloc((size_t)s->n + 1, sizeof(*s->types));
	for (int i = 0; i < s->n; i++)
		s->types[i] = s->vec.type;
	s->vec.type = NULL;
	s->vec.types = s->types;
	s->byte_displs = calloc((size_t)s->n + 1, sizeof(*s->byte_displs));
	for (int i = 0; i < s->n; i++)
		s->byte_displs[i] = s->displs[i] * (ptrdiff_t)s->unit;
}

static void describe(struct run *run, struct op *op, struct side *s)
{
	s->vec.base = s->base;
	s->vec.type = type_of(s);
	if (op->lengths % 5 == 0)
		give_types(s);
	if (draw_below(&run->own, 2))
		s->vec.counts = s->counts;
	else
		s->vec.int_counts = s->int_counts;
	if (draw_below(&run->own, 2) || s->types)
		s->vec.displs = s->types ? s->byte_displs : s->displs;
	else
		s->vec.int_displs = s->int_displs;
}

/* Memory that peers reach directly, or the program's own. */
static void allocate(struct run *run, struct side *s)
{
	void *base = NULL;

	s->arena = draw_below(&run->own, 2);
	if (s->arena)
		run_ok(run, weft_mem_alloc(run->job, s->bytes, &base),
		       "weft_mem_alloc");
	else
		base = malloc(s->bytes);
	s->base = base;
}

static void side_init(struct run *run, struct op *op, bool receiver)
{
	struct side *s = receiver ? &op->recv : &op->send;

	s->n = receiver ? op->graph->nin : op->graph->nout;
	s->edges = receiver ? op->graph->in : op->graph->out;
	draw_gaps(op, s, receiver);
	lay_out(run, op, s, receiver);
	allocate(run, s);
	describe(run, op, s);
}

static void side_fini(struct run *run, struct side *s)
{
	if (s->arena)
		weft_mem_free(run->job, s->base);
	else
		free(s->base);
	free(s->counts);
	free(s->displs);
	free(s->types);
	free(s->byte_displs);
	free(s->int_counts);
	free(s->int_displs);
}

/* Its exchange has ended: from now on nothing comes. */
static void shut(struct side *s)
{
	memset(s->base, poison, s->bytes);
	s->ended = true;
}

static void check_shut(struct run *run, const struct op *op)
{
	const struct side *s = &op->recv;

	for (size_t i = 0; s->ended && i < s->bytes; i++) {
		if ((unsigned char)s->base[i] == poison)
			continue;
		run_fail(run, "byte %zu of %zu was written after exchange %ld, "
			 "kind %d", i, s->bytes, op->starts, (int)op->kind);
		return;
	}
}

/* The buffers of a rank that has failed may still be in use. */
void op_free(struct run *run, struct op *op)
{
	if (run->broken)
		return;
	check_shut(run, op);
	if (op->req)
		run_ok(run, weft_request_free(&op->req), "weft_request_free");
	side_fini(run, &op->send);
	side_fini(run, &op->recv);
	free(op);
}

void op_retire(struct run *run, struct op *op)
{
	struct op **place = &run->kept[run->nkept++ % KEPT];

	if (run->broken)
		return;
	if (op->req)
		run_ok(run, weft_request_free(&op->req), "weft_request_free");
	if (*place)
		op_free(run, *place);
	*place = op;
}

void op_free_kept(struct run *run)
{
	for (int i = 0; i < KEPT; i++) {
		if (run->kept[i])
			op_free(run, run->kept[i]);
		run->kept[i] = NULL;
	}
}

struct op *op_make(struct run *run, struct graph *graph, enum op_kind kind,
		   bool mismatch)
{
	static const size_t units[] = { 1, 4, 8 };
	struct op *op = calloc(1, sizeof(*op));

	op->graph = graph;
	op->kind = kind;
	op->lengths = draw_u64(&run->shared);
	op->content = draw_u64(&run->shared);
	op->unit = units[draw_below(&run->shared, 3)];
	op->wrong.k = -1;
	if (mismatch && graph->nall) {
		op->wrong = graph->all[draw_below(&run->shared,
						  (uint64_t)graph->nall)];
		run->result.mismatches++;
	}
	side_init(run, op, false);
	side_init(run, op, true);
	if (kind == OP_PERSISTENT && !run->broken)
		run_ok(run, weft_neighbor_alltoallv_init(graph->comm,
							 &op->send.vec,
							 &op->recv.vec,
							 &op->req),
		       "weft_neighbor_alltoallv_init");
	return op;
}

/* ---- what an edge has ---- */

static size_t packed_bytes(const struct side *s, size_t count)
{
	return count * (s->gaps ? PACKED : s->unit);
}

static void fill_edge(const struct side *s, char *at, size_t count,
		      uint64_t key)
{
	size_t bytes = packed_bytes(s, count);
	char *packed;

	if (!s->gaps) {
		pattern_fill(at, bytes, key);
		return;
	}
	packed = malloc(bytes + 1);
	pattern_fill(packed, bytes, key);
	for (size_t i = 0; i < count; i++) {
		memcpy(at + i * UNIT, packed + i * PACKED, GAP_AT);
		memcpy(at + i * UNIT + GAP_END, packed + i * PACKED + GAP_AT,
		       UNIT - GAP_END);
	}
	free(packed);
}

static bool edge_holds(const struct side *s, const char *at, size_t count,
		       uint64_t key)
{
	size_t bytes = packed_bytes(s, count);
	char *packed;
	bool holds;

	if (!s->gaps)
		return pattern_holds(at, bytes, key);
	packed = malloc(bytes + 1);
	for (size_t i = 0; i < count; i++) {
		memcpy(packed + i * PACKED, at + i * UNIT, GAP_AT);
		memcpy(packed + i * PACKED + GAP_AT, at + i * UNIT + GAP_END,
		       UNIT - GAP_END);
	}
	holds = pattern_holds(packed, bytes, key);
	free(packed);
	return holds;
}

static bool gaps_kept(const struct side *s, const char *at, size_t count)
{
	for (size_t i = 0; s->gaps && i < count; i++)
		for (int k = GAP_AT; k < GAP_END; k++)
			if ((unsigned char)at[i * UNIT + (size_t)k] != guard)
				return false;
	return true;
}

/* ---- one start ---- */

/* Fresh bytes to send, guards around what will come. */
static void prepare(struct run *run, struct op *op)
{
	uint64_t content = draw_mix(op->content, (uint64_t)op->starts);
	struct side *s = &op->send;
	size_t end = 0;

	check_shut(run, op);
	op->recv.ended = false;
	for (int i = 0; i < s->n; i++)
		fill_edge(s, s->base + (size_t)s->displs[i] * s->unit,
			  s->counts[i], edge_key(content, &s->edges[i]));
	s = &op->recv;
	if (s->gaps)
		memset(s->base, guard, s->bytes);
	memset(s->base, guard, GAP);
	for (int i = 0; i < s->n; i++) {
		end = ((size_t)s->displs[i] + s->counts[i]) * s->unit;
		memset(s->base + end, guard, GAP);
	}
}

static bool guarded(const char *p)
{
	unsigned char wrong = 0;

	for (int i = 0; i < GAP; i++)
		wrong |= (unsigned char)p[i] ^ guard;
	return !wrong;
}

static void check_edge(struct run *run, const struct op *op, int i)
{
	uint64_t content = draw_mix(op->content, (uint64_t)op->starts);
	const struct side *s = &op->recv;
	const struct edge *e = &s->edges[i];
	const char *base = s->base + (size_t)s->displs[i] * s->unit;
	size_t bytes = s->counts[i] * s->unit;

	if (!guarded(base + bytes) || !gaps_kept(s, base, s->counts[i]))
		run_fail(run, "bytes beyond, or between, the %zu of edge "
			 "%d->%d (%d), kind %d, start %ld", bytes, e->from,
			 e->to, e->k, (int)op->kind, op->starts);
	if (same_edge(e, &op->wrong))
		return;
	if (!edge_holds(s, base, s->counts[i], edge_key(content, e)))
		run_fail(run, "wrong bytes among the %zu of edge %d->%d (%d), "
			 "kind %d, start %ld", bytes, e->from, e->to, e->k,
			 (int)op->kind, op->starts);
	run->result.bytes += bytes;
}

/* The error that this rank must, or may, get from the wrong edge. */
static bool expected(const struct run *run, const struct op *op, int status)
{
	const struct edge *e = &op->wrong;
	size_t sent, taken;
	int want = WEFT_OK;

	if (e->k >= 0) {
		sent = count_of(run, op, e, false);
		taken = count_of(run, op, e, true);
		want = sent > taken ? WEFT_ERR_TRUNCATE : WEFT_ERR_SIZE;
	}
	if (e->k >= 0 && e->to == run->rank)
		return status == want;
	if (e->k >= 0 && e->from == run->rank)
		return status == WEFT_OK || status == want;
	return status == WEFT_OK;
}

static void check_sources(struct run *run, const struct op *op)
{
	uint64_t content = draw_mix(op->content, (uint64_t)op->starts);
	const struct side *s = &op->send;

	for (int i = 0; i < s->n; i++)
		if (!edge_holds(s, s->base + (size_t)s->displs[i] * s->unit,
				s->counts[i],
				edge_key(content, &s->edges[i])))
			run_fail(run, "the source of edge %d of %d was written",
				 i, s->n);
}

static void check(struct run *run, struct op *op, int status, const char *text)
{
	if (run_bereaved(run, status, text)) {
		shut(&op->recv);
		return;
	}
	if (!expected(run, op, status)) {
		run_fail(run, "an exchange of kind %d: %s: %s; wrong edge "
			 "%d->%d (%d)", (int)op->kind,
			 weft_status_name(status), text, op->wrong.from,
			 op->wrong.to, op->wrong.k);
		run->broken = true;
		return;
	}
	if (status && !*text)
		run_fail(run, "%s without a sentence",
			 weft_status_name(status));
	if (!guarded(op->recv.base))
		run_fail(run, "bytes before the first edge");
	for (int i = 0; i < op->recv.n; i++)
		check_edge(run, op, i);
	check_sources(run, op);
	shut(&op->recv);
	op->starts++;
	run->result.exchanges++;
}

bool op_start(struct run *run, struct op *op)
{
	struct weft_comm *comm = op->graph->comm;
	int status;

	prepare(run, op);
	if (op->kind == OP_BLOCKING) {
		status = weft_neighbor_alltoallv(comm, &op->send.vec,
						 &op->recv.vec);
		check(run, op, status, weft_error_text(run->job));
		return true;
	}
	if (op->kind == OP_PERSISTENT)
		return run_ok(run, weft_request_start(op->req),
			      "weft_request_start");
	status = weft_ineighbor_alltoallv(comm, &op->send.vec,
					  &op->recv.vec, &op->req);
	return run_ok(run, status, "weft_ineighbor_alltoallv");
}

bool op_test(struct run *run, struct op *op)
{
	bool done = false;
	int status = weft_request_test(op->req, &done);

	if (done)
		check(run, op, status, weft_request_error(op->req));
	else
		run_ok(run, status, "weft_request_test");
	return done;
}

void op_complete(struct run *run, struct op *op)
{
	uint64_t tests = draw_below(&run->own, 2) ?
			 draw_below(&run->own, 50) : 0;
	bool done = false;
	int status = WEFT_OK;

	while (!done && tests--)
		status = weft_request_test(op->req, &done);
	if (!done)
		status = weft_request_wait(op->req);
	check(run, op, status, weft_request_error(op->req));
}
