/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ranks of a random program send, how what they receive ends, and the
 * program itself.
 */
#include "tests/p2p/p2p_play.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	GUARD = 0xa5
};

/* splitmix64 */
uint64_t play_random(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

void play_fail(struct play *p, const char *format, ...)
{
	char text[600];
	va_list args;
	int n = snprintf(text, sizeof(text), "seed %llu: ",
			 (unsigned long long)p->show->dice);

	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - (size_t)n, format, args);
	va_end(args);
	p->hooks->fail(p->arg, text);
}

void play_ok(struct play *p, int status, const char *what)
{
	if (status)
		play_fail(p, "%s: %s", what, weft_error_text(p->job));
}

/* ---- what is sent ---- */

unsigned char *play_make_content(void)
{
	size_t n = PLAY_MOST + PLAY_SHIFTS;
	unsigned char *content = malloc(n);

	for (size_t i = 0; content && i < n; i++)
		content[i] = (unsigned char)(i * 7 + i / 251 + i / 65521);
	return content;
}

static size_t below(uint64_t *random, size_t n)
{
	return (size_t)(play_random(random) % n);
}

static void draw_message(uint64_t *random, const struct show *show, int i,
			 struct message *m)
{
	static const size_t most[] = { 1, 60, 900, 8200, 9000, PLAY_MOST };
	size_t n = most[below(random, 6)];

	if (n > show->most)
		n = show->most;
	n = below(random, n);
	/* more short ones than a rank holds of a sender */
	if (show->dice % 8 == 5)
		n = PLAY_SHORT / 2 + n % (PLAY_SHORT / 2);
	m->bytes = n - n % PLAY_EACH + (size_t)i;
	m->shift = below(random, PLAY_SHIFTS);
	m->tag = (int)below(random, PLAY_TAGS);
}

void play_draw_show(struct show *show, uint64_t dice, int ranks, bool deaths)
{
	uint64_t random = dice * 1000003;

	show->dice = dice;
	show->ranks = ranks;
	show->deaths = deaths;
	memset(show->dies, 0, sizeof(show->dies));
	/* where somebody is dead the others could not be made */
	show->maker = (enum play_maker)below(&random, deaths ?
					     PLAY_CREATE_GROUP : PLAY_MAKERS);
	show->most = dice % 100 == 7 ? PLAY_MOST :
		     dice % 10 == 3 ? 300000 : 20000;
	for (int k = 0; k < PLAY_COMMS * ranks * ranks; k++) {
		int c = k % PLAY_COMMS, pair = k / PLAY_COMMS;

		for (int i = 0; i < PLAY_EACH; i++)
			draw_message(&random, show, i,
				     &show->message[c][pair % ranks]
						   [pair / ranks][i]);
	}
}

static const struct message *message(const struct play *p, int c, int from,
				     int i)
{
	return &p->show->message[c][from][p->me][i];
}

/* ---- how things end ---- */

/* Does a sentence name it? */
static bool names(const char *text, int rank)
{
	char name[24];

	snprintf(name, sizeof(name), "rank %d ", rank);
	return strstr(text, name);
}

/* A dead one that may be meant is named; or who has sent all has closed. */
void play_check_failure(struct play *p, int status, const char *text,
			int source)
{
	p->show->seen->failed++;
	for (int r = 0; status == WEFT_ERR_PEER && r < p->ranks; r++)
		if (p->show->dies[r] && names(text, r) &&
		    (source == r || source == WEFT_ANY_SOURCE))
			return;
	if (status == WEFT_ERR_PEER && strstr(text, "has closed its job"))
		return;
	play_fail(p, "%s: %s", weft_status_name(status), text);
}

void play_check_sent(struct play *p, int status, const char *text, int to)
{
	if (status && (status != WEFT_ERR_PEER || !p->show->dies[to] ||
		       !names(text, to)))
		play_fail(p, "to rank %d: %s: %s", to,
			  weft_status_name(status), text);
}

