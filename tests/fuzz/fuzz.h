/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz targets: each is one file fuzz_NAME.c that defines this function and
 * keeps its inputs in corpus/fuzz_NAME. It is built twice: with libFuzzer, run
 * by tools/fuzz, and with replay.c as the test fuzz_NAME.t of make check.
 */
#ifndef WEFT_TESTS_FUZZ_FUZZ_H
#define WEFT_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns 0; aborts if something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(expr) ((expr) ? (void)0 : abort())

#endif
