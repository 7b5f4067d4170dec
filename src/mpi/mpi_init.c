/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init, MPI_Finalize and what can be asked about them; MPI_Abort. */
#include <stdio.h>

#include "mpi/error.h"
#include "mpi/mpi_attr.h"
#include "mpi/mpi_handle.h"
#include "mpi/mpi_type_f90.h"

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

/* Errors end the job unless the program says otherwise. */
static int name_and_guard(struct weft_comm *comm, const char *name)
{
	const struct weft_errhandler fatal = {
		.kind = WEFT_ERRORS_ARE_FATAL
	};
	int status = comm ? weft_comm_set_name(comm, name) : WEFT_ERR_NOMEM;

	return status ? status : weft_comm_set_errhandler(comm, &fatal);
}

static int open_job(int level)
{
	struct weft_job_options options;
	int status;

	weft_job_options_init(&options, sizeof(options));
	options.threads = level == MPI_THREAD_MULTIPLE;
	status = weft_job_open(&options, &wf_mpi.job);
	if (status)
		return status;
	wf_mpi.comm[1] = weft_job_world(wf_mpi.job);
	wf_mpi.comm[2] = weft_job_self(wf_mpi.job);
	status = name_and_guard(wf_mpi.comm[1], "MPI_COMM_WORLD");
	return status ? status :
			name_and_guard(wf_mpi.comm[2], "MPI_COMM_SELF");
}

/* Between two levels the higher one is given. */
static int level_for(int required)
{
	static const int levels[] = {
		MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (required <= levels[i])
			return levels[i];
	}
	return MPI_THREAD_MULTIPLE;
}

static int begin(int required, const char *call)
{
	int status;

	if (wf_mpi.state == WF_MPI_RUNS)
		return wf_mpi_refuse(NULL, MPI_ERR_OTHER,
				     "%s: MPI was initialised before", call);
	if (wf_mpi.state == WF_MPI_OVER)
		return wf_mpi_fail(WEFT_ERR_ARG, call);
	wf_mpi.level = level_for(required);
	wf_mpi.main = pthread_self();
	status = open_job(wf_mpi.level);
	if (status)
		return is_not_open(status);
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

	if (!wf_mpi.job)
		return wf_mpi_fail(WEFT_ERR_ARG, WF_MPI_CALL);
	status = weft_job_close(wf_mpi.job);
	wf_mpi.job = NULL;
	wf_mpi_keys_drop();
	wf_mpi_types_f90_drop();
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
	if (!wf_mpi.job)
		return wf_mpi_fail(WEFT_ERR_ARG, WF_MPI_CALL);
	*provided = wf_mpi.level;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Query_thread);

int PMPI_Is_thread_main(int *flag)
{
	if (!wf_mpi.job)
		return wf_mpi_fail(WEFT_ERR_ARG, WF_MPI_CALL);
	*flag = !!pthread_equal(pthread_self(), wf_mpi.main);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Is_thread_main);

int PMPI_Abort(MPI_Comm comm, int errorcode)
{
	weft_comm_abort(wf_mpi_comm(comm), errorcode);
}
WF_MPI_NAME(Abort);