static void check_content(struct play *p, const struct held *h, int status,
			  const struct message *m)
{
	size_t n = m->bytes < h->room ? m->bytes : h->room;

	if (status != (m->bytes > h->room ? WEFT_ERR_TRUNCATE : WEFT_OK) ||
	    memcmp(h->at, p->show->content + m->shift, n) ||
	    h->at[h->room] != GUARD)
		play_fail(p, "%s, or %zu bytes for %zu are others",
			  weft_status_name(status), m->bytes, h->room);
	p->show->seen->cut += m->bytes > h->room;
	p->show->seen->large += n > 1000000;
}

/* Which one it is, and that it is that one. */
bool play_identify(struct play *p, int c, const struct weft_message_status *got,
		   struct order_take *take)
{
	int i = (int)(got->bytes % PLAY_EACH);
	int from = play_place(p, c, got->source);
	const struct message *m;

	if (from < 0 || from >= p->ranks) {
		play_fail(p, "of rank %d", got->source);
		return false;
	}
	m = message(p, c, from, i);
	if (got->cancelled || got->tag != m->tag || got->bytes != m->bytes)
		play_fail(p, "message %d of rank %d with %llu bytes and tag %d",
			  i, from, (unsigned long long)got->bytes, got->tag);
	take->from = from;
	take->index = i;
	return true;
}

static void has_come(struct play *p, struct held *h, int status,
		     const struct weft_message_status *got)
{
	struct order_take *take = h->take;
	struct order_take now;

	if (!play_identify(p, h->comm, got, &now))
		return;
	check_content(p, h, status, message(p, h->comm, now.from, now.index));
	if (take->end == ORDER_GOT) {
		if (now.from != take->from || now.index != take->index)
			play_fail(p, "not what was taken");
		return;
	}
	take->end = ORDER_GOT;
	take->from = now.from;
	take->index = now.index;
	take->ended = h->tried ? h->tried : order_tick(&p->order[h->comm]);
	p->got[h->comm][take->from]++;
	p->show->seen->late += h->tried > 0;
}

void play_conclude(struct play *p, struct held *h, int status,
		   const char *text, const struct weft_message_status *got)
{
	struct order_take *take = h->take;

	if (!status && got->cancelled) {
		if (!h->tried || take->end != ORDER_OPEN)
			play_fail(p, "cancelled, by nobody");
		take->end = ORDER_CANCELLED;
		take->ended = h->tried;
		p->show->seen->cancelled++;
	} else if (!status || status == WEFT_ERR_TRUNCATE) {
		has_come(p, h, status, got);
	} else if (take->end == ORDER_GOT) {
		play_check_failure(p, status, text, take->from);
	} else {
		play_check_failure(p, status, text, take->source);
		take->end = ORDER_FAILED;
		take->ended = order_tick(&p->order[h->comm]);
	}
	free(h->at);
	*h = p->held[--p->nheld];
}

void play_finish(struct play *p, struct held *h)
{
	int status = weft_request_wait(h->req);
	struct weft_request *req = h->req;
	struct weft_message_status got;

	play_ok(p, weft_request_status(req, &got), "received");
	play_conclude(p, h, status, weft_request_error(req), &got);
	play_ok(p, weft_request_free(&req), "free");
}

size_t play_room(struct play *p)
{
	if (play_draw(p, 8))
		return p->show->most;
	return (size_t)play_draw(p, (int)p->show->most);
}

struct held *play_hold(struct play *p, int c, struct order_take *take,
		       size_t room)
{
	struct held *h = &p->held[p->nheld];

	if (!take || p->nheld == PLAY_HELD)
		return NULL;
	p->nheld++;
	*h = (struct held){ .comm = c, .take = take, .room = room };
	h->at = malloc(room + 1);
	h->at[room] = GUARD;
	return h;
}

/* ---- the program ---- */

