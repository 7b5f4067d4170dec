/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The queue of events against its rules: without windows the order of times,
 * and of pushes where times are equal; with them ranks one after the other,
 * each in its own order, and no window before all of the one before is done.
 */
#include <string.h>
#include "base/random.h"
#include "tests/tap.h"
#include "transport/sim/sim_queue.h"

enum {
	EVENTS = 20000,
	RANKS = 17,
	WIDTH = 1000,
	SPREAD = 5 * WIDTH	/* of an event behind the one that makes it */
};

struct play {
	struct sim_queue queue;
	struct wf_random random;
	uint64_t pushed, popped;
};

static void push(struct play *p, uint64_t time, uint32_t rank)
{
	wf_sim_queue_push(&p->queue, (struct sim_event){
		.time = time, .rank = rank, .kind = (uint32_t)p->pushed++ });
}

/* As in a run: for others after a flight, for itself at any time. */
static void push_more(struct play *p, const struct sim_event *cause)
{
	uint32_t rank = (uint32_t)wf_random_below(&p->random, RANKS);
	uint64_t after = rank == cause->rank ? 0 : WIDTH;

	if (p->pushed >= EVENTS)
		return;
	push(p, cause->time + after + wf_random_below(&p->random, SPREAD),
	     rank);
	if (wf_random_below(&p->random, 2))
		push(p, cause->time, cause->rank);
}

static void begin(struct play *p, uint64_t seed)
{
	TAP_CHECK(!wf_sim_queue_init(&p->queue));
	wf_random_init(&p->random, seed);
	p->pushed = p->popped = 0;
}

static void start_ranks(struct play *p)
{
	for (uint32_t i = 0; i < RANKS; i++)
		push(p, wf_random_below(&p->random, WIDTH), i);
}

static struct sim_event pop(struct play *p)
{
	struct sim_event event = wf_sim_queue_pop(&p->queue);

	p->popped++;
	push_more(p, &event);
	return event;
}

static void end(struct play *p)
{
	TAP_CHECK(p->popped == p->pushed && p->pushed >= EVENTS);
	TAP_CHECK(!p->queue.no_memory);
	wf_sim_queue_fini(&p->queue);
}

static bool in_order(const struct sim_event *a, const struct sim_event *b)
{
	return a->time < b->time || (a->time == b->time && a->kind < b->kind);
}

static void by_time(void)
{
	struct sim_event last = { 0 };
	struct play p;

	begin(&p, 1);
	start_ranks(&p);
	while (p.queue.count) {
		struct sim_event event = pop(&p);

		if (p.popped > 1 && !TAP_CHECK(in_order(&last, &event)))
			break;
		last = event;
	}
	end(&p);
}

static void by_windows(void)
{
	struct sim_event last[RANKS] = { { 0 } };
	bool seen[RANKS] = { false }, done[RANKS] = { false };
	uint64_t window = 0;
	uint32_t rank = RANKS;
	struct play p;

	begin(&p, 2);
	TAP_CHECK(!wf_sim_queue_set_windows(&p.queue, WIDTH, RANKS));
	start_ranks(&p);
	while (p.queue.count) {
		struct sim_event event = pop(&p);
		uint32_t r = event.rank;

		if (event.time / WIDTH != window) {
			TAP_CHECK(event.time / WIDTH > window);
			window = event.time / WIDTH;
			memset(done, 0, sizeof(done));
		} else if (r != rank && rank < RANKS) {
			done[rank] = true;
		}
		rank = r;
		if (!TAP_CHECK(!done[r]) ||
		    !TAP_CHECK(!seen[r] || in_order(&last[r], &event)))
			break;
		seen[r] = true;
		last[r] = event;
	}
	end(&p);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "in the order of times", by_time },
		{ "window by window, rank by rank", by_windows },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
