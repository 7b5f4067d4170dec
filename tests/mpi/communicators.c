/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, groups, names, attributes and hints. */
#include "tests/mpi/check.h"

static void splits(void)
{
	MPI_Comm half, none;
	int r = -1, n = -1;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
	MPI_Comm_rank(half, &r);
	MPI_Comm_size(half, &n);
	CHECK(n == (size + 1 - rank % 2) / 2);
	CHECK(r == n - 1 - rank / 2);
	MPI_Comm_free(&half);
	CHECK(half == MPI_COMM_NULL);
	MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none);
	CHECK(none == MPI_COMM_NULL);
}

static void compares(void)
{
	MPI_Comm dup, turned;
	int result = -1;

	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
	MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result);
	CHECK(result == MPI_IDENT);
	MPI_Comm_compare(MPI_COMM_WORLD, dup, &result);
	CHECK(result == MPI_CONGRUENT);
	MPI_Comm_compare(dup, turned, &result);
	CHECK(result == (size > 1 ? MPI_SIMILAR : MPI_CONGRUENT));
	MPI_Comm_compare(dup, MPI_COMM_SELF, &result);
	CHECK(result == (size > 1 ? MPI_UNEQUAL : MPI_CONGRUENT));
	MPI_Comm_free(&dup);
	MPI_Comm_free(&turned);
}

static void groups(void)
{
	MPI_Group world, first, rest, both;
	int range[1][3] = { { 0, size - 1, 2 } }, n = -1, result = -1;
	int in[2] = { 0, MPI_PROC_NULL }, out[2] = { -1, -1 };
	MPI_Comm comm;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_range_incl(world, 1, range, &first);
	MPI_Group_difference(world, first, &rest);
	MPI_Group_size(first, &n);
	CHECK(n == (size + 1) / 2);
	MPI_Group_rank(first, &n);
	CHECK(n == (rank % 2 ? MPI_UNDEFINED : rank / 2));
	MPI_Group_translate_ranks(first, 2, in, rest, out);
	CHECK(out[0] == MPI_UNDEFINED && out[1] == MPI_PROC_NULL);
	MPI_Group_union(first, rest, &both);
	MPI_Group_compare(both, world, &result);
	CHECK(result == (size > 2 ? MPI_SIMILAR : MPI_IDENT));
	MPI_Comm_create(MPI_COMM_WORLD, first, &comm);
	CHECK((comm == MPI_COMM_NULL) == rank % 2);
	if (comm != MPI_COMM_NULL)
		MPI_Comm_free(&comm);
	if (rank % 2 == 0) {
		MPI_Comm_create_group(MPI_COMM_WORLD, first, 5, &comm);
		MPI_Comm_rank(comm, &n);
		CHECK(n == rank / 2);
		MPI_Comm_free(&comm);
	}
	MPI_Group_free(&world);
	MPI_Group_free(&first);
	MPI_Group_free(&rest);
	MPI_Group_free(&both);
	CHECK(both == MPI_GROUP_NULL);
}

static void names(void)
{
	char name[MPI_MAX_OBJECT_NAME] = "";
	int length = -1;
	MPI_Comm dup;

	MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
	CHECK(!strcmp(name, "MPI_COMM_WORLD") && length == 14);
	MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
	CHECK(!strcmp(name, "MPI_COMM_SELF"));
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_get_name(dup, name, &length);
	CHECK(!strcmp(name, "") && length == 0);
	MPI_Comm_set_name(dup, "halo");
	MPI_Comm_get_name(dup, name, &length);
	CHECK(!strcmp(name, "halo") && length == 4);
	MPI_Comm_free(&dup);
}

/* ---- attributes ---- */

static int copies, deletes;

static int copy(MPI_Comm comm, int keyval, void *extra, void *value, void *to,
		int *flag)
{
	CHECK(comm == MPI_COMM_WORLD && extra == &copies);
	CHECK(keyval != MPI_KEYVAL_INVALID);
	*(void **)to = (char *)value + 1;
	*flag = 1;
	copies++;
	return MPI_SUCCESS;
}

