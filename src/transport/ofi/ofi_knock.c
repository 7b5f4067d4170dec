/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is anybody there?  libfabric says AGAIN for ever where nobody listens.  For
 * providers on TCP, whose addresses are those of listening sockets, we look
 * ourselves: while an endpoint is connecting, or what is owed or posted to it
 * does not get through, a socket of our own knocks now and then.  Refused
 * means that the device there is closed, or its process dead.  The failure
 * detector is told at once.  An endpoint that was ready is broken; another one
 * is closed when the detector has had its time and did not find a death.  Where
 * there are several addresses one must refuse in four rounds: while an endpoint
 * takes the port of a socket over (ofi_source.c) nobody listens there.
 *
 * Accepted means nothing: also a busy or stopped process has a backlog, and a
 * stranger may have the address.
 *
 * A knock also tells what libfabric does not: that there is no descriptor for a
 * connection.  There may be one later; not for ever.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/lack.h"
#include "base/log.h"
#include "transport/ofi/ofi_choose.h"

enum {
	TICK_MS = 10,
	FIRST_PAUSE_MS = 50,
	LONGEST_PAUSE_MS = 3200,
	STARVED_MS = 10000,		/* as WF_LIVE_STARVED_MS */
	UNHEARD_MS = 1000,		/* then another path is tried */
	REFUSED_MS = 300,		/* the detector's age, and some */
	REFUSED_ROUNDS = 4		/* where there are several addresses */
};

bool wf_ofi_can_knock(const struct wf_ofi *dev)
{
	return (dev->info->addr_format == FI_SOCKADDR_IN ||
		dev->info->addr_format == FI_SOCKADDR_IN6) &&
	       wf_ofi_is_tcp(dev->info);
}

void wf_ofi_knock_start(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	if (!wf_list_empty(&ep->doubtful))
		return;
	ep->knock_at = 0;
	ep->refused_at = 0;
	ep->refusals = 0;
	wf_list_add_tail(&dev->doubtful, &ep->doubtful);
}

void wf_ofi_knock_stop(struct wf_ofi_ep *ep)
{
	wf_list_del(&ep->doubtful);
	if (ep->knock_fd >= 0)
		close(ep->knock_fd);
	ep->knock_fd = -1;
}

/* Something got through: no more of it, if nothing else is in doubt. */
void wf_ofi_knock_rest(struct wf_ofi_ep *ep)
{
	if (!wf_list_empty(&ep->doubtful) && ep->ep.state == WF_EP_READY &&
	    !ep->words.nasked && wf_list_empty(&ep->work))
		wf_ofi_knock_stop(ep);
}

/* Nobody has listened there for long enough. */
static bool is_closed(const struct wf_ofi_ep *ep, uint64_t now)
{
	return ep->refused_at &&
	       ep->refusals >= (ep->npaths < 2 ? 1 : REFUSED_ROUNDS) &&
	       now - ep->refused_at >= REFUSED_MS * WF_NS_PER_MS;
}

static void refused(struct wf_ofi *dev, struct wf_ofi_ep *ep, uint64_t now)
{
	const struct wf_tp_up *up = &dev->env.up;

	if (ep->ep.state == WF_EP_READY)
		wf_ofi_break(ep, ECONNREFUSED);
	if (ep->error)
		return;
	ep->refusals++;
	if (ep->refused_at)
		return;
	ep->refused_at = now;
	up->suspect(up->arg, ep->ep.rank, "its address refuses connections, or "
		    "it has closed");
}

/* What became of the knock; errno 0: somebody listens. */
static void heard(struct wf_ofi *dev, struct wf_ofi_ep *ep, int error,
		  uint64_t now)
{
	if (ep->knock_fd >= 0)
		close(ep->knock_fd);
	ep->knock_fd = -1;
	ep->ep.failed = error;
	if (error) {
		if (wf_ofi_path_failed(dev, ep, error) == ECONNREFUSED)
			refused(dev, ep, now);
	} else {
		ep->refused_at = 0;
		ep->refusals = 0;
		wf_ofi_path_answers(ep, now);
	}
	/* Maybe nobody has tried since: the next AGAIN begins anew. */
	if (!error && ep->knock_pause >= LONGEST_PAUSE_MS * WF_NS_PER_MS)
		wf_ofi_knock_rest(ep);
	if (ep->knock_pause < LONGEST_PAUSE_MS * WF_NS_PER_MS)
		ep->knock_pause *= 2;
	if (error == ECONNREFUSED || (error && ep->npaths > 1))
		ep->knock_pause = FIRST_PAUSE_MS * WF_NS_PER_MS;
	ep->knock_at = now + ep->knock_pause;
}

