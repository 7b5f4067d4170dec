/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which posts of a lost queue pair are sent again: against a peer of which it
 * is known how many it has executed, and what it has done with them since.
 */
#include <string.h>
#include <weft/status.h>
#include "base/random.h"
#include "tests/tap.h"
#include "transport/verbs/verbs_fate.h"

enum {
	MOST = 64,
	SIGNALS = 4,
	RUNS_OF_A_SEED = 200
};

static struct wf_segment seg;
static struct wf_signals signals;
static struct wf_random draws;

/* One direction of a path, as the sender and as the peer have it. */
struct path {
	struct wf_verbs_mark mark[MOST];
	struct wf_verbs_window window;
	uint64_t block[MOST];		/* of lines; at the peer */
	uint32_t first;			/* number of the oldest */
	int executed;			/* in order, all before it */
	bool early[MOST];		/* lines that came before that */
	bool overtaken[MOST];		/* lines that a younger one replaces */
};

static bool has_come(const struct path *path, int i)
{
	return i < path->executed || path->early[i];
}

static uint32_t sig[SIGNALS];
static uint64_t raised[SIGNALS];

static void set_up(void)
{
	TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_ANONYMOUS, 1 << 20,
				  1 << 24), WEFT_OK);
	TAP_EQUAL(wf_signals_init(&signals, &seg), WEFT_OK);
	memset(raised, 0, sizeof(raised));
	for (int i = 0; i < SIGNALS; i++)
		TAP_EQUAL(wf_signal_alloc(&signals, 0, &sig[i]), WEFT_OK);
}

static void tear_down(void)
{
	wf_signals_fini(&signals);
	wf_segment_close(&seg);
}

/* The last one before, if it is one; it must have been read. */
static bool make_younger(struct path *path, int i)
{
	if (!i || path->mark[i - 1].what != WF_VERBS_DO_LINE ||
	    wf_random_below(&draws, 2))
		return false;
	path->early[i - 1] = path->overtaken[i - 1] = true;
	path->block[i] = path->block[i - 1];
	path->mark[i].where = path->mark[i - 1].where;
	path->mark[i].stamp = path->mark[i - 1].stamp;
	return true;
}

static void make_line(struct path *path, int i)
{
	struct wf_verbs_mark *m = &path->mark[i];

	m->what = WF_VERBS_DO_LINE;
	m->lines = 1;
	path->early[i] = wf_random_below(&draws, 2);
	if (make_younger(path, i))
		return;
	TAP_EQUAL(wf_segment_alloc(&seg, 64, 64, &path->block[i]), WEFT_OK);
	m->where = (uintptr_t)wf_segment_at(&seg, path->block[i]);
	m->stamp = seg.blocks.generation;
}

static void make_signal(struct wf_verbs_mark *m, bool executed)
{
	int s = (int)wf_random_below(&draws, SIGNALS);

	m->what = WF_VERBS_DO_SIGNAL;
	m->where = sig[s];
	m->stamp = ++raised[s];
	if (executed)
		wf_signal_raise(&signals, sig[s]);
}

static void make(struct path *path, int i)
{
	static const enum wf_verbs_what silent[] = {
		WF_VERBS_DO_PUT, WF_VERBS_DO_GET, WF_VERBS_DO_FLUSH
	};
	struct wf_verbs_mark *m = &path->mark[i];

	*m = (struct wf_verbs_mark){ .number = path->window.next };
	path->early[i] = path->overtaken[i] = false;
	switch (wf_random_below(&draws, 4)) {
	case 0:
		m->numbered = true;
		m->what = WF_VERBS_DO_MAIL;
		path->window.next++;
		break;
	case 1:
		make_line(path, i);
		break;
	case 2:
		make_signal(m, i < path->executed);
		break;
	default:
		m->what = silent[wf_random_below(&draws, 3)];
	}
}

static void make_path(struct path *path)
{
	int n = (int)wf_random_below(&draws, MOST + 1);

	path->first = (uint32_t)wf_random_u64(&draws);
	path->window = (struct wf_verbs_window){ path->mark, n, path->first };
	path->executed = (int)wf_random_below(&draws, (uint64_t)n + 1);
	for (int i = 0; i < n; i++)
		make(path, i);
}

static uint32_t count(const struct path *path)
{
	uint32_t received = path->first;

	for (int i = 0; i < path->executed; i++)
		received += path->mark[i].numbered;
	return received;
}

/* The peer gives some of the memory back, and others get it. */
static void reuse(struct path *path, bool *reused)
{
	uint64_t offset;

	for (int i = 0; i < path->window.n; i++) {
		reused[i] = has_come(path, i) && !path->overtaken[i] &&
			    path->mark[i].what == WF_VERBS_DO_LINE &&
			    wf_random_below(&draws, 2);
		if (!reused[i])
			continue;
		wf_segment_free(&seg, path->block[i]);
		if (wf_random_below(&draws, 2))
			TAP_EQUAL(wf_segment_alloc(&seg, 64, 64, &offset),
				  WEFT_OK);
	}
}

/* The set of those that are not sent again. */
static uint64_t decide(const struct path *path)
{
	const struct wf_verbs_window *w = &path->window;
	struct wf_verbs_doubt doubt[MOST];
	int came = wf_verbs_came(w, count(path));
	int n = wf_verbs_doubts(w, came, doubt);

	TAP_CHECK(came >= 0 && !wf_verbs_is_lost(w, came));
	return wf_verbs_answered(w, came, wf_verbs_judge(
		&seg, &signals, doubt, (size_t)n));
}

