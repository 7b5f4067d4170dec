/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is said by lifelines about ranks that have closed their jobs: kept by
 * whom it is said to, and told to those who ask.
 */
#include "base/rangeset.h"
#include "job/lifeline_talk.h"
#include "tests/unit/lifeline_host.h"

enum {
	TICKS = 1000		/* until something has not come */
};

static struct wf_rangeset known;	/* to the listener */
static struct wf_rangeset heard;	/* by the caller */

static bool keep(void *arg, int first, int last)
{
	TAP_EQUAL(wf_rangeset_add(arg, (uint64_t)first, (uint64_t)last + 1), 0);
	return true;
}

static void open_talk(struct host *h)
{
	wf_rangeset_init(&known, 0);
	wf_rangeset_init(&heard, 0);
	open_host(h);
	h->line.left = keep;
	h->line.arg = &known;
	h->line.gone = &known;
}

static void close_talk(struct host *h)
{
	close_host(h);
	wf_rangeset_fini(&known);
	wf_rangeset_fini(&heard);
}

static void add(struct wf_rangeset *set, int first, int last)
{
	keep(set, first, last);
}

static struct wf_life_talk question(int first, int last)
{
	return (struct wf_life_talk){
		.last = { WF_LIFE_WHO, first, last },
		.left = keep, .arg = &heard
	};
}

static struct wf_life_talk news(const struct wf_rangeset *set)
{
	return (struct wf_life_talk){
		.tells = set, .last = { WF_LIFE_ENDS, 9, 9 }
	};
}

static void go_on(struct host *h, struct wf_probe *probe,
		  const struct wf_life_talk *talk)
{
	for (int i = 0; i < TICKS && !talk->over && !talk->hung_up; i++)
		TAP_CHECK(!ticks(h, probe, 1, true));
}

static void is_known(const struct wf_rangeset *set, int from, int to)
{
	for (int r = 0; r < 20; r++)
		TAP_EQUAL(wf_rangeset_has(set, (uint64_t)r),
			  r >= from && r <= to);
}

static void kept(void)
{
	struct wf_life_talk talk = news(&heard);
	struct host h;

	open_talk(&h);
	add(&heard, 3, 5);
	add(&heard, 7, 7);
	wf_probe_talk(h.probe, &talk);
	go_on(&h, h.probe, &talk);
	TAP_CHECK(talk.over);
	add(&known, 6, 6);
	is_known(&known, 3, 7);
	close_talk(&h);
}

static void answered(void)
{
	struct wf_life_talk talk = question(4, 9);
	struct host h;

	open_talk(&h);
	add(&known, 2, 5);
	add(&known, 6, 12);
	wf_probe_talk(h.probe, &talk);
	go_on(&h, h.probe, &talk);
	TAP_CHECK(talk.over);
	is_known(&heard, 4, 9);
	/* and nothing, if there is nothing */
	talk = question(13, 19);
	go_on(&h, h.probe, &talk);
	TAP_CHECK(talk.over);
	is_known(&heard, 4, 9);
	close_talk(&h);
}

/* It is busy while another one calls and leaves, and then somebody asks. */
static void said_before(void)
{
	struct wf_life_talk ask = question(0, 19), tell = news(&heard);
	struct wf_probe *leaver;
	struct host h;

	open_talk(&h);
	TAP_CHECK(!ticks(&h, h.probe, 20, true));
	add(&heard, 8, 8);
	leaver = wf_probe_create(&h.prober, 4, &h.blob);
	wf_probe_talk(leaver, &tell);
	while (!wf_probe_has_delivered(leaver))
		TAP_CHECK(!ticks(&h, leaver, 1, false));
	wf_probe_free(leaver);
	wf_rangeset_fini(&heard);
	wf_probe_talk(h.probe, &ask);
	TAP_CHECK(!ticks(&h, h.probe, 1, false));
	go_on(&h, h.probe, &ask);
	TAP_CHECK(ask.over);
	is_known(&heard, 8, 8);
	close_talk(&h);
}

static void hung_up(void)
{
	struct wf_life_talk ask = question(0, 19), tell = news(&known);
	struct host h;

	open_talk(&h);
	h.line.parting = true;
	wf_probe_talk(h.probe, &ask);
	go_on(&h, h.probe, &ask);
	TAP_CHECK(ask.hung_up && !ask.over);
	wf_probe_talk(h.probe, &tell);
	h.now += 2 * S;
	go_on(&h, h.probe, &tell);
	TAP_CHECK(tell.hung_up && !tell.over);
	/* one that has asked before */
	h.line.parting = false;
	ask = question(0, 19);
	wf_probe_talk(h.probe, &ask);
	h.now += 2 * S;
	for (int i = 0; i < TICKS && !h.line.n_asking; i++)
		TAP_CHECK(!ticks(&h, h.probe, 1, true));
	TAP_EQUAL(h.line.n_asking, 1);
	h.line.parting = true;
	go_on(&h, h.probe, &ask);
	TAP_CHECK(ask.hung_up && !ask.over);
	TAP_EQUAL(h.line.n_asking, 0);
	close_talk(&h);
}

/* More than an answer has room for. */
static void many_runs(void)
{
	struct wf_life_talk talk = question(0, 999);
	struct host h;

	open_talk(&h);
	for (int r = 0; r < 1000; r += 2)
		add(&known, r, r);
	wf_probe_talk(h.probe, &talk);
	go_on(&h, h.probe, &talk);
	TAP_CHECK(talk.over);
	TAP_EQUAL(heard.count, 128);
	/* by who leaves all of them */
	wf_rangeset_fini(&heard);
	talk = news(&known);
	h.line.arg = &heard;
	go_on(&h, h.probe, &talk);
	TAP_CHECK(talk.over);
	TAP_EQUAL(heard.count, 500);
	close_talk(&h);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "who leaves is heard", kept },
		{ "who asks is answered", answered },
		{ "what was said before a question counts", said_before },
		{ "who leaves hangs up", hung_up },
		{ "many runs", many_runs }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
