/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns: their exchanges are those of a graph with the same edges, also when
 * what they were made of is freed; many of them do not meet; one that cannot be
 * made is an error at all ranks; and what one costs a rank.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/neighbor_play.h"

enum { EXCHANGES = 4, STARTS = 2 };

/* ---- as a serial exchange ---- */

static void exchange(const struct play *p, struct trial *t)
{
	bool persistent = t->form == PERSISTENT;
	struct weft_request *req = NULL;

	fill(p, t);
	ok(&p->s, call_of(p, t, &req), "exchange");
	for (t->start = 0; t->start < (persistent ? STARTS : 1); t->start++) {
		if (persistent) {
			fill(p, t);
			ok(&p->s, weft_request_start(req), "start");
		}
		if (req)
			ok(&p->s, weft_request_wait(req), "wait");
		check(p, t);
	}
	ok(&p->s, weft_request_free(&req), "free");
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	struct play *p = play_begin(rank, *(const uint64_t *)arg);

	if (!p)
		return;
	play_by_pattern(p);
	for (int x = 0; x < EXCHANGES; x++) {
		struct trial *t = trial_make(p, x);

		exchange(p, t);
		trial_free(t);
	}
	play_end(p);
}

static void as_a_serial_one(void)
{
	run_seeds(200, PLAY_RANKS, drawn);
}

/* ---- many of one communicator, in any order ---- */

enum { MANY = 5 };

static int ring(const struct scene *s, int step, struct weft_pattern **made_p)
{
	int n = wf_sim_size(s->rank), me = wf_sim_rank(s->rank);
	int to = (me + step) % n, from = ((me - step) % n + n) % n;

	return weft_pattern_create(s->world, &(struct weft_edges){
		1, &from, NULL
	}, &(struct weft_edges){ 1, &to, NULL }, NULL, made_p);
}

/* Ranks make their calls on them in orders of their own. */
static void any_order(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank), in[MANY], out[MANY];
	struct weft_pattern *made[MANY] = { NULL };
	struct weft_request *req[MANY] = { NULL };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < MANY; i++)
		ok(&s, ring(&s, i, &made[i]), "create");
	for (int k = 0; k < MANY; k++) {
		int i = (k + me) % MANY;

		out[i] = 100 * i + me;
		in[i] = -1;
		ok(&s, weft_ipattern_alltoall(
			made[i], weft_part(&out[i], 1, &weft_type_int32),
			weft_part(&in[i], 1, &weft_type_int32), &req[i]),
		   "start");
	}
	for (int i = 0; i < MANY; i++) {
		ok(&s, weft_request_wait(req[i]), "wait");
		ok(&s, weft_request_free(&req[i]), "free");
		if (in[i] != 100 * i + ((me - i) % n + n) % n)
			wf_sim_fail(rank, "%d by pattern %d", in[i], i);
		ok(&s, weft_pattern_free(&made[(i + me) % MANY]), "free");
	}
	stop(&s);
}

static void many(void)
{
	run_seeds(30, PLAY_RANKS, any_order);
}

/* ---- reductions ---- */

/* From both neighbours in a ring, by each form; 1 is there before. */
static void reduce_ring(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	const int both[] = { (me + n - 1) % n, (me + 1) % n };
	const struct weft_edges edges = { 2, both, NULL };
	const size_t counts[] = { 1, 1 };
	const ptrdiff_t displs[] = { 0, 0 };
	int64_t give = 10 + me, sum = 1;
	const struct weft_vec send = {
		.base = &give, .type = &weft_type_int64, .counts = counts,
		.displs = displs
	};
	const struct weft_fold fold = {
		&sum, 1, &weft_type_int64, counts, NULL
	};
	struct weft_request *once = NULL, *often = NULL;
	struct weft_pattern *made = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_pattern_create(s.world, &edges, &edges, NULL, &made),
	   "create");
	ok(&s, weft_pattern_reduce(made, &send, &fold, &weft_op_sum), "one");
	ok(&s, weft_ipattern_reduce(made, &send, &fold, &weft_op_sum, &once),
	   "two");
	ok(&s, weft_request_wait(once), "wait");
	ok(&s, weft_pattern_reduce_init(made, &send, &fold, &weft_op_sum,
					&often), "init");
	ok(&s, weft_request_start(often), "three");
	ok(&s, weft_request_wait(often), "wait");
	if (sum != 1 + 3 * (20 + both[0] + both[1]))
		wf_sim_fail(rank, "the sum is %d", (int)sum);
	ok(&s, weft_request_free(&once), "free");
	ok(&s, weft_request_free(&often), "free");
	ok(&s, weft_pattern_free(&made), "free");
	stop(&s);
}

