/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulator: N ranks as coroutines of one process, in virtual time.
 *
 * A program runs once per rank over the backend of this directory, which
 * delays and reorders what the contract lets it, says WEFT_AGAIN at random,
 * lets a rank die, and checks every landing write against the owner and the
 * generation of its memory. All of it follows from the seed: two runs of one
 * seed are the same run, event by event, and have the same trace hash.
 *
 * Time passes only in wf_sim_idle(): a poll that found nothing costs poll_ns,
 * and where all ranks wait the clock jumps to the next event or deadline. Who
 * tries again what no event will announce, a failing mail or a fence, does so
 * after growing times.
 *
 * With a network chosen flights take the time that it says and do not pass
 * each other on their way between two ranks; ops and looking at what arrived
 * keep the rank busy, and so does what it says that it has copied or reduced.
 * It is LogGP without congestion: receivers and switches never wait.
 *
 * For tests and tools; not a part of libweft. One thread per simulation.
 */
#ifndef WEFT_TRANSPORT_SIM_H
#define WEFT_TRANSPORT_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transport/sim/sim_net.h"
#include "transport/sim/sim_observe.h"
#include "transport/transport.h"

struct weft_inproc;
struct wf_sim;
struct wf_sim_rank;

/*
 * A link between two nodes, both ways, that is down for some time: what is
 * under way then leaves once more afterwards. Down for good (until_ns is
 * UINT64_MAX) it is lost, and the endpoint of whoever posted it is broken.
 */
struct wf_sim_down {
	int node[2];		/* the same twice: no link is down */
	uint64_t from_ns, until_ns;
};

/*
 * One in 0 means never. Times of options in ns of virtual time. The delays are
 * those without a network; what slow_one_in and switch_one_in choose is late by
 * some times max_delay_ns with one, too.
 */
struct wf_sim_options {
	size_t size;		/* sizeof(struct wf_sim_options) */
	int ranks;
	int ranks_per_node;	/* 0: all on one node */
	uint64_t seed;
	unsigned int again_one_in;	/* of the hot ops: WEFT_AGAIN; */
	unsigned int flush_again_one_in;	/* of flushes, not by vary */
	unsigned int ack_lost_one_in;	/* of mails: the sender hears of it
					   when it repeats the mail, or never
					   if the receiver has closed by then */
	unsigned int unsignaled;	/* posts of which only the last tells
					   that they are done, but for a flush;
					   0: each tells */
	unsigned int switch_one_in;	/* of the ops: others run before it */
	unsigned int slow_one_in;	/* of wake-ups and flights: come late */
	unsigned int tx_depth;	/* posts under way per endpoint, <= 96 */
	uint64_t min_delay_ns;	/* of a flight */
	uint64_t max_delay_ns;
	uint64_t poll_ns;	/* what a fruitless poll takes */
	uint64_t told_ns;	/* within it a death is told, */
	int told_ranks;		/* to so many who live behind it; 0: all */
	uint64_t hang_ns;	/* nothing happens for that long: it hangs */
	int kill_rank;		/* -1: nobody dies */
	uint64_t kill_event;	/* at its so many-th op or wait; 0: it calls
				   wf_sim_die() itself */
	int slow_rank;		/* takes 100 times as long; -1: none */
	unsigned int tear_one_in;	/* of puts: visible line by line, in
					   any order */
	uint64_t contact_ns;	/* a contact takes up to so much longer */
	struct wf_sim_down down;
	bool put_mail_order;	/* has WF_CAP_PUT_MAIL_ORDER */
	bool local_any;		/* has WF_CAP_LOCAL_ANY */
	bool target_idle;	/* has WF_CAP_TARGET_IDLE */
	bool no_fence;		/* has not WF_CAP_FENCE */
	bool ll_lines;		/* has not WF_CAP_LINE_PLAIN */
	bool long_mails;	/* takes them of WF_MAIL_LONGEST */
	uint32_t slot_max[2];	/* of even and odd ranks; 0: 64 KiB */
	bool nodes_apart;	/* it cannot reach ranks of other nodes */
	bool breaks_unheard;	/* what wf_sim_break_off() tells is lost */
	const struct wf_sim_net *net;		/* NULL: random delays */
	const struct wf_sim_net *node_net;	/* within a node; NULL: shm */
	enum wf_sim_shape shape;		/* of net */
	unsigned int forge_one_in;	/* of signals without bytes, which are
					   credits: count twice; what needs
					   credits does not survive it: to test
					   tests */
	const struct wf_sim_observer *observer;	/* NULL: nobody */
	size_t stack_bytes;	/* 0: the default of sim_coro.h */
	char *const *environ;	/* of the ranks: "NAME=value", or NULL */
};

