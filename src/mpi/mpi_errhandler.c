/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers of errors, and those of communicators. */
#include "mpi/mpi_errhandler.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"
#include "mpi/mpi_int.h"

struct wf_mpi_errhandler *
wf_mpi_errhandler_new(MPI_Comm_errhandler_function *call,
		      MPI_Session_errhandler_function *of_session)
{
	struct wf_mpi_errhandler *handler = malloc(sizeof(*handler));

	if (handler)
		*handler = (struct wf_mpi_errhandler){ 1, call, of_session };
	return handler;
}

void wf_mpi_errhandler_drop(struct wf_mpi_errhandler *handler)
{
	if (atomic_fetch_sub(&handler->refs, 1) > 1)
		return;
	wf_mpi_int_forget(handler);
	free(handler);
}

/*
 * Held while a communicator is told, or asked: what it had does not go before
 * who asked has a reference of its own.
 */
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;

/* ---- as native calls have them ---- */

static void hold(void *arg)
{
	struct wf_mpi_errhandler *handler = arg;

	atomic_fetch_add(&handler->refs, 1);
}

static void drop(void *arg)
{
	wf_mpi_errhandler_drop(arg);
}

/* What a function of the program is told is also what its call returns. */
static void call(struct weft_comm *comm, int status, const char *text,
		 void *arg)
{
	const struct wf_mpi_errhandler *handler = arg;
	MPI_Comm handle = wf_mpi_comm_handle(comm);
	int code = wf_mpi_code_of(status, text);

	handler->call(&handle, &code);
}

/* Of a predefined one, or of an object of either kind. */
static bool find_native(MPI_Errhandler errhandler,
			struct weft_errhandler *native_p)
{
	*native_p = (struct weft_errhandler){ .kind = WEFT_ERRORS_RETURN };
	if (errhandler == MPI_ERRORS_RETURN)
		return true;
	if (errhandler == MPI_ERRORS_ARE_FATAL)
		native_p->kind = WEFT_ERRORS_ARE_FATAL;
	else if (errhandler == MPI_ERRORS_ABORT)
		native_p->kind = WEFT_ERRORS_ABORT;
	else if (!wf_mpi_is_predefined(errhandler))
		*native_p = (struct weft_errhandler){
			.kind = WEFT_ERRORS_CALL, .call = call,
			.arg = errhandler, .hold = hold, .drop = drop
		};
	else
		return false;
	return true;
}

static const struct wf_mpi_errhandler *
object_of(const struct weft_errhandler *native)
{
	return native->kind == WEFT_ERRORS_CALL ? native->arg : NULL;
}

bool wf_mpi_errhandler_native(MPI_Errhandler errhandler,
			      struct weft_errhandler *native_p)
{
	return find_native(errhandler, native_p) &&
	       (!object_of(native_p) || object_of(native_p)->call);
}

bool wf_mpi_errhandler_of_session(MPI_Errhandler errhandler,
				  struct weft_errhandler *native_p)
{
	return find_native(errhandler, native_p) &&
	       (!object_of(native_p) || object_of(native_p)->of_session);
}

void wf_mpi_errhandler_keep(struct weft_errhandler *kept,
			    const struct weft_errhandler *errors)
{
	struct weft_errhandler old;

	if (errors && errors->kind == WEFT_ERRORS_CALL)
		hold(errors->arg);
	pthread_mutex_lock(&telling);
	old = *kept;
	*kept = errors ? *errors : (struct weft_errhandler){ .arg = NULL };
	pthread_mutex_unlock(&telling);
	if (old.kind == WEFT_ERRORS_CALL)
		drop(old.arg);
}

static int end(int code, const char *text) __attribute__((noreturn));

static int end(int code, const char *text)
{
	if (!wf_mpi.job)
		fprintf(stderr, "%s\n", text);
	weft_job_abort(wf_mpi.job, wf_mpi_code_class(code), text);
}

/* Held, as another thread may exchange it. */
static struct weft_errhandler copy_of(const struct weft_errhandler *kept)
{
	struct weft_errhandler copy;

