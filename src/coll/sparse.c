/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse exchange: the calls.  Messages become parcels, which are routed
 * (route.h), and those that came are sorted.
 */
#include "coll/sparse.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/handle.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/zeroed.h"
#include "coll/fingerprint.h"
#include "coll/route.h"
#include "plan/request.h"

struct args {
	const char *call;
	const struct weft_sparse *send;
	struct weft_sparse_got *got;
	struct weft_request **req_p;	/* NULL: none is wanted */
	enum wf_mark_form form;
};

/* One call. */
struct exchange {
	struct weft_request base;	/* without a communicator: nobody has
					   it, and it goes when it is over */
	struct wf_route route;
	struct weft_sparse_got *got;
	bool over;
};

static struct exchange *exchange_of(const struct weft_request *req)
{
	return wf_container(req, struct exchange, base);
}

/* ---- what is given ---- */

static int check_one(struct weft_comm *comm, const struct args *a, int i,
		     uint64_t *all)
{
	int rank = a->send->ranks[i];

	if (rank < 0 || rank >= comm->size)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_RANK,
				       WEFT_ERR_RANGE, "%s: send->ranks[%d] "
				       "of rank %d is %d, and ranks are 0 to "
				       "%d",
				       a->call, i, comm->rank, rank,
				       comm->size - 1);
	if (__builtin_add_overflow(*all, a->send->bytes[i], all) ||
	    *all > INT64_MAX)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: send->bytes[%d] "
				       "of rank %d is %zu, and all of them "
				       "exceed 2^63", a->call, i, comm->rank,
				       a->send->bytes[i]);
	return WEFT_OK;
}

static int fail_null(struct weft_comm *comm, const struct args *a,
		     const char *name)
{
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
			       "%s: %s of rank %d is NULL", a->call, name,
			       comm->rank);
}

static int check_send(struct weft_comm *comm, const struct args *a)
{
	const struct weft_sparse *send = a->send;
	uint64_t all = 0;
	int status = WEFT_OK;

	if (send->n < 0)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: send->n of rank %d "
				       "is %d", a->call, comm->rank, send->n);
	if (send->n && !send->ranks)
		return fail_null(comm, a, "send->ranks");
	if (send->n && !send->bytes)
		return fail_null(comm, a, "send->bytes");
	for (int i = 0; !status && i < send->n; i++)
		status = check_one(comm, a, i, &all);
	if (!status && all && !send->base)
		return fail_null(comm, a, "send->base");
	return status;
}

static int check(struct weft_comm *comm, const struct args *a)
{
	if (!a->send)
		return fail_null(comm, a, "send");
	if (!a->got)
		return fail_null(comm, a, "got");
	if (a->form == WF_MARK_ONCE && !a->req_p)
		return fail_null(comm, a, "req_p");
	return check_send(comm, a);
}

/* The messages as parcels; WEFT_ERR_NOMEM. */
static int pack(const struct weft_comm *comm, const struct weft_sparse *send,
		struct wf_parcels *row)
{
	const char *content = send->base;
	uint64_t all = 0;
	char *at;

	for (int i = 0; i < send->n; i++)
		all += wf_parcel_room(send->bytes[i]);
	at = row->memory = all <= PTRDIFF_MAX ? malloc(all + 1) : NULL;
	if (!at)
		return WEFT_ERR_NOMEM;
	row->bytes = all;
	for (int i = 0; i < send->n; i++) {
		const struct wf_parcel parcel = {
			.to = send->ranks[i], .from = comm->rank,
			.position = i, .bytes = send->bytes[i],
			.content = content
		};

		at = wf_parcel_put(at, &parcel);
		if (send->bytes[i])
			content += send->bytes[i];
	}
	return WEFT_OK;
}

/* ---- what comes ---- */

