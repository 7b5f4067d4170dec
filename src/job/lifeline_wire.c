/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said by lifelines. */
#include <endian.h>
#include <limits.h>
#include <string.h>
#include "base/hash.h"
#include "job/lifeline.h"

static const char magic[8] = "weftlife", loss[8] = "weftlost";

/* All of it is looked at: the time tells nothing of a key. */
static bool are_same(const uint8_t *a, const uint8_t *b, int n)
{
	unsigned differs = 0;

	for (int i = 0; i < n; i++)
		differs |= (unsigned)(a[i] ^ b[i]);
	return !differs;
}

static void put(uint8_t *at, uint64_t word)
{
	word = htole64(word);
	memcpy(at, &word, sizeof(word));
}

void wf_greeting_write(uint8_t bytes[WF_GREETING], uint64_t word)
{
	memcpy(bytes, magic, sizeof(magic));
	put(bytes + sizeof(magic), word);
}

bool wf_greeting_is(const uint8_t bytes[WF_GREETING], uint64_t word)
{
	uint8_t want[WF_GREETING];

	wf_greeting_write(want, word);
	return are_same(bytes, want, WF_GREETING);
}

void wf_loss_write(uint8_t bytes[WF_LOSS], int rank,
		   const struct wf_blob_key *key)
{
	memcpy(bytes, loss, sizeof(loss));
	put(bytes + 8, (uint64_t)rank);
	put(bytes + 16, wf_tag64(bytes, 16, key->word));
}

int wf_loss_read(const uint8_t bytes[WF_LOSS], const struct wf_blob_key *key)
{
	uint8_t want[WF_LOSS];
	uint64_t rank;

	memcpy(&rank, bytes + 8, sizeof(rank));
	rank = le64toh(rank);
	if (rank > INT_MAX)
		return -1;
	wf_loss_write(want, (int)rank, key);
	return are_same(bytes, want, WF_LOSS) ? (int)rank : -1;
}
