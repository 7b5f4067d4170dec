/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft-cg prints on its standard output, as text or as JSON.
 */
#ifndef CG_REPORT_H
#define CG_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <weft/reorder.h>

#include "cg_carrier.h"
#include "cg_check.h"
#include "cg_solve.h"

/* What each rank tells rank 0 about itself. */
struct cg_rank_facts {
	int64_t rows, entries;
	int64_t neighbours;
	int64_t bytes;		/* sent per exchange */
	struct cg_times times;
	struct cg_carrier carriers[CG_CARRIERS];
};

struct cg_summary {
	const char *source;			/* file name or mesh */
	int ranks;
	const struct cg_rank_facts *facts;	/* one per rank */
	const struct cg_solved *solved;
	const struct cg_verdict *verdict;	/* NULL: no serial check */
	const struct weft_reorder_info *order;	/* NULL: not asked for */
};

void cg_report_text(FILE *out, const struct cg_summary *summary);
void cg_report_json(FILE *out, const struct cg_summary *summary);

/* The edges of all ranks, by class. */
void cg_report_carriers(const struct cg_summary *summary,
			struct cg_carrier list[CG_CARRIERS]);

/* FNV-1a of the bits of the solution: equal in two equal runs. */
uint64_t cg_report_checksum(const double *x, int64_t n);

#endif
