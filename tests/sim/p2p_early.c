/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages for a communicator that their receiver has not made yet: all of them
 * arrive, in the order of their sender, also where they are more than it holds;
 * or it frees it first, and who waits hears that.
 */
#include <stdlib.h>
#include <string.h>
#include "p2p/p2p.h"
#include "tests/sim/scene.h"

enum {
	MOST_RANKS = 9,
	SHORT_MOST = 1100,		/* messages, more than are held */
	CONTENT_MOST = 120,		/* those whose content is */
	LENGTH = 1200,
	LONG = 30000
};

/* What all ranks of a run know. */
struct show {
	const struct maker *maker;
	uint64_t dice;
	int sent;			/* by so many ranks, all of it */
};

/* Over the runs of a case. */
static uint64_t came_early, came_freed;

struct play {
	struct scene s;
	struct show *show;
	struct wf_random random;	/* of this rank alone */
	struct weft_comm *made;		/* NULL: it has no part in it */
	int late;			/* rank in what is made */
};

/* ---- makers ---- */

static void make_dup(struct play *p)
{
	ok(&p->s, weft_comm_dup(p->s.world, &p->made), "dup");
}

static void make_idup(struct play *p)
{
	struct weft_request *req = NULL;

	ok(&p->s, weft_comm_idup(p->s.world, &p->made, &req), "idup");
	ok(&p->s, weft_request_wait(req), "wait");
	ok(&p->s, weft_request_free(&req), "free");
}

/* Without the first rank, where there are more than two. */
static int first_of(const struct play *p)
{
	return wf_sim_size(p->s.rank) > 2;
}

static void make_create(struct play *p)
{
	int n = wf_sim_size(p->s.rank);
	struct weft_group *group = range(&p->s, n - 1, n - first_of(p), -1);

	ok(&p->s, weft_comm_create(p->s.world, group, &p->made), "create");
	ok(&p->s, weft_group_free(&group), "free group");
}

static void make_create_group(struct play *p)
{
	int n = wf_sim_size(p->s.rank), first = first_of(p);
	struct weft_group *group = range(&p->s, first, n - first, 1);

	ok(&p->s, weft_comm_create_group(p->s.world, group, 0, &p->made),
	   "create_group");
	ok(&p->s, weft_group_free(&group), "free group");
}

static void make_split(struct play *p)
{
	bool part = wf_sim_rank(p->s.rank) >= first_of(p);

	/* Backwards: it needs an allgather, too. */
	ok(&p->s, weft_comm_split(p->s.world, part ? 3 : WEFT_UNDEFINED,
				  -wf_sim_rank(p->s.rank), &p->made), "split");
}

static const struct maker {
	void (*make)(struct play *p);
	bool everybody, backwards;
	bool waits;			/* until all have called it */
} makers[] = {
	{ make_dup, true, false, false },
	{ make_idup, true, false, false },
	{ make_create, false, true, false },
	{ make_create_group, false, false, false },
	{ make_split, false, true, true }
};

/* ---- messages ---- */

/* One run in four has many short ones, the others much content. */
static int count_of(const struct show *show)
{
	return show->dice % 4 ? CONTENT_MOST : SHORT_MOST;
}

struct message {
	size_t bytes;
	bool synchronous;
};

static struct message message(const struct show *show, int from, int i)
{
	struct wf_random random;
	struct message m;

	wf_random_init(&random, show->dice * 1000003 + (uint64_t)from * 7001 +
		       (uint64_t)i);
	m.synchronous = !wf_random_below(&random, 20);
	m.bytes = (size_t)wf_random_below(
		&random, count_of(show) == SHORT_MOST ? 9 : LENGTH);
	if (!wf_random_below(&random, 30))
		m.bytes = LONG;
	return m;
}

static void fill(unsigned char *at, size_t n, int from, int i)
{
	for (size_t k = 0; k < n; k++)
		at[k] = (unsigned char)(from * 91 + i + (int)k * 7);
}

static bool is_filled(const unsigned char *at, size_t n, int from, int i)
{
	for (size_t k = 0; k < n; k++)
		if (at[k] != (unsigned char)(from * 91 + i + (int)k * 7))
			return false;
	return true;
}

/* freed: who waits for a receive hears that there is none. */
static void finish(struct play *p, struct weft_request **req,
		   const struct message *m, bool freed)
{
	int status = weft_request_wait(*req);

	if (!freed)
		ok(&p->s, status, "wait");
	/* One that found no room for its content waits, too. */
	else if (m->synchronous || m->bytes == LONG || status)
		if (status != WEFT_ERR_GRAPH ||
		    !strstr(weft_request_error(*req), "freed the communicator"))
			wf_sim_fail(p->s.rank, "freed, but %s",
				    weft_status_name(status));
	ok(&p->s, weft_request_free(req), "free");
}

static void send_all(struct play *p, bool freed)
{
	int n = count_of(p->show), me = weft_comm_rank(p->made);
	struct weft_request **req = calloc((size_t)n, sizeof(*req));
	unsigned char **data = calloc((size_t)n, sizeof(*data));

	for (int i = 0; i < n; i++) {
		struct message m = message(p->show, me, i);

		data[i] = malloc(m.bytes + 1);
		fill(data[i], m.bytes, me, i);
		ok(&p->s, (m.synchronous ? weft_issend : weft_isend)(
			p->made, data[i], m.bytes, &weft_type_byte,
			weft_to(p->late, i % 5), &req[i]), "isend");
	}
	p->show->sent++;
	for (int i = 0; i < n; i++) {
		struct message m = message(p->show, me, i);

		finish(p, &req[i], &m, freed);
		free(data[i]);
	}
	free(req);
	free(data);
}

