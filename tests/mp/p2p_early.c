/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of jobs in which messages come for a communicator that their
 * receiver has not made yet; p2p.t starts them.
 *
 *     p2p_early BOARD MAKER [FREED]   MAKER makes it: dup, idup, create,
 *                                     create_group, split
 *
 * FREED: the receiver frees it without looking at anything, `unseen`; when it
 * holds all that it can, `unused`; or when it has received one of each sender,
 * `used`.  All other messages are dropped, and who waits hears it.
 *
 * The last rank is late.  It computes, which makes no progress, until all
 * others have said on the board, a file that all map, that they have sent: more
 * messages than it holds.  Who waits for others in a split computes in the
 * handler of a signal, which finds it asleep there.
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <weft.h>
#include "tests/mp/asleep.h"

enum {
	RANKS = 8,			/* most: each meets all in a barrier */
	MANY = 1100,			/* messages of a sender */
	HELD = 1024,			/* of them by a receiver (weft/p2p.h) */
	LONG = 20000,
	TAGS = 3,
	WAKER = 1			/* enters a split last */
};

static struct board {
	atomic_int sent;		/* by so many ranks, all of it */
	atomic_int inside;		/* the late one is, in a split: its */
	atomic_int computing;		/* process; and it does not look */
	atomic_int complete[RANKS];	/* plain messages of a rank */
} *board;

static struct weft_job *job;
static struct weft_comm *world;
static int me, n, failures;
static int senders;

