/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lifelines on the loopback address: who is taken for dead, and above all who
 * is not.  Time is a number that the test moves.
 */
#include "job/lifeline.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/status.h>
#include "tests/unit/lifeline_host.h"

static void an_end_is_seen(void)
{
	struct host h;

	open_host(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	TAP_EQUAL(h.line.n_callers, 1);
	TAP_EQUAL(h.line.n_strangers, 0);
	TAP_CHECK(!ticks(&h, h.probe, 10000, true));
	wf_lifeline_close(&h.line);
	TAP_CHECK(ticks(&h, h.probe, 10, false));
	TAP_CHECK(strstr(h.why, "connection to its process refused"));
	close_host(&h);
}

/* Accepted by the kernel, never served: busy, stopped, or dumping core. */
static void a_busy_process_lives(void)
{
	struct host h;

	open_host(&h);
	TAP_CHECK(!ticks(&h, h.probe, 12000, false));
	close_host(&h);
	open_host(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	TAP_CHECK(!ticks(&h, h.probe, 12000, false));
	close_host(&h);
}

/* A second process there, of this boot of a kernel, has shown its key. */
static struct wf_probe *meet_another(struct host *h, struct wf_lifeline *other,
				     struct wf_blob *blob, uint8_t boot)
{
	struct wf_probe *probe;

	fill_blob(blob, 42);
	memset(blob->id.boot_id, boot, sizeof(blob->id.boot_id));
	TAP_EQUAL(wf_lifeline_open(other, blob, true, &h->log), 0);
	take_loopback(blob);
	h->self = blob->id;
	probe = wf_probe_create(&h->prober, 4, blob);
	for (int i = 0; i < 20; i++) {
		TAP_CHECK(!ticks(h, probe, 1, false));
		wf_lifeline_serve(other, h->now);
	}
	TAP_EQUAL(other->n_callers, 1);
	h->self = h->blob.id;
	return probe;
}

/* Another process of its host has proven the address, so silence would tell. */
static void a_busy_process_lives_on_a_proven_host(void)
{
	struct wf_lifeline other;
	struct wf_blob blob;
	struct host h;

	open_host(&h);
	struct wf_probe *second = meet_another(&h, &other, &blob, 7);
	TAP_CHECK(wf_prober_knows(&h.prober, &h.blob));
	TAP_CHECK(!ticks(&h, h.probe, 12000, false));
	wf_probe_free(second);
	wf_lifeline_close(&other);
	close_host(&h);
}

/* Without a descriptor, or a port to call from, nobody was asked. */
static void who_cannot_ask_hears_no_silence(void)
{
	struct rlimit old, none;
	struct host h;

	open_host(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	TAP_EQUAL(getrlimit(RLIMIT_NOFILE, &old), 0);
	none = old;
	none.rlim_cur = 0;
	wf_lifeline_close(&h.line);
	wf_lifeline_init(&h.line);
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &none), 0);
	TAP_CHECK(!ticks(&h, h.probe, 12000, false));
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &old), 0);
	TAP_CHECK(ticks(&h, h.probe, 10, false));
	TAP_CHECK(strstr(h.why, "connection to its process refused"));
	close_host(&h);
}

/* A refusal counts only where a lifeline of that host has answered. */
static void an_unproven_address_tells_nothing(void)
{
	struct wf_lifeline other;
	struct wf_blob blob;
	struct host h;

	open_host(&h);
	wf_lifeline_close(&h.line);
	TAP_CHECK(!ticks(&h, h.probe, 5000, false));

	/* another process of the same host answers: now it counts */
	struct wf_probe *second = meet_another(&h, &other, &blob, 7);
	TAP_CHECK(ticks(&h, h.probe, 200, false));
	wf_probe_free(second);
	wf_lifeline_close(&other);
	close_host(&h);
}

