/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicates of datatypes, which are used as what they are of, and their
 * attributes: the rules are those of attr.c, by the same code, so here is one
 * case of each.
 */
#include <stdarg.h>
#include <string.h>
#include "job/attr.h"
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "type/type_made.h"

enum {
	MINE = 4711,			/* a status of the program's own */
	ALLOCATIONS = 10
};

struct diary {
	struct scene s;
	char text[200];
	char refuses, fails;		/* the key whose callback does */
	struct weft_type *frees;	/* in the next callback; NULL: not */
	int free_status;
};

struct key {
	struct diary *diary;
	char name;
	struct weft_keyval *keyval;
	const struct weft_type *basic;	/* that it is set on; NULL: on none */
};

static void note(struct diary *d, const char *what, char name, int value)
{
	size_t n = strlen(d->text);

	snprintf(d->text + n, sizeof(d->text) - n, "%s %c%d ", what, name,
		 value);
}

/* What was noted since the last look. */
static void expect(struct diary *d, const char *what, const char *text)
{
	if (strcmp(d->text, text))
		wf_sim_fail(d->s.rank, "%s: \"%s\", and not \"%s\"", what,
			    d->text, text);
	d->text[0] = '\0';
}

static void want(struct diary *d, int status, int wanted, const char *text)
{
	if (status != wanted || !strstr(weft_error_text(d->s.job), text))
		wf_sim_fail(d->s.rank, "%d: %s; expected %d: %s", status,
			    weft_error_text(d->s.job), wanted, text);
}

static void maybe_free(struct diary *d)
{
	struct weft_type *type = d->frees;

	if (!type)
		return;
	d->free_status = weft_type_free(&d->frees);
	if (!d->free_status)
		want(d, weft_type_set_userdata(type, d), WEFT_ERR_ARG,
		     "weft_type_set_userdata: the type was given to");
}

static int copy(const struct weft_type *type, struct weft_keyval *keyval,
		void *extra, void *value, void **copy_p, bool *keep_p)
{
	struct key *key = extra;

	note(key->diary, "copy", key->name, *(int *)value);
	if (keyval != key->keyval || *keep_p ||
	    (!type->made && type != key->basic))
		wf_sim_fail(key->diary->s.rank, "copied in another way");
	maybe_free(key->diary);
	if (key->diary->fails == key->name)
		return MINE;
	*copy_p = value;
	*keep_p = key->diary->refuses != key->name;
	return WEFT_OK;
}

static int del(const struct weft_type *type, struct weft_keyval *keyval,
	       void *value, void *extra)
{
	struct key *key = extra;
	bool found = false;
	void *same = NULL;

	note(key->diary, "delete", key->name, *(int *)value);
	if (!keyval->freed && !key->diary->frees &&
	    (weft_type_get_attr(type, keyval, &same, &found) || !found ||
	     same != value))
		wf_sim_fail(key->diary->s.rank, "the value has gone");
	maybe_free(key->diary);
	return key->diary->fails == key->name ? MINE : WEFT_OK;
}

static void new_key(struct diary *d, struct key *key, char name)
{
	*key = (struct key){ .diary = d, .name = name };
	ok(&d->s, weft_type_keyval_create(d->s.job, copy, del, key,
					  &key->keyval), "key");
}

static bool begin(struct diary *d, struct wf_sim_rank *rank)
{
	memset(d, 0, sizeof(*d));
	return start(&d->s, rank);
}

static struct weft_type *dup_of(struct diary *d, const struct weft_type *type)
{
	struct weft_type *dup = NULL;

	ok(&d->s, weft_type_dup(d->s.job, type, &dup), "dup");
	return dup;
}

static void check_value(struct diary *d, const struct weft_type *type,
			const struct key *key, void *wanted)
{
	bool found = !wanted;
	void *value = d;

	ok(&d->s, weft_type_get_attr(type, key->keyval, &value, &found), "get");
	if (found != (wanted != NULL) || value != (wanted ? wanted : d))
		wf_sim_fail(d->s.rank, "another value of %c", key->name);
}

/* ---- what a duplicate is ---- */

