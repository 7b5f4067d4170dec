/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What long messages into memory of malloc take of the receiver's arena: as
 * much as they need, while they are under way.
 */
#include <stdlib.h>
#include "plan/channel_area.h"
#include "tests/sim/p2p_scene.h"

enum {
	RANKS = 10,
	COMMS = 3,
	SMALL = 9000,
	MOST = 1200000,
	ROOM = 2 << 20,			/* nine areas of a 64th, and the rest */
	LEAST = 8192,			/* half of the smallest area */
	FILLING = (8 << 20) / LEAST
};

static char *env[] = { "WEFT_ARENA=64k", "WEFT_ARENA_MAX=8m", NULL };

static void send_one(const struct scene *s, struct weft_comm *comm, size_t n)
{
	char *out = malloc(n);

	memset(out, wf_sim_rank(s->rank), n);
	ok(s, weft_send(comm, out, n, &weft_type_byte, weft_to(0, 0)), "send");
	free(out);
}

/* From all others at once. */
static void receive_all(const struct scene *s, struct weft_comm *comm, size_t n)
{
	struct weft_request *req[RANKS] = { NULL };
	char *in = malloc(RANKS * n);

	for (int r = 1; r < RANKS; r++)
		ok(s, weft_irecv(comm, in + (size_t)r * n, n, &weft_type_byte,
				 weft_from(r, 0), &req[r]), "irecv");
	for (int r = 1; r < RANKS; r++) {
		ok(s, weft_request_wait(req[r]), "receive");
		ok(s, weft_request_free(&req[r]), "free");
		if (in[(size_t)r * n] != r || in[(size_t)(r + 1) * n - 1] != r)
			wf_sim_fail(s->rank, "other content of rank %d", r);
	}
	free(in);
}

static void talk(const struct scene *s, struct weft_comm *comm, size_t n)
{
	if (wf_sim_rank(s->rank))
		send_one(s, comm, n);
	else
		receive_all(s, comm, n);
}

static void use_arena(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *comm[COMMS] = { NULL };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int c = 0; c < COMMS; c++) {
		ok(&s, weft_comm_dup(s.world, &comm[c]), "dup");
		talk(&s, comm[c], MOST);
	}
	for (size_t n = SMALL; n <= MOST; n *= 5)
		for (int c = 0; c < COMMS; c++)
			talk(&s, comm[c], n);
	if (wf_alloc_end(&s.job->segment.blocks) > ROOM)
		wf_sim_fail(rank, "%llu bytes, of which nothing is in use",
			    (unsigned long long)
			    wf_alloc_end(&s.job->segment.blocks));
	for (int c = 0; c < COMMS; c++)
		ok(&s, weft_comm_free(&comm[c]), "free");
	stop(&s);
}

/* ---- another one has taken the room of an area that was given back ---- */

static struct wf_segment *filled;	/* when an area has been given back */
static uint64_t filling[FILLING];
static int nfilling;

void __real_wf_in_return_area(struct wf_in *in);
void __wrap_wf_in_return_area(struct wf_in *in);

void __wrap_wf_in_return_area(struct wf_in *in)
{
	__real_wf_in_return_area(in);
	while (filled && nfilling < FILLING &&
	       !wf_segment_alloc_raw(filled, LEAST, 64,
				     &filling[nfilling]))
		nfilling++;
	filled = NULL;
}

static void empty(struct wf_segment *segment)
{
	while (nfilling)
		wf_segment_free(segment, filling[--nfilling]);
}

/* The second of two that are under way, and both ends hear of it. */
static void lose_room(struct wf_sim_rank *rank, void *arg)
{
	static char data[2][2][MOST];
	struct weft_request *req[2];
	struct scene s;
	int me;

	(void)arg;
	if (!start(&s, rank))
		return;
	me = wf_sim_rank(rank);
	for (int i = 0; i < 2; i++) {
		memset(data[me][i], 1 + i - me, MOST);
		ok(&s, me ? weft_isend(s.world, data[me][i], MOST,
				       &weft_type_byte, weft_to(0, 0),
				       &req[i]) :
			    weft_irecv(s.world, data[me][i], MOST,
				       &weft_type_byte, weft_from(1, 0),
				       &req[i]), "begin");
	}
	if (!me)
		filled = &s.job->segment;
	ok(&s, weft_request_wait(req[0]), "the first");
	expect(&s, weft_request_wait(req[1]), WEFT_ERR_NOMEM, NULL);
	for (int i = 0; i < 2; i++)
		(void)!weft_request_free(&req[i]);
	if (!me)
		empty(&s.job->segment);
	/* as if nothing had been */
	ok(&s, me ? bytes_to(&s, data[me][1], MOST, 0, 1) :
		    bytes_from(&s, data[me][1], MOST, 1, 1, NULL), "the third");
	if (!me && memcmp(data[0], data[1], sizeof(data[0])))
		wf_sim_fail(rank, "other content");
	stop(&s);
}

static void lost_room(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, 2, seed);
		wf_sim_options_vary(&options);
		options.environ = env;
		if (!sim_flow_run(&options, lose_room, NULL))
			return;
	}
}

static void short_arena(void)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, RANKS, seed);
		options.environ = env;
		if (!sim_flow_run(&options, use_arena, NULL))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "long messages of nine ranks in an arena of 8 MiB",
		  short_arena },
		{ "an area that finds no room any more", lost_room }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
