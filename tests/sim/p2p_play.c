/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a random program send, and how what they receive ends. */
#include "tests/sim/p2p_play.h"

#include <stdlib.h>

enum {
	GUARD = 0xa5
};

/* ---- what is sent ---- */

static void draw_message(struct wf_random *random, const struct show *show,
			 int i, struct message *m)
{
	static const size_t most[] = { 1, 60, 900, 8200, 9000, PLAY_MOST };
	size_t n = most[wf_random_below(random, 6)];

	if (n > show->most)
		n = show->most;
	n = (size_t)wf_random_below(random, n);
	/* more short ones than a rank holds of a sender */
	if (show->dice % 8 == 5)
		n = WF_P2P_SHORT_MAX / 2 + n % (WF_P2P_SHORT_MAX / 2);
	m->bytes = n - n % PLAY_EACH + (size_t)i;
	m->shift = wf_random_below(random, PLAY_SHIFTS);
	m->tag = (int)wf_random_below(random, PLAY_TAGS);
}

void play_draw_show(struct show *show, uint64_t dice, int ranks)
{
	struct wf_random random;

	wf_random_init(&random, dice * 1000003);
	show->dice = dice;
	show->ranks = ranks;
	show->victim = -1;
	show->most = dice % 100 == 7 ? PLAY_MOST :
		     dice % 10 == 3 ? 300000 : 20000;
	memset(show->dies, 0, sizeof(show->dies));
	memset(show->ledger, 0, sizeof(show->ledger));
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

bool play_names(const char *text, int rank)
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
		if (p->show->dies[r] && play_names(text, r) &&
		    (source == r || source == WEFT_ANY_SOURCE))
			return;
	if (status == WEFT_ERR_PEER && strstr(text, "has closed its job"))
		return;
	wf_sim_fail(p->s.rank, "%s: %s", weft_status_name(status), text);
}

static void check_content(struct play *p, const struct held *h, int status,
			  const struct message *m)
{
	size_t n = m->bytes < h->room ? m->bytes : h->room;

	if (status != (m->bytes > h->room ? WEFT_ERR_TRUNCATE : WEFT_OK) ||
	    memcmp(h->at, p->show->content + m->shift, n) ||
	    h->at[h->room] != GUARD)
		wf_sim_fail(p->s.rank, "%s, or %zu bytes for %zu are others",
			    weft_status_name(status), m->bytes, h->room);
	p->show->seen->cut += m->bytes > h->room;
	p->show->seen->large += n > 1000000;
}

/* Which one it is, and that it is that one. */
bool play_identify(struct play *p, int c, const struct weft_received *got,
		   struct order_take *take)
{
	int i = (int)(got->bytes % PLAY_EACH);
	const struct message *m;

	if (got->source < 0 || got->source >= p->ranks) {
		wf_sim_fail(p->s.rank, "of rank %d", got->source);
		return false;
	}
	m = message(p, c, got->source, i);
	if (got->cancelled || got->tag != m->tag || got->bytes != m->bytes)
		wf_sim_fail(p->s.rank, "message %d of rank %d with %llu bytes "
			    "and tag %d", i, got->source,
			    (unsigned long long)got->bytes, got->tag);
	take->from = got->source;
	take->index = i;
	return true;
}

static void has_come(struct play *p, struct held *h, int status,
		     const struct weft_received *got)
{
	struct order_take *take = h->take;
	struct order_take now;

	if (!play_identify(p, h->comm, got, &now))
		return;
	check_content(p, h, status, message(p, h->comm, now.from, now.index));
	if (take->end == ORDER_GOT) {
		if (now.from != take->from || now.index != take->index)
			wf_sim_fail(p->s.rank, "not what was taken");
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
		   const char *text, const struct weft_received *got)
{
	struct order_take *take = h->take;

	if (!status && got->cancelled) {
		if (!h->tried || take->end != ORDER_OPEN)
			wf_sim_fail(p->s.rank, "cancelled, by nobody");
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
	struct weft_received got;

	ok(&p->s, weft_request_received(req, &got), "received");
	play_conclude(p, h, status, weft_request_error(req), &got);
	ok(&p->s, weft_request_free(&req), "free");
}

void play_init(struct play *p, struct show *show)
{
	p->show = show;
	p->me = wf_sim_rank(p->s.rank);
	p->ranks = show->ranks;
	p->comm[0] = p->s.world;
	p->unsent = PLAY_COMMS * p->ranks * PLAY_EACH;
	wf_random_init(&p->random, show->dice * 77 + (uint64_t)p->me);
	for (int k = 0; k < PLAY_COMMS * p->ranks; k++) {
		int c = k % PLAY_COMMS, r = k / PLAY_COMMS;

		p->order[c].senders = p->ranks;
		p->order[c].dead[r] = show->dies[r];
		for (int i = 0; i < PLAY_EACH; i++)
			p->order[c].tag[r][i] = message(p, c, r, i)->tag;
	}
}

struct held *play_hold(struct play *p, int c, struct order_take *take)
{
	struct held *h = &p->held[p->nheld];

	if (!take || p->nheld == PLAY_HELD)
		return NULL;
	p->nheld++;
	*h = (struct held){
		.comm = c, .take = take, .room = p->show->most
	};
	if (!play_draw(p, 8))
		h->room = (size_t)play_draw(p, (int)p->show->most);
	h->at = malloc(h->room + 1);
	h->at[h->room] = GUARD;
	return h;
}
