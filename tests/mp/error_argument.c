/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code of the argument for which a call failed, beside its sentence.  A job
 * of one rank.
 */
#include <weft.h>
#include "tests/tap.h"

static struct weft_job *job;
static struct weft_comm *world;
static double data[2];

#define FAILS_FOR(code, status, call)                                          \
	do {                                                                   \
		if (!TAP_EQUAL(call, status) ||                                \
		    !TAP_EQUAL(weft_error_argument(job),                       \
			       WEFT_ARGUMENT_##code))                          \
			tap_diag("%s", weft_error_text(job));                  \
	} while (0)

static void messages(void)
{
	const struct weft_type *type = &weft_type_double;
	struct weft_request *req;

	FAILS_FOR(TYPE, WEFT_ERR_ARG,
		  weft_isend(world, data, 1, NULL, weft_to(0, 0), &req));
	FAILS_FOR(BUFFER, WEFT_ERR_ARG,
		  weft_send(world, NULL, 1, type, weft_to(0, 0)));
	FAILS_FOR(COUNT, WEFT_ERR_RANGE,
		  weft_send(world, data, SIZE_MAX, type, weft_to(0, 0)));
	FAILS_FOR(RANK, WEFT_ERR_RANGE,
		  weft_send(world, data, 1, type, weft_to(7, 0)));
	FAILS_FOR(TAG, WEFT_ERR_RANGE,
		  weft_send(world, data, 1, type, weft_to(0, -9)));
	FAILS_FOR(RANK, WEFT_ERR_RANGE,
		  weft_recv(world, data, 1, type, weft_from(7, 0), NULL));
	FAILS_FOR(TAG, WEFT_ERR_RANGE,
		  weft_recv_init(world, data, 1, type, weft_from(0, -9),
				 &req));
	FAILS_FOR(NONE, WEFT_ERR_BUFFER,
		  weft_bsend(world, data, 1, type, weft_to(0, 0)));
}

static void collectives(void)
{
	const struct weft_type *type = &weft_type_double;
	const struct weft_op *sum = &weft_op_sum;

	FAILS_FOR(ROOT, WEFT_ERR_RANGE, weft_bcast(world,
						   weft_part(data, 1, type),
						   3));
	FAILS_FOR(BUFFER, WEFT_ERR_ARG, weft_bcast(world,
						   weft_part(NULL, 1, type),
						   0));
	FAILS_FOR(COUNT, WEFT_ERR_RANGE,
		  weft_bcast(world, weft_part(data, SIZE_MAX, type), 0));
	FAILS_FOR(TYPE, WEFT_ERR_ARG,
		  weft_allreduce(world, data, weft_part(data + 1, 1, NULL),
				 sum));
	FAILS_FOR(OP, WEFT_ERR_ARG,
		  weft_scan(world, data, weft_part(data + 1, 1, type), NULL));
	FAILS_FOR(OP, WEFT_ERR_ARG,
		  weft_allreduce(world, data,
				 weft_part(data + 1, 1, &weft_type_byte), sum));
	FAILS_FOR(BUFFER, WEFT_ERR_ARG,
		  weft_exscan(world, NULL, weft_part(data + 1, 1, type), sum));
	FAILS_FOR(BUFFER, WEFT_ERR_ARG,
		  weft_allgather(world, weft_part(data, 1, type),
				 weft_part(NULL, 1, type)));
	FAILS_FOR(TYPE, WEFT_ERR_ARG,
		  weft_allgather(world, weft_part(data, 1, NULL),
				 weft_part(data + 1, 1, NULL)));
}

static void objects(void)
{
	const int rank = 4, weight = 1;
	const struct weft_edges edges = { 1, &rank, &weight };
	struct weft_group *group = NULL, *made;
	struct weft_request *active = NULL;
	struct weft_comm *comm;

	TAP_EQUAL(weft_comm_group(world, &group), WEFT_OK);
	FAILS_FOR(RANK, WEFT_ERR_ARG, weft_group_incl(group, 1, &rank, &made));
	FAILS_FOR(RANK, WEFT_ERR_ARG, weft_group_incl(group, 1, NULL, &made));
	FAILS_FOR(COUNT, WEFT_ERR_ARG,
		  weft_group_excl(group, -1, &rank, &made));
	FAILS_FOR(GROUP, WEFT_ERR_ARG, weft_comm_create(world, NULL, &comm));
	FAILS_FOR(TAG, WEFT_ERR_ARG,
		  weft_comm_create_group(world, group, -1, &comm));
	FAILS_FOR(COMM, WEFT_ERR_ARG,
		  weft_comm_create(NULL, group, &comm));
	FAILS_FOR(KEYVAL, WEFT_ERR_ARG, weft_comm_set_attr(world, NULL, data));
	FAILS_FOR(INFO, WEFT_ERR_ARG, weft_comm_set_info(world, NULL));
	FAILS_FOR(RANK, WEFT_ERR_ARG,
		  weft_graph_create_adjacent(world, &edges, &edges, NULL,
					     false, &comm));
	TAP_EQUAL(weft_irecv(world, data, 1, &weft_type_byte, weft_from(0, 0),
			     &active), WEFT_OK);
	FAILS_FOR(NONE, WEFT_ERR_REQUEST, weft_request_start(active));
	TAP_EQUAL(weft_request_cancel(active), WEFT_OK);
	TAP_EQUAL(weft_request_free(&active), WEFT_OK);
	TAP_EQUAL(weft_group_free(&group), WEFT_OK);
	TAP_EQUAL(weft_error_argument(NULL), WEFT_ARGUMENT_NONE);
}

/* The function knows, and what fails in it is not of the call. */
static void fail_twice(struct weft_comm *comm, int status, const char *text,
		       void *arg)
{
	bool *called = arg;

	(void)text;
	if (*called)
		return;
	*called = true;
	TAP_EQUAL(status, WEFT_ERR_RANGE);
	TAP_EQUAL(weft_error_argument(job), WEFT_ARGUMENT_RANK);
	TAP_EQUAL(weft_comm_set_name(comm, NULL), WEFT_ERR_ARG);
	TAP_EQUAL(weft_error_argument(job), WEFT_ARGUMENT_NONE);
}

static void handlers(void)
{
	bool called = false;
	const struct weft_errhandler handler = {
		.kind = WEFT_ERRORS_CALL, .call = fail_twice, .arg = &called
	};

	TAP_EQUAL(weft_comm_set_errhandler(world, &handler), WEFT_OK);
	FAILS_FOR(RANK, WEFT_ERR_RANGE,
		  weft_send(world, data, 1, &weft_type_double, weft_to(7, 0)));
	TAP_CHECK(called);
	TAP_EQUAL(weft_comm_set_errhandler(world, NULL), WEFT_OK);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "messages", messages },
		{ "collectives", collectives },
		{ "objects", objects },
		{ "error functions", handlers },
	};
	int failed;

	if (setenv("WEFT_BOOT", "solo", 1) || weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	failed = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) || failed;
}
