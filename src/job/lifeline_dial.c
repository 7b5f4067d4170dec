/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of addresses: see lifeline_probe.c. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include "job/lifeline.h"

int wf_life_dial(int fd, const struct wf_blob_lifeline *to, uint16_t port)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
	struct sockaddr_in in = { .sin_family = AF_INET };

	in.sin_port = in6.sin6_port = htons(port);
	memcpy(&in.sin_addr, to->address, 4);
	memcpy(&in6.sin6_addr, to->address, 16);
	if (to->family == 4)
		return connect(fd, (struct sockaddr *)&in, sizeof(in));
	return connect(fd, (struct sockaddr *)&in6, sizeof(in6));
}

bool wf_life_lacks(int error)
{
	switch (error) {
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ENOBUFS:
	case EADDRNOTAVAIL:		/* no port is free */
	case EAGAIN:
		return true;
	default:
		return false;
	}
}
