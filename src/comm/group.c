/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of a group, and what it tells about itself. */
#include "comm/group.h"

#include <stdlib.h>
#include <string.h>
#include "base/handle.h"
#include "base/sort.h"
#include "base/zeroed.h"
#include "comm/across.h"

enum {
	FEW = 16			/* are looked at one by one */
};

/* ---- searching ---- */

static const struct weft_group *owner_of(const struct weft_group *group)
{
	return group->owner ? group->owner : group;
}

static int find_in_stride(const struct weft_group *group, int world_rank)
{
	int distance = world_rank - group->first;
	int rank = distance / group->stride;

	return distance % group->stride || rank < 0 || rank >= group->size ?
		WEFT_UNDEFINED : rank;
}

static int find_in_table(const struct weft_group *group, int world_rank)
{
	for (int r = 0; r < group->size; r++)
		if (group->table[r] == world_rank)
			return r;
	return WEFT_UNDEFINED;
}

static int compare_places(const void *a, const void *b, void *arg)
{
	const int *table = arg;
	int x = table[*(const int *)a], y = table[*(const int *)b];

	return (x > y) - (x < y);
}

/* Its ranks, ordered by their world ranks. */
static int sort_ranks(const struct weft_group *group, int *sorted)
{
	for (int r = 0; r < group->size; r++)
		sorted[r] = r;
	return wf_sort(sorted, (size_t)group->size, sizeof(*sorted),
		       compare_places, group->table);
}

/* Without memory for it each search takes longer. */
static void sort(struct weft_group *group)
{
	int *sorted = malloc((size_t)group->size * sizeof(*sorted));

	if (sorted && sort_ranks(group, sorted))
		free(sorted);
	else
		group->sorted = sorted;
}

static int find_in_order(const struct weft_group *group, int world_rank)
{
	int low = 0, high = group->size;

	while (low < high) {
		int middle = low + (high - low) / 2;
		int rank = group->sorted[middle];

		if (group->table[rank] == world_rank)
			return rank;
		if (group->table[rank] < world_rank)
			low = middle + 1;
		else
			high = middle;
	}
	return WEFT_UNDEFINED;
}

/* What helps to search it is made when it is first needed. */
int wf_group_search(const struct weft_group *group, int world_rank)
{
	const struct weft_group *owner = owner_of(group);

	if (!group->table)
		return find_in_stride(group, world_rank);
	if (!owner->sorted && owner->size > FEW)
		sort((struct weft_group *)owner);
	return owner->sorted ? find_in_order(owner, world_rank) :
			       find_in_table(owner, world_rank);
}

/* ---- one copy per node: the table, and the ranks in order ---- */

static size_t table_bytes(const struct weft_group *group)
{
	return (size_t)group->size * sizeof(*group->table);
}

static int write_copy(void *base, const void *arg)
{
	const struct weft_group *group = arg;

	memcpy(base, group->table, table_bytes(group));
	return sort_ranks(group, (int *)base + group->size);
}

/* Ascending world ranks of ranks that are there: then it is all of them. */
static bool is_copy(const void *base, const void *arg)
{
	const struct weft_group *group = arg;
	const int *table = base, *sorted = table + group->size;

	if (memcmp(table, group->table, table_bytes(group)))
		return false;
	for (int i = 0; i < group->size; i++)
		if (sorted[i] < 0 || sorted[i] >= group->size ||
		    (i && table[sorted[i]] <= table[sorted[i - 1]]))
			return false;
	return true;
}

/* Where there is none the group keeps its own, and is the same. */
static void share(struct weft_group *group)
{
	struct wf_shared_want want = {
		.bytes = 2 * table_bytes(group),
		.is_it = is_copy, .write = write_copy, .arg = group
	};
	int status;

	if (table_bytes(group) <= group->job->config.group_share)
		return;
	want.print = wf_group_print(group);
	status = wf_shared_get(group->job, &want, &group->shared);
	if (status) {
		wf_debug(&group->job->log, "a group of %d ranks has a table of "
			 "its own here: %s", group->size,
			 weft_status_name(status));
		return;
	}
	free(group->table);
	group->table = group->shared.base;
	group->sorted = group->table + group->size;
}

/* ---- life ---- */

static bool is_stride(const int *table, int n, int stride)
{
	for (int i = 1; i < n; i++)
		if (table[i] - table[i - 1] != stride)
			return false;
	return true;
}

