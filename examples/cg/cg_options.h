/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weft-cg: read once by main, the same on every rank.
 */
#ifndef CG_OPTIONS_H
#define CG_OPTIONS_H

#include <stdbool.h>

#include "cg_mesh.h"
#include "cg_serial.h"

struct cg_options {
	const char *file;		/* NULL: the mesh */
	struct cg_mesh mesh;
	struct cg_limits limits;	/* maxit 0: ten per row */
	const char *reorder;		/* a method; NULL: none */
	bool serial_check;
	bool json;
	bool help;
	bool version;
};

/* Reads the command line; all ranks get the same. */
int cg_options_read(struct cg_options *options, int argc, char **argv,
		    struct cg_why *why);

/* What --help prints. */
const char *cg_options_usage(void);

#endif
