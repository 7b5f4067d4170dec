/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of more than 2^31 elements: of a type without bytes, of which all
 * that is wrong is a count, and of bytes, in memory that is the same few MiB
 * again and again, but at the end of each block.  Reductions are not among the
 * latter, as their scratch memory would be real.
 *
 * SEEDS=10000 for bytes in all of them, else it is a broadcast.
 */
#include "tests/coll/play_call.h"
#include "tests/sim/scene.h"

#include <sys/mman.h>
#include <unistd.h>

enum {
	RANKS = 3,
	PERIOD = 4 << 20,		/* bytes */
	PERIODS = 513			/* of a block; the last is its own */
};

static const size_t block = (size_t)PERIOD * PERIODS;

/* ---- no bytes ---- */

static void never(const void *in, void *inout, size_t n,
		  const struct weft_type *type, void *arg)
{
	(void)in, (void)inout, (void)n, (void)type;
	*(bool *)arg = true;
}

struct nothing {
	struct scene s;
	struct weft_type *empty, *wide;	/* of which an extent has 8 bytes */
	struct weft_op *op;
	bool called;
};

static void make_nothing(struct nothing *p)
{
	struct weft_op_options options;

	ok(&p->s, weft_type_contiguous(p->s.job, 0, &weft_type_byte,
				       &p->empty), "contiguous");
	ok(&p->s, weft_type_resized(p->s.job, p->empty, 0, 8, &p->wide),
	   "resized");
	ok(&p->s, weft_type_commit(p->wide), "commit");
	weft_op_options_init(&options, sizeof(options));
	options.call = never;
	options.arg = &p->called;
	ok(&p->s, weft_op_create(p->s.job, &options, &p->op), "op");
}

static void drop_nothing(struct nothing *p)
{
	ok(&p->s, weft_op_free(&p->op), "free op");
	ok(&p->s, weft_type_free(&p->wide), "free");
	ok(&p->s, weft_type_free(&p->empty), "free");
}

static void give_nothing(struct nothing *p, const struct deed *d)
{
	uint64_t given = 1, got = 2;
	const struct terms terms = {
		.comm = p->s.world, .type = p->wide, .op = p->op,
		.given = &given, .got = &got
	};
	struct weft_request *req = NULL;

	ok(&p->s, play_call(d, &terms, &req), "call");
	for (int i = 0; i < 2 && d->form == PERSISTENT; i++) {
		ok(&p->s, weft_request_start(req), "start");
		ok(&p->s, weft_request_wait(req), "wait");
	}
	if (d->form == ONCE)
		ok(&p->s, weft_request_wait(req), "wait");
	ok(&p->s, weft_request_free(&req), "free");
	if (given != 1 || got != 2 || p->called)
		wf_sim_fail(p->s.rank, "collective %d of nothing, form %d",
			    (int)d->what, (int)d->form);
}

static void nothing(struct wf_sim_rank *rank, void *arg)
{
	static const size_t counts[] = {
		((size_t)1 << 31) - 1, ((size_t)1 << 31) + 5,
		((size_t)1 << 32) + 1
	};
	struct nothing p = { .called = false };
	struct deed d = { .size = wf_sim_size(rank), .shape = 1 };

	(void)arg;
	if (!start(&p.s, rank))
		return;
	make_nothing(&p);
	for (int i = 0; i < TAP_COUNT(counts); i++)
		for (int what = 0; what < WHATS; what++)
			for (int form = 0; form < 3; form++) {
				d.n = counts[i];
				d.what = (enum what)what;
				d.form = (enum form)form;
				d.root = form % d.size;
				give_nothing(&p, &d);
			}
	use(&p.s, p.s.world);
	drop_nothing(&p);
	stop(&p.s);
}

static void no_bytes(void)
{
	for (int ranks = 1; ranks <= 12; ranks++)
		if (!run(ranks, (uint64_t)ranks, nothing))
			return;
}

/* ---- bytes ---- */

static char *map_at(char *at, size_t bytes, int flags, int fd)
{
	char *map = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (map == MAP_FAILED)
		abort();
	return map;
}