static void an_unproven_other_host_tells_nothing(void)
{
	struct wf_lifeline other;
	struct wf_blob blob;
	struct host h;

	open_host(&h);
	wf_lifeline_close(&h.line);
	struct wf_probe *second = meet_another(&h, &other, &blob, 8);
	TAP_CHECK(!ticks(&h, h.probe, 5000, false));
	wf_probe_free(second);
	wf_lifeline_close(&other);
	close_host(&h);
}

/* A death before the first answer: both the port and the data path say so. */
static void two_witnesses_are_enough(void)
{
	struct host h;

	open_host(&h);
	wf_lifeline_close(&h.line);
	h.blob.n_lifelines = 2;
	h.blob.lifelines[1] = h.blob.lifelines[0];
	h.blob.lifelines[1].address[3] = 2;
	TAP_CHECK(!ticks(&h, h.probe, 500, false));
	TAP_CHECK(wf_probe_asks_data(h.probe, h.now));
	/* not over and over, where a wall refuses for one that lives */
	TAP_CHECK(!wf_probe_asks_data(h.probe, h.now + S - 1));
	TAP_CHECK(wf_probe_asks_data(h.probe, h.now + S));
	h.data.broken = true;
	TAP_CHECK(ticks(&h, h.probe, 10, false));
	close_host(&h);
	/* where one address is silent, it may be the right one */
	open_host(&h);
	wf_lifeline_close(&h.line);
	h.blob.n_lifelines = 2;
	h.blob.lifelines[1] = h.blob.lifelines[0];
	memset(h.blob.lifelines[1].address, 255, 4);
	h.data.broken = true;
	TAP_CHECK(!ticks(&h, h.probe, 5000, false));
	h.data.broken = false;
	TAP_CHECK(!ticks(&h, h.probe, 1, false));
	TAP_CHECK(!wf_probe_asks_data(h.probe, h.now));
	/* but not if another one is in a subnet of this host */
	wf_probe_set_near(h.probe, 1);
	TAP_CHECK(wf_probe_asks_data(h.probe, h.now));
	h.data.broken = true;
	TAP_CHECK(ticks(&h, h.probe, 5000, false));
	close_host(&h);
}

/* The port has a new owner, with another key. */
static void a_stranger_at_the_port_is_no_verdict(void)
{
	struct wf_blob blob;
	struct host h;

	open_host(&h);
	blob = h.blob;
	blob.life_key.word[0]++;
	struct wf_probe *probe = wf_probe_create(&h.prober, 5, &blob);
	TAP_CHECK(!ticks(&h, probe, 1000, true));
	TAP_CHECK(h.line.dropped > 2 && h.line.dropped < 20);
	TAP_EQUAL(h.line.n_callers, 0);
	wf_probe_free(probe);
	close_host(&h);
}

/* Listens on loopback addresses, and never answers. */
static int open_door(uint16_t *port_p)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	int door = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	socklen_t size = sizeof(any);

	TAP_EQUAL(bind(door, (struct sockaddr *)&any, sizeof(any)), 0);
	TAP_EQUAL(listen(door, 8), 0);
	TAP_EQUAL(getsockname(door, (struct sockaddr *)&any, &size), 0);
	*port_p = ntohs(any.sin_port);
	return door;
}

/* At the first address: the second one has a part of the time, too. */
static void a_silent_stranger_gives_way(void)
{
	struct host h;
	int door;

	open_host(&h);
	h.blob.n_lifelines = 2;
	h.blob.lifelines[1] = h.blob.lifelines[0];
	h.blob.lifelines[0].address[3] = 2;
	door = open_door(&h.blob.lifelines[0].port);
	TAP_CHECK(!ticks(&h, h.probe, 350, true));
	TAP_EQUAL(h.line.n_callers, 0);
	TAP_CHECK(!ticks(&h, h.probe, 50, true));
	TAP_EQUAL(h.line.n_callers, 1);
	wf_lifeline_close(&h.line);
	TAP_CHECK(ticks(&h, h.probe, 10, false));
	close(door);
	close_host(&h);
}

