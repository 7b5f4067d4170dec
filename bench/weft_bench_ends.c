/* SPDX-License-Identifier: BSD-3-Clause */
/* Edges of a rank and their buffers: see weft_bench_ends.h. */
#include "bench/weft_bench_ends.h"
#include "bench/weft_bench_pattern.h"

#include <stdlib.h>
#include <string.h>

/*
 * An edge to the left and one to the right; the sender's edge 0 goes left.  Of
 * two ranks the first edge of one is the first of the other.
 */
void bench_ends_ring(struct bench_ends *ends)
{
	struct bench_half *out = &ends->out, *in = &ends->in;
	int rank = ends->run->rank, ranks = ends->run->ranks;

	out->n = in->n = BENCH_EDGES_MAX;
	out->ranks[0] = in->ranks[0] = (rank + ranks - 1) % ranks;
	out->ranks[1] = in->ranks[1] = (rank + 1) % ranks;
	for (uint32_t i = 0; i < BENCH_EDGES_MAX; i++) {
		out->edges[i] = i;
		in->edges[i] = ranks == 2 ? i : 1 - i;
	}
	ends->run->report->messages = ranks == 2 ? BENCH_EDGES_MAX : 1;
	ends->run->report->sends = BENCH_EDGES_MAX;
}

int bench_ends_graph(const struct bench_ends *ends, struct weft_comm **graph_p)
{
	struct weft_edges in = { ends->in.n, ends->in.ranks, NULL };
	struct weft_edges out = { ends->out.n, ends->out.ranks, NULL };

	return weft_graph_create_adjacent(ends->run->world, &in, &out, NULL,
					  false, graph_p);
}

/* From the first byte of a message to its last one. */
static size_t span(const struct bench_ends *ends)
{
	return ends->apart ? 2 * ends->bytes : ends->bytes;
}

static void lay_out(const struct bench_ends *ends, struct bench_half *half,
		    size_t stride)
{
	if (half == &ends->out && ends->layout & BENCH_SAME)
		stride = 0;
	for (int i = 0; i < BENCH_EDGES_MAX; i++) {
		half->counts[i] = ends->apart ? 1 : ends->bytes;
		half->displs[i] = (ptrdiff_t)stride * i;
		half->types[i] = ends->apart;
	}
	half->vec = (struct weft_vec){
		.base = half->base,
		.type = ends->apart ? NULL : &weft_type_byte,
		.types = ends->apart ? half->types : NULL,
		.counts = half->counts, .displs = half->displs
	};
}

static int allocate(const struct bench_ends *ends, struct bench_half *half)
{
	size_t lines = (span(ends) + 63) / 64 * 64;
	size_t all = lines * BENCH_EDGES_MAX + 64;
	void *base = NULL;

	if (ends->run->options->heap) {
		base = aligned_alloc(64, all);
		if (!base)
			return WEFT_ERR_NOMEM;
	} else {
		int status = weft_mem_alloc(ends->run->job, all, &base);

		if (status != WEFT_OK)
			return status;
	}
	half->base = base;
	memset(base, 0, all);
	lay_out(ends, half, ends->layout & BENCH_DENSE ? ends->bytes : lines);
	return WEFT_OK;
}

static int make_type(struct bench_ends *ends)
{
	int status;

	if (!(ends->layout & BENCH_TYPED))
		return WEFT_OK;
	status = weft_type_hvector(ends->run->job, ends->bytes / BENCH_WORD,
				   BENCH_WORD, 2 * BENCH_WORD,
				   &weft_type_byte, &ends->apart);
	return status ? status : weft_type_commit(ends->apart);
}

int bench_ends_allocate(struct bench_ends *ends, size_t bytes)
{
	int status;

	ends->bytes = bytes;
	status = make_type(ends);
	if (status == WEFT_OK)
		status = allocate(ends, &ends->out);
	return status == WEFT_OK ? allocate(ends, &ends->in) : status;
}

static void release(const struct bench_run *run, struct bench_half *half)
{
	if (run->options->heap)
		free(half->base);
	else
		weft_mem_free(run->job, half->base);
	half->base = NULL;
}

int bench_ends_release(struct bench_ends *ends)
{
	release(ends->run, &ends->out);
	release(ends->run, &ends->in);
	return weft_type_free(&ends->apart);
}

/* Which message goes along this edge, as its sender has them. */
static struct bench_stamp stamp_of(const struct bench_ends *ends, int sender,
				   uint32_t edge)
{
	return (struct bench_stamp){
		(uint32_t)sender, ends->layout & BENCH_SAME ? 0 : edge,
		ends->epoch
	};
}

/* Of a word among those that are apart. */
static struct bench_stamp stamp_of_word(struct bench_stamp stamp, size_t i)
{
	stamp.epoch += (uint64_t)i << 32;
	return stamp;
}

static void fill_message(const struct bench_ends *ends, char *at,
			 struct bench_stamp stamp)
{
	if (!ends->apart)
		bench_pattern_fill(at, ends->bytes, stamp);
	for (size_t i = 0; ends->apart && i < ends->bytes / BENCH_WORD; i++)
		bench_pattern_fill(at + 2 * i * BENCH_WORD, BENCH_WORD,
				   stamp_of_word(stamp, i));
}

/* Wrong bytes, those of gaps that are not what was there before, too. */
static size_t check_message(const struct bench_ends *ends, const char *at,
			    struct bench_stamp stamp)
{
	size_t wrong = 0;

	if (!ends->apart)
		return bench_pattern_check(at, ends->bytes, stamp);
	for (size_t i = 0; i < ends->bytes / BENCH_WORD; i++) {
		const char *word = at + 2 * i * BENCH_WORD;

		wrong += bench_pattern_check(word, BENCH_WORD,
					     stamp_of_word(stamp, i));
		for (size_t k = BENCH_WORD; k < 2 * BENCH_WORD; k++)
			wrong += word[k] != (char)ends->epoch;
	}
	return wrong;
}

void bench_ends_fill(struct bench_ends *ends)
{
	const struct bench_half *out = &ends->out, *in = &ends->in;

	ends->epoch++;
	for (int e = 0; e < out->n; e++)
		fill_message(ends, out->base + out->displs[e],
			     stamp_of(ends, ends->run->rank, out->edges[e]));
	memset(in->base, (int)ends->epoch,
	       (size_t)in->displs[BENCH_EDGES_MAX - 1] + span(ends));
}

size_t bench_ends_check(const struct bench_ends *ends)
{
	const struct bench_half *in = &ends->in;
	size_t wrong = 0;

	for (int e = 0; e < in->n; e++)
		wrong += check_message(ends, in->base + in->displs[e],
				       stamp_of(ends, in->ranks[e],
						in->edges[e]));
	return wrong;
}
