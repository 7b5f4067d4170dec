/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codes: classes of the ABI, or numbers above it that name one of the last
 * sentences, so that MPI_Error_string has that of the call which failed.
 */
#include "mpi/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weft.h>

#include "mpi/mpi_handle.h"

/* A code: bit 30, a serial number, the class in the low bits. */
enum {
	CODE = 1 << 30,
	CLASS_BITS = 7,
	CLASSES = 1 << CLASS_BITS,
	SERIALS = CODE >> CLASS_BITS
};

static struct {
	pthread_mutex_t lock;
	int serial;			/* of the next one */
	struct note {
		int code;		/* 0: none */
		char text[MPI_MAX_ERROR_STRING];
	} note[WF_MPI_CODES];
} notes = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct note *note_of(int serial)
{
	return &notes.note[serial % WF_MPI_CODES];
}

static int note_new(int class, const char *text)
{
	struct note *note = note_of(notes.serial);

	note->code = CODE | notes.serial << CLASS_BITS | class;
	snprintf(note->text, sizeof(note->text), "%s", text);
	notes.serial = (notes.serial + 1) % SERIALS;
	return note->code;
}

/* The handler and the function that returns tell of one error. */
static bool is_last(int class, const char *text)
{
	const struct note *last = note_of((notes.serial + SERIALS - 1) %
					  SERIALS);

	return last->code && (last->code & (CLASSES - 1)) == class &&
	       !strncmp(last->text, text, sizeof(last->text) - 1);
}

int wf_mpi_code(int class, const char *text)
{
	int code;

	pthread_mutex_lock(&notes.lock);
	code = is_last(class, text) ?
		note_of((notes.serial + SERIALS - 1) % SERIALS)->code :
		note_new(class, text);
	pthread_mutex_unlock(&notes.lock);
	return code;
}

/* ---- classes ---- */

/* Of an argument that is wrong. */
static const unsigned char argument_class[] = {
	[WEFT_ARGUMENT_NONE] = MPI_ERR_ARG,
	[WEFT_ARGUMENT_BUFFER] = MPI_ERR_BUFFER,
	[WEFT_ARGUMENT_COUNT] = MPI_ERR_COUNT,
	[WEFT_ARGUMENT_TYPE] = MPI_ERR_TYPE,
	[WEFT_ARGUMENT_TAG] = MPI_ERR_TAG,
	[WEFT_ARGUMENT_RANK] = MPI_ERR_RANK,
	[WEFT_ARGUMENT_ROOT] = MPI_ERR_ROOT,
	[WEFT_ARGUMENT_OP] = MPI_ERR_OP,
	[WEFT_ARGUMENT_COMM] = MPI_ERR_COMM,
	[WEFT_ARGUMENT_GROUP] = MPI_ERR_GROUP,
	[WEFT_ARGUMENT_KEYVAL] = MPI_ERR_KEYVAL,
	[WEFT_ARGUMENT_INFO] = MPI_ERR_INFO,
	[WEFT_ARGUMENT_REQUEST] = MPI_ERR_REQUEST
};

/* Of what happened, by the status below 0. */
static const unsigned char status_class[] = {
	[-WEFT_ERR_NOMEM] = MPI_ERR_NO_MEM,
	[-WEFT_ERR_BOOT] = MPI_ERR_OTHER,
	[-WEFT_ERR_TIMEOUT] = MPI_ERR_OTHER,
	[-WEFT_ERR_PEER] = MPI_ERR_PROC_ABORTED,
	[-WEFT_ERR_DEVICE] = MPI_ERR_OTHER,
	[-WEFT_ERR_TRUNCATE] = MPI_ERR_TRUNCATE,
	[-WEFT_ERR_SIZE] = MPI_ERR_TRUNCATE,
	[-WEFT_ERR_GRAPH] = MPI_ERR_TOPOLOGY,
	[-WEFT_ERR_REQUEST] = MPI_ERR_REQUEST,
	[-WEFT_ERR_UNSUPPORTED] = MPI_ERR_UNSUPPORTED_OPERATION,
	[-WEFT_ERR_IN_OP] = MPI_ERR_OTHER,
	[-WEFT_ERR_INTERNAL] = MPI_ERR_INTERN,
	[-WEFT_ERR_FORKED] = MPI_ERR_OTHER,
	[-WEFT_ERR_BUFFER] = MPI_ERR_BUFFER
};

int wf_mpi_class(int status)
{
	if (status == WEFT_ERR_ARG || status == WEFT_ERR_RANGE)
		return argument_class[weft_error_argument(wf_mpi.job)];
	if (status < 0 && -status < (int)sizeof(status_class))
		return status_class[-status];
	return MPI_ERR_UNKNOWN;
}

int wf_mpi_code_of(int status, const char *text)
{
	return status > 0 ? status :
		wf_mpi_code(wf_mpi_class(status),
			    *text ? text : weft_status_text(status));
}

static bool is_note(int code)
{
	return code > 0 && code & CODE;
}

int wf_mpi_code_class(int code)
{
	return is_note(code) ? code & (CLASSES - 1) : code;
}

/* ---- how functions end ---- */

/* Without a job there is no handler, and only this process to end. */
static int end_process(const char *text) __attribute__((noreturn));

