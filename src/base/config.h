/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings of a job: what its WEFT_* variables say.
 *
 * One table holds every variable; a reader of the environment, the check of
 * unknown names, the settings hash of the boot blob and the manual page
 * (weft.7) follow it. Read once at the opening of a job, constant afterwards.
 */
#ifndef WEFT_BASE_CONFIG_H
#define WEFT_BASE_CONFIG_H

#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value that "inf" gives to a size or a time. */
#define WF_CONFIG_INF UINT64_MAX
/* The value that "auto" gives to a choice or a limit. */
#define WF_CONFIG_AUTO UINT64_MAX

enum {
	WF_CONFIG_RADIX_MAX = 16
};

/* Powers of two: a stage joins whole levels of halves. */
#define WF_CONFIG_RADICES "2, 4, 8 or 16"

/* Fields are named as their variables; sizes in bytes, times in ns. */
struct wf_config {
	char boot[16];                  /* "": what the environment shows */
	char transport[64];             /* "": all, by preference */
	char ofi_provider[64];          /* "": the best of this machine */
	char ofi_interface[128];        /* "": any that others may reach */
	char ib_devices[64];            /* "": the best of this machine */
	enum wf_log_level log;
	uint64_t coll;                  /* the radix of collectives */
	uint64_t check;
	uint64_t timeout_ns;
	uint64_t stall_ns;
	uint64_t host_timeout_ns;
	uint64_t line_max;
	uint64_t slot_max;
	uint64_t chunk;
	uint64_t arena;
	uint64_t arena_max;
	uint64_t huge_pages;
	uint64_t group_share;
	uint64_t spin;
	uint64_t sleep_ns;
	uint64_t cma;
	uint64_t ofi_ll;
	uint64_t ofi_wait;
	uint64_t ib_gid_index;
	uint64_t ib_traffic_class;
	uint64_t ib_sl;
	uint64_t ib_pkey;
	uint64_t ib_timeout;
	uint64_t ib_retry;
	uint64_t ib_rnr_retry;
	uint64_t ib_contact_ns;
	uint64_t ib_reconnect_ns;
	uint64_t ib_srq;
	uint64_t ib_sq;
	uint64_t ib_inline;
	uint64_t ib_in_order;
	uint64_t seed;
};

enum wf_config_kind {
	WF_CONFIG_INT,                  /* 12 */
	WF_CONFIG_SIZE,                 /* 65536, 64k, 1m, 2g, 1t, inf */
	WF_CONFIG_TIME,                 /* seconds: 60, 0.5, 20ms, 5us, 2m */
	WF_CONFIG_BOOL,                 /* y/n, yes/no, on/off, 1/0 */
	WF_CONFIG_STRING,               /* as it stands, of limited length */
	WF_CONFIG_ENUM,                 /* one of the words of `words` */
	WF_CONFIG_RADIX,                /* radix:8 */
	WF_CONFIG_CHOICE,               /* auto, 12, 0x8001 */
	WF_CONFIG_LIMIT,                /* auto, or a size but inf */
	WF_CONFIG_FOREIGN               /* known here, read by somebody else */
};

struct wf_config_var {
	const char *name;
	enum wf_config_kind kind;
	bool agreed;                    /* the same on all ranks of a job */
	size_t offset;                  /* of the field in struct wf_config */
	size_t bytes;                   /* of the field */
	uint64_t min;
	uint64_t max;
	const char *words;              /* "error|warn|...", values from 0 */
	const char *initial;            /* as a user would write it */
	const char *help;
};

/* All variables, in the order of the manual page. */
const struct wf_config_var *wf_config_vars(size_t *n_p);

/*
 * Fills config from an environment, defaults where it says nothing; an empty
 * value counts as nothing. WEFT_OK, or WEFT_ERR_ARG with a sentence in why
 * that names the variable, the value and what is allowed.
 */
int wf_config_read(struct wf_config *config, char *const *env, char *why,
		   size_t why_len);

/*
 * A hash over the names and values of all settings on which the ranks of a
 * job must agree.
 */
uint64_t wf_config_hash(const struct wf_config *config);

/*
 * Tells every variable of the environment that begins with WEFT_ and is not
 * in the table, with the nearest known name, NULL if none is near. Returns
 * how many there are.
 */
int wf_config_unknown(char *const *env,
		      void (*tell)(void *arg, const char *name,
				   const char *suggestion),
		      void *arg);

#endif
