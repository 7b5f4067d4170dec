/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One exchange: its two ends, the call, and the check of all that has arrived.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/exchange/exchange_parts.h"

static const unsigned char poison = 0x5c;

static const char *op_name(const struct op *op)
{
	return neighbor_call_name(op->call, op->form);
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
			 "%s", i, s->bytes, op->starts, op_name(op));
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

static struct neighbor_args args_of(const struct op *op)
{
	return (struct neighbor_args){
		op->send.part, op->recv.part, &op->send.vec, &op->recv.vec
	};
}

struct op *op_make(struct run *run, struct graph *graph, enum form form,
		   bool mismatch)
{
	static const size_t units[] = { 1, 4, 8 };
	struct op *op = calloc(1, sizeof(*op));
	struct neighbor_args args;

	op->graph = graph;
	op->form = form;
	op->lengths = draw_u64(&run->shared);
	op->content = draw_u64(&run->shared);
	op->unit = units[draw_below(&run->shared, 3)];
	op->call = ALLTOALLV;
	if (run->options->every_call)
		op->call = (enum call)(draw_mix(op->lengths, 0) % CALLS);
	op->wrong.k = -1;
	if (mismatch && graph->nall) {
		op->wrong = graph->all[draw_below(&run->shared,
						  (uint64_t)graph->nall)];
		run->result.mismatches++;
	}
	side_init(run, op, false);
	side_init(run, op, true);
	args = args_of(op);
	if (form == PERSISTENT && !run->broken)
		run_ok(run, neighbor_init(graph->comm, op->call, &args,
					  &op->req), op_name(op));
	return op;
}

/* ---- one start ---- */

/* Fresh bytes to send, guards around what will come. */
static void prepare(struct run *run, struct op *op)
{
	uint64_t content = draw_mix(op->content, (uint64_t)op->starts);
	struct side *s = &op->send;

	check_shut(run, op);
	op->recv.ended = false;
	for (int i = 0; i < s->n; i++)
		side_fill(s, i, op_key(op, content, &s->edges[i]));
	s = &op->recv;
	if (s->gaps)
		memset(s->base, GUARD, s->bytes);
	memset(s->base, GUARD, GAP);
	for (int i = 0; i < s->n; i++)
		memset(side_at(s, i) + s->counts[i] * s->unit, GUARD, GAP);
}

static bool guarded(const char *p)
{
	unsigned char wrong = 0;

	for (int i = 0; i < GAP; i++)
		wrong |= (unsigned char)p[i] ^ GUARD;
	return !wrong;
}

/* Behind an edge of a part is the next one, if any. */
static bool is_kept(const struct side *s, int i)
{
	bool last = !s->is_part || i == s->n - 1;

	return side_gaps_kept(s, i) &&
	       (!last || guarded(side_at(s, i) + s->counts[i] * s->unit));
}

static void check_edge(struct run *run, const struct op *op, int i)
{
	uint64_t content = draw_mix(op->content, (uint64_t)op->starts);
	const struct side *s = &op->recv;
	const struct edge *e = &s->edges[i];
	size_t bytes = s->counts[i] * s->unit;

	if (!is_kept(s, i))
		run_fail(run, "bytes beyond, or between, the %zu of edge "
			 "%d->%d (%d), %s, start %ld", bytes, e->from, e->to,
			 e->k, op_name(op), op->starts);
	if (op_is_wrong(op, e))
		return;
	if (!side_holds(s, i, op_key(op, content, e)))
		run_fail(run, "wrong bytes among the %zu of edge %d->%d (%d), "
			 "%s, start %ld", bytes, e->from, e->to, e->k,
			 op_name(op), op->starts);
	run->result.bytes += bytes;
}

static bool sends_wrong(const struct op *op)
{
	const struct side *s = &op->send;
	bool wrong = false;

	for (int i = 0; i < s->n; i++)
		wrong |= op_is_wrong(op, &s->edges[i]);
	return wrong;
}

/* The error that this rank must, or may, get from the wrong edge. */
static bool expected(const struct run *run, const struct op *op, int status)
{
	const struct edge *e = &op->wrong;
	size_t sent, taken;
	int want = WEFT_OK;

	if (e->k >= 0) {
		sent = op_count(run, op, e, false);
		taken = op_count(run, op, e, true);
		want = sent > taken ? WEFT_ERR_TRUNCATE : WEFT_ERR_SIZE;
	}
	if (e->k >= 0 && e->to == run->rank)
		return status == want;
	return status == WEFT_OK || (status == want && sends_wrong(op));
}

static void check_sources(struct run *run, const struct op *op)
{
	uint64_t content = draw_mix(op->content, (uint64_t)op->starts);
	const struct side *s = &op->send;

	for (int i = 0; i < s->n; i++)
		if (!side_holds(s, i, op_key(op, content, &s->edges[i])))
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
		run_fail(run, "%s: %s: %s; wrong edge %d->%d (%d)",
			 op_name(op), weft_status_name(status), text,
			 op->wrong.from, op->wrong.to, op->wrong.k);
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
	const struct neighbor_args args = args_of(op);

	prepare(run, op);
	if (op->form == BLOCKING) {
		check(run, op, neighbor_block(comm, op->call, &args),
		      weft_error_text(run->job));
		return true;
	}
	if (op->form == PERSISTENT)
		return run_ok(run, weft_request_start(op->req),
			      "weft_request_start");
	return run_ok(run, neighbor_once(comm, op->call, &args, &op->req),
		      op_name(op));
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
