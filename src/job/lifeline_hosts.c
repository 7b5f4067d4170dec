/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The addresses of this host, which both ends of a lifeline look at: those that
 * it is called by, and those that are never called.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/interface.h"
#include "job/lifeline.h"

/* Link-local ones need an interface to be named, which a peer cannot. */
static bool take_address(const struct ifaddrs *at,
			 struct wf_blob_lifeline *address)
{
	const struct sockaddr_in *in = (const void *)at->ifa_addr;
	const struct sockaddr_in6 *in6 = (const void *)at->ifa_addr;

	memset(address, 0, sizeof(*address));
	if (at->ifa_addr->sa_family == AF_INET) {
		address->family = 4;
		memcpy(address->address, &in->sin_addr, 4);
		return true;
	}
	if (at->ifa_addr->sa_family != AF_INET6 ||
	    IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr))
		return false;
	address->family = 6;
	memcpy(address->address, &in6->sin6_addr, 16);
	return true;
}

static size_t count(const struct ifaddrs *all)
{
	size_t n = 0;

	for (; all; all = all->ifa_next)
		n++;
	return n;
}

bool wf_host_is_loopback(const struct wf_blob_lifeline *at)
{
	struct in6_addr in6;

	memcpy(&in6, at->address, sizeof(in6));
	return at->family == 4 ? at->address[0] == 127 :
				 IN6_IS_ADDR_LOOPBACK(&in6);
}

void wf_host_name(const struct wf_blob_lifeline *at, char text[WF_HOST_NAME])
{
	char host[INET6_ADDRSTRLEN] = "?";

	inet_ntop(at->family == 4 ? AF_INET : AF_INET6, at->address, host,
		  sizeof(host));
	snprintf(text, WF_HOST_NAME, "%s port %u", host, (unsigned)at->port);
}

/* How good its address is: less is better. */
static int class_of(const struct ifaddrs *at)
{
	if (at->ifa_flags & IFF_LOOPBACK)
		return 2;
	return wf_interface_is_inner(at->ifa_name);
}

/* Has its interface none of its family in front of it? */
static bool is_first(const struct ifaddrs *all, const struct ifaddrs *at)
{
	struct wf_blob_lifeline address;

	for (; all != at; all = all->ifa_next)
		if (all->ifa_addr && !strcmp(all->ifa_name, at->ifa_name) &&
		    all->ifa_addr->sa_family == at->ifa_addr->sa_family &&
		    take_address(all, &address))
			return false;
	return true;
}

static size_t take_some(const struct ifaddrs *all, int class, bool first,
			struct wf_blob_lifeline *list)
{
	size_t n = 0;

	for (const struct ifaddrs *at = all; at; at = at->ifa_next)
		if (at->ifa_addr && (at->ifa_flags & IFF_UP) &&
		    class_of(at) == class && is_first(all, at) == first &&
		    take_address(at, &list[n]))
			n++;
	return n;
}

int wf_host_addresses(struct wf_blob_lifeline **list_p, size_t *n_p)
{
	struct wf_blob_lifeline *list;
	struct ifaddrs *all;
	size_t n = 0;

	if (getifaddrs(&all))
		return WEFT_ERR_DEVICE;
	list = calloc(count(all) + 1, sizeof(*list));
	if (!list) {
		freeifaddrs(all);
		return WEFT_ERR_NOMEM;
	}
	for (int class = 0; class <= 2; class++) {
		n += take_some(all, class, true, list + n);
		n += take_some(all, class, false, list + n);
	}
	freeifaddrs(all);
	*list_p = list;
	*n_p = n;
	return WEFT_OK;
}

static enum wf_reach reach_of(const struct wf_blob_lifeline *at)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
	struct sockaddr_in in = { .sin_family = AF_INET };
	int source;

	in.sin_port = in6.sin6_port = htons(at->port);
	memcpy(&in.sin_addr, at->address, 4);
	memcpy(&in6.sin6_addr, at->address, 16);
	return wf_interface_reach(at->family == 4 ? (struct sockaddr *)&in :
						    (struct sockaddr *)&in6,
				  NULL, 0, &source);
}

int wf_host_sort(struct wf_blob *blob)
{
	struct wf_blob_lifeline sorted[WF_BLOB_LIFELINES];
	enum wf_reach reach[WF_BLOB_LIFELINES];
	int n = 0, near = 0;

	for (int i = 0; i < blob->n_lifelines; i++) {
		reach[i] = reach_of(&blob->lifelines[i]);
		near += reach[i] == WF_REACH_LINK;
	}
	for (int r = WF_REACH_LINK; r <= WF_REACH_NONE; r++)
		for (int i = 0; i < blob->n_lifelines; i++)
			if (reach[i] == (enum wf_reach)r)
				sorted[n++] = blob->lifelines[i];
	memcpy(blob->lifelines, sorted, (size_t)n * sizeof(sorted[0]));
	return near;
}
