/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weft-info.
 */
#include "tools/weft-info/weft_info_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "bench/weft_bench_words.h"
#include "transport/backends.h"

static const struct option longs[] = {
	{ "all", no_argument, NULL, 'a' },
	{ "devices", no_argument, NULL, 'd' },
	{ "config", no_argument, NULL, 'c' },
	{ "memory", no_argument, NULL, 'm' },
	{ "transport", required_argument, NULL, 't' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
"usage: weft-info [OPTION]...\n"
"Say what weft can use on this machine. Without -d, -c or --memory: how it\n"
"was built, and its transports.\n"
"\n"
"  -d, --devices         devices and addresses that were looked at\n"
"  -c, --config          settings: value, default, meaning\n"
"      --memory          measure what a peer and a communicator take\n"
"  -a, --all             everything\n"
"      --transport NAME  this one only; the exit code tells whether it is\n"
"                        usable\n"
"      --json            one JSON object\n"
"  -h, --help            this text\n"
"      --version\n"
"\n"
"Exit code: 0 a transport is usable, 2 bad option or setting, 3 no device,\n"
"4 no permission, 1 anything else.\n";

static bool is_transport(const char *name)
{
	for (int i = 0; wf_tp_table[i]; i++)
		if (!strcmp(wf_tp_table[i]->name, name))
			return true;
	return false;
}

static enum winfo_todo wrong(const char *what, const char *word)
{
	option_wrong("weft-info", what, word);
	return WINFO_TODO_FAIL;
}

static enum winfo_todo wrong_transport(const char *name)
{
	fprintf(stderr, "weft-info: this build has no transport %s, but", name);
	for (int i = 0; wf_tp_table[i]; i++)
		fprintf(stderr, "%s %s", i ? "," : "", wf_tp_table[i]->name);
	fputs("\n", stderr);
	return WINFO_TODO_FAIL;
}

static void take(struct winfo_options *o, int option)
{
	o->devices |= option == 'd' || option == 'a';
	o->settings |= option == 'c' || option == 'a';
	o->memory |= option == 'm' || option == 'a';
	o->build |= option == 'a';
	o->transports |= option == 'a';
	o->json |= option == 'j';
	if (option == 't')
		o->transport = optarg;
}

enum winfo_todo winfo_options_parse(int argc, char **argv,
				    struct winfo_options *o)
{
	int option;

	memset(o, 0, sizeof(*o));
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":dcah", longs, NULL)) != -1) {
		switch (option) {
		case 'h':
			fputs(help, stdout);
			return WINFO_TODO_NOTHING;
		case 'v':
			puts("weft-info " PACKAGE_VERSION);
			return WINFO_TODO_NOTHING;
		case ':':
			return wrong("no value for ", argv[optind - 1]);
		case '?':
			return wrong("unknown option ", argv[optind - 1]);
		default:
			take(o, option);
		}
	}
	if (argv[optind])
		return wrong("unexpected word ", argv[optind]);
	if (o->transport && !is_transport(o->transport))
		return wrong_transport(o->transport);
	if (!o->devices && !o->settings && !o->memory && !o->transports)
		o->build = o->transports = true;
	return WINFO_TODO_RUN;
}
