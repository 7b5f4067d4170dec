/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank lacks memory at any allocation while a Dist is made, set or changed:
 * it is done at all ranks, or at none, which all hear; the pattern is one of
 * both, and the next call works.  Of an exchange hears also who gets packets of
 * that rank, and of a prepared one all do.
 */
#include "tests/sim/lacking.h"

enum {
	SIZE = 5,
	VICTIM = 2,			/* in the middle */
	ITEMS = 4
};

struct lack {
	int (*call)(const struct scene *s, struct weft_dist **dist_p);
	long at;			/* the allocation, from 1 on */
	bool reached;			/* there were so many */
	int status[SIZE];
};

/* ---- calls ---- */

static void draw(const struct scene *s, struct weft_remote *dests)
{
	int me = wf_sim_rank(s->rank);

	for (int i = 0; i < ITEMS; i++)
		dests[i] = (struct weft_remote){ (me + 3 * i) % SIZE, i % 2 };
}

static int create(const struct scene *s, struct weft_dist **dist_p)
{
	struct weft_remote dests[ITEMS];
	struct weft_dist *made = NULL;
	int status;

	draw(s, dests);
	status = weft_dist_create(s->world, dests, ITEMS, 2, &made);
	if (!made != (status != WEFT_OK))
		wf_sim_fail(s->rank, "a Dist, and %s",
			    weft_status_name(status));
	if (!status && *dist_p)
		ok(s, weft_dist_free(dist_p), "free");
	if (!status)
		*dist_p = made;
	return status;
}

static int set_ranks(const struct scene *s, struct weft_dist **dist_p)
{
	struct weft_remote dests[ITEMS];
	int32_t ranks[ITEMS];

	draw(s, dests);
	for (int i = 0; i < ITEMS; i++)
		ranks[i] = dests[i].rank;
	return weft_dist_set_dest_ranks(*dist_p, ranks, ITEMS);
}

static int set_idxs(const struct scene *s, struct weft_dist **dist_p)
{
	static const int32_t idxs[] = { 0, 1, 1, 0 };

	(void)s;
	return weft_dist_set_dest_idxs(*dist_p, idxs, ITEMS, 2);
}

static int set_globals(const struct scene *s, struct weft_dist **dist_p)
{
	static const int64_t globals[] = { 9, 5, 5, 1 };

	(void)s;
	return weft_dist_set_dest_globals(*dist_p, globals, ITEMS);
}

static int change(const struct scene *s, struct weft_dist **dist_p)
{
	return weft_dist_change_comm(*dist_p, s->world);
}

/* ---- runs ---- */

/* Ranks are as they were, whatever was done, and items arrive. */
static void check(const struct scene *s, struct weft_dist *dist)
{
	struct weft_remote want[ITEMS], got[ITEMS];

	draw(s, want);
	ok(s, weft_dist_items2dests(dist, got, ITEMS), "dests");
	for (int i = 0; i < ITEMS; i++)
		if (got[i].rank != want[i].rank)
			wf_sim_fail(s->rank, "item %d goes to %d", i,
				    got[i].rank);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_dist *dist = NULL;
	struct lack *lack = arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, create(&s, &dist), "first");
	ok(&s, lack->call(&s, &dist), "before");
	ok(&s, create(&s, &dist), "anew");
	check(&s, dist);
	crowd(&s, s.world);
	if (me == VICTIM)
		lacking_begin(lack->at);
	lack->status[me] = lack->call(&s, &dist);
	if (me == VICTIM)
		lack->reached = lacking_end(lack->at);
	check(&s, dist);
	ok(&s, lack->call(&s, &dist), "next");
	check(&s, dist);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static bool agree(const struct lack *lack)
{
	bool good = TAP_CHECK(lack->status[VICTIM] == WEFT_OK ||
			      lack->status[VICTIM] == WEFT_ERR_NOMEM);

	for (int r = 0; r < SIZE; r++)
		good &= TAP_EQUAL(lack->status[r], lack->status[VICTIM]);
	if (!good)
		tap_diag("allocation %ld", lack->at);
	return good;
}

static void lack_anywhere(int (*call)(const struct scene *s,
				      struct weft_dist **dist_p))
{
	struct lack lack = { .call = call, .reached = true };
	struct wf_sim_options options;

