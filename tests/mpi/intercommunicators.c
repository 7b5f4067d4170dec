/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of two groups: even ranks and odd ones. */
#include "tests/mpi/check.h"

static MPI_Comm inter;
static int side, near_size, remote_size, own;

/* Two groups, of which rank 0 and rank 1 are the leaders. */
static int have_two(void)
{
	MPI_Comm half;

	if (size < 2)
		return 0;
	side = rank % 2;
	MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !side, 9, &inter);
	MPI_Comm_free(&half);
	near_size = (size + 1 - side) / 2;
	remote_size = size - near_size;
	own = rank / 2;
	return 1;
}

static int root_of(int which, int root)
{
	if (side != which)
		return root;
	return own == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void facts(void)
{
	int flag = -1, n = -1, r = -1, result = -1;
	MPI_Group group;
	MPI_Comm dup;

	MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
	CHECK(!flag);
	if (!have_two())
		return;
	MPI_Comm_test_inter(inter, &flag);
	CHECK(flag);
	MPI_Comm_rank(inter, &r);
	MPI_Comm_size(inter, &n);
	CHECK(r == own && n == near_size);
	MPI_Comm_remote_size(inter, &n);
	CHECK(n == remote_size);
	MPI_Comm_remote_group(inter, &group);
	MPI_Group_size(group, &n);
	MPI_Group_rank(group, &r);
	CHECK(n == remote_size && r == MPI_UNDEFINED);
	MPI_Group_free(&group);
	MPI_Topo_test(inter, &result);
	CHECK(result == MPI_UNDEFINED);
	MPI_Comm_dup(inter, &dup);
	MPI_Comm_compare(inter, dup, &result);
	CHECK(result == MPI_CONGRUENT);
	MPI_Comm_compare(inter, MPI_COMM_WORLD, &result);
	CHECK(result == MPI_UNEQUAL);
	MPI_Comm_free(&dup);
	MPI_Comm_free(&inter);
	CHECK(inter == MPI_COMM_NULL);
}

static void messages(void)
{
	MPI_Status status;
	MPI_Request request[16];
	int x, sum = 0, partner;

	if (!have_two())
		return;
	for (int r = 0; r < remote_size; r++)
		MPI_Isend(&rank, 1, MPI_INT, r, 4, inter, &request[r]);
	for (int r = 0; r < remote_size; r++) {
		MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 4, inter, &status);
		CHECK(x == 2 * status.MPI_SOURCE + !side);
		sum += status.MPI_SOURCE;
	}
	CHECK(sum == remote_size * (remote_size - 1) / 2);
	MPI_Waitall(remote_size, request, MPI_STATUSES_IGNORE);
	partner = own < remote_size ? own : MPI_PROC_NULL;
	MPI_Sendrecv(&rank, 1, MPI_INT, partner, 5, &x, 1, MPI_INT, partner, 5,
		     inter, &status);
	CHECK(own >= remote_size || x == (rank ^ 1));
	MPI_Comm_free(&inter);
}

/* From and to the last rank of either side. */
static void rooted(void)
{
	int all[16], x, y;

	if (!have_two())
		return;
	for (int which = 0; which < 2; which++) {
		int from = (size + 1 - which) / 2 - 1;
		int root = root_of(which, from);
		int is_root = root == MPI_ROOT;

		x = is_root ? 77 : -1;
		MPI_Bcast(&x, 1, MPI_INT, root, inter);
		CHECK(x == (side != which || is_root ? 77 : -1));
		for (int r = 0; r < 16; r++)
			all[r] = -1;
		MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, inter);
		for (int r = 0; is_root && r < remote_size; r++)
			CHECK(all[r] == 2 * r + !side);
		for (int r = 0; r < 16; r++)
			all[r] = 10 * r;
		y = -1;
		MPI_Scatter(all, 1, MPI_INT, &y, 1, MPI_INT, root, inter);
		CHECK(y == (side == which ? -1 : 10 * own));
		x = 1;
		y = -1;
		MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, root, inter);
		CHECK(y == (is_root ? remote_size : -1));
	}
	MPI_Barrier(inter);
	MPI_Comm_free(&inter);
}

