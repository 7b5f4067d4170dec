/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * List: order of elements, deleting in the middle and twice.
 */
#include "base/list.h"
#include "tests/tap.h"

struct item {
	int number;
	struct wf_list link;
};

static struct wf_list head;
static struct item items[5];

static void fill(void)
{
	wf_list_init(&head);
	for (int i = 0; i < 5; i++) {
		items[i].number = i;
		wf_list_init(&items[i].link);
	}
}

/* The numbers of the list, read in both directions, as one decimal. */
static int numbers(void)
{
	int forward = 0;
	int backward = 0;
	int place = 1;

	for (struct wf_list *at = head.next; at != &head; at = at->next)
		forward = 10 * forward +
			  wf_container(at, struct item, link)->number;
	for (struct wf_list *at = head.prev; at != &head; at = at->prev) {
		backward += place *
			    wf_container(at, struct item, link)->number;
		place *= 10;
	}
	TAP_EQUAL(forward, backward);
	return forward;
}

static void empty(void)
{
	fill();
	TAP_CHECK(wf_list_empty(&head));
	TAP_CHECK(wf_list_first(&head) == NULL);
	TAP_CHECK(wf_list_pop(&head) == NULL);
}

static void order(void)
{
	fill();
	wf_list_add_tail(&head, &items[2].link);
	wf_list_add_tail(&head, &items[3].link);
	wf_list_add_head(&head, &items[1].link);
	wf_list_add_tail(&items[3].link, &items[4].link);
	TAP_EQUAL(numbers(), 1243);
	TAP_CHECK(wf_list_first(&head) == &items[1].link);
	TAP_CHECK(!wf_list_empty(&head) && !wf_list_empty(&items[2].link));
}

static void del(void)
{
	order();
	wf_list_del(&items[4].link);
	TAP_EQUAL(numbers(), 123);
	TAP_CHECK(wf_list_empty(&items[4].link));
	wf_list_del(&items[4].link);
	TAP_EQUAL(numbers(), 123);
	wf_list_del(&items[1].link);
	wf_list_del(&items[3].link);
	wf_list_del(&items[2].link);
	TAP_CHECK(wf_list_empty(&head));
}

static void pop(void)
{
	order();
	TAP_CHECK(wf_list_pop(&head) == &items[1].link);
	TAP_CHECK(wf_list_empty(&items[1].link));
	TAP_CHECK(wf_list_pop(&head) == &items[2].link);
	TAP_EQUAL(numbers(), 43);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "empty", empty },
		{ "order", order },
		{ "del", del },
		{ "pop", pop },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
