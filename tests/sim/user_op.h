/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that makes operations of its own: for the tests of those. */
#ifndef WEFT_TESTS_SIM_USER_OP_H
#define WEFT_TESTS_SIM_USER_OP_H

#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

static char check[] = "WEFT_CHECK=1";
static char *env[] = {
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=256m", check, NULL
};

static inline void set_check(char level)
{
	check[sizeof("WEFT_CHECK=") - 1] = level;
}

struct player {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_comm *world;
	int me, size;
};

static inline bool enter(struct wf_sim_rank *rank, struct player *p)
{
	*p = (struct player){
		.rank = rank, .me = wf_sim_rank(rank),
		.size = wf_sim_size(rank)
	};
	if (wf_sim_job_open(rank, &p->job)) {
		wf_sim_fail(rank, "cannot open the job");
		return false;
	}
	p->world = weft_job_world(p->job);
	return true;
}

static inline void leave(const struct player *p)
{
	if (weft_job_close(p->job))
		wf_sim_fail(p->rank, "cannot close the job");
}

static inline void good(const struct player *p, int status, const char *call)
{
	if (status)
		wf_sim_fail(p->rank, "%s: %s", call,
			    weft_error_text(p->job));
}

static inline struct weft_op *make(const struct player *p,
				   weft_op_function *call, void *arg,
				   size_t unit)
{
	struct weft_op_options options;
	struct weft_op *op = NULL;

	weft_op_options_init(&options, sizeof(options));
	options.call = call;
	options.arg = arg;
	options.unit = unit;
	good(p, weft_op_create(p->job, &options, &op), "create");
	return op;
}

static inline void drop(const struct player *p, struct weft_op *op)
{
	good(p, weft_op_free(&op), "free");
	if (op)
		wf_sim_fail(p->rank, "not NULL after weft_op_free()");
}

#endif
