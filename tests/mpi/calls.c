/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that no other program here makes: most of them ask for something. */
#include "tests/mpi/check.h"

#define LEFT ((rank + size - 1) % size)
#define RIGHT ((rank + 1) % size)

static int class_of(int code)
{
	int class = -1;

	MPI_Error_class(code, &class);
	return class;
}

static void process(void)
{
	char name[MPI_MAX_PROCESSOR_NAME] = "";
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int flag = -1, length = 0, level = -1;
	MPI_Comm parent = MPI_COMM_WORLD;

	MPI_Finalized(&flag);
	CHECK(flag == 0);
	MPI_Get_processor_name(name, &length);
	CHECK(length > 0 && length == (int)strlen(name));
	MPI_Get_library_version(version, &length);
	CHECK(length > 0 && length == (int)strlen(version));
	MPI_Query_thread(&level);
	CHECK(level == MPI_THREAD_SINGLE);
	MPI_Is_thread_main(&flag);
	CHECK(flag == 1);
	MPI_Comm_get_parent(&parent);
	CHECK(parent == MPI_COMM_NULL);
	CHECK(MPI_Pcontrol(1, "anything") == MPI_SUCCESS);
	CHECK(MPI_Aint_add(40, 2) == 42);
}

static void interface(void)
{
	int version = -1, subversion = -1, flag = -1;
	int yes = 1, no = 0, true_value = -1, false_value = -1;
	char value[10] = "";
	MPI_Info info;

	MPI_Abi_get_version(&version, &subversion);
	CHECK(version == MPI_ABI_VERSION && subversion == MPI_ABI_SUBVERSION);
	MPI_Abi_get_info(&info);
	MPI_Info_get(info, "mpi_count_size", 9, value, &flag);
	CHECK(flag && !strcmp(value, "8"));
	MPI_Info_free(&info);
	MPI_Abi_get_fortran_info(&info);
	MPI_Info_get(info, "mpi_integer_size", 9, value, &flag);
	CHECK(flag && !strcmp(value, "4"));
	MPI_Info_free(&info);
	MPI_Abi_get_fortran_booleans(4, &true_value, &false_value, &flag);
	CHECK(flag == 0);
	CHECK(MPI_Abi_set_fortran_booleans(4, &yes, &no) == MPI_SUCCESS);
	MPI_Abi_get_fortran_booleans(4, &true_value, &false_value, &flag);
	CHECK(flag == 1 && true_value == 1 && false_value == 0);
	CHECK(class_of(MPI_Abi_set_fortran_booleans(4, &yes, &no)) ==
	      MPI_ERR_ABI);
}

/* ---- requests and statuses ---- */

static void tested(void)
{
	int x[2] = { rank, -rank }, y[2] = { -1, -1 }, flag = 0;
	MPI_Request receive, send;
	MPI_Status status;

	MPI_Irecv(y, 2, MPI_INT, LEFT, 3, MPI_COMM_WORLD, &receive);
	MPI_Isend(x, 2, MPI_INT, RIGHT, 3, MPI_COMM_WORLD, &send);
	while (!flag)
		MPI_Test(&receive, &flag, &status);
	CHECK(receive == MPI_REQUEST_NULL);
	CHECK(status.MPI_SOURCE == LEFT && status.MPI_TAG == 3);
	CHECK(y[0] == LEFT && y[1] == -LEFT);
	flag = 0;
	while (!flag)
		MPI_Test(&send, &flag, MPI_STATUS_IGNORE);
	flag = 0;
	MPI_Test(&send, &flag, &status);	/* of none */
	CHECK(flag && status.MPI_SOURCE == MPI_ANY_SOURCE);
}

static void tested_some(void)
{
	enum { N = 5 };
	int in[N], indices[N], n = 0, seen = 0, total = 0;
	MPI_Request requests[N];
	MPI_Status statuses[N];

	for (int i = 0; i < N; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, LEFT, i, MPI_COMM_WORLD,
			  &requests[i]);
	for (int i = N - 1; i >= 0; i--)
		MPI_Send(&i, 1, MPI_INT, RIGHT, i, MPI_COMM_WORLD);
	while (total < N) {
		MPI_Testsome(N, requests, &n, indices, statuses);
		if (!CHECK(n >= 0))
			break;
		for (int i = 0; i < n; i++) {
			CHECK(statuses[i].MPI_TAG == indices[i]);
			CHECK(in[indices[i]] == indices[i]);
			seen |= 1 << indices[i];
		}
		total += n;
	}
	CHECK(total == N && seen == (1 << N) - 1);
	MPI_Testsome(N, requests, &n, indices, statuses);
	CHECK(n == MPI_UNDEFINED);
}