/* How many that have come are sent again. */
static int again(const struct path *path, uint64_t kept, const bool *reused)
{
	int n = 0;

	for (int i = 0; i < path->window.n; i++) {
		const struct wf_verbs_mark *m = &path->mark[i];

		if (kept >> i & 1) {
			TAP_CHECK(has_come(path, i));
			continue;
		}
		TAP_CHECK(!reused[i] && !path->overtaken[i]);
		if (i < path->executed)
			TAP_CHECK(!m->numbered &&
				  m->what != WF_VERBS_DO_SIGNAL);
		n += has_come(path, i);
	}
	return n;
}

/*
 * Nothing that has not come is left out, also before a line that has, and
 * nothing is repeated on which the peer has acted in a way that a repetition
 * would disturb.
 */
static void against_truth(void)
{
	static struct path path;
	const long runs = RUNS_OF_A_SEED * tap_figure("SEEDS", 100);
	bool reused[MOST];
	long repeated = 0;

	wf_random_init(&draws, 7);
	for (long run = 0; run < runs; run++) {
		set_up();
		make_path(&path);
		memset(reused, 0, sizeof(reused));
		reuse(&path, reused);
		repeated += again(&path, decide(&path), reused) > 0;
		tear_down();
	}
	/* Both kinds have been there. */
	TAP_CHECK(repeated > runs / 20 && repeated < runs);
}

static struct wf_verbs_window three(struct wf_verbs_mark *mark)
{
	for (uint32_t i = 0; i < 3; i++)
		mark[i] = (struct wf_verbs_mark){
			.number = 7 + i, .numbered = true
		};
	return (struct wf_verbs_window){ mark, 3, 10 };
}

static void impossible(void)
{
	struct wf_verbs_mark mark[3];
	struct wf_verbs_window w = three(mark);

	for (uint32_t received = 7; received <= 10; received++)
		TAP_EQUAL(wf_verbs_came(&w, received), received - 7);
	TAP_EQUAL(wf_verbs_came(&w, 6), -1);
	TAP_EQUAL(wf_verbs_came(&w, 11), -1);
	w.n = 0;
	TAP_EQUAL(wf_verbs_came(&w, 10), 0);
	TAP_EQUAL(wf_verbs_came(&w, 9), -1);
	TAP_EQUAL(wf_verbs_came(&w, 11), -1);
}

/* An atomic op can be done again only if what is before it has not come. */
static void atomics(void)
{
	struct wf_verbs_mark mark[3];
	struct wf_verbs_window w = three(mark);

	mark[1].what = WF_VERBS_DO_WORD;
	mark[1].numbered = false;
	mark[2].number = 8;
	w.next = 9;
	TAP_CHECK(!wf_verbs_is_lost(&w, 0));
	TAP_CHECK(wf_verbs_is_lost(&w, 1));
	TAP_CHECK(wf_verbs_is_lost(&w, 3));
}

/* What came is known to have come when the path is lost again. */
static void known_before(void)
{
	struct wf_verbs_mark mark[3];
	struct wf_verbs_window w = three(mark);
	struct wf_verbs_doubt doubt[3];

	for (int i = 0; i < 3; i++) {
		mark[i].numbered = false;
		mark[i].what = WF_VERBS_DO_LINE;
		mark[i].where = 64 * (uint64_t)i;
		mark[i].lines = 1;
	}
	mark[1].came = true;
	TAP_EQUAL(wf_verbs_came(&w, 10), 0);
	TAP_EQUAL(wf_verbs_doubts(&w, 0, doubt), 2);
	TAP_EQUAL(doubt[1].where, 128);
	TAP_EQUAL(wf_verbs_answered(&w, 0, 2), 4);
}

/* A line tells of itself, a signal of all before it. */
static void who_tells(void)
{
	struct wf_verbs_mark mark[3];
	struct wf_verbs_window w = three(mark);

	for (int i = 0; i < 3; i++)
		mark[i].numbered = false;
	mark[0].what = WF_VERBS_DO_PUT;
	mark[1].what = WF_VERBS_DO_LINE;
	mark[2].what = WF_VERBS_DO_SIGNAL;
	TAP_EQUAL(wf_verbs_answered(&w, 0, 0), 0);
	TAP_EQUAL(wf_verbs_answered(&w, 0, 1), 2);
	TAP_EQUAL(wf_verbs_answered(&w, 0, 2), 7);
	TAP_EQUAL(wf_verbs_answered(&w, 1, 0), 1);
}

/* One of a pair is enough: both come by one packet. */
static void overtaken(void)
{
	struct wf_verbs_mark mark[3];
	struct wf_verbs_window w = three(mark);

	for (int i = 0; i < 3; i++)
		mark[i] = (struct wf_verbs_mark){
			.what = WF_VERBS_DO_LINE, .where = 128, .lines = 1
		};
	mark[0].lines = 2;
	mark[1].where = 256;
	TAP_EQUAL(wf_verbs_answered(&w, 0, 0), 1);
	mark[2].where = 192;
	TAP_EQUAL(wf_verbs_answered(&w, 0, 0), 1);
	mark[2].where = 320;
	TAP_EQUAL(wf_verbs_answered(&w, 0, 0), 0);
	mark[2].where = 192;
	mark[2].what = WF_VERBS_DO_PUT;
	TAP_EQUAL(wf_verbs_answered(&w, 0, 0), 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what is sent again, against the truth", against_truth },
		{ "a count that cannot be", impossible },
		{ "an atomic op is not done twice", atomics },
		{ "what came stays so", known_before },
		{ "a line tells of itself alone", who_tells },
		{ "an older line of the same memory was read", overtaken }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
