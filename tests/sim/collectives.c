/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives in any order on one communicator, against a serial oracle: from
 * the mailbox to slots and to large messages, in place and not, with all
 * hardships that a seed draws; operands stay in rank order.
 */
#include "base/random.h"
#include "coll/schedule.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

#include <string.h>

enum {
	MOST = 1500,			/* elements of a rank */
	STEPS = 14
};

static char *env[] = { "WEFT_ARENA=64k", "WEFT_ARENA_MAX=256m", NULL };

enum kind {
	ALLREDUCE, SCAN, EXSCAN, ALLGATHER, BCAST, SIDES, BARRIER, KINDS
};

/* Drawn by all ranks alike. */
struct step {
	enum kind kind;
	size_t n;
	bool in_place;
	uint64_t root;			/* modulo the ranks */
	uint64_t salt;
};

struct player {
	struct wf_sim_rank *rank;
	struct weft_comm *comm;
	int me, size;
	uint64_t *in, *out, *want;
};

static uint64_t given(const struct step *s, int rank, size_t i)
{
	uint64_t x = (s->salt + (uint64_t)rank * 1000003 + i) *
		     UINT64_C(0x9e3779b97f4a7c15);

	return x ^ x >> 31;
}

/* ---- an operation that does not commute ---- */

/* x -> a x + b */
struct map {
	uint64_t a, b;
};

static struct map first_left(struct map left, struct map right)
{
	return (struct map){ right.a * left.a, right.a * left.b + right.b };
}

static void chain(const void *left, const void *right, void *out, size_t n)
{
	const struct map *l = left, *r = right;
	struct map *to = out;

	for (size_t i = 0; i < n; i++)
		to[i] = first_left(l[i], r[i]);
}

static struct map map_of(const struct step *s, int rank)
{
	return (struct map){ given(s, rank, 0) | 1, given(s, rank, 1) };
}

/* Of the ranks [low, end), which are some. */
static struct map oracle_chain(const struct step *s, int low, int end)
{
	struct map all = map_of(s, low);

	for (int r = low + 1; r < end; r++)
		all = first_left(all, map_of(s, r));
	return all;
}

static int sides(struct player *p, const struct step *s)
{
	static const struct map nobody = { 77, 78 };
	struct map own = map_of(s, p->me), got[2] = { nobody, nobody };
	struct map want[2] = { nobody, nobody };
	int status = wf_job_enter(p->comm->job);

	if (status)
		return status;
	status = wf_sides(p->comm, "sides", &own, got, sizeof(own),
			  chain);
	wf_job_leave(p->comm->job);
	if (p->me > 0)
		want[0] = oracle_chain(s, 0, p->me);
	if (p->me + 1 < p->size)
		want[1] = oracle_chain(s, p->me + 1, p->size);
	for (int i = 0; i < 2 && !status; i++)
		if (got[i].a != want[i].a || got[i].b != want[i].b)
			wf_sim_fail(p->rank, "another value of those %s",
				    i ? "above" : "below");
	return status;
}

/* ---- sums, and what all gave ---- */

/* Ranks [low, end) count for the sum. */
static void expect_sum(struct player *p, const struct step *s, int end)
{
	for (size_t i = 0; i < s->n; i++) {
		p->want[i] = 0;
		for (int r = 0; r < end; r++)
			p->want[i] += given(s, r, i);
	}
}

static int root_of(const struct player *p, const struct step *s)
{
	return (int)(s->root % (uint64_t)p->size);
}

static size_t expect(struct player *p, const struct step *s)
{
	if (s->kind == ALLGATHER) {
		for (int r = 0; r < p->size; r++)
			for (size_t i = 0; i < s->n; i++)
				p->want[(size_t)r * s->n + i] = given(s, r, i);
		return s->n * (size_t)p->size;
	}
	for (size_t i = 0; s->kind == BCAST && i < s->n; i++)
		p->want[i] = given(s, root_of(p, s), i);
	if (s->kind == BCAST)
		return s->n;
	expect_sum(p, s, s->kind == ALLREDUCE ? p->size :
			 s->kind == SCAN ? p->me + 1 : p->me);
	/* Of rank 0 an exscan leaves what was there. */
	for (size_t i = 0; s->kind == EXSCAN && !p->me && i < s->n; i++)
		p->want[i] = s->in_place ? given(s, 0, i) : 5;
	return s->n;
}

