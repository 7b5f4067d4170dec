/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matching of messages and receives against a serial matcher that looks at
 * everything in order: random programs with and without wild cards, probes,
 * cancels, without memory; and lists that stay short whatever waits.
 */
#include <stdlib.h>
#include "base/random.h"
#include "p2p/match.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

enum {
	MOST = 400,			/* receives, or messages */
	MANY = 20000,
	LONGEST = 24			/* elements of a list: 2 on average */
};

struct program {
	struct wf_match match;
	struct wf_match_receive receive[MOST];
	struct wf_match_message message[MOST];
	int nreceives, nmessages;
	/* what the serial matcher says of each */
	bool receive_waits[MOST], message_waits[MOST];
	int sources, tags;		/* how many there are */
	unsigned int wild;		/* one in so many; 0: none */
};

static bool fits(const struct wf_match_receive *r,
		 const struct wf_match_message *m)
{
	return (r->source == WF_MATCH_ANY || r->source == m->source) &&
	       (r->tag == WF_MATCH_ANY || r->tag == m->tag);
}

/* ---- the serial matcher ---- */

static int first_receive(struct program *p, const struct wf_match_message *m)
{
	for (int i = 0; i < p->nreceives; i++)
		if (p->receive_waits[i] && fits(&p->receive[i], m))
			return i;
	return -1;
}

static int first_message(struct program *p, const struct wf_match_receive *r)
{
	for (int i = 0; i < p->nmessages; i++)
		if (p->message_waits[i] && fits(r, &p->message[i]))
			return i;
	return -1;
}

/* ---- operations ---- */

static struct wf_match_receive draw(struct program *p,
				    struct wf_random *random)
{
	struct wf_match_receive r = {
		.source = (int)wf_random_below(random, (uint64_t)p->sources),
		.tag = (int)wf_random_below(random, (uint64_t)p->tags)
	};

	if (p->wild && !wf_random_below(random, p->wild))
		r.source = WF_MATCH_ANY;
	if (p->wild && !wf_random_below(random, p->wild))
		r.tag = WF_MATCH_ANY;
	return r;
}

static void post(struct program *p, struct wf_random *random)
{
	struct wf_match_receive *r = &p->receive[p->nreceives];
	struct wf_match_message *got;
	int want;

	*r = draw(p, random);
	want = first_message(p, r);
	got = wf_match_post(&p->match, r);
	TAP_CHECK(got == (want < 0 ? NULL : &p->message[want]));
	TAP_EQUAL(r->posted, want < 0);
	p->receive_waits[p->nreceives++] = want < 0;
	if (want >= 0)
		p->message_waits[want] = false;
}

/* As each room does it that gets a message. */
static struct wf_match_receive *arrives(struct wf_match *match,
					struct wf_match_message *m)
{
	struct wf_match_receive *got = wf_match_claim(match, m->source, m->tag);

	if (!got)
		wf_match_keep(match, m);
	return got;
}

static void arrive(struct program *p, struct wf_random *random)
{
	struct wf_match_message *m = &p->message[p->nmessages];
	struct wf_match_receive *got;
	int want;

	m->source = (int)wf_random_below(random, (uint64_t)p->sources);
	m->tag = (int)wf_random_below(random, (uint64_t)p->tags);
	want = first_receive(p, m);
	got = arrives(&p->match, m);
	TAP_CHECK(got == (want < 0 ? NULL : &p->receive[want]));
	TAP_EQUAL(m->waits, want < 0);
	p->message_waits[p->nmessages++] = want < 0;
	if (want >= 0)
		p->receive_waits[want] = false;
}

static void probe(struct program *p, struct wf_random *random)
{
	struct wf_match_receive r = draw(p, random);
	struct wf_match_message *got;
	int want = first_message(p, &r);

	got = wf_match_probe(&p->match, r.source, r.tag);
	TAP_CHECK(got == (want < 0 ? NULL : &p->message[want]));
	if (got && wf_random_below(random, 2)) {
		wf_match_take(&p->match, got);
		p->message_waits[want] = false;
	}
}

static void cancel(struct program *p, struct wf_random *random)
{
	int i;

	if (!p->nreceives)
		return;
	i = (int)wf_random_below(random, (uint64_t)p->nreceives);
	TAP_EQUAL(wf_match_cancel(&p->match, &p->receive[i]),
		  p->receive_waits[i]);
	p->receive_waits[i] = false;
}

static void one_step(struct program *p, struct wf_random *random,
		     uint64_t bias)
{
	uint64_t dice = wf_random_below(random, 10);

	if (dice == 0)
		cancel(p, random);
	else if (dice == 1)
		probe(p, random);
	else if (wf_random_below(random, 10) < bias)
		post(p, random);
	else
		arrive(p, random);
}

