/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements with gaps between them and in them: whatever moves them leaves the
 * gaps at both ends as they were, short or long, blocking or not.
 */
#include <weft/buffered.h>
#include <weft/mprobe.h>
#include <weft/persistent.h>
#include "tests/sim/user_op.h"

enum {
	LONG = 9000,			/* elements: beyond mails and slots */
	GIVEN = 0x11,			/* in the gaps of what is sent */
	KEPT = 0x77			/* and of what receives */
};

struct pair {
	short value;			/* two bytes of a gap behind it */
	int index;
};

static const struct weft_type *const type = &weft_type_short_int;

static struct pair *alloc(size_t n, int gap)
{
	struct pair *at = malloc((n + 1) * sizeof(*at));

	return at ? memset(at, gap, (n + 1) * sizeof(*at)) : abort(), at;
}

static void set(struct pair *at, int rank, size_t i)
{
	at->value = (short)(rank * 31 + (int)i);
	at->index = rank * 1000003 + (int)i * 7;
}

static struct pair *make_given(int rank, size_t n)
{
	struct pair *at = alloc(n, GIVEN);

	for (size_t i = 0; i < n; i++)
		set(&at[i], rank, i);
	return at;
}

/* What rank `from` gave, and nothing else, and memory behind it as it was. */
static void check_got(const struct player *p, const struct pair *got, int from,
		      size_t n, const char *call)
{
	struct pair *want = alloc(n, KEPT);

	for (size_t i = 0; i < n; i++)
		set(&want[i], from, i);
	if (memcmp(got, want, (n + 1) * sizeof(*want)))
		wf_sim_fail(p->rank, "%s of %zu from rank %d", call, n, from);
	free(want);
}

/* Nothing has come. */
static void check_kept(const struct player *p, const struct pair *got,
		       size_t n, const char *call)
{
	struct pair *want = alloc(n, KEPT);

	if (memcmp(got, want, (n + 1) * sizeof(*want)))
		wf_sim_fail(p->rank, "%s of %zu has written", call, n);
	free(want);
}

/* ---- messages ---- */

/* From the left to the right, all around. */
struct ring {
	struct pair *given, *got;
	size_t n;
	struct weft_envelope to, from;
	int left;
};

static struct ring enter_ring(const struct player *p, size_t n)
{
	int left = (p->me + p->size - 1) % p->size;

	return (struct ring){
		make_given(p->me, n), alloc(n, KEPT), n,
		weft_to((p->me + 1) % p->size, 3), weft_from(left, 3), left
	};
}

static void check_ring(const struct player *p, struct ring *r,
		       const char *call)
{
	check_got(p, r->got, r->left, r->n, call);
	memset(r->got, KEPT, (r->n + 1) * sizeof(*r->got));
}

static void finish(const struct player *p, struct weft_request *req)
{
	good(p, weft_request_wait(req), "wait");
	good(p, weft_request_free(&req), "free");
}

static void plain_messages(const struct player *p, struct ring *r)
{
	struct weft_request *req[2];
	struct weft_message_status got = { 0 };

	good(p, weft_irecv(p->world, r->got, r->n, type, r->from, &req[0]),
	     "irecv");
	good(p, weft_isend(p->world, r->given, r->n, type, r->to, &req[1]),
	     "isend");
	finish(p, req[0]);
	finish(p, req[1]);
	check_ring(p, r, "isend");
	good(p, weft_isend(p->world, r->given, r->n, type, r->to, &req[1]),
	     "isend");
	good(p, weft_recv(p->world, r->got, r->n + 1, type, r->from, &got),
	     "recv");
	finish(p, req[1]);
	check_ring(p, r, "recv");
	if (got.bytes != r->n * weft_type_size(type))
		wf_sim_fail(p->rank, "%llu bytes have come",
			    (unsigned long long)got.bytes);
}

static void both_ways(const struct player *p, struct ring *r)
{
	struct weft_outgoing out = { r->given, r->n, type, r->to };
	struct weft_incoming in = { r->got, r->n, type, r->from };

	good(p, weft_sendrecv(p->world, &out, &in, NULL), "sendrecv");
	check_ring(p, r, "sendrecv");
	for (size_t i = 0; i < r->n; i++)
		set(&r->got[i], p->me, i);
	good(p, weft_sendrecv_replace(p->world, &in, r->to, NULL), "replace");
	check_ring(p, r, "sendrecv_replace");
}

