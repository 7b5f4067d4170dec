/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank does not outlive its launcher: a thread that sleeps until the other
 * end of a descriptor is closed, and then ends the process. Also one that
 * computes, and never calls the library again, ends so.
 */
#ifndef WEFT_BOOT_LEASH_H
#define WEFT_BOOT_LEASH_H

#include <weft/status.h>

struct wf_leash;
struct wf_log;

#define WF_LEASH_EXIT 1 /* exit code of a process that ends so */

/* What is written to `log` then is that `what` is gone. Both outlive it. */
int wf_leash_create(int fd, const char *what, const struct wf_log *log,
		    struct wf_leash **leash_p) WEFT_MUST_CHECK;
void wf_leash_destroy(struct wf_leash *leash);

#endif
