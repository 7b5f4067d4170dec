/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weft-bench.
 *
 * Called once by main(). All ranks parse the same words to the same result;
 * whether one of them prints is its caller's choice.
 */
#include "bench/weft_bench_options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bench/weft_bench_words.h"

static const struct option longs[] = {
	{ "sizes", required_argument, NULL, 's' },
	{ "iterations", required_argument, NULL, 'i' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "persistent", no_argument, NULL, 'p' },
	{ "blocking", no_argument, NULL, 'b' },
	{ "nonblocking", no_argument, NULL, 'n' },
	{ "op", required_argument, NULL, 'O' },
	{ "type", required_argument, NULL, 'Y' },
	{ "width", required_argument, NULL, 'w' },
	{ "memory", required_argument, NULL, 'm' },
	{ "raw", required_argument, NULL, 'R' },
	{ "transport", required_argument, NULL, 'T' },
	{ "verify", no_argument, NULL, 'V' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
"usage: weft-bench COMMAND [OPTION]...\n"
"Measures weft between the ranks of a job; start it with weftrun -n 2.\n"
"\n"
"  put        one message from rank 0 to rank 1, as fast as they go: the\n"
"             exchange on a graph with the single edge 0 -> 1, not a call of\n"
"             weft_rma(3)\n"
"  exchange   one message along each edge of a ring, in both directions;\n"
"             2 ranks have two edges to each other\n"
"  neighbor_alltoall, neighbor_alltoallw, neighbor_allgather  the same by\n"
"             these calls; the second one of every second double, the third\n"
"             one with the same message along both edges\n"
"  batch      4 fields along these edges, by an exchange of each, then by one\n"
"             of all, weft_exchange_batch_init(3)\n"
"  dist       weft_dist_exch(3) from each rank to each other one in random\n"
"             order, the same by hand, exch_reduce, along the inverse, set-up\n"
"  stream     weft_put(3) from rank 0 into a region of rank 1, as fast as\n"
"             they go\n"
"  signal     weft_put_signal(3) from rank to rank by turns, half of a round\n"
"             trip\n"
"  pingpong   weft_send(3) from rank to rank by turns, half of a round trip\n"
"  strided    the same with elements in pieces of 64 bytes, as many apart\n"
"  rate       weft_isend(3) from rank to rank, 64 at a time\n"
"  allreduce  the sum, or what --op says, of the vectors of all ranks\n"
"  reduce     the same, to each rank in turn\n"
"  scan       the same, of the ranks up to each\n"
"  exscan     the same, of the ranks below each\n"
"  reduce_scatter, reduce_scatter_block  the same, a part to each rank\n"
"  bcast      weft_bcast(3) from each rank in turn, which waits for the one\n"
"             before: with 2 ranks the time of one message\n"
"  allgather  the vectors of all ranks, to all\n"
"  gather     the same, to each rank in turn\n"
"  scatter    a vector for each rank, from each rank in turn\n"
"  alltoall   a vector from each rank for each\n"
"  allgatherv, gatherv, scatterv, alltoallv  the same four, with the bytes of\n"
"             each rank told\n"
"  barrier    no data\n"
"  dup        weft_comm_dup(3) of all ranks, and free\n"
"  split      weft_comm_split(3) of all ranks by one colour, and free\n"
"  entry      short local calls of a thread while another one waits, each one\n"
"             timed\n"
"\n"
"  -s, --sizes LIST      bytes per message, or vector of a rank, like 8,1k,1m\n"
"  -i, --iterations N    operations per sample (default: by size)\n"
"  -r, --repeat N        samples per line (default 25)\n"
"  -b, --blocking        use the blocking call (default of collectives)\n"
"  -n, --nonblocking     start a collective and wait for it; also tells what\n"
"                        share of its time computation between these hides\n"
"  -p, --persistent      prepare it once, start it often (default of put,\n"
"                        exchange and neighbor_...)\n"
"      --op OP           of a reduction: sum (default), prod, min, max, land,\n"
"                        lor, lxor, band, bor, bxor, minloc, maxloc, or user,\n"
"                        a sum by a function of the program\n"
"      --type TYPE       its elements: int, long, int8, int16, int32, int64,\n"
"                        uint8 to uint64, float, double (default),\n"
"                        long_double, complex_float, complex_double,\n"
"                        complex_long_double, bool, byte; for minloc and\n"
"                        maxloc float_int, double_int, long_double_int,\n"
"                        long_int, short_int, 2int\n"
"  -w, --width N         doubles of a packet of dist (default 1)\n"
"  -m, --memory WHERE    arena (default) or heap, for the buffers\n"
"      --transport NAME  as WEFT_TRANSPORT=NAME: shm, ofi, verbs\n"
"      --raw NAME        the same messages first without weft, over an RDMA\n"
"                        device, or by libfabric over an interface; put,\n"
"                        exchange, allreduce and, over a device, stream and\n"
"                        signal of 2 ranks\n"
"      --verify          check every byte, in a pass of its own\n"
"      --json            print one JSON object instead of tables\n"
"      --help, --version\n"
"\n"
"Times are the slowest rank's, per operation; MB/s, of 10^6 bytes, and\n"
"messages/s are what one rank sends, in the median. The limits that times are\n"
"divided by are measured in the same run; see weft-bench(1).\n";

static bool take_int(const char *text, long most, int *to)
{
	long count;

	if (!option_count(text, 1, most, &count))
		return false;
	*to = (int)count;
	return true;
}

static bool take_option(int option, const char *text,
			struct bench_options *options)
{
	switch (option) {
	case 's':
		options->list = text;
		return option_sizes(text, SIZE_MAX >> 8, BENCH_SIZES_MAX,
				    options->sizes, &options->nsizes);
	case 'i':
		return option_count(text, 1, 1000000000, &options->iterations);
	case 'r':
		return take_int(text, 100000, &options->repeat);
	case 'w':
		return take_int(text, 1000, &options->width);
	case 'b':
		options->form = BENCH_BLOCKING;
		return true;
	case 'n':
		options->form = BENCH_NONBLOCKING;
		return true;
	case 'p':
		options->form = BENCH_PERSISTENT;
		return true;
	case 'O':
		options->op = bench_op_find(text);
		return options->op;
	case 'Y':
		options->type = bench_type_find(text);
		return options->type;
	case 'm':
		options->heap = !strcmp(text, "heap");
		return options->heap || !strcmp(text, "arena");
	case 'R':
		options->raw = text;
		return true;
	case 'T':
		options->transport = text;
		return *text;
	case 'V':
		options->verify = true;
		return true;
	default:
		options->json = true;
		return true;
	}
}

static enum bench_todo wrong(bool talk, const char *what, const char *word)
{
	if (talk)
		option_wrong("weft-bench", what, word);
	return BENCH_TODO_FAIL;
}

/* What a value of this option may be. */
static const char *values_of(int option)
{
	switch (option) {
	case 's':
		return "up to 40 numbers of bytes, like 8,1k,1m";
	case 'i':
		return "a number from 1 to 1000000000";
	case 'r':
		return "a number from 1 to 100000";
	case 'w':
		return "a number from 1 to 1000";
	case 'O':
	case 'Y':
		return "one that weft-bench --help lists";
	case 'T':
		return "a name, or several with commas, as in WEFT_TRANSPORT";
	default:
		return "arena or heap";
	}
}

/* Would this option change nothing? */
static bool is_idle(int option, const struct bench_options *options)
{
	unsigned trait;

	switch (option) {
	case 'p':
	case 'b':
		trait = BENCH_WAY | BENCH_COLL;
		break;
	case 'n':
		trait = BENCH_COLL;
		break;
	case 'O':
	case 'Y':
		trait = BENCH_REDUCES;
		break;
	case 'w':
		trait = BENCH_PACKETS;
		break;
	case 'R':
		trait = BENCH_RAW;
		break;
	case 's':
		trait = BENCH_SIZES;
		break;
	case 'm':
		trait = BENCH_MEMORY;
		break;
	default:
		return false;
	}
	return !bench_case_has(options->command, trait);
}

/* Takes it, or says what is wrong with it. */
static bool accept_option(int option, const char *text, bool talk,
			  struct bench_options *options)
{
	if (is_idle(option, options)) {
		if (talk)
			fprintf(stderr, "weft-bench: %s has no option --%s\n",
				bench_case_of(options->command)->name,
				option_name(longs, option));
		return false;
	}
	if (take_option(option, text, options))
		return true;
	if (talk)
		fprintf(stderr, "weft-bench: --%s %s: give %s\n",
			option_name(longs, option), text,
			values_of(option));
	return false;
}

static enum bench_todo print(bool talk, const char *text)
{
	if (talk)
		fputs(text, stdout);
	return BENCH_TODO_NOTHING;
}

static enum bench_todo parse_options(int argc, char **argv, bool talk,
				     struct bench_options *options)
{
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:s:i:r:bnpw:m:h", longs,
				     NULL)) != -1) {
		if (option == 'h')
			return print(talk, help);
		if (option == 'v')
			return print(talk, "weft-bench " PACKAGE_VERSION "\n");
		if (option == '?')
			return wrong(talk, "unknown option ", argv[optind - 1]);
		if (option == ':')
			return wrong(talk, "no value for ", argv[optind - 1]);
		if (!accept_option(option, optarg, talk, options))
			return BENCH_TODO_FAIL;
	}
	if (optind < argc)
		return wrong(talk, "unexpected word ", argv[optind]);
	return BENCH_TODO_RUN;
}

