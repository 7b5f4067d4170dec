/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments that no neighbour exchange may take, in all calls and forms: each
 * is refused with its status, the sentence names the call, the argument and its
 * value, no request is made, and the next good call works.  A job of one rank,
 * whose graph has two edges to itself.
 */
#include <stdint.h>
#include "tests/neighbor_call.h"
#include "tests/tap.h"

enum { EDGES = 2 };

static struct weft_job *job;
static struct weft_comm *world, *graph, *bare;
static int64_t sent[EDGES] = { 3, 4 }, received[EDGES];
static const size_t counts[EDGES] = { 1, 1 };
static const ptrdiff_t bytes[EDGES] = { 0, sizeof(sent[0]) };
static const struct weft_type *const types[EDGES] = {
	&weft_type_int64, &weft_type_int64
};

static struct weft_vec vec_of(int64_t *base)
{
	return (struct weft_vec){
		.base = base, .types = types, .counts = counts, .displs = bytes
	};
}

/* Refused before a request is made. */
static void expect(enum call call, enum form form, int have, int want,
		   const char *says)
{
	const char *text = weft_error_text(job);
	const char *name = neighbor_call_name(call, form);

	if (!TAP_EQUAL(have, want) || !TAP_CHECK(strstr(text, says)) ||
	    !TAP_CHECK(!strncmp(text, name, strlen(name)) &&
		       text[strlen(name)] == ':'))
		tap_diag("%s: \"%s\", expected \"%s\"", name, text, says);
}

static int try(struct weft_comm *comm, enum call call, enum form form,
	       const struct neighbor_args *args)
{
	struct weft_request *req = (void *)0x55;
	int status = neighbor_call(comm, call, form, args, &req);

	if (form != BLOCKING)
		TAP_CHECK(!req);
	return status;
}

static void works(enum call call)
{
	struct weft_vec send = vec_of(sent), recv = vec_of(received);
	const struct neighbor_args args = {
		weft_part(sent, 1, &weft_type_int64),
		weft_part(received, 1, &weft_type_int64), &send, &recv
	};

	sent[0]++;
	TAP_EQUAL(neighbor_call(graph, call, BLOCKING, &args, NULL), WEFT_OK);
	TAP_EQUAL(received[0], sent[0]);
	TAP_EQUAL(received[1], sent[call > ALLGATHERV]);
}

/* ---- the sides ---- */

struct row {
	struct weft_part part;
	int status;
	const char *says;		/* behind "send" or "recv" */
};

static const struct row rows[] = {
	{ { sent, 1, NULL }, WEFT_ERR_ARG, ".type is NULL" },
	{ { NULL, 3, &weft_type_int64 }, WEFT_ERR_ARG,
		".base is NULL with 3 elements" },
	{ { (void *)WEFT_IN_PLACE, 1, &weft_type_int64 }, WEFT_ERR_ARG,
		".base is WEFT_IN_PLACE" },
	{ { sent, SIZE_MAX / 2, &weft_type_int64 }, WEFT_ERR_RANGE,
		" elements of 8 bytes for each of" }
};

static void spoil_part(enum call call, enum form form, bool sends,
		       const struct row *row)
{
	struct weft_vec vec = vec_of(received);
	struct neighbor_args args = {
		weft_part(sent, 1, &weft_type_int64),
		weft_part(received, 1, &weft_type_int64), &vec, &vec
	};
	char says[80];
	bool range = row->status == WEFT_ERR_RANGE;

	*(sends ? &args.send : &args.recv) = row->part;
	snprintf(says, sizeof(says), "%s%s",
		 range ? "" : sends ? "send" : "recv", row->says);
	expect(call, form, try(graph, call, form, &args), row->status, says);
	works(call);
}

static void spoil_parts(enum call call, enum form form)
{
	for (int i = 0; i < TAP_COUNT(rows); i++) {
		if (neighbor_sends_part(call))
			spoil_part(call, form, true, &rows[i]);
		if (neighbor_recvs_part(call))
			spoil_part(call, form, false, &rows[i]);
	}
}

