/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI front end: its one job, and what every function of it uses.
 *
 * Each function of mpi.h is PMPI_x here, with MPI_x as a weak name of it, so
 * that a tool can put its own in front.  A function translates handles
 * (mpi/mpi_handle.h), makes one native call and tells of its error
 * (mpi/error.h).
 */
#ifndef WEFT_MPI_LIBRARY_H
#define WEFT_MPI_LIBRARY_H

#include <pthread.h>
#include <stdbool.h>

#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

struct weft_comm;
struct weft_job;

/* MPI_x, which a tool may replace, as another name of PMPI_x. */
#define WF_MPI_NAME(x)                           \
	extern __typeof__(PMPI_##x) MPI_##x      \
		__attribute__((weak, alias("PMPI_" #x)))

/* The name that programs know, of the function that has this. */
#define WF_MPI_CALL (&__func__[1])

enum wf_mpi_state {
	WF_MPI_BEFORE,
	WF_MPI_RUNS,
	WF_MPI_OVER
};

/*
 * The job that MPI_Init opens: the one state of a process that MPI has.  All
 * but the state is set by MPI_Init alone, and read by everybody after it.
 */
struct wf_mpi {
	struct weft_job *job;		/* NULL unless it runs */
	struct weft_comm *comm[8];	/* by the low bits of the handle */
	_Atomic int state;		/* enum wf_mpi_state */
	int level;			/* of threads, one of MPI_THREAD_... */
	pthread_t main;			/* that has called MPI_Init */
};

extern struct wf_mpi wf_mpi;

#endif