static void found_messages(const struct player *p, struct ring *r)
{
	struct weft_request *req;
	struct weft_message *msg;

	good(p, weft_issend(p->world, r->given, r->n, type, r->to, &req),
	     "issend");
	good(p, weft_mprobe(p->world, r->from, &msg, NULL), "mprobe");
	good(p, weft_mrecv(&msg, r->got, r->n, type, NULL), "mrecv");
	finish(p, req);
	check_ring(p, r, "mrecv");
}

static void buffered(const struct player *p, struct ring *r)
{
	size_t bytes = r->n * weft_type_size(type) + WEFT_BSEND_OVERHEAD;
	void *buffer = malloc(bytes), *back;
	size_t size;

	good(p, weft_buffer_attach(p->job, buffer, bytes), "attach");
	good(p, weft_bsend(p->world, r->given, r->n, type, r->to), "bsend");
	good(p, weft_recv(p->world, r->got, r->n, type, r->from, NULL),
	     "recv");
	check_ring(p, r, "bsend");
	good(p, weft_buffer_detach(p->job, &back, &size), "detach");
	free(buffer);
}

static void persistent(const struct player *p, struct ring *r)
{
	struct weft_request *req[2];

	good(p, weft_recv_init(p->world, r->got, r->n, type, r->from,
			       &req[0]), "recv_init");
	good(p, weft_send_init(p->world, r->given, r->n, type, r->to,
			       &req[1]), "send_init");
	for (int k = 0; k < 3; k++) {
		for (size_t i = 0; i < r->n; i++)
			set(&r->given[i], p->me + k, i);
		good(p, weft_request_start(req[0]), "start");
		good(p, weft_request_start(req[1]), "start");
		good(p, weft_request_wait(req[0]), "wait");
		good(p, weft_request_wait(req[1]), "wait");
		check_got(p, r->got, r->left + k, r->n, "start");
		memset(r->got, KEPT, (r->n + 1) * sizeof(*r->got));
	}
	good(p, weft_request_free(&req[0]), "free");
	good(p, weft_request_free(&req[1]), "free");
}

static void message_program(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 0, 1, 40, 700, LONG };
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int l = 0; l < TAP_COUNT(lengths); l++) {
		struct ring r = enter_ring(&p, lengths[l]);

		plain_messages(&p, &r);
		both_ways(&p, &r);
		found_messages(&p, &r);
		buffered(&p, &r);
		persistent(&p, &r);
		free(r.given);
		free(r.got);
	}
	leave(&p);
}

static void messages(void)
{
	for (int ranks = 1; ranks <= 4; ranks++)
		if (!sim_flow_seeds(ranks, 2, env, message_program, NULL))
			return;
}

/* One that is cut off, and one into packed memory of the same bytes. */
static void mixed_program(struct wf_sim_rank *rank, void *arg)
{
	size_t n = *(const size_t *)arg, bytes = n * weft_type_size(type);
	struct pair *given = make_given(0, n), *got = alloc(n, KEPT);
	char *packed = malloc(bytes + 1);
	struct player p;
	int status;

	if (!enter(rank, &p))
		return;
	if (!p.me) {
		good(&p, weft_send(p.world, given, n, type, weft_to(1, 0)),
		     "send");
		good(&p, weft_send(p.world, given, n, type, weft_to(1, 1)),
		     "send");
		good(&p, weft_recv(p.world, packed, bytes, &weft_type_byte,
				   weft_from(1, 2), NULL), "recv");
		good(&p, weft_send(p.world, packed, bytes, &weft_type_byte,
				   weft_to(1, 3)), "send");
	} else {
		status = weft_recv(p.world, got, n - 1, type, weft_from(0, 0),
				   NULL);
		if (status != WEFT_ERR_TRUNCATE)
			wf_sim_fail(rank, "not cut off");
		check_got(&p, got, 0, n - 1, "recv of one less");
		memset(got, KEPT, (n + 1) * sizeof(*got));
		good(&p, weft_recv(p.world, got, n, type, weft_from(0, 1),
				   NULL), "recv");
		good(&p, weft_send(p.world, got, n, type, weft_to(0, 2)),
		     "send");
		memset(got, KEPT, (n + 1) * sizeof(*got));
		good(&p, weft_recv(p.world, got, n, type, weft_from(0, 3),
				   NULL), "recv");
		check_got(&p, got, 0, n, "recv of bytes");
	}
	free(given);
	free(got);
	free(packed);
	leave(&p);
}

