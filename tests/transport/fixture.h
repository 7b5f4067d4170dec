/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the conformance suite runs on: a few ranks with one opened device each
 * and a record of everything their devices report.
 *
 * The cases of conform_*.c know a backend by its struct fixture_backend only;
 * each program of the suite links one, as fixture_backend.  The ranks live in
 * one thread, which calls fixture_pump() to let time pass.
 */
#ifndef WEFT_TESTS_FIXTURE_H
#define WEFT_TESTS_FIXTURE_H

#include "base/config.h"
#include "base/doorbell.h"
#include "base/log.h"
#include "base/random.h"
#include "tests/tap.h"
#include "tests/transport/board.h"
#include "transport/segment.h"
#include "transport/signals.h"
#include "transport/transport.h"

struct fixture_backend {
	const char *name;
	const struct wf_tp_ops *tp;
	enum wf_segment_kind kind;
	char *const *environ;		/* settings; NULL: none */
	/* Why this machine cannot run it, or NULL; NULL hook: it can. */
	const char *(*lacks)(void);
	/* wf_tp_env.world of n ranks; NULL hooks: there is none. */
	void *(*world_create)(int n, uint64_t seed);
	void (*world_destroy)(void *world);
	/* Rules that its ranks broke, as far as it sees; NULL: it does not. */
	uint64_t (*violations)(const void *world, const char **first_p);
	/* Bytes of receive buffers of one peer alone; NULL: there are none. */
	size_t (*own_receives)(const struct wf_device *dev);
	/* Between two passes of progress over all ranks: time passes. */
	void (*idle)(void *world);
	/* The rank sends nothing more and makes no progress: it is dead. */
	void (*kill)(void *world, int rank);
	uint32_t caps, caps_vary;	/* bits it has, and may have */
	bool wakes;			/* nobody needs to look: see arm() */
	bool never_full;		/* a signal is a store: no AGAIN */
	bool pins;			/* a device pins the whole segment */
	bool keyed;			/* peers can write regions, too */
};

extern const struct fixture_backend fixture_backend;

struct letter {
	int from;
	struct wf_mail mail;
	char payload[WF_MAIL_LONGEST];
};

/* Called in the upcall, before the mail is recorded; see on_mail. */
typedef void (*fixture_hook)(void *arg, const struct letter *letter);

struct fixture_rank {
	int rank;
	bool dead;			/* no progress is made for it */
	struct wf_log log;
	struct wf_config config;
	struct board_boot boot;
	struct wf_blob blob;
	struct wf_segment segment;
	struct wf_signals signals;
	struct wf_random random;
	struct wf_tp_env env;
	struct wf_device *dev;
	struct wf_ep *ep[BOARD_RANKS];
	struct letter *letters;		/* in the order of arrival */
	int nletters;
	int contacts[BOARD_RANKS];	/* upcalls so far, of each rank */
	int told[BOARD_RANKS];
	int left[BOARD_RANKS];
	int suspects[BOARD_RANKS];
	int told_before;		/* letters here at the first told() */
	fixture_hook on_mail;
	void *arg;
};

struct fixture {
	int n;
	void *world;
	struct board *board;
	uint64_t limit;			/* of a segment; 0: FIXTURE_LIMIT */
	uint64_t violations;		/* that the case commits on purpose */
	struct fixture_rank rank[BOARD_RANKS];
};

enum {
	FIXTURE_FIRST = 1 << 16,	/* bytes of a segment at its start */
	FIXTURE_LIMIT = 1 << 26
};

#define FIXTURE_LARGE (UINT64_C(6) << 30)

/* One rank: everything but its device; then the device, which is on board. */
void fixture_prepare(struct fixture *f, int rank);
void fixture_enter(struct fixture *f, int rank);
void fixture_leave(struct fixture *f, int rank);

/*
 * All ranks; seed for what the backend draws.  At the end posts between the
 * living are flushed first; a rule that was broken on the way fails the case.
 */
