/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs that look drawn and are a function of a seed, so that all ranks and a
 * serial model have them without a word to each other: with duplicate and self
 * edges, and ranks without any.
 */
#ifndef WEFT_TESTS_DRAWN_H
#define WEFT_TESTS_DRAWN_H

#include <stdint.h>
#include <weft/group.h>

/* A number from three others. */
static inline uint64_t drawn_mix(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t x = a * 0x9e3779b97f4a7c15 + b * 0xbf58476d1ce4e5b9 +
		     c * 0x94d049bb133111eb + 1;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* All edges of so many ranks: at most three for each; how many. */
static inline int drawn_edges(uint64_t seed, int ranks, int *from, int *to)
{
	uint64_t size = (uint64_t)ranks;
	int n = (int)(drawn_mix(seed, 1, 0) % (3 * size + 1));

	for (int e = 0; e < n; e++) {
		from[e] = (int)(drawn_mix(seed, 2, (uint64_t)e) % size);
		to[e] = (int)(drawn_mix(seed, 3, (uint64_t)e) % size);
	}
	return n;
}

/*
 * Behind n edges, of every second graph: one from each rank to nobody, and one
 * there from nobody; how many all are.
 */
static inline int drawn_nobodys(uint64_t seed, int ranks, int n, int *from,
				int *to)
{
	for (int r = 0; drawn_mix(seed, 4, 0) % 2 && r < ranks; r++) {
		from[n] = r;
		to[n++] = WEFT_PROC_NULL;
		from[n] = WEFT_PROC_NULL;
		to[n++] = r;
	}
	return n;
}

/* Edge e gets between n others, which keep their order; how many they are. */
static inline int drawn_between(uint64_t seed, int e, int n, int *list)
{
	int at = (int)(drawn_mix(seed, 5, (uint64_t)e) % ((uint64_t)n + 1));

	for (int i = n; i > at; i--)
		list[i] = list[i - 1];
	list[at] = e;
	return n + 1;
}

/* Those that leave a rank, in the order of all n; how many. */
static inline int drawn_outs(int me, int n, const int *from, int *out)
{
	int nout = 0;

	for (int e = 0; e < n; e++)
		if (from[e] == me)
			out[nout++] = e;
	return nout;
}

/* Those that reach one of so many, sender by sender, from the one below on. */
static inline int drawn_ins(int me, int ranks, int n, const int *from,
			    const int *to, int *in)
{
	int nin = 0;

	for (int k = 1; k <= ranks; k++)
		for (int e = 0; e < n; e++)
			if (to[e] == me && from[e] == (me + ranks - k) % ranks)
				in[nin++] = e;
	return nin;
}

#endif
