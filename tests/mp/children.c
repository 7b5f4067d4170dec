/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that forks in the midst of exchanges: what it sends and receives stays
 * right, in memory of the arena and in memory of its own that is registered or
 * not, although a child has the same pages, writes to those that are private,
 * or runs another program.  tests/mp/verbs.t runs it, too, where there is a
 * device: it must go on writing to the pages of the parent.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/mp/full_graph.h"
#include "tests/ranks.h"
#include "tests/tap.h"

enum {
	RANKS = 3,
	LONGEST = 100000,		/* bytes of a message: several chunks */
	BYTES = RANKS * LONGEST,	/* of a buffer */
	TIMES = 3,
	GARBAGE = 0x6b
};

enum kind {
	ARENA,
	REGISTERED,
	HEAP
};

static struct full_graph g;

struct child {
	pid_t pid;
	int leash;			/* it lives until this is closed */
};

/* Never returns. */
static void be_child(bool runs, int leash, bool private)
{
	char byte;

	if (runs) {
		dup2(leash, STDIN_FILENO);
		execlp("cat", "cat", (char *)NULL);
		_exit(1);
	}
	for (int i = 0; private && i < 2; i++)
		memset(g.memory[i], GARBAGE, (size_t)g.n * g.bytes);
	_exit(read(leash, &byte, 1) != 0 || weft_job_progress(g.job) !=
	      WEFT_ERR_FORKED);
}

static bool begin_child(struct child *c, bool runs, bool private)
{
	int fd[2];

	if (!TAP_EQUAL(pipe2(fd, O_CLOEXEC), 0))
		return false;
	c->pid = fork();
	if (!c->pid) {
		close(fd[1]);
		be_child(runs, fd[0], private);
	}
	close(fd[0]);
	c->leash = fd[1];
	return TAP_CHECK(c->pid > 0);
}

static void end_child(const struct child *c)
{
	int status = -1;

	close(c->leash);
	TAP_EQUAL(waitpid(c->pid, &status, 0), c->pid);
	TAP_EQUAL(status, 0);
}

/* It is born under way, and lives when the same pages are used again. */
static void exchange_with_child(bool runs, enum kind kind, int round)
{
	struct weft_request *req = NULL;
	struct child child;

	full_graph_write(&g, round);
	TAP_EQUAL(weft_ineighbor_alltoallv(g.graph, &g.send, &g.recv,
					   &req), WEFT_OK);
	if (!begin_child(&child, runs, kind != ARENA))
		return;
	TAP_EQUAL(weft_request_wait(req), WEFT_OK);
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	TAP_EQUAL(full_graph_wrong(&g, round), -1);
	for (int i = 1; i < 4; i++)
		TAP_EQUAL(full_graph_round(&g, round + i), WEFT_OK);
	end_child(&child);
	TAP_EQUAL(full_graph_round(&g, round + 4), WEFT_OK);
}

static void exchanges(bool runs, enum kind kind)
{
	static const size_t bytes[] = { 8, 4000, LONGEST };

	for (int i = 0; i < TAP_COUNT(bytes); i++) {
		TAP_EQUAL(full_graph_shape(&g, bytes[i], kind == ARENA),
			  WEFT_OK);
		for (int k = 0; k < TIMES; k++)
			exchange_with_child(runs, kind, 10 * (3 * i + k));
	}
}

static void with_registered(bool runs)
{
	struct weft_mem *mem[2] = { NULL, NULL };

	for (int i = 0; i < 2; i++) {
		g.own[i] = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		TAP_CHECK(g.own[i] != MAP_FAILED);
		TAP_EQUAL(weft_mem_register(g.job, g.own[i], BYTES, &mem[i]),
			  WEFT_OK);
	}
	exchanges(runs, REGISTERED);
	for (int i = 0; i < 2; i++) {
		weft_mem_unregister(&mem[i]);
		munmap(g.own[i], BYTES);
		g.own[i] = g.memory[i] = NULL;
	}
}

static void with_children(bool runs)
{
	exchanges(runs, ARENA);
	exchanges(runs, HEAP);
	full_graph_drop_memory(&g);
	with_registered(runs);
}

static void that_write(void)
{
	with_children(false);
}

static void that_run_programs(void)
{
	with_children(true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "children that write", that_write },
		{ "children that run another program", that_run_programs }
	};
	struct weft_job *job;
	int result;

	ranks_start(argc, argv, RANKS, 60);
	if (weft_job_open(NULL, &job))
		return 1;
	tap_rank(weft_job_rank(job));
	TAP_EQUAL(full_graph_open(&g, weft_job_world(job)), WEFT_OK);
	result = tap_run(argc, argv, cases, TAP_COUNT(cases));
	full_graph_close(&g);
	return weft_job_close(job) ? 1 : result;
}
