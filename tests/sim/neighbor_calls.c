/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All neighbour exchanges in all forms against a serial one: graphs with
 * duplicate and self edges and ranks without any, types with gaps in and
 * between elements that differ between the ends of an edge, contents that
 * differ by edge and start.  What is not received stays as it was.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/neighbor_play.h"

enum { EXCHANGES = 6, STARTS = 3 };

static void once(const struct play *p, struct trial *t)
{
	struct weft_request *req = NULL;

	fill(p, t);
	ok(&p->s, call_of(p, t, &req), "exchange");
	if (req) {
		ok(&p->s, weft_request_wait(req), "wait");
		ok(&p->s, weft_request_free(&req), "free");
	}
	check(p, t);
}

static void often(const struct play *p, struct trial *t)
{
	struct weft_request *req = NULL;

	ok(&p->s, call_of(p, t, &req), "init");
	for (t->start = 0; req && t->start < STARTS; t->start++) {
		fill(p, t);
		ok(&p->s, weft_request_start(req), "start");
		ok(&p->s, weft_request_wait(req), "wait");
		check(p, t);
	}
	ok(&p->s, weft_request_free(&req), "free");
}

static void drawn(struct wf_sim_rank *rank, void *arg)
{
	struct play *p = play_begin(rank, *(const uint64_t *)arg);

	for (int x = 0; p && x < EXCHANGES; x++) {
		struct trial *t = trial_make(p, x);

		(t->form == PERSISTENT ? often : once)(p, t);
		trial_free(t);
	}
	play_end(p);
}

static void as_a_serial_one(void)
{
	run_seeds(400, PLAY_RANKS, drawn);
}

/* ---- one rank gives more than is expected ---- */

/* The number of the exchange follows. */
static bool names_call(const struct trial *t, const char *text)
{
	const char *name = neighbor_call_name(t->call, t->form);

	return !strncmp(text, name, strlen(name)) && text[strlen(name)] == ' ';
}

static void check_too_much(const struct play *p, const struct trial *t,
			   int status, const char *text)
{
	if (status != (gets_from(p, 0) ? WEFT_ERR_TRUNCATE : WEFT_OK) &&
	    !(p->me == 0 && status == WEFT_ERR_TRUNCATE))
		wf_sim_fail(p->s.rank, "%s of %s: %s",
			    weft_status_name(status),
			    neighbor_call_name(t->call, t->form), text);
	if (status && !names_call(t, text))
		wf_sim_fail(p->s.rank, "does not name %s: %s",
			    neighbor_call_name(t->call, t->form), text);
}

/* The exchange is refused at its end, and not when it is asked for. */
static void send_too_much(const struct play *p, struct trial *t)
{
	struct weft_request *req = NULL;
	int status;

	fill(p, t);
	if (p->me == 0)
		side_grow(p, t);
	status = call_of(p, t, &req);
	if (t->form == BLOCKING) {
		check_too_much(p, t, status, weft_error_text(p->s.job));
		return;
	}
	ok(&p->s, status, "call");
	if (t->form == PERSISTENT)
		ok(&p->s, weft_request_start(req), "start");
	status = weft_request_wait(req);
	check_too_much(p, t, status, weft_request_error(req));
	ok(&p->s, weft_request_free(&req), "free");
}

static void too_much(struct wf_sim_rank *rank, void *arg)
{
	struct play *p = play_begin(rank, *(const uint64_t *)arg);
	struct trial *t;

	if (!p)
		return;
	t = trial_make(p, 0);
	send_too_much(p, t);
	/* who asks what became of an edge must find its other end */
	ok(&p->s, weft_barrier(p->s.world), "barrier");
	trial_free(t);
	t = trial_make(p, 1);
	(t->form == PERSISTENT ? often : once)(p, t);
	trial_free(t);
	play_end(p);
}

static void sizes_differ(void)
{
	run_seeds(60, PLAY_RANKS, too_much);
}

/* ---- one rank lacks memory ---- */

enum { ALLOCATIONS = 12 };

/*
 * Allocations of all ranks are counted: while one is to fail they do nothing
 * else, and barriers take no memory any more.
 */
static int call_without(const struct play *p, const struct trial *t, int at,
			struct weft_request **req_p)
{
	int status;

	ok(&p->s, weft_barrier(p->s.world), "barrier");
	if (p->me == 0)
		fail_malloc_once(at);
	status = call_of(p, t, req_p);
	if (t->form == PERSISTENT)
		ok(&p->s, weft_barrier(p->s.world), "barrier");
	if (p->me == 0)
		fail_malloc_once(0);
	ok(&p->s, weft_barrier(p->s.world), "barrier");
	return status;
}

/* It fails, and those of its neighbours do, or none. */
static void lack(const struct play *p, int x, int at)
{
	struct trial *t = trial_make(p, x);
	struct weft_request *req = NULL;
	int status;

	if (t->form == BLOCKING)
		t->form = NONBLOCKING;
	fill(p, t);
	status = call_without(p, t, at, &req);
	if (!status && t->form == PERSISTENT)
		status = weft_request_start(req);
	if (!status && req)
		status = weft_request_wait(req);
	ok(&p->s, weft_request_free(&req), "free");
	if (!status)
		check(p, t);
	else if (status != WEFT_ERR_NOMEM)
		wf_sim_fail(p->s.rank, "%s: %s", weft_status_name(status),
			    weft_error_text(p->s.job));
	trial_free(t);
}

static void lacks(struct wf_sim_rank *rank, void *arg)
{
	struct play *p = play_begin(rank, *(const uint64_t *)arg);

	for (int i = 0; p && i < 8; i++)
		ok(&p->s, weft_barrier(p->s.world), "barrier");
	for (int at = 1; p && at <= ALLOCATIONS; at++) {
		struct trial *t = trial_make(p, ALLOCATIONS + at);

		lack(p, at, at);
		ok(&p->s, weft_barrier(p->s.world), "barrier");
		(t->form == PERSISTENT ? often : once)(p, t);
		trial_free(t);
	}
	play_end(p);
}

static void no_memory(void)
{
	run_seeds(60, PLAY_RANKS, lacks);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as a serial exchange", as_a_serial_one },
		{ "sizes that differ", sizes_differ },
		{ "no memory", no_memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
