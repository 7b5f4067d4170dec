/* SPDX-License-Identifier: BSD-3-Clause */
/* How a program begins and ends, right and wrong, as its argument says. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static int finish(void)
{
	MPI_Finalize();
	return 0;
}

static int is(const char *what, const char *argument)
{
	return !strcmp(what, argument);
}

/* What can be called at any time. */
static void any_time(void)
{
	int version = 0, subversion = 0, flag = 0;
	char value[100];
	MPI_Info info;

	MPI_Get_version(&version, &subversion);
	MPI_Info_create(&info);
	MPI_Info_set(info, "key", "value");
	MPI_Info_get(info, "key", 99, value, &flag);
	MPI_Info_free(&info);
	MPI_Initialized(&flag);
	printf("version %d.%d %s %s\n", version, subversion, value,
	       flag ? "after" : "before");
	fflush(stdout);		/* what ends the process does not */
}

/* The last rank dies, of which the others hear by their receives from it. */
static int bereaved(void)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int x = 0, code, class = 0, length = 0;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == size - 1)
		raise(SIGKILL);
	code = MPI_Recv(&x, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
	MPI_Error_class(code, &class);
	MPI_Error_string(code, text, &length);
	printf("class %d %s\n", class == MPI_ERR_PROC_ABORTED, text);
	return finish();
}

static int wrong(const char *argument)
{
	int x = 0, code = 0;
	MPI_Datatype made;

	if (is(argument, "twice"))
		return MPI_Init(NULL, NULL);
	if (is(argument, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (is(argument, "fatal"))
		return MPI_Send(&x, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD);
	if (is(argument, "fatal-type"))
		return MPI_Type_contiguous(-1, MPI_INT, &made);
	if (is(argument, "return")) {
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
		code = MPI_Send(&x, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
		printf("goes on %d\n", code != MPI_SUCCESS);
		return finish();
	}
	if (is(argument, "bereaved"))
		return bereaved();
	if (is(argument, "after")) {
		finish();
		any_time();
		return MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	}
	return finish();
}

/* Of all processes, by a session that is not the first one. */
static int sum_by_session(void)
{
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm, none;
	int one = 1, sum = -1;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Session_finalize(&session);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "ends", MPI_INFO_NULL,
				   MPI_ERRORS_RETURN, &comm);
	MPI_Group_free(&group);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Comm_split(comm, MPI_UNDEFINED, 0, &none);
	if (none != MPI_COMM_NULL)
		sum = -2;
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
	return sum;
}

/* Without MPI_Init, or with one whose MPI_Finalize a session outlives. */
static int sessions(const char *argument)
{
	MPI_Session session;
	int flag = -1;

	if (is(argument, "sessions")) {
		printf("sum %d\n", sum_by_session());
		MPI_Initialized(&flag);
		printf("initialised %d\n", flag);
		return 0;
	}
	MPI_Init(NULL, NULL);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Finalize();
	printf("sum %d\n", sum_by_session());
	MPI_Session_finalize(&session);
	return 0;
}

int main(int argc, char **argv)
{
	const char *argument = argc > 1 ? argv[1] : "";
	int provided = -1;

	any_time();
	if (is(argument, "before"))
		return MPI_Barrier(MPI_COMM_WORLD);
	if (is(argument, "threads")) {
		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
		printf("level %d\n", provided == MPI_THREAD_MULTIPLE);
		return finish();
	}
	if (is(argument, "sessions") || is(argument, "session-last"))
		return sessions(argument);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	return wrong(argument);
}
