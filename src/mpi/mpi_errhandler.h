/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers of errors: objects that are counted by what has them. */
#ifndef WEFT_MPI_MPI_ERRHANDLER_H
#define WEFT_MPI_MPI_ERRHANDLER_H

#include <weft/errors.h>

#include "mpi/library.h"

struct wf_mpi_errhandler {
	_Atomic int refs;
	MPI_Comm_errhandler_function *call;	/* NULL: it is for sessions */
	MPI_Session_errhandler_function *of_session;
};

/* For communicators or for sessions, with one function; NULL: no memory. */
struct wf_mpi_errhandler *
wf_mpi_errhandler_new(MPI_Comm_errhandler_function *call,
		      MPI_Session_errhandler_function *of_session);
void wf_mpi_errhandler_drop(struct wf_mpi_errhandler *handler);

/* What a communicator is told; false: the handle is none. */
bool wf_mpi_errhandler_native(MPI_Errhandler errhandler,
			      struct weft_errhandler *native_p);

/* The same of a session. */
bool wf_mpi_errhandler_of_session(MPI_Errhandler errhandler,
				  struct weft_errhandler *native_p);

/* What a session keeps from now on; NULL: nothing, it goes. */
void wf_mpi_errhandler_keep(struct weft_errhandler *kept,
			    const struct weft_errhandler *errors);

/* The handle of that, with one more reference. */
MPI_Errhandler wf_mpi_errhandler_kept(const struct weft_errhandler *kept);

/* Does what is to be done at an error; handle_p: of its object.  The code. */
int wf_mpi_errhandler_call(const struct weft_errhandler *errors, void *handle_p,
			   int code, const char *text);

/* The handle of what it was told, of an object with one more reference. */
MPI_Errhandler
wf_mpi_errhandler_handle(const struct weft_errhandler *native);

#endif
