/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Torn puts: their bytes become visible by cache lines, in any order.
 */
#ifndef WEFT_TRANSPORT_SIM_TEAR_H
#define WEFT_TRANSPORT_SIM_TEAR_H

#include <stdbool.h>
#include <stddef.h>

struct sim_op;
struct sim_put;

/* Is this put, which has bytes, torn by chance? Then its lines are shuffled. */
bool wf_sim_tear(struct sim_op *op);

/* Takes the next line out of the flight: where in the payload it is. */
void wf_sim_tear_line(struct sim_put *put, size_t *from_p, size_t *n_p);

#endif
