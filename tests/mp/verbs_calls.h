/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of libibverbs by the library: a program that is linked with
 * verbs_calls.c has them come by there first.
 */
#ifndef WEFT_TESTS_MP_VERBS_CALLS_H
#define WEFT_TESTS_MP_VERBS_CALLS_H

struct verbs_calls {
	/* What a data path is made of, while quiet_watch is armed. */
	_Atomic long sends, receives, polls;	/* receives: of the SRQ */
	_Atomic long vain;		/* polls since one has found something,
					 * or this was set to 0 */
};

extern struct verbs_calls verbs_calls;

/* The program's: any other one, before it is made. */
void verbs_calls_other(const char *name);

#endif
