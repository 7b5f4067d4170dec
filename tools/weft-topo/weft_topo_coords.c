/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coordinates: three finite numbers a line, a line for each vertex of the
 * graph, in its order; empty lines and comments (%) are skipped.
 */
#include "tools/weft-topo/weft_topo_graph.h"

#include <inttypes.h>
#include <stdlib.h>

#include "examples/cg/cg_file.h"
#include "examples/cg/cg_scan.h"

static int parse_line(struct cg_scan *scan, double *coords, struct cg_why *why)
{
	for (int axis = 0; axis < 3; axis++)
		if (cg_scan_real(scan, &coords[axis]) != CG_SCAN_OK)
			return cg_fail(why, "line %" PRId64 ": not three "
				       "finite numbers", scan->line);
	if (!cg_scan_rest_blank(scan))
		return cg_fail(why, "line %" PRId64 ": more than three "
			       "numbers", scan->line);
	return 0;
}

static int parse(struct cg_scan *scan, const struct wtopo_graph *g,
		 struct cg_why *why)
{
	for (int v = 0; v < g->n; v++) {
		if (!cg_scan_content(scan, true))
			return cg_fail(why, "truncated: %d of %d ranks up to "
				       "line %" PRId64, v, g->n, scan->line);
		if (parse_line(scan, &g->coords[3 * (size_t)v], why))
			return -1;
	}
	if (cg_scan_content(scan, true))
		return cg_fail(why, "line %" PRId64 ": something follows the "
			       "%d ranks", scan->line, g->n);
	return 0;
}

int wtopo_coords_load(struct wtopo_graph *g, const char *path,
		      struct cg_why *why)
{
	struct cg_scan scan;
	struct cg_why inner;
	char *text = NULL;
	size_t size;
	int status = cg_file_read(path, &text, &size, &inner);

	g->coords = malloc((3 * (size_t)g->n + 1) * sizeof(*g->coords));
	if (!status && !g->coords)
		status = cg_fail_memory(&inner, "the coordinates");
	if (!status) {
		cg_scan_init(&scan, text, size);
		status = parse(&scan, g, &inner);
	}
	free(text);
	if (status)
		return cg_fail(why, "%s: %s", path, inner.text);
	return 0;
}
