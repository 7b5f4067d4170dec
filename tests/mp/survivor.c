/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank for tests of the end of ranks; tests/mp/survivors.t starts it.
 *
 *     survivor once               each kind of exchange once
 *     survivor silent MS          nothing is sent; rank 0 stays so long
 *     survivor kill KIND R MS     in a loop of exchanges rank R is killed
 *                                 after so many ms
 *     survivor exec KIND R        the same, but another program takes its place
 *     survivor ask A B            A and B are killed; the others wait for
 *                                 nobody, they ask which ranks are dead
 *     survivor unmet R            rank R dies before it has met any other
 *     survivor early R            rank R dies as soon as all have met it,
 *                                 before its lifeline has answered
 *     survivor stop R MS          in a loop, rank R is stopped for so long
 *     survivor busy R MS          the same, but it computes for so long
 *     survivor leave KIND L R MS  in a loop, rank L closes its job after some
 *                                 rounds; R is killed then, -1: nobody is
 *     survivor cut FILE           in a loop, until the other node is lost; the
 *                                 file is made when the loop has begun
 *     survivor outage FILE MS     the file is made when the loop has begun;
 *                                 then rank 1 computes for so long, and all go
 *                                 on; 0: it is killed
 *     survivor apart              each says how a barrier ends to which no data
 *                                 get through, and closes
 *     survivor late FILE          rank 0 closes, and is contacted after that;
 *                                 FILE has 4096 zeros for the ranks to share
 *
 * KIND is line, slot, direct or chunks.  Exit code 0: what came was right.
 * HEAR_MS=n gives a death more than the 2 s in which it is to be heard, where
 * something else than the library takes the cores.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/mp/full_graph.h"
#include "tests/mp/moments.h"

enum {
	HEAR_MS = 2000,			/* in which a death is told */
	LEAD_MS = 100,			/* for all to know when it comes */
	RANKS = 4,			/* where pids are exchanged */
	GIVE_UP_MS = 5000,		/* until a device has given up */
	MEET_MS = 1000,			/* for lifelines to greet each other */
	OUTAGE_MS = 3000		/* before somebody dies in it, too */
};

struct kind {
	const char *name;
	size_t bytes;
	bool arena;
	int rounds;			/* before somebody leaves */
};

static const struct kind kinds[] = {
	{ "line", 8, true, 200 }, { "slot", 4096, true, 200 },
	{ "direct", 1 << 20, true, 40 }, { "chunks", 1 << 20, false, 40 }
};

static struct full_graph g;

static void fail(const char *what, int status)
{
	printf("rank %d: %s: %s: %s\n", g.me, what, weft_status_name(status),
	       g.job ? weft_error_text(g.job) : "");
	exit(1);
}

static void must(const char *what, int status)
{
	if (status)
		fail(what, status);
}

static struct weft_job *open_job(void)
{
	struct weft_job *job;

	must("open", weft_job_open(NULL, &job));
	return job;
}

static const struct kind *open_graph(const char *name)
{
	size_t i = 0;

	must("graph", full_graph_open(&g, weft_job_world(open_job())));
	while (strcmp(kinds[i].name, name))
		if (++i == sizeof(kinds) / sizeof(kinds[0]))
			fail(name, WEFT_ERR_ARG);
	must("memory", full_graph_shape(&g, kinds[i].bytes, kinds[i].arena));
	return &kinds[i];
}

/* The status of the first round that fails, of at most so many. */
static int rounds(int most)
{
	int status = WEFT_OK;

	for (int i = 0; !status && i < most; i++)
		status = full_graph_round(&g, i);
	return status;
}

static int close_all(void)
{
	int status;

	must("free", full_graph_close(&g));
	status = weft_job_close(g.job);
	g.job = NULL;
	return status;
}

/* Everybody knows it then. */
static int64_t agree(int64_t mine)
{
	int64_t all;

	must("allreduce", weft_allreduce(weft_job_world(g.job), &mine,
					 weft_part(&all, 1, &weft_type_int64),
					 &weft_op_max));
	return all;
}

static void check_text(const char *ending)
{
	if (!strstr(weft_error_text(g.job), ending))
		fail(ending, WEFT_ERR_PEER);
}

