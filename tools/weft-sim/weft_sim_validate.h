/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-sim validate: the model beside this machine.
 */
#ifndef WEFT_SIM_VALIDATE_H
#define WEFT_SIM_VALIDATE_H

/* Prints the parameters and the errors; returns the exit code. */
int wsim_validate(void);

#endif
