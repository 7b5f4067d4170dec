/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of ranks as launchers write them: "0,1,2" or "0-3,8".
 */
#ifndef WEFT_BOOT_RANKS_H
#define WEFT_BOOT_RANKS_H

#include <weft/status.h>

/*
 * The ranks of `text`, ascending and each once, in malloc'ed memory. All must
 * be in [0, size). WEFT_ERR_BOOT: malformed or empty; WEFT_ERR_NOMEM.
 */
int wf_ranks_parse(const char *text, int size, int **ranks_p,
		   int *n_p) WEFT_MUST_CHECK;

#endif