/* Exactly these ranks are known to be dead; -1: none, or no second one. */
static bool are_dead(int first, int second)
{
	const int *ranks = NULL;
	int n = -1, want = (first >= 0) + (second >= 0);

	must("failed", weft_job_failed(g.job, &ranks, &n));
	if (n > want)
		fail("too many are dead", WEFT_OK);
	return n == want && (n < 1 || ranks[0] == first) &&
	       (n < 2 || ranks[1] == second);
}

static int run_ask(int first, int second)
{
	int64_t start;
	int status;

	open_graph("line");
	must("exchange", rounds(2));
	if (!are_dead(-1, -1))
		fail("a living rank is dead", WEFT_OK);
	/* Those who die may be faster than the last ones here. */
	status = weft_barrier(weft_job_world(g.job));
	if (status != WEFT_ERR_PEER)
		must("barrier", status);
	start = now_ms();
	if (g.me == first || g.me == second)
		raise(SIGKILL);
	while (!are_dead(first, second)) {
		if (now_ms() - start > 20000)
			fail("a death is not known", WEFT_ERR_TIMEOUT);
		sleep_ms(1);
	}
	printf("rank %d knows both\n", g.me);
	return close_all() == WEFT_ERR_PEER ? 0 : 1;
}

static int run_once(void)
{
	open_graph("line");
	must("barrier", weft_barrier(weft_job_world(g.job)));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		must("memory", full_graph_shape(&g, kinds[i].bytes,
						kinds[i].arena));
		must("exchange", full_graph_round(&g, (int)i));
	}
	must("close", close_all());
	return 0;
}

static int run_silent(int64_t ms)
{
	int64_t start = now_ms();

	g.job = open_job();
	g.me = weft_job_rank(g.job);
	if (!g.me)
		sleep_ms(ms);
	start = now_ms();
	must("close", weft_job_close(g.job));
	printf("rank %d closed in %d ms\n", g.me, (int)(now_ms() - start));
	return 0;
}

/* In which a death is told. */
static int hear_ms(void)
{
	const char *ms = getenv("HEAR_MS");

	return ms ? atoi(ms) : HEAR_MS;
}

/* All that is left to do after it has told of the dead one. */
static int mourn(int victim, int64_t late, int most)
{
	char name[32];

	snprintf(name, sizeof(name), "rank %d on host ", victim);
	check_text(name);
	check_text("is dead");
	if (!are_dead(victim, -1))
		fail("the dead one is not among the dead", WEFT_OK);
	if (late < -1 || late > most)
		fail("heard too early or too late", (int)late);
	if (close_all() != WEFT_ERR_PEER)
		fail("the close does not tell of the dead", WEFT_OK);
	printf("rank %d heard of rank %d after %d ms\n", g.me, victim,
	       (int)late);
	return 0;
}

static int run_kill(const char *kind, int victim, int ms)
{
	int64_t death;
	int status;

	open_graph(kind);
	must("exchange", rounds(2));
	death = agree(g.me == victim ? now_ms() + LEAD_MS + ms : 0);
	if (g.me == victim)
		signal_at(SIGKILL, death);
	death = later(death, now_ms());
	status = rounds(1 << 30);
	if (status != WEFT_ERR_PEER)
		fail("exchange", status);
	return mourn(victim, now_ms() - death, hear_ms());
}

/* At most for 10 s another program takes its place, until the others end. */
static void be_another(const int64_t *pid)
{
	char loop[] = "for p; do while kill -0 $p 2>/dev/null; do sleep 0.05; "
		      "done; done";
	char text[RANKS][16], timeout[] = "timeout", sh[] = "sh";
	char ten[] = "10", option[] = "-c";
	char *argv[RANKS + 6] = { timeout, ten, sh, option, loop, sh };

	for (int r = 0, n = 6; r < g.n; r++) {
		if (r == g.me)
			continue;
		snprintf(text[r], sizeof(text[r]), "%d", (int)pid[r]);
		argv[n++] = text[r];
	}
	execvp(timeout, argv);
	fail(timeout, WEFT_ERR_DEVICE);
}

static int run_exec(const char *kind, int victim)
{
	int64_t pid[RANKS], death;
	int status;

	open_graph(kind);
	if (g.n > RANKS)
		fail("too many ranks", WEFT_ERR_ARG);
	must("exchange", rounds(2));
	for (int r = 0; r < g.n; r++)
		pid[r] = agree(g.me == r ? getpid() : 0);
	death = agree(now_ms());
	if (g.me == victim)
		be_another(pid);
	status = rounds(1 << 30);
	if (status != WEFT_ERR_PEER)
		fail("exchange", status);
	printf("rank %d: %s\n", g.me, weft_error_text(g.job));
	return mourn(victim, now_ms() - death, hear_ms());
}

