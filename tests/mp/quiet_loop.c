/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations of quiet_loop.h, without growth and with a wait that spins.
 * Each loop runs in a thread of its own, so that a watch may take from that
 * what the main thread needs to open and close the job.
 */
#include "tests/mp/quiet_loop.h"

#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "tests/fail_malloc.h"
#include "tests/ranks.h"
#include "tests/tap.h"

enum {
	RANKS = 2,
	FEW = 30,		/* times, of a large one */
	TOO_LONG_NS = 100000000	/* somebody else had the CPU: a wait that is
				 * twice as old may probe its peer */
};

static struct weft_job *job;
static size_t large;		/* bytes */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void judge_one(struct quiet_verdict *v)
{
	uint64_t began = now_ns();
	int calls_before = quiet_watch.calls;

	fail_malloc_at(0);
	quiet_watch.armed = true;
	v->failed += v->scene->once(v->scene) != WEFT_OK;
	quiet_watch.armed = false;
	if (now_ns() - began > TOO_LONG_NS) {
		quiet_watch.calls = calls_before;
		return;
	}
	v->judged++;
	v->loud += quiet_watch.calls != calls_before;
	v->allocations += fail_malloc_count();
	v->frees += fail_malloc_frees();
}

static void *loop(void *arg)
{
	struct quiet_verdict *v = arg;
	void *volatile first = malloc(1);

	/* A thread's first allocation makes its arena, by system calls. */
	free(first);
	v->filter = quiet_watch.begin();
	for (int i = 0; i < v->scene->times; i++)
		judge_one(v);
	/*
	 * Who is through with the last one frees its graph, by mails, maybe
	 * before this rank is through with it: that one is not judged.
	 */
	v->failed += v->scene->once(v->scene) != WEFT_OK;
	return NULL;
}

struct weft_job *quiet_job(void)
{
	return job;
}

void quiet_heard(int call, const char *name)
{
	if (!quiet_watch.armed || quiet_watch.calls++)
		return;
	quiet_watch.first_call = call;
	quiet_watch.first_name = name;
}

bool quiet_listen(struct quiet_scene *scene, struct quiet_verdict *verdict)
{
	pthread_t thread;

	*verdict = (struct quiet_verdict){ .scene = scene };
	quiet_watch.calls = 0;
	if (!TAP_EQUAL(pthread_create(&thread, NULL, loop, verdict), 0))
		return false;
	pthread_join(thread, NULL);
	return TAP_EQUAL(verdict->filter, 0);
}

static void judge(struct quiet_scene *scene)
{
	struct quiet_verdict v;

	for (int i = 0; i < scene->warm; i++)
		TAP_EQUAL(scene->once(scene), WEFT_OK);
	if (!quiet_listen(scene, &v))
		return;
	TAP_EQUAL(v.failed, 0);
	TAP_CHECK(v.judged > scene->times / 2);
	if (!TAP_EQUAL(v.loud, 0))
		tap_diag("%d calls, the first is %s, number %d",
			 quiet_watch.calls, quiet_watch.first_name ?
			 quiet_watch.first_name : "one of the system",
			 quiet_watch.first_call);
	if (scene->allocates)
		return;
	TAP_EQUAL(v.allocations, 0);
	TAP_EQUAL(v.frees, 0);
}

/* ---- the operations ---- */

static int blocking(struct quiet_scene *s)
{
	return weft_neighbor_alltoallv(s->graph, &s->send, &s->recv);
}

static int persistent(struct quiet_scene *s)
{
	int status = weft_request_start(s->req);

	return status ? status : weft_request_wait(s->req);
}

static int nonblocking(struct quiet_scene *s)
{
	struct weft_request *req;
	int status = weft_ineighbor_alltoallv(s->graph, &s->send,
					      &s->recv, &req);

	if (!status)
		status = weft_request_wait(req);
	return status ? status : weft_request_free(&req);
}

static int allreduce(struct quiet_scene *s)
{
	return weft_allreduce(s->graph, s->in,
			      weft_part(s->out, s->bytes / 8,
					&weft_type_double), &weft_op_sum);
}

static int barrier(struct quiet_scene *s)
{
	return weft_barrier(s->graph);
}

/* Numbers of 8 bytes, by turns to the other rank and to oneself. */
static int packets(struct quiet_scene *s)
{
	const size_t n = 2 * s->bytes / 8;

	return weft_dist_exch(s->dist, &(struct weft_packets){
		s->in, n, 1, &weft_type_double
	}, &(struct weft_packets){ s->out, n, 1, &weft_type_double });
}

