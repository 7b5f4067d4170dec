/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the command line of weft-bench says. Parsed before the job is opened,
 * alike on all ranks.
 */
#ifndef WEFT_BENCH_OPTIONS_H
#define WEFT_BENCH_OPTIONS_H

#include "bench/weft_bench_cases.h"
#include "bench/weft_bench_op.h"

#include <stddef.h>

enum {
	BENCH_SIZES_MAX = 40
};

enum bench_form {
	BENCH_BLOCKING,
	BENCH_NONBLOCKING,
	BENCH_PERSISTENT
};

struct bench_options {
	enum bench_command command;
	const char *list;	/* of --sizes; NULL: the usual ones */
	size_t sizes[BENCH_SIZES_MAX];	/* bytes */
	int nsizes;
	long iterations;	/* per sample; 0: by size */
	int repeat;		/* samples */
	int width;		/* doubles of a packet */
	bool verify;
	bool json;
	enum bench_form form;
	const struct bench_type *type;	/* of reductions */
	const struct bench_op *op;
	bool heap;		/* malloc'ed buffers instead of the arena */
	const char *raw;	/* device of the raw loop; NULL: none */
	const char *transport;	/* NULL: as the environment says */
};

/* What bench_options_parse() asks its caller to do. */
enum bench_todo {
	BENCH_TODO_RUN,
	BENCH_TODO_NOTHING,	/* help or version was printed */
	BENCH_TODO_FAIL		/* the usage is wrong, and that was said */
};

/* Where talk is set; every rank parses, one of them talks. */
enum bench_todo bench_options_parse(int argc, char **argv, bool talk,
				    struct bench_options *options_p);

/* Iterations of a sample for this size. */
long bench_iterations(const struct bench_options *options, size_t bytes);

#endif
