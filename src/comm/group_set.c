/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups made of groups.  Each call fills a table, for the most that can
 * come, which wf_group_make() takes and keeps only where no stride will do.
 */
#include <stdlib.h>
#include "base/handle.h"
#include "base/zeroed.h"
#include "comm/comm.h"
#include "comm/group.h"

/* Entries are never none, so that NULL is no memory. */
static int *new_table(int64_t n)
{
	return malloc((size_t)(n + 1) * sizeof(int));
}

static int finish(struct weft_job *job, const char *call, int *table, int n,
		  struct weft_group **group_p)
{
	if (!wf_group_make(job, table, n, group_p))
		return WEFT_OK;
	return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for a group",
			   call);
}

/* ---- of two ---- */

/* Appends the members of a that are in b, or that are not. */
static int select_members(const struct weft_group *a,
			  const struct weft_group *b, bool in, int *table)
{
	int n = 0;

	for (int r = 0; r < a->size; r++) {
		int who = wf_group_world_rank(a, r);

		if ((wf_group_find(b, who) >= 0) == in)
			table[n++] = who;
	}
	return n;
}

static void copy_members(const struct weft_group *group, int *table)
{
	for (int r = 0; r < group->size; r++)
		table[r] = wf_group_world_rank(group, r);
}

static int unite(const struct weft_group *a, const struct weft_group *b,
		 int *table)
{
	copy_members(a, table);
	return a->size + select_members(b, a, false, table + a->size);
}

static int intersect(const struct weft_group *a, const struct weft_group *b,
		     int *table)
{
	return select_members(a, b, true, table);
}

static int subtract(const struct weft_group *a, const struct weft_group *b,
		    int *table)
{
	return select_members(a, b, false, table);
}

static int combine(const char *call, const struct weft_group *a,
		   const struct weft_group *b, struct weft_group **group_p,
		   int (*fill)(const struct weft_group *a,
			       const struct weft_group *b, int *table))
{
	int status = a && b && group_p ? wf_group_enter(call, a, b) :
		wf_group_refuse_pair(call, a, b, "group_p");
	int *table;

	wf_no_handle(group_p);
	if (status)
		return status;
	table = new_table((int64_t)a->size + b->size);
	status = finish(wf_group_job(a, b), call, table,
			table ? fill(a, b, table) : 0, group_p);
	wf_job_leave_if(wf_group_job(a, b));
	return status;
}

int weft_group_union(const struct weft_group *a, const struct weft_group *b,
		     struct weft_group **group_p)
{
	return combine("weft_group_union", a, b, group_p, unite);
}

int weft_group_intersection(const struct weft_group *a,
			    const struct weft_group *b,
			    struct weft_group **group_p)
{
	return combine("weft_group_intersection", a, b, group_p, intersect);
}

int weft_group_difference(const struct weft_group *a,
			  const struct weft_group *b,
			  struct weft_group **group_p)
{
	return combine("weft_group_difference", a, b, group_p, subtract);
}

/* ---- of some ranks ---- */

/* What is named, by ranks or by ranges, and what has come of it so far. */
struct choice {
	const char *call, *list;	/* names for people */
	const struct weft_group *group;
	int named;
	const int *ranks;
	const struct weft_range *ranges;
	bool others;			/* all but these are wanted */
	unsigned char *chosen;		/* of each rank */
	int *table;			/* world ranks, as they were named */
	int n;
};

static int choose(struct choice *c, int64_t rank, int i)
{
	if (rank < 0 || rank >= c->group->size)
		return wf_job_fail_for(c->group->job, WEFT_ARGUMENT_RANK,
				       WEFT_ERR_ARG, "%s: argument %d names "
				       "rank %lld, the group has %d", c->call,
				       i, (long long)rank, c->group->size);
	if (c->chosen[rank])
		return wf_job_fail_for(c->group->job, WEFT_ARGUMENT_RANK,
				       WEFT_ERR_ARG, "%s: argument %d names "
				       "rank %lld again", c->call, i,
				       (long long)rank);
	c->chosen[rank] = 1;
	c->table[c->n++] = wf_group_world_rank(c->group, (int)rank);
	return WEFT_OK;
}

