/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids: see cart.h. */
#include "topo/cart.h"

#include <limits.h>
#include <stdlib.h>

const struct wf_cart *wf_cart_of(const struct weft_comm *comm)
{
	struct wf_graph *g = wf_graph_of(comm);

	if (!g || g->topo.kind != WEFT_TOPO_CART)
		return NULL;
	return wf_container(g->lore, struct wf_cart, lore);
}

/* ---- making one ---- */

static int check_arrays(struct weft_job *job, const char *call,
			const struct weft_grid *grid)
{
	if (!grid)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: grid is NULL", call);
	if (grid->ndims < 0 || grid->ndims > INT_MAX / 2)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
				       "%s: grid->ndims is %d", call,
				       grid->ndims);
	if (grid->ndims && (!grid->dims || !grid->periods))
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: grid->%s is NULL "
				   "with %d dimensions", call,
				   grid->dims ? "periods" : "dims",
				   grid->ndims);
	return WEFT_OK;
}

int wf_cart_check(struct weft_job *job, const char *call,
		  const struct weft_grid *grid, int most)
{
	int status = check_arrays(job, call, grid), n = 1;
	bool fits = true;

	if (status)
		return status;
	for (int i = 0; i < grid->ndims; i++) {
		if (grid->dims[i] < 1)
			return wf_job_fail(job, WEFT_ERR_ARG, "%s: "
					   "grid->dims[%d] is %d, not 1 or "
					   "more", call, i, grid->dims[i]);
		fits &= !__builtin_mul_overflow(n, grid->dims[i], &n);
	}
	if (fits && n <= most)
		return WEFT_OK;
	return wf_job_fail(job, WEFT_ERR_RANGE, "%s: the product of grid->dims "
			   "exceeds the %d ranks of the communicator", call,
			   most);
}

static void destroy(struct wf_lore *lore, struct weft_job *job)
{
	(void)job;
	free(wf_container(lore, struct wf_cart, lore));
}

struct wf_cart *wf_cart_make(const struct weft_grid *grid)
{
	size_t n = (size_t)grid->ndims;
	struct wf_cart *cart = malloc(sizeof(*cart) +
				      2 * n * sizeof(cart->dims[0]));

	if (!cart)
		return NULL;
	cart->lore = (struct wf_lore){
		.kind = WEFT_TOPO_CART, .n = 1, .mirrored = true,
		.alike = "grid", .refs = 1, .destroy = destroy
	};
	cart->ndims = grid->ndims;
	cart->periods = cart->dims + n;
	for (int i = 0; i < grid->ndims; i++) {
		cart->dims[i] = grid->dims[i];
		cart->periods[i] = grid->periods[i] != 0;
		cart->lore.n *= grid->dims[i];
	}
	cart->lore.print = wf_lore_print(cart->dims, 2 * n, n);
	return cart;
}

/* ---- arithmetic ---- */

/* From one place to the next in a dimension; within int for all ranks. */
static int stride_of(const struct wf_cart *cart, int dim)
{
	int stride = 1;

	for (int i = dim + 1; i < cart->ndims; i++)
		stride *= cart->dims[i];
	return stride;
}

int wf_cart_coord(const struct wf_cart *cart, int rank, int dim)
{
	int at = rank / stride_of(cart, dim);

	return dim ? at % cart->dims[dim] : at;
}

int wf_cart_step(const struct wf_cart *cart, int rank, int dim, int by)
{
	int stride = stride_of(cart, dim), n = cart->dims[dim];
	int from = wf_cart_coord(cart, rank, dim);
	int64_t to = (int64_t)from + by;

	if (cart->periods[dim])
		to = (to % n + n) % n;
	if (to < 0 || to >= n)
		return WEFT_PROC_NULL;
	return rank + (int)(to - from) * stride;
}

/* ---- edges ---- */

int wf_cart_add_edges(struct wf_graph_maker *m, const struct wf_cart *cart)
{
	int rank = m->made->rank, n = 2 * cart->ndims;
	int *ranks = malloc(((size_t)n + 1) * sizeof(*ranks));
	struct weft_edges edges = { n, ranks, NULL };
	int status;

	if (!ranks)
		return wf_job_fail(m->parent->job, WEFT_ERR_NOMEM, "%s: no "
				   "memory for %d edges", m->call, n);
	for (int i = 0; i < n; i++)
		ranks[i] = wf_cart_step(cart, rank, i / 2, i % 2 ? 1 : -1);
	status = wf_graph_add_edges(m, &edges, &edges);
	free(ranks);
	return status;
}
