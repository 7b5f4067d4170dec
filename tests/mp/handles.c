/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles in states that a call cannot take: requests that are active or were
 * given back, communicators that were freed while something holds them, memory
 * that was not allocated, jobs whose options are bad, no handle at all, and
 * the child of a fork, which is no rank.
 */
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft.h>
#include "tests/tap.h"

static struct weft_job *job;
static struct weft_comm *world, *graph;

/* One message of 8 bytes from this rank to itself. */
static int64_t sent, received;
static const size_t count = 1;
static const ptrdiff_t displ;
static const struct weft_vec send = { .base = &sent,
	.type = &weft_type_int64, .counts = &count, .displs = &displ };
static const struct weft_vec recv = { .base = &received,
	.type = &weft_type_int64, .counts = &count, .displs = &displ };

static int make_graph(struct weft_comm **graph_p)
{
	static const int self = 0;
	const struct weft_edges edges = { 1, &self, NULL };

	return weft_graph_create_adjacent(world, &edges, &edges, NULL, false,
					  graph_p);
}

static void says(const char *text)
{
	if (!TAP_CHECK(strstr(weft_error_text(job), text)))
		tap_diag("\"%s\", expected \"%s\"", weft_error_text(job),
			 text);
}

/* What was refused has changed nothing. */
static void works(void)
{
	sent++;
	TAP_EQUAL(weft_neighbor_alltoallv(graph, &send, &recv), WEFT_OK);
	TAP_EQUAL(received, sent);
	TAP_EQUAL(weft_barrier(world), WEFT_OK);
}

/* What the library writes to standard error during the call. */
static const char *told(void (*call)(void))
{
	static char text[2000];
	FILE *file = tmpfile();
	int old = dup(STDERR_FILENO);
	size_t n;

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	call();
	dup2(old, STDERR_FILENO);
	close(old);
	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = 0;
	fclose(file);
	return text;
}

static void expect_told(void (*call)(void), const char *part)
{
	const char *text = told(call);

	if (!TAP_CHECK(strstr(text, part)))
		tap_diag("\"%s\", expected \"%s\"", text, part);
}

/* ---- no handle at all ---- */