void fixture_open(struct fixture *f, int n, uint64_t seed);
void fixture_close(struct fixture *f);

/* The same with segments of up to FIXTURE_LARGE bytes. */
void fixture_open_large(struct fixture *f, int n, uint64_t seed);

/* It is dead, or has closed where nothing can be killed. */
void fixture_die(struct fixture *f, int rank);

/* Two ranks, of which this one has a doorbell, the caller's to close. */
void fixture_open_sleeper(struct fixture *f, int rank,
			  struct wf_doorbell *bell);

/* One pass of progress at every living rank; true: something happened. */
bool fixture_pump(struct fixture *f);

/* Passes until nothing has happened for a while. */
void fixture_settle(struct fixture *f);

/* Call connect() at rank a for b; the status. */
int fixture_ask(struct fixture *f, int a, int b);

/* The same by a blob that may be another one than b has put on the board. */
void fixture_blob(struct fixture_rank *by, int rank, struct wf_blob *blob);
int fixture_ask_by(struct fixture *f, int a, int b,
		   const struct wf_blob *blob);

/* Rank 0 refuses this one with that status, and says why. */
void fixture_refused(struct fixture *f, int rank, const struct wf_blob *blob,
		     int status, const char *why);

/* Both, and passes until both ends are ready. */
void fixture_connect(struct fixture *f, int a, int b);

/* Passes until *p is at least value, or the case fails after 10 s. */
bool fixture_await(struct fixture *f, const int *p, int value);

/* Zeroed memory of a rank that others may write, and its remote operand. */
void *fixture_alloc(struct fixture *f, int rank, size_t n,
		    struct wf_rloc *rloc_p);

/* For the first one that is connected to it. */
uint32_t fixture_signal(struct fixture *f, int rank);
uint64_t fixture_count(struct fixture *f, int rank, uint32_t sig);

/* Passes until the count of a signal is at least value, or 10 s. */
bool fixture_await_count(struct fixture *f, int rank, uint32_t sig,
			 uint64_t value);

/* The ops, called again after a pass as long as they say AGAIN. */
int fixture_mail(struct fixture *f, int from, int to, uint32_t word,
		 const void *payload, uint16_t n);
int fixture_lines(struct fixture *f, struct wf_ep *ep, struct wf_rloc dst,
		  const struct wf_piece *piece, uint32_t n, uint32_t seq);
int fixture_line(struct fixture *f, struct wf_ep *ep, struct wf_rloc dst,
		 const void *data, uint32_t n, uint32_t seq);
int fixture_put(struct fixture *f, struct wf_ep *ep, const void *src,
		struct wf_rloc dst, size_t n);
int fixture_put_signal(struct fixture *f, struct wf_ep *ep, const void *src,
		       struct wf_rloc dst, size_t n, uint32_t sig);

int fixture_get(struct fixture *f, struct wf_ep *ep, void *dst,
		struct wf_rloc src, size_t n);
int fixture_fetch_add(struct fixture *f, struct wf_ep *ep, struct wf_rloc dst,
		      uint64_t add, uint64_t *old);
int fixture_cas(struct fixture *f, struct wf_ep *ep, struct wf_rloc dst,
		uint64_t expected, uint64_t desired, uint64_t *old);

/*
 * Passes until all posts are done, the last of which fetches; until they are,
 * as a flush asks; and until this one is flushed, too.
 */
bool fixture_await_done(struct fixture *f, struct wf_ep *ep);
bool fixture_ask_done(struct fixture *f, struct wf_ep *ep);
void fixture_flush(struct fixture *f, struct wf_ep *ep, uint64_t post);

/* The cases, defined in conform_*.c. */
extern const struct tap_case conform_bounds[], conform_connect[],
	conform_fetch[], conform_flow[], conform_mail[], conform_rma[],
	conform_sleep[], conform_word[];
extern const int conform_bounds_n, conform_connect_n, conform_fetch_n,
	conform_flow_n, conform_mail_n, conform_rma_n, conform_sleep_n,
	conform_word_n;

#endif
