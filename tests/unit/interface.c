/* SPDX-License-Identifier: BSD-3-Clause */
/* Which addresses of another host are tried first. */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>
#include "base/interface.h"
#include "job/lifeline.h"
#include "tests/tap.h"

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

static union address made[8];
static int nmade;

static struct sockaddr *address(const char *text)
{
	union address *a = &made[nmade++ % 8];

	memset(a, 0, sizeof(*a));
	a->any.sa_family = strchr(text, ':') ? AF_INET6 : AF_INET;
	TAP_EQUAL(inet_pton(a->any.sa_family, text, a->any.sa_family ==
			    AF_INET ? (void *)&a->in.sin_addr :
				      (void *)&a->in6.sin6_addr), 1);
	return &a->any;
}

static char nosuch[] = "nosuch0";

/* Of a host with an interface: an address, its mask. */
static enum wf_reach relate(const char *own, const char *mask,
			    const char *from, const char *to)
{
	struct ifaddrs all = { .ifa_name = nosuch, .ifa_addr = address(own),
			       .ifa_netmask = address(mask) };
	struct ifaddrs bare = { .ifa_name = nosuch, .ifa_next = &all };

	return wf_interface_relate(&bare, address(from), address(to));
}

static void a_subnet_is_nearer_than_a_gateway(void)
{
	TAP_EQUAL(relate("10.1.2.3", "255.255.254.0", "10.1.2.3", "10.1.3.9"),
		  WF_REACH_LINK);
	TAP_EQUAL(relate("10.1.2.3", "255.255.254.0", "10.1.2.3", "10.1.4.9"),
		  WF_REACH_ROUTE);
	TAP_EQUAL(relate("10.1.2.3", "255.255.254.0", "10.9.2.3", "10.1.3.9"),
		  WF_REACH_ROUTE);
	TAP_EQUAL(relate("fd00::1", "ffff:ffff:ffff:ffff::", "fd00::1",
			 "fd00::9:1"), WF_REACH_LINK);
	TAP_EQUAL(relate("fd00::1", "ffff:ffff:ffff:ffff::", "fd00::1",
			 "fd01::1"), WF_REACH_ROUTE);
	TAP_EQUAL(relate("fd00::1", "ffff:ffff:ffff:ffff::", "fd00::1",
			 "10.1.2.3"), WF_REACH_ROUTE);
	/* and leads nowhere else */
	TAP_EQUAL(relate("10.1.2.3", "255.255.254.0", "10.1.2.3", "10.1.2.3"),
		  WF_REACH_NONE);
}

static void the_kernel_tells_the_source(void)
{
	const struct sockaddr *own[] = {
		address("192.0.2.1"), address("127.0.0.1")
	};
	int source;

	TAP_EQUAL(wf_interface_reach(address("127.0.0.2"), own, 2, &source),
		  WF_REACH_LINK);
	TAP_EQUAL(source, 1);
	/* everybody is nobody */
	TAP_EQUAL(wf_interface_reach(address("255.255.255.255"), own, 2,
				     &source), WF_REACH_NONE);
	TAP_EQUAL(source, -1);
}

static char eth0[] = "eth0", eth1[] = "eth1";

/* Of eth0, which has a passing address of its subnet, too, and of eth1. */
static int find_source(const char *from, const char *to)
{
	static const char *const addresses[][2] = {
		{ "2001:db8::1", "ffff:ffff:ffff:ffff::" },
		{ "2001:db8::aaaa", "ffff:ffff:ffff:ffff::" },
		{ "fd00::1", "ffff:ffff:ffff:ffff::" },
		{ "fd01::1", "ffff:ffff:ffff:ffff::" }
	};
	const struct sockaddr *own[3];
	struct sockaddr_in6 made6[8];
	struct ifaddrs all[4];
	int n = 0;

	memset(all, 0, sizeof(all));
	for (int i = 0; i < 8; i++)
		memcpy(&made6[i], address(addresses[i / 2][i % 2]),
		       sizeof(made6[i]));
	for (int i = 0; i < 4; i++) {
		all[i].ifa_name = i < 3 ? eth0 : eth1;
		all[i].ifa_addr = (struct sockaddr *)&made6[2 * i];
		all[i].ifa_netmask = (struct sockaddr *)&made6[2 * i + 1];
		all[i].ifa_next = i < 3 ? &all[i + 1] : NULL;
		if (i != 1)
			own[n++] = all[i].ifa_addr;
	}
	return wf_interface_source(all, address(from), address(to), own, n);
}

/* Both ends shall take the same two, and list some of their addresses only. */
static void a_subnet_has_one_source(void)
{
	TAP_EQUAL(find_source("2001:db8::1", "2001:db8::2"), 0);
	TAP_EQUAL(find_source("2001:db8::aaaa", "2001:db8::2"), 0);
	TAP_EQUAL(find_source("2001:db8::1", "fd00::2"), 1);
	/* by a gateway */
	TAP_EQUAL(find_source("fd00::1", "fd09::2"), 1);
	TAP_EQUAL(find_source("2001:db8::aaaa", "fd09::2"), 0);
	TAP_EQUAL(find_source("fd01::1", "fd01::2"), 2);
	TAP_EQUAL(find_source("fd01::1", "fd00::2"), 2);
	TAP_EQUAL(find_source("fd02::1", "fd00::2"), -1);
}

static void what_is_reached_comes_first(void)
{
	static const uint8_t last[][4] = {
		{ 255, 255, 255, 255 }, { 127, 0, 0, 2 }, { 127, 0, 0, 3 }
	};
	struct wf_blob blob = { .n_lifelines = 3 };

	for (int i = 0; i < 3; i++) {
		blob.lifelines[i].family = 4;
		blob.lifelines[i].port = (uint16_t)(i + 1);
		memcpy(blob.lifelines[i].address, last[i], 4);
	}
	TAP_EQUAL(wf_host_sort(&blob), 2);
	TAP_EQUAL(blob.n_lifelines, 3);
	for (int i = 0; i < 3; i++)
		TAP_EQUAL(blob.lifelines[i].port, (i + 1) % 3 + 1);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a subnet is nearer than a gateway",
		  a_subnet_is_nearer_than_a_gateway },
		{ "the kernel tells the source", the_kernel_tells_the_source },
		{ "a subnet has one source", a_subnet_has_one_source },
		{ "what is reached comes first", what_is_reached_comes_first },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
