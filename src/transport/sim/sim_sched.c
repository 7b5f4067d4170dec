/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who runs when: the loop over the events, the idle hook, and death.
 *
 * A rank runs until it waits; what happens to it meanwhile wakes it after the
 * poll that it has paid for. There is one order of events, (time, number), and
 * everything follows it. A deadline costs at most one event in the heap per
 * rank: a later deadline uses the earlier event and moves it on when it comes.
 */
#include "transport/sim/sim_ahead.h"
#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_world.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

#ifdef WF_CORO_ASAN
#include <sanitizer/lsan_interface.h>
#endif

enum {
	POLLS_HANG = 20000000,	/* runs of ranks in which nothing happened */
	RETRY_NS = 100000	/* between tries, at most */
};

void wf_sim_schedule(struct wf_sim *world, struct sim_event event)
{
	wf_sim_queue_push(&world->queue, event);
}

static void make_ready(struct wf_sim_rank *rank, uint64_t time)
{
	struct wf_sim *world = rank->world;

	if (wf_sim_chance(world, world->options.slow_one_in))
		time += wf_sim_below(world,
				     4 * world->options.max_delay_ns + 1);
	rank->state = SIM_READY;
	wf_sim_schedule(world, (struct sim_event){
		.time = time, .kind = SIM_RUN, .rank = (uint32_t)rank->rank });
}

void wf_sim_wake(struct wf_sim_rank *rank)
{
	rank->wanted = true;
	if (rank->state == SIM_IDLE)
		make_ready(rank, wf_sim_later(rank->world->now,
					      rank->ready_at));
}

static void arm(struct wf_sim_rank *rank, uint64_t deadline)
{
	if (rank->timer <= deadline)
		return;
	rank->timer = deadline;
	wf_sim_schedule(rank->world, (struct sim_event){
		.time = deadline, .kind = SIM_TIMER,
		.rank = (uint32_t)rank->rank });
}

uint64_t wf_sim_now(void *arg)
{
	return wf_sim_now_ps(arg) / WF_PS_PER_NS;
}

uint64_t wf_sim_now_ps(void *arg)
{
	return wf_sim_clock(arg);
}

static void suspend(struct wf_sim_rank *rank)
{
	wf_coro_suspend(&rank->coro);
	rank->state = SIM_RUNNING;
}

/* Counts what kill_event is counted in. */
static void count_step(struct wf_sim_rank *rank)
{
	const struct wf_sim_options *o = &rank->world->options;

	if (++rank->steps == o->kill_event && rank->rank == o->kill_rank)
		wf_sim_die(rank);
}

/*
 * What a rank does again and again until a peer has gone, or is given up, takes
 * a fraction of a second: polls of 100 ns would be millions.  The first tries
 * follow each other as closely as those, the later ones less and less; what
 * happens meanwhile wakes it as ever.
 */
static uint64_t next_try(struct wf_sim_rank *rank)
{
	uint64_t wait = rank->retry;

	if (!rank->retries) {
		rank->retry = 0;
		return UINT64_MAX;
	}
	rank->retries = false;
	rank->retry = wait ? 2 * wait :
			     wf_sim_ps(rank->world->options.poll_ns);
	if (rank->retry > wf_sim_ps(RETRY_NS))
		rank->retry = wf_sim_ps(RETRY_NS);
	return rank->ready_at + wait;
}

/* What happens meanwhile leaves rank->wanted set. */
static void pause_rank(struct wf_sim_rank *rank, uint64_t deadline_ns)
{
	struct wf_sim *world = rank->world;
	uint64_t deadline = wf_sim_ps(deadline_ns), retry;

	count_step(rank);
	rank->idle_since = world->now;
	rank->ready_at = wf_sim_free_at(rank);
	retry = next_try(rank);
	if (deadline > retry)
		deadline = retry;
	/*
	 * What is held for its progress has woken it once: one that computes
	 * and does not progress sleeps on, or the polls of a second would be
	 * run one by one.
	 */
	if (rank->wanted || deadline <= rank->ready_at) {
		make_ready(rank, rank->ready_at + wf_sim_vain_poll(rank));
	} else {
		rank->state = SIM_IDLE;
		rank->deadline = deadline;
		arm(rank, deadline);
	}
	rank->fruitless = 0;
	suspend(rank);
}

