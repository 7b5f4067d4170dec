/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks at interfaces by /sys, which is that of our network namespace wherever
 * that was made with one, and by getifaddrs().  Where /sys is not there, no
 * interface is a bridge.  Which route leads to an address a datagram socket
 * tells that is connected there, which sends nothing.
 */
#include "base/interface.h"

#include <glob.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/address.h"
#include "base/descriptor.h"

static bool exists(const char *pattern)
{
	glob_t found;
	bool any = !glob(pattern, 0, NULL, &found);

	globfree(&found);
	return any;
}

bool wf_interface_is_inner(const char *name)
{
	char bridge[64], device[96], lower[96];

	snprintf(bridge, sizeof(bridge), "/sys/class/net/%.*s/bridge",
		 IFNAMSIZ, name);
	/* The port of an adapter, or of what lies on one: a VLAN, a bond. */
	snprintf(device, sizeof(device), "/sys/class/net/%.*s/brif/*/../device",
		 IFNAMSIZ, name);
	snprintf(lower, sizeof(lower), "/sys/class/net/%.*s/brif/*/../lower_*",
		 IFNAMSIZ, name);
	return !access(bridge, F_OK) && !exists(device) && !exists(lower);
}

bool wf_interface_has(const struct sockaddr *address)
{
	struct ifaddrs *all;
	bool found = false;

	if (getifaddrs(&all))
		return false;
	for (const struct ifaddrs *at = all; at && !found; at = at->ifa_next)
		found = wf_address_same(at->ifa_addr, address);
	freeifaddrs(all);
	return found;
}

static bool is_in_subnet(const struct ifaddrs *at, const struct sockaddr *to)
{
	const unsigned char *own, *mask, *other;
	size_t n = wf_address_bytes(at->ifa_addr, &own);

	if (!n || !at->ifa_netmask || wf_address_bytes(to, &other) != n ||
	    wf_address_bytes(at->ifa_netmask, &mask) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((own[i] ^ other[i]) & mask[i])
			return false;
	return true;
}

enum wf_reach wf_interface_relate(const struct ifaddrs *all,
				  const struct sockaddr *from,
				  const struct sockaddr *to)
{
	if (wf_address_same(from, to))
		return WF_REACH_NONE;
	for (; all; all = all->ifa_next)
		if (wf_address_same(all->ifa_addr, from))
			return is_in_subnet(all, to) &&
			       !wf_interface_is_inner(all->ifa_name) ?
				       WF_REACH_LINK : WF_REACH_ROUTE;
	return WF_REACH_ROUTE;
}

/* False: no route leads there. */
static bool find_source(const struct sockaddr *to,
			struct sockaddr_storage *from)
{
	socklen_t n = to->sa_family == AF_INET ? sizeof(struct sockaddr_in) :
						 sizeof(struct sockaddr_in6);
	int fd = wf_fd_above(socket(to->sa_family, SOCK_DGRAM | SOCK_CLOEXEC,
				    0));
	bool found;

	if (fd < 0)
		return true;
	found = !connect(fd, to, n);
	n = sizeof(*from);
	if (!found || getsockname(fd, (struct sockaddr *)from, &n))
		from->ss_family = AF_UNSPEC;
	close(fd);
	return found;
}

/* Of the interface that has the address; NULL: none has. */
static const char *name_of(const struct ifaddrs *all,
			   const struct sockaddr *address)
{
	for (; all; all = all->ifa_next)
		if (wf_address_same(all->ifa_addr, address))
			return all->ifa_name;
	return NULL;
}

/* Is it an address of that interface, and is the other one in its subnet? */
static bool is_of(const struct ifaddrs *all, const char *name,
		  const struct sockaddr *own, const struct sockaddr *to,
		  bool *near_p)
{
	for (; all; all = all->ifa_next)
		if (wf_address_same(all->ifa_addr, own) &&
		    !strcmp(all->ifa_name, name)) {
			*near_p = is_in_subnet(all, to);
			return true;
		}
	return false;
}

int wf_interface_source(const struct ifaddrs *all, const struct sockaddr *from,
			const struct sockaddr *to,
			const struct sockaddr *const own[], int n)
{
	const char *name = name_of(all, from);
	int best = -1;
	bool near;

	for (int i = 0; name && i < n; i++) {
		if (!is_of(all, name, own[i], to, &near))
			continue;
		if (near)
			return i;
		if (best < 0 || wf_address_same(own[i], from))
			best = i;
	}
	return best;
}

enum wf_reach wf_interface_reach(const struct sockaddr *to,
				 const struct sockaddr *const own[], int n,
				 int *source_p)
{
	struct sockaddr_storage from = { .ss_family = AF_UNSPEC };
	enum wf_reach reach;
	struct ifaddrs *all;

	*source_p = -1;
	if (!find_source(to, &from))
		return WF_REACH_NONE;
	if (from.ss_family == AF_UNSPEC || getifaddrs(&all))
		return WF_REACH_ROUTE;
	reach = wf_interface_relate(all, (struct sockaddr *)&from, to);
	*source_p = wf_interface_source(all, (struct sockaddr *)&from, to, own,
					n);
	freeifaddrs(all);
	return reach;
}
