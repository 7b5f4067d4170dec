/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that make the same collective calls, with WEFT_CHECK=2: nothing differs
 * for who is slow, far ahead, dead or gone, frees a communicator while marks
 * are under way, or has bad arguments; and mails that are no marks change
 * nothing.
 */
#include "comm/accord.h"
#include "tests/coll/play_coll.h"
#include "tests/sim/scene.h"

enum {
	AHEAD = 60,			/* calls */
	LONG_NS = 400000000		/* longer than a wait is young */
};

static char radix[sizeof("WEFT_COLL=radix:16")] = "WEFT_COLL=radix:8";
static char *env[] = {
	"WEFT_CHECK=2", "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256",
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=256m", radix, NULL
};

static const struct weft_type *const word = &weft_type_int64;

/* ---- right programs ---- */

static void right_program(struct wf_sim_rank *rank, void *arg)
{
	const uint64_t *seed = arg;
	struct play_coll play = { .seed = *seed, .deeds = 40, .most = 300 };
	struct scene s;

	if (!start(&s, rank))
		return;
	play.comm = s.world;
	play_coll(&play);
	if (play.why[0])
		wf_sim_fail(rank, "%s", play.why);
	stop(&s);
}

static void right(void)
{
	static const char *const radixes[] = { "2", "4", "8", "16" };
	static const int sizes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17 };
	uint64_t first = (uint64_t)tap_figure("FIRST_SEED", 1);
	uint64_t runs = (uint64_t)tap_figure("SEEDS", 2) * TAP_COUNT(sizes);

	for (uint64_t seed = first; seed < first + runs; seed++) {
		struct wf_sim_options options;

		snprintf(radix, sizeof(radix), "WEFT_COLL=radix:%s",
			 radixes[seed % 4]);
		wf_sim_options_init(&options, sizes[seed % TAP_COUNT(sizes)],
				    seed);
		wf_sim_options_vary(&options);
		options.environ = env;
		if (!sim_flow_run(&options, right_program, &seed))
			return;
	}
}

/* ---- who is slow, or far ahead ---- */

static void add_up(const struct scene *s, struct weft_comm *comm)
{
	int64_t n = 1;

	ok(s, weft_allreduce(comm, WEFT_IN_PLACE, weft_part(&n, 1, word),
			     &weft_op_sum), "allreduce");
	if (n != weft_comm_size(comm))
		wf_sim_fail(s->rank, "a sum of %d", (int)n);
}

/* One is late at each call, and all wait for it so long that they ask. */
static void slow_program(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 3; i++) {
		if (wf_sim_rank(rank) == i % weft_comm_size(s.world))
			pause_for(&s, LONG_NS);
		add_up(&s, s.world);
	}
	stop(&s);
}

/* Bounds of the time that the simulator waits for anything. */
static void be_patient(struct wf_sim_options *options)
{
	options->hang_ns = UINT64_C(20) * LONG_NS;
}

static void slow(void)
{
	for (int ranks = 2; ranks <= 9; ranks++)
		if (!sim_flow_seeds_set(ranks, 4, env, be_patient,
					slow_program, NULL))
			return;
}

/* Sums that all start in turn; rank `differs` makes one of them a maximum. */
struct course {
	int differs;			/* -1: nobody */
	int at;				/* that one */
};

static void start_all(const struct scene *s, const struct course *c,
		      int64_t *sum, struct weft_request **req)
{
	bool differs = wf_sim_rank(s->rank) == c->differs;
	static const int64_t one = 1;

	for (int i = 0; i < AHEAD; i++) {
		int status = weft_iallreduce(s->world, &one,
					     weft_part(&sum[i], 1, word),
					     differs && i == c->at ?
					     &weft_op_max : &weft_op_sum,
					     &req[i]);

		if (status && c->differs < 0)
			wf_sim_fail(s->rank, "%s", weft_error_text(s->job));
	}
}

static void await_all(const struct scene *s, const struct course *c,
		      const int64_t *sum, struct weft_request **req)
{
	for (int i = 0; i < AHEAD; i++) {
		int status = req[i] ? weft_request_wait(req[i]) : WEFT_ERR_ARG;

		if (c->differs < 0 && (status ||
				       sum[i] != weft_comm_size(s->world)))
			wf_sim_fail(s->rank, "sum %d is %d: %s", i,
				    (int)sum[i], weft_request_error(req[i]));
		ok(s, weft_request_free(&req[i]), "free");
	}
}

