/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles.  One of the program is the address of the native object.  The
 * predefined ones are numbers below 0x1000, which the ABI gives: these are
 * looked up.  What stands for nothing, or for nothing known, becomes NULL,
 * which native calls refuse.
 */
#ifndef WEFT_MPI_MPI_HANDLE_H
#define WEFT_MPI_MPI_HANDLE_H

#include <stddef.h>
#include <stdint.h>

#include <weft.h>

#include "mpi/library.h"
#include "type/type.h"

enum {
	WF_MPI_PREDEFINED = 0x1000,	/* handles of programs are above */
	WF_MPI_FIRST_OP = 0x20,
	WF_MPI_FIRST_COMM = 0x100,
	WF_MPI_FIRST_TYPE = 0x200,
	WF_MPI_OPS = 32,
	WF_MPI_TYPES = 256
};

/* Place of a predefined handle in its table; of another one behind its end. */
static inline size_t wf_mpi_place(const void *handle, size_t first)
{
	return (uintptr_t)handle - first;
}

static inline bool wf_mpi_is_predefined(const void *handle)
{
	return (uintptr_t)handle < WF_MPI_PREDEFINED;
}

/* ---- communicators ---- */

static inline struct weft_comm *wf_mpi_comm(MPI_Comm comm)
{
	size_t place = wf_mpi_place(comm, WF_MPI_FIRST_COMM);

	if (!wf_mpi_is_predefined(comm))
		return wf_mpi.job ? (struct weft_comm *)comm : NULL;
	return place < sizeof(wf_mpi.comm) / sizeof(wf_mpi.comm[0]) ?
		wf_mpi.comm[place] : NULL;
}

static inline MPI_Comm wf_mpi_comm_handle(struct weft_comm *comm)
{
	if (!comm)
		return MPI_COMM_NULL;
	if (comm == wf_mpi.comm[1])
		return MPI_COMM_WORLD;
	if (comm == wf_mpi.comm[2])
		return MPI_COMM_SELF;
	return (MPI_Comm)comm;
}

/* ---- datatypes ---- */

/* By the low bits of the handle; without a name where there is none. */
extern const struct weft_type wf_mpi_types[WF_MPI_TYPES];
/* The same; NULL where there is none. */
extern const struct weft_type *const wf_mpi_type_at[WF_MPI_TYPES];

static inline const struct weft_type *wf_mpi_type(MPI_Datatype type)
{
	size_t place = wf_mpi_place(type, WF_MPI_FIRST_TYPE);

	if (place < WF_MPI_TYPES)
		return wf_mpi_type_at[place];
	return wf_mpi_is_predefined(type) ? NULL : (struct weft_type *)type;
}

/* One of the program, which it may free or name. */
static inline struct weft_type *wf_mpi_made_type(MPI_Datatype type)
{
	return wf_mpi_is_predefined(type) ? NULL : (struct weft_type *)type;
}

static inline MPI_Datatype wf_mpi_type_handle(const struct weft_type *type)
{
	size_t place = wf_mpi_place(type, (uintptr_t)wf_mpi_types) /
		       sizeof(*type);

	if (place < WF_MPI_TYPES)
		return (MPI_Datatype)(WF_MPI_FIRST_TYPE + place);
	return type ? (MPI_Datatype)type : MPI_DATATYPE_NULL;
}

/* ---- operations ---- */

extern const struct weft_op *const wf_mpi_ops[WF_MPI_OPS];

static inline const struct weft_op *wf_mpi_op(MPI_Op op)
{
	size_t place = wf_mpi_place(op, WF_MPI_FIRST_OP);

	if (place < WF_MPI_OPS)
		return wf_mpi_ops[place];
	return wf_mpi_is_predefined(op) ? NULL : (struct weft_op *)op;
}

/* ---- groups, info objects, requests, messages ---- */

static inline const struct weft_group *wf_mpi_group(MPI_Group group)
{
	if (group == MPI_GROUP_EMPTY)
		return weft_group_empty();
	return wf_mpi_is_predefined(group) ? NULL : (struct weft_group *)group;
}

/* MPI_INFO_ENV, made when it is first wanted; NULL: no memory. */
struct weft_info *wf_mpi_info_env(void);

static inline struct weft_info *wf_mpi_info(MPI_Info info)
{
	if (info == MPI_INFO_ENV)
		return wf_mpi_info_env();
	return wf_mpi_is_predefined(info) ? NULL : (struct weft_info *)info;
}

static inline MPI_Info wf_mpi_info_handle(struct weft_info *info)
{
	return info ? (MPI_Info)info : MPI_INFO_NULL;
}

static inline struct weft_request *wf_mpi_request(MPI_Request request)
{
	return wf_mpi_is_predefined(request) ? NULL :
					       (struct weft_request *)request;
}

static inline MPI_Request wf_mpi_request_handle(struct weft_request *request)
{
	return request ? (MPI_Request)request : MPI_REQUEST_NULL;
}

/* ---- ranks, tags, counts ---- */

/* They are handed on as they are. */
_Static_assert((int)MPI_ANY_SOURCE == (int)WEFT_ANY_SOURCE &&
	       (int)MPI_ANY_TAG == (int)WEFT_ANY_TAG &&
	       (int)MPI_PROC_NULL == (int)WEFT_PROC_NULL &&
	       (int)MPI_ROOT == (int)WEFT_ROOT &&
	       (int)MPI_UNDEFINED == (int)WEFT_UNDEFINED,
	       "ranks and tags that stand for something");

/* A negative one exceeds all memory: refused, unless elements have no bytes. */
static inline size_t wf_mpi_count(MPI_Count count)
{
	return (size_t)count;
}

/* ---- memory ---- */

static inline struct weft_part wf_mpi_data(const void *buf, MPI_Count count,
					   MPI_Datatype type)
{
	return weft_part(buf, wf_mpi_count(count), wf_mpi_type(type));
}

#endif
