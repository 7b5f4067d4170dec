/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one-sided calls refuse: the status that the header promises, a sentence
 * that names the argument, outputs as they were. A job of one rank, whose only
 * peer is itself.
 */
#include <stdint.h>
#include <weft.h>
#include "tests/tap.h"

/* An output that no refused call touches. */
#define POISON ((void *)0x55)

enum { BYTES = 128 };

static struct weft_job *job;
static struct weft_comm *world;
static struct weft_region *region, *exposed;
static char buffer[2 * BYTES];

static void refused(int have, int want, const char *says)
{
	if (!TAP_EQUAL(have, want) ||
	    !TAP_CHECK(!says || strstr(weft_error_text(job), says)))
		tap_diag("%s: \"%s\", expected \"%s\"", weft_status_name(have),
			 weft_error_text(job), says);
}

static struct weft_target at(int peer, size_t offset)
{
	return (struct weft_target){ region, peer, offset };
}

static int open_all(void)
{
	int status = weft_job_open(NULL, &job);

	if (status)
		return status;
	world = weft_job_world(job);
	status = weft_region_create(world, NULL, BYTES, &region);
	return status ? status : weft_region_expose(world, NULL, BYTES,
						    &exposed);
}

static void regions(void)
{
	struct weft_region *none = POISON;
	void *arena = NULL;

	refused(weft_region_create(NULL, NULL, 8, &none), WEFT_ERR_ARG, NULL);
	refused(weft_region_create(world, NULL, 8, NULL), WEFT_ERR_ARG,
		"region_p is NULL");
	refused(weft_region_expose(world, NULL, 8, NULL), WEFT_ERR_ARG,
		"region_p is NULL");
	refused(weft_region_create(world, NULL, SIZE_MAX / 2, &none),
		WEFT_ERR_NOMEM, "WEFT_ARENA_MAX");
	refused(weft_region_create(world, buffer, SIZE_MAX, &none),
		WEFT_ERR_ARG, "exceed the address space");
	refused(weft_region_create(world, buffer, 8, &none),
		WEFT_ERR_UNSUPPORTED, "pass base NULL");
	TAP_EQUAL(weft_mem_alloc(job, 8, &arena), WEFT_OK);
	refused(weft_region_expose(world, arena, 8, &none), WEFT_ERR_ARG,
		"weft_mem_alloc()");
	weft_mem_free(job, arena);
	refused(weft_region_free(NULL), WEFT_ERR_ARG, NULL);
	TAP_CHECK(!none);
	TAP_EQUAL(weft_region_free(&none), WEFT_OK);
	TAP_CHECK(!weft_region_base(NULL) && !weft_region_bytes(NULL));
	TAP_EQUAL((long)weft_region_bytes(region), BYTES);
}

static void keys(void)
{
	struct weft_region *other = POISON, *again = POISON;
	struct weft_region_key key, bad;
	struct weft_comm *graph;
	const struct weft_edges none = { 0, NULL, NULL };
	struct weft_target there;

	refused(weft_region_key(NULL, &key), WEFT_ERR_ARG, NULL);
	refused(weft_region_key(exposed, NULL), WEFT_ERR_ARG, "key_p is NULL");
	refused(weft_region_key(region, &key), WEFT_ERR_ARG,
		"weft_region_expose()");
	TAP_EQUAL(weft_region_key(exposed, &key), WEFT_OK);
	memset(&bad, 0, sizeof(bad));
	refused(weft_region_attach(world, NULL, &other), WEFT_ERR_ARG,
		"key is NULL");
	refused(weft_region_attach(world, &key, NULL), WEFT_ERR_ARG,
		"region_p is NULL");
	refused(weft_region_attach(world, &bad, &other), WEFT_ERR_ARG,
		"no key");
	TAP_EQUAL(weft_graph_create_adjacent(world, &none, &none, NULL, false,
					     &graph), WEFT_OK);
	refused(weft_region_attach(graph, &key, &other), WEFT_ERR_ARG,
		"this is context");
	TAP_EQUAL(weft_comm_free(&graph), WEFT_OK);
	TAP_CHECK(!other);
	TAP_EQUAL(weft_region_attach(world, &key, &other), WEFT_OK);
	refused(weft_region_attach(world, &key, &again), WEFT_ERR_ARG,
		"attached the region of rank 0 already");
	TAP_CHECK(!weft_region_base(other));
	there = (struct weft_target){ other, 0, 0 };
	TAP_EQUAL(weft_put(&there, "mine", 4, NULL), WEFT_OK);
	TAP_EQUAL(weft_flush(other, 0, WEFT_FLUSH_REMOTE), WEFT_OK);
	TAP_CHECK(!memcmp(weft_region_base(exposed), "mine", 4));
	there.region = exposed;
	TAP_EQUAL(weft_put_signal(&there, "his", 4, 1, NULL), WEFT_OK);
	TAP_EQUAL(weft_flush(exposed, 0, WEFT_FLUSH_REMOTE), WEFT_OK);
	TAP_CHECK(!memcmp(weft_region_base(exposed), "his", 4));
	there.region = other;
	TAP_EQUAL(weft_region_free(&exposed), WEFT_OK);
	refused(weft_put(&there, "mine", 4, NULL), WEFT_ERR_RANGE,
		"rank 0 on host");
	TAP_EQUAL(weft_region_free(&other), WEFT_OK);
	/* Its key names nothing any more. */
	TAP_EQUAL(weft_region_attach(world, &key, &other), WEFT_OK);
	there.region = other;
	refused(weft_put(&there, "mine", 4, NULL), WEFT_ERR_RANGE,
		"has freed the region");
	TAP_EQUAL(weft_region_free(&other), WEFT_OK);
}

