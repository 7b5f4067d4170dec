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

#endif
