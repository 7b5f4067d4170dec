/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Internet addresses of both families, and paths from those of one host to
 * those of another one.  Nothing here asks the system.
 */
#ifndef WEFT_BASE_ADDRESS_H
#define WEFT_BASE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

/* Its bytes in network order; the number of them, 0: of another family. */
size_t wf_address_bytes(const struct sockaddr *a,
			const unsigned char **bytes_p);

/* Whatever their ports are; NULL is like none. */
bool wf_address_same(const struct sockaddr *a, const struct sockaddr *b);

/* From one of the own addresses to one of another host. */
struct wf_address_path {
	uint8_t own, other;		/* places in the lists of both hosts */
	uint8_t reach;			/* enum wf_reach of the other one */
};

/*
 * The best first.  Both ends find the same order of the paths that both have:
 * subnets first, then routes, then the places in both lists, then the lower of
 * both addresses.
 */
void wf_address_sort(struct wf_address_path *path, int n,
		     const struct sockaddr *const own[],
		     const struct sockaddr *const other[]);

#endif
