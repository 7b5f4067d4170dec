/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The board: put and get copy, a fence counts arrivals and yields.
 */
#include "tests/transport/board.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <weft/status.h>

static struct board *board_of(struct wf_boot *boot)
{
	return ((struct board_boot *)boot)->board;
}

static int board_put(struct wf_boot *boot, const char *key, const void *value,
		     size_t n)
{
	struct board *board = board_of(boot);

	if (strcmp(key, "blob") || n > WF_BLOB_BYTES_MAX)
		return WEFT_ERR_SIZE;
	memcpy(board->blob[boot->rank].bytes, value, n);
	board->blob[boot->rank].n = n;
	return WEFT_OK;
}

static int board_fence(struct wf_boot *boot)
{
	struct board *board = board_of(boot);
	int until = atomic_fetch_add(&board->arrived, 1) / board->n + 1;

	while (atomic_load(&board->arrived) < until * board->n)
		sched_yield();
	return WEFT_OK;
}

static int board_get(struct wf_boot *boot, int rank, const char *key,
		     struct wf_boot_value *value)
{
	struct board *board = board_of(boot);

	if (!board->blob[rank].n)
		return WEFT_ERR_BOOT;
	return wf_boot_give(boot, key, board->blob[rank].bytes,
			    board->blob[rank].n, value);
}

static void board_abort(struct wf_boot *boot, int code, const char *why)
{
	(void)boot;
	(void)code;
	(void)why;
}

static int board_close(struct wf_boot *boot)
{
	(void)boot;
	return WEFT_OK;
}

static const struct wf_boot_ops board_ops = {
	"board", board_put, board_fence, board_get, board_abort, board_close
};

struct board *board_create(int n)
{
	struct board *board = mmap(NULL, sizeof(*board),
				   PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (board == MAP_FAILED)
		return NULL;
	board->n = n;
	return board;
}

void board_destroy(struct board *board)
{
	munmap(board, sizeof(*board));
}

void board_join(struct board *board, int rank, const struct wf_log *log,
		struct board_boot *boot)
{
	*boot = (struct board_boot){
		.base = {
			.ops = &board_ops, .log = log, .rank = rank,
			.size = board->n,
			.node = { .count = 1, .size = board->n, .first = 0 }
		},
		.board = board
	};
}
