/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of a distributed vector that a rank needs beyond its own rows, and
 * the persistent neighbour exchange that brings it.
 *
 * The neighbours follow from the sparsity: a rank needs an element of another
 * rank wherever one of its rows has an entry in that column.  The matrix is
 * symmetric, so the other one needs elements of this rank, too, and both know
 * which without asking.
 */
#ifndef CG_HALO_H
#define CG_HALO_H

#include <stddef.h>

#include "cg_carrier.h"
#include "cg_csr.h"
#include "cg_partition.h"
#include "cg_ranks.h"

struct weft_request;

struct cg_halo {
	const struct cg_ranks *ranks;
	struct weft_comm *graph;
	struct weft_request *exchange;
	int64_t own, size, picked;
	double *vector;		/* own elements, then the halo */
	double *outbox;		/* what the neighbours need, by neighbour */
	int64_t *outbox2row;	/* where each element of the outbox is from */
	int64_t *halo2col;	/* ascending, so by neighbour, too */

	int neighbours;		/* ascending ranks */
	int *nbr2rank;
	size_t *in, *out;	/* elements per neighbour */
	ptrdiff_t *in_at, *out_at;

	int64_t *inner, *rim;	/* rows without and with entries in the halo */
	int64_t n_inner, n_rim;
};

/*
 * Opens the exchange for the rows `a` of this rank, and renumbers their
 * columns to positions in `vector`; their order in each row stays.
 * Collective; failures are told.
 */
int cg_halo_open(struct cg_halo *halo, const struct cg_ranks *ranks,
		 const struct cg_blocks *blocks, struct cg_csr *a);
void cg_halo_close(struct cg_halo *halo);

/* Begin to send own elements of the vector, and to receive the halo. */
int cg_halo_start(struct cg_halo *halo);

/* The halo of the vector is there. */
int cg_halo_wait(struct cg_halo *halo);

/* The out-edges of this rank by what carries them; after an exchange. */
int cg_halo_carriers(const struct cg_halo *halo,
		     struct cg_carrier list[CG_CARRIERS]);

/* Bytes that this rank sends in an exchange. */
int64_t cg_halo_bytes(const struct cg_halo *halo);

#endif
