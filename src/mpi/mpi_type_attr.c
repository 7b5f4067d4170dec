/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of datatypes. */
#include "mpi/error.h"
#include "mpi/mpi_attr.h"

/* What native callbacks do: they call those of the program. */
static int copy_by(const struct weft_type *type, struct weft_keyval *keyval,
		   void *extra, void *value, void **copy_p, bool *keep_p)
{
	const struct wf_mpi_key *key = extra;
	MPI_Type_copy_attr_function *copy =
		(MPI_Type_copy_attr_function *)key->copy;
	int keep = 0, code;

	(void)keyval;
	code = copy(wf_mpi_type_handle(type), key->number, key->extra, value,
		    copy_p, &keep);
	*keep_p = keep;
	return code;
}

static int del_by(const struct weft_type *type, struct weft_keyval *keyval,
		  void *value, void *extra)
{
	const struct wf_mpi_key *key = extra;
	MPI_Type_delete_attr_function *del =
		(MPI_Type_delete_attr_function *)key->del;

	(void)keyval;
	return del(wf_mpi_type_handle(type), key->number, value, key->extra);
}

/* The native one for a function, or for what is known by its value. */
static weft_type_attr_copy *copy_for(wf_mpi_function *copy)
{
	if (wf_mpi_is_function(copy))
		return copy_by;
	return copy ? weft_type_attr_copy_same : NULL;
}

int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *copy,
			    MPI_Type_delete_attr_function *del, int *keyval,
			    void *extra)
{
	struct wf_mpi_key *key = wf_mpi_key_new();
	int status = key ? WEFT_OK : WEFT_ERR_NOMEM;

	*keyval = MPI_KEYVAL_INVALID;
	if (!status) {
		key->copy = (wf_mpi_function *)copy;
		key->del = (wf_mpi_function *)del;
		key->extra = extra;
		status = weft_type_keyval_create(wf_mpi.job,
						 copy_for(key->copy),
						 del ? del_by : NULL, key,
						 &key->native);
	}
	if (!status)
		*keyval = key->number;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Type_create_keyval);

int PMPI_Type_free_keyval(int *keyval)
{
	struct wf_mpi_key *key = wf_mpi_key_of(*keyval);

	if (!key)
		return wf_mpi_key_refuse(NULL, *keyval, WF_MPI_CALL);
	key->freed = true;
	*keyval = MPI_KEYVAL_INVALID;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Type_free_keyval);

int PMPI_Type_set_attr(MPI_Datatype datatype, int keyval, void *value)
{
	const struct weft_type *native = wf_mpi_type(datatype);
	const struct wf_mpi_key *key = wf_mpi_key_of(keyval);

	if (!native)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE, "%s: datatype is "
				     "none", WF_MPI_CALL);
	if (!key || key->freed)
		return wf_mpi_key_refuse(NULL, keyval, WF_MPI_CALL);
	return wf_mpi_done(weft_type_set_attr(native, key->native, value),
			 WF_MPI_CALL);
}
WF_MPI_NAME(Type_set_attr);

int PMPI_Type_get_attr(MPI_Datatype datatype, int keyval, void *value,
		       int *flag)
{
	const struct weft_type *native = wf_mpi_type(datatype);
	const struct wf_mpi_key *key = wf_mpi_key_of(keyval);
	bool found = false;
	int status;

	if (!native)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE, "%s: datatype is "
				     "none", WF_MPI_CALL);
	if (!key)
		return wf_mpi_key_refuse(NULL, keyval, WF_MPI_CALL);
	status = weft_type_get_attr(native, key->native, value, &found);
	*flag = found;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Type_get_attr);

int PMPI_Type_delete_attr(MPI_Datatype datatype, int keyval)
{
	const struct weft_type *native = wf_mpi_type(datatype);
	const struct wf_mpi_key *key = wf_mpi_key_of(keyval);

	if (!native)
		return wf_mpi_refuse(NULL, MPI_ERR_TYPE, "%s: datatype is "
				     "none", WF_MPI_CALL);
	if (!key)
		return wf_mpi_key_refuse(NULL, keyval, WF_MPI_CALL);
	return wf_mpi_done(weft_type_delete_attr(native, key->native),
			 WF_MPI_CALL);
}
WF_MPI_NAME(Type_delete_attr);
