/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values that one rank put: a short list, newest first, each with the
 * fence epoch it was put in. For boots that keep their store themselves, and
 * for what PMIx gets at the next fence.
 * Not locked: the owner does that.
 */
#ifndef WEFT_BOOT_KV_H
#define WEFT_BOOT_KV_H

#include <stddef.h>
#include <stdint.h>

#include <weft/status.h>

struct wf_kv_entry {
	struct wf_kv_entry *next;
	uint64_t epoch;
	size_t n;
	char key[32];
	unsigned char bytes[];
};

struct wf_kv {
	struct wf_kv_entry *newest;
};

void wf_kv_init(struct wf_kv *kv);
void wf_kv_fini(struct wf_kv *kv);

/* Copies key and value. A second value for a key replaces the first. */
int wf_kv_put(struct wf_kv *kv, uint64_t epoch, const char *key,
	      const void *value, size_t n) WEFT_MUST_CHECK;

/* The newest value put in an epoch below `epoch`; NULL: none. */
const struct wf_kv_entry *wf_kv_find(const struct wf_kv *kv, uint64_t epoch,
				     const char *key);

#endif
