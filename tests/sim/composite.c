/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests made of others: they are complete when all parts are and their
 * function was called, once for each start; they mix with others in calls on
 * many, fail as the first part that did, and go as their parts may.
 */
#include <stdlib.h>
#include <string.h>
#include <weft/persistent.h>
#include "plan/composite.h"
#include "tests/sim/p2p_scene.h"

enum {
	PARTS = 3
};

/* Receives parts of a text, and joins them at the end. */
struct joint {
	struct wf_composite all;
	struct weft_request *part[PARTS];
	char piece[PARTS][4];
	char text[4 * PARTS + 1];
	int begun, finished;
	bool fails;			/* its function does */
};

static int destroyed;

static struct joint *joint_of(struct wf_composite *all)
{
	return wf_container(all, struct joint, all);
}

static void begin(struct wf_composite *all)
{
	joint_of(all)->begun++;
}

static void finish(struct wf_composite *all)
{
	struct joint *j = joint_of(all);

	j->finished++;
	if (all->status)
		return;
	for (int i = 0; i < PARTS; i++)
		memcpy(j->text + 4 * i, j->piece[i], 4);
	if (j->fails)
		wf_composite_fail(all, WEFT_ERR_RANGE, "joint: no %s",
				  j->text);
}

static void message(const struct wf_composite *all,
		    struct weft_message_status *got_p)
{
	got_p->kind = WEFT_MESSAGE_RECEIVED;
	got_p->bytes = 4 * (uint64_t)all->n;
}

static void destroy(struct wf_composite *all)
{
	destroyed++;
	free(joint_of(all));
}

static const struct wf_composite_kind kind = {
	.begin = begin, .finish = finish, .message = message,
	.destroy = destroy
};

static struct joint *new_joint(void)
{
	struct joint *j = calloc(1, sizeof(*j));

	j->all.kind = &kind;
	j->all.call = "joint";
	j->all.part = j->part;
	j->all.n = PARTS;
	return j;
}

/* Of messages from a rank; what has room for less is cut off. */
static struct joint *receive(const struct scene *s, int from, int tag,
			     int cut)
{
	struct joint *j = new_joint();

	for (int i = 0; i < PARTS; i++)
		ok(s, weft_irecv(s->world, j->piece[i], i == cut ? 3 : 4,
				 &weft_type_byte, weft_from(from, tag + i),
				 &j->part[i]), "irecv");
	wf_composite_begin(&j->all, s->world);
	return j;
}

/* The last one first or last, and never in order. */
static void send_parts(const struct scene *s, int to, int tag)
{
	static const char text[] = "one.two.six.";
	static const int orders[2][PARTS] = { { 2, 1, 0 }, { 1, 0, 2 } };
	const int *order = orders[tag / 10 % 2];

	for (int i = 0; i < PARTS; i++)
		ok(s, bytes_to(s, text + 4 * order[i], 4, to, tag + order[i]),
		   "send");
}

static void expect_text(const struct scene *s, const struct joint *j, int times)
{
	if (j->finished != times || strcmp(j->text, "one.two.six."))
		wf_sim_fail(s->rank, "\"%s\", finished %d times", j->text,
			    j->finished);
}

static void free_request(const struct scene *s, struct weft_request *req)
{
	int before = destroyed;

	ok(s, weft_request_free(&req), "free");
	if (destroyed != before + 1)
		wf_sim_fail(s->rank, "not destroyed");
}

/* ---- by itself, and among others ---- */

static void wait_alone(const struct scene *s)
{
	struct joint *j = receive(s, 0, 10, -1);
	struct weft_message_status got;
	bool done = false;

	ok(s, weft_request_test(&j->all.base, &done), "test");
	if (done || j->finished || !weft_request_is_active(&j->all.base))
		wf_sim_fail(s->rank, "complete too early");
	ok(s, bytes_to(s, NULL, 0, 0, 1), "word");
	ok(s, weft_request_wait(&j->all.base), "wait");
	expect_text(s, j, 1);
	ok(s, weft_request_status(&j->all.base, &got), "status");
	if (got.bytes != 4 * PARTS || got.kind != WEFT_MESSAGE_RECEIVED ||
	    got.error)
		wf_sim_fail(s->rank, "another status");
	free_request(s, &j->all.base);
}