static void check(bool good, const char *what)
{
	if (good)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

static void ok(int status, const char *what)
{
	check(status == WEFT_OK, what);
}

static bool is_late(void)
{
	return me == n - 1;
}

static void compute_until(atomic_int *count, int wanted)
{
	volatile unsigned state = 1;

	while (atomic_load(count) < wanted)
		for (int i = 0; i < 1000; i++)
			state = state * 1664525u + 1013904223u;
}

/* ---- makers ---- */

static struct weft_comm *make_dup(struct weft_comm *of)
{
	struct weft_comm *made = NULL;

	ok(weft_comm_dup(of, &made), "dup");
	return made;
}

static struct weft_comm *make_idup(struct weft_comm *of)
{
	struct weft_request *req = NULL;
	struct weft_comm *made = NULL;

	ok(weft_comm_idup(of, &made, &req), "idup");
	ok(weft_request_wait(req), "wait");
	ok(weft_request_free(&req), "free a request");
	return made;
}

/* All but the first one, one behind the other or the other way round. */
static struct weft_group *most_of(struct weft_comm *of, bool backwards)
{
	struct weft_range up = { 1, n - 1, 1 }, down = { n - 1, 1, -1 };
	struct weft_group *all = NULL, *most = NULL;

	ok(weft_comm_group(of, &all), "group");
	ok(weft_group_range_incl(all, 1, backwards ? &down : &up, &most),
	   "range");
	ok(weft_group_free(&all), "free a group");
	return most;
}

static struct weft_comm *make_create(struct weft_comm *of)
{
	struct weft_group *group = most_of(of, true);
	struct weft_comm *made = NULL;

	ok(weft_comm_create(of, group, &made), "create");
	ok(weft_group_free(&group), "free a group");
	return made;
}

/* The first one tells the others: it is not late. */
static struct weft_comm *make_create_group(struct weft_comm *of)
{
	struct weft_group *group = most_of(of, false);
	struct weft_comm *made = NULL;

	if (me)
		ok(weft_comm_create_group(of, group, 0, &made), "create_group");
	ok(weft_group_free(&group), "free a group");
	return made;
}

static void compute_in_split(int number)
{
	(void)number;
	atomic_store(&board->computing, 1);
	compute_until(&board->sent, senders);
}

/* Once the late one sleeps it has told what it has to tell, and waits. */
static void wake_late(void)
{
	int pid;

	compute_until(&board->inside, 1);
	pid = atomic_load(&board->inside);
	while (!is_asleep(pid))
		;
	check(!kill(pid, SIGUSR2), "kill");
	compute_until(&board->computing, 1);
}

/* In two blocks: the first rank is alone. */
static struct weft_comm *make_split(struct weft_comm *of)
{
	struct weft_comm *made = NULL;

	if (is_late())
		atomic_store(&board->inside, getpid());
	if (me == WAKER)
		wake_late();
	ok(weft_comm_split(of, me > 0, 0, &made), "split");
	if (me)
		return made;
	ok(weft_comm_free(&made), "free");
	return NULL;
}

static const struct maker {
	const char *name;
	struct weft_comm *(*make)(struct weft_comm *of);
	bool everybody;			/* else all but the first one */
	bool backwards;
	bool waits;			/* until all have called it */
} makers[] = {
	{ "dup", make_dup, true, false, false },
	{ "idup", make_idup, true, false, false },
	{ "create", make_create, false, true, false },
	{ "create_group", make_create_group, false, false, false },
	{ "split", make_split, false, false, true }
};

/* The rank in the world of one in what was made. */
static int world_rank(const struct maker *maker, int rank)
{
	return maker->backwards ? n - 1 - rank : rank + !maker->everybody;
}

/* ---- messages ---- */

static bool is_synchronous(int i)
{
	return i % 300 == 150;
}

static bool is_long(int i)
{
	return i % 300 == 299;
}

static bool is_plain(int i)
{
	return !is_synchronous(i) && !is_long(i);
}

static size_t length(int i)
{
	return is_long(i) ? LONG : i % 50 == 7 ? 900 : 8;
}

static unsigned char content(int from, int i, size_t at)
{
	return (unsigned char)(from * 91 + i + (int)at * 7);
}

struct outbox {
	struct weft_request *req[MANY];
	unsigned char *data[MANY];
};

static void send_all(struct outbox *out, struct weft_comm *comm,
		     const struct maker *maker)
{
	int late = maker->backwards ? 0 : weft_comm_size(comm) - 1;

	for (int i = 0; i < MANY; i++) {
		out->data[i] = malloc(length(i));
		for (size_t at = 0; at < length(i); at++)
			out->data[i][at] = content(me, i, at);
		ok((is_synchronous(i) ? weft_issend : weft_isend)(
			comm, out->data[i], length(i), &weft_type_byte,
			weft_to(late, i % TAGS), &out->req[i]), "isend");
	}
	atomic_fetch_add(&board->sent, 1);
}

/* Says how many plain ones are complete, for as long as some are not. */
static void wait_for_plain(struct outbox *out)
{
	bool done[MANY] = { false };
	int plain = 0, complete = 0;

	for (int i = 0; i < MANY; i++)
		plain += is_plain(i);
	while (complete < plain) {
		for (int i = 0; i < MANY; i++) {
			if (done[i] || !is_plain(i))
				continue;
			ok(weft_request_test(out->req[i], &done[i]), "test");
			if (!done[i])
				break;
			complete++;
		}
		atomic_store(&board->complete[me], complete);
	}
}

/* A communicator that was freed takes no message, and says so to who asks. */
static void finish(struct outbox *out, bool freed)
{
	wait_for_plain(out);
	for (int i = 0; i < MANY; i++) {
		int status = weft_request_wait(out->req[i]);

		check(status == (freed && !is_plain(i) ? WEFT_ERR_GRAPH :
							 WEFT_OK), "wait");
		ok(weft_request_free(&out->req[i]), "free a request");
		free(out->data[i]);
	}
}

/* All is here that this rank holds, and no more comes. */
static void expect_pressure(const struct maker *maker)
{
	int plain = 0;

	for (int i = 0; i < HELD; i++)
		plain += is_plain(i);
	for (int from = !maker->everybody; from < n - 1; from++)
		while (atomic_load(&board->complete[from]) < plain)
			ok(weft_job_progress(job), "progress");
	for (int i = 0; i < 1000; i++)
		ok(weft_job_progress(job), "progress");
	for (int from = !maker->everybody; from < n - 1; from++)
		check(atomic_load(&board->complete[from]) == plain,
		      "more than it holds");
}

static bool is_next(const unsigned char *data, int from, int i, size_t bytes,
		    int tag)
{
	if (i >= MANY || bytes != length(i) || tag != i % TAGS)
		return false;
	for (size_t at = 0; at < bytes; at++)
		if (data[at] != content(from, i, at))
			return false;
	return true;
}

/* So many of each sender, in its order; those of anybody in any. */
static void receive(struct weft_comm *comm, const struct maker *maker, int each,
		    bool anybody)
{
	static unsigned char data[LONG];
	int next[RANKS] = { 0 };

	for (int i = 0; i < each * senders; i++) {
		struct weft_message_status got = { .source = -5 };
		int from = maker->backwards + i % senders;

		ok(weft_recv(comm, data, LONG, &weft_type_byte,
			     weft_from(anybody ? WEFT_ANY_SOURCE : from,
				       WEFT_ANY_TAG), &got), "recv");
		if (got.source < 0)
			return;
		check(is_next(data, world_rank(maker, got.source),
			      next[got.source]++, got.bytes, got.tag),
		      "not the message that is next");
	}
}

/* ---- programs ---- */

/* All others have sent, and it has its own; looks: has seen what it holds. */
static struct weft_comm *make_late(struct weft_comm *parent,
				   const struct maker *maker, bool looks)
{
	struct weft_comm *made = NULL;

	if (maker->waits)
		made = maker->make(parent);
	else
		compute_until(&board->sent, senders);
	if (looks)
		expect_pressure(maker);
	return made ? made : maker->make(parent);
}

static void be_late(struct weft_comm *parent, const struct maker *maker,
		    bool anybody)
{
	struct weft_comm *made = make_late(parent, maker, true);

	receive(made, maker, MANY, anybody);
	ok(weft_comm_free(&made), "free");
}

static void free_early(struct weft_comm *parent, const struct maker *maker,
		       const char *freed)
{
	struct weft_comm *made = make_late(parent, maker,
					   strcmp(freed, "unseen"));

	if (!strcmp(freed, "used"))
		receive(made, maker, 1, false);
	ok(weft_comm_free(&made), "free");
}

static void be_early(struct weft_comm *parent, const struct maker *maker,
		     bool freed)
{
	struct outbox *out = calloc(1, sizeof(*out));
	struct weft_comm *made = maker->make(parent);

	if (made) {
		send_all(out, made, maker);
		finish(out, freed);
		ok(weft_comm_free(&made), "free");
	}
	free(out);
}

static void run(const struct maker *maker, const char *freed)
{
	/* All have met, and nothing is under way. */
	ok(weft_barrier(world), "barrier");
	if (!is_late())
		be_early(world, maker, freed != NULL);
	else if (freed)
		free_early(world, maker, freed);
	else
		be_late(world, maker, maker->everybody);
	ok(weft_barrier(world), "barrier");
}

static struct board *open_board(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *at = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, sizeof(struct board)))
		at = mmap(NULL, sizeof(struct board), PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);
	return at == MAP_FAILED ? NULL : at;
}

static const struct maker *find_maker(const char *name)
{
	for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++)
		if (!strcmp(makers[i].name, name))
			return &makers[i];
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = compute_in_split };
	const struct maker *maker = argc < 3 ? NULL : find_maker(argv[2]);

	if (!maker || argc > 4) {
		fprintf(stderr, "usage: p2p_early BOARD dup | idup | create | "
			"create_group | split [unseen | unused | used]\n");
		return 2;
	}
	board = open_board(argv[1]);
	if (!board || sigaction(SIGUSR2, &action, NULL) ||
	    weft_job_open(NULL, &job) || weft_job_size(job) > RANKS)
		return 1;
	world = weft_job_world(job);
	me = weft_job_rank(job);
	n = weft_job_size(job);
	senders = n - 1 - !maker->everybody;
	run(maker, argv[3]);
	ok(weft_job_close(job), "close");
	return failures != 0;
}
