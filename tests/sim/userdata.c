/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pointers of the program: each handle has its own, which no duplicate gets;
 * and handles of groups, which share a table.
 */
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"

/* ---- groups ---- */

/* Each has a pointer of its own, whatever they share; of a table, too. */
static void give_pointers(struct wf_sim_rank *rank, void *arg)
{
	const int turned[] = { 2, 0, 1 };
	struct weft_group *world, *part, *one, *two;
	struct weft_comm *made;
	enum weft_comparison is = WEFT_UNEQUAL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_group(s.world, &world), "world");
	ok(&s, weft_group_incl(world, 3, turned, &part), "incl");
	ok(&s, weft_group_set_userdata(part, &world), "set");
	ok(&s, weft_comm_create(s.world, part, &made), "create");
	ok(&s, weft_comm_group(made, &one), "group");
	ok(&s, weft_comm_group(made, &two), "group");
	ok(&s, weft_group_set_userdata(one, &s), "set");
	if (part->refs != 4)
		wf_sim_fail(rank, "%d hold the table", part->refs);
	if (one == two || weft_group_userdata(one) != &s ||
	    weft_group_userdata(two) || weft_group_userdata(part) != &world)
		wf_sim_fail(rank, "handles share a pointer");
	ok(&s, weft_group_free(&part), "free");
	ok(&s, weft_comm_free(&made), "free");
	ok(&s, weft_group_compare(one, two, &is), "compare");
	if (is != WEFT_IDENT || weft_group_rank(one) != (s.job->rank + 1) % 3)
		wf_sim_fail(rank, "a handle has lost its members");
	ok(&s, weft_group_free(&one), "free");
	if (weft_group_set_userdata(NULL, &s) != WEFT_ERR_ARG ||
	    weft_group_userdata(NULL))
		wf_sim_fail(rank, "NULL is taken");
	/* the rest, and what it shares, goes with the job */
	stop(&s);
}

static void groups(void)
{
	run(3, 1, give_pointers);
}

/* ---- handles of one table ---- */

enum {
	MANY = 40,			/* ranks: looked for in an order */
	FAR = 3				/* no stride: 0, 3, 6 ... 1, 4 ... */
};

static struct weft_group *jump(struct scene *s, const struct weft_group *world)
{
	struct weft_group *group = NULL;
	int ranks[MANY], n = 0;

	for (int from = 0; from < FAR; from++)
		for (int r = from; r < MANY; r += FAR)
			ranks[n++] = r;
	ok(s, weft_group_incl(world, MANY, ranks, &group), "incl");
	return group;
}

/* The order is made once, with the table, and serves all handles. */
static void search(struct wf_sim_rank *rank, void *arg)
{
	struct weft_group *world, *part, *one, *two;
	struct weft_comm *made;
	int last = MANY - 1, at = -1;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_group(s.world, &world), "world");
	part = jump(&s, world);
	ok(&s, weft_comm_create(s.world, part, &made), "create");
	ok(&s, weft_comm_group(made, &one), "group");
	ok(&s, weft_comm_group(made, &two), "group");
	ok(&s, weft_group_translate(world, 1, &last, one, &at), "translate");
	if (at != last / FAR || one->sorted || (!part->sorted &&
						!part->shared.base))
		wf_sim_fail(rank, "rank %d, or an order of its own", at);
	ok(&s, weft_group_free(&part), "free");
	ok(&s, weft_group_free(&one), "free");
	ok(&s, weft_comm_free(&made), "free");
	at = -1;
	ok(&s, weft_group_translate(world, 1, &last, two, &at), "translate");
	if (at != last / FAR)
		wf_sim_fail(rank, "rank %d behind the communicator", at);
	/* the last handle of the table goes with the job */
	stop(&s);
}

/* As large as it is, and one that the ranks of a node share. */
static void tables(void)
{
	static char *shared[] = { "WEFT_GROUP_SHARE=64", NULL };

	run(MANY, 1, search);
	sim_flow_seeds(MANY, 1, shared, search, NULL);
}

static void lack(struct wf_sim_rank *rank, void *arg)
{
	struct weft_group *group;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	group = (struct weft_group *)&s;
	fail_malloc_once(1);
	if (weft_comm_group(s.world, &group) != WEFT_ERR_NOMEM || group ||
	    !strstr(weft_error_text(s.job), "weft_comm_group: no memory"))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	fail_malloc_at(0);
	if (s.world->group->refs != 1)
		wf_sim_fail(rank, "somebody holds it");
	stop(&s);
}

static void no_memory(void)
{
	run(1, 1, lack);
}

/* ---- communicators and datatypes ---- */

static void give_comms(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *dup, *freed;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_set_userdata(s.world, &s), "set");
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	if (weft_comm_userdata(s.world) != &s || weft_comm_userdata(dup) ||
	    weft_comm_userdata(NULL))
		wf_sim_fail(rank, "another pointer");
	freed = dup;
	wf_comm_hold(dup);
	ok(&s, weft_comm_free(&dup), "free");
	if (weft_comm_set_userdata(freed, &s) != WEFT_ERR_ARG ||
	    weft_comm_set_userdata(NULL, &s) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "none or a freed one is taken");
	wf_comm_drop(freed);
	ok(&s, weft_comm_set_userdata(s.world, NULL), "unset");
	if (weft_comm_userdata(s.world))
		wf_sim_fail(rank, "it stays");
	stop(&s);
}

static void give_types(struct wf_sim_rank *rank, void *arg)
{
	struct weft_type *basic = (struct weft_type *)&weft_type_double;
	struct weft_type *one, *two;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_type_dup(s.job, basic, &one), "dup");
	ok(&s, weft_type_set_userdata(one, &s), "set");
	ok(&s, weft_type_dup(s.job, one, &two), "dup");
	if (weft_type_userdata(one) != &s || weft_type_userdata(two) ||
	    weft_type_userdata(basic) || weft_type_userdata(NULL))
		wf_sim_fail(rank, "another pointer");
	if (weft_type_set_userdata(basic, &s) != WEFT_ERR_ARG ||
	    weft_type_set_userdata(NULL, &s) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "none or a basic one is taken");
	stop(&s);
}

static void comms(void)
{
	run(2, 1, give_comms);
}

static void types(void)
{
	run(1, 1, give_types);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "groups", groups },
		{ "handles of one table", tables },
		{ "no memory for a handle", no_memory },
		{ "communicators", comms },
		{ "datatypes", types }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
