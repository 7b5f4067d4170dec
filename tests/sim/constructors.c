/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs of all constructors of communicators, after the model of context
 * ids that tests/unit/cid_programs.c runs without a library: a tree of
 * communicators, groups that overlap, frees in between, and pools so small
 * that they are refilled.  Only the order of the calls on one communicator is
 * common; else each rank has its own.
 *
 * So that no program waits for itself: the calls have numbers, and one that
 * may wait is the lowest that its rank has not made yet.  Of several that wait
 * the lowest gets all that it waits for.  What cannot wait goes ahead at will.
 *
 * Seen from outside: all members have the same id and the same pool, no rank
 * ever has an id again, what is unknown is freed or still to come, and what
 * weft_context_query() says is what was done.
 */
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	MOST = 17,			/* ranks */
	CALLS = 80,			/* of a program, with those of groups */
	COLORS = 3,
	NAMES = 1 + COLORS * CALLS,
	REACH = 40,			/* calls that one may go ahead of */
	LOOKS = 8			/* for one that can, after each call */
};

enum kind { DUP, IDUP, CREATE, SPLIT, CREATE_GROUP, USE, KINDS };
enum state { NONE, PENDING, LIVE, FREED };

/* ---- the program, and what its ranks have of it ---- */

struct call {
	enum kind kind;
	int parent;			/* these are names */
	int first, n;			/* children, in a row */
	uint32_t who;			/* calls: bits, by rank of the world */
	uint64_t dice;
};

/* A communicator; the world is the first. */
struct comm {
	uint32_t members;
	bool has_id, has_pool;		/* at some member: */
	uint64_t id, end;
	struct wf_cid_pool pool;	/* after the last call */
};

static struct call calls[CALLS];
static struct comm comms[NAMES];
static int ncomms;

/* A communicator as one rank has it. */
struct view {
	enum state state;
	struct weft_comm *comm;
	struct weft_request *req;	/* while it is pending */
	int kind;
};

struct member {
	struct scene s;
	int me;
	struct wf_random own;
	uint64_t pause;			/* ns, at most */
	struct view view[NAMES];
	bool called[CALLS];
	int lowest;			/* call that is to be made */
	int ncalls, made, pending, freed;
	uint64_t refills;		/* of what is freed, */
	uint64_t left, minted;		/* ids: at first, and since */
	struct wf_map seen;		/* all ids that it ever had */
};

static struct member members[MOST];

static struct {
	long calls[KINDS];
	long ahead, refills, asked, frees;
} total;

static uint64_t below(struct wf_random *random, int n)
{
	return wf_random_below(random, (uint64_t)n);
}

static bool has(uint32_t ranks, int rank)
{
	return ranks >> rank & 1;
}

/* ---- drawing a program ---- */

static uint32_t subset(struct wf_random *random, uint32_t ranks)
{
	uint32_t some;

	do
		some = ranks & (uint32_t)wf_random_u64(random);
	while (!some);
	return some;
}

static int name_child(uint32_t ranks)
{
	comms[ncomms] = (struct comm){ .members = ranks };
	return ncomms++;
}

/* Larger groups and recent communicators more often: that makes deep trees. */
static int draw_parent(struct wf_random *random)
{
	int from = below(random, 10) < 4 ? ncomms * 3 / 4 : 0, best = -1;

	for (int i = 0; i < 3; i++) {
		int name = from + (int)below(random, ncomms - from);

		if (best < 0 || __builtin_popcount(comms[name].members) >
				__builtin_popcount(comms[best].members))
			best = name;
	}
	return best;
}

/* Two bits of the dice of each rank: the fourth colour is that of nobody. */
static void draw_colors(struct call *call)
{
	uint32_t ranks[COLORS + 1] = { 0 };

	for (int r = 0; r < MOST; r++)
		if (has(call->who, r))
			ranks[call->dice >> 2 * r & 3] |= 1u << r;
	for (int c = 0; c < COLORS; c++)
		if (ranks[c])
			name_child(ranks[c]);
}

static void draw_call(struct wf_random *random, struct call *call)
{
	static const enum kind kinds[] = {
		DUP, DUP, IDUP, IDUP, CREATE, SPLIT, CREATE_GROUP,
		CREATE_GROUP, USE
	};
	enum kind kind = kinds[below(random, TAP_COUNT(kinds))];
	int parent = draw_parent(random);
	uint32_t all = comms[parent].members, some = subset(random, all);

	*call = (struct call){ .kind = kind, .parent = parent, .who = all,
			       .first = ncomms,
			       .dice = wf_random_u64(random) };
	if (kind == SPLIT) {
		draw_colors(call);
	} else if (kind == CREATE) {
		name_child(some);
		if (call->dice & 1 && some != all)
			name_child(all & ~some);
	} else if (kind == CREATE_GROUP) {
		call->who = some;
		name_child(some);
	} else if (kind != USE) {
		name_child(all);
	}
	call->n = ncomms - call->first;
}

