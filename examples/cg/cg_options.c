/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line.  Called once by main, before the job is open, so it
 * prints nothing itself.
 */
#include "cg_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_MESH = 256, OPT_TOL, OPT_MAXIT, OPT_CHECK, OPT_JSON, OPT_REORDER };

static const struct option long_options[] = {
	{ "mesh", required_argument, NULL, OPT_MESH },
	{ "tol", required_argument, NULL, OPT_TOL },
	{ "maxit", required_argument, NULL, OPT_MAXIT },
	{ "reorder", required_argument, NULL, OPT_REORDER },
	{ "serial-check", no_argument, NULL, OPT_CHECK },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

const char *cg_options_usage(void)
{
	return
"usage: weft-cg [options] --mesh NX,NY,NZ | FILE.mtx | FILE.graph\n"
"\n"
"Solves A x = b on all ranks of the job by conjugate gradients with a Jacobi\n"
"preconditioner; b is all ones.\n"
"\n"
"  --mesh NX,NY,NZ   27-point mesh, generated: 26 on the diagonal, -1 beside\n"
"  FILE.mtx          MatrixMarket file, coordinate real symmetric\n"
"  FILE.graph        METIS graph without weights: its Laplacian plus identity\n"
"  --tol X           stop at the relative residual X (default 1e-8)\n"
"  --maxit N         give up after N iterations (default: 10 per row)\n"
"  --reorder METHOD  let processes change ranks, so that heavy halos stay\n"
"                    on a node: greedy, scotch or none, see weft_reorder(3)\n"
"  --serial-check    solve on rank 0, too, and compare; fail if they differ\n"
"  --json            print one JSON object\n"
"  -h, --help        print this\n"
"  -V, --version     print the version\n"
"\n"
"example: weftrun -n 4 weft-cg --mesh 40,40,40 --serial-check\n";
}

/* A decimal integer of at least 1 that ends where the text or a comma is. */
static const char *read_count(const char *text, int64_t *value_p)
{
	char *end;

	errno = 0;
	*value_p = strtoll(text, &end, 10);
	if (errno || end == text || *value_p < 1)
		return NULL;
	return end;
}

static int read_mesh(struct cg_options *options, const char *text,
		     struct cg_why *why)
{
	const char *at = text;
	int axis;

	for (axis = 0; axis < 3; axis++) {
		at = read_count(at, &options->mesh.n[axis]);
		if (!at || *at != (axis < 2 ? ',' : '\0'))
			return cg_fail(why, "--mesh %s: give three positive "
				       "numbers NX,NY,NZ", text);
		at++;
	}
	return cg_mesh_check(&options->mesh, why);
}

static int read_tol(struct cg_options *options, const char *text,
		    struct cg_why *why)
{
	char *end;

	options->limits.tol = strtod(text, &end);
	if (end == text || *end || !isfinite(options->limits.tol) ||
	    options->limits.tol <= 0.0)
		return cg_fail(why, "--tol %s: give a number above zero", text);
	return 0;
}

static int read_maxit(struct cg_options *options, const char *text,
		      struct cg_why *why)
{
	const char *end = read_count(text, &options->limits.maxit);

	if (!end || *end)
		return cg_fail(why, "--maxit %s: give a number above zero",
			       text);
	return 0;
}

static int read_reorder(struct cg_options *options, const char *text,
			struct cg_why *why)
{
	options->reorder = text;
	if (strcmp(text, "greedy") == 0 || strcmp(text, "scotch") == 0 ||
	    strcmp(text, "none") == 0)
		return 0;
	return cg_fail(why, "--reorder %s: give greedy, scotch or none", text);
}

static int read_option(struct cg_options *options, int which, char **argv,
		       struct cg_why *why)
{
	switch (which) {
	case OPT_MESH:
		return read_mesh(options, optarg, why);
	case OPT_TOL:
		return read_tol(options, optarg, why);
	case OPT_MAXIT:
		return read_maxit(options, optarg, why);
	case OPT_REORDER:
		return read_reorder(options, optarg, why);
	case OPT_CHECK:
		options->serial_check = true;
		return 0;
	case OPT_JSON:
		options->json = true;
		return 0;
	case 'h':
		options->help = true;
		return 0;
	case 'V':
		options->version = true;
		return 0;
	default:
		return cg_fail(why, "%s: unknown option or no value; see "
			       "weft-cg --help", argv[optind - 1]);
	}
}

static int check_source(const struct cg_options *options, int files,
			struct cg_why *why)
{
	bool mesh = options->mesh.n[0] > 0;

	if (options->help || options->version)
		return 0;
	if (files + mesh == 0)
		return cg_fail(why, "give --mesh or a file; see "
			       "weft-cg --help");
	if (files + mesh > 1)
		return cg_fail(why, "give one matrix: --mesh or one file");
	return 0;
}

int cg_options_read(struct cg_options *options, int argc, char **argv,
		    struct cg_why *why)
{
	int which;

	memset(options, 0, sizeof(*options));
	options->limits.tol = 1e-8;
	opterr = 0;
	optind = 0;	/* glibc: begin anew */
	while ((which = getopt_long(argc, argv, "hV", long_options, NULL)) !=
	       -1)
		if (read_option(options, which, argv, why))
			return -1;
	if (optind < argc)
		options->file = argv[optind];
	return check_source(options, argc - optind, why);
}