static int run_unmet(int victim)
{
	struct weft_job *job = open_job();
	int64_t start = now_ms();
	int status;

	if (weft_job_rank(job) == victim)
		raise(SIGKILL);
	status = full_graph_open(&g, weft_job_world(job));
	if (status != WEFT_ERR_PEER)
		fail("graph", status);
	return mourn(victim, now_ms() - start, hear_ms());
}

/* The others wait for it, and send it nothing more. */
static int run_early(int victim)
{
	struct weft_comm *world = weft_job_world(open_job());
	struct weft_envelope from = weft_from(victim, 0);
	int64_t start;
	int status;

	g.job = weft_comm_job(world);
	g.me = weft_comm_rank(world);
	status = weft_barrier(world);
	start = now_ms();
	if (g.me == victim)
		raise(SIGKILL);
	/* It may be faster than the last ones here. */
	if (!status)
		status = weft_recv(world, NULL, 0, &weft_type_byte, from,
				   NULL);
	if (status != WEFT_ERR_PEER)
		fail("recv", status);
	return mourn(victim, now_ms() - start, GIVE_UP_MS);
}

/* All live, also to each other. */
static int run_apart(void)
{
	struct weft_job *job = open_job();
	int status = weft_barrier(weft_job_world(job));

	g.job = job;
	g.me = weft_job_rank(job);
	printf("rank %d: %s: %s\n", g.me, weft_status_name(status),
	       weft_error_text(job));
	must("close", weft_job_close(job));
	return 0;
}

static void be_stopped(int ms)
{
	signal_after(SIGCONT, ms);
	raise(SIGSTOP);
}

static void compute(int ms)
{
	int64_t until = now_ms() + ms;

	while (now_ms() < until)
		;
}

/* A rank is away for so long. */
static int run_away(int rank, int ms, void (*away)(int ms))
{
	open_graph("line");
	must("exchange", rounds(10));
	if (g.me == rank)
		away(ms);
	must("exchange", rounds(10));
	must("close", close_all());
	return 0;
}

static int run_leave(const char *kind, int leaver, int victim, int ms)
{
	int most = open_graph(kind)->rounds, status;

	if (g.me == victim)
		signal_after(SIGKILL, ms);
	status = rounds(g.me == leaver ? most : 1 << 30);
	if (status && status != WEFT_ERR_PEER)
		fail("exchange", status);
	if (victim < 0 && g.me != leaver)
		check_text("has closed its job");
	/* the graph goes with the job */
	status = weft_job_close(g.job);
	if (status && (status != WEFT_ERR_PEER || victim < 0))
		fail("close", status);
	printf("rank %d closed\n", g.me);
	return 0;
}

/* ---- contact with a rank that closes ---- */

struct board {
	atomic_int stranger;		/* rank that 0 is not connected to */
	atomic_int said_bye;		/* 1 has heard the bye of 0 */
	atomic_int refused;		/* the stranger has */
	atomic_int closed;		/* 0 has closed */
};

static struct board *open_board(const char *path)
{
	int fd = open(path, O_RDWR);
	void *at = mmap(NULL, sizeof(struct board), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);

	if (fd < 0 || at == MAP_FAILED)
		fail(path, WEFT_ERR_DEVICE);
	return at;
}

static void await(atomic_int *word, const char *what)
{
	int64_t end = now_ms() + 20000;

	while (!*word) {
		if (now_ms() > end)
			fail(what, WEFT_ERR_TIMEOUT);
		sleep_ms(1);
	}
}

static int stranger(void)
{
	struct weft_edge_info info;

	for (int r = 2; r < g.n; r++) {
		must("edge", weft_graph_edge(g.graph, true, r, &info));
		if (!info.transport)
			return r;
	}
	fail("all are connected", WEFT_ERR_INTERNAL);
	return 0;
}

/* Its exchange ends, because rank 0 has closed. */
static void miss_rank_0(void)
{
	int status = full_graph_round(&g, 0);

	if (status != WEFT_ERR_PEER)
		fail("exchange", status);
	check_text("rank 0 on host ");
	check_text("has closed its job");
}

