/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a path to a matrix.  Called by rank 0.
 */
#include "cg_load.h"

#include <stdlib.h>
#include <string.h>

#include "cg_file.h"
#include "cg_metis.h"
#include "cg_mtx.h"

typedef int parse_fn(const char *text, size_t size, struct cg_csr *a,
		     struct cg_why *why);

static parse_fn *parser_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && strcmp(dot, ".mtx") == 0)
		return cg_mtx_parse;
	if (dot && strcmp(dot, ".graph") == 0)
		return cg_metis_parse;
	return NULL;
}

int cg_load(const char *path, struct cg_csr *a, struct cg_why *why)
{
	parse_fn *parse = parser_of(path);
	struct cg_why inner;
	char *text = NULL;
	size_t size = 0;
	int status;

	if (!parse)
		return cg_fail(why, "%s: the name ends neither in .mtx nor in "
			       ".graph", path);
	status = cg_file_read(path, &text, &size, &inner);
	if (!status)
		status = parse(text, size, a, &inner);
	free(text);
	if (status)
		return cg_fail(why, "%s: %s", path, inner.text);
	return 0;
}
