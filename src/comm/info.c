/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of texts: see weft/info.h. */
#include "comm/info.h"

#include <stdlib.h>
#include <string.h>
#include "base/handle.h"
#include "base/zeroed.h"
#include "comm/comm.h"

/* ---- pairs ---- */

static struct wf_pair *find(const struct weft_info *info, const char *key)
{
	for (int i = 0; i < info->n; i++)
		if (!strcmp(info->pair[i].key, key))
			return &info->pair[i];
	return NULL;
}

static char *copy_text(const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = malloc(bytes);

	return copy ? memcpy(copy, text, bytes) : NULL;
}

static bool has_room(struct weft_info *info)
{
	int capacity = info->capacity ? 2 * info->capacity : 4;
	struct wf_pair *pair;

	if (info->n < info->capacity)
		return true;
	pair = realloc(info->pair, (size_t)capacity * sizeof(*pair));
	if (!pair)
		return false;
	info->pair = pair;
	info->capacity = capacity;
	return true;
}

static int append(struct weft_info *info, const char *key, const char *value)
{
	struct wf_pair pair = { NULL, NULL };

	if (has_room(info)) {
		pair.key = copy_text(key);
		pair.value = copy_text(value);
	}
	if (pair.key && pair.value) {
		info->pair[info->n++] = pair;
		return WEFT_OK;
	}
	free(pair.key);
	free(pair.value);
	return WEFT_ERR_NOMEM;
}

static int set(struct weft_info *info, const char *key, const char *value)
{
	struct wf_pair *pair = find(info, key);
	char *copy;

	if (!pair)
		return append(info, key, value);
	copy = copy_text(value);
	if (!copy)
		return WEFT_ERR_NOMEM;
	free(pair->value);
	pair->value = copy;
	return WEFT_OK;
}

/* ---- life ---- */

static struct weft_info *make(struct weft_job *job)
{
	struct weft_info *info = wf_zeroed(1, sizeof(*info));

	if (!info)
		return NULL;
	info->job = job;
	info->refs = 1;
	wf_list_init(&info->link);
	if (job)
		wf_list_add_tail(&wf_contexts(job)->infos, &info->link);
	return info;
}

struct weft_info *wf_info_hold(struct weft_info *info)
{
	if (info)
		info->refs++;
	return info;
}

void wf_info_drop(struct weft_info *info)
{
	if (!info || --info->refs)
		return;
	for (int i = 0; i < info->n; i++) {
		free(info->pair[i].key);
		free(info->pair[i].value);
	}
	wf_list_del(&info->link);
	free(info->pair);
	free(info);
}

/* All pairs of one, into another. */
static int merge(struct weft_info *to, const struct weft_info *from)
{
	int status = WEFT_OK;

	for (int i = 0; from && i < from->n && !status; i++)
		status = set(to, from->pair[i].key, from->pair[i].value);
	return status;
}

int wf_info_copy(struct weft_job *job, const struct weft_info *info,
		 struct weft_info **copy_p)
{
	struct weft_info *copy = make(job);

	if (copy && !merge(copy, info)) {
		*copy_p = copy;
		return WEFT_OK;
	}
	wf_info_drop(copy);
	return WEFT_ERR_NOMEM;
}

static int tell(struct weft_job *job, const char *call, int status)
{
	if (status)
		wf_job_fail(job, status, "%s: no memory for an info object",
			    call);
	return status;
}

/* Of a call whose argument of this name is NULL. */
static int refuse(const struct weft_info *info, const char *call,
		  const char *argument)
{
	return wf_job_refuse(info ? info->job : NULL, call, argument);
}

/* The end of a public call on an info object. */
static int leave(struct weft_job *job, const char *call, int status)
{
	tell(job, call, status);
	wf_job_leave_if(job);
	return status;
}

int weft_info_create(struct weft_job *job, struct weft_info **info_p)
{
	static const char call[] = "weft_info_create";
	int status = info_p ? wf_job_ask_if(job) :
			      wf_job_refuse(job, call, "info_p");

	wf_no_handle(info_p);
	if (status)
		return status;
	return leave(job, call, wf_info_copy(job, NULL, info_p));
}

