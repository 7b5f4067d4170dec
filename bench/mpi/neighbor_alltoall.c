/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbor_alltoall of weft-bench. */
#include "neighbor.h"

static void call(const struct neighbor_edges *e)
{
	MPI_Neighbor_alltoall(e->out, e->bytes, MPI_BYTE, e->in, e->bytes,
			      MPI_BYTE, e->graph);
}

#if MPI_VERSION >= 4
static void prepare(const struct neighbor_edges *e, MPI_Request *request)
{
	MPI_Neighbor_alltoall_init(e->out, e->bytes, MPI_BYTE, e->in, e->bytes,
				   MPI_BYTE, e->graph, MPI_INFO_NULL, request);
}
#else
#define prepare NULL
#endif

int main(int argc, char **argv)
{
	static const struct neighbor neighbor = {
		"neighbor_alltoall", call, prepare
	};

	return neighbor_main(argc, argv, &neighbor);
}
