/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call is given, and what is wanted: see play_memory.h. */
#include "tests/coll/play_memory.h"

#include <stdlib.h>
#include <string.h>

enum {
	GIVEN = 0x11,			/* in the gaps of what is given */
	UNTOUCHED = 0x77		/* and of what is got, and behind it */
};

static bool is_root(const struct play_memory *m, const struct deed *d)
{
	return m->me == d->root;
}

/* Is what all ranks have got by this rank? */
static bool gets_all(const struct play_memory *m, const struct deed *d)
{
	return d->what == ALLGATHER || d->what == ALLGATHERV ||
	       ((d->what == GATHER || d->what == GATHERV) && is_root(m, d));
}

static bool scatters(const struct deed *d)
{
	return d->what == SCATTER || d->what == SCATTERV;
}

/* Room for what goes to all, or comes from them, each with its own number. */
static size_t all_pairs(const struct play_memory *m, const struct deed *d,
			bool gives)
{
	size_t n = (size_t)d->size;

	for (int r = 0; r < d->size; r++)
		n += gives ? play_pair(d, m->me, r) : play_pair(d, r, m->me);
	return n;
}

/* Elements that this rank gives, and those that it has room for to get. */
static size_t gives(const struct play_memory *m, const struct deed *d)
{
	if (play_is_parted(d))
		return play_before(d, d->size);
	if (d->what == ALLTOALLV)
		return all_pairs(m, d, true);
	if (d->what == ALLTOALL)
		return d->n * (size_t)d->size;
	if (scatters(d))
		return is_root(m, d) ? play_before(d, d->size) +
				       (size_t)d->size : 0;
	return d->what == BARRIER || d->what == BCAST ?
	       0 : play_count(d, m->me);
}

static size_t gets(const struct play_memory *m, const struct deed *d)
{
	if (gets_all(m, d))
		return play_before(d, d->size) + (size_t)d->size;
	if (play_is_parted(d))
		return d->in_place ? play_before(d, d->size) :
				     play_count(d, m->me);
	if (d->what == ALLTOALLV)
		return all_pairs(m, d, false);
	if (d->what == ALLTOALL)
		return d->n * (size_t)d->size;
	if (d->what == BARRIER || d->what == GATHER || d->what == GATHERV ||
	    (d->what == REDUCE && !is_root(m, d)))
		return 0;
	return play_count(d, m->me);
}

/* With room behind them. */
static size_t bytes_of(const struct play_memory *m, size_t n)
{
	return n * m->values->stride + m->values->reach + PLAY_WIDEST;
}

static char *at(const struct play_memory *m, char *base, size_t i)
{
	return base + i * m->values->stride;
}

/* What a rank gives, from its first element on. */
static void give(const struct play_memory *m, const struct deed *d, int rank,
		 size_t n, char *to)
{
	m->values->give(m->values, d, rank, 0, n, to);
}

/* Of pairs each has values of its own: what this rank gives, or gets. */
static void fill_pairs(const struct play_memory *m, const struct deed *d,
		       char *to, bool gives)
{
	const struct play_values *v = m->values;

	for (int r = 0; r < d->size; r++) {
		char *part = at(m, to, play_pair_place(d, m->me, r, gives));

		if (gives)
			v->give(v, d, m->me, (size_t)r * d->n,
				play_pair(d, m->me, r), part);
		else
			v->give(v, d, r, (size_t)m->me * d->n,
				play_pair(d, r, m->me), part);
	}
}

/* A scatter gives rank r what another call would take from it. */
static void fill_given(const struct play_memory *m, const struct deed *d,
		       char *to)
{
	memset(to, GIVEN, bytes_of(m, gives(m, d)));
	if (d->what == ALLTOALLV)
		fill_pairs(m, d, to, true);
	else if (scatters(d) && is_root(m, d))
		for (int r = 0; r < d->size; r++)
			give(m, d, r, play_count(d, r),
			     at(m, to, play_place(d, r)));
	else
		give(m, d, m->me, gives(m, d), to);
}

