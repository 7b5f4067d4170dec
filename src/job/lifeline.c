/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The listening end of a lifeline.  Served by progress, but the kernel answers
 * for a process that is not in the library: its backlog accepts, and refuses
 * when the process is gone.
 *
 * A connection stays open, so that the end of the process is an event at the
 * other one.  Strangers who do not show the key in time are dropped.
 */
#include "job/lifeline.h"
#include "job/lifeline_talk.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/descriptor.h"
#include "base/lack.h"
#include "base/log.h"

#define PATIENCE_NS UINT64_C(5000000000)

enum {
	EVENTS = 32,		/* of one look */
	WORDS = 64		/* of one caller in it */
};

struct caller {
	struct wf_list link;
	int fd;
	int slot;			/* in line->fds */
	uint64_t since;
	bool greeted;
	unsigned n;
	uint8_t bytes[WF_LIFE_WORD];		/* n so far of what it says */
	uint64_t asked;			/* in which serve; 0: it does not */
	struct wf_life_word who;		/* for whom */
};

/* ---- opening ---- */

/* One socket for both families; IPv4 alone where there is no IPv6. */
static int listen_anywhere(uint16_t *port_p)
{
	struct sockaddr_in6 any6 = { .sin6_family = AF_INET6 };
	struct sockaddr_in any = { .sin_family = AF_INET };
	struct sockaddr_storage bound = { 0 };
	socklen_t size = sizeof(bound);
	int off = 0, type = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
	int fd = wf_fd_above(socket(AF_INET6, type, 0));

	if (fd < 0 ||
	    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off)) ||
	    bind(fd, (struct sockaddr *)&any6, sizeof(any6))) {
		if (fd >= 0)
			close(fd);
		fd = wf_fd_above(socket(AF_INET, type, 0));
		if (fd < 0 ||
		    bind(fd, (struct sockaddr *)&any, sizeof(any)))
			goto failed;
	}
	if (listen(fd, SOMAXCONN) ||
	    getsockname(fd, (struct sockaddr *)&bound, &size))
		goto failed;
	*port_p = ntohs(bound.ss_family == AF_INET6 ?
			((struct sockaddr_in6 *)&bound)->sin6_port :
			((struct sockaddr_in *)&bound)->sin_port);
	return fd;

failed:
	if (fd >= 0)
		close(fd);
	return -1;
}

/* One place is kept for a loopback address. */
static int publish(struct wf_blob *blob, uint16_t port, bool alone)
{
	struct wf_blob_lifeline *list;
	size_t n, others = 0;
	int status = wf_host_addresses(&list, &n);

	if (status)
		return status;
	for (size_t i = 0; i < n && blob->n_lifelines < WF_BLOB_LIFELINES;
	     i++) {
		bool loopback = wf_host_is_loopback(&list[i]);

		others += !loopback;
		if (!loopback && others >= WF_BLOB_LIFELINES)
			continue;
		list[i].port = port;
		blob->lifelines[blob->n_lifelines++] = list[i];
	}
	free(list);
	return others || (alone && blob->n_lifelines) ? WEFT_OK :
							WEFT_ERR_DEVICE;
}

static bool watch(struct wf_lifeline *line, int fd, struct caller *caller)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = caller };

	return !epoll_ctl(line->events, EPOLL_CTL_ADD, fd, &event);
}

static void close_both(struct wf_lifeline *line)
{
	if (line->fd >= 0)
		close(line->fd);
	if (line->events >= 0)
		close(line->events);
	line->fd = line->events = -1;
}

static void close_in_child(struct wf_forked *forked)
{
	struct wf_lifeline *line = wf_container(forked, struct wf_lifeline,
						forked);

	close_both(line);
	for (int i = 0; i < WF_LINE_FDS; i++) {
		if (line->fds[i] >= 0)
			close(line->fds[i]);
		line->fds[i] = -1;
	}
}

void wf_lifeline_init(struct wf_lifeline *line)
{
	memset(line, 0, sizeof(*line));
	wf_list_init(&line->callers);
	wf_list_init(&line->strangers);
	wf_forked_init(&line->forked, close_in_child);
	line->fd = line->events = -1;
	for (int i = 0; i < WF_LINE_FDS; i++)
		line->fds[i] = -1;
}