static void reduced(void)
{
	run_seeds(30, PLAY_RANKS, reduce_ring);
}

/* ---- what is refused ---- */

static void says(const struct scene *s, int status, const char *text)
{
	if (status != WEFT_ERR_ARG || !strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "%s: \"%s\", not \"%s\"",
			    weft_status_name(status), weft_error_text(s->job),
			    text);
}

static void bad(struct wf_sim_rank *rank, void *arg)
{
	int odd = wf_sim_size(rank) / 2, beyond = wf_sim_size(rank), *x = NULL;
	bool is_odd = wf_sim_rank(rank) == odd;
	struct weft_edges none = { 0, NULL, NULL };
	struct weft_edges spoilt = { 1, &beyond, NULL };
	struct weft_pattern *made = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	says(&s, weft_pattern_create(s.world, is_odd ? &spoilt : &none, &none,
				     NULL, &made),
	     "weft_pattern_create: in->ranks[0] is");
	says(&s, weft_pattern_create(s.world, &none, &none, NULL,
				     is_odd ? NULL : &made),
	     "weft_pattern_create: pattern_p is NULL");
	if (made)
		wf_sim_fail(rank, "there is a pattern");
	ok(&s, weft_pattern_free(&made), "free of none");
	if (weft_pattern_free(NULL) != WEFT_ERR_ARG ||
	    weft_pattern_alltoallv(NULL, NULL, NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is none");
	ok(&s, ring(&s, 1, &made), "a good one");
	says(&s, weft_pattern_alltoall(made, weft_part(x, 1, &weft_type_int32),
				       weft_part(x, 1, &weft_type_int32)),
	     "weft_pattern_alltoall: send.base is NULL");
	ok(&s, weft_pattern_free(&made), "free");
	stop(&s);
}

static void refused(void)
{
	static const int sizes[] = { 2, 5, 64 };

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		run(sizes[i], 1, bad);
}

/* ---- bytes of heap, of one without edges ---- */

enum {
	FIRST = 8,			/* until there are channels */
	EACH = 16,
	BOUND = 2496
};

static void measure(struct wf_sim_rank *rank, void *arg)
{
	static const struct weft_edges none;
	struct weft_pattern *made[FIRST + EACH] = { NULL };
	long *bytes = arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 1; i <= FIRST + EACH; i++) {
		ok(&s, weft_pattern_create(s.world, &none, &none, NULL,
					   &made[i - 1]), "create");
		if (i != FIRST && i != FIRST + EACH)
			continue;
		linger(&s);
		if (!wf_sim_rank(rank))
			bytes[i != FIRST] = fail_malloc_bytes();
		linger(&s);
	}
	for (int i = 0; i < FIRST + EACH; i++)
		ok(&s, weft_pattern_free(&made[i]), "free");
	stop(&s);
}

static void cost(void)
{
	static const int sizes[] = { 1, 64, 512 };

	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		long bytes[2] = { 0 }, each;
		struct wf_sim_options options;

		wf_sim_options_init(&options, sizes[i], 1);
		if (!sim_flow_run(&options, measure, bytes))
			return;
		each = (bytes[1] - bytes[0]) / EACH / sizes[i];
		tap_diag("%d ranks: %ld bytes a rank", sizes[i], each);
		TAP_CHECK(each > 0 && each <= BOUND);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as a serial exchange", as_a_serial_one },
		{ "many in any order", many },
		{ "reductions", reduced },
		{ "what is refused", refused },
		{ "bytes of heap", cost }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