/* What is found behind the start of a call is an error of a later one. */
static void check_odds(const struct scene *s, const struct course *c)
{
	int status = weft_barrier(s->world);
	const char *text = weft_error_text(s->job);
	char name[32];

	snprintf(name, sizeof(name), "collective %d of ", c->at + 1);
	if (c->differs < 0)
		ok(s, status, "barrier");
	else if (status != WEFT_ERR_ARG || !strstr(text, name))
		wf_sim_fail(s->rank, "not \"%s\", but %s: %s", name,
			    weft_status_name(status), text);
}

/*
 * All others are ahead of one by as many calls as there are.  Nobody leaves
 * before all have heard.
 */
static void ahead_program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[AHEAD] = { NULL };
	const struct course *c = arg;
	struct weft_comm *dup;
	int64_t sum[AHEAD];
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	if (wf_sim_rank(rank) == 1)
		linger(&s);
	start_all(&s, c, sum, req);
	await_all(&s, c, sum, req);
	check_odds(&s, c);
	use(&s, dup);
	ok(&s, weft_comm_free(&dup), "free");
	stop(&s);
}

static void ahead(void)
{
	for (int ranks = 2; ranks <= 9; ranks++) {
		struct course right = { -1, 0 };
		struct course wrong = { ranks / 2, 7 * ranks % AHEAD };

		if (!sim_flow_seeds(ranks, 3, env, ahead_program, &right) ||
		    !sim_flow_seeds(ranks, 3, env, ahead_program, &wrong))
			return;
	}
}

/* ---- who does not come ---- */

enum end { DIES, CLOSES };

struct loss {
	int rank;
	enum end how;
};

/* Others that hear of a close close, too, and may be named. */
static void check_loss(const struct scene *s, const struct loss *loss,
		       int status)
{
	char name[32] = "has closed its job";

	if (loss->how == DIES)
		snprintf(name, sizeof(name), "rank %d on host ", loss->rank);
	if (status != WEFT_ERR_PEER ||
	    !strstr(weft_error_text(s->job), name))
		wf_sim_fail(s->rank, "without rank %d: %s: %s", loss->rank,
			    weft_status_name(status),
			    weft_error_text(s->job));
}

/* Its neighbours wait for what it calls, the others for what it gives. */
static void loss_program(struct wf_sim_rank *rank, void *arg)
{
	const struct loss *loss = arg;
	int me = wf_sim_rank(rank);
	struct scene s;

	if (me == loss->rank && loss->how == DIES)
		wf_sim_doom(rank);
	if (!start(&s, rank))
		return;
	add_up(&s, s.world);
	if (me != loss->rank)
		check_loss(&s, loss, weft_barrier(s.world));
	else
		linger(&s);
	if (me == loss->rank && loss->how == DIES)
		wf_sim_die(rank);
	/* of a death the close tells, too */
	if (weft_job_close(s.job) && loss->how != DIES)
		wf_sim_fail(rank, "close: %s", weft_error_text(s.job));
}

static bool lose(int ranks, enum end how, uint64_t seed)
{
	struct loss loss = { (int)(seed % (unsigned)ranks), how };
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, seed);
	wf_sim_options_vary(&options);
	options.environ = env;
	if (how == DIES)
		options.kill_rank = loss.rank;
	return sim_flow_run(&options, loss_program, &loss);
}

static void losses(void)
{
	long first = tap_figure("FIRST_SEED", 1);
	long seeds = tap_figure("SEEDS", 30);

	for (long seed = first; seed < first + seeds; seed++)
		if (!lose(2 + (int)(seed % 8), DIES, (uint64_t)seed) ||
		    !lose(2 + (int)(seed % 8), CLOSES, (uint64_t)seed))
			return;
}

/* ---- marks that are under way ---- */

/* Its only collectives do not wait, and it is freed at once. */
static void free_program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req;
	struct weft_comm *comm;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 12; i++) {
		ok(&s, weft_comm_dup(s.world, &comm), "dup");
		ok(&s, weft_ibarrier(comm, &req), "ibarrier");
		ok(&s, weft_request_wait(req), "wait");
		ok(&s, weft_request_free(&req), "free");
		ok(&s, weft_comm_free(&comm), "free");
	}
	stop(&s);
}