static void use_duplicate(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), n = wf_sim_size(rank);
	double x = me + 1, sum = 0;
	struct weft_request *req;
	struct weft_type *once, *twice;
	struct diary d;

	(void)arg;
	if (!begin(&d, rank))
		return;
	once = dup_of(&d, &weft_type_double);
	twice = dup_of(&d, once);
	if (weft_type_size(twice) != 8 ||
	    strcmp(weft_type_name(twice), "double"))
		wf_sim_fail(rank, "it is %s", weft_type_name(twice));
	ok(&d.s, weft_allreduce(d.s.world, &x, weft_part(&sum, 1, twice),
				&weft_op_sum),
	   "allreduce");
	if (sum != n * (n + 1) / 2.0)
		wf_sim_fail(rank, "the sum is %g", sum);
	/* Freed while a message is under way. */
	ok(&d.s, weft_irecv(d.s.world, &sum, 1, twice,
			    weft_from((me + n - 1) % n, 0), &req), "irecv");
	ok(&d.s, weft_type_free(&twice), "free");
	if (twice)
		wf_sim_fail(rank, "the handle is there");
	ok(&d.s, weft_send(d.s.world, &x, 1, once, weft_to((me + 1) % n, 0)),
	   "send");
	ok(&d.s, weft_request_wait(req), "wait");
	ok(&d.s, weft_request_free(&req), "free");
	if (sum != (me + n - 1) % n + 1)
		wf_sim_fail(rank, "%g came", sum);
	/* The other one goes with the job. */
	stop(&d.s);
}

static void duplicates(void)
{
	run(1, 1, use_duplicate);
	run(3, 1, use_duplicate);
}

/* ---- attributes ---- */

static void hang(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1, two = 2;
	struct weft_type *type, *dup, *other = NULL;
	struct key a, b;
	struct weft_keyval *same = NULL;
	struct diary d;

	(void)arg;
	if (!begin(&d, rank))
		return;
	new_key(&d, &a, 'a');
	new_key(&d, &b, 'b');
	ok(&d.s, weft_type_keyval_create(d.s.job, weft_type_attr_copy_same,
					 NULL, NULL, &same), "key");
	type = dup_of(&d, &weft_type_byte);
	check_value(&d, type, &a, NULL);
	ok(&d.s, weft_type_set_attr(type, b.keyval, &two), "set");
	ok(&d.s, weft_type_set_attr(type, a.keyval, &two), "set");
	ok(&d.s, weft_type_set_attr(type, same, &one), "set");
	ok(&d.s, weft_type_set_attr(type, a.keyval, &one), "set again");
	expect(&d, "set again", "delete a2 ");
	check_value(&d, type, &a, &one);
	/* In the order in which they were set; b refuses in the second. */
	dup = dup_of(&d, type);
	expect(&d, "dup", "copy b2 copy a1 ");
	d.refuses = 'b';
	other = dup_of(&d, dup);
	expect(&d, "dup of a dup", "copy b2 copy a1 ");
	check_value(&d, other, &a, &one);
	check_value(&d, other, &b, NULL);
	check_value(&d, other, &(struct key){ .keyval = same }, &one);
	ok(&d.s, weft_type_delete_attr(other, a.keyval), "delete");
	ok(&d.s, weft_type_delete_attr(other, b.keyval), "what is not");
	expect(&d, "delete", "delete a1 ");
	ok(&d.s, weft_type_free(&other), "free");
	expect(&d, "free of what has none", "");
	d.refuses = 0;
	/* Those that were copied before one that fails are deleted. */
	d.fails = 'a';
	want(&d, weft_type_dup(d.s.job, type, &other), MINE, "weft_type_dup: "
	     "the copy callback of an attribute returned 4711");
	expect(&d, "a copy that fails", "copy b2 copy a1 delete b2 ");
	if (other)
		wf_sim_fail(rank, "it was made");
	/* One that fails stays, those before it, and the type. */
	d.fails = 'b';
	want(&d, weft_type_free(&dup), MINE, "weft_type_free: the delete "
	     "callback of an attribute returned 4711");
	expect(&d, "a free that fails", "delete a1 delete b2 ");
	check_value(&d, dup, &a, NULL);
	check_value(&d, dup, &b, &two);
	d.fails = 0;
	ok(&d.s, weft_type_free(&dup), "free");
	expect(&d, "free", "delete b2 ");
	/* A job that closes calls nothing for what was not freed. */
	ok(&d.s, weft_job_close(d.s.job), "close");
	expect(&d, "close", "");
}

static void attributes(void)
{
	run(2, 1, hang);
}

/* ---- of constants ---- */

