/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is said by a lifeline about ranks that have closed their jobs: who
 * leaves tells what it knows, and who has found somebody gone asks.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include "base/rangeset.h"
#include "boot/blob.h"
#include "job/lifeline_talk.h"

enum {
	RANGES = 128		/* of an answer, which has to fit at once */
};

static size_t count(const struct wf_life_talk *talk)
{
	return talk->tells ? wf_rangeset_count(talk->tells) : 0;
}

void wf_life_renew(struct wf_life_talk *talk)
{
	talk->over = talk->hung_up = false;
	talk->said = 0;
	talk->n = 0;
}

bool wf_life_is_said(const struct wf_life_talk *talk)
{
	return talk->said == (count(talk) + 1) * WF_LIFE_WORD;
}

static struct wf_life_word left_word(const struct wf_range *range)
{
	return (struct wf_life_word){ WF_LIFE_LEFT, (int)range->low,
				 (int)range->end - 1 };
}

/* A set that grows meanwhile is told from its beginning by who owns it. */
bool wf_life_say(struct wf_life_talk *talk, int fd,
		 const struct wf_blob_key *key)
{
	while (!wf_life_is_said(talk)) {
		size_t at = talk->said / WF_LIFE_WORD;
		size_t from = talk->said % WF_LIFE_WORD;
		struct wf_life_word word = at < count(talk) ?
			left_word(&talk->tells->ranges[at]) : talk->last;
		uint8_t bytes[WF_LIFE_WORD];
		ssize_t n;

		wf_life_write(bytes, &word, key);
		n = send(fd, bytes + from, sizeof(bytes) - from,
			 MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		talk->said += (size_t)n;
	}
	return true;
}

/* False: no answer to this. */
static bool take(struct wf_life_talk *talk, const struct wf_blob_key *key)
{
	struct wf_life_word word;

	talk->n = 0;
	if (!wf_life_read(talk->bytes, &word, key))
		return false;
	if (word.kind == WF_LIFE_LEFT && talk->left)
		return talk->left(talk->arg, word.first, word.last);
	talk->over = word.kind == WF_LIFE_ENDS;
	return talk->over;
}

bool wf_life_hear(struct wf_life_talk *talk, int fd,
		  const struct wf_blob_key *key)
{
	while (!talk->over) {
		ssize_t n = recv(fd, talk->bytes + talk->n,
				 WF_LIFE_WORD - talk->n, MSG_DONTWAIT);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		talk->n += (unsigned)n;
		if (!n || (talk->n == WF_LIFE_WORD && !take(talk, key)))
			return false;
	}
	return true;
}

/* The part of it that was asked for; false: none. */
static bool cut(struct wf_life_word *word, const struct wf_life_word *who)
{
	if (word->first < who->first)
		word->first = who->first;
	if (word->last > who->last)
		word->last = who->last;
	return word->first <= word->last;
}

bool wf_life_answer(const struct wf_rangeset *gone,
		    const struct wf_life_word *who, int fd,
		    const struct wf_blob_key *key)
{
	uint8_t bytes[(RANGES + 1) * WF_LIFE_WORD], *end = bytes;
	struct wf_life_word ends = { WF_LIFE_ENDS, who->first, who->last };

	for (size_t i = 0; gone && i < wf_rangeset_count(gone); i++) {
		struct wf_life_word word = left_word(&gone->ranges[i]);

		if (!cut(&word, who))
			continue;
		if (end == bytes + RANGES * WF_LIFE_WORD)
			break;
		wf_life_write(end, &word, key);
		end += WF_LIFE_WORD;
	}
	wf_life_write(end, &ends, key);
	end += WF_LIFE_WORD;
	return send(fd, bytes, (size_t)(end - bytes),
		    MSG_NOSIGNAL | MSG_DONTWAIT) == end - bytes;
}
