/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft-info was asked for, and what it says by its exit code.
 */
#ifndef WEFT_INFO_OPTIONS_H
#define WEFT_INFO_OPTIONS_H

#include <stdbool.h>

enum winfo_code {
	WINFO_USABLE,		/* a transport is */
	WINFO_FAILED,		/* this program could not find out */
	WINFO_BAD_OPTION,	/* or a setting with a bad value */
	WINFO_NO_DEVICE,
	WINFO_NO_PERMISSION
};

struct winfo_options {
	bool build;
	bool transports;
	bool devices;
	bool settings;
	bool memory;
	bool json;
	const char *transport;	/* NULL: all that may be used */
};

enum winfo_todo { WINFO_TODO_RUN, WINFO_TODO_NOTHING, WINFO_TODO_FAIL };

/* Says what is wrong, or what was asked for. */
enum winfo_todo winfo_options_parse(int argc, char **argv,
				    struct winfo_options *options);

#endif
