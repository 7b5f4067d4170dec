/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes of what several ranks make together: what duplicates have, one
 * that refuses and one that fails, what other constructors do not hand on, and
 * what is freed while it is in use.
 *
 * Above each case stands the rule of MPI 4.1 that it holds to, as in attr.c.
 * That a nonblocking duplicate has the attributes of the call (7.4.2), and not
 * later ones, is in idup.c.
 */
#include "tests/sim/diary.h"

/*
 * 7.7.1: attributes are local to the process, and what it does with them is no
 * matter of others, also where they duplicate and free together.
 */
static void at_one_rank(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1;
	bool sets = wf_sim_rank(rank) == 1;
	struct weft_comm *comm = NULL, *dup = NULL;
	uint64_t messages;
	struct diary d;
	struct key a;

	(void)arg;
	if (!start(&d, rank))
		return;
	messages = wf_sim_own_messages(rank);
	new_key(&d, &a, 'a');
	ok(&d, weft_comm_dup(d.world, &comm), "dup");
	if (sets)
		ok(&d, weft_comm_set_attr(comm, a.keyval, &one), "set");
	ok(&d, weft_comm_dup(comm, &dup), "dup");
	check_value(&d, dup, &a, sets ? &one : NULL);
	ok(&d, weft_comm_free(&comm), "free");
	ok(&d, weft_comm_free(&dup), "free");
	expect(&d, "one rank", sets ? "copy a1 delete a1 delete a1 " : "");
	if (wf_sim_own_messages(rank) != messages)
		wf_sim_fail(rank, "it sends messages");
	ok(&d, weft_job_close(d.job), "close");
}

static void locality(void)
{
	run(3, at_one_rank);
}

/* ---- duplicates ---- */

/*
 * 7.4.2, 7.7.2 and the text of MPI-1, 5.4: a duplicate has what the copy
 * callback of each key gives, or nothing if that says so, by its flag or as the
 * null function; the one that copies the pointer gives the same.  If a callback
 * fails the call does.
 */
static void duplicate(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1, two = 2, three = 3;
	struct weft_comm *first, *second = NULL, *third = NULL;
	struct key a, b, same = { .name = 's' };
	struct diary d;

	(void)arg;
	if (!start(&d, rank))
		return;
	new_key(&d, &a, 'a');
	new_key(&d, &b, 'b');
	ok(&d, weft_keyval_create(d.job, weft_attr_copy_same, NULL, NULL,
				  &same.keyval), "key");
	ok(&d, weft_comm_dup(d.world, &first), "dup");
	ok(&d, weft_comm_set_attr(first, b.keyval, &two), "set");
	ok(&d, weft_comm_set_attr(first, a.keyval, &one), "set");
	ok(&d, weft_comm_set_attr(first, same.keyval, &three), "set");
	ok(&d, weft_comm_dup_private(first, &second), "private");
	check_value(&d, second, &a, NULL);
	ok(&d, weft_comm_free(&second), "free");
	expect(&d, "private", "");
	ok(&d, weft_comm_dup(first, &second), "dup");
	expect(&d, "dup", "copy b2 copy a1 ");
	check_value(&d, second, &a, &one);
	check_value(&d, second, &same, &three);
	/* One that refuses is not there any more, nor in a copy of the copy. */
	d.refuses = 'b';
	d.creates = true;
	ok(&d, weft_comm_set_attr(d.world, b.keyval, &three), "set");
	ok(&d, weft_comm_dup(second, &third), "dup of a dup");
	/* In the first copy another dup was made, which copies as well. */
	expect(&d, "dup in a dup",
	       "copy b2 copy b2 copy a1 delete a1 copy a1 ");
	check_value(&d, third, &b, NULL);
	check_value(&d, third, &a, &one);
	ok(&d, weft_comm_free(&second), "free");
	expect(&d, "free", "delete a1 delete b2 ");
	ok(&d, weft_comm_dup(third, &second), "dup of that");
	expect(&d, "dup without b", "copy a1 ");
	ok(&d, weft_comm_free(&second), "free");
	ok(&d, weft_comm_free(&third), "free");
	d.text[0] = '\0';
	/* Those that were copied before one that fails are deleted. */
	d.fails = 'a';
	d.refuses = 0;
	want(&d, weft_comm_dup(first, &second), MINE,
	     "weft_comm_dup: the copy callback of an attribute returned 4711");
	expect(&d, "a copy that fails", "copy b2 copy a1 delete b2 ");
	d.fails = 0;
	ok(&d, weft_comm_free(&first), "free");
	d.text[0] = '\0';
	ok(&d, weft_job_close(d.job), "close");
	if (strcmp(d.text, "delete b3 "))
		wf_sim_fail(rank, "close: \"%s\"", d.text);
}

static void duplicates(void)
{
	run(1, duplicate);
	run(3, duplicate);
}

/*
 * 7.4.2: with hints of the caller's, or without blocking, it is a duplicate as
 * well.  7.7.2: its value is what the callback gave, and the parent's stays.
 */