/* Of each constant those of a job, which are copied as those of duplicates. */
static void hang_on_basic(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1, two = 2, three = 3;
	struct weft_type *basic = (struct weft_type *)&weft_type_double, *dup;
	struct diary d;
	struct key a;

	(void)arg;
	if (!begin(&d, rank))
		return;
	new_key(&d, &a, 'a');
	a.basic = basic;
	dup = dup_of(&d, &weft_type_char);
	check_value(&d, basic, &a, NULL);
	ok(&d.s, weft_type_delete_attr(basic, a.keyval), "what is not");
	ok(&d.s, weft_type_set_attr(basic, a.keyval, &one), "set");
	ok(&d.s, weft_type_set_attr(&weft_type_float, a.keyval, &two), "set");
	ok(&d.s, weft_type_set_attr(dup, a.keyval, &three), "set");
	check_value(&d, basic, &a, &one);
	check_value(&d, &weft_type_float, &a, &two);
	check_value(&d, dup, &a, &three);
	check_value(&d, &weft_type_char, &a, NULL);
	ok(&d.s, weft_type_free(&dup), "free");
	expect(&d, "of a duplicate", "delete a3 ");
	if (weft_type_free(&basic) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "a constant was freed");
	dup = dup_of(&d, basic);
	expect(&d, "dup", "copy a1 ");
	check_value(&d, dup, &a, &one);
	ok(&d.s, weft_type_free(&dup), "free");
	expect(&d, "free", "delete a1 ");
	ok(&d.s, weft_type_set_attr(basic, a.keyval, &three), "set again");
	expect(&d, "set again", "delete a1 ");
	ok(&d.s, weft_type_delete_attr(basic, a.keyval), "delete");
	expect(&d, "delete", "delete a3 ");
	check_value(&d, basic, &a, NULL);
	ok(&d.s, weft_job_close(d.s.job), "close");
	expect(&d, "close", "");
}

static void constants(void)
{
	run(2, 1, hang_on_basic);
}

/* ---- keys and types that are freed while in use ---- */

static void free_in_use(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1;
	struct weft_type *type, *dup = NULL;
	struct weft_keyval *keyval;
	struct diary d;
	struct key a;

	(void)arg;
	if (!begin(&d, rank))
		return;
	new_key(&d, &a, 'a');
	type = dup_of(&d, &weft_type_int32);
	ok(&d.s, weft_type_set_attr(type, a.keyval, &one), "set");
	keyval = a.keyval;
	ok(&d.s, weft_keyval_free(&keyval), "free the key");
	want(&d, weft_type_set_attr(type, a.keyval, &one), WEFT_ERR_ARG,
	     "weft_type_set_attr: keyval was given to weft_keyval_free()");
	/* The type in its copy, and the copy while that is freed. */
	d.frees = type;
	ok(&d.s, weft_type_dup(d.s.job, type, &dup), "dup");
	expect(&d, "freed in a copy", "copy a1 delete a1 ");
	d.frees = dup;
	ok(&d.s, weft_type_free(&dup), "free");
	expect(&d, "freed in a free", "delete a1 ");
	want(&d, d.free_status, WEFT_ERR_ARG, "weft_type_free: it is freed");
	if (!wf_list_empty(&d.s.job->keyvals) ||
	    !wf_list_empty(&d.s.job->types))
		wf_sim_fail(rank, "something is left");
	/* A value, by what the handle of its key was. */
	new_key(&d, &a, 'a');
	d.frees = NULL;
	type = dup_of(&d, &weft_type_int32);
	ok(&d.s, weft_type_set_attr(type, a.keyval, &one), "set");
	keyval = a.keyval;
	ok(&d.s, weft_keyval_free(&keyval), "free the key");
	ok(&d.s, weft_type_delete_attr(type, a.keyval), "delete");
	expect(&d, "of a freed key", "delete a1 ");
	if (!wf_list_empty(&d.s.job->keyvals))
		wf_sim_fail(rank, "the key is left");
	ok(&d.s, weft_type_free(&type), "free");
	/* The type, while its value is deleted. */
	new_key(&d, &a, 'a');
	d.frees = NULL;
	type = dup_of(&d, &weft_type_int32);
	ok(&d.s, weft_type_set_attr(type, a.keyval, &one), "set");
	d.frees = type;
	ok(&d.s, weft_type_delete_attr(type, a.keyval), "delete");
	expect(&d, "freed in a delete", "delete a1 ");
	if (d.frees || !wf_list_empty(&d.s.job->types))
		wf_sim_fail(rank, "it is left");
	stop(&d.s);
}