int weft_info_dup(const struct weft_info *info, struct weft_info **dup_p)
{
	static const char call[] = "weft_info_dup";
	int status = info && dup_p ? wf_job_ask_if(info->job) :
				     refuse(info, call, "dup_p");

	wf_no_handle(dup_p);
	if (status)
		return status;
	return leave(info->job, call, wf_info_copy(info->job, info, dup_p));
}

int weft_info_free(struct weft_info **info_p)
{
	struct weft_job *job;
	int status;

	if (!info_p || !*info_p)
		return info_p ? WEFT_OK : WEFT_ERR_ARG;
	job = (*info_p)->job;
	status = wf_job_ask_if(job);
	if (status)
		return status;
	wf_info_drop(*info_p);
	*info_p = NULL;
	wf_job_leave_if(job);
	return WEFT_OK;
}

/* ---- what it has ---- */

int weft_info_set(struct weft_info *info, const char *key, const char *value)
{
	static const char call[] = "weft_info_set";
	int status = info && key && value ? wf_job_ask_if(info->job) :
		refuse(info, call, key ? "value" : "key");
	size_t length;

	if (status)
		return status;
	length = strlen(key);
	if (length && length <= WEFT_INFO_KEY_MAX)
		return leave(info->job, call, set(info, key, value));
	status = wf_job_fail(info->job, WEFT_ERR_ARG, "%s: the key has %zu "
			     "characters, expected 1 to %d", call, length,
			     WEFT_INFO_KEY_MAX);
	wf_job_leave_if(info->job);
	return status;
}

int weft_info_delete(struct weft_info *info, const char *key)
{
	static const char call[] = "weft_info_delete";
	int status = info && key ? wf_job_ask_if(info->job) :
				   refuse(info, call, "key");
	struct wf_pair *pair;

	if (status)
		return status;
	pair = find(info, key);
	if (pair) {
		free(pair->key);
		free(pair->value);
		memmove(pair, pair + 1, (size_t)(&info->pair[--info->n] -
						 pair) * sizeof(*pair));
	} else {
		status = wf_job_fail(info->job, WEFT_ERR_ARG,
				     "%s: there is no \"%s\"", call, key);
	}
	wf_job_leave_if(info->job);
	return status;
}

const char *weft_info_get(const struct weft_info *info, const char *key)
{
	const struct wf_pair *pair = info && key ? find(info, key) : NULL;

	return pair ? pair->value : NULL;
}

int weft_info_count(const struct weft_info *info)
{
	return info ? info->n : 0;
}

const char *weft_info_key(const struct weft_info *info, int at)
{
	return info && at >= 0 && at < info->n ? info->pair[at].key : NULL;
}

/* ---- hints of communicators ---- */

/* The pairs of both, in one that is shared by nobody yet. */
static int join(struct weft_comm *comm, const struct weft_info *info)
{
	struct weft_info *both;
	int status = wf_info_copy(comm->job, comm->hints, &both);

	if (status)
		return status;
	status = merge(both, info);
	if (status) {
		wf_info_drop(both);
		return status;
	}
	wf_info_drop(comm->hints);
	comm->hints = both;
	return WEFT_OK;
}

int weft_comm_set_info(struct weft_comm *comm, const struct weft_info *info)
{
	static const char call[] = "weft_comm_set_info";
	int status;

	if (!comm)
		return refuse(info, call, "comm");
	status = info ? wf_comm_ask(comm) :
			wf_comm_refuse(comm, call, "info");
	if (status)
		return status;
	return wf_comm_leave(comm, tell(comm->job, call, join(comm, info)));
}

int weft_comm_get_info(struct weft_comm *comm, struct weft_info **info_p)
{
	static const char call[] = "weft_comm_get_info";
	int status = info_p ? wf_comm_ask(comm) :
			      wf_comm_refuse(comm, call, "info_p");

	wf_no_handle(info_p);
	if (status)
		return status;
	return wf_comm_leave(comm, tell(comm->job, call,
					wf_info_copy(comm->job, comm->hints,
						     info_p)));
}
