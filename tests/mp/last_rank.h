/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last rank of a world, which is to die: what it has posted goes with it,
 * so it waits until nobody needs that any more.
 */
#ifndef WEFT_TESTS_MP_LAST_RANK_H
#define WEFT_TESTS_MP_LAST_RANK_H

#include <signal.h>
#include <unistd.h>
#include <weft.h>

/* Each rank does so; the last one, when all have, does not return. */
static int let_last_die(struct weft_comm *world)
{
	enum { TAG = 77 };
	int last = weft_comm_size(world) - 1, status = WEFT_OK;
	char at = 0;

	if (weft_comm_rank(world) != last)
		return weft_send(world, &at, 1, &weft_type_byte,
				 weft_to(last, TAG));
	for (int i = 0; i < last && !status; i++)
		status = weft_recv(world, &at, 1, &weft_type_byte,
				   weft_from(i, TAG), NULL);
	if (!status)
		kill(getpid(), SIGKILL);
	return status;
}

#endif
