/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weft-sim.
 *
 * Called once by main(). Options may stand before and after the command.
 */
#include "tools/weft-sim/weft_sim_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/config_parse.h"
#include "bench/weft_bench_words.h"
#include "tools/weft-sim/weft_sim_chart.h"
#include "tools/weft-sim/weft_sim_graph.h"
#include "tools/weft-sim/weft_sim_child.h"
#include "tools/weft-sim/weft_sim_params.h"

enum {
	BYTES_MAX = 64 << 20,
	ITEMS_MAX = 1000000,
	ITERATIONS_MAX = 100000,
	USUAL_ITERATIONS = 3,
	USUAL_WARMUP = 5,
	SHORT_WARMUP = 2,	/* by mail, and the opening of channels */
	SHORT_MAILED = 1,
	USUAL_BLOCK = 16,
	USUAL_ITEMS = 100
};

static const struct option longs[] = {
	{ "ranks", required_argument, NULL, 'n' },
	{ "bytes", required_argument, NULL, 'b' },
	{ "graph", required_argument, NULL, 'g' },
	{ "pattern", required_argument, NULL, 'g' },
	{ "items", required_argument, NULL, 'I' },
	{ "method", required_argument, NULL, 'm' },
	{ "algorithm", required_argument, NULL, 'a' },
	{ "colors", required_argument, NULL, 'c' },
	{ "root", required_argument, NULL, 'R' },
	{ "iterations", required_argument, NULL, 'i' },
	{ "warmup", required_argument, NULL, 'w' },
	{ "net", required_argument, NULL, 'N' },
	{ "node-net", required_argument, NULL, 'M' },
	{ "shape", required_argument, NULL, 'H' },
	{ "ppn", required_argument, NULL, 'p' },
	{ "seed", required_argument, NULL, 's' },
	{ "seeds", required_argument, NULL, 'S' },
	{ "faults", required_argument, NULL, 'f' },
	{ "trace", required_argument, NULL, 'T' },
	{ "shrink", no_argument, NULL, 'k' },
	{ "table", no_argument, NULL, 't' },
	{ "svg", required_argument, NULL, 'V' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
"usage: weft-sim [OPTION]... COMMAND\n"
"Runs weft on many simulated ranks of this one process, in virtual time, and\n"
"checks what each of them gets.\n"
"\n"
"  allgather  the bytes of each to all\n"
"  allreduce  sum of doubles\n"
"  alltoall   bytes of each to each\n"
"  alltoallv  the same, 1 to 4 quarters of --bytes, by the sum of both ranks\n"
"  barrier    no data\n"
"  bcast      the bytes of --root to all\n"
"  gather     the bytes of each to --root\n"
"  gatherv    the same, 1 to 4 quarters of --bytes, by the rank\n"
"  reduce     sum of doubles, at --root\n"
"  scan       sums of doubles, of the ranks up to each\n"
"  scatter    bytes of --root to each\n"
"  scatterv   the same, 1 to 4 quarters of --bytes, by the rank\n"
"  exchange   one message along each edge of --graph\n"
"  p2p        the same as matched messages, all sent and received at once\n"
"  dist       a Dist along the edges of --graph, and exchanges of it\n"
"  dup        a communicator of all ranks\n"
"  create     one for each colour of --colors, of a group\n"
"  create_group  the same by the members of each group alone\n"
"  split      the same by the colours\n"
"  graph      one of the edges of --graph, given by both ends\n"
"  graph_any  the same, given by another rank: the one behind the source\n"
"  reorder    as graph, and the library lets ranks be other processes\n"
"  validate   the model beside this machine, calibrated to shared memory\n"
"\n"
"  -n, --ranks N         how many (default 64, or the vertices of the file)\n"
"      --bytes N         of each message or vector, like 8 or 4k (default 8)\n"
"      --graph GRAPH     27pt or mesh, random:DEGREE, edges:0-1,1-2,... or\n"
"                        FILE.graph in the format of METIS, a rank for each\n"
"                        vertex; may be called --pattern\n"
"                        shuffled:GRAPH: ranks have other numbers by chance\n"
"      --items N         of a Dist, for each edge (default 100)\n"
"      --method NAME     of a reorder: greedy (default) or none\n"
"      --algorithm NAME  of collectives, as WEFT_COLL: radix:N with N 2, 4,\n"
"                        8 or 16 (default radix:8)\n"
"      --colors COLORS   block:N, turn:N or random:N: N ranks in a row each,\n"
"                        N colours in turn, or by chance (default block:16)\n"
"      --root R          rank that gives, or gets; the last where there are\n"
"                        fewer (default 0)\n"
"  -i, --iterations N    timed operations (default 3; 1 with --net, the usual\n"
"                        warm-up and no faults: all take the same)\n"
"      --warmup N        operations before them (default 5; there 2 of those\n"
"                        without a root and a graph, which do)\n"
"      --net NET         hdr200, ndr400, roce100, tcp10 or shm (default: with\n"
"                        random delays), or times like o=0.1,L=0.8,G=0.04\n"
"      --node-net NET    the same, inside a node (default shm)\n"
"      --shape SHAPE     flat (default), fattree or dragonfly\n"
"      --ppn N           ranks on each node (default: 1 with --net, else all)\n"
"      --seed N          everything by chance follows from it (default 1)\n"
"      --seeds N         that many runs, a line each, with seeds from there\n"
"      --faults LIST     some of again[:N], switch[:N], slow[:N], tear[:N],\n"
"                        flush[:N] (one in N, default 16), silent, shallow,\n"
"                        held, laggard, contact, outage, unfenced, kill,\n"
"                        cut, vary;\n"
"                        forge[:N]: credits count twice, which is found\n"
"      --shrink          find a smaller command that fails like this one\n"
"      --trace FILE      write what happens as trace events, for Perfetto\n"
"      --table           a line for each number of ranks, of bytes, and each\n"
"                        algorithm, of which lists are taken, like 2,16\n"
"      --svg FILE        draw the table as well\n"
"      --json            print one JSON object instead\n"
"      --help, --version\n"
"\n"
"Times are LogGP without congestion; without --net delays are random, and\n"
"times predict nothing. The same options give the same run and the same trace\n"
"hash; see weft-sim(1).\n";

static bool parse_ranks(const char *text, struct wsim_options *options)
{
	if (!option_sizes(text, WSIM_RANKS_MAX, WSIM_LIST_MAX, options->ranks,
			  &options->nranks))
		return false;
	for (int i = 0; i < options->nranks; i++)
		if (!options->ranks[i])
			return false;
	return true;
}

/* What WEFT_COLL may be, one or several. */
static bool parse_algorithms(const char *text, struct wsim_options *options)
{
	char name[sizeof("radix:16")];
	int n = 0;

	do {
		size_t length = strcspn(text, ",");
		uint64_t radix;

		snprintf(name, sizeof(name), "%.*s", (int)length, text);
		if (n == WSIM_RADICES_MAX || length >= sizeof(name) ||
		    !wf_config_parse_radix(name, &radix))
			return false;
		options->radix[n++] = (int)radix;
		text += length;
	} while (*text++);
	options->nradices = n;
	return true;
}

static bool parse_seed(const char *text, uint64_t *seed_p)
{
	char *end;

	errno = 0;
	*seed_p = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

static bool take_output(int option, const char *text,
			struct wsim_options *options)
{
	switch (option) {
	case 'T':
		options->trace = text;
		return true;
	case 'V':
		options->svg = text;
		return true;
	case 'k':
		options->shrink = true;
		return true;
	case 't':
		options->table = true;
		return true;
	default:
		options->json = true;
		return true;
	}
}

static bool take_network(int option, const char *text,
			 struct wsim_options *options)
{
	switch (option) {
	case 'N':
		return wsim_params_parse(text, &options->net);
	case 'M':
		return wsim_params_parse(text, &options->node_net);
	case 'H':
		options->shaped = true;
		return wf_sim_shape_find(text, &options->shape);
	case 'p':
		return option_count(text, 1, WSIM_RANKS_MAX, &options->ppn);
	default:
		return take_output(option, text, options);
	}
}

static bool take_option(int option, const char *text,
			struct wsim_options *options)
{
	switch (option) {
	case 'n':
		return parse_ranks(text, options);
	case 'b':
		return option_sizes(text, BYTES_MAX, WSIM_LIST_MAX,
				    options->bytes, &options->nbytes);
	case 'g':
		options->graph = text;
		return wsim_graph_is_known(text);
	case 'I':
		return option_count(text, 1, ITEMS_MAX, &options->items);
	case 'm':
		options->method = text;
		return !strcmp(text, "greedy") || !strcmp(text, "none");
	case 'a':
		return parse_algorithms(text, options);
	case 'c':
		return wsim_colors_parse(text, &options->colors);
	case 'R':
		return option_count(text, 0, WSIM_RANKS_MAX - 1,
				    &options->root);
	case 'i':
		return option_count(text, 1, ITERATIONS_MAX,
				    &options->iterations);
	case 'w':
		return option_count(text, 0, ITERATIONS_MAX, &options->warmup);
	case 's':
		return parse_seed(text, &options->seed);
	case 'S':
		return option_count(text, 1, 1000000000, &options->seeds);
	case 'f':
		return wsim_faults_parse(text, &options->faults);
	default:
		return take_network(option, text, options);
	}
}

static const char *number_of(int option)
{
	switch (option) {
	case 'R':
		return "a number up to 1048575";
	case 'i':
		return "a number from 1 to 100000";
	case 'I':
		return "a number from 1 to 1000000";
	case 'w':
		return "a number up to 100000";
	case 'p':
		return "a number from 1 to 1048576";
	case 's':
		return "a number up to 2^64 - 1";
	default:
		return "a number from 1 to 1000000000";
	}
}

static const char *values_of(int option)
{
	switch (option) {
	case 'n':
		return "a number from 1 to 1048576, or with --table up to 40 "
		       "of them";
	case 'b':
		return "a number of bytes up to 64m, or with --table up to 40 "
		       "of them";
	case 'g':
		return "27pt or mesh, random:DEGREE with a degree from 1 to "
		       "10000, edges:FROM-TO,... or FILE.graph, or shuffled: "
		       "and one of these";
	case 'm':
		return "greedy or none: Scotch needs a larger stack than that "
		       "of a simulated rank, and rcb needs coordinates, but "
		       "weft-topo runs them";
	case 'a':
		return "radix:N with N " WF_CONFIG_RADICES ", or with "
		       "--table up to 4 of them";
	case 'c':
		return "block:N, turn:N or random:N with N from 1 to 1048576";
	case 'N':
	case 'M':
		return "hdr200, ndr400, roce100, tcp10 or shm, or times like "
		       "o=0.1,post=0.07,poll=0.03,L=0.8,hop=0.1,g=0.005,"
		       "G=0.04,copy=0.02,reduce=0.06";
	case 'H':
		return "flat, fattree or dragonfly";
	case 'f':
		return "again[:N], switch[:N], slow[:N], tear[:N], flush[:N] "
		       "with N from 2 to 1000000, silent, shallow, held, "
		       "laggard, contact, outage, unfenced, kill, cut, vary, "
		       "forge[:N], or several with commas";
	default:
		return number_of(option);
	}
}

static enum wsim_todo wrong(const char *what, const char *word)
{
	option_wrong("weft-sim", what, word);
	return WSIM_TODO_FAIL;
}

static enum wsim_todo parse_options(int argc, char **argv,
				    struct wsim_options *options)
{
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":n:i:h", longs, NULL)) !=
	       -1) {
		if (option == 'h' || option == 'v') {
			fputs(option == 'h' ? help :
			      "weft-sim " PACKAGE_VERSION "\n", stdout);
			return WSIM_TODO_NOTHING;
		}
		if (option == '?')
			return wrong("unknown option ", argv[optind - 1]);
		if (option == ':')
			return wrong("no value for ", argv[optind - 1]);
		if (take_option(option, optarg, options))
			continue;
		fprintf(stderr, "weft-sim: --%s %s: give %s\n",
			option_name(longs, option), optarg, values_of(option));
		return WSIM_TODO_FAIL;
	}
	return WSIM_TODO_RUN;
}

