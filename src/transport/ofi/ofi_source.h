/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the ofi backend: the own addresses, with the endpoints and buffers
 * of each, and the paths from these to those of a peer.
 */
#ifndef WEFT_TRANSPORT_OFI_SOURCE_H
#define WEFT_TRANSPORT_OFI_SOURCE_H

#include <rdma/fabric.h>
#include <rdma/fi_endpoint.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include "transport/ofi/ofi_wire.h"

struct wf_ofi;
struct wf_ofi_ep;
struct wf_ofi_tx;
struct wf_tp_peer;

enum {
	WF_OFI_RX = 3,			/* multi-receive buffers of a source */
	WF_OFI_RX_BYTES = 16384
};

/* Whose completion it is: first in what a context points to. */
struct wf_ofi_context {
	struct fi_context2 fi;
	bool is_rx;
};

struct wf_ofi_rx {
	struct wf_ofi_context context;
	struct fid_ep *ep;		/* whose it is */
	char *buffer;
	bool idle;			/* libfabric did not take it */
};

/* An own address, and the endpoint that is bound to it: ofi_source.c */
struct wf_ofi_source {
	struct fi_info *info;		/* one of the device's list */
	struct fid_ep *ep;		/* NULL: nobody has needed it yet, */
	int fd;				/* and this listens in its place */
	bool lacks;			/* it was said of what */
	char *buffers;
	struct wf_ofi_rx rx[WF_OFI_RX];
};

/* From one of the own addresses to one of the peer's: ofi_path.c */
struct wf_ofi_path {
	uint8_t source;
	uint8_t to;
	fi_addr_t addr;			/* FI_ADDR_NOTAVAIL: not tried yet */
	bool answers;			/* somebody listens there */
};

/* ofi_address.c: one as libfabric has it; false: there is no room for it */
bool wf_ofi_address_add(struct wf_ofi_address *a, uint32_t format,
			const void *name, size_t n);

/* Are they of a device with this format of addresses? */
bool wf_ofi_address_fits(const struct wf_ofi_address *a, uint32_t format);

/* As libfabric has it again; the number of its bytes. */
socklen_t wf_ofi_address_get(const struct wf_ofi_address *a, uint32_t format,
			     int i, struct sockaddr_storage *to_p);

/* ofi_path.c; none: all are addresses of this host, too. */
void wf_ofi_find_paths(const struct wf_ofi *dev, const struct wf_tp_peer *peer,
		       struct wf_ofi_ep *ep);

/*
 * Where hellos go now, the first path that can be taken.  None: the status of
 * the last one, WEFT_ERR_UNSUPPORTED if libfabric does not take the address.
 */
int wf_ofi_take_path(struct wf_ofi *dev, struct wf_ofi_ep *ep);

/*
 * A message of first contact by that, or by any other one where somebody
 * listens: the first that libfabric has a connection for is used from now on.
 * False: it has none yet.
 */
bool wf_ofi_send_first(struct wf_ofi *dev, struct wf_ofi_ep *ep,
		       struct wf_ofi_tx *tx);
void wf_ofi_forget_paths(struct wf_ofi *dev, struct wf_ofi_ep *ep);

/*
 * An errno of the path in use.  0: another one is tried before that counts;
 * else the one that does.  Behind the last of them the first is next.
 */
int wf_ofi_path_failed(struct wf_ofi *dev, struct wf_ofi_ep *ep, int error);

/* Somebody listens there; then another one is tried, too, if no more comes. */
void wf_ofi_path_answers(struct wf_ofi_ep *ep, uint64_t now);
void wf_ofi_path_waits(struct wf_ofi *dev, struct wf_ofi_ep *ep, uint64_t now);

/* ofi_device.c: of the own address; peers that can be reached have the same */
uint8_t wf_ofi_address_flags(const struct wf_ofi *dev);

/* ofi_source.c */
int wf_ofi_open_sources(struct wf_ofi *dev);
void wf_ofi_close_sources(struct wf_ofi *dev);

/*
 * Its endpoint, if there is none yet.  WEFT_ERR_NOMEM: dev->lack says of what
 * there is too little; it is held as before, and there may be more later.
 */
int wf_ofi_open_source(struct wf_ofi *dev, struct wf_ofi_source *source);

/* As fi_getname() gives it, and its results. */
int wf_ofi_name_source(const struct wf_ofi *dev, int i, void *name, size_t *n);

/* Has anybody called where there is none yet? */
void wf_ofi_look_at_sources(struct wf_ofi *dev);

#endif
