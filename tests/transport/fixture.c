/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fixture of the conformance suite: what a job does around a device,
 * without a job.
 */
#include "tests/transport/fixture.h"

#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "boot/boot.h"
#include "transport/line.h"

enum {
	QUIET_PASSES = 1000,
	DEADLINE_S = 10
};

static void on_deliver(void *arg, struct wf_ep *ep, const struct wf_mail *mail,
		       const void *payload)
{
	struct fixture_rank *r = arg;
	struct letter *l;

	if ((r->nletters & (r->nletters + 1)) == 0)
		r->letters = realloc(r->letters, (2 * (size_t)r->nletters + 2) *
					 sizeof(*l));
	l = &r->letters[r->nletters];
	l->from = ep->rank;
	l->mail = *mail;
	memcpy(l->payload, payload, mail->length);
	TAP_CHECK(ep == r->ep[ep->rank]);
	TAP_CHECK(ep->state == WF_EP_READY);
	if (r->on_mail)
		r->on_mail(r->arg, l);
	r->nletters++;
}

static void on_contact(void *arg, int rank)
{
	struct fixture_rank *r = arg;

	TAP_CHECK(!r->ep[rank]);
	r->contacts[rank]++;
}

static void on_suspect(void *arg, int rank, const char *why)
{
	struct fixture_rank *r = arg;

	TAP_CHECK(why && *why);
	r->suspects[rank]++;
}

static void on_told(void *arg, int rank, bool left)
{
	struct fixture_rank *r = arg;

	r->left[rank] += left;
	r->told[rank] += !left;
	r->told_before = r->nletters;
}

static void check_ok(int status, const char *what)
{
	if (!TAP_EQUAL(status, WEFT_OK)) {
		tap_diag("%s failed: the fixture cannot go on", what);
		exit(1);
	}
}

static void make_blob(struct fixture_rank *r)
{
	struct wf_identity id;
	char why[200];

	check_ok(wf_identity_read(&id, why, sizeof(why)), "identity");
	wf_blob_init(&r->blob, &id, 0);
	wf_blob_key_seeded(&r->blob, &r->random);
	r->blob.memfd = r->segment.fd;
	r->blob.segment_base = (uintptr_t)r->segment.base;
}

void fixture_prepare(struct fixture *f, int rank)
{
	struct fixture_rank *r = &f->rank[rank];
	static char *const none[] = { NULL };
	char why[200];

	r->rank = rank;
	wf_log_init(&r->log, WF_LOG_ERROR, fixture_backend.name);
	check_ok(wf_config_read(&r->config, fixture_backend.environ ?
				fixture_backend.environ : none, why,
				sizeof(why)), "config");
	wf_random_init(&r->random, r->config.seed + (uint64_t)rank);
	board_join(f->board, rank, &r->log, &r->boot);
	check_ok(wf_segment_open(&r->segment, fixture_backend.kind,
				 FIXTURE_FIRST, f->limit ? f->limit :
				 FIXTURE_LIMIT), "segment");
	check_ok(wf_signals_init(&r->signals, &r->segment), "signals");
	make_blob(r);
	r->env = (struct wf_tp_env){
		.log = &r->log, .config = &r->config, .boot = &r->boot.base,
		.self = &r->blob, .segment = &r->segment,
		.signals = &r->signals, .random = &r->random,
		.up = { on_deliver, on_contact, on_suspect, on_told, r },
		.world = f->world
	};
}

void fixture_enter(struct fixture *f, int rank)
{
	struct fixture_rank *r = &f->rank[rank];
	const struct wf_tp_ops *tp = fixture_backend.tp;
	uint8_t packed[WF_BLOB_BYTES_MAX], address[WF_BLOB_ADDR_MAX];
	char why[200];
	size_t n = 0;

	check_ok(tp->query(&r->env, why, sizeof(why)), "query");
	check_ok(tp->open(&r->env, &r->dev), "open");
	check_ok(tp->address(r->dev, address, sizeof(address), &n), "address");
	check_ok(wf_blob_add(&r->blob, tp->name, address, n), "blob");
	n = wf_blob_pack(&r->blob, packed);
	check_ok(wf_boot_put(&r->boot.base, "blob", packed, n), "put");
}

