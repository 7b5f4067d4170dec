/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasts: of any root and in flight together, with calls between them that
 * synchronise; long ones, and what they take of memory; a root that runs ahead
 * of a slow leaf, as far as the links have slots and no further; a rank that
 * dies at any of its events.
 */
#include "coll/tree.h"
#include "tests/sim/scene.h"

enum {
	MOST = 6000,			/* bytes */
	FLIGHT = 12,
	STEPS = 40,
	AHEAD = 1000,
	SLOTS = 2 * WF_COLL_WINDOW	/* of a link */
};

/* Few bytes make every class; the usual tree, and one with many levels. */
static char *const wide[] = {
	"WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256", "WEFT_ARENA=64k",
	"WEFT_ARENA_MAX=256m", NULL
};
static char *const deep[] = {
	"WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256", "WEFT_ARENA=64k",
	"WEFT_ARENA_MAX=256m", "WEFT_COLL=radix:2", NULL
};

static const size_t sizes[] = {
	0, 1, 8, 28, 29, 56, 57, 300, 1024, 1025, 2048, 2049, MOST
};

/* ---- in flight ---- */

struct flight {
	struct weft_request *req;
	unsigned char *data;
	size_t n;
	int root;
	unsigned salt;
};

struct player {
	struct scene s;
	int me, size;
	struct wf_random own;		/* of this rank alone */
	struct flight flight[FLIGHT];
};

static unsigned char byte_of(const struct flight *f, size_t i)
{
	return (unsigned char)(f->salt + 31 * (unsigned)f->root + 7 * i +
			       (i >> 8));
}

static void fill(const struct player *p, struct flight *f)
{
	memset(f->data, 0x5a, MOST + 1);
	for (size_t i = 0; f->root == p->me && i < f->n; i++)
		f->data[i] = byte_of(f, i);
}

static void check(const struct player *p, const struct flight *f)
{
	size_t i = 0;

	while (i < f->n && f->data[i] == byte_of(f, i))
		i++;
	if (i < f->n || f->data[i] != 0x5a)
		wf_sim_fail(p->s.rank, "byte %zu of %zu from %d is wrong", i,
			    f->n, f->root);
}

static void finish(struct player *p, struct flight *f)
{
	if (!f->req)
		return;
	ok(&p->s, weft_request_wait(f->req), "wait");
	check(p, f);
	ok(&p->s, weft_request_free(&f->req), "free");
}

static void bcast(struct player *p, struct wf_random *all, bool blocks)
{
	struct flight *f = &p->flight[wf_random_below(all, FLIGHT)];

	finish(p, f);
	f->root = (int)wf_random_below(all, (uint64_t)p->size);
	f->n = sizes[wf_random_below(all, TAP_COUNT(sizes))];
	f->salt = (unsigned)wf_random_below(all, 251);
	fill(p, f);
	if (!blocks) {
		ok(&p->s, weft_ibcast(p->s.world,
				      weft_part(f->data, f->n, &weft_type_byte),
				      f->root, &f->req),
		   "ibcast");
		return;
	}
	ok(&p->s, weft_bcast(p->s.world,
			     weft_part(f->data, f->n, &weft_type_byte),
			     f->root), "bcast");
	check(p, f);
}

static void synchronise(struct player *p, uint64_t which)
{
	int64_t x = p->me + 1, sum, n = which == 1 ? p->size : p->me + 1;

	if (which == 0) {
		ok(&p->s, weft_barrier(p->s.world), "barrier");
		return;
	}
	ok(&p->s, (which == 1 ? weft_allreduce : weft_scan)
		  (p->s.world, &x, weft_part(&sum, 1, &weft_type_int64),
		   &weft_op_sum),
	   "a sum");
	if (sum != n * (n + 1) / 2)
		wf_sim_fail(p->s.rank, "the sum is %d", (int)sum);
}

static void compute(struct wf_sim_rank *rank, uint64_t ns)
{
	uint64_t until = wf_sim_now(rank) + ns;

	while (wf_sim_now(rank) < until)
		wf_sim_idle(rank, until);
}