static enum wsim_todo parse_command(int argc, char **argv,
				    struct wsim_options *options)
{
	int i = 0;

	if (optind == argc)
		return wrong("no command", "");
	if (optind + 1 < argc)
		return wrong("unexpected word ", argv[optind + 1]);
	while (i <= WSIM_VALIDATE &&
	       strcmp(argv[optind], wsim_command_name((enum wsim_command)i)))
		i++;
	if (i > WSIM_VALIDATE)
		return wrong("unknown command ", argv[optind]);
	options->command = (enum wsim_command)i;
	if (i == WSIM_VALIDATE && argc > 2)
		return wrong("validate has no options", "");
	return WSIM_TODO_RUN;
}

/* What cannot be drawn. */
static enum wsim_todo check_svg(const struct wsim_options *o)
{
	if (!o->table || o->seeds > 1)
		return wrong("--svg needs --table, and one seed", "");
	if (wsim_chart_lines(o) > WSIM_CHART_LINES)
		return wrong("--svg draws up to 8 lines: give fewer numbers of "
			     "bytes or algorithms", "");
	return WSIM_TODO_RUN;
}

/* What is of one run alone. */
static enum wsim_todo check_runs(const struct wsim_options *o)
{
	if (!o->table && (o->nranks > 1 || o->nbytes > 1 || o->nradices > 1))
		return wrong("a list of ranks, bytes or algorithms needs "
			     "--table", "");
	if (o->shrink && (o->table || o->trace || o->json))
		return wrong("--shrink goes without --table, --trace and "
			     "--json", "");
	if (o->trace && (o->table || o->seeds > 1))
		return wrong("--trace is of one run", "");
	return WSIM_TODO_RUN;
}

