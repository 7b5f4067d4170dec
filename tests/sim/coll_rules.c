/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives with bad arguments: each is refused with a sentence that names
 * the call and the argument, and is not made; a persistent one is an error at
 * all ranks.  The next ones are good.
 */
#include "tests/sim/user_op.h"

static const struct weft_type *const word = &weft_type_int64;

static void refused(const struct player *p, int status, int want,
		    const char *text)
{
	if (status != want || !strstr(weft_error_text(p->job), text))
		wf_sim_fail(p->rank, "%s, not %s \"%s\": %s",
			    weft_status_name(status), weft_status_name(want),
			    text, weft_error_text(p->job));
}

/* Calls that are not made, by one rank. */
static void rooted(const struct player *p, int64_t *x)
{
	struct weft_part one = weft_part(x, 1, word);
	struct weft_part none = weft_part(NULL, 1, word);
	struct weft_part here = weft_part(WEFT_IN_PLACE, 1, word);
	struct weft_part much = weft_part(x, SIZE_MAX / 8, word);
	struct weft_part odd = weft_part(x, 1, NULL);
	struct weft_comm *w = p->world;
	int me = p->me, other = 1 - me;

	refused(p, weft_reduce(w, x, one, &weft_op_sum, -1), WEFT_ERR_RANGE,
		"weft_reduce: the root is -1, and ranks are 0 to 1");
	refused(p, weft_reduce(w, WEFT_IN_PLACE, one, &weft_op_sum, other),
		WEFT_ERR_ARG, "weft_reduce: in is WEFT_IN_PLACE, which only "
		"the root may give");
	refused(p, weft_reduce(w, NULL, none, &weft_op_sum, other),
		WEFT_ERR_ARG, "weft_reduce: in is NULL with 1 elements");
	refused(p, weft_reduce(w, x, none, &weft_op_sum, me),
		WEFT_ERR_ARG, "weft_reduce: out.base is NULL with 1 elements");
	refused(p, weft_reduce(w, x, one, &weft_op_minloc, me), WEFT_ERR_ARG,
		"weft_reduce: minloc is not defined for int64");
	refused(p, weft_gather(w, one, one, 2), WEFT_ERR_RANGE,
		"weft_gather: the root is 2, and ranks are 0 to 1");
	refused(p, weft_gather(w, here, one, other), WEFT_ERR_ARG,
		"weft_gather: send.base is WEFT_IN_PLACE");
	refused(p, weft_gather(w, one, here, me), WEFT_ERR_ARG,
		"weft_gather: recv.base is WEFT_IN_PLACE");
	refused(p, weft_gather(w, one, weft_part(x, 2, word), me),
		WEFT_ERR_ARG, "weft_gather: send has 1 elements of 8 bytes, "
		"and recv 16 bytes for each rank");
	refused(p, weft_gather(w, much, one, other), WEFT_ERR_RANGE,
		"weft_gather: ");
	refused(p, weft_scatter(w, none, one, me), WEFT_ERR_ARG,
		"weft_scatter: send.base is NULL with 1 elements");
	refused(p, weft_scatter(w, one, odd, other), WEFT_ERR_ARG,
		"weft_scatter: recv.type is NULL");
	refused(p, weft_scatter(w, one, here, other), WEFT_ERR_ARG,
		"weft_scatter: recv.base is WEFT_IN_PLACE");
	refused(p, weft_iscatter(w, one, one, me, NULL), WEFT_ERR_ARG,
		"weft_iscatter: req_p is NULL");
}

