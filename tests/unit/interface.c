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
	struct sockaddr_storage from;

	TAP_EQUAL(wf_interface_reach(address("127.0.0.2"), &from),
		  WF_REACH_LINK);
	TAP_CHECK(from.ss_family == AF_INET);
	/* everybody is nobody */
	TAP_EQUAL(wf_interface_reach(address("255.255.255.255"), &from),
		  WF_REACH_NONE);
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
		{ "what is reached comes first", what_is_reached_comes_first },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
