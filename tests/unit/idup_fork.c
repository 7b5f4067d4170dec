/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A request of weft_comm_idup() that failed is freed, and the first of the
 * callbacks that delete its attributes forks: the child calls no other one, and
 * touches nothing of the job.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft.h>
#include "comm/comm.h"
#include "tests/tap.h"

static int calls;
static pid_t child = -1;

static int copy(struct weft_comm *from, struct weft_keyval *keyval,
		void *extra, void *value, void **copy_p, bool *keep_p)
{
	(void)from;
	(void)keyval;
	(void)extra;
	*copy_p = value;
	*keep_p = true;
	return WEFT_OK;
}

static int fork_once(struct weft_comm *comm, struct weft_keyval *keyval,
		     void *value, void *extra)
{
	(void)comm;
	(void)keyval;
	(void)value;
	(void)extra;
	if (!calls++)
		child = fork();
	return WEFT_OK;
}

/* Of a communicator without ids, where there are no more: it fails. */
static struct weft_request *failed(struct weft_job *job, struct weft_comm *of)
{
	struct weft_comm *made = NULL;
	struct weft_request *req = NULL;

	of->pool.next = of->pool.end;
	wf_contexts(job)->ids.mint_end = wf_contexts(job)->ids.mint_next;
	TAP_EQUAL(weft_comm_idup(of, &made, &req), WEFT_OK);
	TAP_EQUAL(weft_request_wait(req), WEFT_ERR_NOMEM);
	TAP_CHECK(!made);
	return req;
}

/* 0: all was as it should be. */
static int in_child(int status, const struct weft_request *req)
{
	return status != WEFT_ERR_FORKED || calls != 1 || !req;
}

static void forks(void)
{
	struct weft_keyval *keyval[2];
	struct weft_request *req;
	struct weft_comm *of;
	struct weft_job *job = NULL;
	int status, code = -1;

	/*
	 * No reserve beyond the memory: valgrind has no room for the usual one,
	 * and looks for leaks in all of it where the child ends.
	 */
	setenv("WEFT_ARENA", "1m", 1);
	setenv("WEFT_ARENA_MAX", "1m", 1);
	if (!TAP_EQUAL(weft_job_open(NULL, &job), WEFT_OK))
		return;
	TAP_EQUAL(weft_comm_dup(weft_job_world(job), &of), WEFT_OK);
	for (int i = 0; i < 2; i++) {
		TAP_EQUAL(weft_keyval_create(job, copy, fork_once, NULL,
					     &keyval[i]), WEFT_OK);
		TAP_EQUAL(weft_comm_set_attr(of, keyval[i], &calls), WEFT_OK);
	}
	req = failed(job, of);
	status = weft_request_free(&req);
	if (child == 0)
		_exit(in_child(status, req));
	TAP_EQUAL(status, WEFT_OK);
	TAP_EQUAL(calls, 2);
	TAP_EQUAL(waitpid(child, &code, 0), child);
	TAP_EQUAL(code, 0);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a callback that forks", forks }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
