/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes: which callback is called, when, with what and in which order; one
 * that fails, and keys that are freed while they are in use.
 *
 * Above each case stands the rule of MPI 4.1 that it holds to, in other words,
 * with its section; orders that MPI leaves open are those of weft/attr.h.  What
 * duplicates have is in attr_dup.c, what is deleted when the job closes
 * (11.2.4) in self.c, and datatypes (7.7.4) in type_attr.c.
 */
#include <limits.h>
#include "tests/fail_malloc.h"
#include "tests/sim/diary.h"
#include "tests/tap.h"

enum {
	ALLOCATIONS = 12
};

/* ---- set, get, delete ---- */

/*
 * 7.7.2: a key may be used with any communicator of the process.  Asking for a
 * value that was never set is no error.  Setting another one is as if the old
 * one was deleted first, by its callback, and so is deleting; both fail if that
 * does.  Keys have extra state, which their callbacks get, and null functions
 * do nothing.  A null pointer is a value like others.
 */
static void set_and_get(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1, two = 2;
	struct key a, b, quiet = { .name = 'q' };
	struct weft_comm *comm;
	bool found = false;
	void *value = &one;
	struct diary d;

	(void)arg;
	if (!start(&d, rank))
		return;
	new_key(&d, &a, 'a');
	new_key(&d, &b, 'b');
	ok(&d, weft_keyval_create(d.job, NULL, NULL, NULL, &quiet.keyval),
	   "key");
	ok(&d, weft_comm_dup(d.world, &comm), "dup");
	check_value(&d, comm, &a, NULL);
	ok(&d, weft_comm_set_attr(comm, a.keyval, &one), "set");
	ok(&d, weft_comm_set_attr(comm, quiet.keyval, &two), "set");
	check_value(&d, comm, &a, &one);
	check_value(&d, comm, &b, NULL);
	check_value(&d, d.world, &a, NULL);
	expect(&d, "set", "");
	ok(&d, weft_comm_set_attr(comm, a.keyval, &two), "set again");
	expect(&d, "set again", "delete a1 ");
	check_value(&d, comm, &a, &two);
	d.fails = 'a';
	want(&d, weft_comm_set_attr(comm, a.keyval, &one), MINE,
	     "weft_comm_set_attr: the delete callback of an attribute "
	     "returned 4711");
	want(&d, weft_comm_delete_attr(comm, a.keyval), MINE,
	     "weft_comm_delete_attr: the delete callback");
	check_value(&d, comm, &a, &two);
	d.fails = 0;
	d.text[0] = '\0';
	ok(&d, weft_comm_delete_attr(comm, a.keyval), "delete");
	ok(&d, weft_comm_delete_attr(comm, a.keyval), "delete what is not");
	expect(&d, "delete", "delete a2 ");
	check_value(&d, comm, &a, NULL);
	check_value(&d, comm, &quiet, &two);
	ok(&d, weft_comm_set_attr(comm, quiet.keyval, NULL), "set NULL");
	ok(&d, weft_comm_get_attr(comm, quiet.keyval, &value, &found), "get");
	if (!found || value)
		wf_sim_fail(rank, "no null pointer");
	ok(&d, weft_comm_free(&comm), "free");
	ok(&d, weft_job_close(d.job), "close");
}

static void values(void)
{
	run(1, set_and_get);
}

/* ---- free ---- */

/*
 * 7.4.3, 7.7.2: freeing calls the delete callback of each attribute, in any
 * order; if one fails it fails.
 */