static void duplicate_else(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1, two = 2;
	struct weft_comm *first = NULL, *second = NULL, *third = NULL;
	struct weft_request *req = NULL;
	struct diary d;
	struct key a;

	(void)arg;
	if (!start(&d, rank))
		return;
	new_key(&d, &a, 'a');
	d.gives = &two;
	ok(&d, weft_comm_dup(d.world, &first), "dup");
	ok(&d, weft_comm_set_attr(first, a.keyval, &one), "set");
	ok(&d, weft_comm_dup_with_info(first, NULL, &second), "dup with info");
	ok(&d, weft_comm_idup(second, &third, &req), "idup");
	ok(&d, weft_request_wait(req), "wait");
	ok(&d, weft_request_free(&req), "free request");
	expect(&d, "dup with info, idup", "copy a1 copy a2 ");
	check_value(&d, first, &a, &one);
	check_value(&d, second, &a, &two);
	check_value(&d, third, &a, &two);
	ok(&d, weft_comm_free(&third), "free");
	ok(&d, weft_comm_free(&second), "free");
	ok(&d, weft_comm_free(&first), "free");
	expect(&d, "free", "delete a2 delete a2 delete a1 ");
	ok(&d, weft_job_close(d.job), "close");
}

/* It has no attributes, and no callback is called. */
static void check_bare(struct diary *d, struct weft_comm **comm_p,
		       const struct key *key, const char *what)
{
	check_value(d, *comm_p, key, NULL);
	ok(d, weft_barrier(*comm_p), "barrier");
	ok(d, weft_comm_free(comm_p), "free");
	expect(d, what, "");
}

/*
 * 7.7.1, 7.4.2, 8.5 and the text of MPI-1: nothing goes to what is made in
 * another way.
 */
static void make_others(struct wf_sim_rank *rank, void *arg)
{
	static const struct weft_edges none;
	static int one = 1;
	struct weft_comm *first = NULL, *made = NULL;
	struct weft_group *group = NULL;
	struct diary d;
	struct key a;

	(void)arg;
	if (!start(&d, rank))
		return;
	new_key(&d, &a, 'a');
	ok(&d, weft_comm_dup(d.world, &first), "dup");
	ok(&d, weft_comm_set_attr(first, a.keyval, &one), "set");
	ok(&d, weft_comm_group(first, &group), "group");
	ok(&d, weft_comm_split(first, 0, 0, &made), "split");
	check_bare(&d, &made, &a, "split");
	ok(&d, weft_comm_split_type(first, WEFT_SPLIT_NODE, 0, &made), "type");
	check_bare(&d, &made, &a, "split_type");
	ok(&d, weft_comm_create(first, group, &made), "create");
	check_bare(&d, &made, &a, "create");
	ok(&d, weft_comm_create_group(first, group, 0, &made), "of a group");
	check_bare(&d, &made, &a, "create_group");
	ok(&d, weft_graph_create_adjacent(first, &none, &none, NULL, false,
					  &made), "graph");
	check_bare(&d, &made, &a, "graph");
	ok(&d, weft_group_free(&group), "free group");
	ok(&d, weft_comm_free(&first), "free");
	expect(&d, "free", "delete a1 ");
	ok(&d, weft_job_close(d.job), "close");
}

static void others(void)
{
	run(1, make_others);
	run(3, make_others);
	run(3, duplicate_else);
}

/* ---- what is under way ---- */

/*
 * 7.4.3 and the text of MPI-1, 5.4: what is under way on it completes, and
 * the callbacks are not put off until then.
 */
static void free_busy(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1;
	bool sends = !wf_sim_rank(rank);
	struct weft_comm *comm = NULL;
	struct weft_request *req = NULL;
	struct diary d;
	struct key a;
	int came = 0;

	(void)arg;
	if (!start(&d, rank))
		return;
	new_key(&d, &a, 'a');
	ok(&d, weft_comm_dup(d.world, &comm), "dup");
	ok(&d, weft_comm_set_attr(comm, a.keyval, &one), "set");
	if (!sends)
		ok(&d, weft_irecv(comm, &came, 1, &weft_type_int32,
				  weft_from(0, 0), &req), "recv");
	ok(&d, weft_barrier(comm), "barrier");
	if (sends)
		ok(&d, weft_isend(comm, &one, 1, &weft_type_int32,
				  weft_to(1, 0), &req), "send");
	ok(&d, weft_comm_free(&comm), "free");
	expect(&d, "free", "delete a1 ");
	ok(&d, weft_request_wait(req), "wait");
	ok(&d, weft_request_free(&req), "free request");
	if (came != !sends)
		wf_sim_fail(rank, "%d came", came);
	ok(&d, weft_job_close(d.job), "close");
}

static void in_use(void)
{
	run(2, free_busy);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "at one rank of several", locality },
		{ "duplicates", duplicates },
		{ "duplicates in another way, and what is none", others },
		{ "free while something is under way", in_use }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
