/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init, MPI_Finalize and what can be asked about them; MPI_Abort. */
#include <stdio.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

struct wf_mpi wf_mpi;

/* What was asked is not there: the process has nothing else to tell it by. */
static int is_not_open(int status)
{
	char text[200];

	snprintf(text, sizeof(text), "MPI_Init failed: %s",
		 weft_status_text(status));
	fprintf(stderr, "%s\n", text);
	weft_job_abort(NULL, 1, text);
}

/* Sessions may have the job open. */
static int runs_not(const char *call)
{
	return wf_mpi.job ? wf_mpi_refuse(NULL, MPI_ERR_OTHER,
					  "%s was called %s", call,
					  wf_mpi.state == WF_MPI_BEFORE ?
					  "before MPI_Init" :
					  "after MPI_Finalize") :
			    wf_mpi_fail(WEFT_ERR_ARG, call);
}

static int begin(int required, const char *call)
{
	int status;

	if (wf_mpi.state == WF_MPI_RUNS)
		return wf_mpi_refuse(NULL, MPI_ERR_OTHER,
				     "%s: MPI was initialised before", call);
	if (wf_mpi.state == WF_MPI_OVER)
		return runs_not(call);
	wf_mpi.level = wf_mpi_level(required);
	wf_mpi.main = pthread_self();
	status = wf_mpi_use(&wf_mpi.level,
			    wf_mpi.level == MPI_THREAD_MULTIPLE);
	if (status)
		return is_not_open(status);
	wf_mpi.comm[1] = weft_job_world(wf_mpi.job);
	wf_mpi.comm[2] = wf_mpi.self;
	wf_mpi.state = WF_MPI_RUNS;
	return MPI_SUCCESS;
}

int PMPI_Init(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return begin(MPI_THREAD_SINGLE, WF_MPI_CALL);
}
WF_MPI_NAME(Init);

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int code = begin(required, WF_MPI_CALL);

	(void)argc;
	(void)argv;
	if (!code && provided)
		*provided = wf_mpi.level;
	return code;
}
WF_MPI_NAME(Init_thread);

/* Callbacks of attributes may still call MPI while the job closes. */
int PMPI_Finalize(void)
{
	int status;

	if (wf_mpi.state != WF_MPI_RUNS)
		return runs_not(WF_MPI_CALL);
	status = wf_mpi_unuse(true);
	wf_mpi.comm[1] = NULL;
	wf_mpi.comm[2] = NULL;
	wf_mpi.state = WF_MPI_OVER;
	return status ? wf_mpi_code_of(status, "") : MPI_SUCCESS;
}
WF_MPI_NAME(Finalize);

int PMPI_Initialized(int *flag)
{
	*flag = wf_mpi.state != WF_MPI_BEFORE;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Initialized);

int PMPI_Finalized(int *flag)
{
	*flag = wf_mpi.state == WF_MPI_OVER;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Finalized);

int PMPI_Query_thread(int *provided)
{
	if (wf_mpi.state != WF_MPI_RUNS)
		return runs_not(WF_MPI_CALL);
	*provided = wf_mpi.level;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Query_thread);

int PMPI_Is_thread_main(int *flag)
{
	if (wf_mpi.state != WF_MPI_RUNS)
		return runs_not(WF_MPI_CALL);
	*flag = !!pthread_equal(pthread_self(), wf_mpi.main);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Is_thread_main);

int PMPI_Abort(MPI_Comm comm, int errorcode)
{
	weft_comm_abort(wf_mpi_comm(comm), errorcode);
}
WF_MPI_NAME(Abort);
