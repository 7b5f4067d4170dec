/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched messages: all of them arrive, in the order of their sender, at the
 * receive that MPI's rules name; what nobody takes holds nothing up.
 */
#include <stdlib.h>
#include <string.h>
#include <weft/persistent.h>
#include "p2p/p2p.h"
#include "tests/sim/scene.h"

enum {
	MOST = 200000			/* bytes of a message */
};

/* A length of some class: lines, mails, slots, ready lines. */
static size_t draw_length(struct wf_random *random)
{
	static const size_t most[] = { 1, 60, 900, 9000, 70000, MOST };
	size_t n = sizeof(most) / sizeof(*most);

	return (size_t)wf_random_below(random,
				       most[wf_random_below(random, n)]);
}

static void fill(unsigned char *at, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++)
		at[i] = (unsigned char)(seed + i * 7 + i / 251);
}

static bool is_filled(const unsigned char *at, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++)
		if (at[i] != (unsigned char)(seed + i * 7 + i / 251))
			return false;
	return true;
}

/* ---- programs ---- */

/*
 * Each rank sends each other one, and itself, some messages: as many, as long
 * and with the tags that both draw from the same seed.
 */
enum {
	EACH = 12,			/* messages of a pair */
	TAGS = 3
};

struct message {
	size_t bytes;
	int tag;
	uint64_t seed;
	bool synchronous;
};

static void draw_messages(struct message *m, uint64_t dice, int from, int to)
{
	struct wf_random random;

	wf_random_init(&random, dice * 1000003 + (uint64_t)from * 1009 +
		       (uint64_t)to);
	for (int i = 0; i < EACH; i++) {
		m[i].bytes = draw_length(&random);
		m[i].tag = (int)wf_random_below(&random, TAGS);
		m[i].seed = wf_random_below(&random, 256);
		m[i].synchronous = !wf_random_below(&random, 6);
	}
}

struct play {
	struct scene s;
	struct weft_comm *comm;
	uint64_t dice;
	struct wf_random random;	/* of this rank alone */
	int n;				/* requests */
	struct weft_request **req;
	unsigned char **buffer;
	int *source;
	int next[32];			/* of each sender, or with each tag */
	int next_tag[32][TAGS];
};

static void init_play(struct play *p, struct wf_sim_rank *rank, uint64_t dice)
{
	size_t most;

	memset(p, 0, sizeof(*p));
	p->dice = dice;
	wf_random_init(&p->random, dice * 77 + (uint64_t)wf_sim_rank(rank));
	most = 2 * EACH * 32;
	p->req = calloc(most, sizeof(*p->req));
	p->buffer = calloc(most, sizeof(*p->buffer));
	p->source = calloc(most, sizeof(*p->source));
}

static void free_play(struct play *p)
{
	free(p->req);
	free(p->buffer);
	free(p->source);
}

static void send_all(struct play *p)
{
	int size = weft_comm_size(p->comm), me = weft_comm_rank(p->comm);

	for (int i = 0; i < EACH; i++)
		for (int to = 0; to < size; to++) {
			struct message m[EACH];
			int status;

			draw_messages(m, p->dice, me, to);
			p->buffer[p->n] = malloc(m[i].bytes + 1);
			fill(p->buffer[p->n], m[i].bytes, m[i].seed);
			status = (m[i].synchronous ? weft_issend : weft_isend)(
				p->comm, p->buffer[p->n], m[i].bytes,
				&weft_type_byte, weft_to(to, m[i].tag),
				&p->req[p->n]);
			ok(&p->s, status, "isend");
			p->source[p->n++] = -1;
		}
}

/* The next of that sender which has the tag, and was not received. */
static void check_next(struct play *p, const unsigned char *at,
		       const struct weft_message_status *got, bool any_tag)
{
	struct message m[EACH];
	int *next = any_tag ? &p->next[got->source] :
			      &p->next_tag[got->source][got->tag];

	draw_messages(m, p->dice, got->source, weft_comm_rank(p->comm));
	while (*next < EACH && !any_tag && m[*next].tag != got->tag)
		++*next;
	if (*next == EACH || m[*next].tag != got->tag ||
	    m[*next].bytes != got->bytes) {
		wf_sim_fail(p->s.rank, "from rank %d, tag %d: not message %d",
			    got->source, got->tag, *next);
		return;
	}
	if (!is_filled(at, m[*next].bytes, m[*next].seed))
		wf_sim_fail(p->s.rank, "from rank %d: other content",
			    got->source);
	++*next;
}

