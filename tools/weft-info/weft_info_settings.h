/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The settings of a job, as the environment gives them.
 */
#ifndef WEFT_INFO_SETTINGS_H
#define WEFT_INFO_SETTINGS_H

#include "tools/weft-info/weft_info_table.h"

void winfo_settings(struct winfo_table *table);

#endif
