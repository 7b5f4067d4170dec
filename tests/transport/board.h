/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A launcher's interface for tests of transports: all ranks are on one node,
 * and their boot blobs hang on a board in memory that forked ranks share.
 */
#ifndef WEFT_TESTS_BOARD_H
#define WEFT_TESTS_BOARD_H

#include <stdatomic.h>
#include <stdint.h>
#include "boot/blob.h"
#include "boot/boot_impl.h"

enum {
	BOARD_RANKS = 8
};

struct board {
	int n;
	_Atomic int arrived;		/* at fences, all together */
	struct {
		size_t n;
		uint8_t bytes[WF_BLOB_BYTES_MAX];
	} blob[BOARD_RANKS];
};

struct board_boot {
	struct wf_boot base;
	struct board *board;
};

/* Shared with later children; ends with the process. */
struct board *board_create(int n);
void board_destroy(struct board *board);

/* The boot of one rank; nothing to close. */
void board_join(struct board *board, int rank, const struct wf_log *log,
		struct board_boot *boot);

#endif
