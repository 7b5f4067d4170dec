/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Building plans and reading them: the text of a plan is fixed by the calls
 * that built it, and a building that runs out of memory leaves nothing behind.
 */
#include "coll/ragged.h"
#include "coll/peers.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"
#include "topo/neighbor_plan.h"

enum { RANKS = 3 };

/* As much of a job as a plan needs: rank 1 of 3, all edges. */
struct bench {
	struct weft_job job;
	struct weft_comm comm;
	struct wf_set set;
	struct wf_graph graph;
	struct wf_out out[RANKS - 1];
	struct wf_in in[RANKS - 1];
};

static struct bench *bench_open(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	if (!TAP_CHECK(b) ||
	    wf_segment_open(&b->job.segment, WF_SEGMENT_ANONYMOUS, 65536,
			    1 << 20))
		exit(1);
	b->comm = (struct weft_comm){ .job = &b->job, .rank = 1,
				      .size = RANKS };
	b->set = (struct wf_set){ .comm = &b->comm, .nout = RANKS - 1,
				  .nin = RANKS - 1, .out = b->out,
				  .in = b->in, .slot_least = 65536 };
	for (int i = 0; i < RANKS - 1; i++) {
		int other = 2 * i;

		b->out[i].edge = (struct wf_edge){ 1, other, 0, 0 };
		b->in[i].edge = (struct wf_edge){ other, 1, 0, 0 };
	}
	b->graph = (struct wf_graph){
		.comm = &b->comm, .nout = RANKS - 1, .nin = RANKS - 1,
		.wired_out.n = RANKS - 1, .wired_in.n = RANKS - 1
	};
	return b;
}

static void bench_close(struct bench *b)
{
	wf_segment_close(&b->job.segment);
	free(b);
}

static void compare(struct wf_plan *plan, const char *want)
{
	char text[2000];
	FILE *to = fmemopen(text, sizeof(text), "w");

	if (!TAP_CHECK(to))
		return;
	wf_plan_dump(plan, to);
	fclose(to);
	if (!TAP_EQUAL(strcmp(text, want), 0))
		tap_diag("%s", text);
}

static void exchange(void)
{
	static const struct wf_extent extent[] = {
		{ 0, 8 }, { 64, 100000 }, { 8, 0 }, { -16, 16 }
	};
	struct bench *b = bench_open();
	struct wf_plan *plan;

	if (!TAP_EQUAL(wf_neighbor_build(&b->graph, &b->set, extent, &plan),
		       WEFT_OK))
		return;
	compare(plan,
		"0: send to rank 0 from send+0 bytes 8\n"
		"1: send to rank 2 from send+64 bytes 100000\n"
		"2: recv from rank 0 to recv+8 bytes 0\n"
		"3: recv from rank 2 to recv+-16 bytes 16\n");
	TAP_CHECK(plan->fixed);
	TAP_EQUAL(plan->nroots, 4);
	wf_plan_destroy(plan);
	bench_close(b);
}

static int build_radix(struct bench *b, int radix, uint64_t bytes,
		       struct wf_plan **plan_p)
{
	struct wf_coll_key key = { .bytes = bytes, .with.width = 8 };
	struct wf_schedule s = {
		.comm = &b->comm, .cuts = wf_ragged_cut(b->comm.size, radix)
	};

	return wf_allreduce_build(&s, &b->set, &key, plan_p);
}

static int build_allreduce(struct bench *b, uint64_t bytes,
			   struct wf_plan **plan_p)
{
	return build_radix(b, 8, bytes, plan_p);
}

static void allreduce(void)
{
	struct bench *b = bench_open();
	struct wf_plan *plan;

	if (!TAP_EQUAL(build_allreduce(b, 80, &plan), WEFT_OK))
		return;
	compare(plan,
		"0: send to rank 0 from send+0 bytes 80 then 4\n"
		"1: send to rank 2 from send+0 bytes 80 then 4\n"
		"2: recv from rank 0 to scratch+0 bytes 80 then 4\n"
		"3: recv from rank 2 to scratch+128 bytes 80 then 4\n"
		"4: reduce left scratch+0 right send+0 to scratch+256 "
		"bytes 80 needs 4 then 5\n"
		"5: reduce left scratch+256 right scratch+128 to recv+0 "
		"bytes 80 needs 1\n");
	TAP_EQUAL(plan->scratch_bytes, 384);
	wf_plan_destroy(plan);
	bench_close(b);
}

