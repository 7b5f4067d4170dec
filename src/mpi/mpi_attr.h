/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys of attributes: numbers, which stand for native ones.  One stays until
 * the job ends, since what has an attribute of it may outlive its end.
 */
#ifndef WEFT_MPI_MPI_ATTR_H
#define WEFT_MPI_MPI_ATTR_H

#include "mpi/mpi_handle.h"

typedef void wf_mpi_function(void);

struct wf_mpi_key {
	int number;
	bool freed;			/* nothing is set by it any more */
	wf_mpi_function *copy, *del;	/* NULL: none */
	void *extra;
	struct weft_keyval *native;
};

/* Not for a callback that is known by its value. */
static inline bool wf_mpi_is_function(wf_mpi_function *function)
{
	return (uintptr_t)function > 1;
}

/* A new one without its native one; NULL: no memory. */
struct wf_mpi_key *wf_mpi_key_new(void);

/* NULL: there is none of this number. */
struct wf_mpi_key *wf_mpi_key_of(int number);

/* A key that is none, or was freed: its code. */
int wf_mpi_key_refuse(struct weft_comm *comm, int number, const char *call);

/* All go, with the job; those of the library stay. */
void wf_mpi_keys_drop(void);

#endif
