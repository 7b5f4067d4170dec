/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A home directory for users that have none; see pmix_home.h. Called by
 * boot_pmix.c and weftrun before anything of the PMIx library. An environment
 * that has HOME, or a user with an entry in passwd, is left as it is.
 */
#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "boot/pmix_home.h"

/* An entry that does not fit into the buffer is one, too. */
static bool has_entry(uid_t user)
{
	char buffer[4096];
	struct passwd *found = NULL;
	struct passwd entry;
	int error = getpwuid_r(user, &entry, buffer, sizeof(buffer), &found);

	return found != NULL || error == ERANGE;
}

void wf_pmix_need_home(void)
{
	if (getenv("HOME") == NULL && !has_entry(geteuid()))
		setenv("HOME", "/", 0);
}
