/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of datatypes that are made: what is refused, by a sentence that names
 * it; how long they live; what a recipe tells; what happens without memory.
 */
#include <limits.h>
#include <stdint.h>
#include "tests/fail_malloc.h"
#include "tests/sim/user_op.h"

static const struct weft_type *const base = &weft_type_int32;

static void refuses(const struct player *p, int status, int want,
		    const char *why)
{
	const char *text = weft_error_text(p->job);

	if (status != want || !strstr(text, why))
		wf_sim_fail(p->rank, "not \"%s\" but %s: \"%s\"", why,
			    weft_status_name(status), text);
}

static struct weft_type *make_vector(const struct player *p)
{
	struct weft_type *type;

	good(p, weft_type_vector(p->job, 3, 1, 2, base, &type), "vector");
	return type;
}

/* ---- what is refused ---- */

static void lists(const struct player *p)
{
	static const size_t one[] = { 1 };
	static const ptrdiff_t at[] = { 0 };
	const struct weft_type *const none[] = { NULL };
	struct weft_type *type = (struct weft_type *)p;

	refuses(p, weft_type_indexed(p->job, 1, NULL, at, base, &type),
		WEFT_ERR_ARG, "weft_type_indexed: block is NULL");
	if (type)
		wf_sim_fail(p->rank, "a handle is left");
	refuses(p, weft_type_hindexed(p->job, 1, one, NULL, base, &type),
		WEFT_ERR_ARG, "weft_type_hindexed: displs is NULL");
	refuses(p, weft_type_hindexed_block(p->job, 1, 1, NULL, base, &type),
		WEFT_ERR_ARG, "weft_type_hindexed_block: displs is NULL");
	refuses(p, weft_type_indexed_block(p->job, 1, 1, at, NULL, &type),
		WEFT_ERR_ARG, "weft_type_indexed_block: of is NULL");
	refuses(p, weft_type_struct(p->job, 1, one, at, NULL, &type),
		WEFT_ERR_ARG, "weft_type_struct: types is NULL");
	refuses(p, weft_type_struct(p->job, 1, one, at, none, &type),
		WEFT_ERR_ARG, "weft_type_struct: types[0] is NULL");
	refuses(p, weft_type_contiguous(p->job, 1, base, NULL), WEFT_ERR_ARG,
		"weft_type_contiguous: type_p is NULL");
	if (weft_type_contiguous(NULL, 1, base, &type) != WEFT_ERR_ARG)
		wf_sim_fail(p->rank, "without a job");
}

static void beyond(const struct player *p)
{
	static const ptrdiff_t far[] = { PTRDIFF_MAX / 2, PTRDIFF_MIN / 2 - 9 };
	static const char why[] = "exceed 2^63 bytes";
	struct weft_type *type;

	refuses(p, weft_type_contiguous(p->job, SIZE_MAX, base, &type),
		WEFT_ERR_RANGE, why);
	refuses(p, weft_type_vector(p->job, 3, 1, PTRDIFF_MAX / 2, base,
				    &type), WEFT_ERR_RANGE, why);
	refuses(p, weft_type_hvector(p->job, 3, 1, PTRDIFF_MAX / 2 + 1, base,
				     &type), WEFT_ERR_RANGE, why);
	refuses(p, weft_type_hindexed_block(p->job, 2, 1, far, base, &type),
		WEFT_ERR_RANGE, why);
	refuses(p, weft_type_indexed_block(p->job, 1, 1, far, base, &type),
		WEFT_ERR_RANGE, why);
	refuses(p, weft_type_resized(p->job, base, PTRDIFF_MAX, 1, &type),
		WEFT_ERR_RANGE, why);
}