/* False: there is no descriptor for it; errno tells why. */
static bool open_both(struct wf_lifeline *line, uint16_t *port_p)
{
	bool opened;

	wf_forked_hold();
	wf_forked_guard(&line->forked);
	line->events = wf_fd_above(epoll_create1(EPOLL_CLOEXEC));
	line->fd = listen_anywhere(port_p);
	opened = line->fd >= 0 && line->events >= 0 &&
		 watch(line, line->fd, NULL);
	wf_forked_let_go();
	return opened;
}

int wf_lifeline_open(struct wf_lifeline *line, struct wf_blob *blob,
		     bool alone, const struct wf_log *log)
{
	char why[WF_LACK_TEXT] = "this host has no address of a network";
	uint16_t port = 0;
	int status = WEFT_ERR_DEVICE;

	wf_lifeline_init(line);
	line->key = blob->life_key;
	line->secret = blob->key;
	if (open_both(line, &port))
		status = publish(blob, port, alone);
	else
		wf_lack_text(errno, why, sizeof(why));
	if (!status)
		return status;
	wf_error(log, "no lifeline, by which other nodes see that this process "
		 "lives: %s", why);
	wf_lifeline_close(line);
	return status;
}

static void hang_up(struct wf_lifeline *line, struct caller *caller)
{
	if (caller->greeted)
		line->n_callers--;
	else
		line->n_strangers--;
	line->n_asking -= caller->asked != 0;
	wf_list_del(&caller->link);
	/* A child that has not closed its copy would keep it in the set. */
	epoll_ctl(line->events, EPOLL_CTL_DEL, caller->fd, NULL);
	wf_forked_hold();
	close(caller->fd);
	line->fds[caller->slot] = -1;
	wf_forked_let_go();
	free(caller);
}

static void hang_up_first(struct wf_lifeline *line, struct wf_list *list)
{
	hang_up(line, wf_container(wf_list_first(list), struct caller, link));
}

void wf_lifeline_close(struct wf_lifeline *line)
{
	while (!wf_list_empty(&line->callers))
		hang_up_first(line, &line->callers);
	while (!wf_list_empty(&line->strangers))
		hang_up_first(line, &line->strangers);
	wf_forked_hold();
	wf_forked_unguard(&line->forked);
	close_both(line);
	wf_forked_let_go();
}

/* ---- serving ---- */

static void drop(struct wf_lifeline *line, struct caller *caller)
{
	line->dropped += !caller->greeted;
	hang_up(line, caller);
}

/* A free slot of the table that a fork closes; -1: there is none. */
static int take_slot(struct wf_lifeline *line)
{
	for (int i = 0; i < WF_LINE_FDS; i++)
		if (line->fds[i] < 0)
			return i;
	return -1;
}

/* The next one that calls; -1: nobody does. */
static int accept_one(struct wf_lifeline *line, int *slot_p)
{
	int fd;

	wf_forked_hold();
	fd = wf_fd_above(accept4(line->fd, NULL, NULL,
				 SOCK_CLOEXEC | SOCK_NONBLOCK));
	*slot_p = fd >= 0 ? take_slot(line) : -1;
	if (*slot_p >= 0)
		line->fds[*slot_p] = fd;
	wf_forked_let_go();
	return fd;
}

static void refuse(struct wf_lifeline *line, int fd, int slot)
{
	wf_forked_hold();
	close(fd);
	if (slot >= 0)
		line->fds[slot] = -1;
	wf_forked_let_go();
}

static void meet(struct wf_lifeline *line, int fd, int slot, uint64_t now)
{
	struct caller *caller = slot >= 0 ? calloc(1, sizeof(*caller)) : NULL;

	if (!caller || !watch(line, fd, caller)) {
		free(caller);
		refuse(line, fd, slot);
		return;
	}
	caller->slot = slot;
	caller->fd = fd;
	caller->since = now;
	wf_list_add_tail(&line->strangers, &caller->link);
	line->n_strangers++;
}

/* Without a descriptor accept() fails also where nobody waits. */
static bool is_called(const struct wf_lifeline *line)
{
	struct pollfd door = { .fd = line->fd, .events = POLLIN };

	return poll(&door, 1, 0) == 1;
}

static void accept_all(struct wf_lifeline *line, uint64_t now)
{
	int fd, slot;

	while ((fd = accept_one(line, &slot)) >= 0)
		meet(line, fd, slot, now);
	/* No descriptor is left: who has waited longest for nothing goes. */
	if ((errno == EMFILE || errno == ENFILE) && is_called(line) &&
	    !wf_list_empty(&line->strangers))
		drop(line, wf_container(wf_list_first(&line->strangers),
					struct caller, link));
}

