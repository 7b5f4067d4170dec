/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the system has too little of: which limit it is, and what helps.
 */
#ifndef WEFT_BASE_LACK_H
#define WEFT_BASE_LACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WF_LACK_TEXT = 200		/* bytes of a sentence */
};

/* Is it an errno of these: there may be more of it later? */
bool wf_lack_is(int error);

/* "Too many open files: raise the limit of open files (ulimit -n, now 16)" */
void wf_lack_text(int error, char *text, size_t bytes);

/*
 * Appends "; raise the limit of open files (ulimit -n, now 16)" to what another
 * library said, if it may be that: by its errno, or since the limit is low and
 * its errno may be any.
 */
void wf_lack_hint(int error, char *text, size_t bytes);

/*
 * May a file of this process be so long?  If not, errno is EFBIG; who tries it
 * all the same is ended by SIGXFSZ.
 */
bool wf_file_may_be(uint64_t bytes);

#endif
