/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective call that sets a Dist: what is wrong at one rank is an error at
 * all of them, with the sentence of that rank, and nothing is changed then.
 */
#ifndef WEFT_DIST_SETTING_H
#define WEFT_DIST_SETTING_H

#include "dist/dist.h"

/* Indices of roots that a rank gives: n of them, each stride behind another. */
struct wf_dist_idxs {
	const char *array, *member;	/* for people: of the argument */
	const int32_t *at;
	size_t stride;
	size_t n;
	int32_t nrroots;		/* here, which others may name */
};

struct wf_dist_setting {
	struct weft_comm *comm;		/* whose ranks make the call */
	struct wf_origin origin;
	int status;			/* of this rank so far; told */
	int whose;			/* the rank whose error that is */
	int exchange;			/* what a neighbour exchange failed
					   with; another rank may know why */
	const struct wf_dist_idxs *idxs;	/* NULL: it has none */
	const struct wf_dist_side *forward;	/* by which they were sent */
	/* The lowest rank of those that sent one which there is not here. */
	int64_t bad_rank;		/* INT64_MAX: none has */
	uint32_t bad_place;		/* in its message */
};

/* With the communicator entered. */
struct wf_dist_setting wf_dist_setting(struct weft_comm *comm,
				       struct wf_origin origin);

/* This rank has failed, and says so; what it says before remains. */
void wf_dist_lack(struct wf_dist_setting *s, const char *what);

/* What this rank is given, whose nrroots is checked; idxs stays. */
void wf_dist_use_idxs(struct wf_dist_setting *s,
		      const struct wf_dist_idxs *idxs);

/*
 * Indices that came, in content of this reverse side, are below nrroots; else
 * notes which one is not: false.
 */
bool wf_dist_check_idxs(struct wf_dist_setting *s,
			const struct wf_dist_side *reverse,
			const uint32_t *content);

/* Groups items of a side that nobody else has by the roots of content. */
void wf_dist_group(struct wf_dist_setting *s, struct wf_dist_side *reverse,
		   const uint32_t *content);

/* By all ranks, at the end: the status that they all have. */
int wf_dist_settle(struct wf_dist_setting *s);

#endif
