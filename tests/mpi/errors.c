/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors: each wrong call has its class and a sentence, and the program goes on
 * under MPI_ERRORS_RETURN; handlers, and classes that the program adds.
 */
#include "tests/mpi/check.h"

static MPI_Comm comm;			/* of all ranks; its errors return */

/* A call that is refused, and its class. */
#define REFUSED(call, class) refused(call, class, #call)

static void refused(int code, int class, const char *call)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int have = -1, length = 0;

	MPI_Error_class(code, &have);
	MPI_Error_string(code, text, &length);
	if (!CHECK(have == class && length > 0))
		fprintf(stderr, "# %s: class %d, not %d: %s\n", call, have,
			class, text);
}

static void messages(void)
{
	MPI_Request none = MPI_REQUEST_NULL;
	int x = 0;

	REFUSED(MPI_Send(&x, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK);
	REFUSED(MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm),
		MPI_ERR_RANK);
	REFUSED(MPI_Recv(&x, 1, MPI_INT, -9, 0, comm, MPI_STATUS_IGNORE),
		MPI_ERR_RANK);
	REFUSED(MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_SOURCE, comm,
			 MPI_STATUS_IGNORE), MPI_ERR_TAG);
	REFUSED(MPI_Recv(&x, 1, MPI_INT, MPI_ANY_TAG, 0, comm,
			 MPI_STATUS_IGNORE), MPI_ERR_RANK);
	REFUSED(MPI_Send(&x, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
	REFUSED(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, comm), MPI_ERR_TYPE);
	REFUSED(MPI_Send(&x, 1, MPI_INT, 0, -1, comm), MPI_ERR_TAG);
	REFUSED(MPI_Send(&x, 1, MPI_INT, 0, MPI_ANY_TAG, comm), MPI_ERR_TAG);
	REFUSED(MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
	REFUSED(MPI_Send(NULL, 1, MPI_INT, 0, 0, comm), MPI_ERR_BUFFER);
	REFUSED(MPI_Bsend(&x, 1, MPI_INT, 0, 0, comm), MPI_ERR_BUFFER);
	REFUSED(MPI_Start(&none), MPI_ERR_REQUEST);
	REFUSED(MPI_Waitall(-1, NULL, MPI_STATUSES_IGNORE), MPI_ERR_COUNT);
}

/* The sentence has the number that the program gave. */
static void told(int code, const char *number)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int length = 0;

	MPI_Error_string(code, text, &length);
	if (!CHECK(strstr(text, number) != NULL))
		fprintf(stderr, "# not %s: %s\n", number, text);
}

static void numbers(void)
{
	int x = 0, y = 0, counts[8] = { -7 }, displs[8] = { 0 };
	MPI_Count large_counts[8] = { -7 };
	MPI_Aint large_displs[8] = { 0 };

	told(MPI_Send(&x, 1, MPI_INT, -6, 0, comm), "-6");
	told(MPI_Send(&x, 1, MPI_INT, 0, -6, comm), "-6");
	told(MPI_Recv(&x, 1, MPI_INT, -6, 0, comm, MPI_STATUS_IGNORE), "-6");
	told(MPI_Send(&x, -5, MPI_INT, 0, 0, comm), "-5");
	told(MPI_Send(NULL, -5, MPI_INT, 0, 0, comm), "-5");
	told(MPI_Send_c(&x, -5, MPI_INT, 0, 0, comm), "-5");
	told(MPI_Bcast(&x, -5, MPI_INT, 0, comm), "-5");
	told(MPI_Bcast(&x, 1, MPI_INT, -6, comm), "-6");
	told(MPI_Bcast(&x, 1, MPI_INT, MPI_ROOT, comm), "-4");
	told(MPI_Allreduce(&x, &y, -5, MPI_INT, MPI_SUM, comm), "-5");
	told(MPI_Gather(&x, -5, MPI_INT, &y, 1, MPI_INT, rank, comm), "-5");
	told(MPI_Reduce_scatter_block(&x, &y, -5, MPI_INT, MPI_SUM, comm),
	     "-5");
	told(MPI_Alltoallv(&x, counts, displs, MPI_INT, &y, counts, displs,
			   MPI_INT, comm), "-7");
	told(MPI_Alltoallv_c(&x, large_counts, large_displs, MPI_INT, &y,
			     large_counts, large_displs, MPI_INT, comm), "-7");
}