static int choose_range(struct choice *c, int i)
{
	const struct weft_range *range = &c->ranges[i];
	int64_t last = range->last, step = range->stride;
	int status = WEFT_OK;

	if (!step)
		return wf_job_fail(c->group->job, WEFT_ERR_ARG, "%s: ranges[%d]"
				   ".stride is 0", c->call, i);
	for (int64_t r = range->first;
	     !status && (step > 0 ? r <= last : r >= last); r += step)
		status = choose(c, r, i);
	return status;
}

/* All others, in the order of the group. */
static void invert(struct choice *c)
{
	c->n = 0;
	for (int r = 0; r < c->group->size; r++)
		if (!c->chosen[r])
			c->table[c->n++] = wf_group_world_rank(c->group, r);
}

static int choose_all(struct choice *c)
{
	int status = WEFT_OK;

	if (!c->table || !c->chosen)
		return wf_job_fail(c->group->job, WEFT_ERR_NOMEM,
				   "%s: no memory for a group", c->call);
	for (int i = 0; i < c->named && !status; i++)
		status = c->ranges ? choose_range(c, i) :
				     choose(c, c->ranks[i], i);
	if (!status && c->others)
		invert(c);
	return status;
}

/* The argument that is NULL; NULL: none is. */
static const char *find_null(const struct choice *c,
			     struct weft_group **group_p)
{
	if (!c->group)
		return "group";
	if (c->named > 0 && !c->ranks && !c->ranges)
		return c->list;
	return group_p ? NULL : "group_p";
}

static int make_choice(struct choice c, struct weft_group **group_p)
{
	const char *null = find_null(&c, group_p);
	int status = null ? wf_group_refuse(c.call, c.group, NULL, null) :
			    wf_job_ask_if(c.group->job);

	wf_no_handle(group_p);
	if (status)
		return status;
	if (c.named < 0) {
		status = wf_job_fail_for(c.group->job, WEFT_ARGUMENT_COUNT,
					 WEFT_ERR_ARG, "%s: n is %d, negative",
					 c.call, c.named);
	} else {
		c.table = new_table(c.group->size);
		c.chosen = wf_zeroed((size_t)c.group->size + 1, 1);
		status = choose_all(&c);
	}
	free(c.chosen);
	if (status)
		free(c.table);
	else
		status = finish(c.group->job, c.call, c.table, c.n, group_p);
	wf_job_leave_if(c.group->job);
	return status;
}

int weft_group_incl(const struct weft_group *group, int n, const int *ranks,
		    struct weft_group **group_p)
{
	return make_choice((struct choice){
		.call = "weft_group_incl", .list = "ranks",
		.group = group, .named = n, .ranks = ranks }, group_p);
}

int weft_group_excl(const struct weft_group *group, int n, const int *ranks,
		    struct weft_group **group_p)
{
	return make_choice((struct choice){
		.call = "weft_group_excl", .list = "ranks",
		.group = group, .named = n, .ranks = ranks,
		.others = true }, group_p);
}

int weft_group_range_incl(const struct weft_group *group, int n,
			  const struct weft_range *ranges,
			  struct weft_group **group_p)
{
	return make_choice((struct choice){
		.call = "weft_group_range_incl", .list = "ranges",
		.group = group, .named = n, .ranges = ranges }, group_p);
}

int weft_group_range_excl(const struct weft_group *group, int n,
			  const struct weft_range *ranges,
			  struct weft_group **group_p)
{
	return make_choice((struct choice){
		.call = "weft_group_range_excl", .list = "ranges",
		.group = group, .named = n, .ranges = ranges,
		.others = true }, group_p);
}
