/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The random exchange program: rounds on a few graphs.
 *
 * A round is one blocking exchange or a batch of nonblocking and persistent
 * ones on all graphs. What is in it, and its order on one graph, is the same
 * on all ranks; how the graphs and the persistent requests mix, and when what
 * is under way is completed, each rank draws for itself.
 */
#include "tests/exchange/exchange_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/exchange/exchange_parts.h"

enum {
	GRAPHS = 4,
	BATCH = 24,		/* most exchanges of a round */
	CARRIED = 8		/* left under way into the next round */
};

struct program {
	struct run run;
	struct graph *graph[GRAPHS];
	struct op *under_way[BATCH + CARRIED];
	int n;
	long drawn;		/* exchanges so far, the same on all ranks */
};

void run_fail(struct run *run, const char *format, ...)
{
	const struct exchange_options *o = run->options;
	char text[800];
	va_list args;
	int used;

	run->result.failures++;
	used = snprintf(text, sizeof(text), "seed %llu, exchange %ld: ",
			(unsigned long long)o->seed, run->result.exchanges);
	va_start(args, format);
	vsnprintf(text + used, sizeof(text) - (size_t)used, format, args);
	va_end(args);
	o->fail(o->arg, text);
}

bool run_bereaved(struct run *run, int status, const char *text)
{
	const struct exchange_options *o = run->options;

	if (!(status == WEFT_ERR_PEER && o->deaths) &&
	    !(status == WEFT_ERR_GRAPH && o->leaves) &&
	    !(status == WEFT_ERR_DEVICE && (o->faults || o->cut_off)))
		return false;
	if (!*text)
		run_fail(run, "%s without a sentence",
			 weft_status_name(status));
	if (o->names && !o->names(o->arg, text))
		run_fail(run, "blames the wrong rank: %s", text);
	run->result.bereaved = true;
	return true;
}

bool run_ok(struct run *run, int status, const char *call)
{
	if (!status)
		return true;
	if (run_bereaved(run, status, weft_error_text(run->job)))
		return false;
	run->broken = true;
	run_fail(run, "%s: %s: %s", call, weft_status_name(status),
		 weft_error_text(run->job));
	return false;
}

/* Which rank pauses is drawn by all. */
static void maybe_pause(struct program *p)
{
	struct run *run = &p->run;
	uint64_t rank = draw_below(&run->shared, (uint64_t)run->size);

	if (draw_chance(&run->shared, run->options->pause_one_in) &&
	    (int)rank == run->rank)
		run->options->pause(run->options->arg);
}

static struct op *draw_op(struct program *p, struct graph *graph,
			  enum form form)
{
	struct run *run = &p->run;
	bool mismatch = draw_chance(&run->shared,
				    run->options->mismatch_one_in);

	p->drawn++;
	return op_make(run, graph, form, mismatch);
}

static void blocking(struct program *p, struct graph *graph)
{
	struct op *op = draw_op(p, graph, BLOCKING);

	if (!run_is_over(&p->run))
		op_start(&p->run, op);
	op_retire(&p->run, op);
}

/* It has completed. */
static void forget(struct program *p, int i)
{
	struct op *op = p->under_way[i];

	p->under_way[i] = p->under_way[--p->n];
	if (op->form != PERSISTENT)
		op_retire(&p->run, op);
}

static void finish(struct program *p, int i)
{
	op_complete(&p->run, p->under_way[i]);
	forget(p, i);
}

/* Completes until at most so many are under way, in any order. */
static void finish_down_to(struct program *p, int left)
{
	while (p->n > left && !p->run.broken)
		finish(p, (int)draw_below(&p->run.own, (uint64_t)p->n));
}

static void finish_request(struct program *p, const struct op *op)
{
	for (int i = 0; i < p->n && !p->run.broken; i++)
		if (p->under_way[i] == op) {
			finish(p, i);
			return;
		}
}

/* What one round starts on one graph, in its order. */
struct queue {
	struct op *ops[BATCH];
	int n, next;
};

static void fill_queue(struct program *p, struct graph *graph,
		       struct queue *plain, struct queue *persistent)
{
	struct run *run = &p->run;
	int n = (int)draw_below(&run->shared, 4);

