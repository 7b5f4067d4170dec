/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words: addresses as people write them, and failed completions as sentences
 * that say what failed, with whom, and what to check.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include "base/config.h"
#include "base/text.h"
#include "transport/verbs/verbs.h"

void wf_verbs_gid_name(const uint8_t *gid, char *text, size_t bytes)
{
	bool ipv4 = wf_gid_kind(gid) == WF_GID_IPV4;

	if (!inet_ntop(ipv4 ? AF_INET : AF_INET6, gid + (ipv4 ? 12 : 0), text,
		       (socklen_t)bytes))
		snprintf(text, bytes, "?");
}

void wf_verbs_path_name(const struct wf_verbs_ep *ep, char *text, size_t bytes)
{
	const struct wf_verbs_gids *gids = &wf_verbs_dev(ep->ep.dev)->port.gids;
	char own[64], peer[64];
	struct wf_gid_pair by;

	(void)wf_gid_choose(gids, &ep->address.gids, &by);
	wf_verbs_gid_name(gids->gid[by.own], own, sizeof(own));
	wf_verbs_gid_name(ep->address.gids.gid[by.peer], peer, sizeof(peer));
	snprintf(text, bytes, "GIDs %s and %s", own, peer);
}

void wf_verbs_where(const struct wf_verbs_ep *ep, char *text, size_t bytes)
{
	const struct wf_verbs_port *port = &wf_verbs_dev(ep->ep.dev)->port;
	char path[140], lids[40] = "";

	wf_verbs_path_name(ep, path, sizeof(path));
	if (!port->ethernet)
		snprintf(lids, sizeof(lids), ", LIDs %u and %u",
			 (unsigned)port->port.lid, (unsigned)ep->address.lid);
	snprintf(text, bytes, "device %s port %d, %s%s",
		 ibv_get_device_name(port->context->device), port->number,
		 path, lids);
}

static const char *what_name(const struct wf_verbs_wr *wr)
{
	switch ((enum wf_verbs_what)wr->mark.what) {
	case WF_VERBS_DO_MAIL:
		return "a mail";
	case WF_VERBS_DO_LINE:
		return "a line";
	case WF_VERBS_DO_PUT:
		return "a put";
	case WF_VERBS_DO_GET:
		return "a get";
	case WF_VERBS_DO_WORD:
		return "an atomic op";
	case WF_VERBS_DO_FLUSH:
		return "a flush";
	case WF_VERBS_DO_CREDIT:
		return "a credit";
	case WF_VERBS_DO_LOCATE:
		return "a look for a signal";
	case WF_VERBS_DO_SIGNAL:
		return "a signal";
	}
	return "an operation";
}

static const char unused[] = "it belongs to a service that weft does not use: "
			     "is the device's firmware up to date?";

/* What the status of a completion means, and what to do about it. */
static const char *const meanings[] = {
	[IBV_WC_SUCCESS] = "it has not",
	[IBV_WC_LOC_LEN_ERR] =
		"longer than the device sends or its receive buffer takes",
	[IBV_WC_LOC_QP_OP_ERR] =
		"the own device could not do it: is its port up, with an "
		"address, and is the local memory registered?",
	[IBV_WC_LOC_EEC_OP_ERR] = unused,
	[IBV_WC_LOC_PROT_ERR] =
		"local memory that is not registered, or not any more: was it "
		"freed or released before the operation was done?",
	[IBV_WC_WR_FLUSH_ERR] =
		"the queue pair was in an error state already: an earlier "
		"line, or the peer, tells why",
	[IBV_WC_MW_BIND_ERR] = unused,
	[IBV_WC_BAD_RESP_ERR] =
		"the peer's device answered what was not asked: do the "
		"firmware and drivers of both fit each other?",
	[IBV_WC_LOC_ACCESS_ERR] =
		"what came does not fit the local memory, or it may not be "
		"written: was it released too early?",
	[IBV_WC_REM_INV_REQ_ERR] =
		"the peer's device refused the request: too long for its "
		"receive buffer, or not allowed on this queue pair",
	[IBV_WC_REM_ACCESS_ERR] =
		"the peer's device refused the address or its key: memory "
		"that the peer has not registered, or has released; or its "
		"process is ending",
	[IBV_WC_REM_OP_ERR] =
		"the peer's device could not complete it: see the kernel log "
		"of that host",
	[IBV_WC_RETRY_EXC_ERR] =
		"no answer from the peer's device: its process has ended, its "
		"link is down, packets are lost, or the MTU or the traffic "
		"class does not fit the network",
	[IBV_WC_RNR_RETRY_EXC_ERR] =
		"the peer had no receive buffer for too long: raise "
		"WEFT_IB_SRQ there or WEFT_IB_RNR_RETRY here",
	[IBV_WC_LOC_RDD_VIOL_ERR] = unused,
	[IBV_WC_REM_INV_RD_REQ_ERR] = unused,
	[IBV_WC_REM_ABORT_ERR] =
		"the peer's device gave it up: see the kernel log of that "
		"host",
	[IBV_WC_INV_EECN_ERR] = unused,
	[IBV_WC_INV_EEC_STATE_ERR] = unused,
	[IBV_WC_FATAL_ERR] =
		"the device failed: see the kernel log of this host",
	[IBV_WC_RESP_TIMEOUT_ERR] =
		"the device gave up waiting for a response: is the peer's "
		"host alive, and its device?",
	[IBV_WC_GENERAL_ERR] =
		"the device says no more than that it failed: see the kernel "
		"log of this host",
	[IBV_WC_TM_ERR] = unused,
	[IBV_WC_TM_RNDV_INCOMPLETE] = unused
};

static const char *meaning(enum ibv_wc_status status)
{
	if (status < sizeof(meanings) / sizeof(meanings[0]))
		return meanings[status];
	return "a status that this weft does not know: see the kernel log of "
	       "this host";
}

/* What only some of them are about. */
static void add_details(const struct wf_verbs_ep *ep,
			const struct wf_verbs_wr *wr,
			enum ibv_wc_status status, char *text)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	if (status == IBV_WC_LOC_LEN_ERR)
		wf_text_add(text, WF_VERBS_WHY, "; the port sends %u bytes at "
			    "most", dev->port.port.max_msg_sz);
	if (status == IBV_WC_REM_ACCESS_ERR &&
	    wr->mark.what != WF_VERBS_DO_MAIL)
		wf_text_add(text, WF_VERBS_WHY, "; address 0x%llx, key 0x%x "
			    "that rank %d gave",
			    (unsigned long long)wr->request->address,
			    (unsigned)wr->request->key, ep->ep.rank);
}

void wf_verbs_tell(const struct wf_verbs_ep *ep, const struct wf_verbs_wr *wr,
		   const struct ibv_wc *wc, char *text)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	char path[128];

	wf_verbs_path_name(ep, path, sizeof(path));
	snprintf(text, WF_VERBS_WHY, "%s of %u bytes to rank %d on host %s "
		 "failed: %s", what_name(wr), (unsigned)wr->bytes,
		 ep->ep.rank, ep->host, meaning(wc->status));
	add_details(ep, wr, wc->status, text);
	wf_text_add(text, WF_VERBS_WHY, "; status \"%s\", vendor error 0x%x, "
		    "device %s, %s, MTU %u, traffic class %d",
		    ibv_wc_status_str(wc->status), (unsigned)wc->vendor_err,
		    ibv_get_device_name(dev->port.context->device), path,
		    128u << wf_verbs_path_mtu(dev, &ep->address),
		    (int)dev->port.traffic_class);
}
