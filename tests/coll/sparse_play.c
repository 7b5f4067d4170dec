/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse exchanges that follow from a number: see sparse_play.h. */
#include "tests/coll/sparse_play.h"

#include <stdlib.h>
#include <string.h>

/* Mixes three numbers, the same way everywhere. */
static uint64_t mix(const struct sparse_deed *d, int from, int i)
{
	uint64_t x = d->number * UINT64_C(0x9e3779b97f4a7c15) +
		     (uint64_t)from * UINT64_C(0xbf58476d1ce4e5b9) +
		     (uint64_t)i * UINT64_C(0x94d049bb133111eb) + 1;

	x = (x ^ x >> 31) * UINT64_C(0x7fb5d329728ea185);
	x = (x ^ x >> 27) * UINT64_C(0x81dadef4bc2dd44d);
	return x ^ x >> 33;
}

/* Of one to all, and of all to one. */
static int root(const struct sparse_deed *d)
{
	return (int)(d->number % (uint64_t)d->size);
}

int sparse_count(const struct sparse_deed *d, int from)
{
	switch (d->pattern) {
	case SPARSE_DRAWN:
		return (int)(mix(d, from, -1) % 8);
	case SPARSE_ONE_TO_ALL:
		return from == root(d) ? d->size : 0;
	case SPARSE_ALL_TO_ONE:
	case SPARSE_SELF:
		return 1;
	case SPARSE_NEIGHBORS:
		return 2;
	case SPARSE_NOBODY:
	case SPARSE_PATTERNS:
		break;
	}
	return 0;
}

int sparse_target(const struct sparse_deed *d, int from, int i)
{
	switch (d->pattern) {
	case SPARSE_DRAWN:
		return (int)(mix(d, from, i) % (uint64_t)d->size);
	case SPARSE_ONE_TO_ALL:
		return d->size - 1 - i;
	case SPARSE_ALL_TO_ONE:
		return root(d);
	case SPARSE_NEIGHBORS:
		return (from + (i ? d->size - 1 : 1)) % d->size;
	default:
		return from;
	}
}

/* Often none, and mostly few. */
size_t sparse_bytes(const struct sparse_deed *d, int from, int i)
{
	uint64_t x = mix(d, from, i + 1000);

	switch (x % 8) {
	case 0:
		return 0;
	case 1:
		return x / 8 % (d->most + 1);
	default:
		return x / 8 % (d->most < 40 ? d->most + 1 : 40);
	}
}

static unsigned char content(const struct sparse_deed *d, int from, int i,
			     size_t k)
{
	return (unsigned char)(d->number + (uint64_t)from * 37 +
			       (uint64_t)i * 101 + k * 7 + k / 251);
}

static void *make(size_t bytes)
{
	void *memory = malloc(bytes + 1);

	if (!memory)
		abort();
	return memory;
}

void sparse_play_init(struct sparse_play *p, const struct sparse_deed *d,
		      int me)
{
	int n = sparse_count(d, me);
	size_t all = 0;

	memset(p, 0, sizeof(*p));
	p->ranks = make((size_t)n * sizeof(*p->ranks));
	p->bytes = make((size_t)n * sizeof(*p->bytes));
	for (int i = 0; i < n; i++) {
		p->ranks[i] = sparse_target(d, me, i);
		p->bytes[i] = sparse_bytes(d, me, i);
		all += p->bytes[i];
	}
	p->base = make(all);
	all = 0;
	for (int i = 0; i < n; i++)
		for (size_t k = 0; k < p->bytes[i]; k++)
			p->base[all++] = content(d, me, i, k);
	p->send = (struct weft_sparse){
		.n = n, .ranks = n ? p->ranks : NULL,
		.bytes = n ? p->bytes : NULL, .base = all ? p->base : NULL
	};
}

void sparse_play_fini(struct sparse_play *p)
{
	free(p->ranks);
	free(p->bytes);
	free(p->base);
	weft_sparse_free(&p->got);
}

static bool is_it(const struct sparse_deed *d, int from, int i,
		  const unsigned char *at, size_t bytes)
{
	for (size_t k = 0; k < bytes; k++)
		if (at[k] != content(d, from, i, k))
			return false;
	return bytes == sparse_bytes(d, from, i);
}

bool sparse_play_check(const struct sparse_play *p,
		       const struct sparse_deed *d, int me)
{
	const unsigned char *at = p->got.base;
	int got = 0;

	for (int from = 0; from < d->size; from++) {
		int n = sparse_count(d, from);

		for (int i = 0; i < n; i++) {
			if (sparse_target(d, from, i) != me)
				continue;
			if (got == p->got.n || p->got.ranks[got] != from ||
			    !is_it(d, from, i, at, p->got.bytes[got]))
				return false;
			at += p->got.bytes[got++];
		}
	}
	return got == p->got.n;
}