static int dial(const struct host *h)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_port = htons(h->blob.lifelines[0].port);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	TAP_EQUAL(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

/* What is sent in the clear shows no word of the key of first contact. */
static bool shows_key(const uint8_t *bytes, size_t n,
		      const struct wf_blob *blob)
{
	for (size_t i = 0; i + 8 <= n; i++)
		for (int word = 0; word < 2; word++)
			if (!memcmp(bytes + i, &blob->key.word[word], 8))
				return true;
	return false;
}

/* A caller that says this as its greeting; what it is answered. */
static ssize_t greet_as(struct host *h, uint64_t word, uint8_t *answer)
{
	uint8_t hello[WF_GREETING];
	int fd = dial(h);
	ssize_t n;

	wf_greeting_write(hello, word);
	TAP_EQUAL(send(fd, hello, sizeof(hello), MSG_NOSIGNAL), WF_GREETING);
	for (int i = 0; i < 3; i++)
		wf_lifeline_serve(&h->line, h->now);
	n = recv(fd, answer, WF_GREETING, MSG_DONTWAIT);
	close(fd);
	wf_lifeline_serve(&h->line, h->now);
	return n;
}

static void a_greeting_opens_nothing_else(void)
{
	uint8_t bytes[WF_GREETING];
	struct host h;
	int door, fd;

	open_host(&h);
	TAP_EQUAL(greet_as(&h, h.blob.life_key.word[0], bytes), WF_GREETING);
	TAP_CHECK(!shows_key(bytes, sizeof(bytes), &h.blob));
	/* nor is that key one here */
	TAP_CHECK(greet_as(&h, h.blob.key.word[0], bytes) <= 0);
	TAP_EQUAL(h.line.dropped, 1);

	/* who owns the port now hears the call */
	door = open_door(&h.blob.lifelines[0].port);
	TAP_CHECK(!ticks(&h, h.probe, 5, false));
	fd = accept(door, NULL, NULL);
	TAP_EQUAL(recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT), WF_GREETING);
	TAP_CHECK(!shows_key(bytes, sizeof(bytes), &h.blob));
	close(fd);
	close(door);
	close_host(&h);
}

static void garbage_does_no_harm(void)
{
	static const char garbage[] = "GET / HTTP/1.0\r\n\r\n";
	int fd[WF_STRANGERS + 20];
	struct host h;

	open_host(&h);
	for (int i = 0; i < 200; i++) {
		fd[0] = dial(&h);
		if (i % 3)
			TAP_CHECK(send(fd[0], garbage, (size_t)(i % 19),
				       MSG_NOSIGNAL) >= 0);
		if (i % 2)
			wf_lifeline_serve(&h.line, h.now);
		close(fd[0]);
		wf_lifeline_serve(&h.line, h.now);
		wf_lifeline_serve(&h.line, h.now);
	}
	TAP_EQUAL(h.line.n_strangers, 0);
	TAP_EQUAL(h.line.dropped, 200);

	/* silent ones: no more than so many, and not for long */
	for (int i = 0; i < WF_STRANGERS + 20; i++) {
		fd[i] = dial(&h);
		wf_lifeline_serve(&h.line, h.now);
	}
	TAP_EQUAL(h.line.n_strangers, WF_STRANGERS);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	TAP_EQUAL(h.line.n_callers, 1);
	wf_lifeline_serve(&h.line, h.now + 6 * S);
	TAP_EQUAL(h.line.n_strangers, 0);
	for (int i = 0; i < WF_STRANGERS + 20; i++)
		close(fd[i]);
	TAP_CHECK(!ticks(&h, h.probe, 100, true));
	close_host(&h);
}

static int room = -1;			/* for sockets; -1: enough */

int __real_accept4(int fd, struct sockaddr *from, socklen_t *bytes, int flags);
int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *bytes, int flags);

