/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes: how they lie, how they were made, packed and unpacked. */
#include "tests/mpi/check.h"

#define LEFT ((rank + size - 1) % size)
#define RIGHT ((rank + 1) % size)

static void columns(void)
{
	double in[4][5], out[4];
	MPI_Datatype column, resized;
	MPI_Aint lb, extent;
	int bytes = 0;

	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 5; j++)
			in[i][j] = 100 * rank + 10 * i + j;
	}
	MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
	MPI_Type_create_resized(column, 0, sizeof(double), &resized);
	MPI_Type_commit(&resized);
	MPI_Type_size(resized, &bytes);
	CHECK(bytes == 32);
	MPI_Type_get_extent(column, &lb, &extent);
	CHECK(lb == 0 && extent == 16 * 8);
	MPI_Type_get_extent(resized, &lb, &extent);
	CHECK(lb == 0 && extent == 8);
	MPI_Type_get_true_extent(resized, &lb, &extent);
	CHECK(lb == 0 && extent == 16 * 8);
	MPI_Sendrecv(&in[0][2], 1, resized, RIGHT, 0, out, 4, MPI_DOUBLE, LEFT,
		     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i < 4; i++)
		CHECK(out[i] == 100 * LEFT + 10 * i + 2);
	MPI_Type_free(&column);
	MPI_Type_free(&resized);
	CHECK(column == MPI_DATATYPE_NULL);
}

struct particle {
	char kind;
	double x[3];
	int id;
};

