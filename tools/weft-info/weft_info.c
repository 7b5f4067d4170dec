/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-info: what this build of weft can use on this machine, and how it is
 * set up.  The exit code tells a script whether a job would find a transport.
 */
#include "config.h"

#include <stdio.h>
#include <weft/version.h>

#include "bench/weft_bench_words.h"
#include "tools/weft-info/weft_info_devices.h"
#include "tools/weft-info/weft_info_memory.h"
#include "tools/weft-info/weft_info_options.h"
#include "tools/weft-info/weft_info_settings.h"
#include "tools/weft-info/weft_info_table.h"
#include "transport/backends.h"

#ifdef WF_HAVE_OFI
#define OFI "yes"
#else
#define OFI "no"
#endif

#ifdef WF_HAVE_VERBS
#define VERBS "yes"
#else
#define VERBS "no"
#endif

#ifdef WF_DEBUG
#define DEBUG "yes"
#else
#define DEBUG "no"
#endif

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void print_build(struct winfo_table *table)
{
	static const struct winfo_column columns[] = {
		{ "part", 10, WINFO_TEXT }, { "built", 0, WINFO_YES_NO }
	};
	static const char *const rows[][2] = {
		{ "libfabric", OFI }, { "libibverbs", VERBS },
		{ "debug", DEBUG }, { "compiler", COMPILER }
	};

	winfo_table(table, "build", columns, 2);
	for (int i = 0; i < 4; i++)
		winfo_row(table, rows[i]);
}

static enum winfo_code print_all(const struct winfo_options *o,
				 struct winfo_devices *devices)
{
	enum winfo_code code = winfo_devices_code(devices);
	struct winfo_table table;
	int release = weft_version();
	char version[40];

	snprintf(version, sizeof(version), "%d.%d.%d", release / 1000000,
		 release / 1000 % 1000, release % 1000);
	winfo_open(&table, o->json, version);
	if (o->build)
		print_build(&table);
	if (o->transports)
		winfo_transports_print(devices, &table);
	if (o->devices)
		winfo_devices_print(devices, &table);
	if (o->settings)
		winfo_settings(&table);
	if (o->memory && !winfo_memory(devices, &table))
		code = WINFO_FAILED;
	winfo_close(&table);
	return code;
}

static int info(int argc, char **argv)
{
	struct winfo_options options;
	struct winfo_devices devices;
	enum winfo_code code;

	switch (winfo_options_parse(argc, argv, &options)) {
	case WINFO_TODO_NOTHING:
		return 0;
	case WINFO_TODO_FAIL:
		return WINFO_BAD_OPTION;
	case WINFO_TODO_RUN:
		break;
	}
	code = winfo_devices_ask(&devices, wf_tp_table, options.transport);
	if (code != WINFO_FAILED && code != WINFO_BAD_OPTION)
		code = print_all(&options, &devices);
	winfo_devices_free(&devices);
	return code;
}

int main(int argc, char **argv)
{
	return option_end("weft-info", info(argc, argv));
}
