/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that two processes share on shared memory, besides lines and
 * signals (line.h, signals.h) and the ring (base/ring.h); docs/wire.md draws
 * the whole.  Each word has one writer, except where noted.
 *
 * A segment has one header, at the offset that the boot blob tells:
 *
 *   offset    0  magic, version, ranks, key, directory,
 *                doorbell                                 constant
 *            52  away       it has given its CPU away     owner
 *            64  size       usable bytes, only grows      owner
 *            72  users      of the owner's mapping       ranks of the process
 *            80  asleep     0, or the number of its sleep owner
 *            84  rings      whoever sleeps                owner
 *           128  bell       raised after words below      anybody
 *           192  board[8]   words of the node            anybody
 *           256  node[0], node[1], ... 16 bytes for each rank of the node
 *
 * The words of a rank of the node are packed, against the rule of one writer
 * per cache line, because each is written once in a job and read only after
 * the bell: 16 bytes per rank instead of 192.
 */
#ifndef WEFT_TRANSPORT_SHM_WIRE_H
#define WEFT_TRANSPORT_SHM_WIRE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "transport/transport.h"

enum {
	WF_SHM_VERSION = 7,
	WF_SHM_UNITS = 480		/* of a ring; a mail takes 1 to 130 */
};

#define WF_SHM_MAGIC UINT64_C(0x6d68732074666577)	/* "weft shm" */

/* The address of a device in the boot blob. */
struct wf_shm_address {
	uint32_t version;
	uint32_t ranks;			/* of the node, as the owner counts */
	uint64_t header;		/* its offset in the segment */
	uint64_t limit;			/* bytes to map */
};

/* What concerns one rank of the node, in the header of each other one. */
struct wf_shm_node {
	/*
	 * By that rank: offset in its segment of the ring that it made for
	 * the owner's mails, lowest bit set; 0: no contact yet.
	 */
	_Atomic uint64_t connect;
	/* By the owner, enum wf_shm_no: it will not connect to that rank. */
	_Atomic uint32_t refused;
	/* By whoever tells first: 0, or enum wf_shm_fate of that rank. */
	_Atomic uint32_t fate;
};

enum wf_shm_no {
	WF_SHM_REFUSES = 1,
	WF_SHM_LACKS = 2		/* it has no memory or descriptor */
};

enum wf_shm_fate {
	WF_SHM_DEAD = 1,		/* as another one saw */
	WF_SHM_LEFT			/* as it said itself */
};

struct wf_shm_header {
	uint64_t magic;
	uint32_t version;
	uint32_t ranks;			/* entries of node[] */
	uint64_t key[2];		/* of the owner's boot blob */
	uint64_t directory;		/* offset of its signal directory */
	uint64_t doorbell_id;
	int32_t doorbell;		/* the owner's descriptor; -1: none */
	/* Not in a line that others read before each store. */
	_Atomic uint32_t away;
	/* How many others of the node look here for who has left. */
	_Atomic uint32_t readers;
	char pad0[4];
	_Atomic uint64_t size;
	_Atomic uint64_t users;
	/*
	 * While it is not 0, whoever has stored into this segment rings the
	 * doorbell, once for each number.
	 */
	_Atomic uint32_t asleep;
	/* Stores of this process are seen behind a membarrier, and it rings. */
	_Atomic uint32_t rings;
	char pad1[40];
	_Atomic uint64_t bell;
	char pad2[56];
	_Atomic uint64_t board[WF_BOARD_WORDS];
	struct wf_shm_node node[];
};

_Static_assert(sizeof(struct wf_shm_address) == 24, "wire");
_Static_assert(sizeof(struct wf_shm_node) == 16, "wire");
_Static_assert(offsetof(struct wf_shm_header, directory) == 32, "wire");
_Static_assert(offsetof(struct wf_shm_header, away) == 52, "wire");
_Static_assert(offsetof(struct wf_shm_header, size) == 64, "wire");
_Static_assert(offsetof(struct wf_shm_header, users) == 72, "wire");
_Static_assert(offsetof(struct wf_shm_header, doorbell_id) == 40, "wire");
_Static_assert(offsetof(struct wf_shm_header, asleep) == 80, "wire");
_Static_assert(offsetof(struct wf_shm_header, bell) == 128, "wire");
_Static_assert(offsetof(struct wf_shm_header, board) == 192, "wire");
_Static_assert(offsetof(struct wf_shm_header, node) == 256, "wire");
_Static_assert(sizeof(struct wf_mail) == 16, "header of a mail");

#endif
