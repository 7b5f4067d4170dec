/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft-topo was asked for.
 */
#ifndef WEFT_TOOL_TOPO_OPTIONS_H
#define WEFT_TOOL_TOPO_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "topo/reorder.h"

struct wtopo_options {
	const char *file;
	const char *coords;	/* file; NULL: none */
	const char *keep;	/* ranks like 0,4-7; NULL: none */
	const char *output;	/* file; NULL: standard output */
	long per_node;		/* ranks on each node but the last one */
	enum wf_reorder_method method;
	enum wf_reorder_metric metric;
	long refine;		/* passes of swaps at most */
	bool shuffle;		/* numbers are dealt out first, by */
	uint64_t seed;
	bool json;
};

enum wtopo_todo { WTOPO_TODO_RUN, WTOPO_TODO_NOTHING, WTOPO_TODO_FAIL };

/* Says what is wrong, or what was asked for. */
enum wtopo_todo wtopo_options_parse(int argc, char **argv,
				    struct wtopo_options *options_p);

const char *wtopo_metric_name(enum wf_reorder_metric metric);

#endif
