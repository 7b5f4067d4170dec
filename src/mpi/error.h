/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors as MPI has them.
 *
 * A native call on a communicator has done what its handler says before it
 * returns; where there is no communicator the handler of MPI_COMM_SELF is
 * called here.  The code that a function returns leads to the class and, while
 * it is one of the last WF_MPI_CODES, to the sentence of that very call.
 */
#ifndef WEFT_MPI_ERROR_H
#define WEFT_MPI_ERROR_H

#include "mpi/library.h"

struct weft_request;

enum {
	WF_MPI_CODES = 128
};

/* The code of a class with a sentence. */
int wf_mpi_code(int class, const char *text);

/* MPI_ERR_... of a native status that this thread's last call has returned. */
int wf_mpi_class(int status);

/*
 * A function of the program that handles errors, as native handlers call it.
 * Where the status is above 0 it is a code of MPI.
 */
int wf_mpi_code_of(int status, const char *text);

/* What an error of a code or class means. */
void wf_mpi_code_text(int code, char text[MPI_MAX_ERROR_STRING]);
int wf_mpi_code_class(int code);

/* The same of those that the program added, too; false: there is none. */
bool wf_mpi_error_text(int code, char text[MPI_MAX_ERROR_STRING]);

/* What the attribute MPI_LASTUSEDCODE points to. */
int *wf_mpi_last_code(void);

/* ---- how functions end ---- */

int wf_mpi_fail_on(struct weft_comm *comm, int status, const char *call);
int wf_mpi_fail(int status, const char *call);

/* That of a native call on a communicator, or on what was made of one. */
static inline int wf_mpi_on(struct weft_comm *comm, int status,
			    const char *call)
{
	return __builtin_expect(!status, 1) ? MPI_SUCCESS :
		wf_mpi_fail_on(comm, status, call);
}

/* That of a native call without a communicator. */
static inline int wf_mpi_done(int status, const char *call)
{
	return __builtin_expect(!status, 1) ? MPI_SUCCESS :
		wf_mpi_fail(status, call);
}

/*
 * What is found wrong here: the class, on the handler of a communicator; NULL:
 * of MPI_COMM_SELF.  Returns the code.
 */
int wf_mpi_refuse(struct weft_comm *comm, int class, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Of a native call that needs no job, and can only lack memory. */
int wf_mpi_lacks(int status, const char *call);

/* The same for an argument that is NULL: MPI_ERR_ARG. */
int wf_mpi_refuse_null(struct weft_comm *comm, const char *call,
		       const char *argument);

#endif
