/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A death is told to all ranks of the job.  Whoever learns of one mails it,
 * once, to the nearest living rank at each distance 2^i, so it spreads in
 * about log2(P) steps, also around ranks that are not in the library.  Besides,
 * what is owed to a rank leaves behind the news that it lacks: what this one
 * does because of a death nobody hears of earlier than of the death.  What the
 * program itself sends may overtake them (wf_peer_mail_now(), puts).
 */
#ifndef WEFT_JOB_FLOOD_H
#define WEFT_JOB_FLOOD_H

#include <stddef.h>

struct weft_job;
struct wf_letter;
struct wf_peer;

/* The deaths that this rank knows, in the order in which it learned them. */
struct wf_deaths {
	int *rank;
	size_t n, max;
};

/* This rank has learned of a death: spreads it, where need be. */
void wf_flood_death(struct weft_job *job, int rank);

/* What the peer was not told yet is owed to it, before all else. */
void wf_flood_tell(struct wf_peer *peer);

/* The first living rank from a distance on, and before its double, or -1. */
int wf_flood_next(const struct weft_job *job, int distance);

/* WF_MAIL_DEATHS has come. */
void wf_flood_deliver(struct weft_job *job, const struct wf_letter *letter);

void wf_flood_fini(struct weft_job *job);

#endif