	for (lack.at = 1; lack.reached; lack.at++) {
		wf_sim_options_init(&options, SIZE, (uint64_t)lack.at);
		if (!sim_flow_run(&options, program, &lack) || !agree(&lack))
			return;
	}
	TAP_CHECK(lack.at > 4);
	tap_diag("%ld allocations", lack.at - 2);
}

static void created(void)
{
	lack_anywhere(create);
}

static void of_ranks(void)
{
	lack_anywhere(set_ranks);
}

static void of_idxs(void)
{
	lack_anywhere(set_idxs);
}

static void of_globals(void)
{
	lack_anywhere(set_globals);
}

static void changed(void)
{
	lack_anywhere(change);
}

/* ---- exchanges ---- */

enum { ROOTS = ITEMS / 2, FORMS = 3 };

/* Items 0 and 1 are of forward root 0, the others of root 1. */
static const int32_t offs[] = { 0, 2, ITEMS };

struct exchange {
	bool reduces, back;
	int form;			/* blocking, nonblocking, persistent */
	long at;
	bool reached;
	int status[SIZE];
};

static int32_t value_of(int rank, int root)
{
	return 10 * (rank % SIZE) + root + 1;
}

/* What comes to a root, as draw() has them; along the inverse its items. */
static int32_t want(bool back, int me, int root)
{
	if (back)
		return value_of(me + root, 0) + value_of(me + 3 + root, 1);
	return root ? value_of(me + 2, 0) + value_of(me + 1, 1) :
		      value_of(me, 0) + value_of(me + SIZE - 1, 1);
}

static void check_values(const struct scene *s, const struct exchange *x,
			 const int32_t *got)
{
	int me = wf_sim_rank(s->rank);

	for (int k = 0; k < ROOTS; k++) {
		int32_t sum = x->reduces ? got[k] : got[2 * k] + got[2 * k + 1];

		if (sum != want(x->back, me, k))
			wf_sim_fail(s->rank, "root %d has %d, not %d", k,
				    (int)sum, (int)want(x->back, me, k));
	}
}

static int begin(const struct exchange *x, struct weft_dist *dist,
		 const struct weft_packets *from, const struct weft_packets *to,
		 struct weft_request **req_p)
{
	const struct weft_op *sum = &weft_op_sum;

	if (x->form == 0)
		return x->reduces ? weft_dist_exch_reduce(dist, from, sum, to) :
				    weft_dist_exch(dist, from, to);
	if (x->form == 1)
		return x->reduces ? weft_dist_iexch_reduce(dist, from, sum, to,
							   req_p) :
				    weft_dist_iexch(dist, from, to, req_p);
	return x->reduces ? weft_dist_exch_reduce_init(dist, from, sum, to,
						       req_p) :
			    weft_dist_exch_init(dist, from, to, req_p);
}

static int exchange(const struct scene *s, const struct exchange *x,
		    struct weft_dist *dist)
{
	int me = wf_sim_rank(s->rank), status;
	int32_t sent[] = { value_of(me, 0), value_of(me, 1) }, got[ITEMS];
	const struct weft_packets from = { sent, ROOTS, 1, &weft_type_int32 };
	const struct weft_packets to = {
		got, x->reduces ? ROOTS : ITEMS, 1, &weft_type_int32
	};
	struct weft_request *req = NULL;

	status = begin(x, dist, &from, &to, &req);
	if (status && req)
		wf_sim_fail(s->rank, "an error, and a request");
	if (!status && x->form == 2)
		status = weft_request_start(req);
	if (!status && req)
		status = weft_request_wait(req);
	ok(s, weft_request_free(&req), "free");
	if (!status)
		check_values(s, x, got);
	return status;
}

