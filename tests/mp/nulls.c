/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NULL where a call needs a handle or a place for its output: where another
 * argument leads to the job, its sentence names the call and the argument; else
 * it is still that of the call before.  A handle that such a call would make is
 * NULL, no other output is written.  A job of one rank.
 */
#include <weft.h>
#include "tests/tap.h"

static struct weft_job *job;
static struct weft_comm *world;
static struct weft_keyval *key, *type_key;
static struct weft_type *type;
static struct weft_info *info;
static struct weft_group *group;

/* Outputs that no refused call touches, but for a handle. */
#define POISON ((void *)0x55)
static void *made = POISON;
static bool is_handle;
static int number = -5;
static bool flag;

static void *place(void)
{
	is_handle = true;
	return &made;
}

#define PLACE(kind) ((struct kind **)place())

static bool outputs_are_right(void)
{
	bool right = made == (is_handle ? NULL : POISON) && number == -5 &&
		     !flag;

	is_handle = false;
	made = POISON;
	return TAP_CHECK(right);
}

static void expect(int status, const char *says, int line)
{
	const char *text = weft_error_text(job);

	if (!TAP_EQUAL(status, WEFT_ERR_ARG) || !TAP_CHECK(!strcmp(text, says)))
		tap_diag("line %d: \"%s\", expected \"%s\"", line, text, says);
	if (!outputs_are_right())
		tap_diag("line %d: an output was written, or a handle not",
			 line);
}

