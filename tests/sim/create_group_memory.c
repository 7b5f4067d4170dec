/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators of groups where memory is short: a member that cannot make its
 * own, and mails that find no place.  No rank gets ids of another call.
 */
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	TAG = 5,
	ALLOCATIONS = 14,
	EARLY = 30			/* mails that come too early */
};

/* What comes meanwhile finds no memory. */
static void starve(struct scene *s)
{
	uint64_t until = wf_sim_now(s->rank) + 1000000;

	while (wf_sim_now(s->rank) < until) {
		fail_malloc_at(1);
		ok(s, weft_job_progress(s->job), "progress");
		fail_malloc_at(0);
		wf_sim_idle(s->rank, until);
	}
}

/* Of the last one's call only: what it waits for has come. */
static void run_short(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), failed = 0;
	struct weft_comm *made;
	struct weft_group *group;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 3, 1);
	for (long n = 1; n <= ALLOCATIONS; n++) {
		int status;

		made = NULL;
		if (me == 2) {
			linger(&s);
			fail_malloc_once(n);
		}
		status = weft_comm_create_group(s.world, group, TAG, &made);
		if (me == 2)
			fail_malloc_at(0);
		failed += status != WEFT_OK;
		if (status && (me < 2 || status != WEFT_ERR_NOMEM || made))
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
		if (made)
			ok(&s, weft_comm_free(&made), "free");
	}
	if (me == 2 && !failed)
		wf_sim_fail(rank, "none failed");
	ok(&s, weft_comm_create_group(s.world, group, TAG, &made), "create");
	use(&s, made);
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

/* Mails that come early find no memory and, at last, no place. */
static void lose(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_comm *made[EARLY] = { NULL };
	struct weft_group *group;
	struct scene s;
	int lost = 0;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 2, 1);
	ok(&s, weft_barrier(s.world), "barrier");
	if (me)
		starve(&s);
	for (int i = 0; i < EARLY; i++) {
		int status = weft_comm_create_group(s.world, group, i,
						    &made[i]);

		if (!status)
			continue;
		if (status != WEFT_ERR_NOMEM ||
		    !strstr(weft_error_text(s.job), "no memory for a mail"))
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
		lost++;
	}
	if (me ? !lost || lost == EARLY : lost)
		wf_sim_fail(rank, "%d were lost", lost);
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

static bool finished;			/* the first rank, with the others */

/* All by one tag; how many came before one was lost. */
static int make_all(struct scene *s, struct weft_group *group,
		    struct weft_comm **made)
{
	int n = EARLY;

	for (int i = 0; i < EARLY; i++) {
		int status = weft_comm_create_group(s->world, group, TAG,
						    &made[i]);

		if (status && n == EARLY)
			n = i;
		if (!status && n < EARLY)
			wf_sim_fail(s->rank, "one behind what was lost");
	}
	return n;
}

/* Who is alone in one hears of that. */
static void use_all(struct scene *s, struct weft_comm **made)
{
	int me = wf_sim_rank(s->rank);

	for (int i = 0; i < EARLY && made[i]; i++) {
		int status = weft_barrier(made[i]);

		if (status != WEFT_OK && (me || status != WEFT_ERR_GRAPH))
			wf_sim_fail(s->rank, "%s", weft_error_text(s->job));
	}
}

/* What was lost is not mixed up with what comes later. */
static void lose_of_one_tag(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *made[EARLY] = { NULL };
	struct weft_group *group;
	struct scene s;
	int n;

	(void)arg;
	finished = false;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 2, 1);
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank))
		starve(&s);
	n = make_all(&s, group, made);
	if (wf_sim_rank(rank) ? n < 1 || n == EARLY : n < EARLY)
		wf_sim_fail(rank, "%d were there", n);
	/* the barriers come when there is memory again */
	linger(&s);
	linger(&s);
	use_all(&s, made);
	finished |= !wf_sim_rank(rank);
	while (!finished)
		linger(&s);
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

/* A mail of something else is lost: no matter. */
static void lose_another(struct wf_sim_rank *rank, void *arg)
{
	int64_t words[60] = { 0 };
	struct weft_comm *other, *made = NULL;
	struct weft_group *group;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 2, 1);
	ok(&s, weft_comm_dup(s.world, &other), "dup");
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank))
		starve(&s);
	(void)!weft_allreduce(other, WEFT_IN_PLACE,
			      weft_part(words, 60, &weft_type_int64),
			      &weft_op_sum);
	if (!wf_sim_rank(rank))
		linger(&s);
	for (int i = 0; i < 3; i++) {
		ok(&s, weft_comm_create_group(s.world, group, TAG, &made),
		   "create_group");
		check_id(&s, made, NULL, 0);
		ok(&s, weft_comm_free(&made), "free");
	}
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

/* Messages as long as ids for a group, with a tag that is their port. */
static void lose_messages(struct wf_sim_rank *rank, void *arg)
{
	struct wf_relay_note note = { .low = 1, .end = UINT64_C(1) << 40 };
	struct weft_request *req;
	struct weft_comm *made = NULL;
	struct weft_group *group;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 2, 1);
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank))
		starve(&s);
	for (int i = 0; !wf_sim_rank(rank) && i < EARLY; i++) {
		ok(&s, weft_isend(s.world, &note, sizeof(note),
				  &weft_type_byte, weft_to(1, WF_PORT_RELAY),
				  &req), "isend");
		ok(&s, weft_request_free(&req), "free");
	}
	if (!wf_sim_rank(rank))
		linger(&s);
	ok(&s, weft_comm_create_group(s.world, group, TAG, &made),
	   "create_group");
	check_id(&s, made, NULL, 0);
	use(&s, made);
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

/* In a context that rank 1 has still to make: no matter for the world. */
static void lose_of_the_next(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *next, *made = NULL;
	struct weft_group *group;
	struct scene s;
	int status = WEFT_OK;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = range(&s, 0, 2, 1);
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank)) {
		starve(&s);
		ok(&s, weft_comm_create_group(s.world, group, TAG, &made),
		   "create_group of the world");
	}
	ok(&s, weft_comm_dup(s.world, &next), "dup");
	for (int i = 0; i < EARLY; i++) {
		struct weft_comm *one;

		status |= weft_comm_create_group(next, group, i, &one);
	}
	if (wf_sim_rank(rank) == 0) {
		/* there is memory again */
		linger(&s);
		linger(&s);
		ok(&s, weft_comm_create_group(s.world, group, TAG, &made),
		   "create_group of the world");
	}
	if (!status != !wf_sim_rank(rank))
		wf_sim_fail(rank, "%s was lost", status ? "something" :
			    "nothing");
	if (made)
		use(&s, made);
	ok(&s, weft_group_free(&group), "free group");
	stop(&s);
}

static void one_member(void)
{
	run(3, 1, run_short);
}

static void lost_mails(void)
{
	run(2, 1, lose);
	run(2, 1, lose_of_one_tag);
	run(2, 1, lose_another);
	run(2, 1, lose_messages);
	run(2, 1, lose_of_the_next);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no memory at one member", one_member },
		{ "mails that are lost", lost_mails }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