static void arrays(const struct player *p)
{
	size_t sizes[] = { 4, 5 }, part[] = { 2, 2 }, starts[] = { 0, 4 };
	enum weft_distribution how[] = {
		WEFT_DISTRIBUTE_NONE, WEFT_DISTRIBUTE_BLOCK
	};
	int grid[] = { 1, 2 };
	size_t blocks[] = { 0, 2 };
	struct weft_subarray sub = { 2, sizes, part, starts, WEFT_ORDER_C };
	struct weft_darray dis = {
		2, 2, 0, sizes, how, blocks, grid, WEFT_ORDER_C
	};
	struct weft_type *type;

	refuses(p, weft_type_subarray(p->job, &sub, base, &type), WEFT_ERR_ARG,
		"dimension 1 has 5 indices, and not 2 from 4 on");
	sub.n = 0;
	refuses(p, weft_type_subarray(p->job, &sub, base, &type), WEFT_ERR_ARG,
		"part->n is 0");
	refuses(p, weft_type_subarray(p->job, NULL, base, &type), WEFT_ERR_ARG,
		"weft_type_subarray: part is NULL");
	refuses(p, weft_type_darray(p->job, &dis, base, &type), WEFT_ERR_ARG,
		"in dimension 1 2 blocks of 2 do not cover 5 indices");
	blocks[1] = 3;
	dis.rank = 2;
	refuses(p, weft_type_darray(p->job, &dis, base, &type), WEFT_ERR_ARG,
		"part->rank is 2, and ranks are 0 to 1");
	dis.ranks = 3;
	refuses(p, weft_type_darray(p->job, &dis, base, &type), WEFT_ERR_ARG,
		"part->ranks is 3, and the grid has 2");
	grid[0] = 2;
	refuses(p, weft_type_darray(p->job, &dis, base, &type), WEFT_ERR_ARG,
		"dimension 0 is not distributed, and part->grid[0] is 2");
	grid[0] = 0;
	refuses(p, weft_type_darray(p->job, &dis, base, &type), WEFT_ERR_ARG,
		"part->grid[0] is 0");
}

/* Nothing is moved with one that is not committed, or is no more. */
static void uses(const struct player *p)
{
	struct weft_type *type = make_vector(p), *like, *keep = type;
	struct weft_part part;
	int32_t x[8] = { 0 }, y[8] = { 0 };
	size_t at = 0;

	part = weft_part(x, 1, type);
	refuses(p, weft_send(p->world, x, 1, type, weft_to(0, 0)),
		WEFT_ERR_ARG, "weft_send: type was not committed: see "
		"weft_type_commit()");
	refuses(p, weft_bcast(p->world, part, 0), WEFT_ERR_ARG,
		"weft_bcast: data.type was not committed");
	refuses(p, weft_allgather(p->world, part, part), WEFT_ERR_ARG,
		"weft_allgather: send.type was not committed");
	refuses(p, weft_allreduce(p->world, y, part, &weft_op_sum),
		WEFT_ERR_ARG, "weft_allreduce: out.type was not committed");
	refuses(p, weft_pack(p->job, part, y, sizeof(y), &at), WEFT_ERR_ARG,
		"weft_pack: from.type was not committed");
	good(p, weft_type_dup(p->job, type, &like), "dup");
	refuses(p, weft_bcast(p->world, weft_part(x, 1, like), 0),
		WEFT_ERR_ARG, "weft_bcast: data.type was not committed");
	good(p, weft_type_free(&like), "free");
	good(p, weft_type_commit(type), "commit");
	good(p, weft_type_commit(type), "commit again");
	good(p, weft_type_commit((struct weft_type *)base), "a basic one");
	refuses(p, weft_allreduce(p->world, y, part, &weft_op_sum),
		WEFT_ERR_ARG, "weft_allreduce: sum is not defined for vector");
	good(p, weft_type_dup(p->job, type, &like), "dup");
	good(p, weft_bcast(p->world, weft_part(x, 1, like), 0), "bcast");
	/* like holds it */
	good(p, weft_type_free(&type), "free");
	refuses(p, weft_bcast(p->world, part, 0), WEFT_ERR_ARG,
		"weft_bcast: data.type was given to weft_type_free()");
	refuses(p, weft_type_commit(keep), WEFT_ERR_ARG,
		"weft_type_commit: the type was given to weft_type_free()");
	refuses(p, weft_type_contiguous(p->job, 1, keep, &type), WEFT_ERR_ARG,
		"weft_type_contiguous: of was given to weft_type_free()");
	good(p, weft_type_free(&like), "free");
}

