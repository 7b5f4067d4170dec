/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sends whose memory is reusable at once, from the attached buffer: it has room
 * for what it is told to have, and is given back when all has left.
 */
#include <stdlib.h>
#include <weft/buffered.h>
#include <weft/persistent.h>
#include "p2p/p2p_buffer.h"
#include "tests/fail_malloc.h"
#include "tests/sim/p2p_scene.h"

enum {
	MANY = 30,
	MOST = 20000			/* bytes of a message */
};

static int bsend(const struct scene *s, const void *data, size_t n, int to)
{
	return weft_bsend(s->world, data, n, &weft_type_byte, weft_to(to, 1));
}

static void attach(const struct scene *s, void *buffer, size_t bytes)
{
	ok(s, weft_buffer_attach(s->job, buffer, bytes), "attach");
}

static void detach(const struct scene *s, void *buffer, size_t bytes)
{
	size_t got_bytes = 1;
	void *got = NULL;

	ok(s, weft_buffer_detach(s->job, &got, &got_bytes), "detach");
	if (got != buffer || got_bytes != bytes)
		wf_sim_fail(s->rank, "another one than was attached");
}

/* ---- ready ---- */

/* The receive is there. */
static void be_ready(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 8, 900, MOST };
	struct weft_request *req[2] = { NULL };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 3; i++) {
		size_t n = lengths[i];
		char *in = calloc(1, n), *out = calloc(1, n);
		int other = !wf_sim_rank(rank);

		out[n - 1] = (char)(i + 1);
		ok(&s, weft_irecv(s.world, in, n, &weft_type_byte,
				  weft_from(other, 1), &req[0]), "irecv");
		ok(&s, weft_barrier(s.world), "barrier");
		if (i == 0)
			ok(&s, weft_rsend(s.world, out, n, &weft_type_byte,
					  weft_to(other, 1)), "rsend");
		else if (i == 1)
			ok(&s, weft_irsend(s.world, out, n, &weft_type_byte,
					   weft_to(other, 1), &req[1]),
			   "irsend");
		else
			ok(&s, weft_rsend_init(s.world, out, n,
					       &weft_type_byte,
					       weft_to(other, 1), &req[1]),
			   "rsend_init");
		if (i == 2)
			ok(&s, weft_request_start(req[1]), "start");
		ok(&s, weft_request_wait_all(req, 2, NULL), "wait_all");
		ok(&s, weft_request_free(&req[0]), "free");
		ok(&s, weft_request_free(&req[1]), "free");
		if (in[n - 1] != i + 1)
			wf_sim_fail(rank, "other content");
		free(in);
		free(out);
	}
	stop(&s);
}

static void ready(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		if (!run(2, seed, be_ready))
			return;
}

/* ---- what is refused ---- */

static void refuse_buffers(const struct scene *s, char *buffer)
{
	size_t bytes;
	void *at;

	expect(s, weft_buffer_detach(s->job, &at, &bytes), WEFT_ERR_ARG,
	       "no buffer is attached");
	expect(s, weft_buffer_detach(s->job, NULL, &bytes), WEFT_ERR_ARG,
	       NULL);
	expect(s, weft_buffer_detach(NULL, &at, &bytes), WEFT_ERR_ARG, NULL);
	expect(s, weft_buffer_attach(NULL, buffer, 1), WEFT_ERR_ARG, NULL);
	expect(s, weft_buffer_attach(s->job, NULL, 7), WEFT_ERR_ARG,
	       "buffer is NULL with 7 bytes");
	expect(s, bsend(s, "a", 1, 0), WEFT_ERR_BUFFER,
	       "no buffer is attached");
	attach(s, NULL, 0);
	expect(s, bsend(s, "a", 0, 0), WEFT_ERR_BUFFER, "buffer of 0 bytes");
	detach(s, NULL, 0);
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	char buffer[1000], data[2000];
	struct scene s;
	bool found;

	(void)arg;
	if (!start(&s, rank))
		return;
	refuse_buffers(&s, buffer);
	attach(&s, buffer, 1000);
	expect(&s, weft_buffer_attach(s.job, data, 9), WEFT_ERR_ARG,
	       "one of 1000 bytes is attached already");
	expect(&s, bsend(&s, data, 1001, 0), WEFT_ERR_BUFFER,
	       "weft_bsend: no room for 1001 bytes, and 64 to note them, in "
	       "the attached buffer of 1000 bytes");
	expect(&s, bsend(&s, data, 1, 1), WEFT_ERR_RANGE, "the rank is 1");
	expect(&s, weft_ibsend(s.world, data, 1, NULL, weft_to(0, 1), &req),
	       WEFT_ERR_ARG, "weft_ibsend: type is NULL");
	expect(&s, weft_ibsend(s.world, data, 1, &weft_type_byte,
			       weft_to(0, 1), NULL),
	       WEFT_ERR_ARG, "weft_ibsend: req_p is NULL");
	expect(&s, weft_bsend_init(s.world, data, 1, &weft_type_byte,
				   weft_to(0, -1), &req),
	       WEFT_ERR_RANGE, "weft_bsend_init: the tag is -1");
	ok(&s, bsend(&s, data, 2000, WEFT_PROC_NULL), "to nobody");
	ok(&s, weft_iprobe(s.world, weft_from(0, WEFT_ANY_TAG), &found, NULL),
	   "iprobe");
	if (req || found)
		wf_sim_fail(rank, "something of what was refused");
	detach(&s, buffer, 1000);
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
}

