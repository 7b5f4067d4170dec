/* SPDX-License-Identifier: BSD-3-Clause */
/* The exchange of weft-bench. */
#include "neighbor.h"

static void call(const struct neighbor_edges *e)
{
	MPI_Neighbor_alltoallv(e->out, e->counts, e->displs, MPI_BYTE, e->in,
			       e->counts, e->displs, MPI_BYTE, e->graph);
}

#if MPI_VERSION >= 4
static void prepare(const struct neighbor_edges *e, MPI_Request *request)
{
	MPI_Neighbor_alltoallv_init(e->out, e->counts, e->displs, MPI_BYTE,
				    e->in, e->counts, e->displs, MPI_BYTE,
				    e->graph, MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct neighbor neighbor = {
		"exchange", call, prepare
	};

	return neighbor_main(argc, argv, &neighbor);
}
