/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Context ids in random programs of several processes.
 *
 * A program is a list of constructors per communicator; each process goes
 * through them in an interleaving of its own, only the order of the calls on
 * one communicator is common. idup, split and create_group make the child
 * usable later than they carve its id, free is local at any time. Asserted:
 * all members agree on an id, no process ever sees an id twice, and an unknown
 * id is classified as an observer of all processes knows it.
 */
#include "tests/tap.h"

#include "base/random.h"
#include "comm/cid.h"

#include <weft/status.h>

#include <stdint.h>

enum {
	RANKS = 10,
	CONSTRUCTORS = 200,
	NAMES = 1 + RANKS + 3 * CONSTRUCTORS,
	CALLS = CONSTRUCTORS + 1,	/* on one communicator */
	QUESTIONS = 3,			/* after each step */
	PATIENCE = 1000000		/* fruitless steps: a deadlock */
};

enum kind { DUP, IDUP, CREATE, SPLIT, CREATE_GROUP };
enum state { NONE, PENDING, LIVE, FREED };

struct call {
	enum kind kind;
	int first;		/* its children are consecutive names */
	int children;
};

struct range {
	bool given;
	uint64_t low;
	uint64_t end;
};

/* One communicator of the program; members are bits. */
struct comm {
	unsigned members;
	int ncalls;
	struct call calls[CALLS];
	struct range id;	/* its block, once any member has it */
	struct range refill[CALLS];
	struct range group;	/* what its minter sent for create_group */
};

/* A communicator as one process has it. */
struct view {
	enum state state;
	bool entered;		/* in the table of live contexts */
	int called;
	enum kind kind;
	int parent;
	uint64_t low;
	uint64_t end;
	struct wf_cid_pool pool;
};

struct process {
	struct wf_cid_space space;
	struct view views[NAMES];
	int agenda[NAMES];
	int nagenda;
	int named[NAMES];	/* what a message can come for */
	int nnamed;
	uint64_t seen[NAMES];
	int nseen;
	int pause;
};

static struct wf_random dice;
static struct comm comms[NAMES];
static struct process processes[RANKS];
static int ncomms;
static bool enter_at_carve;
static struct {
	long refills;
	long asked;
	long lost;		/* still to come, taken for freed */
	long parked;		/* freed, taken for still to come */
} counts;

static int below(int n)
{
	return (int)wf_random_below(&dice, (uint64_t)n);
}

static unsigned subset(unsigned members)
{
	unsigned some;

	do
		some = members & (unsigned)wf_random_u64(&dice);
	while (!some);
	return some;
}

static int first_of(unsigned members)
{
	return __builtin_ctz(members);
}

/* The program */

static void add_call(int parent, enum kind kind, const unsigned *groups, int n)
{
	struct comm *comm = &comms[parent];

	comm->calls[comm->ncalls++] = (struct call){ kind, ncomms, n };
	for (int i = 0; i < n; i++) {
		memset(&comms[ncomms], 0, sizeof(comms[ncomms]));
		comms[ncomms++].members = groups[i];
	}
}

/* Larger groups and recent communicators more often: that makes deep trees. */
static int draw_parent(void)
{
	int from = below(10) < 4 ? ncomms * 3 / 4 : 0;
	int best = from + below(ncomms - from);

	for (int i = 0; i < 2; i++) {
		int name = from + below(ncomms - from);

		if (__builtin_popcount(comms[name].members) >
		    __builtin_popcount(comms[best].members))
			best = name;
	}
	return best;
}

static void draw_split(int parent)
{
	unsigned colour[4] = { 0, 0, 0, 0 };
	unsigned groups[3];
	int n = 0;

	for (int r = 0; r < RANKS; r++)
		if (comms[parent].members >> r & 1)
			colour[below(4)] |= 1u << r;
	for (int c = 0; c < 3; c++)	/* the fourth gets no communicator */
		if (colour[c])
			groups[n++] = colour[c];
	add_call(parent, SPLIT, groups, n);
}

static void draw_call(void)
{
	static const enum kind kinds[] = {
		DUP, DUP, IDUP, IDUP, CREATE, SPLIT, CREATE_GROUP
	};
	int parent = draw_parent();
	enum kind kind = kinds[below(7)];
	unsigned all = comms[parent].members;
	unsigned groups[2] = { all, 0 };
	int n = 1;

	if (kind == SPLIT) {
		draw_split(parent);
		return;
	}
	if (kind == CREATE || kind == CREATE_GROUP) {
		groups[0] = subset(all);
		groups[1] = all & ~groups[0];
	}
	if (kind == CREATE && groups[1] && below(2))
		n = 2;
	add_call(parent, kind, groups, n);
}

