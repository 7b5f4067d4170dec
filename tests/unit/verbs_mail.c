/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Credits of mail: how many may be under way, how they come back, and when they
 * are given back.
 */
#include <errno.h>
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

static _Atomic uint64_t word[2];
static struct wf_signals no_signals;	/* no more than these two */

static void open_mail(void)
{
	verbs_made_open();
	for (int i = 0; i < 2; i++) {
		word[i] = 0;
		made.ep->credit.word[i] = &word[i];
		made.ep->credit.peer[i] = 10 + (uint32_t)i;
	}
	made.ep->credit.own_bulk = WF_VERBS_NO_BULK;
	made.dev.env.signals = &no_signals;
	made.dev.env.segment = calloc(1, sizeof(struct wf_segment));
	if (!made.dev.env.segment)
		exit(1);
}

static void close_mail(void)
{
	free(made.dev.env.segment);
	verbs_made_close();
}

static int mail(uint8_t flags)
{
	struct wf_mail m = { .kind = 7, .flags = flags };

	return made.ep->ep.ops->mail(&made.ep->ep, &m, NULL);
}

static void expect_mails(int n)
{
	for (int i = 0; i < n; i++)
		TAP_EQUAL(mail(0), WEFT_OK);
	TAP_EQUAL(mail(0), WEFT_AGAIN);
}

/* One credit back is two mails. */
static void four(void)
{
	open_mail();
	expect_mails(WF_VERBS_CREDITS);
	word[0] = 1;
	expect_mails(2);
	word[0] = 3;
	expect_mails(4);
	close_mail();
}

static void reserved(void)
{
	open_mail();
	expect_mails(WF_VERBS_CREDITS);
	TAP_EQUAL(mail(WF_MAIL_RESERVED), WEFT_OK);
	TAP_EQUAL(mail(WF_MAIL_RESERVED), WEFT_AGAIN);
	word[1] = 1;
	TAP_EQUAL(mail(0), WEFT_AGAIN);
	TAP_EQUAL(mail(WF_MAIL_RESERVED), WEFT_OK);
	close_mail();
}

static void comes(uint8_t kind)
{
	struct wf_verbs_letter letter = {
		.kind = kind, .number = made.ep->received,
		.bulk = WF_VERBS_NO_BULK
	};

	wf_verbs_letter_comes(&made.dev, made.ep, (char *)&letter,
			      sizeof(letter));
}

/* The n-th post raises the signal by which this kind is paid. */
static void pays(int n, int kind)
{
	uint32_t imm = be32toh(made.post[n].wr.imm_data);

	TAP_EQUAL(made.nposts, n + 1);
	TAP_EQUAL(made.post[n].wr.opcode, IBV_WR_RDMA_WRITE_WITH_IMM);
	TAP_EQUAL(wf_verbs_imm_signal(imm), made.ep->credit.peer[kind]);
}

static void paid_for_two(void)
{
	open_mail();
	comes(WF_VERBS_MAIL);
	TAP_EQUAL(made.mails, 1);
	TAP_CHECK(wf_verbs_pay(made.ep));
	TAP_EQUAL(made.nposts, 0);
	comes(WF_VERBS_MAIL);
	TAP_CHECK(wf_verbs_pay(made.ep));
	pays(0, 0);
	TAP_CHECK(wf_verbs_pay(made.ep));
	TAP_EQUAL(made.nposts, 1);
	close_mail();
}

static void paid_for_each_reserved(void)
{
	open_mail();
	comes(WF_VERBS_RESERVED_MAIL);
	TAP_CHECK(wf_verbs_pay(made.ep));
	pays(0, 1);
	close_mail();
}

/* It is still due then, and paid once. */
static void not_now(void)
{
	open_mail();
	comes(WF_VERBS_RESERVED_MAIL);
	made.refuse = ENOMEM;
	TAP_CHECK(!wf_verbs_pay(made.ep));
	TAP_EQUAL(made.nposts, 0);
	TAP_CHECK(wf_verbs_pay(made.ep));
	TAP_CHECK(wf_verbs_pay(made.ep));
	pays(0, 1);
	close_mail();
}

/* By pairs, when it can be asked, and not before: they have no room else. */
static void asked_for_its_bulks(void)
{
	struct wf_verbs_credit *c;

	open_mail();
	c = &made.ep->credit;
	c->given = 1;
	c->peer_bulk = 20;
	c->wants_back = true;
	c->sent[0] = WF_VERBS_CREDITS;
	for (int i = 0; i < 5; i++)
		comes(WF_VERBS_MAIL);
	TAP_CHECK(!wf_verbs_pay(made.ep));
	TAP_EQUAL(made.nposts, 0);
	word[0] = 1;
	TAP_CHECK(wf_verbs_pay(made.ep));
	TAP_EQUAL(made.nposts, 3);
	TAP_EQUAL(made.post[2].wr.opcode, IBV_WR_SEND);
	TAP_CHECK(!c->wants_back);
	/* one that has left is not asked */
	c->wants_back = made.ep->ep.gone = true;
	TAP_CHECK(wf_verbs_pay(made.ep));
	TAP_EQUAL(made.nposts, 3);
	close_mail();
}

/* Soft-RoCE does that where packets get lost, however many came behind. */
static void delivered_twice(void)
{
	struct wf_verbs_letter letter = { .kind = WF_VERBS_MAIL,
					  .bulk = WF_VERBS_NO_BULK };

	open_mail();
	wf_verbs_letter_comes(&made.dev, made.ep, (char *)&letter,
			      sizeof(letter));
	for (int i = 0; i < 40; i++) {
		wf_verbs_letter_comes(&made.dev, made.ep, (char *)&letter,
				      sizeof(letter));
		comes(WF_VERBS_MAIL);
	}
	TAP_EQUAL(made.mails, 41);
	TAP_EQUAL(made.ep->credit.consumed[0], 41);
	close_mail();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "so many, and two for each credit", four },
		{ "one more that is reserved", reserved },
		{ "a credit for two mails", paid_for_two },
		{ "a credit for each reserved one", paid_for_each_reserved },
		{ "a credit that cannot be paid now", not_now },
		{ "a mail that is delivered twice", delivered_twice },
		{ "before it is asked for bulks", asked_for_its_bulks }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
