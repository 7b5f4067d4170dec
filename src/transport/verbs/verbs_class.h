/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The traffic class of packets: by it switches choose a queue, and mark packets
 * where that is full.
 */
#ifndef WEFT_TRANSPORT_VERBS_CLASS_H
#define WEFT_TRANSPORT_VERBS_CLASS_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

struct wf_config;

/*
 * As WEFT_IB_TRAFFIC_CLASS says; else as the driver has been told for all
 * programs, by a line "Global tclass=N" of tc/PORT/traffic_class in the
 * device's directory of sysfs, as that of mlx5 has it; else 106 for RoCE v2,
 * and 0 for others.
 */
uint8_t wf_verbs_class(const struct wf_config *config,
		       const struct ibv_device *device, int port,
		       bool roce_v2);

#endif