static const void *fill(struct player *p, const struct step *s)
{
	size_t own = s->kind == ALLGATHER ? s->n * (size_t)p->me : 0;
	size_t all = s->kind == ALLGATHER ? s->n * (size_t)p->size : s->n;

	for (size_t i = 0; i < all; i++)
		p->out[i] = 5;
	for (size_t i = 0; i < s->n; i++)
		(s->in_place ? p->out + own : p->in)[i] = given(s, p->me, i);
	if (s->kind == BCAST && root_of(p, s) == p->me)
		for (size_t i = 0; i < s->n; i++)
			p->out[i] = given(s, p->me, i);
	return s->in_place ? WEFT_IN_PLACE : p->in;
}

/* Odd ones as bytes, which are as many. */
static struct weft_part what_to_give(const struct step *s, const void *in,
				     const struct weft_type *type)
{
	return s->n % 2 ? weft_part(in, s->n * weft_type_size(type),
				    &weft_type_byte) :
			  weft_part(in, s->n, type);
}

static int call(struct player *p, const struct step *s, const void *in)
{
	const struct weft_type *type = &weft_type_uint64;

	switch (s->kind) {
	case ALLREDUCE:
		return weft_allreduce(p->comm, in,
				      weft_part(p->out, s->n, type),
				      &weft_op_sum);
	case SCAN:
		return weft_scan(p->comm, in, weft_part(p->out, s->n, type),
				 &weft_op_sum);
	case EXSCAN:
		return weft_exscan(p->comm, in, weft_part(p->out, s->n, type),
				   &weft_op_sum);
	case ALLGATHER:
		return weft_allgather(p->comm, what_to_give(s, in, type),
				      weft_part(p->out, s->n, type));
	case BCAST:
		return weft_bcast(p->comm, weft_part(p->out, s->n, type),
				  root_of(p, s));
	default:
		return weft_barrier(p->comm);
	}
}

static void one_step(struct player *p, const struct step *s)
{
	const void *in = fill(p, s);
	int status = s->kind == SIDES ? sides(p, s) : call(p, s, in);
	size_t n = s->kind < SIDES ? expect(p, s) : 0;

	if (status)
		wf_sim_fail(p->rank, "kind %d of %zu: %s", s->kind, s->n,
			    weft_status_name(status));
	for (size_t i = 0; i < n && !status; i++) {
		if (p->out[i] == p->want[i])
			continue;
		wf_sim_fail(p->rank, "kind %d of %zu, element %zu is wrong",
			    s->kind, s->n, i);
		return;
	}
}

static struct step draw(struct wf_random *random)
{
	static const size_t some[] = {
		0, 1, 1, 2, 3, 7, 8, 25, 64, 65, 200, 300, MOST
	};

	return (struct step){
		.kind = (enum kind)wf_random_below(random, KINDS),
		.n = some[wf_random_below(random, TAP_COUNT(some))],
		.in_place = wf_random_below(random, 2),
		.root = wf_random_below(random, 1 << 16),
		.salt = wf_random_below(random, UINT64_MAX)
	};
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	size_t size = (size_t)wf_sim_size(rank);
	struct player p = {
		.rank = rank, .me = wf_sim_rank(rank), .size = (int)size,
		.in = calloc(MOST, sizeof(*p.in)),
		.out = calloc(MOST * size, sizeof(*p.out)),
		.want = calloc(MOST * size, sizeof(*p.want))
	};
	struct wf_random random;
	struct weft_job *job;

	wf_random_init(&random, *(const uint64_t *)arg);
	if (!p.in || !p.out || !p.want || wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
	} else {
		p.comm = weft_job_world(job);
		for (int i = 0; i < STEPS; i++) {
			struct step s = draw(&random);

			one_step(&p, &s);
		}
		if (weft_job_close(job))
			wf_sim_fail(rank, "cannot close the job");
	}
	free(p.in);
	free(p.out);
	free(p.want);
}

