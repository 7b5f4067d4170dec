/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes: which callback is called, when, with what and in which order; one
 * that refuses, one that fails, and keys that are freed while they are in use.
 */
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include "comm/comm.h"
#include "tests/fail_malloc.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MINE = 4711,			/* a status of the program's own */
	ALLOCATIONS = 12
};

/* What callbacks do, and what they were called for. */
struct diary {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_comm *world;
	char text[400];
	char refuses, fails;		/* the key whose callback does */
	bool creates;			/* a callback calls the library */
};

/* A key's name, and whose diary it is. */
struct key {
	struct diary *diary;
	char name;
	struct weft_keyval *keyval;
};

static void note(struct diary *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void note(struct diary *d, const char *fmt, ...)
{
	size_t n = strlen(d->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(d->text + n, sizeof(d->text) - n, fmt, ap);
	va_end(ap);
}

/* What was noted since the last look. */
static void expect(struct diary *d, const char *what, const char *text)
{
	if (strcmp(d->text, text))
		wf_sim_fail(d->rank, "%s: \"%s\", and not \"%s\"", what,
			    d->text, text);
	d->text[0] = '\0';
}

static void ok(struct diary *d, int status, const char *what)
{
	if (status)
		wf_sim_fail(d->rank, "%s: %s", what, weft_error_text(d->job));
}

static void want(struct diary *d, int status, int wanted, const char *text)
{
	if (status != wanted || !strstr(weft_error_text(d->job), text))
		wf_sim_fail(d->rank, "%d: %s; expected %d: %s", status,
			    weft_error_text(d->job), wanted, text);
}

static int copy(struct weft_comm *comm, struct weft_keyval *keyval,
		void *extra, void *value, void **copy_p, bool *keep_p)
{
	struct key *key = extra;
	struct weft_comm *other = NULL;

	note(key->diary, "copy %c%d ", key->name, *(int *)value);
	if (keyval != key->keyval || *keep_p)
		wf_sim_fail(key->diary->rank, "copied in another way");
	if (key->diary->creates) {
		key->diary->creates = false;
		ok(key->diary, weft_comm_dup(comm, &other), "dup in a copy");
		ok(key->diary, weft_comm_free(&other), "free in a copy");
	}
	if (key->diary->fails == key->name)
		return MINE;
	*copy_p = value;
	*keep_p = key->diary->refuses != key->name;
	return WEFT_OK;
}

static int del(struct weft_comm *comm, struct weft_keyval *keyval, void *value,
	       void *extra)
{
	struct key *key = extra;
	bool found = false;
	void *same = NULL;

	note(key->diary, "delete %c%d ", key->name, *(int *)value);
	if (keyval != key->keyval)
		wf_sim_fail(key->diary->rank, "another key");
	/* It is there until the callback has returned. */
	if (!keyval->freed &&
	    (weft_comm_get_attr(comm, keyval, &same, &found) || !found ||
	     same != value))
		wf_sim_fail(key->diary->rank, "the value has gone");
	return key->diary->fails == key->name ? MINE : WEFT_OK;
}

static void new_key(struct diary *d, struct key *key, char name)
{
	*key = (struct key){ .diary = d, .name = name };
	ok(d, weft_keyval_create(d->job, copy, del, key, &key->keyval), "key");
}

static bool start(struct diary *d, struct wf_sim_rank *rank)
{
	*d = (struct diary){ .rank = rank };
	if (wf_sim_job_open(rank, &d->job)) {
		wf_sim_fail(rank, "cannot open the job");
		return false;
	}
	d->world = weft_job_world(d->job);
	return true;
}

static void run(int ranks, void (*program)(struct wf_sim_rank *rank, void *arg))
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, 1);
	sim_flow_run(&options, program, NULL);
}

static void check_value(struct diary *d, struct weft_comm *comm,
			const struct key *key, void *wanted)
{
	bool found = !wanted;
	void *value = d;

	ok(d, weft_comm_get_attr(comm, key->keyval, &value, &found), "get");
	if (found != (wanted != NULL) || value != (wanted ? wanted : d))
		wf_sim_fail(d->rank, "another value of %c", key->name);
}

/* ---- set, get, delete ---- */

static void set_and_get(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1, two = 2;
	struct key a, b, quiet = { .name = 'q' };
	struct weft_comm *comm;
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
	ok(&d, weft_comm_free(&comm), "free");
	ok(&d, weft_job_close(d.job), "close");
}

static void values(void)
{
	run(1, set_and_get);
}

/* ---- dup ---- */

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
	/* Nothing is inherited by what is no duplicate. */
	ok(&d, weft_comm_split(first, 0, 0, &second), "split");
	check_value(&d, second, &same, NULL);
	ok(&d, weft_barrier(second), "barrier");
	ok(&d, weft_comm_free(&second), "free");
	expect(&d, "split", "");
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

/* ---- free ---- */

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

static void free_key(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1;
	struct weft_comm *first, *second;
	struct weft_keyval *keyval;
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
	keyval = a.keyval;
	ok(&d, weft_keyval_free(&keyval), "free the key");
	if (keyval)
		wf_sim_fail(rank, "the handle is there");
	keyval = a.keyval;
	want(&d, weft_comm_set_attr(first, keyval, &one), WEFT_ERR_ARG,
	     "weft_comm_set_attr: keyval was given to weft_keyval_free()");
	want(&d, weft_comm_get_attr(first, keyval, &value, &found),
	     WEFT_ERR_ARG, "weft_comm_get_attr: keyval was given");
	want(&d, weft_keyval_free(&keyval), WEFT_ERR_ARG,
	     "weft_keyval_free: the key was given to weft_keyval_free()");
	/* Its attributes live on, and are copied. */
	ok(&d, weft_comm_dup(first, &second), "dup");
	ok(&d, weft_comm_free(&first), "free");
	ok(&d, weft_comm_free(&second), "free");
	expect(&d, "of a freed key", "copy a1 delete a1 delete a1 ");
	if (!wf_list_empty(&d.job->keyvals))
		wf_sim_fail(rank, "the key is left");
	ok(&d, weft_job_close(d.job), "close");
}

static void keys(void)
{
	run(1, free_key);
}

/* ---- callbacks that change what they are called for ---- */

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
	    weft_keyval_free(&none) != WEFT_ERR_ARG ||
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

/* Those of the library are there, and only read. */
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
	run(1, given);
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
		{ "duplicates", duplicates },
		{ "free, also if a callback fails", frees },
		{ "keys that are freed while in use", keys },
		{ "callbacks that free what they are called for", wild },
		{ "those of the library", only_read },
		{ "bad input, and no memory", bad_input }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