static int sums(struct quiet_scene *s)
{
	const size_t n = 2 * s->bytes / 8;

	return weft_dist_exch_reduce(s->dist, &(struct weft_packets){
		s->in, n, 1, &weft_type_double
	}, &weft_op_sum, &(struct weft_packets){
		s->out, n, 1, &weft_type_double
	});
}

static bool make_dist(struct quiet_scene *s)
{
	size_t n = 2 * s->bytes / 8;
	struct weft_remote *to = malloc(n * sizeof(*to));

	if (!TAP_CHECK(to))
		return false;
	for (size_t i = 0; i < n; i++)
		to[i] = (struct weft_remote){ (int32_t)(i % 2),
					      (int32_t)(n / 2 - 1 - i / 2) };
	TAP_EQUAL(weft_dist_create(weft_job_world(job), to, n,
				   (int32_t)n, &s->dist), WEFT_OK);
	free(to);
	return s->dist;
}

/* Its receive is there before it is sent: an early message takes memory. */
static int message(struct quiet_scene *s)
{
	int status = weft_request_start(s->message[0]);

	if (!status)
		status = weft_request_wait_all(s->message, 2, NULL);
	if (!status)
		status = weft_request_start(s->message[1]);
	return status ? status : weft_barrier(s->graph);
}

static bool take(struct quiet_scene *s, void **p, struct weft_mem **mem)
{
	size_t bytes = 2 * s->bytes;

	if (s->memory == QUIET_ARENA)
		return TAP_EQUAL(weft_mem_alloc(job, bytes, p), WEFT_OK);
	*p = malloc(bytes);
	if (!TAP_CHECK(*p))
		return false;
	return s->memory == QUIET_OWN ||
	       TAP_EQUAL(weft_mem_register(job, *p, bytes, mem), WEFT_OK);
}

static void give(const struct quiet_scene *s, void *p, struct weft_mem **mem)
{
	weft_mem_unregister(mem);
	if (s->memory == QUIET_ARENA)
		weft_mem_free(job, p);
	else
		free(p);
}

/* To the other rank and back, and along a self edge. */
static bool make_graph(struct quiet_scene *s)
{
	int me = weft_job_rank(job);
	int ranks[2] = { 1 - me, me };
	struct weft_edges edges = { 2, ranks, NULL };

	if (!TAP_EQUAL(weft_graph_create_adjacent(weft_job_world(job), &edges,
						  &edges, NULL, false,
						  &s->graph), WEFT_OK))
		return false;
	if (!take(s, &s->in, &s->mem[0]) || !take(s, &s->out, &s->mem[1]))
		return false;
	memset(s->in, 1, 2 * s->bytes);
	s->counts[0] = s->counts[1] = s->bytes;
	s->displs[1] = (ptrdiff_t)s->bytes;
	s->send = (struct weft_vec){ .base = s->in, .type = &weft_type_byte,
				     .counts = s->counts,
				     .displs = s->displs };
	s->recv = s->send;
	s->recv.base = s->out;
	return true;
}

/*
 * Behind all mails before: those by which the graph of the other rank goes
 * would else free memory in the next loop.
 */
static void meet(void)
{
	struct weft_comm *world = weft_job_world(job);
	int me = weft_job_rank(job);
	const struct weft_outgoing out = { NULL, 0, &weft_type_byte,
					   weft_to(1 - me, 0) };
	const struct weft_incoming in = { NULL, 0, &weft_type_byte,
					  weft_from(1 - me, 0) };

	TAP_EQUAL(weft_sendrecv(world, &out, &in, NULL), WEFT_OK);
}

static void judge_message(struct quiet_scene *s)
{
	const struct weft_type *type = &weft_type_byte;
	struct weft_request **m = s->message;
	int other = 1 - weft_job_rank(job);

	TAP_EQUAL(weft_send_init(s->graph, s->in, s->bytes, type,
				 weft_to(other, 0), &m[0]), WEFT_OK);
	TAP_EQUAL(weft_recv_init(s->graph, s->out, s->bytes, type,
				 weft_from(other, 0), &m[1]), WEFT_OK);
	TAP_EQUAL(weft_request_start(m[1]), WEFT_OK);
	TAP_EQUAL(weft_barrier(s->graph), WEFT_OK);
	judge(s);
	TAP_EQUAL(weft_request_start(m[0]), WEFT_OK);
	TAP_EQUAL(weft_request_wait_all(m, 2, NULL), WEFT_OK);
	for (int i = 0; i < 2; i++)
		TAP_EQUAL(weft_request_free(&m[i]), WEFT_OK);
}

