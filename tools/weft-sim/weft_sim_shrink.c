/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Delta debugging of a run that fails: takes faults away, makes one number
 * after the other smaller, takes edges and ranks away, as long as a run of it
 * fails alike, and begins again until nothing can be taken away any more.
 * Faults come first: a large run has more chances to fail without one.
 *
 * A smaller run is another run, in which the seed means something else: some
 * other seeds are tried, too. Runs and time are bounded.
 */
#include "tools/weft-sim/weft_sim_shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/weft-sim/weft_sim_attempt.h"
#include "tools/weft-sim/weft_sim_command.h"
#include "tools/weft-sim/weft_sim_edges.h"
#include "tools/weft-sim/weft_sim_graph.h"

enum {
	RUNS_MAX = 3000,
	SECONDS_MAX = 300,
	RUN_SECONDS = 10,	/* of one, and twice what the first took */
	SEEDS = 8,		/* of one candidate */
	RATE_MAX = 1024
};

struct shrink {
	struct wsim_options best;	/* it fails */
	struct wsim_outcome outcome;	/* of best */
	struct wsim_edge *edges;	/* of best, if it has a list of them */
	struct wsim_edge *spare;	/* of a candidate */
	size_t nedges;
	char *text, *spare_text;	/* the names of these graphs */
	long runs;
	unsigned int limit;		/* of one run, s */
	time_t start;
	bool over;			/* a bound was met */
};

static time_t seconds(const struct shrink *s)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - s->start;
}

static bool attempt(struct shrink *s, const struct wsim_options *options,
		    struct wsim_outcome *outcome)
{
	s->over |= s->runs == RUNS_MAX || seconds(s) >= SECONDS_MAX;
	if (s->over)
		return false;
	s->runs++;
	if (!wsim_attempt(options, s->limit, outcome))
		s->over = true;
	return !s->over && outcome->fails;
}

/* Does it fail like the best one? Then it is the best one. */
static bool try(struct shrink *s, struct wsim_options candidate)
{
	struct wsim_outcome outcome;
	uint64_t seed = candidate.seed;

	for (uint64_t i = 0; i < SEEDS; i++) {
		candidate.seed = i ? i : seed;
		if (!attempt(s, &candidate, &outcome) ||
		    strcmp(outcome.kind, s->outcome.kind))
			continue;
		s->best = candidate;
		s->outcome = outcome;
		return true;
	}
	return false;
}

/* ---- numbers ---- */

static bool set_ranks(struct wsim_options *o, long value)
{
	o->ranks[0] = (size_t)value;
	return true;
}

static bool set_warmup(struct wsim_options *o, long value)
{
	o->warmup = value;
	return true;
}

static bool set_iterations(struct wsim_options *o, long value)
{
	o->iterations = value;
	return true;
}

static bool set_items(struct wsim_options *o, long value)
{
	o->items = value;
	return true;
}

static bool set_bytes(struct wsim_options *o, long value)
{
	if (wsim_has_doubles(o) && value % 8)
		return false;
	o->bytes[0] = (size_t)value;
	return true;
}

/* First as much as can be, then less and less. */
static bool lower(struct shrink *s, long value, long least,
		  bool (*set)(struct wsim_options *o, long value))
{
	long step = value - least, before = value;

	while (step > 0 && !s->over) {
		struct wsim_options candidate = s->best;

		if (value - step >= least && set(&candidate, value - step) &&
		    try(s, candidate))
			value -= step;
		else
			step /= 2;
	}
	return value < before;
}

static bool lower_numbers(struct shrink *s)
{
	bool less = false;

	if (!s->nedges && s->best.nranks)
		less |= lower(s, (long)s->best.ranks[0], 1, set_ranks);
	less |= lower(s, s->best.iterations, 1, set_iterations);
	less |= lower(s, s->best.warmup, 0, set_warmup);
	less |= lower(s, (long)s->best.bytes[0], 0, set_bytes);
	less |= lower(s, s->best.items, 1, set_items);
	return less;
}

/* ---- faults ---- */

static bool drop_flag(struct shrink *s, const struct wsim_fault *fault)
{
	struct wsim_options candidate = s->best;
	bool *flag = wsim_fault_flag(fault, &candidate.faults);

	if (!*flag)
		return false;
	*flag = false;
	return try(s, candidate);
}

/* None of it, or it happens less often. */
static bool lower_rate(struct shrink *s, const struct wsim_fault *fault)
{
	struct wsim_options candidate = s->best;
	unsigned int *rate = wsim_fault_rate(fault, &candidate.faults);
	unsigned int before = *rate;

	if (!before)
		return false;
	*rate = 0;
	if (try(s, candidate))
		return true;
	for (*rate = 2 * before; *rate <= RATE_MAX; *rate *= 2) {
		if (!try(s, candidate))
			break;
		candidate.seed = s->best.seed;
	}
	return *rate > 2 * before;
}

/* What the seed has chosen in words, of which each can be taken away. */
static bool spell_out(struct shrink *s)
{
	struct wsim_options candidate = s->best;

	if (!candidate.faults.vary)
		return false;
	wsim_faults_spell_out(&candidate.faults, candidate.seed);
	return try(s, candidate);
}

static bool drop_flags(struct shrink *s)
{
	bool less = false;

	for (const struct wsim_fault *f = wsim_fault_list; f->name; f++)
		if (!f->is_rate)
			less |= drop_flag(s, f);
	return less;
}

static bool lower_rates(struct shrink *s)
{
	bool less = spell_out(s);

	for (const struct wsim_fault *f = wsim_fault_list; f->name; f++)
		if (f->is_rate)
			less |= lower_rate(s, f);
	return less;
}

/* ---- edges ---- */

