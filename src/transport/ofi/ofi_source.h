/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of the ofi backend: the own addresses, with the endpoints and buffers
 * of each.
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

enum {
	WF_OFI_SOURCES = 4,
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
	char *buffers;
	struct wf_ofi_rx rx[WF_OFI_RX];
};

/* ofi_source.c */
int wf_ofi_open_sources(struct wf_ofi *dev);
void wf_ofi_close_sources(struct wf_ofi *dev);

/* Its endpoint, if there is none yet. */
int wf_ofi_open_source(struct wf_ofi *dev, struct wf_ofi_source *source);

/* As fi_getname() gives it, and its results. */
int wf_ofi_name_source(const struct wf_ofi *dev, int i, void *name, size_t *n);

/* Has anybody called where there is none yet? */
void wf_ofi_look_at_sources(struct wf_ofi *dev);

#endif