/* One that is taken first, and received afterwards. */
static void receive_taken(struct play *p, unsigned char *at, int source,
			  struct weft_message_status *got)
{
	struct weft_envelope from = weft_from(source, WEFT_ANY_TAG);
	struct weft_message_status seen = { .source = -7 };
	struct weft_message *msg = NULL;
	struct weft_request *req = NULL;

	if (wf_random_below(&p->random, 2))
		ok(&p->s, weft_mprobe(p->comm, from, &msg, &seen), "mprobe");
	while (!msg)
		ok(&p->s, weft_improbe(p->comm, from, &msg, &seen), "improbe");
	if (wf_random_below(&p->random, 2)) {
		ok(&p->s, weft_mrecv(&msg, at, MOST, &weft_type_byte, got),
		   "mrecv");
	} else {
		ok(&p->s, weft_imrecv(&msg, at, MOST, &weft_type_byte, &req),
		   "imrecv");
		ok(&p->s, weft_request_wait(req), "wait");
		ok(&p->s, weft_request_status(req, got), "received");
		ok(&p->s, weft_request_free(&req), "free");
	}
	if (msg || seen.source != got->source || seen.tag != got->tag ||
	    seen.bytes != got->bytes)
		wf_sim_fail(p->s.rank, "not what was taken");
}

static void receive_one(struct play *p, unsigned char *at, int source,
			struct weft_message_status *got)
{
	struct weft_message_status seen = *got;

	if (!wf_random_below(&p->random, 3)) {
		ok(&p->s, weft_probe(p->comm, weft_from(source, WEFT_ANY_TAG),
				     &seen), "probe");
		source = seen.source;
	}
	ok(&p->s, weft_recv(p->comm, at, MOST, &weft_type_byte,
			    weft_from(source, WEFT_ANY_TAG), got), "recv");
	if (seen.source >= 0 &&
	    (seen.tag != got->tag || seen.bytes != got->bytes))
		wf_sim_fail(p->s.rank, "not what was seen");
}

/* Any tag, of one sender or of anybody: the order of the sender. */
static void receive_in_order(struct play *p)
{
	int size = weft_comm_size(p->comm);
	unsigned char *at = malloc(MOST);

	for (int i = 0; i < EACH * size; i++) {
		struct weft_message_status got = { .source = -7 };
		int source = p->dice % 2 ? WEFT_ANY_SOURCE : i % size;

		if (wf_random_below(&p->random, 3))
			receive_one(p, at, source, &got);
		else
			receive_taken(p, at, source, &got);
		if (got.source < 0) {
			wf_sim_fail(p->s.rank, "nothing");
			break;
		}
		check_next(p, at, &got, true);
	}
	free(at);
}

/* Posted all at once, each for a sender and a tag, in any order of those. */
static void post(struct play *p, int from, int tag)
{
	struct message m[EACH];

	draw_messages(m, p->dice, from, weft_comm_rank(p->comm));
	for (int i = 0; i < EACH; i++) {
		if (m[i].tag != tag)
			continue;
		p->buffer[p->n] = malloc(m[i].bytes + 1);
		ok(&p->s, weft_irecv(p->comm, p->buffer[p->n], m[i].bytes,
				     &weft_type_byte, weft_from(from, tag),
				     &p->req[p->n]), "irecv");
		p->source[p->n++] = from;
	}
}

static void post_all(struct play *p)
{
	for (int tag = 0; tag < TAGS; tag++)
		for (int from = weft_comm_size(p->comm) - 1; from >= 0; from--)
			post(p, from, tag);
}

static void finish_all(struct play *p)
{
	for (int i = 0; i < p->n; i++) {
		struct weft_message_status got;

		ok(&p->s, weft_request_wait(p->req[i]), "wait");
		if (p->source[i] >= 0) {
			ok(&p->s, weft_request_status(p->req[i], &got),
			   "received");
			if (got.source != p->source[i])
				wf_sim_fail(p->s.rank, "from another one");
			else
				check_next(p, p->buffer[i], &got, false);
		}
		ok(&p->s, weft_request_free(&p->req[i]), "free");
		free(p->buffer[i]);
	}
	p->n = 0;
}

