/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What collectives depend on, two by two: each pair of values of collective,
 * form, operation, type, number of ranks, root, place, length, radix and nodes
 * comes in one of these runs, and what it gives is what a fold by the bracket
 * gives on one rank, bit by bit.  Lengths are those on both sides of where
 * messages take another way.
 *
 * SEEDS=10000 for all of them, else it is the first ones, which have the most
 * pairs.
 */
#include "plan/edge.h"
#include "tests/sim/bracket.h"
#include "tests/sim/covering.h"
#include "tests/sim/element.h"
#include "tests/sim/scene.h"

enum factor {
	WHAT, FORM, OP, TYPE, RANKS, ROOT, PLACE, LENGTH, RADIX, NODES, FACTORS
};

enum {
	NO_OP, FIRST_OP,		/* operations are counted from it */
	USER_OP = FIRST_OP + 12,	/* behind those of reductions */
	OPS,
	ROUNDS = 6,			/* calls of a row; */
	MAILED = 2,			/* so many go by mail */
	SPARE = 5,			/* ranks that are not in it */
	LINE = 56,			/* bytes */
	SMALL_SLOT = 1024, USUAL_SLOT = 65536
};

static const struct weft_type *const types[] = {
	&weft_type_byte, &weft_type_char, &weft_type_int8, &weft_type_uint16,
	&weft_type_int32, &weft_type_uint64, &weft_type_int128,
	&weft_type_float, &weft_type_double, &weft_type_complex_double,
	&weft_type_bool, &weft_type_short_int, &weft_type_double_int,
	&weft_type_2int64, &weft_type_long_double
};

/*
 * A type more: a column of a matrix, which begins a cell behind the one before,
 * so that elements lie between the pieces of others.  Only operations of the
 * program are defined for it.
 */
enum {
	COLUMN = TAP_COUNT(types),
	ROWS = 3,
	CELL = sizeof(uint32_t)
};

/* 1 to 33, and these. */
static const int many[] = { 64, 96, 127, 128, 144 };

/* Bytes, of which a length has as many elements as fit, or one more. */
static const struct length {
	size_t elements, bytes;
	bool more;
} lengths[] = {
	{ 0, 0, false }, { 1, 0, false }, { 37, 0, false },
	{ 0, LINE, false }, { 0, LINE, true },
	{ 0, WF_MAILED_MAX, false }, { 0, WF_MAILED_MAX, true },
	{ 0, SMALL_SLOT, false }, { 0, SMALL_SLOT, true },
	{ 0, USUAL_SLOT, false }, { 0, USUAL_SLOT, true }
};

static const int radixes[] = { 2, 4, 8, 16 };

/* Ranks on a node; in the last ones some of each node belong to it. */
static const int nodes[] = { 0, 1, 8, 48, 8, 3 };

enum { WHOLE = 4 };			/* nodes, from the first on */

static bool combines(int what)
{
	return what == REDUCE || what == ALLREDUCE || what == SCAN ||
	       what == EXSCAN || what == REDUCE_SCATTER ||
	       what == REDUCE_SCATTERV;
}

static const struct element_kind *kind_of(int type)
{
	const struct element_kind *k = element_kinds;

	while (k->type != types[type])
		k++;
	return k;
}

/* That of the test is for bytes without meaning. */
static bool is_defined(int op, int type)
{
	const struct element_kind *k = type == COLUMN ? NULL : kind_of(type);
	bool bits = !k || (k->from <= 7 && 10 <= k->end);

	if (op == NO_OP || !k)
		return op == NO_OP || op == USER_OP;
	return op == USER_OP ? bits : k->from <= op - FIRST_OP &&
				      op - FIRST_OP < k->end;
}

static int ranks_of(int choice)
{
	return choice < 33 ? choice + 1 : many[choice - 33];
}

static bool allows_what(int what, int g, int b)
{
	if (g == OP)
		return combines(what) == (b != NO_OP);
	if (g == TYPE)
		return what == BARRIER ? b == 0 :
		       !combines(what) || b == COLUMN ||
		       kind_of(b)->from < kind_of(b)->end;
	if (g == PLACE)
		return !b || (what != BARRIER && what != BCAST);
	return g != LENGTH || what != BARRIER || b == 0;
}

/* Long ones of many ranks take too much memory. */
static bool allows(int f, int a, int g, int b)
{
	if (f == WHAT)
		return allows_what(a, g, b);
	if (f == OP && g == TYPE)
		return is_defined(a, b);
	return f != RANKS || g != LENGTH || ranks_of(a) <= 9 ||
	       lengths[b].bytes < USUAL_SLOT;
}

