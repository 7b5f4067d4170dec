/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words: addresses as people write them, why memory cannot be locked, and
 * failed completions as sentences that say what failed, with whom, and what to
 * check.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
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

/* Adapters lock what they use, and few systems allow much of it by default. */
void wf_verbs_memlock(char *text, size_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY)
		return;
	wf_text_add(text, bytes, "; this process may lock %llu KiB: raise the "
		    "limit (in a shell: ulimit -l unlimited; of a systemd "
		    "service: LimitMEMLOCK=infinity; of Slurm: the same for "
		    "slurmd, and PropagateResourceLimits=NONE in slurm.conf)",
		    (unsigned long long)limit.rlim_cur / 1024);
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

/* What the status of a completion means, and what to do about it. */
static const char *meaning(enum ibv_wc_status status)
{
	switch (status) {
	case IBV_WC_LOC_LEN_ERR:
		return "longer than the device or the receive buffer takes";
	case IBV_WC_LOC_QP_OP_ERR:
		return "the own device could not do it: is its port up, with "
		       "an address, and is the local memory registered?";
	case IBV_WC_LOC_PROT_ERR:
		return "local memory that is not registered, or not any more: "
		       "was it freed or released before the operation was "
		       "done?";
	case IBV_WC_WR_FLUSH_ERR:
		return "the queue pair was in an error state already";
	case IBV_WC_REM_ACCESS_ERR:
		return "the peer's device refused the address or its key: "
		       "memory that the peer has not registered, or has "
		       "released; or its process is ending";
	case IBV_WC_REM_INV_REQ_ERR:
		return "the peer's device refused the request: too long for "
		       "its receive buffer, or not allowed on this queue pair";
	case IBV_WC_REM_OP_ERR:
		return "the peer's device could not complete it";
	case IBV_WC_RETRY_EXC_ERR:
		return "no answer from the peer's device: its process has "
		       "ended, its link is down, packets are lost, or the "
		       "MTU or the traffic class does not fit the network";
	case IBV_WC_RNR_RETRY_EXC_ERR:
		return "the peer had no receive buffer for too long: raise "
		       "WEFT_IB_SRQ there or WEFT_IB_RNR_RETRY here";
	case IBV_WC_RESP_TIMEOUT_ERR:
		return "the device gave up waiting for a response";
	case IBV_WC_FATAL_ERR:
		return "the device failed";
	default:
		return "see the kernel log for this device";
	}
}

void wf_verbs_tell(const struct wf_verbs_ep *ep, const struct wf_verbs_wr *wr,
		   const struct ibv_wc *wc, char *text)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	const struct wf_config *config = dev->env.config;
	char path[128];

	wf_verbs_path_name(ep, path, sizeof(path));
	snprintf(text, WF_VERBS_WHY, "%s of %u bytes to rank %d on host %s "
		 "failed: %s; status \"%s\", vendor error 0x%x, device %s, "
		 "%s, MTU code %d, traffic class %d",
		 what_name(wr), (unsigned)wr->bytes, ep->ep.rank, ep->host,
		 meaning(wc->status), ibv_wc_status_str(wc->status),
		 (unsigned)wc->vendor_err,
		 ibv_get_device_name(dev->port.context->device), path,
		 (int)dev->port.port.active_mtu,
		 (int)config->ib_traffic_class);
}