void wf_sim_idle(void *arg, uint64_t deadline_ns)
{
	struct wf_sim_rank *rank = arg;

	if (rank->state == SIM_PLAYED)
		return;
	pause_rank(rank, deadline_ns);
	rank->wanted = false;	/* all until now it can see */
	wf_sim_looks(rank);
}

void wf_sim_poll(struct wf_sim_rank *rank)
{
	if (rank->state != SIM_PLAYED)
		pause_rank(rank, 0);
}

void wf_sim_step(struct wf_sim_rank *rank)
{
	struct wf_sim *world = rank->world;

	if (rank->state == SIM_PLAYED)
		return;
	count_step(rank);
	if (wf_sim_chance(world, world->options.switch_one_in))
		make_ready(rank, wf_sim_clock(rank) +
			   wf_sim_below(world, world->options.max_delay_ns));
	else if (rank->slowness > 1)
		make_ready(rank, wf_sim_free_at(rank));
	else
		return;
	suspend(rank);
}

void wf_sim_catch_up(struct wf_sim_rank *rank)
{
	if (rank->state == SIM_PLAYED)
		return;
	make_ready(rank, wf_sim_clock(rank));
	suspend(rank);
}

/* How far behind the dead one the last is who is told. */
static int reach_of_news(const struct wf_sim *world, int dead)
{
	int ranks = world->options.ranks, left = world->options.told_ranks;

	if (!left)
		return ranks;
	for (int d = 1; d < ranks; d++)
		if (world->ranks[(dead + d) % ranks].state != SIM_DEAD &&
		    !--left)
			return d;
	return ranks;
}

void wf_sim_tell_all(struct wf_sim *world, int dead, int but)
{
	uint64_t told = wf_sim_later(world->options.told_ns, 1);
	int ranks = world->options.ranks;
	int reach = reach_of_news(world, dead);

	if (world->ranks[dead].death_told)
		return;
	world->ranks[dead].death_told = true;
	for (int i = 0; i < ranks; i++) {
		struct sim_op *op;

		if (i == dead || i == but ||
		    world->ranks[i].state == SIM_DEAD ||
		    (i - dead + ranks) % ranks > reach)
			continue;
		op = wf_sim_op(world, NULL);
		if (!op)
			return;
		op->amount = dead;
		wf_sim_schedule(world, (struct sim_event){
			.time = world->now + wf_sim_below(world, told),
			.kind = SIM_TOLD, .rank = (uint32_t)i, .op = op });
	}
}

static void bury(struct wf_sim_rank *rank)
{
	struct wf_sim *world = rank->world;

	rank->state = SIM_DEAD;
	world->unfinished--;
	world->result.killed = rank->rank;
	world->moved = world->latest;
	wf_sim_see_death(rank);
	wf_sim_trace(world, (uint64_t[]){ SIM_DEATH, (uint64_t)rank->rank }, 2);
	wf_sim_land_held(rank);		/* nowhere: to free it */
}

void wf_sim_die(struct wf_sim_rank *rank)
{
	bury(rank);
	wf_sim_tell_all(rank->world, rank->rank, -1);
	for (;;)
		wf_coro_suspend(&rank->coro);
}

void wf_sim_kill(struct wf_sim *world, int rank)
{
	bury(&world->ranks[rank]);
}

void wf_sim_doom(struct wf_sim_rank *rank)
{
#ifdef WF_CORO_ASAN
	if (!rank->doomed)
		__lsan_disable();
#endif
	rank->doomed = true;
}

static void run_rank(struct wf_sim *world, struct wf_sim_rank *rank)
{
#ifdef WF_CORO_ASAN
	if (rank->doomed)
		__lsan_disable();
#endif
	world->running = rank;
	world->polls++;
	rank->state = SIM_RUNNING;
	wf_coro_resume(&rank->coro);
	if (!wf_coro_is_sound(&rank->coro)) {
		fprintf(stderr, "sim: rank %d has used more than its stack of "
			"%zu bytes\n", rank->rank,
			rank->coro.inside.stack_bytes);
		abort();
	}
	world->running = NULL;
#ifdef WF_CORO_ASAN
	if (rank->doomed)
		__lsan_enable();
#endif
	if (rank->coro.finished) {
		rank->state = SIM_FINISHED;
		rank->closed = true;
		world->unfinished--;
		world->result.finished++;
		world->moved = world->latest;
	}
}

