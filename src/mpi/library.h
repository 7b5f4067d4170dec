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
 * The job of this process, which MPI_Init and all sessions share: the one state
 * that MPI has.  All but the state is set where the first of these opens it, or
 * by MPI_Init, and read by everybody after it.
 */
struct wf_mpi {
	struct weft_job *job;		/* NULL unless it is open */
	struct weft_comm *self;		/* its errors are those of no other */
	struct weft_comm *comm[8];	/* by the low bits of the handle */
	_Atomic int state;		/* enum wf_mpi_state, of MPI_Init */
	int level;			/* of threads, one of MPI_THREAD_... */
	pthread_t main;			/* that has called MPI_Init */
};

extern struct wf_mpi wf_mpi;

/* The level that is given for another number: of two the higher one. */
int wf_mpi_level(int required);
const char *wf_mpi_level_name(int level);

/*
 * One user more of the job, which the first one opens, with locks if it says
 * so; *level_p is how threads may call from then on, which an earlier user may
 * have settled.  A status.
 */
int wf_mpi_use(int *level_p, bool locks);

/*
 * One user less.  MPI_Finalize closes the job as the last one; after sessions
 * alone it stays open until the process ends, since a process joins its
 * launcher's job once, and may open another session.
 */
int wf_mpi_unuse(bool finalize);

#endif