static void statuses(void)
{
	int value = -1, flag = 0;
	MPI_Count n = -1;
	MPI_Status status;

	memset(&status, 0, sizeof(status));
	MPI_Status_set_source(&status, 5);
	MPI_Status_set_tag(&status, 6);
	MPI_Status_set_error(&status, MPI_ERR_TRUNCATE);
	CHECK(status.MPI_SOURCE == 5 && status.MPI_TAG == 6 &&
	      status.MPI_ERROR == MPI_ERR_TRUNCATE);
	MPI_Status_get_source(&status, &value);
	CHECK(value == 5);
	MPI_Status_get_tag(&status, &value);
	CHECK(value == 6);
	MPI_Status_get_error(&status, &value);
	CHECK(value == MPI_ERR_TRUNCATE);
	MPI_Status_set_elements_x(&status, MPI_INT, 9);
	MPI_Get_elements_x(&status, MPI_INT, &n);
	CHECK(n == 9);
	MPI_Test_cancelled(&status, &flag);
	CHECK(flag == 0);
	MPI_Status_set_cancelled(&status, 1);
	MPI_Test_cancelled(&status, &flag);
	CHECK(flag == 1);
	MPI_Get_elements_x(&status, MPI_INT, &n);
	CHECK(n == 9);
}

static void buffers(void)
{
	static char room[1000];
	void *was = NULL;
	int bytes = 0, x = rank, y = -1;
	MPI_Comm dup;
	MPI_Request request;

	MPI_Buffer_attach(room, sizeof(room));
	MPI_Bsend(&x, 1, MPI_INT, RIGHT, 0, MPI_COMM_WORLD);
	MPI_Recv(&y, 1, MPI_INT, LEFT, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Buffer_iflush(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Buffer_flush();
	MPI_Buffer_detach(&was, &bytes);
	CHECK(was == room && bytes == (int)sizeof(room) && y == LEFT);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_attach_buffer(dup, room, sizeof(room));
	MPI_Bsend(&x, 1, MPI_INT, LEFT, 0, dup);
	MPI_Recv(&y, 1, MPI_INT, RIGHT, 0, dup, MPI_STATUS_IGNORE);
	bytes = 0;
	MPI_Comm_detach_buffer(dup, &was, &bytes);
	CHECK(was == room && bytes == (int)sizeof(room) && y == RIGHT);
	MPI_Comm_free(&dup);
}

/* ---- collectives ---- */

static void collectives(void)
{
	int a[2] = { 3, 4 }, b[2] = { 5, 6 };
	MPI_Request request;

	MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	CHECK(request == MPI_REQUEST_NULL);
	MPI_Reduce_local(a, b, 2, MPI_INT, MPI_PROD);
	CHECK(b[0] == 15 && b[1] == 24);
}

/* ---- groups, communicators, hints ---- */

static void groups(void)
{
	int range[1][3] = { { 0, size - 1, 2 } }, first[1] = { 0 };
	int n = -1, result = -1, even = (size + 1) / 2;
	MPI_Group world, odd, rest, none, same;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_range_excl(world, 1, range, &odd);
	MPI_Group_size(odd, &n);
	CHECK(n == size - even);
	MPI_Group_rank(odd, &n);
	CHECK(n == (rank % 2 ? rank / 2 : MPI_UNDEFINED));
	MPI_Group_excl(world, 1, first, &rest);
	MPI_Group_rank(rest, &n);
	CHECK(n == (rank ? rank - 1 : MPI_UNDEFINED));
	MPI_Group_intersection(rest, odd, &same);
	MPI_Group_compare(same, odd, &result);
	CHECK(result == MPI_IDENT);
	MPI_Group_intersection(odd, MPI_GROUP_EMPTY, &none);
	MPI_Group_size(none, &n);
	CHECK(n == 0);
	MPI_Group_free(&world);
	MPI_Group_free(&odd);
	MPI_Group_free(&rest);
	MPI_Group_free(&same);
	MPI_Group_free(&none);
}

static void hints(void)
{
	char value[10] = "";
	int flag = 0, length = 4, n = 0;
	MPI_Comm dup = MPI_COMM_NULL;
	MPI_Info info, got;
	MPI_Request request;

	MPI_Info_create(&info);
	MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
	MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &dup, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_set_info(dup, info);
	MPI_Comm_get_info(dup, &got);
	MPI_Info_get_string(got, "mpi_assert_no_any_tag", &length, value,
			    &flag);
	CHECK(flag && !strcmp(value, "tru") && length == 5);
	length = 0;
	MPI_Info_get_string(got, "mpi_assert_no_any_tag", &length, NULL,
			    &flag);
	CHECK(flag && length == 5);
	MPI_Info_free(&got);
	MPI_Info_free(&info);
	MPI_Comm_free(&dup);
	MPI_Info_create_env(0, NULL, &info);
	CHECK(MPI_Info_get_nkeys(info, &n) == MPI_SUCCESS);
	MPI_Info_free(&info);
}

static void topologies(void)
{
	int dims[1] = { size }, periods[1] = { 1 }, place = -2;
	int index[2] = { 1, 2 }, edges[2] = { 1, 0 };
	int index_got[2] = { -1, -1 }, edges_got[2] = { -1, -1 };
	MPI_Comm graph;

	MPI_Cart_map(MPI_COMM_WORLD, 1, dims, periods, &place);
	CHECK(place >= 0 && place < size);
	if (size < 2)
		return;
	MPI_Graph_map(MPI_COMM_WORLD, 2, index, edges, &place);
	CHECK(place == MPI_UNDEFINED || (place >= 0 && place < 2));
	MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
	CHECK((graph == MPI_COMM_NULL) == (rank > 1));
	if (graph == MPI_COMM_NULL)
		return;
	MPI_Graph_get(graph, 2, 2, index_got, edges_got);
	CHECK(!memcmp(index, index_got, sizeof(index)));
	CHECK(!memcmp(edges, edges_got, sizeof(edges)));
	MPI_Comm_free(&graph);
}

/* ---- datatypes ---- */

static void sizes(void)
{
	MPI_Count bytes = -1, lb = -1, extent = -1;
	MPI_Datatype type, dup;

	MPI_Type_vector(2, 1, 3, MPI_INT, &type);
	MPI_Type_dup(type, &dup);
	MPI_Type_size_x(dup, &bytes);
	CHECK(bytes == 8);
	MPI_Type_get_extent_x(dup, &lb, &extent);
	CHECK(lb == 0 && extent == 16);
	MPI_Type_get_true_extent_x(dup, &lb, &extent);
	CHECK(lb == 0 && extent == 16);
	MPI_Type_free(&type);
	MPI_Type_free(&dup);
	MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &type);
	CHECK(type == MPI_DOUBLE_INT);
	MPI_Type_get_value_index(MPI_CHAR, MPI_CHAR, &type);
	CHECK(type == MPI_DATATYPE_NULL);
	MPI_Type_create_f90_integer(9, &type);
	MPI_Type_size_x(type, &bytes);
	CHECK(bytes == 4);
	MPI_Type_create_f90_complex(15, 300, &type);
	MPI_Type_size_x(type, &bytes);
	CHECK(bytes == 16);
}

static void attributes(void)
{
	static int kept;
	void *value = NULL;
	int key = MPI_KEYVAL_INVALID, flag = -1;
	MPI_Datatype type, dup;

	MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key,
			       NULL);
	MPI_Type_contiguous(2, MPI_INT, &type);
	MPI_Type_set_attr(type, key, &kept);
	MPI_Type_dup(type, &dup);
	MPI_Type_get_attr(dup, key, &value, &flag);
	CHECK(flag && value == &kept);
	MPI_Type_delete_attr(type, key);
	MPI_Type_get_attr(type, key, &value, &flag);
	CHECK(!flag);
	MPI_Type_set_attr(MPI_DOUBLE, key, &kept);
	MPI_Type_get_attr(MPI_DOUBLE, key, &value, &flag);
	CHECK(flag && value == &kept);
	MPI_Type_delete_attr(MPI_DOUBLE, key);
	MPI_Type_free(&type);
	MPI_Type_free(&dup);
	MPI_Type_free_keyval(&key);
	CHECK(key == MPI_KEYVAL_INVALID);
}

