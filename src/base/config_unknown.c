/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables that look like settings but are none.
 *
 * A misspelt WEFT_SLOTMAX would otherwise be ignored silently. One rank of a
 * job calls this once and logs what it is told.
 */
#include "base/config.h"

#include <string.h>

#define PREFIX "WEFT_"
#define NAME_MAX_BYTES 64

static size_t least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Edits (insert, delete, replace a character) from a[0..n) to the name b. */
static size_t distance(const char *a, size_t n, const char *b)
{
	size_t row[NAME_MAX_BYTES + 1];
	size_t m = strlen(b);

	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t above = row[j];
			size_t replaced = diagonal + (a[i - 1] != b[j - 1]);

			row[j] = least(replaced, above + 1, row[j - 1] + 1);
			diagonal = above;
		}
	}
	return row[m];
}

/* The known name with the fewest edits; NULL: none is near. */
static const char *nearest(const char *name, size_t n)
{
	/* a third of what follows the prefix may be wrong */
	size_t allowed = (n - strlen(PREFIX) + 2) / 3 + 1;
	const char *best = NULL;
	size_t count;
	const struct wf_config_var *vars = wf_config_vars(&count);

	if (n > NAME_MAX_BYTES)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t edits = distance(name, n, vars[i].name);

		if (edits >= allowed)
			continue;
		best = vars[i].name;
		allowed = edits;
	}
	return best;
}

static bool known(const char *name, size_t n)
{
	size_t count;
	const struct wf_config_var *vars = wf_config_vars(&count);

	for (size_t i = 0; i < count; i++) {
		if (strlen(vars[i].name) == n &&
		    memcmp(vars[i].name, name, n) == 0)
			return true;
	}
	return false;
}

int wf_config_unknown(char *const *env,
		      void (*tell)(void *arg, const char *name,
				   const char *suggestion),
		      void *arg)
{
	int count = 0;

	for (; env && *env; env++) {
		size_t n = strcspn(*env, "=");
		char name[NAME_MAX_BYTES + 1];

		if (strncmp(*env, PREFIX, strlen(PREFIX)) != 0 ||
		    known(*env, n))
			continue;
		/* a name that is longer is shown by its beginning */
		memset(name, 0, sizeof(name));
		memcpy(name, *env, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES);
		tell(arg, name, nearest(*env, n));
		count++;
	}
	return count;
}
