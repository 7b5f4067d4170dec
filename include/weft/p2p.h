/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched messages: sent by one rank, received by another that names source
 * and tag, or leaves them open.
 *
 * A receive takes the first message that fits, and of those of one sender in a
 * communicator none overtakes another.  Messages up to 8 KiB leave before there
 * is a receive: as much of one as the receiver has room for within the call, 2
 * KiB at least where that has read all before, and the rest in later calls of
 * the sender.  Of each sender a rank holds up to 64 KiB and 1024 messages which
 * no receive has taken, all else stays with the sender until there is one.
 *
 * A communicator with a dead rank carries messages between the others as
 * before; only a receive from anybody is an error on it.
 */
#ifndef WEFT_P2P_H
#define WEFT_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/group.h>
#include <weft/status.h>
#include <weft/type.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_request;

/* Distinct from each other, and from all in the place of a rank; as in MPI. */
enum {
	WEFT_ANY_SOURCE = -1,
	WEFT_ANY_TAG = -2
};

/* Where a message goes, or comes from: rank of the communicator, and tag. */
struct weft_envelope {
	int rank;
	int tag;
};

/**
 * weft_to, weft_from - the envelope of a send; that of a receive or probe
 *
 * weft_send(comm, x, n, &weft_type_double, weft_to(right, 0));
 */
static inline struct weft_envelope weft_to(int rank, int tag)
{
	struct weft_envelope to;

	to.rank = rank;
	to.tag = tag;
	return to;
}

static inline struct weft_envelope weft_from(int rank, int tag)
{
	return weft_to(rank, tag);
}

/* What a request was for, where that is a message. */
enum weft_message_kind {
	WEFT_MESSAGE_NONE,	/* something else */
	WEFT_MESSAGE_SENT,
	WEFT_MESSAGE_RECEIVED	/* or found by a probe */
};

/* What was received, or is there to be, or was sent. */
struct weft_message_status {
	int source;		/* rank; WEFT_PROC_NULL: of nobody */
	int tag;
	uint64_t bytes;		/* of the message, also if it was cut off */
	int error;		/* a status: of a probe WEFT_OK */
	enum weft_message_kind kind;
	bool cancelled;		/* nothing was received */
	uint64_t reserved[4];	/* 0 */
};

/**
 * weft_send, weft_ssend, weft_rsend - send a message, and wait until its memory
 * is reusable
 *
 * data   n elements; not to be written meanwhile
 * type   of the elements; only their bytes are sent
 * to     a rank, also the own one, or WEFT_PROC_NULL: nothing is done; and a
 *        tag, 0 or more
 *
 * weft_ssend() returns when a receive has taken the message; weft_send() may
 * return before.  weft_rsend() says that the receive is there already, which
 * changes nothing so far.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE (rank, tag, or 2^63 bytes),
 *           WEFT_ERR_NOMEM (here, or at the receiver, which has lost it),
 *           WEFT_ERR_DEVICE, WEFT_ERR_PEER (that rank is dead or has closed its
 *           job; the text names it), WEFT_ERR_GRAPH (that rank has freed the
 *           communicator, and receives the message no more).
 * Blocks:   until the memory is reusable: a message above 8 KiB, or one that
 *           finds no room there, waits for its receive.   Collective: no.
 */
WEFT_API int weft_send(struct weft_comm *comm, const void *data, size_t n,
		       const struct weft_type *type, struct weft_envelope to)
	WEFT_MUST_CHECK;
WEFT_API int weft_ssend(struct weft_comm *comm, const void *data, size_t n,
			const struct weft_type *type, struct weft_envelope to)
	WEFT_MUST_CHECK;
WEFT_API int weft_rsend(struct weft_comm *comm, const void *data, size_t n,
			const struct weft_type *type, struct weft_envelope to)
	WEFT_MUST_CHECK;

/**
 * weft_isend, weft_issend, weft_irsend - the same without waiting
 *
 * req_p [out]  to be waited for, and then freed
 *
 * Returns:  as weft_send(); the request tells of what comes later.
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_isend(struct weft_comm *comm, const void *data, size_t n,
			const struct weft_type *type, struct weft_envelope to,
			struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_issend(struct weft_comm *comm, const void *data, size_t n,
			 const struct weft_type *type, struct weft_envelope to,
			 struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_irsend(struct weft_comm *comm, const void *data, size_t n,
			 const struct weft_type *type, struct weft_envelope to,
			 struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_recv - receive a message
 *
 * data         room for n elements; what is behind a shorter message is left
 * from         a rank, WEFT_ANY_SOURCE, or WEFT_PROC_NULL: nothing is done; and
 *              a tag, 0 or more, or WEFT_ANY_TAG
 * got_p [out]  what has come; NULL: not wanted.  Written for WEFT_OK and
 *              WEFT_ERR_TRUNCATE
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM,
 *           WEFT_ERR_DEVICE, WEFT_ERR_TRUNCATE (the message is longer: the
 *           first n elements are there, and got_p tells its bytes),
 *           WEFT_ERR_PEER (that rank is dead or has closed its job, and nothing
 *           that this could receive has come; or it died with the content of
 *           a long message, and shorter ones behind it can be received still;
 *           or with WEFT_ANY_SOURCE a rank of the communicator is dead, or
 *           all have closed theirs). Where a third rank tells of a death, what
 *           the dead has sent may come after that.
 * Blocks:   until a message has come.   Collective: no.
 */
WEFT_API int weft_recv(struct weft_comm *comm, void *data, size_t n,
		       const struct weft_type *type, struct weft_envelope from,
		       struct weft_message_status *got_p) WEFT_MUST_CHECK;

/**
 * weft_irecv - the same without waiting
 *
 * req_p [out]  to be waited for, asked by weft_request_status(), and freed
 *
 * Returns:  as weft_recv(); the request tells of what comes later.
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_irecv(struct weft_comm *comm, void *data, size_t n,
			const struct weft_type *type, struct weft_envelope from,
			struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_probe, weft_iprobe - is there a message to be received?
 *
 * from           as of weft_recv()
 * found_p [out]  whether there is one
 * got_p [out]    what the next receive of that envelope gets; NULL: not
 *                wanted.  Written if there is one
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM;
 *           WEFT_ERR_PEER of weft_probe() as of weft_recv().
 * Blocks:   weft_probe() until there is one; weft_iprobe() never.
 *           Collective: no.
 */
WEFT_API int weft_probe(struct weft_comm *comm, struct weft_envelope from,
			struct weft_message_status *got_p) WEFT_MUST_CHECK;
WEFT_API int weft_iprobe(struct weft_comm *comm, struct weft_envelope from,
			 bool *found_p, struct weft_message_status *got_p)
	WEFT_MUST_CHECK;

/**
 * weft_request_status - what a request that is complete has sent or received
 *
 * got_p [out]  of a receive: the message, as of weft_recv(), whatever its
 *              error; of a send: the kind and the error; of any other request:
 *              the error.  What is not said is as of nobody's message.
 *
 * A persistent request tells of its last start, before the first one nothing.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL), WEFT_ERR_REQUEST (it is not
 *           complete).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_status(const struct weft_request *req,
				 struct weft_message_status *got_p)
	WEFT_MUST_CHECK;

/**
 * weft_request_cancel - take back a receive that no message has come for
 *
 * A receive that has its message, and any send, completes as if nothing was
 * said; wait for it in any case, and see `cancelled` of its status.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL), WEFT_ERR_REQUEST (neither a receive
 *           nor a send).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_cancel(struct weft_request *req) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