/* ---- shifts ---- */

enum {
	SHIFTS = 3
};

/* What a rank sends in a shift, and how far: the same for all. */
static size_t draw_shift(uint64_t dice, int k, int from, int *distance_p)
{
	struct wf_random random;

	wf_random_init(&random, dice * 1009 + (uint64_t)k);
	*distance_p = (int)wf_random_below(&random, 32);
	wf_random_init(&random, dice * 1000003 + (uint64_t)(k * 64 + from));
	return draw_length(&random);
}

/*
 * Each rank to one, and from another, by one call; or over what it has sent.
 * In the world, where no receive from anybody takes it.
 */
static void shift(struct play *p, int k, bool replaces)
{
	int size = weft_comm_size(p->s.world), me = weft_comm_rank(p->s.world);
	int distance, tag = TAGS + k;
	size_t n = draw_shift(p->dice, k, me, &distance), comes;
	int to = (me + distance) % size;
	int from = (me + size - distance % size) % size;
	unsigned char *in = malloc(MOST), *out = replaces ? in : malloc(MOST);
	struct weft_message_status got = { .source = -7 };
	struct weft_outgoing sent = {
		out, n, &weft_type_byte, weft_to(to, tag)
	};
	struct weft_incoming received = {
		in, MOST, &weft_type_byte, weft_from(from, tag)
	};

	comes = draw_shift(p->dice, k, from, &distance);
	fill(out, replaces ? MOST : n, (uint64_t)(me + k));
	if (replaces) {
		received.n = comes = MOST / 4 * (size_t)(k % 3);
		ok(&p->s, weft_sendrecv_replace(p->s.world, &received, sent.to,
						&got), "sendrecv_replace");
	} else {
		ok(&p->s, weft_sendrecv(p->s.world, &sent, &received, &got),
		   "sendrecv");
	}
	if (got.source != from || got.tag != tag || got.bytes != comes ||
	    !is_filled(in, comes, (uint64_t)(from + k)))
		wf_sim_fail(p->s.rank, "shift %d: not that of rank %d", k,
			    from);
	free(in);
	if (!replaces)
		free(out);
}

/* ---- prepared ones ---- */

enum {
	STARTS = 4
};

/*
 * The same two requests each time, with other content.  Who talks to itself
 * says so: when all others have closed, a receive from anybody fails.
 */
static void repeat(struct play *p)
{
	int size = weft_comm_size(p->s.world), me = weft_comm_rank(p->s.world);
	int distance, tag = TAGS + SHIFTS, from;
	size_t n = draw_shift(p->dice, SHIFTS, me, &distance), comes;
	unsigned char *out = malloc(n + 1), *in = malloc(MOST);
	struct weft_request *req[3] = { NULL };
	struct weft_message_status got;

	from = (me + size - distance % size) % size;
	comes = draw_shift(p->dice, SHIFTS, from, &distance);
	ok(&p->s, (p->dice % 3 ? weft_send_init : weft_ssend_init)(
		p->s.world, out, n, &weft_type_byte,
		weft_to((me + distance) % size, tag), &req[0]), "send_init");
	ok(&p->s, weft_recv_init(p->s.world, in, MOST, &weft_type_byte,
				 weft_from(p->dice % 2 || from == me ? from :
					   WEFT_ANY_SOURCE, tag), &req[2]),
	   "recv_init");
	for (int i = 0; i < STARTS; i++) {
		fill(out, n, (uint64_t)(me + i));
		ok(&p->s, weft_request_start_all(req, 3), "start_all");
		ok(&p->s, weft_request_wait_all(req, 3, NULL), "wait_all");
		ok(&p->s, weft_request_status(req[2], &got), "received");
		if (got.source != from || got.bytes != comes ||
		    !is_filled(in, comes, (uint64_t)(from + i)))
			wf_sim_fail(p->s.rank, "start %d: not that of rank %d",
				    i, from);
	}
	ok(&p->s, weft_request_free(&req[0]), "free");
	ok(&p->s, weft_request_free(&req[2]), "free");
	free(out);
	free(in);
}

