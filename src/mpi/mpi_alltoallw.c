/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Alltoallw in its three forms, and for large counts. */
#include "mpi/mpi_request.h"
#include "mpi/mpi_sides.h"

/* One for each rank that the call sends to. */
static struct wf_mpi_types types_of(struct weft_comm *comm,
				    const MPI_Datatype send[],
				    const MPI_Datatype recv[])
{
	int n = weft_comm_is_inter(comm) ? weft_comm_remote_size(comm) :
					   weft_comm_size(comm);

	return (struct wf_mpi_types){ n, n, send, recv };
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
	status = weft_alltoallv(native, &sides->send, &sides->recv);
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

int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[],
		   const int sdispls[], const MPI_Datatype sendtypes[],
		   void *recvbuf, const int recvcounts[], const int rdispls[],
		   const MPI_Datatype recvtypes[], MPI_Comm comm)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.int_counts = sendcounts, .int_displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.int_counts = recvcounts, .int_displs = rdispls
		}
	};

	return block(comm, &sides, sendtypes, recvtypes, WF_MPI_CALL);
}
WF_MPI_NAME(Alltoallw);

int PMPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
		     const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
		     void *recvbuf, const MPI_Count recvcounts[],
		     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
		     MPI_Comm comm)
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
WF_MPI_NAME(Alltoallw_c);

int PMPI_Ialltoallw(const void *sendbuf, const int sendcounts[],
		    const int sdispls[], const MPI_Datatype sendtypes[],
		    void *recvbuf, const int recvcounts[], const int rdispls[],
		    const MPI_Datatype recvtypes[], MPI_Comm comm,
		    MPI_Request *request)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.int_counts = sendcounts, .int_displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.int_counts = recvcounts, .int_displs = rdispls
		}
	};
	const struct begun begun = {
		weft_ialltoallv, sendtypes, recvtypes, request
	};

	return begin(comm, &sides, &begun, WF_MPI_CALL);
}
WF_MPI_NAME(Ialltoallw);

int PMPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
		      const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
		      void *recvbuf, const MPI_Count recvcounts[],
		      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
		      MPI_Comm comm, MPI_Request *request)
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
		weft_ialltoallv, sendtypes, recvtypes, request
	};

	return begin(comm, &sides, &begun, WF_MPI_CALL);
}
WF_MPI_NAME(Ialltoallw_c);

int PMPI_Alltoallw_init(const void *sendbuf, const int sendcounts[],
			const int sdispls[], const MPI_Datatype sendtypes[],
			void *recvbuf, const int recvcounts[],
			const int rdispls[], const MPI_Datatype recvtypes[],
			MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct wf_mpi_sides sides = {
		.send = {
			.base = (void *)sendbuf,
			.int_counts = sendcounts, .int_displs = sdispls
		},
		.recv = {
			.base = (void *)recvbuf,
			.int_counts = recvcounts, .int_displs = rdispls
		}
	};
	const struct begun begun = {
		weft_alltoallv_init, sendtypes, recvtypes, request
	};

	(void)info;
	return begin(comm, &sides, &begun, WF_MPI_CALL);
}
WF_MPI_NAME(Alltoallw_init);

int PMPI_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[],
			  const MPI_Aint sdispls[],
			  const MPI_Datatype sendtypes[], void *recvbuf,
			  const MPI_Count recvcounts[],
			  const MPI_Aint rdispls[],
			  const MPI_Datatype recvtypes[], MPI_Comm comm,
			  MPI_Info info, MPI_Request *request)
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
		weft_alltoallv_init, sendtypes, recvtypes, request
	};

	(void)info;
	return begin(comm, &sides, &begun, WF_MPI_CALL);
}
WF_MPI_NAME(Alltoallw_init_c);