static void cut_off(void)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];
	int in[2] = { 1, 2 }, out = 0, code, class = 0;

	MPI_Isend(in, 2, MPI_INT, rank, 0, comm, &requests[0]);
	REFUSED(MPI_Recv(&out, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE),
		MPI_ERR_TRUNCATE);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Irecv(&out, 1, MPI_INT, rank, 1, comm, &requests[0]);
	MPI_Isend(in, 2, MPI_INT, rank, 1, comm, &requests[1]);
	code = MPI_Waitall(2, requests, statuses);
	MPI_Error_class(code, &class);
	CHECK(class == MPI_ERR_IN_STATUS);
	MPI_Error_class(statuses[0].MPI_ERROR, &class);
	CHECK(class == MPI_ERR_TRUNCATE);
	CHECK(statuses[1].MPI_ERROR == MPI_SUCCESS);
	CHECK(out == 1);
}

/* Classes that few calls have. */
static void rare(void)
{
	int dims[2] = { -1, 0 }, periods[2] = { 0, 0 };
	char value[MPI_MAX_INFO_VAL + 2];
	MPI_Comm cart;
	MPI_Info info;
	void *memory;

	REFUSED(MPI_Dims_create(6, 2, dims), MPI_ERR_DIMS);
	dims[0] = 4;
	REFUSED(MPI_Dims_create(6, 2, dims), MPI_ERR_DIMS);
	dims[0] = size + 1;
	dims[1] = 1;
	CHECK(MPI_Cart_create(comm, 2, dims, periods, 0, &cart));
	CHECK(cart == MPI_COMM_NULL);
	memset(value, 'v', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	MPI_Info_create(&info);
	REFUSED(MPI_Info_set(info, "key", value), MPI_ERR_INFO_VALUE);
	REFUSED(MPI_Abi_set_fortran_info(info), MPI_ERR_ABI);
	MPI_Info_free(&info);
	REFUSED(MPI_Alloc_mem(-1, MPI_INFO_NULL, &memory), MPI_ERR_ARG);
	REFUSED(MPI_Alloc_mem((MPI_Aint)1 << 60, MPI_INFO_NULL, &memory),
		MPI_ERR_NO_MEM);
}

static void collectives(void)
{
	int x = 0, y = 0;

	REFUSED(MPI_Bcast(&x, 1, MPI_INT, size, comm), MPI_ERR_ROOT);
	REFUSED(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, comm),
		MPI_ERR_OP);
	REFUSED(MPI_Allreduce(&x, &y, 1, MPI_CHAR, MPI_SUM, comm),
		MPI_ERR_OP);
	REFUSED(MPI_Allreduce(&x, &y, -1, MPI_INT, MPI_SUM, comm),
		MPI_ERR_COUNT);
	REFUSED(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
	REFUSED(MPI_Neighbor_allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, comm),
		MPI_ERR_TOPOLOGY);
}

