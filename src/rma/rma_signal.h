/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signals of a region.  The program names them by small numbers; each
 * peer that raises one gets a signal of the transport for itself, because a
 * signal's word has one writer.  That pair is a source.
 */
#ifndef WEFT_RMA_RMA_SIGNAL_H
#define WEFT_RMA_RMA_SIGNAL_H

#include "rma/rma_link.h"

struct wf_rma_source {
	struct wf_list link;		/* in those of its number */
	uint32_t sig;			/* of the transport */
	const _Atomic uint64_t *word;

	/* The quick one, where a device reports raises and has room for it. */
	const _Atomic uint64_t *quick_word;	/* NULL: none */
	uint32_t quick, raises;		/* of it under way, at most, */
	uint32_t room;			/* for which this one is there */
	uint64_t credited;		/* of them */
	struct wf_list credit;		/* in link->credits: CREDIT is owed */
	int rank;
	uint32_t number;
};

/* All of one number. */
struct wf_rma_raised {
	struct wf_list sources;
	struct wf_map by_rank;		/* who raises it -> the source */
};

/* A handle. */
struct weft_signal {
	struct wf_list link;		/* in its region */
	struct weft_region *region;
	int peer;			/* or WEFT_ALL_PEERS */
	struct wf_rma_source *one;	/* of one peer, */
	struct wf_rma_raised *all;	/* or of all */

	/* Of those who look whether raisers live: rma_watch.c. */
	struct wf_round round;		/* of those who test */
	uint64_t since, looked;		/* ticks of the detector: of the first
					 * test in vain, and the last look */
	uint32_t gone;			/* job->gone when it was asked */
	struct wf_peer *last;		/* who is gone as all others are */
};

/* How often it was raised so far. */
uint64_t wf_rma_signal_count(const struct weft_signal *s);

/* Made if need be; NULL: no memory. */
struct wf_rma_raised *wf_rma_raised_get(struct weft_region *region,
					uint32_t number);
struct wf_rma_source *wf_rma_source_get(struct weft_region *region, int rank,
					uint32_t number);

/* Its quick signal: made when its raiser asks, if there is room. */
void wf_rma_source_quicken(const struct wf_rma_link *link,
			   struct wf_rma_source *source);

/* Its raiser is told how often the quick one has come, as returned. */
uint64_t wf_rma_source_settle(struct wf_rma_source *source);

/* By who looks at it: those who raise it may go on as quickly. */
void wf_rma_signal_credit(const struct weft_signal *s);

/* kept: peers may still raise them, so no signal is given again. */
void wf_rma_sources_fini(struct weft_region *region, bool kept);

/* Frees the handles. */
void wf_rma_signals_fini(struct weft_region *region);

#endif
