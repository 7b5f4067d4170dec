/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each rank exchanges with each, by lines, slots and puts into the memory of
 * the program, every message checked, while the caller disturbs the network:
 *
 *     outage PATH arena|own
 *
 * makes PATH.begun when the exchanges have begun; they end when PATH.end is
 * there, or with an error, which is printed with the time since the caller made
 * PATH.cut; then each rank says which others it still reaches. The buffers are
 * of the arena, or registered pages of the program: after an error these are
 * mapped read-only at once, and looked at when PATH.end is there.
 *
 * Exit code 0: what came was right, and nothing came after an error.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <weft.h>

#include "tests/mp/full_graph.h"

enum {
	LONGEST = 200000,		/* bytes of a message */
	MOST_RANKS = 4,
	BYTES = LONGEST * MOST_RANKS,	/* of a buffer */
	UNTOUCHED = 0x5a
};

static struct full_graph g;
static struct weft_mem *mem[2];
static int rounds;

static void path_of(char *to, size_t bytes, const char *path, const char *end)
{
	snprintf(to, bytes, "%s.%s", path, end);
}

/* What this clock and the times of files have in common. */
static int64_t ms_of(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int ms_since_cut(const char *path)
{
	char name[200];
	struct timespec now;
	struct stat cut;

	path_of(name, sizeof(name), path, "cut");
	if (stat(name, &cut))
		return -1;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int)(ms_of(now) - ms_of(cut.st_mtim));
}

static int make(const char *path)
{
	char name[200];
	int fd;

	path_of(name, sizeof(name), path, "begun");
	fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return WEFT_ERR_ARG;
	close(fd);
	return WEFT_OK;
}

static int each_size(void)
{
	static const size_t bytes[] = { 8, 24, 4000, LONGEST };
	int status = WEFT_OK;

	for (int i = 0; !status && i < 4; i++) {
		status = full_graph_shape(&g, bytes[i], true);
		for (int k = 0; !status && k < 5; k++)
			status = full_graph_round(&g, rounds++);
	}
	return status;
}

/* Memory of whole pages that the devices write straight into. */
static int take_memory(void)
{
	for (int i = 0; i < 2; i++) {
		void *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		int status;

		if (at == MAP_FAILED)
			return WEFT_ERR_NOMEM;
		g.own[i] = at;
		status = weft_mem_register(g.job, at, BYTES, &mem[i]);
		if (status)
			return status;
	}
	return WEFT_OK;
}

static bool is_there(const char *path, const char *end)
{
	char name[200];

	path_of(name, sizeof(name), path, end);
	return access(name, F_OK) == 0;
}

/* A number to a rank and back; an error is no reason not to try the next. */
struct call {
	struct weft_request *req[2];
	int64_t in, out;
	int status;
};

static void begin_call(struct call *c, int rank)
{
	struct weft_comm *world = weft_job_world(g.job);

	c->out = g.me;
	c->status = weft_irecv(world, &c->in, 1, &weft_type_int64,
			       weft_from(rank, 0), &c->req[0]);
	if (!c->status)
		c->status = weft_isend(world, &c->out, 1, &weft_type_int64,
				       weft_to(rank, 0), &c->req[1]);
}

static void end_call(struct call *c, int rank)
{
	for (int i = 0; i < 2; i++) {
		if (!c->status)
			c->status = weft_request_wait(c->req[i]);
		(void)!weft_request_free(&c->req[i]);
	}
	printf("rank %d: calls rank %d: %s: %s\n", g.me, rank,
	       weft_status_name(c->status),
	       c->status ? weft_error_text(g.job) :
	       c->in == rank ? "it answers" : "WRONG");
	fflush(stdout);
}

static void call_all(void)
{
	struct call call[MOST_RANKS] = { 0 };

	for (int r = 0; r < g.n; r++)
		begin_call(&call[r], r);
	for (int r = 0; r < g.n; r++)
		end_call(&call[r], r);
}

/*
 * What the exchange has given back is not written any more. A rank that is an
 * exchange ahead has named memory of its own to this one, and is told by its
 * progress that nothing is put there any more.
 */
static bool stays_untouched(const char *path)
{
	const struct timespec ms = { 0, 1000000 };
	bool good;

	if (!mem[1])
		return true;
	memset(g.own[1], UNTOUCHED, BYTES);
	good = mprotect(g.own[1], BYTES, PROT_READ) == 0;
	call_all();
	while (!is_there(path, "end")) {
		(void)!weft_job_progress(g.job);
		nanosleep(&ms, NULL);
	}
	for (size_t i = 0; i < BYTES; i++)
		good &= g.own[1][i] == UNTOUCHED;
	printf("rank %d: its buffer is %s\n", g.me,
	       good ? "untouched" : "WRITTEN");
	return good;
}

/* Rank 0 looks whether it is over. */
static int look(const char *path, bool *over)
{
	int64_t mine = 0, sum = 0;
	int status;

	if (g.me == 0)
		mine = is_there(path, "end");
	status = weft_allreduce(weft_job_world(g.job), &mine,
				weft_part(&sum, 1, &weft_type_int64),
				&weft_op_sum);
	*over = sum;
	return status;
}

static int run(const char *path, bool own)
{
	bool over = false;
	int status = own ? take_memory() : WEFT_OK;

	if (!status)
		status = each_size();
	if (!status && g.me == 0)
		status = make(path);
	while (!status && !over) {
		status = each_size();
		if (!status)
			status = look(path, &over);
	}
	return status;
}

int main(int argc, char **argv)
{
	struct weft_job *job;
	bool good = true;
	int status;

	if (argc != 3 || weft_job_open(NULL, &job))
		return 2;
	status = full_graph_open(&g, weft_job_world(job));
	if (!status)
		status = run(argv[1], !strcmp(argv[2], "own"));
	if (status)
		printf("rank %d: %s after %d ms: %s\n", g.me,
		       weft_status_name(status), ms_since_cut(argv[1]),
		       weft_error_text(job));
	else
		printf("rank %d: all right, %d rounds\n", g.me, rounds);
	fflush(stdout);
	if (status)
		good = stays_untouched(argv[1]);
	full_graph_close(&g);
	for (int i = 0; i < 2; i++)
		weft_mem_unregister(&mem[i]);
	/* After an error the close says so, too. */
	if (weft_job_close(job) && !status)
		return 1;
	return status == WEFT_ERR_INTERNAL || !good;
}