static void structs(void)
{
	struct particle in = { 'p', { 1, 2, 3 }, rank }, out;
	int lengths[3] = { 1, 3, 1 };
	MPI_Datatype types[3] = { MPI_CHAR, MPI_DOUBLE, MPI_INT }, made;
	MPI_Aint displs[3], base;

	memset(&out, 0, sizeof(out));
	MPI_Get_address(&in, &base);
	MPI_Get_address(&in.kind, &displs[0]);
	MPI_Get_address(&in.x, &displs[1]);
	MPI_Get_address(&in.id, &displs[2]);
	for (int i = 0; i < 3; i++)
		displs[i] = MPI_Aint_diff(displs[i], base);
	MPI_Type_create_struct(3, lengths, displs, types, &made);
	MPI_Type_commit(&made);
	MPI_Sendrecv(&in, 1, made, RIGHT, 0, &out, 1, made, LEFT, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(out.kind == 'p' && out.x[2] == 3 && out.id == LEFT);
	MPI_Type_free(&made);
}

/* Addresses from MPI_BOTTOM. */
static void absolute(void)
{
	int in[2] = { rank, rank + 1 }, out[2] = { -1, -1 };
	int lengths[2] = { 1, 1 };
	MPI_Aint from[2], to[2];
	MPI_Datatype source, target;

	for (int i = 0; i < 2; i++) {
		MPI_Get_address(&in[i], &from[i]);
		MPI_Get_address(&out[1 - i], &to[i]);
	}
	MPI_Type_create_hindexed(2, lengths, from, MPI_INT, &source);
	MPI_Type_create_hindexed(2, lengths, to, MPI_INT, &target);
	MPI_Type_commit(&source);
	MPI_Type_commit(&target);
	MPI_Sendrecv(MPI_BOTTOM, 1, source, RIGHT, 0, MPI_BOTTOM, 1, target,
		     LEFT, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(out[0] == LEFT + 1 && out[1] == LEFT);
	MPI_Bcast(MPI_BOTTOM, 1, rank ? target : source, 0, MPI_COMM_WORLD);
	CHECK(rank == 0 || (out[0] == 1 && out[1] == 0));
	MPI_Type_free(&source);
	MPI_Type_free(&target);
}

static void contents(void)
{
	int ni = 0, na = 0, nt = 0, combiner = 0, ints[8];
	int blocks[2] = { 1, 2 }, displs[2] = { 4, 0 };
	MPI_Aint addresses[4];
	MPI_Datatype made, types[2];

	MPI_Type_indexed(2, blocks, displs, MPI_LONG, &made);
	MPI_Type_get_envelope(made, &ni, &na, &nt, &combiner);
	CHECK(combiner == MPI_COMBINER_INDEXED);
	CHECK(ni == 5 && na == 0 && nt == 1);
	MPI_Type_get_contents(made, ni, na, nt, ints, addresses, types);
	CHECK(ints[0] == 2 && ints[1] == 1 && ints[2] == 2);
	CHECK(ints[3] == 4 && ints[4] == 0);
	CHECK(types[0] == MPI_LONG);
	MPI_Type_free(&made);
	MPI_Type_create_hvector(3, 2, 40, MPI_LONG_LONG, &made);
	MPI_Type_get_envelope(made, &ni, &na, &nt, &combiner);
	CHECK(combiner == MPI_COMBINER_HVECTOR);
	CHECK(ni == 2 && na == 1 && nt == 1);
	MPI_Type_get_contents(made, ni, na, nt, ints, addresses, types);
	CHECK(ints[0] == 3 && ints[1] == 2 && addresses[0] == 40);
	CHECK(types[0] == MPI_LONG_LONG);
	MPI_Type_free(&made);
	MPI_Type_get_envelope(MPI_INT, &ni, &na, &nt, &combiner);
	CHECK(combiner == MPI_COMBINER_NAMED && !ni && !na && !nt);
}

static void arrays(void)
{
	int sizes[2] = { 4, 6 }, parts[2] = { 2, 3 }, starts[2] = { 1, 2 };
	int in[4][6], out[6], ni, na, nt, combiner, ints[8];
	MPI_Aint addresses[1];
	MPI_Datatype made, types[1];

	for (int i = 0; i < 24; i++)
		in[i / 6][i % 6] = i;
	MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT,
				 &made);
	MPI_Type_commit(&made);
	MPI_Sendrecv(in, 1, made, RIGHT, 0, out, 6, MPI_INT, LEFT, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i < 6; i++)
		CHECK(out[i] == 6 * (1 + i / 3) + 2 + i % 3);
	MPI_Type_get_envelope(made, &ni, &na, &nt, &combiner);
	CHECK(combiner == MPI_COMBINER_SUBARRAY && ni == 8 && na == 0);
	MPI_Type_get_contents(made, 8, 1, 1, ints, addresses, types);
	CHECK(ints[0] == 2 && ints[1] == 4 && ints[4] == 3 && ints[6] == 2);
	CHECK(ints[7] == MPI_ORDER_C && types[0] == MPI_INT);
	MPI_Type_free(&made);
}

static void distributed(void)
{
	int gsizes[1] = { 10 }, psizes[1] = { 3 }, bytes = 0, all = 0;
	int how[1] = { MPI_DISTRIBUTE_CYCLIC };
	int blocks[1] = { MPI_DISTRIBUTE_DFLT_DARG };
	MPI_Datatype made;

	for (int r = 0; r < 3; r++) {
		MPI_Type_create_darray(3, r, 1, gsizes, how, blocks, psizes,
				       MPI_ORDER_C, MPI_INT, &made);
		MPI_Type_size(made, &bytes);
		all += bytes;
		MPI_Type_free(&made);
	}
	CHECK(all == 40);
}

static void packed(void)
{
	char room[100];
	int position = 0, a = rank, b = -1, bytes = 0;
	double x = 1.5, y = 0;

	MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &bytes);
	CHECK(bytes >= 4);
	MPI_Pack(&a, 1, MPI_INT, room, 100, &position, MPI_COMM_WORLD);
	MPI_Pack(&x, 1, MPI_DOUBLE, room, 100, &position, MPI_COMM_WORLD);
	MPI_Sendrecv_replace(room, position, MPI_PACKED, RIGHT, 0, LEFT, 0,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	position = 0;
	MPI_Unpack(room, 100, &position, &b, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Unpack(room, 100, &position, &y, 1, MPI_DOUBLE, MPI_COMM_WORLD);
	CHECK(b == LEFT && y == 1.5);
}

static void external(void)
{
	char room[8];
	MPI_Aint position = 0, bytes = 0;
	int a = 0x01020304, b = 0;

	MPI_Pack_external_size("external32", 1, MPI_INT, &bytes);
	CHECK(bytes == 4);
	MPI_Pack_external("external32", &a, 1, MPI_INT, room, 8, &position);
	CHECK(position == 4 && room[0] == 1 && room[3] == 4);
	position = 0;
	MPI_Unpack_external("external32", room, 8, &position, &b, 1, MPI_INT);
	CHECK(b == a);
}

static void names(void)
{
	char name[MPI_MAX_OBJECT_NAME] = "";
	int length = -1;
	MPI_Datatype made;

	MPI_Type_get_name(MPI_UNSIGNED_LONG, name, &length);
	CHECK(!strcmp(name, "MPI_UNSIGNED_LONG"));
	MPI_Type_contiguous(2, MPI_INT, &made);
	MPI_Type_get_name(made, name, &length);
	CHECK(!length && !*name);
	MPI_Type_set_name(made, "two");
	MPI_Type_get_name(made, name, &length);
	CHECK(length == 3 && !strcmp(name, "two"));
	MPI_Type_free(&made);
}

static void kinds(void)
{
	MPI_Datatype one, two, matched;
	int ni = 0, na = 0, nt = 0, combiner = 0, ints[2], bytes = 0;

	MPI_Type_create_f90_real(10, 30, &one);
	MPI_Type_create_f90_real(10, 30, &two);
	CHECK(one == two);
	MPI_Type_size(one, &bytes);
	CHECK(bytes == 8);
	MPI_Type_get_envelope(one, &ni, &na, &nt, &combiner);
	CHECK(combiner == MPI_COMBINER_F90_REAL && ni == 2 && !na && !nt);
	MPI_Type_get_contents(one, 2, 0, 0, ints, NULL, NULL);
	CHECK(ints[0] == 10 && ints[1] == 30);
	MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &matched);
	MPI_Type_size(matched, &bytes);
	CHECK(bytes == 4);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "columns", columns },
		{ "structs", structs },
		{ "addresses from MPI_BOTTOM", absolute },
		{ "contents", contents },
		{ "parts of arrays", arrays },
		{ "distributed arrays", distributed },
		{ "packed data", packed },
		{ "packed data for any machine", external },
		{ "names", names },
		{ "kinds of Fortran", kinds }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
