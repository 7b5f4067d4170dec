/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls to the PMIx client library; see pmix_call.h. They run in the
 * thread of the watchdog and touch nothing but their record.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/leash.h"
#include "boot/pmix_call.h"

struct wf_pmix_call *wf_pmix_call_create(wf_pmix_body *body,
					 const pmix_proc_t *me)
{
	struct wf_pmix_call *call = calloc(1, sizeof(*call));

	if (call == NULL)
		return NULL;
	call->body = body;
	call->proc = *me;
	wf_kv_init(&call->puts);
	return call;
}

void wf_pmix_call_run(void *arg)
{
	struct wf_pmix_call *call = arg;

	call->body(call);
}

void wf_pmix_call_drop(void *arg)
{
	struct wf_pmix_call *call = arg;

	wf_kv_fini(&call->puts);
	free(call->peers);
	free(call->bytes);
	if (!call->watching)
		free(call->watch);
	free(call);
}

/* A fact about the whole job that the launcher registered; NULL: none. */
static pmix_value_t *job_fact(const struct wf_pmix_call *call, const char *key)
{
	pmix_value_t *value = NULL;
	pmix_proc_t job;

	PMIX_LOAD_PROCID(&job, call->proc.nspace, PMIX_RANK_WILDCARD);
	if (PMIx_Get(&job, key, NULL, 0, &value) != PMIX_SUCCESS)
		return NULL;
	return value;
}

/* `absent` where there is none, or no number. */
static long take_number(pmix_value_t *value, long absent)
{
	pmix_status_t rc;
	long number = absent;

	if (value == NULL)
		return absent;
	PMIX_VALUE_GET_NUMBER(rc, value, number, long);
	PMIX_VALUE_RELEASE(value);
	return rc == PMIX_SUCCESS ? number : absent;
}

static long job_number(const struct wf_pmix_call *call, const char *key)
{
	return take_number(job_fact(call, key), 0);
}

/* One about this process, as far as it knows without asking; -1: none. */
static long own_number(const struct wf_pmix_call *call, const char *key)
{
	pmix_value_t *value = NULL;
	pmix_info_t info;
	bool known = true;

	PMIX_INFO_CONSTRUCT(&info);
	PMIX_INFO_LOAD(&info, PMIX_OPTIONAL, &known, PMIX_BOOL);
	if (PMIx_Get(&call->proc, key, &info, 1, &value) != PMIX_SUCCESS)
		value = NULL;
	PMIX_INFO_DESTRUCT(&info);
	return take_number(value, -1);
}

static char *job_text(const struct wf_pmix_call *call, const char *key)
{
	pmix_value_t *value = job_fact(call, key);
	char *text = NULL;

	if (value == NULL)
		return NULL;
	if (value->type == PMIX_STRING && value->data.string != NULL)
		text = strdup(value->data.string);
	PMIX_VALUE_RELEASE(value);
	return text;
}

static const struct wf_pmix_watch *watch_of(const pmix_info_t *info, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(info[i].key, PMIX_EVENT_RETURN_OBJECT) == 0)
			return info[i].value.data.ptr;
	return NULL;
}

/* Runs in the library's thread; a rank does not outlive its launcher. */
static void on_lost(size_t id, pmix_status_t status, const pmix_proc_t *source,
		    pmix_info_t info[], size_t ninfo, pmix_info_t results[],
		    size_t nresults, pmix_event_notification_cbfunc_fn_t done,
		    void *arg)
{
	const struct wf_pmix_watch *watch = watch_of(info, ninfo);

	(void)id;
	(void)status;
	(void)source;
	(void)results;
	(void)nresults;
	if (watch != NULL && !atomic_load(&watch->off)) {
		wf_error(&watch->log, "the launcher's PMIx server is gone: "
			 "this process ends, too");
		_exit(WF_LEASH_EXIT);
	}
	if (done != NULL)
		done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, arg);
}