static void begin(struct play *p, struct show *show, struct weft_job *job)
{
	p->show = show;
	p->job = job;
	p->me = weft_job_rank(job);
	p->ranks = show->ranks;
	p->comm[0] = weft_job_world(job);
	p->unsent = PLAY_COMMS * p->ranks * PLAY_EACH;
	p->random = show->dice * 77 + (uint64_t)p->me;
	for (int k = 0; k < PLAY_COMMS * p->ranks; k++) {
		int c = k % PLAY_COMMS, r = k / PLAY_COMMS;

		p->order[c].senders = p->ranks;
		p->order[c].dead[r] = show->dies[r];
		for (int i = 0; i < PLAY_EACH; i++)
			p->order[c].tag[r][i] = message(p, c, r, i)->tag;
	}
	p->buffer = malloc(PLAY_BUFFER);
	p->buffer_left = PLAY_BUFFER;
	play_ok(p, weft_buffer_attach(job, p->buffer, PLAY_BUFFER), "attach");
}

static void finish_held(struct play *p)
{
	while (p->nheld) {
		struct held *h = &p->held[play_draw(p, p->nheld)];

		if (h->msg)
			play_start_taken(p, h);
		play_finish(p, h);
	}
}

/* Behind a long one that its sender does not live to send others may come. */
static bool is_there(struct play *p, int c, int r)
{
	struct weft_envelope from = weft_from(play_place(p, c, r),
					      WEFT_ANY_TAG);
	bool found = false;

	play_ok(p, weft_iprobe(p->comm[c], from, &found, NULL), "iprobe");
	return found;
}

/* Of a rank, on a communicator: what is left of it. */
static void drain_from(struct play *p, int c, int r)
{
	while (p->got[c][r] < PLAY_EACH) {
		if (p->nheld == PLAY_HELD)
			finish_held(p);
		if (play_wait_from(p, c, r) || is_there(p, c, r))
			continue;
		if (!p->show->dies[r])
			play_fail(p, "of rank %d %d come", r, p->got[c][r]);
		break;
	}
}

/* Those under way, some of which nobody sends to; then what is left. */
static void drain(struct play *p)
{
	play_pause(p);
	for (int k = 0; k < p->nheld; k++)
		play_cancel(p, &p->held[k]);
	finish_held(p);
	for (int c = 0; c < PLAY_COMMS; c++)
		for (int r = 0; r < p->ranks; r++)
			drain_from(p, c, r);
	finish_held(p);
}

static void finish_sends(struct play *p)
{
	size_t bytes = 0;
	void *buffer = NULL;

	for (int k = 0; k < p->nsent; k++) {
		int status = weft_request_wait(p->sent[k]);

		play_check_sent(p, status, weft_request_error(p->sent[k]),
				p->to[k]);
		play_ok(p, weft_request_free(&p->sent[k]), "free");
	}
	play_ok(p, weft_buffer_detach(p->job, &buffer, &bytes), "detach");
	if (buffer != p->buffer || bytes != PLAY_BUFFER)
		play_fail(p, "another buffer than was attached");
	/* and those that nobody asks for */
	if (p->hooks->rests)
		p->hooks->rests(p->arg);
}

static void check_order(struct play *p)
{
	char why[128];

	for (int c = 0; c < PLAY_COMMS; c++)
		if (!order_check(&p->order[c], why, sizeof(why)))
			play_fail(p, "not MPI's order: %s", why);
}

void play_run(struct play *p, struct show *show, struct weft_job *job)
{
	begin(p, show, job);
	play_steps(p, play_draw(p, 200));
	play_make(p);
	while (p->unsent)
		play_send(p);
	play_steps(p, play_draw(p, 200));
	drain(p);
	finish_sends(p);
	check_order(p);
}

void play_end(struct play *p)
{
	play_ok(p, weft_comm_free(&p->comm[1]), "free");
	free(p->buffer);
}