static void lack_in_exchange(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_dist *dist = NULL, *inverse = NULL, *used;
	struct exchange *x = arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, create(&s, &dist), "create");
	ok(&s, weft_dist_set_roots2items(dist, offs, ROOTS), "roots");
	ok(&s, weft_dist_invert(dist, &inverse), "invert");
	used = x->back ? inverse : dist;
	crowd(&s, s.world);
	if (me == VICTIM)
		lacking_begin(x->at);
	x->status[me] = exchange(&s, x, used);
	if (me == VICTIM)
		x->reached = lacking_end(x->at);
	ok(&s, weft_barrier(s.world), "barrier");
	for (int i = 0; i < 2; i++)
		ok(&s, exchange(&s, x, used), "next");
	ok(&s, weft_dist_free(&dist), "free");
	ok(&s, weft_dist_free(&inverse), "free");
	stop(&s);
}

/* One rank gets nothing of the victim, but sends to it, so that it may hear. */
static bool heard(const struct exchange *x)
{
	int victim = x->status[VICTIM];
	int apart = (VICTIM + (x->back ? SIZE - 2 : 2)) % SIZE;
	bool good = TAP_CHECK(!victim || victim == WEFT_ERR_NOMEM);

	for (int r = 0; r < SIZE; r++)
		good &= TAP_CHECK(x->status[r] == victim ||
				  (x->form < 2 && r == apart && !x->status[r]));
	if (!good)
		tap_diag("reduces %d, back %d, form %d, allocation %ld: "
			 "%d %d %d %d %d", x->reduces, x->back, x->form, x->at,
			 x->status[0], x->status[1], x->status[2],
			 x->status[3], x->status[4]);
	return good;
}

static void exchange_anyhow(struct exchange x)
{
	struct wf_sim_options options;
	int failed = 0;

	x.reached = true;
	for (x.at = 1; x.reached; x.at++) {
		wf_sim_options_init(&options, SIZE, (uint64_t)x.at);
		if (!sim_flow_run(&options, lack_in_exchange, &x) || !heard(&x))
			return;
		failed += x.status[VICTIM] != WEFT_OK;
	}
	TAP_CHECK(failed >= 2);
	tap_diag("reduces %d, back %d, form %d: %ld allocations, %d failed",
		 x.reduces, x.back, x.form, x.at - 2, failed);
}

static void exchanged(void)
{
	for (int i = 0; i < FORMS * 4; i++)
		exchange_anyhow((struct exchange){
			.form = i / 4, .reduces = i % 2, .back = i / 2 % 2
		});
}

/* ---- local calls ---- */

static int call_locally(int call, struct weft_dist *dist,
			struct weft_dist **inverse_p)
{
	static const int32_t roots[] = { 0, 1, ITEMS };
	const int32_t *at;
	size_t n;

	switch (call) {
	case 0:
		return weft_dist_invert(dist, inverse_p);
	case 1:
		return weft_dist_set_roots2items(dist, roots, 2);
	default:
		return weft_dist_items2ranks(dist, &at, &n);
	}
}

/* How many allocations have failed, until it is done. */
static int lack_locally(const struct scene *s, int call, struct weft_dist *dist)
{
	struct weft_dist *other = NULL;
	const int32_t *at = NULL;
	int status, lacked = 0;
	size_t n;

	do {
		lacking_begin(1 + lacked);
		status = call_locally(call, dist, &other);
		lacking_end(1);
		if (call == 1 && status)
			ok(s, weft_dist_roots2items(dist, &at, &n), "roots");
		if ((status && status != WEFT_ERR_NOMEM) || at)
			wf_sim_fail(s->rank, "%s", weft_status_name(status));
	} while (status == WEFT_ERR_NOMEM && ++lacked);
	ok(s, weft_dist_free(&other), "free");
	return lacked;
}

/* What there was before stays. */
static void locally(struct wf_sim_rank *rank, void *arg)
{
	static const int least[] = { 1, 2, 2 };
	struct weft_dist *dist = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, create(&s, &dist), "create");
	for (int call = 0; call < TAP_COUNT(least); call++) {
		int lacked = lack_locally(&s, call, dist);

		if (lacked < least[call])
			wf_sim_fail(rank, "call %d: %d", call, lacked);
	}
	check(&s, dist);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void local_calls(void)
{
	run(SIZE, 1, locally);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "created", created },
		{ "ranks are set", of_ranks },
		{ "roots are set", of_idxs },
		{ "global numbers are set", of_globals },
		{ "the communicator is changed", changed },
		{ "exchanges", exchanged },
		{ "calls without a message", local_calls }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
