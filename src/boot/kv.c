/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values that one rank put; see kv.h. Called by boot_solo.c, boot_inproc.c
 * and, for what waits for the next fence, pmix_call.c. A list is enough: a
 * rank puts a handful of values in its life.
 */
#include <stdlib.h>
#include <string.h>

#include "boot/kv.h"

void wf_kv_init(struct wf_kv *kv)
{
	kv->newest = NULL;
}

void wf_kv_fini(struct wf_kv *kv)
{
	while (kv->newest != NULL) {
		struct wf_kv_entry *entry = kv->newest;

		kv->newest = entry->next;
		free(entry);
	}
}

int wf_kv_put(struct wf_kv *kv, uint64_t epoch, const char *key,
	      const void *value, size_t n)
{
	struct wf_kv_entry *entry = malloc(sizeof(*entry) + n);

	if (entry == NULL)
		return WEFT_ERR_NOMEM;
	entry->epoch = epoch;
	entry->n = n;
	memset(entry->key, 0, sizeof(entry->key));
	memcpy(entry->key, key, strnlen(key, sizeof(entry->key) - 1));
	if (n > 0)
		memcpy(entry->bytes, value, n);
	entry->next = kv->newest;
	kv->newest = entry;
	return WEFT_OK;
}

const struct wf_kv_entry *wf_kv_find(const struct wf_kv *kv, uint64_t epoch,
				     const char *key)
{
	const struct wf_kv_entry *entry = kv->newest;

	while (entry != NULL &&
	       (entry->epoch >= epoch || strcmp(entry->key, key) != 0))
		entry = entry->next;
	return entry;
}
