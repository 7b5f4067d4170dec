/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each public call on a communicator does first and last.  A part of
 * comm.h, which includes it, as job_entry.h is one of job.h.
 */
#ifndef WEFT_COMM_COMM_ENTRY_H
#define WEFT_COMM_COMM_ENTRY_H

#include "comm/comm.h"

/* Of one that was freed, with the job entered: left, and WEFT_ERR_ARG. */
int wf_comm_refuse_freed(struct weft_comm *comm);

/* As wf_job_refuse(), of a call on a communicator, which hears of it. */
int wf_comm_refuse(struct weft_comm *comm, const char *call,
		   const char *argument);

/*
 * Argument check and entry of public calls: WEFT_ERR_ARG, WEFT_ERR_FORKED,
 * WEFT_ERR_IN_OP.
 */
WEFT_MUST_CHECK static inline int wf_comm_enter_by(struct weft_comm *comm,
						   const char *call)
{
	int status = comm ? wf_job_enter_by(comm->job, call) : WEFT_ERR_ARG;

	return status || !comm->freed ? status : wf_comm_refuse_freed(comm);
}

#define wf_comm_enter(comm) wf_comm_enter_by(comm, __func__)

/* Entered, an intercommunicator: left, and WEFT_ERR_ARG (comm/across.c). */
int wf_comm_refuse_across(struct weft_comm *comm, const char *call);

/* The same of a call that needs an intracommunicator. */
WEFT_MUST_CHECK static inline int wf_comm_enter_one(struct weft_comm *comm,
						    const char *call)
{
	int status = wf_comm_enter_by(comm, call);

	return status || !comm->across ? status :
					 wf_comm_refuse_across(comm, call);
}

/* The same of a call without a message. */
WEFT_MUST_CHECK static inline int wf_comm_ask(struct weft_comm *comm)
{
	int status = comm ? wf_job_ask(comm->job) : WEFT_ERR_ARG;

	return status || !comm->freed ? status : wf_comm_refuse_freed(comm);
}

/*
 * The end of a public call on it, with the job entered since what it has failed
 * with was told: does what the communicator was told about errors.  Returns the
 * status.
 */
int wf_comm_leave_failed(struct weft_comm *comm, int status);

static inline int wf_comm_leave(struct weft_comm *comm, int status)
{
	if (status)
		return wf_comm_leave_failed(comm, status);
	wf_job_leave(comm->job);
	return WEFT_OK;
}

/* The same of a communicator that this call has held. */
int wf_comm_leave_held(struct weft_comm *comm, int status);

#endif
