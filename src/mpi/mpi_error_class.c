/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes and codes: what a code is of and says, and those that the program
 * adds, which are numbers behind the last one of the ABI.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"

enum {
	FIRST = MPI_ERR_LASTCODE + 1
};

/* One that was added. */
struct added {
	int class;			/* its own number: it is one itself */
	bool removed;
	char *text;			/* NULL: none */
};

static struct {
	pthread_mutex_t lock;
	struct added *added;
	int n, room;
	int last;			/* what MPI_LASTUSEDCODE points to */
} codes = { .lock = PTHREAD_MUTEX_INITIALIZER, .last = MPI_ERR_LASTCODE };

int *wf_mpi_last_code(void)
{
	return &codes.last;
}

/* With the lock: NULL: not added, or removed. */
static struct added *added_of(int code)
{
	if (code < FIRST || code - FIRST >= codes.n)
		return NULL;
	return codes.added[code - FIRST].removed ? NULL :
						   &codes.added[code - FIRST];
}

static bool grow(void)
{
	int room = codes.room ? 2 * codes.room : 16;
	struct added *added = realloc(codes.added,
				      (size_t)room * sizeof(*added));

	if (!added)
		return false;
	codes.added = added;
	codes.room = room;
	return true;
}

/* class: 0: a class of its own.  Returns the number, or 0: no memory. */
static int add(int class)
{
	int code = 0;

	pthread_mutex_lock(&codes.lock);
	if (codes.n < codes.room || grow()) {
		code = FIRST + codes.n;
		codes.added[codes.n++] = (struct added){
			.class = class ? class : code
		};
		codes.last = code;
	}
	pthread_mutex_unlock(&codes.lock);
	return code;
}

/* Of a code or class; -1: there is none. */
static int class_of(int code)
{
	const struct added *added;
	int class = wf_mpi_code_class(code);

	if (class >= 0 && class <= MPI_ERR_ABI)
		return class;
	pthread_mutex_lock(&codes.lock);
	added = added_of(code);
	class = added ? added->class : -1;
	pthread_mutex_unlock(&codes.lock);
	return class;
}

static int refuse(int code, const char *call)
{
	return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: %d is no code or class "
			     "for this", call, code);
}

int PMPI_Error_class(int errorcode, int *errorclass)
{
	int class = class_of(errorcode);

	if (class < 0)
		return refuse(errorcode, WF_MPI_CALL);
	*errorclass = class;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Error_class);

bool wf_mpi_error_text(int code, char text[MPI_MAX_ERROR_STRING])
{
	const struct added *added;

	if (class_of(code) < 0)
		return false;
	pthread_mutex_lock(&codes.lock);
	added = added_of(code);
	if (added)
		snprintf(text, MPI_MAX_ERROR_STRING, "%s",
			 added->text ? added->text : "");
	pthread_mutex_unlock(&codes.lock);
	if (!added)
		wf_mpi_code_text(code, text);
	return true;
}

int PMPI_Error_string(int errorcode, char *string, int *length)
{
	if (!wf_mpi_error_text(errorcode, string))
		return refuse(errorcode, WF_MPI_CALL);
	*length = (int)strlen(string);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Error_string);

/* ---- those of the program ---- */

static int added_is(int code, int *code_p, const char *call)
{
	*code_p = code;
	return wf_mpi_lacks(code ? WEFT_OK : WEFT_ERR_NOMEM, call);
}

int PMPI_Add_error_class(int *errorclass)
{
	return added_is(add(0), errorclass, WF_MPI_CALL);
}
WF_MPI_NAME(Add_error_class);

int PMPI_Add_error_code(int errorclass, int *errorcode)
{
	if (class_of(errorclass) != errorclass)
		return refuse(errorclass, WF_MPI_CALL);
	return added_is(add(errorclass), errorcode, WF_MPI_CALL);
}
WF_MPI_NAME(Add_error_code);

/* text: NULL: none.  False: the code was not added. */
static bool set_text(int code, char *text)
{
	struct added *added;

	pthread_mutex_lock(&codes.lock);
	added = added_of(code);
	if (added) {
		free(added->text);
		added->text = text;
	}
	pthread_mutex_unlock(&codes.lock);
	return added;
}

int PMPI_Add_error_string(int errorcode, const char *string)
{
	char *text = string ? strndup(string, MPI_MAX_ERROR_STRING - 1) : NULL;

	if (!string)
		return wf_mpi_refuse_null(NULL, WF_MPI_CALL, "the string");
	if (!text)
		return wf_mpi_lacks(WEFT_ERR_NOMEM, WF_MPI_CALL);
	if (set_text(errorcode, text))
		return MPI_SUCCESS;
	free(text);
	return refuse(errorcode, WF_MPI_CALL);
}
WF_MPI_NAME(Add_error_string);

int PMPI_Remove_error_string(int errorcode)
{
	return set_text(errorcode, NULL) ? MPI_SUCCESS :
					   refuse(errorcode, WF_MPI_CALL);
}
WF_MPI_NAME(Remove_error_string);

/* A class goes only once no code is of it. */
static bool is_in_use(int class)
{
	for (int i = 0; i < codes.n; i++) {
		if (!codes.added[i].removed && codes.added[i].class == class &&
		    FIRST + i != class)
			return true;
	}
	return false;
}

static int remove_one(int code, bool is_class, const char *call)
{
	struct added *added;

	pthread_mutex_lock(&codes.lock);
	added = added_of(code);
	if (added && ((added->class == code) != is_class || is_in_use(code)))
		added = NULL;
	if (added) {
		free(added->text);
		*added = (struct added){ .removed = true };
	}
	pthread_mutex_unlock(&codes.lock);
	return added ? MPI_SUCCESS : refuse(code, call);
}

int PMPI_Remove_error_class(int errorclass)
{
	return remove_one(errorclass, true, WF_MPI_CALL);
}
WF_MPI_NAME(Remove_error_class);

int PMPI_Remove_error_code(int errorcode)
{
	return remove_one(errorcode, false, WF_MPI_CALL);
}
WF_MPI_NAME(Remove_error_code);