static int compare(const void *a, const void *b, void *arg)
{
	const struct wf_parcel *x = a, *y = b;

	(void)arg;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

static uint64_t count(const struct wf_parcels *row, uint64_t *bytes)
{
	struct wf_parcel r;
	uint64_t n = 0;

	for (uint64_t at = 0; wf_parcels_next(row, &at, &r); n++)
		*bytes += r.bytes;
	return n;
}

/* In one block: the content, the numbers of bytes and the ranks. */
static int make_room(struct weft_sparse_got *got, size_t n, uint64_t bytes)
{
	uint64_t content = (bytes + 7) / 8 * 8;
	char *memory = malloc(content + n * (sizeof(size_t) + sizeof(int)));

	if (!memory)
		return WEFT_ERR_NOMEM;
	got->n = (int)n;
	got->base = memory;
	got->bytes = (size_t *)(void *)(memory + content);
	got->ranks = (int *)(got->bytes + n);
	return WEFT_OK;
}

static void fill(const struct weft_sparse_got *got,
		 const struct wf_parcel *parcel)
{
	char *at = got->base;

	for (int i = 0; i < got->n; i++) {
		got->ranks[i] = parcel[i].from;
		got->bytes[i] = parcel[i].bytes;
		memcpy(at, parcel[i].content, parcel[i].bytes);
		at += parcel[i].bytes;
	}
}

static int unpack(const struct wf_parcels held[2], struct weft_sparse_got *got)
{
	uint64_t bytes = 0, n = count(&held[0], &bytes) +
				count(&held[1], &bytes);
	struct wf_parcel *parcel, *next;
	int status;

	if (!n)
		return WEFT_OK;
	if (n > INT_MAX)
		return WEFT_ERR_RANGE;
	next = parcel = malloc(n * sizeof(*parcel));
	if (!parcel)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < 2; i++)
		for (uint64_t at = 0; wf_parcels_next(&held[i], &at, next);)
			next++;
	status = wf_sort(parcel, n, sizeof(*parcel), compare, NULL);
	if (!status)
		status = make_room(got, n, bytes);
	if (!status)
		fill(got, parcel);
	free(parcel);
	return status;
}

static void destroy(struct wf_route *route)
{
	free(wf_container(route, struct exchange, route));
}

static void drop(struct exchange *x)
{
	wf_list_del(&x->route.made);
	free(x);
}

static void done(struct wf_route *route)
{
	struct exchange *x = wf_container(route, struct exchange, route);

	x->over = true;
	if (!route->status)
		route->status = unpack(route->held, x->got);
	if (route->status && !route->error[0])
		wf_text_add(route->error, sizeof(route->error), "%s: %s",
			    route->call, route->status == WEFT_ERR_NOMEM ?
			    "no memory for what came" :
			    "more than 2^31 - 1 messages came");
	wf_parcels_drop(&route->held[0]);
	wf_parcels_drop(&route->held[1]);
	if (!x->base.comm)
		drop(x);
}

void weft_sparse_free(struct weft_sparse_got *got)
{
	if (!got)
		return;
	free(got->base);
	memset(got, 0, sizeof(*got));
}

/* ---- requests ---- */

static bool is_over(void *arg)
{
	return ((struct exchange *)arg)->over;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct exchange *x = arg;

	wf_route_tell(x->base.comm, text, bytes);
}

static void wait(struct weft_request *req)
{
	struct wf_wait wait = { is_over, describe, exchange_of(req) };

	wf_job_wait(req->comm->job, &wait);
}

static int status_of(const struct weft_request *req)
{
	const struct exchange *x = exchange_of(req);

	return x->over ? x->route.status : WEFT_INPROGRESS;
}

static const char *error_of(const struct weft_request *req)
{
	return exchange_of(req)->route.error;
}

static void release(struct weft_request *req)
{
	struct weft_comm *comm = req->comm;

	drop(exchange_of(req));
	wf_comm_drop(comm);
}

static const struct wf_request_ops ops = {
	.wait = wait, .status = status_of, .error = error_of,
	.release = release
};

/* ---- start ---- */

static struct exchange *make(const struct args *a)
{
	struct exchange *x = wf_zeroed(1, sizeof(*x));

	if (!x)
		return NULL;
	x->base.ops = &ops;
	x->route.call = a->call;
	x->route.destroy = destroy;
	x->route.done = done;
	x->got = a->got;
	return x;
}

