/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbour reductions in all forms against a serial left fold, and what one
 * that fails has combined: in-edges from the first one on, each whole.
 */
#include "tests/coll/fold_play.h"
#include "tests/sim/scene.h"

enum { TRIALS = 6, STARTS = 3 };

static char *cuts[] = { "WEFT_CHECK=2", NULL };

/* The job, and a graph drawn from a seed. */
static bool begin(struct scene *s, struct fold_play *p,
		  struct wf_sim_rank *rank, uint64_t seed)
{
	if (!start(s, rank))
		return false;
	ok(s, fold_play_begin(p, s->job, seed), "graph");
	return true;
}

static void end(const struct scene *s, struct fold_play *p)
{
	ok(s, fold_play_end(p), "free");
	stop(s);
}

static void differs(const struct scene *s, const struct fold_trial *t)
{
	if (!fold_trial_check(t))
		wf_sim_fail(s->rank, "trial %d, kind %d, form %d, start %d: "
			    "another result", (int)t->number, (int)t->kind,
			    (int)t->form, (int)t->start);
}

/* Who starts an operation of the program may give it up at once. */
static void once(const struct scene *s, struct fold_trial *t)
{
	struct weft_request *req = NULL;
	struct weft_op *own;

	ok(s, fold_op_make(s->job, t->kind, &own), "op");
	if (own)
		t->op = own;
	fold_trial_fill(t);
	fold_trial_expect(t, t->play->nin);
	ok(s, fold_trial_call(t, &req), "reduce");
	ok(s, weft_op_free(&own), "free");
	if (req) {
		ok(s, weft_request_wait(req), "wait");
		ok(s, weft_request_free(&req), "free");
	}
	differs(s, t);
}

/* The elements go on from start to start. */
static void often(const struct scene *s, struct fold_trial *t)
{
	struct weft_request *req = NULL;

	ok(s, fold_trial_call(t, &req), "init");
	for (t->start = 0; req && t->start < STARTS; t->start++) {
		fold_trial_fill(t);
		fold_trial_expect(t, t->play->nin);
		ok(s, weft_request_start(req), "start");
		ok(s, weft_request_wait(req), "wait");
		differs(s, t);
	}
	ok(s, weft_request_free(&req), "free");
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	struct fold_play p;
	struct scene s;

	if (!begin(&s, &p, rank, *(const uint64_t *)arg))
		return;
	for (uint64_t x = 0; x < TRIALS; x++) {
		struct fold_trial *t = fold_trial_make(&p, x);

		(t->form == FOLD_PERSISTENT ? often : once)(&s, t);
		fold_trial_free(t);
	}
	end(&s, &p);
}

static void as_a_serial_fold(void)
{
	run_seeds(400, FOLD_RANKS, drawn);
}

/* Functions of the program get vectors in pieces. */
static void in_pieces(void)
{
	sim_flow_seeds(5, 60, cuts, drawn, &(uint64_t){ 5 });
}

/* ---- several at once ---- */

enum { SEVERAL = 5 };

static void together(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[SEVERAL] = { NULL };
	struct fold_trial *t[SEVERAL];
	struct fold_play p;
	struct scene s;

	if (!begin(&s, &p, rank, *(const uint64_t *)arg))
		return;
	for (int i = 0; i < SEVERAL; i++) {
		t[i] = fold_trial_make(&p, (uint64_t)i);
		t[i]->form = FOLD_NONBLOCKING;
		fold_trial_fill(t[i]);
		fold_trial_expect(t[i], p.nin);
		ok(&s, fold_trial_call(t[i], &req[i]), "start");
	}
	for (int i = SEVERAL; i-- > 0;) {
		ok(&s, weft_request_wait(req[i]), "wait");
		ok(&s, weft_request_free(&req[i]), "free");
		differs(&s, t[i]);
		fold_trial_free(t[i]);
	}
	end(&s, &p);
}

static void several(void)
{
	run_seeds(100, FOLD_RANKS, together);
}

/* ---- the same bits, whatever the time ---- */

static uint64_t sums[FOLD_RANKS];

static uint64_t sum_of(uint64_t sum, const struct fold_trial *t)
{
	for (size_t i = 0; i < t->bytes; i++)
		sum = sum * 1099511628211 + (unsigned char)t->base[i];
	return sum;
}

