/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of one rank that no exchange of a Dist may take, in its forms: an
 * error there, whose sentence names argument and value, and at who gets packets
 * of that rank; a prepared one is an error at all.  Packets of another size
 * than those of their receiver are an error there.  Everything goes on behind
 * it.
 */
#include <weft.h>
#include "tests/sim/scene.h"

enum { ITEMS = 3, FORMS = 3 };

/* What a rank gives, good before it is spoilt; items go to the next rank. */
struct given {
	struct scene *s;
	int32_t sent[2 * ITEMS], got[2 * ITEMS];
	struct weft_packets srcs, dests;
	const struct weft_packets *srcs_p, *dests_p;
	const struct weft_op *op;	/* NULL: nothing is combined */
	struct weft_op *made;
	bool nowhere;			/* no place for the request */
};

static void join(const void *in, void *inout, size_t n,
		 const struct weft_type *type, void *arg)
{
	(void)in, (void)inout, (void)n, (void)type, (void)arg;
}

static void no_srcs(struct given *g)
{
	g->srcs_p = NULL;
}

static void no_dests(struct given *g)
{
	g->dests_p = NULL;
}

static void more_srcs(struct given *g)
{
	g->srcs.n++;
}

static void fewer_dests(struct given *g)
{
	g->dests.n--;
}

static void no_width(struct given *g)
{
	g->srcs.width = 0;
}

static void wider(struct given *g)
{
	g->dests.width = 3;
}

static void huge(struct given *g)
{
	g->srcs.width = SIZE_MAX / 2;
}

static void no_type(struct given *g)
{
	g->dests.type = NULL;
}

static void no_base(struct given *g)
{
	g->srcs.base = NULL;
}

static void in_place(struct given *g)
{
	g->dests.base = (void *)WEFT_IN_PLACE;
}

static void undefined(struct given *g)
{
	g->op = &weft_op_band;
	g->dests.type = g->srcs.type = &weft_type_float;
}

static void units(struct given *g)
{
	struct weft_op_options options;

	weft_op_options_init(&options, sizeof(options));
	options.call = join;
	options.unit = 4;
	ok(g->s, weft_op_create(g->s->job, &options, &g->made), "op");
	g->op = g->made;
}

static void no_place(struct given *g)
{
	g->nowhere = true;
}

static const struct refusal {
	void (*spoil)(struct given *g);
	bool reduces;
	int status;
	const char *says;
} refusals[] = {
	{ no_srcs, false, WEFT_ERR_ARG, "srcs is NULL" },
	{ no_dests, true, WEFT_ERR_ARG, "rroots is NULL" },
	{ more_srcs, true, WEFT_ERR_ARG,
	  "srcs->n is 4, but the pattern has 3" },
	{ fewer_dests, false, WEFT_ERR_ARG,
	  "ritems->n is 2, but the pattern has 3" },
	{ fewer_dests, true, WEFT_ERR_ARG,
	  "rroots->n is 1, but the pattern has 2" },
	{ no_width, false, WEFT_ERR_ARG, "srcs->width is 0" },
	{ wider, true, WEFT_ERR_ARG,
	  "a packet of rroots has 12 bytes, and one of srcs 8" },
	{ huge, false, WEFT_ERR_RANGE, "exceed 2^63 bytes" },
	{ no_type, false, WEFT_ERR_ARG, "ritems.type is NULL" },
	{ no_base, true, WEFT_ERR_ARG, "srcs->base is NULL with 3 packets" },
	{ in_place, false, WEFT_ERR_ARG, "ritems.base is WEFT_IN_PLACE" },
	{ undefined, true, WEFT_ERR_ARG, "band is not defined for float" },
	{ units, true, WEFT_ERR_ARG,
	  "op combines units of 4 elements, but packets of rroots have 2" },
	{ no_place, false, WEFT_ERR_ARG, "req_p is NULL" }
};

static void fill(struct given *g, struct scene *s, bool reduces)
{
	*g = (struct given){
		.s = s, .sent = { 1, 2, 3, 4, 5, 6 },
		.srcs = { g->sent, ITEMS, 2, &weft_type_int32 },
		.dests = { g->got, reduces ? 2 : ITEMS, 2, &weft_type_int32 },
		.srcs_p = &g->srcs, .dests_p = &g->dests,
		.op = reduces ? &weft_op_sum : NULL
	};
}