/* What a free call of any kind does where there is nothing to give back. */
static void nothing_to_free(void)
{
	struct weft_comm *comm = NULL;
	struct weft_group *group = NULL;
	struct weft_info *info = NULL;
	struct weft_inproc *inproc = NULL;
	struct weft_keyval *keyval = NULL;
	struct weft_mem *mem = NULL;
	struct weft_region *region = NULL;
	struct weft_request *req = NULL;
	struct weft_signal *signal = NULL;
	struct weft_type *type = NULL;

	TAP_EQUAL(weft_comm_free(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_comm_free(&comm), WEFT_OK);
	TAP_EQUAL(weft_group_free(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_group_free(&group), WEFT_OK);
	TAP_EQUAL(weft_info_free(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_info_free(&info), WEFT_OK);
	weft_inproc_free(NULL);
	weft_inproc_free(&inproc);
	TAP_EQUAL(weft_keyval_free(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_keyval_free(&keyval), WEFT_OK);
	weft_mem_unregister(NULL);
	weft_mem_unregister(&mem);
	TAP_EQUAL(weft_region_free(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_region_free(&region), WEFT_OK);
	TAP_EQUAL(weft_request_free(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	weft_signal_free(NULL);
	weft_signal_free(&signal);
	TAP_EQUAL(weft_type_free(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_type_free(&type), WEFT_OK);
	works();
}

static void no_handle(void)
{
	struct weft_mem *mem = (struct weft_mem *)&job;
	bool done = true;
	void *at = &job;

	TAP_EQUAL(weft_job_rank(NULL), WEFT_UNDEFINED);
	TAP_EQUAL(weft_job_size(NULL), 0);
	TAP_CHECK(!weft_job_world(NULL));
	TAP_CHECK(!*weft_error_text(NULL));
	TAP_EQUAL(weft_job_progress(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_job_close(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_job_open(NULL, NULL), WEFT_ERR_ARG);
	weft_job_options_init(NULL, sizeof(struct weft_job_options));
	TAP_EQUAL(weft_comm_rank(NULL), WEFT_UNDEFINED);
	TAP_EQUAL(weft_comm_size(NULL), 0);
	TAP_CHECK(!weft_comm_job(NULL));
	TAP_EQUAL(weft_type_size(NULL), 0);
	TAP_CHECK(!*weft_type_name(NULL));
	TAP_CHECK(!*weft_op_name(NULL));
	TAP_EQUAL(weft_request_start(NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_request_test(NULL, &done), WEFT_ERR_ARG);
	TAP_CHECK(done);
	TAP_EQUAL(weft_request_wait(NULL), WEFT_ERR_ARG);
	TAP_CHECK(!*weft_request_error(NULL));
	TAP_EQUAL(weft_mem_alloc(NULL, 8, &at), WEFT_ERR_ARG);
	TAP_EQUAL(weft_mem_register(NULL, at, 8, &mem), WEFT_ERR_ARG);
	TAP_CHECK(at == &job && !mem);
	weft_mem_free(NULL, at);
	weft_mem_free(job, NULL);
	works();
}

static void abort_without_job(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		weft_job_abort(NULL, 7, "no job");
	TAP_EQUAL(waitpid(pid, &status, 0), pid);
	TAP_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

/* ---- requests ---- */

/* Inactive, or complete and started again. */
static void persistent(void)
{
	struct weft_comm *other = NULL;
	struct weft_request *req, *held;
	bool done = false;

	TAP_EQUAL(make_graph(&other), WEFT_OK);
	TAP_EQUAL(weft_neighbor_alltoallv_init(other, &send, &recv, &req),
		  WEFT_OK);
	TAP_EQUAL(weft_request_test(req, NULL), WEFT_ERR_ARG);
	says("weft_request_test: done_p is NULL");
	TAP_EQUAL(weft_request_wait(req), WEFT_OK);
	TAP_EQUAL(weft_request_test(req, &done), WEFT_OK);
	TAP_CHECK(done);
	for (int i = 0; i < 5; i++) {
		held = req;
		sent = 100 + i;
		TAP_EQUAL(weft_request_start(req), WEFT_OK);
		done = false;
		while (!done)
			TAP_EQUAL(weft_request_test(req, &done), WEFT_OK);
		TAP_EQUAL(received, 100 + i);
		TAP_CHECK(req == held && !*weft_request_error(req));
	}
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	TAP_CHECK(!req);
	TAP_EQUAL(weft_comm_free(&other), WEFT_OK);
	works();
}

/* A nonblocking request is not to be started, and is gone once freed. */
static void nonblocking(void)
{
	struct weft_request *req, *stale;
	bool done = false;

	TAP_EQUAL(weft_ineighbor_alltoallv(graph, &send, &recv, &req),
		  WEFT_OK);
	TAP_EQUAL(weft_request_start(req), WEFT_ERR_REQUEST);
	says("weft_request_start: the request is not persistent");
	TAP_EQUAL(weft_request_wait(req), WEFT_OK);
	TAP_EQUAL(weft_request_start(req), WEFT_ERR_REQUEST);
	stale = req;
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	TAP_CHECK(!req);
	TAP_EQUAL(weft_request_start(stale), WEFT_ERR_ARG);
	TAP_EQUAL(weft_request_wait(stale), WEFT_ERR_ARG);
	TAP_EQUAL(weft_request_test(stale, &done), WEFT_ERR_ARG);
	TAP_CHECK(!done);
	req = stale;
	TAP_EQUAL(weft_request_free(&req), WEFT_ERR_ARG);
	TAP_CHECK(req == stale);
	works();
}

/* A persistent request keeps a graph that its user has given up. */
static void freed_graph(void)
{
	struct weft_comm *other = NULL, *stale;
	struct weft_request *req, *more = NULL;
	struct weft_edges none = { 0, NULL, NULL };

	TAP_EQUAL(make_graph(&other), WEFT_OK);
	TAP_EQUAL(weft_neighbor_alltoallv_init(other, &send, &recv, &req),
		  WEFT_OK);
	stale = other;
	TAP_EQUAL(weft_comm_free(&other), WEFT_OK);
	TAP_CHECK(!other);
	other = stale;
	TAP_EQUAL(weft_comm_free(&other), WEFT_ERR_ARG);
	says("the communicator was given to weft_comm_free()");
	TAP_EQUAL(weft_barrier(stale), WEFT_ERR_ARG);
	TAP_EQUAL(weft_neighbor_alltoallv(stale, &send, &recv), WEFT_ERR_ARG);
	TAP_EQUAL(weft_ineighbor_alltoallv(stale, &send, &recv, &more),
		  WEFT_ERR_ARG);
	TAP_EQUAL(weft_neighbor_alltoallv_init(stale, &send, &recv, &more),
		  WEFT_ERR_ARG);
	TAP_EQUAL(weft_graph_create_adjacent(stale, &none, &none, NULL, false,
					     &other), WEFT_ERR_ARG);
	TAP_CHECK(!more && !other);
	sent = 4711;
	TAP_EQUAL(weft_request_start(req), WEFT_OK);
	TAP_EQUAL(weft_request_wait(req), WEFT_OK);
	TAP_EQUAL(received, 4711);
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	works();
}

/* ---- memory ---- */

static char *block;
static char own[64];

static void free_within(void) { weft_mem_free(job, block + 64); }
static void free_again(void) { weft_mem_free(job, block); }
static void free_own(void) { weft_mem_free(job, own); }

/* What other parts of the library gave is no memory of weft_mem_alloc(). */
static void memory_of_a_region(void)
{
	struct weft_region *region = NULL;
	void *other;

	TAP_EQUAL(weft_region_create(weft_job_world(job), NULL, 200, &region),
		  WEFT_OK);
	block = weft_region_base(region);
	expect_told(free_again, "nothing was freed");
	TAP_EQUAL(weft_mem_alloc(job, 200, &other), WEFT_OK);
	TAP_CHECK(other != block);
	weft_mem_free(job, other);
	TAP_EQUAL(weft_region_free(&region), WEFT_OK);
	works();
}

static void memory(void)
{
	static const char nothing[] = "nothing was freed";
	struct weft_mem *mem = NULL;
	void *at = &own, *other;

	TAP_EQUAL(weft_mem_alloc(job, 8, NULL), WEFT_ERR_ARG);
	says("weft_mem_alloc: base_p is NULL");
	TAP_EQUAL(weft_mem_alloc(job, SIZE_MAX, &at), WEFT_ERR_NOMEM);
	says("weft_mem_alloc: no room for 18446744073709551615 bytes");
	TAP_EQUAL(weft_mem_alloc(job, SIZE_MAX - 100, &at), WEFT_ERR_NOMEM);
	TAP_CHECK(at == &own);
	TAP_EQUAL(weft_mem_register(job, own, 8, NULL), WEFT_ERR_ARG);
	says("weft_mem_register: mem_p is NULL");
	TAP_EQUAL(weft_mem_register(job, NULL, 8, &mem), WEFT_ERR_ARG);
	says("weft_mem_register: base is NULL");
	TAP_EQUAL(weft_mem_register(job, own, SIZE_MAX, &mem), WEFT_ERR_ARG);
	says("weft_mem_register: 18446744073709551615 bytes");
	TAP_CHECK(!mem);
	TAP_EQUAL(weft_mem_register(job, own, sizeof(own), &mem), WEFT_OK);
	weft_mem_unregister(&mem);
	TAP_CHECK(!mem);
	TAP_EQUAL(weft_mem_alloc(job, 0, &at), WEFT_OK);
	weft_mem_free(job, at);
	TAP_EQUAL(weft_mem_alloc(job, 200, &at), WEFT_OK);
	TAP_EQUAL((uintptr_t)at % 64, 0);
	block = at;
	expect_told(free_within, nothing);
	expect_told(free_own, nothing);
	TAP_EQUAL(weft_mem_alloc(job, 200, &other), WEFT_OK);
	weft_mem_free(job, block);
	expect_told(free_again, nothing);
	weft_mem_free(job, other);
	works();
}

/* ---- opening ---- */

static struct weft_job_options options;
static const struct weft_job_options *given = &options;
static int status_of_open;

static void open_it(void)
{
	struct weft_job *made = job;

	status_of_open = weft_job_open(given, &made);
	TAP_CHECK(!made);
}

static void expect_open(int status, const char *text)
{
	expect_told(open_it, text);
	TAP_EQUAL(status_of_open, status);
}

/* As of a program that was built when the structure ended after inproc. */
static void open_by_a_shorter_structure(struct weft_inproc *inproc)
{
	static volatile size_t size =
		offsetof(struct weft_job_options, inproc_rank);
	struct weft_job_options *shorter = malloc(size);
	struct weft_job *made;

	memset(shorter, 0xff, size);
	weft_job_options_init(shorter, size);
	TAP_EQUAL((long long)shorter->size, (long long)size);
	shorter->inproc = inproc;
	TAP_EQUAL(weft_job_open(shorter, &made), WEFT_OK);
	TAP_EQUAL(weft_job_rank(made), 0);
	TAP_EQUAL(weft_job_close(made), WEFT_OK);
	free(shorter);
}

static void opening(void)
{
	struct {
		struct weft_job_options known;
		long later;
	} longer = { .later = 5 };
	struct weft_inproc *inproc = NULL;
	struct weft_job *made;

	/* which would come before the ranks of this process */
	unsetenv("WEFT_BOOT");
	TAP_EQUAL(weft_inproc_create(0, &inproc), WEFT_ERR_ARG);
	TAP_EQUAL(weft_inproc_create(-1, &inproc), WEFT_ERR_ARG);
	TAP_EQUAL(weft_inproc_create(INT_MAX, &inproc), WEFT_ERR_ARG);
	TAP_EQUAL(weft_inproc_create(1, NULL), WEFT_ERR_ARG);
	TAP_CHECK(!inproc);
	TAP_EQUAL(weft_inproc_create(1, &inproc), WEFT_OK);
	memset(&options, 0, sizeof(options));
	expect_open(WEFT_ERR_ARG, "options->size is 0");
	options.size = SIZE_MAX;
	expect_open(WEFT_ERR_ARG, "options->size is 18446744073709551615");
	/* of a pointer */
	options.size = sizeof(size_t);
	expect_open(WEFT_ERR_ARG, "options->size is 8");
	options.size = sizeof(options) - 1;
	expect_open(WEFT_ERR_ARG, "options->size is 31");
	weft_job_options_init(&options, sizeof(options));
	weft_job_options_init(&options, sizeof(options.size) - 1);
	TAP_EQUAL((long long)options.size, (long long)sizeof(options));
	options.inproc = inproc;
	options.inproc_rank = 1;
	expect_open(WEFT_ERR_ARG, "rank 1 of a job of 1 ranks");
	options.inproc_rank = -1;
	expect_open(WEFT_ERR_ARG, "rank -1 of a job of 1 ranks");
	/* as a program that was built with a later release gives them */
	options.inproc_rank = 0;
	weft_job_options_init(&longer.known, sizeof(longer));
	TAP_EQUAL(longer.later, 0);
	longer.known.inproc = inproc;
	longer.later = 5;
	given = &longer.known;
	expect_open(WEFT_ERR_ARG, "a member at byte");
	longer.later = 0;
	TAP_EQUAL(weft_job_open(given, &made), WEFT_OK);
	given = &options;
	expect_open(WEFT_ERR_BOOT, "rank 0 of this process has opened");
	TAP_EQUAL(weft_job_close(made), WEFT_OK);
	weft_inproc_free(&inproc);
	TAP_EQUAL(weft_inproc_create(1, &inproc), WEFT_OK);
	open_by_a_shorter_structure(inproc);
	weft_inproc_free(&inproc);
	works();
}

/* ---- the child of a fork ---- */

/* The number of the first call that does not say so; 0: all do. */
static int calls_of_child(struct weft_request *req, struct weft_comm *parents)
{
	struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *made = NULL;
	struct weft_request *more;
	struct weft_mem *mem;
	const char *way;
	bool done;
	void *at;
	double x;
	const int status[] = {
		weft_job_progress(job),
		weft_mem_alloc(job, 8, &at),
		weft_mem_register(job, own, 8, &mem),
		weft_barrier(world),
		weft_allreduce(world, WEFT_IN_PLACE,
			       weft_part(&x, 1, &weft_type_double),
			       &weft_op_sum),
		weft_graph_create_adjacent(world, &none, &none, NULL, false,
					   &made),
		weft_graph_edge(graph, true, -1, NULL),
		weft_graph_degrees(world, NULL, NULL, NULL),
		weft_graph_neighbors(graph, NULL, NULL),
		weft_topo_kind(world, NULL),
		weft_neighbor_alltoallv(graph, &send, &recv),
		weft_ineighbor_alltoallv(graph, &send, &recv, &more),
		weft_neighbor_alltoallv_init(graph, &send, &recv, &more),
		weft_neighbor_way(req, 0, &way),
		weft_request_start(req),
		weft_request_test(req, &done),
		weft_request_wait(req),
		weft_request_free(&req),
		weft_comm_free(&parents),
		weft_job_close(job),
	};

	for (int i = 0; i < TAP_COUNT(status); i++)
		if (status[i] != WEFT_ERR_FORKED)
			return i + 1;
	return req && parents ? 0 : 100;
}

static void forked(void)
{
	struct weft_request *req;
	int status;
	pid_t pid;

	TAP_EQUAL(weft_neighbor_alltoallv_init(graph, &send, &recv, &req),
		  WEFT_OK);
	pid = fork();
	if (pid == 0)
		_exit(calls_of_child(req, graph));
	TAP_EQUAL(waitpid(pid, &status, 0), pid);
	TAP_CHECK(WIFEXITED(status));
	TAP_EQUAL(WEXITSTATUS(status), 0);
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	works();
}

/* KiB of this process that the child of a fork would find empty. */
static long count_wiped(void)
{
	FILE *file = fopen("/proc/self/smaps", "re");
	long size = 0, wiped = 0;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		sscanf(line, "Size: %ld kB", &size);
		if (!strncmp(line, "VmFlags:", 8) && strstr(line, " wf"))
			wiped += size;
	}
	if (file)
		fclose(file);
	return wiped;
}

/* Before there is a job: glibc has some for itself (2.41). */
static long of_others;

static void count_others(void)
{
	char byte;

	/* it takes them when it is first asked */
	TAP_EQUAL(getrandom(&byte, 1, 0), 1);
	of_others = count_wiped();
}

/* By it a job knows a child; each job has one for as long as it is open. */
static void fork_pages(void)
{
	long page = sysconf(_SC_PAGESIZE) / 1024, before = count_wiped();
	struct weft_job *made;

	if (!before) {
		tap_skip("the kernel does not say what a fork wipes");
		return;
	}
	TAP_EQUAL(before - of_others, page);
	for (int i = 0; i < 3; i++) {
		TAP_EQUAL(weft_job_open(NULL, &made), WEFT_OK);
		TAP_EQUAL(count_wiped() - of_others, 2 * page);
		TAP_EQUAL(weft_job_close(made), WEFT_OK);
		TAP_EQUAL(count_wiped() - of_others, page);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no handle at all", no_handle },
		{ "nothing to free", nothing_to_free },
		{ "an abort without a job", abort_without_job },
		{ "persistent requests", persistent },
		{ "nonblocking requests", nonblocking },
		{ "a freed graph that is held", freed_graph },
		{ "memory", memory },
		{ "memory of a region", memory_of_a_region },
		{ "opening", opening },
		{ "the child of a fork", forked },
		{ "the page that a fork wipes is given back", fork_pages },
	};
	int failed;

	count_others();
	if (setenv("WEFT_BOOT", "solo", 1) || weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	if (make_graph(&graph))
		return 1;
	failed = tap_run(argc, argv, cases, TAP_COUNT(cases));
	if (weft_comm_free(&graph) || weft_job_close(job))
		return 1;
	return failed;
}
