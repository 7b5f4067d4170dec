/* SPDX-License-Identifier: BSD-3-Clause */
/* Where on its node a process runs, as hwloc sees it. */
#ifndef WEFT_DERIVE_LOCALITY_H
#define WEFT_DERIVE_LOCALITY_H

#include <weft/comm.h>

enum {
	WF_LOCALITY_NONE = -1,		/* nowhere, or in more than one */
	WF_LOCALITY_UNKNOWN = -2	/* hwloc could not say */
};

/*
 * The number, on this node, of the one object of a type (WEFT_SPLIT_NUMA and
 * those behind it) in which all CPUs lie that this process may use, or one of
 * those above.  It reads the topology anew, because affinities change.
 */
int wf_locality_of(enum weft_split type);

#endif
