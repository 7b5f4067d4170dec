/* SPDX-License-Identifier: BSD-3-Clause */
/* What a Dist is at this rank: the calls without a message. */
#include <weft/dist_query.h>
#include "dist/dist.h"

/* ---- numbers ---- */

static int ask(const struct weft_dist *dist, const char *call, enum
	       wf_dist_way way, uint32_t (*count)(const struct wf_dist_side *),
	       size_t *n_p)
{
	int status = wf_dist_enter(dist, call);

	if (status)
		return status;
	status = n_p ? wf_dist_check_pattern(dist, call) :
		 wf_job_fail_null(dist->job, call, "n_p");
	if (!status)
		*n_p = count(dist->side[way]);
	return wf_dist_leave(dist, status);
}

int weft_dist_nitems(const struct weft_dist *dist, size_t *n_p)
{
	return ask(dist, __func__, WF_FORWARD, wf_dist_side_nitems, n_p);
}

int weft_dist_nritems(const struct weft_dist *dist, size_t *n_p)
{
	return ask(dist, __func__, WF_REVERSE, wf_dist_side_nitems, n_p);
}

int weft_dist_nroots(const struct weft_dist *dist, size_t *n_p)
{
	return ask(dist, __func__, WF_FORWARD, wf_dist_side_nroots, n_p);
}

int weft_dist_nsrcs(const struct weft_dist *dist, size_t *n_p)
{
	return ask(dist, __func__, WF_FORWARD, wf_dist_side_nroots, n_p);
}

int weft_dist_ndests(const struct weft_dist *dist, size_t *n_p)
{
	return ask(dist, __func__, WF_REVERSE, wf_dist_side_nroots, n_p);
}

/* ---- arrays ---- */

struct place {
	const char *name;		/* of the first, for people */
	const int32_t **at_p;
	size_t *n_p;
};

static int find(const struct weft_dist *dist, const char *call,
		enum wf_side_array which, const struct place *to)
{
	const struct wf_dist_array *array;
	int status = wf_dist_check_pattern(dist, call);

	if (status)
		return status;
	if (wf_dist_side_get(dist->side[WF_FORWARD], which, &array))
		return wf_job_fail(dist->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for %u entries", call,
				   wf_dist_side_nitems(dist->side[WF_FORWARD]));
	*to->at_p = array ? (const int32_t *)array->at : NULL;
	*to->n_p = array ? array->n : 0;
	return WEFT_OK;
}

static int give(const struct weft_dist *dist, const char *call,
		enum wf_side_array which, const struct place *to)
{
	int status = wf_dist_enter(dist, call);

	if (status)
		return status;
	if (!to->at_p || !to->n_p)
		status = wf_job_fail_null(dist->job, call,
					  to->at_p ? "n_p" : to->name);
	else
		status = find(dist, call, which, to);
	return wf_dist_leave(dist, status);
}

int weft_dist_msgs2ranks(const struct weft_dist *dist, const int32_t **map_p,
			 size_t *n_p)
{
	return give(dist, __func__, WF_MSGS2RANKS,
		    &(struct place){ "map_p", map_p, n_p });
}

int weft_dist_msgs2content(const struct weft_dist *dist,
			   const int32_t **offs_p, size_t *n_p)
{
	return give(dist, __func__, WF_MSGS2CONTENT,
		    &(struct place){ "offs_p", offs_p, n_p });
}

int weft_dist_content2msgs(const struct weft_dist *dist,
			   const int32_t **map_p, size_t *n_p)
{
	return give(dist, __func__, WF_CONTENT2MSGS,
		    &(struct place){ "map_p", map_p, n_p });
}

int weft_dist_items2content(const struct weft_dist *dist,
			    const int32_t **map_p, size_t *n_p)
{
	return give(dist, __func__, WF_ITEMS2CONTENT,
		    &(struct place){ "map_p", map_p, n_p });
}

int weft_dist_items2msgs(const struct weft_dist *dist, const int32_t **map_p,
			 size_t *n_p)
{
	return give(dist, __func__, WF_ITEMS2MSGS,
		    &(struct place){ "map_p", map_p, n_p });
}

int weft_dist_items2ranks(const struct weft_dist *dist, const int32_t **map_p,
			  size_t *n_p)
{
	return give(dist, __func__, WF_ITEMS2RANKS,
		    &(struct place){ "map_p", map_p, n_p });
}

int weft_dist_roots2items(const struct weft_dist *dist,
			  const int32_t **offs_p, size_t *n_p)
{
	return give(dist, __func__, WF_ROOTS2ITEMS,
		    &(struct place){ "offs_p", offs_p, n_p });
}
