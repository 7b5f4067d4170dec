/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of a job of two whose words must come before what tells of them, also
 * where signals are more than the adapter's queue has room for:
 *
 *     scene graph EDGES WORDS ROUNDS    exchanges in which each word says its
 *                                       round, edge and place
 *     scene count N                     puts of nothing, each raising a signal
 *     scene words WORDS ROUNDS          puts of words that say their round,
 *                                       each raising a signal, answered by
 *                                       another
 *     scene late US ROUNDS              rank 1 comes late to an allreduce: the
 *                                       median time until rank 0 knows, in us
 *
 * Exit code 1: a wrong word, or a call that fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <weft.h>

enum {
	EDGES = 400,
	WORDS = 4096			/* of all edges */
};

static struct weft_job *job;
static struct weft_comm *world;
static int me;
static uint64_t in[WORDS * EDGES / 16], out[WORDS * EDGES / 16];

static void must(const char *call, int status)
{
	if (!status)
		return;
	printf("rank %d: %s: %s: %s\n", me, call, weft_status_name(status),
	       job ? weft_error_text(job) : "");
	exit(1);
}

/* A line that says it, at most once. */
static void must_be(uint64_t have, uint64_t want, int round)
{
	if (have == want)
		return;
	printf("rank %d: round %d: a word is %llx, not %llx\n", me, round,
	       (unsigned long long)have, (unsigned long long)want);
	exit(1);
}

static uint64_t word(int round, int edge, size_t at)
{
	return (uint64_t)(round + 1) << 40 | (uint64_t)edge << 20 | at;
}

struct exchange {
	struct weft_comm *graph;
	int edges;
	size_t words;
	size_t counts[EDGES];
	ptrdiff_t displs[EDGES];
};

static void open_graph(struct exchange *e)
{
	int ranks[EDGES];
	struct weft_edges edges = { e->edges, ranks, NULL };

	for (int i = 0; i < e->edges; i++) {
		ranks[i] = !me;
		e->counts[i] = e->words;
		e->displs[i] = (ptrdiff_t)((size_t)i * e->words);
	}
	must("graph", weft_graph_create_adjacent(world, &edges, &edges, NULL,
						 false, &e->graph));
}

static void exchange(struct exchange *e, int round)
{
	struct weft_vec send = { .base = out, .type = &weft_type_uint64,
				 .counts = e->counts, .displs = e->displs };
	struct weft_vec recv = send;

	recv.base = in;
	for (int i = 0; i < e->edges; i++)
		for (size_t w = 0; w < e->words; w++) {
			out[(size_t)i * e->words + w] = word(round, i, w);
			in[(size_t)i * e->words + w] = 0;
		}
	must("exchange", weft_neighbor_alltoallv(e->graph, &send, &recv));
	for (int i = 0; i < e->edges; i++)
		for (size_t w = 0; w < e->words; w++)
			must_be(in[(size_t)i * e->words + w],
				word(round, i, w), round);
}

static void graph(int edges, size_t words, int rounds)
{
	static struct exchange e;

	e.edges = edges < EDGES ? edges : EDGES;
	e.words = words < WORDS / 16 ? words : WORDS / 16;
	open_graph(&e);
	for (int r = 0; r < rounds; r++)
		exchange(&e, r);
	must("free", weft_comm_free(&e.graph));
}

struct pair {
	struct weft_region *region;
	struct weft_signal *full, *empty;
};

static void open_pair(struct pair *p)
{
	must("region", weft_region_create(world, NULL, WORDS * sizeof(*in),
					  &p->region));
	must("signal", weft_signal_create(p->region, !me, 0, &p->full));
	must("signal", weft_signal_create(p->region, !me, 1, &p->empty));
	must("barrier", weft_barrier(world));
}

static void close_pair(struct pair *p)
{
	must("barrier", weft_barrier(world));
	must("destroy", weft_region_free(&p->region));
}

static void count(int n)
{
	struct pair p;
	struct weft_target to;

	open_pair(&p);
	to = (struct weft_target){ p.region, !me, 0 };
	for (int i = 0; !me && i < n; i++)
		must("put", weft_put_signal(&to, NULL, 0, 0, NULL));
	if (me)
		must("wait", weft_signal_wait(p.full, (uint64_t)n));
	must("barrier", weft_barrier(world));
	if (me)
		must_be(weft_signal_count(p.full), (uint64_t)n, 0);
	close_pair(&p);
}

static void send_words(struct pair *p, size_t n, int round)
{
	struct weft_target to = { p->region, !me, 0 };

	if (round)
		must("wait", weft_signal_wait(p->empty, (uint64_t)round));
	for (size_t w = 0; w < n; w++)
		out[w] = word(round, 0, w);
	must("put", weft_put_signal(&to, out, n * sizeof(*out), 0, NULL));
	must("flush", weft_flush(p->region, !me, WEFT_FLUSH_LOCAL));
}

static void look_at_words(struct pair *p, size_t n, int round)
{
	const volatile uint64_t *base = weft_region_base(p->region);
	struct weft_target to = { p->region, !me, 0 };

	must("wait", weft_signal_wait(p->full, (uint64_t)round + 1));
	for (size_t w = 0; w < n; w++)
		must_be(base[w], word(round, 0, w), round);
	must("put", weft_put_signal(&to, NULL, 0, 1, NULL));
}

static void words(size_t n, int rounds)
{
	struct pair p;

	open_pair(&p);
	for (int r = 0; r < rounds; r++)
		if (me)
			look_at_words(&p, n < WORDS ? n : WORDS, r);
		else
			send_words(&p, n < WORDS ? n : WORDS, r);
	close_pair(&p);
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void late(long us, int rounds)
{
	const struct timespec pause = { us / 1000000, us % 1000000 * 1000 };
	static double took[1000];
	double mine, all;

	rounds = rounds < 1000 ? rounds : 1000;
	for (int r = 0; r < rounds; r++) {
		mine = 0;
		if (me) {
			nanosleep(&pause, NULL);
			mine = now_us();
		}
		must("allreduce", weft_allreduce(world, &mine,
						 weft_part(&all, 1,
							   &weft_type_double),
						 &weft_op_sum));
		took[r] = now_us() - all;
	}
	qsort(took, (size_t)rounds, sizeof(*took), compare);
	if (!me)
		printf("rank 0 knows after %.1f us\n", took[rounds / 2]);
}

static int usage(void)
{
	fprintf(stderr, "usage: scene graph EDGES WORDS ROUNDS | count N | "
		"words WORDS ROUNDS | late US ROUNDS\n");
	return 2;
}

static int play(int argc, char **argv)
{
	long number[3] = { 0 };

	for (int i = 0; i < 3 && i + 2 < argc; i++)
		number[i] = atol(argv[i + 2]);
	if (argc == 5 && !strcmp(argv[1], "graph"))
		graph((int)number[0], (size_t)number[1], (int)number[2]);
	else if (argc == 3 && !strcmp(argv[1], "count"))
		count((int)number[0]);
	else if (argc == 4 && !strcmp(argv[1], "words"))
		words((size_t)number[0], (int)number[1]);
	else if (argc == 4 && !strcmp(argv[1], "late"))
		late(number[0], (int)number[1]);
	else
		return usage();
	return 0;
}

int main(int argc, char **argv)
{
	int code;

	must("open", weft_job_open(NULL, &job));
	world = weft_job_world(job);
	me = weft_job_rank(job);
	code = play(argc, argv);
	must("close", weft_job_close(job));
	return code;
}
