/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The world of a simulation: made from its options, run once, taken apart.
 *
 * Everything random comes from one generator, in the order of the events, so
 * a run follows from its seed. What a dead rank held stays until the end,
 * because the living may still write into its memory.
 */
#include "transport/sim/sim_world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/job.h>

#include "base/text.h"
#include "boot/boot_inproc.h"
#include "transport/segment.h"

enum {
	PER_BLOCK = 64,
	BACKOFF_NS = 1000000		/* most between looks at a boot fence */
};

void wf_sim_options_init(struct wf_sim_options *options, int ranks,
			 uint64_t seed)
{
	*options = (struct wf_sim_options){
		.size = sizeof(*options),
		.ranks = ranks,
		.seed = seed,
		.tx_depth = 32,
		.min_delay_ns = 500,
		.max_delay_ns = 5000,
		.poll_ns = 100,
		.told_ns = 1000000000,
		.hang_ns = 120000000000,
		.kill_rank = -1,
		.local_any = true,
		.target_idle = true,
	};
}

void wf_sim_options_vary(struct wf_sim_options *options)
{
	static const unsigned int one_in[] = { 0, 2, 4, 16, 64 };
	static const uint64_t delays[] = { 100, 1000, 5000, 50000 };
	struct wf_random random;

	wf_random_init(&random, options->seed ^ 0x73696d6f707473);
	options->again_one_in = one_in[wf_random_below(&random, 5)];
	options->switch_one_in = one_in[wf_random_below(&random, 5)];
	options->slow_one_in = one_in[wf_random_below(&random, 5)];
	options->tx_depth = 1u << wf_random_below(&random, 7);
	options->min_delay_ns = 1 + wf_random_below(&random, 1000);
	options->max_delay_ns = options->min_delay_ns +
				delays[wf_random_below(&random, 4)];
	options->put_mail_order = wf_random_below(&random, 2);
	options->target_idle = wf_random_below(&random, 4);
}

void wf_sim_violate(struct wf_sim *world, const char *format, ...)
{
	struct wf_sim_result *result = &world->result;
	char text[sizeof(result->text)];
	va_list args;

	if (result->violations++)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(result->text, sizeof(result->text), "at %llu ns: ",
		 (unsigned long long)world->now);
	wf_text_add(result->text, sizeof(result->text), "%s", text);
}

void wf_sim_fail(struct wf_sim_rank *rank, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	wf_sim_violate(rank->world, "rank %d: %s", rank->rank, text);
}

void wf_sim_trace(struct wf_sim *world, const uint64_t *words, int n)
{
	uint64_t hash = world->result.trace ^ world->now;

	for (int i = 0; i < n; i++) {
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 32;
	}
	world->result.trace = hash;
	world->result.events++;
}

bool wf_sim_chance(struct wf_sim *world, unsigned int one_in)
{
	return one_in && !wf_random_below(&world->random, one_in);
}

uint64_t wf_sim_flight(struct wf_sim *world)
{
	const struct wf_sim_options *o = &world->options;
	uint64_t spread = o->max_delay_ns - o->min_delay_ns;
	uint64_t delay = o->min_delay_ns;

	delay += wf_random_below(&world->random, spread + 1);
	if (wf_sim_chance(world, o->slow_one_in))
		delay += wf_random_below(&world->random,
					 8 * o->max_delay_ns + 1);
	return world->now + delay;
}

void wf_sim_set_faults(struct wf_sim_rank *rank, unsigned int posts,
		       unsigned int mails)
{
	rank->post_fault = posts;
	rank->mail_fault = mails;
}

struct sim_op *wf_sim_op(struct wf_sim *world, struct sim_link *link)
{
	struct sim_op *op = wf_pool_get(&world->op_pool);

	if (!op) {
		world->no_memory = true;
		return NULL;
	}
	op->link = link;
	return op;
}

int wf_sim_rank(const struct wf_sim_rank *rank)
{
	return rank->rank;
}

int wf_sim_size(const struct wf_sim_rank *rank)
{
	return rank->world->options.ranks;
}

struct wf_sim *wf_sim_world(struct wf_sim_rank *rank)
{
	return rank->world;
}

struct weft_inproc *wf_sim_inproc(struct wf_sim_rank *rank)
{
	return rank->world->inproc;
}

char *const *wf_sim_environ(const struct wf_sim_rank *rank)
{
	return rank->world->options.environ;
}

uint64_t wf_sim_seed(const struct wf_sim_rank *rank)
{
	struct wf_random random;

	wf_random_init(&random, rank->world->options.seed +
				0x9e3779b97f4a7c15 *
				((uint64_t)rank->rank + 1));
	return wf_random_u64(&random);
}

/* A boot fence has no event to wait for: look again, ever less often. */
static void boot_idle(void *arg)
{
	struct wf_sim *world = arg;
	struct wf_sim_rank *rank = world->running;

	rank->backoff = rank->backoff ? 2 * rank->backoff :
					world->options.poll_ns;
	if (rank->backoff > BACKOFF_NS)
		rank->backoff = BACKOFF_NS;
	wf_sim_idle(rank, world->now + rank->backoff);
}

