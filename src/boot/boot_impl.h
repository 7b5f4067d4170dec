/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ways of boot/ share; nobody outside of this room includes it.
 *
 * Each way embeds struct wf_boot as its first member, fills it in its open
 * call, and is reached through its table afterwards. boot.c has checked the
 * arguments (rank in range, key well-formed) before an op is called.
 */
#ifndef WEFT_BOOT_BOOT_IMPL_H
#define WEFT_BOOT_BOOT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/boot.h"

#define WF_BOOT_KEY_MAX 31

/* Where the value of a get goes; n is its length once it is found. */
struct wf_boot_value {
	void *bytes;
	size_t max;
	size_t n;
};

struct wf_boot_ops {
	const char *name;
	int (*put)(struct wf_boot *boot, const char *key, const void *value,
		   size_t n);
	int (*fence)(struct wf_boot *boot);
	int (*get)(struct wf_boot *boot, int rank, const char *key,
		   struct wf_boot_value *value);
	void (*abort)(struct wf_boot *boot, int code, const char *why);
	int (*close)(struct wf_boot *boot); /* frees the boot */
};

/*
 * The ranks of my node, ascending: `ranks`, or if that is NULL the `size`
 * consecutive ones from `first` on.
 */
struct wf_boot_node {
	int count; /* nodes of the job */
	int size;
	int first;
	int *ranks; /* malloc, freed by the way that set it */
};

struct wf_boot_fact {
	bool told;
	int value;
};

struct wf_boot {
	const struct wf_boot_ops *ops;
	const struct wf_log *log;
	uint64_t timeout_ns;
	wf_boot_tick_fn *tick;
	void *tick_arg;
	int rank;
	int size;
	struct wf_boot_node node;
	struct wf_boot_fact universe_size, appnum;
	char why[512];
};

enum wf_boot_way { WF_BOOT_PMIX, WF_BOOT_PMI, WF_BOOT_INPROC, WF_BOOT_SOLO };

/* Which way to go; why: the refusal and its remedy. */
int wf_boot_choose(const struct wf_boot_options *options,
		   enum wf_boot_way *way_p, char *why, size_t why_len);

int wf_boot_pmix_open(const struct wf_boot_options *options,
		      struct wf_boot **boot_p, char *why, size_t why_len);
int wf_boot_pmi_open(const struct wf_boot_options *options,
		     struct wf_boot **boot_p, char *why, size_t why_len);
int wf_boot_inproc_open(const struct wf_boot_options *options,
			struct wf_boot **boot_p, char *why, size_t why_len);
int wf_boot_solo_open(const struct wf_boot_options *options,
		      struct wf_boot **boot_p, char *why, size_t why_len);

/*
 * A boot of `bytes` bytes that begins with a struct wf_boot, zero but for what
 * the options say, for free(). NULL: WEFT_ERR_NOMEM, and `why` says so.
 */
void *wf_boot_create(size_t bytes, const struct wf_boot_ops *ops,
		     const struct wf_boot_options *options, char *why,
		     size_t why_len);

/* What a process has once; WEFT_ERR_BOOT: it has had it. */
int wf_boot_take_launcher(struct wf_boot *boot) WEFT_MUST_CHECK;

/* A variable of the launcher: where the options say, else of the process. */
const char *wf_boot_variable(const struct wf_boot_options *options,
			     const char *name);

/* To be called each WF_BOOT_TICK_NS of a wait. */
void wf_boot_tick(const struct wf_boot *boot, const char *what);

/* Writes the sentence of a failure into the boot; returns the status. */
int wf_boot_fail(struct wf_boot *boot, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Copies a found value out; a value that does not fit is WEFT_ERR_SIZE. */
int wf_boot_give(struct wf_boot *boot, const char *key, const void *bytes,
		 size_t n, struct wf_boot_value *value);

#endif
