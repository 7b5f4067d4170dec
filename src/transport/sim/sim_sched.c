/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who runs when: the loop over the events, the idle hook, and death.
 *
 * A rank runs until it waits; what happens to it meanwhile wakes it after the
 * poll that it has paid for. There is one order of events, (time, number), and
 * everything follows it. A deadline costs at most one event in the heap per
 * rank: a later deadline uses the earlier event and moves it on when it comes.
 */
#include "transport/sim/sim_world.h"

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
	if (wf_sim_heap_push(&world->heap, event))
		world->no_memory = true;
}

static void make_ready(struct wf_sim_rank *rank, uint64_t time)
{
	struct wf_sim *world = rank->world;

	if (wf_sim_chance(world, world->options.slow_one_in))
		time += wf_random_below(&world->random,
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
	const struct wf_sim_rank *rank = arg;

	return rank->world->now;
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
	uint64_t wait = rank->retry_ns;

	if (!rank->retries) {
		rank->retry_ns = 0;
		return UINT64_MAX;
	}
	rank->retries = false;
	rank->retry_ns = wait ? 2 * wait : rank->world->options.poll_ns;
	if (rank->retry_ns > RETRY_NS)
		rank->retry_ns = RETRY_NS;
	return rank->ready_at + wait;
}

void wf_sim_idle(void *arg, uint64_t deadline_ns)
{
	struct wf_sim_rank *rank = arg;
	struct wf_sim *world = rank->world;
	uint64_t poll = world->options.poll_ns, retry;

	if (rank->state == SIM_PLAYED)
		return;
	count_step(rank);
	rank->idle_since = world->now;
	rank->ready_at = world->now + poll +
			 wf_random_below(&world->random, poll);
	retry = next_try(rank);
	if (deadline_ns > retry)
		deadline_ns = retry;
	/*
	 * What is held for its progress has woken it once: one that computes
	 * and does not progress sleeps on, or the polls of a second would be
	 * run one by one.
	 */
	if (rank->wanted || deadline_ns <= rank->ready_at) {
		make_ready(rank, rank->ready_at);
	} else {
		rank->state = SIM_IDLE;
		rank->deadline = deadline_ns;
		arm(rank, deadline_ns);
	}
	rank->fruitless = false;
	suspend(rank);
	rank->wanted = false;	/* all until now it can see */
}

void wf_sim_step(struct wf_sim_rank *rank)
{
	struct wf_sim *world = rank->world;

	if (rank->state == SIM_PLAYED)
		return;
	count_step(rank);
	if (!wf_sim_chance(world, world->options.switch_one_in))
		return;
	make_ready(rank, world->now +
			 wf_random_below(&world->random,
					 world->options.max_delay_ns));
	suspend(rank);
}

void wf_sim_tell_all(struct wf_sim *world, int dead, int but)
{
	uint64_t told = wf_sim_later(world->options.told_ns, 1);

	if (world->ranks[dead].death_told)
		return;
	world->ranks[dead].death_told = true;
	for (int i = 0; i < world->options.ranks; i++) {
		struct sim_op *op;

		if (i == dead || i == but || world->ranks[i].state == SIM_DEAD)
			continue;
		op = wf_sim_op(world, NULL);
		if (!op)
			return;
		op->amount = dead;
		wf_sim_schedule(world, (struct sim_event){
			.time = world->now +
				wf_random_below(&world->random, told),
			.kind = SIM_TOLD, .rank = (uint32_t)i, .op = op });
	}
}

static void bury(struct wf_sim_rank *rank)
{
	struct wf_sim *world = rank->world;

	rank->state = SIM_DEAD;
	world->unfinished--;
	world->result.killed = rank->rank;
	world->moved = world->now;
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

static void run_rank(struct wf_sim *world, struct wf_sim_rank *rank)
{
	/* What a rank that will die allocates is not a leak. */
#ifdef WF_CORO_ASAN
	bool doomed = rank->rank == world->options.kill_rank;

	if (doomed)
		__lsan_disable();
#endif
	world->running = rank;
	world->polls++;
	rank->state = SIM_RUNNING;
	wf_coro_resume(&rank->coro);
	world->running = NULL;
#ifdef WF_CORO_ASAN
	if (doomed)
		__lsan_enable();
#endif
	if (rank->coro.finished) {
		rank->state = SIM_FINISHED;
		rank->closed = true;
		world->unfinished--;
		world->result.finished++;
		world->moved = world->now;
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

static void happen(struct wf_sim *world, const struct sim_event *event)
{
	struct wf_sim_rank *rank = &world->ranks[event->rank];

	if (event->kind == SIM_TIMER) {
		if (timer_due(rank, event->time))
			make_ready(rank, event->time);
		return;
	}
	world->now = wf_sim_later(world->now, event->time);
	if (event->kind == SIM_RUN) {
		run_rank(world, rank);
		return;
	}
	world->moved = world->now;
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
				    (unsigned long long)rank->idle_since);
		wf_text_add(text, sizeof(text), ",");
	}
	world->result.hung = true;
	wf_sim_violate(world, "nothing happens since %llu ns; ranks:%s",
		       (unsigned long long)world->moved, text);
}

static bool hangs(const struct wf_sim *world)
{
	return world->now - world->moved > world->options.hang_ns ||
	       world->polls > POLLS_HANG;
}

bool wf_sim_advance(struct wf_sim *world)
{
	struct sim_event event;

	if (!world->heap.count)
		return false;
	event = wf_sim_heap_pop(&world->heap);
	happen(world, &event);
	return true;
}

void wf_sim_schedule_all(struct wf_sim *world)
{
	for (int i = 0; i < world->options.ranks; i++)
		make_ready(&world->ranks[i],
			   wf_random_below(&world->random,
					   world->options.max_delay_ns + 1));
	world->unfinished = world->options.ranks;
	while (world->unfinished && !world->no_memory) {
		if (hangs(world) || !wf_sim_advance(world)) {
			report_hang(world);
			break;
		}
	}
	world->result.time_ns = world->now;
}
