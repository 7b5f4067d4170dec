/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What peers and communicators take, measured.
 */
#ifndef WEFT_INFO_MEMORY_H
#define WEFT_INFO_MEMORY_H

#include "tools/weft-info/weft_info_devices.h"
#include "tools/weft-info/weft_info_table.h"

/* A row for each usable transport; false: one could not be measured. */
bool winfo_memory(const struct winfo_devices *devices,
		  struct winfo_table *table);

#endif
