/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs of neighbourhoods that real ones have share: a rank, arrays
 * that end where no memory is, what queries tell of its edges, and all
 * exchanges in all forms.
 */
#ifndef WEFT_TESTS_NEIGHBORHOOD_H
#define WEFT_TESTS_NEIGHBORHOOD_H

#include <stdbool.h>
#include <stddef.h>
#include <weft.h>

enum {
	HOOD_MAPS = 64			/* arrays at a time */
};

struct hood {
	struct weft_job *job;
	struct weft_comm *world;
	int me, size, failures;
	int nmaps;
	struct {
		char *at;
		size_t bytes;
	} map[HOOD_MAPS];
};

void hood_fail(struct hood *h, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* False: it has failed, and it was told. */
bool hood_ok(struct hood *h, int status, const char *call);

/* Zeroes; a byte behind them is a fault.  NULL for none. */
void *hood_array(struct hood *h, size_t n, size_t bytes);

/* Gives arrays back, but for so many of the first ones. */
void hood_release(struct hood *h, int left);

struct weft_comm *hood_adjacent(struct hood *h, const struct weft_edges *in,
				const struct weft_edges *out);

/*
 * Degrees, and neighbours into more room and into less.  Weights are those of
 * the edges, or there are none; of a rank without edges its weights say so.
 */
void hood_check_edges(struct hood *h, const struct weft_comm *graph,
		      const struct weft_edges *in,
		      const struct weft_edges *out);

/*
 * Collective: the five calls, each in its three forms: the k-th edge to a rank
 * is the k-th edge from here there.  Where there are no edges everything is
 * NULL.
 */
void hood_exchange_all(struct hood *h, struct weft_comm *graph,
		       const struct weft_edges *in,
		       const struct weft_edges *out);

/* ---- neighborhood_torus.c ---- */

/*
 * Collective: ghosts of a field in three dimensions, each periodic; 1 and 2
 * ranks along one of them are usual.
 */
void hood_torus(struct hood *h);

#endif
