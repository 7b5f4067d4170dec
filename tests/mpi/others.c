/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles as integers, buffered sends, looks at requests, hardware. */
#include "tests/mpi/check.h"

#define LEFT ((rank + size - 1) % size)
#define RIGHT ((rank + 1) % size)

static void integers(void)
{
	MPI_Comm dup;
	MPI_Group group;
	int n;

	CHECK(MPI_Comm_toint(MPI_COMM_WORLD) == 0x101);
	CHECK(MPI_Type_fromint(0x209) == MPI_INT);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	n = MPI_Comm_toint(dup);
	CHECK(n > 0xfff && MPI_Comm_toint(dup) == n);
	CHECK(MPI_Comm_fromint(n) == dup);
	MPI_Comm_group(dup, &group);
	CHECK(MPI_Group_toint(group) != n);
	CHECK(MPI_Group_fromint(MPI_Group_toint(group)) == group);
	MPI_Group_free(&group);
	MPI_Comm_free(&dup);
}

static void buffered(void)
{
	static char room[1000];
	void *back = NULL;
	int bytes = 0, x = rank, y = -1;

	MPI_Buffer_attach(room, sizeof(room));
	MPI_Bsend(&x, 1, MPI_INT, RIGHT, 0, MPI_COMM_WORLD);
	MPI_Recv(&y, 1, MPI_INT, LEFT, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(y == LEFT);
	MPI_Buffer_detach(&back, &bytes);
	CHECK(back == room && bytes == (int)sizeof(room));
}

/* Elements of a message that ends within a datatype. */
static void partial(void)
{
	int in[3] = { 1, 2, 3 }, out[8], count = 0;
	MPI_Datatype pair;
	MPI_Status status;

	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Sendrecv(in, 3, MPI_INT, RIGHT, 0, out, 4, pair, LEFT, 0,
		     MPI_COMM_WORLD, &status);
	MPI_Get_count(&status, pair, &count);
	CHECK(count == MPI_UNDEFINED);
	MPI_Get_elements(&status, pair, &count);
	CHECK(count == 3);
	MPI_Status_set_elements(&status, pair, 4);
	MPI_Get_count(&status, pair, &count);
	CHECK(count == 2);
	MPI_Type_free(&pair);
}

static void disconnected(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Barrier(dup);
	MPI_Comm_disconnect(&dup);
	CHECK(dup == MPI_COMM_NULL);
}

static void looked_at(void)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];
	int in = rank, out = -1, flag = 0, index = -1, n = 0, indices[2];

	MPI_Irecv(&out, 1, MPI_INT, LEFT, 3, MPI_COMM_WORLD, &requests[0]);
	requests[1] = MPI_REQUEST_NULL;
	MPI_Send(&in, 1, MPI_INT, RIGHT, 3, MPI_COMM_WORLD);
	while (!flag)
		MPI_Request_get_status(requests[0], &flag, &statuses[0]);
	CHECK(statuses[0].MPI_SOURCE == LEFT && out == LEFT);
	MPI_Request_get_status_all(2, requests, &flag, statuses);
	CHECK(flag && statuses[0].MPI_TAG == 3);
	CHECK(statuses[1].MPI_TAG == MPI_ANY_TAG);
	MPI_Request_get_status_any(2, requests, &index, &flag, statuses);
	CHECK(flag && index == 0);
	MPI_Request_get_status_some(2, requests, &n, indices, statuses);
	CHECK(n == 1 && indices[0] == 0);
	CHECK(requests[0] != MPI_REQUEST_NULL);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void at_once(void)
{
	int in = rank, out = -1, x = rank;
	MPI_Request request;
	MPI_Status status;

	MPI_Isendrecv(&in, 1, MPI_INT, RIGHT, 4, &out, 1, MPI_INT, LEFT, 4,
		      MPI_COMM_WORLD, &request);
	MPI_Wait(&request, &status);
	CHECK(out == LEFT && status.MPI_SOURCE == LEFT);
	MPI_Isendrecv_replace(&x, 1, MPI_INT, LEFT, 5, RIGHT, 5,
			      MPI_COMM_WORLD, &request);
	MPI_Wait(&request, &status);
	CHECK(x == RIGHT && status.MPI_SOURCE == RIGHT);
}

static void shared(void)
{
	MPI_Comm node = MPI_COMM_NULL;
	MPI_Info info;
	int n = 0, flag = 0;
	char value[10] = "";

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
			    MPI_INFO_NULL, &node);
	MPI_Comm_size(node, &n);
	CHECK(n >= 1 && n <= size);
	MPI_Comm_free(&node);
	MPI_Get_hw_resource_info(&info);
	MPI_Info_get(info, "mpi_shared_memory", 9, value, &flag);
	CHECK(flag && !strcmp(value, "true"));
	MPI_Info_free(&info);
	MPI_Info_get(MPI_INFO_ENV, "thread_level", 9, value, &flag);
	CHECK(flag);
}

static void memory(void)
{
	int *x = NULL, sum = 0;

	MPI_Alloc_mem(100 * sizeof(int), MPI_INFO_NULL, &x);
	CHECK(x != NULL);
	x[99] = rank;
	MPI_Allreduce(&x[99], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(sum == size * (size - 1) / 2);
	MPI_Free_mem(x);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "handles as integers", integers },
		{ "buffered sends", buffered },
		{ "elements of a part", partial },
		{ "a communicator that is disconnected", disconnected },
		{ "requests that are looked at", looked_at },
		{ "sends and receives at once", at_once },
		{ "ranks that share something", shared },
		{ "memory", memory }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