void fixture_leave(struct fixture *f, int rank)
{
	struct fixture_rank *r = &f->rank[rank];

	for (int i = 0; i < f->n; i++)
		if (r->ep[i])
			r->dev->ops->disconnect(r->ep[i]);
	r->dev->ops->close(r->dev);
	wf_signals_fini(&r->signals);
	wf_segment_close(&r->segment);
	free(r->letters);
	memset(r, 0, sizeof(*r));
	r->dead = true;
}

static void prepare_all(struct fixture *f, int n, uint64_t seed,
			uint64_t limit)
{
	memset(f, 0, sizeof(*f));
	f->n = n;
	f->limit = limit;
	f->board = board_create(n);
	if (fixture_backend.world_create)
		f->world = fixture_backend.world_create(n, seed);
	for (int i = 0; i < n; i++)
		fixture_prepare(f, i);
}

static void enter_all(struct fixture *f)
{
	for (int i = 0; i < f->n; i++)
		fixture_enter(f, i);
}

void fixture_open(struct fixture *f, int n, uint64_t seed)
{
	prepare_all(f, n, seed, 0);
	enter_all(f);
}

void fixture_open_large(struct fixture *f, int n, uint64_t seed)
{
	prepare_all(f, n, seed, FIXTURE_LARGE);
	enter_all(f);
}

void fixture_die(struct fixture *f, int rank)
{
	if (!fixture_backend.kill) {
		fixture_leave(f, rank);
		return;
	}
	f->rank[rank].dead = true;
	fixture_backend.kill(f->world, rank);
}

void fixture_open_sleeper(struct fixture *f, int rank,
			  struct wf_doorbell *bell)
{
	TAP_EQUAL(wf_doorbell_open(bell), WEFT_OK);
	prepare_all(f, 2, 1, 0);
	f->rank[rank].env.doorbell = bell;
	enter_all(f);
}

/* Nobody disconnects from the living with posts under way. */
static void flush_all(struct fixture *f)
{
	for (int i = 0; i < f->n; i++)
		for (int k = 0; k < f->n && !f->rank[i].dead; k++) {
			struct wf_ep *ep = f->rank[i].ep[k];

			if (ep && ep->state == WF_EP_READY && !ep->broken &&
			    !f->rank[k].dead)
				fixture_flush(f, ep, ep->posted);
		}
}

static void check_world(const struct fixture *f)
{
	const char *first;

	if (!TAP_EQUAL(fixture_backend.violations(f->world, &first),
		       f->violations))
		tap_diag("the first: %s", first);
}

void fixture_close(struct fixture *f)
{
	flush_all(f);
	for (int i = 0; i < f->n; i++)
		if (f->rank[i].dev)
			fixture_leave(f, i);
	if (fixture_backend.violations)
		check_world(f);
	if (fixture_backend.world_destroy)
		fixture_backend.world_destroy(f->world);
	board_destroy(f->board);
}

bool fixture_pump(struct fixture *f)
{
	int events = 0;

	for (int i = 0; i < f->n; i++)
		if (!f->rank[i].dead)
			events += f->rank[i].dev->ops->progress(
				f->rank[i].dev);
	if (fixture_backend.idle)
		fixture_backend.idle(f->world);
	return events > 0;
}

void fixture_settle(struct fixture *f)
{
	for (int quiet = 0; quiet < QUIET_PASSES; quiet++)
		if (fixture_pump(f))
			quiet = 0;
}

static bool is_late(uint64_t since)
{
	return wf_clock_ns() - since > DEADLINE_S * WF_NS_PER_S;
}

bool fixture_await(struct fixture *f, const int *p, int value)
{
	uint64_t since = wf_clock_ns();

	while (*p < value && !is_late(since))
		fixture_pump(f);
	return TAP_CHECK(*p >= value);
}

