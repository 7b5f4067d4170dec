/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of jobs in which every other rank, from rank 1 on, is ended with the
 * communicator of them; abort.t starts them.
 *
 *     abort_rank call R CODE    rank R calls weft_comm_abort()
 *     abort_rank error R        the same by an error
 *     abort_rank raise R        the same by weft_comm_call_errhandler()
 *     abort_rank threads R CODE another thread of rank R waits meanwhile
 *     abort_rank op R CODE      rank R does so in an operation of its own, with
 *                               the job locked
 *     abort_rank job R CODE     the same, and weft_job_abort()
 *     abort_rank fatal          a rank's error on the world ends the job
 *     abort_rank raise          the same by weft_comm_call_errhandler()
 *
 * The others wait for all, and then say "lives" if their own communicator does.
 * Exit code 1 if anything was wrong at this rank.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <weft.h>

enum {
	PATIENCE_S = 20,
	FOREIGN = 4711			/* a status that is none of weft's */
};

static struct weft_job *job;
static struct weft_comm *world, *half;
static int me, n, failures;

static void ok(int status, const char *what)
{
	if (!status)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	failures++;
}

/* All are here, and none in a call that this rank's end would fail. */
static void meet(int who)
{
	for (int r = 0; me == who && r < n; r++)
		if (r != me)
			ok(weft_recv(world, NULL, 0, &weft_type_byte,
				     weft_from(r, 0), NULL), "recv");
	if (me != who)
		ok(weft_send(world, NULL, 0, &weft_type_byte, weft_to(who, 0)),
		   "send");
}

static void wait_to_end(void)
{
	time_t end = time(NULL) + PATIENCE_S;
	int status = weft_barrier(world);

	if (status && status != WEFT_ERR_PEER)
		ok(status, "barrier");
	while (time(NULL) < end)
		(void)!weft_job_progress(job);
	printf("# rank %d: a member lives on\n", me);
	failures++;
}

static void live_on(void)
{
	int status = weft_barrier(world);

	if (status != WEFT_ERR_PEER) {
		printf("# rank %d: %s\n", me, weft_status_name(status));
		failures++;
	}
	ok(weft_barrier(half), "barrier of the living");
	if (!failures)
		printf("lives\n");
}

/* Not in what the others call: they would go on with that. */
static void *wait_for_ever(void *arg)
{
	(void)!weft_recv(world, NULL, 0, &weft_type_byte, weft_from(0, 1),
			 NULL);
	return arg;
}

struct end {
	bool job;
	int code;
};

static void end_inside(const void *in, void *inout, size_t count,
		       const struct weft_type *type, void *arg)
{
	const struct end *end = arg;

	(void)in;
	(void)inout;
	(void)count;
	(void)type;
	if (end->job)
		weft_job_abort(job, end->code, "in an operation");
	weft_comm_abort(half, end->code);
}

static void combine(bool ends_job, int code)
{
	struct end end = { ends_job, code };
	struct weft_op_options options;
	struct weft_op *op = NULL;
	double x = 1, y = 2;

	weft_op_options_init(&options, sizeof(options));
	options.call = end_inside;
	options.arg = &end;
	ok(weft_op_create(job, &options, &op), "create");
	ok(weft_reduce_local(job, &x, weft_part(&y, 1, &weft_type_double), op),
	   "reduce");
}

static void bring_down(const char *how, int code)
{
	const struct weft_errhandler errors = { .kind = WEFT_ERRORS_ABORT };
	pthread_t thread;

	if (!strcmp(how, "threads") &&
	    pthread_create(&thread, NULL, wait_for_ever, NULL))
		exit(3);
	ok(weft_comm_set_errhandler(half, &errors), "set");
	if (!strcmp(how, "error"))
		ok(weft_allreduce(half, NULL, weft_part(NULL, 1, NULL),
				  NULL), "no abort");
	else if (!strcmp(how, "raise"))
		ok(weft_comm_call_errhandler(half, FOREIGN, "mine"), "raise");
	else if (!strcmp(how, "op") || !strcmp(how, "job"))
		combine(!strcmp(how, "job"), code);
	else
		weft_comm_abort(half, code);
	printf("# rank %d: it came back\n", me);
	failures++;
}

static void be_fatal(const char *how)
{
	const struct weft_errhandler fatal = { .kind = WEFT_ERRORS_ARE_FATAL };
	struct weft_comm *made = NULL;

	ok(weft_comm_set_errhandler(world, &fatal), "set");
	ok(weft_comm_dup(world, &made), "dup");
	if (me == 0 && !strcmp(how, "raise"))
		ok(weft_comm_call_errhandler(made, FOREIGN, "mine"), "raise");
	else if (me == 0)
		ok(weft_allreduce(made, NULL, weft_part(NULL, 1, NULL),
				  NULL), "sum");
	ok(weft_barrier(made), "barrier");
}

static void be_split(char **argv, int code)
{
	int who = atoi(argv[2]);

	ok(weft_comm_split(world, me % 2, 0, &half), "split");
	ok(weft_comm_set_name(half, "half"), "name");
	meet(who);
	if (me == who)
		bring_down(argv[1], code);
	else if (me % 2 == who % 2)
		wait_to_end();
	else
		live_on();
}

int main(int argc, char **argv)
{
	struct weft_job_options options;
	int status;

	if (argc < 2)
		return 2;
	weft_job_options_init(&options, sizeof(options));
	options.threads = !strcmp(argv[1], "threads") ||
			  !strcmp(argv[1], "op");
	if (weft_job_open(&options, &job))
		return 1;
	world = weft_job_world(job);
	me = weft_job_rank(job);
	n = weft_job_size(job);
	if (argc == 2)
		be_fatal(argv[1]);
	else
		be_split(argv, argc > 3 ? atoi(argv[3]) : 1);
	status = weft_job_close(job);
	if (status && status != WEFT_ERR_PEER)
		ok(status, "close");
	return failures != 0;
}