/* It comes between two native ones. */
static void wait_among(const struct scene *s)
{
	struct joint *j = receive(s, 0, 20, -1);
	struct weft_request *req[3] = { NULL, &j->all.base, NULL };
	int index, order[3] = { 2, 1, 0 };
	char a, b;

	ok(s, weft_irecv(s->world, &a, 1, &weft_type_byte, weft_from(0, 31),
			 &req[0]), "irecv");
	ok(s, weft_irecv(s->world, &b, 1, &weft_type_byte, weft_from(0, 30),
			 &req[2]), "irecv");
	for (int i = 0; i < 3; i++) {
		ok(s, bytes_to(s, NULL, 0, 0, 2), "word");
		ok(s, weft_request_wait_any(req, 3, &index), "any");
		if (index != order[i])
			wf_sim_fail(s->rank, "%d instead of %d", index,
				    order[i]);
		if (index == 1)
			expect_text(s, j, 1);
		if (index >= 0)
			ok(s, weft_request_free(&req[index]), "free");
	}
}

/* The first part that failed tells, and those behind it have come. */
static void wait_in_vain(const struct scene *s)
{
	struct joint *j[2] = { receive(s, 0, 40, 1), receive(s, 0, 50, -1) };
	struct weft_request *req[2] = { &j[0]->all.base, &j[1]->all.base };
	int status[2];

	j[1]->fails = true;
	expect(s, weft_request_wait_all(req, 2, status), WEFT_ERR_TRUNCATE,
	       "tag 41,");
	if (status[1] != WEFT_ERR_RANGE || j[0]->finished != 1 || j[0]->text[0])
		wf_sim_fail(s->rank, "not its own error");
	if (strcmp(weft_request_error(req[1]), "joint: no one.two.six."))
		wf_sim_fail(s->rank, "\"%s\"", weft_request_error(req[1]));
	expect(s, weft_request_wait(req[1]), WEFT_ERR_RANGE, "joint: no one");
	for (int i = 0; i < 2; i++)
		free_request(s, req[i]);
}

static void serve(const struct scene *s)
{
	ok(s, bytes_from(s, NULL, 0, 1, 1, NULL), "word");
	send_parts(s, 1, 10);
	for (int i = 0; i < 3; i++) {
		ok(s, bytes_from(s, NULL, 0, 1, 2, NULL), "word");
		if (i == 1)
			send_parts(s, 1, 20);
		else
			ok(s, bytes_to(s, "x", 1, 1, 30 + i / 2), "send");
	}
	send_parts(s, 1, 40);
	send_parts(s, 1, 50);
}

static void mix(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		serve(&s);
	} else {
		wait_alone(&s);
		wait_among(&s);
		wait_in_vain(&s);
	}
	stop(&s);
}

static void mixed(void)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, 2, seed);
		wf_sim_options_vary(&options);
		if (!sim_flow_run(&options, mix, NULL))
			return;
	}
}

/* ---- persistent ---- */

static void start_often(const struct scene *s, struct joint *j)
{
	struct weft_request *req = &j->all.base;
	int index;

	for (int i = 1; i <= 4; i++) {
		ok(s, weft_request_start(req), "start");
		expect(s, weft_request_start(req), WEFT_ERR_REQUEST, "active");
		ok(s, bytes_to(s, NULL, 0, 0, 1), "word");
		memset(j->text, 0, sizeof(j->text));
		ok(s, weft_request_wait_any(&req, 1, &index), "any");
		if (index || j->begun != i || weft_request_is_active(req))
			wf_sim_fail(s->rank, "start %d is not over", i);
		expect_text(s, j, i);
		ok(s, weft_request_wait_any(&req, 1, &index), "none");
		if (index != -1)
			wf_sim_fail(s->rank, "told twice");
	}
}

