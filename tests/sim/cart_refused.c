/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments that no Cartesian graph can be made of, at one rank: an error at
 * all, with the sentence of that one; and what queries refuse.
 */
#include "tests/sim/scene.h"

enum { RANKS = 6, ODD = 4 };

static const int dims[] = { 3, 2 }, none[] = { 3, 0 }, large[] = { 7, 1 };
static const int turned[] = { 2, 3 }, huge[] = { 1 << 20, 1 << 20 };
static const int periods[] = { 0, 1 };

static const struct {
	struct weft_grid grid;
	int status;
	const char *says;
} refusals[] = {
	{ { -1, dims, periods }, WEFT_ERR_ARG, "grid->ndims is -1" },
	{ { 2, NULL, periods }, WEFT_ERR_ARG,
	  "grid->dims is NULL with 2 dimensions" },
	{ { 2, dims, NULL }, WEFT_ERR_ARG,
	  "grid->periods is NULL with 2 dimensions" },
	{ { 2, none, periods }, WEFT_ERR_ARG,
	  "grid->dims[1] is 0, not 1 or more" },
	{ { 2, large, periods }, WEFT_ERR_RANGE,
	  "the product of grid->dims exceeds the 6 ranks" },
	{ { 2, huge, periods }, WEFT_ERR_RANGE,
	  "the product of grid->dims exceeds the 6 ranks" },
	{ { 2, turned, periods }, WEFT_ERR_ARG,
	  "not all ranks pass the same grid" },
	{ { 2, dims, dims }, WEFT_ERR_ARG, "not all ranks pass the same grid" },
	{ { 1, dims, periods }, WEFT_ERR_ARG,
	  "not all ranks pass the same grid" }
};

static void says(const struct scene *s, int status, int want, const char *text)
{
	if (status != want || !strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "%s, \"%s\", not \"%s\"",
			    weft_status_name(status), weft_error_text(s->job),
			    text);
}

static struct weft_comm *make(const struct scene *s)
{
	const struct weft_grid good = { 2, dims, periods };
	struct weft_comm *cart = NULL;

	ok(s, weft_cart_create(s->world, &good, NULL, false, &cart), "cart");
	return cart;
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_grid good = { 2, dims, periods };
	struct weft_comm *cart;
	struct scene s;
	bool odd;

	(void)arg;
	if (!start(&s, rank))
		return;
	odd = wf_sim_rank(rank) == ODD;
	for (int i = 0; i < TAP_COUNT(refusals); i++) {
		says(&s, weft_cart_create(s.world, odd ? &refusals[i].grid :
					  &good, NULL, false, &cart),
		     refusals[i].status, refusals[i].says);
		cart = make(&s);
		ok(&s, weft_comm_free(&cart), "free");
	}
	says(&s, weft_cart_create(s.world, odd ? NULL : &good, NULL, false,
				  &cart), WEFT_ERR_ARG, "grid is NULL");
	says(&s, weft_cart_create(s.world, &good, NULL, false, odd ? NULL :
				  &cart), WEFT_ERR_ARG, "cart_p is NULL");
	stop(&s);
}

static void refuse_rest(struct wf_sim_rank *rank, void *arg)
{
	static const int first[] = { 1, 0 }, all[] = { 1, 1 };
	struct weft_comm *cart, *sub;
	struct scene s;
	bool odd;

	(void)arg;
	if (!start(&s, rank))
		return;
	odd = wf_sim_rank(rank) == ODD;
	cart = make(&s);
	says(&s, weft_cart_sub(s.world, first, &sub), WEFT_ERR_GRAPH,
	     "the communicator is not Cartesian");
	says(&s, weft_cart_sub(cart, odd ? NULL : first, &sub), WEFT_ERR_ARG,
	     "remain is NULL with 2 dimensions");
	says(&s, weft_cart_sub(cart, odd ? all : first, &sub), WEFT_ERR_ARG,
	     "not all ranks pass the same remain");
	says(&s, weft_cart_sub(cart, first, odd ? NULL : &sub), WEFT_ERR_ARG,
	     "sub_p is NULL");
	ok(&s, weft_cart_sub(cart, first, &sub), "sub");
	ok(&s, weft_comm_free(&sub), "free");
	ok(&s, weft_comm_free(&cart), "free");
	stop(&s);
}

static void ask(struct wf_sim_rank *rank, void *arg)
{
	static const int beyond[] = { 3, 0 };
	int at[2] = { 0, 0 }, x;
	struct weft_comm *cart;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	cart = make(&s);
	says(&s, weft_cart_ndims(s.world, &x), WEFT_ERR_GRAPH,
	     "weft_cart_ndims: the communicator is not Cartesian");
	says(&s, weft_cart_ndims(cart, NULL), WEFT_ERR_ARG, "ndims_p is NULL");
	says(&s, weft_cart_get(cart, -1, at, at, at), WEFT_ERR_ARG,
	     "max is -1");
	says(&s, weft_cart_rank(cart, beyond, &x), WEFT_ERR_RANGE,
	     "coords[0] is 3, in a dimension of 3 that is not periodic");
	says(&s, weft_cart_rank(cart, NULL, &x), WEFT_ERR_ARG,
	     "coords is NULL");
	says(&s, weft_cart_rank(cart, at, NULL), WEFT_ERR_ARG,
	     "rank_p is NULL");
	says(&s, weft_cart_coords(cart, RANKS, 2, at), WEFT_ERR_ARG,
	     "rank is 6, the communicator has 6 ranks");
	says(&s, weft_cart_coords(cart, 0, -2, at), WEFT_ERR_ARG, "max is -2");
	says(&s, weft_cart_coords(cart, 0, 1, NULL), WEFT_ERR_ARG,
	     "coords is NULL");
	says(&s, weft_cart_shift(cart, 2, 1, &x, &x), WEFT_ERR_ARG,
	     "dim is 2 of 2 dimensions");
	says(&s, weft_cart_shift(cart, 0, 1, NULL, &x), WEFT_ERR_ARG,
	     "source_p is NULL");
	ok(&s, weft_comm_free(&cart), "free");
	stop(&s);
}

static void of_a_grid(void)
{
	run(RANKS, 1, refuse);
}

static void of_what_remains(void)
{
	run(RANKS, 1, refuse_rest);
}

static void queries(void)
{
	run(RANKS, 1, ask);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "grids at one rank", of_a_grid },
		{ "what remains at one rank", of_what_remains },
		{ "queries", queries }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