static void play(struct player *p, struct wf_random *all)
{
	for (int i = 0; i < STEPS; i++) {
		uint64_t kind = wf_random_below(all, 12);

		if (kind < 3)
			synchronise(p, kind);
		else
			bcast(p, all, kind == 3);
		if (!wf_random_below(&p->own, 6))
			finish(p, &p->flight[wf_random_below(&p->own, FLIGHT)]);
		if (!wf_random_below(&p->own, 8))
			compute(p->s.rank, wf_random_below(&p->own, 100000));
	}
	for (int i = 0; i < FLIGHT; i++)
		finish(p, &p->flight[i]);
}

static void in_flight(struct wf_sim_rank *rank, void *arg)
{
	uint64_t seed = *(const uint64_t *)arg;
	unsigned char *memory = malloc(FLIGHT * (MOST + 1));
	struct player p = { .me = wf_sim_rank(rank) };
	struct wf_random all;

	p.size = wf_sim_size(rank);
	wf_random_init(&all, seed);
	wf_random_init(&p.own, seed * 1000003 + (uint64_t)p.me);
	if (!memory || !start(&p.s, rank)) {
		free(memory);
		return;
	}
	for (int i = 0; i < FLIGHT; i++)
		p.flight[i].data = memory + i * (MOST + 1);
	play(&p, &all);
	stop(&p.s);
	free(memory);
}

static bool fly(int ranks, uint64_t seed)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, seed);
	wf_sim_options_vary(&options);
	wf_sim_options_harden(&options);
	options.environ = seed % 2 ? wide : deep;
	return sim_flow_run(&options, in_flight, &seed);
}

static void mixed(void)
{
	long seeds = tap_figure("SEEDS", 2);
	long first = tap_figure("FIRST_SEED", 1);

	for (int ranks = 1; ranks <= 33; ranks++)
		for (long seed = first; seed < first + seeds; seed++)
			if (!fly(ranks, (uint64_t)(seed * 64 + ranks)))
				return;
}

/* ---- long ones ---- */

enum {
	LONGEST = 4 << 20,
	IN_A_ROW = 3
};

/* The usual limits of classes. */
static char *const usual[] = { "WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL };
static char *const narrow[] = {
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", "WEFT_COLL=radix:2", NULL
};

static const struct wf_tree *tree_of(const struct weft_comm *comm)
{
	return wf_container(comm->coll.schedule[WF_COLL_TREE], struct wf_tree,
			    schedule.cargo);
}

/* Some of one length, from roots that follow each other, at once. */
static void fly_long(struct player *p, size_t n, int root)
{
	for (int i = 0; i < IN_A_ROW; i++) {
		struct flight *f = &p->flight[i];

		f->root = (root + i) % p->size;
		f->n = n;
		f->salt = (unsigned)(n + (size_t)i);
		memset(f->data, 0x5a, n + 1);
		for (size_t k = 0; f->root == p->me && k < n; k++)
			f->data[k] = byte_of(f, k);
		ok(&p->s, weft_ibcast(p->s.world,
				      weft_part(f->data, n, &weft_type_byte),
				      f->root, &f->req), "ibcast");
	}
	for (int i = 0; i < IN_A_ROW; i++)
		finish(p, &p->flight[i]);
}

/*
 * However long, a link takes its chunk slots, and that of memory that peers
 * cannot write alone.
 */
static void expect_memory(const struct player *p, uint64_t before, bool heap)
{
	const struct weft_job *job = p->s.job;
	uint64_t area = WF_AREA_CHUNKS * job->dev[0]->chunk + 4096;
	uint64_t most = before + 4096 +
			(heap ? area * (uint64_t)tree_of(p->s.world)->nlinks :
				0);

	if (job->segment.used > most)
		wf_sim_fail(p->s.rank, "%llu bytes are used, not %llu",
			    (unsigned long long)job->segment.used,
			    (unsigned long long)most);
}

static void in_length(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = {
		65536, 65537, 300001, (1 << 20) + 5, LONGEST
	};
	bool heap = *(const uint64_t *)arg % 2;
	struct player p = { .me = wf_sim_rank(rank) };
	uint64_t used = 0;

	p.size = wf_sim_size(rank);
	if (!start(&p.s, rank))
		return;
	for (int i = 0; i < IN_A_ROW; i++) {
		void *at = heap ? malloc(LONGEST + 1) : NULL;

		if (!heap)
			ok(&p.s, weft_mem_alloc(p.s.job, LONGEST + 1, &at),
			   "memory");
		p.flight[i].data = at;
	}
	for (size_t i = 0; i < TAP_COUNT(lengths); i++) {
		for (int root = 0; root < p.size; root += IN_A_ROW)
			fly_long(&p, lengths[i], root);
		if (i == 0)		/* the slots are there */
			used = p.s.job->segment.used;
	}
	expect_memory(&p, used, heap);
	for (int i = 0; i < IN_A_ROW; i++) {
		if (heap)
			free(p.flight[i].data);
		else
			weft_mem_free(p.s.job, p.flight[i].data);
	}
	stop(&p.s);
}

static void long_ones(void)
{
	static const int ranks[] = { 2, 3, 5, 9 };

	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, ranks[seed / 2 % 4], seed);
		wf_sim_options_vary(&options);
		options.environ = seed % 4 < 2 ? usual : narrow;
		if (!sim_flow_run(&options, in_length, &seed))
			return;
	}
}

