/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The asking end of lifelines: one nonblocking connection per watched peer,
 * kept open, stepped by the detector's ticks.
 *
 *   IDLE -> CALLING -> GREETING -> OPEN
 *
 * A refused call is a death if that address has been proven: a lifeline of the
 * same host has answered there with its key; or if all refuse, or all in
 * subnets of this host, and the data path is broken.  Where that answers by
 * itself it is asked first (lifeline_doubt.c).  Unanswered calls take
 * turns between the lifeline and a port where nobody listens: whatever answers,
 * a refusal too, shows that the host is there, and the process is alive then.
 *
 * While the data path connects, an open one is opened again now and then: only
 * a greeting shows that the process makes progress.
 *
 * An open one also says, once, that the path to that process is given up.
 */
#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "job/lifeline_probe.h"
#include "job/lifeline_talk.h"

#define CALL_NS UINT64_C(1000000000)	/* until a call counts as unanswered */
#define TURN_NS UINT64_C(1000000000)	/* of a connection, if all are taken */
#define AGAIN_NS UINT64_C(1000000000)	/* after one that led to a stranger */

enum {
	NOBODY = 1,			/* a port that is refused everywhere */
	SILENT_PART = 8			/* of WEFT_HOST_TIMEOUT, an address */
};

struct wf_probe *wf_probe_create(struct wf_prober *prober, int rank,
				 const struct wf_blob *blob)
{
	struct wf_probe *probe = calloc(1, sizeof(*probe));

	if (!probe)
		return NULL;
	probe->prober = prober;
	probe->rank = rank;
	probe->blob = blob;
	probe->fd = -1;
	probe->loser = -1;
	wf_list_init(&probe->link);
	return probe;
}

void wf_probe_set_near(struct wf_probe *probe, int near)
{
	probe->near = near;
}

static void hang_up(struct wf_probe *probe)
{
	if (probe->fd >= 0) {
		close(probe->fd);
		probe->prober->n_open--;
		wf_list_del(&probe->link);
		wf_prober_spare(probe->prober);
	}
	if (probe->talk && !probe->talk->over)
		wf_life_renew(probe->talk);
	probe->fd = -1;
	probe->saying = false;
	probe->state = WF_PROBE_IDLE;
}

void wf_probe_free(struct wf_probe *probe)
{
	if (!probe)
		return;
	hang_up(probe);
	free(probe);
}

int wf_probe_descriptor(const struct wf_probe *probe, short *events_p)
{
	*events_p = probe && probe->state == WF_PROBE_CALLING ? POLLOUT :
							       POLLIN;
	return probe ? probe->fd : -1;
}

static bool is_usable(const struct wf_probe *probe, int at)
{
	return wf_prober_may_call(probe->prober, probe->blob, at);
}

/* The next address that may be tried; false: there is none at all. */
static bool next_address(struct wf_probe *probe)
{
	int n = probe->blob->n_lifelines;

	for (int i = 1; i <= n; i++)
		if (is_usable(probe, (probe->at + i) % n)) {
			probe->at = (probe->at + i) % n;
			return true;
		}
	return false;
}

/*
 * Room for one more connection: that of the probe that has had its own for
 * longest, but for long enough to learn something.  Else this one waits.
 */
static bool make_room(struct wf_prober *prober, uint64_t now)
{
	struct wf_probe *oldest;

	if (prober->n_open < WF_PROBES)
		return true;
	oldest = wf_container(wf_list_first(&prober->open), struct wf_probe,
			      link);
	if (now - oldest->called < TURN_NS)
		return false;
	hang_up(oldest);
	return true;
}

static void keep(struct wf_probe *probe)
{
	struct wf_prober *prober = probe->prober;

	wf_list_add_tail(&prober->open, &probe->link);
	prober->n_open++;
}

/* The host has answered, in whatever way. */
static void heard(struct wf_probe *probe, uint64_t now)
{
	probe->heard = probe->answered = now;
	probe->knocking = false;
}

/* Of those that are not near any may lead elsewhere. */
static bool all_refuse(const struct wf_probe *probe)
{
	int n = probe->near ? probe->near : probe->blob->n_lifelines;

	for (int i = 0; i < n; i++)
		if (is_usable(probe, i) && !(probe->refused & 1u << i))
			return false;
	return probe->refused;
}

bool wf_probe_is_refused(const struct wf_probe *probe)
{
	return all_refuse(probe);
}

static bool is_proven(const struct wf_probe *probe)
{
	return wf_prober_has_proven(probe->prober, probe->blob, probe->at);
}

bool wf_probe_has_heard(const struct wf_probe *probe)
{
	return probe->state == WF_PROBE_OPEN ||
	       (probe->state == WF_PROBE_GREETING &&
		(is_proven(probe) || probe->stepped - probe->since >= CALL_NS));
}

/* Nobody hears what there may be to say. */
static void say_nothing(struct wf_probe *probe)
{
	probe->said = probe->loser >= 0;
}