static void all_calls(void (*spoil)(enum call call, enum form form))
{
	for (enum call call = 0; call < CALLS; call++)
		for (enum form form = 0; form < FORMS; form++)
			spoil(call, form);
}

static void parts(void)
{
	all_calls(spoil_parts);
}

static void spoil_vec(enum call call, enum form form, bool sends,
		      const struct weft_vec *bad, const char *says)
{
	struct weft_vec good = vec_of(received);
	const struct neighbor_args args = {
		weft_part(sent, 1, &weft_type_int64),
		weft_part(received, 1, &weft_type_int64),
		sends ? bad : &good, sends ? &good : bad
	};
	char text[80];

	snprintf(text, sizeof(text), "%s%s", sends ? "send" : "recv", says);
	expect(call, form, try(graph, call, form, &args), WEFT_ERR_ARG, text);
	works(call);
}

static void spoil_vecs(enum call call, enum form form)
{
	struct weft_vec in_place = vec_of((void *)WEFT_IN_PLACE);
	struct weft_vec untyped = vec_of(sent);

	untyped.types = NULL;
	untyped.type = &weft_type_int64;
	for (int sends = 0; sends < 2; sends++) {
		if (sends ? neighbor_sends_part(call) :
			    neighbor_recvs_part(call))
			continue;
		spoil_vec(call, form, sends, NULL, " is NULL");
		spoil_vec(call, form, sends, &in_place,
			  "->base is WEFT_IN_PLACE");
		if (call == ALLTOALLW)
			spoil_vec(call, form, sends, &untyped,
				  "->types is NULL");
	}
}

static void vectors(void)
{
	all_calls(spoil_vecs);
}

/* ---- handles ---- */

static void spoil_handles(enum call call, enum form form)
{
	struct weft_vec send = vec_of(sent), recv = vec_of(received);
	const struct neighbor_args args = {
		weft_part(sent, 1, &weft_type_int64),
		weft_part(received, 1, &weft_type_int64), &send, &recv
	};

	TAP_EQUAL(try(NULL, call, form, &args), WEFT_ERR_ARG);
	expect(call, form, try(world, call, form, &args), WEFT_ERR_GRAPH,
	       "the communicator is no graph");
	if (form != BLOCKING)
		expect(call, form,
		       neighbor_call(graph, call, form, &args, NULL),
		       WEFT_ERR_ARG, "req_p is NULL");
	works(call);
}

static void handles(void)
{
	all_calls(spoil_handles);
}

/* ---- nothing to look at ---- */

/* Of a graph without edges NULL will do, and of no elements. */
static void nothing(void)
{
	static const size_t none[EDGES];
	struct weft_vec empty = { .base = NULL }, no_elements = vec_of(NULL);
	struct neighbor_args args = {
		{ NULL, 3, NULL }, { NULL, 3, NULL }, &empty, &empty
	};

	no_elements.counts = none;
	for (enum call call = 0; call < CALLS; call++)
		TAP_EQUAL(neighbor_call(bare, call, BLOCKING, &args, NULL),
			  WEFT_OK);
	args = (struct neighbor_args){
		{ NULL, 0, &weft_type_int64 }, { NULL, 0, &weft_type_int64 },
		&no_elements, &no_elements
	};
	for (enum call call = 0; call < CALLS; call++)
		TAP_EQUAL(neighbor_call(graph, call, BLOCKING, &args, NULL),
			  WEFT_OK);
}

static int make_graph(int n, struct weft_comm **graph_p)
{
	static const int self[EDGES];
	const struct weft_edges edges = { n, n ? self : NULL, NULL };

	return weft_graph_create_adjacent(world, &edges, &edges, NULL, false,
					  graph_p);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "parts", parts },
		{ "vectors", vectors },
		{ "handles and outputs", handles },
		{ "nothing to look at", nothing },
	};
	int failed;

	if (setenv("WEFT_BOOT", "solo", 1) || weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	if (make_graph(EDGES, &graph) || make_graph(0, &bare))
		return 1;
	failed = tap_run(argc, argv, cases, TAP_COUNT(cases));
	if (weft_comm_free(&graph) || weft_comm_free(&bare) ||
	    weft_job_close(job))
		return 1;
	return failed;
}
