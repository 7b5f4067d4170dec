/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The world of a simulation: made from its options, run once, taken apart.
 *
 * Everything random comes from one generator, in the order of the events, so
 * a run follows from its seed. What a dead rank held stays until the end,
 * because the living may still write into its memory.
 */
#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <weft/job.h>

#include "base/text.h"
#include "boot/boot_inproc.h"
#include "transport/segment.h"

enum {
	PER_BLOCK = 64,
	GUARDED_RANKS = 1024,		/* more: no pages between stacks */
	STACK_SHIFT = 64,		/* bytes, see map_stacks() */
	SLOWNESS = 100,			/* of the one slow rank */
	BACKOFF_NS = 1000000		/* most between looks at a boot fence */
};

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
		 (unsigned long long)world->now / WF_PS_PER_NS);
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

void wf_sim_set_faults(struct wf_sim_rank *rank, unsigned int posts,
		       unsigned int mails)
{
	rank->post_fault = posts;
	rank->mail_fault = mails;
}

void wf_sim_starve_mails(struct wf_sim_rank *rank, bool starved)
{
	rank->mails_starved = starved;
}

struct sim_op *wf_sim_op(struct wf_sim *world, struct sim_link *link)
{
	struct sim_op *op = wf_pool_get(&world->op_pool);

	if (!op) {
		world->no_memory = true;
		return NULL;
	}
	op->link = link;
	if (link && world->options.observer)
		op->start = wf_sim_clock(link->from);
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

uint64_t wf_sim_messages(const struct wf_sim_rank *rank)
{
	return rank->world->result.messages;
}

uint64_t wf_sim_own_messages(const struct wf_sim_rank *rank)
{
	return rank->messages;
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
	wf_sim_idle(rank, wf_sim_now(rank) + rank->backoff);
}

static uint64_t boot_now(void *arg)
{
	const struct wf_sim *world = arg;

	return world->now / WF_PS_PER_NS;
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
	rank->doomed = i == world->options.kill_rank;
	rank->slowness = i == world->options.slow_rank ? SLOWNESS : 1;
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
	if (world->stacks)
		munmap(world->stacks, world->stacks_bytes);
	weft_inproc_free(&world->inproc);
	wf_sim_queue_fini(&world->queue);
	wf_map_fini(&world->links);
	wf_pool_fini(&world->link_pool);
	wf_pool_fini(&world->op_pool);
	wf_pool_fini(&world->ep_pool);
	wf_pool_fini(&world->short_pool);
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

/* A poll that takes no time would be tried for ever. */
static bool passes_time(const struct wf_sim_net *net)
{
	return !net || net->poll_ps;
}

static bool is_valid(const struct wf_sim_options *o)
{
	return o->size == sizeof(*o) && o->ranks >= 1 && o->tx_depth >= 1 &&
	       o->tx_depth <= SIM_RING * 3 / 4 &&
	       o->min_delay_ns <= o->max_delay_ns && o->poll_ns &&
	       passes_time(o->net) && passes_time(o->node_net) &&
	       o->kill_rank < o->ranks && o->slow_rank < o->ranks;
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
	wf_random_init(&world->extra, ~options->seed);
	wf_map_init(&world->links);
	wf_pool_init(&world->link_pool, sizeof(struct sim_link), PER_BLOCK);
	wf_pool_init(&world->op_pool, sizeof(struct sim_op), PER_BLOCK);
	wf_pool_init(&world->ep_pool, sizeof(struct sim_ep), PER_BLOCK);
	wf_pool_init(&world->short_pool, SIM_SHORT, PER_BLOCK);
	wf_pool_init(&world->payload_pool, wf_sim_mail_max(&world->options),
		     PER_BLOCK);
	wf_pool_init(&world->held_pool, sizeof(struct sim_held), PER_BLOCK);
	world->ranks = calloc((size_t)options->ranks, sizeof(*world->ranks));
	status = world->ranks ? wf_sim_queue_init(&world->queue) :
				WEFT_ERR_NOMEM;
	if (!status)
		status = create_inproc(world);
	if (status) {
		wf_sim_queue_fini(&world->queue);
		free(world->ranks);
		free(world);
		return status;
	}
	for (int i = 0; i < options->ranks; i++)
		rank_init(world, i);
	*world_p = world;
	return WEFT_OK;
}

/*
 * One mapping for the stacks of very many ranks, each a little below its pages:
 * the canary at its low end lies in the page that the stack below begins with,
 * which is used anyway.
 */
static int map_stacks(struct wf_sim *world, size_t bytes)
{
	void *map;

	if (world->options.ranks <= GUARDED_RANKS)
		return WEFT_OK;
	world->stacks_bytes = (size_t)world->options.ranks * bytes +
			      (size_t)sysconf(_SC_PAGESIZE);
	map = mmap(NULL, world->stacks_bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return WEFT_ERR_NOMEM;
	world->stacks = map;
	return WEFT_OK;
}

static char *stack_of(const struct wf_sim *world, size_t bytes, int rank)
{
	return world->stacks + sysconf(_SC_PAGESIZE) - STACK_SHIFT +
	       bytes * (size_t)rank;
}

static int make_coros(struct wf_sim *world)
{
	size_t bytes = world->options.stack_bytes ?
		       world->options.stack_bytes : wf_coro_stack_bytes();
	int status = map_stacks(world, bytes);

	while (!status && world->coros < world->options.ranks) {
		struct wf_sim_rank *rank = &world->ranks[world->coros];

		if (world->stacks)
			wf_coro_init_at(&rank->coro,
					stack_of(world, bytes, world->coros),
					bytes, rank_main, rank);
		else
			status = wf_coro_init(&rank->coro, bytes, rank_main,
					      rank);
		if (!status)
			world->coros++;
	}
	return status;
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
	wf_sim_see_rest(world);
	if (wf_sim_lacks_memory(world))
		status = WEFT_ERR_NOMEM;
	if (!status)
		*result_p = world->result;
	wf_sim_destroy(world);
	return status;
}