static void cut_off(void)
{
	static size_t lengths[] = { 1, 60, LONG };

	for (int l = 0; l < TAP_COUNT(lengths); l++)
		if (!sim_flow_seeds(2, 2, env, mixed_program, &lengths[l]))
			return;
}

/* A receive that is cancelled gets nothing, a send that is freed all goes. */
static void given_up(const struct player *p, struct ring *r)
{
	struct weft_message_status got;
	struct weft_request *req;

	good(p, weft_irecv(p->world, r->got, r->n, type,
			   weft_from(r->left, 9), &req), "irecv");
	good(p, weft_request_cancel(req), "cancel");
	good(p, weft_request_wait(req), "wait");
	good(p, weft_request_status(req, &got), "status");
	good(p, weft_request_free(&req), "free");
	if (!got.cancelled)
		wf_sim_fail(p->rank, "it was not cancelled");
	check_kept(p, r->got, r->n, "a cancelled receive");
	good(p, weft_isend(p->world, r->given, r->n, type, r->to, &req),
	     "isend");
	good(p, weft_request_free(&req), "free");
	good(p, weft_recv(p->world, r->got, r->n, type, r->from, NULL),
	     "recv");
	check_ring(p, r, "recv");
}

/* Each start sends what is there then. */
static void buffered_again(const struct player *p, struct ring *r)
{
	size_t bytes = 2 * (r->n * weft_type_size(type) + WEFT_BSEND_OVERHEAD);
	void *buffer = malloc(bytes), *back;
	struct weft_request *req;
	size_t size;

	good(p, weft_buffer_attach(p->job, buffer, bytes), "attach");
	good(p, weft_bsend_init(p->world, r->given, r->n, type, r->to, &req),
	     "bsend_init");
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < r->n; i++)
			set(&r->given[i], p->me + k, i);
		good(p, weft_request_start(req), "start");
		good(p, weft_request_wait(req), "wait");
		good(p, weft_recv(p->world, r->got, r->n, type, r->from,
				  NULL), "recv");
		check_got(p, r->got, r->left + k, r->n, "bsend_init");
		memset(r->got, KEPT, (r->n + 1) * sizeof(*r->got));
		good(p, weft_barrier(p->world), "barrier");
	}
	good(p, weft_request_free(&req), "free");
	good(p, weft_buffer_detach(p->job, &back, &size), "detach");
	free(buffer);
}

static void rare_program(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 0, 1, 700, LONG };
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int l = 0; l < TAP_COUNT(lengths); l++) {
		struct ring r = enter_ring(&p, lengths[l]);

		given_up(&p, &r);
		buffered_again(&p, &r);
		free(r.given);
		free(r.got);
	}
	leave(&p);
}

static void rare_messages(void)
{
	for (int ranks = 1; ranks <= 3; ranks++)
		if (!sim_flow_seeds(ranks, 2, env, rare_program, NULL))
			return;
}