/* Blocks of one period again and again, and of another one at their end. */
static char *make_blocks(int n)
{
	char *base = map_at(NULL, block * (size_t)n,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	for (int b = 0; b < n; b++) {
		int fd = memfd_create("block", 0);

		if (fd < 0 || ftruncate(fd, PERIOD))
			abort();
		for (int i = 0; i < PERIODS - 1; i++)
			map_at(base + (size_t)b * block + (size_t)i * PERIOD,
			       PERIOD, MAP_SHARED | MAP_FIXED, fd);
		close(fd);
	}
	return base;
}

static void drop_blocks(char *base, int n)
{
	if (munmap(base, block * (size_t)n))
		abort();
}

static char *end_of(char *base, int b)
{
	return base + (size_t)(b + 1) * block - PERIOD;
}

/* What a rank gives to another one. */
static int value_of(int from, int to, bool at_end)
{
	return 1 + from * 40 + to * 10 + at_end;
}

static void fill(char *base, int b, int from, int to)
{
	memset(base + (size_t)b * block, value_of(from, to, false), PERIOD);
	memset(end_of(base, b), value_of(from, to, true), PERIOD);
}

static bool is_all(const char *at, int value)
{
	return at[0] == value && !memcmp(at, at + 1, PERIOD - 1);
}

static void check(const struct scene *s, char *base, int b, int from, int to)
{
	if (!is_all(base + (size_t)b * block, value_of(from, to, false)) ||
	    !is_all(end_of(base, b), value_of(from, to, true)))
		wf_sim_fail(s->rank, "block %d of rank %d", b, from);
}

struct giver {
	struct scene s;
	struct deed deed;
	char *given, *got;
	int ngiven, ngot;		/* blocks */
};

static bool is_for_all(enum what what)
{
	return what == BCAST || what == ALLGATHER || what == GATHER;
}

static void make_giver(struct giver *g)
{
	const struct deed *d = &g->deed;
	int me = wf_sim_rank(g->s.rank);
	bool is_root = me == d->root;

	g->ngiven = d->what == ALLTOALL || (d->what == SCATTER && is_root) ?
		    d->size : 1;
	g->ngot = d->what == ALLTOALL || d->what == ALLGATHER ||
		  (d->what == GATHER && is_root) ? d->size : 1;
	g->given = make_blocks(g->ngiven);
	g->got = make_blocks(g->ngot);
	for (int b = 0; b < g->ngiven; b++)
		fill(g->given, b, me, is_for_all(d->what) ? 0 : b);
	if (d->what == BCAST && is_root)
		fill(g->got, 0, me, 0);
}

static void check_giver(const struct giver *g)
{
	const struct deed *d = &g->deed;
	int me = wf_sim_rank(g->s.rank), to = is_for_all(d->what) ? 0 : me;
	bool rooted = d->what == BCAST || d->what == SCATTER;

	if (d->what == GATHER && me != d->root)
		return;
	for (int b = 0; b < g->ngot; b++)
		check(&g->s, g->got, b, rooted ? d->root : b, to);
}

static void bytes(struct wf_sim_rank *rank, void *arg)
{
	struct giver g = { .deed = *(const struct deed *)arg };
	struct weft_request *req = NULL;
	struct terms terms = { .type = &weft_type_byte };

	if (!start(&g.s, rank))
		return;
	make_giver(&g);
	terms.comm = g.s.world;
	terms.given = g.given;
	terms.got = g.got;
	ok(&g.s, play_call(&g.deed, &terms, &req), "call");
	check_giver(&g);
	drop_blocks(g.given, g.ngiven);
	drop_blocks(g.got, g.ngot);
	stop(&g.s);
}

static void many_bytes(void)
{
	static const enum what whats[] = {
		BCAST, GATHER, ALLGATHER, ALLTOALL, SCATTER
	};
	bool all = tap_figure("SEEDS", 1) >= 1000;

	for (int i = 0; i < (all ? TAP_COUNT(whats) : 1); i++) {
		struct deed deed = {
			.what = whats[i], .size = all ? RANKS : 2, .root = 1,
			.n = block
		};
		struct wf_sim_options options;

		wf_sim_options_init(&options, deed.size, 1);
		if (sim_flow_run(&options, bytes, &deed))
			continue;
		tap_diag("collective %d", (int)deed.what);
		return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "elements without bytes", no_bytes },
		{ "bytes", many_bytes }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
