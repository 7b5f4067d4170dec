/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank tells each one that it has items for: their number and, where
 * that is asked, the roots that they go to there, in the order of content.  By
 * one sparse exchange, whose result is the reverse side.
 */
#ifndef WEFT_DIST_RECORDS_H
#define WEFT_DIST_RECORDS_H

#include "dist/setting.h"

/*
 * By all ranks, whatever has failed here; forward is not looked at then.
 * Without s->idxs items stay in the order of content.  NULL: the setting has an
 * error, or a root that there is not.
 */
struct wf_dist_side *wf_dist_tell(struct wf_dist_setting *s,
				  struct wf_dist_side *forward);

#endif
