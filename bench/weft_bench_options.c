/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weft-bench.
 *
 * Called once by main(). All ranks parse the same words to the same result;
 * whether one of them prints is its caller's choice.
 */
#include "bench/weft_bench_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const commands[] = {
	[BENCH_PUT] = "put",
	[BENCH_EXCHANGE] = "exchange",
	[BENCH_ALLREDUCE] = "allreduce",
	[BENCH_BARRIER] = "barrier",
};

static const char *const usual_sizes[] = {
	[BENCH_PUT] = "8,64,1k,4k,16k,64k,256k,1m",
	[BENCH_EXCHANGE] = "8,64,1k,4k,16k,64k,256k,1m",
	[BENCH_ALLREDUCE] = "8,64,1k,4k,16k,64k,256k,1m",
	[BENCH_BARRIER] = "0",
};

static const char help[] =
"usage: weft-bench COMMAND [OPTION]...\n"
"Measures weft between the ranks of a job; start it with weftrun -n 2.\n"
"\n"
"  put        one message from rank 0 to rank 1, as fast as they go. There\n"
"             is no put call yet: this is the exchange on a graph with the\n"
"             single edge 0 -> 1\n"
"  exchange   one message along each edge of a ring, in both directions;\n"
"             2 ranks have one edge to each other\n"
"  allreduce  sum of doubles\n"
"  barrier    no data\n"
"\n"
"  -s, --sizes LIST      bytes per message, like 8,1k,1m\n"
"  -i, --iterations N    operations per sample (default: by size)\n"
"  -r, --repeat N        samples per line (default 25)\n"
"  -p, --persistent      prepare an exchange once, start it often (default)\n"
"  -b, --blocking        use the blocking call\n"
"  -m, --memory WHERE    arena (default) or heap, for the buffers\n"
"      --raw INTERFACE   also the same messages over libfabric alone, put and\n"
"                        exchange of 2 ranks\n"
"      --verify          check every byte, in a pass of its own\n"
"      --json            print one JSON object instead of tables\n"
"      --help, --version\n"
"\n"
"Times are the slowest rank's, per operation. The limits they are divided by\n"
"are measured in the same run; see weft-bench(1).\n";

const char *bench_command_name(enum bench_command command)
{
	return commands[command];
}

static bool parse_size(const char **text, size_t *bytes_p)
{
	unsigned long long value;
	int shift = 0;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	value = strtoull(*text, &end, 10);
	if (*end == 'k' || *end == 'K')
		shift = 10;
	else if (*end == 'm' || *end == 'M')
		shift = 20;
	else if (*end == 'g' || *end == 'G')
		shift = 30;
	if (errno || value > SIZE_MAX >> (shift + 8))
		return false;
	*bytes_p = (size_t)value << shift;
	*text = end + (shift != 0);
	return true;
}

static bool parse_sizes(const char *text, struct bench_options *options)
{
	options->nsizes = 0;
	for (;;) {
		size_t bytes;

		if (options->nsizes == BENCH_SIZES_MAX ||
		    !parse_size(&text, &bytes))
			return false;
		if (options->command == BENCH_ALLREDUCE && bytes % 8)
			return false;
		options->sizes[options->nsizes++] = bytes;
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

static bool parse_count(const char *text, long most, long *count_p)
{
	char *end;
	long count = strtol(text, &end, 10);

	if (end == text || *end || count < 1 || count > most)
		return false;
	*count_p = count;
	return true;
}

static bool parse_command(const char *word, struct bench_options *options)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (!strcmp(word, commands[i])) {
			options->command = (enum bench_command)i;
			return true;
		}
	}
	return false;
}

static bool take_option(int option, const char *text,
			struct bench_options *options)
{
	long count;

	switch (option) {
	case 's':
		return parse_sizes(text, options);
	case 'i':
		return parse_count(text, 1000000000, &options->iterations);
	case 'r':
		if (!parse_count(text, 100000, &count))
			return false;
		options->repeat = (int)count;
		return true;
	case 'p':
	case 'b':
		options->blocking = option == 'b';
		return true;
	case 'm':
		options->heap = !strcmp(text, "heap");
		return options->heap || !strcmp(text, "arena");
	case 'R':
		options->raw = text;
		return true;
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
		fprintf(stderr, "weft-bench: %s%s; weft-bench --help lists "
			"what there is\n", what, word);
	return BENCH_TODO_FAIL;
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
	static const struct option longs[] = {
		{ "sizes", required_argument, NULL, 's' },
		{ "iterations", required_argument, NULL, 'i' },
		{ "repeat", required_argument, NULL, 'r' },
		{ "persistent", no_argument, NULL, 'p' },
		{ "blocking", no_argument, NULL, 'b' },
		{ "memory", required_argument, NULL, 'm' },
		{ "raw", required_argument, NULL, 'R' },
		{ "verify", no_argument, NULL, 'V' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:s:i:r:pbm:h", longs,
				     NULL)) != -1) {
		if (option == 'h')
			return print(talk, help);
		if (option == 'v')
			return print(talk, "weft-bench " PACKAGE_VERSION "\n");
		if (option == '?')
			return wrong(talk, "unknown option ", argv[optind - 1]);
		if (option == ':')
			return wrong(talk, "no value for ", argv[optind - 1]);
		if (!take_option(option, optarg, options))
			return wrong(talk, "bad value ", optarg);
	}
	if (optind < argc)
		return wrong(talk, "unexpected word ", argv[optind]);
	return BENCH_TODO_RUN;
}

enum bench_todo bench_options_parse(int argc, char **argv, bool talk,
				    struct bench_options *options_p)
{
	*options_p = (struct bench_options){ .repeat = 25 };
	if (argc < 2)
		return wrong(talk, "no command", "");
	if (argv[1][0] != '-') {
		if (!parse_command(argv[1], options_p))
			return wrong(talk, "unknown command ", argv[1]);
		argc--;
		argv++;
	} else if (strcmp(argv[1], "--help") && strcmp(argv[1], "-h") &&
		   strcmp(argv[1], "--version")) {
		return wrong(talk, "the command comes before ", argv[1]);
	}
	parse_sizes(usual_sizes[options_p->command], options_p);
	return parse_options(argc, argv, talk, options_p);
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
