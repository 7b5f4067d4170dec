/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffered sends: the message is copied into the attached buffer, and sent from
 * there by a request that nobody has, which is given up at once and gives the
 * place back when it goes.
 */
#include <weft/buffered.h>
#include "p2p/p2p_buffer.h"
#include "p2p/p2p_calls.h"
#include "p2p/p2p_office.h"
#include "plan/inquiry.h"

/* That of the communicator, or else of the job; NULL: none. */
static struct wf_p2p_buffer *buffer_for(const struct wf_p2p_request *req)
{
	struct wf_p2p_buffer *own = wf_buffer_of_comm(req->base.comm);

	return own ? own : wf_buffer_of_job(req->p2p->office->job);
}

static struct wf_p2p_place *look_for_place(const struct wf_p2p_request *req)
{
	struct wf_p2p_buffer *buffer = buffer_for(req);

	return buffer ? wf_buffer_get(buffer, req->bytes) : NULL;
}

/* Of what has left so far the places are free. */
static struct wf_p2p_place *find_place(struct wf_p2p_request *req)
{
	struct wf_office *office = req->p2p->office;
	struct wf_p2p_place *place;

	wf_office_free_spent(office);
	place = look_for_place(req);
	if (place || !buffer_for(req))
		return place;
	wf_job_look(office->job);
	wf_office_free_spent(office);
	return look_for_place(req);
}

static int refuse(const struct wf_p2p_request *req)
{
	const struct wf_p2p_buffer *buffer = buffer_for(req);
	struct weft_job *job = req->p2p->office->job;
	unsigned long long bytes = req->bytes;

	if (!buffer)
		return wf_job_fail(job, WEFT_ERR_BUFFER, "%s: no buffer is "
				   "attached for %llu bytes, see "
				   "weft_buffer_attach()", req->call, bytes);
	if (buffer->automatic)
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for "
				   "%llu bytes", req->call, bytes);
	return wf_job_fail(job, WEFT_ERR_BUFFER, "%s: no room for %llu bytes, "
			   "and %d to note them, in the attached buffer of %zu "
			   "bytes: attach a larger one", req->call, bytes,
			   WEFT_BSEND_OVERHEAD, buffer->bytes);
}

/* So many bytes of it; WEFT_OK: it is on its way, or has left. */
static int send_bytes(struct weft_comm *comm, const char *call,
		      const struct weft_outgoing *out, uint64_t bytes)
{
	/* What is sent is the copy: out->data may be NULL, of addresses. */
	const struct weft_outgoing packed = {
		out, bytes, &weft_type_byte, out->to
	};
	struct wf_p2p_request *req;
	int status = wf_p2p_prepare_send(comm, call, &packed, WF_P2P_STANDARD,
					 &req);

	if (status)
		return status;
	if (req->rank != WEFT_PROC_NULL) {
		req->place = find_place(req);
		if (!req->place) {
			status = refuse(req);
			wf_p2p_free(req);
			return status;
		}
		wf_gather(out->type, out->data, 0, req->place->content,
			  req->bytes);
		req->data = req->place->content;
	}
	wf_p2p_start_send(req);
	if (!req->active)
		return wf_p2p_finish(req, NULL);
	req->given_up = true;
	return WEFT_OK;
}

static int send_copy(struct weft_comm *comm, const char *call,
		     const struct weft_outgoing *out)
{
	struct wf_p2p_args given = {
		.call = call, .data = (void *)out->data, .n = out->n,
		.type = out->type
	};
	int status = wf_p2p_check_data(comm, &given);

	return status ? status : send_bytes(comm, call, out, given.bytes);
}

void wf_p2p_start_buffered(struct wf_p2p_request *req)
{
	struct weft_comm *comm = req->base.comm;
	const struct weft_outgoing out = {
		.data = req->data, .to = weft_to(req->rank, req->tag),
		.type = req->type ? req->type : &weft_type_byte
	};
	int status = send_bytes(comm, req->call, &out, req->bytes);

	if (status)
		wf_p2p_fail(req, status, "%s", wf_sentence(comm->job));
}

int weft_bsend(struct weft_comm *comm, const void *data, size_t n,
	       const struct weft_type *type, struct weft_envelope to)
{
	const struct weft_outgoing out = { data, n, type, to };
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	status = send_copy(comm, "weft_bsend", &out);
	return wf_comm_leave(comm, status);
}

/* A request that is complete: the other one has the message. */
static int send_request(struct weft_comm *comm, const char *call,
			const struct weft_outgoing *out,
			struct weft_request **req_p)
{
	const struct wf_p2p_args a = {
		.call = call, .with = weft_to(WEFT_PROC_NULL, 0), .sends = true
	};
	struct wf_p2p_request *req;
	int status = wf_p2p_new(comm, &a, &req);

	if (status)
		return status;
	status = send_copy(comm, call, out);
	if (status)
		wf_p2p_free(req);
	else
		*req_p = &req->base;
	return status;
}

int weft_ibsend(struct weft_comm *comm, const void *data, size_t n,
		const struct weft_type *type, struct weft_envelope to,
		struct weft_request **req_p)
{
	static const char call[] = "weft_ibsend";
	const struct weft_outgoing out = { data, n, type, to };
	int status = wf_p2p_enter(comm, call, req_p);

	if (status)
		return status;
	status = send_request(comm, call, &out, req_p);
	return wf_comm_leave(comm, status);
}
