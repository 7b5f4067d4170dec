/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the other end hears by its lifeline when the path to it is given up.
 */
#include <limits.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/clock.h"
#include "job/lifeline_talk.h"
#include "tests/unit/lifeline_host.h"

static int losers[4], n_losers;
static bool on_their_way;		/* all bytes that are sent */

int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, int *left);

int __wrap_ioctl(int fd, unsigned long request, int *left)
{
	int result = __real_ioctl(fd, request, left);

	if (on_their_way)
		*left = WF_LIFE_WORD;
	return result;
}

static void keep_loser(void *arg, int rank)
{
	TAP_CHECK(arg == losers);
	losers[n_losers++ % 4] = rank;
}

static void open_told(struct host *h)
{
	open_host(h);
	h->line.lost = keep_loser;
	h->line.arg = losers;
	n_losers = 0;
}

/* The kernel acknowledges in its own time. */
static bool is_said(struct host *h)
{
	uint64_t start = wf_clock_ns();

	while (!wf_probe_has_said(h->probe) &&
	       wf_clock_ns() - start < 10 * S)
		TAP_CHECK(!ticks(h, h->probe, 1, true));
	return wf_probe_has_said(h->probe);
}

/* Once, also where the connection is new. */
static void a_loss_is_told(void)
{
	struct host h;

	open_told(&h);
	TAP_CHECK(!wf_probe_has_said(h.probe));
	wf_probe_say_lost(h.probe, INT_MAX);
	TAP_CHECK(is_said(&h));
	TAP_EQUAL(n_losers, 1);
	TAP_EQUAL(losers[0], INT_MAX);
	wf_probe_say_lost(h.probe, INT_MAX);
	TAP_CHECK(!ticks(&h, h.probe, 1000, true));
	TAP_EQUAL(n_losers, 1);
	TAP_EQUAL(h.line.n_callers, 1);
	close_host(&h);
}

static void cut(const struct host *h)
{
	short events;

	TAP_CHECK(!shutdown(wf_probe_descriptor(h->probe, &events),
			    SHUT_RDWR));
}

/* By the next connection, if this one ends before it is acknowledged. */
static void a_loss_is_told_again(void)
{
	struct host h;

	open_told(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	cut(&h);
	wf_probe_say_lost(h.probe, 5);
	TAP_CHECK(is_said(&h));
	TAP_EQUAL(n_losers, 1);
	close_host(&h);

	open_told(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	wf_probe_say_lost(h.probe, 5);
	TAP_CHECK(!ticks(&h, h.probe, 1, false));
	cut(&h);
	TAP_CHECK(!wf_probe_has_said(h.probe));
	TAP_CHECK(is_said(&h));
	TAP_EQUAL(n_losers, 2);
	close_host(&h);
}

static void acknowledgement_is_awaited(void)
{
	struct host h;

	open_told(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	wf_probe_say_lost(h.probe, 5);
	on_their_way = true;
	TAP_CHECK(!ticks(&h, h.probe, 100, true));
	TAP_EQUAL(n_losers, 1);
	TAP_CHECK(!wf_probe_has_said(h.probe));
	on_their_way = false;
	TAP_CHECK(is_said(&h));
	TAP_EQUAL(n_losers, 1);
	close_host(&h);
}

enum {
	FEW = 100			/* descriptors */
};

/* It has none left, and says so; the one that listens has two then. */
static void say_by_spare(struct host *h, int rank)
{
	while (dup(0) >= 0)
		;
	TAP_CHECK(!ticks(h, h->probe, 10, true));
	TAP_EQUAL(h->prober.n_open, 0);
	wf_probe_say_lost(h->probe, rank);
	TAP_CHECK(!ticks(h, h->probe, 1, false));
	TAP_EQUAL(h->prober.n_open, 1);
	TAP_EQUAL(h->prober.spare, -1);
	close(FEW - 2);
	close(FEW - 1);
	TAP_CHECK(is_said(h));
	TAP_EQUAL(losers[n_losers - 1], rank);
	TAP_EQUAL(h->prober.n_open, 0);
	TAP_CHECK(h->prober.spare >= 0);
	wf_lifeline_serve(&h->line, h->now);
}

/* More than one is told, one after the other. */
static void no_descriptor_is_left(void)
{
	struct rlimit old, few;
	struct host h;
	int first;

	open_told(&h);
	first = dup(0);
	TAP_EQUAL(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = FEW;
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &few), 0);
	say_by_spare(&h, 5);
	wf_probe_free(h.probe);
	h.probe = wf_probe_create(&h.prober, 3, &h.blob);
	say_by_spare(&h, 6);
	TAP_EQUAL(n_losers, 2);
	close_host(&h);
	for (int fd = first; fd < FEW; fd++)
		close(fd);
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &old), 0);
}

/* Where nothing leads to it nobody tries for ever. */
static void nobody_can_be_told(void)
{
	struct host h;

	open_told(&h);
	h.blob.n_lifelines = 0;
	wf_probe_say_lost(h.probe, 5);
	TAP_CHECK(!ticks(&h, h.probe, 1, true));
	TAP_CHECK(wf_probe_has_said(h.probe));
	close_host(&h);

	open_told(&h);
	wf_lifeline_close(&h.line);
	wf_probe_say_lost(h.probe, 5);
	TAP_CHECK(!ticks(&h, h.probe, 100, false));
	TAP_CHECK(wf_probe_has_said(h.probe));
	close_host(&h);
}

/* Nobody says it who lacks the key, which is not that of the greeting. */
static void a_loss_takes_the_key(void)
{
	const struct wf_blob_key key = { { 3, 4 } }, others = { { 3, 5 } };
	struct wf_life_word word = { WF_LIFE_LOST, 5, 0 };
	uint8_t bytes[WF_LIFE_WORD];
	struct host h;

	wf_life_write(bytes, &word, &key);
	TAP_CHECK(wf_life_read(bytes, &word, &key));
	TAP_EQUAL(word.kind, WF_LIFE_LOST);
	TAP_EQUAL(word.first, 5);
	TAP_CHECK(!wf_life_read(bytes, &word, &others));
	for (int bit = 0; bit < 8 * WF_LIFE_WORD; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		TAP_CHECK(!wf_life_read(bytes, &word, &key));
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	word = (struct wf_life_word){ WF_LIFE_LOST, -1, 0 };
	wf_life_write(bytes, &word, &key);
	TAP_CHECK(!wf_life_read(bytes, &word, &key));
	open_told(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	TAP_EQUAL(h.line.n_callers, 1);
	h.blob.key.word[0]++;
	wf_probe_say_lost(h.probe, 5);
	TAP_CHECK(!ticks(&h, h.probe, 2, true));
	TAP_EQUAL(h.line.n_callers, 0);
	TAP_EQUAL(n_losers, 0);
	close_host(&h);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no descriptor is left", no_descriptor_is_left },
		{ "a loss is told", a_loss_is_told },
		{ "a loss is told again", a_loss_is_told_again },
		{ "its acknowledgement is awaited",
		  acknowledgement_is_awaited },
		{ "nobody can be told", nobody_can_be_told },
		{ "a loss takes the key", a_loss_takes_the_key },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