static void rootless(void)
{
	int all[16], to[16], counts[16], displs[16], x = -1;
	MPI_Request request;

	if (!have_two())
		return;
	MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_MAX, inter);
	CHECK(x == 2 * (remote_size - 1) + !side);
	MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, inter);
	for (int r = 0; r < remote_size; r++)
		CHECK(all[r] == 2 * r + !side);
	for (int r = 0; r < 16; r++) {
		to[r] = 100 * rank + r;
		counts[r] = 1;
		displs[r] = r;
	}
	MPI_Alltoall(to, 1, MPI_INT, all, 1, MPI_INT, inter);
	for (int r = 0; r < remote_size; r++)
		CHECK(all[r] == 100 * (2 * r + !side) + own);
	memset(all, 0, sizeof(all));
	MPI_Ialltoallv(to, counts, displs, MPI_INT, all, counts, displs,
		       MPI_INT, inter, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int r = 0; r < remote_size; r++)
		CHECK(all[r] == 100 * (2 * r + !side) + own);
	x = -1;
	MPI_Iallreduce(&rank, &x, 1, MPI_INT, MPI_SUM, inter, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(x == remote_size * (remote_size - 1) + remote_size * !side);
	MPI_Comm_free(&inter);
}

/* Each rank has a datatype for each of the other side. */
static void typed(void)
{
	int all[16], to[16], counts[16], displs[16];
	MPI_Datatype types[16];

	if (!have_two())
		return;
	for (int r = 0; r < 16; r++) {
		to[r] = 100 * rank + r;
		all[r] = -1;
		counts[r] = 1;
		displs[r] = r * (int)sizeof(int);
		types[r] = MPI_INT;
	}
	MPI_Alltoallw(to, counts, displs, types, all, counts, displs, types,
		      inter);
	for (int r = 0; r < 16; r++)
		CHECK(all[r] == (r < remote_size ?
				 100 * (2 * r + !side) + own : -1));
	MPI_Comm_free(&inter);
}

static void merged(void)
{
	MPI_Comm one;
	int r = -1, n = -1;

	if (!have_two())
		return;
	MPI_Intercomm_merge(inter, side == 0, &one);
	MPI_Comm_rank(one, &r);
	MPI_Comm_size(one, &n);
	CHECK(n == size);
	CHECK(r == (side ? own : remote_size + own));
	MPI_Comm_free(&one);
	MPI_Comm_free(&inter);
}

/* Of pairs of ranks, one of each side; who has no partner is in none. */
static void parts(void)
{
	MPI_Comm pair;
	int x = -1, alone = own >= near_size || own >= remote_size;

	if (!have_two())
		return;
	alone = own >= remote_size;
	MPI_Comm_split(inter, own, 0, &pair);
	CHECK((pair == MPI_COMM_NULL) == alone);
	if (pair != MPI_COMM_NULL) {
		MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_SUM, pair);
		CHECK(x == (rank ^ 1));
		MPI_Comm_free(&pair);
	}
	MPI_Comm_free(&inter);
}

static void refusals(void)
{
	int class, n = 0;
	MPI_Group group;
	MPI_Comm made;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Error_class(MPI_Comm_remote_size(MPI_COMM_WORLD, &n), &class);
	CHECK(class == MPI_ERR_COMM);
	MPI_Error_class(MPI_Comm_remote_group(MPI_COMM_WORLD, &group), &class);
	CHECK(class == MPI_ERR_COMM);
	MPI_Error_class(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &made), &class);
	CHECK(class == MPI_ERR_COMM && made == MPI_COMM_NULL);
	if (have_two()) {
		MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
		MPI_Error_class(MPI_Scan(&rank, &n, 1, MPI_INT, MPI_SUM, inter),
				&class);
		CHECK(class == MPI_ERR_COMM);
		MPI_Error_class(MPI_Bcast(&n, 1, MPI_INT, remote_size, inter),
				&class);
		CHECK(class == MPI_ERR_ROOT);
		MPI_Error_class(MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT,
					      MPI_SUM, inter), &class);
		CHECK(class == MPI_ERR_BUFFER);
		MPI_Comm_free(&inter);
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "facts", facts },
		{ "messages", messages },
		{ "with a root", rooted },
		{ "without a root", rootless },
		{ "datatypes of each rank", typed },
		{ "merged", merged },
		{ "parts", parts },
		{ "refusals", refusals }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
