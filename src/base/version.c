/* SPDX-License-Identifier: BSD-3-Clause */
/* The release of the library, as its headers said when it was built. */
#include <weft/version.h>

int weft_version(void)
{
	return WEFT_VERSION;
}