static bool is_refused(struct wf_probe *probe, uint64_t now, char *why,
		       size_t bytes)
{
	bool dead;

	if (!probe->knocking)
		probe->refused |= (uint8_t)(1u << probe->at);
	dead = !probe->knocking &&
	       (is_proven(probe) ||
		(probe->broken && all_refuse(probe)));
	hang_up(probe);
	heard(probe, now);
	if (dead && wf_probe_doubt(probe, now))
		return false;
	if (!dead) {
		if (all_refuse(probe))
			say_nothing(probe);
		next_address(probe);
		return false;
	}
	snprintf(why, bytes, "is dead: connection to its process refused");
	return true;
}

/* No answer at this address: the next call goes elsewhere. */
static void unanswered(struct wf_probe *probe, int error)
{
	hang_up(probe);
	probe->error = error;
	probe->failed = probe->at;
	probe->knocking = !probe->knocking;
	if (!probe->knocking)
		next_address(probe);
}

/* It did not even begin. */
static void not_called(struct wf_probe *probe, uint64_t now, int error)
{
	if (!wf_life_lacks(error)) {
		unanswered(probe, error);
		return;
	}
	hang_up(probe);
	probe->heard = now;
}

static bool call(struct wf_probe *probe, uint64_t now, char *why, size_t bytes)
{
	const struct wf_blob_lifeline *to = &probe->blob->lifelines[probe->at];
	int fd;

	if (now < probe->not_before || !make_room(probe->prober, now)) {
		probe->heard = probe->answered = now;	/* it was not asked */
		return false;
	}
	fd = wf_prober_socket(probe->prober, to->family,
			      probe->loser >= 0 && !probe->said);
	if (fd < 0) {
		not_called(probe, now, errno);
		return false;
	}
	probe->called = now;
	probe->fd = fd;
	keep(probe);
	probe->state = WF_PROBE_CALLING;
	probe->since = now;
	if (!wf_life_dial(fd, to, probe->knocking ? NOBODY : to->port) ||
	    errno == EINPROGRESS)
		return false;
	if (errno == ECONNREFUSED)
		return is_refused(probe, now, why, bytes);
	not_called(probe, now, errno);
	return false;
}

static void say_hello(struct wf_probe *probe, uint64_t now)
{
	uint8_t hello[WF_GREETING];

	wf_greeting_write(hello, probe->blob->life_key.word[0]);
	if (send(probe->fd, hello, sizeof(hello), MSG_NOSIGNAL) !=
	    sizeof(hello)) {
		hang_up(probe);
		return;
	}
	probe->state = WF_PROBE_GREETING;
	probe->since = now;
	probe->n = 0;
	/* It may be busy, and hear that later. */
	if (probe->talk)
		(void)wf_life_say(probe->talk, probe->fd, &probe->blob->key);
}

/*
 * Who listens does not know the key: another host has this address, too, or
 * the process has ended and its port has a new owner.
 */
static void is_stranger(struct wf_probe *probe, uint64_t now)
{
	hang_up(probe);
	if (probe->talk)
		probe->talk->hung_up = true;
	next_address(probe);
	probe->not_before = now + AGAIN_NS;
}

/* It has ended just now, or is a stranger: the second call there tells. */
static void is_cut_short(struct wf_probe *probe, uint64_t now)
{
	int at = probe->at;

	is_stranger(probe, now);
	probe->cut_short = !probe->cut_short;
	if (probe->cut_short)
		probe->at = at;
}

static bool await_call(struct wf_probe *probe, uint64_t now, char *why,
		       size_t bytes)
{
	struct pollfd p = { .fd = probe->fd, .events = POLLOUT };
	socklen_t size = sizeof(int);
	int error = 0;

	if (poll(&p, 1, 0) != 1) {
		if (now - probe->since >= CALL_NS)
			unanswered(probe, ETIMEDOUT);
		return false;
	}
	getsockopt(probe->fd, SOL_SOCKET, SO_ERROR, &error, &size);
	if (error == ECONNREFUSED)
		return is_refused(probe, now, why, bytes);
	if (error == ECONNRESET) {
		is_cut_short(probe, now);
		return false;
	}
	if (error) {
		unanswered(probe, error);
		return false;
	}
	if (probe->knocking) {
		hang_up(probe);
		heard(probe, now);
		return false;
	}
	heard(probe, now);
	probe->refused &= (uint8_t)~(1u << probe->at);
	say_hello(probe, now);
	return false;
}

/*
 * Who has accepted says nothing: it is busy, for which its kernel keeps the
 * connection, or a stranger, and then another address may be the right one.
 */
static void await_more(struct wf_probe *probe, uint64_t now)
{
	uint64_t most = probe->prober->host_timeout_ns / SILENT_PART;
	int at = probe->at;

	if (now - probe->since < most || is_proven(probe))
		return;
	next_address(probe);
	if (probe->at != at)
		hang_up(probe);
}

