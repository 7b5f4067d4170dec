/* SPDX-License-Identifier: BSD-3-Clause */
/* How near is a device to the CPUs of this process? */
#ifndef WEFT_TRANSPORT_VERBS_NEAR_H
#define WEFT_TRANSPORT_VERBS_NEAR_H

#include <infiniband/verbs.h>

enum wf_verbs_distance {
	WF_VERBS_NEAR,			/* to all of them, as far as is known */
	WF_VERBS_PARTLY,		/* to some */
	WF_VERBS_FAR
};

/* By local_cpulist of the device in sysfs, and what this process may use. */
enum wf_verbs_distance wf_verbs_distance(const struct ibv_device *device);

#endif
