/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as text.  Called on rank 0.
 */
#include "cg_report.h"

#include <inttypes.h>
#include <string.h>

uint64_t cg_report_checksum(const double *x, int64_t n)
{
	const unsigned char *byte = (const unsigned char *)x;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i, size = (size_t)n * sizeof(*x);

	for (i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Least, sum and most of one number over the ranks. */
struct range {
	int64_t least, most, sum;
};

static struct range range_of(const struct cg_summary *s, size_t offset)
{
	struct range range = { INT64_MAX, INT64_MIN, 0 };
	int64_t value;
	int r;

	for (r = 0; r < s->ranks; r++) {
		value = *(const int64_t *)((const char *)&s->facts[r] + offset);
		range.least = value < range.least ? value : range.least;
		range.most = value > range.most ? value : range.most;
		range.sum += value;
	}
	return range;
}

static void print_range(FILE *out, const struct cg_summary *s,
			const char *name, size_t offset)
{
	struct range range = range_of(s, offset);

	fprintf(out, "%-22s%" PRId64 "..%" PRId64 " per rank, %" PRId64
		" in all\n", name, range.least, range.most, range.sum);
}

void cg_report_carriers(const struct cg_summary *s,
			struct cg_carrier list[CG_CARRIERS])
{
	const struct cg_carrier *one;
	int i, r;

	memset(list, 0, CG_CARRIERS * sizeof(*list));
	for (r = 0; r < s->ranks; r++) {
		for (i = 0; i < CG_CARRIERS; i++) {
			one = &s->facts[r].carriers[i];
			if (one->edges > 0)
				cg_carrier_add(list, one);
		}
	}
}

static void print_carriers(FILE *out, const struct cg_summary *s)
{
	struct cg_carrier list[CG_CARRIERS];
	int i;

	cg_report_carriers(s, list);
	for (i = 0; i < CG_CARRIERS && list[i].edges > 0; i++)
		fprintf(out, "%-22s%s: %" PRId64 " edges, %" PRId64
			" bytes per exchange\n", list[i].same_host ?
			"edges on one host" : "edges between hosts",
			list[i].transport, list[i].edges, list[i].bytes);
}

static void print_times(FILE *out, const struct cg_summary *s)
{
	struct cg_times sum = { 0 };
	double all;
	int r;

	for (r = 0; r < s->ranks; r++) {
		sum.compute += s->facts[r].times.compute;
		sum.exchange += s->facts[r].times.exchange;
		sum.reduce += s->facts[r].times.reduce;
	}
	all = sum.compute + sum.exchange + sum.reduce;
	fprintf(out, "%-22s%.6f s (mean over the ranks)\n", "time",
		all / s->ranks);
	/* A solve of no time at all has no shares. */
	all = all > 0.0 ? all / 100.0 : 1.0;
	fprintf(out, "%-22scompute %.1f %%, exchange %.1f %%, reduce %.1f %%\n",
		"", sum.compute / all, sum.exchange / all, sum.reduce / all);
}

static const char *mark(bool ok)
{
	return ok ? "ok" : "FAILED";
}

static void print_verdict(FILE *out, const struct cg_summary *s)
{
	const struct cg_verdict *v = s->verdict;

	fprintf(out, "serial iterations     %" PRId64 ", allowed difference %"
		PRId64 ": %s\n", v->serial.iterations, v->allowed_iterations,
		mark(v->iterations_ok));
	fprintf(out, "serial solution       differs by %.2e, allowed %.2e: "
		"%s\n", v->difference, v->allowed_difference,
		mark(v->difference_ok));
	fprintf(out, "true residual         allowed %.4e: %s\n",
		v->allowed_residual, mark(v->residual_ok));
	fprintf(out, "same bits on one rank %s\n", mark(v->bits_ok));
}

static void print_order(FILE *out, const struct cg_summary *s)
{
	const struct weft_reorder_info *o = s->order;

	fprintf(out, "%-22s%s: %d ranks moved, %" PRId64 " bytes between "
		"nodes, before %" PRId64 "%s%s\n", "reorder",
		o->method ? o->method : "none", o->moved, o->after.sum,
		o->before.sum, o->why ? "; " : "", o->why ? o->why : "");
}

void cg_report_text(FILE *out, const struct cg_summary *s)
{
	const struct cg_outcome *o = &s->solved->outcome;
	int64_t rows = s->solved->blocks->row[s->ranks];

	fprintf(out, "%-22s%s\n", "matrix", s->source);
	fprintf(out, "%-22s%d\n", "ranks", s->ranks);
	if (s->order)
		print_order(out, s);
	print_range(out, s, "rows", offsetof(struct cg_rank_facts, rows));
	print_range(out, s, "nonzeros",
		    offsetof(struct cg_rank_facts, entries));
	print_range(out, s, "neighbours",
		    offsetof(struct cg_rank_facts, neighbours));
	print_range(out, s, "bytes per exchange",
		    offsetof(struct cg_rank_facts, bytes));
	print_carriers(out, s);
	fprintf(out, "%-22s%" PRId64 "%s\n", "iterations", o->iterations,
		o->converged ? "" : " (not converged)");
	fprintf(out, "%-22s%.4e recursive, %.4e true\n", "relative residual",
		o->residual, o->true_residual);
	fprintf(out, "%-22s%016" PRIx64 "\n", "solution checksum",
		cg_report_checksum(s->solved->x, rows));
	print_times(out, s);
	if (s->verdict)
		print_verdict(out, s);
}
