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

static bool is_same(const struct sockaddr *a, const struct sockaddr *b)
{
	const struct sockaddr_in *a4 = (const void *)a, *b4 = (const void *)b;
	const struct sockaddr_in6 *a6 = (const void *)a, *b6 = (const void *)b;

	if (!a || a->sa_family != b->sa_family)
		return false;
	if (a->sa_family == AF_INET)
		return a4->sin_addr.s_addr == b4->sin_addr.s_addr;
	return a->sa_family == AF_INET6 &&
	       IN6_ARE_ADDR_EQUAL(&a6->sin6_addr, &b6->sin6_addr);
}

bool wf_interface_has(const struct sockaddr *address)
{
	struct ifaddrs *all;
	bool found = false;

	if (getifaddrs(&all))
		return false;
	for (const struct ifaddrs *at = all; at && !found; at = at->ifa_next)
		found = is_same(at->ifa_addr, address);
	freeifaddrs(all);
	return found;
}

/* Its bytes in network order; the number of them, 0: of another family. */
static size_t bytes_of(const struct sockaddr *a, const unsigned char **bytes_p)
{
	if (a->sa_family == AF_INET) {
		*bytes_p = (const void *)&((const struct sockaddr_in *)
					   (const void *)a)->sin_addr;
		return 4;
	}
	if (a->sa_family != AF_INET6)
		return 0;
	*bytes_p = (const void *)&((const struct sockaddr_in6 *)
				   (const void *)a)->sin6_addr;
	return 16;
}

static bool is_in_subnet(const struct ifaddrs *at, const struct sockaddr *to)
{
	const unsigned char *own, *mask, *other;
	size_t n = bytes_of(at->ifa_addr, &own);

	if (!n || !at->ifa_netmask || bytes_of(to, &other) != n ||
	    bytes_of(at->ifa_netmask, &mask) != n)
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
	if (is_same(from, to))
		return WF_REACH_NONE;
	for (; all; all = all->ifa_next)
		if (is_same(all->ifa_addr, from))
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

enum wf_reach wf_interface_reach(const struct sockaddr *to,
				 struct sockaddr_storage *from_p)
{
	enum wf_reach reach;
	struct ifaddrs *all;

	memset(from_p, 0, sizeof(*from_p));
	if (!find_source(to, from_p))
		return WF_REACH_NONE;
	if (from_p->ss_family == AF_UNSPEC || getifaddrs(&all))
		return WF_REACH_ROUTE;
	reach = wf_interface_relate(all, (struct sockaddr *)from_p, to);
	freeifaddrs(all);
	return reach;
}
