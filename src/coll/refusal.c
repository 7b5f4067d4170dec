/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that a rank cannot make: see refusal.h. */
#include "coll/refusal.h"

#include "base/lack.h"
#include "base/text.h"
#include "coll/make_up.h"

int wf_refusal_reserve(struct wf_schedule *s)
{
	struct wf_plan *plan;
	int status = s->kind->build_refused(s, &plan);

	if (status)
		return status;
	status = wf_run_init(&s->reserve, plan, NULL);
	if (status)
		wf_plan_destroy(plan);
	return status;
}

/* Done with when it is over, which nobody waits for. */
static int make_refused(struct wf_schedule *s, struct wf_run_request **req_p)
{
	struct wf_plan *plan;
	int status = s->kind->build_refused(s, &plan);

	if (status)
		return status;
	status = wf_run_requests_take(&s->requests, plan, req_p);
	if (status) {
		wf_plan_destroy(plan);
		return status;
	}
	wf_run_request_use(*req_p);
	return WEFT_OK;
}

static void go_refused(struct wf_schedule *s, struct wf_run *run,
		       const struct wf_coll_key *key, int status)
{
	run->call = key->call;
	if (s->kind->aim_refused)
		s->kind->aim_refused(s, run->plan, key);
	wf_run_start(run, status);
	if (!run->error[0])
		wf_text_add(run->error, sizeof(run->error), "%s: this rank "
			    "takes no part: %s", key->call,
			    weft_status_name(status));
}

static struct wf_run *start_one(struct wf_schedule *s,
				const struct wf_coll_key *key, int status)
{
	struct wf_run *run = &s->reserve;
	struct wf_run_request *req = NULL;

	if (!wf_run_is_idle(run) && !make_refused(s, &req))
		run = &req->run;
	else if (!wf_run_is_idle(run))
		wf_run_wait(run);
	go_refused(s, run, key, status);
	if (req)
		wf_run_request_forget(req);
	return run;
}

static void refused(struct wf_run *run)
{
	run->finished = NULL;
	wf_comm_drop(run->set->comm);
}

/* That in reserve, whose end nobody waits for; a request holds all itself. */
static void forget(struct wf_schedule *s, struct wf_run *run)
{
	if (run != &s->reserve || wf_run_is_idle(run))
		return;
	wf_comm_hold(s->comm);
	run->finished = refused;
}

/* Operations that it is. */
static int count(const struct wf_coll_key *key)
{
	return key->by && key->by->learn ? 2 : 1;
}

struct wf_run *wf_refusal_start(struct wf_schedule *s,
				const struct wf_coll_key *key, int status)
{
	if (count(key) > 1)
		forget(s, start_one(s, key, status));
	return start_one(s, key, status);
}

/* Without waiting; WEFT_ERR_NOMEM. */
static int refuse_apart(struct wf_schedule *s, const struct wf_coll_key *key,
			int status)
{
	struct wf_run_request *req[2];
	int n = count(key), made = 0, lack = WEFT_OK;

	while (!lack && made < n) {
		lack = make_refused(s, &req[made]);
		made += !lack;
	}
	for (int i = 0; i < made; i++) {
		if (!lack)
			go_refused(s, &req[i]->run, key, status);
		wf_run_request_forget(req[i]);
	}
	return lack;
}

int wf_refusals_make_up(struct wf_schedule *s, uint16_t *n)
{
	struct wf_missed *missed = &s->comm->missed;
	struct wf_coll_key key = { .call = NULL };
	uint16_t done = 0;
	int status = WEFT_OK;

	while (!status && done < *n) {
		if (s->kind->rooted) {
			key.by = wf_coll_choose(missed->op[done]);
			key.root = missed->root[done];
		}
		status = refuse_apart(s, &key, WEFT_ERR_NOMEM);
		done += !status;
	}
	*n -= done;
	for (int i = 0; s->kind->rooted && i < *n; i++) {
		missed->op[i] = missed->op[i + done];
		missed->root[i] = missed->root[i + done];
	}
	return status;
}

/*
 * Notes what was missed; false: there is no room for one more, and from now on
 * all of them are errors at this rank.
 */
static bool note_missed(struct weft_comm *comm, const struct wf_coll_key *key)
{
	enum wf_coll_kind kind = key->by->kind;
	bool rooted = kind == WF_COLL_TREE;
	uint16_t *missed = &comm->coll.missed[kind];

	if (*missed == (rooted ? WF_MISSED_MOST : UINT16_MAX)) {
		comm->coll.strays[kind] = WEFT_ERR_NOMEM;
		return false;
	}
	if (rooted) {
		comm->missed.op[*missed] = (uint8_t)(key->by - wf_algorithms);
		comm->missed.root[*missed] = key->root;
	}
	++*missed;
	wf_make_up_begin(comm->job);
	return true;
}

int wf_coll_miss(struct weft_comm *comm, const struct wf_coll_key *key,
		 int status)
{
	bool noted = note_missed(comm, key);
	char why[WF_LACK_TEXT];

	wf_segment_why(&comm->job->segment, why, sizeof(why));
	return wf_job_fail(comm->job, status, "no memory for the channels of "
			   "a collective, of the process or of its arena%s: %s",
			   noted ? "" : ", too often: the communicator is out "
			   "of step, free it", why);
}

int wf_coll_refuse(struct weft_comm *comm, const struct wf_coll_key *key,
		   int status)
{
	struct wf_schedule *s;
	struct wf_run *run;

	if (key->by->apart)
		return key->by->apart->refuse(comm, key, status);
	if (wf_schedule_of(comm, key->by->kind, &s))
		return wf_coll_miss(comm, key, status);
	run = wf_refusal_start(s, key, status);
	wf_run_wait(run);
	return wf_job_fail(comm->job, status, "%s", run->error);
}

int wf_coll_refuse_apart(struct weft_comm *comm, const struct wf_coll_key *key,
			 int status)
{
	struct wf_schedule *s;
	struct wf_run *run;

	if (key->by->apart)
		return key->by->apart->refuse(comm, key, status);
	if (wf_schedule_of(comm, key->by->kind, &s))
		return wf_coll_miss(comm, key, status);
	if (!refuse_apart(s, key, status))
		return wf_job_fail(comm->job, status, "%s: this rank takes no "
				   "part: %s", key->call,
				   weft_status_name(status));
	run = wf_refusal_start(s, key, status);
	wf_job_fail(comm->job, status, "%s", run->error);
	forget(s, run);
	return status;
}

void wf_coll_strays(struct weft_comm *comm, int status)
{
	if (status == WEFT_ERR_DEVICE)
		comm->coll.strays[WF_COLL_PROGRAM] = (int16_t)status;
}

int wf_coll_refuse_stray(struct weft_comm *comm, const struct wf_coll_key *key,
			 bool waits)
{
	int status = comm->coll.strays[WF_COLL_PROGRAM];

	status = waits ? wf_coll_refuse(comm, key, status) :
			 wf_coll_refuse_apart(comm, key, status);

	return wf_job_fail(comm->job, status, "collectives of this "
			   "communicator are out of step, since a constructor "
			   "failed with %s, at this rank alone perhaps: free "
			   "it", weft_status_name(status));
}
