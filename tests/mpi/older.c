/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that the binary interface leaves out: Fortran's, and those of MPI-1. */
#define WEFT_MPI_FORTRAN
#define WEFT_MPI_LEGACY
#include "tests/mpi/check.h"

static void handles(void)
{
	MPI_Comm comm;
	MPI_Group group;
	MPI_Info info;
	MPI_Op op = MPI_Op_f2c(MPI_Op_c2f(MPI_MAXLOC));
	MPI_Datatype type = MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE));
	MPI_Fint number;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	number = MPI_Comm_c2f(comm);
	CHECK(number > 0 && MPI_Comm_f2c(number) == comm);
	MPI_Comm_free(&comm);
	MPI_Comm_group(MPI_COMM_WORLD, &group);
	CHECK(MPI_Group_f2c(MPI_Group_c2f(group)) == group);
	MPI_Group_free(&group);
	MPI_Info_create(&info);
	CHECK(MPI_Info_f2c(MPI_Info_c2f(info)) == info);
	MPI_Info_free(&info);
	CHECK(op == MPI_MAXLOC && type == MPI_DOUBLE);
	CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRORS_RETURN)) ==
	      MPI_ERRORS_RETURN);
	CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) ==
	      MPI_REQUEST_NULL);
	CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) ==
	      MPI_MESSAGE_NULL);
	CHECK(MPI_Session_f2c(MPI_Session_c2f(MPI_SESSION_NULL)) ==
	      MPI_SESSION_NULL);
}

static void statuses(void)
{
	MPI_Fint f[MPI_F_STATUS_SIZE], g[MPI_F_STATUS_SIZE];
	MPI_Status status, back;
	MPI_F08_status f08;
	int x = rank, count = -1;

	MPI_Sendrecv(&rank, 1, MPI_INT, rank, 7, &x, 1, MPI_INT, rank, 7,
		     MPI_COMM_WORLD, &status);
	status.MPI_ERROR = MPI_ERR_OTHER;
	MPI_Status_c2f(&status, f);
	CHECK(f[MPI_F_SOURCE] == rank && f[MPI_F_TAG] == 7 &&
	      f[MPI_F_ERROR] == MPI_ERR_OTHER);
	MPI_Status_f2f08(f, &f08);
	MPI_Status_f082f(&f08, g);
	CHECK(!memcmp(f, g, sizeof(f)));
	MPI_Status_f082c(&f08, &back);
	MPI_Status_c2f08(&back, &f08);
	MPI_Status_f2c(f, &back);
	MPI_Get_count(&back, MPI_INT, &count);
	CHECK(count == 1 && f08.MPI_TAG == 7);
}

static int deleted;

static int count_deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm;
	(void)keyval;
	(void)extra;
	deleted += *(int *)value;
	return MPI_SUCCESS;
}

static void attributes(void)
{
	int keyval = MPI_KEYVAL_INVALID, value = 3, flag = -1, *have = NULL;

	MPI_Keyval_create(MPI_DUP_FN, count_deleted, &keyval, NULL);
	MPI_Attr_put(MPI_COMM_SELF, keyval, &value);
	MPI_Attr_get(MPI_COMM_SELF, keyval, &have, &flag);
	CHECK(flag && have == &value);
	MPI_Attr_delete(MPI_COMM_SELF, keyval);
	CHECK(deleted == 3);
	MPI_Keyval_free(&keyval);
	CHECK(keyval == MPI_KEYVAL_INVALID);
}

static int told;

static void note(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	told = *code;
}

static void handlers(void)
{
	MPI_Errhandler handler, have;
	int x = 0, code;

	MPI_Errhandler_create(note, &handler);
	MPI_Errhandler_set(MPI_COMM_WORLD, handler);
	MPI_Errhandler_get(MPI_COMM_WORLD, &have);
	CHECK(have == handler);
	code = MPI_Send(&x, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
	CHECK(code && told == code);
	MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&have);
	MPI_Errhandler_free(&handler);
}

static void datatypes(void)
{
	struct pair {
		double x;
		char c;
	} pair = { 0, 0 };
	int blocks[2] = { 1, 1 };
	MPI_Aint displs[2], first, lb = -1, ub = -1, extent = -1;
	MPI_Datatype types[2] = { MPI_DOUBLE, MPI_CHAR }, made[3];

	MPI_Address(&pair, &first);
	MPI_Address(&pair.x, &displs[0]);
	MPI_Address(&pair.c, &displs[1]);
	displs[0] -= first;
	displs[1] -= first;
	MPI_Type_struct(2, blocks, displs, types, &made[0]);
	MPI_Type_extent(made[0], &extent);
	CHECK(extent == (MPI_Aint)sizeof(pair));
	MPI_Type_hvector(2, 1, 24, MPI_DOUBLE, &made[1]);
	MPI_Type_lb(made[1], &lb);
	MPI_Type_ub(made[1], &ub);
	CHECK(lb == 0 && ub == 32);
	displs[0] = -8;
	MPI_Type_hindexed(2, blocks, displs, MPI_DOUBLE, &made[2]);
	MPI_Type_lb(made[2], &lb);
	MPI_Type_ub(made[2], &ub);
	CHECK(lb == -8 && ub == 16);
	for (int i = 0; i < 3; i++)
		MPI_Type_free(&made[i]);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "handles", handles },
		{ "statuses", statuses },
		{ "attributes", attributes },
		{ "handlers of errors", handlers },
		{ "datatypes", datatypes }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