/* ---- one row ---- */

struct play {
	const int *row;
	struct deed deed;
	int type, op;
};

/* Of a matrix that has room for those of all ranks. */
struct columns {
	struct weft_type *packed, *laid;
	size_t row;			/* bytes from row to row */
};

struct player {
	struct scene s;
	struct weft_comm *comm;
	const struct play *play;
	struct bracket values;
	struct columns columns;
	struct weft_op *user;
	struct play_memory memory;
};

/* Neither commutes nor associates: each operand has its place. */
static void combine(const unsigned char *l, unsigned char *r, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		r[i] = (unsigned char)(5 * l[i] + 3 * r[i] + 1);
}

/* Of columns that lie side by side each row is one piece. */
static void user_op(const void *in, void *inout, size_t n,
		    const struct weft_type *type, void *arg)
{
	const struct columns *c = arg;
	size_t bytes = n * (size_t)weft_type_extent(type);

	if (type != c->laid)
		combine(in, inout, bytes);
	for (size_t k = 0; k < ROWS && type == c->laid; k++)
		combine((const unsigned char *)in + k * c->row,
			(unsigned char *)inout + k * c->row, bytes);
}

static size_t width_of(int type)
{
	return type == COLUMN ? ROWS * CELL : weft_type_size(types[type]);
}

static size_t length_of(const int *row)
{
	const struct length *l = &lengths[row[LENGTH]];

	return l->elements + l->bytes / width_of(row[TYPE]) + l->more;
}

static struct play play_of(const int *row)
{
	int ranks = ranks_of(row[RANKS]);
	const int roots[] = { 0, ranks - 1, ranks / 2, 1 % ranks };

	return (struct play){
		.row = row,
		.deed = {
			.shape = (uint64_t)ranks + (uint64_t)row[LENGTH],
			.what = (enum what)row[WHAT],
			.form = (enum form)row[FORM], .size = ranks,
			.root = roots[row[ROOT]], .n = length_of(row),
			.in_place = row[PLACE]
		}
	};
}

static int calls(struct player *p, const struct deed *d,
		 struct weft_request **req_p)
{
	const struct terms terms = {
		.comm = p->comm, .type = p->values.laid, .op = p->values.op,
		.given = p->memory.given, .got = p->memory.got,
		.stride = p->memory.values->stride
	};

	return play_call(d, &terms, req_p);
}

static void play_round(struct player *p, const struct deed *d,
		       struct weft_request **req_p)
{
	const char *why;

	play_memory_fill(&p->memory, d);
	if (!*req_p)
		ok(&p->s, calls(p, d, req_p), "call");
	if (d->form == PERSISTENT)
		ok(&p->s, weft_request_start(*req_p), "start");
	if (*req_p)
		ok(&p->s, weft_request_wait(*req_p), "wait");
	if (d->form == ONCE)
		ok(&p->s, weft_request_free(req_p), "free");
	why = play_memory_check(&p->memory, d);
	if (why)
		wf_sim_fail(p->s.rank, "rank %d: %s", p->memory.me, why);
}

static void play(struct player *p)
{
	struct deed d = p->play->deed;
	struct weft_request *req = NULL;

	play_memory_init(&p->memory, &p->values.values, &d,
			 weft_comm_rank(p->comm));
	for (int i = 0; i < ROUNDS; i++) {
		d.key = (uint64_t)(7 * i);
		play_round(p, &d, &req);
	}
	if (req)
		ok(&p->s, weft_request_free(&req), "free");
	play_memory_fini(&p->memory);
}

/* Some of each node, in an order of their own. */
static void find_ranks(struct player *p)
{
	int me = wf_sim_rank(p->s.rank), size = wf_sim_size(p->s.rank);
	bool spare = me * SPARE / size != (me + 1) * SPARE / size;

	p->comm = p->s.world;
	if (p->play->row[NODES] >= WHOLE)
		ok(&p->s, weft_comm_split(p->s.world,
					  spare ? WEFT_UNDEFINED : 0,
					  (me * 37 + 5) % 101, &p->comm),
		   "split");
}

