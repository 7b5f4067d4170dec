/* SPDX-License-Identifier: BSD-3-Clause */
/* Matched messages: modes, wildcards, statuses, requests of all kinds. */
#include "tests/mpi/check.h"

#define RIGHT ((rank + 1) % size)
#define LEFT ((rank + size - 1) % size)

static void expect(const MPI_Status *status, int source, int tag, int ints)
{
	int count = -1, cancelled = 1;

	CHECK(status->MPI_SOURCE == source);
	CHECK(status->MPI_TAG == tag);
	MPI_Get_count(status, MPI_INT, &count);
	CHECK(count == ints);
	MPI_Test_cancelled(status, &cancelled);
	CHECK(!cancelled);
}

static void modes(void)
{
	static int (*const begin[])(const void *, int, MPI_Datatype, int, int,
				    MPI_Comm, MPI_Request *) = {
		MPI_Isend, MPI_Issend
	};

	for (int i = 0; i < CHECK_COUNT(begin); i++) {
		int in[3] = { rank, i, 7 }, out[4] = { -1, -1, -1, -1 };
		MPI_Request request;
		MPI_Status status;

		begin[i](in, 3, MPI_INT, RIGHT, 5 + i, MPI_COMM_WORLD,
			 &request);
		MPI_Recv(out, 4, MPI_INT, LEFT, 5 + i, MPI_COMM_WORLD,
			 &status);
		expect(&status, LEFT, 5 + i, 3);
		CHECK(out[0] == LEFT && out[1] == i && out[2] == 7);
		CHECK(out[3] == -1);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		CHECK(request == MPI_REQUEST_NULL);
	}
}

static void wildcards(void)
{
	int sum = 0;

	if (rank) {
		MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
		return;
	}
	for (int i = 1; i < size; i++) {
		int from = -1;
		MPI_Status status;

		MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
			 MPI_COMM_WORLD, &status);
		expect(&status, from, from, 1);
		sum += from;
	}
	CHECK(sum == size * (size - 1) / 2);
}