static void draw_program(struct wf_random *random, int ranks)
{
	ncomms = 0;
	name_child((1u << ranks) - 1);
	for (int i = 0; i < CALLS; i++)
		draw_call(random, &calls[i]);
}

/* ---- what is checked ---- */

static void broken(const struct member *m, int name, const char *what)
{
	wf_sim_fail(m->s.rank, "communicator %d of the program, by call kind "
		    "%d: %s", name, m->view[name].kind, what);
}

/* New to this rank; the first member that has it tells the others how. */
static void check_new(struct member *m, int name)
{
	struct weft_comm *made = m->view[name].comm;
	struct comm *c = &comms[name];

	if (weft_comm_size(made) != __builtin_popcount(c->members))
		broken(m, name, "another size");
	if (wf_map_get(&m->seen, made->id))
		broken(m, name, "the rank had its id before");
	if (wf_map_put(&m->seen, made->id, m))
		broken(m, name, "no memory");
	if (!c->has_id) {
		c->has_id = true;
		c->id = made->id;
		c->end = made->pool.end;
	}
	if (c->id != made->id)
		broken(m, name, "members have different ids");
	if (c->end != made->pool.end)
		broken(m, name, "members have different pools");
}

static bool all_called(const struct member *m, int name)
{
	for (int i = m->lowest; i < CALLS; i++)
		if (calls[i].parent == name && has(calls[i].who, m->me) &&
		    !m->called[i])
			return false;
	return true;
}

/* Ids that rank 0 has minted for refills so far. */
static uint64_t minted_for(const struct member *m, unsigned refills)
{
	const struct wf_cid_rules *rules = &wf_contexts(m->s.job)->ids.rules;
	uint64_t sum = 0;

	for (unsigned i = 0; i < refills; i++)
		sum += rules->cap == UINT64_MAX ? rules->mint :
						  rules->mint << i;
	return sum;
}

/* After the last call on it all members have come to the same end. */
static void check_pool(const struct member *m, int name)
{
	const struct wf_cid_pool *own = &m->view[name].comm->pool;
	struct wf_cid_pool *pool = &comms[name].pool;

	if (!comms[name].has_pool)
		*pool = *own;
	comms[name].has_pool = true;
	if (own->next != pool->next || own->end != pool->end ||
	    own->refills != pool->refills)
		broken(m, name, "members have different pools at its end");
}

static void check_figures(const struct member *m)
{
	uint64_t refills = m->refills, minted = m->minted;
	int live = 0;
	struct weft_contexts got;

	for (int i = 0; i < ncomms; i++) {
		struct weft_comm *comm = m->view[i].comm;

		if (m->view[i].state != LIVE)
			continue;
		live++;
		refills += comm->pool.refills;
		if (!weft_comm_rank(comm))
			minted += minted_for(m, comm->pool.refills);
	}
	ok(&m->s, weft_context_query(m->s.job, &got), "query");
	if (got.made != (uint64_t)m->made || got.live != (uint64_t)live ||
	    got.refills != refills || got.left != m->left - minted)
		wf_sim_fail(m->s.rank, "%llu made, %d wanted; %llu live, %d; "
			    "%llu refills, %llu; %llu left, %llu",
			    got.made, m->made, got.live, live, got.refills,
			    (unsigned long long)refills, got.left,
			    (unsigned long long)(m->left - minted));
}

/* A message may come for what others have: is it known what to do? */
static void ask(const struct member *m, int name)
{
	const struct wf_contexts *ctx = wf_contexts(m->s.job);
	bool freed = m->view[name].state == FREED;

	if (!has(comms[name].members, m->me) || !comms[name].has_id ||
	    m->view[name].state == LIVE ||
	    wf_map_get(&ctx->comms, comms[name].id))
		return;
	total.asked++;
	if (wf_cid_is_freed(&ctx->ids, comms[name].id) != freed)
		broken(m, name, freed ? "freed, and taken for one to come" :
		       "to come, and taken for freed");
}

/* ---- a call ---- */

/* The ranks of a communicator of the program, in an order that all draw. */
static struct weft_group *group_of(const struct member *m, int name,
				   uint64_t dice)
{
	struct weft_group *all = NULL, *part = NULL;
	struct wf_random random;
	int ranks[MOST], n = 0;

	wf_random_init(&random, dice + (uint64_t)name);
	for (int r = 0; r < MOST; r++) {
		int at = (int)below(&random, n + 1);

		if (!has(comms[name].members, r))
			continue;
		ranks[n++] = ranks[at];
		ranks[at] = r;
	}
	ok(&m->s, weft_comm_group(m->s.world, &all), "group");
	ok(&m->s, weft_group_incl(all, n, ranks, &part), "incl");
	ok(&m->s, weft_group_free(&all), "free group");
	return part;
}

