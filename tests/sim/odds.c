/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of a communicator makes another collective call than all others,
 * with WEFT_CHECK=2, in each way in which calls may differ: nobody waits for
 * ever, every rank hears a sentence that names that rank, a neighbour, and what
 * both have called, and begins nothing more on this communicator.  All else
 * goes on.
 */
#include "tests/coll/play_call.h"
#include "tests/sim/scene.h"

enum {
	MANY = 19,			/* ranks */
	WORDS = 3000,			/* of a rank's vector */
	CALLS = 4			/* that are right, before */
};

/* A call, with what it is in the sentence. */
struct wording {
	struct deed deed;		/* its size is that of the job */
	const struct weft_op *op;
	const char *text;
};

/* What one does, and what all others do; and then the other one's, perhaps. */
struct difference {
	const char *name;
	struct wording odd, even;
	bool swapped;
};

#define CALL(what_, form_, n_, root_, op_, text_) \
	{ { .what = what_, .form = form_, .n = n_, .root = root_ }, op_, text_ }
#define SUM &weft_op_sum

static const struct difference differences[] = {
	{ "operation",
	  CALL(BCAST, BLOCKING, 1, 0, NULL, "calls weft_bcast (root 0, 8 b"),
	  CALL(ALLREDUCE, BLOCKING, 1, 0, SUM, "calls weft_allreduce (8 b"),
	  false },
	{ "root",
	  CALL(BCAST, BLOCKING, 1, 0, NULL, "calls weft_bcast (root 0, 8 b"),
	  CALL(BCAST, BLOCKING, 1, 1, NULL, "calls weft_bcast (root 1, 8 b"),
	  false },
	{ "bytes",
	  CALL(ALLGATHER, BLOCKING, 2, 0, NULL, "weft_allgather (16 bytes)"),
	  CALL(ALLGATHER, BLOCKING, 1, 0, NULL, "weft_allgather (8 bytes)"),
	  false },
	{ "many bytes",
	  CALL(BCAST, BLOCKING, WORDS, 1, NULL, "weft_bcast (root 1, 24000 "),
	  CALL(BCAST, BLOCKING, WORDS, 0, NULL, "weft_bcast (root 0, 24000 "),
	  false },
	{ "operation of a reduction",
	  CALL(ALLREDUCE, BLOCKING, 1, 0, SUM, "weft_op_sum on uint64"),
	  CALL(ALLREDUCE, BLOCKING, 1, 0, &weft_op_max, "weft_op_max on uin"),
	  false },
	{ "order",
	  CALL(BARRIER, BLOCKING, 0, 0, NULL, "calls weft_barrier"),
	  CALL(SCAN, BLOCKING, 3, 0, SUM, "calls weft_scan (24 bytes, weft"),
	  true },
	{ "persistent or not",
	  CALL(BARRIER, PERSISTENT, 0, 0, NULL, "calls weft_barrier_init"),
	  CALL(BARRIER, BLOCKING, 0, 0, NULL, "calls weft_barrier (0"),
	  false },
	{ "persistent ones",
	  CALL(GATHER, PERSISTENT, 1, 0, NULL, "weft_gather_init (root 0, 8"),
	  CALL(GATHER, PERSISTENT, 1, 1, NULL, "weft_gather_init (root 1, 8"),
	  false },
	{ "sides of a threshold",
	  CALL(ALLTOALL, BLOCKING, 64, 0, NULL, "weft_alltoall (512 bytes)"),
	  CALL(ALLTOALL, BLOCKING, 65, 0, NULL, "weft_alltoall (520 bytes)"),
	  false },
	{ "schedules",
	  CALL(REDUCE, BLOCKING, 1, 0, SUM, "weft_reduce (root 0, 8 bytes, w"),
	  CALL(ALLREDUCE, BLOCKING, 1, 0, SUM, "weft_allreduce (8 bytes, w"),
	  false },
	{ "nonblocking ones",
	  CALL(BCAST, ONCE, 200, 0, NULL, "calls weft_ibcast (root 0, 1600"),
	  CALL(ALLTOALL, ONCE, 200, 0, NULL, "calls weft_ialltoall (1600 by"),
	  false },
	{ "one that blocks",
	  CALL(GATHERV, BLOCKING, 5, 0, NULL, "calls weft_gatherv (root 0)"),
	  CALL(SCATTERV, ONCE, 5, 0, NULL, "calls weft_iscatterv (root 0)"),
	  false },
	{ "counts",
	  CALL(REDUCE_SCATTERV, BLOCKING, 0, 0, SUM, "(0 bytes, weft_op_sum"),
	  CALL(REDUCE_SCATTERV, BLOCKING, 9, 0, SUM, "weft_reduce_scatter ("),
	  false }
};

