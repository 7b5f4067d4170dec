/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of communicators. */
#include "mpi/error.h"
#include "mpi/mpi_attr.h"

/* What native callbacks do: they call those of the program. */
static int copy_by(struct weft_comm *comm, struct weft_keyval *keyval,
		   void *extra, void *value, void **copy_p, bool *keep_p)
{
	const struct wf_mpi_key *key = extra;
	MPI_Comm_copy_attr_function *copy =
		(MPI_Comm_copy_attr_function *)key->copy;
	int keep = 0, code;

	(void)keyval;
	code = copy(wf_mpi_comm_handle(comm), key->number, key->extra, value,
		    copy_p, &keep);
	*keep_p = keep;
	return code;
}

static int del_by(struct weft_comm *comm, struct weft_keyval *keyval,
		  void *value, void *extra)
{
	const struct wf_mpi_key *key = extra;
	MPI_Comm_delete_attr_function *del =
		(MPI_Comm_delete_attr_function *)key->del;

	(void)keyval;
	return del(wf_mpi_comm_handle(comm), key->number, value, key->extra);
}

/* The native one for a function, or for what is known by its value. */
static weft_attr_copy *copy_for(wf_mpi_function *copy)
{
	if (wf_mpi_is_function(copy))
		return copy_by;
	return copy ? weft_attr_copy_same : NULL;
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
			    MPI_Comm_delete_attr_function *del, int *keyval,
			    void *extra)
{
	struct wf_mpi_key *key = wf_mpi_key_new();
	int status = key ? WEFT_OK : WEFT_ERR_NOMEM;

	*keyval = MPI_KEYVAL_INVALID;
	if (!status) {
		key->copy = (wf_mpi_function *)copy;
		key->del = (wf_mpi_function *)del;
		key->extra = extra;
		status = weft_keyval_create(wf_mpi.job, copy_for(key->copy),
			del ? del_by : NULL, key, &key->native);
	}
	if (!status)
		*keyval = key->number;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_create_keyval);

int PMPI_Comm_free_keyval(int *keyval)
{
	struct wf_mpi_key *key = wf_mpi_key_of(*keyval);

	if (!key)
		return wf_mpi_key_refuse(NULL, *keyval, WF_MPI_CALL);
	key->freed = true;
	*keyval = MPI_KEYVAL_INVALID;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Comm_free_keyval);

/* ---- attributes of the library ---- */

/* Those that native communicators do not have. */
static int *own_value(int keyval)
{
	static int io = MPI_ANY_SOURCE, host = MPI_PROC_NULL;

	switch (keyval) {
	case MPI_IO:
		return &io;
	case MPI_HOST:
		return &host;
	case MPI_LASTUSEDCODE:
		return wf_mpi_last_code();
	default:
		return NULL;
	}
}

static const struct weft_keyval *native_key(int keyval)
{
	const struct wf_mpi_key *key;

	switch (keyval) {
	case MPI_TAG_UB:
		return &weft_key_tag_ub;
	case MPI_UNIVERSE_SIZE:
		return &weft_key_universe_size;
	case MPI_APPNUM:
		return &weft_key_appnum;
	case MPI_WTIME_IS_GLOBAL:
		return &weft_key_wtime_is_global;
	default:
		key = wf_mpi_key_of(keyval);
		return key ? key->native : NULL;
	}
}

/* ---- what a communicator has ---- */

int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct wf_mpi_key *key = wf_mpi_key_of(keyval);

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	if (!key || key->freed)
		return wf_mpi_key_refuse(native, keyval, WF_MPI_CALL);
	return wf_mpi_on(native, weft_comm_set_attr(native, key->native, value),
			 WF_MPI_CALL);
}
WF_MPI_NAME(Comm_set_attr);

int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct weft_keyval *key = native_key(keyval);
	int *own = own_value(keyval);
	bool found = own;
	int status = WEFT_OK;

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	if (!key && !own)
		return wf_mpi_key_refuse(native, keyval, WF_MPI_CALL);
	if (own)
		*(int **)value = own;
	else
		status = weft_comm_get_attr(native, key, value, &found);
	*flag = found;
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_get_attr);

int PMPI_Comm_delete_attr(MPI_Comm comm, int keyval)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct wf_mpi_key *key = wf_mpi_key_of(keyval);

	if (!native)
		return wf_mpi_fail_on(NULL, WEFT_ERR_ARG, WF_MPI_CALL);
	if (!key)
		return wf_mpi_key_refuse(native, keyval, WF_MPI_CALL);
	return wf_mpi_on(native, weft_comm_delete_attr(native, key->native),
			 WF_MPI_CALL);
}
WF_MPI_NAME(Comm_delete_attr);