static void persist(struct wf_sim_rank *rank, void *arg)
{
	struct joint *j = new_joint();
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; wf_sim_rank(rank) && i < PARTS; i++)
		ok(&s, weft_recv_init(s.world, j->piece[i], 4, &weft_type_byte,
				      weft_from(0, 10 + i), &j->part[i]),
		   "recv_init");
	if (wf_sim_rank(rank)) {
		wf_composite_persist(&j->all, s.world);
		if (!weft_request_is_persistent(&j->all.base))
			wf_sim_fail(rank, "not persistent");
		start_often(&s, j);
		free_request(&s, &j->all.base);
	} else {
		free(j);
		for (int i = 0; i < 4; i++) {
			ok(&s, bytes_from(&s, NULL, 0, 1, 1, NULL), "word");
			send_parts(&s, 1, 10);
		}
	}
	stop(&s);
}

static void persistent(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, persist))
			return;
}

/* ---- given up ---- */

/* Its parts come later; the job closes when they have. */
static void give_up(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req;
	struct scene s;
	int before = destroyed;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank)) {
		struct joint *j = receive(&s, 0, 10, -1);

		req = &j->all.base;
		ok(&s, weft_request_free(&req), "free");
		if (destroyed != before || j->finished)
			wf_sim_fail(rank, "gone while it is active");
		ok(&s, bytes_to(&s, NULL, 0, 0, 1), "word");
	} else {
		ok(&s, bytes_from(&s, NULL, 0, 1, 1, NULL), "word");
		send_parts(&s, 1, 10);
	}
	stop(&s);
	if (wf_sim_rank(rank) && destroyed != before + 1)
		wf_sim_fail(rank, "it is left");
}

/* A part that stays until it is over keeps the whole. */
static void keep(struct wf_sim_rank *rank, void *arg)
{
	struct joint *j = new_joint();
	struct weft_request *req;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0)
		ok(&s, bytes_from(&s, NULL, 0, 1, 1, NULL), "word");
	ok(&s, weft_ibarrier(s.world, &j->part[0]), "ibarrier");
	j->all.n = 1;
	wf_composite_begin(&j->all, s.world);
	req = &j->all.base;
	if (wf_sim_rank(rank)) {
		expect(&s, weft_request_free(&req), WEFT_ERR_REQUEST,
		       "is active");
		ok(&s, bytes_to(&s, NULL, 0, 0, 1), "word");
	}
	ok(&s, weft_request_wait(req), "wait");
	free_request(&s, req);
	stop(&s);
}

/* One that nobody frees goes with its job. */
static void leave(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;
	int before;

	(void)arg;
	if (!start(&s, rank))
		return;
	receive(&s, wf_sim_rank(rank), 10, -1);
	send_parts(&s, wf_sim_rank(rank), 10);
	before = destroyed;
	stop(&s);
	if (destroyed != before + 1)
		wf_sim_fail(rank, "it is left");
}

static void given_up(void)
{
	run(2, 1, give_up);
	run(2, 2, keep);
	run(1, 1, leave);
}

/* ---- deaths ---- */

static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[2] = { NULL };
	struct joint *j;
	struct scene s;
	int status[2];
	char word;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, bytes_to(&s, "one.", 4, 1, 10), "send");
		ok(&s, weft_barrier(s.world), "barrier");
		wf_sim_die(rank);
	}
	j = receive(&s, 0, 10, -1);
	req[0] = &j->all.base;
	ok(&s, weft_irecv(s.world, &word, 1, &weft_type_byte, weft_from(0, 1),
			  &req[1]), "irecv");
	ok(&s, weft_barrier(s.world), "barrier");
	expect(&s, weft_request_wait_all(req, 2, status), WEFT_ERR_PEER,
	       "tag 11,");
	if (status[0] != WEFT_ERR_PEER || j->finished != 1)
		wf_sim_fail(rank, "the composite has not failed");
	ok(&s, weft_request_free_all(req, 2), "free");
	(void)!weft_job_close(s.job);
}

static void deaths(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		run_death(seed, lose_one);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "alone and among others", mixed },
		{ "persistent ones", persistent },
		{ "given up", given_up },
		{ "a peer dies", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
