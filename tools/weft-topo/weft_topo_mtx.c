/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A square matrix as edges: entry (i, j) is what i sends to j, and of a
 * symmetric file what j sends to i, too.  Weights are integers from 1: small
 * values and zeros that are stored are messages as well.
 */
#include "tools/weft-topo/weft_topo_graph.h"

#include <inttypes.h>
#include <math.h>

#include "examples/cg/cg_entries.h"

static int add(struct wtopo_graph *g, const struct cg_entry *entry, bool both,
	       struct cg_why *why)
{
	double size = fabs(entry->val);
	struct wf_reorder_edge edge = { (int)entry->row, (int)entry->col, 1 };

	if (edge.from == edge.to)
		return 0;
	if (size > 0x1p53)
		return cg_fail(why, "entry (%" PRId64 ", %" PRId64 ") is %g, "
			       "and weights go up to 2^53", entry->row + 1,
			       entry->col + 1, entry->val);
	if (size > 1)
		edge.weight = (int64_t)(size + 0.5);
	if (wtopo_graph_add(g, &edge, why))
		return -1;
	if (!both)
		return 0;
	edge.from = (int)entry->col;
	edge.to = (int)entry->row;
	return wtopo_graph_add(g, &edge, why);
}

int wtopo_mtx_parse(const char *text, size_t size, struct wtopo_graph *g,
		    struct cg_why *why)
{
	struct cg_entries e;
	int status = cg_entries_read(text, size, true, &e, why);

	if (status)
		return status;
	status = wtopo_graph_alloc(g, e.rows, e.count * (e.general ? 1 : 2),
				   why);
	if (status)
		goto free_entries;
	for (int64_t k = 0; !status && k < e.count; k++)
		status = add(g, &e.list[k], !e.general, why);
	if (status)
		wtopo_graph_free(g);

free_entries:
	cg_entries_free(&e);
	return status;
}
