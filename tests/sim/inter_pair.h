/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What tests of intercommunicators begin with: one of each pair of sizes
 * from 1 to 5, whose ranks are drawn, and what each rank gives.
 */
#ifndef WEFT_TESTS_SIM_INTER_PAIR_H
#define WEFT_TESTS_SIM_INTER_PAIR_H

#include "tests/sim/scene.h"

enum { MOST = 5, N = 3, KEPT = -7, STARTS = 2 };
enum form { BLOCKS, ONCE, PERSISTENT, FORMS };

/* This rank's view; sizes, ranks and numbers are of both sides. */
struct pair {
	struct scene s;
	struct weft_comm *comm;
	int side;			/* 0 or 1 */
	int size[2];
	int rank;			/* in its side */
	enum form form;
	struct weft_op *op;
};

/* What a rank of a side gives in a place. */
static inline int64_t given(int side, int rank, int i)
{
	return 1000 * (side + 1) + 64 * rank + i;
}

static inline int remote_size(const struct pair *p)
{
	return p->size[!p->side];
}

static inline void expect(const struct pair *p, int64_t have, int64_t want,
			  const char *of, int at)
{
	if (have != want)
		wf_sim_fail(p->s.rank, "%d and %d, side %d, rank %d: %s has "
			    "%lld at %d instead of %lld", p->size[0],
			    p->size[1], p->side, p->rank, of, (long long)have,
			    at, (long long)want);
}

static const struct weft_type *const type = &weft_type_int64;

static inline void fill(const struct pair *p, int64_t *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = given(p->side, p->rank, i);
}

static inline void keep(int64_t *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = KEPT;
}

/* Side 1 has every rank whose bit is set. */
static inline void make_sides(struct pair *p, unsigned second)
{
	struct weft_comm *own = NULL;
	struct weft_bridge bridge = { .tag = 3 };
	int me = weft_comm_rank(p->s.world), n = weft_comm_size(p->s.world);
	int last[2] = { 0, 0 };

	p->side = second >> me & 1;
	p->size[0] = p->size[1] = 0;
	for (int r = 0; r < n; r++) {
		int side = second >> r & 1;

		if (r == me)
			p->rank = p->size[side];
		p->size[side]++;
		last[side] = r;
	}
	ok(&p->s, weft_comm_split(p->s.world, p->side, 0, &own), "split");
	bridge.leader = p->size[p->side] - 1;
	if (p->rank == bridge.leader) {
		bridge.peers = p->s.world;
		bridge.remote_leader = last[!p->side];
	}
	ok(&p->s, weft_intercomm_create(own, &bridge, &p->comm), "create");
	ok(&p->s, weft_comm_free(&own), "free");
}

typedef void rank_program(struct wf_sim_rank *rank, void *arg);

/* All ranks of a pair of sizes, by a seed. */
static inline bool try_sizes(int a, int b, uint64_t seed,
			     rank_program *ranks)
{
	struct wf_sim_options options;
	struct wf_random random;
	unsigned second = 0;

	wf_random_init(&random, seed);
	for (int left = b; left;) {
		unsigned bit = 1u << wf_random_below(&random,
						     (uint64_t)(a + b));

		left -= !(second & bit);
		second |= bit;
	}
	wf_sim_options_init(&options, a + b, seed);
	options.environ = sim_any_env(seed);
	return sim_flow_run(&options, ranks, &second);
}

static inline void try_every_pair(rank_program *ranks)
{
	for (int a = 1; a <= MOST; a++)
		for (int b = 1; b <= MOST; b++)
			if (!try_sizes(a, b, (uint64_t)(a * MOST + b),
				       ranks))
				return;
}

#endif
