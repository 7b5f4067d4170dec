/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbor_alltoallw of weft-bench: of every second double. */
#include "neighbor.h"

static void call(const struct neighbor_edges *e)
{
	MPI_Neighbor_alltoallw(e->out, e->ones, e->apart, e->types, e->in,
			       e->ones, e->apart, e->types, e->graph);
}

#if MPI_VERSION >= 4
static void prepare(const struct neighbor_edges *e, MPI_Request *request)
{
	MPI_Neighbor_alltoallw_init(e->out, e->ones, e->apart, e->types, e->in,
				    e->ones, e->apart, e->types, e->graph,
				    MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct neighbor neighbor = {
		"neighbor_alltoallw", call, prepare
	};

	return neighbor_main(argc, argv, &neighbor);
}