static void parted(const struct player *p, int64_t *x)
{
	size_t n[2] = { 1, 2 }, many[2] = { SIZE_MAX / 2, SIZE_MAX / 2 };
	int low[2] = { 1, -7 };
	ptrdiff_t at[2] = { 0, 1 };
	struct weft_vec good = { .base = x, .type = word, .counts = n };
	struct weft_vec both = good, neither = good, placed = good;
	struct weft_vec less = good, more = good;
	struct weft_comm *w = p->world;

	both.int_counts = low;
	neither.counts = NULL;
	placed.displs = at;
	less.counts = NULL;
	less.int_counts = low;
	more.counts = many;
	refused(p, weft_reduce_scatter(w, x, NULL, &weft_op_sum),
		WEFT_ERR_ARG, "weft_reduce_scatter: out is NULL");
	refused(p, weft_reduce_scatter(w, x, &both, &weft_op_sum),
		WEFT_ERR_ARG, "set either out->counts or out->int_counts");
	refused(p, weft_reduce_scatter(w, x, &neither, &weft_op_sum),
		WEFT_ERR_ARG, "set either out->counts or out->int_counts");
	refused(p, weft_reduce_scatter(w, x, &placed, &weft_op_sum),
		WEFT_ERR_ARG, "displs and int_displs are NULL");
	refused(p, weft_reduce_scatter(w, x, &less, &weft_op_sum),
		WEFT_ERR_ARG, "out->int_counts[1] is -7, negative");
	refused(p, weft_reduce_scatter(w, x, &more, &weft_op_sum),
		WEFT_ERR_RANGE, "weft_reduce_scatter: ");
	refused(p, weft_reduce_scatter(w, NULL, &good, &weft_op_sum),
		WEFT_ERR_ARG, "weft_reduce_scatter: in is NULL with 3 ");
	refused(p, weft_reduce_scatter_block(w, x,
			weft_part(x, SIZE_MAX, word), &weft_op_sum),
		WEFT_ERR_RANGE, "weft_reduce_scatter_block: ");
	refused(p, weft_allgatherv(w, weft_part(x, 1, word), NULL),
		WEFT_ERR_ARG, "weft_allgatherv: recv is NULL");
	refused(p, weft_allgatherv(w, weft_part(x, 1, word), &good),
		WEFT_ERR_ARG, "set either recv->displs or recv->int_displs");
	refused(p, weft_allgatherv(w, weft_part(x, 5, word), &placed),
		WEFT_ERR_ARG, "weft_allgatherv: send has 5 elements of 8 "
		"bytes, and recv");
	placed.base = (void *)WEFT_IN_PLACE;
	refused(p, weft_allgatherv(w, weft_part(x, 1, word), &placed),
		WEFT_ERR_ARG, "recv->base is WEFT_IN_PLACE");
	placed.base = NULL;
	refused(p, weft_allgatherv(w, weft_part(x, 1, word), &placed),
		WEFT_ERR_ARG, "recv->base is NULL, rank 0 has 8 bytes");
}

/* At the root the vec counts, elsewhere it is not looked at. */
static void rooted_vec(const struct player *p, int64_t *x)
{
	size_t n[2] = { 1, 2 };
	ptrdiff_t at[2] = { 0, 1 };
	struct weft_vec all = {
		.base = x, .type = word, .counts = n, .displs = at
	}, none = all, here = all;
	struct weft_part own = weft_part(x, 1 + p->me, word);
	struct weft_part less = weft_part(x, 0, word);
	struct weft_part in_place = weft_part(WEFT_IN_PLACE, 0, NULL);
	struct weft_comm *w = p->world;
	int me = p->me, other = 1 - me;

	none.base = NULL;
	here.base = (void *)WEFT_IN_PLACE;
	refused(p, weft_gatherv(w, own, &all, 2), WEFT_ERR_RANGE,
		"weft_gatherv: the root is 2, and ranks are 0 to 1");
	refused(p, weft_gatherv(w, own, NULL, me), WEFT_ERR_ARG,
		"weft_gatherv: recv is NULL");
	refused(p, weft_gatherv(w, own, &here, me), WEFT_ERR_ARG,
		"weft_gatherv: recv->base is WEFT_IN_PLACE, which only "
		"send.base may be");
	refused(p, weft_gatherv(w, less, &all, me), WEFT_ERR_ARG,
		"weft_gatherv: send has 0 elements of 8 bytes, and recv ");
	refused(p, weft_gatherv(w, in_place, NULL, other), WEFT_ERR_ARG,
		"weft_gatherv: send.type is NULL");
	refused(p, weft_scatterv(w, &none, own, me), WEFT_ERR_ARG,
		"weft_scatterv: send->base is NULL, rank 0 has 8 bytes");
	refused(p, weft_scatterv(w, &here, own, me), WEFT_ERR_ARG,
		"weft_scatterv: send->base is WEFT_IN_PLACE, which only "
		"recv.base may be");
	refused(p, weft_iscatterv(w, NULL, own, other, NULL), WEFT_ERR_ARG,
		"weft_iscatterv: req_p is NULL");
}

