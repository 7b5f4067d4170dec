/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A public call that makes something writes NULL to the handle before an error
 * function can look at it, whatever its arguments are: after an error the
 * program has none, and may free it as it is.
 */
#ifndef WEFT_BASE_HANDLE_H
#define WEFT_BASE_HANDLE_H

#include <stddef.h>

#define wf_no_handle(handle_p)				\
	do {						\
		if (handle_p)				\
			*(handle_p) = NULL;		\
	} while (0)

#endif