/* Bytes of what is not divided, and its name where it is no element. */
static size_t unit_of(const struct bench_options *options, const char **what_p)
{
	size_t element = (size_t)weft_type_extent(options->type->type);

	if (bench_case_has(options->command, BENCH_PIECES)) {
		*what_p = "a piece";
		return BENCH_PIECE;
	}
	if (bench_case_has(options->command, BENCH_PACKETS)) {
		*what_p = "a packet";
		return (size_t)options->width * element;
	}
	return element;
}

/* The usual sizes, where none are given, as far as they are of elements. */
static bool fit_sizes(bool talk, struct bench_options *options)
{
	const char *what = options->type->name;
	size_t unit = unit_of(options, &what);
	int n = 0;

	for (int i = 0; i < options->nsizes; i++)
		if (!(options->sizes[i] % unit))
			options->sizes[n++] = options->sizes[i];
	if (options->list && n < options->nsizes) {
		if (talk)
			fprintf(stderr, "weft-bench: --sizes %s: give "
				"multiples of %zu bytes, which %s takes\n",
				options->list, unit, what);
		return false;
	}
	options->nsizes = n;
	return true;
}

static bool has_op(bool talk, const struct bench_options *options)
{
	if (options->op->sorts & options->type->sort)
		return true;
	if (talk)
		fprintf(stderr, "weft-bench: there is no %s of %s\n",
			options->op->name, options->type->name);
	return false;
}