static char *env[] = {
	"WEFT_CHECK=2", "WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

/* Of one run. */
struct shared {
	const struct difference *what;
	int odd;			/* rank */
};

struct player {
	struct scene s;
	const struct shared *shared;
	struct weft_comm *comm;
	int me, size;
	uint64_t *given, *got;
	char told[600];			/* what it is at odds about; "" */
};

/* ---- calls ---- */

/* From start to end, so far as it goes, and what was told. */
static int make_call(struct player *p, const struct wording *w)
{
	struct deed d = w->deed;
	const struct terms terms = {
		.comm = p->comm, .type = &weft_type_uint64,
		.op = w->op, .given = p->given, .got = p->got, .stride = 8
	};
	struct weft_request *req = NULL;
	const char *why = "";
	int status;

	d.size = p->size;
	d.shape = 1;
	status = play_call(&d, &terms, &req);
	if (!status && d.form == PERSISTENT)
		status = weft_request_start(req);
	if (!status && req) {
		status = weft_request_wait(req);
		why = weft_request_error(req);
	} else if (status) {
		why = weft_error_text(p->s.job);
	}
	snprintf(p->told, sizeof(p->told), "%s", why);
	ok(&p->s, weft_request_free(&req), "free");
	return status;
}

static bool names_rank(const struct player *p, const char *text, int rank)
{
	char name[40];

	rank = (rank + p->size) % p->size;
	snprintf(name, sizeof(name), "rank %d on host ", rank);
	return strstr(text, name);
}

/* Names the odd one, one of its neighbours, and what they have called. */
static bool is_sentence(const struct player *p, const char *text)
{
	const struct difference *d = p->shared->what;
	int odd = p->shared->odd;

	return strstr(text, " differs: ") && names_rank(p, text, odd) &&
	       (names_rank(p, text, odd + 1) ||
		names_rank(p, text, odd - 1)) &&
	       strstr(text, d->odd.text) && strstr(text, d->even.text);
}

/* Who differs from a neighbour hears it by that call, if it blocks. */
static bool is_beside(const struct player *p)
{
	int far = abs(p->me - p->shared->odd);

	return far <= 1 || far == p->size - 1;
}

/*
 * Of others the call ends somehow: of what is called there it may know nothing,
 * and of other sizes more.  Those behind it do not begin.
 */
static void differ(struct player *p)
{
	const struct difference *d = p->shared->what;
	bool odd = p->me == p->shared->odd;
	const struct wording *own = odd ? &d->odd : &d->even;
	int status = make_call(p, own);

	if (is_beside(p) && own->deed.form != ONCE && !is_sentence(p, p->told))
		wf_sim_fail(p->s.rank, "%s, rank %d, that call: %s: %s",
			    d->name, p->shared->odd, weft_status_name(status),
			    p->told);
	for (int i = 0; !is_sentence(p, p->told) && i < 4; i++)
		status = make_call(p, d->swapped && odd ? &d->even : &d->odd);
	if (status != WEFT_ERR_ARG || !is_sentence(p, p->told))
		wf_sim_fail(p->s.rank, "%s, rank %d: %s: %s", d->name,
			    p->shared->odd, weft_status_name(status),
			    p->told);
}

static void check_refusal(struct player *p, struct weft_comm *dup)
{
	struct weft_request *req = NULL;
	char first[600];

	snprintf(first, sizeof(first), "%s", p->told);
	if (weft_ibarrier(p->comm, &req) != WEFT_ERR_ARG ||
	    strcmp(weft_error_text(p->s.job), first))
		wf_sim_fail(p->s.rank, "later: %s",
			    weft_error_text(p->s.job));
	if (weft_barrier_init(p->comm, &req) != WEFT_ERR_ARG ||
	    strcmp(weft_error_text(p->s.job), first))
		wf_sim_fail(p->s.rank, "persistent: %s",
			    weft_error_text(p->s.job));
	use(&p->s, dup);
}

/* Messages of the same communicator. */
static void check_messages(struct player *p)
{
	int to = (p->me + 1) % p->size, from = (p->me + p->size - 1) % p->size;
	int64_t x = p->me, y = -1;

	struct weft_outgoing out = { &x, 1, &weft_type_int64, weft_to(to, 7) };
	struct weft_incoming in = {
		&y, 1, &weft_type_int64, weft_from(from, 7)
	};

	ok(&p->s, weft_sendrecv(p->comm, &out, &in, NULL), "sendrecv");
	if (y != from)
		wf_sim_fail(p->s.rank, "%d from rank %d", (int)y, from);
}

/*
 * Right ones first, of all schedules, and one that is still under way.  Others
 * may be ahead, and at odds.
 */
static void go_well(struct player *p, struct weft_request **req_p)
{
	static const struct wording before[CALLS] = {
		CALL(ALLREDUCE, BLOCKING, 2, 0, SUM, ""),
		CALL(BCAST, ONCE, 3, 1, NULL, ""),
		CALL(ALLTOALL, BLOCKING, 4, 0, NULL, ""),
		CALL(GATHER, PERSISTENT, 1, 1, NULL, "")
	};

	for (int i = 0; i < CALLS; i++)
		if (make_call(p, &before[i]) &&
		    !is_sentence(p, p->told))
			wf_sim_fail(p->s.rank, "call %d: %s", i, p->told);
	if (weft_ibarrier(p->comm, req_p) &&
	    !is_sentence(p, weft_error_text(p->s.job)))
		wf_sim_fail(p->s.rank, "ibarrier: %s",
			    weft_error_text(p->s.job));
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .shared = arg, .me = wf_sim_rank(rank) };
	struct weft_request *before;
	struct weft_comm *dup;

	if (!start(&p.s, rank))
		return;
	p.size = weft_comm_size(p.s.world);
	p.given = calloc((size_t)p.size * WORDS, sizeof(*p.given));
	p.got = calloc((size_t)p.size * WORDS, sizeof(*p.got));
	ok(&p.s, weft_comm_dup(p.s.world, &p.comm), "dup");
	ok(&p.s, weft_comm_dup(p.s.world, &dup), "dup");
	go_well(&p, &before);
	differ(&p);
	check_refusal(&p, dup);
	check_messages(&p);
	/* it was right, and may have ended well */
	if (before && weft_request_wait(before) && !is_sentence(&p,
						weft_request_error(before)))
		wf_sim_fail(rank, "%s", weft_request_error(before));
	ok(&p.s, weft_request_free(&before), "free");
	ok(&p.s, weft_comm_free(&p.comm), "free");
	ok(&p.s, weft_comm_free(&dup), "free");
	stop(&p.s);
	free(p.given);
	free(p.got);
}