/* -1: none. */
static int child_of(const struct member *m, const struct call *call)
{
	for (int i = 0; i < call->n; i++)
		if (has(comms[call->first + i].members, m->me))
			return call->first + i;
	return -1;
}

static void arrived(struct member *m, int name)
{
	m->view[name].state = LIVE;
	m->made++;
	check_new(m, name);
}

/* Of one that is pending; all calls below the one that made it are made. */
static void await(struct member *m, int name)
{
	struct view *view = &m->view[name];

	ok(&m->s, weft_request_wait(view->req), "wait");
	ok(&m->s, weft_request_free(&view->req), "free request");
	m->pending--;
	arrived(m, name);
}

static struct weft_comm *create(struct member *m, const struct call *call,
				int child)
{
	struct weft_group *group = group_of(m, child < 0 ? call->first : child,
					    call->dice);
	struct weft_comm *of = m->view[call->parent].comm, *made = NULL;

	if (call->kind == CREATE) {
		ok(&m->s, weft_comm_create(of, group, &made), "create");
	} else {
		ok(&m->s, weft_comm_create_group(of, group,
						 (int)(call->dice % 3), &made),
		   "create_group");
		if (!weft_group_rank(group))
			m->minted += wf_contexts(m->s.job)->ids.rules.mint;
	}
	ok(&m->s, weft_group_free(&group), "free group");
	return made;
}

static struct weft_comm *construct(struct member *m, const struct call *call,
				   int child)
{
	struct weft_comm *of = m->view[call->parent].comm, *made = NULL;

	switch (call->kind) {
	case DUP:
		ok(&m->s, weft_comm_dup(of, &made), "dup");
		break;
	case SPLIT:
		ok(&m->s, weft_comm_split(of, child < 0 ? WEFT_UNDEFINED :
					  child - call->first,
					  (int)(call->dice >> m->me & 1),
					  &made), "split");
		break;
	case CREATE:
	case CREATE_GROUP:
		made = create(m, call, child);
		break;
	default:
		use(&m->s, of);
	}
	return made;
}

static void make(struct member *m, int at)
{
	const struct call *call = &calls[at];
	int child = child_of(m, call);
	struct view *view = child < 0 ? NULL : &m->view[child];
	struct weft_comm *made;

	m->called[at] = true;
	m->ncalls++;
	total.calls[call->kind]++;
	if (view)
		view->kind = (int)call->kind;
	if (call->kind == IDUP) {
		view->state = PENDING;
		m->pending++;
		ok(&m->s, weft_comm_idup(m->view[call->parent].comm,
					 &view->comm, &view->req), "idup");
		return;
	}
	made = construct(m, call, child);
	if ((made != NULL) != (child >= 0)) {
		wf_sim_fail(m->s.rank, "call %d of kind %d made %s", at,
			    (int)call->kind, made ? "one" : "none");
	} else if (made) {
		view->comm = made;
		arrived(m, child);
	}
}

/* ---- in an order of its own ---- */

/* Neither waits nor changes the order of calls on its communicator. */
static bool may_go_ahead(const struct member *m, int at)
{
	const struct view *of = &m->view[calls[at].parent];
	enum kind kind = calls[at].kind;

	if (m->called[at] || !has(calls[at].who, m->me) || of->state != LIVE ||
	    kind == USE || kind == SPLIT || kind == CREATE_GROUP)
		return false;
	for (int i = m->lowest; i < at; i++)
		if (calls[i].parent == calls[at].parent && !m->called[i] &&
		    has(calls[i].who, m->me))
			return false;
	return kind == IDUP || (of->comm->pool.next < of->comm->pool.end &&
				wf_list_empty(&of->comm->takers));
}

static bool go_ahead(struct member *m)
{
	int at = CALLS;

	for (int i = 0; i < LOOKS; i++) {
		at = m->lowest + 1 + (int)below(&m->own, REACH);
		if (at < CALLS && may_go_ahead(m, at))
			break;
		at = CALLS;
	}
	if (at == CALLS)
		return false;
	total.ahead++;
	make(m, at);
	return true;
}

static void go_on(struct member *m)
{
	int parent = calls[m->lowest].parent;

	if (m->view[parent].state == PENDING)
		await(m, parent);
	make(m, m->lowest);
}

static void skip_called(struct member *m)
{
	while (m->lowest < CALLS && (m->called[m->lowest] ||
				     !has(calls[m->lowest].who, m->me)))
		m->lowest++;
}

