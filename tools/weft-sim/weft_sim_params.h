/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Networks in words: hdr200, or o=0.2,L=1.1,G=0.05 where they are others.
 */
#ifndef WEFT_SIM_PARAMS_H
#define WEFT_SIM_PARAMS_H

#include <stdbool.h>

#include "transport/sim/sim_net.h"

/*
 * A preset, or parameters with commas between them, after one or alone: those
 * that are not given are the preset's, hdr200's without one. The name of the
 * net is text. False: it is none.
 */
bool wsim_params_parse(const char *text, struct wf_sim_net *net_p);

/* All parameters, as wsim_params_parse() reads them. */
void wsim_params_print(const struct wf_sim_net *net);

#endif
