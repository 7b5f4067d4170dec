/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said by lifelines. */
#include <endian.h>
#include <limits.h>
#include <string.h>
#include "base/hash.h"
#include "job/lifeline.h"
#include "job/lifeline_talk.h"

static const char magic[8] = "weftlife";

static const char letters[WF_LIFE_KINDS][8] = {
	[WF_LIFE_LOST] = "weftlost", [WF_LIFE_LEFT] = "weftleft",
	[WF_LIFE_ENDS] = "weftends", [WF_LIFE_WHO] = "weft-who"
};

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

void wf_life_write(uint8_t bytes[WF_LIFE_WORD],
		   const struct wf_life_word *word,
		   const struct wf_blob_key *key)
{
	memcpy(bytes, letters[word->kind], sizeof(letters[0]));
	put(bytes + 8, (uint64_t)word->last << 32 | (uint32_t)word->first);
	put(bytes + 16, wf_tag64(bytes, 16, key->word));
}

static bool read_kind(const uint8_t *bytes, enum wf_life_kind *kind)
{
	for (int i = 0; i < WF_LIFE_KINDS; i++) {
		if (memcmp(bytes, letters[i], sizeof(letters[i])))
			continue;
		*kind = (enum wf_life_kind)i;
		return true;
	}
	return false;
}

bool wf_life_read(const uint8_t bytes[WF_LIFE_WORD], struct wf_life_word *word,
		  const struct wf_blob_key *key)
{
	uint8_t want[WF_LIFE_WORD];
	uint64_t ranks;

	memcpy(&ranks, bytes + 8, sizeof(ranks));
	ranks = le64toh(ranks);
	if (!read_kind(bytes, &word->kind) ||
	    (uint32_t)ranks > INT_MAX || ranks >> 32 > INT_MAX)
		return false;
	word->first = (int)(uint32_t)ranks;
	word->last = (int)(ranks >> 32);
	wf_life_write(want, word, key);
	return are_same(bytes, want, WF_LIFE_WORD);
}
