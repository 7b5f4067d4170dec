/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects, and the hints of communicators and their duplicates. */
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	KEYS = 12,
	STEPS = 400,
	ALLOCATIONS = 40
};

/* NULL: there is no such key. */
static void expect(struct scene *s, const struct weft_info *info,
		   const char *key, const char *value)
{
	const char *got = weft_info_get(info, key);

	if (!got != !value || (got && strcmp(got, value)))
		wf_sim_fail(s->rank, "%s is %s, and not %s", key,
			    got ? got : "absent", value ? value : "absent");
}

/* ---- programs against an array ---- */

struct model {
	int n;
	struct {
		char key[8], value[16];
	} pair[KEYS];
};

static int find(const struct model *m, const char *key)
{
	int at = 0;

	while (at < m->n && strcmp(m->pair[at].key, key))
		at++;
	return at;
}

static void set(struct model *m, const char *key, const char *value)
{
	int at = find(m, key);

	if (at == m->n)
		strcpy(m->pair[m->n++].key, key);
	strcpy(m->pair[at].value, value);
}

static bool take_away(struct model *m, const char *key)
{
	int at = find(m, key);

	if (at == m->n)
		return false;
	for (m->n--; at < m->n; at++)
		m->pair[at] = m->pair[at + 1];
	return true;
}

static void compare(struct scene *s, const struct model *m,
		    const struct weft_info *info)
{
	if (weft_info_count(info) != m->n || weft_info_key(info, m->n) ||
	    weft_info_key(info, -1))
		wf_sim_fail(s->rank, "%d pairs, and not %d",
			    weft_info_count(info), m->n);
	for (int i = 0; i < m->n; i++) {
		const char *key = weft_info_key(info, i);

		if (!key || strcmp(key, m->pair[i].key))
			wf_sim_fail(s->rank, "key %d is %s", i, key);
		expect(s, info, m->pair[i].key, m->pair[i].value);
	}
}

static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct model model = { 0 };
	struct weft_info *info, *copy;
	struct wf_random random;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	wf_random_init(&random, 1);
	ok(&s, weft_info_create(s.job, &info), "create");
	for (int i = 0; i < STEPS; i++) {
		char key[8], value[16];

		snprintf(key, sizeof(key), "k%d",
			 (int)wf_random_below(&random, KEYS));
		snprintf(value, sizeof(value), "%d", i);
		if (wf_random_below(&random, 3)) {
			set(&model, key, value);
			ok(&s, weft_info_set(info, key, value), "set");
		} else if (weft_info_delete(info, key) !=
			   (take_away(&model, key) ? WEFT_OK : WEFT_ERR_ARG)) {
			wf_sim_fail(rank, "deleted in another way");
		}
		compare(&s, &model, info);
	}
	ok(&s, weft_info_dup(info, &copy), "dup");
	ok(&s, weft_info_free(&info), "free");
	compare(&s, &model, copy);
	if (info)
		wf_sim_fail(rank, "the handle is there");
	/* The copy goes with the job. */
	ok(&s, weft_job_close(s.job), "close");
}

static void programs(void)
{
	run(1, 1, any_program);
}

/* ---- hints ---- */

static void check_hint(struct scene *s, struct weft_comm *comm, int count,
		       const char *key, const char *value)
{
	struct weft_info *info = NULL;

	ok(s, weft_comm_get_info(comm, &info), "get");
	if (weft_info_count(info) != count)
		wf_sim_fail(s->rank, "%d hints", weft_info_count(info));
	expect(s, info, key, value);
	/* What one does with it changes nothing. */
	ok(s, weft_info_set(info, key, "mine"), "set");
	ok(s, weft_info_free(&info), "free");
}

static void idup_with(const struct scene *s, struct weft_info *info,
		      struct weft_comm **dup_p)
{
	struct weft_request *req;

	ok(s, weft_comm_idup_with_info(weft_job_world(s->job), info, dup_p,
				       &req), "idup with");
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_free(&req), "free");
}

static void give_hints(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *world, *same, *other, *none, *later, *own;
	struct weft_info *info;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	world = weft_job_world(s.job);
	check_hint(&s, world, 0, "a", NULL);
	/* of a job, or of none */
	ok(&s, weft_info_create(wf_sim_size(rank) > 1 ? NULL : s.job, &info),
	   "create");
	ok(&s, weft_info_set(info, "a", "1"), "set");
	ok(&s, weft_comm_set_info(world, info), "set hints");
	ok(&s, weft_info_delete(info, "a"), "delete");
	ok(&s, weft_info_set(info, "b", "2"), "set");
	ok(&s, weft_comm_dup(world, &same), "dup");
	ok(&s, weft_comm_set_info(world, info), "more hints");
	ok(&s, weft_comm_dup_with_info(world, info, &other), "dup with");
	ok(&s, weft_comm_dup_with_info(world, NULL, &none), "dup without");
	idup_with(&s, info, &later);
	ok(&s, weft_info_free(&info), "free");
	check_hint(&s, world, 2, "a", "1");
	check_hint(&s, world, 2, "b", "2");
	check_hint(&s, same, 1, "a", "1");
	check_hint(&s, other, 1, "b", "2");
	check_hint(&s, later, 1, "b", "2");
	ok(&s, weft_comm_dup_private(world, &own), "private");
	check_hint(&s, own, 0, "a", NULL);
	check_hint(&s, none, 0, "a", NULL);
	ok(&s, weft_barrier(other), "barrier");
	ok(&s, weft_comm_free(&same), "free");
	check_hint(&s, world, 2, "a", "1");
	ok(&s, weft_job_close(s.job), "close");
}