static void packing(const struct player *p)
{
	int32_t x[4] = { 1, 2, 3, 4 };
	char packed[12];
	size_t at = 4;

	refuses(p, weft_pack(p->job, weft_part(x, 3, base), packed,
			     sizeof(packed), &at), WEFT_ERR_RANGE,
		"weft_pack: 3 elements of 4 bytes do not fit behind 4 of 12 "
		"packed bytes");
	refuses(p, weft_pack(p->job, weft_part(x, SIZE_MAX / 4, base), packed,
			     sizeof(packed), &at), WEFT_ERR_RANGE,
		"do not fit");
	refuses(p, weft_pack(p->job, weft_part(x, SIZE_MAX, base), packed,
			     sizeof(packed), &at), WEFT_ERR_RANGE,
		"weft_pack: the count is -1, below 0");
	good(p, weft_pack(p->job, weft_part(x, 2, base), packed,
			  sizeof(packed), &at), "pack");
	if (at != 12 || memcmp(packed + 4, x, 8))
		wf_sim_fail(p->rank, "%zu bytes are packed", at);
	at = 13;
	refuses(p, weft_unpack(p->job, packed, sizeof(packed), &at,
			       weft_part(x, 0, base)), WEFT_ERR_RANGE,
		"weft_unpack: 0 elements");
	refuses(p, weft_unpack(p->job, packed, sizeof(packed), NULL,
			       weft_part(x, 0, base)), WEFT_ERR_ARG,
		"weft_unpack: at_p is NULL");
	at = 0;
	refuses(p, weft_unpack(p->job, NULL, 8, &at, weft_part(x, 2, base)),
		WEFT_ERR_ARG, "weft_unpack: packed is NULL");
	refuses(p, weft_unpack(p->job, packed, 8, &at,
			       weft_part(NULL, 2, base)), WEFT_ERR_ARG,
		"weft_unpack: base is NULL with 2 elements");
	if (weft_pack_size(3, base) != 12 ||
	    weft_pack_size(SIZE_MAX / 2, base) != SIZE_MAX)
		wf_sim_fail(p->rank, "weft_pack_size()");
}

static void refusal_program(struct wf_sim_rank *rank, void *arg)
{
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	lists(&p);
	beyond(&p);
	arrays(&p);
	uses(&p);
	packing(&p);
	leave(&p);
}

static void refusals(void)
{
	sim_flow_seeds(1, 1, env, refusal_program, NULL);
}

/* ---- recipes and names ---- */

static void check_recipe(const struct player *p, const struct weft_type *type,
			 struct weft_type_recipe want, const size_t *sizes,
			 const ptrdiff_t *displs)
{
	size_t got_sizes[20];
	ptrdiff_t got_displs[5];
	struct weft_type *types[5];
	struct weft_type_contents room = { got_sizes, got_displs, types };
	struct weft_type_recipe is;

	good(p, weft_type_get_recipe(type, &is), "recipe");
	good(p, weft_type_get_contents(type, &room), "contents");
	if (memcmp(&is, &want, sizeof(is)) ||
	    memcmp(sizes, got_sizes, is.nsizes * sizeof(*sizes)) ||
	    memcmp(displs, got_displs, is.ndispls * sizeof(*displs)))
		wf_sim_fail(p->rank, "the recipe of %s", weft_type_name(type));
	for (size_t i = 0; i < is.ntypes; i++)
		if (types[i] != base)
			wf_sim_fail(p->rank, "the types of %s",
				    weft_type_name(type));
}

#define RECIPE(combiner, displs, ...)                                     \
	do {                                                              \
		static const size_t s[] = { __VA_ARGS__ };                \
		struct weft_type_recipe want = {                          \
			WEFT_COMBINER_##combiner, TAP_COUNT(s),           \
			TAP_COUNT(displs), 1                              \
		};                                                        \
									  \
		check_recipe(&p, type, want, s, displs);                  \
		good(&p, weft_type_free(&type), "free");                  \
	} while (0)

