/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A send and a receive in one call.  Both are prepared before either is
 * started: a call that fails for its arguments or for memory has sent nothing.
 * What is replaced is sent from a copy, because long messages leave when what
 * comes may have been written already.
 */
#include <stdlib.h>
#include "p2p/p2p_calls.h"

#include "plan/inquiry.h"

/*
 * Until both are complete, for the memory of both is the caller's again.  If
 * both fail it is the send that is told, whose sentence is the last one.
 */
static int exchange(struct wf_p2p_request *out, struct wf_p2p_request *in,
		    struct weft_message_status *got_p)
{
	int sent, received;

	wf_p2p_start_receive(in);
	wf_p2p_start_send(out);
	/* Other threads may fail meanwhile, with sentences of their own. */
	wf_p2p_wait(in);
	wf_p2p_wait(out);
	received = wf_p2p_finish(in, got_p);
	sent = wf_p2p_finish(out, NULL);
	return sent ? sent : received;
}

static int enter(struct weft_comm *comm, const char *call)
{
	int status = wf_comm_enter_by(comm, call);

	if (status)
		return status;
	wf_inquiry_listen(comm->job);
	wf_comm_hold(comm);
	return WEFT_OK;
}

int weft_sendrecv(struct weft_comm *comm, const struct weft_outgoing *send,
		  const struct weft_incoming *recv,
		  struct weft_message_status *got_p)
{
	struct wf_p2p_request *out, *in;
	int status = enter(comm, __func__);

	if (status)
		return status;
	if (!send || !recv)
		status = wf_job_fail(comm->job, WEFT_ERR_ARG, "weft_sendrecv: "
				     "%s is NULL", send ? "recv" : "send");
	if (!status)
		status = wf_p2p_prepare_receive(comm, "weft_sendrecv: recv",
						recv, &in);
	if (status)
		return wf_comm_leave_held(comm, status);
	status = wf_p2p_prepare_send(comm, "weft_sendrecv: send", send,
				     WF_P2P_STANDARD, &out);
	if (status)
		wf_p2p_free(in);
	else
		status = exchange(out, in, got_p);
	return wf_comm_leave_held(comm, status);
}

/* From a packed copy of what `in` is to overwrite. */
static int replace(struct wf_p2p_request *in, const struct weft_incoming *data,
		   struct weft_envelope to, struct weft_message_status *got_p)
{
	static const char call[] = "weft_sendrecv_replace";
	struct weft_comm *comm = in->base.comm;
	void *copy = malloc(in->bytes + 1);
	const struct weft_outgoing send = {
		copy, in->bytes, &weft_type_byte, to
	};
	struct wf_p2p_request *out;
	int status;

	if (!copy)
		status = wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory "
				     "for a copy of %llu bytes", call,
				     (unsigned long long)in->bytes);
	else
		status = wf_p2p_prepare_send(comm, call, &send,
					     WF_P2P_STANDARD, &out);
	if (status) {
		wf_p2p_free(in);
	} else {
		wf_gather(data->type, data->data, 0, copy, in->bytes);
		status = exchange(out, in, got_p);
	}
	free(copy);
	return status;
}

int weft_sendrecv_replace(struct weft_comm *comm,
			  const struct weft_incoming *data,
			  struct weft_envelope to,
			  struct weft_message_status *got_p)
{
	static const char call[] = "weft_sendrecv_replace";
	struct wf_p2p_request *in;
	int status = enter(comm, __func__);

	if (status)
		return status;
	if (!data)
		status = wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: data is "
				     "NULL", call);
	else
		status = wf_p2p_prepare_receive(comm, call, data, &in);
	if (!status)
		status = replace(in, data, to, got_p);
	return wf_comm_leave_held(comm, status);
}