/* Of a duplicate, which others may be using already. */
static void any_program(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	struct play p;
	bool early = dice % 3 == 0;

	init_play(&p, rank, dice);
	if (start(&p.s, rank)) {
		bool found;

		/* it listens already, or not */
		if (wf_random_below(&p.random, 2))
			ok(&p.s, weft_iprobe(p.s.world, weft_from(
				WEFT_ANY_SOURCE, 0), &found, NULL), "iprobe");
		if (early && wf_random_below(&p.random, 2))
			linger(&p.s);
		ok(&p.s, weft_comm_dup(p.s.world, &p.comm), "dup");
		if (dice / 2 % 2) {
			post_all(&p);
			send_all(&p);
		} else {
			send_all(&p);
			receive_in_order(&p);
		}
		for (int k = 0; k < SHIFTS; k++)
			shift(&p, k, dice / 4 % 2);
		repeat(&p);
		finish_all(&p);
		ok(&p.s, weft_comm_free(&p.comm), "free");
		stop(&p.s);
	}
	free_play(&p);
}

static void programs(void)
{
	run_seeds(100, 9, any_program);
}

/* ---- flow control ---- */

/* 40 messages nobody receives before a barrier. */
static void forty(struct wf_sim_rank *rank, void *arg)
{
	static unsigned char content[1000];
	struct weft_request *req[40];
	unsigned char got[1000];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; wf_sim_rank(rank) == 0 && i < 40; i++)
		ok(&s, weft_isend(s.world, content, 1000, &weft_type_byte,
				  weft_to(1, i), &req[i]), "isend");
	ok(&s, weft_barrier(s.world), "barrier");
	for (int i = 0; i < 40; i++) {
		if (wf_sim_rank(rank) == 1)
			ok(&s, weft_recv(s.world, got, 1000, &weft_type_byte,
					 weft_from(0, 39 - i), NULL), "recv");
		if (wf_sim_rank(rank) == 0) {
			ok(&s, weft_request_wait(req[i]), "wait");
			ok(&s, weft_request_free(&req[i]), "free");
		}
	}
	stop(&s);
}

static void barrier_passes(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++)
		if (!run(2, seed, forty))
			return;
}

/*
 * Many of a tag that is received last, one for which somebody waits: since the
 * sender has used up its budget, or before it has sent any.
 */
static void later_tag(struct wf_sim_rank *rank, void *arg)
{
	enum { MANY = 2000 };
	const uint64_t *seed = arg;
	int source = *seed / 2 % 2 ? 0 : WEFT_ANY_SOURCE;
	struct weft_request **req = calloc(MANY, sizeof(*req)), *last = NULL;
	uint64_t content[8] = { 0 };
	struct scene s;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == (int)(*seed % 2))
		linger(&s);
	if (wf_sim_rank(rank) == 0) {
		for (int i = 0; i < MANY; i++)
			ok(&s, weft_isend(s.world, content, 8,
					  &weft_type_uint64, weft_to(1, 5),
					  &req[i]), "isend");
		ok(&s, weft_isend(s.world, content, 8, &weft_type_uint64,
				  weft_to(1, 6), &last), "isend");
		ok(&s, weft_request_wait(last), "wait");
		ok(&s, weft_request_free(&last), "free");
	} else {
		ok(&s, weft_recv(s.world, content, 8, &weft_type_uint64,
				 weft_from(source, 6), NULL), "recv");
	}
	for (int i = 0; i < MANY; i++) {
		if (wf_sim_rank(rank)) {
			ok(&s, weft_recv(s.world, content, 8,
					 &weft_type_uint64, weft_from(0, 5),
					 NULL), "recv");
		} else {
			ok(&s, weft_request_wait(req[i]), "wait");
			ok(&s, weft_request_free(&req[i]), "free");
		}
	}
	stop(&s);
	free(req);
}

static void later_tag_passes(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		if (!run(2, seed, later_tag))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "programs: content, order, matching", programs },
		{ "40 messages and then a barrier", barrier_passes },
		{ "2000 messages and then one of another tag",
		  later_tag_passes }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