/* The others hear of it, and the text stays what it is. */
static int refuse(struct weft_comm *comm, const struct args *a, int status)
{
	const struct wf_failure failure = *wf_failure(comm->job);
	struct exchange *x = make(a);

	if (wf_route_prepare(comm, a->call)) {
		free(x);
	} else if (!x) {
		wf_route_refuse(comm, a->call, status);
	} else {
		x->route.status = status;
		wf_route_start(comm, &x->route);
	}
	*wf_failure(comm->job) = failure;
	return status;
}

/* One that lacks memory, here or for the channels, goes with any. */
static int start(struct weft_comm *comm, const struct args *a,
		 struct exchange **x_p)
{
	struct exchange *x;
	int status = wf_route_prepare(comm, a->call);

	if (status)
		return status;
	x = make(a);
	if (!x || pack(comm, a->send, &x->route.held[0])) {
		free(x);
		wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory for what "
			    "is given", a->call);
		return refuse(comm, a, WEFT_ERR_NOMEM);
	}
	x->base.comm = comm;
	wf_comm_hold(comm);
	wf_route_start(comm, &x->route);
	*x_p = x;
	return WEFT_OK;
}

static int begin(struct weft_comm *comm, const struct args *a,
		 struct exchange **x_p)
{
	const struct wf_coll_call c = {
		.key.call = a->call, .key.by = wf_coll_choose(WF_COLL_SPARSE),
		.own_sizes = true
	};
	int odds, status = check(comm, a);

	if (a->got)
		memset(a->got, 0, sizeof(*a->got));
	if (status) {
		odds = wf_fingerprint_any(comm, a->call);
		return odds ? odds : refuse(comm, a, status);
	}
	status = wf_fingerprint(comm, &c, a->form);
	return status ? status : start(comm, a, x_p);
}

/* Until it is over here, also where nothing was started. */
static int finish(struct weft_comm *comm, struct exchange *x, int status,
		  int *whose_p)
{
	if (!x) {
		wf_route_wait(comm);
		return status;
	}
	wait(&x->base);
	status = x->route.status;
	if (status) {
		*whose_p = x->route.culprit;
		wf_job_fail(comm->job, status, "%s", x->route.error);
	}
	release(&x->base);
	return status;
}

int wf_sparse_exchange(struct weft_comm *comm, const char *call, int status,
		       const struct weft_sparse *send,
		       struct weft_sparse_got *got, int *whose_p)
{
	const struct args a = {
		.call = call, .send = send, .got = got, .form = WF_MARK_BLOCKS
	};
	struct exchange *x = NULL;

	memset(got, 0, sizeof(*got));
	*whose_p = comm->rank;
	status = status ? refuse(comm, &a, status) : start(comm, &a, &x);
	return finish(comm, x, status, whose_p);
}

int weft_sparse_exchange(struct weft_comm *comm,
			 const struct weft_sparse *send,
			 struct weft_sparse_got *got)
{
	const struct args args = {
		.call = __func__, .send = send, .got = got,
		.form = WF_MARK_BLOCKS
	};
	struct exchange *x = NULL;
	int status = wf_comm_enter_one(comm, __func__), whose;

	if (status)
		return status;
	wf_comm_hold(comm);		/* another thread may free it */
	status = begin(comm, &args, &x);
	return wf_comm_leave_held(comm, finish(comm, x, status, &whose));
}

int weft_isparse_exchange(struct weft_comm *comm,
			  const struct weft_sparse *send,
			  struct weft_sparse_got *got,
			  struct weft_request **req_p)
{
	const struct args args = {
		.call = __func__, .send = send, .got = got, .req_p = req_p,
		.form = WF_MARK_ONCE
	};
	struct exchange *x = NULL;
	int status = wf_comm_enter_one(comm, __func__);

	wf_no_handle(req_p);
	if (status)
		return status;
	wf_comm_hold(comm);		/* another thread may free it */
	status = begin(comm, &args, &x);
	if (x)
		*req_p = &x->base;
	return wf_comm_leave_held(comm, status);
}
