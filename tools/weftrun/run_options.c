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
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config_parse.h"
#include "tools/weftrun/weftrun.h"

static const char help[] =
	"Usage: weftrun [-n RANKS] [OPTION]... PROGRAM [ARGUMENT]...\n"
	"               [: [-n RANKS] PROGRAM [ARGUMENT]...]...\n"
	"Start PROGRAM as the ranks of a job on this machine.\n"
	"\n"
	"  -n, -np, --ranks RANKS  how many (default 1)\n"
	"  -N, -ppn RANKS     how many on a machine, which is all of them\n"
	"      --host HOST    this one, by its name or localhost\n"
	"      --bind WHERE   bind each rank to the CPUs of a hwthread, core,\n"
	"                     l3cache, numa or package, or none (default)\n"
	"      --keep-going   let the others live when a rank fails\n"
	"      --tag-output   begin each line of output with \"[RANK] \"\n"
	"      --timeout TIME kill the job after TIME (60, 0.5, 2m)\n"
	"      --wdir DIR     start PROGRAM in DIR\n"
	"  -x NAME[=VALUE]    add a variable to the environment\n"
	"      -genv NAME VALUE  the same\n"
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
	HOST, PER_NODE, VARIABLE, NOTHING,
	HOST_FILES, PLACES, VARIABLES, PARAMETERS
};

static const char on_several[] = "weftrun starts ranks on this machine only; "
	"on several do `srun --mpi=pmix`, `mpirun --host` and "
	"`mpiexec.hydra -hosts`";

static const char *const instead[] = {
	[HOST_FILES - HOST_FILES] = on_several,
	[PLACES - HOST_FILES] = "use --bind WHERE, and -v to see where each "
		"rank is",
	[VARIABLES - HOST_FILES] = "all ranks have the environment of weftrun; "
		"use -x NAME=VALUE to add to it",
	[PARAMETERS - HOST_FILES] = "weft is set by the variables WEFT_*, see "
		"weft(7); -x NAME=VALUE gives them to the ranks",
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
	{ "host", required_argument, NULL, HOST },
	{ "hosts", required_argument, NULL, HOST },
	{ "H", required_argument, NULL, HOST },
	{ "N", required_argument, NULL, PER_NODE },
	{ "ppn", required_argument, NULL, PER_NODE },
	{ "npernode", required_argument, NULL, PER_NODE },
	{ "bind-to", required_argument, NULL, BIND },
	{ "l", no_argument, NULL, TAG_OUTPUT },
	{ "prepend-rank", no_argument, NULL, TAG_OUTPUT },
	{ "genv", required_argument, NULL, VARIABLE },
	/* as it is anyway */
	{ "envall", no_argument, NULL, NOTHING },
	{ "genvall", no_argument, NULL, NOTHING },
	{ "oversubscribe", no_argument, NULL, NOTHING },
	{ "allow-run-as-root", no_argument, NULL, NOTHING },
	REFUSED("hostfile", HOST_FILES), REFUSED("machinefile", HOST_FILES),
	REFUSED("f", HOST_FILES), REFUSED("map-by", PLACES),
	REFUSED("rank-by", PLACES), REFUSED("report-bindings", PLACES),
	REFUSED("env", VARIABLES), REFUSED("envlist", VARIABLES),
	REFUSED("genvlist", VARIABLES), REFUSED("mca", PARAMETERS),
	REFUSED("gmca", PARAMETERS),
	{ NULL, 0, NULL, 0 },
};

/* What is still to be read; at[0] is the name that getopt() complains by. */
struct words {
	int n;
	char **at;
};

static int read_ranks(const char *option, const char *text, int *n_p)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || n < 1 ||
	    n > RUN_RANKS_MAX) {
		run_say("%s %s: the number of ranks is 1 to %d", option, text,
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

/* Up to n letters of name; one of them may lack the domain. */
static bool is_own_name(const char *name, size_t n)
{
	char own[HOST_NAME_MAX + 1] = "";
	size_t most;

	gethostname(own, sizeof(own) - 1);
	most = strlen(own);
	if (n > most)
		return strncmp(name, own, most) == 0 && name[most] == '.';
	return n > 0 && strncmp(name, own, n) == 0 &&
	       (own[n] == '\0' || own[n] == '.');
}

/* A list "a:4,b"; how many ranks are behind a name does not matter here. */
static int read_hosts(const char *list)
{
	const char *host = list;

	for (;;) {
		size_t n = strcspn(host, ":,");

		if (!(n == strlen("localhost") &&
		      strncmp(host, "localhost", n) == 0) &&
		    !is_own_name(host, n)) {
			run_say("--host %s: %.*s is another machine, and %s",
				list, (int)n, host, on_several);
			return -1;
		}
		host += strcspn(host, ",");
		if (*host == '\0')
			return 0;
		host++;
	}
}

static int put_variable(const char *option, const char *name,
			const char *value)
{
	if (setenv(name, value, 1) == 0)
		return 0;
	run_say("%s %s=%s: %s", option, name, value, strerror(errno));
	return -1;
}

/* Its value is a word of its own, the next one. */
static int set_named(const char *name, const struct words *words)
{
	if (optind < words->n)
		return put_variable("-genv", name, words->at[optind++]);
	run_say("-genv %s: there is no value", name);
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
	return put_variable("-x", text, value + 1);
}

/* -1: a mistake, said; 1: all is done. */
static int read_option(struct run_options *options, int c,
		       const struct words *words)
{
	switch (c) {
	case HOST:
		return read_hosts(optarg);
	case VARIABLE:
		return set_named(optarg, words);
	case PER_NODE:
		return read_ranks("-N", optarg, &options->per_node);
	case NOTHING:
		return 0;
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
		if (c >= HOST_FILES)
			run_say("%s: %s", words->at[optind - 1],
				instead[c - HOST_FILES]);
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

	words->at[0] = name;
	optind = 0;
	while (status == 0 && (c = getopt_long_only(words->n, words->at,
			"+n:x:vh", known, NULL)) != -1) {
		if (c == 'n')
			status = read_ranks("-n", optarg, &program->n);
		else
			status = read_option(options, c, words);
	}
	words->at[0] = old;
	if (status != 0)
		return status;
	if (optind == words->n) {
		run_say("no program is named");
		return -1;
	}
	take_program(words, program);
	if (program->n == 0)
		program->n = options->per_node != 0 ? options->per_node : 1;
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
	if (status != 0)
		return status;
	if (options->per_node != 0 && options->n > options->per_node) {
		run_say("-N %d: with %d ranks that is several machines, and %s",
			options->per_node, options->n, on_several);
		return -1;
	}
	if (options->n <= RUN_RANKS_MAX)
		return 0;
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
