/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mail lists world ranks, 4 bytes each.  What a peer was told is a prefix
 * of the list of deaths, so one owed mail per peer carries all that are new.
 * It takes the reserved credit: a peer that has stopped taking mails can still
 * hear of a death.  It goes before all that is owed: what this rank says after
 * a death may follow from that, and is understood by who knows it.
 */
#include "job/flood.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "boot/boot.h"
#include "job/job.h"
#include "job/peer.h"

enum {
	DEATHS_PER_MAIL = WF_MAIL_PAYLOAD / (int)sizeof(int32_t)
};

static uint16_t build_deaths(struct wf_owed *owed, struct wf_mail *head,
			     void *payload)
{
	struct wf_peer *peer = wf_container(owed, struct wf_peer, obituary);
	const struct wf_deaths *deaths = &peer->job->deaths;
	size_t at = peer->deaths_told;
	int32_t *to = payload;
	uint16_t n = 0;

	head->kind = WF_MAIL_DEATHS;
	head->flags = WF_MAIL_RESERVED;
	while (at < deaths->n && n < DEATHS_PER_MAIL)
		to[n++] = deaths->rank[at++];
	/* It may be built again before it leaves. */
	peer->deaths_mailed = at;
	return (uint16_t)(n * sizeof(*to));
}

/* More deaths than fit into one mail: the rest follows. */
static void deaths_sent(struct wf_owed *owed, int status)
{
	struct wf_peer *peer = wf_container(owed, struct wf_peer, obituary);

	if (status)
		return;
	peer->deaths_told = peer->deaths_mailed;
	wf_flood_tell(peer);
}

void wf_flood_tell(struct wf_peer *peer)
{
	if (peer->deaths_told == peer->job->deaths.n)
		return;
	peer->obituary.build = build_deaths;
	peer->obituary.settled = deaths_sent;
	peer->obituary.news = true;
	wf_owe_first(peer, &peer->obituary);
}

static void tell(struct weft_job *job, int rank)
{
	struct wf_peer *peer = rank < 0 ? NULL : wf_peer_get(job, rank);

	if (peer)
		wf_flood_tell(peer);
}

static bool is_there(const struct weft_job *job, int rank)
{
	const struct wf_peer *peer = wf_peer_find(job, rank);

	return !peer || (wf_peer_is_there(peer) && !peer->ended);
}

int wf_flood_next(const struct weft_job *job, int distance)
{
	for (int d = distance; d - distance < distance && d < job->size; d++) {
		int rank = (int)(((unsigned)job->rank + (unsigned)d) %
				 (unsigned)job->size);

		if (is_there(job, rank))
			return rank;
	}
	return -1;
}

/* false: no memory; others tell, too. */
static bool remember(struct wf_deaths *deaths, int rank)
{
	if (deaths->n == deaths->max) {
		size_t max = deaths->max ? 2 * deaths->max : 16;
		int *more = realloc(deaths->rank, max * sizeof(*more));

		if (!more)
			return false;
		deaths->rank = more;
		deaths->max = max;
	}
	deaths->rank[deaths->n++] = rank;
	return true;
}

void wf_flood_death(struct weft_job *job, int rank)
{
	/* One node hears by its memory; a rank that closes meets no others. */
	if (!remember(&job->deaths, rank) || job->closing ||
	    (wf_boot_node_count(job->boot) < 2 && job->lifeline.fd < 0))
		return;
	for (int distance = 1; distance < job->size; distance *= 2)
		tell(job, wf_flood_next(job, distance));
}

void wf_flood_deliver(struct weft_job *job, const struct wf_letter *letter)
{
	size_t n = letter->head.length / sizeof(int32_t);
	char why[160];
	int32_t rank;

	snprintf(why, sizeof(why), "is dead, as rank %d told",
		 letter->from->rank);
	for (size_t i = 0; i < n; i++) {
		struct wf_peer *peer = NULL;

		memcpy(&rank, (const char *)letter->payload +
		       i * sizeof(rank), sizeof(rank));
		if (rank >= 0 && rank < job->size && rank != job->rank)
			peer = wf_peer_get(job, rank);
		if (peer)
			wf_peer_gone(peer, WF_PEER_DEAD, why);
		else
			wf_mail_drop(job, letter, "no such rank");
	}
}

void wf_flood_fini(struct weft_job *job)
{
	free(job->deaths.rank);
}