static void draw_program(void)
{
	unsigned single[RANKS];

	memset(&comms[0], 0, sizeof(comms[0]));
	comms[0].members = (1u << RANKS) - 1;
	ncomms = 1;
	for (int r = 0; r < RANKS; r++)
		single[r] = 1u << r;
	add_call(0, SPLIT, single, RANKS);
	for (int i = 0; i < CONSTRUCTORS; i++)
		draw_call();
}

/* Its execution */

static bool enter(struct process *p, struct view *view)
{
	view->entered = true;
	return TAP_EQUAL(wf_cid_enter(&p->space, view->low, view->end,
				      &view->pool), WEFT_OK);
}

static void activate(struct process *p, int name)
{
	struct view *view = &p->views[name];

	if (!view->entered)
		enter(p, view);
	view->state = LIVE;
}

/* The child has its id; a call that communicates makes it usable later. */
static void begin(int rank, int name, const struct range *block, int parent,
		  enum kind kind)
{
	struct process *p = &processes[rank];
	struct view *view = &p->views[name];

	if (!comms[name].id.given) {
		comms[name].id = *block;
		for (int r = 0; r < RANKS; r++)
			if (comms[name].members >> r & 1)
				processes[r].named[processes[r].nnamed++] =
					name;
	}
	TAP_CHECK(comms[name].id.low == block->low &&
		  comms[name].id.end == block->end);
	for (int i = 0; i < p->nseen; i++)
		TAP_CHECK(p->seen[i] != block->low);
	p->seen[p->nseen++] = block->low;
	*view = (struct view){ .state = PENDING, .kind = kind,
			       .parent = parent, .low = block->low,
			       .end = block->end };
	p->agenda[p->nagenda++] = name;
	if (enter_at_carve)
		enter(p, view);
	if (kind == DUP || kind == CREATE)
		activate(p, name);
}

/* Carves, after a refill if the pool is empty; false: wait for its minter. */
static bool next_block(int rank, int name, struct range *block)
{
	struct process *p = &processes[rank];
	struct wf_cid_pool *pool = &p->views[name].pool;
	struct range *sent = &comms[name].refill[pool->refills];

	block->given = true;
	if (wf_cid_carve(pool, &block->low, &block->end) == WEFT_OK)
		return true;
	if (rank == first_of(comms[name].members)) {
		TAP_EQUAL(wf_cid_mint_refill(&p->space, pool, &sent->low,
					     &sent->end), WEFT_OK);
		sent->given = true;
		counts.refills++;
	}
	if (!sent->given)
		return false;
	wf_cid_refill(pool, sent->low, sent->end);
	return wf_cid_carve(pool, &block->low, &block->end) == WEFT_OK;
}

static bool group_block(int rank, int name, struct range *block)
{
	struct range *sent = &comms[name].group;

	if (rank == first_of(comms[name].members)) {
		TAP_EQUAL(wf_cid_mint(&processes[rank].space, &sent->low,
				      &sent->end), WEFT_OK);
		sent->given = true;
	}
	*block = *sent;
	return sent->given;
}

static bool do_call(int rank, int name, const struct call *call)
{
	struct process *p = &processes[rank];
	struct range block = { false, 0, 0 };
	int mine = -1;

	for (int i = 0; i < call->children; i++)
		if (comms[call->first + i].members >> rank & 1)
			mine = call->first + i;
	if (call->kind == CREATE_GROUP) {
		if (mine >= 0 && !group_block(rank, mine, &block))
			return false;
	} else if (!next_block(rank, name, &block)) {
		return false;
	}
	p->views[name].called++;
	if (mine >= 0)
		begin(rank, mine, &block, name, call->kind);
	else if (block.given)
		wf_cid_pass_over(&p->space, block.low, block.end);
	return true;
}

/* free is deferred only while a child is being made. */
static bool do_free(struct process *p, int name, int at)
{
	p->agenda[at] = p->agenda[--p->nagenda];
	if (name == 0)
		return true;
	wf_cid_free(&p->space, &p->views[name].pool);
	p->views[name].entered = false;
	p->views[name].state = FREED;
	return true;
}

