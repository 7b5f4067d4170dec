/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a device gains by it, the buffers of a persistent exchange are
 * registered while the request lives: as far as they are long and not
 * registered anyway, once where they lie side by side, apart from all other
 * memory, and all of them or none.
 */
#include <sys/mman.h>
#include <weft.h>
#include "plan/request_run.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	EDGES = 5,
	ROOM = 1 << 18
};

/* The first two side by side, the third pages away, the fourth short. */
static const size_t counts[EDGES] = { 3000, 3001, 5000, 500, 80000 };
static const ptrdiff_t displs[EDGES] = { 0, 3000, 40960, 100000, 150000 };

struct scene {
	bool pays;			/* the device's bit */
	bool arena;
	bool known;			/* the program has registered it */
	bool left;			/* to the job, which closes */
	bool messages;			/* of p2p, in place of an exchange */
	int room;			/* registrations that can be had */
	int pinned;			/* that there are then */
};

static struct wf_tp_ops ops;
static const struct wf_tp_ops *real;
static int room, live;
static int keys;			/* made of what is pinned */

static int counted_reg(struct wf_device *dev, void *base, size_t bytes,
		       struct wf_region **region_p)
{
	if (live == room)
		return WEFT_ERR_NOMEM;
	live++;
	return real->reg(dev, base, bytes, region_p);
}

static void counted_release(struct wf_region *region)
{
	live--;
	real->release(region);
}

static int counted_key(struct wf_region *region, uint64_t offset,
		       struct wf_rloc *to_p)
{
	keys += region->apart;
	return real->key(region, offset, to_p);
}

static void count(struct wf_device *dev, const struct scene *scene)
{
	real = dev->ops;
	ops = *real;
	ops.reg = counted_reg;
	ops.release = counted_release;
	ops.key = counted_key;
	dev->ops = &ops;
	room = scene->room;
	live = keys = 0;
	if (scene->pays)
		dev->caps |= WF_CAP_REG_PAYS;
}

/* The region that has all of the message along an edge; NULL: none. */
static struct wf_region *region_of(struct wf_run *run, enum wf_step_kind kind,
				   size_t bytes)
{
	const struct wf_device *dev = run->set->comm->job->dev[0];

	for (int i = 0; i < run->plan->nsteps; i++) {
		const struct wf_step *s = &run->plan->step[i];
		struct wf_leg leg;

		if (s->kind != kind || s->bytes != bytes)
			continue;
		leg = wf_run_leg(run, (uint32_t)i,
				 kind == WF_STEP_SEND ? s->from : s->to);
		return wf_leg_source(&leg, dev, leg.data, bytes).region;
	}
	return NULL;
}

/* Of more than is registered there is none, nor of what lies between. */
static void check_bounds(struct wf_run *run, struct wf_region *first)
{
	const struct wf_device *dev = run->set->comm->job->dev[0];
	const struct wf_leg leg = { .run = run };
	const char *at = first->base;

	TAP_EQUAL(first->bytes, 6001);
	TAP_CHECK(wf_leg_source(&leg, dev, at + 6000, 1).region == first);
	TAP_CHECK(!wf_leg_source(&leg, dev, at + 6000, 2).region);
	TAP_CHECK(!wf_leg_source(&leg, dev, at + 6001, 1).region);
	TAP_CHECK(!wf_leg_source(&leg, dev, at - 1, 1).region);
}

static void check_pins(struct wf_run *run)
{
	struct wf_region *first = region_of(run, WF_STEP_SEND, counts[0]);
	struct wf_region *third = region_of(run, WF_STEP_SEND, counts[2]);
	struct wf_region *last = region_of(run, WF_STEP_RECV, counts[4]);

	if (!TAP_CHECK(first) || !TAP_CHECK(third) || !TAP_CHECK(last))
		return;
	TAP_CHECK(first->apart && third->apart && last->apart);
	TAP_CHECK(region_of(run, WF_STEP_SEND, counts[1]) == first);
	TAP_CHECK(third != first);
	TAP_CHECK(!region_of(run, WF_STEP_SEND, counts[3]));
	TAP_CHECK(region_of(run, WF_STEP_SEND, counts[4]));
	/* What lands in a slot is copied out of it. */
	TAP_CHECK(!region_of(run, WF_STEP_RECV, counts[2]));
	check_bounds(run, first);
}

static void exchange(struct weft_request *req, const char *from, char *to)
{
	for (int round = 0; round < 3; round++) {
		memset(to, 0, ROOM);
		TAP_EQUAL(weft_request_start(req), WEFT_OK);
		TAP_EQUAL(weft_request_wait(req), WEFT_OK);
		for (int i = 0; i < EDGES; i++)
			TAP_EQUAL(memcmp(to + displs[i], from + displs[i],
					 counts[i]), 0);
	}
}

static void use(const struct scene *scene, struct weft_comm *graph, char *from,
		char *to)
{
	struct weft_vec send = { .base = from, .type = &weft_type_byte,
				 .counts = counts, .displs = displs };
	struct weft_vec recv = send;
	struct weft_request *req;
	int before = live;

	recv.base = to;
	for (int i = 0; i < ROOM; i++)
		from[i] = (char)(i % 251);
	if (!TAP_EQUAL(weft_neighbor_alltoallv_init(graph, &send, &recv, &req),
		       WEFT_OK))
		return;
	TAP_EQUAL(live - before, scene->pinned);
	if (scene->pinned)
		check_pins(&wf_run_request(req)->run);
	exchange(req, from, to);
	if (scene->left)
		return;
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	TAP_EQUAL(live, before);
}

/* ---- persistent messages ---- */

struct message {
	size_t n;
	int to, from;
	bool buffered;
	int pinned;
};