static int del(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm;
	(void)keyval;
	(void)value;
	CHECK(extra == &copies);
	deletes++;
	return MPI_SUCCESS;
}

static void attributes(void)
{
	static char memory[4];
	int keys[3], flag = 0;
	void *value = NULL;
	MPI_Comm dup;

	copies = deletes = 0;
	MPI_Comm_create_keyval(copy, del, &keys[0], &copies);
	MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN,
			       &keys[1], NULL);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN,
			       &keys[2], NULL);
	for (int i = 0; i < 3; i++)
		MPI_Comm_set_attr(MPI_COMM_WORLD, keys[i], &memory[i]);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	CHECK(copies == 1);
	MPI_Comm_get_attr(dup, keys[0], &value, &flag);
	CHECK(flag && value == &memory[1]);
	MPI_Comm_get_attr(dup, keys[1], &value, &flag);
	CHECK(flag && value == &memory[1]);
	MPI_Comm_get_attr(dup, keys[2], &value, &flag);
	CHECK(!flag);
	MPI_Comm_free(&dup);
	CHECK(deletes == 1);
	for (int i = 0; i < 3; i++) {
		MPI_Comm_delete_attr(MPI_COMM_WORLD, keys[i]);
		MPI_Comm_free_keyval(&keys[i]);
		CHECK(keys[i] == MPI_KEYVAL_INVALID);
	}
	CHECK(deletes == 2);
}

static void of_the_library(void)
{
	int *value = NULL, flag = 0;

	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
	CHECK(flag && *value >= 32767);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
	CHECK(flag && (*value == 0 || *value == 1));
	CHECK(MPI_Wtime() >= 0 && MPI_Wtick() > 0);
}

/* ---- hints ---- */

static void hints(void)
{
	MPI_Info info, got;
	MPI_Comm dup;
	char value[20] = "", key[MPI_MAX_INFO_KEY] = "";
	int flag = 0, n = 0;

	MPI_Info_create(&info);
	MPI_Info_set(info, "grid", "27");
	MPI_Info_set(info, "time", "1.5");
	MPI_Info_set(info, "grid", "28");
	MPI_Info_get_nkeys(info, &n);
	CHECK(n == 2);
	MPI_Info_get_nthkey(info, 1, key);
	CHECK(!strcmp(key, "time"));
	MPI_Info_get(info, "grid", 1, value, &flag);
	CHECK(flag && !strcmp(value, "2"));
	MPI_Info_get_valuelen(info, "grid", &n, &flag);
	CHECK(flag && n == 2);
	MPI_Info_get(info, "none", 10, value, &flag);
	CHECK(!flag);
	MPI_Info_dup(info, &got);
	MPI_Info_delete(got, "grid");
	MPI_Info_get_nkeys(got, &n);
	CHECK(n == 1);
	MPI_Info_free(&got);
	CHECK(got == MPI_INFO_NULL);
	MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &dup);
	MPI_Info_free(&info);
	MPI_Comm_get_info(dup, &got);
	CHECK(got != MPI_INFO_NULL);
	MPI_Info_free(&got);
	MPI_Comm_free(&dup);
}

static void later(void)
{
	MPI_Comm dup = MPI_COMM_NULL;
	MPI_Request request;
	int sum = 0;

	MPI_Comm_idup(MPI_COMM_WORLD, &dup, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, dup);
	CHECK(sum == size * (size - 1) / 2);
	MPI_Comm_free(&dup);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "splits", splits },
		{ "comparisons", compares },
		{ "groups", groups },
		{ "names", names },
		{ "attributes and their callbacks", attributes },
		{ "attributes of the library", of_the_library },
		{ "hints", hints },
		{ "a duplicate that comes later", later }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
