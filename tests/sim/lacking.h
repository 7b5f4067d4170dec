/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One simulated rank lacks memory at one of its allocations: those of others,
 * and of the simulator, are not counted.  A test that uses it is linked with
 * $(lacking_ldflags).
 */
#ifndef WEFT_TESTS_SIM_LACKING_H
#define WEFT_TESTS_SIM_LACKING_H

#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "transport/sim/sim_coro.h"

static bool lacking_counts;

static inline void lacking_set(bool now)
{
	lacking_counts = now;
	fail_malloc_pause(!now);
}

/*
 * A rank that waits lets others run, whose allocations are their own: the
 * linker leads the simulator here.
 */
void __real_wf_coro_suspend(struct wf_coro *coro);
void __wrap_wf_coro_suspend(struct wf_coro *coro);

void __wrap_wf_coro_suspend(struct wf_coro *coro)
{
	bool counted = lacking_counts;

	lacking_set(false);
	__real_wf_coro_suspend(coro);
	lacking_set(counted);
}

/* By the rank that lacks it: its so many-th allocation from now on fails. */
static inline void lacking_begin(long at)
{
	fail_malloc_once(at);
	lacking_set(true);
}

/* Were there so many? */
static inline bool lacking_end(long at)
{
	bool reached;

	lacking_set(false);
	reached = fail_malloc_count() >= at;
	fail_malloc_once(0);
	return reached;
}

/* More events at once than a call has: the simulator has room for them then. */
static inline void crowd(const struct scene *s, struct weft_comm *comm)
{
	struct weft_request *req[8] = { NULL };
	int64_t x = 1, sum[8];

	for (int i = 0; i < 8; i++)
		ok(s, weft_iallreduce(comm, &x,
				      weft_part(&sum[i], 1, &weft_type_int64),
				      &weft_op_sum, &req[i]), "crowd");
	for (int i = 0; i < 8; i++) {
		ok(s, weft_request_wait(req[i]), "crowd");
		ok(s, weft_request_free(&req[i]), "crowd");
	}
}

#endif