/* True: the deadline stands and has come. */
static bool timer_due(struct wf_sim_rank *rank, uint64_t time)
{
	if (rank->timer != time)
		return false;
	rank->timer = UINT64_MAX;
	if (rank->state != SIM_IDLE)
		return false;
	if (rank->deadline <= time)
		return true;
	arm(rank, rank->deadline);
	return false;
}

/* With windows other ranks may have been further already, but not this one. */
static void go_on(struct wf_sim *world, struct wf_sim_rank *rank,
		  uint64_t time)
{
	if (wf_sim_queue_has_windows(&world->queue))
		world->now = rank->now = wf_sim_later(rank->now, time);
	else
		world->now = wf_sim_later(world->now, time);
	world->latest = wf_sim_later(world->latest, world->now);
}

static void happen(struct wf_sim *world, const struct sim_event *event)
{
	struct wf_sim_rank *rank = &world->ranks[event->rank];

	if (event->kind == SIM_TIMER) {
		if (timer_due(rank, event->time))
			make_ready(rank, event->time);
		return;
	}
	go_on(world, rank, event->time);
	if (event->kind == SIM_RUN) {
		run_rank(world, rank);
		return;
	}
	world->moved = world->latest;
	world->polls = 0;
	wf_sim_land(world, event);
}

static void report_hang(struct wf_sim *world)
{
	static const char *const names[] = {
		"played", "ready", "running", "idle", "finished", "dead"
	};
	char text[400] = "";

	for (int i = 0; i < world->options.ranks; i++) {
		const struct wf_sim_rank *rank = &world->ranks[i];

		wf_text_add(text, sizeof(text), " %d %s", i,
			    names[rank->state]);
		if (rank->state == SIM_IDLE)
			wf_text_add(text, sizeof(text), " since %llu",
				    (unsigned long long)rank->idle_since /
				    WF_PS_PER_NS);
		wf_text_add(text, sizeof(text), ",");
	}
	world->result.hung = true;
	wf_sim_violate(world, "nothing happens since %llu ns; ranks:%s",
		       (unsigned long long)world->moved / WF_PS_PER_NS, text);
}

static bool hangs(const struct wf_sim *world)
{
	return world->latest - world->moved >
		       wf_sim_ps(world->options.hang_ns) ||
	       world->polls > POLLS_HANG;
}

bool wf_sim_advance(struct wf_sim *world)
{
	const struct sim_lane *last = world->queue.current;
	struct sim_event event;

	if (!world->queue.count)
		return false;
	event = wf_sim_queue_pop(&world->queue);
	if (world->queue.current)
		wf_sim_look_ahead(world, world->queue.current != last);
	happen(world, &event);
	return true;
}

/* Where times are those of a network all begin at once. */
static void start_all(struct wf_sim *world)
{
	uint64_t most = world->options.max_delay_ns;

	for (int i = 0; i < world->options.ranks; i++)
		make_ready(&world->ranks[i], world->options.net ? 0 :
			   wf_sim_below(world, most + 1));
}

/* When the last rank was done. */
static uint64_t end_of(const struct wf_sim *world)
{
	uint64_t end = world->latest;

	for (int i = 0; i < world->options.ranks; i++)
		end = wf_sim_later(end, world->ranks[i].clock);
	return end;
}

/*
 * What a rank does reaches no other before the shortest flight has passed.  So
 * in a window of that length each rank may go through all that happens to it
 * while its memory is in the cache: of thousands of ranks nothing is left there
 * until the next event.  News of a death may come faster; and ranks of a node
 * share a NIC.
 */
static void set_windows(struct wf_sim *world)
{
	const struct wf_sim_options *o = &world->options;

	if (!o->net || o->ranks_per_node != 1 || o->kill_rank >= 0)
		return;
	if (wf_sim_queue_set_windows(&world->queue, o->net->flight_ps,
				     (uint32_t)o->ranks))
		world->no_memory = true;
}

void wf_sim_schedule_all(struct wf_sim *world)
{
	set_windows(world);
	start_all(world);
	world->unfinished = world->options.ranks;
	while (world->unfinished && !wf_sim_lacks_memory(world)) {
		if (hangs(world) || !wf_sim_advance(world)) {
			report_hang(world);
			break;
		}
	}
	world->result.time_ps = end_of(world);
}
