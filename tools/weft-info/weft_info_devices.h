/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The transports of this build, asked for what they find on this machine.
 */
#ifndef WEFT_INFO_DEVICES_H
#define WEFT_INFO_DEVICES_H

#include "tools/weft-info/weft_info_options.h"
#include "tools/weft-info/weft_info_table.h"

struct wf_tp_ops;

enum {
	WINFO_TRANSPORTS = 8,
	WINFO_LINES = 64,
	WINFO_WHY = 600
};

/* Jobs that transports answer differently. */
enum winfo_job {
	WINFO_ONE_NODE,
	WINFO_SEVERAL_NODES,
	WINFO_JOBS
};

/* What a transport answers to such a job. */
struct winfo_answer {
	enum winfo_code code;
	char why[WINFO_WHY];		/* it is not usable */
	char *verdict[WINFO_LINES];	/* on devices and addresses */
	int nverdicts;
};

/* One transport, after it was opened, if that was possible. */
struct winfo_transport {
	const char *name;
	enum winfo_code code;	/* of the better answer */
	char caps[120];
	unsigned line;		/* bytes that a line carries */
	struct winfo_answer answer[WINFO_JOBS];
};

struct winfo_devices {
	struct winfo_transport transport[WINFO_TRANSPORTS];
	int n;
};

/*
 * Asks all of these, NULL behind the last, that settings and options leave;
 * what failed was told.
 */
enum winfo_code winfo_devices_ask(struct winfo_devices *devices,
				  const struct wf_tp_ops *const *tps,
				  const char *only);
void winfo_devices_free(struct winfo_devices *devices);

/* The best of what was found. */
enum winfo_code winfo_devices_code(const struct winfo_devices *devices);

void winfo_transports_print(const struct winfo_devices *devices,
			    struct winfo_table *table);
void winfo_devices_print(const struct winfo_devices *devices,
			 struct winfo_table *table);

#endif