/* What the command has no use for; NULL: nothing. */
static const char *useless(const struct wsim_options *o)
{
	if (!wsim_has_graph(o) && o->graph)
		return " has no option --graph";
	if (!wsim_has_items(o) && o->items)
		return " has no option --items";
	if (!wsim_has_method(o) && o->method)
		return " has no option --method";
	if (!wsim_has_radix(o) && o->nradices)
		return " has no option --algorithm";
	if (!wsim_has_bytes(o) && o->nbytes)
		return " has no option --bytes";
	if (!wsim_has_colors(o) && o->colors.n)
		return " has no option --colors";
	if (!wsim_has_root(o) && o->root >= 0)
		return " has no option --root";
	return NULL;
}

/* A link between nodes is down, and there is one node. */
static bool lacks_nodes(const struct wsim_options *o)
{
	return (o->faults.cut || o->faults.outage) && !o->ppn && !o->net.name;
}

/* What does not go together. */
static enum wsim_todo check(const struct wsim_options *o)
{
	if (wsim_has_graph(o) && !o->graph && !wsim_has_method(o))
		return wrong(wsim_command_name(o->command), " needs --graph");
	if (useless(o))
		return wrong(wsim_command_name(o->command), useless(o));
	if ((o->shaped || o->node_net.name) && !o->net.name)
		return wrong(o->shaped ? "--shape" : "--node-net",
			     " needs --net");
	if (lacks_nodes(o))
		return wrong("--faults outage and cut need --ppn or --net", "");
	for (int i = 0; i < o->nbytes; i++)
		if (wsim_has_doubles(o) && o->bytes[i] % 8)
			return wrong(wsim_command_name(o->command),
				     " takes multiples of 8 bytes");
	return check_runs(o);
}

