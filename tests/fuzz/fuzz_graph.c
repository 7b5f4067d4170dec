/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any text as a METIS graph: refused with a sentence, or a matrix whose rows
 * are in order and symmetric.
 */
#include "examples/cg/cg_metis.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_csr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_csr(cg_metis_parse, data, size);
	return 0;
}
