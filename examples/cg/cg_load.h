/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_LOAD_H
#define CG_LOAD_H

#include "cg_csr.h"

/* The matrix of a .mtx or .graph file; the sentence names the file. */
int cg_load(const char *path, struct cg_csr *a, struct cg_why *why);

#endif