static void await_greeting(struct wf_probe *probe, uint64_t now)
{
	ssize_t n = recv(probe->fd, probe->bytes + probe->n,
			 WF_GREETING - probe->n, MSG_DONTWAIT);

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		is_cut_short(probe, now);
		return;
	}
	heard(probe, now);
	probe->n += n < 0 ? 0 : (unsigned)n;
	if (probe->n < WF_GREETING) {
		await_more(probe, now);
		return;
	}
	if (!wf_greeting_is(probe->bytes, probe->blob->life_key.word[1])) {
		is_stranger(probe, now);
		return;
	}
	wf_prober_prove(probe->prober, probe->blob, probe->at);
	probe->worked = true;
	probe->state = WF_PROBE_OPEN;
	wf_probe_count_greeting(probe, now);
}

void wf_probe_say_lost(struct wf_probe *probe, int own_rank)
{
	probe->loser = own_rank;
}

bool wf_probe_has_said(const struct wf_probe *probe)
{
	return probe->said;
}

/* The host there has all of it. */
static bool is_delivered(const struct wf_probe *probe)
{
	int left = 0;

	return !ioctl(probe->fd, SIOCOUTQ, &left) && !left;
}

/* It has this, or it is said again by the next connection. */
static void say_lost(struct wf_probe *probe)
{
	struct wf_life_word word = { WF_LIFE_LOST, probe->loser, 0 };
	uint8_t bytes[WF_LIFE_WORD];

	if (probe->saying) {
		probe->said = is_delivered(probe);
		/* Others may have to say it, too, and there is one. */
		if (probe->said && probe->prober->spare < 0)
			hang_up(probe);
		return;
	}
	wf_life_write(bytes, &word, &probe->blob->key);
	if (send(probe->fd, bytes, sizeof(bytes), MSG_NOSIGNAL) ==
	    sizeof(bytes))
		probe->saying = true;
	else
		hang_up(probe);
}

void wf_probe_talk(struct wf_probe *probe, struct wf_life_talk *talk)
{
	probe->talk = talk;
}

bool wf_probe_has_delivered(const struct wf_probe *probe)
{
	return probe->fd >= 0 && wf_life_is_said(probe->talk) &&
	       is_delivered(probe);
}

static void go_on_talking(struct wf_probe *probe)
{
	const struct wf_blob_key *key = &probe->blob->key;

	if (wf_life_say(probe->talk, probe->fd, key) &&
	    wf_life_hear(probe->talk, probe->fd, key))
		return;
	hang_up(probe);
	probe->talk->hung_up = true;
}

static bool is_open(const struct wf_probe *probe)
{
	char byte;
	ssize_t n = recv(probe->fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK);

	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Still open?  At its end the next step calls again, and learns more. */
static void watch(struct wf_probe *probe, uint64_t now)
{
	if (probe->talk && !probe->talk->over) {
		go_on_talking(probe);
		return;
	}
	if (!is_open(probe)) {
		hang_up(probe);
		return;
	}
	heard(probe, now);
	if (probe->loser >= 0 && !probe->said)
		say_lost(probe);
	else if (wf_probe_wants_greeting(probe, now))
		hang_up(probe);
}

static bool is_reachable(struct wf_probe *probe)
{
	if (probe->blob->n_lifelines &&
	    (is_usable(probe, probe->at) || next_address(probe)))
		return true;
	wf_probe_warn_once(probe, "has no address that leads from here to it");
	say_nothing(probe);
	return false;
}

/* The data path is broken just now: what the first address says counts more. */
static void ask_again(struct wf_probe *probe)
{
	if (probe->state == WF_PROBE_OPEN)
		return;
	hang_up(probe);
	probe->knocking = false;
	probe->not_before = 0;
	probe->at = probe->blob->n_lifelines - 1;
	next_address(probe);
}

bool wf_probe_step(struct wf_probe *probe, uint64_t now,
		   struct wf_probe_data data, char *why, size_t bytes)
{
	wf_probe_look_at_data(probe, now, data);
	if (!is_reachable(probe))
		return false;
	if (wf_probe_was_right(probe)) {
		hang_up(probe);
		snprintf(why, bytes, "is dead: connection to its process "
			 "refused, and nothing answers on the network of the "
			 "data");
		return true;
	}
	if (data.broken && !probe->broken)
		ask_again(probe);
	probe->broken = data.broken;
	switch (probe->state) {
	case WF_PROBE_IDLE:
		if (call(probe, now, why, bytes))
			return true;
		break;
	case WF_PROBE_CALLING:
		if (await_call(probe, now, why, bytes))
			return true;
		break;
	case WF_PROBE_GREETING:
		await_greeting(probe, now);
		break;
	case WF_PROBE_OPEN:
		watch(probe, now);
		break;
	}
	if (!wf_probe_is_lost(probe, why, bytes))
		return false;
	hang_up(probe);
	return true;
}
