/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines over the socket PMI_FD; see pmi_conn.h. The descriptor is shared with
 * whatever else the launcher started it for, so its flags are left alone: each
 * call says that it must not wait, and that a broken pipe is no signal.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "boot/pmi_conn.h"

int wf_pmi_descriptor(const char *text)
{
	char *end;
	long fd = strtol(text, &end, 10);
	int type = 0;
	socklen_t n = sizeof(type);

	if (end == text || *end != '\0' || fd < 0 || fd > INT_MAX)
		return -1;
	if (getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &type, &n) != 0 ||
	    type != SOCK_STREAM)
		return -1;
	return (int)fd;
}

void wf_pmi_conn_init(struct wf_pmi_conn *conn, int fd, uint64_t tick_ns,
		      void (*tick)(void *owner), void *owner)
{
	conn->fd = fd;
	conn->have = 0;
	conn->tick_ns = tick_ns;
	conn->tick = tick;
	conn->owner = owner;
}

/* Until the socket is ready for `events`, or broken. */
static int wait_for(const struct wf_pmi_conn *conn, short events,
		    uint64_t deadline_ns)
{
	struct pollfd pollfd = { .fd = conn->fd, .events = events };

	for (;;) {
		uint64_t now = wf_clock_ns();
		uint64_t left;
		int n;

		if (now >= deadline_ns)
			return WEFT_ERR_TIMEOUT;
		left = deadline_ns - now;
		if (left > conn->tick_ns)
			left = conn->tick_ns;
		n = poll(&pollfd, 1, (int)(left / WF_NS_PER_MS + 1));
		if (n > 0)
			return WEFT_OK;
		if (n < 0 && errno != EINTR)
			return WEFT_ERR_BOOT;
		conn->tick(conn->owner);
	}
}

/* After a call that failed: WEFT_OK: the socket is ready now. */
static int retry(const struct wf_pmi_conn *conn, short events,
		 uint64_t deadline_ns)
{
	if (errno == EINTR)
		return WEFT_OK;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return WEFT_ERR_BOOT;
	return wait_for(conn, events, deadline_ns);
}

int wf_pmi_send(struct wf_pmi_conn *conn, const char *line,
		uint64_t deadline_ns)
{
	size_t left = strlen(line);
	int status;

	while (left > 0) {
		ssize_t n = send(conn->fd, line, left,
				 MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n >= 0) {
			line += n;
			left -= (size_t)n;
			continue;
		}
		status = retry(conn, POLLOUT, deadline_ns);
		if (status != WEFT_OK)
			return status;
	}
	return WEFT_OK;
}

/* Takes the line that ends at `end`; what follows it stays. */
static void take(struct wf_pmi_conn *conn, const char *end, char *line)
{
	size_t n = (size_t)(end - conn->in);

	memcpy(line, conn->in, n);
	line[n] = '\0';
	conn->have -= n + 1;
	memmove(conn->in, end + 1, conn->have);
}

int wf_pmi_receive(struct wf_pmi_conn *conn, char line[WF_PMI_LINE_MAX],
		   uint64_t deadline_ns)
{
	for (;;) {
		const char *end = memchr(conn->in, '\n', conn->have);
		int status;
		ssize_t n;

		if (end != NULL) {
			take(conn, end, line);
			return WEFT_OK;
		}
		if (conn->have == sizeof(conn->in)) {
			errno = EMSGSIZE;
			return WEFT_ERR_BOOT;
		}
		n = recv(conn->fd, conn->in + conn->have,
			 sizeof(conn->in) - conn->have, MSG_DONTWAIT);
		if (n == 0) {
			errno = 0;
			return WEFT_ERR_BOOT;
		}
		if (n > 0) {
			conn->have += (size_t)n;
			continue;
		}
		status = retry(conn, POLLIN, deadline_ns);
		if (status != WEFT_OK)
			return status;
	}
}
