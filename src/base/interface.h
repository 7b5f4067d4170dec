/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Network interfaces of this host, which those who choose addresses look at:
 * libfabric's and the lifelines'.
 */
#ifndef WEFT_BASE_INTERFACE_H
#define WEFT_BASE_INTERFACE_H

#include <stdbool.h>

struct sockaddr;

/*
 * Is it a bridge for containers or guests, without a port that leads out?  Many
 * have the same address on every host.
 */
bool wf_interface_is_inner(const char *name);

/* Does an interface of this host have the address, whatever its port? */
bool wf_interface_has(const struct sockaddr *address);

#endif
