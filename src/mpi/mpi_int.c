/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of numbers that stand for handles; and the functions that ask. */
#include "mpi/mpi_int.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/map.h"
#include "mpi/mpi_handle.h"

enum {
	FIRST = WF_MPI_PREDEFINED	/* numbers below are predefined ones */
};

static struct {
	pthread_mutex_t lock;
	struct wf_map number;		/* by the address */
	void **handle;			/* by the number; NULL: forgotten */
	int n, room;
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

_Atomic int wf_mpi_numbered;		/* in the map */

static bool grow(void)
{
	int room = table.room ? 2 * table.room : 64;
	void **handle = realloc(table.handle, (size_t)room * sizeof(*handle));

	if (!handle)
		return false;
	table.handle = handle;
	table.room = room;
	return true;
}

/* With the lock; 0: no memory. */
static int add(const void *handle)
{
	int number = FIRST + table.n;

	if (table.n == table.room && !grow())
		return 0;
	if (wf_map_put(&table.number, (uintptr_t)handle,
		       (void *)(uintptr_t)number))
		return 0;
	table.handle[table.n++] = (void *)handle;
	wf_mpi_numbered++;
	return number;
}

int wf_mpi_toint(const void *handle)
{
	int number;

	if (wf_mpi_is_predefined(handle))
		return (int)(uintptr_t)handle;
	pthread_mutex_lock(&table.lock);
	number = (int)(uintptr_t)wf_map_get(&table.number, (uintptr_t)handle);
	if (!number)
		number = add(handle);
	pthread_mutex_unlock(&table.lock);
	return number;
}

void *wf_mpi_fromint(int number, void *null)
{
	void *handle = NULL;

	if (number >= 0 && number < FIRST)
		return (void *)(uintptr_t)number;
	pthread_mutex_lock(&table.lock);
	if (number >= FIRST && number - FIRST < table.n)
		handle = table.handle[number - FIRST];
	pthread_mutex_unlock(&table.lock);
	return handle ? handle : null;
}

void wf_mpi_int_drop(const void *handle)
{
	uintptr_t number;

	pthread_mutex_lock(&table.lock);
	number = (uintptr_t)wf_map_del(&table.number, (uintptr_t)handle);
	if (number) {
		table.handle[number - FIRST] = NULL;
		wf_mpi_numbered--;
	}
	pthread_mutex_unlock(&table.lock);
}

/* ---- the functions ---- */

int PMPI_Comm_toint(MPI_Comm comm)
{
	return wf_mpi_toint(comm);
}
WF_MPI_NAME(Comm_toint);

MPI_Comm PMPI_Comm_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_COMM_NULL);
}
WF_MPI_NAME(Comm_fromint);

int PMPI_Errhandler_toint(MPI_Errhandler errhandler)
{
	return wf_mpi_toint(errhandler);
}
WF_MPI_NAME(Errhandler_toint);

MPI_Errhandler PMPI_Errhandler_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_ERRHANDLER_NULL);
}
WF_MPI_NAME(Errhandler_fromint);

int PMPI_Group_toint(MPI_Group group)
{
	return wf_mpi_toint(group);
}
WF_MPI_NAME(Group_toint);

MPI_Group PMPI_Group_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_GROUP_NULL);
}
WF_MPI_NAME(Group_fromint);

int PMPI_Info_toint(MPI_Info info)
{
	return wf_mpi_toint(info);
}
WF_MPI_NAME(Info_toint);

MPI_Info PMPI_Info_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_INFO_NULL);
}
WF_MPI_NAME(Info_fromint);

int PMPI_Message_toint(MPI_Message message)
{
	return wf_mpi_toint(message);
}
WF_MPI_NAME(Message_toint);

MPI_Message PMPI_Message_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_MESSAGE_NULL);
}
WF_MPI_NAME(Message_fromint);

int PMPI_Op_toint(MPI_Op op)
{
	return wf_mpi_toint(op);
}
WF_MPI_NAME(Op_toint);

MPI_Op PMPI_Op_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_OP_NULL);
}
WF_MPI_NAME(Op_fromint);

int PMPI_Request_toint(MPI_Request request)
{
	return wf_mpi_toint(request);
}
WF_MPI_NAME(Request_toint);

MPI_Request PMPI_Request_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_REQUEST_NULL);
}
WF_MPI_NAME(Request_fromint);

int PMPI_Session_toint(MPI_Session session)
{
	return wf_mpi_toint(session);
}
WF_MPI_NAME(Session_toint);

MPI_Session PMPI_Session_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_SESSION_NULL);
}
WF_MPI_NAME(Session_fromint);

int PMPI_Type_toint(MPI_Datatype datatype)
{
	return wf_mpi_toint(datatype);
}
WF_MPI_NAME(Type_toint);

MPI_Datatype PMPI_Type_fromint(int n)
{
	return wf_mpi_fromint(n, MPI_DATATYPE_NULL);
}
WF_MPI_NAME(Type_fromint);
