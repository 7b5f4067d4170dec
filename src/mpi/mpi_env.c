/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked about the library, the machine and the time. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

int PMPI_Get_version(int *version, int *subversion)
{
	*version = 3;
	*subversion = 1;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Get_version);

int PMPI_Get_library_version(char *version, int *length)
{
	*length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING,
			   "weft %s, MPI 3.1 by the ABI of 5.0",
			   PACKAGE_VERSION);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Get_library_version);

int PMPI_Get_processor_name(char *name, int *length)
{
	if (!wf_mpi.job)
		return wf_mpi_fail(WEFT_ERR_ARG, WF_MPI_CALL);
	if (gethostname(name, MPI_MAX_PROCESSOR_NAME))
		return wf_mpi_refuse(NULL, MPI_ERR_OTHER,
				     "%s: the host has no name", WF_MPI_CALL);
	name[MPI_MAX_PROCESSOR_NAME - 1] = '\0';
	*length = (int)strlen(name);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Get_processor_name);

static double seconds(struct timespec time)
{
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double PMPI_Wtime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return seconds(now);
}
WF_MPI_NAME(Wtime);

double PMPI_Wtick(void)
{
	struct timespec tick;

	clock_getres(CLOCK_MONOTONIC, &tick);
	return seconds(tick);
}
WF_MPI_NAME(Wtick);

int PMPI_Pcontrol(const int level, ...)
{
	(void)level;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Pcontrol);