static void free_with(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1;
	struct weft_comm *comm = NULL, *kept;
	struct key a, b, c;
	struct diary d;

	(void)arg;
	if (!start(&d, rank))
		return;
	new_key(&d, &a, 'a');
	new_key(&d, &b, 'b');
	new_key(&d, &c, 'c');
	ok(&d, weft_comm_dup(d.world, &comm), "dup");
	ok(&d, weft_comm_set_attr(comm, a.keyval, &one), "set");
	ok(&d, weft_comm_set_attr(comm, b.keyval, &one), "set");
	ok(&d, weft_comm_set_attr(comm, c.keyval, &one), "set");
	/* One fails: it and those before it stay, and so does the whole. */
	d.fails = 'b';
	kept = comm;
	want(&d, weft_comm_free(&comm), MINE,
	     "weft_comm_free: the delete callback of an attribute");
	expect(&d, "a free that fails", "delete c1 delete b1 ");
	if (comm != kept)
		wf_sim_fail(rank, "it was freed");
	ok(&d, weft_barrier(comm), "barrier");
	check_value(&d, comm, &c, NULL);
	check_value(&d, comm, &b, &one);
	d.fails = 0;
	ok(&d, weft_comm_free(&comm), "free");
	expect(&d, "free", "delete b1 delete a1 ");
	ok(&d, weft_job_close(d.job), "close");
}

static void frees(void)
{
	run(2, free_with);
}

/* ---- keys that are freed ---- */

/*
 * 7.7.2: a key in use may be freed, which sets the handle to none; it goes when
 * the attributes of it have gone, by deleting one or freeing its communicator.
 * 7.7.5: no value is set or asked for by a key that is none.
 */
static void free_key(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1;
	struct weft_comm *first, *second;
	struct weft_keyval *keyval, *copy;
	struct key a;
	struct diary d;
	bool found;
	void *value;

	(void)arg;
	if (!start(&d, rank))
		return;
	new_key(&d, &a, 'a');
	ok(&d, weft_comm_dup(d.world, &first), "dup");
	ok(&d, weft_comm_set_attr(first, a.keyval, &one), "set");
	ok(&d, weft_comm_set_attr(d.world, a.keyval, &one), "set");
	keyval = a.keyval;
	ok(&d, weft_keyval_free(&keyval), "free the key");
	if (keyval)
		wf_sim_fail(rank, "the handle is there");
	keyval = a.keyval;
	want(&d, weft_comm_set_attr(first, keyval, &one), WEFT_ERR_ARG,
	     "weft_comm_set_attr: keyval was given to weft_keyval_free()");
	want(&d, weft_comm_get_attr(first, keyval, &value, &found),
	     WEFT_ERR_ARG, "weft_comm_get_attr: keyval was given");
	copy = keyval;
	ok(&d, weft_keyval_free(&copy), "free what the handle was");
	if (copy)
		wf_sim_fail(rank, "the copy of the handle is there");
	/* Its attributes live on, and are copied. */
	ok(&d, weft_comm_dup(first, &second), "dup");
	ok(&d, weft_comm_free(&first), "free");
	ok(&d, weft_comm_free(&second), "free");
	expect(&d, "of a freed key", "copy a1 delete a1 delete a1 ");
	/* The world is not freed: by what the handle was. */
	ok(&d, weft_comm_delete_attr(d.world, keyval), "delete");
	expect(&d, "deleted", "delete a1 ");
	if (!wf_list_empty(&d.job->keyvals))
		wf_sim_fail(rank, "the key is left");
	ok(&d, weft_job_close(d.job), "close");
}

static void keys(void)
{
	run(1, free_key);
}

/*
 * ---- callbacks that change what they are called for ----
 *
 * MPI says nothing about that; weft/attr.h does.
 */

struct wild {
	struct weft_job *job;
	struct weft_comm *comm;		/* to be freed in a callback */
	struct weft_keyval *keyval;	/* the same; NULL: not */
	bool sets;			/* the own value again */
	int copies, deletes, refused;
};

static int wild_copy(struct weft_comm *comm, struct weft_keyval *keyval,
		     void *extra, void *value, void **copy_p, bool *keep_p)
{
	struct wild *w = extra;

	(void)keyval;
	w->copies++;
	*copy_p = value;
	*keep_p = true;
	return w->comm == comm ? weft_comm_free(&w->comm) : WEFT_OK;
}

