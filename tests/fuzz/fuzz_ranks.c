/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target: lists of ranks, of a job of 300.
 *
 * What is accepted is ascending, each once, and in range.
 */
#include <string.h>

#include "boot/ranks.h"
#include "tests/fuzz/fuzz.h"

#define SIZE 300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	int *ranks = NULL;
	int n = 0;
	int i;

	if (text == NULL)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (wf_ranks_parse(text, SIZE, &ranks, &n) == WEFT_OK) {
		FUZZ_CHECK(n >= 1 && n <= SIZE);
		FUZZ_CHECK(ranks[0] >= 0 && ranks[n - 1] < SIZE);
		for (i = 1; i < n; i++)
			FUZZ_CHECK(ranks[i - 1] < ranks[i]);
	} else {
		FUZZ_CHECK(ranks == NULL);
	}
	free(ranks);
	free(text);
	return 0;
}
