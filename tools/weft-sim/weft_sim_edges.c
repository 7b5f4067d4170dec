/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edges in words, read and written: for graphs of a few edges, and for those
 * that --shrink leaves.
 */
#include "tools/weft-sim/weft_sim_edges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/weft-sim/weft_sim_options.h"

static const char prefix[] = "edges:";

static bool parse_rank(const char **text, int *rank_p)
{
	unsigned long rank;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	rank = strtoul(*text, &end, 10);
	if (rank >= WSIM_RANKS_MAX)
		return false;
	*rank_p = (int)rank;
	*text = end;
	return true;
}

static bool parse_edge(const char **text, struct wsim_edge *edge)
{
	if (!parse_rank(text, &edge->from) || *(*text)++ != '-')
		return false;
	return parse_rank(text, &edge->to);
}

size_t wsim_edges_parse(const char *text, struct wsim_edge *edge)
{
	size_t n = 0;

	if (strncmp(text, prefix, sizeof(prefix) - 1))
		return 0;
	text += sizeof(prefix) - 1;
	do {
		struct wsim_edge one;

		if (n == WSIM_EDGES_MAX || !parse_edge(&text, &one))
			return 0;
		if (edge)
			edge[n] = one;
		n++;
	} while (*text++ == ',');
	return text[-1] ? 0 : n;
}

void wsim_edges_print(const struct wsim_edge *edge, size_t n, char *text)
{
	text += sprintf(text, "%s", prefix);
	for (size_t i = 0; i < n; i++)
		text += sprintf(text, "%s%d-%d", i ? "," : "", edge[i].from,
				edge[i].to);
}
