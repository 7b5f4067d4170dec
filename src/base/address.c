/* SPDX-License-Identifier: BSD-3-Clause */
/* See address.h: both ends of a connection order its paths by it. */
#include "base/address.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

size_t wf_address_bytes(const struct sockaddr *a, const unsigned char **bytes_p)
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

/* Shorter ones are lower. */
static int compare(const struct sockaddr *a, const struct sockaddr *b)
{
	const unsigned char *of_a = NULL, *of_b = NULL;
	size_t na = wf_address_bytes(a, &of_a), nb = wf_address_bytes(b, &of_b);

	if (na != nb)
		return na < nb ? -1 : 1;
	return na ? memcmp(of_a, of_b, na) : 0;
}

bool wf_address_same(const struct sockaddr *a, const struct sockaddr *b)
{
	return a && a->sa_family == b->sa_family &&
	       (a->sa_family == AF_INET || a->sa_family == AF_INET6) &&
	       !compare(a, b);
}

static const struct sockaddr *lower_of(const struct wf_address_path *path,
				       const struct sockaddr *const own[],
				       const struct sockaddr *const other[])
{
	return compare(own[path->own], other[path->other]) < 0 ?
		       own[path->own] : other[path->other];
}

static bool is_better(const struct wf_address_path *a,
		      const struct wf_address_path *b,
		      const struct sockaddr *const own[],
		      const struct sockaddr *const other[])
{
	if (a->reach != b->reach)
		return a->reach < b->reach;
	if (a->own + a->other != b->own + b->other)
		return a->own + a->other < b->own + b->other;
	return compare(lower_of(a, own, other), lower_of(b, own, other)) < 0;
}

void wf_address_sort(struct wf_address_path *path, int n,
		     const struct sockaddr *const own[],
		     const struct sockaddr *const other[])
{
	for (int i = 1; i < n; i++) {
		struct wf_address_path moved = path[i];
		int at = i;

		for (; at && is_better(&moved, &path[at - 1], own, other); at--)
			path[at] = path[at - 1];
		path[at] = moved;
	}
}