/* ---- room ---- */

/* As many bytes as are needed, at any address, and detached at once. */
static void send_all(const struct scene *s, const size_t *n, size_t offset)
{
	size_t bytes = 0;
	char *buffer, *data = malloc(MOST);

	for (int i = 0; i < MANY; i++)
		bytes += n[i] + WEFT_BSEND_OVERHEAD;
	buffer = malloc(bytes + offset);
	attach(s, buffer + offset, bytes);
	for (int i = 0; i < MANY; i++) {
		memset(data, i + 1, n[i]);
		ok(s, bsend(s, data, n[i], 1), "bsend");
	}
	memset(data, 0, MOST);
	ok(s, weft_barrier(s->world), "barrier");
	detach(s, buffer + offset, bytes);
	memset(buffer, 0, bytes);
	free(buffer);
	free(data);
}

static void fill_up(struct wf_sim_rank *rank, void *arg)
{
	static const uint64_t most[] = { 1, 10, 1000, 9000, MOST };
	uint64_t dice = *(uint64_t *)arg;
	struct wf_random random;
	size_t n[MANY];
	struct scene s;

	wf_random_init(&random, dice);
	for (int i = 0; i < MANY; i++)
		n[i] = (size_t)wf_random_below(&random, most[
			wf_random_below(&random, 5)]);
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0)
		send_all(&s, n, (size_t)dice % 9);
	else
		ok(&s, weft_barrier(s.world), "barrier");
	for (int i = 0; wf_sim_rank(rank) && i < MANY; i++) {
		struct weft_message_status got = { .bytes = 0 };
		char *at = calloc(1, MOST);

		linger(&s);
		ok(&s, bytes_from(&s, at, MOST, 0, 1, &got), "recv");
		if (got.bytes != n[i] || (n[i] && (at[0] != i + 1 ||
						   at[n[i] - 1] != i + 1)))
			wf_sim_fail(rank, "not message %d", i);
		free(at);
	}
	stop(&s);
}

static void room(void)
{
	for (uint64_t seed = 1; seed <= 40; seed++)
		if (!run(2, seed, fill_up))
			return;
}

/* ---- places ---- */

/* Against a map of bytes: no two overlap, and the first gap is taken. */
static void take_places(void)
{
	enum { BYTES = 600, LIVE = 12 };
	struct wf_p2p_place *live[LIVE] = { NULL };
	static _Alignas(16) char memory[BYTES];
	struct wf_p2p_buffer buffer;
	struct wf_random random;
	bool used[BYTES] = { false };

	wf_buffer_init(&buffer, memory, BYTES);
	wf_random_init(&random, 7);
	for (int round = 0; round < 5000; round++) {
		size_t i = (size_t)wf_random_below(&random, LIVE);
		size_t n = (size_t)wf_random_below(&random, 100), first = 0;
		size_t need = sizeof(struct wf_p2p_place) + n, k = 0;

		if (live[i]) {
			for (char *at = (char *)live[i]; at < live[i]->end;
			     at++)
				used[at - memory] = false;
			wf_buffer_put(live[i]);
			live[i] = NULL;
			continue;
		}
		for (; first + need <= BYTES && k < need; first += 8)
			for (k = 0; k < need && !used[first + k]; k++)
				;
		live[i] = wf_buffer_get(&buffer, n);
		if (!TAP_CHECK(live[i] ? k == need && (char *)live[i] ==
			       memory + first - 8 : k < need))
			return;
		for (k = 0; live[i] && k < need; k++)
			used[first - 8 + k] = true;
	}
}

/* ---- one behind another ---- */

/* No room for another long one; that spoils nothing. */
static void start_in_vain(const struct scene *s, struct weft_request *req)
{
	ok(s, weft_request_start(req), "start");
	expect(s, weft_request_wait(req), WEFT_ERR_BUFFER, "no room for");
}

