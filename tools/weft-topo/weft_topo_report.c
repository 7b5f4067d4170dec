/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures as one JSON object.
 */
#include "tools/weft-topo/weft_topo_order.h"

#include <inttypes.h>

static void put_cost(FILE *to, const char *name,
		     const struct weft_reorder_cost *cost)
{
	fprintf(to, ",\"%s\":{\"sum\":%" PRId64 ",\"max\":%" PRId64
		",\"messages\":%" PRId64 "}", name, cost->sum, cost->max,
		cost->messages);
}

/* Reasons are sentences of ours, with nothing that JSON escapes. */
static void put_reason(FILE *to, const char *name, const char *text)
{
	if (text)
		fprintf(to, ",\"%s\":\"%s\"", name, text);
	else
		fprintf(to, ",\"%s\":null", name);
}

void wtopo_report_put(FILE *to, const void *arg)
{
	const struct wtopo_order *order = arg;
	const struct wtopo_options *o = order->options;
	const struct wf_reorder_result *r = &order->result;

	fprintf(to, "{\"version\":\"%s\",\"ranks\":%d,\"per_node\":%ld,"
		"\"nodes\":%d,\"edges\":%" PRId64 ",\"weight\":%" PRId64
		",\"method\":\"%s\",\"metric\":\"%s\",\"refine\":%ld",
		PACKAGE_VERSION, order->graph->n, o->per_node, order->nodes,
		order->graph->count, order->graph->weight,
		wf_reorder_method_name(o->method), wtopo_metric_name(o->metric),
		o->refine);
	put_cost(to, "before", &r->before);
	put_cost(to, "after", &r->after);
	fprintf(to, ",\"moved\":%d,\"seconds\":%.6f", r->moved,
		order->seconds);
	put_reason(to, "instead", r->instead);
	put_reason(to, "kept", r->kept);
	fputs("}\n", to);
}
