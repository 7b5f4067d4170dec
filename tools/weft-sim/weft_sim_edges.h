/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edges in words: edges:0-1,0-2 is one from rank 0 to each of 1 and 2.
 */
#ifndef WEFT_SIM_EDGES_H
#define WEFT_SIM_EDGES_H

#include <stdbool.h>
#include <stddef.h>

enum {
	WSIM_EDGES_MAX = 4096,
	WSIM_EDGES_TEXT = WSIM_EDGES_MAX * 16 + 16	/* bytes of all */
};

struct wsim_edge {
	int from, to;
};

/* edge has room for WSIM_EDGES_MAX, or is NULL; 0: it is no such text. */
size_t wsim_edges_parse(const char *text, struct wsim_edge *edge);

/* The text, of at most WSIM_EDGES_TEXT bytes. */
void wsim_edges_print(const struct wsim_edge *edge, size_t n, char *text);

#endif
