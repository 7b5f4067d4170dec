/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One bracket: the bits of a sum depend on the number of ranks alone. Drawn
 * inputs go through allreduce, scan and exscan with every radix, under all
 * hardships that a seed draws, and each element must have the bits of the tree
 * of halves, which is written down here once more by plain recursion.
 *
 * SEEDS=1000 for as many drawn inputs, ELEMENTS=1000000 for as long ones.
 */
#include "base/random.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { RANKS_MOST = 64 };

/* What the ranks give, and the scan of it that each has to get. */
struct input {
	int ranks;
	size_t n;
	uint64_t salt;
	double *scan;			/* ranks x n */
};

/* Sums of such numbers have other bits in another bracket. */
static double given(const struct input *input, int rank, size_t i)
{
	uint64_t x = (input->salt + (uint64_t)rank * 1000003 + i) *
		     UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return ((double)(x >> 11) * 0x1p-53 - 0.5) * (x & 1 ? 1.0 : 1e5);
}

/* Values of the nodes that begin at a rank, by the level. */
struct tree {
	double node[8][RANKS_MOST];
};

static double halve(struct tree *tree, const struct input *input, size_t i,
		    int level, int low, int end)
{
	int middle = (low + end + 1) / 2;
	double value = end - low == 1 ? given(input, low, i) :
		halve(tree, input, i, level + 1, low, middle) +
		halve(tree, input, i, level + 1, middle, end);

	tree->node[level][low] = value;
	return value;
}

/* Ranks [0, upto): the largest nodes that they are, from the left. */
static double fold(const struct tree *tree, int ranks, int upto)
{
	int level = 0, low = 0, end = ranks;
	double value = 0;
	bool any = false;

	while (end > upto) {
		int middle = (low + end + 1) / 2;

		level++;
		if (upto <= middle) {
			end = middle;
			continue;
		}
		value = any ? value + tree->node[level][low] :
			      tree->node[level][low];
		any = true;
		low = middle;
	}
	return any ? value + tree->node[level][low] : tree->node[level][low];
}

static bool input_open(struct input *input)
{
	static struct tree tree;
	size_t n = input->n;

	input->scan = malloc((size_t)input->ranks * n * sizeof(double));
	if (!TAP_CHECK(input->scan))
		return false;
	for (size_t i = 0; i < n; i++) {
		halve(&tree, input, i, 0, 0, input->ranks);
		for (int r = 0; r < input->ranks; r++)
			input->scan[(size_t)r * n + i] =
				fold(&tree, input->ranks, r + 1);
	}
	return true;
}

/* ---- the ranks ---- */

struct player {
	const struct input *input;
	struct wf_sim_rank *rank;
	struct weft_comm *world;
	double *in, *out;
};

/* What a call gave: the scan of the ranks up to one. */
static void check(const struct player *p, int status, const char *call,
		  int upto)
{
	size_t n = p->input->n;
	const double *want = p->input->scan + (size_t)upto * n;

	if (status)
		wf_sim_fail(p->rank, "%s: %s", call, weft_status_name(status));
	for (size_t i = 0; i < n && !status; i++) {
		if (!memcmp(&p->out[i], &want[i], sizeof(double)))
			continue;
		wf_sim_fail(p->rank, "%s of %zu, element %zu is %a, not %a",
			    call, n, i, p->out[i], want[i]);
		return;
	}
}

static void reduce(const struct player *p)
{
	struct weft_part out = weft_part(p->out, p->input->n,
					 &weft_type_double);
	const struct weft_op *sum = &weft_op_sum;
	int me = wf_sim_rank(p->rank);

	check(p, weft_allreduce(p->world, p->in, out, sum), "allreduce",
	      p->input->ranks - 1);
	check(p, weft_scan(p->world, p->in, out, sum), "scan", me);
	/* at rank 0 it is the scan of just now that is left */
	check(p, weft_exscan(p->world, p->in, out, sum), "exscan",
	      me ? me - 1 : 0);
}

static void reduce_in_place(const struct player *p)
{
	struct weft_part out = weft_part(p->out, p->input->n,
					 &weft_type_double);
	size_t bytes = p->input->n * sizeof(*p->out);

	memcpy(p->out, p->in, bytes);
	check(p, weft_allreduce(p->world, WEFT_IN_PLACE, out, &weft_op_sum),
	      "allreduce in place", p->input->ranks - 1);
	memcpy(p->out, p->in, bytes);
	check(p, weft_scan(p->world, WEFT_IN_PLACE, out, &weft_op_sum),
	      "scan in place", wf_sim_rank(p->rank));
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct input *input = arg;
	struct player p = {
		.input = input, .rank = rank,
		.in = malloc(input->n * sizeof(*p.in)),
		.out = malloc(input->n * sizeof(*p.out))
	};
	struct weft_job *job;

	if (!p.in || !p.out || wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot begin");
		goto out;
	}
	p.world = weft_job_world(job);
	for (size_t i = 0; i < input->n; i++)
		p.in[i] = given(input, wf_sim_rank(rank), i);
	/* By mail at first. */
	for (int i = 0; i < 2; i++) {
		reduce(&p);
		reduce_in_place(&p);
	}
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
out:
	free(p.in);
	free(p.out);
}

static bool run(struct input *input, int radix, uint64_t seed)
{
	char coll[32];
	char *env[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=1g", coll, NULL
	};
	struct wf_sim_options options;

	snprintf(coll, sizeof(coll), "WEFT_COLL=radix:%d", radix);
	wf_sim_options_init(&options, input->ranks, seed);
	wf_sim_options_vary(&options);
	options.environ = env;
	return sim_flow_run(&options, program, input);
}

/* With each radix. */
static bool any_radix(struct input *input, uint64_t seed)
{
	bool good = input_open(input);

	for (int radix = 2; radix <= 16 && good; radix *= 2) {
		good = run(input, radix, seed);
		if (!good)
			tap_diag("radix %d", radix);
	}
	free(input->scan);
	return good;
}

static void drawn_inputs(void)
{
	uint64_t first = (uint64_t)tap_figure("FIRST_SEED", 1);
	uint64_t seeds = (uint64_t)tap_figure("SEEDS", 25);

	for (uint64_t seed = first; seed < first + seeds; seed++) {
		struct wf_random random;
		struct input input = { .salt = seed << 32 };

		wf_random_init(&random, seed);
		input.ranks = 1 + (int)wf_random_below(&random, RANKS_MOST);
		input.n = seed % 2 ? 1 : 1000;
		if (!any_radix(&input, seed))
			return;
	}
}

static void long_inputs(void)
{
	size_t n = (size_t)tap_figure("ELEMENTS", 50000);

	for (int ranks = 8; ranks > 3; ranks--) {
		struct input input = {
			.ranks = ranks, .n = n, .salt = (uint64_t)ranks << 40
		};

		if (!any_radix(&input, (uint64_t)ranks))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "drawn inputs, 1 to 64 ranks, any radix", drawn_inputs },
		{ "long vectors, 4 to 8 ranks, any radix", long_inputs },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