static void pairwise(const struct player *p, int64_t *x)
{
	size_t n[2] = { 1, 1 }, other[2] = { 2, 2 }, many[2] = {
		SIZE_MAX / 20, SIZE_MAX / 20
	};
	int low[2] = { 1, -7 };
	ptrdiff_t at[2] = { 0, 1 };
	struct weft_vec good = {
		.base = x, .type = word, .counts = n, .displs = at
	}, here = good, more = good, less = good, much = good;
	struct weft_comm *w = p->world;

	here.base = (void *)WEFT_IN_PLACE;
	more.counts = other;
	less.counts = NULL;
	less.int_counts = low;
	much.counts = many;
	refused(p, weft_alltoallv(w, NULL, &good), WEFT_ERR_ARG,
		"weft_alltoallv: send is NULL");
	refused(p, weft_alltoallv(w, &good, NULL), WEFT_ERR_ARG,
		"weft_alltoallv: recv is NULL");
	refused(p, weft_alltoallv(w, &good, &here), WEFT_ERR_ARG,
		"weft_alltoallv: recv->base is WEFT_IN_PLACE, which only "
		"send->base may be");
	refused(p, weft_alltoallv(w, &here, NULL), WEFT_ERR_ARG,
		"weft_alltoallv: recv is NULL");
	refused(p, weft_alltoallv(w, &more, &good), WEFT_ERR_ARG,
		"weft_alltoallv: send has 16 bytes for this rank, and recv 8");
	refused(p, weft_alltoallv(w, &less, &good), WEFT_ERR_ARG,
		"weft_alltoallv: send->int_counts[1] is -7, negative");
	refused(p, weft_alltoallv(w, &good, &much), WEFT_ERR_RANGE,
		"weft_alltoallv: the ranks of recv together exceed 2^63 ");
	refused(p, weft_ialltoallv(w, &good, &good, NULL), WEFT_ERR_ARG,
		"weft_ialltoallv: req_p is NULL");
}

/* All ranks hear of what one of them has passed. */
static void persistent(const struct player *p, int64_t *x)
{
	struct weft_part one = weft_part(x, 1, word);
	struct weft_request *req = NULL;

	refused(p, weft_barrier_init(p->world, p->me ? &req : NULL),
		WEFT_ERR_ARG, p->me ? "rank 0 of the communicator: "
		"weft_barrier_init: req_p is NULL" : "req_p is NULL");
	refused(p, weft_gather_init(p->world, one, one, p->me ? 0 : 9, &req),
		WEFT_ERR_RANGE, "the root is 9");
	if (req)
		wf_sim_fail(p->rank, "a request that was refused is there");
	good(p, weft_barrier_init(p->world, &req), "barrier_init");
	good(p, weft_request_start(req), "start");
	good(p, weft_request_wait(req), "wait");
	good(p, weft_request_free(&req), "free");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	int64_t x[4] = { 1, 2, 3, 4 }, sum = 0;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	rooted(&p, x);
	parted(&p, x);
	rooted_vec(&p, x);
	pairwise(&p, x);
	persistent(&p, x);
	/* none of them was made */
	good(&p, weft_reduce(p.world, x, weft_part(&sum, 1, word),
			     &weft_op_sum, 1), "reduce");
	good(&p, weft_barrier(p.world), "barrier");
	if (sum != 2 * p.me)
		wf_sim_fail(rank, "the sum is %d", (int)sum);
	leave(&p);
}

/* Who gets nothing of a reduce-scatter needs no memory for it. */
static void no_part_program(struct wf_sim_rank *rank, void *arg)
{
	int64_t x[2] = { 3, 4 }, sum[2] = { 0, 0 };
	size_t n[2] = { 2, 0 };
	struct weft_vec out = { .type = word, .counts = n };
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	if (!p.me)
		out.base = sum;
	good(&p, weft_reduce_scatter(p.world, x, &out, &weft_op_sum),
	     "reduce_scatter");
	if (sum[0] != 6 * !p.me || sum[1] != 8 * !p.me)
		wf_sim_fail(rank, "sums %d and %d", (int)sum[0], (int)sum[1]);
	leave(&p);
}

static void no_part(void)
{
	sim_flow_seeds(2, 1, env, no_part_program, NULL);
}

static void bad_arguments(void)
{
	sim_flow_seeds(2, 1, env, program, NULL);
}

/* A plan is for the counts of all ranks, not for their sum. */
static void same_sum_program(struct wf_sim_rank *rank, void *arg)
{
	size_t n[2] = { 2, 0 };
	ptrdiff_t at[2] = { 0, 2 };
	struct weft_vec recv = { .type = word, .counts = n, .displs = at };
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int k = 0; k < 4; k++) {
		int64_t x[2] = { p.me + k, p.me - k }, all[2] = { -1, -1 };
		int whose = k % 2;

		recv.base = all;
		n[whose] = 2;
		n[1 - whose] = at[0] = 0;
		at[1] = whose ? 0 : 2;
		good(&p, weft_allgatherv(p.world,
					 weft_part(x, n[p.me], word), &recv),
		     "allgatherv");
		if (all[0] != whose + k || all[1] != whose - k)
			wf_sim_fail(rank, "not those of rank %d", whose);
	}
	leave(&p);
}

static void same_sum(void)
{
	sim_flow_seeds(2, 1, env, same_sum_program, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "bad arguments", bad_arguments },
		{ "counts of the same sum", same_sum },
		{ "a part of nothing", no_part },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
