/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of the program. */
#include <limits.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"
#include "mpi/mpi_int.h"

/* So many elements at most go to a function that counts by int. */
static void call_by_int(const void *in, void *inout, size_t n,
			const struct weft_type *type, void *arg)
{
	MPI_User_function *function = (MPI_User_function *)arg;
	MPI_Datatype datatype = wf_mpi_type_handle(type);
	ptrdiff_t extent = weft_type_extent(type);

	while (n) {
		int len = n > INT_MAX ? INT_MAX : (int)n;

		function((void *)in, inout, &len, &datatype);
		in = (const char *)in + len * extent;
		inout = (char *)inout + len * extent;
		n -= (size_t)len;
	}
}

static void call_large(const void *in, void *inout, size_t n,
		       const struct weft_type *type, void *arg)
{
	MPI_User_function_c *function = (MPI_User_function_c *)arg;
	MPI_Datatype datatype = wf_mpi_type_handle(type);
	MPI_Count len = (MPI_Count)n;

	function((void *)in, inout, &len, &datatype);
}

static int create(weft_op_function *call, void *function, int commute,
		  MPI_Op *op, const char *name)
{
	struct weft_op_options options;
	struct weft_op *made = NULL;
	int status;

	*op = MPI_OP_NULL;
	if (!function)
		return wf_mpi_refuse_null(NULL, name, "the function");
	weft_op_options_init(&options, sizeof(options));
	options.call = call;
	options.arg = function;
	options.commutes = commute;
	status = weft_op_create(wf_mpi.job, &options, &made);
	if (made)
		*op = (MPI_Op)made;
	return wf_mpi_done(status, name);
}

int PMPI_Op_create(MPI_User_function *fn, int commute, MPI_Op *op)
{
	return create(call_by_int, (void *)fn, commute, op, WF_MPI_CALL);
}
WF_MPI_NAME(Op_create);

int PMPI_Op_create_c(MPI_User_function_c *fn, int commute, MPI_Op *op)
{
	return create(call_large, (void *)fn, commute, op, WF_MPI_CALL);
}
WF_MPI_NAME(Op_create_c);

static int is_none(const char *call)
{
	return wf_mpi_refuse(NULL, MPI_ERR_OP, "%s: op is none, or may not be "
			     "used here", call);
}

int PMPI_Op_free(MPI_Op *op)
{
	struct weft_op *made = wf_mpi_is_predefined(*op) ?
		NULL : (struct weft_op *)*op;
	int status;

	if (!made)
		return is_none(WF_MPI_CALL);
	wf_mpi_int_forget(*op);
	status = weft_op_free(&made);
	if (!status)
		*op = MPI_OP_NULL;
	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Op_free);

int PMPI_Op_commutative(MPI_Op op, int *commute)
{
	const struct weft_op *native = wf_mpi_op(op);

	if (!native)
		return is_none(WF_MPI_CALL);
	*commute = weft_op_commutes(native);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Op_commutative);

int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count,
		      MPI_Datatype datatype, MPI_Op op)
{
	int status = weft_reduce_local(wf_mpi.job, inbuf,
				       wf_mpi_data(inoutbuf, count, datatype),
				       wf_mpi_op(op));

	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_local);

int PMPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count,
			MPI_Datatype datatype, MPI_Op op)
{
	int status = weft_reduce_local(wf_mpi.job, inbuf,
				       wf_mpi_data(inoutbuf, count, datatype),
				       wf_mpi_op(op));

	return wf_mpi_done(status, WF_MPI_CALL);
}
WF_MPI_NAME(Reduce_local_c);
