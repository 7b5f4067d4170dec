/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank whose patience ends while the answer is on its way asks its agent once
 * more, and right behind that for its next op: the last answer, which is owed
 * again, is not that to the next question, also where both come in one pass.
 */
#include <string.h>
#include "rma/rma_link.h"
#include "tests/sim/scene.h"

enum {
	SEEDS = 40,
	BEFORE = 5			/* what the word is at first */
};

static struct {
	bool by_device;			/* the agent, else the owner's CPU */
	bool answered, asked;		/* how far the two of them are */
} shared;

/* Longer than a mail takes. */
static const uint64_t LONG = 10000000;

/* What was owed has left. */
static void post(const struct scene *s, const struct wf_rma_link *link)
{
	while (link->owes)
		ok(s, weft_job_progress(s->job), "progress");
}

/* Without progress: what comes meanwhile waits. */
static void await(const struct scene *s, const bool *what)
{
	while (!*what)
		wf_sim_idle(s->rank, 0);
}

/* By its own op, and as another kind than that of the device from then on. */
static void choose_agent(const struct scene *s, const struct weft_target *at)
{
	struct wf_device *dev = s->job->dev[0];

	if (shared.by_device)
		dev->caps ^= WF_CAP_OWN_AGENT;
	ok(s, weft_fetch_add(at, BEFORE, NULL, NULL), "fetch_add");
	ok(s, weft_flush(at->region, 0, WEFT_FLUSH_REMOTE), "flush");
	dev->caps ^= WF_CAP_OWN_AGENT;
}

static void answer_and_compute(const struct scene *s,
			       struct weft_region *region)
{
	struct wf_rma_link *link = wf_rma_link_get(region, 1);
	uint64_t until;

	while (!link->served_word.done)
		ok(s, weft_job_progress(s->job), "progress");
	post(s, link);
	shared.answered = true;
	await(s, &shared.asked);
	until = wf_sim_now(s->rank) + LONG;
	while (wf_sim_now(s->rank) < until)
		wf_sim_idle(s->rank, until);
}

static void ask_twice(const struct scene *s, const struct weft_target *at)
{
	struct wf_rma_link *link = wf_rma_link_get(at->region, 0);
	struct weft_request *req[2];
	uint64_t old[2];

	ok(s, weft_fetch_add(at, 1, &old[0], &req[0]), "fetch_add");
	while (!link->asked_word.number)
		ok(s, weft_job_progress(s->job), "progress");
	post(s, link);
	await(s, &shared.answered);
	link->asked_word.again = 0;
	wf_rma_agent_remind(link);
	post(s, link);
	ok(s, weft_request_wait(req[0]), "wait");
	ok(s, weft_fetch_add(at, 1, &old[1], &req[1]), "fetch_add");
	post(s, link);
	shared.asked = true;
	ok(s, weft_request_wait(req[1]), "wait");
	for (int i = 0; i < 2; i++) {
		if (old[i] != (uint64_t)(BEFORE + i))
			wf_sim_fail(s->rank, "op %d found %d", i, (int)old[i]);
		ok(s, weft_request_free(&req[i]), "free a request");
	}
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_target at = { .peer = 0 };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_region_create(s.world, NULL, 8, &at.region), "create");
	if (wf_sim_rank(rank) == 0)
		choose_agent(&s, &at);
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 0)
		answer_and_compute(&s, at.region);
	else
		ask_twice(&s, &at);
	ok(&s, weft_barrier(s.world), "barrier");
	ok(&s, weft_region_free(&at.region), "destroy");
	stop(&s);
}

static void run_all(bool by_device)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct wf_sim_options options;

		memset(&shared, 0, sizeof(shared));
		shared.by_device = by_device;
		wf_sim_options_init(&options, 2, seed);
		wf_sim_options_vary(&options);
		if (!sim_flow_run(&options, program, NULL))
			return;
	}
}

static void cpu(void)
{
	run_all(false);
}

static void device(void)
{
	run_all(true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "asked again, and at once for the next: a CPU", cpu },
		{ "asked again, and at once for the next: a device", device }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
