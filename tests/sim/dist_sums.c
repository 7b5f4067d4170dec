/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What exchanges of Dists must bring, whoever is asked: the degrees of roots,
 * sums whose bits depend on the pattern alone, and content of more than 2^31
 * bytes whole.
 */
#include <weft.h>
#include "tests/drawn.h"
#include "tests/sim/scene.h"

/* ---- patterns ---- */

enum {
	RANKS = 40,
	ROOTS = 5,			/* of a rank, at most */
	ITEMS = 20
};

/* A rank's part of a pattern that is a function of a seed. */
struct part {
	int nroots, nitems;
	int32_t offs[ROOTS + 1];
	struct weft_remote dests[ITEMS];
};

static int draw(uint64_t seed, uint64_t what, int a, int n)
{
	return (int)(drawn_mix(seed, what, (uint64_t)a) % (uint64_t)n);
}

static int nroots_of(uint64_t seed, int rank)
{
	return 1 + draw(seed, 1, rank, ROOTS);
}

static void draw_part(struct part *part, uint64_t seed, int rank, int ranks)
{
	int k;

	part->nroots = nroots_of(seed, rank);
	part->nitems = draw(seed, 2, rank, ITEMS + 1);
	part->offs[0] = 0;
	for (k = 1; k < part->nroots; k++)
		part->offs[k] = part->offs[k - 1] +
				draw(seed, 3, rank * ROOTS + k,
				     part->nitems - part->offs[k - 1] + 1);
	part->offs[k] = part->nitems;
	for (int i = 0; i < part->nitems; i++) {
		int to = draw(seed, 4, rank * ITEMS + i, ranks);

		part->dests[i] = (struct weft_remote){
			to, draw(seed, 5, rank * ITEMS + i, nroots_of(seed, to))
		};
	}
}

static struct weft_dist *make(const struct scene *s, const struct part *part)
{
	struct weft_dist *dist = NULL;

	ok(s, weft_dist_create(s->world, part->dests, (size_t)part->nitems,
			       part->nroots, &dist), "create");
	ok(s, weft_dist_set_roots2items(dist, part->offs,
					(size_t)part->nroots), "roots");
	return dist;
}

/* ---- sums ---- */

static void sum(const struct scene *s, struct weft_dist *dist, int nroots,
		double *of, double *sums)
{
	ok(s, weft_dist_exch_reduce(dist, &(struct weft_packets){
		of, (size_t)nroots, 1, &weft_type_double
	}, &weft_op_sum, &(struct weft_packets){
		sums, (size_t)nroots, 1, &weft_type_double
	}), "sum");
}

/* How many items of all ranks go to a root. */
static int in_degree(uint64_t seed, int ranks, int rank, int root)
{
	struct part part;
	int n = 0;

	for (int r = 0; r < ranks; r++) {
		draw_part(&part, seed, r, ranks);
		for (int i = 0; i < part.nitems; i++)
			n += part.dests[i].rank == rank &&
			     part.dests[i].idx == root;
	}
	return n;
}