static int wild_delete(struct weft_comm *comm, struct weft_keyval *keyval,
		       void *value, void *extra)
{
	struct wild *w = extra;

	w->deletes++;
	if (w->keyval && weft_keyval_free(&w->keyval))
		w->refused++;
	if (w->sets && weft_comm_set_attr(comm, keyval, value))
		w->refused++;
	if (w->comm == comm && weft_comm_free(&w->comm))
		w->refused++;
	return WEFT_OK;
}

static struct weft_comm *wild_comm(struct diary *d, struct wild *w,
				   struct weft_keyval **keyval_p)
{
	struct weft_comm *comm = NULL;

	*w = (struct wild){ .job = d->job };
	ok(d, weft_keyval_create(d->job, wild_copy, wild_delete, w, keyval_p),
	   "key");
	ok(d, weft_comm_dup(d->world, &comm), "dup");
	ok(d, weft_comm_set_attr(comm, *keyval_p, w), "set");
	return comm;
}

static void count(struct diary *d, const struct wild *w, int deletes,
		  int refused)
{
	if (w->deletes != deletes || w->refused != refused)
		wf_sim_fail(d->rank, "%d deletes, %d refused", w->deletes,
			    w->refused);
}

static void go_wild(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *comm, *dup = NULL;
	struct weft_contexts contexts;
	struct weft_keyval *keyval;
	struct wild w;
	struct diary d;

	(void)arg;
	if (!start(&d, rank))
		return;
	/* Its key, while the value is replaced. */
	comm = wild_comm(&d, &w, &keyval);
	w.keyval = keyval;
	want(&d, weft_comm_set_attr(comm, keyval, &w), WEFT_ERR_ARG,
	     "keyval was freed");
	count(&d, &w, 1, 0);
	ok(&d, weft_comm_free(&comm), "free");
	/* Its communicator, while the value is deleted, */
	comm = wild_comm(&d, &w, &keyval);
	w.comm = comm;
	ok(&d, weft_comm_delete_attr(comm, keyval), "delete");
	count(&d, &w, 1, 0);
	/* and while that is freed; and the own value again. */
	comm = wild_comm(&d, &w, &keyval);
	w.comm = comm;
	w.sets = true;
	ok(&d, weft_comm_free(&comm), "free");
	count(&d, &w, 1, 2);
	/* Its communicator, while that is duplicated. */
	comm = wild_comm(&d, &w, &keyval);
	w.comm = comm;
	ok(&d, weft_comm_dup(comm, &dup), "dup");
	if (w.comm || w.copies != 1)
		wf_sim_fail(rank, "it was not freed");
	ok(&d, weft_comm_free(&dup), "free");
	count(&d, &w, 2, 1);
	ok(&d, weft_context_query(d.job, &contexts), "query");
	if (contexts.live != 1)
		wf_sim_fail(rank, "%llu are left", contexts.live);
	ok(&d, weft_job_close(d.job), "close");
}

static void wild(void)
{
	run(1, go_wild);
}

/* ---- bad input, no memory ---- */

