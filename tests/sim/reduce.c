/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allreduce against a serial fold in the bracket of halves, bit by bit, for any
 * number of ranks: by mail in one piece and in several, on slots after the
 * fourth, or at once for long vectors, in place, with ranks that disagree.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum { MOST = 20000 };			/* elements */

static char radix[sizeof("WEFT_COLL=radix:16")] = "WEFT_COLL=radix:8";
static char *env[] = { "WEFT_ARENA=64k", "WEFT_ARENA_MAX=256m", radix, NULL };

/* One allreduce. */
struct job_step {
	size_t n;
	const struct weft_op *op;
	bool integers, in_place;
};

/* What a rank contributes; sums of it depend on their bracket. */
static double double_of(int rank, size_t i)
{
	static const double scale[] = { 1e-9, 3.0, 1e7, -0.7, 1e-3 };

	return scale[((size_t)rank * 3 + i) % 5] *
	       (1 + (rank * 37 + (int)(i % 1009)) % 101);
}

static int64_t integer_of(int rank, size_t i)
{
	return ((int64_t)rank * 7919 + (int64_t)i * 31) % 2003 - 1000;
}

/* The operations, once more. */
static double fold_double(const struct weft_op *op, double a, double b)
{
	if (op == &weft_op_sum)
		return a + b;
	return (op == &weft_op_min) == (b < a) ? b : a;
}

static int64_t fold_integer(const struct weft_op *op, int64_t a, int64_t b)
{
	if (op == &weft_op_sum)
		return a + b;
	return (op == &weft_op_min) == (b < a) ? b : a;
}

/* Ranks [low, end) by halves. */
static double bracket(const struct job_step *step, size_t i, int low, int end)
{
	int middle = (low + end + 1) / 2;

	if (end - low == 1)
		return double_of(low, i);
	return fold_double(step->op, bracket(step, i, low, middle),
			   bracket(step, i, middle, end));
}

static int64_t integer_result(const struct job_step *step, size_t i, int size)
{
	int64_t value = integer_of(0, i);

	for (int r = 1; r < size; r++)
		value = fold_integer(step->op, value, integer_of(r, i));
	return value;
}

/* ---- the ranks ---- */

/* Elements of 8 bytes, of either kind. */
union element {
	double d;
	int64_t i;
	uint64_t bits;
};

/* The steps of a run, until one without an operation. */
struct run {
	const struct job_step *step;
	union element *want;		/* results, one step after another */
	union element *memory;		/* 2 x MOST of each rank */
};

struct player {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	union element *in, *out;
};

static void fill(const struct job_step *step, int rank, union element *to)
{
	for (size_t i = 0; i < step->n; i++) {
		if (step->integers)
			to[i].i = integer_of(rank, i);
		else
			to[i].d = double_of(rank, i);
	}
}

static void expect(const struct job_step *step, int size, union element *want)
{
	for (size_t i = 0; i < step->n; i++) {
		/* what the ranks give has this period */
		if (!step->integers && i >= 5 * 1009)
			want[i] = want[i - 5 * 1009];
		else if (step->integers)
			want[i].i = integer_result(step, i, size);
		else
			want[i].d = bracket(step, i, 0, size);
	}
}

static void check(const struct player *p, const union element *want, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p->out[i].bits == want[i].bits)
			continue;
		wf_sim_fail(p->rank, "allreduce of %zu, element %zu is "
			    "%016llx, not %016llx", n, i,
			    (unsigned long long)p->out[i].bits,
			    (unsigned long long)want[i].bits);
		return;
	}
}

/* Nothing is folded into what the program gave. */
static void check_given(const struct player *p, const struct job_step *step)
{
	int rank = wf_sim_rank(p->rank);

	for (size_t i = 0; i < step->n; i++) {
		union element want;

		if (step->integers)
			want.i = integer_of(rank, i);
		else
			want.d = double_of(rank, i);
		if (p->in[i].bits == want.bits)
			continue;
		wf_sim_fail(p->rank, "allreduce of %zu wrote to element %zu "
			    "of in", step->n, i);
		return;
	}
}