/* All that still waits is there, and nothing else. */
static void drain(struct program *p)
{
	struct wf_match_message *m;
	struct wf_match_receive *r;

	while ((m = wf_match_any_message(&p->match))) {
		TAP_CHECK(p->message_waits[m - p->message]);
		p->message_waits[m - p->message] = false;
		wf_match_take(&p->match, m);
	}
	while ((r = wf_match_any_receive(&p->match))) {
		TAP_CHECK(p->receive_waits[r - p->receive]);
		p->receive_waits[r - p->receive] = false;
		TAP_CHECK(wf_match_cancel(&p->match, r));
	}
	for (int i = 0; i < p->nmessages; i++)
		TAP_CHECK(!p->message_waits[i]);
	for (int i = 0; i < p->nreceives; i++)
		TAP_CHECK(!p->receive_waits[i]);
	for (int v = 0; v < WF_MATCH_VIEWS; v++)
		TAP_EQUAL(p->match.receives[v].count +
			  p->match.messages[v].count, 0);
}

static void run(uint64_t seed, unsigned int wild, bool memory)
{
	static struct program p;
	struct wf_random random;
	uint64_t bias;

	wf_random_init(&random, seed);
	p.nreceives = p.nmessages = 0;
	p.sources = 1 + (int)wf_random_below(&random, 6);
	p.tags = 1 + (int)wf_random_below(&random, 40);
	p.wild = wild;
	bias = 2 + wf_random_below(&random, 7);
	wf_match_init(&p.match);
	if (!memory)
		fail_malloc_at(1);
	while (p.nreceives < MOST && p.nmessages < MOST)
		one_step(&p, &random, bias);
	fail_malloc_at(0);
	drain(&p);
	wf_match_fini(&p.match);
}

static void programs(unsigned int wild, bool memory)
{
	long seeds = tap_figure("SEEDS", 300);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++)
		run((uint64_t)seed, wild, memory);
}

static void exact(void) { programs(0, true); }
static void some_wild(void) { programs(8, true); }
static void many_wild(void) { programs(2, true); }
static void no_memory(void) { programs(4, false); }

/* ---- how long it takes ---- */

static size_t longest(const struct wf_match_table *t)
{
	size_t most = 0;

	for (size_t i = 0; i < t->lists; i++) {
		size_t n = 0;

		for (struct wf_list *at = t->list[i].next; at != &t->list[i];
		     at = at->next)
			n++;
		most = n > most ? n : most;
	}
	return most;
}

/* Each of another tag, looked for by it and by any source. */
static void many_messages(void)
{
	struct wf_match_message *m = calloc(MANY, sizeof(*m));
	struct wf_match match;

	wf_match_init(&match);
	for (int i = 0; m && i < MANY; i++) {
		m[i].source = i % 3;
		m[i].tag = i;
		TAP_CHECK(!arrives(&match, &m[i]));
	}
	TAP_CHECK(!wf_match_probe(&match, 0, 1));
	TAP_CHECK(wf_match_probe(&match, WF_MATCH_ANY, 77) == &m[77]);
	TAP_CHECK(wf_match_probe(&match, 2, WF_MATCH_ANY) == &m[2]);
	TAP_CHECK(wf_match_probe(&match, WF_MATCH_ANY, WF_MATCH_ANY) == m);
	TAP_CHECK(longest(&match.messages[WF_MATCH_EXACT]) <= LONGEST);
	TAP_CHECK(longest(&match.messages[WF_MATCH_TAG]) <= LONGEST);
	wf_match_fini(&match);
	TAP_CHECK(wf_list_empty(&m[MANY - 1].link[WF_MATCH_ALL]));
	free(m);
}

static void many_receives(void)
{
	struct wf_match_receive *r = calloc(MANY, sizeof(*r));
	struct wf_match_message m = { .source = 1, .tag = MANY - 1 };
	struct wf_match match;

	wf_match_init(&match);
	for (int i = 0; r && i < MANY; i++) {
		r[i].source = i % 2 ? 1 : WF_MATCH_ANY;
		r[i].tag = i;
		TAP_CHECK(!wf_match_post(&match, &r[i]));
	}
	TAP_CHECK(longest(&match.receives[WF_MATCH_EXACT]) <= LONGEST);
	TAP_CHECK(longest(&match.receives[WF_MATCH_TAG]) <= LONGEST);
	TAP_CHECK(arrives(&match, &m) == &r[MANY - 1]);
	/* a message that none takes is in no view that nobody has looked at */
	m.source = 9;
	m.tag = 1;
	TAP_CHECK(!arrives(&match, &m));
	TAP_EQUAL(match.messages[WF_MATCH_SOURCE].count, 0);
	TAP_EQUAL(match.messages[WF_MATCH_ALL].count, 1);
	wf_match_fini(&match);
	TAP_CHECK(!wf_match_any_receive(&match));
	free(r);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "programs of sources and tags", exact },
		{ "with some wild cards", some_wild },
		{ "with many wild cards", many_wild },
		{ "without memory", no_memory },
		{ "many messages", many_messages },
		{ "many receives", many_receives }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