/* 7.7.5: what is no key is an error. */
static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_keyval *none = NULL;
	struct key a;
	struct diary d;
	bool found;
	void *value;

	(void)arg;
	if (!start(&d, rank))
		return;
	new_key(&d, &a, 'a');
	if (weft_keyval_create(NULL, copy, del, NULL, &none) != WEFT_ERR_ARG ||
	    weft_keyval_create(d.job, copy, del, NULL, NULL) != WEFT_ERR_ARG ||
	    weft_keyval_free(NULL) != WEFT_ERR_ARG ||
	    weft_keyval_free(&none) != WEFT_OK || none ||
	    weft_comm_set_attr(NULL, a.keyval, &d) != WEFT_ERR_ARG ||
	    weft_comm_set_attr(d.world, NULL, &d) != WEFT_ERR_ARG ||
	    weft_comm_get_attr(d.world, a.keyval, NULL, &found) !=
		    WEFT_ERR_ARG ||
	    weft_comm_get_attr(d.world, a.keyval, &value, NULL) !=
		    WEFT_ERR_ARG ||
	    weft_comm_delete_attr(d.world, NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	ok(&d, weft_job_close(d.job), "close");
}

/*
 * 9.1.2: the library's are there, the same at all ranks, and the program cannot
 * change them.  9.1.2, 11.10.1, 11.10.3: the largest tag is 32767 at least, and
 * the other two are there where they are known.
 */
static void given(struct wf_sim_rank *rank, void *arg)
{
	struct weft_keyval *key = (struct weft_keyval *)&weft_key_tag_ub;
	const char *text = "keyval is one of the library";
	struct weft_comm *dup = NULL;
	struct diary d;
	bool found = true;
	void *value = NULL;

	(void)arg;
	if (!start(&d, rank))
		return;
	ok(&d, weft_comm_dup(d.world, &dup), "dup");
	ok(&d, weft_comm_get_attr(dup, key, &value, &found), "get");
	if (!found || !value || *(int *)value != INT_MAX)
		wf_sim_fail(rank, "another largest tag");
	ok(&d, weft_comm_get_attr(dup, &weft_key_appnum, &value, &found),
	   "get");
	if (found)
		wf_sim_fail(rank, "a launcher where there is none");
	ok(&d, weft_comm_get_attr(dup, &weft_key_wtime_is_global, &value,
				  &found), "get");
	if (!found || *(int *)value != (wf_sim_size(rank) == 1))
		wf_sim_fail(rank, "another clock");
	want(&d, weft_comm_set_attr(dup, key, &d), WEFT_ERR_ARG, text);
	want(&d, weft_comm_delete_attr(dup, key), WEFT_ERR_ARG, text);
	if (weft_keyval_free(&key) != WEFT_ERR_ARG || !key ||
	    weft_comm_get_attr(NULL, key, &value, &found) != WEFT_ERR_ARG ||
	    weft_comm_get_attr(dup, key, NULL, &found) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL, or a key of the library, is taken");
	ok(&d, weft_comm_free(&dup), "free");
	ok(&d, weft_job_close(d.job), "close");
}

static void only_read(void)
{
	struct wf_sim_options options;

	run(1, given);
	wf_sim_options_init(&options, 4, 1);
	options.ranks_per_node = 2;
	sim_flow_run(&options, given, NULL);
}

/* One allocation after another fails. */
static void run_short(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1;
	struct weft_comm *comm;
	struct key a = { .name = 'a' };
	int failed = 0, status;
	struct diary d;

	(void)arg;
	if (!start(&d, rank))
		return;
	a.diary = &d;
	for (long n = 1; n <= ALLOCATIONS; n++) {
		fail_malloc_once(n);
		comm = NULL;
		a.keyval = NULL;
		status = weft_keyval_create(d.job, copy, del, &a, &a.keyval);
		if (!status)
			status = weft_comm_set_attr(d.world, a.keyval, &one);
		if (!status)
			status = weft_comm_dup(d.world, &comm);
		fail_malloc_at(0);
		failed += status != WEFT_OK;
		if (status && status != WEFT_ERR_NOMEM)
			wf_sim_fail(rank, "%s", weft_error_text(d.job));
		if (comm)
			ok(&d, weft_comm_free(&comm), "free");
		/* What was copied is deleted. */
		if (!strstr(d.text, "copy") != !strstr(d.text, "delete"))
			wf_sim_fail(rank, "%s", d.text);
		if (a.keyval)
			ok(&d, weft_comm_delete_attr(d.world, a.keyval),
			   "delete");
		if (a.keyval)
			ok(&d, weft_keyval_free(&a.keyval), "free the key");
		d.text[0] = '\0';
	}
	if (failed < 4)
		wf_sim_fail(rank, "only %d failed", failed);
	ok(&d, weft_job_close(d.job), "close");
}

static void bad_input(void)
{
	run(1, refuse);
	run(1, run_short);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "set, get, delete", values },
		{ "free, also if a callback fails", frees },
		{ "keys that are freed while in use", keys },
		{ "callbacks that free what they are called for", wild },
		{ "those of the library", only_read },
		{ "bad input, and no memory", bad_input }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