static uint64_t boot_now(void *arg)
{
	const struct wf_sim *world = arg;

	return world->now;
}

static void rank_main(void *arg)
{
	struct wf_sim_rank *rank = arg;

	rank->world->program(rank, rank->world->arg);
}

static void rank_init(struct wf_sim *world, int i)
{
	struct wf_sim_rank *rank = &world->ranks[i];

	rank->world = world;
	rank->rank = i;
	rank->timer = UINT64_MAX;
	rank->inbox_end = &rank->inbox;
	rank->held_end = &rank->held;
}

/* What a rank that never closed its device has left. */
static void device_fini(struct sim_device *dev)
{
	if (dev->rank->state == SIM_DEAD)
		wf_segment_close(dev->env.segment);
	wf_map_fini(&dev->eps);
	wf_map_fini(&dev->contacted);
	free(dev);
}

void wf_sim_destroy(struct wf_sim *world)
{
	for (int i = 0; i < world->options.ranks; i++)
		if (world->ranks[i].dev)
			device_fini(world->ranks[i].dev);
	for (int i = 0; i < world->coros; i++)
		wf_coro_fini(&world->ranks[i].coro);
	weft_inproc_destroy(world->inproc);
	wf_sim_heap_fini(&world->heap);
	wf_map_fini(&world->links);
	wf_pool_fini(&world->link_pool);
	wf_pool_fini(&world->op_pool);
	wf_pool_fini(&world->ep_pool);
	wf_pool_fini(&world->payload_pool);
	wf_pool_fini(&world->held_pool);
	free(world->ranks);
	free(world);
}

static int create_inproc(struct wf_sim *world)
{
	const struct wf_inproc_wait wait = { boot_idle, world };
	int status = weft_inproc_create(world->options.ranks, &world->inproc);

	if (status)
		return status;
	wf_inproc_set_wait(world->inproc, &wait);
	wf_inproc_set_clock(world->inproc, boot_now, world);
	wf_inproc_set_nodes(world->inproc, world->options.ranks_per_node);
	return WEFT_OK;
}

static bool is_valid(const struct wf_sim_options *o)
{
	return o->size == sizeof(*o) && o->ranks >= 1 && o->tx_depth >= 1 &&
	       o->tx_depth <= SIM_RING * 3 / 4 &&
	       o->min_delay_ns <= o->max_delay_ns && o->poll_ns &&
	       o->kill_rank < o->ranks;
}

int wf_sim_create(const struct wf_sim_options *options,
		  struct wf_sim **world_p)
{
	struct wf_sim *world;
	int status;

	if (!is_valid(options))
		return WEFT_ERR_ARG;
	world = calloc(1, sizeof(*world));
	if (!world)
		return WEFT_ERR_NOMEM;
	world->options = *options;
	world->result.killed = -1;
	wf_random_init(&world->random, options->seed);
	wf_sim_heap_init(&world->heap);
	wf_map_init(&world->links);
	wf_pool_init(&world->link_pool, sizeof(struct sim_link), PER_BLOCK);
	wf_pool_init(&world->op_pool, sizeof(struct sim_op), PER_BLOCK);
	wf_pool_init(&world->ep_pool, sizeof(struct sim_ep), PER_BLOCK);
	wf_pool_init(&world->payload_pool, WF_MAIL_PAYLOAD, PER_BLOCK);
	wf_pool_init(&world->held_pool, sizeof(struct sim_held), PER_BLOCK);
	world->ranks = calloc((size_t)options->ranks, sizeof(*world->ranks));
	status = world->ranks ? create_inproc(world) : WEFT_ERR_NOMEM;
	if (status) {
		free(world->ranks);
		free(world);
		return status;
	}
	for (int i = 0; i < options->ranks; i++)
		rank_init(world, i);
	*world_p = world;
	return WEFT_OK;
}

static int make_coros(struct wf_sim *world)
{
	while (world->coros < world->options.ranks) {
		struct wf_sim_rank *rank = &world->ranks[world->coros];
		int status = wf_coro_init(&rank->coro,
					  world->options.stack_bytes,
					  rank_main, rank);

		if (status)
			return status;
		world->coros++;
	}
	return WEFT_OK;
}

int wf_sim_run(const struct wf_sim_options *options,
	       void (*program)(struct wf_sim_rank *rank, void *arg), void *arg,
	       struct wf_sim_result *result_p)
{
	struct wf_sim *world = NULL;
	int status = wf_sim_create(options, &world);

	if (status)
		return status;
	world->program = program;
	world->arg = arg;
	status = make_coros(world);
	if (!status)
		wf_sim_schedule_all(world);
	if (world->no_memory)
		status = WEFT_ERR_NOMEM;
	if (!status)
		*result_p = world->result;
	wf_sim_destroy(world);
	return status;
}