static void send_and_receive(struct weft_request **req, const char *from,
			     char *to, size_t n)
{
	for (int round = 0; round < 3; round++) {
		memset(to, 0, n);
		TAP_EQUAL(weft_request_start_all(req, 2), WEFT_OK);
		TAP_EQUAL(weft_request_wait_all(req, 2, NULL), WEFT_OK);
		TAP_EQUAL(memcmp(to, from, n), 0);
	}
}

static void use_message(struct weft_comm *world, const struct message *m,
			char *from, char *to)
{
	const struct weft_type *type = &weft_type_byte;
	struct weft_request *req[2];
	int before = live, keys_before = keys;

	TAP_EQUAL((m->buffered ? weft_bsend_init : weft_send_init)(
		world, from, m->n, type, weft_to(m->to, 7), &req[0]), WEFT_OK);
	TAP_EQUAL(weft_recv_init(world, to, m->n, type, weft_from(m->from, 7),
				 &req[1]), WEFT_OK);
	TAP_EQUAL(live - before, m->pinned);
	if (m->to != WEFT_PROC_NULL)
		send_and_receive(req, from, to, m->n);
	TAP_EQUAL(keys > keys_before, m->pinned > 0);
	TAP_EQUAL(live - before, m->pinned);
	for (int i = 0; i < 2; i++)
		TAP_EQUAL(weft_request_free(&req[i]), WEFT_OK);
	TAP_EQUAL(live, before);
}

static void use_messages(const struct scene *scene, struct weft_comm *world,
			 char *from, char *to)
{
	const int me = weft_comm_rank(world), any = WEFT_ANY_SOURCE;
	const struct message messages[] = {
		{ 80000, me, me, false, 2 }, { 80000, me, any, false, 2 },
		{ 8193, me, me, false, 2 }, { 8192, me, me, false, 0 },
		{ 0, me, me, false, 0 }, { 80000, me, me, true, 1 },
		{ 80000, WEFT_PROC_NULL, WEFT_PROC_NULL, false, 0 }
	};
	static char buffer[ROOM];
	struct weft_job *job = weft_comm_job(world);
	struct weft_request *left;

	for (int i = 0; i < ROOM; i++)
		from[i] = (char)(i % 251);
	TAP_EQUAL(weft_buffer_attach(job, buffer, ROOM), WEFT_OK);
	for (size_t i = 0; i < TAP_COUNT(messages); i++)
		use_message(world, &messages[i], from, to);
	if (scene->left)
		TAP_EQUAL(weft_recv_init(world, to, ROOM, &weft_type_byte,
					 weft_from(me, 7), &left), WEFT_OK);
}

static char *take(struct weft_job *job, bool arena)
{
	void *p = NULL;

	if (arena)
		TAP_EQUAL(weft_mem_alloc(job, ROOM, &p), WEFT_OK);
	else
		p = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p;
}

static void give(struct weft_job *job, bool arena, char *p)
{
	if (arena)
		weft_mem_free(job, p);
	else
		munmap(p, ROOM);
}

static void use_known(const struct scene *scene, struct sim_flow *flow,
		      char *from, char *to)
{
	struct weft_mem *mem[2];

	TAP_EQUAL(weft_mem_register(flow->job, from, ROOM, &mem[0]), WEFT_OK);
	TAP_EQUAL(weft_mem_register(flow->job, to, ROOM, &mem[1]), WEFT_OK);
	use(scene, flow->graph, from, to);
	weft_mem_unregister(&mem[0]);
	weft_mem_unregister(&mem[1]);
}

static int to_self(int from, int to, int ranks)
{
	(void)ranks;
	return from == to ? EDGES : 0;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	static const struct sim_flow_shape shape = { to_self, NULL, 0, 0 };
	const struct scene *scene = arg;
	struct sim_flow flow;
	char *from, *to;

	if (!sim_flow_join(&flow, &shape, rank))
		return;
	count(flow.job->dev[0], scene);
	from = take(flow.job, scene->arena);
	to = take(flow.job, scene->arena);
	if (scene->known)
		use_known(scene, &flow, from, to);
	else if (scene->messages)
		use_messages(scene, weft_job_world(flow.job), from, to);
	else
		use(scene, flow.graph, from, to);
	give(flow.job, scene->arena, from);
	give(flow.job, scene->arena, to);
	sim_flow_part(&flow);
	TAP_EQUAL(live, 0);
}

static void play(struct scene scene)
{
	sim_flow_seeds(1, 4, NULL, program, &scene);
}

/* Of what is sent three pieces, of what is received one. */
static void while_it_lives(void)
{
	play((struct scene){ .pays = true, .room = 100, .pinned = 4 });
}

static void until_the_job_closes(void)
{
	play((struct scene){ .pays = true, .left = true, .room = 100,
			     .pinned = 4 });
}

static void arena(void)
{
	play((struct scene){ .pays = true, .arena = true, .room = 100 });
}

static void known(void)
{
	play((struct scene){ .pays = true, .known = true, .room = 100 });
}

static void no_gain(void)
{
	play((struct scene){ .room = 100 });
}

static void all_or_none(void)
{
	for (int n = 0; n < 4; n++)
		play((struct scene){ .pays = true, .room = n });
}

static void messages(void)
{
	play((struct scene){ .pays = true, .messages = true, .room = 100 });
	play((struct scene){ .pays = true, .messages = true, .room = 100,
			     .left = true });
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "while the request lives", while_it_lives },
		{ "until the job closes", until_the_job_closes },
		{ "memory of the arena is registered as it is", arena },
		{ "memory that the program has registered", known },
		{ "where nothing is gained", no_gain },
		{ "all or none", all_or_none },
		{ "long persistent messages", messages },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