/* Nobody frees the requests, and one of the types: they go with the job. */
static void left_program(struct wf_sim_rank *rank, void *arg)
{
	size_t n = *(const size_t *)arg;
	struct pair *given = make_given(0, n), *got = alloc(n, KEPT);
	struct weft_request *req[4];
	struct weft_type *like;
	struct player p;

	if (!enter(rank, &p))
		return;
	good(&p, weft_type_dup(p.job, type, &like), "dup");
	good(&p, weft_recv_init(p.world, got, n, like, weft_from(p.me, 0),
				&req[0]), "recv_init");
	good(&p, weft_send_init(p.world, given, n, like, weft_to(p.me, 0),
				&req[1]), "send_init");
	good(&p, weft_type_free(&like), "free");
	good(&p, weft_type_dup(p.job, type, &like), "dup");
	good(&p, weft_irecv(p.world, got, n, like, weft_from(p.me, 1),
			    &req[2]), "irecv");
	good(&p, weft_isend(p.world, given, n, like, weft_to(p.me, 1),
			    &req[3]), "isend");
	good(&p, weft_request_wait(req[2]), "wait");
	check_got(&p, got, 0, n, "irecv");
	good(&p, weft_request_start(req[0]), "start");
	good(&p, weft_request_start(req[1]), "start");
	good(&p, weft_request_wait(req[0]), "wait");
	good(&p, weft_request_wait(req[1]), "wait");
	good(&p, weft_request_wait(req[3]), "wait");
	leave(&p);
	free(given);
	free(got);
}

static void left_at_the_close(void)
{
	static size_t lengths[] = { 3, LONG };

	for (int l = 0; l < TAP_COUNT(lengths); l++)
		if (!sim_flow_seeds(2, 1, env, left_program, &lengths[l]))
			return;
}

/* To and from nobody nothing is copied: there is no memory for so much. */
static void nobody_program(struct wf_sim_rank *rank, void *arg)
{
	const size_t huge = (size_t)1 << 58;
	struct weft_message_status status;
	struct weft_request *req;
	struct pair one;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	good(&p, weft_send(p.world, &one, huge, type,
			   weft_to(WEFT_PROC_NULL, 0)), "send");
	good(&p, weft_recv(p.world, &one, huge, type,
			   weft_from(WEFT_PROC_NULL, 0), &status), "recv");
	good(&p, weft_isend(p.world, &one, huge, type,
			    weft_to(WEFT_PROC_NULL, 0), &req), "isend");
	finish(&p, req);
	good(&p, weft_recv_init(p.world, &one, huge, type,
				weft_from(WEFT_PROC_NULL, 0), &req), "init");
	good(&p, weft_request_start(req), "start");
	finish(&p, req);
	leave(&p);
}

static void to_nobody(void)
{
	sim_flow_seeds(1, 1, env, nobody_program, NULL);
}

/* ---- collectives ---- */

static void broadcast(const struct player *p, size_t n, int root)
{
	struct pair *data = p->me == root ? make_given(root, n) :
					    alloc(n, KEPT);
	struct weft_request *req;

	good(p, weft_bcast(p->world, weft_part(data, n, type), root), "bcast");
	if (p->me != root)
		check_got(p, data, root, n, "bcast");
	memset(data, KEPT, (n + 1) * sizeof(*data));
	for (size_t i = 0; i < n && p->me == root; i++)
		set(&data[i], root + 1, i);
	good(p, weft_ibcast(p->world, weft_part(data, n, type), root, &req),
	     "ibcast");
	finish(p, req);
	check_got(p, data, root + 1, n, "ibcast");
	free(data);
}

static void check_all(const struct player *p, const struct pair *got, size_t n)
{
	size_t all = n * (size_t)p->size;
	struct pair *want = alloc(all, KEPT);

	for (size_t i = 0; i < all; i++)
		set(&want[i], (int)(i / n), i % n);
	if (memcmp(got, want, (all + 1) * sizeof(*got)))
		wf_sim_fail(p->rank, "allgather of %zu", n);
	free(want);
}

static void gather(const struct player *p, size_t n)
{
	size_t all = n * (size_t)p->size;
	struct pair *given = make_given(p->me, n), *got = alloc(all, KEPT);

	good(p, weft_allgather(p->world, weft_part(given, n, type),
			       weft_part(got, n, type)), "allgather");
	check_all(p, got, n);
	memset(got, KEPT, (all + 1) * sizeof(*got));
	for (size_t i = 0; i < n; i++)
		set(&got[(size_t)p->me * n + i], p->me, i);
	good(p, weft_allgather(p->world, weft_part(WEFT_IN_PLACE, 0, NULL),
			       weft_part(got, n, type)), "allgather");
	check_all(p, got, n);
	free(given);
	free(got);
}