static void make_columns(struct player *p)
{
	const struct deed *d = &p->play->deed;
	size_t most = (d->n + 1) * (size_t)d->size;
	struct columns *c = &p->columns;
	struct weft_type *vector = NULL;

	c->row = most * CELL;
	ok(&p->s, weft_type_contiguous(p->s.job, ROWS, &weft_type_uint32,
				       &c->packed), "packed");
	ok(&p->s, weft_type_vector(p->s.job, ROWS, 1, (ptrdiff_t)most,
				   &weft_type_uint32, &vector), "vector");
	ok(&p->s, weft_type_resized(p->s.job, vector, 0, CELL, &c->laid),
	   "resized");
	ok(&p->s, weft_type_commit(c->packed), "commit");
	ok(&p->s, weft_type_commit(c->laid), "commit");
	ok(&p->s, weft_type_free(&vector), "free");
}

static void free_columns(struct player *p)
{
	ok(&p->s, weft_type_free(&p->columns.laid), "free");
	ok(&p->s, weft_type_free(&p->columns.packed), "free");
}

static struct bracket values_of(struct player *p, const struct weft_op *op)
{
	int type = p->play->row[TYPE];
	struct bracket b;

	if (type != COLUMN)
		return bracket_of(p->s.job, types[type], op);
	b = bracket_of(p->s.job, p->columns.packed, op);
	b.laid = p->columns.laid;
	b.values.stride = CELL;
	b.values.reach = (ROWS - 1) * p->columns.row;
	return b;
}

static void find_values(struct player *p)
{
	const int *row = p->play->row;
	const struct weft_op *op = NULL;
	struct weft_op_options options;

	weft_op_options_init(&options, sizeof(options));
	options.call = user_op;
	options.arg = &p->columns;
	make_columns(p);
	ok(&p->s, weft_op_create(p->s.job, &options, &p->user), "op");
	if (row[OP] == USER_OP)
		op = p->user;
	else if (row[OP] != NO_OP)
		op = element_ops[row[OP] - FIRST_OP];
	p->values = values_of(p, op);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .play = arg, .s.rank = rank };

	if (wf_sim_job_open_soon(rank, MAILED, &p.s.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	p.s.world = weft_job_world(p.s.job);
	find_values(&p);
	find_ranks(&p);
	if (p.comm)
		play(&p);
	ok(&p.s, weft_op_free(&p.user), "free");
	free_columns(&p);
	if (p.comm != p.s.world)
		ok(&p.s, weft_comm_free(&p.comm), "free");
	stop(&p.s);
}

/* ---- all of them ---- */

static bool run_row(const int *row, uint64_t seed)
{
	char radix[sizeof("WEFT_COLL=radix:16")];
	char *env[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=256m", radix,
		"WEFT_SLOT_MAX=1024", NULL
	};
	struct play play = play_of(row);
	struct wf_sim_options options;

	snprintf(radix, sizeof(radix), "WEFT_COLL=radix:%d",
		 radixes[row[RADIX]]);
	if (lengths[row[LENGTH]].bytes == USUAL_SLOT)
		env[3] = NULL;
	wf_sim_options_init(&options, play.deed.size +
			    (row[NODES] >= WHOLE ? SPARE : 0), seed);
	wf_sim_options_vary(&options);
	options.ranks_per_node = nodes[row[NODES]];
	options.environ = env;
	if (sim_flow_run(&options, program, &play))
		return true;
	tap_diag("collective %d, form %d, operation %d, %zu of %s, %d ranks "
		 "from %d, %s, %s, %d on a node", row[WHAT], row[FORM],
		 row[OP], play.deed.n, row[TYPE] == COLUMN ? "columns" :
		 weft_type_name(types[row[TYPE]]),
		 play.deed.size, play.deed.root,
		 row[PLACE] ? "in place" : "apart", radix, nodes[row[NODES]]);
	return false;
}

static void every_pair(void)
{
	static const struct covering_rules rules = {
		.nfactors = FACTORS, .allows = allows,
		.choices = {
			[WHAT] = WHATS, [FORM] = 3, [OP] = OPS,
			[TYPE] = COLUMN + 1,
			[RANKS] = 33 + TAP_COUNT(many), [ROOT] = 4,
			[PLACE] = 2, [LENGTH] = TAP_COUNT(lengths),
			[RADIX] = TAP_COUNT(radixes),
			[NODES] = TAP_COUNT(nodes)
		}
	};
	uint64_t first = (uint64_t)tap_figure("FIRST_SEED", 1);
	long rows = tap_figure("SEEDS", 24);
	struct covering c;

	covering_init(&c, &rules, first);
	TAP_EQUAL(c.missed, 0);
	tap_diag("%d rows have all pairs", c.nrows);
	for (int i = 0; i < c.nrows && i < rows; i++)
		if (!run_row(c.row[i], first + (uint64_t)i))
			break;
	covering_fini(&c);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "every pair of values", every_pair }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
