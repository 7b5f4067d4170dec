/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes and compares boot blobs; blob_wire.c writes and reads them. job/ makes
 * its own at open and compares a peer's with it at first contact.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/random.h"
#include "boot/blob.h"

static struct wf_blob_marks own_marks(void)
{
	const uint16_t probe = 1;
	uint8_t low;

	memcpy(&low, &probe, 1);
	return (struct wf_blob_marks){
		.order = low == 1 ? 1 : 2,
		.short_bytes = sizeof(short),
		.int_bytes = sizeof(int),
		.long_bytes = sizeof(long),
		.pointer_bytes = sizeof(void *),
		.size_bytes = sizeof(size_t),
		.double_bytes = sizeof(double),
		.long_double_bytes = sizeof(long double),
	};
}

void wf_blob_init(struct wf_blob *blob, const struct wf_identity *id,
		  uint64_t settings)
{
	memset(blob, 0, sizeof(*blob));
	blob->wire_version = WF_WIRE_VERSION;
	blob->marks = own_marks();
	blob->settings = settings;
	blob->id = *id;
	blob->memfd = -1;
}

int wf_blob_key_random(struct wf_blob *blob)
{
	struct wf_blob_key keys[2];
	ssize_t n;

	/* Up to 256 bytes come whole or not at all. */
	do
		n = getrandom(keys, sizeof(keys), 0);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(keys))
		return WEFT_ERR_DEVICE;
	blob->key = keys[0];
	blob->life_key = keys[1];
	return WEFT_OK;
}

void wf_blob_key_seeded(struct wf_blob *blob, struct wf_random *random)
{
	blob->key.word[0] = wf_random_u64(random);
	blob->key.word[1] = wf_random_u64(random);
	blob->life_key.word[0] = wf_random_u64(random);
	blob->life_key.word[1] = wf_random_u64(random);
}

bool wf_blob_key_equal(const struct wf_blob_key *a,
		       const struct wf_blob_key *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

int wf_blob_add(struct wf_blob *blob, const char *name, const void *bytes,
		size_t n)
{
	struct wf_blob_addr *addr;

	if (blob->n_addrs == WF_BLOB_ADDRS || n > WF_BLOB_ADDR_MAX ||
	    strlen(name) > sizeof(addr->name))
		return WEFT_ERR_RANGE;
	addr = &blob->addrs[blob->n_addrs++];
	memset(addr, 0, sizeof(*addr));
	memcpy(addr->name, name, strnlen(name, sizeof(addr->name)));
	addr->n = (uint8_t)n;
	if (n > 0)
		memcpy(addr->bytes, bytes, n);
	return WEFT_OK;
}

const struct wf_blob_addr *wf_blob_find(const struct wf_blob *blob,
					const char *name)
{
	int i;

	for (i = 0; i < blob->n_addrs; i++)
		if (strncmp(blob->addrs[i].name, name,
			    sizeof(blob->addrs[i].name)) == 0)
			return &blob->addrs[i];
	return NULL;
}

int wf_blob_check(const struct wf_blob *mine, const struct wf_blob *theirs,
		  char *why, size_t why_len)
{
	const char *here = mine->id.host;
	const char *there = theirs->id.host;

	if (mine->wire_version != theirs->wire_version)
		snprintf(why, why_len, "host %s runs wire version %u and host "
			 "%s version %u: use one version of weft in a job",
			 here, mine->wire_version, there,
			 theirs->wire_version);
	else if (mine->marks.order != theirs->marks.order)
		snprintf(why, why_len, "hosts %s and %s differ in byte order: "
			 "a job cannot mix them", here, there);
	else if (memcmp(&mine->marks, &theirs->marks,
			sizeof(mine->marks)) != 0)
		snprintf(why, why_len, "hosts %s and %s differ in the sizes "
			 "of C types: a job cannot mix them", here, there);
	else if (mine->settings != theirs->settings)
		snprintf(why, why_len, "hosts %s and %s differ in WEFT_* "
			 "settings that both ends of a channel must share: "
			 "give all ranks the same", here, there);
	else
		return WEFT_OK;
	return WEFT_ERR_BOOT;
}

bool wf_blob_same_pids(const struct wf_blob *mine,
		       const struct wf_blob *theirs)
{
	const struct wf_identity *a = &mine->id, *b = &theirs->id;

	return wf_identity_same_kernel(a, b) && a->pid_ns == b->pid_ns &&
	       (a->pid == b->pid || (a->start && b->start));
}

bool wf_blob_same_node(const struct wf_blob *mine,
		       const struct wf_blob *theirs)
{
	return wf_blob_same_pids(mine, theirs) &&
	       mine->id.uid == theirs->id.uid;
}
