/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_METIS_H
#define CG_METIS_H

#include <stddef.h>

#include "cg_csr.h"

/*
 * The Laplacian plus the identity of an unweighted METIS graph: 1 + degree on
 * the diagonal, -1 for each edge.  text[size] must be a NUL byte.  Nothing is
 * left behind on failure.
 */
int cg_metis_parse(const char *text, size_t size, struct cg_csr *a,
		   struct cg_why *why);

/*
 * The graph itself, in any format: the weights of its edges, 1 each where there
 * are none, and in the order of the file.  That edges stand at both ends, and
 * only once, is not looked at.
 */
int cg_metis_read(const char *text, size_t size, struct cg_csr *a,
		  struct cg_why *why);

/* The line of vertex i, from 0, of a text that was read. */
int64_t cg_metis_line(const char *text, size_t size, int64_t i);

#endif