/* In a buffer for one. */
static void reuse(struct wf_sim_rank *rank, void *arg)
{
	size_t n = *(uint64_t *)arg % 2 ? 500 : MOST;
	size_t bytes = n + WEFT_BSEND_OVERHEAD;
	char *buffer = malloc(bytes), *data = malloc(n);
	struct weft_request *req = NULL;
	struct scene s;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		attach(&s, buffer, bytes);
		ok(&s, weft_bsend_init(s.world, data, n, &weft_type_byte,
				       weft_to(1, 1), &req), "bsend_init");
	}
	for (int i = 0; i < 5; i++) {
		if (req) {
			memset(data, i, n);
			ok(&s, weft_request_start(req), "start");
			ok(&s, weft_request_wait(req), "wait");
			memset(data, -1, n);
			if (n == MOST)
				start_in_vain(&s, req);
		} else {
			ok(&s, bytes_from(&s, data, n, 0, 1, NULL), "recv");
			if (data[n - 1] != i)
				wf_sim_fail(rank, "other content");
		}
		ok(&s, weft_barrier(s.world), "barrier");
		linger(&s);
	}
	if (req) {
		ok(&s, weft_request_free(&req), "free");
		detach(&s, buffer, bytes);
	}
	stop(&s);
	free(buffer);
	free(data);
}

static void again(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, reuse))
			return;
}

/* ---- ends ---- */

/* The job closes when all has left, and needs no detaching for that. */
static void close_first(struct wf_sim_rank *rank, void *arg)
{
	static char buffer[3 * MOST];
	struct weft_request *req = NULL;
	char *data = malloc(MOST);
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	memset(data, 'b', MOST);
	if (wf_sim_rank(rank) == 0) {
		attach(&s, buffer, sizeof(buffer));
		ok(&s, bsend(&s, data, MOST, 1), "bsend");
		ok(&s, weft_ibsend(s.world, data, 8, &weft_type_byte,
				   weft_to(1, 1), &req), "ibsend");
		ok(&s, weft_request_wait(req), "wait");
		ok(&s, weft_request_cancel(req), "cancel");
		ok(&s, weft_request_free(&req), "free");
	} else {
		linger(&s);
		for (int i = 0; i < 2; i++) {
			memset(data, 0, MOST);
			ok(&s, bytes_from(&s, data, MOST, 0, 1, NULL), "recv");
			if (data[i ? 7 : MOST - 1] != 'b')
				wf_sim_fail(rank, "other content");
		}
	}
	stop(&s);
	free(data);
}

/* What cannot arrive leaves the buffer, too. */
static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	char *buffer = malloc(3 * MOST), *data = calloc(1, MOST);
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_barrier(s.world), "barrier");
		linger(&s);
		wf_sim_die(rank);
	}
	attach(&s, buffer, 3 * MOST);
	ok(&s, bsend(&s, data, MOST, 0), "bsend");
	ok(&s, weft_barrier(s.world), "barrier");
	detach(&s, buffer, 3 * MOST);
	attach(&s, buffer, 3 * MOST);
	expect(&s, bsend(&s, data, MOST, 0), WEFT_ERR_PEER, "rank 0 ");
	detach(&s, buffer, 3 * MOST);
	(void)!weft_job_close(s.job);
	free(buffer);
	free(data);
}

static int failed;

/* What finds no memory takes no room. */
static void starve(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	char buffer[8 + WEFT_BSEND_OVERHEAD];
	struct scene s;
	uint64_t at;
	int status;

	if (!start(&s, rank))
		return;
	attach(&s, buffer, sizeof(buffer));
	fail_malloc_once(1 + (long)dice);
	status = bsend(&s, "12345678", 8, 0);
	fail_malloc_at(0);
	failed += status != WEFT_OK;
	if (status)
		expect(&s, status, WEFT_ERR_NOMEM, "no memory");
	if (status)
		ok(&s, bsend(&s, "12345678", 8, 0), "bsend");
	ok(&s, bytes_from(&s, &at, 8, 0, 1, NULL), "recv");
	detach(&s, buffer, sizeof(buffer));
	stop(&s);
}

static void ends(void)
{
	failed = 0;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		run(2, seed, close_first);
		run_death(seed, lose_one);
		run(1, seed - 1, starve);
	}
	TAP_CHECK(failed >= 2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "ready ones", ready },
		{ "what is refused", refused },
		{ "room for what is told", room },
		{ "places", take_places },
		{ "one behind another", again },
		{ "what ends meanwhile", ends }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