static void freed(void)
{
	for (int ranks = 2; ranks <= 5; ranks++)
		if (!sim_flow_seeds(ranks, 20, env, free_program, NULL))
			return;
}

/* ---- what is not made, and what is no mark ---- */

/* One has bad arguments: of a call that is not made, and of one that is. */
static void refused_program(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), status;
	struct weft_request *req = NULL;
	int64_t x = 1;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (me == 1 && weft_bcast(s.world, weft_part(&x, 1, word), -1) !=
		       WEFT_ERR_RANGE)
		wf_sim_fail(rank, "root -1: %s", weft_error_text(s.job));
	add_up(&s, s.world);
	status = weft_bcast_init(s.world, weft_part(&x, 1, word),
				 me == 1 ? -1 : 0, &req);
	if (status != WEFT_ERR_RANGE || req)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	add_up(&s, s.world);
	stop(&s);
}

static void refused(void)
{
	for (int ranks = 2; ranks <= 9; ranks++)
		if (!sim_flow_seeds(ranks, 3, env, refused_program, NULL))
			return;
}

struct forgery {
	int from;			/* rank */
	uint8_t kind;
	uint16_t length;
	void (*spoil)(void *payload);
};

static void say_nothing(void *payload)
{
	(void)payload;
}

static void spoil_form(void *payload)
{
	((struct wf_mark *)payload)->form = WF_MARK_FORMS;
}

static void spoil_root(void *payload)
{
	((struct wf_mark *)payload)->root = -2;
}

static void spoil_end(void *payload)
{
	struct wf_mark *mark = payload;

	memset(mark->call, 'x', sizeof(mark->call));
}

static void spoil_text(void *payload)
{
	((struct wf_mark *)payload)->op_name[0] = 27;
}

static void spoil_order(void *payload)
{
	((struct wf_mark *)payload)->order = 0;
}

static void forge(const struct scene *s, const struct forgery *f)
{
	uint64_t dropped = s->job->mailbox.dropped;
	struct wf_peer *peer = wf_comm_peer(s->world, f->from);
	const struct wf_mail head = {
		.kind = f->kind, .length = f->length, .word = WF_PORT_MARKS,
		.context = s->world->id
	};
	union {
		struct wf_mark mark;
		char text[WF_ERROR_TEXT + 1];
	} payload;

	memset(&payload, 0, sizeof(payload));
	payload.mark = (struct wf_mark){
		.order = 1000, .root = -1, .call = "weft_barrier"
	};
	f->spoil(&payload);
	wf_mail_deliver(s->job, peer->ep, &head, &payload);
	if (s->job->mailbox.dropped != dropped + 1)
		wf_sim_fail(s->rank, "a forged mail is not dropped");
}

static void forged_program(struct wf_sim_rank *rank, void *arg)
{
	enum { MARK = sizeof(struct wf_mark) };
	static const struct forgery all[] = {
		{ 2, WF_MAIL_MARK, MARK, say_nothing },
		{ 1, WF_MAIL_MARK, MARK - 1, say_nothing },
		{ 1, WF_MAIL_MARK, MARK, spoil_form },
		{ 1, WF_MAIL_MARK, MARK, spoil_root },
		{ 1, WF_MAIL_MARK, MARK, spoil_end },
		{ 1, WF_MAIL_MARK, MARK, spoil_text },
		{ 1, WF_MAIL_MARK, MARK, spoil_order },
		{ 1, WF_MAIL_COLL, MARK, say_nothing },
		{ 1, WF_MAIL_ODDS, 0, say_nothing },
		{ 1, WF_MAIL_ODDS, 20, say_nothing },
		{ 1, WF_MAIL_ODDS, WF_ERROR_TEXT, say_nothing }
	};
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	/* with 4 ranks they are connected by then, each to each */
	add_up(&s, s.world);
	for (int i = 0; !wf_sim_rank(rank) && i < TAP_COUNT(all); i++)
		forge(&s, &all[i]);
	add_up(&s, s.world);
	stop(&s);
}

static void forged(void)
{
	sim_flow_seeds(4, 3, env, forged_program, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "right programs", right },
		{ "a slow rank", slow },
		{ "calls far ahead", ahead },
		{ "a rank that dies or leaves", losses },
		{ "freed with marks under way", freed },
		{ "bad arguments", refused },
		{ "mails that are no marks", forged },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
