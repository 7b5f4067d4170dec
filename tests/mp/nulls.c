/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NULL where a call needs a handle or a place for its output: where another
 * argument leads to the job, its sentence names the call and the argument; else
 * it is still that of the call before.  A job of one rank.
 */
#include <weft.h>
#include "tests/tap.h"

static struct weft_job *job;
static struct weft_comm *world;
static struct weft_keyval *key, *type_key;
static struct weft_type *type;
static struct weft_info *info;
static struct weft_group *group;

/* Outputs that no refused call touches. */
#define POISON ((void *)0x55)
static void *made = POISON;
static int number = -5;
static bool flag;

static void expect(int status, const char *says, int line)
{
	const char *text = weft_error_text(job);

	if (!TAP_EQUAL(status, WEFT_ERR_ARG) || !TAP_CHECK(!strcmp(text, says)))
		tap_diag("line %d: \"%s\", expected \"%s\"", line, text, says);
	if (!TAP_CHECK(made == POISON && number == -5 && !flag))
		tap_diag("line %d: an output was written", line);
}

/* Each sentence is another one than that of the row before. */
#define REFUSED(call, argument, ...) \
	expect(call(__VA_ARGS__), #call ": " argument " is NULL", __LINE__)

#define PLACE(kind) ((struct kind **)&made)

static void communicators(void)
{
	enum weft_likeness *likeness_p = (enum weft_likeness *)&number;

	REFUSED(weft_comm_compare, "a", NULL, world, likeness_p);
	REFUSED(weft_comm_compare, "b", world, NULL, likeness_p);
	REFUSED(weft_comm_compare, "likeness_p", world, world, NULL);
	REFUSED(weft_comm_set_name, "name", world, NULL);
	REFUSED(weft_comm_get_errors, "errors_p", world, NULL);
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
	enum weft_likeness *likeness_p = (enum weft_likeness *)&number;
	const int rank = 0;

	REFUSED(weft_group_translate, "from", NULL, 1, &rank, group, &number);
	REFUSED(weft_group_translate, "to", group, 1, &rank, NULL, &number);
	REFUSED(weft_group_translate, "ranks", group, 1, NULL, group, &number);
	REFUSED(weft_group_translate, "ranks_p", group, 1, &rank, group, NULL);
	REFUSED(weft_group_compare, "a", NULL, group, likeness_p);
	REFUSED(weft_group_compare, "b", group, NULL, likeness_p);
	REFUSED(weft_group_compare, "likeness_p", group, group, NULL);
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
	REFUSED(weft_ibcast, "req_p", world, NULL, 0, &weft_type_byte, 0,
		NULL);
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
	REFUSED(weft_request_received, "got_p", req[1], NULL);
	REFUSED(weft_neighbor_way, "way_p", req[1], 0, NULL);
	REFUSED(weft_request_test, "done_p", req[1], NULL);
	REFUSED(weft_request_test_all, "done_p", req, 2, NULL, NULL);
	REFUSED(weft_request_wait_any, "index_p", req, 2, NULL);
	REFUSED(weft_request_test_any, "index_p", req, 2, NULL);
	REFUSED(weft_request_wait_some, "index_p", req, 2, NULL, &number);
	REFUSED(weft_request_wait_some, "count_p", req, 2, &number, NULL);
	REFUSED(weft_request_test_some, "index_p", req, 2, NULL, &number);
	REFUSED(weft_request_test_some, "count_p", req, 2, &number, NULL);
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
	weft_signal_destroy(&signal);
	TAP_EQUAL(weft_region_destroy(&region), WEFT_OK);
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
	expect(weft_request_received(NULL, NULL), before, __LINE__);
	expect(weft_neighbor_way(NULL, 0, NULL), before, __LINE__);
	expect(weft_request_wait_any(NULL, 1, NULL), before, __LINE__);
	expect(weft_request_wait_any(none, 2, NULL), before, __LINE__);
	expect(weft_request_free(NULL), before, __LINE__);
}

/* ---- what a communicator was told about errors holds for these, too ---- */

static int calls;
static char told[200];

static void note(struct weft_comm *comm, int status, const char *text,
		 void *arg)
{
	TAP_CHECK(comm == world && status == WEFT_ERR_ARG && arg == told);
	snprintf(told, sizeof(told), "%s", text);
	calls++;
}

static void handlers(void)
{
	struct weft_errors errors = {
		.what = WEFT_ON_ERROR_CALL, .call = note, .arg = told
	};

	TAP_EQUAL(weft_comm_set_errors(world, &errors), WEFT_OK);
	REFUSED(weft_comm_compare, "b", world, NULL, POISON);
	TAP_EQUAL(calls, 1);
	TAP_CHECK(!strcmp(told, weft_error_text(job)));
	REFUSED(weft_iprobe, "found_p", world, weft_from(0, 0), NULL, NULL);
	TAP_EQUAL(calls, 2);
	TAP_CHECK(!strcmp(told, weft_error_text(job)));
	TAP_EQUAL(weft_comm_set_errors(world, NULL), WEFT_OK);
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