static void receive_all(struct play *p)
{
	int size = weft_comm_size(p->made), n = count_of(p->show) * (size - 1);
	unsigned char *data = malloc(LONG);
	int next[MOST_RANKS] = { 0 };

	for (int k = 0; k < n; k++) {
		int from = (p->late + 1 + k % (size - 1)) % size, i;
		struct weft_message_status got = { .source = -5 };
		struct message m;

		if (p->show->dice % 2)
			from = WEFT_ANY_SOURCE;
		ok(&p->s, weft_recv(p->made, data, LONG, &weft_type_byte,
				    weft_from(from, WEFT_ANY_TAG), &got),
		   "recv");
		if (got.source < 0)
			break;
		i = next[got.source]++;
		m = message(p->show, got.source, i);
		if (got.bytes != m.bytes || got.tag != i % 5 ||
		    !is_filled(data, m.bytes, got.source, i)) {
			wf_sim_fail(p->s.rank, "from rank %d: not message %d",
				    got.source, i);
			break;
		}
	}
	free(data);
}

/* ---- programs ---- */

static void compute(struct play *p, uint64_t ns)
{
	uint64_t until = wf_sim_now(p->s.rank) + ns;

	while (wf_sim_now(p->s.rank) < until)
		wf_sim_idle(p->s.rank, until);
}

/* Without a call of the library. */
static void compute_until_sent(struct play *p, int senders)
{
	while (p->show->sent < senders)
		compute(p, 50000);
}

/* What came for what is still to be made. */
static void count_early(struct play *p)
{
	const struct wf_contexts *ctx = wf_contexts(p->s.job);
	const struct wf_office *office = !ctx->office ? NULL :
		wf_container(ctx->office, struct wf_office, cargo);

	for (const struct wf_list *at = office ? office->early.next : NULL;
	     at && at != &office->early; at = at->next)
		came_early++;
	came_early += ctx->nparked;	/* while nobody listens */
}

static void be_late(struct play *p, bool freed)
{
	int size = wf_sim_size(p->s.rank);
	int senders = size - 1 - (!p->show->maker->everybody && first_of(p));
	uint64_t dropped = p->s.job->mailbox.dropped;
	bool found;

	/* It listens already, or not. */
	if (wf_random_below(&p->random, 2))
		ok(&p->s, weft_iprobe(p->s.world, weft_from(WEFT_ANY_SOURCE, 0),
				      &found, NULL), "iprobe");
	if (!p->show->maker->waits)
		compute_until_sent(p, senders);
	else if (wf_random_below(&p->random, 2))
		compute(p, 300000);
	/* As much as is held comes, and no more; or nothing yet. */
	if (wf_random_below(&p->random, 2))
		linger(&p->s);
	count_early(p);
	p->show->maker->make(p);
	count_early(p);
	if (!freed) {
		receive_all(p);
		return;
	}
	ok(&p->s, weft_comm_free(&p->made), "free");
	while (p->s.job->mailbox.dropped - dropped <
	       (uint64_t)(senders * count_of(p->show)))
		linger(&p->s);
	came_freed += p->s.job->mailbox.dropped - dropped;
}

static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct play p = { .show = arg };
	int last = wf_sim_size(rank) - 1;
	bool freed = p.show->dice % 3 == 0;

	wf_random_init(&p.random, p.show->dice * 77 +
		       (uint64_t)wf_sim_rank(rank));
	if (!start(&p.s, rank))
		return;
	ok(&p.s, weft_barrier(p.s.world), "barrier");
	if (wf_sim_rank(rank) == last) {
		p.late = p.show->maker->backwards ? 0 :
			 p.show->maker->everybody ? last : last - first_of(&p);
		be_late(&p, freed);
	} else {
		p.show->maker->make(&p);
		if (p.made) {
			p.late = p.show->maker->backwards ? 0 :
				 weft_comm_size(p.made) - 1;
			send_all(&p, freed);
		}
	}
	if (p.made)
		ok(&p.s, weft_comm_free(&p.made), "free");
	stop(&p.s);
}

static void check_maker(const struct maker *maker)
{
	long seeds = tap_figure("SEEDS", 40);
	long first = tap_figure("FIRST_SEED", 1);

	came_early = came_freed = 0;
	for (long seed = first; seed < first + seeds; seed++) {
		struct show show = { maker, (uint64_t)seed, 0 };
		struct wf_sim_options options;

		wf_sim_options_init(&options, 2 + (int)(seed % 8),
				    (uint64_t)seed);
		wf_sim_options_vary(&options);
		if (!sim_flow_run(&options, any_program, &show))
			return;
	}
	printf("# %llu early, %llu dropped\n", (unsigned long long)came_early,
	       (unsigned long long)came_freed);
	TAP_CHECK(came_early > 0 || seeds < 40);
	TAP_CHECK(came_freed > 0 || seeds < 3);
}

static void of_dup(void)
{
	check_maker(&makers[0]);
}

static void of_idup(void)
{
	check_maker(&makers[1]);
}

static void of_create(void)
{
	check_maker(&makers[2]);
}

static void of_create_group(void)
{
	check_maker(&makers[3]);
}

static void of_split(void)
{
	check_maker(&makers[4]);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "for a duplicate", of_dup },
		{ "for one of a request", of_idup },
		{ "for a group's, which all make", of_create },
		{ "for a group's, which its members make", of_create_group },
		{ "for a part of a split", of_split }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
