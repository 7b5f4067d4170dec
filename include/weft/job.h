/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job is the membership of this process in a parallel program: who the other
 * ranks are, how they are reached, whether they live.  Everything else hangs
 * from it; two jobs, or the ranks of one job, may live in one process.
 */
#ifndef WEFT_JOB_H
#define WEFT_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_inproc;
struct weft_job;

/**
 * struct weft_job_options - how a job is opened
 *
 * Filled by weft_job_options_init().  Later releases add members at the end,
 * none of them in what was padding, so that each has a size of its own.  A
 * member that the program was built without has the value 0, its default; one
 * that the library does not know must be 0.
 */
struct weft_job_options {
	size_t size;			/* bytes, as the program was built */
	bool threads;			/* several threads call at a time */
	struct weft_inproc *inproc;	/* ranks of a process; NULL: launcher */
	int inproc_rank;		/* which of them this job is */
};

/**
 * weft_job_options_init - options that say nothing: one thread, the launcher
 *
 * options      size bytes are zeroed, and options->size is set; NULL, or a size
 *              below sizeof(size_t), leaves all as it is
 * size         sizeof(struct weft_job_options) where the program is built: the
 *              library, which may be older or newer, writes no byte more
 *
 * Blocks:   no.   Collective: no.
 */
WEFT_API void weft_job_options_init(struct weft_job_options *options,
				    size_t size);

/**
 * weft_job_open - become a rank of the job that the launcher started
 *
 * options      NULL: one thread, launcher from the environment ($WEFT_BOOT
 *              overrides)
 * job_p [out]  the job; close it with weft_job_close()
 *
 * Returns:  WEFT_OK, WEFT_ERR_BOOT (no launcher where the environment shows
 *           one, or it does not answer; the sentence is logged),
 *           WEFT_ERR_TIMEOUT ($WEFT_TIMEOUT passed), WEFT_ERR_ARG (a $WEFT_*
 *           variable has a bad value, or options were not filled by
 *           weft_job_options_init(), name no rank of their inproc, or set a
 *           member that this version does not know), WEFT_ERR_DEVICE,
 *           WEFT_ERR_NOMEM.
 * Blocks:   yes, until all ranks have called it, at most $WEFT_TIMEOUT.
 * Collective: over all ranks of the job.
 */
WEFT_API int weft_job_open(const struct weft_job_options *options,
			   struct weft_job **job_p) WEFT_MUST_CHECK;

/**
 * weft_job_close - leave the job
 *
 * Deletes the attributes of weft_job_self() and of the world by their
 * callbacks, the last one first, until one fails; those of other communicators
 * that are left go without.
 * Drops messages that no receive waits for, and those that still come: senders
 * that wait for them hear WEFT_ERR_PEER.
 * Waits for this rank's own active requests as weft_request_wait() does (a
 * receive that nobody sends to is to be cancelled before), tells the connected
 * peers, and gives everything back, also communicators, requests and memory
 * that the program did not.  The job is gone afterwards, whatever is returned,
 * but for WEFT_ERR_IN_OP.
 *
 * Returns:  WEFT_OK, WEFT_ERR_PEER (a peer died before it had said bye),
 *           WEFT_ERR_BOOT, what a callback of an attribute returned.
 * Blocks:   until each connected peer closes its job, too, or is dead.
 * Collective: over all ranks.
 */
WEFT_API int weft_job_close(struct weft_job *job) WEFT_MUST_CHECK;

/**
 * weft_job_world - the communicator of all ranks
 *
 * Returns:  the communicator; the job owns it, it is not to be freed.
 * Blocks:   no.   Collective: no.
 */
WEFT_API struct weft_comm *weft_job_world(struct weft_job *job);

/**
 * weft_job_self - the communicator of this rank alone
 *
 * Returns:  the communicator, the same one each time; the job owns it.  NULL:
 *           no memory, or job is NULL.
 * Blocks:   no.   Collective: no.
 */
WEFT_API struct weft_comm *weft_job_self(struct weft_job *job);

