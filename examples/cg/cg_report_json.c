/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as one JSON object.  Called on rank 0.  A number that is not
 * finite (the residual of a solve that broke down) is null.
 */
#include "cg_report.h"

#include <inttypes.h>
#include <math.h>

static void put_string(FILE *out, const char *name, const char *text)
{
	fprintf(out, "  \"%s\": \"", name);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(out, "\\u%04x", (unsigned int)*text);
		else
			fputc(*text, out);
	}
	fprintf(out, "\",\n");
}

static void put_number(FILE *out, const char *name, double value)
{
	if (isfinite(value))
		fprintf(out, "\"%s\": %.17g", name, value);
	else
		fprintf(out, "\"%s\": null", name);
}

static void put_rank(FILE *out, const struct cg_rank_facts *facts)
{
	fprintf(out, "    {\"rows\": %" PRId64 ", \"nonzeros\": %" PRId64
		", \"neighbours\": %" PRId64 ", \"bytes_per_exchange\": %"
		PRId64 ", ", facts->rows, facts->entries, facts->neighbours,
		facts->bytes);
	put_number(out, "compute_s", facts->times.compute);
	fprintf(out, ", ");
	put_number(out, "exchange_s", facts->times.exchange);
	fprintf(out, ", ");
	put_number(out, "reduce_s", facts->times.reduce);
	fprintf(out, "}");
}

static const char *truth(bool value)
{
	return value ? "true" : "false";
}

static void put_carriers(FILE *out, const struct cg_summary *s)
{
	struct cg_carrier list[CG_CARRIERS];
	int i;

	cg_report_carriers(s, list);
	fprintf(out, "  \"edges\": [");
	for (i = 0; i < CG_CARRIERS && list[i].edges > 0; i++)
		fprintf(out, "%s\n    {\"transport\": \"%s\", "
			"\"same_host\": %s, \"edges\": %" PRId64
			", \"bytes_per_exchange\": %" PRId64 "}",
			i > 0 ? "," : "", list[i].transport,
			truth(list[i].same_host), list[i].edges,
			list[i].bytes);
	fprintf(out, "],\n");
}

static void put_verdict(FILE *out, const struct cg_verdict *v)
{
	fprintf(out, "  \"serial_check\": {\n    \"ok\": %s,\n",
		truth(cg_verdict_ok(v)));
	fprintf(out, "    \"iterations\": %" PRId64 ", "
		"\"allowed_iterations\": %" PRId64 ", "
		"\"iterations_ok\": %s,\n", v->serial.iterations,
		v->allowed_iterations, truth(v->iterations_ok));
	fprintf(out, "    ");
	put_number(out, "difference", v->difference);
	fprintf(out, ", ");
	put_number(out, "allowed_difference", v->allowed_difference);
	fprintf(out, ", \"difference_ok\": %s,\n    ", truth(v->difference_ok));
	put_number(out, "allowed_residual", v->allowed_residual);
	fprintf(out, ", \"residual_ok\": %s,\n    \"same_bits\": %s\n  },\n",
		truth(v->residual_ok), truth(v->bits_ok));
}

static void put_order(FILE *out, const struct weft_reorder_info *o)
{
	fprintf(out, "  \"reorder\": {\"method\": \"%s\", \"moved\": %d, "
		"\"bytes_between_nodes\": %" PRId64 ", \"before\": %" PRId64
		"},\n", o->method ? o->method : "none", o->moved,
		o->after.sum, o->before.sum);
}

void cg_report_json(FILE *out, const struct cg_summary *s)
{
	const struct cg_outcome *o = &s->solved->outcome;
	const struct cg_blocks *blocks = s->solved->blocks;
	int r;

	fprintf(out, "{\n");
	put_string(out, "matrix", s->source);
	fprintf(out, "  \"ranks\": %d,\n  \"rows\": %" PRId64
		",\n  \"nonzeros\": %" PRId64 ",\n", s->ranks,
		blocks->row[s->ranks], blocks->entry[s->ranks]);
	if (s->order)
		put_order(out, s->order);
	fprintf(out, "  \"iterations\": %" PRId64 ",\n  \"converged\": %s,\n  ",
		o->iterations, truth(o->converged));
	put_number(out, "residual", o->residual);
	fprintf(out, ",\n  ");
	put_number(out, "true_residual", o->true_residual);
	fprintf(out, ",\n  \"solution_checksum\": \"%016" PRIx64 "\",\n",
		cg_report_checksum(s->solved->x, blocks->row[s->ranks]));
	if (s->verdict)
		put_verdict(out, s->verdict);
	put_carriers(out, s);
	fprintf(out, "  \"per_rank\": [\n");
	for (r = 0; r < s->ranks; r++) {
		put_rank(out, &s->facts[r]);
		fprintf(out, r + 1 < s->ranks ? ",\n" : "\n");
	}
	fprintf(out, "  ]\n}\n");
}
