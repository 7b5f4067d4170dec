/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions beside MPI_Init and without it, two at once and many in turn;
 * communicators of groups alone.
 */
#include "tests/mpi/check.h"

enum { TURNS = 1000 };

static MPI_Comm comm_of(MPI_Session session, const char *set, const char *tag)
{
	MPI_Group group;
	MPI_Comm comm;

	MPI_Group_from_session_pset(session, set, &group);
	MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL,
				   MPI_ERRORS_RETURN, &comm);
	MPI_Group_free(&group);
	return comm;
}

static void check_sum(MPI_Comm comm, int n)
{
	int one = 1, sum = -1;

	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	CHECK(sum == n);
}

static void two(void)
{
	MPI_Session first, second;
	MPI_Comm all, alone;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
	CHECK(first != second && first != MPI_SESSION_NULL);
	all = comm_of(first, "mpi://WORLD", "all");
	alone = comm_of(second, "MPI://self", "alone");
	check_sum(all, size);
	check_sum(alone, 1);
	MPI_Comm_free(&all);
	MPI_Session_finalize(&first);
	CHECK(first == MPI_SESSION_NULL);
	check_sum(alone, 1);
	MPI_Comm_free(&alone);
	MPI_Session_finalize(&second);
}

static void turns(void)
{
	MPI_Session session;
	MPI_Comm all;

	for (int i = 0; i < TURNS; i++) {
		MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
		if (i % 100 == 0) {
			all = comm_of(session, "mpi://WORLD", "turn");
			check_sum(all, size);
			MPI_Comm_free(&all);
		}
		MPI_Session_finalize(&session);
	}
	CHECK(session == MPI_SESSION_NULL);
}

static void sets(void)
{
	char name[MPI_MAX_PSET_NAME_LEN], value[20];
	MPI_Session session;
	MPI_Info info;
	int n = -1, length = 0, flag = 0;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n);
	CHECK(n == 2);
	strcpy(name, "kept");
	MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
	CHECK(length == 12 && !strcmp(name, "kept"));
	MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
	CHECK(length == 12 && !strcmp(name, "mpi://WORLD"));
	length = 5;
	MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 1, &length, name);
	CHECK(length == 11 && !strcmp(name, "mpi:"));
	MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
	MPI_Info_get(info, "mpi_size", 19, value, &flag);
	CHECK(flag && atoi(value) == size);
	MPI_Info_free(&info);
	MPI_Session_get_info(session, &info);
	MPI_Info_get(info, "thread_level", 19, value, &flag);
	CHECK(flag && !strncmp(value, "MPI_THREAD_", 11));
	MPI_Info_free(&info);
	MPI_Session_finalize(&session);
}

/* ---- errors ---- */

static MPI_Session told_of;
static int told;

static void note(MPI_Session *session, int *code, ...)
{
	told_of = *session;
	told = *code;
}

static int class_of(int code)
{
	int class = -1;

	MPI_Error_class(code, &class);
	return class;
}

static void errors(void)
{
	MPI_Errhandler handler, have;
	MPI_Session session;
	MPI_Group group;
	int n = 0, code;

	MPI_Session_create_errhandler(note, &handler);
	MPI_Session_init(MPI_INFO_NULL, handler, &session);
	MPI_Session_get_errhandler(session, &have);
	CHECK(have == handler);
	MPI_Errhandler_free(&have);
	MPI_Errhandler_free(&handler);
	CHECK(handler == MPI_ERRHANDLER_NULL);
	code = MPI_Group_from_session_pset(session, "mpi://NONE", &group);
	CHECK(class_of(code) == MPI_ERR_ARG && group == MPI_GROUP_NULL);
	CHECK(told == code && told_of == session);
	code = MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 2, &n, NULL);
	CHECK(class_of(code) == MPI_ERR_ARG && told == code);
	MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
	CHECK(told == MPI_ERR_OTHER);
	MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN);
	told = 0;
	code = MPI_Group_from_session_pset(session, "x", &group);
	CHECK(class_of(code) == MPI_ERR_ARG && !told);
	MPI_Session_finalize(&session);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	CHECK(class_of(MPI_Session_finalize(&session)) == MPI_ERR_SESSION);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

static void failed(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	told = *code;
}

/* A group without this rank: the handler of the call hears of it. */
static void refused(void)
{
	MPI_Errhandler handler;
	MPI_Group world, group;
	MPI_Comm comm = MPI_COMM_WORLD;
	int other = (rank + 1) % size, code;

	if (size < 2)
		return;
	MPI_Comm_create_errhandler(failed, &handler);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &other, &group);
	code = MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", MPI_INFO_NULL,
					  handler, &comm);
	CHECK(class_of(code) == MPI_ERR_GROUP && told == code);
	code = MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "x", MPI_INFO_NULL,
					  handler, &comm);
	CHECK(!code && comm == MPI_COMM_NULL);
	code = MPI_Comm_create_from_group(group, "x", MPI_INFO_NULL, handler,
					  &comm);
	CHECK(class_of(code) == MPI_ERR_GROUP && told == code);
	CHECK(comm == MPI_COMM_NULL);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	MPI_Errhandler_free(&handler);
}

/* Even ranks and odd ones, without a communicator of both. */
static void joined(void)
{
	MPI_Group world, half[2];
	MPI_Comm inter;
	int n = -1, side = rank % 2;
	int range[2][1][3] = { { { 0, size - 1, 2 } }, { { 1, size - 1, 2 } } };

	if (size < 2)
		return;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	for (int i = 0; i < 2; i++)
		MPI_Group_range_incl(world, 1, range[i], &half[i]);
	MPI_Intercomm_create_from_groups(half[side], 0, half[!side], 0, "join",
					 MPI_INFO_NULL, MPI_ERRORS_RETURN,
					 &inter);
	MPI_Comm_remote_size(inter, &n);
	CHECK(n == (size + side) / 2);
	check_sum(inter, n);
	MPI_Comm_free(&inter);
	for (int i = 0; i < 2; i++)
		MPI_Group_free(&half[i]);
	MPI_Group_free(&world);
}

static void buffers(void)
{
	static char memory[10000];
	MPI_Session session;
	MPI_Request request;
	MPI_Comm all;
	void *have = NULL;
	int n = -1, x = -1, to = (rank + 1) % size;
	MPI_Count large = -1;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	all = comm_of(session, "mpi://WORLD", "buffers");
	MPI_Session_attach_buffer(session, memory, sizeof(memory));
	MPI_Bsend(&rank, 1, MPI_INT, to, 0, all);
	MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, all, MPI_STATUS_IGNORE);
	CHECK(x == (rank + size - 1) % size);
	MPI_Session_flush_buffer(session);
	MPI_Session_iflush_buffer(session, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Session_detach_buffer(session, &have, &n);
	CHECK(have == memory && n == (int)sizeof(memory));
	MPI_Session_attach_buffer_c(session, memory, sizeof(memory));
	MPI_Session_detach_buffer_c(session, &have, &large);
	CHECK(have == memory && large == (MPI_Count)sizeof(memory));
	MPI_Comm_free(&all);
	MPI_Session_finalize(&session);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "two at once", two },
		{ "a thousand in turn", turns },
		{ "sets of processes", sets },
		{ "errors", errors },
		{ "a refused group", refused },
		{ "two groups", joined },
		{ "buffers", buffers }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
