/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words: addresses as people write them, and failed completions as sentences
 * that name what failed, the peer and its host, the provider and its reason.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <string.h>
#include "base/lack.h"
#include "base/text.h"
#include "transport/memlock.h"
#include "transport/ofi/ofi_choose.h"

void wf_ofi_name(uint32_t format, const void *addr, char *text, size_t bytes)
{
	char host[INET6_ADDRSTRLEN] = "?";
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (format == FI_SOCKADDR_IN) {
		memcpy(&in, addr, sizeof(in));
		inet_ntop(AF_INET, &in.sin_addr, host, sizeof(host));
		snprintf(text, bytes, "%s port %u", host,
			 (unsigned)ntohs(in.sin_port));
	} else if (format == FI_SOCKADDR_IN6) {
		memcpy(&in6, addr, sizeof(in6));
		inet_ntop(AF_INET6, &in6.sin6_addr, host, sizeof(host));
		snprintf(text, bytes, "%s port %u", host,
			 (unsigned)ntohs(in6.sin6_port));
	} else {
		snprintf(text, bytes, "a fabric address");
	}
}

bool wf_ofi_is_loopback(uint32_t format, const void *addr)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (format == FI_SOCKADDR_IN) {
		memcpy(&in, addr, sizeof(in));
		return ntohl(in.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	if (format != FI_SOCKADDR_IN6)
		return false;
	memcpy(&in6, addr, sizeof(in6));
	return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
}

static const char *what_name(const struct wf_ofi_tx *tx)
{
	switch (tx->what) {
	case WF_OFI_DO_MAIL:
		return "a mail";
	case WF_OFI_DO_HELLO:
		return "the first contact";
	case WF_OFI_DO_LINE:
		return "a line";
	case WF_OFI_DO_PUT:
		return "a put";
	case WF_OFI_DO_GET:
		return "a get";
	case WF_OFI_DO_FLUSH:
		return "a flush";
	case WF_OFI_DO_CREDIT:
		return "a credit";
	case WF_OFI_DO_ASK:
		return "what asks for an atomic op";
	case WF_OFI_DO_ANSWER:
		return "the answer to an atomic op";
	}
	return "an operation";
}

/*
 * Why a call of the set-up failed.  Adapters lock the memory that they use,
 * queues included, and few systems allow much of it; sockets lock none.
 */
void wf_ofi_reason(const struct wf_ofi *dev, int result, char *text)
{
	snprintf(text, WF_OFI_WHY, "%s", dev->lib.strerror(-result));
	if (result == -FI_ENOMEM && !wf_ofi_is_tcp(dev->info))
		wf_memlock_tell(text, WF_OFI_WHY);
	wf_lack_hint(-result, text, WF_OFI_WHY);
	if (result == -FI_EINVAL && !wf_ofi_is_tcp(dev->info))
		wf_text_add(text, WF_OFI_WHY, "; if its queues are too short, "
			    "set FI_UNIVERSE_SIZE, 256 by default, to the "
			    "number of ranks");
}

void wf_ofi_tell(const struct wf_ofi *dev, const struct wf_ofi_tx *tx,
		 const struct fi_cq_err_entry *error, char *text)
{
	const struct wf_ofi_ep *ep = tx ? tx->ep : NULL;
	char reason[80] = "";

	fi_cq_strerror(dev->cq, error->prov_errno, error->err_data, reason,
		       sizeof(reason));
	if (!ep)
		snprintf(text, WF_OFI_WHY, "%s of provider %s failed: %s "
			 "(error %d; the provider says: %s)",
			 tx ? what_name(tx) : "receiving",
			 dev->info->fabric_attr->prov_name,
			 dev->lib.strerror(error->err), error->err, reason);
	else
		snprintf(text, WF_OFI_WHY, "%s of %zu bytes to rank %d on host "
			 "%s by provider %s failed: %s (error %d; the provider "
			 "says: %s)", what_name(tx), tx->bytes, ep->ep.rank,
			 ep->host, dev->info->fabric_attr->prov_name,
			 dev->lib.strerror(error->err), error->err, reason);
}