/* False: this process waits for a minter, or for its own earlier call. */
static bool step(int rank)
{
	struct process *p = &processes[rank];
	int at = below(p->nagenda), name = p->agenda[at];
	bool making = false, blocked = false;

	if (p->views[name].state == PENDING) {
		activate(p, name);
		return true;
	}
	for (int i = 0; i < p->nagenda; i++) {
		const struct view *child = &p->views[p->agenda[i]];

		if (child->state == PENDING && child->parent == name) {
			making = true;
			blocked |= child->kind != IDUP;
		}
	}
	if (p->views[name].called == comms[name].ncalls)
		return !making && do_free(p, name, at);
	return !blocked && do_call(rank, name,
				   &comms[name].calls[p->views[name].called]);
}

/* A message arrives for a communicator of p that is not live there. */
static void ask(struct process *p)
{
	int name = p->nnamed ? p->named[below(p->nnamed)] : 0;
	const struct view *view = &p->views[name];
	bool freed;

	if (view->state == LIVE || !comms[name].id.given)
		return;
	freed = !view->entered &&
		wf_cid_is_freed(&p->space, comms[name].id.low);
	counts.asked++;
	counts.lost += freed && view->state != FREED;
	counts.parked += !freed && view->state == FREED;
}

static void start_processes(const struct wf_cid_rules *rules, size_t keep)
{
	static const int pauses[] = { 1, 2, 20 };

	for (int r = 0; r < RANKS; r++) {
		struct process *p = &processes[r];

		memset(p, 0, sizeof(*p));
		wf_cid_space_init(&p->space, 1 << 24, r, rules, keep);
		p->views[0].state = LIVE;
		p->views[0].pool = wf_cid_world(&p->space);
		p->nagenda = 1;
		p->pause = pauses[below(3)];
	}
}

static void execute(const struct wf_cid_rules *rules, size_t keep)
{
	int left = RANKS, idle = 0;

	start_processes(rules, keep);
	while (left && TAP_CHECK(idle < PATIENCE)) {
		int rank = below(RANKS);
		struct process *p = &processes[rank];

		if (!p->nagenda || below(p->pause))
			continue;
		idle = step(rank) ? 0 : idle + 1;
		for (int i = 0; !idle && i < QUESTIONS; i++)
			ask(&processes[below(RANKS)]);
		left -= !p->nagenda;
	}
	for (int r = 0; r < RANKS; r++)
		wf_cid_space_fini(&processes[r].space);
}

static void run_programs(const struct wf_cid_rules *rules, size_t keep)
{
	long seeds = tap_figure("SEEDS", 12);

	memset(&counts, 0, sizeof(counts));
	for (long seed = 1; seed <= seeds; seed++) {
		wf_random_init(&dice, (uint64_t)seed);
		draw_program();
		enter_at_carve = seed & 1;
		execute(rules, keep);
		if (tap.failures) {
			tap_diag("seed %ld", seed);
			return;
		}
	}
	tap_diag("%ld refills, %ld unknown ids, %ld lost, %ld parked",
		 counts.refills, counts.asked, counts.lost, counts.parked);
	TAP_EQUAL(counts.lost, 0);
	TAP_CHECK(counts.asked > 100 * seeds);
}

static void usual(void)
{
	run_programs(NULL, 0);
	TAP_EQUAL(counts.parked, 0);
}

static void small_pools(void)
{
	static const struct wf_cid_rules rules = { 1 << 10, 1 << 4, 64 };

	run_programs(&rules, 0);
	TAP_EQUAL(counts.parked, 0);
}

static void tiny_pools(void)
{
	static const struct wf_cid_rules rules = { 1 << 5, 1 << 2, 1 << 16 };

	run_programs(&rules, 0);
	TAP_EQUAL(counts.parked, 0);
	TAP_CHECK(counts.refills > 0);
}

static void no_pools(void)
{
	static const struct wf_cid_rules rules = { 2, 1, 1 << 16 };

	run_programs(&rules, 0);
	TAP_EQUAL(counts.parked, 0);
	TAP_CHECK(counts.refills > 0);
}

/* What is forgotten is parked, never lost. */
static void few_ranges(void)
{
	static const struct wf_cid_rules rules = { 1 << 5, 1 << 2, 1 << 16 };

	run_programs(&rules, 2);
	TAP_CHECK(counts.parked > 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the usual rules", usual },
		{ "small pools", small_pools },
		{ "tiny pools: refills", tiny_pools },
		{ "no pools: a refill for nearly every call", no_pools },
		{ "two ranges per owner kept", few_ranges },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
