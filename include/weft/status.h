/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft/status.h - what a call may return
 *
 * One list holds every status: name, value and the sentence that says what
 * the caller can do next. 0 is success, positive values mean "not finished",
 * negative ones are errors. Values never change once released.
 */
#ifndef WEFT_STATUS_H
#define WEFT_STATUS_H

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#define WEFT_MUST_CHECK __attribute__((warn_unused_result))
#else
#define WEFT_API
#define WEFT_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, value, sentence), from success over unfinished to errors */
#define WEFT_STATUS_LIST(X) \
	X(WEFT_OK, 0, \
	  "success") \
	X(WEFT_INPROGRESS, 1, \
	  "not finished yet: test or wait for the request again") \
	X(WEFT_AGAIN, 2, \
	  "no room in a queue: make progress, then repeat the call") \
	X(WEFT_ERR_ARG, -1, \
	  "an argument is invalid: correct the call") \
	X(WEFT_ERR_RANGE, -2, \
	  "an offset or length is outside of its object: correct the call") \
	X(WEFT_ERR_NOMEM, -3, \
	  "no memory: free some, or raise the limit that the log names") \
	X(WEFT_ERR_BOOT, -4, \
	  "the job could not be started: see the log, check the launcher") \
	X(WEFT_ERR_TIMEOUT, -5, \
	  "time ran out at start-up: check the launcher or raise " \
	  "WEFT_TIMEOUT") \
	X(WEFT_ERR_PEER, -6, \
	  "a peer died: free the objects it is part of, the rest goes on") \
	X(WEFT_ERR_DEVICE, -7, \
	  "a device or the system failed: see the log for its reason") \
	X(WEFT_ERR_TRUNCATE, -8, \
	  "a message is longer than its receive buffer: enlarge the buffer") \
	X(WEFT_ERR_SIZE, -9, \
	  "sender and receiver disagree on a length: make both equal") \
	X(WEFT_ERR_GRAPH, -10, \
	  "the edges that ranks passed do not match: compare both ends") \
	X(WEFT_ERR_REQUEST, -11, \
	  "the request is not in a state for this call: wait or start first") \
	X(WEFT_ERR_UNSUPPORTED, -12, \
	  "not supported here: use another call or another transport") \
	X(WEFT_ERR_IN_OP, -13, \
	  "communication inside a user operation: move it out of there") \
	X(WEFT_ERR_INTERNAL, -14, \
	  "an internal rule was broken: report it with the log") \
	X(WEFT_ERR_FORKED, -15, \
	  "called in the child of a fork: only the parent may use the job") \
	X(WEFT_ERR_BUFFER, -16, \
	  "no room in the buffer for buffered sends: attach a larger one")

enum weft_status {
#define WEFT_STATUS_ENUM(name, value, sentence) name = value,
	WEFT_STATUS_LIST(WEFT_STATUS_ENUM)
#undef WEFT_STATUS_ENUM
};

/**
 * weft_status_name - the name of a status as it is written in a program
 *
 * status       any value
 *
 * Returns:  a constant string like "WEFT_ERR_PEER"; "WEFT_ERR_UNKNOWN" for a
 *           value that is no status.
 * Blocks:   no.   Collective: no.   Threads: any.
 * Since:    0.1
 */
WEFT_API const char *weft_status_name(int status);

/**
 * weft_status_text - a sentence on a status: what it means, what to do next
 *
 * status       any value
 *
 * Returns:  a constant string, also for a value that is no status.
 * Blocks:   no.   Collective: no.   Threads: any.
 * Since:    0.1
 */
WEFT_API const char *weft_status_text(int status);

#ifdef __cplusplus
}
#endif

#endif