/* valgrind takes one that is above a limit, and closes it. */
int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *bytes, int flags)
{
	if (!room) {
		errno = EMFILE;
		return -1;
	}
	room -= room > 0;
	return __real_accept4(fd, from, bytes, flags);
}

/* With room for so many descriptors more. */
static void serve_with(struct host *h, int more)
{
	room = more;
	wf_lifeline_serve(&h->line, h->now);
	room = -1;
}

/* Who came before it has had its time, and who hears nobody need not go. */
static void the_last_descriptor_is_for_the_next_caller(void)
{
	struct host h;
	int fd[2];

	open_host(&h);
	fd[0] = dial(&h);
	serve_with(&h, 1);
	TAP_EQUAL(h.line.n_strangers, 1);
	TAP_EQUAL(h.line.dropped, 0);
	fd[1] = dial(&h);
	serve_with(&h, 0);
	TAP_EQUAL(h.line.dropped, 1);
	wf_lifeline_serve(&h.line, h.now);
	TAP_EQUAL(h.line.n_strangers, 1);
	for (int i = 0; i < 2; i++)
		close(fd[i]);
	close_host(&h);
}

static void own_addresses_are_not_tried(void)
{
	struct wf_identity self;
	struct wf_prober prober;
	struct wf_probe *probe;
	struct host h;

	open_host(&h);
	self = h.self;
	self.net_ns++;
	TAP_EQUAL(wf_prober_init(&prober, &self, 30 * S, &h.log), 0);
	probe = wf_probe_create(&prober, 5, &h.blob);
	TAP_CHECK(!ticks(&h, probe, 1000, true));
	TAP_EQUAL(prober.n_open, 0);
	TAP_EQUAL(lines_said, 1);
	TAP_CHECK(strstr(said, "rank 5 on host there has no address"));
	wf_probe_free(probe);
	wf_prober_fini(&prober);
	close_host(&h);
}