static struct weft_group *make(struct weft_job *job, int first, int stride,
			       int n)
{
	struct weft_group *group = wf_zeroed(1, sizeof(*group));

	if (!group)
		return NULL;
	group->job = job;
	group->refs = 1;
	group->size = n;
	group->first = first;
	group->stride = stride;
	wf_list_init(&group->link);
	if (job)
		wf_list_add_tail(&wf_contexts(job)->groups, &group->link);
	return group;
}

int wf_group_make_row(struct weft_job *job, int first, int n,
		      struct weft_group **group_p)
{
	struct weft_group *group = make(job, first, 1, n);

	if (!group)
		return WEFT_ERR_NOMEM;
	group->rank = find_in_stride(group, job->rank);
	*group_p = group;
	return WEFT_OK;
}

/* What was made for more than came. */
static int *shrink(int *table, int n)
{
	int *less = realloc(table, (size_t)n * sizeof(*table));

	return less ? less : table;
}

int wf_group_make(struct weft_job *job, int *table, int n,
		  struct weft_group **group_p)
{
	int stride = table && n > 1 ? table[1] - table[0] : 1;
	struct weft_group *group;

	group = table ? make(job, n ? table[0] : 0, stride, n) : NULL;
	if (!group) {
		free(table);
		return WEFT_ERR_NOMEM;
	}
	if (is_stride(table, n, stride))
		free(table);
	else
		group->table = shrink(table, n);
	if (group->table)
		share(group);
	group->rank = !n ? WEFT_UNDEFINED :
		group->table ? find_in_table(group, job->rank) :
			       find_in_stride(group, job->rank);
	*group_p = group;
	return WEFT_OK;
}

/* In front of the owner, so that it goes first where the job ends both. */
int wf_group_alias(struct weft_group *group, struct weft_group **alias_p)
{
	struct weft_group *alias = malloc(sizeof(*alias));

	if (!alias)
		return WEFT_ERR_NOMEM;
	*alias = *group;
	alias->refs = 1;
	alias->userdata = NULL;
	alias->sorted = NULL;		/* the owner has it */
	alias->owner = wf_group_hold(owner_of(group));
	wf_list_add_head(&wf_contexts(group->job)->groups, &alias->link);
	*alias_p = alias;
	return WEFT_OK;
}

static int make_part_of_table(const struct weft_group *of, int first,
			      int stride, int n, struct weft_group **group_p)
{
	int *table = malloc((size_t)n * sizeof(*table));

	for (int r = 0; table && r < n; r++)
		table[r] = of->table[first + r * stride];
	return wf_group_make(of->job, table, n, group_p);
}

int wf_group_make_part(const struct weft_group *of, int first, int stride,
		       int n, struct weft_group **group_p)
{
	struct weft_group *group;

	if (of->table)
		return make_part_of_table(of, first, stride, n, group_p);
	group = make(of->job, of->first + first * of->stride,
		     stride * of->stride, n);
	if (!group)
		return WEFT_ERR_NOMEM;
	group->rank = find_in_stride(group, of->job->rank);
	*group_p = group;
	return WEFT_OK;
}

void wf_group_drop(struct weft_group *group)
{
	if (--group->refs)
		return;
	wf_list_del(&group->link);
	if (group->owner) {
		wf_group_drop(group->owner);
	} else if (group->shared.base) {
		wf_shared_drop(group->job, &group->shared);
	} else {
		free(group->table);
		free(group->sorted);
	}
	free(group);
}

/* ---- what it tells ---- */

static bool is_same(const struct weft_group *a, const struct weft_group *b)
{
	if (a->size != b->size)
		return false;
	for (int r = 0; r < a->size; r++)
		if (wf_group_world_rank(a, r) != wf_group_world_rank(b, r))
			return false;
	return true;
}

uint64_t wf_group_print(const struct weft_group *group)
{
	uint64_t print = UINT64_C(0xcbf29ce484222325);

	for (int r = 0; r < group->size; r++)
		print = (print ^ (uint64_t)wf_group_world_rank(group, r)) *
			UINT64_C(0x100000001b3);
	return print ? print : 1;
}

enum weft_comparison wf_group_comparison(const struct weft_group *a,
					 const struct weft_group *b)
{
	if (owner_of(a) == owner_of(b) || is_same(a, b))
		return WEFT_IDENT;
	if (a->size != b->size)
		return WEFT_UNEQUAL;
	for (int r = 0; r < a->size; r++)
		if (wf_group_find(b, wf_group_world_rank(a, r)) < 0)
			return WEFT_UNEQUAL;
	return WEFT_SIMILAR;
}

