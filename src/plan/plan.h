/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans: what an operation does, as data, and the one engine that runs it.
 *
 * A plan lists steps with dependencies.  It names channels of one set and
 * offsets in the buffers of a call; the buffers come with each run, so that a
 * blocking call finds its plan again by its counts.  A run is one start of a
 * plan: an epoch of the set, and how far each step is.
 */
#ifndef WEFT_PLAN_PLAN_H
#define WEFT_PLAN_PLAN_H

#include <stdio.h>
#include "plan/set.h"
#include "plan/staged.h"
#include "type/combination.h"

enum wf_buffer {
	WF_BUFFER_SEND,
	WF_BUFFER_RECV,
	WF_BUFFER_SCRATCH,		/* of the run */
	WF_BUFFERS
};

/* A place in one of the buffers of a run. */
struct wf_place {
	uint64_t buffer : 2;		/* enum wf_buffer */
	int64_t offset : 62;		/* bytes */
};

enum wf_step_kind {
	WF_STEP_SEND,			/* `from` along out-edge `edge` */
	WF_STEP_RECV,			/* into `to` from in-edge `edge` */
	WF_STEP_COPY,			/* from -> to */
	WF_STEP_REDUCE			/* to = from op other, n elements */
};

/* Small: a pass looks at all that are under way. */
struct wf_step {
	enum wf_step_kind kind;
	uint32_t edge;			/* in the set; COPY: further ones */
	uint64_t bytes;
	struct wf_place from, to;
	union {
		const struct weft_type *type;	/* or NULL: see leg_gaps.h */
		struct wf_place other;	/* REDUCE */
		struct wf_copy_step {	/* COPY: to the next one */
			int32_t from, to;
		} stride;
	};
	uint32_t first_next, nnext;	/* those that come after: plan->next */
};

struct wf_plan {
	struct wf_set *set;
	struct wf_combination with;	/* of REDUCE steps; held */
	int nsteps;
	struct wf_step *step;
	uint32_t *needs;		/* of each, steps that come before */
	uint32_t *next;
	int nroots;			/* steps that need nothing */
	uint32_t *root;
	uint64_t scratch_bytes;		/* that a run of it has */
	bool fixed;			/* always the same buffers */
	bool unsized;			/* not known yet: its messages' sizes */
	bool prepared;			/* its channels have what it needs */
	bool stores;			/* by who packs: into arenas alone */
};

/* ---- building (plan_build.c) ---- */

struct wf_builder {
	struct wf_plan *plan;
	int capacity;
	struct wf_dep { uint32_t before, after; } *dep;
	int ndeps, dep_capacity;
	int status;			/* first error; then calls do nothing */
};

/* Straight-line code: each call appends and returns the step's index. */
int wf_builder_init(struct wf_builder *b, struct wf_set *set);
void wf_build_combine(struct wf_builder *b, const struct wf_combination *with);
uint32_t wf_build_send(struct wf_builder *b, uint32_t edge,
		       struct wf_place from, uint64_t bytes);
uint32_t wf_build_recv(struct wf_builder *b, uint32_t edge,
		       struct wf_place to, uint64_t bytes);
uint32_t wf_build_copy(struct wf_builder *b, struct wf_place from,
		       struct wf_place to, uint64_t bytes);
uint32_t wf_build_reduce(struct wf_builder *b, struct wf_place left,
			 struct wf_place right, struct wf_place to,
			 uint64_t bytes);
void wf_build_after(struct wf_builder *b, uint32_t after, uint32_t before);

/* Bytes of scratch memory at 64-byte alignment; its offset. */
struct wf_place wf_build_scratch(struct wf_builder *b, uint64_t bytes);

/* The plan, or the first error of the building. */
int wf_builder_finish(struct wf_builder *b, struct wf_plan **plan_p);
void wf_plan_destroy(struct wf_plan *plan);

/* One line a step, the same for the same plan. */
void wf_plan_dump(const struct wf_plan *plan, FILE *to);

/* ---- running (plan_run.c) ---- */

enum wf_run_state {
	WF_RUN_IDLE,			/* never started, or complete */
	WF_RUN_QUEUED,			/* the window does not admit it yet */
	WF_RUN_ACTIVE,
	WF_RUN_FAILING			/* until user memory is quiet */
};

