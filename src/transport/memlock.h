/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locked memory: adapters lock what they read and write, and few systems allow
 * much of it by default.
 */
#ifndef WEFT_TRANSPORT_MEMLOCK_H
#define WEFT_TRANSPORT_MEMLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* May this process lock so many bytes, of all that it has locked? */
bool wf_memlock_allows(uint64_t bytes);

/* Appends what it may lock, and how that is raised; nothing without a limit. */
void wf_memlock_tell(char *text, size_t size);

#endif
