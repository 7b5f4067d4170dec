/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of jobs that make communicators of communicators; comm.t starts
 * them.
 *
 *     comm_rank random SEED STEPS   any constructors, the children used at once
 *     comm_rank death               the last rank is killed while the others
 *                                   wait for it, who then make theirs
 *     comm_rank given               shows what the library's attributes are
 *     comm_rank leak N              N communicators are not freed, one is
 *     comm_rank split TYPE          shows with how many ranks each one is
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <weft.h>
#include "tests/mp/last_rank.h"

enum {
	LIVE = 6,
	MOST = 64,
	TAG = 3
};

static struct weft_job *job;
static int me, n, failures;

static void check(bool good, const char *what)
{
	if (good)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

static void ok(int status, const char *what)
{
	check(status == WEFT_OK, what);
}

/* The same numbers at all ranks. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % below;
}

/* ---- random constructors ---- */

/* The ranks of a communicator in two groups; the own one. */
static struct weft_group *own_half(struct weft_comm *of, uint64_t *state)
{
	int ranks[2][MOST], count[2] = { 0, 0 }, own = 0;
	struct weft_group *all = NULL, *half = NULL;

	for (int r = 0; r < weft_comm_size(of); r++) {
		int h = (int)draw(state, 2);
		int at = (int)draw(state, (uint32_t)count[h] + 1);

		ranks[h][count[h]++] = ranks[h][at];
		ranks[h][at] = r;
		if (r == weft_comm_rank(of))
			own = h;
	}
	ok(weft_comm_group(of, &all), "group");
	ok(weft_group_incl(all, count[own], ranks[own], &half), "incl");
	ok(weft_group_free(&all), "free a group");
	return half;
}

static struct weft_comm *construct(struct weft_comm *of, uint64_t *state)
{
	uint32_t which = draw(state, 5);
	uint64_t dice = draw(state, 1 << 30);
	struct weft_group *half = own_half(of, &dice);
	struct weft_comm *made = NULL;

	switch (which) {
	case 0:
		ok(weft_comm_dup(of, &made), "dup");
		break;
	case 1:
		ok(weft_comm_create(of, half, &made), "create");
		break;
	case 2:
		ok(weft_comm_create_group(of, half, TAG, &made), "group");
		break;
	case 3:
		ok(weft_comm_split(of, weft_group_rank(half) % 2,
				   -weft_comm_rank(of), &made), "split");
		break;
	default:
		ok(weft_comm_split_type(of, WEFT_SPLIT_NODE, 0, &made),
		   "split by node");
	}
	ok(weft_group_free(&half), "free a group");
	return made;
}

/* Its members meet each other and nobody else: they sum their numbers. */
static void use(struct weft_comm *comm)
{
	int ranks[MOST], worlds[MOST], size = weft_comm_size(comm);
	int64_t sum = (int64_t)1 << (me % 60), want = 0;
	struct weft_group *own = NULL, *world = NULL;

	for (int r = 0; r < size; r++)
		ranks[r] = r;
	ok(weft_comm_group(comm, &own), "group");
	ok(weft_comm_group(weft_job_world(job), &world), "group");
	ok(weft_group_translate(own, size, ranks, world, worlds),
	   "translate");
	for (int r = 0; r < size; r++)
		want += (int64_t)1 << (worlds[r] % 60);
	ok(weft_allreduce(comm, WEFT_IN_PLACE,
			  weft_part(&sum, 1, &weft_type_int64),
			  &weft_op_sum), "allreduce");
	check(sum == want, "a sum over other ranks");
	ok(weft_group_free(&own), "free a group");
	ok(weft_group_free(&world), "free a group");
}

static void pause_at_times(uint32_t dice)
{
	const struct timespec ms = { 0, 1000000 };

	if (dice == (uint32_t)me)
		nanosleep(&ms, NULL);
}

static void random_constructors(char **argv)
{
	struct weft_comm *live[LIVE] = { NULL };
	uint64_t state = strtoull(argv[2], NULL, 10);
	int steps = atoi(argv[3]);

	for (int i = 0; i < steps; i++) {
		struct weft_comm **to = &live[draw(&state, LIVE)];
		struct weft_comm *made, *of = weft_job_world(job);

		pause_at_times(draw(&state, 20));
		if (*to)
			ok(weft_comm_free(to), "free");
		made = construct(of, &state);
		if (made && draw(&state, 2)) {
			of = made;
			made = construct(of, &state);
			/* in an order that the calls do not have */
			if (made)
				use(made);
			use(of);
			ok(weft_comm_free(&of), "free");
		} else if (made) {
			use(made);
		}
		*to = made;
	}
	for (int i = 0; i < LIVE; i++)
		if (live[i])
			ok(weft_comm_free(&live[i]), "free");
}

/* ---- a death ---- */

/* All ranks but the last one. */
static struct weft_group *all_but_last(void)
{
	struct weft_group *all = NULL, *rest = NULL;
	int last = n - 1;

	ok(weft_comm_group(weft_job_world(job), &all), "group");
	ok(weft_group_excl(all, 1, &last, &rest), "excl");
	ok(weft_group_free(&all), "free a group");
	return rest;
}

/* The last one is first in the group: all others wait for its ids. */
static void death(char **argv)
{
	struct weft_range falling = { n - 1, 0, -1 };
	struct weft_group *all = NULL, *group = NULL, *rest = all_but_last();
	struct weft_comm *made = NULL;
	char name[24];

	(void)argv;
	ok(weft_comm_group(weft_job_world(job), &all), "group");
	ok(weft_group_range_incl(all, 1, &falling, &group), "falling");
	ok(weft_comm_create_group(weft_job_world(job), group, TAG, &made),
	   "while all live");
	use(made);
	ok(weft_comm_free(&made), "free");
	ok(let_last_die(weft_job_world(job)), "what lets the last one die");
	check(weft_comm_create_group(weft_job_world(job), group, TAG, &made) ==
	      WEFT_ERR_PEER, "a death is not told");
	snprintf(name, sizeof(name), "rank %d ", n - 1);
	check(strstr(weft_error_text(job), name), "another name");
	ok(weft_comm_create_group(weft_job_world(job), rest, TAG, &made),
	   "without the dead");
	use(made);
	ok(weft_comm_free(&made), "free");
	ok(weft_group_free(&rest), "free a group");
	ok(weft_group_free(&group), "free a group");
	ok(weft_group_free(&all), "free a group");
}

/* ---- what is not freed ---- */

static void show(void *arg, const char *text)
{
	++*(int *)arg;
	if (me == 0)
		printf("%s\n", text);
}

static void leak(char **argv)
{
	struct weft_comm *made = NULL;
	int count = atoi(argv[2]), shown = 0;

	for (int i = 0; i <= count; i++) {
		ok(weft_comm_dup(weft_job_world(job), &made), "dup");
		if (i == 1)
			ok(weft_comm_set_name(made, "halo"), "name");
	}
	ok(weft_comm_free(&made), "free");
	ok(weft_context_list(job, show, &shown), "list");
	check(shown == count + 1, "others are listed");
	check(weft_context_list(job, NULL, NULL) == WEFT_ERR_ARG,
	      "NULL is taken");
}

/* ---- attributes ---- */

static void show_attr(struct weft_comm *comm,
		      const struct weft_keyval *keyval, const char *name)
{
	bool found = false;
	void *value = NULL;

	ok(weft_comm_get_attr(comm, keyval, &value, &found), "get");
	if (found)
		printf("%s %d\n", name, *(const int *)value);
	else
		printf("no %s\n", name);
}

static void show_given(char **argv)
{
	struct weft_comm *made = NULL;

	(void)argv;
	ok(weft_comm_dup(weft_job_world(job), &made), "dup");
	show_attr(made, &weft_key_tag_ub, "tag_ub");
	show_attr(made, &weft_key_universe_size, "universe_size");
	show_attr(made, &weft_key_appnum, "appnum");
	show_attr(made, &weft_key_wtime_is_global, "wtime_is_global");
	ok(weft_comm_free(&made), "free");
}

/* ---- by place ---- */

static void split_by(char **argv)
{
	struct weft_comm *made = NULL;
	int64_t size = 0;

	ok(weft_comm_split_type(weft_job_world(job), atoi(argv[2]), 0, &made),
	   "split");
	if (made) {
		size = 1;
		ok(weft_allreduce(made, WEFT_IN_PLACE,
				  weft_part(&size, 1, &weft_type_int64),
				  &weft_op_sum), "sum");
		check(size == weft_comm_size(made), "others are in it");
		ok(weft_comm_free(&made), "free");
	}
	printf("%d of %d: %d\n", me, n, (int)size);
}

static const struct mode {
	const char *name;
	int words;			/* behind it */
	void (*program)(char **argv);
} modes[] = {
	{ "random", 2, random_constructors }, { "death", 0, death },
	{ "given", 0, show_given },
	{ "leak", 1, leak }, { "split", 1, split_by }
};

static const struct mode *find_mode(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc == 2 + modes[i].words &&
		    !strcmp(argv[1], modes[i].name))
			return &modes[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct mode *mode = find_mode(argc, argv);
	int status;

	if (!mode) {
		fprintf(stderr, "usage: comm_rank random SEED STEPS | death | "
			"given | leak N | split TYPE\n");
		return 2;
	}
	status = weft_job_open(NULL, &job);
	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	me = weft_job_rank(job);
	n = weft_job_size(job);
	mode->program(argv);
	status = weft_job_close(job);
	if (mode->program != death && status) {
		printf("# close: %s\n", weft_status_name(status));
		failures++;
	}
	return failures != 0;
}
