/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weftrun. Options end at the program's name, so that the
 * program's own are left alone.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/weftrun/weftrun.h"

static const char help[] =
	"Usage: weftrun [-n RANKS] [OPTION]... PROGRAM [ARGUMENT]...\n"
	"Start PROGRAM as the ranks of a job on this machine.\n"
	"\n"
	"  -n, --ranks RANKS  how many (default 1)\n"
	"      --bind WHERE   bind each rank to the CPUs of a hwthread, core,\n"
	"                     l3cache, numa or package, or none (default)\n"
	"      --keep-going   let the others live when a rank fails\n"
	"      --tag-output   begin each line of output with \"[RANK] \"\n"
	"  -v, --verbose      say where each rank runs\n"
	"      --version      print the version and exit\n"
	"      --help         print this and exit\n"
	"\n"
	"Exit status: that of the first rank that failed, 128 + number of the\n"
	"signal it died of, 124 if the ranks did not all join the job within\n"
	"WEFT_TIMEOUT, 125 if weftrun itself failed, 126 if PROGRAM cannot be\n"
	"started, 127 if there is none of that name, else 0.\n";

enum { BIND = 256, KEEP_GOING, TAG_OUTPUT, SHOW_VERSION, SHOW_HELP };

static const struct option known[] = {
	{ "ranks", required_argument, NULL, 'n' },
	{ "bind", required_argument, NULL, BIND },
	{ "keep-going", no_argument, NULL, KEEP_GOING },
	{ "tag-output", no_argument, NULL, TAG_OUTPUT },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, SHOW_VERSION },
	{ "help", no_argument, NULL, SHOW_HELP },
	{ NULL, 0, NULL, 0 },
};

static int read_ranks(const char *text, int *n_p)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || n < 1 ||
	    n > RUN_RANKS_MAX) {
		run_say("-n %s: the number of ranks is 1 to %d", text,
			RUN_RANKS_MAX);
		return -1;
	}
	*n_p = (int)n;
	return 0;
}

static int mistake(int *code_p)
{
	run_say("try `weftrun --help`");
	*code_p = RUN_EXIT_SELF;
	return -1;
}

int run_options_read(struct run_options *options, int argc, char **argv,
		     int *code_p)
{
	int c;

	*options = (struct run_options){ .n = 1, .bind = "none" };
	while ((c = getopt_long(argc, argv, "+n:v", known, NULL)) != -1) {
		switch (c) {
		case 'n':
			if (read_ranks(optarg, &options->n) != 0)
				return mistake(code_p);
			break;
		case BIND:
			options->bind = optarg;
			break;
		case 'v':
			options->verbose = true;
			break;
		case KEEP_GOING:
			options->keep_going = true;
			break;
		case TAG_OUTPUT:
			options->tag_output = true;
			break;
		case SHOW_VERSION:
			printf("weftrun (weft) %s\n", PACKAGE_VERSION);
			*code_p = 0;
			return -1;
		case SHOW_HELP:
			fputs(help, stdout);
			*code_p = 0;
			return -1;
		default:
			return mistake(code_p);
		}
	}
	if (optind == argc) {
		run_say("no program is named");
		return mistake(code_p);
	}
	options->argv = argv + optind;
	return 0;
}
