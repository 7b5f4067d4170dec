/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The job as the rooms above see it: one process's membership in a parallel
 * program.  It owns the launcher's interface, the segment, the devices, the
 * peers and the one way to wait.
 *
 * Everything here is called with the job entered (wf_job_enter), except
 * opening; nothing below job/ knows about threads.
 */
#ifndef WEFT_JOB_JOB_H
#define WEFT_JOB_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <weft/job.h>
#include "base/config.h"
#include "base/doorbell.h"
#include "base/list.h"
#include "base/log.h"
#include "base/map.h"
#include "base/random.h"
#include "boot/blob.h"
#include "job/flood.h"
#include "job/leave.h"
#include "job/lifeline.h"
#include "job/loop.h"
#include "job/mailbox.h"
#include "job/poller.h"
#include "job/report.h"
#include "job/sentence.h"
#include "job/sleep.h"
#include "job/threads.h"
#include "job/watch.h"
#include "transport/segment.h"
#include "transport/signals.h"
#include "transport/transport.h"

struct wf_abort;
struct wf_boot;
struct wf_live_ops;

enum {
	WF_DEVICES = 4,			/* opened backends at most */
	/* Fruitless ones between looks there, a power of two. */
	WF_PASSES_PER_DEVICE = 16,
	WF_PASSES_IN_A_CROWD = 1,	/* before it yields */
	WF_SPIN_IN_A_CROWD = 200	/* of WEFT_SPIN: some 6 us */
};

/*
 * Where a job lives: what the environment gives a real process and the
 * simulator a coroutine.  NULL hooks mean the real ones.
 */
struct wf_job_env {
	size_t size;
	const struct weft_job_options *options;
	char *const *environ;			/* WEFT_* settings */
	const struct wf_tp_ops *const *tps;	/* backends, NULL at the end */
	void *world;				/* wf_tp_env.world */
	const struct wf_live_ops *live;
	uint64_t (*now)(void *arg);		/* nanoseconds, monotonic */
	/* Nothing to do before deadline_ns (UINT64_MAX: not known). */
	void (*idle)(void *arg, uint64_t deadline_ns);
	/* The CPU has just copied, reduced so many bytes. */
	void (*copied)(void *arg, uint64_t bytes);
	void (*reduced)(void *arg, uint64_t bytes);
	/* This rank is over, and nothing else of the process; not returned. */
	void (*end)(void *arg);
	void *arg;
	const uint64_t *seed;			/* NULL: keys are random */
	/* Epochs of an edge that go by mail: fewer than usual; 0: as usual */
	uint32_t mailed_epochs;
};

struct weft_job {
	struct wf_config config;
	struct wf_log log;
	struct wf_random random;
	struct wf_boot *boot;
	int rank, size;
	struct wf_job_env env;
	struct wf_blob blob;		/* this process */
	struct wf_segment segment;
	struct wf_signals signals;
	struct wf_device *dev[WF_DEVICES];
	int ndevs;
	char left_out[256];		/* "; ofi: not in WEFT_TRANSPORT" */

	struct wf_map peers;		/* rank -> struct wf_peer */
	struct wf_list busy_peers;	/* that connect or are owed mails */
	struct wf_loop *loop;		/* NULL: not needed so far */
	struct wf_mailbox mailbox;
	struct wf_list pollers;		/* struct wf_poller, as they entered */
	struct wf_list *next_poller;	/* of the pass that is under way */
	unsigned passes;		/* of progress; see job_progress.c */
	unsigned pass_mask;		/* 0 in those that look at devices */
	bool awaits_mails;		/* then all of them do */
	const struct wf_wait *wait;	/* of who progresses; NULL: no wait */
	struct wf_report_ask report;

	uint32_t gone;			/* deaths and byes so far: what follows
					   is kept for each peer or set */
	int first_dead;			/* its rank; -1: none */
	int *failed;			/* what weft_job_failed() gave last */
	struct wf_list *live_turn;	/* the poller that the detector is at */
	int live_left;			/* looks at peers in this tick */
	uint32_t connected;		/* peers, ever */
	uint64_t live_tick;		/* when the detector looked last */
	uint64_t live_marked;		/* the same, of live_mark[0] */
	uint32_t live_looks;		/* how often it did */
	uint32_t live_mark[3];		/* by then, and before */
	bool uneven;			/* an op failed: starts may differ */
	bool asked;			/* it wants to know: probe */
	struct wf_list suspects;	/* peers that the next ticks see to */
	struct wf_watch watch;		/* who may be the one that is awaited */
	struct wf_lifeline lifeline;	/* needs_lifeline() */
	struct wf_prober prober;	/* of the lifelines of others */
	struct wf_deaths deaths;	/* that are told to others */
	struct wf_leave leave;		/* who has closed its job */
	struct wf_list aborts;		/* struct wf_abort, all */
	const struct wf_abort *ending;	/* of one that this rank is in */
	/*
	 * Is this context here, and that rank of the world in it?  comm/ knows;
	 * NULL: no context is.
	 */
	bool (*is_member)(struct weft_job *job, uint64_t context, int rank);
	uint64_t spin;			/* fruitless passes before a yield */
	bool crowded;			/* more ranks than usable CPUs */
	struct wf_doorbell doorbell;	/* ends a sleep */
	struct wf_sleeps sleeps;
	uint64_t leaving;		/* since when in weft_job_close() */
	bool asleep;			/* the thread that progresses */
	bool closing;			/* it says bye */
	bool gave_up;			/* a peer that has not heard of it */

