/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job of one rank: no launcher, the store is a list in this process. Opened
 * by boot.c when the environment shows no launcher, or by WEFT_BOOT=solo.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "boot/boot_impl.h"
#include "boot/kv.h"

struct boot_solo {
	struct wf_boot base;
	struct wf_kv kv;
	uint64_t epoch;
};

static struct boot_solo *solo_boot(struct wf_boot *boot)
{
	return (struct boot_solo *)boot;
}

static int solo_put(struct wf_boot *boot, const char *key, const void *value,
		    size_t n)
{
	struct boot_solo *solo = solo_boot(boot);
	int status = wf_kv_put(&solo->kv, solo->epoch, key, value, n);

	if (status != WEFT_OK)
		return wf_boot_fail(boot, status, "no memory for value %s of "
				    "%zu bytes", key, n);
	return WEFT_OK;
}

static int solo_fence(struct wf_boot *boot)
{
	solo_boot(boot)->epoch++;
	return WEFT_OK;
}

static int solo_get(struct wf_boot *boot, int rank, const char *key,
		    struct wf_boot_value *value)
{
	struct boot_solo *solo = solo_boot(boot);
	const struct wf_kv_entry *entry;

	entry = wf_kv_find(&solo->kv, solo->epoch, key);
	if (entry == NULL)
		return wf_boot_fail(boot, WEFT_ERR_BOOT, "rank %d has put no "
				    "value %s", rank, key);
	return wf_boot_give(boot, key, entry->bytes, entry->n, value);
}

static void solo_abort(struct wf_boot *boot, int code, const char *why)
{
	wf_error(boot->log, "job aborted with code %d: %s", code, why);
	_exit(code);
}

static int solo_close(struct wf_boot *boot)
{
	wf_kv_fini(&solo_boot(boot)->kv);
	free(boot);
	return WEFT_OK;
}

static const struct wf_boot_ops solo_ops = {
	"solo", solo_put, solo_fence, solo_get, solo_abort, solo_close,
};

int wf_boot_solo_open(const struct wf_boot_options *options,
		      struct wf_boot **boot_p, char *why, size_t why_len)
{
	struct boot_solo *solo = wf_boot_create(sizeof(*solo), &solo_ops,
						options, why, why_len);

	if (solo == NULL)
		return WEFT_ERR_NOMEM;
	solo->base.size = 1;
	solo->base.node = (struct wf_boot_node){ .count = 1, .size = 1 };
	wf_kv_init(&solo->kv);
	*boot_p = &solo->base;
	return WEFT_OK;
}
