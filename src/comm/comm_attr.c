/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of communicators: the calls, and how callbacks are called. */
#include "comm/comm_attr.h"

/* ---- keys ---- */

static int call_copy(void *object, struct weft_keyval *keyval, void *value,
		     void **copy_p, bool *keep_p)
{
	weft_attr_copy *copy = (weft_attr_copy *)keyval->copy;

	return copy(object, keyval, keyval->extra, value, copy_p, keep_p);
}

static int call_delete(void *object, struct weft_keyval *keyval, void *value)
{
	weft_attr_delete *del = (weft_attr_delete *)keyval->del;

	return del(object, keyval, value, keyval->extra);
}

static const struct wf_attr_kind of_comms = {
	"communicator", call_copy, call_delete
};

int weft_attr_copy_same(struct weft_comm *comm, struct weft_keyval *keyval,
			void *extra, void *value, void **copy_p, bool *keep_p)
{
	(void)comm;
	(void)keyval;
	(void)extra;
	*copy_p = value;
	*keep_p = true;
	return WEFT_OK;
}

int weft_keyval_create(struct weft_job *job, weft_attr_copy *copy,
		       weft_attr_delete *del, void *extra,
		       struct weft_keyval **keyval_p)
{
	const struct weft_keyval like = {
		.kind = &of_comms, .copy = (void (*)(void))copy,
		.del = (void (*)(void))del, .extra = extra
	};

	return wf_keyval_create(job, &like, "weft_keyval_create", keyval_p);
}

/* ---- the calls ---- */

static struct wf_bearer bearer(struct weft_comm *comm)
{
	return (struct wf_bearer){
		comm->job, comm, &comm->attrs, &comm->freed
	};
}

/* The key leads to the job, too, unless it is given. */
static int refuse(struct weft_comm *comm, const struct weft_keyval *keyval,
		  const char *call, const char *argument)
{
	return comm ? wf_comm_refuse(comm, call, argument) :
		wf_job_refuse(keyval ? keyval->job : NULL, call, argument);
}

static int enter(struct weft_comm *comm, const struct weft_keyval *keyval,
		 bool deletes, const char *call)
{
	int status = comm && keyval ? wf_comm_ask(comm) :
		refuse(comm, keyval, call, comm ? "keyval" : "comm");
	struct wf_bearer b;

	if (status)
		return status;
	b = bearer(comm);
	status = wf_attr_check(&b, &of_comms, keyval, deletes, call);
	return status ? wf_comm_leave(comm, status) : WEFT_OK;
}

/* Callbacks may have freed it: it goes now. */
static int leave(struct weft_comm *comm, int status)
{
	if (wf_job_is_child(comm->job))
		return WEFT_ERR_FORKED;
	return wf_comm_leave_held(comm, status);
}

int weft_comm_set_attr(struct weft_comm *comm, struct weft_keyval *keyval,
		       void *value)
{
	static const char call[] = "weft_comm_set_attr";
	int status = enter(comm, keyval, false, call);
	struct wf_bearer b;

	if (status)
		return status;
	wf_comm_hold(comm);
	b = bearer(comm);
	return leave(comm, wf_attr_set(&b, keyval, value, call));
}

int weft_comm_delete_attr(struct weft_comm *comm, struct weft_keyval *keyval)
{
	static const char call[] = "weft_comm_delete_attr";
	int status = enter(comm, keyval, true, call);
	struct wf_bearer b;

	if (status)
		return status;
	wf_comm_hold(comm);
	b = bearer(comm);
	return leave(comm, wf_attr_delete(&b, keyval, call));
}

static int get_given(struct weft_comm *comm, const struct weft_keyval *keyval,
		     void **value_p, bool *found_p)
{
	int status = wf_comm_ask(comm);
	const int *value;

	if (status)
		return status;
	value = keyval->given(comm->job);
	*found_p = value != NULL;
	if (value)
		*value_p = (void *)value;
	wf_job_leave(comm->job);
	return WEFT_OK;
}

int weft_comm_get_attr(struct weft_comm *comm,
		       const struct weft_keyval *keyval, void **value_p,
		       bool *found_p)
{
	static const char call[] = "weft_comm_get_attr";
	struct wf_bearer b;
	int status;

	if (!value_p || !found_p)
		return refuse(comm, keyval, call,
			      value_p ? "found_p" : "value_p");
	if (keyval && keyval->given)
		return get_given(comm, keyval, value_p, found_p);
	status = enter(comm, keyval, false, call);
	if (status)
		return status;
	b = bearer(comm);
	wf_attr_get(&b, keyval, value_p, found_p);
	wf_job_leave(comm->job);
	return WEFT_OK;
}

/* ---- for who makes and frees communicators ---- */

int wf_comm_copy_attrs(struct weft_comm *from, struct weft_comm *to,
		       const char *call)
{
	struct wf_bearer a = bearer(from), b = bearer(to);

	return wf_attrs_copy(&a, &b, call);
}

int wf_comm_delete_attrs(struct weft_comm *comm, const char *call)
{
	struct wf_bearer b = bearer(comm);

	return wf_attrs_delete(&b, call);
}

void wf_comm_undo_attrs(struct weft_comm *comm)
{
	struct wf_bearer b = bearer(comm);

	wf_attrs_undo(&b);
}

void wf_comm_drop_attrs(struct weft_comm *comm)
{
	struct wf_bearer b = bearer(comm);

	wf_attrs_drop(&b);
}