/* One step joins sends and receives: nothing is folded. */
static void barrier(void)
{
	struct bench *b = bench_open();
	struct wf_plan *plan;

	if (!TAP_EQUAL(build_allreduce(b, 0, &plan), WEFT_OK))
		return;
	compare(plan,
		"0: send to rank 0 from send+0 bytes 0 then 4\n"
		"1: send to rank 2 from send+0 bytes 0 then 4\n"
		"2: recv from rank 0 to scratch+0 bytes 0 then 4\n"
		"3: recv from rank 2 to scratch+0 bytes 0 then 4\n"
		"4: reduce left scratch+0 right send+0 to recv+0 "
		"bytes 0 needs 4\n");
	wf_plan_destroy(plan);
	bench_close(b);
}

/*
 * A receive of the second stage is looked at when the first is done, but one
 * that has to offer memory to its sender is under way from the start.
 */
static void two_stages(void)
{
	struct bench *b = bench_open();
	struct wf_plan *plan;

	b->comm.size = 4;
	b->set.slot_least = 64;
	if (TAP_EQUAL(build_radix(b, 2, 64, &plan), WEFT_OK)) {
		TAP_EQUAL(plan->nroots, 2);
		wf_plan_destroy(plan);
	}
	/* Those that offer come first: a send copies. */
	if (TAP_EQUAL(build_radix(b, 2, 72, &plan), WEFT_OK)) {
		TAP_EQUAL(plan->nroots, 3);
		for (int i = 0; i < plan->nroots; i++)
			TAP_EQUAL(plan->step[plan->root[i]].kind ==
				  WF_STEP_RECV, i < 2);
		wf_plan_destroy(plan);
	}
	bench_close(b);
}

/* Alone there is nothing but a copy. */
static void alone(void)
{
	struct bench *b = bench_open();
	struct wf_plan *plan;

	b->comm.size = 1;
	b->comm.rank = 0;
	if (!TAP_EQUAL(build_allreduce(b, 8, &plan), WEFT_OK))
		return;
	compare(plan, "0: copy from send+0 to recv+0 bytes 8\n");
	wf_plan_destroy(plan);
	bench_close(b);
}

static int build_long(struct bench *b, struct wf_plan **plan_p)
{
	struct wf_place at = { WF_BUFFER_RECV, 0 };
	struct wf_builder builder;
	int status = wf_builder_init(&builder, &b->set);

	if (status)
		return status;
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t step = wf_build_copy(&builder, at,
					      wf_build_scratch(&builder, 64),
					      64);

		if (step)
			wf_build_after(&builder, step, step - 1);
	}
	return wf_builder_finish(&builder, plan_p);
}

/* Each has scratch of its own, so that both may be under way. */
static void two_runs(void)
{
	struct bench *b = bench_open();
	struct wf_run run[2];
	struct wf_plan *plan;
	ptrdiff_t apart;

	if (!TAP_EQUAL(build_allreduce(b, 80, &plan), WEFT_OK))
		return;
	for (int i = 0; i < 2; i++)
		TAP_EQUAL(wf_run_init(&run[i], plan, "two"), WEFT_OK);
	apart = run[0].buffer[WF_BUFFER_SCRATCH] -
		run[1].buffer[WF_BUFFER_SCRATCH];
	TAP_CHECK(apart >= 384 || apart <= -384);
	for (int i = 0; i < 2; i++)
		wf_run_fini(&run[i]);
	TAP_EQUAL(b->job.segment.blocks.count, 0);
	wf_plan_destroy(plan);
	bench_close(b);
}

/* Of a plan and a run of it. */
static int build_and_init(struct bench *b, struct wf_plan **plan_p,
			  struct wf_run *run)
{
	int status = build_long(b, plan_p);

	if (status)
		return status;
	status = wf_run_init(run, *plan_p, "none");
	if (status)
		wf_plan_destroy(*plan_p);
	return status;
}

static void no_memory(void)
{
	struct bench *b = bench_open();
	struct wf_plan *plan = NULL;
	struct wf_run run;
	int status = WEFT_ERR_NOMEM;

	for (long n = 1; status && n < 100; n++) {
		fail_malloc_at(n);
		status = build_and_init(b, &plan, &run);
		fail_malloc_at(0);
		if (status)
			TAP_EQUAL(status, WEFT_ERR_NOMEM);
		if (status)
			TAP_EQUAL(b->job.segment.blocks.count, 0);
	}
	if (TAP_EQUAL(status, WEFT_OK))
		TAP_EQUAL(plan->nsteps, 40);
	wf_run_fini(&run);
	wf_plan_destroy(plan);
	bench_close(b);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "an exchange", exchange },
		{ "an allreduce", allreduce },
		{ "a barrier", barrier },
		{ "two stages", two_stages },
		{ "one rank alone", alone },
		{ "two runs of one plan", two_runs },
		{ "no memory", no_memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
