/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating Cartesian graphs: of a grid, and of the grids that remain of one
 * without some dimensions.  Each rank computes its edges, so that nothing goes
 * between ranks but the closing agreement, refills of ids and a reorder.
 */
#include <stdlib.h>
#include "topo/cart.h"

static int no_memory(const struct wf_graph_maker *m)
{
	return wf_job_fail(m->parent->job, WEFT_ERR_NOMEM,
			   "%s: no memory for a grid", m->call);
}

/* With what was found so far: the communicator, and its edges. */
static int begin(struct wf_graph_maker *m, const struct wf_cart *cart,
		 int status)
{
	int begun = wf_graph_begin(m);

	if (!status)
		status = begun;
	return status || !m->made ? status : wf_cart_add_edges(m, cart);
}

/* ---- of a grid ---- */

/* Its place, for a reorder; ranks outside lie behind the grid. */
static void locate(struct wf_graph_maker *m, const struct wf_cart *cart)
{
	m->located = true;
	for (int i = 0; i < 3 && i < cart->ndims; i++)
		m->coords[i] = wf_cart_coord(cart, m->parent->rank, i);
}

static int create(struct wf_graph_maker *m, const void *grid)
{
	struct wf_cart *cart = NULL;
	int status = wf_cart_check(m->parent->job, m->call, grid,
				   m->parent->size);

	if (!status) {
		cart = wf_cart_make(grid);
		status = cart ? WEFT_OK : no_memory(m);
	}
	if (cart) {
		status = wf_graph_choose(m, &cart->lore);
		locate(m, cart);
	}
	return begin(m, cart, status);
}

int weft_cart_create(struct weft_comm *comm, const struct weft_grid *grid,
		     const struct weft_info *info, bool reorder,
		     struct weft_comm **cart_p)
{
	const struct wf_graph_call c = {
		.origin = { __func__, WF_CALLED_FROM }, .result = "cart_p",
		.create = create, .edges = grid, .info = info,
		.reorder = reorder
	};

	return wf_graph_construct(comm, &c, cart_p);
}

/* ---- of what remains ---- */

/* The grid of the dimensions that remain, or NULL. */
static struct wf_cart *make_rest(const struct wf_cart *cart, const int *remain)
{
	int *dims = malloc((2 * (size_t)cart->ndims + 1) * sizeof(*dims));
	struct weft_grid grid = { 0, dims, dims + cart->ndims };
	struct wf_cart *rest;

	if (!dims)
		return NULL;
	for (int i = 0; i < cart->ndims; i++)
		if (remain[i]) {
			dims[grid.ndims] = cart->dims[i];
			dims[cart->ndims + grid.ndims++] = cart->periods[i];
		}
	rest = wf_cart_make(&grid);
	for (int i = 0; i < cart->ndims; i++)
		dims[i] = remain[i] != 0;
	if (rest)
		rest->lore.print = wf_lore_print(dims, (size_t)cart->ndims, 0);
	free(dims);
	return rest;
}

/*
 * The rank of the i-th place of what remains of a grid, of those where this
 * rank has its coordinates in what is dropped.
 */
static int rank_at(const struct wf_cart *cart, const int *remain, int i,
		   int mine)
{
	int rank = 0, stride = 1;

	for (int d = cart->ndims; d-- > 0;) {
		int at = wf_cart_coord(cart, mine, d);

		if (remain[d]) {
			at = i % cart->dims[d];
			i /= cart->dims[d];
		}
		rank += at * stride;
		stride *= cart->dims[d];
	}
	return rank;
}

static int choose_rest(struct wf_graph_maker *m, const struct wf_cart *cart,
		       const int *remain)
{
	int n = m->lore->n;
	int *table = malloc((size_t)n * sizeof(*table));

	for (int i = 0; table && i < n; i++)
		table[i] = wf_comm_world_rank(m->parent, rank_at(
				cart, remain, i, m->parent->rank));
	return wf_group_make(m->parent->job, table, n, &m->group) ?
	       no_memory(m) : WEFT_OK;
}

static int check_rest(const struct wf_graph_maker *m,
		      const struct wf_cart *cart, const int *remain)
{
	struct weft_job *job = m->parent->job;

	if (!cart)
		return wf_job_fail(job, WEFT_ERR_GRAPH, "%s: the communicator "
				   "is not Cartesian", m->call);
	if (cart->ndims && !remain)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: remain is NULL with "
				   "%d dimensions", m->call, cart->ndims);
	return WEFT_OK;
}

static int create_rest(struct wf_graph_maker *m, const void *remain)
{
	const struct wf_cart *cart = wf_cart_of(m->parent);
	struct wf_cart *rest = NULL;
	int status = check_rest(m, cart, remain);

	if (!status) {
		rest = make_rest(cart, remain);
		status = rest ? WEFT_OK : no_memory(m);
	}
	if (rest) {
		m->lore = &rest->lore;
		m->lore->alike = "remain";
		status = choose_rest(m, cart, remain);
	}
	return begin(m, rest, status);
}

int weft_cart_sub(struct weft_comm *cart, const int *remain,
		  struct weft_comm **sub_p)
{
	const struct wf_graph_call c = {
		.origin = { __func__, WF_CALLED_FROM }, .result = "sub_p",
		.create = create_rest, .edges = remain
	};

	return wf_graph_construct(cart, &c, sub_p);
}
