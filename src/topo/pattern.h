/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pattern is a graph that the program knows by another handle, so that it has
 * nothing of a communicator but its context and the group of the parent.
 */
#ifndef WEFT_TOPO_PATTERN_H
#define WEFT_TOPO_PATTERN_H

#include <weft/pattern.h>

static inline struct weft_comm *wf_pattern_comm(struct weft_pattern *pattern)
{
	return (struct weft_comm *)pattern;
}

#endif
