/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What happens where a call on a communicator fails.
 *
 * Every call returns a status, and weft_error_text() has the sentence: that is
 * all, unless a communicator was told otherwise.  What it was told goes for all
 * calls on it, on regions made of it, and on requests of either, also where the
 * error came while waiting; and for communicators and graphs that are made of
 * it from then on.  A call on NULL, or on a communicator that was freed, only
 * returns.
 */
#ifndef WEFT_ERRORS_H
#define WEFT_ERRORS_H

#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;

enum weft_errhandler_kind {
	WEFT_ERRORS_RETURN,		/* the status, as if not told */
	WEFT_ERRORS_ARE_FATAL,		/* the job ends, with the sentence */
	WEFT_ERRORS_ABORT,		/* the communicator's ranks alone do */
	WEFT_ERRORS_CALL		/* the function, then the status */
};

/**
 * weft_errhandler_call - a function of the program
 *
 * comm     where it was; stays until the function returns, also if the program
 *          frees it meanwhile
 * text     the sentence, valid until the function returns
 * arg      as it was given
 *
 * Called by the thread whose call fails, behind that call: it may call the
 * library, whose errors on the same communicator call it again, but not close
 * the job, and returns: longjmp() would leave the communicator held.  A call
 * that has NULL for what it writes, or for what it works on, only returns.
 */
typedef void weft_errhandler_call(struct weft_comm *comm, int status,
				  const char *text, void *arg);

/**
 * weft_errhandler_use - a function of the program that counts
 *
 * arg      as it was given
 *
 * As hold it is called each time that a communicator gets the handler: that is
 * set, or inherited by one that is made; and before `call` is called.  As drop,
 * as often: the handler is replaced, the last use of the communicator is over,
 * at the latest when the job closes, or `call` has returned.  So a program
 * knows how long an object of its own is used.
 *
 * Called within calls of the library, of any thread; calls none of them.
 */
typedef void weft_errhandler_use(void *arg);

/* The program fills it, all members: = { .kind = WEFT_ERRORS_ARE_FATAL }. */
struct weft_errhandler {
	enum weft_errhandler_kind kind;
	weft_errhandler_call *call;	/* NULL where none is called */
	void *arg;
	weft_errhandler_use *hold;	/* NULL where it is not wanted, */
	weft_errhandler_use *drop;	/* and so this one */
};

/**
 * weft_comm_set_errhandler, weft_comm_get_errhandler - what to do at an error
 *
 * handler          copied; NULL: WEFT_ERRORS_RETURN
 * handler_p [out]  as it was set, for the communicator, or for the one it was
 *                  made of; held for the communicator alone
 *
 * With WEFT_ERRORS_ARE_FATAL the rank writes the sentence, with its number and
 * host and the communicator, and ends the job as weft_job_abort() does, with
 * code 1.  With WEFT_ERRORS_ABORT it writes the same and ends the ranks of
 * the communicator, as weft_comm_abort() does, with code 1.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG; of setting WEFT_ERR_NOMEM: nothing changed,
 *           and nothing was held.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_set_errhandler(struct weft_comm *comm,
				      const struct weft_errhandler *handler)
	WEFT_MUST_CHECK;
WEFT_API int weft_comm_get_errhandler(struct weft_comm *comm,
				      struct weft_errhandler *handler_p)
	WEFT_MUST_CHECK;

/**
 * weft_comm_call_errhandler - do what is to be done at an error
 *
 * status   any but WEFT_OK: passed to the function
 * text     the sentence, which weft_error_text() has then; NULL: that of the
 *          status
 *
 * For libraries that find an error of their own: as if a call on the
 * communicator had failed with it.
 *
 * Returns:  WEFT_OK where the handler has returned, or there was nothing to do;
 *           WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_call_errhandler(struct weft_comm *comm, int status,
				       const char *text) WEFT_MUST_CHECK;

/**
 * weft_comm_abort - end the ranks of a communicator
 *
 * comm     what is written names it, this rank and its host.  If all ranks of
 *          the job are in it, or in an operation of the program: as
 *          weft_job_abort().  NULL, or in the child of a fork: this process
 *          alone ends.
 * code     exit code of them all; a multiple of 256 becomes 1
 *
 * A member ends in the call of the library in which it hears of it, whatever
 * that is for; one that computes in its next one that waits, tests or makes
 * progress; not one that has freed the communicator.  To all other ranks these
 * are deaths as any: WEFT_ERR_PEER, and they go on, if their launcher lets them
 * (weftrun: --keep-going).
 * If another thread stays in the job for 1 s, it ends that: weft_job_abort().
 *
 * Returns:  never.
 * Blocks:   no: until others have heard, 1 s at most, or the launcher has, 5 s.
 * Collective: no.
 */
WEFT_API void weft_comm_abort(struct weft_comm *comm, int code)
	__attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
