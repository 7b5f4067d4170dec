/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions: their life, their errors, and what there is to be joined. */
#include "mpi/mpi_session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/zeroed.h"
#include "mpi/error.h"
#include "mpi/mpi_int.h"

/* ---- errors ---- */

static int tell(struct wf_mpi_session *session, int class, const char *text)
{
	MPI_Session handle = (MPI_Session)session;
	int code = wf_mpi_code(class, text);

	return wf_mpi_errhandler_call(&session->errors, &handle, code, text);
}

int wf_mpi_session_refuse(struct wf_mpi_session *session, int class,
			  const char *fmt, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return session ? tell(session, class, text) :
			 wf_mpi_refuse(NULL, class, "%s", text);
}

int wf_mpi_session_on(struct wf_mpi_session *session, int status,
		      const char *call)
{
	const char *text;

	if (!session)
		return wf_mpi_session_refuse(NULL, MPI_ERR_SESSION, "%s: "
					     "session is no session", call);
	if (!status)
		return MPI_SUCCESS;
	text = weft_error_text(wf_mpi.job);
	return tell(session, wf_mpi_class(status),
		    *text ? text : weft_status_text(status));
}

static int is_no_errhandler(struct wf_mpi_session *session, const char *call)
{
	return wf_mpi_session_refuse(session, MPI_ERR_ERRHANDLER,
				     "%s: errhandler is no handler of errors "
				     "of sessions", call);
}

int PMPI_Session_create_errhandler(MPI_Session_errhandler_function *fn,
				   MPI_Errhandler *errhandler)
{
	struct wf_mpi_errhandler *handler = fn ?
		wf_mpi_errhandler_new(NULL, fn) : NULL;

	*errhandler = MPI_ERRHANDLER_NULL;
	if (!fn)
		return wf_mpi_refuse_null(NULL, WF_MPI_CALL, "the function");
	if (handler)
		*errhandler = (MPI_Errhandler)handler;
	return wf_mpi_lacks(handler ? WEFT_OK : WEFT_ERR_NOMEM, WF_MPI_CALL);
}
WF_MPI_NAME(Session_create_errhandler);

int PMPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler)
{
	struct wf_mpi_session *own = wf_mpi_session(session);
	struct weft_errhandler errors;

	if (!own)
		return wf_mpi_session_on(NULL, 0, WF_MPI_CALL);
	if (!wf_mpi_errhandler_of_session(errhandler, &errors))
		return is_no_errhandler(own, WF_MPI_CALL);
	wf_mpi_errhandler_keep(&own->errors, &errors);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Session_set_errhandler);

int PMPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler)
{
	struct wf_mpi_session *own = wf_mpi_session(session);

	*errhandler = MPI_ERRHANDLER_NULL;
	if (own)
		*errhandler = wf_mpi_errhandler_kept(&own->errors);
	return wf_mpi_session_on(own, WEFT_OK, WF_MPI_CALL);
}
WF_MPI_NAME(Session_get_errhandler);

int PMPI_Session_call_errhandler(MPI_Session session, int errorcode)
{
	struct wf_mpi_session *own = wf_mpi_session(session);
	char text[MPI_MAX_ERROR_STRING];

	if (!own)
		return wf_mpi_session_on(NULL, 0, WF_MPI_CALL);
	if (!wf_mpi_error_text(errorcode, text))
		return wf_mpi_session_refuse(own, MPI_ERR_ARG, "%s: %d is no "
					     "code or class", WF_MPI_CALL,
					     errorcode);
	(void)wf_mpi_errhandler_call(&own->errors, &session, errorcode, text);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Session_call_errhandler);

/* ---- life ---- */

/* What the program asks for; without it, threads take no part. */
static int wanted_level(const struct weft_info *info)
{
	const char *text = info ? weft_info_get(info, "thread_level") : NULL;
	int level = MPI_THREAD_SINGLE;

	for (int l = MPI_THREAD_SINGLE; text && l <= MPI_THREAD_MULTIPLE; l++)
		if (!strcmp(text, wf_mpi_level_name(l)))
			level = wf_mpi_level(l);
	return level;
}

/* There is no job, and no session: nothing but the handler to tell. */
static int is_not_open(struct wf_mpi_session *own, const char *call, int status)
{
	char text[MPI_MAX_ERROR_STRING];
	MPI_Session none = MPI_SESSION_NULL;
	int code;

	snprintf(text, sizeof(text), "%s: %s", call, weft_status_text(status));
	code = wf_mpi_code(status == WEFT_ERR_NOMEM ? MPI_ERR_NO_MEM :
						      MPI_ERR_OTHER, text);
	code = wf_mpi_errhandler_call(&own->errors, &none, code, text);
	wf_mpi_errhandler_keep(&own->errors, NULL);
	free(own);
	return code;
}

int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler,
		      MPI_Session *session)
{
	struct weft_errhandler errors;
	struct wf_mpi_session *own;
	int status;

	*session = MPI_SESSION_NULL;
	if (!wf_mpi_errhandler_of_session(errhandler, &errors))
		return is_no_errhandler(NULL, WF_MPI_CALL);
	own = wf_zeroed(1, sizeof(*own));
	if (!own)
		return wf_mpi_lacks(WEFT_ERR_NOMEM, WF_MPI_CALL);
	wf_mpi_errhandler_keep(&own->errors, &errors);
	own->level = wanted_level(wf_mpi_info(info));
	/* other sessions may have threads of their own */
	status = wf_mpi_use(&own->level, own->level != MPI_THREAD_SINGLE);
	if (status)
		return is_not_open(own, WF_MPI_CALL, status);
	*session = (MPI_Session)own;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Session_init);

