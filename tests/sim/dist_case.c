/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns with every answer: see dist_case.h. */
#include "tests/sim/dist_case.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dist_kinds[DIST_KINDS] = { "ranks", "idxs", "globals" };

/* ---- files ---- */

static char *read_all(const char *path)
{
	FILE *in = fopen(path, "r");
	size_t got = 0, room = 1 << 20;
	char *text = in ? malloc(room + 1) : NULL;

	if (text)
		got = fread(text, 1, room, in);
	if (in)
		fclose(in);
	if (!text || got == room) {
		free(text);
		return NULL;
	}
	text[got] = 0;
	return text;
}

static int64_t bits_of(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static bool parse(struct dist_line *line, char *text)
{
	char *end = text;
	int skip = 0;
	bool real;

	if (sscanf(text, "%39s %d %ld%n", line->name, &line->rank, &line->n,
		   &skip) != 3)
		return false;
	line->at = calloc((size_t)(line->n > 0 ? line->n : 0) + 1,
			  sizeof(*line->at));
	text += skip;
	real = strstr(line->name, "_f64");
	for (long i = 0; i < line->n; i++, text = end)
		line->at[i] = real ? bits_of(strtod(text, &end)) :
				     strtoll(text, &end, 10);
	return *end == 0 || line->n <= 0;
}

bool dist_case_load(struct dist_case *c, const char *path)
{
	char *text = read_all(path), *save = NULL;
	int most = 0;

	*c = (struct dist_case){ .text = text };
	for (const char *at = text; at && *at; at++)
		most += *at == '\n';
	c->line = calloc((size_t)most + 1, sizeof(*c->line));
	for (char *row = text ? strtok_r(text, "\n", &save) : NULL; row;
	     row = strtok_r(NULL, "\n", &save)) {
		struct dist_line *line = &c->line[c->nlines];

		if (parse(line, row))
			c->nlines++;
		else
			free(line->at);
	}
	if (c->nlines && !strcmp(c->line[0].name, "ranks"))
		c->ranks = (int)c->line[0].at[0];
	if (!c->ranks)
		tap_diag("%s is no file of cases", path);
	return c->ranks > 0;
}

void dist_case_free(struct dist_case *c)
{
	for (int i = 0; i < c->nlines; i++)
		free(c->line[i].at);
	free(c->line);
	free(c->text);
}

static int is_case(const struct dirent *entry)
{
	return strstr(entry->d_name, ".cases") != NULL;
}

int dist_cases(void (*each)(const struct dist_case *c))
{
	const char *top = getenv("top_srcdir"), *set = getenv("DIST_CASES");
	struct dirent **files;
	char folder[2000], path[4096];
	int n;

	snprintf(folder, sizeof(folder), "%s%s", set ? set : top ? top : "..",
		 set ? "" : "/tests/data/dist");
	n = scandir(folder, &files, is_case, alphasort);
	for (int i = 0; i < n; i++) {
		struct dist_case c;

		snprintf(path, sizeof(path), "%s/%s", folder, files[i]->d_name);
		if (TAP_CHECK(dist_case_load(&c, path)))
			each(&c);
		dist_case_free(&c);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
	return n;
}

const struct dist_line *dist_case_line(const struct dist_case *c,
				       const char *prefix, const char *name,
				       int rank)
{
	char whole[80];

	snprintf(whole, sizeof(whole), "%s%s", prefix, name);
	for (int i = 0; i < c->nlines; i++)
		if (c->line[i].rank == rank &&
		    !strcmp(c->line[i].name, whole))
			return &c->line[i];
	return NULL;
}

const struct dist_line *dist_given(const struct dist_case *c,
				   const struct scene *s, const char *name)
{
	static int64_t zero;
	static const struct dist_line none = { .n = -1, .at = &zero };
	const struct dist_line *line = dist_case_line(c, "", name,
						      wf_sim_rank(s->rank));

	if (!line)
		wf_sim_fail(s->rank, "no line of %s", name);
	return line ? line : &none;
}

/* ---- arguments ---- */

/* Every second or each of the values, narrower; the caller frees it. */
static int32_t *narrow(const struct dist_line *line, int from, int step)
{
	size_t n = line->n > 0 ? (size_t)line->n / (size_t)step : 0;
	int32_t *at = calloc(n + 1, sizeof(*at));

	for (size_t i = 0; i < n; i++)
		at[i] = (int32_t)line->at[i * (size_t)step + (size_t)from];
	return at;
}

void dist_case_ranks(const struct dist_case *c, const struct scene *s,
		     struct weft_dist *dist)
{
	const struct dist_line *dests = dist_given(c, s, "fitems2rroots");
	int32_t *ranks = narrow(dests, 0, 2);

	ok(s, weft_dist_set_dest_ranks(dist, ranks, (size_t)dests->n / 2),
	   "ranks");
	free(ranks);
}

void dist_case_sort(const struct dist_case *c, const struct scene *s,
		    struct weft_dist *dist, enum dist_kind kind)
{
	const struct dist_line *dests = dist_given(c, s, "fitems2rroots");
	const struct dist_line *globals = dist_given(c, s, "globals");
	int32_t *idxs = narrow(dests, 1, 2);

	if (kind == DIST_IDXS)
		ok(s, weft_dist_set_dest_idxs(
			dist, idxs, (size_t)dests->n / 2,
			(int32_t)dist_given(c, s, "nrroots")->at[0]), "idxs");
	if (kind == DIST_GLOBALS)
		ok(s, weft_dist_set_dest_globals(dist, globals->at,
						 (size_t)globals->n),
		   "globals");
	free(idxs);
}

void dist_case_roots(const struct dist_case *c, const struct scene *s,
		     struct weft_dist *dist)
{
	const struct dist_line *fan = dist_given(c, s, "froots2fitems");
	int32_t *offs = narrow(fan, 0, 1);
	bool set = fan->n >= 0;

	ok(s, weft_dist_set_roots2items(dist, set ? offs : NULL,
					set ? (size_t)fan->n - 1 : 0),
	   "roots");
	free(offs);
}

struct weft_dist *dist_case_make(const struct dist_case *c,
				 const struct scene *s, enum dist_kind kind)
{
	struct weft_dist *dist = NULL;

	ok(s, weft_dist_create_empty(s->world, &dist), "empty");
	dist_case_ranks(c, s, dist);
	dist_case_sort(c, s, dist, kind);
	dist_case_roots(c, s, dist);
	return dist;
}

struct weft_dist *dist_case_create(const struct dist_case *c,
				   const struct scene *s)
{
	const struct dist_line *dests = dist_given(c, s, "fitems2rroots");
	size_t n = dests->n > 0 ? (size_t)dests->n / 2 : 0;
	struct weft_remote *remotes = calloc(n + 1, sizeof(*remotes));
	struct weft_dist *dist = NULL;

	for (size_t i = 0; i < n; i++)
		remotes[i] = (struct weft_remote){
			(int32_t)dests->at[2 * i], (int32_t)dests->at[2 * i + 1]
		};
	ok(s, weft_dist_create(s->world, n ? remotes : NULL, n,
			       (int32_t)dist_given(c, s, "nrroots")->at[0],
			       &dist), "create");
	free(remotes);
	dist_case_roots(c, s, dist);
	return dist;
}

/* ---- answers ---- */

/* What is asked, and what is known of it. */
struct asked {
	const struct dist_case *c;
	const struct scene *s;
	const char *prefix;
	int me;
};

/* n -1: unset. */
static void compare(const struct asked *a, const char *name, const int32_t *at,
		    long n)
{
	const struct dist_line *want = dist_case_line(a->c, a->prefix, name,
						      a->me);
	bool same = want && want->n == n;

	if (!want)
		return;
	for (long i = 0; same && i < n; i++)
		same = at[i] == want->at[i];
	if (!same)
		wf_sim_fail(a->s->rank, "%s%s at rank %d: %ld entries, first "
			    "%d", a->prefix, name, a->me, n,
			    n > 0 ? at[0] : 0);
}

static void check_number(const struct asked *a, const struct weft_dist *dist,
			 const char *name,
			 int (*ask)(const struct weft_dist *, size_t *))
{
	size_t n = SIZE_MAX;
	int32_t number;

	ok(a->s, ask(dist, &n), name);
	number = (int32_t)n;
	compare(a, name, &number, 1);
}

static void check_array(const struct asked *a, const struct weft_dist *dist,
			const char *name,
			int (*ask)(const struct weft_dist *, const int32_t **,
				   size_t *))
{
	const int32_t *at = NULL;
	size_t n = 0;

	ok(a->s, ask(dist, &at, &n), name);
	compare(a, name, at, at ? (long)n : -1);
}

static void check_dests(const struct asked *a, struct weft_dist *dist)
{
	struct weft_remote *dests;
	int32_t *idxs;
	size_t n = 0;

	ok(a->s, weft_dist_nitems(dist, &n), "nitems");
	dests = calloc(n + 1, sizeof(*dests));
	idxs = calloc(n + 1, sizeof(*idxs));
	ok(a->s, weft_dist_items2dest_idxs(dist, idxs, n), "idxs");
	compare(a, "items2dest_idxs", idxs, (long)n);
	ok(a->s, weft_dist_items2dests(dist, dests, n), "dests");
	compare(a, "items2dests", &dests->rank, 2 * (long)n);
	free(dests);
	free(idxs);
}

static void check_graph(const struct asked *a, const struct weft_dist *dist)
{
	struct weft_comm *graph = NULL;
	struct weft_neighbors in, out;
	int nin = 0, nout = 0;

	ok(a->s, weft_dist_comm(dist, &graph), "comm");
	ok(a->s, weft_graph_degrees(graph, &nin, &nout, NULL), "degrees");
	in = (struct weft_neighbors){ nin, calloc((size_t)nin + 1, 4), NULL };
	out = (struct weft_neighbors){ nout, calloc((size_t)nout + 1, 4),
				       NULL };
	ok(a->s, weft_graph_neighbors(graph, &in, &out), "neighbours");
	compare(a, "sources", in.ranks, nin);
	compare(a, "msgs2ranks", out.ranks, nout);
	free(in.ranks);
	free(out.ranks);
}

/* ---- exchanges ---- */

static void compare_packets(const struct asked *a, const char *name,
			    const struct weft_packets *got)
{
	const struct dist_line *want = dist_case_line(a->c, a->prefix, name,
						      a->me);
	size_t n = got->n * got->width;

	if (!want || want->n != (long)n ||
	    memcmp(want->at, got->base, n * sizeof(*want->at)))
		wf_sim_fail(a->s->rank, "%s%s at rank %d", a->prefix, name,
			    a->me);
}

/* op NULL: to items; else combined, as far as roots are set. */
static void check_exchange(const struct asked *a, struct weft_dist *dist,
			   const struct weft_packets *srcs,
			   const struct weft_op *op, const char *name)
{
	struct weft_packets got = *srcs;

	ok(a->s, (op ? weft_dist_ndests : weft_dist_nritems)(dist, &got.n),
	   "number");
	got.base = calloc(got.n * got.width + 1, sizeof(int64_t));
	ok(a->s, op ? weft_dist_exch_reduce(dist, srcs, op, &got) :
		      weft_dist_exch(dist, srcs, &got), name);
	compare_packets(a, name, &got);
	free(got.base);
}

/* Of integers, and of reals that are their sevenths. */
static void check_exchanges(const struct asked *a, struct weft_dist *dist)
{
	const struct dist_line *width = dist_case_line(a->c, "", "width", 0);
	const struct dist_line *data = dist_case_line(a->c, a->prefix, "data",
						      a->me);
	struct weft_packets srcs = { .type = &weft_type_int64 };
	double *sevenths;

	if (!width || !data)
		return;
	srcs.width = (size_t)width->at[0];
	srcs.n = (size_t)data->n / srcs.width;
	srcs.base = data->at;
	check_exchange(a, dist, &srcs, NULL, "exch");
	check_exchange(a, dist, &srcs, &weft_op_min, "min");
	check_exchange(a, dist, &srcs, &weft_op_max, "max");
	check_exchange(a, dist, &srcs, &weft_op_sum, "sum");
	srcs.base = sevenths = calloc((size_t)data->n + 1, sizeof(*sevenths));
	srcs.type = &weft_type_double;
	for (long i = 0; i < data->n; i++)
		sevenths[i] = (double)data->at[i] / 7;
	check_exchange(a, dist, &srcs, &weft_op_min, "min_f64");
	check_exchange(a, dist, &srcs, &weft_op_max, "max_f64");
	check_exchange(a, dist, &srcs, &weft_op_sum, "sum_f64");
	free(sevenths);
}

void dist_case_check(const struct dist_case *c, const struct scene *s,
		     struct weft_dist *dist, const char *prefix, int me)
{
	const struct asked a = { c, s, prefix, me };

	check_number(&a, dist, "nitems", weft_dist_nitems);
	check_number(&a, dist, "nroots", weft_dist_nroots);
	check_number(&a, dist, "nsrcs", weft_dist_nsrcs);
	check_number(&a, dist, "ndests", weft_dist_ndests);
	check_array(&a, dist, "msgs2ranks", weft_dist_msgs2ranks);
	check_array(&a, dist, "msgs2content", weft_dist_msgs2content);
	check_array(&a, dist, "items2content", weft_dist_items2content);
	check_array(&a, dist, "roots2items", weft_dist_roots2items);
	check_array(&a, dist, "items2ranks", weft_dist_items2ranks);
	check_array(&a, dist, "items2msgs", weft_dist_items2msgs);
	check_array(&a, dist, "content2msgs", weft_dist_content2msgs);
	check_dests(&a, dist);
	check_graph(&a, dist);
	check_exchanges(&a, dist);
}

void dist_case_check_both(const struct dist_case *c, const struct scene *s,
			  struct weft_dist *dist, const char *kind, int me)
{
	struct weft_dist *inverse = NULL;
	char prefix[40];

	ok(s, weft_dist_invert(dist, &inverse), "invert");
	snprintf(prefix, sizeof(prefix), "%s.fwd.", kind);
	dist_case_check(c, s, dist, prefix, me);
	snprintf(prefix, sizeof(prefix), "%s.rev.", kind);
	dist_case_check(c, s, inverse, prefix, me);
	ok(s, weft_dist_free(&inverse), "free");
}
