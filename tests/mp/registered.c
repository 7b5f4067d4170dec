/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Large messages into memory that the program has registered with an RDMA
 * device: they are put straight into it, so that the arena grows by no chunks;
 * into the same memory without its registration they are not.  Run by
 * tests/mp/verbs.t, where there is a device.
 */
#include <weft.h>

#include "job/job.h"
#include "tests/ranks.h"
#include "tests/tap.h"

enum {
	RANKS = 2,
	BYTES = 1 << 18,
	BEFORE = 4096 + 24,		/* of the memory that is registered */
	EXCHANGES = 5,
	CHUNKS = 4			/* of an area */
};

static struct weft_job *job;
static char in[BEFORE + BYTES], out[BYTES];

static uint64_t arena_bytes(void)
{
	const struct wf_alloc *a = &job->segment.blocks;
	uint64_t sum = 0;

	for (size_t i = 0; i < a->count; i++)
		sum += a->blocks[i].bytes;
	return sum;
}

static void exchange(struct weft_comm *graph, int round)
{
	int other = !weft_job_rank(job);
	size_t count = BYTES;
	ptrdiff_t displ = 0;
	struct weft_vec send = { .base = out, .type = &weft_type_byte,
				 .counts = &count, .displs = &displ };
	struct weft_vec recv = send;

	recv.base = in + BEFORE;
	memset(out, 16 * round + other, BYTES);
	memset(in, 0, sizeof(in));
	TAP_EQUAL(weft_neighbor_alltoallv(graph, &send, &recv), WEFT_OK);
	TAP_EQUAL(in[BEFORE - 1], 0);
	TAP_EQUAL(in[BEFORE], 16 * round + !other);
	TAP_CHECK(!memcmp(in + BEFORE, in + BEFORE + 1, BYTES - 1));
}

/* What the arena has grown by since the graph was made. */
static uint64_t exchanges(void)
{
	int other = !weft_job_rank(job);
	struct weft_edges edges = { 1, &other, NULL };
	struct weft_comm *graph = NULL;
	uint64_t before;

	if (!TAP_EQUAL(weft_graph_create_adjacent(weft_job_world(job), &edges,
						  &edges, NULL, false, &graph),
		       WEFT_OK))
		return 0;
	before = arena_bytes();
	for (int round = 0; round < EXCHANGES; round++)
		exchange(graph, round);
	before = arena_bytes() - before;
	TAP_EQUAL(weft_comm_free(&graph), WEFT_OK);
	return before;
}

static void straight(void)
{
	struct weft_mem *mem[2];
	uint64_t with, without, area = CHUNKS * (uint64_t)job->dev[0]->chunk;

	TAP_EQUAL(weft_mem_register(job, in, sizeof(in), &mem[0]), WEFT_OK);
	TAP_EQUAL(weft_mem_register(job, out, sizeof(out), &mem[1]), WEFT_OK);
	with = exchanges();
	weft_mem_unregister(&mem[0]);
	weft_mem_unregister(&mem[1]);
	without = exchanges();
	tap_diag("the arena grows by %llu and %llu bytes",
		 (unsigned long long)with, (unsigned long long)without);
	TAP_CHECK(without >= area);
	TAP_CHECK(with + area <= without + 65536);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "straight into registered memory", straight }
	};
	int result;

	ranks_start(argc, argv, RANKS, 60);
	if (weft_job_open(NULL, &job))
		return 1;
	tap_rank(weft_job_rank(job));
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : result;
}