static void recipe_program(struct wf_sim_rank *rank, void *arg)
{
	static const ptrdiff_t at[] = { 5, -3 }, one[] = { 7 };
	static const size_t block[] = { 1, 2 };
	static const size_t sizes[] = { 4, 6 }, part[] = { 2, 3 };
	static const size_t starts[] = { 1, 2 }, blocks[] = { 0, 4 };
	static const enum weft_distribution how[] = {
		WEFT_DISTRIBUTE_BLOCK, WEFT_DISTRIBUTE_CYCLIC
	};
	static const int grid[] = { 2, 3 };
	static const struct weft_subarray sub = {
		2, sizes, part, starts, WEFT_ORDER_FORTRAN
	};
	static const struct weft_darray dis = {
		2, 6, 5, sizes, how, blocks, grid, WEFT_ORDER_C
	};
	struct weft_type_recipe is;
	struct weft_type *type;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	good(&p, weft_type_vector(p.job, 3, 2, 7, base, &type), "vector");
	RECIPE(VECTOR, one, 3, 2);
	good(&p, weft_type_hvector(p.job, 3, 2, 7, base, &type), "hvector");
	RECIPE(HVECTOR, one, 3, 2);
	good(&p, weft_type_indexed_block(p.job, 2, 4, at, base, &type),
	     "indexed_block");
	RECIPE(INDEXED_BLOCK, at, 2, 4);
	good(&p, weft_type_hindexed_block(p.job, 2, 4, at, base, &type),
	     "hindexed_block");
	RECIPE(HINDEXED_BLOCK, at, 2, 4);
	good(&p, weft_type_indexed(p.job, 2, block, at, base, &type),
	     "indexed");
	RECIPE(INDEXED, at, 2, 1, 2);
	good(&p, weft_type_subarray(p.job, &sub, base, &type), "subarray");
	check_recipe(&p, type, (struct weft_type_recipe){
		WEFT_COMBINER_SUBARRAY, 8, 0, 1 }, (const size_t[]){
		2, 4, 6, 2, 3, 1, 2, WEFT_ORDER_FORTRAN }, at);
	good(&p, weft_type_free(&type), "free");
	good(&p, weft_type_darray(p.job, &dis, base, &type), "darray");
	check_recipe(&p, type, (struct weft_type_recipe){
		WEFT_COMBINER_DARRAY, 12, 0, 1 }, (const size_t[]){
		6, 5, 2, 4, 6, WEFT_DISTRIBUTE_BLOCK, WEFT_DISTRIBUTE_CYCLIC,
		0, 4, 2, 3, WEFT_ORDER_C }, at);
	good(&p, weft_type_free(&type), "free");
	good(&p, weft_type_get_recipe(base, &is), "recipe");
	if (is.combiner != WEFT_COMBINER_NAMED || is.ntypes)
		wf_sim_fail(rank, "the recipe of a basic one");
	leave(&p);
}

static void recipes(void)
{
	sim_flow_seeds(1, 1, env, recipe_program, NULL);
}

static void name_program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_type *type, *like;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	type = make_vector(&p);
	if (strcmp(weft_type_name(type), "vector"))
		wf_sim_fail(rank, "its name is %s", weft_type_name(type));
	good(&p, weft_type_set_name(type, "column"), "set_name");
	if (strcmp(weft_type_name(type), "column"))
		wf_sim_fail(rank, "its name is %s", weft_type_name(type));
	good(&p, weft_type_dup(p.job, type, &like), "dup");
	if (strcmp(weft_type_name(like), "vector"))
		wf_sim_fail(rank, "its name is %s", weft_type_name(like));
	refuses(&p, weft_type_set_name(type, NULL), WEFT_ERR_ARG,
		"weft_type_set_name: name is NULL");
	if (weft_type_set_name((struct weft_type *)base, "x") != WEFT_ERR_ARG)
		wf_sim_fail(rank, "a basic one has a name");
	good(&p, weft_type_free(&type), "free");
	good(&p, weft_type_free(&like), "free");
	leave(&p);
}

static void names(void)
{
	sim_flow_seeds(1, 1, env, name_program, NULL);
}