static void sum_ones(struct wf_sim_rank *rank, void *arg)
{
	double ones[ROOTS] = { 1, 1, 1, 1, 1 }, out[ROOTS], in[ROOTS];
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	struct weft_dist *dist, *inverse = NULL;
	uint64_t seed = *(const uint64_t *)arg;
	struct part part;
	struct scene s;

	if (!start(&s, rank))
		return;
	draw_part(&part, seed, me, n);
	dist = make(&s, &part);
	ok(&s, weft_dist_invert(dist, &inverse), "invert");
	sum(&s, inverse, part.nroots, ones, out);
	sum(&s, dist, part.nroots, ones, in);
	for (int k = 0; k < part.nroots; k++)
		if (out[k] != part.offs[k + 1] - part.offs[k] ||
		    in[k] != in_degree(seed, n, me, k))
			wf_sim_fail(rank, "root %d: %g go out, %g come in", k,
				    out[k], in[k]);
	ok(&s, weft_dist_free(&inverse), "free");
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void degrees(void)
{
	run_seeds(40, RANKS, sum_ones);
}

/* Of the first run, and what all others must have, to the bit. */
struct sums {
	bool known[RANKS];
	double of[RANKS][ROOTS];
};

/* Of numbers so unequal that each order has bits of its own. */
static void sum_unequal(const struct scene *s, struct weft_dist *dist,
			int nroots, double *sums)
{
	int me = wf_sim_rank(s->rank);
	double of[ROOTS];

	for (int k = 0; k < ROOTS; k++)
		of[k] = draw(1, 6, me * ROOTS + k, 1000003) / 7.0 *
			(double)(UINT64_C(1) << draw(1, 7, me * ROOTS + k, 50));
	sum(s, dist, nroots, of, sums);
}

/* The same pattern, and then once more by the ranks of another communicator. */
static void sum_twice(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	double got[2][ROOTS];
	struct weft_comm *turned = NULL;
	struct weft_dist *dist;
	struct sums *sums = arg;
	struct part part;
	struct scene s;
	size_t bytes;

	if (!start(&s, rank))
		return;
	draw_part(&part, 1, me, n);
	bytes = (size_t)part.nroots * sizeof(double);
	dist = make(&s, &part);
	sum_unequal(&s, dist, part.nroots, got[0]);
	ok(&s, weft_comm_split(s.world, 0, n - me, &turned), "split");
	ok(&s, weft_dist_change_comm(dist, turned), "change");
	sum_unequal(&s, dist, part.nroots, got[1]);
	if (!sums->known[me])
		memcpy(sums->of[me], got[0], bytes);
	sums->known[me] = true;
	for (int i = 0; i < 2; i++)
		if (memcmp(sums->of[me], got[i], bytes))
			wf_sim_fail(rank, "other bits%s", i ?
				    " with other ranks" : "");
	ok(&s, weft_comm_free(&turned), "free");
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void same_bits(void)
{
	static char *const *const environs[] = {
		NULL, sim_unchecked_env, sim_small_env
	};
	struct sums sums = { .known = { false } };

	for (int i = 0; i < TAP_COUNT(environs); i++)
		if (!sim_flow_seeds(7, 10, environs[i], sum_twice, &sums))
			return;
}

/* ---- much content ---- */

enum {
	WIDE = 4 << 20,			/* bytes of a packet */
	MANY = 513,			/* of them: more than 2^31 bytes */
	FEW = 9,
	STEP = 64,			/* where each begins behind another */
	SOURCES = 3
};

/* One element, which shares most of its memory with those around it. */
static void make_wide(const struct scene *s, struct weft_type **type_p)
{
	struct weft_type *bytes = NULL;

	ok(s, weft_type_contiguous(s->job, WIDE, &weft_type_byte, &bytes),
	   "contiguous");
	ok(s, weft_type_resized(s->job, bytes, 0, STEP, type_p), "resized");
	ok(s, weft_type_commit(*type_p), "commit");
	ok(s, weft_type_free(&bytes), "free");
}

static unsigned char byte_at(size_t i)
{
	return (unsigned char)(i * 0x9e3779b1 >> 16);
}

static unsigned char *some_bytes(size_t n, bool empty)
{
	unsigned char *at = calloc(n, 1);

	for (size_t i = 0; at && !empty && i < n; i++)
		at[i] = byte_at(i);
	return at;
}

/* What lies at a place is the same in all packets that reach it. */
static void send_wide(const struct scene *s, size_t n)
{
	size_t sent = wf_sim_rank(s->rank) ? 0 : n;
	size_t bytes = WIDE + STEP * (n - 1);
	unsigned char *memory = some_bytes(bytes, !sent);
	int32_t ranks[MANY];
	struct weft_dist *dist = NULL;
	struct weft_type *type = NULL;
	size_t i = 0;

	for (int k = 0; k < MANY; k++)
		ranks[k] = 1;
	make_wide(s, &type);
	ok(s, weft_dist_create_empty(s->world, &dist), "empty");
	ok(s, weft_dist_set_dest_ranks(dist, ranks, sent), "ranks");
	ok(s, weft_dist_exch(dist, &(struct weft_packets){
		memory, sent, 1, type
	}, &(struct weft_packets){ memory, n - sent, 1, type }), "exch");
	while (i < bytes && memory[i] == byte_at(i))
		i++;
	if (i < bytes)
		wf_sim_fail(s->rank, "byte %zu", i);
	ok(s, weft_type_free(&type), "free");
	ok(s, weft_dist_free(&dist), "free");
	free(memory);
}

/* Of sources, each as often as it has items. */
static unsigned char sum_at(size_t i, size_t items)
{
	size_t sum = 0;

	for (size_t k = 0; k < SOURCES; k++)
		sum += items * byte_at(k * WIDE + i);
	return (unsigned char)sum;
}

/* Sources of as many items each, all of which go to one root. */
static void sum_wide(const struct scene *s, size_t n)
{
	bool sends = wf_sim_rank(s->rank) == 0;
	int32_t each = (int32_t)n / SOURCES;
	const int32_t offs[] = { 0, each, 2 * each, (int32_t)n };
	unsigned char *memory = some_bytes(SOURCES * WIDE, !sends);
	struct weft_remote dests[MANY];
	struct weft_dist *dist = NULL;
	size_t i = 0;

	for (int k = 0; k < MANY; k++)
		dests[k] = (struct weft_remote){ 1, 0 };
	ok(s, weft_dist_create(s->world, dests, sends ? n : 0, !sends, &dist),
	   "create");
	ok(s, weft_dist_set_roots2items(dist, sends ? offs : NULL,
					sends ? SOURCES : 0), "roots");
	ok(s, weft_dist_exch_reduce(dist, &(struct weft_packets){
		memory, sends ? SOURCES : 0, WIDE, &weft_type_uint8
	}, &weft_op_sum, &(struct weft_packets){
		memory, !sends, WIDE, &weft_type_uint8
	}), "exch_reduce");
	while (!sends && i < WIDE && memory[i] == sum_at(i, n / SOURCES))
		i++;
	if (!sends && i < WIDE)
		wf_sim_fail(s->rank, "sum %zu", i);
	ok(s, weft_dist_free(&dist), "free");
	free(memory);
}

static void move_much(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	if (!start(&s, rank))
		return;
	send_wide(&s, *(const size_t *)arg);
	sum_wide(&s, *(const size_t *)arg);
	stop(&s);
}

/* More than 2^31 bytes take 4 GiB of copies: where there are many seeds. */
static void much_content(void)
{
	size_t packets = tap_figure("SEEDS", 1) >= 1000 ? MANY : FEW;
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2, 1);
	sim_flow_run(&options, move_much, &packets);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "ones are summed to degrees", degrees },
		{ "a sum of doubles has the same bits", same_bits },
		{ "much content", much_content }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
