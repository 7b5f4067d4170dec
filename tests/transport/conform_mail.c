/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conformance: mails arrive once, in order and whole, whatever the credits do.
 */
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"

enum {
	MANY = 2000,
	ALL_LENGTHS = WF_MAIL_PAYLOAD +
		      (WF_MAIL_LONGEST - WF_MAIL_PAYLOAD) / 61 + 2
};

static struct fixture f;

static void fill(char *p, int n, uint32_t seed)
{
	for (int i = 0; i < n; i++)
		p[i] = (char)(seed * 31 + (uint32_t)i);
}

static void check_letter(const struct letter *l, int from, uint32_t word,
			 int n)
{
	char want[WF_MAIL_LONGEST];

	fill(want, n, word);
	TAP_EQUAL(l->from, from);
	TAP_EQUAL(l->mail.kind, 7);
	TAP_EQUAL(l->mail.word, word);
	TAP_CHECK(l->mail.context == (UINT64_C(1) << 63 | word));
	TAP_EQUAL(l->mail.length, n);
	TAP_EQUAL(memcmp(l->payload, want, (size_t)n), 0);
}

/* Each that any device takes; of longer ones some, and the longest. */
static int length_of(int i)
{
	return i <= WF_MAIL_PAYLOAD ? i :
	       i == ALL_LENGTHS - 1 ? WF_MAIL_LONGEST :
	       WF_MAIL_PAYLOAD + 61 * (i - WF_MAIL_PAYLOAD);
}

static void all_lengths(void)
{
	char data[WF_MAIL_LONGEST];
	int sent = 0;

	fixture_open(&f, 2, 1);
	fixture_connect(&f, 0, 1);
	for (int i = 0; i < ALL_LENGTHS; i++) {
		int n = length_of(i);

		if ((uint32_t)n > f.rank[0].ep[1]->dev->mail_max)
			break;
		fill(data, n, (uint32_t)i);
		TAP_EQUAL(fixture_mail(&f, 0, 1, (uint32_t)i, data,
				       (uint16_t)n), WEFT_OK);
		/* copied: the source is ours again */
		memset(data, 0, sizeof(data));
		sent++;
	}
	TAP_CHECK(sent > WF_MAIL_PAYLOAD);
	fixture_await(&f, &f.rank[1].nletters, sent);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].nletters, sent);
	for (int i = 0; i < sent; i++)
		check_letter(&f.rank[1].letters[i], 0, (uint32_t)i,
			     length_of(i));
	fixture_close(&f);
}

/* The longest mails until it says AGAIN, at most 100; how many went out. */
static int mail_until_full(struct wf_ep *ep, uint8_t flags, uint32_t first)
{
	static const char payload[WF_MAIL_PAYLOAD];
	struct wf_mail mail = {
		.kind = 7, .flags = flags, .length = WF_MAIL_PAYLOAD
	};
	int n = 0;

	for (; n < 100; n++) {
		mail.word = first + (uint32_t)n;
		mail.context = UINT64_C(1) << 63 | mail.word;
		if (ep->ops->mail(ep, &mail, payload) != WEFT_OK)
			break;
	}
	return n;
}

/* A simulator says AGAIN at random, too. */
static int mail_until_really_full(struct wf_ep *ep, uint8_t flags,
				  uint32_t first)
{
	int n = 0;

	for (int tries = 0; tries < 50; tries++)
		n += mail_until_full(ep, flags, first + (uint32_t)n);
	return n;
}

