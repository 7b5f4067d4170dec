/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which ranks share a node, from the map that a PMI-1 launcher keeps in its
 * store; see pmi_line.h. Called by boot_pmi.c.
 */
#include <stdlib.h>
#include <string.h>

#include "boot/pmi_line.h"

/* As many blocks as a value of the store has room for, and more. */
#define BLOCKS_MAX 256
#define COUNT_MAX (1 << 24)

/* `nodes` nodes from `first` on, `each` ranks on each of them. */
struct block {
	int first;
	int nodes;
	int each;
};

struct map {
	int n;
	long ranks; /* of all blocks */
	struct block blocks[BLOCKS_MAX];
};

/* A number in [low, COUNT_MAX] and the character after it. */
static bool number(const char **at, int low, char after, int *value_p)
{
	char *end;
	long value;

	if (**at < '0' || **at > '9')
		return false;
	value = strtol(*at, &end, 10);
	if (value < low || value > COUNT_MAX || *end != after)
		return false;
	*at = end + 1;
	*value_p = (int)value;
	return true;
}

static bool parse(const char *text, struct map *map)
{
	static const char head[] = "(vector";

	if (strncmp(text, head, sizeof(head) - 1) != 0)
		return false;
	text += sizeof(head) - 1;
	while (strncmp(text, ",(", 2) == 0) {
		struct block *block = &map->blocks[map->n];

		text += 2;
		if (map->n == BLOCKS_MAX ||
		    !number(&text, 0, ',', &block->first) ||
		    !number(&text, 1, ',', &block->nodes) ||
		    !number(&text, 1, ')', &block->each))
			return false;
		map->ranks += (long)block->nodes * block->each;
		map->n++;
	}
	return map->n > 0 && strcmp(text, ")") == 0;
}

static int node_of(const struct map *map, int rank)
{
	const struct block *block = map->blocks;
	long at = rank % map->ranks;

	while (at >= (long)block->nodes * block->each) {
		at -= (long)block->nodes * block->each;
		block++;
	}
	return block->first + (int)(at / block->each);
}

/* Counts the ranks of the node, and keeps them where there is room. */
static int collect(const struct map *map, int node, int size, int *ranks)
{
	int n = 0;
	int rank;

	for (rank = 0; rank < size; rank++)
		if (node_of(map, rank) == node) {
			if (ranks != NULL)
				ranks[n] = rank;
			n++;
		}
	return n;
}

static int count_nodes(const struct map *map, int size)
{
	int low = node_of(map, 0);
	int high = low;
	int rank;

	for (rank = 1; rank < size; rank++) {
		int node = node_of(map, rank);

		low = node < low ? node : low;
		high = node > high ? node : high;
	}
	return high - low + 1;
}

int wf_pmi_map_parse(const char *text, int rank, int size,
		     struct wf_pmi_node *node)
{
	struct map map = { .n = 0 };
	int mine;
	int n;

	if (!parse(text, &map))
		return WEFT_ERR_BOOT;
	mine = node_of(&map, rank);
	n = collect(&map, mine, size, NULL);
	node->ranks = malloc((size_t)n * sizeof(node->ranks[0]));
	if (node->ranks == NULL)
		return WEFT_ERR_NOMEM;
	node->n = collect(&map, mine, size, node->ranks);
	node->nodes = count_nodes(&map, size);
	return WEFT_OK;
}
