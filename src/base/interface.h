/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Network interfaces of this host, which those who choose addresses look at:
 * libfabric's and the lifelines'.
 */
#ifndef WEFT_BASE_INTERFACE_H
#define WEFT_BASE_INTERFACE_H

#include <stdbool.h>

struct ifaddrs;
struct sockaddr;

/* How an address of another host is reached from here, the best first. */
enum wf_reach {
	WF_REACH_LINK,			/* in the subnet of an interface */
	WF_REACH_ROUTE,			/* by a gateway, or a bridge as below */
	WF_REACH_NONE			/* by no route, or it is this host's */
};

/*
 * Is it a bridge for containers or guests, without a port that leads out?  Many
 * have the same address on every host.
 */
bool wf_interface_is_inner(const char *name);

/* Does an interface of this host have the address, whatever its port? */
bool wf_interface_has(const struct sockaddr *address);

/*
 * The same of one that from, an address of this host, reaches by the kernel's
 * choice, where all are its interfaces.
 */
enum wf_reach wf_interface_relate(const struct ifaddrs *all,
				  const struct sockaddr *from,
				  const struct sockaddr *to);

/*
 * Which of n own addresses is that of a connection to an address for which the
 * kernel would take from: one in the subnet of both, so that both ends find the
 * same two; else from, or another one of its interface.  -1: none.
 */
int wf_interface_source(const struct ifaddrs *all, const struct sockaddr *from,
			const struct sockaddr *to,
			const struct sockaddr *const own[], int n);

/* Asks the kernel, which sends nothing; *source_p is such a one. */
enum wf_reach wf_interface_reach(const struct sockaddr *to,
				 const struct sockaddr *const own[], int n,
				 int *source_p);

#endif