static bool greet(struct wf_lifeline *line, struct caller *caller)
{
	uint8_t answer[WF_GREETING];

	if (!wf_greeting_is(caller->bytes, line->key.word[0]))
		return false;
	wf_greeting_write(answer, line->key.word[1]);
	if (send(caller->fd, answer, sizeof(answer),
		 MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof(answer))
		return false;
	line->n_strangers--;
	line->n_callers++;
	caller->greeted = true;
	wf_list_del(&caller->link);
	wf_list_add_tail(&line->callers, &caller->link);
	return true;
}

static bool say(const struct wf_lifeline *line, const struct caller *caller,
		const struct wf_life_word *word)
{
	uint8_t bytes[WF_LIFE_WORD];

	wf_life_write(bytes, word, &line->secret);
	return send(caller->fd, bytes, sizeof(bytes),
		    MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(bytes);
}

static void note_question(struct wf_lifeline *line, struct caller *caller,
			  const struct wf_life_word *who)
{
	line->n_asking += !caller->asked;
	caller->asked = line->serves;
	caller->who = *who;
}

/* Who parts hangs up: it would not hand on that, nor does it know all. */
static bool hear(struct wf_lifeline *line, struct caller *caller)
{
	struct wf_life_word word;

	if (!wf_life_read(caller->bytes, &word, &line->secret))
		return false;
	if (word.kind == WF_LIFE_LOST) {
		if (line->lost)
			line->lost(line->arg, word.first);
		return true;
	}
	if (line->parting)
		return false;
	if (word.kind == WF_LIFE_LEFT)
		return line->left &&
		       line->left(line->arg, word.first, word.last);
	if (word.kind == WF_LIFE_ENDS)
		return say(line, caller, &word);
	note_question(line, caller, &word);
	return true;
}

/* The greeting, or a word. */
static bool take(struct wf_lifeline *line, struct caller *caller)
{
	caller->n = 0;
	return caller->greeted ? hear(line, caller) : greet(line, caller);
}

/*
 * Some of what it says, because it may say more than it waits for.  False: it
 * hung up, or says what no caller says.
 */
static bool listen_to(struct wf_lifeline *line, struct caller *caller)
{
	for (int i = 0; i < WORDS; i++) {
		unsigned all = caller->greeted ? WF_LIFE_WORD : WF_GREETING;
		ssize_t n = recv(caller->fd, caller->bytes + caller->n,
				 all - caller->n, MSG_DONTWAIT);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		caller->n += (unsigned)n;
		if (!n || (caller->n == all && !take(line, caller)))
			return false;
	}
	return true;
}

/* Who has been here for longest may have said something just now. */
static void dismiss_first(struct wf_lifeline *line)
{
	(void)listen_to(line, wf_container(wf_list_first(&line->callers),
					   struct caller, link));
	hang_up_first(line, &line->callers);
}

static void limit(struct wf_lifeline *line, uint64_t now)
{
	while (!wf_list_empty(&line->strangers)) {
		struct caller *first = wf_container(
			wf_list_first(&line->strangers), struct caller, link);

		if (line->n_strangers <= WF_STRANGERS &&
		    now - first->since < PATIENCE_NS)
			break;
		drop(line, first);
	}
	while (line->n_callers > WF_CALLERS)
		dismiss_first(line);
}

/* False: it does not take the answer. */
static bool answer(struct wf_lifeline *line, struct caller *caller)
{
	if (line->parting)
		return false;
	line->n_asking--;
	caller->asked = 0;
	return wf_life_answer(line->gone, &caller->who, caller->fd,
			      &line->secret);
}

/* Whoever called before them has been accepted since, and then heard. */
static void answer_all(struct wf_lifeline *line)
{
	struct wf_list *at = line->callers.next;

	while (line->n_asking && at != &line->callers) {
		struct caller *caller = wf_container(at, struct caller, link);

		at = at->next;
		if (caller->asked && caller->asked + 1 < line->serves &&
		    !answer(line, caller))
			drop(line, caller);
	}
}

void wf_lifeline_serve(struct wf_lifeline *line, uint64_t now)
{
	struct epoll_event events[EVENTS];
	bool new = false;
	int n;

	if (line->fd < 0)
		return;
	line->serves++;
	n = epoll_wait(line->events, events, EVENTS, 0);
	for (int i = 0; i < n; i++) {
		struct caller *caller = events[i].data.ptr;

		if (!caller)
			new = true;
		else if (!listen_to(line, caller))
			drop(line, caller);
	}
	answer_all(line);
	if (new)
		accept_all(line, now);
	limit(line, now);
}
