/* SPDX-License-Identifier: BSD-3-Clause */
/* A random program of exchanges as what a simulated rank does. */
#ifndef WEFT_TESTS_SIM_SIM_EXCHANGE_H
#define WEFT_TESTS_SIM_SIM_EXCHANGE_H

#include "tests/exchange/exchange_program.h"
#include "tests/sim/sim_flow.h"

/*
 * Opens the job of the rank, plays, and closes it; what fails is told to the
 * simulator.  The functions of options get the rank's struct sim_flow.
 */
void sim_exchange_play(struct wf_sim_rank *rank,
		       struct exchange_options options,
		       struct exchange_result *result);

#endif
