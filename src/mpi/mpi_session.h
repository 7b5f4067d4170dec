/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions: users of the one job of the process, each with a handler of errors
 * of its own.
 */
#ifndef WEFT_MPI_MPI_SESSION_H
#define WEFT_MPI_MPI_SESSION_H

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_handle.h"

struct wf_mpi_session {
	struct weft_errhandler errors;
	int level;			/* how threads may call */
};

/* NULL: the handle is none. */
static inline struct wf_mpi_session *wf_mpi_session(MPI_Session session)
{
	return wf_mpi.job && !wf_mpi_is_predefined(session) ?
		(struct wf_mpi_session *)session : NULL;
}

/* What the handler of a session is told; NULL: no session.  The code. */
int wf_mpi_session_refuse(struct wf_mpi_session *session, int class,
			  const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The end of a native call. */
int wf_mpi_session_on(struct wf_mpi_session *session, int status,
		      const char *call);

#endif