int PMPI_Session_finalize(MPI_Session *session)
{
	struct wf_mpi_session *own = wf_mpi_session(*session);

	if (!own)
		return wf_mpi_session_on(NULL, 0, WF_MPI_CALL);
	wf_mpi_int_forget(own);
	*session = MPI_SESSION_NULL;
	wf_mpi_errhandler_keep(&own->errors, NULL);
	free(own);
	return wf_mpi_done(wf_mpi_unuse(false), WF_MPI_CALL);
}
WF_MPI_NAME(Session_finalize);

/* An info object with one key. */
static int tell_key(struct wf_mpi_session *own, const char *key,
		    const char *value, MPI_Info *info, const char *call)
{
	struct weft_info *made = NULL;
	int status = weft_info_create(NULL, &made);

	if (!status)
		status = weft_info_set(made, key, value);
	*info = wf_mpi_info_handle(made);
	return status ? wf_mpi_session_refuse(own, MPI_ERR_NO_MEM,
					      "%s: no memory is left", call) :
			MPI_SUCCESS;
}

int PMPI_Session_get_info(MPI_Session session, MPI_Info *info)
{
	struct wf_mpi_session *own = wf_mpi_session(session);

	*info = MPI_INFO_NULL;
	if (!own)
		return wf_mpi_session_on(NULL, 0, WF_MPI_CALL);
	return tell_key(own, "thread_level", wf_mpi_level_name(own->level),
			info, WF_MPI_CALL);
}
WF_MPI_NAME(Session_get_info);

/* ---- sets of processes ---- */

enum set {
	SET_WORLD,
	SET_SELF,
	SETS
};

static const char *const set_name[SETS] = { "mpi://WORLD", "mpi://SELF" };

static enum set find_set(const char *name)
{
	int set = 0;

	while (set < SETS && strcasecmp(name, set_name[set]))
		set++;
	return (enum set)set;
}

static struct weft_comm *members_of(enum set set)
{
	return set == SET_WORLD ? weft_job_world(wf_mpi.job) : wf_mpi.self;
}

static int is_no_set(struct wf_mpi_session *own, const char *name,
		     const char *call)
{
	return wf_mpi_session_refuse(own, MPI_ERR_ARG, "%s: there is no set of "
				     "processes `%s`: mpi://WORLD and "
				     "mpi://SELF are all", call, name);
}

int PMPI_Session_get_num_psets(MPI_Session session, MPI_Info info,
			       int *npset_names)
{
	(void)info;
	*npset_names = SETS;
	return wf_mpi_session_on(wf_mpi_session(session), WEFT_OK,
				 WF_MPI_CALL);
}
WF_MPI_NAME(Session_get_num_psets);

int PMPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n,
			      int *pset_len, char *pset_name)
{
	struct wf_mpi_session *own = wf_mpi_session(session);
	int room = *pset_len;

	(void)info;
	if (!own)
		return wf_mpi_session_on(NULL, 0, WF_MPI_CALL);
	if (n < 0 || n >= SETS)
		return wf_mpi_session_refuse(own, MPI_ERR_ARG, "%s: n is %d, "
					     "and there are %d sets of "
					     "processes", WF_MPI_CALL, n, SETS);
	*pset_len = (int)strlen(set_name[n]) + 1;
	if (room > 0)
		snprintf(pset_name, (size_t)room, "%s", set_name[n]);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Session_get_nth_pset);

int PMPI_Session_get_pset_info(MPI_Session session, const char *pset_name,
			       MPI_Info *info)
{
	struct wf_mpi_session *own = wf_mpi_session(session);
	enum set set = find_set(pset_name);
	char size[16];

	*info = MPI_INFO_NULL;
	if (!own)
		return wf_mpi_session_on(NULL, 0, WF_MPI_CALL);
	if (set == SETS)
		return is_no_set(own, pset_name, WF_MPI_CALL);
	snprintf(size, sizeof(size), "%d", weft_comm_size(members_of(set)));
	return tell_key(own, "mpi_size", size, info, WF_MPI_CALL);
}
WF_MPI_NAME(Session_get_pset_info);

int PMPI_Group_from_session_pset(MPI_Session session, const char *pset_name,
				 MPI_Group *newgroup)
{
	struct wf_mpi_session *own = wf_mpi_session(session);
	enum set set = find_set(pset_name);
	struct weft_group *made = NULL;
	int status;

	*newgroup = MPI_GROUP_NULL;
	if (!own)
		return wf_mpi_session_on(NULL, 0, WF_MPI_CALL);
	if (set == SETS)
		return is_no_set(own, pset_name, WF_MPI_CALL);
	status = weft_comm_group(members_of(set), &made);
	if (made)
		*newgroup = (MPI_Group)made;
	return wf_mpi_session_on(own, status, WF_MPI_CALL);
}
WF_MPI_NAME(Group_from_session_pset);