static int call(const struct given *g, struct weft_dist *dist, int form,
		struct weft_request **req_p)
{
	if (g->nowhere)
		req_p = NULL;
	if (form == 0)
		return g->op ? weft_dist_exch_reduce(dist, g->srcs_p, g->op,
						     g->dests_p) :
			       weft_dist_exch(dist, g->srcs_p, g->dests_p);
	if (g->op)
		return (form == 1 ? weft_dist_iexch_reduce :
				    weft_dist_exch_reduce_init)
		       (dist, g->srcs_p, g->op, g->dests_p, req_p);
	return (form == 1 ? weft_dist_iexch : weft_dist_exch_init)
	       (dist, g->srcs_p, g->dests_p, req_p);
}

/* What is started, is waited for. */
static int exchange(const struct given *g, struct weft_dist *dist, int form)
{
	struct weft_request *req = NULL;
	int status = call(g, dist, form, &req);

	if (status && req)
		wf_sim_fail(g->s->rank, "an error, and a request");
	if (!status && form == 2)
		status = weft_request_start(req);
	if (!status && req)
		status = weft_request_wait(req);
	ok(g->s, weft_request_free(&req), "free");
	return status;
}

/* Items 0 and 2 are of root 0, 1 of root 1: as items, or their sums. */
static void good_one(struct scene *s, struct weft_dist *dist, int form,
		     bool reduces)
{
	static const int32_t items[] = { 1, 2, 5, 6, 3, 4 };
	static const int32_t sums[] = { 6, 8, 3, 4, 0, 0 };
	struct given g;

	fill(&g, s, reduces);
	ok(s, exchange(&g, dist, form), "a good one");
	if (memcmp(g.got, reduces ? sums : items, sizeof(g.got)))
		wf_sim_fail(s->rank, "%d %d %d %d %d %d", (int)g.got[0],
			    (int)g.got[1], (int)g.got[2], (int)g.got[3],
			    (int)g.got[4], (int)g.got[5]);
}

static void says(const struct scene *s, const char *text)
{
	if (!strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "\"%s\", not \"%s\"",
			    weft_error_text(s->job), text);
}

/* By what this rank is to the odd one. */
static void refuse(struct scene *s, struct weft_dist *dist,
		   const struct refusal *r, int form)
{
	int size = wf_sim_size(s->rank), odd = size / 2;
	int me = wf_sim_rank(s->rank), status;
	bool hears = form == 2 || me == odd || me == (odd + 1) % size;
	struct given g;

	fill(&g, s, r->reduces);
	if (me == odd)
		r->spoil(&g);
	status = exchange(&g, dist, form);
	/* who sends to it may be done before it is refused, or hear of it */
	if (status != r->status && (hears || status))
		wf_sim_fail(s->rank, "\"%s\": %s", r->says,
			    weft_status_name(status));
	if (me == odd || form == 2) {
		says(s, r->says);
		says(s, "weft_dist_");
	}
	ok(s, weft_op_free(&g.made), "free op");
	ok(s, weft_barrier(s->world), "barrier");
	good_one(s, dist, form, r->reduces);
}

static struct weft_dist *make(const struct scene *s)
{
	int size = wf_sim_size(s->rank), me = wf_sim_rank(s->rank);
	int32_t to = (me + 1) % size;
	const struct weft_remote dests[ITEMS] = {
		{ to, 0 }, { to, 1 }, { to, 0 }
	};
	struct weft_dist *dist = NULL;

	ok(s, weft_dist_create(s->world, dests, ITEMS, 2, &dist), "create");
	return dist;
}