/*
 * Nobody but rank 0 closes before that: the bye of another one would end the
 * exchange of rank 1 too early, and the contact would be none with a rank that
 * closes, but one that it waits for.
 */
static int run_late(const char *path)
{
	struct board *board = open_board(path);

	open_graph("line");
	if (!g.me)
		board->stranger = stranger();
	await(&board->stranger, "the choice of a stranger");
	if (g.me == 1) {
		miss_rank_0();
		board->said_bye = 1;
	} else if (g.me == board->stranger) {
		await(&board->said_bye, "the bye of rank 0");
		miss_rank_0();
		board->refused = 1;
		await(&board->closed, "rank 0 to close");
	}
	if (g.me)
		await(&board->refused, "the end of the stranger's exchange");
	must("close", close_all());
	if (!g.me)
		board->closed = 1;
	return 0;
}

/* A host whose lifeline never answered is not lost. */
static void meet_all(void)
{
	int64_t start = now_ms();

	do
		must("exchange", rounds(10));
	while (agree(now_ms() - start) < MEET_MS);
}

/* By rank 0. */
static void make_file(const char *path)
{
	int fd = g.me ? -1 : open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (!g.me && fd < 0)
		fail(path, WEFT_OK);
	if (fd >= 0)
		close(fd);
}

/* Each rank hears that one of the ranks beyond the wire is gone. */
static int run_cut(const char *path)
{
	int64_t start;
	int status;

	open_graph("line");
	meet_all();
	start = now_ms();
	make_file(path);
	status = rounds(1 << 30);
	if (status != WEFT_ERR_PEER)
		fail("exchange", status);
	printf("rank %d after %d ms: %s\n", g.me, (int)(now_ms() - start),
	       weft_error_text(g.job));
	if (close_all() != WEFT_ERR_PEER)
		fail("the close does not tell of the lost", WEFT_OK);
	return 0;
}

/* Lifelines fail with the file, and nothing else does; unless a rank dies. */
static int run_outage(const char *path, int ms)
{
	int64_t death;
	int status;

	open_graph("line");
	meet_all();
	make_file(path);
	if (ms) {
		if (g.me == 1)
			compute(ms);
		must("exchange", rounds(10));
		must("close", close_all());
		printf("rank %d goes on\n", g.me);
		return 0;
	}
	death = agree(g.me == 1 ? now_ms() + OUTAGE_MS : 0);
	if (g.me == 1)
		signal_at(SIGKILL, death);
	death = later(death, now_ms());
	status = rounds(1 << 30);
	if (status != WEFT_ERR_PEER)
		fail("exchange", status);
	return mourn(1, now_ms() - death, hear_ms());
}

static int run(const char *mode, char **argv, const int *number)
{
	if (!strcmp(mode, "once"))
		return run_once();
	if (!strcmp(mode, "silent"))
		return run_silent(number[0]);
	if (!strcmp(mode, "kill"))
		return run_kill(argv[0], number[1], number[2]);
	if (!strcmp(mode, "exec"))
		return run_exec(argv[0], number[1]);
	if (!strcmp(mode, "ask"))
		return run_ask(number[0], number[1]);
	if (!strcmp(mode, "unmet"))
		return run_unmet(number[0]);
	if (!strcmp(mode, "early"))
		return run_early(number[0]);
	if (!strcmp(mode, "stop"))
		return run_away(number[0], number[1], be_stopped);
	if (!strcmp(mode, "busy"))
		return run_away(number[0], number[1], compute);
	if (!strcmp(mode, "leave"))
		return run_leave(argv[0], number[1], number[2], number[3]);
	if (!strcmp(mode, "cut"))
		return run_cut(argv[0]);
	if (!strcmp(mode, "outage"))
		return run_outage(argv[0], number[1]);
	if (!strcmp(mode, "apart"))
		return run_apart();
	if (!strcmp(mode, "late"))
		return run_late(argv[0]);
	fprintf(stderr, "survivor: no such mode: %s\n", mode);
	return 2;
}

int main(int argc, char **argv)
{
	char none[] = "", *words[4] = { none, none, none, none };
	int number[4] = { 0 };

	for (int i = 0; i < 4 && i + 2 < argc; i++) {
		words[i] = argv[i + 2];
		number[i] = atoi(words[i]);
	}
	return run(argc > 1 ? argv[1] : "", words, number);
}