/* Else it would seem to live as long as its child does. */
static void a_child_does_not_hold_it(void)
{
	struct host h;
	int ends[2];
	pid_t pid;
	char byte;

	open_host(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	TAP_EQUAL(h.line.n_callers, 1);
	TAP_EQUAL(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		TAP_EQUAL(write(ends[1], "", 1), 1);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	TAP_CHECK(pid > 0);
	TAP_EQUAL(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	close(ends[1]);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	wf_lifeline_close(&h.line);
	TAP_CHECK(ticks(&h, h.probe, 20, false));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close_host(&h);
}

/* In turns, as the detector steps them. */
static int round_of_ticks(struct host *h, struct wf_probe **probe, int n,
			  bool serve)
{
	int dead = 0;

	h->now += 10 * MS;
	for (int i = 0; i < n; i++)
		if (wf_probe_step(probe[i], h->now, h->data, h->why,
				  sizeof(h->why)))
			dead++;
	TAP_CHECK(h->prober.n_open <= WF_PROBES);
	if (serve)
		wf_lifeline_serve(&h->line, h->now);
	return dead;
}

static void sockets_are_limited(void)
{
	enum { N = 2 * WF_PROBES + 8 };
	struct wf_probe *probe[N];
	struct host h;
	int dead = 0;

	open_host(&h);
	for (int i = 0; i < N; i++)
		probe[i] = wf_probe_create(&h.prober, i, &h.blob);
	/* a minute: all have their turns, and none is lost by waiting */
	for (int i = 0; i < 6000; i++)
		TAP_EQUAL(round_of_ticks(&h, probe, N, true), 0);
	TAP_CHECK(h.line.n_callers >= WF_PROBES - 8);
	TAP_EQUAL(h.line.dropped, 0);
	wf_lifeline_close(&h.line);
	for (int i = 0; i < 500 && dead < N; i++)
		dead += round_of_ticks(&h, probe, N, false);
	TAP_CHECK(dead >= N);
	for (int i = 0; i < N; i++)
		wf_probe_free(probe[i]);
	close_host(&h);
}

/* Nobody answers a call to a broadcast address. */
static void go_silent(struct host *h)
{
	static const uint8_t nobody[4] = { 255, 255, 255, 255 };

	memcpy(h->blob.lifelines[0].address, nobody, sizeof(nobody));
	wf_lifeline_close(&h->line);
}

static void a_silent_host_is_lost_in_time(void)
{
	struct host h;

	open_host(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	go_silent(&h);
	TAP_CHECK(!ticks(&h, h.probe, 2900, false));
	TAP_CHECK(ticks(&h, h.probe, 200, false));
	TAP_CHECK(strstr(h.why, "answers nowhere since 30 s"));
	close_host(&h);
}

/* Somebody waits for it, then nobody for long, then somebody again. */
static void silence_must_be_listened_to(void)
{
	struct host h;

	open_host(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	h.now += 100 * S;
	go_silent(&h);
	TAP_CHECK(!ticks(&h, h.probe, 2900, false));
	TAP_CHECK(ticks(&h, h.probe, 200, false));
	close_host(&h);
}

static void one_that_never_worked_is_not_lost(void)
{
	struct host h;

	open_host(&h);
	go_silent(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20000, false));
	TAP_EQUAL(lines_said, 1);
	TAP_CHECK(strstr(said, "answers at none of its addresses"));
	/* But nothing moves when data cannot be sent either. */
	h.data.broken = true;
	TAP_CHECK(ticks(&h, h.probe, 1, false));
	TAP_CHECK(strstr(h.why, "answers nowhere"));
	close_host(&h);
}

/* Nor does a call that is due later, however short the time may be. */
static void who_calls_later_hears_no_silence(void)
{
	struct host h;
	int door;

	open_host(&h);
	h.prober.host_timeout_ns = S / 2;
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	wf_lifeline_close(&h.line);
	door = open_door(&h.blob.lifelines[0].port);
	for (int i = 0; i < 300; i++) {
		int fd = accept(door, NULL, NULL);

		if (fd >= 0)
			close(fd);
		TAP_CHECK(!ticks(&h, h.probe, 1, false));
	}
	close(door);
	close_host(&h);
}

static void data_show_life(void)
{
	struct host h;

	open_host(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	go_silent(&h);
	for (uint64_t i = 0; i < 20; i++) {
		h.now += 20 * S;
		h.data.moved = i;
		TAP_CHECK(!ticks(&h, h.probe, 1, false));
	}
	close_host(&h);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "an end is seen", an_end_is_seen },
		{ "a busy process lives", a_busy_process_lives },
		{ "a busy process lives on a proven host",
		  a_busy_process_lives_on_a_proven_host },
		{ "who cannot ask hears no silence",
		  who_cannot_ask_hears_no_silence },
		{ "an unproven address tells nothing",
		  an_unproven_address_tells_nothing },
		{ "an unproven other host tells nothing",
		  an_unproven_other_host_tells_nothing },
		{ "two witnesses are enough", two_witnesses_are_enough },
		{ "a stranger at the port is no verdict",
		  a_stranger_at_the_port_is_no_verdict },
		{ "a silent stranger gives way", a_silent_stranger_gives_way },
		{ "a greeting opens nothing else",
		  a_greeting_opens_nothing_else },
		{ "garbage does no harm", garbage_does_no_harm },
		{ "the last descriptor is for the next caller",
		  the_last_descriptor_is_for_the_next_caller },
		{ "own addresses are not tried", own_addresses_are_not_tried },
		{ "a child does not hold it", a_child_does_not_hold_it },
		{ "sockets are limited", sockets_are_limited },
		{ "a silent host is lost in time",
		  a_silent_host_is_lost_in_time },
		{ "silence must be listened to", silence_must_be_listened_to },
		{ "who calls later hears no silence",
		  who_calls_later_hears_no_silence },
		{ "one that never worked is not lost",
		  one_that_never_worked_is_not_lost },
		{ "data show life", data_show_life },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