static void scan(const struct player *p, size_t n)
{
	struct pair *given = make_given(p->me, n), *got = alloc(n, KEPT);

	good(p, weft_scan(p->world, given, weft_part(got, n, type),
			  &weft_op_maxloc), "scan");
	check_got(p, got, p->me, n, "scan");
	memset(got, KEPT, (n + 1) * sizeof(*got));
	good(p, weft_exscan(p->world, given, weft_part(got, n, type),
			    &weft_op_maxloc), "exscan");
	if (p->me)
		check_got(p, got, p->me - 1, n, "exscan");
	else
		check_kept(p, got, n, "exscan");
	free(given);
	free(got);
}

static void collective_program(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 1, 9, 300, LONG / 9 };
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int l = 0; l < TAP_COUNT(lengths); l++) {
		for (int root = 0; root < p.size; root++)
			broadcast(&p, lengths[l], root);
		gather(&p, lengths[l]);
		scan(&p, lengths[l]);
	}
	leave(&p);
}

static void collectives(void)
{
	for (int ranks = 1; ranks <= 7; ranks++)
		if (!sim_flow_seeds(ranks, 1, env, collective_program, NULL))
			return;
}

/* ---- operations of the program ---- */

/* Of a pair the sum of both, and it looks for what it must not see. */
static void add(const void *in, void *inout, size_t n,
		const struct weft_type *of, void *arg)
{
	const struct pair *left = in;
	struct pair *right = inout;

	for (size_t i = 0; i < n; i++) {
		right[i].value = (short)(left[i].value + right[i].value);
		right[i].index += left[i].index;
	}
	if (of != type || (uintptr_t)in % _Alignof(struct pair))
		*(bool *)arg = true;
}

static void user_program(struct wf_sim_rank *rank, void *arg)
{
	size_t n = *(const size_t *)arg;
	struct pair *given, *got = alloc(n, KEPT), *want = alloc(n, KEPT);
	bool strange = false;
	struct weft_op *op;
	struct player p;

	if (!enter(rank, &p))
		return;
	given = make_given(p.me, n);
	op = make(&p, add, &strange, 3);
	for (size_t i = 0; i < n; i++) {
		want[i].value = 0;
		want[i].index = 0;
		for (int r = 0; r < p.size; r++) {
			struct pair one;

			set(&one, r, i);
			want[i].value = (short)(want[i].value + one.value);
			want[i].index += one.index;
		}
	}
	good(&p, weft_allreduce(p.world, given, weft_part(got, n, type), op),
	     "allreduce");
	if (memcmp(got, want, (n + 1) * sizeof(*got)) || strange)
		wf_sim_fail(rank, "allreduce of %zu", n);
	memset(got, KEPT, (n + 1) * sizeof(*got));
	for (size_t i = 0; i < n; i++)
		set(&got[i], p.me, i);
	good(&p, weft_reduce_local(p.job, given, weft_part(got, n, type), op),
	     "reduce_local");
	for (size_t i = 0; i < n; i++) {
		set(&want[i], p.me, i);
		want[i].value = (short)(2 * want[i].value);
		want[i].index *= 2;
	}
	if (memcmp(got, want, (n + 1) * sizeof(*got)) || strange)
		wf_sim_fail(rank, "reduce_local of %zu", n);
	drop(&p, op);
	free(given);
	free(got);
	free(want);
	leave(&p);
}

static void user_operations(void)
{
	/* the last one is more than an image holds */
	static size_t lengths[] = { 0, 1, 10, 500, 25000 };

	for (int l = 0; l < TAP_COUNT(lengths); l++)
		for (int ranks = 1; ranks <= 5; ranks++)
			if (!sim_flow_seeds(ranks, 1, env, user_program,
					    &lengths[l]))
				return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "messages", messages },
		{ "messages cut off, or of other types", cut_off },
		{ "messages given up, buffered ones again", rare_messages },
		{ "requests left at the close", left_at_the_close },
		{ "messages to and from nobody", to_nobody },
		{ "bcast, allgather, scans", collectives },
		{ "operations of the program", user_operations },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
