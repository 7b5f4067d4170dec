/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft/version.h - the release of the headers, and that of the library
 *
 * A program that was built with one release runs with the library of that or of
 * a later one.  It can compare the headers when it is compiled, and the library
 * when it runs.  A call that an older library may not have is reached by a weak
 * reference or by dlsym(3): otherwise the program does not load there.
 */
#ifndef WEFT_VERSION_H
#define WEFT_VERSION_H

#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the headers. */
#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

/* Releases as numbers, of which a later one is greater; for #if, too. */
#define WEFT_VERSION_NUMBER(major, minor, patch) \
	((major) * 1000000 + (minor) * 1000 + (patch))
#define WEFT_VERSION \
	WEFT_VERSION_NUMBER(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, \
			    WEFT_VERSION_PATCH)

/**
 * weft_version - the release of the library that the program runs with
 *
 * Returns:  its WEFT_VERSION; needs no job.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_version(void);

#ifdef __cplusplus
}
#endif

#endif
