/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parameters of the model for shared memory of this machine.
 */
#ifndef WEFT_SIM_CALIBRATE_H
#define WEFT_SIM_CALIBRATE_H

#include "tools/weft-sim/weft_sim_pair.h"
#include "transport/sim/sim_net.h"

/* What the two ranks of a calibration share; zeroed before. */
struct wsim_meter;

struct wsim_meter *wsim_meter_create(void);
void wsim_meter_destroy(struct wsim_meter *meter);

/* A program of two ranks; place->shared is the meter. */
void wsim_calibrate(struct wsim_place *place);

/* What it has found. */
const struct wf_sim_net *wsim_meter_net(const struct wsim_meter *meter);

#endif