/* ---- running ahead ---- */

struct race {
	int leaf, hops;			/* from rank 0 */
	int started;			/* broadcasts that the root is through
					   with while the leaf computes */
	bool exact;
};

static void look(const struct scene *s, const struct race *race)
{
	int most = SLOTS * race->hops;

	compute(s->rank, 20000000);
	if (race->started > most || (race->exact && race->started < most))
		wf_sim_fail(s->rank, "the root is %d ahead, not %d",
			    race->started, most);
}

static void ahead(struct wf_sim_rank *rank, void *arg)
{
	struct race *race = arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < SLOTS; i++)	/* the channels are open then */
		give(&s, i);
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == race->leaf)
		look(&s, race);
	for (int i = 0; i < AHEAD; i++) {
		give(&s, i);
		race->started += !wf_sim_rank(rank);
	}
	stop(&s);
}

static void runs_ahead(void)
{
	static const struct { int ranks, leaf, hops; } some[] = {
		{ 2, 1, 1 }, { 8, 7, 1 }, { 9, 8, 2 }, { 64, 63, 2 }
	};

	for (size_t i = 0; i < TAP_COUNT(some); i++) {
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct race race = { some[i].leaf, some[i].hops, 0,
					     seed == 1 };
			struct wf_sim_options options;

			wf_sim_options_init(&options, some[i].ranks, seed);
			if (!race.exact)
				wf_sim_options_vary(&options);
			if (!sim_flow_run(&options, ahead, &race))
				return;
		}
	}
}

/* ---- what is kept ---- */

static int open_edges(const struct weft_comm *comm)
{
	const struct wf_tree *tree = tree_of(comm);
	const struct wf_set *set = tree->schedule.set;
	int n = 0;

	for (int i = 0; i < tree->nlinks; i++)
		n += set->out[i].told + set->in[i].told;
	return n;
}

static void expect_open(const struct scene *s, int want)
{
	int n = open_edges(s->world);

	if (n != want)
		wf_sim_fail(s->rank, "%d edges are open, not %d", n, want);
}

/* Larger and larger ones: the smaller slots go. */
static void grow(struct sim_flow *flow, const struct scene *s)
{
	static char data[900];
	const struct wf_tree *tree = tree_of(s->world);

	for (size_t n = 100; n <= sizeof(data); n *= 3)
		ok(s, weft_bcast(s->world, weft_part(data, n, &weft_type_byte),
				 0), "it");
	for (int i = 0; i < SLOTS; i++)
		give(s, i);
	sim_flow_settle(flow);
	give(s, 0);
	for (int i = 0; i < tree->nlinks; i++)
		if (tree->schedule.set->in[i].landing &&
		    tree->schedule.set->in[i].landing->older)
			wf_sim_fail(s->rank, "smaller slots are kept");
}

/* Radix 2: ranks 0 to 4 are in the blocks 0 1 | 2 and 3 4. */
static void kept(struct wf_sim_rank *rank, void *arg)
{
	static const int links[] = { 3, 1, 1, 2, 1 };
	struct sim_flow flow = { .rank = rank };
	struct sim_holdings before;
	struct weft_comm *dup;
	const int *more = arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	flow.job = s.job;
	ok(&s, weft_barrier(s.world), "barrier");
	sim_flow_settle(&flow);
	before = sim_flow_holdings(&flow);
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	flow.graph = s.world = dup;
	for (int i = 0; i < WF_MAILED_EPOCHS; i++)
		give(&s, i);
	expect_open(&s, 0);
	for (int i = 0; i < *more; i++)
		give(&s, i);
	if (*more)
		expect_open(&s, links[wf_sim_rank(rank)]);
	if (*more > SLOTS)
		grow(&flow, &s);
	sim_flow_settle(&flow);
	ok(&s, weft_comm_free(&dup), "free");
	sim_flow_settle(&flow);
	sim_flow_check_holdings(&flow, before);
	stop(&s);
}

