/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_MTX_H
#define CG_MTX_H

#include <stddef.h>

#include "cg_csr.h"

/*
 * A symmetric real matrix from the text of a MatrixMarket coordinate file;
 * text[size] must be a NUL byte.  Nothing is left behind on failure.
 */
int cg_mtx_parse(const char *text, size_t size, struct cg_csr *a,
		 struct cg_why *why);

#endif
