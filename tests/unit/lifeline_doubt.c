/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the network of lifelines fails, and that of the data answers, nobody is
 * dead; where that does not answer either, the refusal was right.
 */
#include "job/lifeline_probe.h"
#include "tests/unit/lifeline_host.h"

struct scene {
	struct host h;
	bool adapter;			/* answers what was asked */
	int after;			/* so many ticks */
	int due;			/* in so many, or 0 */
	int questions;
	int calls;			/* of lifelines that were begun */
};

static void begin(struct scene *s)
{
	memset(s, 0, sizeof(*s));
	open_host(&s->h);
	s->adapter = true;
	s->after = 3;
	s->h.data.answers = true;
	TAP_CHECK(!ticks(&s->h, s->h.probe, 200, true));
	TAP_CHECK(!wf_probe_asks_data(s->h.probe, s->h.now));
}

/* Another process has its port, in a manner of speaking: none. */
static void refuse(struct scene *s)
{
	wf_lifeline_close(&s->h.line);
	wf_lifeline_init(&s->h.line);
}

/* Its address leads nowhere. */
static void fall_silent(struct scene *s)
{
	refuse(s);
	memset(s->h.blob.lifelines[0].address, 255, 4);
}

/* Ticks of 10 ms with questions and their answers; true: found dead. */
static bool go_on(struct scene *s, int n)
{
	struct host *h = &s->h;

	while (n-- > 0) {
		uint64_t called = h->probe->called;

		if (s->due && !--s->due)
			h->data.moved++;
		if (ticks(h, h->probe, 1, false))
			return true;
		s->calls += h->probe->called != called;
		if (!wf_probe_asks_data(h->probe, h->now))
			continue;
		s->questions++;
		if (s->adapter)
			s->due = s->after;
	}
	return false;
}

static void a_refusal_is_overridden(void)
{
	struct scene s;

	begin(&s);
	refuse(&s);
	TAP_CHECK(!go_on(&s, 10000));
	/* a call each second, and a question before and behind it */
	TAP_CHECK(s.questions > 160 && s.questions < 240);
	TAP_CHECK(s.calls > 80 && s.calls < 120);
	close_host(&s.h);
}

static void without_an_answer_it_was_right(void)
{
	struct scene s;

	begin(&s);
	s.adapter = false;
	refuse(&s);
	TAP_CHECK(!go_on(&s, 95));
	TAP_CHECK(go_on(&s, 10));
	TAP_CHECK(s.questions == 1);
	TAP_CHECK(strstr(s.h.why, "connection to its process refused, and "
			 "nothing answers on the network of the data"));
	close_host(&s.h);
	/* also if it has answered before */
	begin(&s);
	refuse(&s);
	TAP_CHECK(!go_on(&s, 1000));
	s.adapter = false;
	s.due = 0;
	TAP_CHECK(go_on(&s, 220));
	close_host(&s.h);
}

/* Whatever was under way: the queue may be long, or full. */
static void any_answer_will_do(void)
{
	struct scene s;

	begin(&s);
	s.adapter = false;
	refuse(&s);
	for (int i = 0; i < 50; i++) {
		TAP_CHECK(!go_on(&s, 80));
		s.h.data.moved++;
	}
	TAP_CHECK(go_on(&s, 220));
	close_host(&s.h);
}

/* What is broken is not asked, nor what does not answer by itself. */
static void a_broken_path_says_it_at_once(void)
{
	struct scene s;

	begin(&s);
	s.adapter = false;
	refuse(&s);
	TAP_CHECK(!go_on(&s, 50));
	s.h.data.answers = false;
	s.h.data.broken = true;
	TAP_CHECK(go_on(&s, 3));
	close_host(&s.h);
	begin(&s);
	s.h.data.answers = false;
	refuse(&s);
	TAP_CHECK(go_on(&s, 10));
	TAP_EQUAL(s.questions, 0);
	close_host(&s.h);
}

/* Between two steps nobody has listened. */
static void who_was_away_doubts_anew(void)
{
	struct scene s;

	begin(&s);
	s.adapter = false;
	refuse(&s);
	TAP_CHECK(!go_on(&s, 50));
	s.h.now += 5 * S;
	TAP_CHECK(!go_on(&s, 95));
	TAP_CHECK(go_on(&s, 10));
	close_host(&s.h);
}

static void silence_is_covered(void)
{
	struct scene s;

	begin(&s);
	fall_silent(&s);
	TAP_CHECK(!go_on(&s, 10000));
	TAP_CHECK(s.questions > 80 && s.questions < 120);
	s.adapter = false;
	s.due = 0;
	TAP_CHECK(!go_on(&s, 2900));
	TAP_CHECK(go_on(&s, 200));
	TAP_CHECK(strstr(s.h.why, "is lost: its host answers nowhere since"));
	close_host(&s.h);
}

/* An adapter answers also where the kernel has stopped. */
static void but_not_for_ever(void)
{
	struct scene s;

	begin(&s);
	fall_silent(&s);
	TAP_CHECK(!go_on(&s, 62000));
	TAP_CHECK(go_on(&s, 2000));
	close_host(&s.h);
	/* what goes on besides is no question of ours */
	begin(&s);
	fall_silent(&s);
	for (int i = 0; i < 200; i++) {
		TAP_CHECK(!go_on(&s, 500));
		s.h.data.moved++;
	}
	close_host(&s.h);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a refusal is overridden", a_refusal_is_overridden },
		{ "without an answer it was right",
		  without_an_answer_it_was_right },
		{ "any answer will do", any_answer_will_do },
		{ "a broken path says it at once",
		  a_broken_path_says_it_at_once },
		{ "who was away doubts anew", who_was_away_doubts_anew },
		{ "silence is covered", silence_is_covered },
		{ "but not for ever", but_not_for_ever }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
