/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target: what strangers say to a lifeline, and what a stranger answers
 * to a probe.
 *
 * The first byte chooses the side. To a lifeline: callers that dial, speak and
 * hang up as the bytes say; whoever has not shown the key is never a caller,
 * and all are gone when they have hung up. To a probe: whatever a listener
 * answers, it is no verdict, and only the key proves an address.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "job/lifeline.h"
#include "tests/fuzz/fuzz.h"

enum {
	CALLERS = 4
};

#define TICK UINT64_C(10000000)
#define KEY UINT64_C(0x4142434445464748)

static void nothing(void *arg, const char *line, size_t n)
{
	(void)arg;
	(void)line;
	(void)n;
}

static struct wf_log quiet = { .level = WF_LOG_ERROR, .write = nothing };

static void fill_blob(struct wf_blob *blob)
{
	memset(blob, 0, sizeof(*blob));
	blob->life_key.word[0] = KEY;
	blob->life_key.word[1] = ~KEY;
}

/* Ends with a reset, and leaves no port that waits: many are used here. */
static void hang_up(int fd)
{
	struct linger none = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	close(fd);
}

static int dial(uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_port = htons(port);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	FUZZ_CHECK(fd >= 0);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0)
		return fd;
	/* The fuzzer's clock; at its rate all ports may wait for their ends. */
	FUZZ_CHECK(errno == EINTR || errno == EADDRNOTAVAIL);
	close(fd);
	return -1;
}

static void serve(struct wf_lifeline *line, uint64_t now, int times)
{
	while (times-- > 0)
		wf_lifeline_serve(line, now);
}

/* Has one of them shown the key as the first thing it said? */
static bool has_key(const uint8_t *said, size_t n)
{
	return n >= WF_GREETING && wf_greeting_is(said, KEY);
}

/* It takes the tag of a key that nobody here has. */
static void give_up(void *arg, int rank)
{
	(void)arg;
	(void)rank;
	FUZZ_CHECK(false);
}

/* Records: caller, length, bytes; length 255 hangs up. */
static void strangers(const uint8_t *data, size_t size)
{
	uint8_t said[CALLERS][WF_GREETING];
	size_t n_said[CALLERS] = { 0 };
	int fd[CALLERS] = { -1, -1, -1, -1 };
	struct wf_lifeline line;
	struct wf_blob blob;
	uint64_t now = TICK;
	bool known = false;

	fill_blob(&blob);
	FUZZ_CHECK(!wf_lifeline_open(&line, &blob, true, &quiet));
	line.lost = give_up;
	while (size >= 2) {
		int who = data[0] % CALLERS;
		size_t n = data[1] < size - 2 ? data[1] : size - 2;

		if (fd[who] < 0) {
			fd[who] = dial(blob.lifelines[0].port);
			n_said[who] = 0;
			if (fd[who] < 0)
				break;
		}
		for (size_t i = 0; i < n && n_said[who] < WF_GREETING; i++)
			said[who][n_said[who]++] = data[2 + i];
		known |= has_key(said[who], n_said[who]);
		if (send(fd[who], data + 2, n, MSG_NOSIGNAL) < 0 ||
		    data[1] == 255) {
			hang_up(fd[who]);
			fd[who] = -1;
		}
		serve(&line, now += TICK, 2);
		FUZZ_CHECK(line.n_callers == 0 || known);
		data += 2 + n;
		size -= 2 + n;
	}
	for (int i = 0; i < CALLERS; i++)
		if (fd[i] >= 0)
			hang_up(fd[i]);
	serve(&line, now, 4);
	FUZZ_CHECK(line.n_callers == 0 && line.n_strangers == 0);
	wf_lifeline_close(&line);
}

static int listen_at(uint16_t *port_p)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	socklen_t n = sizeof(any);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	FUZZ_CHECK(bind(fd, (struct sockaddr *)&any, sizeof(any)) == 0);
	FUZZ_CHECK(listen(fd, 8) == 0);
	FUZZ_CHECK(getsockname(fd, (struct sockaddr *)&any, &n) == 0);
	*port_p = ntohs(any.sin_port);
	return fd;
}

static void answers(const uint8_t *data, size_t size)
{
	struct wf_prober prober;
	const struct wf_probe_data data_path = { .broken = true };
	struct wf_probe *probe;
	struct wf_blob blob;
	uint64_t now = TICK;
	char why[200];
	uint16_t port;
	int door = listen_at(&port), fd;

	fill_blob(&blob);
	blob.n_lifelines = 1;
	blob.lifelines[0] = (struct wf_blob_lifeline){
		.family = 4, .port = port, .address = { 127, 0, 0, 1 }
	};
	blob.id.net_ns = 1;
	FUZZ_CHECK(!wf_prober_init(&prober, &blob.id, UINT64_MAX, &quiet));
	probe = wf_probe_create(&prober, 1, &blob);
	FUZZ_CHECK(probe != NULL);
	FUZZ_CHECK(!wf_probe_step(probe, now, data_path, why,
				  sizeof(why)));
	fd = accept(door, NULL, NULL);
	FUZZ_CHECK(fd >= 0);
	if (size > 0)
		(void)!send(fd, data, size, MSG_NOSIGNAL);
	for (int i = 0; i < 5; i++)
		FUZZ_CHECK(!wf_probe_step(probe, now += TICK, data_path,
					  why, sizeof(why)));
	hang_up(fd);
	for (int i = 0; i < 5; i++)
		FUZZ_CHECK(!wf_probe_step(probe, now += TICK, data_path,
					  why, sizeof(why)));
	FUZZ_CHECK(wf_prober_knows(&prober, &blob) ==
		   (size >= WF_GREETING && wf_greeting_is(data, ~KEY)));
	wf_probe_free(probe);
	wf_prober_fini(&prober);
	close(door);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] & 1)
		answers(data + 1, size - 1);
	else
		strangers(data + 1, size - 1);
	return 0;
}