/* Each sentence is another one than that of the row before. */
#define REFUSED(call, argument, ...) \
	expect(call(__VA_ARGS__), #call ": " argument " is NULL", __LINE__)

static void communicators(void)
{
	enum weft_comparison *result_p = (enum weft_comparison *)&number;

	REFUSED(weft_comm_compare, "a", NULL, world, result_p);
	REFUSED(weft_comm_compare, "b", world, NULL, result_p);
	REFUSED(weft_comm_compare, "result_p", world, world, NULL);
	REFUSED(weft_comm_set_name, "name", world, NULL);
	REFUSED(weft_comm_get_errhandler, "handler_p", world, NULL);
	REFUSED(weft_comm_group, "group_p", world, NULL);
	REFUSED(weft_comm_set_info, "comm", NULL, info);
	REFUSED(weft_comm_set_info, "info", world, NULL);
	REFUSED(weft_comm_get_info, "info_p", world, NULL);
	REFUSED(weft_comm_dup, "dup_p", world, NULL);
	REFUSED(weft_comm_dup_with_info, "comm", NULL, info, PLACE(weft_comm));
	REFUSED(weft_comm_dup_with_info, "dup_p", world, info, NULL);
	REFUSED(weft_comm_idup, "dup_p", world, NULL, PLACE(weft_request));
	REFUSED(weft_comm_idup, "req_p", world, PLACE(weft_comm), NULL);
	REFUSED(weft_comm_create, "comm", NULL, group, PLACE(weft_comm));
	REFUSED(weft_comm_create, "group", world, NULL, PLACE(weft_comm));
	REFUSED(weft_comm_create, "created_p", world, group, NULL);
	REFUSED(weft_comm_create_group, "comm", NULL, group, 0,
		PLACE(weft_comm));
	REFUSED(weft_comm_create_group, "group", world, NULL, 0,
		PLACE(weft_comm));
	REFUSED(weft_comm_create_group, "created_p", world, group, 0, NULL);
	REFUSED(weft_comm_split, "split_p", world, 0, 0, NULL);
	REFUSED(weft_comm_split_type, "split_p", world, WEFT_SPLIT_NODE, 0,
		NULL);
}

static void groups(void)
{
	static const struct weft_range range = { 0, 0, 1 };
	enum weft_comparison *result_p = (enum weft_comparison *)&number;
	const int rank = 0;

	REFUSED(weft_group_translate, "from", NULL, 1, &rank, group, &number);
	REFUSED(weft_group_translate, "to", group, 1, &rank, NULL, &number);
	REFUSED(weft_group_translate, "ranks", group, 1, NULL, group, &number);
	REFUSED(weft_group_translate, "ranks_p", group, 1, &rank, group, NULL);
	REFUSED(weft_group_compare, "a", NULL, group, result_p);
	REFUSED(weft_group_compare, "b", group, NULL, result_p);
	REFUSED(weft_group_compare, "result_p", group, group, NULL);
	REFUSED(weft_group_union, "a", NULL, group, PLACE(weft_group));
	REFUSED(weft_group_union, "b", group, NULL, PLACE(weft_group));
	REFUSED(weft_group_union, "group_p", group, group, NULL);
	REFUSED(weft_group_intersection, "b", group, NULL, PLACE(weft_group));
	REFUSED(weft_group_intersection, "group_p", group, group, NULL);
	REFUSED(weft_group_difference, "a", NULL, group, PLACE(weft_group));
	REFUSED(weft_group_difference, "group_p", group, group, NULL);
	REFUSED(weft_group_incl, "ranks", group, 1, NULL, PLACE(weft_group));
	REFUSED(weft_group_incl, "group_p", group, 1, &rank, NULL);
	REFUSED(weft_group_excl, "ranks", group, 1, NULL, PLACE(weft_group));
	REFUSED(weft_group_excl, "group_p", group, 1, &rank, NULL);
	REFUSED(weft_group_range_incl, "ranges", group, 1, NULL,
		PLACE(weft_group));
	REFUSED(weft_group_range_incl, "group_p", group, 1, &range, NULL);
	REFUSED(weft_group_range_excl, "ranges", group, 1, NULL,
		PLACE(weft_group));
	REFUSED(weft_group_range_excl, "group_p", group, 1, &range, NULL);
}

/* Of an object of a kind that has attributes. */
#define ATTRS_REFUSED(kind, it, its_key)                                       \
	do {                                                                   \
		REFUSED(weft_##kind##_set_attr, #kind, NULL, its_key, NULL);   \
		REFUSED(weft_##kind##_set_attr, "keyval", it, NULL, NULL);     \
		REFUSED(weft_##kind##_delete_attr, #kind, NULL, its_key);      \
		REFUSED(weft_##kind##_delete_attr, "keyval", it, NULL);        \
		REFUSED(weft_##kind##_get_attr, #kind, NULL, its_key, &made,   \
			&flag);                                                \
		REFUSED(weft_##kind##_get_attr, "keyval", it, NULL, &made,     \
			&flag);                                                \
		REFUSED(weft_##kind##_get_attr, "value_p", it, its_key, NULL,  \
			&flag);                                                \
		REFUSED(weft_##kind##_get_attr, "found_p", it, its_key, &made, \
			NULL);                                                 \
	} while (0)

/* Infos, attributes and datatypes. */
static void pairs_and_keys(void)
{
	REFUSED(weft_info_create, "info_p", job, NULL);
	REFUSED(weft_info_dup, "dup_p", info, NULL);
	REFUSED(weft_info_set, "key", info, NULL, "value");
	REFUSED(weft_info_set, "value", info, "key", NULL);
	REFUSED(weft_info_delete, "key", info, NULL);
	REFUSED(weft_keyval_create, "keyval_p", job, NULL, NULL, NULL, NULL);
	ATTRS_REFUSED(comm, world, key);
	REFUSED(weft_comm_get_attr, "value_p", world, &weft_key_tag_ub, NULL,
		&flag);
	REFUSED(weft_type_keyval_create, "keyval_p", job, NULL, NULL, NULL,
		NULL);
	ATTRS_REFUSED(type, type, type_key);
	REFUSED(weft_type_dup, "job", NULL, type, PLACE(weft_type));
	REFUSED(weft_type_dup, "type", job, NULL, PLACE(weft_type));
	REFUSED(weft_type_dup, "dup_p", job, type, NULL);
}

static void jobs(void)
{
	const int *ranks;
	size_t bytes;

	REFUSED(weft_job_failed, "ranks_p", job, NULL, &number);
	REFUSED(weft_job_failed, "n_p", job, &ranks, NULL);
	REFUSED(weft_context_query, "contexts_p", job, NULL);
	REFUSED(weft_context_list, "tell", job, NULL, NULL);
	REFUSED(weft_mem_alloc, "base_p", job, 8, NULL);
	REFUSED(weft_mem_register, "mem_p", job, &number, 4, NULL);
	REFUSED(weft_buffer_detach, "buffer_p", job, NULL, &bytes);
	REFUSED(weft_buffer_detach, "bytes_p", job, &made, NULL);
}

static void messages(void)
{
	const struct weft_envelope none = weft_from(WEFT_PROC_NULL, 0);
	struct weft_message *message;

	REFUSED(weft_mprobe, "message_p", world, none, NULL, NULL);
	REFUSED(weft_improbe, "message_p", world, none, NULL, NULL);
	REFUSED(weft_iprobe, "found_p", world, none, NULL, NULL);
	REFUSED(weft_isend, "req_p", world, NULL, 0, &weft_type_byte, none,
		NULL);
	REFUSED(weft_irecv, "req_p", world, NULL, 0, &weft_type_byte, none,
		NULL);
	REFUSED(weft_ibsend, "req_p", world, NULL, 0, &weft_type_byte, none,
		NULL);
	REFUSED(weft_recv_init, "req_p", world, NULL, 0, &weft_type_byte, none,
		NULL);
	REFUSED(weft_bsend_init, "req_p", world, NULL, 0, &weft_type_byte,
		none, NULL);
	REFUSED(weft_ibcast, "req_p", world,
		weft_part(NULL, 0, &weft_type_byte), 0, NULL);
	TAP_EQUAL(weft_mprobe(world, none, &message, NULL), WEFT_OK);
	REFUSED(weft_imrecv, "req_p", &message, NULL, 0, &weft_type_byte,
		NULL);
	TAP_EQUAL(weft_mrecv(&message, NULL, 0, &weft_type_byte, NULL),
		  WEFT_OK);
}

static void requests(void)
{
	struct weft_request *req[2] = { NULL, NULL };

	TAP_EQUAL(weft_recv_init(world, NULL, 0, &weft_type_byte,
				 weft_from(WEFT_PROC_NULL, 0), &req[1]),
		  WEFT_OK);
	REFUSED(weft_request_status, "got_p", req[1], NULL);
	REFUSED(weft_neighbor_way, "way_p", req[1], 0, NULL);
	REFUSED(weft_request_test, "done_p", req[1], NULL);
	REFUSED(weft_request_test_all, "done_p", req, 2, NULL, NULL);
	REFUSED(weft_request_wait_any, "index_p", req, 2, NULL);
	REFUSED(weft_request_test_any, "index_p", req, 2, NULL);
	REFUSED(weft_request_wait_some, "index_p", req, 2, NULL, &number,
		NULL);
	REFUSED(weft_request_wait_some, "count_p", req, 2, &number, NULL,
		NULL);
	REFUSED(weft_request_test_some, "index_p", req, 2, NULL, &number,
		NULL);
	REFUSED(weft_request_test_some, "count_p", req, 2, &number, NULL,
		NULL);
	TAP_EQUAL(weft_request_free_all(req, 2), WEFT_OK);
}

static void one_sided(void)
{
	struct weft_region *region = NULL;
	struct weft_signal *signal = NULL;

	REFUSED(weft_region_create, "region_p", world, NULL, 8, NULL);
	REFUSED(weft_region_expose, "region_p", world, NULL, 8, NULL);
	REFUSED(weft_region_attach, "key", world, NULL, PLACE(weft_region));
	TAP_EQUAL(weft_region_expose(world, NULL, 8, &region), WEFT_OK);
	TAP_EQUAL(weft_signal_create(region, 0, 0, &signal), WEFT_OK);
	REFUSED(weft_region_key, "key_p", region, NULL);
	REFUSED(weft_signal_create, "signal_p", region, 0, 0, NULL);
	REFUSED(weft_signal_test, "reached_p", signal, 0, NULL);
	weft_signal_free(&signal);
	TAP_EQUAL(weft_region_free(&region), WEFT_OK);
}

/* Whose job would it be? */
static void nobody(void)
{
	static const char before[] = "weft_comm_set_name: name is NULL";
	struct weft_request *none[2] = { NULL, NULL };

	TAP_EQUAL(weft_comm_set_name(world, NULL), WEFT_ERR_ARG);
	expect(weft_comm_compare(NULL, NULL, POISON), before, __LINE__);
	expect(weft_comm_set_name(NULL, NULL), before, __LINE__);
	expect(weft_comm_set_attr(NULL, NULL, NULL), before, __LINE__);
	expect(weft_comm_get_attr(NULL, &weft_key_tag_ub, &made, &flag),
	       before, __LINE__);
	expect(weft_type_set_attr(NULL, NULL, NULL), before, __LINE__);
	expect(weft_group_union(NULL, NULL, NULL), before, __LINE__);
	expect(weft_group_incl(NULL, 0, NULL, NULL), before, __LINE__);
	expect(weft_info_set(NULL, NULL, NULL), before, __LINE__);
	expect(weft_job_failed(NULL, NULL, NULL), before, __LINE__);
	expect(weft_type_dup(NULL, &weft_type_byte, PLACE(weft_type)), before,
	       __LINE__);
	expect(weft_request_status(NULL, NULL), before, __LINE__);
	expect(weft_neighbor_way(NULL, 0, NULL), before, __LINE__);
	expect(weft_request_wait_any(NULL, 1, NULL), before, __LINE__);
	expect(weft_request_wait_any(none, 2, NULL), before, __LINE__);
	expect(weft_request_free(NULL), before, __LINE__);
}

/* ---- handles that are not made ---- */

#define UNMADE(call, ...)                                                      \
	do {                                                                   \
		if (!TAP_EQUAL(call(__VA_ARGS__), WEFT_ERR_ARG) ||             \
		    !outputs_are_right())                                      \
			tap_diag("line %d: " #call, __LINE__);                 \
	} while (0)

static void objects_of_nothing(void)
{
	const struct weft_job_options options = { .size = 1 };

	UNMADE(weft_job_open, &options, PLACE(weft_job));
	UNMADE(weft_inproc_create, 0, PLACE(weft_inproc));
	UNMADE(weft_comm_dup, NULL, PLACE(weft_comm));
	UNMADE(weft_comm_dup_private, NULL, PLACE(weft_comm));
	UNMADE(weft_comm_dup_with_info, NULL, NULL, PLACE(weft_comm));
	UNMADE(weft_comm_idup_with_info, NULL, info, PLACE(weft_comm), NULL);
	UNMADE(weft_comm_idup, NULL, PLACE(weft_comm), NULL);
	UNMADE(weft_comm_idup, NULL, NULL, PLACE(weft_request));
	UNMADE(weft_comm_create, NULL, NULL, PLACE(weft_comm));
	UNMADE(weft_comm_create_group, NULL, NULL, 0, PLACE(weft_comm));
	UNMADE(weft_comm_split, NULL, 0, 0, PLACE(weft_comm));
	UNMADE(weft_comm_split, world, -5, 0, PLACE(weft_comm));
	UNMADE(weft_comm_split_type, world, -5, 0, PLACE(weft_comm));
	UNMADE(weft_graph_create_adjacent, NULL, NULL, NULL, NULL, false,
	       PLACE(weft_comm));
	UNMADE(weft_graph_create_adjacent, world, NULL, NULL, NULL, false,
	       PLACE(weft_comm));
	UNMADE(weft_comm_group, NULL, PLACE(weft_group));
	UNMADE(weft_group_incl, NULL, 0, NULL, PLACE(weft_group));
	UNMADE(weft_group_excl, NULL, 0, NULL, PLACE(weft_group));
	UNMADE(weft_info_dup, NULL, PLACE(weft_info));
	UNMADE(weft_comm_get_info, NULL, PLACE(weft_info));
	UNMADE(weft_keyval_create, NULL, NULL, NULL, NULL, PLACE(weft_keyval));
	UNMADE(weft_type_keyval_create, NULL, NULL, NULL, NULL,
	       PLACE(weft_keyval));
	UNMADE(weft_mem_register, NULL, &number, 4, PLACE(weft_mem));
	UNMADE(weft_region_create, NULL, NULL, 8, PLACE(weft_region));
	UNMADE(weft_region_expose, NULL, NULL, 8, PLACE(weft_region));
	UNMADE(weft_region_attach, NULL, NULL, PLACE(weft_region));
	UNMADE(weft_signal_create, NULL, 0, 0, PLACE(weft_signal));
}

static void requests_of_nothing(void)
{
	const struct weft_type *byte = &weft_type_byte;
	const struct weft_envelope to = weft_to(0, 0);

	UNMADE(weft_isend, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_isend, world, NULL, 0, NULL, to, PLACE(weft_request));
	UNMADE(weft_irsend, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_issend, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_ibsend, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_irecv, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_irecv, world, NULL, 0, NULL, to, PLACE(weft_request));
	UNMADE(weft_imrecv, NULL, NULL, 0, byte, PLACE(weft_request));
	UNMADE(weft_mprobe, NULL, to, PLACE(weft_message), NULL);
	UNMADE(weft_improbe, NULL, to, PLACE(weft_message), NULL);
	UNMADE(weft_send_init, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_rsend_init, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_ssend_init, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_bsend_init, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_recv_init, NULL, NULL, 0, byte, to, PLACE(weft_request));
	UNMADE(weft_ibcast, NULL, weft_part(NULL, 0, byte), 0,
	       PLACE(weft_request));
	UNMADE(weft_ineighbor_alltoallv, NULL, NULL, NULL, PLACE(weft_request));
	UNMADE(weft_neighbor_alltoallv_init, NULL, NULL, NULL,
	       PLACE(weft_request));
	UNMADE(weft_put, NULL, NULL, 0, PLACE(weft_request));
	UNMADE(weft_put_signal, NULL, NULL, 0, 0, PLACE(weft_request));
	UNMADE(weft_get, NULL, NULL, 0, PLACE(weft_request));
	UNMADE(weft_fetch_add, NULL, 0, NULL, PLACE(weft_request));
	UNMADE(weft_cas, NULL, 0, 0, NULL, PLACE(weft_request));
}

/* ---- what a communicator was told about errors holds for these, too ---- */

static int calls;
static char told[200];
static bool looks;			/* at a handle */

static void note(struct weft_comm *comm, int status, const char *text,
		 void *arg)
{
	TAP_CHECK(comm == world && arg == told &&
		  status == (looks ? WEFT_ERR_GRAPH : WEFT_ERR_ARG));
	snprintf(told, sizeof(told), "%s", text);
	calls++;
	TAP_CHECK(!looks || !made);
}

static void handlers(void)
{
	struct weft_errhandler errors = {
		.kind = WEFT_ERRORS_CALL, .call = note, .arg = told
	};

	TAP_EQUAL(weft_comm_set_errhandler(world, &errors), WEFT_OK);
	REFUSED(weft_comm_compare, "b", world, NULL, POISON);
	TAP_EQUAL(calls, 1);
	TAP_CHECK(!strcmp(told, weft_error_text(job)));
	REFUSED(weft_iprobe, "found_p", world, weft_from(0, 0), NULL, NULL);
	TAP_EQUAL(calls, 2);
	TAP_CHECK(!strcmp(told, weft_error_text(job)));
	looks = true;
	TAP_EQUAL(weft_ineighbor_alltoallv(world, NULL, NULL,
					   PLACE(weft_request)),
		  WEFT_ERR_GRAPH);
	TAP_CHECK(outputs_are_right());
	TAP_EQUAL(calls, 3);
	TAP_EQUAL(weft_comm_set_errhandler(world, NULL), WEFT_OK);
}

static int open_scene(void)
{
	int status = weft_job_open(NULL, &job);

	if (status)
		return status;
	world = weft_job_world(job);
	status = weft_keyval_create(job, NULL, NULL, NULL, &key);
	if (!status)
		status = weft_type_keyval_create(job, NULL, NULL, NULL,
						 &type_key);
	if (!status)
		status = weft_type_dup(job, &weft_type_byte, &type);
	if (!status)
		status = weft_info_create(job, &info);
	if (!status)
		status = weft_comm_group(world, &group);
	return status;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "communicators", communicators },
		{ "groups", groups },
		{ "infos, attributes and datatypes", pairs_and_keys },
		{ "jobs", jobs },
		{ "messages", messages },
		{ "requests", requests },
		{ "one-sided", one_sided },
		{ "nothing leads to a job", nobody },
		{ "objects of nothing", objects_of_nothing },
		{ "requests of nothing", requests_of_nothing },
		{ "the error handler is asked", handlers },
	};
	int failed;

	if (setenv("WEFT_BOOT", "solo", 1) || open_scene())
		return 1;
	failed = tap_run(argc, argv, cases, TAP_COUNT(cases));
	if (weft_job_close(job))
		return 1;
	return failed;
}