/**
 * weft_job_rank, weft_job_size - who this is in the job, of how many
 *
 * Returns:  the own rank in the world, 0 up to its size; its number of ranks.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_job_rank(const struct weft_job *job);
WEFT_API int weft_job_size(const struct weft_job *job);

/**
 * weft_error_text - the sentence of this thread's last failed call of a job
 *
 * A call to which NULL was passed keeps a sentence only if another argument
 * leads to the job: a job, what belongs to one, or a request in an array, but
 * no datatype of a message.  Else the sentence is that of an earlier call.
 *
 * Returns:  what failed, with whom (rank, host), and what to do; valid until
 *           the next call of this thread that fails, or the job closes; empty
 *           if none did, or there was no memory for it.
 * Blocks:   no.   Collective: no.
 */
WEFT_API const char *weft_error_text(const struct weft_job *job);

/* Of the arguments for which calls are refused, those with a class in MPI. */
enum weft_argument {
	WEFT_ARGUMENT_NONE,	/* another one, or not for an argument */
	WEFT_ARGUMENT_BUFFER,	/* memory: data, in, out */
	WEFT_ARGUMENT_COUNT,	/* n, or one per edge */
	WEFT_ARGUMENT_TYPE,
	WEFT_ARGUMENT_TAG,
	WEFT_ARGUMENT_RANK,	/* or peer */
	WEFT_ARGUMENT_ROOT,
	WEFT_ARGUMENT_OP,	/* NULL, or not defined for the type */
	WEFT_ARGUMENT_COMM,
	WEFT_ARGUMENT_GROUP,
	WEFT_ARGUMENT_KEYVAL,
	WEFT_ARGUMENT_INFO,
	WEFT_ARGUMENT_REQUEST
};

/**
 * weft_error_argument - for which argument this thread's last call failed
 *
 * Returns:  the argument that weft_error_text() names, as a code.
 * Blocks:   no.   Collective: no.
 */
WEFT_API enum weft_argument weft_error_argument(const struct weft_job *job);

/**
 * weft_job_progress - drive what is under way
 *
 * For programs that compute for long between two calls.
 *
 * Returns:  WEFT_OK, WEFT_ERR_PEER (a rank of the job is dead; the text names
 *           the first).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_job_progress(struct weft_job *job) WEFT_MUST_CHECK;

/**
 * weft_job_failed - which ranks are dead, as far as this one knows
 *
 * ranks_p [out] their ranks in the world, ascending; valid until the next
 *               call for this job, or its close
 * n_p [out]     how many, 0 if none
 *
 * Ranks that have closed their job are not among them, nor is one that died
 * before it had met anybody, until somebody waits for it.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no; drives what is under way, as weft_job_progress() does.
 * Collective: no, and ranks may learn of a death at different times.
 */
WEFT_API int weft_job_failed(struct weft_job *job, const int **ranks_p,
			     int *n_p) WEFT_MUST_CHECK;

/**
 * weft_job_abort - end all ranks of the job, exit code and reason given
 *
 * job          NULL, or in the child of a fork: ends this process alone
 *
 * Does not return. A code that is a multiple of 256 becomes 1.
 */
WEFT_API void weft_job_abort(struct weft_job *job, int code, const char *why)
	__attribute__((noreturn));

/**
 * weft_inproc_create - let this process be all ranks of a job
 *
 * size          number of ranks, 1 up to 2^20
 * inproc_p [out] to be put into weft_job_options of each rank; one thread per
 *               rank opens its own job with it
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no, one call for all ranks.
 */
WEFT_API int weft_inproc_create(int size, struct weft_inproc **inproc_p)
	WEFT_MUST_CHECK;

/**
 * weft_inproc_free - after all jobs that were opened with it are closed
 *
 * inproc_p      set to NULL; NULL inside is fine
 *
 * Blocks:   no.   Collective: no.
 */
WEFT_API void weft_inproc_free(struct weft_inproc **inproc_p);

#ifdef __cplusplus
}
#endif

#endif