static void objects(void)
{
	MPI_Datatype made = MPI_INT;
	MPI_Group group;
	MPI_Info info;
	MPI_Op op = MPI_SUM;
	int x = size, flag = 0;
	char long_key[MPI_MAX_INFO_KEY + 2];

	memset(long_key, 'k', sizeof(long_key) - 1);
	long_key[sizeof(long_key) - 1] = '\0';
	REFUSED(MPI_Type_vector(1, 1, 1, MPI_DATATYPE_NULL, &made),
		MPI_ERR_TYPE);
	REFUSED(MPI_Type_contiguous(-1, MPI_INT, &made), MPI_ERR_COUNT);
	made = MPI_INT;
	REFUSED(MPI_Type_free(&made), MPI_ERR_TYPE);
	MPI_Type_contiguous(2, MPI_INT, &made);
	REFUSED(MPI_Send(&x, 0, made, 0, 0, comm), MPI_ERR_TYPE);
	MPI_Type_free(&made);
	REFUSED(MPI_Group_size(MPI_GROUP_NULL, &x), MPI_ERR_GROUP);
	MPI_Comm_group(comm, &group);
	x = size;
	REFUSED(MPI_Group_incl(group, 1, &x, &group), MPI_ERR_RANK);
	REFUSED(MPI_Op_free(&op), MPI_ERR_OP);
	REFUSED(MPI_Comm_set_attr(comm, MPI_TAG_UB, NULL), MPI_ERR_KEYVAL);
	REFUSED(MPI_Comm_get_attr(comm, MPI_KEYVAL_INVALID, &x, &flag),
		MPI_ERR_KEYVAL);
	REFUSED(MPI_Info_get_nkeys(MPI_INFO_NULL, &x), MPI_ERR_INFO);
	MPI_Info_create(&info);
	REFUSED(MPI_Info_delete(info, "none"), MPI_ERR_INFO_NOKEY);
	REFUSED(MPI_Info_set(info, long_key, "v"), MPI_ERR_INFO_KEY);
	REFUSED(MPI_Comm_set_errhandler(comm, MPI_ERRHANDLER_NULL),
		MPI_ERR_ERRHANDLER);
	MPI_Info_free(&info);
	REFUSED(MPI_Comm_split_type(comm, 7, 0, MPI_INFO_NULL, &comm),
		MPI_ERR_ARG);
}

/* ---- handlers ---- */

static int calls, class_seen;
static MPI_Comm comm_seen;

static void handler(MPI_Comm *on, int *code, ...)
{
	calls++;
	comm_seen = *on;
	MPI_Error_class(*code, &class_seen);
}

static void handlers(void)
{
	MPI_Errhandler made, got;
	MPI_Comm dup, child;
	int x = 0;

	calls = 0;
	MPI_Comm_dup(comm, &dup);
	MPI_Comm_create_errhandler(handler, &made);
	MPI_Comm_set_errhandler(dup, made);
	MPI_Comm_get_errhandler(dup, &got);
	CHECK(got == made);
	MPI_Errhandler_free(&got);
	MPI_Errhandler_free(&made);
	CHECK(made == MPI_ERRHANDLER_NULL);
	MPI_Comm_dup(dup, &child);
	REFUSED(MPI_Send(&x, 1, MPI_INT, size, 0, dup), MPI_ERR_RANK);
	CHECK(calls == 1 && class_seen == MPI_ERR_RANK && comm_seen == dup);
	MPI_Comm_free(&dup);
	REFUSED(MPI_Send(&x, 1, MPI_INT, 0, -1, child), MPI_ERR_TAG);
	CHECK(calls == 2 && class_seen == MPI_ERR_TAG && comm_seen == child);
	MPI_Comm_call_errhandler(child, MPI_ERR_OTHER);
	CHECK(calls == 3 && class_seen == MPI_ERR_OTHER);
	MPI_Comm_free(&child);
	MPI_Comm_get_errhandler(comm, &got);
	CHECK(got == MPI_ERRORS_RETURN);
}

static void own_classes(void)
{
	int class = 0, code = 0, have = 0, length = 0, *last = NULL, flag = 0;
	char text[MPI_MAX_ERROR_STRING] = "";

	MPI_Add_error_class(&class);
	MPI_Add_error_code(class, &code);
	CHECK(class > MPI_ERR_LASTCODE && code > class);
	MPI_Add_error_string(code, "the mesh is torn");
	MPI_Error_class(code, &have);
	CHECK(have == class);
	MPI_Error_string(code, text, &length);
	CHECK(!strcmp(text, "the mesh is torn"));
	MPI_Error_string(class, text, &length);
	CHECK(length == 0);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
	CHECK(flag && *last >= code);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "of messages", messages },
		{ "of messages that are cut off", cut_off },
		{ "numbers as they were given", numbers },
		{ "of collectives", collectives },
		{ "of other objects", objects },
		{ "of rare classes", rare },
		{ "handlers", handlers },
		{ "classes of the program", own_classes }
	};

	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	return check_run(NULL, NULL, cases, CHECK_COUNT(cases));
}