static void hints(void)
{
	run(1, 1, give_hints);
	run(3, 1, give_hints);
}

/* ---- bad input, no memory ---- */

static void refuses(struct scene *s, int status, const char *what)
{
	if (status != WEFT_ERR_ARG)
		wf_sim_fail(s->rank, "%s is taken", what);
}

static void refuse_null(struct scene *s, struct weft_info *info)
{
	struct weft_comm *world = weft_job_world(s->job);
	struct weft_info *none = NULL;

	refuses(s, weft_info_create(s->job, NULL), "no place");
	refuses(s, weft_info_dup(NULL, &none), "no object to copy");
	refuses(s, weft_info_dup(info, NULL), "no place for a copy");
	refuses(s, weft_info_free(NULL), "no handle");
	ok(s, weft_info_free(&none), "free none");
	refuses(s, weft_info_set(NULL, "a", "b"), "no object to set");
	refuses(s, weft_info_set(info, NULL, "b"), "no key");
	refuses(s, weft_info_set(info, "a", NULL), "no value");
	refuses(s, weft_info_delete(NULL, "a"), "no object to change");
	refuses(s, weft_info_delete(info, NULL), "no key to delete");
	refuses(s, weft_comm_set_info(world, NULL), "no hints");
	refuses(s, weft_comm_get_info(world, NULL), "no place for hints");
	if (weft_info_get(NULL, "a") || weft_info_get(info, NULL) ||
	    weft_info_count(NULL) || weft_info_key(NULL, 0))
		wf_sim_fail(s->rank, "NULL has something");
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	char key[WEFT_INFO_KEY_MAX + 2];
	struct weft_info *info = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	memset(key, 'x', sizeof(key));
	key[WEFT_INFO_KEY_MAX + 1] = '\0';
	ok(&s, weft_info_create(s.job, &info), "create");
	refuse_null(&s, info);
	refuses(&s, weft_info_set(info, "", "1"), "an empty key");
	refuses(&s, weft_info_set(info, key, "1"), "too long a key");
	if (!strstr(weft_error_text(s.job), "the key has 256 characters"))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	ok(&s, weft_info_set(info, key + 1, ""), "the longest key");
	expect(&s, info, key + 1, "");
	ok(&s, weft_job_close(s.job), "close");
}

/* A pair with each way to fail; what is there stays. */
static int one_try(struct scene *s, struct weft_info *info)
{
	struct weft_comm *world = weft_job_world(s->job), *dup = NULL;
	struct weft_info *copy = NULL;
	int status = weft_info_set(info, "a", "new");

	if (!status)
		status = weft_info_set(info, "b", "2");
	if (!status)
		status = weft_info_dup(info, &copy);
	if (!status)
		status = weft_comm_set_info(world, info);
	if (!status)
		status = weft_comm_dup_with_info(world, info, &dup);
	fail_malloc_at(0);
	if (copy)
		ok(s, weft_info_free(&copy), "free");
	if (dup)
		ok(s, weft_comm_free(&dup), "free");
	return status;
}

static void run_short(struct wf_sim_rank *rank, void *arg)
{
	struct weft_info *info = NULL;
	int failed = 0, status;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (long n = 1; n <= ALLOCATIONS; n++) {
		fail_malloc_at(0);
		ok(&s, weft_info_create(s.job, &info), "create");
		ok(&s, weft_info_set(info, "a", "1"), "set");
		fail_malloc_once(n);
		status = one_try(&s, info);
		failed += status != WEFT_OK;
		if (status && status != WEFT_ERR_NOMEM)
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
		if (!weft_info_get(info, "a"))
			wf_sim_fail(rank, "a pair is lost");
		ok(&s, weft_info_free(&info), "free");
	}
	if (failed < 15)
		wf_sim_fail(rank, "only %d failed", failed);
	ok(&s, weft_job_close(s.job), "close");
}

static void bad_input(void)
{
	run(1, 1, refuse);
}

static void no_memory(void)
{
	run(1, 1, run_short);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "sets and deletes in any order", programs },
		{ "hints of communicators", hints },
		{ "bad input", bad_input },
		{ "no memory", no_memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