static void run(struct quiet_scene s)
{
	s.times = s.bytes == large ? FEW : 10 * FEW;
	if (sysconf(_SC_NPROCESSORS_ONLN) < RANKS) {
		tap_skip("%d ranks on one CPU must yield", RANKS);
		return;
	}
	if (!make_graph(&s))
		return;
	if (s.once == message)
		judge_message(&s);
	else if ((s.once == packets || s.once == sums) && !make_dist(&s))
		return;
	else if (s.once != persistent ||
		 TAP_EQUAL(weft_neighbor_alltoallv_init(s.graph, &s.send,
							&s.recv, &s.req),
			   WEFT_OK))
		judge(&s);
	TAP_EQUAL(weft_request_free(&s.req), WEFT_OK);
	TAP_EQUAL(weft_dist_free(&s.dist), WEFT_OK);
	TAP_EQUAL(weft_comm_free(&s.graph), WEFT_OK);
	give(&s, s.in, &s.mem[0]);
	give(&s, s.out, &s.mem[1]);
	meet();
}

static void run_sizes(struct quiet_scene s)
{
	const size_t bytes[] = { 8, 4096, 16384, 65536, large };

	for (int i = 0; i < TAP_COUNT(bytes); i++) {
		s.bytes = bytes[i];
		run(s);
	}
}

static void quiet_persistent(void)
{
	run_sizes((struct quiet_scene){ .once = persistent, .warm = 1 });
}

static void quiet_blocking(void)
{
	run_sizes((struct quiet_scene){ .once = blocking, .warm = 1 });
}

static void quiet_nonblocking(void)
{
	run_sizes((struct quiet_scene){ .once = nonblocking, .warm = 1 });
}

static void quiet_packets(void)
{
	const size_t bytes[] = { 8, 512, 4096, 65536 };
	struct quiet_scene s = { .once = packets, .warm = 1 };

	for (int i = 0; i < TAP_COUNT(bytes); i++) {
		s.bytes = bytes[i];
		run(s);
	}
}

static void quiet_sums(void)
{
	const size_t bytes[] = { 8, 512, 4096, 65536 };
	struct quiet_scene s = { .once = sums, .warm = 1 };

	for (int i = 0; i < TAP_COUNT(bytes); i++) {
		s.bytes = bytes[i];
		run(s);
	}
}

static void quiet_registered(void)
{
	struct quiet_scene s = { .once = persistent, .warm = 1,
				 .memory = QUIET_REGISTERED };

	run_sizes(s);
	s.once = blocking;
	run_sizes(s);
}

/*
 * So many as every transport copies, what the request has registered, or any
 * where nothing need be.
 */
static void quiet_own(void)
{
	struct quiet_scene s = { .once = persistent, .warm = 1,
				 .memory = QUIET_OWN, .bytes = 1000 };

	run(s);
	s.once = blocking;
	run(s);
	s.once = persistent;
	run_sizes(s);
	s.once = blocking;
	if (!quiet_watch.registers)
		run_sizes(s);
}

/*
 * The first ones of the barrier go by mail.  Of more than a mail takes the
 * receiver makes a note when it comes.
 */
static void quiet_message(void)
{
	struct quiet_scene s = { .once = message, .warm = 6, .bytes = 8 };

	run(s);
	s.memory = QUIET_OWN;
	s.allocates = true;
	s.bytes = large;
	if (quiet_watch.registers)
		run(s);
}

/* The first four go by mail, the fifth opens the channels. */
static void quiet_allreduce(void)
{
	run_sizes((struct quiet_scene){ .once = allreduce, .warm = 6 });
}

static void quiet_barrier(void)
{
	run((struct quiet_scene){ .once = barrier, .warm = 6, .bytes = 8 });
}

int quiet_main(int argc, char **argv, void (*seen)(void), size_t large_bytes)
{
	const struct tap_case cases[] = {
		{ "loud ones are seen", seen },
		{ "persistent exchanges", quiet_persistent },
		{ "blocking exchanges", quiet_blocking },
		{ "nonblocking exchanges", quiet_nonblocking },
		{ "packets of a Dist", quiet_packets },
		{ "sums of a Dist", quiet_sums },
		{ "of registered memory", quiet_registered },
		{ "of other memory", quiet_own },
		{ "persistent messages", quiet_message },
		{ "allreduce", quiet_allreduce },
		{ "barrier", quiet_barrier }
	};
	int result;

	large = large_bytes;
	setenv("WEFT_SPIN", "1000000000000", 1);
	ranks_start(argc, argv, RANKS, 60);
	if (weft_job_open(NULL, &job))
		return 1;
	tap_rank(weft_job_rank(job));
	/* Off the mailbox: a rank that is ahead must not mail to a loop. */
	for (int i = 0; i < 6; i++)
		TAP_EQUAL(weft_barrier(weft_job_world(job)), WEFT_OK);
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : result;
}
