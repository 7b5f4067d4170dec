/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What both ends of a lifeline share: the addresses of this host, and what is
 * said.
 */
#include <endian.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "job/lifeline.h"

static const char magic[8] = "weftlife", loss[8] = "weftlost";

/* All of it is looked at: the time tells nothing of a key. */
static bool are_same(const uint8_t *a, const uint8_t *b, int n)
{
	unsigned differs = 0;

	for (int i = 0; i < n; i++)
		differs |= (unsigned)(a[i] ^ b[i]);
	return !differs;
}

static void put(uint8_t *at, uint64_t word)
{
	word = htole64(word);
	memcpy(at, &word, sizeof(word));
}

void wf_greeting_write(uint8_t bytes[WF_GREETING], uint64_t word)
{
	memcpy(bytes, magic, sizeof(magic));
	put(bytes + sizeof(magic), word);
}

bool wf_greeting_is(const uint8_t bytes[WF_GREETING], uint64_t word)
{
	uint8_t want[WF_GREETING];

	wf_greeting_write(want, word);
	return are_same(bytes, want, WF_GREETING);
}

void wf_loss_write(uint8_t bytes[WF_LOSS], int rank,
		   const struct wf_blob_key *key)
{
	memcpy(bytes, loss, sizeof(loss));
	put(bytes + 8, (uint64_t)rank);
	put(bytes + 16, wf_tag64(bytes, 16, key->word));
}

int wf_loss_read(const uint8_t bytes[WF_LOSS], const struct wf_blob_key *key)
{
	uint8_t want[WF_LOSS];
	uint64_t rank;

	memcpy(&rank, bytes + 8, sizeof(rank));
	rank = le64toh(rank);
	if (rank > INT_MAX)
		return -1;
	wf_loss_write(want, (int)rank, key);
	return are_same(bytes, want, WF_LOSS) ? (int)rank : -1;
}

/* Link-local ones need an interface to be named, which a peer cannot. */
static bool take_address(const struct ifaddrs *at,
			 struct wf_blob_lifeline *address)
{
	const struct sockaddr_in *in = (const void *)at->ifa_addr;
	const struct sockaddr_in6 *in6 = (const void *)at->ifa_addr;

	memset(address, 0, sizeof(*address));
	if (at->ifa_addr->sa_family == AF_INET) {
		address->family = 4;
		memcpy(address->address, &in->sin_addr, 4);
		return true;
	}
	if (at->ifa_addr->sa_family != AF_INET6 ||
	    IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr))
		return false;
	address->family = 6;
	memcpy(address->address, &in6->sin6_addr, 16);
	return true;
}

static size_t count(const struct ifaddrs *all)
{
	size_t n = 0;

	for (; all; all = all->ifa_next)
		n++;
	return n;
}

int wf_host_addresses(struct wf_blob_lifeline **list_p, size_t *n_p,
		      bool loopback)
{
	struct wf_blob_lifeline *list;
	struct ifaddrs *all;
	size_t n = 0;

	if (getifaddrs(&all))
		return WEFT_ERR_DEVICE;
	list = calloc(count(all) + 1, sizeof(*list));
	if (!list) {
		freeifaddrs(all);
		return WEFT_ERR_NOMEM;
	}
	for (const struct ifaddrs *at = all; at; at = at->ifa_next)
		if (at->ifa_addr && (at->ifa_flags & IFF_UP) &&
		    (loopback || !(at->ifa_flags & IFF_LOOPBACK)) &&
		    take_address(at, &list[n]))
			n++;
	freeifaddrs(all);
	*list_p = list;
	*n_p = n;
	return WEFT_OK;
}
