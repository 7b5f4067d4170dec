/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The boot blob: what a process tells all others through the launcher's store
 * before anything else, and the only thing they know of it at first contact.
 *
 * On the wire, little-endian, no padding:
 *
 *   bytes  field                                            | kept alike by
 *   8      magic "weftblob"                                 | every version,
 *   2      wire version                                     | so that a job
 *   2      length of the whole                              | of mixed ones
 *   8      byte order, sizes of types (struct wf_blob_marks)| is refused by
 *   8      hash of the settings that both ends must share   | host name
 *   1 + n  host name                                        |
 *   16     key
 *   16     key of the lifeline
 *   16     boot id
 *   8 8 8  PID namespace, network namespace, start time
 *   4 4    pid, user
 *   4 8    memfd number, segment base in its owner
 *   1      number of lifelines, for each: family 1, port 2, address 16
 *   1      number of backend addresses, for each: name 8, n 1, n bytes
 *   4      CRC-32 of all before
 */
#ifndef WEFT_BOOT_BLOB_H
#define WEFT_BOOT_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/status.h>

#include "boot/identity.h"

struct wf_random;

#define WF_WIRE_VERSION 16
#define WF_BLOB_LIFELINES 5
#define WF_BLOB_ADDRS 3
#define WF_BLOB_ADDR_MAX 88
#define WF_BLOB_BYTES_MAX 600 /* of a packed blob */

/* What memory looks like at a rank; ranks of one job agree in all of it. */
struct wf_blob_marks {
	uint8_t order; /* 1 little-endian, 2 big-endian */
	uint8_t short_bytes;
	uint8_t int_bytes;
	uint8_t long_bytes;
	uint8_t pointer_bytes;
	uint8_t size_bytes;
	uint8_t double_bytes;
	uint8_t long_double_bytes;
};

struct wf_blob_key {
	uint64_t word[2];
};

/* A listening socket; family 4 or 6, IPv4 in the first four bytes. */
struct wf_blob_lifeline {
	uint8_t family;
	uint16_t port;
	uint8_t address[16];
};

/* How a backend is reached; the name fills with zeros. */
struct wf_blob_addr {
	char name[8];
	uint8_t n;
	uint8_t bytes[WF_BLOB_ADDR_MAX];
};

struct wf_blob {
	uint16_t wire_version;
	struct wf_blob_marks marks;
	uint64_t settings; /* wf_config_hash() */
	struct wf_identity id;
	struct wf_blob_key key;
	struct wf_blob_key life_key; /* lifelines say it in the clear */
	int32_t memfd;         /* -1: none */
	uint64_t segment_base; /* its address in the owner, 0: none */
	uint8_t n_lifelines;
	uint8_t n_addrs;
	struct wf_blob_lifeline lifelines[WF_BLOB_LIFELINES];
	struct wf_blob_addr addrs[WF_BLOB_ADDRS];
};

/* Fills in this build and the identity; no key, memfd or address yet. */
void wf_blob_init(struct wf_blob *blob, const struct wf_identity *id,
		  uint64_t settings);

/* The keys: from the kernel, or, where runs must repeat, from a generator. */
int wf_blob_key_random(struct wf_blob *blob) WEFT_MUST_CHECK;
void wf_blob_key_seeded(struct wf_blob *blob, struct wf_random *random);
bool wf_blob_key_equal(const struct wf_blob_key *a,
		       const struct wf_blob_key *b);

/* Adds a backend's address; WEFT_ERR_RANGE: too long, or too many. */
int wf_blob_add(struct wf_blob *blob, const char *name, const void *bytes,
		size_t n) WEFT_MUST_CHECK;
const struct wf_blob_addr *wf_blob_find(const struct wf_blob *blob,
					const char *name);

/* Returns the number of bytes written, at most WF_BLOB_BYTES_MAX. */
size_t wf_blob_pack(const struct wf_blob *blob,
		    uint8_t bytes[WF_BLOB_BYTES_MAX]);

/*
 * Refuses whatever is not a whole, well-formed blob with WEFT_ERR_BOOT and a
 * sentence. Of another wire version only the part that all share is read;
 * wf_blob_check() refuses it.
 */
int wf_blob_unpack(struct wf_blob *blob, const void *bytes, size_t n, char *why,
		   size_t why_len) WEFT_MUST_CHECK;

/*
 * May these two talk? WEFT_ERR_BOOT and a sentence that names both hosts when
 * wire version, byte order, type sizes or settings differ.
 */
int wf_blob_check(const struct wf_blob *mine, const struct wf_blob *theirs,
		  char *why, size_t why_len) WEFT_MUST_CHECK;

/*
 * Does the pid of each mean the same to the other one?  They are of one PID
 * namespace, as far as the blobs tell, and find the start times of processes in
 * /proc.  Two kernels that hide their boot ids may look like one:
 * wf_identity_knows_kernel().
 */
bool wf_blob_same_pids(const struct wf_blob *mine,
		       const struct wf_blob *theirs);

/*
 * Can they share memory, as far as the blobs tell: kernel, PID namespace and
 * user agree. The launcher's node map must say so, too.
 */
bool wf_blob_same_node(const struct wf_blob *mine,
		       const struct wf_blob *theirs);

#endif
