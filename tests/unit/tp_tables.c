/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of a backend: none of its ops may be missing, and what is a stub
 * says so, by its bit and when it is called.
 */
#include <stddef.h>
#include <string.h>
#include "tests/tap.h"
#include "transport/stubs.h"
#include "transport/backends.h"

enum {
	SOME_CAPS = WF_CAP_FENCE | WF_CAP_MAPPED
};

static int no_put(struct wf_ep *ep, struct wf_loc src, struct wf_rloc dst,
		  size_t n)
{
	(void)ep;
	(void)src;
	(void)dst;
	return n ? WEFT_AGAIN : WEFT_OK;
}

static int no_put_signal(struct wf_ep *ep, struct wf_loc src,
			 struct wf_rloc dst, size_t n, uint32_t sig,
			 const uint64_t *head)
{
	(void)sig;
	(void)head;
	return no_put(ep, src, dst, n);
}

static int no_mail(struct wf_ep *ep, const struct wf_mail *mail,
		   const void *payload)
{
	(void)ep;
	(void)mail;
	(void)payload;
	return WEFT_AGAIN;
}

static int no_lines(struct wf_ep *ep, struct wf_rloc dst,
		    const struct wf_piece *piece, uint32_t n, uint32_t seq)
{
	(void)ep;
	(void)dst;
	(void)piece;
	return n + seq ? WEFT_AGAIN : WEFT_OK;
}

static int no_flush(struct wf_ep *ep, enum wf_flush what)
{
	(void)ep;
	(void)what;
	return WEFT_OK;
}

static const struct wf_ep_ops ops = {
	no_mail, no_lines, no_put, no_put_signal, wf_stub_get,
	wf_stub_fetch_add, wf_stub_cas, no_flush
};

static void whole(void)
{
	const struct wf_tp_ops *tp = wf_tp_table[0];

	TAP_EQUAL(strcmp(tp->name, "shm"), 0);
	TAP_CHECK(wf_tp_check(tp, &ops, SOME_CAPS));
}

/* Each pointer of a table in turn. */
static void missing(void)
{
	struct wf_tp_ops tp;
	struct wf_ep_ops ep;

	for (size_t i = 0; i < sizeof(tp) / sizeof(void *); i++) {
		tp = *wf_tp_table[0];
		memset((char *)&tp + i * sizeof(void *), 0, sizeof(void *));
		TAP_CHECK(!wf_tp_check(&tp, &ops, SOME_CAPS));
	}
	for (size_t i = 0; i < sizeof(ep) / sizeof(void *); i++) {
		ep = ops;
		memset((char *)&ep + i * sizeof(void *), 0, sizeof(void *));
		TAP_CHECK(!wf_tp_check(wf_tp_table[0], &ep, SOME_CAPS));
	}
}

static void bits(void)
{
	struct wf_tp_ops tp = *wf_tp_table[0];

	TAP_CHECK(!wf_tp_check(&tp, &ops, SOME_CAPS | WF_CAP_GET));
	TAP_CHECK(!wf_tp_check(&tp, &ops, SOME_CAPS | WF_CAP_ATOMIC));
	TAP_CHECK(!wf_tp_check(&tp, &ops, 0));
	tp.fence = wf_stub_fence;
	TAP_CHECK(!wf_tp_check(&tp, &ops, SOME_CAPS));
	TAP_CHECK(wf_tp_check(&tp, &ops, WF_CAP_MAPPED));
	tp.reach = wf_stub_reach;
	TAP_CHECK(!wf_tp_check(&tp, &ops, WF_CAP_MAPPED));
	TAP_CHECK(wf_tp_check(&tp, &ops, 0));
}

static void stubs(void)
{
	struct wf_rloc far = { 0, 0 };
	uint64_t word = 7;
	int ms = 7;

	TAP_EQUAL(wf_stub_fence(NULL), WEFT_ERR_UNSUPPORTED);
	TAP_EQUAL(wf_stub_arm(NULL, &ms), WEFT_ERR_UNSUPPORTED);
	wf_stub_disarm(NULL);
	TAP_EQUAL(ms, 7);
	TAP_EQUAL(wf_stub_descriptor(NULL), -1);
	wf_stub_tell(NULL, 0);
	TAP_EQUAL(wf_stub_board(NULL, NULL, &word), WEFT_ERR_UNSUPPORTED);
	TAP_EQUAL(wf_stub_reach(NULL, far, 0, 0, NULL), WEFT_ERR_UNSUPPORTED);
	TAP_EQUAL(wf_stub_get(NULL, wf_loc_any(&word), far, 8),
		  WEFT_ERR_UNSUPPORTED);
	TAP_EQUAL(wf_stub_fetch_add(NULL, far, 1, &word),
		  WEFT_ERR_UNSUPPORTED);
	TAP_EQUAL(wf_stub_cas(NULL, far, 0, 1, &word), WEFT_ERR_UNSUPPORTED);
	TAP_EQUAL(word, 7);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "whole tables", whole },
		{ "any op missing", missing },
		{ "bits and stubs that disagree", bits },
		{ "what stubs say", stubs },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