static void credits(void)
{
	struct wf_ep *ep;
	uint64_t posted;
	int n, more;

	fixture_open(&f, 2, 2);
	fixture_connect(&f, 0, 1);
	ep = f.rank[0].ep[1];
	n = mail_until_really_full(ep, 0, 0);
	TAP_CHECK(n >= 4 && n < 100);
	posted = ep->posted;
	TAP_EQUAL(mail_until_really_full(ep, 0, (uint32_t)n), 0);
	TAP_EQUAL(ep->posted, posted);
	more = mail_until_really_full(ep, WF_MAIL_RESERVED, (uint32_t)n);
	TAP_EQUAL(more, 1);
	TAP_EQUAL(f.rank[1].nletters, 0);
	fixture_await(&f, &f.rank[1].nletters, n + 1);
	for (int i = 0; i <= n; i++)
		TAP_EQUAL(f.rank[1].letters[i].mail.word, i);
	fixture_settle(&f);
	/* all credits have come back, the reserved one too */
	more = mail_until_really_full(ep, 0, 0);
	TAP_CHECK(more >= n);
	TAP_EQUAL(mail_until_really_full(ep, WF_MAIL_RESERVED, 0), 1);
	fixture_await(&f, &f.rank[1].nletters, n + 1 + more + 1);
	fixture_close(&f);
}

/* Both sides send as fast as credits allow; nobody may lose or wait. */
static void both_full(void)
{
	struct fixture_rank *r[2] = { &f.rank[0], &f.rank[1] };
	uint64_t since = wf_clock_ns();
	int sent[2] = { 0, 0 };

	fixture_open(&f, 2, 3);
	fixture_connect(&f, 0, 1);
	while ((r[0]->nletters < MANY || r[1]->nletters < MANY) &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S) {
		for (int i = 0; i < 2; i++) {
			int n = mail_until_full(r[i]->ep[1 - i], 0,
						(uint32_t)sent[i]);

			sent[i] += n;
			if (sent[i] > MANY + 200)
				break;
		}
		fixture_pump(&f);
	}
	fixture_settle(&f);
	for (int i = 0; i < 2; i++) {
		TAP_EQUAL(r[i]->nletters, sent[1 - i]);
		for (int k = 0; k < r[i]->nletters; k++)
			TAP_EQUAL(r[i]->letters[k].mail.word, k);
	}
	fixture_close(&f);
}

/* The ring to oneself: full, then delivered in order by progress alone. */
static void oneself_full(void)
{
	int total = 0;

	fixture_open(&f, 1, 6);
	fixture_connect(&f, 0, 0);
	for (int round = 0; round < 10; round++) {
		struct wf_ep *ep = f.rank[0].ep[0];
		int n = mail_until_really_full(ep, 0, (uint32_t)total);

		TAP_CHECK(n >= 4 && n < 100);
		total += n;
		n = mail_until_really_full(ep, WF_MAIL_RESERVED,
					   (uint32_t)total);
		TAP_EQUAL(n, 1);
		total += n;
		TAP_EQUAL(f.rank[0].nletters < total, 1);
		fixture_await(&f, &f.rank[0].nletters, total);
		fixture_settle(&f);
	}
	TAP_EQUAL(f.rank[0].nletters, total);
	for (int i = 0; i < total; i++)
		TAP_EQUAL(f.rank[0].letters[i].mail.word, i);
	fixture_close(&f);
}

enum { REQUESTS = 500 };

#define IS_REPLY (UINT32_C(1) << 31)

/* One end: it asks, and owes the other a reply for each of its questions. */
struct asker {
	int asked, owed, replied, answers, wrong;
};

static void on_question(void *arg, const struct letter *l)
{
	struct asker *a = arg;

	if (l->mail.word & IS_REPLY)
		a->wrong += (l->mail.word ^ IS_REPLY) !=
			    (uint32_t)a->answers++;
	else
		a->wrong += l->mail.word != (uint32_t)a->owed++;
}

/* As far as credits go: what is owed first, then more questions. */
static void speak(struct asker *a, struct wf_ep *ep)
{
	struct wf_mail mail = { .kind = 7 };

	while (a->replied < a->owed) {
		mail.word = IS_REPLY | (uint32_t)a->replied;
		if (ep->ops->mail(ep, &mail, NULL))
			return;
		a->replied++;
	}
	while (a->asked < REQUESTS) {
		mail.word = (uint32_t)a->asked;
		if (ep->ops->mail(ep, &mail, NULL))
			return;
		a->asked++;
	}
}