static void refuse_all(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	dist = make(&s);
	for (int form = 0; form < FORMS; form++)
		for (int i = 0; i < TAP_COUNT(refusals); i++)
			if (form || refusals[i].spoil != no_place)
				refuse(&s, dist, &refusals[i], form);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void arguments(void)
{
	static const int sizes[] = { 1, 2, 5 };

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		run(sizes[i], 1, refuse_all);
}

/* ---- packets of another size ---- */

enum { WIDEST = 5000 };			/* elements: long messages */

/* Elements of a packet: of one rank, and of all others. */
struct widths {
	size_t odd, others;
};

static struct weft_packets wide(size_t n, size_t width)
{
	return (struct weft_packets){
		calloc(n * width, sizeof(int32_t)), n, width, &weft_type_int32
	};
}

static size_t width_of(const struct scene *s, const struct widths *w, int rank)
{
	int size = wf_sim_size(s->rank);

	return (rank + size) % size == size / 2 ? w->odd : w->others;
}

/* At a rank, of what comes from the one before. */
static int outcome(const struct scene *s, const struct widths *w, int rank)
{
	size_t sent = width_of(s, w, rank - 1), taken = width_of(s, w, rank);

	if (sent == taken)
		return WEFT_OK;
	return sent > taken ? WEFT_ERR_TRUNCATE : WEFT_ERR_SIZE;
}

/* Whose message is too long may hear so, from its receiver. */
static void judge(const struct scene *s, const struct widths *w, int status)
{
	int me = wf_sim_rank(s->rank);

	if (status != outcome(s, w, me) &&
	    (!status || status != outcome(s, w, me + 1)))
		wf_sim_fail(s->rank, "%zu and %zu wide: %s", w->odd, w->others,
			    weft_status_name(status));
	if (status) {
		says(s, "weft_dist_");
		says(s, " bytes sent, ");
	}
}

static void differ(struct scene *s, struct weft_dist *dist,
		   const struct widths *w, int form, bool reduces)
{
	size_t width = width_of(s, w, wf_sim_rank(s->rank));
	struct given g;

	fill(&g, s, reduces);
	g.srcs = wide(ITEMS, width);
	g.dests = wide(reduces ? 2 : ITEMS, width);
	judge(s, w, exchange(&g, dist, form));
	free(g.srcs.base);
	free(g.dests.base);
	good_one(s, dist, form, reduces);
}

static void differ_all(struct wf_sim_rank *rank, void *arg)
{
	static const struct widths widths[] = {
		{ 1, 2 }, { 3, 2 }, { 40, 2 }, { 2, 400 }, { WIDEST, 1 },
		{ 1, WIDEST }, { WIDEST, WIDEST - 1 }
	};
	struct weft_dist *dist;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	dist = make(&s);
	for (int i = 0; i < TAP_COUNT(widths) * 2 * FORMS; i++)
		differ(&s, dist, &widths[i / 2 / FORMS], i % FORMS,
		       i / FORMS % 2);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void other_sizes(void)
{
	sim_flow_seeds(2, 8, NULL, differ_all, NULL);
	sim_flow_seeds(5, 8, NULL, differ_all, NULL);
	sim_flow_seeds(5, 8, sim_small_env, differ_all, NULL);
}

/* ---- without a pattern ---- */

static void no_pattern(struct wf_sim_rank *rank, void *arg)
{
	struct weft_dist *dist = NULL;
	struct given g;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&g, &s, false);
	ok(&s, weft_dist_create_empty(s.world, &dist), "create");
	if (exchange(&g, dist, 0) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "an exchange without a pattern");
	says(&s, "weft_dist_exch: the Dist of rank");
	if (exchange(&g, NULL, 1) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "an exchange without a Dist");
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void without_a_pattern(void)
{
	run(2, 1, no_pattern);
}

/* ---- what goes while an exchange is under way ---- */

/* It ends by the pattern that it was started with. */
static void free_under_way(struct wf_sim_rank *rank, void *arg)
{
	static const int32_t items[] = { 1, 2, 5, 6, 3, 4 };
	struct weft_request *req = NULL;
	struct weft_dist *dist;
	struct given g;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	dist = make(&s);
	fill(&g, &s, false);
	ok(&s, call(&g, dist, 1, &req), "start");
	ok(&s, weft_dist_free(&dist), "free");
	ok(&s, weft_request_wait(req), "wait");
	if (memcmp(g.got, items, sizeof(items)))
		wf_sim_fail(rank, "other items");
	ok(&s, weft_request_free(&req), "free");
	stop(&s);
}

static void freed(void)
{
	run_seeds(50, 5, free_under_way);
}

/* Also at ranks that nothing comes to, whose roots have the sum of nothing. */
static void free_type(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_remote to = { 0, 1 };
	const double want[] = { 0, wf_sim_rank(rank) ? 0 : wf_sim_size(rank) };
	double one = 1, sums[] = { 5, 5 };
	struct weft_type *type = NULL;
	struct weft_request *req = NULL;
	struct weft_dist *dist = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_dist_create(s.world, &to, 1, 2, &dist), "create");
	ok(&s, weft_type_dup(s.job, &weft_type_double, &type), "dup");
	ok(&s, weft_dist_exch_reduce_init(dist, &(struct weft_packets){
		&one, 1, 1, type
	}, &weft_op_sum, &(struct weft_packets){ sums, 2, 1, type }, &req),
	   "init");
	ok(&s, weft_type_free(&type), "free type");
	ok(&s, weft_request_start(req), "start");
	ok(&s, weft_request_wait(req), "wait");
	if (memcmp(sums, want, sizeof(sums)))
		wf_sim_fail(rank, "%g %g", sums[0], sums[1]);
	ok(&s, weft_request_free(&req), "free");
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

static void type_freed(void)
{
	run(3, 1, free_type);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "arguments of one rank", arguments },
		{ "packets of another size", other_sizes },
		{ "without a pattern", without_a_pattern },
		{ "freed under way", freed },
		{ "a datatype freed before the start", type_freed }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
