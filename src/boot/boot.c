/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry to boot/: checks arguments, picks the way, forwards to its table,
 * and answers from the node map. Called by job/ and by the launcher's tests.
 *
 * A process joins its launcher's job once, whatever the launcher speaks:
 * `taken` is a mutable static, and a second job on the launcher is refused.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config.h"
#include "boot/boot_impl.h"

static atomic_flag taken = ATOMIC_FLAG_INIT;

void *wf_boot_create(size_t bytes, const struct wf_boot_ops *ops,
		     const struct wf_boot_options *options, char *why,
		     size_t why_len)
{
	struct wf_boot *boot = calloc(1, bytes);

	if (boot == NULL) {
		snprintf(why, why_len, "no memory to open a job");
		return NULL;
	}
	boot->ops = ops;
	boot->log = options->log;
	boot->timeout_ns = options->config->timeout_ns;
	boot->tick = options->tick;
	boot->tick_arg = options->tick_arg;
	return boot;
}

int wf_boot_take_launcher(struct wf_boot *boot)
{
	if (!atomic_flag_test_and_set(&taken))
		return WEFT_OK;
	return wf_boot_fail(boot, WEFT_ERR_BOOT, "this process has opened its "
			    "launcher's job already; it can do so once");
}

void wf_boot_tick(const struct wf_boot *boot, const char *what)
{
	if (boot->tick != NULL)
		boot->tick(boot->tick_arg, what);
}

int wf_boot_fail(struct wf_boot *boot, int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(boot->why, sizeof(boot->why), format, args);
	va_end(args);
	return status;
}

int wf_boot_give(struct wf_boot *boot, const char *key, const void *bytes,
		 size_t n, struct wf_boot_value *value)
{
	if (n > value->max)
		return wf_boot_fail(boot, WEFT_ERR_SIZE, "value %s has %zu "
				    "bytes, more than the %zu expected", key,
				    n, value->max);
	if (n > 0)
		memcpy(value->bytes, bytes, n);
	value->n = n;
	return WEFT_OK;
}

const char *wf_boot_variable(const struct wf_boot_options *options,
			     const char *name)
{
	char *const *entry = options->environ != NULL ? options->environ :
							environ;
	size_t n = strlen(name);

	for (; *entry != NULL; entry++)
		if (strncmp(*entry, name, n) == 0 && (*entry)[n] == '=' &&
		    (*entry)[n + 1] != '\0')
			return *entry + n + 1;
	return NULL;
}

int wf_boot_open(const struct wf_boot_options *options, struct wf_boot **boot_p,
		 char *why, size_t why_len)
{
	enum wf_boot_way way;
	int status;

	status = wf_boot_choose(options, &way, why, why_len);
	if (status != WEFT_OK)
		return status;
	switch (way) {
	case WF_BOOT_PMIX:
		return wf_boot_pmix_open(options, boot_p, why, why_len);
	case WF_BOOT_PMI:
		return wf_boot_pmi_open(options, boot_p, why, why_len);
	case WF_BOOT_INPROC:
		return wf_boot_inproc_open(options, boot_p, why, why_len);
	case WF_BOOT_SOLO:
		return wf_boot_solo_open(options, boot_p, why, why_len);
	}
	snprintf(why, why_len, "no such way to join a job");
	return WEFT_ERR_INTERNAL;
}

int wf_boot_close(struct wf_boot *boot)
{
	return boot->ops->close(boot);
}

void wf_boot_abort(struct wf_boot *boot, int code, const char *why)
{
	/* A code that a shell would take for success is no abort. */
	boot->ops->abort(boot, (code & 0xff) != 0 ? code & 0xff : 1, why);
}

static int check_key(struct wf_boot *boot, const char *key)
{
	size_t n = strnlen(key, WF_BOOT_KEY_MAX + 1);
	size_t i;

	for (i = 0; i < n && key[i] > ' ' && key[i] < 0x7f; i++)
		;
	if (n > 0 && n <= WF_BOOT_KEY_MAX && i == n)
		return WEFT_OK;
	return wf_boot_fail(boot, WEFT_ERR_ARG, "a key of the boot store has 1 "
			    "to %d printable characters", WF_BOOT_KEY_MAX);
}

int wf_boot_put(struct wf_boot *boot, const char *key, const void *value,
		size_t n)
{
	int status = check_key(boot, key);

	if (status != WEFT_OK)
		return status;
	return boot->ops->put(boot, key, value, n);
}

int wf_boot_fence(struct wf_boot *boot)
{
	return boot->ops->fence(boot);
}

int wf_boot_get(struct wf_boot *boot, int rank, const char *key, void *value,
		size_t max, size_t *n_p)
{
	struct wf_boot_value found = { .bytes = value, .max = max, .n = 0 };
	int status = check_key(boot, key);

	if (status != WEFT_OK)
		return status;
	if (rank < 0 || rank >= boot->size)
		return wf_boot_fail(boot, WEFT_ERR_RANGE, "there is no rank %d "
				    "in a job of %d", rank, boot->size);
	status = boot->ops->get(boot, rank, key, &found);
	if (status == WEFT_OK)
		*n_p = found.n;
	return status;
}

int wf_boot_rank(const struct wf_boot *boot)
{
	return boot->rank;
}

static const int *fact(const struct wf_boot_fact *f)
{
	return f->told ? &f->value : NULL;
}

const int *wf_boot_universe_size(const struct wf_boot *boot)
{
	return fact(&boot->universe_size);
}

const int *wf_boot_appnum(const struct wf_boot *boot)
{
	return fact(&boot->appnum);
}

int wf_boot_size(const struct wf_boot *boot)
{
	return boot->size;
}

const char *wf_boot_name(const struct wf_boot *boot)
{
	return boot->ops->name;
}

const char *wf_boot_why(const struct wf_boot *boot)
{
	return boot->why;
}

int wf_boot_node_size(const struct wf_boot *boot)
{
	return boot->node.size;
}

int wf_boot_node_rank(const struct wf_boot *boot)
{
	return wf_boot_node_index(boot, boot->rank);
}

int wf_boot_node_count(const struct wf_boot *boot)
{
	return boot->node.count;
}

int wf_boot_node_member(const struct wf_boot *boot, int i)
{
	const struct wf_boot_node *node = &boot->node;

	if (i < 0 || i >= node->size)
		return -1;
	return node->ranks != NULL ? node->ranks[i] : node->first + i;
}

int wf_boot_node_index(const struct wf_boot *boot, int world_rank)
{
	const struct wf_boot_node *node = &boot->node;
	int low = 0;
	int high = node->size;

	while (low < high) {
		int middle = low + (high - low) / 2;
		int rank = wf_boot_node_member(boot, middle);

		if (rank == world_rank)
			return middle;
		if (rank < world_rank)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}