	pthread_mutex_lock(&telling);
	copy = *kept;
	if (copy.kind == WEFT_ERRORS_CALL)
		hold(copy.arg);
	pthread_mutex_unlock(&telling);
	return copy;
}

int wf_mpi_errhandler_call(const struct weft_errhandler *errors, void *handle_p,
			   int code, const char *text)
{
	const struct weft_errhandler now = copy_of(errors);
	const struct wf_mpi_errhandler *object = object_of(&now);
	int told = code;

	if (now.kind == WEFT_ERRORS_ARE_FATAL || now.kind == WEFT_ERRORS_ABORT)
		return end(code, text);
	if (object && object->call)
		object->call(handle_p, &told);
	else if (object)
		object->of_session(handle_p, &told);
	if (object)
		drop(now.arg);
	return code;
}

MPI_Errhandler wf_mpi_errhandler_kept(const struct weft_errhandler *kept)
{
	const struct weft_errhandler now = copy_of(kept);

	return now.kind == WEFT_ERRORS_CALL ? now.arg :
					      wf_mpi_errhandler_handle(&now);
}

MPI_Errhandler
wf_mpi_errhandler_handle(const struct weft_errhandler *native)
{
	switch (native->kind) {
	case WEFT_ERRORS_RETURN:
		return MPI_ERRORS_RETURN;
	case WEFT_ERRORS_ARE_FATAL:
		return MPI_ERRORS_ARE_FATAL;
	case WEFT_ERRORS_ABORT:
		return MPI_ERRORS_ABORT;
	case WEFT_ERRORS_CALL:
		hold(native->arg);
		return native->arg;
	}
	return MPI_ERRHANDLER_NULL;
}

/* ---- the functions ---- */

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *fn,
				MPI_Errhandler *errhandler)
{
	struct wf_mpi_errhandler *handler = fn ?
		wf_mpi_errhandler_new(fn, NULL) : NULL;

	*errhandler = MPI_ERRHANDLER_NULL;
	if (!fn)
		return wf_mpi_refuse_null(NULL, WF_MPI_CALL, "the function");
	if (handler)
		*errhandler = (MPI_Errhandler)handler;
	return wf_mpi_lacks(handler ? WEFT_OK : WEFT_ERR_NOMEM, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_create_errhandler);

static int is_none(struct weft_comm *comm, const char *call_)
{
	return wf_mpi_refuse(comm, MPI_ERR_ERRHANDLER,
			     "%s: errhandler is no handler of errors", call_);
}

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_errhandler handler;
	int status;

	if (native && !wf_mpi_errhandler_native(errhandler, &handler))
		return is_none(native, WF_MPI_CALL);
	pthread_mutex_lock(&telling);
	status = weft_comm_set_errhandler(native, &handler);
	pthread_mutex_unlock(&telling);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_set_errhandler);

int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	struct weft_errhandler handler;
	int status;

	pthread_mutex_lock(&telling);
	status = weft_comm_get_errhandler(native, &handler);
	*errhandler = status ? MPI_ERRHANDLER_NULL :
			       wf_mpi_errhandler_handle(&handler);
	pthread_mutex_unlock(&telling);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_get_errhandler);

/* A predefined one that MPI_Comm_get_errhandler gave goes as others do. */
int PMPI_Errhandler_free(MPI_Errhandler *errhandler)
{
	struct weft_errhandler native;

	if (!find_native(*errhandler, &native))
		return is_none(NULL, WF_MPI_CALL);
	if (native.kind == WEFT_ERRORS_CALL)
		wf_mpi_errhandler_drop(native.arg);
	*errhandler = MPI_ERRHANDLER_NULL;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Errhandler_free);

int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
	struct weft_comm *native = wf_mpi_comm(comm);
	char text[MPI_MAX_ERROR_STRING];
	int status;

	if (native && !wf_mpi_error_text(errorcode, text))
		return wf_mpi_refuse(native, MPI_ERR_ARG, "%s: %d is no code "
				     "or class", WF_MPI_CALL, errorcode);
	status = weft_comm_call_errhandler(native, errorcode, text);
	return wf_mpi_on(native, status, WF_MPI_CALL);
}
WF_MPI_NAME(Comm_call_errhandler);