/* Where the hello has left there is a connection, and the peer is busy. */
static void starves(struct wf_ofi *dev, struct wf_ofi_ep *ep, int error,
		    uint64_t now)
{
	ep->knock_at = now + LONGEST_PAUSE_MS * WF_NS_PER_MS;
	if (ep->ep.state != WF_EP_CONNECTING || ep->hello_sent ||
	    !wf_lack_is(error))
		return;
	wf_lack_text(error, dev->lack, sizeof(dev->lack));
	if (!ep->starved_at) {
		wf_info(dev->env.log, "ofi: rank %d on host %s: %s; it is "
			"tried again", ep->ep.rank, ep->host, dev->lack);
		ep->starved_at = now;
	}
	if (now - ep->starved_at < STARVED_MS * WF_NS_PER_MS)
		return;
	wf_ofi_knock_stop(ep);
	ep->ep.lack = dev->lack;
	ep->ep.state = WF_EP_REFUSED;
}

static void start(struct wf_ofi *dev, struct wf_ofi_ep *ep, uint64_t now)
{
	struct sockaddr_storage to;
	socklen_t n = wf_ofi_address_get(&ep->address,
					 dev->info->addr_format,
					 ep->path[ep->at].to, &to);

	ep->knock_fd = wf_fd_above(socket(to.ss_family, SOCK_STREAM |
					  SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
	if (ep->knock_fd < 0) {
		starves(dev, ep, errno, now);
		return;
	}
	ep->starved_at = 0;
	if (!connect(ep->knock_fd, (struct sockaddr *)&to, n))
		heard(dev, ep, 0, now);
	else if (errno != EINPROGRESS)
		heard(dev, ep, errno, now);
}

static void look(struct wf_ofi *dev, struct wf_ofi_ep *ep, uint64_t now)
{
	struct pollfd at = { .fd = ep->knock_fd, .events = POLLOUT };
	socklen_t n = sizeof(int);
	int error = 0;

	if (poll(&at, 1, 0) != 1) {
		if (ep->npaths > 1 &&
		    now - ep->knock_at >= UNHEARD_MS * WF_NS_PER_MS)
			heard(dev, ep, ETIMEDOUT, now);
		return;
	}
	if (getsockopt(ep->knock_fd, SOL_SOCKET, SO_ERROR, &error, &n))
		error = errno;
	heard(dev, ep, error, now);
}

/* True: it has ended. */
static bool knock(struct wf_ofi *dev, struct wf_ofi_ep *ep, uint64_t now)
{
	if (!ep->knock_at) {
		ep->knock_pause = FIRST_PAUSE_MS * WF_NS_PER_MS;
		ep->knock_at = now + ep->knock_pause;
	} else if (ep->knock_fd >= 0) {
		look(dev, ep, now);
	} else if (now >= ep->knock_at) {
		start(dev, ep, now);
	}
	if (ep->error) {
		wf_ofi_knock_stop(ep);
		return true;
	}
	wf_ofi_path_waits(dev, ep, now);
	if (ep->ep.state == WF_EP_REFUSED)
		return true;
	if (!is_closed(ep, now))
		return false;
	wf_ofi_knock_stop(ep);
	ep->ep.state = WF_EP_CLOSED;
	return true;
}

int wf_ofi_knock(struct wf_ofi *dev)
{
	struct wf_list *at = dev->doubtful.next;
	uint64_t now = wf_clock_ns();
	int events = 0;

	if (now < dev->next_knock || !wf_ofi_can_knock(dev))
		return 0;
	dev->next_knock = now + TICK_MS * WF_NS_PER_MS;
	while (at != &dev->doubtful) {
		struct wf_ofi_ep *ep = wf_container(at, struct wf_ofi_ep,
						    doubtful);

		at = at->next;
		events += knock(dev, ep, now);
	}
	return events;
}
