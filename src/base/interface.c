/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks at interfaces by /sys, which is that of our network namespace wherever
 * that was made with one, and by getifaddrs().  Where /sys is not there, no
 * interface is a bridge.
 */
#include "base/interface.h"

#include <glob.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
