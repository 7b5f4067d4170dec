/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weft-topo.
 */
#include "tools/weft-topo/weft_topo_options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/config_parse.h"
#include "bench/weft_bench_words.h"
#include "topo/reorder_keys.h"

enum {
	USUAL_PER_NODE = 8
};

static const struct option longs[] = {
	{ "per-node", required_argument, NULL, 'p' },
	{ "method", required_argument, NULL, 'm' },
	{ "metric", required_argument, NULL, 'M' },
	{ "refine", required_argument, NULL, 'r' },
	{ "keep", required_argument, NULL, 'k' },
	{ "coords", required_argument, NULL, 'c' },
	{ "random", required_argument, NULL, 's' },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
"usage: weft-topo [OPTION]... FILE.graph | FILE.mtx\n"
"Draw as SVG which ranks send to which, and on which nodes they are, before\n"
"and after a reorder. A rank is a vertex of a METIS graph, or a row of a\n"
"square MatrixMarket file.\n"
"\n"
"      --per-node N      ranks on each node (default 8)\n"
"      --method NAME     greedy (default), scotch, rcb or none\n"
"      --metric NAME     what is to become less: sum (default), the weight\n"
"                        between nodes, or max, that of one node\n"
"      --refine N        passes of swaps at most (default 8)\n"
"      --keep LIST       ranks that stay, like 0,4-7\n"
"      --coords FILE     three numbers a line, a line for each rank: for rcb\n"
"      --random SEED     deal out the numbers of ranks at random before\n"
"  -o, --output FILE     where the picture goes (default: standard output)\n"
"      --json            figures as one JSON object instead\n"
"  -h, --help            this text\n"
"      --version\n"
"\n"
"Exit code: 0 it was drawn, 2 bad option, 1 anything else.\n";

const char *wtopo_metric_name(enum wf_reorder_metric metric)
{
	return metric == WF_REORDER_MAX ? "max" : "sum";
}

static bool take_file(int option, const char *text, struct wtopo_options *o)
{
	if (option == 'c')
		o->coords = text;
	else if (option == 'o')
		o->output = text;
	else
		o->json = true;
	return true;
}

static bool take_option(int option, const char *text, struct wtopo_options *o)
{
	switch (option) {
	case 'p':
		return option_count(text, 1, INT_MAX, &o->per_node);
	case 'm':
		return wf_reorder_parse_method(text, &o->method);
	case 'M':
		return wf_reorder_parse_metric(text, &o->metric);
	case 'r':
		return option_count(text, 0, WF_REORDER_PASSES_MOST,
				    &o->refine);
	case 'k':
		o->keep = text;
		return wf_reorder_mark_kept(text, INT_MAX, NULL);
	case 's':
		o->shuffle = true;
		return wf_config_parse_int(text, &o->seed);
	default:
		return take_file(option, text, o);
	}
}

static const char *values_of(int option)
{
	switch (option) {
	case 'p':
		return "a number of ranks from 1";
	case 'm':
		return "greedy, scotch, rcb or none";
	case 'M':
		return "sum or max";
	case 'r':
		return "a number of passes up to 1000000";
	case 'k':
		return "ranks like 0,4-7";
	default:
		return "a number up to 2^64 - 1";
	}
}

static enum wtopo_todo wrong(const char *what, const char *word)
{
	option_wrong("weft-topo", what, word);
	return WTOPO_TODO_FAIL;
}

static enum wtopo_todo parse_options(int argc, char **argv,
				     struct wtopo_options *o)
{
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":o:h", longs, NULL)) != -1) {
		if (option == 'h' || option == 'v') {
			fputs(option == 'h' ? help :
			      "weft-topo " PACKAGE_VERSION "\n", stdout);
			return WTOPO_TODO_NOTHING;
		}
		if (option == '?')
			return wrong("unknown option ", argv[optind - 1]);
		if (option == ':')
			return wrong("no value for ", argv[optind - 1]);
		if (take_option(option, optarg, o))
			continue;
		fprintf(stderr, "weft-topo: --%s %s: give %s\n",
			option_name(longs, option), optarg, values_of(option));
		return WTOPO_TODO_FAIL;
	}
	return WTOPO_TODO_RUN;
}

enum wtopo_todo wtopo_options_parse(int argc, char **argv,
				    struct wtopo_options *options_p)
{
	struct wtopo_options o = {
		.per_node = USUAL_PER_NODE, .refine = WF_REORDER_PASSES,
		.method = WF_REORDER_GREEDY
	};
	enum wtopo_todo todo = parse_options(argc, argv, &o);

	if (todo != WTOPO_TODO_RUN)
		return todo;
	if (optind == argc)
		return wrong("no file", "");
	if (optind + 1 < argc)
		return wrong("unexpected word ", argv[optind + 1]);
	if (o.method == WF_REORDER_RCB && !o.coords)
		return wrong("--method rcb needs --coords", "");
	if (o.method != WF_REORDER_RCB && o.coords)
		return wrong("--coords needs --method rcb", "");
	o.file = argv[optind];
	*options_p = o;
	return WTOPO_TODO_RUN;
}
