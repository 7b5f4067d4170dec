/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects: they need no job. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mpi/error.h"
#include "mpi/mpi_handle.h"
#include "mpi/mpi_int.h"

/* One that is none, or MPI_INFO_ENV where that may not be. */
static int is_none(const char *call)
{
	return wf_mpi_refuse(NULL, MPI_ERR_INFO, "%s: info is no info object",
			     call);
}

/* A key that no info object can have; MPI_SUCCESS: it may. */
static int refuse_key(const char *key, const char *call)
{
	size_t length = key ? strlen(key) : 0;

	if (length && length < MPI_MAX_INFO_KEY)
		return MPI_SUCCESS;
	return wf_mpi_refuse(NULL, MPI_ERR_INFO_KEY, "%s: a key has 1 to %d "
			     "characters, this one %zu", call,
			     MPI_MAX_INFO_KEY - 1, length);
}

int PMPI_Info_create(MPI_Info *info)
{
	struct weft_info *made = NULL;
	int status = weft_info_create(NULL, &made);

	*info = wf_mpi_info_handle(made);
	return wf_mpi_lacks(status, WF_MPI_CALL);
}
WF_MPI_NAME(Info_create);

int PMPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
	const struct weft_info *of = wf_mpi_info(info);
	struct weft_info *made = NULL;
	int status;

	if (!of)
		return is_none(WF_MPI_CALL);
	status = weft_info_dup(of, &made);
	*newinfo = wf_mpi_info_handle(made);
	return wf_mpi_lacks(status, WF_MPI_CALL);
}
WF_MPI_NAME(Info_dup);

int PMPI_Info_free(MPI_Info *info)
{
	struct weft_info *native = wf_mpi_info(*info);

	if (!native || *info == MPI_INFO_ENV)
		return is_none(WF_MPI_CALL);
	wf_mpi_int_forget(*info);
	if (weft_info_free(&native))
		return is_none(WF_MPI_CALL);
	*info = MPI_INFO_NULL;
	return MPI_SUCCESS;
}
WF_MPI_NAME(Info_free);

int PMPI_Info_set(MPI_Info info, const char *key, const char *value)
{
	struct weft_info *native = wf_mpi_info(info);
	int code = native && info != MPI_INFO_ENV ?
		refuse_key(key, WF_MPI_CALL) : is_none(WF_MPI_CALL);

	if (code)
		return code;
	if (!value || strlen(value) >= MPI_MAX_INFO_VAL)
		return wf_mpi_refuse(NULL, MPI_ERR_INFO_VALUE, "%s: the value "
				     "of %s has more than %d characters, or "
				     "is NULL", WF_MPI_CALL, key,
				     MPI_MAX_INFO_VAL - 1);
	return wf_mpi_lacks(weft_info_set(native, key, value), WF_MPI_CALL);
}
WF_MPI_NAME(Info_set);

int PMPI_Info_delete(MPI_Info info, const char *key)
{
	struct weft_info *native = wf_mpi_info(info);
	int code = native && info != MPI_INFO_ENV ?
		refuse_key(key, WF_MPI_CALL) : is_none(WF_MPI_CALL);

	if (code)
		return code;
	if (weft_info_delete(native, key))
		return wf_mpi_refuse(NULL, MPI_ERR_INFO_NOKEY,
				     "%s: there is no key %s", WF_MPI_CALL,
				     key);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Info_delete);

int PMPI_Info_get_nkeys(MPI_Info info, int *nkeys)
{
	const struct weft_info *native = wf_mpi_info(info);

	if (!native)
		return is_none(WF_MPI_CALL);
	*nkeys = weft_info_count(native);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Info_get_nkeys);

int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key)
{
	const struct weft_info *native = wf_mpi_info(info);
	const char *found;

	if (!native)
		return is_none(WF_MPI_CALL);
	found = weft_info_key(native, n);
	if (!found)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG,
				     "%s: there is no key %d of %d",
				     WF_MPI_CALL, n, weft_info_count(native));
	snprintf(key, MPI_MAX_INFO_KEY, "%s", found);
	return MPI_SUCCESS;
}
WF_MPI_NAME(Info_get_nthkey);

/*
 * The value of a key goes to room for so many bytes, with its 0; *found_p:
 * NULL: there is none.
 */
static int get(MPI_Info info, const char *key, const char **found_p,
	       const char *call)
{
	const struct weft_info *native = wf_mpi_info(info);
	int code = native ? refuse_key(key, call) : is_none(call);

	*found_p = code ? NULL : weft_info_get(native, key);
	return code;
}

static void copy(const char *found, char *value, int bytes)
{
	if (found && bytes > 0)
		snprintf(value, (size_t)bytes, "%s", found);
}

int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen,
			 char *value, int *flag)
{
	const char *found;
	int code = get(info, key, &found, WF_MPI_CALL);

	copy(found, value, *buflen);
	if (found)
		*buflen = (int)strlen(found) + 1;
	*flag = !!found;
	return code;
}
WF_MPI_NAME(Info_get_string);

int PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value,
		  int *flag)
{
	const char *found;
	int code = get(info, key, &found, WF_MPI_CALL);

	if (!code && valuelen < 0)
		return wf_mpi_refuse(NULL, MPI_ERR_ARG, "%s: valuelen is %d",
				     WF_MPI_CALL, valuelen);
	copy(found, value, valuelen < INT_MAX ? valuelen + 1 : INT_MAX);
	*flag = !!found;
	return code;
}
WF_MPI_NAME(Info_get);

int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen,
			   int *flag)
{
	const char *found;
	int code = get(info, key, &found, WF_MPI_CALL);

	if (found)
		*valuelen = (int)strlen(found);
	*flag = !!found;
	return code;
}
WF_MPI_NAME(Info_get_valuelen);