static int end_process(const char *text)
{
	fprintf(stderr, "%s\n", text);
	weft_job_abort(NULL, 1, text);
}

static int is_out_of_time(const char *call)
{
	char text[200];

	snprintf(text, sizeof(text), "%s was called %s", call,
		 wf_mpi.state == WF_MPI_BEFORE ?
		 "before MPI_Init: call that first" :
		 "after MPI_Finalize: nothing may be called any more");
	return end_process(text);
}

static int raise(struct weft_comm *comm, int code, const char *text)
{
	int status = weft_comm_call_errhandler(comm ? comm : wf_mpi.self,
					       code, text);

	/* Where the handler cannot be called the code is all there is. */
	(void)status;
	return code;
}

int wf_mpi_fail(int status, const char *call)
{
	const char *text;
	int code;

	if (!wf_mpi.job)
		return is_out_of_time(call);
	text = weft_error_text(wf_mpi.job);
	code = wf_mpi_code_of(status, text);
	return raise(NULL, code, *text ? text : weft_status_text(status));
}

int wf_mpi_fail_on(struct weft_comm *comm, int status, const char *call)
{
	if (!wf_mpi.job)
		return is_out_of_time(call);
	if (!comm)
		return wf_mpi_refuse(NULL, MPI_ERR_COMM,
				     "%s: comm is no communicator", call);
	return wf_mpi_code_of(status, weft_error_text(wf_mpi.job));
}

int wf_mpi_refuse(struct weft_comm *comm, int class, const char *fmt, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!wf_mpi.job)
		return end_process(text);
	return raise(comm, wf_mpi_code(class, text), text);
}

int wf_mpi_lacks(int status, const char *call)
{
	return status ? wf_mpi_refuse(NULL, MPI_ERR_NO_MEM,
				      "%s: no memory is left", call) :
			MPI_SUCCESS;
}

int wf_mpi_refuse_null(struct weft_comm *comm, const char *call,
		       const char *argument)
{
	return wf_mpi_refuse(comm, MPI_ERR_ARG, "%s: %s is NULL", call,
			     argument);
}

/* ---- texts ---- */

static const char *const class_text[] = {
	[MPI_SUCCESS] = "no error",
	[MPI_ERR_BUFFER] = "a buffer is invalid, or too small",
	[MPI_ERR_COUNT] = "a count is invalid",
	[MPI_ERR_TYPE] = "a datatype is invalid, or not committed",
	[MPI_ERR_TAG] = "a tag is invalid",
	[MPI_ERR_COMM] = "a communicator is invalid",
	[MPI_ERR_RANK] = "a rank is not in the communicator or group",
	[MPI_ERR_REQUEST] = "a request is invalid, or not in a state for this",
	[MPI_ERR_ROOT] = "a root is not in the communicator",
	[MPI_ERR_GROUP] = "a group is invalid",
	[MPI_ERR_OP] = "an operation is invalid, or not for the datatype",
	[MPI_ERR_TOPOLOGY] = "a topology is invalid, or edges do not match",
	[MPI_ERR_DIMS] = "dimensions are invalid",
	[MPI_ERR_ARG] = "an argument is invalid",
	[MPI_ERR_UNKNOWN] = "an error of no other class",
	[MPI_ERR_TRUNCATE] = "a message is longer than where it goes",
	[MPI_ERR_OTHER] = "another error",
	[MPI_ERR_INTERN] = "an internal rule was broken",
	[MPI_ERR_PENDING] = "a request is not complete yet",
	[MPI_ERR_IN_STATUS] = "the errors are in the statuses",
	[MPI_ERR_INFO_KEY] = "a key is too long, or empty",
	[MPI_ERR_INFO_NOKEY] = "an info object has no such key",
	[MPI_ERR_INFO_VALUE] = "a value is too long",
	[MPI_ERR_INFO] = "an info object is invalid",
	[MPI_ERR_KEYVAL] = "a key of attributes is invalid",
	[MPI_ERR_NO_MEM] = "no memory is left",
	[MPI_ERR_UNSUPPORTED_OPERATION] = "this is not supported here",
	[MPI_ERR_PROC_ABORTED] = "a process has ended too early",
	[MPI_ERR_VALUE_TOO_LARGE] = "a value does not fit where it goes",
	[MPI_ERR_SESSION] = "a session is invalid",
	[MPI_ERR_ERRHANDLER] = "an error handler is invalid",
	[MPI_ERR_ABI] = "this was said of the ABI already"
};

static const char *text_of(int class)
{
	return class >= 0 &&
	       class < (int)(sizeof(class_text) / sizeof(class_text[0])) &&
	       class_text[class] ? class_text[class] :
		"a class of errors that this library has not";
}

void wf_mpi_code_text(int code, char text[MPI_MAX_ERROR_STRING])
{
	const struct note *note;
	bool found = false;

	if (is_note(code)) {
		pthread_mutex_lock(&notes.lock);
		note = note_of((code & ~CODE) >> CLASS_BITS);
		found = note->code == code;
		if (found)
			memcpy(text, note->text, sizeof(note->text));
		pthread_mutex_unlock(&notes.lock);
	}
	if (!found)
		snprintf(text, MPI_MAX_ERROR_STRING, "%s",
			 text_of(wf_mpi_code_class(code)));
}
