/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits that sleep: with more ranks than cores, and pauses of about the time
 * after which a wait sleeps, so that what wakes it comes at all moments of
 * falling asleep.  A sleep that only its bound ends although something was
 * there is a lost wake-up; each rank counts them.  The bound is so long here
 * that no busy machine delays a process for that time.
 */
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/random.h"
#include "job/job.h"
#include "tests/ranks.h"
#include "tests/tap.h"

#include <weft.h>

enum {
	RANKS = 4,
	LINE = 8,
	SLOT = 3000,
	LONG = 70000,
	SLEEP_US = 300,			/* WEFT_SLEEP */
	PAUSE_US = 3 * SLEEP_US,	/* at most */
	WAIT_MS = 2000,
	MOST_MS = 5000			/* of a sleep */
};

static struct weft_job *job;
static struct wf_random random_;
static int rounds;

static void pause_us(uint64_t us)
{
	struct timespec t = { .tv_sec = (time_t)(us / 1000000),
			      .tv_nsec = (long)(us % 1000000) * 1000 };

	nanosleep(&t, NULL);
}

/* Every other time, and never of the same length. */
static void pause_sometimes(void)
{
	uint64_t draw = wf_random_u64(&random_);

	if (draw & 1)
		pause_us((draw >> 1) % PAUSE_US);
}

/* ---- what is done between pauses ---- */

struct scene {
	struct weft_comm *graph;
	size_t bytes;
	size_t counts[1];
	ptrdiff_t displs[1];
	struct weft_vec send, recv;
	char *in, *out;
};

/* One way round: who is behind waits for credits, too. */
static bool make_ring(struct scene *s, size_t bytes)
{
	int me = weft_job_rank(job), n = weft_job_size(job);
	int from = (me + n - 1) % n, to = (me + 1) % n;
	struct weft_edges in = { 1, &from, NULL }, out = { 1, &to, NULL };

	s->bytes = s->counts[0] = bytes;
	s->displs[0] = 0;
	s->in = malloc(bytes);
	s->out = malloc(bytes);
	s->send = (struct weft_vec){ .base = s->in, .type = &weft_type_byte,
				     .counts = s->counts,
				     .displs = s->displs };
	s->recv = s->send;
	s->recv.base = s->out;
	return TAP_EQUAL(weft_graph_create_adjacent(
			weft_job_world(job), &in, &out, NULL, false,
			&s->graph), WEFT_OK);
}

static void free_ring(struct scene *s)
{
	TAP_EQUAL(weft_comm_free(&s->graph), WEFT_OK);
	free(s->in);
	free(s->out);
}

static void pass_on(struct scene *s, int round)
{
	int me = weft_job_rank(job), n = weft_job_size(job);

	memset(s->in, me + round, s->bytes);
	TAP_EQUAL(weft_neighbor_alltoallv(s->graph, &s->send, &s->recv),
		  WEFT_OK);
	TAP_EQUAL(s->out[s->bytes - 1], (char)((me + n - 1) % n + round));
}

/* Of several ranks one may find everything there, whenever it comes. */
static void no_wake_up_is_lost(const struct wf_sleeps *before)
{
	uint64_t mine = job->sleeps.taken - before->taken, all = 0;

	TAP_EQUAL(job->sleeps.late - before->late, 0);
	TAP_EQUAL(weft_allreduce(weft_job_world(job), &mine,
				 weft_part(&all, 1, &weft_type_uint64),
				 &weft_op_sum), WEFT_OK);
	TAP_CHECK(all > 0);
}

static void exchanges_of(size_t bytes)
{
	struct wf_sleeps before = job->sleeps;
	struct scene s;

	if (!make_ring(&s, bytes))
		return;
	for (int i = 0; i < rounds; i++) {
		pause_sometimes();
		pass_on(&s, i);
	}
	free_ring(&s);
	no_wake_up_is_lost(&before);
}

static void lines(void)
{
	exchanges_of(LINE);
}

static void slots(void)
{
	exchanges_of(SLOT);
}

static void chunks(void)
{
	exchanges_of(LONG);
}

static void collectives(void)
{
	struct wf_sleeps before = job->sleeps;
	struct weft_comm *world = weft_job_world(job);

	for (int i = 0; i < rounds; i++) {
		int64_t one = i, sum = 0;

		pause_sometimes();
		if (i % 2)
			TAP_EQUAL(weft_barrier(world), WEFT_OK);
		else
			TAP_EQUAL(weft_allreduce(world, &one,
						 weft_part(&sum, 1,
							   &weft_type_int64),
						 &weft_op_sum), WEFT_OK);
		TAP_EQUAL(sum, i % 2 ? 0 : (int64_t)i * RANKS);
	}
	no_wake_up_is_lost(&before);
}

/* One rank is late, all others sleep. */
static void pause_in_turn(int round)
{
	if (round % RANKS == weft_job_rank(job))
		pause_us(2 * PAUSE_US);
}

/* New communicators talk by mail. */
static void mails(void)
{
	struct wf_sleeps before = job->sleeps;

	for (int i = 0; i < rounds / 10; i++) {
		struct scene s;

		pause_in_turn(i);
		if (!make_ring(&s, LINE))
			return;
		pause_in_turn(i + 1);
		pass_on(&s, i);
		free_ring(&s);
	}
	no_wake_up_is_lost(&before);
}

/* ---- what a wait costs ---- */

static double cpu_ms(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
}

static void waiting_is_cheap(void)
{
	uint64_t slept;
	double began, used;

	TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
	slept = job->sleeps.taken;
	began = cpu_ms();
	if (weft_job_rank(job) == RANKS - 1)
		pause_us((uint64_t)WAIT_MS * 1000);
	TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
	used = cpu_ms() - began;
	if (!TAP_CHECK(used <= 0.1 * WAIT_MS) || weft_job_rank(job) == 0)
		tap_diag("%.1f ms of CPU in a wait of %d ms, which slept %d "
			 "times", used, WAIT_MS,
			 (int)(job->sleeps.taken - slept));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a long wait takes little CPU", waiting_is_cheap },
		{ "lines", lines },
		{ "slots", slots },
		{ "chunks", chunks },
		{ "collectives", collectives },
		{ "mails", mails }
	};
	int result;

	setenv("WEFT_SLEEP", "300us", 1);
	ranks_start(argc, argv, RANKS, 240);
	rounds = (int)tap_figure("PAUSES", 500);
	if (weft_job_open(NULL, &job))
		return 1;
	job->sleeps.most_ms = MOST_MS;
	wf_random_init(&random_, (uint64_t)weft_job_rank(job));
	tap_rank(weft_job_rank(job));
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : result;
}