static void nobody(void)
{
	MPI_Status status = { .MPI_SOURCE = 0 };
	MPI_Request request;
	int x = 5;

	MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
	expect(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
	MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, &status);
	expect(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
	CHECK(x == 5);
	request = MPI_REQUEST_NULL;
	MPI_Wait(&request, &status);
	expect(&status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
}

#define MANY 100

static void all_of_many(void)
{
	MPI_Request requests[2 * MANY];
	MPI_Status statuses[2 * MANY];
	int in[MANY], out[MANY], flag = 0;

	for (int i = 0; i < MANY; i++) {
		in[i] = rank * MANY + i;
		MPI_Irecv(&out[i], 1, MPI_INT, LEFT, i, MPI_COMM_WORLD,
			  &requests[2 * i]);
		MPI_Isend(&in[i], 1, MPI_INT, RIGHT, i, MPI_COMM_WORLD,
			  &requests[2 * i + 1]);
	}
	MPI_Waitall(2 * MANY, requests, statuses);
	for (int i = 0; i < MANY; i++) {
		expect(&statuses[2 * i], LEFT, i, 1);
		CHECK(out[i] == LEFT * MANY + i);
		CHECK(requests[2 * i] == MPI_REQUEST_NULL);
		CHECK(requests[2 * i + 1] == MPI_REQUEST_NULL);
	}
	MPI_Testall(2 * MANY, requests, &flag, MPI_STATUSES_IGNORE);
	CHECK(flag);
}

/* A request completes only once all others have been told before. */
static void one_by_one(void)
{
	MPI_Request requests[4] = {
		MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
		MPI_REQUEST_NULL
	};
	MPI_Status status;
	int out[4], index = -1, flag = 0;

	MPI_Testany(4, requests, &index, &flag, &status);
	CHECK(flag && index == MPI_UNDEFINED);
	for (int i = 1; i < 4; i++)
		MPI_Irecv(&out[i], 1, MPI_INT, LEFT, i, MPI_COMM_WORLD,
			  &requests[i]);
	for (int i = 3; i >= 1; i--)
		MPI_Send(&i, 1, MPI_INT, RIGHT, i, MPI_COMM_WORLD);
	for (int i = 1; i < 4; i++) {
		MPI_Waitany(4, requests, &index, &status);
		CHECK(index >= 1 && index < 4);
		expect(&status, LEFT, index, 1);
		CHECK(requests[index] == MPI_REQUEST_NULL);
		CHECK(out[index] == index);
	}
	MPI_Waitany(4, requests, &index, &status);
	CHECK(index == MPI_UNDEFINED);
}

static void some(void)
{
	MPI_Request requests[3] = {
		MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL
	};
	MPI_Status statuses[3];
	int out[3], indices[3], n = 0, done = 0;

	MPI_Waitsome(3, requests, &n, indices, statuses);
	CHECK(n == MPI_UNDEFINED);
	for (int i = 0; i < 3; i++)
		MPI_Irecv(&out[i], 1, MPI_INT, LEFT, i, MPI_COMM_WORLD,
			  &requests[i]);
	for (int i = 0; i < 3; i++)
		MPI_Send(&i, 1, MPI_INT, RIGHT, i, MPI_COMM_WORLD);
	while (done < 3) {
		MPI_Waitsome(3, requests, &n, indices, statuses);
		if (!CHECK(n >= 1 && n <= 3 - done))
			break;
		for (int i = 0; i < n; i++)
			expect(&statuses[i], LEFT, indices[i], 1);
		done += n;
	}
}

static void persistent(void)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];
	int in = 0, out = -1;

	MPI_Send_init(&in, 1, MPI_INT, RIGHT, 2, MPI_COMM_WORLD, &requests[0]);
	MPI_Recv_init(&out, 1, MPI_INT, LEFT, 2, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, statuses);
	expect(&statuses[1], MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
	for (int i = 0; i < 3; i++) {
		in = rank + i;
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, statuses);
		expect(&statuses[1], LEFT, 2, 1);
		CHECK(out == LEFT + i);
		CHECK(requests[1] != MPI_REQUEST_NULL);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	CHECK(requests[0] == MPI_REQUEST_NULL);
}

static void cancelled(void)
{
	MPI_Request request;
	MPI_Status status;
	int x, flag = 0;

	MPI_Irecv(&x, 1, MPI_INT, LEFT, 99, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
	MPI_Test_cancelled(&status, &flag);
	CHECK(flag);
}

static void probes(void)
{
	MPI_Message message;
	MPI_Request request;
	MPI_Status status;
	int in[2] = { rank, 1 }, out[2] = { -1, -1 }, flag = 0;

	MPI_Isend(in, 2, MPI_INT, RIGHT, 4, MPI_COMM_WORLD, &request);
	MPI_Probe(LEFT, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
	expect(&status, LEFT, 4, 2);
	MPI_Mprobe(LEFT, 4, MPI_COMM_WORLD, &message, &status);
	expect(&status, LEFT, 4, 2);
	MPI_Iprobe(LEFT, 4, MPI_COMM_WORLD, &flag, &status);
	CHECK(!flag);
	MPI_Mrecv(out, 2, MPI_INT, &message, &status);
	expect(&status, LEFT, 4, 2);
	CHECK(message == MPI_MESSAGE_NULL);
	CHECK(out[0] == LEFT && out[1] == 1);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Improbe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, &flag, &message,
		    &status);
	CHECK(flag && message == MPI_MESSAGE_NO_PROC);
	MPI_Imrecv(out, 2, MPI_INT, &message, &request);
	CHECK(message == MPI_MESSAGE_NULL);
	MPI_Wait(&request, &status);
	expect(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
}

static void replaced(void)
{
	int x[2] = { rank, rank + 1 };
	MPI_Status status;

	MPI_Sendrecv_replace(x, 2, MPI_INT, RIGHT, 6, LEFT, 6, MPI_COMM_WORLD,
			     &status);
	expect(&status, LEFT, 6, 2);
	CHECK(x[0] == LEFT && x[1] == LEFT + 1);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "modes of sends", modes },
		{ "any source, any tag", wildcards },
		{ "nobody", nobody },
		{ "all of many requests", all_of_many },
		{ "any of several requests", one_by_one },
		{ "some of several requests", some },
		{ "persistent requests", persistent },
		{ "a cancelled receive", cancelled },
		{ "probes, and what they take", probes },
		{ "replaced memory", replaced }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