static bool run(int ranks, uint64_t seed)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, seed);
	wf_sim_options_vary(&options);
	options.environ = env;
	return sim_flow_run(&options, program, &seed);
}

static void any_order(void)
{
	long seeds = tap_figure("SEEDS", 4);
	long first = tap_figure("FIRST_SEED", 1);

	for (int ranks = 1; ranks <= 33; ranks++)
		for (long seed = first; seed < first + seeds; seed++)
			if (!run(ranks, (uint64_t)(seed * 64 + ranks)))
				return;
}

static void many(void)
{
	for (int ranks = 63; ranks <= 66; ranks++)
		if (!run(ranks, (uint64_t)ranks))
			return;
	run(200, 1);
}

/* ---- what is refused ---- */

static void refuses(struct wf_sim_rank *rank, int status, int want,
		    const char *what)
{
	if (status != want)
		wf_sim_fail(rank, "%s: %s", what, weft_status_name(status));
}

static void bad_arguments(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_type *word = &weft_type_uint64;
	const struct weft_op *sum = &weft_op_sum;
	uint64_t x = 1, y[2] = { 0 };
	struct weft_comm *world;
	struct weft_job *job;

	(void)arg;
	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	world = weft_job_world(job);
	refuses(rank, weft_allgather(NULL, weft_part(&x, 1, word),
				     weft_part(y, 1, word)), WEFT_ERR_ARG,
		"no communicator");
	refuses(rank, weft_allgather(world, weft_part(&x, 1, NULL),
				     weft_part(y, 1, NULL)), WEFT_ERR_ARG,
		"no type");
	refuses(rank, weft_allgather(world, weft_part(NULL, 1, word),
				     weft_part(y, 1, word)), WEFT_ERR_ARG,
		"no input");
	refuses(rank, weft_allgather(world, weft_part(&x, 1, word),
				     weft_part(NULL, 1, word)), WEFT_ERR_ARG,
		"no output");
	refuses(rank, weft_allgather(world, weft_part(&x, 1, word),
				     weft_part((void *)WEFT_IN_PLACE, 1, word)),
		WEFT_ERR_ARG, "output in place");
	refuses(rank, weft_allgather(world, weft_part(&x, SIZE_MAX / 8, word),
				     weft_part(y, SIZE_MAX / 8, word)),
		WEFT_ERR_RANGE, "too much from all");
	refuses(rank, weft_allgather(world, weft_part(&x, SIZE_MAX / 4, word),
				     weft_part(y, SIZE_MAX / 4, word)),
		WEFT_ERR_RANGE, "too much from one");
	refuses(rank, weft_allgather(world, weft_part(&x, 7, &weft_type_byte),
				     weft_part(y, 1, word)),
		WEFT_ERR_ARG, "less than comes from each");
	if (!strstr(weft_error_text(job), "weft_allgather: send has 7 elements "
		    "of 1 bytes, and recv 8 bytes for each rank"))
		wf_sim_fail(rank, "%s", weft_error_text(job));
	refuses(rank, weft_scan(NULL, &x, weft_part(y, 1, word), sum),
		WEFT_ERR_ARG, "scan of nobody");
	refuses(rank, weft_scan(world, &x, weft_part(y, 1, word), NULL),
		WEFT_ERR_ARG, "no operation");
	if (!strstr(weft_error_text(job), "weft_scan: op is NULL"))
		wf_sim_fail(rank, "%s", weft_error_text(job));
	refuses(rank, weft_exscan(world, &x, weft_part(y, 1, &weft_type_byte),
				  sum),
		WEFT_ERR_ARG, "a sum of bytes");
	refuses(rank, weft_allgather(world, weft_part(&x, 1, word),
				     weft_part(y, 1, word)), WEFT_OK, "good");
	refuses(rank, weft_allgather(world, weft_part(WEFT_IN_PLACE, 0, NULL),
				     weft_part(NULL, 0, word)), WEFT_OK,
		"nothing, in place");
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

static void bad_input(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2, 1);
	sim_flow_run(&options, bad_arguments, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "in any order, 1 to 33 ranks", any_order },
		{ "63 to 66 ranks, and 200", many },
		{ "what is refused", bad_input }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
