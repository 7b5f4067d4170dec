/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Neighbor_alltoallw in its three forms, and for large counts. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_sides.h"

/* One for each edge. */
static struct wf_mpi_types types_of(struct weft_comm *graph,
				    const MPI_Datatype send[],
				    const MPI_Datatype recv[])
{
	struct wf_mpi_types types = { 0, 0, send, recv };
	enum weft_topo kind = WEFT_TOPO_NONE;

	/* Of what is no graph the exchange itself tells. */
	if (graph && !weft_topo_kind(graph, &kind) && kind != WEFT_TOPO_NONE &&
	    weft_graph_degrees(graph, &types.nrecv, &types.nsend, NULL))
		types.nrecv = types.nsend = 0;
	return types;
}

/* What all forms are given, and their ends. */
static int block(MPI_Comm comm, struct wf_mpi_sides *sides,
		 const MPI_Datatype send[], const MPI_Datatype recv[],
		 const char *call)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct wf_mpi_types types = types_of(native, send, recv);
	int status;

	if (wf_mpi_sides_begin(sides, &types))
		return wf_mpi_sides_lack(sides, native, call);
	status = weft_neighbor_alltoallw(native, &sides->send, &sides->recv);
	wf_mpi_sides_end(sides);
	return wf_mpi_on(native, status, call);
}

typedef int begin_call(struct weft_comm *comm, const struct weft_vec *send,
		       const struct weft_vec *recv,
		       struct weft_request **req_p);

/* The datatypes of a side, and the request, of a form that begins something. */
struct begun {
	begin_call *call;
	const MPI_Datatype *send, *recv;
	MPI_Request *request;
};

static int begin(MPI_Comm comm, struct wf_mpi_sides *sides,
		 const struct begun *begun, const char *call)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	const struct wf_mpi_types types = types_of(native, begun->send,
						   begun->recv);
	struct weft_request *made = NULL;
	int status;

	*begun->request = MPI_REQUEST_NULL;
	if (wf_mpi_sides_begin(sides, &types))
		return wf_mpi_sides_lack(sides, native, call);
	status = begun->call(native, &sides->send, &sides->recv, &made);
	wf_mpi_sides_end(sides);
	return wf_mpi_begun(native, status, made, begun->request, call);
}

int PMPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[],
			    const MPI_Aint sdispls[],
			    const MPI_Datatype sendtypes[], void *recvbuf,
			    const int recvcounts[], const MPI_Aint rdispls[],
			    const MPI_Datatype recvtypes[], MPI_Comm comm)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.int_counts = sendcounts, .displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.int_counts = recvcounts, .displs = rdispls
		}
	};

	return block(comm, &sides, sendtypes, recvtypes, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_alltoallw);

int PMPI_Neighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
			      const MPI_Aint sdispls[],
			      const MPI_Datatype sendtypes[], void *recvbuf,
			      const MPI_Count recvcounts[],
			      const MPI_Aint rdispls[],
			      const MPI_Datatype recvtypes[], MPI_Comm comm)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.counts = (const size_t *)sendcounts, .displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.counts = (const size_t *)recvcounts, .displs = rdispls
		}
	};

	return block(comm, &sides, sendtypes, recvtypes, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_alltoallw_c);

int PMPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[],
			     const MPI_Aint sdispls[],
			     const MPI_Datatype sendtypes[], void *recvbuf,
			     const int recvcounts[], const MPI_Aint rdispls[],
			     const MPI_Datatype recvtypes[], MPI_Comm comm,
			     MPI_Request *request)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.int_counts = sendcounts, .displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.int_counts = recvcounts, .displs = rdispls
		}
	};
	const struct begun begun = {
		weft_ineighbor_alltoallw, sendtypes, recvtypes, request
	};

	return begin(comm, &sides, &begun, WF_MPI_CALL);
}
WF_MPI_NAME(Ineighbor_alltoallw);

int PMPI_Ineighbor_alltoallw_c(const void *sendbuf,
			       const MPI_Count sendcounts[],
			       const MPI_Aint sdispls[],
			       const MPI_Datatype sendtypes[], void *recvbuf,
			       const MPI_Count recvcounts[],
			       const MPI_Aint rdispls[],
			       const MPI_Datatype recvtypes[], MPI_Comm comm,
			       MPI_Request *request)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.counts = (const size_t *)sendcounts, .displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.counts = (const size_t *)recvcounts, .displs = rdispls
		}
	};
	const struct begun begun = {
		weft_ineighbor_alltoallw, sendtypes, recvtypes, request
	};

	return begin(comm, &sides, &begun, WF_MPI_CALL);
}
WF_MPI_NAME(Ineighbor_alltoallw_c);

int PMPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[],
				 const MPI_Aint sdispls[],
				 const MPI_Datatype sendtypes[], void *recvbuf,
				 const int recvcounts[],
				 const MPI_Aint rdispls[],
				 const MPI_Datatype recvtypes[], MPI_Comm comm,
				 MPI_Info info, MPI_Request *request)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.int_counts = sendcounts, .displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.int_counts = recvcounts, .displs = rdispls
		}
	};
	const struct begun begun = {
		weft_neighbor_alltoallw_init, sendtypes, recvtypes, request
	};

	(void)info;
	return begin(comm, &sides, &begun, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_alltoallw_init);

int PMPI_Neighbor_alltoallw_init_c(const void *sendbuf,
				   const MPI_Count sendcounts[],
				   const MPI_Aint sdispls[],
				   const MPI_Datatype sendtypes[],
				   void *recvbuf, const MPI_Count recvcounts[],
				   const MPI_Aint rdispls[],
				   const MPI_Datatype recvtypes[],
				   MPI_Comm comm, MPI_Info info,
				   MPI_Request *request)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.counts = (const size_t *)sendcounts, .displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.counts = (const size_t *)recvcounts, .displs = rdispls
		}
	};
	const struct begun begun = {
		weft_neighbor_alltoallw_init, sendtypes, recvtypes, request
	};

	(void)info;
	return begin(comm, &sides, &begun, WF_MPI_CALL);
}
WF_MPI_NAME(Neighbor_alltoallw_init_c);