void fixture_blob(struct fixture_rank *by, int rank, struct wf_blob *blob)
{
	uint8_t packed[WF_BLOB_BYTES_MAX];
	char why[200];
	size_t n;

	check_ok(wf_boot_get(&by->boot.base, rank, "blob", packed,
			     sizeof(packed), &n), "get");
	check_ok(wf_blob_unpack(blob, packed, n, why, sizeof(why)), "unpack");
}

int fixture_ask_by(struct fixture *f, int a, int b, const struct wf_blob *blob)
{
	struct wf_tp_peer peer = { .rank = b, .blob = blob };
	struct fixture_rank *r = &f->rank[a];

	return r->dev->ops->connect(r->dev, &peer, &r->ep[b]);
}

void fixture_refused(struct fixture *f, int rank, const struct wf_blob *blob,
		     int status, const char *why)
{
	struct wf_tp_refusal refusal = { .why = "" };
	struct wf_tp_peer peer = {
		.rank = rank, .blob = blob, .refusal = &refusal
	};
	struct fixture_rank *r = &f->rank[0];
	struct wf_ep *ep = NULL;

	TAP_EQUAL(r->dev->ops->connect(r->dev, &peer, &ep), status);
	TAP_CHECK(!ep);
	if (!TAP_CHECK(strstr(refusal.why, why)))
		tap_diag("%s", refusal.why);
}

int fixture_ask(struct fixture *f, int a, int b)
{
	struct wf_blob blob;

	fixture_blob(&f->rank[a], b, &blob);
	return fixture_ask_by(f, a, b, &blob);
}

void fixture_connect(struct fixture *f, int a, int b)
{
	uint64_t since = wf_clock_ns();

	check_ok(fixture_ask(f, a, b), "connect");
	if (a != b)
		check_ok(fixture_ask(f, b, a), "connect");
	while ((f->rank[a].ep[b]->state != WF_EP_READY ||
		f->rank[b].ep[a]->state != WF_EP_READY) && !is_late(since))
		fixture_pump(f);
	check_ok(f->rank[a].ep[b]->state == WF_EP_READY &&
		 f->rank[b].ep[a]->state == WF_EP_READY ?
		 WEFT_OK : WEFT_ERR_TIMEOUT, "a pair");
}

void *fixture_alloc(struct fixture *f, int rank, size_t n,
		    struct wf_rloc *rloc_p)
{
	struct fixture_rank *r = &f->rank[rank];
	uint64_t offset;

	check_ok(wf_segment_alloc(&r->segment, n, WF_LINE_BYTES, &offset),
		 "alloc");
	check_ok(r->dev->ops->key(&r->dev->arena, offset, rloc_p), "key");
	return wf_segment_at(&r->segment, offset);
}

/* Where reports of what others raise take room; 0: nobody does yet. */
static uint32_t room_of(const struct fixture *f, int rank)
{
	for (int i = 0; i < f->n; i++)
		if (i != rank && f->rank[rank].ep[i])
			return f->rank[rank].ep[i]->room;
	return 0;
}

uint32_t fixture_signal(struct fixture *f, int rank)
{
	uint32_t sig = 0;

	check_ok(wf_signal_alloc(&f->rank[rank].signals, room_of(f, rank),
				 &sig), "signal");
	return sig;
}

uint64_t fixture_count(struct fixture *f, int rank, uint32_t sig)
{
	return wf_signal_count(wf_signal_word(&f->rank[rank].signals, sig),
			       sig);
}

bool fixture_await_count(struct fixture *f, int rank, uint32_t sig,
			 uint64_t value)
{
	uint64_t since = wf_clock_ns();

	while (fixture_count(f, rank, sig) < value && !is_late(since))
		fixture_pump(f);
	return TAP_CHECK(fixture_count(f, rank, sig) >= value);
}

/* A pass, if it said AGAIN and is not late; false: this status is final. */
static bool again(struct fixture *f, int status, uint64_t since)
{
	if (status != WEFT_AGAIN || is_late(since))
		return false;
	fixture_pump(f);
	return true;
}

