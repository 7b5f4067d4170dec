/* SPDX-License-Identifier: BSD-3-Clause */
/* The job of the process, while MPI_Init or a session uses it. */
#include <stdlib.h>

#include "mpi/error.h"
#include "mpi/mpi_attr.h"
#include "mpi/mpi_handle.h"
#include "mpi/mpi_type_f90.h"

static struct {
	pthread_mutex_t lock;
	int users;
	bool locks;			/* it was opened with them */
	bool over;			/* MPI_Finalize closes it, or has */
	bool at_exit;			/* it is closed there, if not before */
} uses = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const struct level {
	int level;
	const char *name;
} levels[] = {
	{ MPI_THREAD_SINGLE, "MPI_THREAD_SINGLE" },
	{ MPI_THREAD_FUNNELED, "MPI_THREAD_FUNNELED" },
	{ MPI_THREAD_SERIALIZED, "MPI_THREAD_SERIALIZED" },
	{ MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE" }
};

enum { LEVELS = sizeof(levels) / sizeof(levels[0]) };

static const struct level *at_least(int required)
{
	int i = 0;

	while (i < LEVELS - 1 && required > levels[i].level)
		i++;
	return &levels[i];
}

int wf_mpi_level(int required)
{
	return at_least(required)->level;
}

const char *wf_mpi_level_name(int level)
{
	return at_least(level)->name;
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

static int close_job(void)
{
	int status = weft_job_close(wf_mpi.job);

	wf_mpi.job = NULL;
	wf_mpi.self = NULL;
	wf_mpi_keys_drop();
	wf_mpi_types_f90_drop();
	return status;
}

static int open_job(bool locks)
{
	struct weft_job_options options;
	int status;

	weft_job_options_init(&options, sizeof(options));
	options.threads = uses.locks = locks;
	status = weft_job_open(&options, &wf_mpi.job);
	if (status)
		return status;
	wf_mpi.self = weft_job_self(wf_mpi.job);
	status = name_and_guard(weft_job_world(wf_mpi.job), "MPI_COMM_WORLD");
	if (!status)
		status = name_and_guard(wf_mpi.self, "MPI_COMM_SELF");
	if (status)
		close_job();
	return status;
}

/* Without locks threads take turns, whatever a later user asks for. */
static int given_level(int wanted)
{
	return wanted == MPI_THREAD_MULTIPLE && !uses.locks ?
		MPI_THREAD_SERIALIZED : wanted;
}

int wf_mpi_use(int *level_p, bool locks)
{
	int status = WEFT_OK;

	pthread_mutex_lock(&uses.lock);
	if (uses.over)
		status = WEFT_ERR_BOOT;
	else if (!wf_mpi.job)
		status = open_job(locks);
	if (!status) {
		uses.users++;
		*level_p = given_level(*level_p);
	}
	pthread_mutex_unlock(&uses.lock);
	return status;
}

/* A process that ends in the midst of its use ends as one that has failed. */
static void close_at_exit(void)
{
	if (wf_mpi.job && !uses.users)
		(void)close_job();
}

int wf_mpi_unuse(bool finalize)
{
	int status = WEFT_OK;

	pthread_mutex_lock(&uses.lock);
	if (--uses.users == 0 && finalize) {
		/* callbacks of attributes may ask for it, and are refused */
		uses.over = true;
		pthread_mutex_unlock(&uses.lock);
		return close_job();
	}
	if (!uses.at_exit && !atexit(close_at_exit))
		uses.at_exit = true;
	pthread_mutex_unlock(&uses.lock);
	return status;
}