static void operations(void)
{
	struct weft_target good = at(0, 0), beyond = at(0, BYTES - 7);
	struct weft_target nobody = at(1, 0), before = at(-1, 0);
	struct weft_target odd = at(0, 4), far = at(0, SIZE_MAX);
	struct weft_request *req = NULL;
	bool done;
	int status;

	refused(weft_put(NULL, buffer, 8, NULL), WEFT_ERR_ARG, NULL);
	refused(weft_put(&nobody, buffer, 8, NULL), WEFT_ERR_ARG,
		"peer is 1, the communicator has 1 ranks");
	refused(weft_get(&before, buffer, 8, NULL), WEFT_ERR_ARG,
		"peer is -1");
	refused(weft_put(&good, NULL, 8, NULL), WEFT_ERR_ARG,
		"the buffer is NULL");
	refused(weft_put(&beyond, buffer, 8, NULL), WEFT_ERR_RANGE,
		"offset 121 and 8 bytes are outside of the part of rank 0");
	refused(weft_get(&far, buffer, 8, NULL), WEFT_ERR_RANGE, "which has");
	refused(weft_put(&good, buffer, BYTES + 1, NULL), WEFT_ERR_RANGE,
		"129 bytes");
	refused(weft_put_signal(&good, buffer, 8, UINT32_MAX, NULL),
		WEFT_ERR_ARG, "UINT32_MAX");
	refused(weft_fetch_add(&odd, 1, NULL, NULL), WEFT_ERR_ARG,
		"no multiple of 8");
	refused(weft_cas(&beyond, 1, 2, NULL, NULL), WEFT_ERR_ARG,
		"offset 121");
	/* What depends on the peer the request tells. */
	TAP_EQUAL(weft_put(&beyond, buffer, 8, &req), WEFT_OK);
	refused(weft_request_start(req), WEFT_ERR_REQUEST, "not persistent");
	do
		status = weft_request_test(req, &done);
	while (!status && !done);
	refused(status, WEFT_ERR_RANGE, "weft_put: offset 121");
	TAP_CHECK(strstr(weft_request_error(req), "weft_put: offset 121"));
	TAP_EQUAL(weft_request_free(&req), WEFT_OK);
	refused(weft_flush(NULL, 0, WEFT_FLUSH_LOCAL), WEFT_ERR_ARG, NULL);
	refused(weft_flush(region, 1, WEFT_FLUSH_LOCAL), WEFT_ERR_ARG,
		"peer is 1");
	refused(weft_flush(region, WEFT_PROC_NULL, WEFT_FLUSH_LOCAL),
		WEFT_ERR_ARG, "peer is -3");
	refused(weft_flush(region, 0, (enum weft_flush)7), WEFT_ERR_ARG,
		"what is 7");
	TAP_EQUAL(weft_flush(region, WEFT_ALL_PEERS, WEFT_FLUSH_REMOTE),
		  WEFT_OK);
	/* Nothing at the end is not beyond it. */
	beyond.offset = BYTES;
	TAP_EQUAL(weft_put(&beyond, NULL, 0, NULL), WEFT_OK);
}

static void signals(void)
{
	struct weft_signal *signal = POISON;
	struct weft_target good = at(0, 0);
	bool reached = true;

	refused(weft_signal_create(NULL, 0, 1, &signal), WEFT_ERR_ARG, NULL);
	refused(weft_signal_create(region, 0, 1, NULL), WEFT_ERR_ARG,
		"signal_p is NULL");
	refused(weft_signal_create(region, 1, 1, &signal), WEFT_ERR_ARG,
		"peer is 1");
	refused(weft_signal_create(region, WEFT_ANY_SOURCE, 1, &signal),
		WEFT_ERR_ARG, "peer is -1");
	refused(weft_signal_create(region, 0, UINT32_MAX, &signal),
		WEFT_ERR_ARG, "UINT32_MAX");
	refused(weft_signal_wait(NULL, 1), WEFT_ERR_ARG, NULL);
	TAP_CHECK(!signal);
	TAP_EQUAL(weft_signal_create(region, WEFT_ALL_PEERS, 1, &signal),
		  WEFT_OK);
	refused(weft_signal_test(signal, 1, NULL), WEFT_ERR_ARG,
		"reached_p is NULL");
	TAP_EQUAL(weft_signal_test(signal, 1, &reached), WEFT_OK);
	TAP_CHECK(!reached);
	TAP_EQUAL(weft_put_signal(&good, NULL, 0, 1, NULL), WEFT_OK);
	TAP_EQUAL(weft_signal_wait(signal, 1), WEFT_OK);
	TAP_EQUAL((long)weft_signal_count(signal), 1);
	weft_signal_free(&signal);
	TAP_CHECK(!signal);
	weft_signal_free(&signal);
	weft_signal_free(NULL);
	TAP_EQUAL((long)weft_signal_count(NULL), 0);
}

/* A request, a signal and a region that the close gives back. */
static void left_behind(void)
{
	struct weft_target good = at(0, 0);
	struct weft_request *left;
	struct weft_signal *signal;

	TAP_EQUAL(weft_signal_create(region, 0, 2, &signal), WEFT_OK);
	TAP_EQUAL(weft_put(&good, buffer, 8, &left), WEFT_OK);
	TAP_EQUAL(weft_request_wait(left), WEFT_OK);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "regions", regions },
		{ "keys", keys },
		{ "operations", operations },
		{ "signals", signals },
		{ "left behind", left_behind }
	};
	int failed;

	if (setenv("WEFT_BOOT", "solo", 1) || open_all()) {
		fprintf(stderr, "cannot open a job with regions\n");
		return 1;
	}
	failed = tap_run(argc, argv, cases, TAP_COUNT(cases));
	return weft_job_close(job) ? 1 : failed;
}