/* A library that cannot tell is no reason not to run. */
static void watch_server(struct wf_pmix_call *call)
{
	pmix_status_t lost = PMIX_ERR_LOST_CONNECTION;
	pmix_status_t rc;
	pmix_info_t info;

	PMIX_INFO_CONSTRUCT(&info);
	PMIX_INFO_LOAD(&info, PMIX_EVENT_RETURN_OBJECT, call->watch,
		       PMIX_POINTER);
	/* Without callbacks it waits, and returns the handler's number. */
	rc = PMIx_Register_event_handler(&lost, 1, &info, 1, on_lost, NULL,
					 NULL);
	PMIX_INFO_DESTRUCT(&info);
	if (rc < 0)
		wf_warn(&call->watch->log, "PMIx_Register_event_handler: %s: "
			"this process does not end with its launcher",
			PMIx_Error_string(rc));
}

void wf_pmix_join(struct wf_pmix_call *call)
{
	call->rc = PMIx_Init(&call->proc, NULL, 0);
	if (call->rc != PMIX_SUCCESS)
		return;
	call->size = job_number(call, PMIX_JOB_SIZE);
	call->peers = job_text(call, PMIX_LOCAL_PEERS);
	call->nodes = job_number(call, PMIX_NUM_NODES);
	call->universe = job_number(call, PMIX_UNIV_SIZE);
	call->appnum = own_number(call, PMIX_APPNUM);
	call->watching = true;
	watch_server(call);
}

static pmix_status_t put(const struct wf_kv_entry *entry)
{
	char key[48];
	pmix_value_t value;

	snprintf(key, sizeof(key), "weft.%s", entry->key);
	memset(&value, 0, sizeof(value));
	value.type = PMIX_BYTE_OBJECT;
	value.data.bo.bytes = (char *)entry->bytes;
	value.data.bo.size = entry->n;
	return PMIx_Put(PMIX_GLOBAL, key, &value);
}

void wf_pmix_fence(struct wf_pmix_call *call)
{
	const struct wf_kv_entry *entry;
	pmix_info_t info;
	pmix_proc_t job;
	bool collect = true;

	for (entry = call->puts.newest; entry != NULL; entry = entry->next) {
		/* Only the newest value of a key counts. */
		if (wf_kv_find(&call->puts, 1, entry->key) != entry)
			continue;
		call->rc = put(entry);
		if (call->rc != PMIX_SUCCESS)
			return;
	}
	call->rc = PMIx_Commit();
	if (call->rc != PMIX_SUCCESS)
		return;
	PMIX_LOAD_PROCID(&job, call->proc.nspace, PMIX_RANK_WILDCARD);
	PMIX_INFO_CONSTRUCT(&info);
	PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
	call->rc = PMIx_Fence(&job, 1, &info, 1);
	PMIX_INFO_DESTRUCT(&info);
}

/*
 * After a collecting fence all that was put is at the own server: it answers
 * at once, also that there is no such value (IMMEDIATE; without it some
 * launchers wait for one for ever).
 */
void wf_pmix_get(struct wf_pmix_call *call)
{
	pmix_value_t *value = NULL;
	pmix_info_t info;
	bool now = true;

	PMIX_INFO_CONSTRUCT(&info);
	PMIX_INFO_LOAD(&info, PMIX_IMMEDIATE, &now, PMIX_BOOL);
	call->rc = PMIx_Get(&call->proc, call->key, &info, 1, &value);
	PMIX_INFO_DESTRUCT(&info);
	if (call->rc != PMIX_SUCCESS)
		return;
	if (value->type != PMIX_BYTE_OBJECT) {
		call->rc = PMIX_ERR_TYPE_MISMATCH;
	} else {
		/* Takes the bytes over instead of copying them. */
		call->bytes = value->data.bo.bytes;
		call->n = value->data.bo.size;
		value->data.bo.bytes = NULL;
		value->data.bo.size = 0;
	}
	PMIX_VALUE_RELEASE(value);
}

void wf_pmix_abort(struct wf_pmix_call *call)
{
	call->rc = PMIx_Abort(call->code, call->why, NULL, 0);
}

void wf_pmix_leave(struct wf_pmix_call *call)
{
	call->rc = PMIx_Finalize(NULL, 0);
}