static bool play_one(const struct difference *d, int ranks, int odd)
{
	struct shared shared = { d, odd };

	if (sim_flow_seeds(ranks, 2, env, program, &shared))
		return true;
	tap_diag("%s, rank %d", d->name, odd);
	return false;
}

/*
 * Of all sizes, by each rank in turn; and of one in which a pairwise call has
 * more legs than may be under way.
 */
static void play(const struct difference *d)
{
	static const int sizes[] = { 2, 3, 5, 9 };

	for (int i = 0; i < TAP_COUNT(sizes); i++)
		for (int odd = 0; odd < sizes[i]; odd++)
			if (!play_one(d, sizes[i], odd))
				return;
	play_one(d, MANY, 1);
}

static void play_some(int first, int n)
{
	for (int i = first; i < first + n; i++)
		play(&differences[i]);
}

static void arguments(void)
{
	play_some(0, 5);
}

static void order_and_form(void)
{
	play_some(5, 3);
}

static void ways(void)
{
	play_some(8, 2);
}

static void forms(void)
{
	play_some(10, TAP_COUNT(differences) - 10);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "operation, root, bytes, operation of a reduction",
		  arguments },
		{ "order, persistent or not", order_and_form },
		{ "calls that share no edge", ways },
		{ "nonblocking ones, and counts", forms },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
