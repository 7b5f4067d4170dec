/* SPDX-License-Identifier: BSD-3-Clause */
/* How each constructor of datatypes begins and ends: see making.h. */
#include "type/making.h"

#include "base/handle.h"
#include "job/job.h"

static int lacks_memory(const struct wf_making *m)
{
	return wf_job_fail(m->job, WEFT_ERR_NOMEM, "%s: no memory for a "
			   "datatype", m->call);
}

static int begin(struct wf_making *m, const struct wf_made_of *of)
{
	if (of->type && wf_type_wrong(m->job, of->type))
		return wf_type_refuse(m->job, m->call, "of", of->type);
	m->recipe = wf_recipe_new(of->combiner, of->nsizes, of->ndispls,
				  of->ntypes);
	if (!m->recipe)
		return lacks_memory(m);
	if (of->type)
		wf_recipe_add_type(m->recipe, of->type);
	return WEFT_OK;
}

int wf_making_begin(struct wf_making *m, const struct wf_made_of *of,
		    struct weft_type **type_p)
{
	bool lacks_type = !of->type && of->combiner != WEFT_COMBINER_STRUCT;
	int status = m->job && type_p && !lacks_type ? wf_job_ask(m->job) :
		wf_job_refuse(m->job, m->call, !m->job ? "job" :
			      lacks_type ? "of" : "type_p");

	wf_no_handle(type_p);
	if (status)
		return status;
	status = begin(m, of);
	if (status)
		wf_job_leave(m->job);
	return status;
}

int wf_making_end(struct wf_making *m, int status, struct weft_type **type_p)
{
	struct wf_made_type *made;

	if (status) {
		wf_recipe_drop(m->recipe);
	} else {
		made = wf_type_new(m->job, &m->shape, m->recipe);
		if (made)
			*type_p = &made->type;
		else
			status = WEFT_ERR_NOMEM;
	}
	if (status == WEFT_ERR_NOMEM)
		lacks_memory(m);
	else if (status == WEFT_ERR_RANGE)
		wf_job_fail_for(m->job, WEFT_ARGUMENT_COUNT, status,
				"%s: its bytes, or its bounds, exceed 2^63 "
				"bytes: a count is too large, or below 0",
				m->call);
	wf_job_leave(m->job);
	return status;
}