/* ---- life ---- */

/* Each is made of the one before, which is given up; the last one frees all. */
static void chain_program(struct wf_sim_rank *rank, void *arg)
{
	enum { LINKS = 200000 };
	struct weft_type *type, *next;
	struct player p;
	long blocks;

	(void)arg;
	if (!enter(rank, &p))
		return;
	fail_malloc_at(0);
	blocks = fail_malloc_blocks();
	type = make_vector(&p);
	for (int i = 0; i < LINKS; i++) {
		if (i % 2)
			good(&p, weft_type_dup(p.job, type, &next), "dup");
		else
			good(&p, weft_type_contiguous(p.job, 1, type, &next),
			     "contiguous");
		good(&p, weft_type_free(&type), "free");
		type = next;
	}
	good(&p, weft_type_free(&type), "free");
	if (fail_malloc_blocks() != blocks)
		wf_sim_fail(rank, "%ld blocks are left",
			    fail_malloc_blocks() - blocks);
	/* and one that the job frees */
	type = make_vector(&p);
	good(&p, weft_type_dup(p.job, type, &next), "dup");
	leave(&p);
}

static void a_long_chain(void)
{
	sim_flow_seeds(1, 1, env, chain_program, NULL);
}

/* ---- without memory ---- */

static int make_list(const struct player *p, struct weft_type **type_p)
{
	static const size_t block[] = { 2, 1, 3 };
	static const ptrdiff_t at[] = { 0, 9, 40 };

	return weft_type_indexed(p->job, 3, block, at, &weft_type_short_int,
				 type_p);
}

static int make_record(const struct player *p, struct weft_type **type_p)
{
	static const size_t block[] = { 2, 1 };
	static const ptrdiff_t at[] = { 0, 90 };
	const struct weft_type *const types[] = {
		&weft_type_short_int, &weft_type_double
	};

	return weft_type_struct(p->job, 2, block, at, types, type_p);
}

static int make_part(const struct player *p, struct weft_type **type_p)
{
	static const size_t sizes[] = { 5, 7 };
	static const enum weft_distribution how[] = {
		WEFT_DISTRIBUTE_CYCLIC, WEFT_DISTRIBUTE_CYCLIC
	};
	static const size_t blocks[] = { 2, 2 };
	static const int grid[] = { 2, 2 };
	static const struct weft_darray part = {
		2, 4, 3, sizes, how, blocks, grid, WEFT_ORDER_C
	};

	return weft_type_darray(p->job, &part, &weft_type_short_int, type_p);
}

static int make_like(const struct player *p, struct weft_type **type_p)
{
	return weft_type_dup(p->job, &weft_type_double_int, type_p);
}

static int (*const makers[])(const struct player *p,
			     struct weft_type **type_p) = {
	make_list, make_record, make_part, make_like
};

/* Until there is enough of it. */
static void starve(const struct player *p, int maker)
{
	int failed = 0, status;

	do {
		struct weft_type *type;

		fail_malloc_at(++failed);
		status = makers[maker](p, &type);
		if (status && fail_malloc_blocks())
			wf_sim_fail(p->rank, "maker %d, %d: %ld blocks are "
				    "left", maker, failed,
				    fail_malloc_blocks());
		fail_malloc_at(0);
		if (status && (status != WEFT_ERR_NOMEM || type))
			wf_sim_fail(p->rank, "maker %d: %s", maker,
				    weft_status_name(status));
		if (!status)
			good(p, weft_type_free(&type), "free");
	} while (status == WEFT_ERR_NOMEM);
	if (failed < 3)
		wf_sim_fail(p->rank, "maker %d took %d", maker, failed);
}

static void starved_program(struct wf_sim_rank *rank, void *arg)
{
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int m = 0; m < TAP_COUNT(makers); m++)
		starve(&p, m);
	leave(&p);
}

static void without_memory(void)
{
	sim_flow_seeds(1, 1, env, starved_program, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what is refused", refusals },
		{ "recipes", recipes },
		{ "names", names },
		{ "a long chain of types", a_long_chain },
		{ "without memory", without_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
