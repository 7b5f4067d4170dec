/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft-sim prints: a block for one run, lines for several, or JSON.
 */
#ifndef WEFT_SIM_REPORT_H
#define WEFT_SIM_REPORT_H

#include "tools/weft-sim/weft_sim_chart.h"
#include "tools/weft-sim/weft_sim_run.h"

struct wsim_report {
	const struct wsim_options *options;
	bool lines;		/* several runs */
	long runs;		/* printed so far */
	uint64_t forged;	/* credits, in all of them */
	struct wsim_chart chart;
};

void wsim_report_open(struct wsim_report *report,
		      const struct wsim_options *options);
void wsim_report_run(struct wsim_report *report, const struct wsim_run *run,
		     const struct wsim_result *result);

/* False: nothing was forged, or no chart could be written; it was said. */
bool wsim_report_close(struct wsim_report *report);

#endif