static void summed(struct wf_sim_rank *rank, void *arg)
{
	uint64_t *sum = &sums[wf_sim_rank(rank)];
	struct fold_play p;
	struct scene s;

	(void)arg;
	if (!begin(&s, &p, rank, 11))
		return;
	*sum = 0;
	for (uint64_t x = 0; x < 2 * FOLD_KINDS; x++) {
		struct fold_trial *t = fold_trial_make(&p, x);

		t->form = FOLD_BLOCKING;
		fold_trial_fill(t);
		ok(&s, fold_trial_call(t, NULL), "reduce");
		*sum = sum_of(*sum, t);
		fold_trial_free(t);
	}
	end(&s, &p);
}

static void same_bits(void)
{
	long seeds = tap_figure("SEEDS", 30);
	uint64_t first[FOLD_RANKS];

	for (long seed = 1; seed <= seeds + 1; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, FOLD_RANKS, (uint64_t)seed);
		if (seed > 1)
			wf_sim_options_vary(&options);
		if (!sim_flow_run(&options, summed, NULL))
			return;
		if (seed == 1)
			memcpy(first, sums, sizeof(first));
		for (int r = 0; r < FOLD_RANKS; r++)
			TAP_CHECK(sums[r] == first[r]);
	}
}

/* ---- a rank sends more than is expected ---- */

/* The first in-edge from rank 0; all of them: there is none. */
static int first_bad(const struct fold_play *p)
{
	int i = 0;

	while (i < p->nin && p->from[p->in[i]])
		i++;
	return i;
}

static void grow(struct fold_trial *t)
{
	for (int i = 0; i < t->play->nout; i++) {
		t->sent[i] += 24;
		t->sent_at[i] = 0;
	}
	free(t->given);
	t->given_bytes = 2000 * FOLD_WIDEST;
	t->given = calloc(1, t->given_bytes);
	if (!t->given)
		abort();
	t->send.base = t->given;
}

static void too_much(struct wf_sim_rank *rank, void *arg)
{
	struct fold_trial *t;
	struct fold_play p;
	struct scene s;
	int status;

	if (!begin(&s, &p, rank, *(const uint64_t *)arg))
		return;
	t = fold_trial_make(&p, 0);
	t->form = FOLD_BLOCKING;
	fold_trial_fill(t);
	if (p.me == 0)
		grow(t);
	fold_trial_expect(t, first_bad(&p));
	status = fold_trial_call(t, NULL);
	if (status != (first_bad(&p) < p.nin ? WEFT_ERR_TRUNCATE : WEFT_OK) &&
	    !(p.me == 0 && status == WEFT_ERR_TRUNCATE))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	differs(&s, t);
	/* who asks what became of an edge must find its other end */
	ok(&s, weft_barrier(s.world), "barrier");
	fold_trial_free(t);
	t = fold_trial_make(&p, 1);
	t->form = FOLD_BLOCKING;
	once(&s, t);
	fold_trial_free(t);
	end(&s, &p);
}

static void sizes_differ(void)
{
	run_seeds(100, FOLD_RANKS, too_much);
}

/* ---- a rank dies ---- */

static int heard;

/* After so many edges, whatever it is; false: after none of these numbers. */
static bool is_prefix(struct fold_trial *t)
{
	char *begun = malloc(t->bytes);
	bool is = false;

	if (!begun)
		abort();
	memcpy(begun, t->want, t->bytes);
	for (int edges = 0; !is && edges <= t->play->nin; edges++) {
		memcpy(t->want, begun, t->bytes);
		fold_trial_expect(t, edges);
		is = fold_trial_check(t);
	}
	free(begun);
	return is;
}

static void until_death(const struct scene *s, const struct fold_play *p)
{
	int status = WEFT_OK;

	for (uint64_t x = 0; !status; x++) {
		struct fold_trial *t = fold_trial_make(p, x);

		t->form = FOLD_BLOCKING;
		fold_trial_fill(t);
		status = fold_trial_call(t, NULL);
		if (!is_prefix(t))
			wf_sim_fail(s->rank, "trial %d, kind %d: part of an "
				    "edge", (int)x, (int)t->kind);
		fold_trial_free(t);
		if (!status)
			status = weft_barrier(s->world);
	}
	if (status != WEFT_ERR_PEER)
		wf_sim_fail(s->rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s->job));
}

static void dying(struct wf_sim_rank *rank, void *arg)
{
	struct fold_play p;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (!fold_play_begin(&p, s.job, 3))
		until_death(&s, &p);
	heard++;
	if (weft_job_close(s.job) != WEFT_ERR_PEER)
		wf_sim_fail(rank, "it closed with the dead one");
}

static void deaths(void)
{
	run_deaths(200, &heard, dying);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as a serial fold", as_a_serial_fold },
		{ "vectors in pieces", in_pieces },
		{ "several at once", several },
		{ "the same bits", same_bits },
		{ "sizes that differ", sizes_differ },
		{ "a rank dies", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