int wf_group_enter(const char *call, const struct weft_group *a,
		   const struct weft_group *b)
{
	int status = wf_job_ask_if(wf_group_job(a, b));

	if (status || !a->job || !b->job || a->job == b->job)
		return status;
	status = wf_job_fail_for(a->job, WEFT_ARGUMENT_GROUP, WEFT_ERR_ARG,
				 "%s: the groups are of two jobs", call);
	wf_job_leave(a->job);
	return status;
}

int wf_group_refuse(const char *call, const struct weft_group *a,
		    const struct weft_group *b, const char *argument)
{
	const struct weft_group *known = a ? a : b;

	return wf_job_refuse(known ? known->job : NULL, call, argument);
}

int wf_group_refuse_pair(const char *call, const struct weft_group *a,
			 const struct weft_group *b, const char *result)
{
	return wf_group_refuse(call, a, b, !a ? "a" : b ? result : "b");
}

int weft_comm_group(struct weft_comm *comm, struct weft_group **group_p)
{
	static const char call[] = "weft_comm_group";
	int status = group_p ? wf_comm_ask(comm) :
			       wf_comm_refuse(comm, call, "group_p");

	wf_no_handle(group_p);
	if (status)
		return status;
	if (wf_group_alias(comm->across ? comm->across->local : comm->group,
			   group_p))
		status = wf_job_fail(comm->job, WEFT_ERR_NOMEM,
				     "%s: no memory for a group", call);
	return wf_comm_leave(comm, status);
}

const struct weft_group *weft_group_empty(void)
{
	static const struct weft_group empty = {
		.rank = WEFT_UNDEFINED, .stride = 1
	};

	return &empty;
}

int weft_group_size(const struct weft_group *group)
{
	return group ? group->size : 0;
}

int weft_group_rank(const struct weft_group *group)
{
	return group ? group->rank : WEFT_UNDEFINED;
}

static int translate(const struct weft_group *from, int n, const int *ranks,
		     const struct weft_group *to, int *ranks_p)
{
	struct weft_job *job = wf_group_job(from, to);

	for (int i = 0; i < n; i++)
		if (ranks[i] != WEFT_PROC_NULL &&
		    (ranks[i] < 0 || ranks[i] >= from->size))
			return wf_job_fail_for(job, WEFT_ARGUMENT_RANK,
					       WEFT_ERR_ARG,
					       "weft_group_translate: "
					       "ranks[%d] is %d, the group has "
					       "%d ranks", i, ranks[i],
					       from->size);
	for (int i = 0; i < n; i++)
		ranks_p[i] = ranks[i] == WEFT_PROC_NULL ? WEFT_PROC_NULL :
			wf_group_find(to, wf_group_world_rank(from, ranks[i]));
	return WEFT_OK;
}

int weft_group_translate(const struct weft_group *from, int n,
			 const int *ranks, const struct weft_group *to,
			 int *ranks_p)
{
	static const char call[] = "weft_group_translate";
	int status;

	if (!from || !to)
		return wf_group_refuse(call, from, to, from ? "to" : "from");
	if (n > 0 && (!ranks || !ranks_p))
		return wf_group_refuse(call, from, to,
				       ranks ? "ranks_p" : "ranks");
	status = wf_group_enter(call, from, to);
	if (status)
		return status;
	if (n < 0)
		status = wf_job_fail_for(wf_group_job(from, to),
					 WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
					 "%s: n is %d, negative", call, n);
	else
		status = translate(from, n, ranks, to, ranks_p);
	wf_job_leave_if(wf_group_job(from, to));
	return status;
}

int weft_group_compare(const struct weft_group *a, const struct weft_group *b,
		       enum weft_comparison *result_p)
{
	static const char call[] = "weft_group_compare";
	int status = a && b && result_p ? wf_group_enter(call, a, b) :
		wf_group_refuse_pair(call, a, b, "result_p");

	if (status)
		return status;
	*result_p = wf_group_comparison(a, b);
	wf_job_leave_if(wf_group_job(a, b));
	return WEFT_OK;
}

int weft_group_free(struct weft_group **group_p)
{
	struct weft_job *job;
	int status;

	if (!group_p || !*group_p)
		return group_p ? WEFT_OK : WEFT_ERR_ARG;
	if (*group_p == weft_group_empty())
		return WEFT_ERR_ARG;
	job = (*group_p)->job;
	status = wf_job_ask_if(job);
	if (status)
		return status;
	wf_group_drop(*group_p);
	*group_p = NULL;
	wf_job_leave_if(job);
	return WEFT_OK;
}
