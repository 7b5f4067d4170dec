/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paths between two hosts with some addresses each: both ends, which know and
 * ask nothing of each other, try them in an order that cannot cross.
 */
#include "base/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include "base/interface.h"
#include "base/random.h"
#include "tests/tap.h"

enum {
	MOST = 4,			/* addresses of a host */
	NETWORKS = 4,			/* the last one is behind a gateway */
	WORLDS = 20000
};

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

struct host {
	union address address[MOST];
	const struct sockaddr *list[MOST];
	int network[MOST];
	int n;
};

struct paths {
	struct wf_address_path path[MOST];
	int n;
};

static struct wf_random rng;

static int below(int n)
{
	return (int)wf_random_below(&rng, (uint64_t)n);
}

/* Hosts differ in the last byte. */
static void make_address(union address *a, int family, int network, int number)
{
	uint8_t bytes[16] = { 10, (uint8_t)network };

	memset(a, 0, sizeof(*a));
	a->any.sa_family = (sa_family_t)family;
	bytes[family == AF_INET ? 3 : 15] = (uint8_t)number;
	if (family == AF_INET)
		memcpy(&a->in.sin_addr, bytes, 4);
	else
		memcpy(&a->in6.sin6_addr, bytes, 16);
}

static void make_host(struct host *host, int family, const int numbers[])
{
	host->n = 1 + below(MOST);
	for (int i = 0; i < host->n; i++) {
		host->network[i] = below(NETWORKS);
		make_address(&host->address[i], family, host->network[i],
			     numbers[i]);
		host->list[i] = &host->address[i].any;
	}
}

/* Numbers of all addresses of both, none twice. */
static void shuffle(int numbers[2 * MOST])
{
	for (int i = 0; i < 2 * MOST; i++) {
		int j = below(i + 1);

		numbers[i] = numbers[j];
		numbers[j] = i + 1;
	}
}

/* As wf_interface_reach() would say there; by a gateway from the first one. */
static void find_paths(const struct host *own, const struct host *other,
		       struct paths *p)
{
	p->n = other->n;
	for (int i = 0; i < other->n; i++) {
		struct wf_address_path *path = &p->path[i];
		int at = 0;

		while (at < own->n &&
		       (own->network[at] != other->network[i] ||
			own->network[at] == NETWORKS - 1))
			at++;
		path->other = (uint8_t)i;
		path->own = (uint8_t)(at < own->n ? at : 0);
		path->reach = at < own->n ? WF_REACH_LINK : WF_REACH_ROUTE;
	}
	wf_address_sort(p->path, p->n, own->list, other->list);
}

/* Where the other end has the same one; -1: it has not. */
static int find(const struct paths *p, const struct wf_address_path *mirrored)
{
	for (int i = 0; i < p->n; i++)
		if (p->path[i].own == mirrored->other &&
		    p->path[i].other == mirrored->own)
			return i;
	return -1;
}

static bool has_all(const struct paths *p)
{
	unsigned seen = 0;

	for (int i = 0; i < p->n; i++)
		seen |= 1u << p->path[i].other;
	return seen == (1u << p->n) - 1;
}

static bool agree(const struct paths *a, const struct paths *b)
{
	int last = -1;

	for (int i = 0; i < a->n; i++) {
		int at = find(b, &a->path[i]);

		if (at >= 0 && at <= last)
			return false;
		if (at >= 0)
			last = at;
	}
	/* what both have in a subnet they begin with */
	return a->path[0].reach != WF_REACH_LINK || !find(b, &a->path[0]);
}

static void orders_do_not_cross(void)
{
	int numbers[2 * MOST], wrong = 0;

	wf_random_init(&rng, 1);
	for (int world = 0; world < WORLDS; world++) {
		int family = below(2) ? AF_INET : AF_INET6;
		struct paths of_a, of_b;
		struct host a, b;

		shuffle(numbers);
		make_host(&a, family, numbers);
		make_host(&b, family, numbers + MOST);
		find_paths(&a, &b, &of_a);
		find_paths(&b, &a, &of_b);
		wrong += !has_all(&of_a) || !has_all(&of_b) ||
			 !agree(&of_a, &of_b) || !agree(&of_b, &of_a);
	}
	TAP_EQUAL(wrong, 0);
}

/* Subnets, then places, then the lower address. */
static void best_first(void)
{
	static const struct wf_address_path want[] = {
		{ 1, 1, WF_REACH_LINK }, { 0, 0, WF_REACH_ROUTE },
		{ 0, 1, WF_REACH_ROUTE }, { 1, 0, WF_REACH_ROUTE },
		{ 1, 1, WF_REACH_ROUTE }, { 0, 0, WF_REACH_NONE }
	};
	struct wf_address_path path[6];
	struct host a = { .n = 2 }, b = { .n = 2 };

	for (int family = 0; family < 2; family++) {
		for (int i = 0; i < 2; i++) {
			make_address(&a.address[i], family ? AF_INET6 : AF_INET,
				     0, 10 * i + 1);
			make_address(&b.address[i], family ? AF_INET6 : AF_INET,
				     0, 10 * i + 5);
			a.list[i] = &a.address[i].any;
			b.list[i] = &b.address[i].any;
		}
		for (int i = 0; i < 6; i++)
			path[i] = want[5 - i];
		wf_address_sort(path, 6, a.list, b.list);
		TAP_CHECK(!memcmp(path, want, sizeof(want)));
	}
}

static void families_differ(void)
{
	const unsigned char *bytes;
	union address a, b;

	make_address(&a, AF_INET, 1, 2);
	make_address(&b, AF_INET6, 1, 2);
	TAP_EQUAL(wf_address_bytes(&a.any, &bytes), 4);
	TAP_EQUAL(wf_address_bytes(&b.any, &bytes), 16);
	TAP_CHECK(!wf_address_same(&a.any, &b.any));
	TAP_CHECK(!wf_address_same(NULL, &a.any));
	b = a;
	b.in.sin_port = 7;
	TAP_CHECK(wf_address_same(&a.any, &b.any));
	a.any.sa_family = b.any.sa_family = AF_UNIX;
	TAP_EQUAL(wf_address_bytes(&a.any, &bytes), 0);
	TAP_CHECK(!wf_address_same(&a.any, &b.any));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "orders of both ends do not cross", orders_do_not_cross },
		{ "the best one comes first", best_first },
		{ "families differ, ports do not", families_differ },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
