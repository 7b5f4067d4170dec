/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weftrun. Options end at the program's name, so that the
 * program's own are left alone. A word ":" with others behind it ends the
 * arguments of a program, as for mpiexec; those behind it are -n and a program
 * again.
 *
 * Of the options of other launchers those are known that cost nothing; of the
 * others the usual ones are refused with what to use instead.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config_parse.h"
#include "tools/weftrun/weftrun.h"

static const char help[] =
	"Usage: weftrun [-n RANKS] [OPTION]... PROGRAM [ARGUMENT]...\n"
	"               [: [-n RANKS] PROGRAM [ARGUMENT]...]...\n"
	"Start PROGRAM as the ranks of a job on this machine.\n"
	"\n"
	"  -n, -np, --ranks RANKS  how many (default 1)\n"
	"      --bind WHERE   bind each rank to the CPUs of a hwthread, core,\n"
	"                     l3cache, numa or package, or none (default)\n"
	"      --keep-going   let the others live when a rank fails\n"
	"      --tag-output   begin each line of output with \"[RANK] \"\n"
	"      --timeout TIME kill the job after TIME (60, 0.5, 2m)\n"
	"      --wdir DIR     start PROGRAM in DIR\n"
	"  -x NAME[=VALUE]    add a variable to the environment\n"
	"  -v, --verbose      say where each rank runs\n"
	"      --version      print the version and exit\n"
	"  -h, --help         print this and exit\n"
	"\n"
	"Exit status: that of the first rank that failed, 128 + number of the\n"
	"signal it died of, 124 if the ranks did not all join the job within\n"
	"WEFT_TIMEOUT, or not end within --timeout, 125 if weftrun itself\n"
	"failed, 126 if PROGRAM cannot be started, 127 if there is none of\n"
	"that name, else 0.\n";

enum {
	BIND = 256, KEEP_GOING, TAG_OUTPUT, TIMEOUT, WDIR, SHOW_VERSION,
	HOSTS, PLACES, VARIABLES, PARAMETERS, LEAVE, TAGS
};

static const char *const instead[] = {
	[HOSTS - HOSTS] = "weftrun starts ranks on this machine only; on "
		"several do `srun --mpi=pmix`, `mpirun --host` and "
		"`mpiexec.hydra -hosts`",
	[PLACES - HOSTS] = "use --bind WHERE, and -v to see where each rank is",
	[VARIABLES - HOSTS] = "the ranks have the environment of weftrun; use "
		"-x NAME=VALUE to add to it",
	[PARAMETERS - HOSTS] = "weft is set by the variables WEFT_*, see "
		"weft(7); -x NAME=VALUE gives them to the ranks",
	[LEAVE - HOSTS] = "leave it out: weftrun needs no leave for that",
	[TAGS - HOSTS] = "use --tag-output",
};

#define REFUSED(name, why) { name, optional_argument, NULL, why }

static const struct option known[] = {
	{ "ranks", required_argument, NULL, 'n' },
	{ "np", required_argument, NULL, 'n' },
	{ "bind", required_argument, NULL, BIND },
	{ "keep-going", no_argument, NULL, KEEP_GOING },
	{ "tag-output", no_argument, NULL, TAG_OUTPUT },
	{ "timeout", required_argument, NULL, TIMEOUT },
	{ "wdir", required_argument, NULL, WDIR },
	{ "wd", required_argument, NULL, WDIR },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, SHOW_VERSION },
	{ "help", no_argument, NULL, 'h' },
	REFUSED("host", HOSTS), REFUSED("hosts", HOSTS), REFUSED("H", HOSTS),
	REFUSED("hostfile", HOSTS), REFUSED("machinefile", HOSTS),
	REFUSED("f", HOSTS), REFUSED("N", HOSTS), REFUSED("ppn", HOSTS),
	REFUSED("npernode", HOSTS), REFUSED("map-by", PLACES),
	REFUSED("bind-to", PLACES), REFUSED("rank-by", PLACES),
	REFUSED("report-bindings", PLACES), REFUSED("env", VARIABLES),
	REFUSED("genv", VARIABLES), REFUSED("envall", VARIABLES),
	REFUSED("genvall", VARIABLES), REFUSED("envlist", VARIABLES),
	REFUSED("genvlist", VARIABLES), REFUSED("mca", PARAMETERS),
	REFUSED("gmca", PARAMETERS), REFUSED("oversubscribe", LEAVE),
	REFUSED("allow-run-as-root", LEAVE), REFUSED("l", TAGS),
	REFUSED("prepend-rank", TAGS),
	{ NULL, 0, NULL, 0 },
};