/* ---- handles as integers; classes that go again ---- */

static void integers(void)
{
	MPI_Datatype type;
	MPI_Info info;
	MPI_Message message = MPI_MESSAGE_NULL;
	MPI_Request request;
	MPI_Session session;
	int x = rank, y = -1;

	MPI_Type_contiguous(2, MPI_INT, &type);
	CHECK(MPI_Type_fromint(MPI_Type_toint(type)) == type);
	MPI_Type_free(&type);
	MPI_Info_create(&info);
	CHECK(MPI_Info_fromint(MPI_Info_toint(info)) == info);
	MPI_Info_free(&info);
	CHECK(MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM);
	CHECK(MPI_Errhandler_fromint(MPI_Errhandler_toint(
		MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
	MPI_Isend(&x, 1, MPI_INT, RIGHT, 2, MPI_COMM_WORLD, &request);
	CHECK(MPI_Request_fromint(MPI_Request_toint(request)) == request);
	MPI_Mprobe(LEFT, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	CHECK(MPI_Message_fromint(MPI_Message_toint(message)) == message);
	MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	CHECK(y == LEFT);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	CHECK(MPI_Session_fromint(MPI_Session_toint(session)) == session);
	MPI_Session_finalize(&session);
}

static void classes(void)
{
	int class = 0, code = 0, length = -1;
	char text[MPI_MAX_ERROR_STRING] = "";

	MPI_Add_error_class(&class);
	MPI_Add_error_code(class, &code);
	MPI_Add_error_string(code, "the mesh is torn");
	CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
	MPI_Remove_error_string(code);
	MPI_Error_string(code, text, &length);
	CHECK(length == 0);
	CHECK(MPI_Remove_error_code(code) == MPI_SUCCESS);
	CHECK(MPI_Remove_error_class(class) == MPI_SUCCESS);
	CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "the process", process },
		{ "the binary interface", interface },
		{ "tests of a request", tested },
		{ "tests of some requests", tested_some },
		{ "statuses", statuses },
		{ "buffers", buffers },
		{ "collectives", collectives },
		{ "groups", groups },
		{ "hints", hints },
		{ "topologies", topologies },
		{ "sizes", sizes },
		{ "attributes of datatypes", attributes },
		{ "integers", integers },
		{ "classes of errors", classes }
	};

	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	return check_run(NULL, NULL, cases, CHECK_COUNT(cases));
}
