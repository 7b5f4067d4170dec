/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of a reorder, read and compared: see reorder_keys.h. */
#include "topo/reorder_keys.h"

#include <limits.h>
#include <string.h>
#include "base/config_parse.h"
#include "base/hash.h"
#include "coll/reduction.h"

/* ---- the list of ranks that stay: 0,4-7 ---- */

/* A number up to a comma, a dash or the end; false: there is none. */
static bool take_rank(const char **at_p, int *rank_p)
{
	size_t digits = strspn(*at_p, "0123456789");
	char text[11] = "";
	uint64_t value;

	if (digits >= sizeof(text))
		return false;
	memcpy(text, *at_p, digits);
	if (!wf_config_parse_int(text, &value) || value > INT_MAX)
		return false;
	*rank_p = (int)value;
	*at_p += digits;
	return true;
}

/* One part, and the comma behind it. */
static bool take_ranks(const char **at_p, int *first_p, int *last_p)
{
	if (!take_rank(at_p, first_p))
		return false;
	*last_p = *first_p;
	if (**at_p == '-') {
		++*at_p;
		if (!take_rank(at_p, last_p) || *last_p < *first_p)
			return false;
	}
	if (!**at_p)
		return true;
	return *(*at_p)++ == ',' && **at_p;
}

bool wf_reorder_mark_kept(const char *text, int size, bool *keep)
{
	int first, last;

	while (*text) {
		if (!take_ranks(&text, &first, &last) || last >= size)
			return false;
		for (int i = first; keep && i <= last; i++)
			keep[i] = true;
	}
	return true;
}

/* ---- values: false, if a text is none ---- */

bool wf_reorder_parse_method(const char *text, enum wf_reorder_method *p)
{
	uint64_t value;

	if (!wf_config_parse_enum(text, "none|greedy|scotch|rcb", &value))
		return false;
	*p = (enum wf_reorder_method)value;
	return true;
}

bool wf_reorder_parse_metric(const char *text, enum wf_reorder_metric *p)
{
	uint64_t value;

	if (!wf_config_parse_enum(text, "sum|max", &value))
		return false;
	*p = (enum wf_reorder_metric)value;
	return true;
}

static bool read_method(const char *text, int size, struct wf_reorder_wishes *w)
{
	(void)size;
	return wf_reorder_parse_method(text, &w->keys.method);
}

static bool read_metric(const char *text, int size, struct wf_reorder_wishes *w)
{
	(void)size;
	return wf_reorder_parse_metric(text, &w->keys.metric);
}

static bool read_refine(const char *text, int size, struct wf_reorder_wishes *w)
{
	uint64_t value;

	(void)size;
	if (!wf_config_parse_int(text, &value) ||
	    value > WF_REORDER_PASSES_MOST)
		return false;
	w->keys.refine = (int)value;
	return true;
}

static bool read_keep(const char *text, int size, struct wf_reorder_wishes *w)
{
	(void)w;
	return wf_reorder_mark_kept(text, size, NULL);
}

static bool read_time(const char *text, int size, struct wf_reorder_wishes *w)
{
	(void)size;
	return wf_config_parse_time(text, &w->keys.limit_ns);
}

static bool read_weights(const char *text, int size,
			 struct wf_reorder_wishes *w)
{
	uint64_t value;

	(void)size;
	if (!wf_config_parse_enum(text, "bytes|messages", &value))
		return false;
	w->keys.messages = value;
	return true;
}

static bool read_coords(const char *text, int size, struct wf_reorder_wishes *w)
{
	uint64_t value;

	(void)size;
	if (!wf_config_parse_bool(text, &value))
		return false;
	w->coords = value;
	return true;
}

struct key {
	const char *name;
	bool (*read)(const char *text, int size, struct wf_reorder_wishes *w);
	const char *expected;
};