/* What the case is without options. */
static void set_usual(struct bench_options *options)
{
	const struct bench_case *what = bench_case_of(options->command);

	options->form = what->traits & (BENCH_WAY | BENCH_PREPARED) ?
			BENCH_PERSISTENT : BENCH_BLOCKING;
	options->type = bench_type_find("double");
	options->op = bench_op_find("sum");
	(void)option_sizes(what->sizes, SIZE_MAX >> 8, BENCH_SIZES_MAX,
			   options->sizes, &options->nsizes);
}

enum bench_todo bench_options_parse(int argc, char **argv, bool talk,
				    struct bench_options *options_p)
{
	enum bench_todo todo;

	*options_p = (struct bench_options){ .repeat = 25, .width = 1 };
	if (argc < 2)
		return wrong(talk, "no command", "");
	if (argv[1][0] != '-') {
		if (!bench_case_find(argv[1], &options_p->command))
			return wrong(talk, "unknown command ", argv[1]);
		argc--;
		argv++;
	} else if (strcmp(argv[1], "--help") && strcmp(argv[1], "-h") &&
		   strcmp(argv[1], "--version")) {
		return wrong(talk, "the command comes before ", argv[1]);
	}
	set_usual(options_p);
	todo = parse_options(argc, argv, talk, options_p);
	if (todo != BENCH_TODO_RUN)
		return todo;
	if (bench_case_has(options_p->command, BENCH_REDUCES) &&
	    !has_op(talk, options_p))
		return BENCH_TODO_FAIL;
	if (bench_case_has(options_p->command,
			   BENCH_REDUCES | BENCH_PIECES | BENCH_WORDS |
			   BENCH_PACKETS) &&
	    !fit_sizes(talk, options_p))
		return BENCH_TODO_FAIL;
	return BENCH_TODO_RUN;
}

/* Samples of about a millisecond, long enough for the clock. */
long bench_iterations(const struct bench_options *options, size_t bytes)
{
	if (options->iterations)
		return options->iterations;
	if (bytes <= 1024)
		return 2000;
	if (bytes <= 16384)
		return 500;
	return bytes <= 65536 ? 100 : 10;
}
