/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all probes of a process know of addresses: which are its own host's, and
 * which lead to the host that they are said to be of.  And their sockets: who
 * gives a path up because no descriptor is left, has one to say so.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/descriptor.h"
#include "job/lifeline.h"

enum {
	KEEP_IDLE_S = 1,
	KEEP_INTERVAL_S = 1,
	KEEP_COUNT = 3,
	USER_TIMEOUT_MS = 4000
};

/* An address where a lifeline of this boot of a host has shown its key. */
struct wf_proven {
	uint8_t boot_id[16];
	uint64_t net_ns;
	uint8_t family;
	uint8_t address[16];
};

int wf_prober_init(struct wf_prober *prober, const struct wf_identity *self,
		   uint64_t host_timeout_ns, const struct wf_log *log)
{
	int status;

	memset(prober, 0, sizeof(*prober));
	prober->log = log;
	prober->host_timeout_ns = host_timeout_ns;
	prober->self = self;
	prober->spare = -1;
	wf_list_init(&prober->open);
	status = wf_host_addresses(&prober->own, &prober->n_own);
	if (!status)
		wf_prober_spare(prober);
	return status;
}

/* It need not have been made. */
void wf_prober_fini(struct wf_prober *prober)
{
	if (prober->own && prober->spare >= 0)
		close(prober->spare);
	free(prober->own);
	free(prober->proven);
	prober->own = NULL;
	prober->proven = NULL;
}

static bool is_own(const struct wf_prober *prober,
		   const struct wf_blob_lifeline *to)
{
	for (size_t i = 0; i < prober->n_own; i++)
		if (prober->own[i].family == to->family &&
		    !memcmp(prober->own[i].address, to->address,
			    sizeof(to->address)))
			return true;
	return wf_host_is_loopback(to);
}

bool wf_prober_may_call(const struct wf_prober *prober,
			const struct wf_blob *blob, int at)
{
	return wf_identity_same_network(prober->self, &blob->id) ||
	       !is_own(prober, &blob->lifelines[at]);
}

static struct wf_proven proof_of(const struct wf_blob *blob, int at)
{
	const struct wf_blob_lifeline *to = &blob->lifelines[at];
	struct wf_proven p;

	/* They are compared as bytes. */
	memset(&p, 0, sizeof(p));
	p.net_ns = blob->id.net_ns;
	p.family = to->family;
	memcpy(p.boot_id, blob->id.boot_id, sizeof(p.boot_id));
	memcpy(p.address, to->address, sizeof(p.address));
	return p;
}

bool wf_prober_has_proven(const struct wf_prober *prober,
			  const struct wf_blob *blob, int at)
{
	struct wf_proven p = proof_of(blob, at);

	for (size_t i = 0; i < prober->n_proven; i++)
		if (!memcmp(&p, &prober->proven[i], sizeof(p)))
			return true;
	return false;
}

bool wf_prober_knows(const struct wf_prober *prober,
		     const struct wf_blob *blob)
{
	for (int i = 0; i < blob->n_lifelines; i++)
		if (wf_prober_has_proven(prober, blob, i))
			return true;
	return false;
}

void wf_prober_prove(struct wf_prober *prober, const struct wf_blob *blob,
		     int at)
{
	if (wf_prober_has_proven(prober, blob, at))
		return;
	if (prober->n_proven == prober->proven_max) {
		size_t max = prober->proven_max ? 2 * prober->proven_max : 16;
		void *more = realloc(prober->proven,
				     max * sizeof(*prober->proven));

		if (!more)
			return;
		prober->proven = more;
		prober->proven_max = max;
	}
	prober->proven[prober->n_proven++] = proof_of(blob, at);
}

void wf_prober_spare(struct wf_prober *prober)
{
	if (prober->spare < 0)
		prober->spare = wf_fd_above(open("/", O_PATH | O_CLOEXEC));
}

static int make_socket(int family)
{
	int fd = wf_fd_above(socket(family == 4 ? AF_INET : AF_INET6,
				    SOCK_STREAM | SOCK_CLOEXEC |
				    SOCK_NONBLOCK, 0));
	int on = 1, idle = KEEP_IDLE_S, interval = KEEP_INTERVAL_S;
	int count = KEEP_COUNT, timeout = USER_TIMEOUT_MS;

	if (fd < 0)
		return -1;
	/* Whoever refuses one of them detects a lost host later. */
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval,
		   sizeof(interval));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout,
		   sizeof(timeout));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return fd;
}

int wf_prober_socket(struct wf_prober *prober, int family, bool must)
{
	int fd = make_socket(family);

	if (fd >= 0 || !must || prober->spare < 0 ||
	    (errno != EMFILE && errno != ENFILE))
		return fd;
	close(prober->spare);
	prober->spare = -1;
	return make_socket(family);
}