static void opens_what_it_needs(void)
{
	for (int more = 0; more < 20; more++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, 5, 1 + (uint64_t)more);
		options.environ = deep;
		if (!sim_flow_run(&options, kept, &more))
			return;
	}
}

/* ---- death ---- */

struct end {
	int victim;
	bool opened;			/* by the victim */
	int heard;			/* survivors that heard its name */
};

/* Of all roots, of all classes, some in flight; stops at the first failure. */
static int until_it_fails(struct player *p)
{
	struct flight *f = p->flight;
	int status = WEFT_OK, waited;

	for (int i = 0; i < 12 && !status; i++, f = &p->flight[i % 3]) {
		f->root = (i * 5) % p->size;
		f->n = sizes[(i * 4 + 2) % (int)TAP_COUNT(sizes)];
		f->salt = (unsigned)i;
		fill(p, f);
		status = weft_ibcast(p->s.world,
				     weft_part(f->data, f->n, &weft_type_byte),
				     f->root, &f->req);
		for (int k = 0; k < 3 && !status && i % 3 == 2; k++) {
			status = weft_request_wait(p->flight[k].req);
			if (!status)
				check(p, &p->flight[k]);
		}
		for (int k = 0; k < 3 && (status || i % 3 == 2); k++) {
			waited = p->flight[k].req ?
				 weft_request_wait(p->flight[k].req) : WEFT_OK;
			status = status ? status : waited;
			ok(&p->s, weft_request_free(&p->flight[k].req), "free");
		}
	}
	return status;
}

static void survives(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .me = wf_sim_rank(rank) };
	struct end *end = arg;
	char name[16];
	int status;

	p.size = wf_sim_size(rank);
	p.s.rank = rank;
	if (wf_sim_job_open(rank, &p.s.job)) {
		if (end->opened)
			wf_sim_fail(rank, "cannot open the job");
		return;
	}
	end->opened |= p.me == end->victim;
	p.s.world = weft_job_world(p.s.job);
	for (int i = 0; i < 3; i++) {
		void *data;

		ok(&p.s, weft_mem_alloc(p.s.job, MOST + 1, &data), "memory");
		p.flight[i].data = data;
	}
	status = until_it_fails(&p);
	snprintf(name, sizeof(name), "rank %d ", end->victim);
	if (status && (status != WEFT_ERR_PEER ||
		       !strstr(weft_error_text(p.s.job), name)))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(p.s.job));
	end->heard += status == WEFT_ERR_PEER;
	for (int i = 0; i < 3; i++)
		weft_mem_free(p.s.job, p.flight[i].data);
	status = weft_job_close(p.s.job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

/* False: it lived to the end. */
static bool kill_at(struct end *end, uint64_t event)
{
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, 6, event);
	options.environ = event % 2 ? wide : deep;
	options.kill_rank = end->victim;
	options.kill_event = event;
	if (!TAP_EQUAL(wf_sim_run(&options, survives, end, &result), WEFT_OK))
		return false;
	if (result.violations)
		tap_diag("rank %d at event %d: %s", end->victim, (int)event,
			 result.text);
	return TAP_EQUAL(result.violations, 0) && result.killed >= 0;
}

static void dies(void)
{
	int heard = 0;

	for (int victim = 0; victim < 6; victim++) {
		struct end end = { .victim = victim };

		for (uint64_t event = 1; kill_at(&end, event); event++)
			end.opened = false;
		heard += end.heard;
	}
	TAP_CHECK(heard > 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "any root, in flight, with others between", mixed },
		{ "up to 4 MiB, in memory that does not grow", long_ones },
		{ "a root runs ahead of a slow leaf", runs_ahead },
		{ "edges are open where they are used", opens_what_it_needs },
		{ "a rank dies at any of its events", dies }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