static void reduce(struct player *p, const struct job_step *step,
		   const union element *want)
{
	const void *in = p->in;
	int status;

	fill(step, wf_sim_rank(p->rank), step->in_place ? p->out : p->in);
	if (step->in_place)
		in = WEFT_IN_PLACE;
	status = weft_allreduce(weft_job_world(p->job), in,
				weft_part(p->out, step->n, step->integers ?
					  &weft_type_int64 :
					  &weft_type_double), step->op);
	if (status)
		wf_sim_fail(p->rank, "allreduce of %zu: %s", step->n,
			    weft_status_name(status));
	else
		check(p, want, step->n);
	if (!step->in_place)
		check_given(p, step);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct run *run = arg;
	const union element *want = run->want;
	struct player p = { .rank = rank };

	p.in = run->memory + (size_t)2 * MOST * (size_t)wf_sim_rank(rank);
	p.out = p.in + MOST;
	if (wf_sim_job_open(rank, &p.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	for (const struct job_step *s = run->step; s->op; s++) {
		reduce(&p, s, want);
		want += s->n;
	}
	if (weft_job_close(p.job))
		wf_sim_fail(rank, "cannot close the job");
}

static bool run_steps(const struct job_step *step, int ranks, long seeds)
{
	struct run run = { .step = step };
	size_t all = 1, at = 0;
	bool good;

	for (const struct job_step *s = step; s->op; s++)
		all += s->n;
	run.want = calloc(all, sizeof(*run.want));
	run.memory = calloc(2 * MOST * (size_t)ranks, sizeof(*run.memory));
	if (!TAP_CHECK(run.want && run.memory))
		exit(1);
	for (const struct job_step *s = step; s->op; at += s->n, s++)
		expect(s, ranks, run.want + at);
	good = sim_flow_seeds(ranks, seeds, env, program, &run);
	free(run.want);
	free(run.memory);
	return good;
}

static void set_radix(int n)
{
	snprintf(radix, sizeof(radix), "WEFT_COLL=radix:%d", n);
}

static void from_mails_to_slots(void)
{
	static const struct job_step steps[] = {
		{ 1, &weft_op_sum, false, false },
		{ 7, &weft_op_min, true, true },
		{ 100, &weft_op_sum, false, true },
		{ 0, &weft_op_sum, false, false },
		{ 7, &weft_op_sum, false, false },	/* slots from here */
		{ 1, &weft_op_max, true, false },
		{ 100, &weft_op_max, false, false },
		{ 0, &weft_op_max, true, true },
		{ 7, &weft_op_sum, true, false },
		{ 0 }
	};
	static const int others[] = { 2, 4, 16 };

	for (int i = 1; i <= 34; i++) {
		int ranks = i <= 33 ? i : 67;
		bool good;

		set_radix(others[i % 3]);
		good = run_steps(steps, ranks, 1);
		set_radix(8);
		if (!good || !run_steps(steps, ranks, 2))
			break;
	}
}

/* 2000 bytes are four mails, 2400 the slots at once. */
static void in_pieces_and_promoted(void)
{
	static const struct job_step pieces[] = {
		{ 250, &weft_op_sum, false, false },
		{ 200, &weft_op_max, false, true },
		{ 65, &weft_op_sum, true, true },
		{ 256, &weft_op_sum, false, false },
		{ 300, &weft_op_sum, false, false },
		{ 3, &weft_op_sum, false, false },
		{ 0 }
	};
	static const struct job_step promoted[] = {
		{ 2, &weft_op_sum, false, false },
		{ 300, &weft_op_sum, false, false },
		{ 2, &weft_op_min, false, false },
		{ 1000, &weft_op_sum, false, true },
		{ 0 }
	};

	for (int ranks = 2; ranks <= 20; ranks += 3) {
		if (!run_steps(pieces, ranks, 5) ||
		    !run_steps(promoted, ranks, 5))
			return;
	}
}

static void long_vectors(void)
{
	static const struct job_step steps[] = {
		{ 20000, &weft_op_sum, false, false },
		{ 1000, &weft_op_sum, false, false },
		{ 20000, &weft_op_sum, false, true },
		{ 20000, &weft_op_min, true, false },
		{ 0 }
	};

	if (run_steps(steps, 1, 1) && run_steps(steps, 2, 3) &&
	    run_steps(steps, 9, 2))
		run_steps(steps, 17, 1);
}

/* ---- ranks that give another n ---- */

struct quarrel {
	int before;			/* good ones first: 0 mails, 6 slots */
	size_t usual, other;		/* n of rank 1 */
};

static void check_names(struct wf_sim_rank *rank, struct weft_comm *world)
{
	const char *text = weft_error_text(weft_comm_job(world));
	unsigned long long number;
	int from, to;

	if (sscanf(text, "weft_allreduce %llu of context 0 \"world\", from "
		   "rank %d to rank %d: ", &number, &from, &to) != 3)
		wf_sim_fail(rank, "neither call nor ranks: %s", text);
}

static void one_sum(struct wf_sim_rank *rank, struct weft_comm *world,
		    size_t n, bool good)
{
	double in[400], out[400];
	double want = wf_sim_size(rank);
	int status;

	for (size_t i = 0; i < n; i++)
		in[i] = 1;
	status = weft_allreduce(world, in, weft_part(out, n, &weft_type_double),
				&weft_op_sum);
	if (good && status)
		wf_sim_fail(rank, "n %zu: %s", n, weft_status_name(status));
	if (!good && status != WEFT_ERR_SIZE && status != WEFT_ERR_TRUNCATE)
		wf_sim_fail(rank, "n %zu, another at rank 1: %s", n,
			    weft_status_name(status));
	else if (!good)
		check_names(rank, world);
	for (size_t i = 0; good && i < n; i++)
		if (out[i] != want)
			wf_sim_fail(rank, "element %zu is %g", i, out[i]);
}

static void disagree(struct wf_sim_rank *rank, void *arg)
{
	const struct quarrel *q = arg;
	struct weft_job *job;
	struct weft_comm *world;

	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	world = weft_job_world(job);
	for (int i = 0; i < q->before; i++)
		one_sum(rank, world, 3, true);
	for (int i = 0; i < 3; i++) {
		/* up to 8 ranks each has an edge to rank 1 */
		one_sum(rank, world, wf_sim_rank(rank) == 1 ? q->other :
			q->usual, false);
		one_sum(rank, world, 5, true);
	}
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

static void another_length(void)
{
	static const struct quarrel quarrels[] = {
		{ 0, 5, 6 }, { 0, 100, 200 }, { 0, 5, 300 }, { 0, 300, 5 },
		{ 2, 5, 300 }, { 6, 5, 6 }, { 6, 5, 100 }, { 6, 100, 5 },
		{ 6, 5, 0 }, { 6, 300, 100 }, { 6, 0, 5 }, { 0, 0, 5 },
		{ 0, 5, 0 }, { 1, 300, 5 }, { 1, 5, 300 }, { 3, 5, 300 }
	};

	for (int q = 0; q < TAP_COUNT(quarrels); q++) {
		if (sim_flow_seeds(2 + q % 2 * 3, 8, env, disagree,
				   (void *)&quarrels[q]))
			continue;
		tap_diag("%zu at rank 0, %zu at rank 1, after %d",
			 quarrels[q].usual, quarrels[q].other,
			 quarrels[q].before);
		return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "from mails to slots, 1 to 33 ranks and 67, any radix",
		  from_mails_to_slots },
		{ "in several mails, or promoted at once",
		  in_pieces_and_promoted },
		{ "long vectors", long_vectors },
		{ "a rank gives another length", another_length }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
