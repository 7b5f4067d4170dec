/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that the library makes while a job is open.  Exported functions of
 * libibverbs are defined here, under their names, and lead on to the real ones;
 * those that are inline call through a table in the context, in which ours are
 * put when the device is opened.
 */
#include "tests/mp/verbs_calls.h"

#include <dlfcn.h>
#include <infiniband/verbs.h>
#include "tests/mp/quiet_loop.h"

#undef ibv_reg_mr
#undef ibv_query_port

struct verbs_calls verbs_calls;
static struct ibv_context_ops real;	/* of the last device, as of all */

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad)
{
	verbs_calls.sends += quiet_watch.armed;
	return real.post_send(qp, wr, bad);
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
			 struct ibv_recv_wr **bad)
{
	verbs_calls.receives += quiet_watch.armed;
	return real.post_srq_recv(srq, wr, bad);
}

static int poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc)
{
	int n = real.poll_cq(cq, entries, wc);

	verbs_calls.polls += quiet_watch.armed;
	verbs_calls.vain = n ? 0 : verbs_calls.vain + 1;
	return n;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		     struct ibv_recv_wr **bad)
{
	if (qp->qp_type == IBV_QPT_RC)
		verbs_calls.receives += quiet_watch.armed;
	else
		verbs_calls_other("ibv_post_recv");
	return real.post_recv(qp, wr, bad);
}

static int req_notify_cq(struct ibv_cq *cq, int solicited)
{
	verbs_calls_other("ibv_req_notify_cq");
	return real.req_notify_cq(cq, solicited);
}

/* The function behind the one of this name. */
static void *heard(const char *name)
{
	verbs_calls_other(name);
	return dlsym(RTLD_NEXT, name);
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	__typeof__(ibv_open_device) *next = heard("ibv_open_device");
	struct ibv_context *context = next(device);

	if (!context)
		return NULL;
	real = context->ops;
	context->ops.post_send = post_send;
	context->ops.post_srq_recv = post_srq_recv;
	context->ops.poll_cq = poll_cq;
	context->ops.post_recv = post_recv;
	context->ops.req_notify_cq = req_notify_cq;
	return context;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *at, size_t bytes, int access)
{
	__typeof__(ibv_reg_mr) *next = heard("ibv_reg_mr");

	return next(pd, at, bytes, access);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *at, size_t bytes,
				uint64_t iova, unsigned int access)
{
	__typeof__(ibv_reg_mr_iova2) *next = heard("ibv_reg_mr_iova2");

	return next(pd, at, bytes, iova, access);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	__typeof__(ibv_dereg_mr) *next = heard("ibv_dereg_mr");

	return next(mr);
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries,
			     void *arg, struct ibv_comp_channel *channel,
			     int vector)
{
	__typeof__(ibv_create_cq) *next = heard("ibv_create_cq");

	return next(context, entries, arg, channel, vector);
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	__typeof__(ibv_destroy_cq) *next = heard("ibv_destroy_cq");

	return next(cq);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	__typeof__(ibv_create_qp) *next = heard("ibv_create_qp");

	return next(pd, attr);
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	__typeof__(ibv_modify_qp) *next = heard("ibv_modify_qp");

	return next(qp, attr, mask);
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	__typeof__(ibv_destroy_qp) *next = heard("ibv_destroy_qp");

	return next(qp);
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	__typeof__(ibv_create_ah) *next = heard("ibv_create_ah");

	return next(pd, attr);
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
	__typeof__(ibv_destroy_ah) *next = heard("ibv_destroy_ah");

	return next(ah);
}

int ibv_query_port(struct ibv_context *context, uint8_t number,
		   struct _compat_ibv_port_attr *attr)
{
	__typeof__(ibv_query_port) *next = heard("ibv_query_port");

	return next(context, number, attr);
}

int ibv_get_async_event(struct ibv_context *context,
			struct ibv_async_event *event)
{
	__typeof__(ibv_get_async_event) *next = heard("ibv_get_async_event");

	return next(context, event);
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	__typeof__(ibv_ack_async_event) *next = heard("ibv_ack_async_event");

	next(event);
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
		     void **arg)
{
	__typeof__(ibv_get_cq_event) *next = heard("ibv_get_cq_event");

	return next(channel, cq, arg);
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int n)
{
	__typeof__(ibv_ack_cq_events) *next = heard("ibv_ack_cq_events");

	next(cq, n);
}