/*
 * Upcalls send nothing, so replies are owed; both sides ask until they are
 * full, and every question has its answer.
 */
static void replies(void)
{
	struct asker asker[2] = { { .asked = 0 } };
	uint64_t since = wf_clock_ns();

	fixture_open(&f, 2, 7);
	fixture_connect(&f, 0, 1);
	for (int i = 0; i < 2; i++) {
		f.rank[i].on_mail = on_question;
		f.rank[i].arg = &asker[i];
	}
	while ((asker[0].answers < REQUESTS || asker[1].answers < REQUESTS) &&
	       wf_clock_ns() - since < 20 * WF_NS_PER_S) {
		for (int i = 0; i < 2; i++)
			speak(&asker[i], f.rank[i].ep[1 - i]);
		fixture_pump(&f);
	}
	for (int i = 0; i < 2; i++) {
		TAP_EQUAL(asker[i].answers, REQUESTS);
		TAP_EQUAL(asker[i].owed, REQUESTS);
		TAP_EQUAL(asker[i].wrong, 0);
	}
	fixture_close(&f);
}

/* One that is full does not keep others out. */
static void apart(void)
{
	fixture_open(&f, 3, 4);
	fixture_connect(&f, 0, 1);
	fixture_connect(&f, 2, 1);
	mail_until_really_full(f.rank[0].ep[1], 0, 0);
	TAP_EQUAL(fixture_mail(&f, 2, 1, 77, NULL, 0), WEFT_OK);
	fixture_settle(&f);
	for (int k = 0, next = 0; k < f.rank[1].nletters; k++)
		if (f.rank[1].letters[k].from == 0)
			TAP_EQUAL(f.rank[1].letters[k].mail.word, next++);
	TAP_EQUAL(f.rank[0].nletters + f.rank[2].nletters, 0);
	fixture_close(&f);
}

struct order {
	const uint64_t *word;
	uint64_t expected;
	int wrong;
};

static void look(void *arg, const struct letter *l)
{
	struct order *o = arg;

	o->expected = l->mail.word;
	o->wrong += *o->word < o->expected;
}

static void after_put(void)
{
	struct wf_rloc rloc;
	struct order o = { NULL, 0, 0 };
	uint64_t value;

	fixture_open(&f, 2, 5);
	fixture_connect(&f, 0, 1);
	if (!(f.rank[0].dev->caps & WF_CAP_PUT_MAIL_ORDER)) {
		tap_skip("%s does not order a mail behind a put",
			 fixture_backend.name);
		fixture_close(&f);
		return;
	}
	o.word = fixture_alloc(&f, 1, 64, &rloc);
	f.rank[1].on_mail = look;
	f.rank[1].arg = &o;
	for (value = 1; value <= MANY; value++) {
		TAP_EQUAL(fixture_put(&f, f.rank[0].ep[1], &value, rloc, 8),
			  WEFT_OK);
		TAP_EQUAL(fixture_mail(&f, 0, 1, (uint32_t)value, NULL, 0),
			  WEFT_OK);
		fixture_await(&f, &f.rank[1].nletters, (int)value);
	}
	TAP_EQUAL(o.wrong, 0);
	fixture_close(&f);
}

const struct tap_case conform_mail[] = {
	{ "every length arrives whole and in order", all_lengths },
	{ "credits, the reserved one, and their return", credits },
	{ "both sides send until full, and nothing is lost", both_full },
	{ "credits of two senders are apart", apart },
	{ "mails to oneself until full", oneself_full },
	{ "handlers that owe replies, both ways", replies },
	{ "a mail arrives after the put before it", after_put },
};

const int conform_mail_n = TAP_COUNT(conform_mail);
