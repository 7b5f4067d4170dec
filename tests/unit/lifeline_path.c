/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who answers by its lifeline and never connects by its data path is out of
 * reach; who is busy, or slow in a crowd, is not.
 */
#include "tests/unit/lifeline_host.h"

static bool is_unheard(struct host *h)
{
	return wf_probe_is_unheard(h->probe, h->why, sizeof(h->why));
}

/* A peer whose data path has begun to connect. */
static void open_connecting(struct host *h)
{
	open_host(h);
	h->now = 100 * S;
	h->data.connecting = true;
}

/* Ticks until it is unheard, so many at most. */
static int listen_for(struct host *h, int most, bool serve)
{
	int n = 0;

	while (n < most && !is_unheard(h)) {
		TAP_CHECK(!ticks(h, h->probe, 1, serve));
		n++;
	}
	return n;
}

static void one_that_never_connects_is_unheard(void)
{
	struct host h;
	int n;

	open_connecting(&h);
	n = listen_for(&h, 4000, true);
	TAP_CHECK(n >= 3000 && n < 3100);
	TAP_CHECK(!strncmp(h.why, "but from its lifeline at 127.0.0.1 port ",
			   40));
	/* which is served as ever */
	TAP_EQUAL(h.line.dropped, 0);
	TAP_EQUAL(h.line.n_callers, 1);
	close_host(&h);
}

/* Its kernel accepts: nobody has looked at the data path either. */
static void a_busy_one_may_connect_later(void)
{
	struct host h;

	open_connecting(&h);
	TAP_EQUAL(listen_for(&h, 12000, false), 12000);
	close_host(&h);
	/* also if it was not before, */
	open_connecting(&h);
	TAP_EQUAL(listen_for(&h, 2500, true), 2500);
	TAP_EQUAL(listen_for(&h, 12000, false), 12000);
	close_host(&h);
}

/* or makes progress now and then. */
static void one_that_is_rarely_here_has_longer(void)
{
	struct host h;
	int n = 0;

	open_connecting(&h);
	while (n < 40 && !is_unheard(&h)) {
		TAP_CHECK(!ticks(&h, h.probe, 1000, false));
		TAP_CHECK(!ticks(&h, h.probe, 2, true));
		n++;
	}
	TAP_CHECK(n > 8 && n < 40);
	close_host(&h);
}

static void a_connection_ends_it(void)
{
	struct host h;

	open_connecting(&h);
	TAP_EQUAL(listen_for(&h, 2500, true), 2500);
	h.data.connecting = false;
	TAP_EQUAL(listen_for(&h, 12000, true), 12000);
	TAP_EQUAL(h.line.n_callers, 1);
	close_host(&h);
}

/* While others come about its own may have its turn. */
static void a_crowd_has_longer(void)
{
	struct host h;
	int n;

	open_connecting(&h);
	for (int i = 0; i < 20; i++) {
		TAP_EQUAL(listen_for(&h, 2500, true), 2500);
		h.data.others++;
	}
	n = listen_for(&h, 4000, true);
	TAP_CHECK(n > 2500 && n < 3500);
	close_host(&h);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one that never connects is unheard",
		  one_that_never_connects_is_unheard },
		{ "a busy one may connect later",
		  a_busy_one_may_connect_later },
		{ "one that is rarely here has longer",
		  one_that_is_rarely_here_has_longer },
		{ "a connection ends it", a_connection_ends_it },
		{ "a crowd has longer", a_crowd_has_longer },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
