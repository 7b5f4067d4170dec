/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys of attributes whose callbacks write down what they are called for, and
 * do what the test wants: see attr.c.
 */
#ifndef WEFT_TESTS_SIM_DIARY_H
#define WEFT_TESTS_SIM_DIARY_H

#include <stdarg.h>
#include <string.h>
#include "comm/comm.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MINE = 4711			/* a status of the program's own */
};

/* What callbacks do, and what they were called for. */
struct diary {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_comm *world;
	char text[400];
	char refuses, fails;		/* the key whose callback does */
	bool creates;			/* a callback calls the library */
	void *gives;			/* what is copied; NULL: the same */
};

/* A key's name, and whose diary it is. */
struct key {
	struct diary *diary;
	char name;
	struct weft_keyval *keyval;
};

static inline void note(struct diary *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static inline void note(struct diary *d, const char *fmt, ...)
{
	size_t n = strlen(d->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(d->text + n, sizeof(d->text) - n, fmt, ap);
	va_end(ap);
}

/* What was noted since the last look. */
static inline void expect(struct diary *d, const char *what, const char *text)
{
	if (strcmp(d->text, text))
		wf_sim_fail(d->rank, "%s: \"%s\", and not \"%s\"", what,
			    d->text, text);
	d->text[0] = '\0';
}

static inline void ok(struct diary *d, int status, const char *what)
{
	if (status)
		wf_sim_fail(d->rank, "%s: %s", what, weft_error_text(d->job));
}

static inline void want(struct diary *d, int status, int wanted,
			const char *text)
{
	if (status != wanted || !strstr(weft_error_text(d->job), text))
		wf_sim_fail(d->rank, "%d: %s; expected %d: %s", status,
			    weft_error_text(d->job), wanted, text);
}

static inline int copy(struct weft_comm *comm, struct weft_keyval *keyval,
		       void *extra, void *value, void **copy_p, bool *keep_p)
{
	struct key *key = extra;
	struct weft_comm *other = NULL;
	bool found = false;
	void *same = NULL;

	note(key->diary, "copy %c%d ", key->name, *(int *)value);
	if (keyval != key->keyval || *keep_p)
		wf_sim_fail(key->diary->rank, "copied in another way");
	if (!keyval->freed &&
	    (weft_comm_get_attr(comm, keyval, &same, &found) || !found ||
	     same != value))
		wf_sim_fail(key->diary->rank, "the value is not the parent's");
	if (key->diary->creates) {
		key->diary->creates = false;
		ok(key->diary, weft_comm_dup(comm, &other), "dup in a copy");
		ok(key->diary, weft_comm_free(&other), "free in a copy");
	}
	if (key->diary->fails == key->name)
		return MINE;
	*copy_p = key->diary->gives ? key->diary->gives : value;
	*keep_p = key->diary->refuses != key->name;
	return WEFT_OK;
}

static inline int del(struct weft_comm *comm, struct weft_keyval *keyval,
		      void *value, void *extra)
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

static inline void new_key(struct diary *d, struct key *key, char name)
{
	*key = (struct key){ .diary = d, .name = name };
	ok(d, weft_keyval_create(d->job, copy, del, key, &key->keyval), "key");
}

static inline bool start(struct diary *d, struct wf_sim_rank *rank)
{
	*d = (struct diary){ .rank = rank };
	if (wf_sim_job_open(rank, &d->job)) {
		wf_sim_fail(rank, "cannot open the job");
		return false;
	}
	d->world = weft_job_world(d->job);
	return true;
}

static inline void run(int ranks,
		       void (*program)(struct wf_sim_rank *rank, void *arg))
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, ranks, 1);
	sim_flow_run(&options, program, NULL);
}

static inline void check_value(struct diary *d, struct weft_comm *comm,
			       const struct key *key, void *wanted)
{
	bool found = !wanted;
	void *value = d;

	ok(d, weft_comm_get_attr(comm, key->keyval, &value, &found), "get");
	if (found != (wanted != NULL) || value != (wanted ? wanted : d))
		wf_sim_fail(d->rank, "another value of %c", key->name);
}

#endif
