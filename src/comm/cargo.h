/* SPDX-License-Identifier: BSD-3-Clause */
/* What a communicator carries for a room above; freed with it. */
#ifndef WEFT_COMM_CARGO_H
#define WEFT_COMM_CARGO_H

#include <stdbool.h>

struct weft_comm;

struct wf_cargo {
	void (*destroy)(struct wf_cargo *cargo);
	/* The program gives the communicator up; NULL: that says nothing. */
	void (*freed)(struct wf_cargo *cargo);
	/* Is something under way in it?  NULL: nothing of its own. */
	bool (*busy)(const struct wf_cargo *cargo);
	/* For a duplicate, to which it gives a copy; NULL: it stays alone. */
	int (*copy)(const struct wf_cargo *cargo, struct weft_comm *to);
};

#endif
