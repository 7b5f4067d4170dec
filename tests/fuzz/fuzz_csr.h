/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What both fuzz targets of weft-cg do with a text and a reader.  The text is
 * copied to a place of just its size, so that the address sanitizer sees any
 * read beyond it.
 */
#ifndef WEFT_TESTS_FUZZ_CSR_H
#define WEFT_TESTS_FUZZ_CSR_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "examples/cg/cg_csr.h"

typedef int fuzz_parse_fn(const char *text, size_t size, struct cg_csr *a,
			  struct cg_why *why);

static void fuzz_check(const struct cg_csr *a)
{
	int64_t i, k;

	if (a->rows < 1 || a->start[0] != 0)
		abort();
	for (i = 0; i < a->rows; i++) {
		if (a->start[i] >= a->start[i + 1])
			abort();
		for (k = a->start[i]; k < a->start[i + 1]; k++)
			if (a->col[k] < 0 || a->col[k] >= a->rows ||
			    (k > a->start[i] && a->col[k] <= a->col[k - 1]))
				abort();
	}
}

static void fuzz_csr(fuzz_parse_fn *parse, const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct cg_csr a;
	struct cg_why why = { "" };

	if (!text)
		return;
	memcpy(text, data, size);
	text[size] = '\0';
	if (parse(text, size, &a, &why) == 0)
		fuzz_check(&a);
	else if (!why.text[0] || a.start || a.col || a.val)
		abort();
	cg_csr_free(&a);
	free(text);
}

#endif
