/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device of a simulated rank and the table of the backend.
 *
 * The rank is the one of the launcher's interface, without one the rank that
 * runs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "boot/boot.h"
#include "transport/backends.h"
#include "transport/limits.h"
#include "transport/line.h"
#include "transport/region.h"
#include "transport/segment.h"
#include "transport/sim/sim_down.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"
#include "transport/stubs.h"

static int query(const struct wf_tp_env *env, char *why, size_t why_bytes)
{
	if (env->world)
		return WEFT_OK;
	if (why_bytes)
		*why = '\0';
	wf_text_add(why, why_bytes, "this process is not a simulated rank");
	return WEFT_ERR_UNSUPPORTED;
}

static uint32_t caps(const struct wf_sim_options *options)
{
	uint32_t bits = WF_CAP_LINE_WAKES | WF_CAP_GET |
			WF_CAP_ATOMIC | WF_CAP_SEES_CLOSED;

	if (!options->ll_lines)
		bits |= WF_CAP_LINE_PLAIN;
	if (!options->no_fence)
		bits |= WF_CAP_FENCE;
	if (options->local_any)
		bits |= WF_CAP_LOCAL_ANY;
	if (options->target_idle)
		bits |= WF_CAP_TARGET_IDLE;
	if (options->put_mail_order)
		bits |= WF_CAP_PUT_MAIL_ORDER;
	return bits;
}

static uint32_t slot_max(const struct wf_sim_options *options, int rank)
{
	uint32_t most = options->slot_max[rank % 2];

	return most ? most : WF_SLOT_NETWORK;
}

static int sim_open(const struct wf_tp_env *env, struct wf_device **dev_p)
{
	struct wf_sim *world = env->world;
	struct sim_device *dev = calloc(1, sizeof(*dev));

	if (!dev)
		return WEFT_ERR_NOMEM;
	dev->env = *env;
	dev->rank = env->boot ? &world->ranks[wf_boot_rank(env->boot)] :
				world->running;
	dev->dev.ops = &wf_sim_tp;
	dev->dev.caps = caps(&world->options);
	dev->dev.line_data = world->options.ll_lines ? WF_LL_DATA :
						       WF_LINE_DATA;
	dev->dev.mail_max = wf_sim_mail_max(&world->options);
	dev->dev.slot_max = slot_max(&world->options, dev->rank->rank);
	dev->dev.chunk = WF_CHUNK_NETWORK;
	dev->dev.arena.dev = &dev->dev;
	dev->dev.arena.base = env->segment->base;
	dev->dev.arena.bytes = env->segment->limit;
	wf_map_init(&dev->eps);
	wf_map_init(&dev->contacted);
	wf_list_init(&dev->dirty);
	dev->rank->dev = dev;
	dev->rank->closed = false;
	*dev_p = &dev->dev;
	return WEFT_OK;
}

/* Who was heard, but has no endpoint here: nobody would answer any more. */
static void refuse_contacted(struct sim_device *dev)
{
	size_t cursor = 0;
	void *link;

	while (wf_map_next(&dev->contacted, &cursor, NULL, &link))
		wf_sim_refuse(dev->rank->world, link);
}

/*
 * Those who have made contact and were not heard get a refusal; a mail that
 * nobody reads any more breaks the connection it came by.
 */
static void empty_inbox(struct wf_sim_rank *rank)
{
	struct wf_sim *world = rank->world;

	for (struct sim_op *op = rank->inbox, *next; op; op = next) {
		next = op->next;
		if (op->kind == SIM_CONTACT)
			wf_sim_refuse(world, op->link);
		if (op->kind == SIM_MAIL) {
			wf_sim_break(op->link);
			wf_sim_forget_mail(world, op);
		} else {
			wf_pool_put(&world->op_pool, op);
		}
	}
	rank->inbox = NULL;
	rank->inbox_end = &rank->inbox;
}

static void sim_close(struct wf_device *wdev)
{
	struct sim_device *dev = sim_device(wdev);
	struct wf_sim_rank *rank = dev->rank;

	if (wf_map_count(&dev->eps))
		wf_sim_violate(rank->world, "rank %d closes its device with "
			       "%zu endpoints", rank->rank,
			       wf_map_count(&dev->eps));
	wf_sim_land_held(rank);
	rank->dev = NULL;
	rank->closed = true;
	refuse_contacted(dev);
	empty_inbox(rank);
	wf_map_fini(&dev->eps);
	wf_map_fini(&dev->contacted);
	free(dev);
}

/* The rank number, as peers of the simulation know it anyway. */
static int sim_address(struct wf_device *wdev, void *to, size_t bytes,
		       size_t *n_p)
{
	const struct sim_device *dev = sim_device(wdev);
	uint32_t rank = (uint32_t)dev->rank->rank;

	if (bytes < sizeof(rank))
		return wf_tp_too_long(&dev->env, "sim", sizeof(rank), bytes);
	memcpy(to, &rank, sizeof(rank));
	*n_p = sizeof(rank);
	return WEFT_OK;
}

/* A world with coroutines has told the living by itself. */
static bool sim_tell(struct wf_device *wdev, int dead_rank)
{
	struct wf_sim_rank *rank = sim_device(wdev)->rank;
	struct wf_sim *world = rank->world;

	if (dead_rank == rank->rank)
		return false;
	if (world->ranks[dead_rank].state != SIM_DEAD)
		wf_sim_violate(world, "rank %d tells that rank %d is dead, "
			       "which is not", rank->rank, dead_rank);
	else
		wf_sim_tell_all(world, dead_rank, rank->rank);
	return false;
}

static int sim_board(struct wf_device *wdev, const struct wf_swap *swap,
		     uint64_t *seen_p)
{
	const struct sim_device *dev = sim_device(wdev);
	struct wf_sim *world = dev->rank->world;
	uint64_t n = (uint64_t)wf_boot_node_size(dev->env.boot);
	uint64_t i = swap->number / WF_BOARD_WORDS % n, *word;
	struct wf_sim_rank *keeper =
		&world->ranks[wf_boot_node_member(dev->env.boot, (int)i)];

	if (keeper->state == SIM_DEAD)
		return WEFT_ERR_PEER;
	word = &keeper->board[swap->number % WF_BOARD_WORDS];
	*seen_p = *word;
	if (*word == swap->expected)
		*word = swap->desired;
	return WEFT_OK;
}

static void sim_memory(const struct wf_device *wdev, struct wf_tp_memory *m_p)
{
	(void)wdev;
	m_p->fixed = sizeof(struct sim_device);
	m_p->per_ep = sizeof(struct sim_ep) + sizeof(struct sim_link);
}

const struct wf_tp_ops wf_sim_tp = {
	"sim",
	query,
	wf_stub_offer,
	wf_stub_forget,
	sim_open,
	sim_close,
	wf_region_reg,
	wf_region_release,
	wf_sim_key,
	wf_stub_reach,
	sim_address,
	wf_sim_connect,
	wf_sim_disconnect,
	wf_sim_fence,
	wf_sim_progress,
	wf_stub_arm,
	wf_stub_disarm,
	wf_stub_descriptor,
	wf_stub_joined,
	sim_tell,
	sim_board,
	sim_memory
};
