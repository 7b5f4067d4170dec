/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The addresses of a device as they are in its boot blob: of IP a port and an
 * address each, of another fabric one, as libfabric has it.
 */
#include <netinet/in.h>
#include <string.h>
#include "transport/ofi/ofi.h"

enum {
	PORT = 2			/* bytes */
};

/* Of each address in a blob; 0: any number. */
static size_t bytes_of(uint32_t format)
{
	if (format == FI_SOCKADDR_IN)
		return WF_OFI_NAME_IN;
	return format == FI_SOCKADDR_IN6 ? WF_OFI_NAME_IN6 : 0;
}

bool wf_ofi_address_fits(const struct wf_ofi_address *a, uint32_t format)
{
	size_t bytes = bytes_of(format);

	return bytes ? a->bytes == bytes : a->names == 1;
}

static bool is_whole(uint32_t format, size_t n)
{
	if (format == FI_SOCKADDR_IN)
		return n == sizeof(struct sockaddr_in);
	return format != FI_SOCKADDR_IN6 || n == sizeof(struct sockaddr_in6);
}

bool wf_ofi_address_add(struct wf_ofi_address *a, uint32_t format,
			const void *name, size_t n)
{
	size_t bytes = bytes_of(format) ? bytes_of(format) : n;
	const struct sockaddr_in *in = name;
	const struct sockaddr_in6 *in6 = name;
	uint8_t *to;

	if (!is_whole(format, n) || (a->names + 1) * bytes > sizeof(a->name))
		return false;
	to = a->name + a->names++ * bytes;
	a->bytes = (uint8_t)bytes;
	if (format == FI_SOCKADDR_IN) {
		memcpy(to, &in->sin_port, PORT);
		memcpy(to + PORT, &in->sin_addr, bytes - PORT);
	} else if (format == FI_SOCKADDR_IN6) {
		memcpy(to, &in6->sin6_port, PORT);
		memcpy(to + PORT, &in6->sin6_addr, bytes - PORT);
	} else {
		memcpy(to, name, bytes);
	}
	return true;
}

socklen_t wf_ofi_address_get(const struct wf_ofi_address *a, uint32_t format,
			     int i, struct sockaddr_storage *to_p)
{
	struct sockaddr_in *in = (void *)to_p;
	struct sockaddr_in6 *in6 = (void *)to_p;
	const uint8_t *from = a->name + i * a->bytes;

	memset(to_p, 0, sizeof(*to_p));
	if (format == FI_SOCKADDR_IN) {
		in->sin_family = AF_INET;
		memcpy(&in->sin_port, from, PORT);
		memcpy(&in->sin_addr, from + PORT, sizeof(in->sin_addr));
		return sizeof(*in);
	}
	if (format == FI_SOCKADDR_IN6) {
		in6->sin6_family = AF_INET6;
		memcpy(&in6->sin6_port, from, PORT);
		memcpy(&in6->sin6_addr, from + PORT, sizeof(in6->sin6_addr));
		return sizeof(*in6);
	}
	memcpy(to_p, from, a->bytes);
	return a->bytes;
}