/* What the library does where WEFT_COLL is not set. */
static int usual_radix(void)
{
	char *none[] = { NULL }, why[128];
	struct wf_config config;

	return wf_config_read(&config, none, why, sizeof(why)) ? 2 :
	       (int)config.coll;
}

/* By a net's times alone all operations but the first ones take the same. */
static bool all_take_the_same(const struct wsim_options *o)
{
	return o->net.name && !wsim_faults_any(&o->faults);
}

/*
 * Only the first operations of a communicator go by mail, and then one opens
 * its channels; what is timed goes through those.  Where nobody asks for the
 * first ones, more than one of each kind would only take time.  But where edges
 * have credits, which are paid for some operations together, it matters which
 * of them is timed.
 */
static bool may_open_soon(const struct wsim_options *o)
{
	bool returned = (wsim_has_vectors(o) && !wsim_has_root(o)) ||
			o->command == WSIM_BARRIER;

	return returned && all_take_the_same(o) && !o->shrink;
}

static void choose_warmup(struct wsim_options *o)
{
	bool given = o->warmup >= 0;

	if (!given)
		o->warmup = USUAL_WARMUP;
	if (!o->iterations)
		o->iterations = all_take_the_same(o) &&
				o->warmup >= USUAL_WARMUP ?
				1 : USUAL_ITERATIONS;
	if (given || !may_open_soon(o))
		return;
	o->warmup = SHORT_WARMUP;
	o->mailed_epochs = SHORT_MAILED;
}

/* What only some commands have. */
static void fill_in_own(struct wsim_options *o)
{
	if (wsim_has_method(o) && !o->graph)
		o->graph = "shuffled:27pt";
	if (wsim_has_items(o) && !o->items)
		o->items = USUAL_ITEMS;
	if (wsim_has_method(o) && !o->method)
		o->method = "greedy";
	if (wsim_has_colors(o) && !o->colors.n)
		o->colors = (struct wsim_colors){ WSIM_BLOCKS, USUAL_BLOCK };
}

static void fill_in(struct wsim_options *o)
{
	bool has_ranks = o->graph && wsim_graph_has_ranks(o->graph);

	fill_in_own(o);
	if (!o->nbytes) {
		o->bytes[0] = wsim_has_bytes(o) ? 8 : 0;
		o->nbytes = 1;
	}
	if (!o->nradices) {
		o->radix[0] = usual_radix();
		o->nradices = 1;
	}
	o->root += o->root < 0;		/* -1: rank 0 */
	if (!o->ppn && o->net.name)
		o->ppn = 1;
	choose_warmup(o);
	if (!o->nranks && !has_ranks) {
		o->ranks[0] = 64;
		o->nranks = 1;
	}
}

enum wsim_todo wsim_options_parse(int argc, char **argv,
				  struct wsim_options *options_p)
{
	struct wsim_options options = {
		.seed = 1, .seeds = 1, .warmup = -1, .root = -1
	};
	enum wsim_todo todo = parse_options(argc, argv, &options);

	if (todo == WSIM_TODO_RUN)
		todo = parse_command(argc, argv, &options);
	if (todo == WSIM_TODO_RUN)
		todo = check(&options);
	if (todo == WSIM_TODO_RUN)
		fill_in(&options);
	if (todo == WSIM_TODO_RUN && options.svg)
		todo = check_svg(&options);
	*options_p = options;
	return todo;
}