/* What is still to be read; at[0] is the name that getopt() complains by. */
struct words {
	int n;
	char **at;
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

static int read_time(const char *text, uint64_t *ns_p)
{
	if (wf_config_parse_time(text, ns_p) && *ns_p > 0)
		return 0;
	run_say("--timeout %s: it is a time like 60, 0.5, 20ms or 2m", text);
	return -1;
}

/* For weftrun, too, as if it had been started with it. */
static int set_variable(char *text)
{
	char *value = strchr(text, '=');

	if (value == NULL) {
		if (getenv(text) == NULL)
			run_say("-x %s: there is no such variable", text);
		return 0;
	}
	*value = '\0';
	if (setenv(text, value + 1, 1) == 0)
		return 0;
	run_say("-x %s=%s: %s", text, value + 1, strerror(errno));
	return -1;
}

/* -1: a mistake, said; 1: all is done. */
static int read_option(struct run_options *options, int c, const char *word)
{
	switch (c) {
	case BIND:
		options->bind = optarg;
		return 0;
	case 'v':
		options->verbose = true;
		return 0;
	case KEEP_GOING:
		options->keep_going = true;
		return 0;
	case TAG_OUTPUT:
		options->tag_output = true;
		return 0;
	case TIMEOUT:
		return read_time(optarg, &options->timeout_ns);
	case WDIR:
		options->directory = optarg;
		return 0;
	case 'x':
		return set_variable(optarg);
	case SHOW_VERSION:
		printf("weftrun (weft) %s\n", PACKAGE_VERSION);
		return 1;
	case 'h':
		fputs(help, stdout);
		return 1;
	default:
		if (c >= HOSTS)
			run_say("%s: %s", word, instead[c - HOSTS]);
		return -1;
	}
}

/* The words of one program, without the ":" behind them. */
static void take_program(struct words *words, struct run_program *program)
{
	int i;

	program->argv = words->at + optind;
	for (i = optind + 1; i < words->n - 1; i++)
		if (strcmp(words->at[i], ":") == 0)
			break;
	if (i >= words->n - 1) {
		words->n = 0;
		return;
	}
	words->n -= i;
	words->at += i;
	words->at[0] = NULL; /* of the program's arguments */
}

static int read_program(struct run_options *options, struct words *words,
			char *name)
{
	struct run_program *program = &options->programs[options->n_programs];
	char *old = words->at[0];
	int status = 0;
	int c;

	program->n = 1;
	words->at[0] = name;
	optind = 0;
	while (status == 0 && (c = getopt_long_only(words->n, words->at,
			"+n:x:vh", known, NULL)) != -1) {
		if (c == 'n')
			status = read_ranks(optarg, &program->n);
		else
			status = read_option(options, c, words->at[optind - 1]);
	}
	words->at[0] = old;
	if (status != 0)
		return status;
	if (optind == words->n) {
		run_say("no program is named");
		return -1;
	}
	take_program(words, program);
	options->n += program->n;
	options->n_programs++;
	return 0;
}

static int read_programs(struct run_options *options, struct words *words)
{
	char *name = words->at[0];
	int status = 0;

	while (status == 0 && words->n > 0 && options->n <= RUN_RANKS_MAX)
		status = read_program(options, words, name);
	if (status != 0 || options->n <= RUN_RANKS_MAX)
		return status;
	run_say("%d ranks and more are more than %d", options->n,
		RUN_RANKS_MAX);
	return -1;
}

int run_options_read(struct run_options *options, int argc, char **argv,
		     int *code_p)
{
	struct words words = { argc, argv };
	int status;

	*options = (struct run_options){ .bind = "none" };
	/* Never freed: the ranks refer to them until the process ends. */
	options->programs = calloc((size_t)argc, sizeof(options->programs[0]));
	if (options->programs == NULL) {
		run_say("no memory for the command line");
		*code_p = RUN_EXIT_SELF;
		return -1;
	}
	status = read_programs(options, &words);
	if (status < 0)
		run_say("try `weftrun --help`");
	*code_p = status < 0 ? RUN_EXIT_SELF : 0;
	return status;
}