int fixture_mail(struct fixture *f, int from, int to, uint32_t word,
		 const void *payload, uint16_t n)
{
	struct wf_ep *ep = f->rank[from].ep[to];
	struct wf_mail mail = { .kind = 7, .length = n, .word = word,
				.context = UINT64_C(1) << 63 | word };
	uint64_t since = wf_clock_ns();
	int status;

	do
		status = ep->ops->mail(ep, &mail, payload);
	while (again(f, status, since));
	return status;
}

int fixture_lines(struct fixture *f, struct wf_ep *ep, struct wf_rloc dst,
		  const struct wf_piece *piece, uint32_t n, uint32_t seq)
{
	uint64_t since = wf_clock_ns();
	int status;

	do
		status = ep->ops->lines(ep, dst, piece, n, seq);
	while (again(f, status, since));
	return status;
}

int fixture_line(struct fixture *f, struct wf_ep *ep, struct wf_rloc dst,
		 const void *data, uint32_t n, uint32_t seq)
{
	struct wf_piece piece = { data, n };

	return fixture_lines(f, ep, dst, &piece, 1, seq);
}

int fixture_put(struct fixture *f, struct wf_ep *ep, const void *src,
		struct wf_rloc dst, size_t n)
{
	uint64_t since = wf_clock_ns();
	int status;

	do
		status = ep->ops->put(ep, wf_loc_any(src), dst, n);
	while (again(f, status, since));
	return status;
}

int fixture_put_signal(struct fixture *f, struct wf_ep *ep, const void *src,
		       struct wf_rloc dst, size_t n, uint32_t sig)
{
	uint64_t since = wf_clock_ns();
	int status;

	do
		status = ep->ops->put_signal(ep, wf_loc_any(src), dst, n, sig,
					     NULL);
	while (again(f, status, since));
	return status;
}

int fixture_get(struct fixture *f, struct wf_ep *ep, void *dst,
		struct wf_rloc src, size_t n)
{
	uint64_t since = wf_clock_ns();
	int status;

	do
		status = ep->ops->get(ep, wf_loc_any(dst), src, n);
	while (again(f, status, since));
	return status;
}

int fixture_fetch_add(struct fixture *f, struct wf_ep *ep, struct wf_rloc dst,
		      uint64_t add, uint64_t *old)
{
	uint64_t since = wf_clock_ns();
	int status;

	do
		status = ep->ops->fetch_add(ep, dst, add, old);
	while (again(f, status, since));
	return status;
}

int fixture_cas(struct fixture *f, struct wf_ep *ep, struct wf_rloc dst,
		uint64_t expected, uint64_t desired, uint64_t *old)
{
	uint64_t since = wf_clock_ns();
	int status;

	do
		status = ep->ops->cas(ep, dst, expected, desired, old);
	while (again(f, status, since));
	return status;
}

bool fixture_await_done(struct fixture *f, struct wf_ep *ep)
{
	uint64_t since = wf_clock_ns();

	while (!wf_ep_done(ep, ep->posted) && !is_late(since))
		fixture_pump(f);
	return TAP_CHECK(wf_ep_done(ep, ep->posted));
}

bool fixture_ask_done(struct fixture *f, struct wf_ep *ep)
{
	uint64_t since = wf_clock_ns();

	while (!wf_ep_ask_done(ep, ep->posted) && !is_late(since))
		fixture_pump(f);
	return TAP_CHECK(wf_ep_done(ep, ep->posted));
}

void fixture_flush(struct fixture *f, struct wf_ep *ep, uint64_t post)
{
	uint64_t since = wf_clock_ns();

	while (ep->ops->flush(ep, WF_FLUSH_REMOTE) == WEFT_AGAIN &&
	       !is_late(since))
		fixture_pump(f);
	while (!wf_ep_flushed(ep, post) && !is_late(since))
		fixture_pump(f);
	TAP_CHECK(wf_ep_flushed(ep, post));
	TAP_CHECK(wf_ep_done(ep, post));
}
