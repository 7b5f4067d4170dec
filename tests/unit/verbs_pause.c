/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How soon a rank has answered very many that call it at once, in a model of
 * time: the pauses between calls are those of the backend; the wire, what the
 * called rank does with a hello, and what it takes to connect, are assumed.
 * Between two passes its queue holds as many hellos as it has buffers, and
 * others are lost.
 */
#include <stdlib.h>
#include "base/clock.h"
#include "base/random.h"
#include "tests/tap.h"
#include "transport/verbs/verbs.h"

enum {
	MOST = 10000,
	EVENTS = 1 << 20,
	WIRE = 1500,			/* ns, one way */
	BETWEEN = 20,			/* ns from one first call to the next */
	HELLO = 5000,			/* ns to look at one, and answer */
	CONNECT = 400000		/* ns to connect a queue pair */
};

enum kind {
	CALLS,				/* a caller, if it is not answered */
	ARRIVES, CONFIRMS,		/* its hello, at the called rank */
	LOOKS,				/* the called rank, at what is there */
	REPEATS,			/* its answer, if nothing confirms it */
	ANSWERED, ENDS			/* the caller hears that, or the end */
};

struct event {
	uint64_t at;
	enum kind kind;
	int who;
};

enum state { UNKNOWN, STRANGER, CONNECTING, READY };

struct caller {
	enum state here, there;		/* at the called rank; at its own */
	uint64_t pause[2];		/* of its calls; of answers */
};

static struct event heap[EVENTS];
static size_t nevents;
static struct caller callers[MOST];
static struct {
	struct wf_random random;
	uint64_t now, busy;		/* the called rank, until then */
	int n, nready;
	struct event queue[WF_VERBS_UD];
	int nqueued;
	uint64_t calls;
} m;

static void add(uint64_t at, enum kind kind, int who)
{
	size_t i = nevents++;

	if (nevents == EVENTS)
		exit(1);
	for (; i && heap[(i - 1) / 2].at > at; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = (struct event){ at, kind, who };
}

static struct event next(void)
{
	struct event first = heap[0], last = heap[--nevents];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < nevents) {
		child += child + 1 < nevents &&
			 heap[child + 1].at < heap[child].at;
		if (heap[child].at >= last.at)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return first;
}

static void call(int who)
{
	struct caller *c = &callers[who];

	if (c->there != UNKNOWN)
		return;
	m.calls++;
	add(m.now + WIRE, ARRIVES, who);
	add(m.now + wf_verbs_pause(&m.random, &c->pause[0]), CALLS, who);
}

static void repeat(int who)
{
	struct caller *c = &callers[who];

	if (c->here != CONNECTING)
		return;
	add(m.now + WIRE, ANSWERED, who);
	add(m.now + wf_verbs_pause(&m.random, &c->pause[1]), REPEATS, who);
}

static void look_at(const struct event *hello)
{
	struct caller *c = &callers[hello->who];

	m.busy += HELLO;
	if (hello->kind == CONFIRMS)
		c->here = READY;
	else if (c->here == UNKNOWN)
		c->here = STRANGER;
	if (c->here > STRANGER)
		add(m.busy + WIRE, c->here == READY ? ENDS : ANSWERED,
		    hello->who);
}

/* All hellos, then whoever is new is connected. */
static void look(void)
{
	m.busy = m.now;
	for (int i = 0; i < m.nqueued; i++)
		look_at(&m.queue[i]);
	for (int i = 0; i < m.nqueued; i++) {
		struct caller *c = &callers[m.queue[i].who];

		if (c->here != STRANGER)
			continue;
		m.busy += CONNECT;
		c->here = CONNECTING;
		add(m.busy, REPEATS, m.queue[i].who);
	}
	m.nqueued = 0;
	add(m.busy + 1000, LOOKS, 0);
}

static void hear(const struct event *e)
{
	struct caller *c = &callers[e->who];

	if (e->kind == ENDS) {
		m.nready += c->there != READY;
		c->there = READY;
	} else if (c->there != READY) {
		c->there = CONNECTING;
		add(m.now + WIRE, CONFIRMS, e->who);
	}
}

static void happen(const struct event *e)
{
	m.now = e->at;
	if (e->kind == CALLS)
		call(e->who);
	else if (e->kind == REPEATS)
		repeat(e->who);
	else if (e->kind == LOOKS)
		look();
	else if (e->kind == ANSWERED || e->kind == ENDS)
		hear(e);
	else if (m.nqueued < WF_VERBS_UD)
		m.queue[m.nqueued++] = *e;
}

/* Milliseconds until the last of n is connected, both ends know it. */
static uint64_t time_for(int n, uint64_t seed)
{
	memset(callers, 0, sizeof(callers));
	memset(&m, 0, sizeof(m));
	nevents = 0;
	wf_random_init(&m.random, seed);
	add(0, LOOKS, 0);
	for (int i = 0; i < n; i++)
		add((uint64_t)i * BETWEEN, CALLS, i);
	while (m.nready < n && m.now < 100 * WF_NS_PER_S) {
		struct event e = next();

		happen(&e);
	}
	tap_diag("%d callers: %llu ms, %.1f calls each", n,
		 (unsigned long long)(m.now / WF_NS_PER_MS),
		 (double)m.calls / n);
	return m.now / WF_NS_PER_MS;
}

/* Of which connecting them takes 0.4. */
static void thousand(void)
{
	for (uint64_t seed = 0; seed < 10; seed++)
		TAP_CHECK(time_for(1000, seed) < 1000);
}

/* Of which it takes 4. */
static void ten_thousand(void)
{
	for (uint64_t seed = 0; seed < 3; seed++)
		TAP_CHECK(time_for(MOST, seed) < 10000);
}

static void alone(void)
{
	TAP_CHECK(time_for(1, 0) < 2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one caller hears at once", alone },
		{ "a thousand within a second", thousand },
		{ "ten thousand within ten", ten_thousand }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