struct wf_sim_result {
	int finished;		/* ranks whose program returned */
	int killed;		/* the rank that died, -1: none */
	bool hung;
	uint64_t violations;	/* broken rules, failures, a hang counts too */
	char text[512];		/* of the first of them */
	uint64_t trace;		/* hash of all events */
	uint64_t time_ps;	/* at the end */
	uint64_t events;
	uint64_t messages;	/* lines, puts and mails that were posted */
	uint64_t passes;	/* flights that overtook an earlier one */
	uint64_t agains;	/* WEFT_AGAIN by chance */
	uint64_t faults;	/* ops that failed: wf_sim_set_faults() */
	uint64_t dropped;	/* flights of the dead that never landed */
	uint64_t forged;	/* credits that counted twice */
};

/* Defaults: flights of 0.5 to 5 us, nothing by chance, nobody dies. */
void wf_sim_options_init(struct wf_sim_options *options, int ranks,
			 uint64_t seed);

/* Chooses everything that a correct program must not depend on by the seed. */
void wf_sim_options_vary(struct wf_sim_options *options);

/*
 * The rest of it, but for a link that is down for good, which not all programs
 * survive: by numbers of its own, so that what wf_sim_options_vary() chose
 * means the same.
 */
void wf_sim_options_harden(struct wf_sim_options *options);

/* What the last of that leave out: flushes refused, completions silent. */
void wf_sim_options_unsignal(struct wf_sim_options *options);

/* Some link between two nodes is down from then on; false: there is none. */
bool wf_sim_options_cut(struct wf_sim_options *options, uint64_t from_ns,
			uint64_t until_ns);

/*
 * Runs program(rank, arg) on every rank until all have returned or died, or
 * nothing moves any more. WEFT_OK: it ran, see *result_p; WEFT_ERR_ARG,
 * WEFT_ERR_NOMEM.
 */
int wf_sim_run(const struct wf_sim_options *options,
	       void (*program)(struct wf_sim_rank *rank, void *arg), void *arg,
	       struct wf_sim_result *result_p) WEFT_MUST_CHECK;

/*
 * The same world without coroutines: the caller plays all ranks in turn. An
 * advance brings the next event, false: there is none. Deaths are told by the
 * ranks, with the op tell.
 */
int wf_sim_create(const struct wf_sim_options *options,
		  struct wf_sim **world_p) WEFT_MUST_CHECK;
void wf_sim_destroy(struct wf_sim *world);
bool wf_sim_advance(struct wf_sim *world);
void wf_sim_kill(struct wf_sim *world, int rank);

/* What a rank is, and what it needs to open a job or a device. */
int wf_sim_rank(const struct wf_sim_rank *rank);
int wf_sim_size(const struct wf_sim_rank *rank);
struct wf_sim *wf_sim_world(struct wf_sim_rank *rank);
struct weft_inproc *wf_sim_inproc(struct wf_sim_rank *rank);
char *const *wf_sim_environ(const struct wf_sim_rank *rank);

/* Lines, puts and mails that all ranks have posted until now; the rank. */
uint64_t wf_sim_messages(const struct wf_sim_rank *rank);
uint64_t wf_sim_own_messages(const struct wf_sim_rank *rank);

/* Differs between ranks, follows from the seed. */
uint64_t wf_sim_seed(const struct wf_sim_rank *rank);

/*
 * The hooks of a job, arg is the rank. Idle returns when something has
 * happened to this rank, or at the deadline (a time of wf_sim_now(), 0: after
 * one poll, UINT64_MAX: none).
 */
uint64_t wf_sim_now(void *rank);
void wf_sim_idle(void *rank, uint64_t deadline_ns);

/* So are these; with a network, copying and reducing take time. */
void wf_sim_copied(void *rank, uint64_t bytes);
void wf_sim_reduced(void *rank, uint64_t bytes);

/* The same clock, in picoseconds. */
uint64_t wf_sim_now_ps(void *rank);

/* The program found something wrong: counts as a violation. */
void wf_sim_fail(struct wf_sim_rank *rank, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * From now on one in so many of this rank's lines and puts, and one in so many
 * of its mails, fails with WEFT_ERR_DEVICE, by the seed; 0: none.
 */
void wf_sim_set_faults(struct wf_sim_rank *rank, unsigned int posts,
		       unsigned int mails);

/* From now on, or no longer, they lack memory: all end with WEFT_ERR_NOMEM. */
void wf_sim_starve_mails(struct wf_sim_rank *rank, bool starved);

/*
 * The calling rank has given the path to another one up, which finds its end of
 * the connection broken: it was told by another network.  False: it has none
 * yet.
 */
bool wf_sim_break_off(struct wf_sim_rank *rank, int to);

/*
 * The calling rank will die by itself, like kill_rank: what it allocates from
 * now on and leaves behind is no leak.
 */
void wf_sim_doom(struct wf_sim_rank *rank);

/* The calling rank dies here. */
_Noreturn void wf_sim_die(struct wf_sim_rank *rank);

/* The backend; its env has a world of wf_sim_world(). */
extern const struct wf_tp_ops wf_sim_tp;

#endif