/* What is in place, or the vector of a broadcast. */
static void fill_got(const struct play_memory *m, const struct deed *d,
		     char *to)
{
	memset(to, UNTOUCHED, bytes_of(m, gets(m, d)));
	if (d->what == BCAST && is_root(m, d))
		give(m, d, m->me, d->n, to);
	else if (d->in_place && d->what == ALLTOALLV)
		fill_pairs(m, d, to, true);
	else if (d->in_place && gets_all(m, d))
		give(m, d, m->me, play_count(d, m->me),
		     at(m, to, play_place(d, m->me)));
	else if (d->in_place && !scatters(d))
		give(m, d, m->me, gets(m, d), to);
}

/* Of memory that nothing is written to: as it was before. */
static bool stays(const struct play_memory *m, const struct deed *d)
{
	if (d->what == EXSCAN)
		return m->me == 0;
	return scatters(d) && d->in_place && is_root(m, d);
}

/* Each rank has its own part. */
static void fill_parts(const struct play_memory *m, const struct deed *d,
		       char *to)
{
	const struct play_values *v = m->values;

	for (int r = 0; r < d->size; r++)
		if (d->what == ALLTOALL)
			v->give(v, d, r, d->n * (size_t)m->me, d->n,
				at(m, to, (size_t)r * d->n));
		else
			give(m, d, r, play_count(d, r),
			     at(m, to, play_place(d, r)));
}

static void fill_combined(const struct play_memory *m, const struct deed *d,
			  char *to)
{
	const struct play_values *v = m->values;
	int end = d->what == SCAN ? m->me + 1 :
		  d->what == EXSCAN ? m->me : d->size;
	size_t first = play_is_parted(d) ? play_before(d, m->me) : 0;
	size_t n = play_is_parted(d) ? play_count(d, m->me) : gets(m, d);

	if (n)
		v->fold(v, d, end, first, n, to);
}

/* What is there in the end, in place of what was there. */
static void fill_wanted(const struct play_memory *m, const struct deed *d,
			char *to)
{
	fill_got(m, d, to);
	if (stays(m, d))
		return;
	if (d->what == ALLTOALLV)
		fill_pairs(m, d, to, false);
	else if (d->what == ALLTOALL || gets_all(m, d))
		fill_parts(m, d, to);
	else if (d->what == BCAST || scatters(d))
		give(m, d, d->what == BCAST ? d->root : m->me, gets(m, d), to);
	else
		fill_combined(m, d, to);
}

void play_memory_init(struct play_memory *m, const struct play_values *values,
		      const struct deed *d, int me)
{
	m->values = values;
	m->me = me;
	m->given = malloc(bytes_of(m, gives(m, d)));
	m->got = malloc(bytes_of(m, gets(m, d)));
	if (!m->given || !m->got)
		abort();
}

void play_memory_fini(struct play_memory *m)
{
	free(m->given);
	free(m->got);
	m->given = m->got = NULL;
}

void play_memory_fill(const struct play_memory *m, const struct deed *d)
{
	fill_given(m, d, m->given);
	fill_got(m, d, m->got);
}

/* Bytes without meaning are whatever they are. */
static void settle(const struct play_values *v, char *memory, size_t bytes)
{
	for (size_t i = 0; v->meant && i + v->stride <= bytes; i += v->stride)
		memset(memory + i + v->meant, 0, v->stride - v->meant);
}

const char *play_memory_check(const struct play_memory *m,
			      const struct deed *d)
{
	size_t given = bytes_of(m, gives(m, d)), got = bytes_of(m, gets(m, d));
	char *want = malloc(given > got ? given : got);
	const char *why = NULL;

	if (!want)
		abort();
	fill_given(m, d, want);
	if (memcmp(want, m->given, given))
		why = "what was given has changed";
	fill_wanted(m, d, want);
	settle(m->values, want, got);
	settle(m->values, m->got, got);
	if (memcmp(want, m->got, got))
		why = "not what is wanted";
	free(want);
	return why;
}
