/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chunk area of an edge: four slots, through which a long message goes to
 * memory that its sender cannot write.  Each ready line says where it is.  That
 * of a pair, whose sets are many, is as long as its message needs and goes with
 * it; others stay, and grow between two messages: exchanges that come again
 * allocate nothing.
 */
#ifndef WEFT_PLAN_CHANNEL_AREA_H
#define WEFT_PLAN_CHANNEL_AREA_H

#include "plan/channel.h"

/*
 * Memory that is not ours to give away goes through the chunk area, unless the
 * peer turns out to write there, or anywhere: then it is not made before it is
 * missed.
 */
bool wf_in_needs_area(const struct wf_in *in, const struct wf_leg *leg);

/*
 * The area, for a message of so many bytes, unless there is one that is as
 * long, or in use; also when the way of a message shows only later.  Where
 * memory is short its chunks are.
 */
int wf_in_make_area(struct wf_in *in, uint64_t bytes);

/* All chunks of its epoch have come: a pair has no area between messages. */
void wf_in_return_area(struct wf_in *in);

#endif