	struct wf_list keyvals;		/* struct weft_keyval, all */
	struct wf_list types;		/* struct wf_made_type, all */
	struct wf_list ops;		/* struct wf_made_op, all */
	uint64_t pins_fail;		/* from so many bytes on: plan_pins.c */
	struct wf_list memories;	/* struct weft_mem, all */
	int shared_fds;			/* of what others of the node map */
	struct weft_comm *world;	/* made and freed by comm/, as is */
	struct weft_comm *self;		/* NULL: nobody has asked for it */
	void *comms;			/* comm/'s table of contexts */

	uint64_t *gate;			/* job_entry.h; in a page that is
					   zeroed in the child of a fork, */
	uint64_t own_gate;		/* or here in the simulator */
	bool threads;
	bool progressing;		/* a thread has that role (threads.c) */
	atomic_uint entering;		/* threads that wait for the lock */
	pthread_mutex_t lock;
	struct wf_list sleepers;	/* the others that wait */
	struct wf_failure failure;	/* of the one thread */
	struct wf_sentence *_Atomic sentences;	/* of several */
};

/*
 * Join in a given environment, and part: all of opening and closing but the
 * world communicator, which comm/ adds (comm/world.h).  job_p is written
 * first, so that upcalls find the job.
 */
int wf_job_join(const struct wf_job_env *env, struct weft_job **job_p);
int wf_job_part(struct weft_job *job);

/* What this release knows of o, which may be NULL, or of another release. */
int wf_job_read_options(struct weft_job *job, const struct weft_job_options *o,
			struct weft_job_options *known_p);

/* What a device of this job gets when it is opened. */
void wf_job_tp_env(struct weft_job *job, struct wf_tp_env *env);

/* All that can be used: job_devices.c.  A failure leaves none open. */
int wf_job_open_devices(struct weft_job *job);
void wf_job_close_devices(struct weft_job *job);

/* The order in which peers are asked: the best one first. */
void wf_job_order_devices(struct wf_device **dev, int n);

/* Logs the reason of a failed call of boot/ and returns its status. */
int wf_job_join_failed(const struct weft_job *job, int status);

/* The wait of parting: until each connected peer has said bye, or is dead. */
int wf_job_say_bye(struct weft_job *job);

static inline uint64_t wf_job_now(const struct weft_job *job)
{
	return job->env.now(job->env.arg);
}

/*
 * Whoever copies or reduces what users send says so behind it, for clocks that
 * do not see it.  Not for what fits into a line or a mail: that is a part of
 * posting and taking those.
 */
static inline void wf_job_copied(const struct weft_job *job, uint64_t bytes)
{
	if (job->env.copied)
		job->env.copied(job->env.arg, bytes);
}

static inline void wf_job_reduced(const struct weft_job *job, uint64_t bytes)
{
	if (job->env.reduced)
		job->env.reduced(job->env.arg, bytes);
}

/* ---- progress and waiting ---- */

/* One pass over devices, peers and pollers; true: something happened. */
bool wf_job_progress(struct weft_job *job);

/* Of the devices alone. */
bool wf_devices_progress(struct weft_job *job);

/* A whole pass, over devices and peers, too, for those that come rarely. */
void wf_job_look(struct weft_job *job);

/*
 * A pass in the order of one who has armed the devices: their progress may
 * change memory without an event, so that is looked at behind it.
 */
bool wf_job_sweep(struct weft_job *job);

/*
 * A test found nothing to do.  Only the simulator cares: it charges time and
 * switches to another rank.
 */
void wf_job_idle(struct weft_job *job);

/* What a wait waits for, and how to say it. */
struct wf_wait {
	bool (*ready)(void *arg);
	/* One clause: "in-edge 2 from rank 3 of exchange 7". */
	void (*describe)(void *arg, char *text, size_t bytes);
	void *arg;
};

/* After WEFT_STALL a wait says once what it waits for, and since when. */
void wf_job_report_stall(struct weft_job *job, const struct wf_wait *wait,
			 uint64_t since);

/* Progress until it is ready: the only loop on progress in the library. */
void wf_job_wait(struct weft_job *job, const struct wf_wait *wait);

#include "job/job_entry.h"

#endif
