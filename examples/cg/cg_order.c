/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the graph of the halos, with bytes as weights, and asks for a reorder.
 * Called once, before the rows are where they are computed.
 */
#include "cg_order.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "cg_pattern.h"

/* As many as an int says. */
static int bytes_of(size_t elements)
{
	return elements > INT_MAX / sizeof(double) ? INT_MAX :
		(int)(elements * sizeof(double));
}

static int make_weights(const struct cg_halo *halo, int **weights_p,
			struct cg_why *why)
{
	size_t n = (size_t)halo->neighbours;
	int *weights = calloc(2 * n + 1, sizeof(*weights));

	*weights_p = weights;
	if (!weights)
		return cg_fail_memory(why, "the weights of the halo");
	for (size_t k = 0; k < n; k++) {
		weights[k] = bytes_of(halo->in[k]);
		weights[n + k] = bytes_of(halo->out[k]);
	}
	return 0;
}

static int prepare(struct cg_halo *halo, const struct cg_blocks *blocks,
		   struct cg_csr *rows, int **weights_p, struct cg_why *why)
{
	if (cg_pattern_make(halo, blocks, rows, why))
		return -1;
	return make_weights(halo, weights_p, why);
}

static int set_keys(struct weft_info *info, const char *method)
{
	int status = weft_info_set(info, "weft_reorder", method);

	if (!status)
		status = weft_info_set(info, "weft_reorder_keep", "0");
	return status;
}

static int create(struct cg_order *order, const struct cg_halo *halo,
		  const char *method, const int *weights)
{
	struct weft_edges in = { halo->neighbours, halo->nbr2rank, weights };
	struct weft_edges out = in;
	struct weft_info *info = NULL;
	int status = weft_info_create(halo->ranks->job, &info);

	out.weights = weights + halo->neighbours;
	if (!status)
		status = set_keys(info, method);
	if (!status)
		status = weft_graph_create_adjacent(halo->ranks->world, &in,
						    &out, info, true,
						    &order->comm);
	if (!status)
		status = weft_reorder_query(order->comm, &order->info);
	if (cg_called(halo->ranks, "reordering", status))
		return -1;
	return cg_called(halo->ranks, "freeing the keys",
			 weft_info_free(&info));
}

int cg_order_find(struct cg_order *order, const struct cg_ranks *ranks,
		  const char *method, const struct cg_blocks *blocks,
		  struct cg_csr *rows)
{
	struct cg_halo halo = { .ranks = ranks };
	int *weights = NULL, status;
	struct cg_why why;

	status = cg_agree(ranks, prepare(&halo, blocks, rows, &weights, &why),
			  &why);
	if (!status)
		status = create(order, &halo, method, weights);
	free(weights);
	cg_pattern_free(&halo);
	return status;
}

void cg_order_close(struct cg_order *order, const struct cg_ranks *ranks)
{
	if (order->comm)
		(void)cg_called(ranks, "freeing the order",
				weft_comm_free(&order->comm));
	memset(order, 0, sizeof(*order));
}
