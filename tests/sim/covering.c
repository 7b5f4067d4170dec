/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Covering rows, greedily: each row begins with a pair that is in none before,
 * takes for one factor after the other, in an order that is drawn, the choice
 * that brings the most new pairs, and is the best of some that are made so.
 */
#include "tests/sim/covering.h"

#include <stdlib.h>
#include <string.h>
#include "base/random.h"

enum {
	DRAFTS = 8,			/* of which one becomes a row */
	TRIES = 50,			/* for a pair, until it is given up */
	OPEN = -1			/* not chosen yet */
};

struct maker {
	const struct covering_rules *rules;
	struct wf_random random;
	int first[COVERING_FACTORS];	/* of the choices of all */
	bool wanted[COVERING_CHOICES][COVERING_CHOICES];
	int left;
};

struct pair {
	int f, a, g, b;
};

static int below(struct maker *m, int n)
{
	return (int)wf_random_below(&m->random, (uint64_t)n);
}

static bool *wanted(struct maker *m, struct pair p)
{
	return &m->wanted[m->first[p.f] + p.a][m->first[p.g] + p.b];
}

static struct pair in_order(int f, int a, int g, int b)
{
	return f < g ? (struct pair){ f, a, g, b } :
		       (struct pair){ g, b, f, a };
}

/* New pairs that a choice brings to a row; negative: it does not fit. */
static int gain(struct maker *m, const int *row, int f, int a)
{
	int sum = 0;

	for (int g = 0; g < m->rules->nfactors; g++) {
		struct pair p = in_order(f, a, g, row[g]);

		if (g == f || row[g] == OPEN)
			continue;
		if (!m->rules->allows(p.f, p.a, p.g, p.b))
			return -1;
		sum += *wanted(m, p);
	}
	return sum;
}

/* Of equally good ones any; false: none fits. */
static bool choose(struct maker *m, int *row, int f)
{
	int n = m->rules->choices[f], start = below(m, n), best = -1;

	for (int i = 0; i < n; i++) {
		int a = (start + i) % n, have = gain(m, row, f, a);

		if (have > best) {
			best = have;
			row[f] = a;
		}
	}
	return best >= 0;
}

/* Around a pair; false: some factor has no choice that fits. */
static bool draft(struct maker *m, struct pair p, int *row)
{
	int n = m->rules->nfactors, order[COVERING_FACTORS];

	for (int f = 0; f < n; f++) {
		row[f] = OPEN;
		order[f] = f;
	}
	row[p.f] = p.a;
	row[p.g] = p.b;
	for (int f = n - 1; f >= 0; f--) {
		int other = below(m, f + 1), chosen = order[other];

		order[other] = order[f];
		if (row[chosen] == OPEN && !choose(m, row, chosen))
			return false;
	}
	return true;
}

static int new_pairs(struct maker *m, const int *row)
{
	int sum = 0;

	for (int f = 0; f < m->rules->nfactors; f++)
		for (int g = f + 1; g < m->rules->nfactors; g++)
			sum += *wanted(m, (struct pair){ f, row[f],
							 g, row[g] });
	return sum;
}

static void take(struct maker *m, const int *row)
{
	m->left -= new_pairs(m, row);
	for (int f = 0; f < m->rules->nfactors; f++)
		for (int g = f + 1; g < m->rules->nfactors; g++)
			*wanted(m, (struct pair){ f, row[f],
						  g, row[g] }) = false;
}

/* The best row of some with this pair; false: there is none. */
static bool make_row(struct maker *m, struct pair p, int *row)
{
	int best = 0, made = 0;

	for (int i = 0; i < TRIES && made < DRAFTS; i++) {
		int have, other[COVERING_FACTORS];

		if (!draft(m, p, other))
			continue;
		made++;
		have = new_pairs(m, other);
		if (have > best) {
			best = have;
			memcpy(row, other, sizeof(other));
		}
	}
	return best > 0;
}

/* All pairs of two factors, from a drawn one on; false: none is wanted. */
static bool find_pair_of(struct maker *m, int f, int g, struct pair *p)
{
	int na = m->rules->choices[f], nb = m->rules->choices[g];
	int start = below(m, na * nb);

	for (int i = 0; i < na * nb; i++) {
		int at = (start + i) % (na * nb);

		*p = (struct pair){ f, at / nb, g, at % nb };
		if (*wanted(m, *p))
			return true;
	}
	return false;
}

static bool find_pair(struct maker *m, struct pair *p)
{
	int n = m->rules->nfactors, start = below(m, n * n);

	for (int i = 0; i < n * n; i++) {
		int f = (start + i) % (n * n) / n, g = (start + i) % n;

		if (f < g && find_pair_of(m, f, g, p))
			return true;
	}
	return false;
}

static void want_pairs_of(struct maker *m, int f, int g)
{
	struct pair p = { .f = f, .g = g };

	for (p.a = 0; p.a < m->rules->choices[f]; p.a++)
		for (p.b = 0; p.b < m->rules->choices[g]; p.b++) {
			*wanted(m, p) = m->rules->allows(f, p.a, g, p.b);
			m->left += *wanted(m, p);
		}
}

static void want_all(struct maker *m)
{
	for (int f = 0; f < m->rules->nfactors; f++)
		for (int g = f + 1; g < m->rules->nfactors; g++)
			want_pairs_of(m, f, g);
}

static void add(struct covering *c, const int *row)
{
	c->row = realloc(c->row, (size_t)(c->nrows + 1) * sizeof(*c->row));
	if (!c->row)
		abort();
	memcpy(c->row[c->nrows++], row, sizeof(*c->row));
}

void covering_init(struct covering *c, const struct covering_rules *rules,
		   uint64_t seed)
{
	static struct maker m;
	int row[COVERING_FACTORS] = { 0 };
	struct pair p;

	*c = (struct covering){ 0 };
	m = (struct maker){ .rules = rules };
	wf_random_init(&m.random, seed);
	for (int f = 0, n = 0; f < rules->nfactors; n += rules->choices[f++])
		m.first[f] = n;
	want_all(&m);
	while (find_pair(&m, &p)) {
		if (make_row(&m, p, row)) {
			take(&m, row);
			add(c, row);
			continue;
		}
		*wanted(&m, p) = false;
		m.left--;
		c->missed++;
	}
	c->missed += m.left;
}

void covering_fini(struct covering *c)
{
	free(c->row);
	c->row = NULL;
}
