/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PMI-1 launcher for tests: ranks are children of the test, each with one
 * end of a socket pair; the other ends are served until all ranks have ended.
 * A script says where the launcher behaves badly.
 */
#ifndef WEFT_TESTS_UNIT_PMI_SERVER_H
#define WEFT_TESTS_UNIT_PMI_SERVER_H

#include <stddef.h>

#define PMI_RANKS_MAX 8

enum pmi_fault {
	PMI_ANSWER,     /* as PMI-1 says */
	PMI_SILENT,     /* never answer */
	PMI_CLOSE,      /* close the connection instead */
	PMI_DEAF,       /* read nothing any more */
	PMI_TEXT        /* answer with `text` */
};

struct pmi_script {
	const char *at;      /* the request it is about: "barrier_in" */
	enum pmi_fault fault;
	const char *text;
	size_t cut;          /* values are cut to so many characters; 0: not */
	const char *map;     /* PMI_process_mapping; NULL: there is none */
	const char *missing; /* what ends so is not found in the store */
};

/* What a launcher tells a rank in its environment. */
struct pmi_rank {
	char fd[24];
	char rank[24];
	char size[24];
	char *environment[4];
};

/*
 * Runs n ranks of `main`; codes[] get their exit codes (128 and more: died of
 * a signal). Returns how many bytes the longest line had that a rank sent.
 */
size_t pmi_serve(const struct pmi_script *script, int n,
		 int (*rank_main)(const struct pmi_rank *rank),
		 int codes[PMI_RANKS_MAX]);

#endif
