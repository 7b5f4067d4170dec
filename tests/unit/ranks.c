/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of ranks as launchers write them.
 */
#include "boot/ranks.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

static bool gives(const char *text, int size, int n, const int *want)
{
	int *ranks = NULL;
	int have = -1;
	bool same;

	if (wf_ranks_parse(text, size, &ranks, &have) != WEFT_OK)
		return false;
	same = have == n &&
	       memcmp(ranks, want, (size_t)n * sizeof(ranks[0])) == 0;
	free(ranks);
	return same;
}

static void good(void)
{
	TAP_CHECK(gives("0", 1, 1, (int[]){ 0 }));
	TAP_CHECK(gives("0,1,2", 3, 3, (int[]){ 0, 1, 2 }));
	TAP_CHECK(gives("2,0,1", 3, 3, (int[]){ 0, 1, 2 }));
	TAP_CHECK(gives("1-3,7", 8, 4, (int[]){ 1, 2, 3, 7 }));
	TAP_CHECK(gives("1,1,1", 8, 1, (int[]){ 1 }));
	TAP_CHECK(gives("2147483646", 2147483647, 1, (int[]){ 2147483646 }));
}

static void bad(void)
{
	static const char *const texts[] = {
		"",    ",",    "1,",   ",1",   "1,,2", "1-",  "-1", "3-1",
		" 1",  "1 ",   "1,+2", "8",    "0-8",  "x",   "1;2", "1-2-3",
		"99999999999999999999", "0-7,0",
	};
	int *ranks = NULL;
	int n = -1;
	int i;

	for (i = 0; i < TAP_COUNT(texts); i++)
		if (!TAP_EQUAL(wf_ranks_parse(texts[i], 8, &ranks, &n),
			       WEFT_ERR_BOOT))
			tap_diag("\"%s\"", texts[i]);
	TAP_CHECK(ranks == NULL && n == -1);
}

static void long_list(void)
{
	char text[8000];
	size_t used = 0;
	int *ranks = NULL;
	int n = 0;
	int i;

	for (i = 0; i < 1000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%d", i > 0 ? "," : "", 999 - i);
	TAP_EQUAL(wf_ranks_parse(text, 1000, &ranks, &n), WEFT_OK);
	TAP_EQUAL(n, 1000);
	for (i = 0; i < n; i++)
		TAP_EQUAL(ranks[i], i);
	free(ranks);
}

static void no_memory(void)
{
	int *ranks = NULL;
	int n = -1;
	long at;

	for (at = 1; at <= 3; at++) {
		fail_malloc_at(at);
		TAP_EQUAL(wf_ranks_parse("0-199", 200, &ranks, &n),
			  WEFT_ERR_NOMEM);
	}
	fail_malloc_at(0);
	TAP_CHECK(ranks == NULL && n == -1);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "well-formed lists", good },
		{ "malformed lists", bad },
		{ "a list of 1000", long_list },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