static void frees(void)
{
	run(1, 1, free_in_use);
}

/* ---- what is refused, and no memory ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_type *basic = (struct weft_type *)&weft_type_double;
	struct weft_keyval *of_comms = NULL;
	struct weft_type *type, *none = NULL;
	bool found = false;
	struct diary d;
	struct key a;
	void *value;

	(void)arg;
	if (!begin(&d, rank))
		return;
	new_key(&d, &a, 'a');
	ok(&d.s, weft_keyval_create(d.s.job, NULL, NULL, NULL, &of_comms),
	   "key");
	type = dup_of(&d, basic);
	want(&d, weft_type_set_attr(basic, of_comms, &d), WEFT_ERR_ARG,
	     "weft_type_set_attr: keyval is one for communicators");
	want(&d, weft_type_get_attr(basic, of_comms, &value, &found),
	     WEFT_ERR_ARG, "weft_type_get_attr: keyval is one for comm");
	want(&d, weft_type_set_attr(type, of_comms, &d), WEFT_ERR_ARG,
	     "weft_type_set_attr: keyval is one for communicators");
	want(&d, weft_comm_set_attr(d.s.world, a.keyval, &d), WEFT_ERR_ARG,
	     "weft_comm_set_attr: keyval is one for datatypes");
	if (weft_type_free(&basic) != WEFT_ERR_ARG ||
	    weft_type_free(&none) != WEFT_OK ||
	    weft_type_free(NULL) != WEFT_ERR_ARG ||
	    weft_type_dup(NULL, type, &none) != WEFT_ERR_ARG ||
	    weft_type_dup(d.s.job, NULL, &none) != WEFT_ERR_ARG ||
	    weft_type_dup(d.s.job, type, NULL) != WEFT_ERR_ARG ||
	    weft_type_set_attr(NULL, a.keyval, &d) != WEFT_ERR_ARG ||
	    weft_type_set_attr(type, NULL, &d) != WEFT_ERR_ARG ||
	    weft_type_get_attr(type, a.keyval, NULL, &found) != WEFT_ERR_ARG ||
	    weft_type_get_attr(type, a.keyval, &value, NULL) != WEFT_ERR_ARG ||
	    weft_type_delete_attr(type, NULL) != WEFT_ERR_ARG ||
	    weft_type_keyval_create(NULL, copy, del, &a, &of_comms) !=
		    WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL, or a basic type, is taken");
	stop(&d.s);
}

/* One allocation after another fails. */
static void run_short(struct wf_sim_rank *rank, void *arg)
{
	static int one = 1;
	const struct weft_type *basic = &weft_type_char;
	struct weft_type *type, *dup;
	int failed = 0, status;
	struct diary d;
	struct key a;

	(void)arg;
	if (!begin(&d, rank))
		return;
	new_key(&d, &a, 'a');
	a.basic = basic;
	for (long n = 1; n <= ALLOCATIONS; n++) {
		type = dup = NULL;
		fail_malloc_once(n);
		status = weft_type_dup(d.s.job, basic, &type);
		if (!status)
			status = weft_type_set_attr(type, a.keyval, &one);
		if (!status)
			status = weft_type_dup(d.s.job, type, &dup);
		if (!status)
			status = weft_type_set_attr(basic, a.keyval, &one);
		fail_malloc_at(0);
		failed += status != WEFT_OK;
		if (status)
			want(&d, status, WEFT_ERR_NOMEM, "no memory for a");
		if (dup)
			ok(&d.s, weft_type_free(&dup), "free");
		if (type)
			ok(&d.s, weft_type_free(&type), "free");
		if (!status)
			break;
		if (wf_type_find(d.s.job, basic))
			check_value(&d, basic, &a, NULL);
		else if (!wf_list_empty(&d.s.job->types))
			wf_sim_fail(rank, "something is left");
	}
	if (failed < 6 || failed == ALLOCATIONS)
		wf_sim_fail(rank, "only %d failed", failed);
	stop(&d.s);
}

static void refused(void)
{
	run(1, 1, refuse);
	run(1, 1, run_short);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "duplicates are used as what they are of", duplicates },
		{ "attributes: set, copied, deleted", attributes },
		{ "attributes of constants", constants },
		{ "keys and types that are freed while in use", frees },
		{ "what is refused, and no memory", refused }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
