/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The generated mesh: any piece of any mesh equals the same rows of the whole,
 * and the whole equals a definition by distance.  And the blocks of rows.
 */
#include "examples/cg/cg_mesh.h"
#include "examples/cg/cg_partition.h"
#include "tests/tap.h"

static const struct cg_mesh meshes[] = {
	{ { 1, 1, 1 } }, { { 2, 1, 1 } }, { { 1, 3, 1 } }, { { 1, 1, 4 } },
	{ { 2, 2, 2 } }, { { 3, 4, 5 } }, { { 5, 1, 3 } }, { { 7, 6, 2 } },
};
#define MESHES ((int)(sizeof(meshes) / sizeof(meshes[0])))

/* Within one step along each axis? */
static bool near(const struct cg_mesh *mesh, int64_t i, int64_t j)
{
	for (int axis = 0; axis < 3; axis++) {
		if (llabs(i % mesh->n[axis] - j % mesh->n[axis]) > 1)
			return false;
		i /= mesh->n[axis];
		j /= mesh->n[axis];
	}
	return true;
}

static void whole_mesh(const struct cg_mesh *mesh)
{
	int64_t rows = cg_mesh_rows(mesh), i, j, k = 0;
	struct cg_csr a;
	struct cg_why why;

	TAP_EQUAL(cg_mesh_rows_make(mesh, 0, rows, &a, &why), 0);
	for (i = 0; i < rows; i++) {
		TAP_EQUAL(cg_mesh_before(mesh, i), k);
		TAP_EQUAL(a.start[i], k);
		for (j = 0; j < rows; j++) {
			if (!near(mesh, i, j))
				continue;
			TAP_EQUAL(a.col[k], j);
			TAP_CHECK(a.val[k] == (i == j ? 26.0 : -1.0));
			k++;
		}
	}
	TAP_EQUAL(cg_mesh_before(mesh, rows), k);
	TAP_EQUAL(cg_csr_make_symmetric(&a, &why), 0);
	cg_csr_free(&a);
}

static void definition(void)
{
	for (int m = 0; m < MESHES; m++)
		whole_mesh(&meshes[m]);
}

static void compare_piece(const struct cg_csr *piece, const struct cg_csr *all,
			  int64_t first)
{
	int64_t begin = all->start[first], n = cg_csr_entries(piece);

	for (int64_t i = 0; i <= piece->rows; i++)
		TAP_EQUAL(piece->start[i], all->start[first + i] - begin);
	TAP_CHECK(memcmp(piece->col, all->col + begin,
			 (size_t)n * sizeof(*piece->col)) == 0);
	TAP_CHECK(memcmp(piece->val, all->val + begin,
			 (size_t)n * sizeof(*piece->val)) == 0);
}

static void pieces(void)
{
	const struct cg_mesh *mesh = &meshes[5];
	int64_t rows = cg_mesh_rows(mesh), first, n;
	struct cg_csr all, piece;
	struct cg_why why;

	TAP_EQUAL(cg_mesh_rows_make(mesh, 0, rows, &all, &why), 0);
	for (first = 0; first <= rows; first += 7) {
		for (n = 0; first + n <= rows; n += 5) {
			TAP_EQUAL(cg_mesh_rows_make(mesh, first, n, &piece,
						    &why), 0);
			compare_piece(&piece, &all, first);
			cg_csr_free(&piece);
		}
	}
	cg_csr_free(&all);
}

static void sizes(void)
{
	static const struct cg_mesh zero = { { 4, 0, 4 } };
	static const struct cg_mesh large = { { 4000000, 4000000, 4000000 } };
	static const struct cg_mesh most = { { 600000, 600000, 600000 } };
	struct cg_why why;

	TAP_EQUAL(cg_mesh_check(&zero, &why), -1);
	TAP_EQUAL(cg_mesh_check(&large, &why), -1);
	TAP_CHECK(strstr(why.text, "4000000,4000000,4000000"));
	TAP_EQUAL(cg_mesh_check(&most, &why), 0);
	TAP_EQUAL(cg_mesh_before(&most, cg_mesh_rows(&most)),
		  1799998LL * 1799998 * 1799998);
}

static int64_t mesh_before(const void *mesh, int64_t row)
{
	return cg_mesh_before(mesh, row);
}

static void check_blocks(const struct cg_mesh *mesh, int ranks)
{
	int64_t rows = cg_mesh_rows(mesh), fair, i;
	struct cg_blocks blocks;
	struct cg_why why;
	int r;

	TAP_EQUAL(cg_blocks_alloc(&blocks, ranks, &why), 0);
	cg_partition(&blocks, rows, mesh_before, mesh);
	fair = cg_mesh_before(mesh, rows) / ranks;
	TAP_CHECK(blocks.row[0] == 0 && blocks.row[ranks] == rows);
	for (r = 0; r < ranks; r++) {
		TAP_CHECK(blocks.row[r] <= blocks.row[r + 1]);
		/* one row and one rounding more than fair at most */
		TAP_CHECK(blocks.entry[r + 1] - blocks.entry[r] <= fair + 28);
		for (i = blocks.row[r]; i < blocks.row[r + 1]; i++)
			TAP_EQUAL(cg_blocks_owner(&blocks, i), r);
	}
	TAP_EQUAL(blocks.entry[ranks], cg_mesh_before(mesh, rows));
	cg_blocks_free(&blocks);
}

static void blocks(void)
{
	for (int m = 0; m < MESHES; m++)
		for (int ranks = 1; ranks <= 70; ranks++)
			check_blocks(&meshes[m], ranks);
}

/* More entries than a product with the rank would leave room for. */
static void blocks_of_large_mesh(void)
{
	static const struct cg_mesh mesh = { { 600000, 600000, 600000 } };
	struct cg_blocks large;
	struct cg_why why;
	int r;

	TAP_EQUAL(cg_blocks_alloc(&large, 1000, &why), 0);
	cg_partition(&large, cg_mesh_rows(&mesh), mesh_before, &mesh);
	for (r = 0; r < 1000; r++)
		TAP_CHECK(llabs(large.entry[r + 1] - large.entry[r] -
				large.entry[1000] / 1000) < 100);
	cg_blocks_free(&large);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "definition", definition },
		{ "pieces", pieces },
		{ "sizes", sizes },
		{ "blocks", blocks },
		{ "blocks of a large mesh", blocks_of_large_mesh },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