	while (n-- && !run_is_over(run))
		plain->ops[plain->n++] = draw_op(p, graph, NONBLOCKING);
	for (int i = 0; i < REQUESTS; i++) {
		struct op *op = graph->persistent[i];

		if (!op || !draw_below(&run->shared, 2))
			continue;
		persistent->ops[persistent->n++] = op;
		p->drawn++;
	}
}

/*
 * Also by one for which all is over: others have started other parts of this
 * batch, and would wait for it while it waits for them.
 */
static void start(struct program *p, struct op *op)
{
	if (op->form == PERSISTENT)
		finish_request(p, op);
	if (!p->run.broken && op_start(&p->run, op))
		p->under_way[p->n++] = op;
	else if (op->form != PERSISTENT)
		op_free(&p->run, op);
}

/*
 * A wait in the middle of a batch could be for what another rank starts after
 * such a wait of its own; a test never hurts.
 */
static void test_any(struct program *p)
{
	int i;

	if (!p->n)
		return;
	i = (int)draw_below(&p->run.own, (uint64_t)p->n);
	if (op_test(&p->run, p->under_way[i]))
		forget(p, i);
}

/* Takes any of what is left: of a graph the next, of requests any. */
static void start_all(struct program *p, struct queue *queues, int n)
{
	int left = 0;

	for (int i = 0; i < n; i++)
		left += queues[i].n;
	while (left && !p->run.broken) {
		struct queue *q = &queues[draw_below(&p->run.own,
						     (uint64_t)n)];

		if (q->next == q->n)
			continue;
		start(p, q->ops[q->next++]);
		left--;
		if (draw_below(&p->run.own, 4) == 0)
			test_any(p);
	}
}

/* Each persistent request is a queue of its own, each graph is one. */
static void batch(struct program *p)
{
	struct queue queues[GRAPHS * (1 + REQUESTS)] = { { .n = 0 } };
	int n = 0;

	for (int g = 0; g < p->run.options->graphs; g++) {
		struct queue persistent = { .n = 0 };

		fill_queue(p, p->graph[g], &queues[n++], &persistent);
		for (int i = 0; i < persistent.n; i++) {
			queues[n].ops[0] = persistent.ops[i];
			queues[n++].n = 1;
		}
	}
	start_all(p, queues, n);
	finish_down_to(p, (int)draw_below(&p->run.own, CARRIED + 1));
}

/*
 * Before a graph, or the job, is given up. A rank whose edge has the wrong
 * length may have to ask the other end, which must still be there to answer.
 */
static void finish_all(struct program *p)
{
	struct run *run = &p->run;

	finish_down_to(p, 0);
	if (run->options->mismatch_one_in && !run_is_over(run))
		run_ok(run, weft_barrier(weft_job_world(run->job)),
		       "weft_barrier");
}

static void replace(struct program *p)
{
	int g = (int)draw_below(&p->run.shared,
				(uint64_t)p->run.options->graphs);

	finish_all(p);
	if (run_is_over(&p->run))
		return;
	graph_drop(&p->run, p->graph[g]);
	p->graph[g] = graph_make(&p->run);
}

static void round_of(struct program *p)
{
	const struct exchange_options *o = p->run.options;
	struct draw *shared = &p->run.shared;
	uint64_t graph = draw_below(shared, (uint64_t)o->graphs);

	maybe_pause(p);
	if (draw_chance(shared, o->replace_one_in))
		replace(p);
	else if (draw_chance(shared, o->collective_one_in))
		collective(&p->run, p->graph[graph]->comm);
	else if (draw_chance(shared, 2))
		batch(p);
	else
		blocking(p, p->graph[graph]);
}

void exchange_run(struct weft_job *job, const struct exchange_options *options,
		  struct exchange_result *result_p)
{
	struct program p = { .run = {
		.job = job, .options = options,
		.rank = weft_job_rank(job), .size = weft_job_size(job),
		.shared = { options->seed },
	} };

	p.run.own.state = draw_mix(options->seed, (uint64_t)p.run.rank + 1);
	for (int i = 0; i < options->graphs && !run_is_over(&p.run); i++)
		p.graph[i] = graph_make(&p.run);
	while (p.drawn < options->exchanges && !run_is_over(&p.run))
		round_of(&p);
	finish_all(&p);
	p.run.abandons = options->abandons;
	for (int i = 0; i < options->graphs && !p.run.broken; i++)
		if (p.graph[i])
			graph_drop(&p.run, p.graph[i]);
	op_free_kept(&p.run);
	*result_p = p.run.result;
}
