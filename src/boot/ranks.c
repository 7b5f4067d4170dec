/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses lists of ranks. Called by boot_pmix.c for the ranks of this node.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "boot/ranks.h"

struct list {
	int *ranks;
	int n;
	int room;
};

static int append(struct list *list, int rank)
{
	if (list->n == list->room) {
		int room = list->room > 0 ? list->room * 2 : 64;
		int *ranks = realloc(list->ranks, (size_t)room *
				     sizeof(*ranks));

		if (ranks == NULL)
			return WEFT_ERR_NOMEM;
		list->ranks = ranks;
		list->room = room;
	}
	list->ranks[list->n++] = rank;
	return WEFT_OK;
}

/* One number in [low, size), without sign or space before it. */
static bool number(const char **at, int low, int size, int *value_p)
{
	char *end;
	long value;

	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	value = strtol(*at, &end, 10);
	if (errno != 0 || value < low || value >= size)
		return false;
	*at = end;
	*value_p = (int)value;
	return true;
}

/* "3" or "3-7" */
static int range(const char **at, int size, struct list *list)
{
	int first;
	int last;
	int status = WEFT_OK;

	if (!number(at, 0, size, &first))
		return WEFT_ERR_BOOT;
	last = first;
	if (**at == '-') {
		(*at)++;
		if (!number(at, first, size, &last))
			return WEFT_ERR_BOOT;
	}
	/* What names more than there are repeats ranks; nobody writes that. */
	if (list->n > size - (last - first + 1))
		return WEFT_ERR_BOOT;
	for (; first <= last && status == WEFT_OK; first++)
		status = append(list, first);
	return status;
}

static int by_value(const void *a, const void *b)
{
	int left = *(const int *)a;
	int right = *(const int *)b;

	return (left > right) - (left < right);
}

static int parse(const char *text, int size, struct list *list)
{
	int status;

	for (;; text++) {
		status = range(&text, size, list);
		if (status != WEFT_OK || *text == '\0')
			return status;
		if (*text != ',')
			return WEFT_ERR_BOOT;
	}
}

int wf_ranks_parse(const char *text, int size, int **ranks_p, int *n_p)
{
	struct list list = { .ranks = NULL };
	int n = 1;
	int i;
	int status;

	status = parse(text, size, &list);
	if (status != WEFT_OK) {
		free(list.ranks);
		return status;
	}
	qsort(list.ranks, (size_t)list.n, sizeof(list.ranks[0]), by_value);
	for (i = 1; i < list.n; i++)
		if (list.ranks[i] != list.ranks[n - 1])
			list.ranks[n++] = list.ranks[i];
	*ranks_p = list.ranks;
	*n_p = n;
	return WEFT_OK;
}