/* With the edges of spare, of so many ranks. */
static bool try_edges(struct shrink *s, size_t n, size_t ranks)
{
	struct wsim_options candidate = s->best;
	char *text = s->spare_text;
	struct wsim_edge *edges = s->spare;

	if (!n)
		return false;
	wsim_edges_print(edges, n, text);
	candidate.graph = text;
	candidate.nranks = 1;
	candidate.ranks[0] = ranks;
	if (!try(s, candidate))
		return false;
	s->spare_text = s->text;
	s->text = text;
	s->spare = s->edges;
	s->edges = edges;
	s->nedges = n;
	return true;
}

/* Of a graph that is not too large; its run stays the same. */
static bool list_edges(struct shrink *s)
{
	const struct wsim_options *o = &s->best;
	struct wsim_graph g = { 0 };
	size_t n = 0;

	if (!wsim_graph_make(o->graph, o->nranks ? (int)o->ranks[0] : 0,
			     o->seed, &g))
		return false;
	if (g.out[g.ranks] <= WSIM_EDGES_MAX) {
		n = g.out[g.ranks];
		for (int r = 0; r < g.ranks; r++)
			for (size_t e = g.out[r]; e < g.out[r + 1]; e++)
				s->spare[e] = (struct wsim_edge){ r, g.to[e] };
	}
	try_edges(s, n, (size_t)g.ranks);
	wsim_graph_free(&g);
	return s->nedges;
}

/* Without the edges from at on, so many. */
static bool drop_edges(struct shrink *s, size_t at, size_t n)
{
	size_t rest = s->nedges - at - n;

	memcpy(s->spare, s->edges, at * sizeof(*s->spare));
	memcpy(s->spare + at, s->edges + at + n, rest * sizeof(*s->spare));
	return try_edges(s, at + rest, s->best.ranks[0]);
}

/* Without the ranks from at on, so many; those behind them move down. */
static bool drop_ranks(struct shrink *s, int at, int n)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nedges; i++) {
		struct wsim_edge e = s->edges[i];

		if ((e.from >= at && e.from < at + n) ||
		    (e.to >= at && e.to < at + n))
			continue;
		e.from -= e.from >= at ? n : 0;
		e.to -= e.to >= at ? n : 0;
		s->spare[kept++] = e;
	}
	return try_edges(s, kept, s->best.ranks[0] - (size_t)n);
}

static bool lower_ranks_of_edges(struct shrink *s)
{
	size_t before = s->best.ranks[0];

	for (size_t n = before / 2; n && !s->over; n /= 2)
		for (size_t at = 0; at + n <= s->best.ranks[0] &&
				    n < s->best.ranks[0] && !s->over;)
			if (!drop_ranks(s, (int)at, (int)n))
				at += n;
	return s->best.ranks[0] < before;
}

static bool lower_edges(struct shrink *s)
{
	size_t before = s->nedges;
	bool less;

	if (!s->best.graph || (!s->nedges && !list_edges(s)))
		return false;
	less = lower_ranks_of_edges(s);
	for (size_t n = s->nedges / 2; n && !s->over; n /= 2)
		for (size_t at = 0; at + n <= s->nedges && !s->over;)
			if (!drop_edges(s, at, n))
				at += n;
	return less || s->nedges < before;
}

/* ---- all of it ---- */

static void print_best(const struct shrink *s,
		       const struct wsim_options *before, int ranks)
{
	const struct wsim_options *o = &s->best;

	printf("# %ld of at most %d runs, %ld of at most %d s%s\n"
	       "# %d ranks instead of %d, %ld operations instead of %ld, %zu "
	       "bytes instead of %zu\n# it fails alike: %s\n", s->runs,
	       RUNS_MAX, (long)seconds(s), SECONDS_MAX,
	       s->over ? ", a bound that was met" : "", s->outcome.ranks,
	       ranks, o->warmup + o->iterations,
	       before->warmup + before->iterations, o->bytes[0],
	       before->bytes[0], s->outcome.text);
	wsim_command_print(o);
}

static bool find_failure(struct shrink *s)
{
	s->limit = SECONDS_MAX;
	for (long i = 0; i < s->best.seeds && !s->over; i++) {
		time_t start = seconds(s);

		if (attempt(s, &s->best, &s->outcome)) {
			s->limit = RUN_SECONDS +
				   2 * (unsigned int)(seconds(s) - start);
			return true;
		}
		s->best.seed++;
	}
	return false;
}

static int shrink(struct shrink *s)
{
	struct wsim_options before;
	bool less = true;
	int ranks;

	if (!find_failure(s)) {
		fprintf(stderr, "weft-sim: --shrink: no failure in %ld runs\n",
			s->runs);
		return 1;
	}
	before = s->best;
	ranks = s->outcome.ranks;
	printf("# seed %llu fails: %s\n", (unsigned long long)before.seed,
	       s->outcome.text);
	while (less && !s->over) {
		less = drop_flags(s);
		less |= lower_numbers(s);
		less |= lower_rates(s);
		less |= lower_edges(s);
	}
	print_best(s, &before, ranks);
	return 0;
}

int wsim_shrink(const struct wsim_options *options)
{
	struct shrink s = { .best = *options };
	int code = 1;

	s.start = seconds(&s);
	s.edges = calloc(WSIM_EDGES_MAX, sizeof(*s.edges));
	s.spare = calloc(WSIM_EDGES_MAX, sizeof(*s.spare));
	s.text = malloc(WSIM_EDGES_TEXT);
	s.spare_text = malloc(WSIM_EDGES_TEXT);
	if (s.edges && s.spare && s.text && s.spare_text)
		code = shrink(&s);
	else
		fputs("weft-sim: --shrink: not enough memory\n", stderr);
	free(s.edges);
	free(s.spare);
	free(s.text);
	free(s.spare_text);
	return code;
}
