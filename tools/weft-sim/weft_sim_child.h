/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands that make communicators of the world: what each rank asks for, and
 * whether it is what it got.
 */
#ifndef WEFT_SIM_CHILD_H
#define WEFT_SIM_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/weft-sim/weft_sim_run.h"

struct weft_comm;

bool wsim_child_is_made(enum wsim_command command);

/* block:N, turn:N or random:N. */
bool wsim_colors_parse(const char *text, struct wsim_colors *colors_p);
const char *wsim_colors_name(enum wsim_coloring kind);

/* What the rank needs for the call, before it is timed; NULL is none. */
struct weft_group *wsim_child_group(const struct wsim_run *run,
				    struct weft_comm *world);

/* The call; a status. */
int wsim_child_make(const struct wsim_run *run, struct weft_comm *world,
		    struct weft_group *group, struct weft_comm **made_p);

/* Not what was asked for; *made_p is freed. */
bool wsim_child_is_wrong(struct wsim_run *run, struct weft_comm *world,
			 long op, struct weft_comm **made_p);

#endif
