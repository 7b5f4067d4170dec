/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can ask of a grid: the calls. */
#include "topo/cart.h"

/* All of a query begins with this; an error: that was all. */
static int enter(struct weft_comm *comm, const char *call,
		 const struct wf_cart **cart_p)
{
	int status = wf_comm_ask(comm);

	if (status)
		return status;
	*cart_p = wf_cart_of(comm);
	if (*cart_p)
		return WEFT_OK;
	status = wf_job_fail(comm->job, WEFT_ERR_GRAPH,
			     "%s: the communicator is not Cartesian", call);
	return wf_comm_leave(comm, status);
}

static int check_max(const struct weft_comm *comm, const char *call, int max)
{
	if (max >= 0)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: max is %d", call, max);
}

int weft_cart_map(struct weft_comm *comm, const struct weft_grid *grid,
		  int *rank_p)
{
	int status = wf_comm_ask(comm), n = 1;

	if (status)
		return status;
	if (comm->across)
		return wf_comm_refuse_across(comm, __func__);
	status = wf_cart_check(comm->job, __func__, grid, comm->size);
	if (!status && !rank_p)
		status = wf_job_fail_null(comm->job, __func__, "rank_p");
	if (status)
		return wf_comm_leave(comm, status);
	for (int i = 0; i < grid->ndims; i++)
		n *= grid->dims[i];
	*rank_p = comm->rank < n ? comm->rank : WEFT_UNDEFINED;
	return wf_comm_leave(comm, WEFT_OK);
}

int weft_cart_ndims(struct weft_comm *comm, int *ndims_p)
{
	const struct wf_cart *cart;
	int status = enter(comm, __func__, &cart);

	if (status)
		return status;
	if (ndims_p)
		*ndims_p = cart->ndims;
	else
		status = wf_job_fail_null(comm->job, __func__, "ndims_p");
	return wf_comm_leave(comm, status);
}

int weft_cart_get(struct weft_comm *comm, int max, int *dims, int *periods,
		  int *coords)
{
	const struct wf_cart *cart;
	int status = enter(comm, __func__, &cart);

	if (status)
		return status;
	status = check_max(comm, __func__, max);
	for (int i = 0; !status && i < max && i < cart->ndims; i++) {
		if (dims)
			dims[i] = cart->dims[i];
		if (periods)
			periods[i] = cart->periods[i];
		if (coords)
			coords[i] = wf_cart_coord(cart, comm->rank, i);
	}
	return wf_comm_leave(comm, status);
}

/* What a coordinate is in its dimension, or an error, told. */
static int wrap(const struct weft_comm *comm, const struct wf_cart *cart,
		int dim, int *at_p)
{
	int n = cart->dims[dim];

	if (cart->periods[dim])
		*at_p = (*at_p % n + n) % n;
	if (*at_p >= 0 && *at_p < n)
		return WEFT_OK;
	return wf_job_fail(comm->job, WEFT_ERR_RANGE, "weft_cart_rank: "
			   "coords[%d] is %d, in a dimension of %d that is not "
			   "periodic", dim, *at_p, n);
}

static int find_rank(const struct weft_comm *comm, const struct wf_cart *cart,
		     const int *coords, int *rank_p)
{
	int rank = 0, status = WEFT_OK;

	if (!rank_p || (!coords && cart->ndims))
		return wf_job_fail_null(comm->job, "weft_cart_rank",
					rank_p ? "coords" : "rank_p");
	for (int i = 0; !status && i < cart->ndims; i++) {
		int at = coords[i];

		status = wrap(comm, cart, i, &at);
		if (!status)
			rank = rank * cart->dims[i] + at;
	}
	if (!status)
		*rank_p = rank;
	return status;
}

int weft_cart_rank(struct weft_comm *comm, const int *coords, int *rank_p)
{
	const struct wf_cart *cart;
	int status = enter(comm, __func__, &cart);

	if (status)
		return status;
	status = find_rank(comm, cart, coords, rank_p);
	return wf_comm_leave(comm, status);
}

static int check_rank(const struct weft_comm *comm, int rank)
{
	if (rank >= 0 && rank < comm->size)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_RANK, WEFT_ERR_ARG,
			       "weft_cart_coords: rank is %d, the communicator "
			       "has %d ranks", rank, comm->size);
}

int weft_cart_coords(struct weft_comm *comm, int rank, int max, int *coords)
{
	const struct wf_cart *cart;
	int status = enter(comm, __func__, &cart), n;

	if (status)
		return status;
	n = max < cart->ndims ? max : cart->ndims;
	status = check_rank(comm, rank);
	if (!status)
		status = check_max(comm, __func__, max);
	if (!status && n && !coords)
		status = wf_job_fail_null(comm->job, __func__, "coords");
	for (int i = 0; !status && i < n; i++)
		coords[i] = wf_cart_coord(cart, rank, i);
	return wf_comm_leave(comm, status);
}

static int shift(const struct weft_comm *comm, const struct wf_cart *cart,
		 int dim, int by, int ends[2])
{
	/* down as far; of all numbers only the least has no opposite */
	int64_t back = -(int64_t)by;

	if (dim < 0 || dim >= cart->ndims)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "weft_cart_shift: "
				   "dim is %d of %d dimensions", dim,
				   cart->ndims);
	if (cart->periods[dim])
		back %= cart->dims[dim];
	if (back > INT32_MAX)
		back = INT32_MAX;
	ends[0] = wf_cart_step(cart, comm->rank, dim, (int)back);
	ends[1] = wf_cart_step(cart, comm->rank, dim, by);
	return WEFT_OK;
}

int weft_cart_shift(struct weft_comm *comm, int dim, int by, int *source_p,
		    int *dest_p)
{
	const struct wf_cart *cart;
	int status = enter(comm, __func__, &cart), ends[2] = { 0 };

	if (status)
		return status;
	if (!source_p || !dest_p)
		status = wf_job_fail_null(comm->job, __func__, source_p ?
					  "dest_p" : "source_p");
	if (!status)
		status = shift(comm, cart, dim, by, ends);
	if (!status) {
		*source_p = ends[0];
		*dest_p = ends[1];
	}
	return wf_comm_leave(comm, status);
}
