/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_INFO_ENV, and what it is made of: how this process was started. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

static struct {
	pthread_mutex_t lock;
	struct weft_info *info;
} env = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int add_number(struct weft_info *info, const char *key, int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", n);
	return weft_info_set(info, key, text);
}

/* What the job tells, while it is open. */
static int add_job(struct weft_info *info)
{
	int status = wf_mpi.job ? add_number(info, "maxprocs",
					     weft_job_size(wf_mpi.job)) :
				  WEFT_OK;

	return status || !wf_mpi.job ? status :
		weft_info_set(info, "thread_level",
			      wf_mpi_level_name(wf_mpi.level));
}

/* What the system tells; a key that it does not is left out. */
static int add_process(struct weft_info *info)
{
	struct utsname system;
	char directory[MPI_MAX_INFO_VAL];
	int status = weft_info_set(info, "command", program_invocation_name);

	if (!status && getcwd(directory, sizeof(directory)))
		status = weft_info_set(info, "wdir", directory);
	if (!status && !uname(&system))
		status = weft_info_set(info, "host", system.nodename);
	if (!status && !uname(&system))
		status = weft_info_set(info, "arch", system.machine);
	return status;
}

/* The words of a program's command line behind the first one. */
static int add_words(struct weft_info *info, int argc, char *argv[])
{
	char text[MPI_MAX_INFO_VAL] = "";
	size_t length = 0;

	for (int i = 1; i < argc && length < sizeof(text); i++)
		length += (size_t)snprintf(text + length,
					   sizeof(text) - length, "%s%s",
					   i > 1 ? " " : "", argv[i]);
	return argc > 1 ? weft_info_set(info, "argv", text) : WEFT_OK;
}

static struct weft_info *make(int argc, char *argv[])
{
	struct weft_info *info = NULL;

	if (weft_info_create(NULL, &info))
		return NULL;
	if (add_process(info) || add_words(info, argc, argv) ||
	    add_job(info)) {
		int freed = weft_info_free(&info);

		(void)freed;
		return NULL;
	}
	return info;
}

struct weft_info *wf_mpi_info_env(void)
{
	struct weft_info *info;

	pthread_mutex_lock(&env.lock);
	if (!env.info)
		env.info = make(0, NULL);
	info = env.info;
	pthread_mutex_unlock(&env.lock);
	return info;
}

int PMPI_Info_create_env(int argc, char *argv[], MPI_Info *info)
{
	struct weft_info *made = make(argc, argv);

	*info = wf_mpi_info_handle(made);
	return wf_mpi_lacks(made ? WEFT_OK : WEFT_ERR_NOMEM, WF_MPI_CALL);
}
WF_MPI_NAME(Info_create_env);