struct wf_run {
	struct wf_poller poller;
	struct wf_plan *plan;
	struct wf_set *set;
	const char *call;		/* "weft_bcast": for people */
	enum wf_run_state state;
	int status;			/* of the last completion */
	int32_t refusal;		/* an epoch without user memory */
	uint32_t seq;
	uint64_t epoch;
	uint64_t *number;		/* each step's epoch of its edge; NULL:
					   all have that of the run */
	char *buffer[WF_BUFFERS];	/* scratch: in the arena, or NULL */
	uint64_t scratch_bytes;
	uint32_t npending;
	uint32_t looked;		/* job->live_looks in wf_run_ask() */
	uint32_t *pending;		/* steps under way, in order */
	uint32_t *needs;		/* of each step, still missing */
	struct wf_move *move;		/* of each step; owns all three */
	size_t most;			/* steps that they have room for */
	struct wf_pins *pins;		/* NULL: none */
	struct wf_staged *staged;	/* behind its buffers; NULL: those are
					   the program's */
	uint64_t asked, again;		/* when wf_run_ask() did, and will */
	void (*finished)(struct wf_run *run);	/* NULL: nobody wants it */
	char error[WF_ERROR_TEXT];
};

/* Memory for runs of this plan by this call, and scratch; WEFT_ERR_NOMEM. */
int wf_run_init(struct wf_run *run, struct wf_plan *plan, const char *call);
void wf_run_fini(struct wf_run *run);

/*
 * It will be started often with these buffers: where a device gains by it they
 * are registered, if they can be, until wf_run_fini() (plan_pins.c).
 */
void wf_run_pin(struct wf_run *run);

/*
 * The same of one buffer, for runs that come and go, and have run->pins only in
 * between; NULL: nothing is gained.  peer NULL: it may be anybody's.
 */
struct wf_pins *wf_pins_make(struct weft_job *job, const struct wf_peer *peer,
			     void *at, uint64_t bytes);
void wf_pins_free(struct wf_pins *pins);

/* It is idle, and has no scratch memory any more. */
void wf_run_drop_scratch(struct wf_run *run);

/* Another plan of the same set; the run is idle.  WEFT_ERR_NOMEM. */
int wf_run_take(struct wf_run *run, struct wf_plan *plan);

/*
 * Start an epoch; buffers are set.  Never waits; what can go, goes at once.
 * refusal: a status other than 0 makes it an epoch without user memory.
 */
void wf_run_start(struct wf_run *run, int refusal);

static inline bool wf_run_is_idle(const struct wf_run *run)
{
	return run->state == WF_RUN_IDLE;
}

/* Before the first start, where waiting is allowed: what channels need. */
int wf_run_prepare(struct wf_run *run);

/* ---- within the engine ---- */

/* One edge of a step in the epoch of the run. */
struct wf_leg wf_run_leg(struct wf_run *run, uint32_t step, struct wf_place at);

/* The memory of a step. */
static inline char *wf_run_place(const struct wf_run *run, struct wf_place at)
{
	/* As numbers: a buffer of zero bytes may be NULL. */
	return (char *)((uintptr_t)run->buffer[at.buffer] +
			(uintptr_t)at.offset);
}

/* The epoch of its edge. */
static inline uint64_t wf_run_number(const struct wf_run *run, uint32_t step)
{
	return run->number ? run->number[step] : run->epoch;
}

/*
 * Where edges count for themselves (plan_edges.c): the run takes the next epoch
 * of each, one with long messages promotes them; it is complete.
 */
void wf_run_number_edges(struct wf_run *run);
void wf_run_complete_edges(const struct wf_run *run);

/* It missed somebody, and is the first of its edges that did, or an older. */
void wf_run_lose(struct wf_run *run);

/* "weft_barrier 3 of context 7" */
void wf_run_tell(const struct wf_run *run, char *text, size_t bytes);

/* "in-edge 0 from rank 1 on host h": of a step that deals with somebody. */
void wf_run_tell_step(const struct wf_run *run, uint32_t step, char *text,
		      size_t bytes);

/*
 * How what came by an in-edge did in the last epoch, as weft_neighbor_way()
 * tells; NULL: nothing has come, or the epoch has failed.  It has a step for
 * the edge.
 */
const char *wf_run_way(const struct wf_run *run, uint32_t edge);

/* Whom a step deals with; NULL: nobody. */
struct wf_peer *wf_run_peer(const struct wf_run *run, uint32_t step);

/* A dead member of its communicator, or one at odds, fails a run: true. */
bool wf_run_look_at_dead(struct wf_run *run);

/*
 * The same, and a member that has left fails a run in which a step still waits
 * for it; all that it sent was looked at just now.
 */
void wf_run_look_at_gone(struct wf_run *run);

/* It has failed: make memory quiet; true: a step became so. */
bool wf_run_quiet(struct wf_run *run);

/*
 * It waits for long: ask the other ends of the pending edges; now and then
 * again, because a mail is lost where there is no memory to park it.
 */
void wf_run_ask(struct wf_run *run);

/* For struct wf_poller. */
int wf_run_waits_for(struct wf_poller *poller, int *cursor);
void wf_run_report(struct wf_poller *poller, struct wf_report *to);

/* Wait until it is idle; its status (plan_wait.c). */
int wf_run_wait(struct wf_run *run);

#endif