/* What has no calls any more, and nothing under way. */
static void free_one(struct member *m, int name)
{
	struct view *view = &m->view[name];
	unsigned refills;

	if (view->state != LIVE || !name || !all_called(m, name) ||
	    !wf_list_empty(&view->comm->takers))
		return;
	check_pool(m, name);
	refills = view->comm->pool.refills;
	m->refills += refills;
	if (!weft_comm_rank(view->comm))
		m->minted += minted_for(m, refills);
	ok(&m->s, weft_comm_free(&view->comm), "free");
	view->state = FREED;
	m->freed++;
	total.frees++;
}

/* What is done at any time. */
static void idle(struct member *m)
{
	int name = (int)below(&m->own, ncomms);
	struct view *view = &m->view[name];
	bool done = false;

	for (int i = 0; i < LOOKS; i++)
		ask(m, (int)below(&m->own, ncomms));
	free_one(m, (int)below(&m->own, ncomms));
	if (view->state == PENDING) {
		ok(&m->s, weft_request_test(view->req, &done), "test");
		if (done)
			await(m, name);
	}
	if (!m->pending && !below(&m->own, 4))
		check_figures(m);
	if (!below(&m->own, 3))
		wf_sim_idle(m->s.rank, wf_sim_now(m->s.rank) +
			    wf_random_below(&m->own, m->pause));
}

static bool begin(struct member *m, struct wf_sim_rank *rank, uint64_t seed)
{
	static const uint64_t pauses[] = { 100, 1000, 20000 };
	struct weft_contexts contexts;
	struct wf_random random;

	*m = (struct member){ .me = wf_sim_rank(rank) };
	if (!start(&m->s, rank))
		return false;
	wf_random_init(&m->own, wf_sim_seed(rank));
	m->pause = pauses[below(&m->own, 3)];
	/* The usual pools; small ones, whose refills are all alike or grow. */
	wf_random_init(&random, seed);
	if (seed % 4) {
		shrink_pools(&m->s, &random);
		wf_contexts(m->s.job)->ids.rules.cap =
			seed % 4 == 3 ? 1 << 16 : UINT64_MAX;
	}
	ok(&m->s, weft_context_query(m->s.job, &contexts), "query");
	m->left = contexts.left;
	m->view[0] = (struct view){ .state = LIVE, .comm = m->s.world };
	wf_map_init(&m->seen);
	if (wf_map_put(&m->seen, m->s.world->id, m))
		wf_sim_fail(rank, "no memory");
	return true;
}

static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct member *m = &members[wf_sim_rank(rank)];
	int wanted = 0;

	if (!begin(m, rank, *(const uint64_t *)arg))
		return;
	for (skip_called(m); m->lowest < CALLS; skip_called(m)) {
		if (below(&m->own, 2) || !go_ahead(m))
			go_on(m);
		idle(m);
	}
	for (int i = 0; i < ncomms; i++)
		if (m->view[i].state == PENDING)
			await(m, i);
	check_figures(m);
	for (int i = 0; i < ncomms; i++)
		if (m->view[i].state == LIVE)
			check_pool(m, i);
	for (int i = 0; i < CALLS; i++)
		wanted += has(calls[i].who, m->me);
	if (m->ncalls != wanted)
		wf_sim_fail(rank, "%d calls of %d", m->ncalls, wanted);
	total.refills += (long)wf_contexts(m->s.job)->refills;
	wf_map_fini(&m->seen);
	stop(&m->s);
}

/*
 * Each rank's calls count, and so do its refills; those that use a communicator
 * do not.  10000 seeds are more than four million calls.
 */
static void programs(void)
{
	long seeds = tap_figure("SEEDS", 250);
	long first = tap_figure("FIRST_SEED", 1), sum = 0;
	struct wf_random random;

	memset(&total, 0, sizeof(total));
	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		uint64_t dice = (uint64_t)seed;
		int ranks = 1 + (int)(seed % MOST);

		wf_random_init(&random, ~dice);
		draw_program(&random, ranks);
		wf_sim_options_init(&options, ranks, dice);
		wf_sim_options_vary(&options);
		if (!sim_flow_run(&options, any_program, &dice))
			return;
	}
	for (int i = 0; i < USE; i++)
		sum += total.calls[i];
	tap_diag("%ld calls: %ld dup, %ld idup, %ld create, %ld split, %ld "
		 "create_group", sum, total.calls[DUP], total.calls[IDUP],
		 total.calls[CREATE], total.calls[SPLIT],
		 total.calls[CREATE_GROUP]);
	tap_diag("%ld ahead of others, %ld refills, %ld freed, %ld unknown "
		 "ids", total.ahead, total.refills, total.frees, total.asked);
	TAP_CHECK(total.ahead && total.refills && total.frees && total.asked);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "programs of all constructors, 1 to 17 ranks", programs }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
