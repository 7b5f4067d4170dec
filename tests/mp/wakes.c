/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whatever a rank waits for, it sleeps meanwhile, and goes on soon after that
 * has come.  The other rank does nothing before it sees it asleep.  A sleep
 * that nothing ends takes far longer here than a busy machine delays a process.
 * tests/mp/verbs.t runs it, too, where there is a device.
 */
#include <unistd.h>

#include "base/clock.h"
#include "job/job.h"
#include "tests/mp/asleep.h"
#include "tests/ranks.h"
#include "tests/tap.h"

#include <weft.h>

enum {
	SLEEPER = 0,
	WAKER = 1,
	RANKS = 2,
	ROUNDS = 10,
	SLOT = 3000,
	LONG = 300000,
	SIGNAL = 3,			/* its number */
	READY_TAG = 1,
	CAME_TAG = 2,
	MAIL_TAG = 3,
	SLEEP_MS = 10000,		/* at most */
	PROMPT_MS = 2000
};

static struct weft_job *job;
static struct weft_comm *world;
static int me, sleeper_pid;

/* What the sleeper waits for, and what the other one does. */
struct scene {
	int (*await)(struct scene *s, int round);
	int (*wake)(struct scene *s, int round);
	size_t bytes;
	struct weft_comm *graph;	/* from the one to the other */
	struct weft_region *region;
	struct weft_signal *signal;
	char *memory;
};

static void say(int tag, uint64_t value)
{
	TAP_EQUAL(weft_send(world, &value, 1, &weft_type_uint64,
			    weft_to(SLEEPER + WAKER - me, tag)), WEFT_OK);
}

static uint64_t hear(int tag)
{
	uint64_t value = 0;

	TAP_EQUAL(weft_recv(world, &value, 1, &weft_type_uint64,
			    weft_from(SLEEPER + WAKER - me, tag), NULL),
		  WEFT_OK);
	return value;
}

static void sleep_once(struct scene *s, int round)
{
	uint64_t slept, over, came;

	say(READY_TAG, 0);
	slept = job->sleeps.taken;
	TAP_EQUAL(s->await(s, round), WEFT_OK);
	over = wf_clock_ns();
	TAP_CHECK(job->sleeps.taken > slept);
	came = hear(CAME_TAG);
	if (!TAP_CHECK(over < came + PROMPT_MS * WF_NS_PER_MS))
		tap_diag("%lld ms", (long long)(over - came) / 1000000);
}

static void wake_once(struct scene *s, int round)
{
	uint64_t began = wf_clock_ns();

	hear(READY_TAG);
	while (!is_asleep(sleeper_pid) &&
	       wf_clock_ns() - began < SLEEP_MS * WF_NS_PER_MS)
		;
	began = wf_clock_ns();
	TAP_EQUAL(s->wake(s, round), WEFT_OK);
	say(CAME_TAG, began);
}

static void play(struct scene *s)
{
	for (int round = 1; round <= ROUNDS; round++) {
		if (me == SLEEPER)
			sleep_once(s, round);
		else
			wake_once(s, round);
	}
}

/* ---- what comes ---- */

/* Of so many bytes, each of them the round. */
static int exchange(struct scene *s, int round)
{
	ptrdiff_t displ = 0;
	struct weft_vec vec = { .base = s->memory, .type = &weft_type_byte,
				.counts = &s->bytes, .displs = &displ };
	int status;

	memset(s->memory, me == WAKER ? round : 0, s->bytes);
	status = weft_neighbor_alltoallv(s->graph, &vec, &vec);
	TAP_EQUAL(s->memory[s->bytes - 1], round);
	return status;
}

static void play_exchange(size_t bytes)
{
	int other = SLEEPER + WAKER - me;
	struct weft_edges none = { 0 }, one = { 1, &other, NULL };
	struct scene s = { .await = exchange, .wake = exchange,
			   .bytes = bytes, .memory = malloc(bytes) };

	if (TAP_EQUAL(weft_graph_create_adjacent(
			world, me == SLEEPER ? &one : &none,
			me == WAKER ? &one : &none, NULL, false, &s.graph),
		      WEFT_OK))
		play(&s);
	TAP_EQUAL(weft_comm_free(&s.graph), WEFT_OK);
	free(s.memory);
}

static void lines(void)
{
	play_exchange(8);
}

static void slots(void)
{
	play_exchange(SLOT);
}

static void chunks(void)
{
	play_exchange(LONG);
}

static int await_signal(struct scene *s, int round)
{
	int status = weft_signal_wait(s->signal, (uint64_t)round);

	if (s->bytes)
		TAP_EQUAL(*(char *)weft_region_base(s->region), round);
	return status;
}

static int put_and_raise(struct scene *s, int round)
{
	struct weft_target to = { s->region, SLEEPER, 0 };
	char value = (char)round;
	int status = weft_put_signal(&to, &value, s->bytes, SIGNAL, NULL);

	return status ? status : weft_flush(s->region, SLEEPER,
					    WEFT_FLUSH_LOCAL);
}

static void play_signal(size_t bytes)
{
	struct scene s = { .await = await_signal, .wake = put_and_raise,
			   .bytes = bytes };

	if (!TAP_EQUAL(weft_region_create(world, NULL, SLOT, &s.region),
		       WEFT_OK))
		return;
	TAP_EQUAL(weft_signal_create(s.region, WAKER, SIGNAL, &s.signal),
		  WEFT_OK);
	play(&s);
	TAP_EQUAL(weft_region_free(&s.region), WEFT_OK);
}

static void signals(void)
{
	play_signal(0);
}

static void puts_with_signals(void)
{
	play_signal(1);
}

static int await_mail(struct scene *s, int round)
{
	(void)s;
	TAP_EQUAL(hear(MAIL_TAG), round);
	return WEFT_OK;
}

static int mail(struct scene *s, int round)
{
	(void)s;
	say(MAIL_TAG, (uint64_t)round);
	return WEFT_OK;
}

static void mails(void)
{
	struct scene s = { .await = await_mail, .wake = mail };

	play(&s);
}

static void tell_pid(void)
{
	int64_t pid = me == SLEEPER ? getpid() : 0, sum = 0;

	TAP_EQUAL(weft_allreduce(world, &pid,
				 weft_part(&sum, 1, &weft_type_int64),
				 &weft_op_sum), WEFT_OK);
	sleeper_pid = (int)sum;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a line", lines },
		{ "a slot", slots },
		{ "chunks", chunks },
		{ "a signal", signals },
		{ "a put with a signal", puts_with_signals },
		{ "a mail", mails }
	};
	int result;

	ranks_start(argc, argv, RANKS, 60);
	if (weft_job_open(NULL, &job))
		return 1;
	job->sleeps.most_ms = SLEEP_MS;
	world = weft_job_world(job);
	me = weft_job_rank(job);
	tap_rank(me);
	tell_pid();
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : result;
}