static const struct key known[WF_REORDER_KEY_COUNT] = {
	[WF_REORDER_KEY_METHOD] = { "weft_reorder", read_method,
		"none, greedy, scotch or rcb" },
	[WF_REORDER_KEY_METRIC] = { "weft_reorder_metric", read_metric,
		"sum or max" },
	[WF_REORDER_KEY_REFINE] = { "weft_reorder_refine", read_refine,
		"a number of passes up to 1000000" },
	[WF_REORDER_KEY_KEEP] = { "weft_reorder_keep", read_keep,
		"ranks of the communicator like 0,4-7" },
	[WF_REORDER_KEY_TIME] = { "weft_reorder_time", read_time,
		"a time like 2, 0.5 or 200ms" },
	[WF_REORDER_KEY_WEIGHTS] = { "weft_weights", read_weights,
		"bytes or messages" },
	[WF_REORDER_KEY_COORDS] = { "weft_coords", read_coords, "yes or no" }
};

bool wf_reorder_has_keys(const struct weft_info *info)
{
	for (int k = 0; k < WF_REORDER_KEY_COUNT; k++)
		if (weft_info_get(info, known[k].name))
			return true;
	return false;
}

int wf_reorder_check_coords(const struct weft_comm *comm, const char *call,
			    const struct wf_reorder_wishes *w)
{
	if (!w->coords || comm->coords)
		return WEFT_OK;
	return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: info has weft_coords, "
			   "and rank %d has given the communicator none: see "
			   "weft_comm_set_coords()", call, comm->rank);
}

int wf_reorder_read(const struct weft_comm *comm, const char *call,
		    const struct weft_info *info, struct wf_reorder_wishes *w)
{
	*w = (struct wf_reorder_wishes){
		.any = wf_reorder_has_keys(info),
		.keys = {
			.refine = WF_REORDER_PASSES, .limit_ns = WF_CONFIG_INF
		}
	};
	for (int k = 0; k < WF_REORDER_KEY_COUNT; k++) {
		const char *text = weft_info_get(info, known[k].name);

		w->value[k] = text;
		if (text && !known[k].read(text, comm->size, w))
			return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: "
					   "%s is \"%s\" in info at rank %d, "
					   "expected %s", call, known[k].name,
					   text, comm->rank,
					   known[k].expected);
	}
	return WEFT_OK;
}

/* ---- do all pass the same? ---- */

/* A print of a value, and in the low half the rank that has it. */
static int64_t word_of(uint64_t print, int rank)
{
	return (int64_t)(print >> 33 << 32) | rank;
}

/*
 * The least print of all ranks, and the least complement of one: they are of
 * the same where all are.  The ranks are the lowest ones that have them.
 */
struct extremes {
	int64_t least, most;
};

static uint64_t print_of(const char *text)
{
	return text ? wf_hash64(text, strlen(text), 1) : 0;
}

static struct extremes extremes_of(uint64_t print, int rank)
{
	return (struct extremes){ word_of(print, rank), word_of(~print, rank) };
}

static bool are_one(const struct extremes *e)
{
	return (e->least ^ e->most) >> 32 == INT32_MAX;
}

static int differ(const struct weft_comm *comm, const char *call,
		  const char *name, const struct extremes *e)
{
	int a = (int)(e->least & INT32_MAX), b = (int)(e->most & INT32_MAX);

	return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: ranks %d and %d of "
			   "the communicator do not pass the same %s: all "
			   "ranks must", call, a < b ? a : b, a < b ? b : a,
			   name);
}

int wf_reorder_compare(struct weft_comm *comm, const char *call,
		       const struct wf_reorder_wishes *w, bool reorder)
{
	struct extremes e[WF_REORDER_KEY_COUNT + 1];
	struct wf_reduction all = {
		WEFT_IN_PLACE, weft_part(e, 2 * (WF_REORDER_KEY_COUNT + 1),
					 &weft_type_int64), &weft_op_min,
		WF_COLL_ALLREDUCE, 0
	};
	int status;

	for (int k = 0; k < WF_REORDER_KEY_COUNT; k++)
		e[k] = extremes_of(print_of(w->value[k]), comm->rank);
	e[WF_REORDER_KEY_COUNT] = extremes_of(-(uint64_t)reorder, comm->rank);
	status = wf_reduction_run(comm, call, &all);
	for (int k = 0; !status && k < WF_REORDER_KEY_COUNT; k++)
		if (!are_one(&e[k]))
			status = differ(comm, call, known[k].name, &e[k]);
	if (!status && !are_one(&e[WF_REORDER_KEY_COUNT]))
		status = differ(comm, call, "reorder",
				&e[WF_REORDER_KEY_COUNT]);
	return status;
}
