/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings of a job.
 *
 * Owns the table of all WEFT_* variables. Called once at the opening of a job.
 * Defaults go through the same parsers as what a user writes, so the table
 * cannot hold a value that a user could not set.
 */
#include "base/config.h"

#include "base/assert.h"
#include "base/config_parse.h"
#include "base/hash.h"
#include "base/text.h"

#include <string.h>
#include <weft/status.h>

#define FIELD(field) \
	offsetof(struct wf_config, field), \
	sizeof(((struct wf_config *)0)->field)

#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define TIB (1ull << 40)
#define MS 1000000ull

static const struct wf_config_var vars[] = {
	{ "WEFT_BOOT", WF_CONFIG_STRING, false, FIELD(boot), 0, 0, NULL, "",
	  "how ranks find each other: pmix, pmi or solo" },
	{ "WEFT_TRANSPORT", WF_CONFIG_STRING, true, FIELD(transport), 0, 0,
	  NULL, "",
	  "transports that may be used, or ^ and those to leave out" },
	{ "WEFT_OFI_PROVIDER", WF_CONFIG_STRING, false, FIELD(ofi_provider),
	  0, 0, NULL, "",
	  "providers of libfabric to use, or ^ and those to leave out" },
	{ "WEFT_OFI_INTERFACE", WF_CONFIG_STRING, false, FIELD(ofi_interface),
	  0, 0, NULL, "",
	  "interfaces that libfabric may use, or ^ and those to leave out" },
	{ "WEFT_OFI_LL", WF_CONFIG_BOOL, true, FIELD(ofi_ll), 0, 1, NULL, "n",
	  "lines without the help of a provider's order of bytes" },
	{ "WEFT_OFI_WAIT", WF_CONFIG_BOOL, false, FIELD(ofi_wait), 0, 1, NULL,
	  "n", "waits that sleep are woken by a completion of libfabric" },
	{ "WEFT_IB_DEVICES", WF_CONFIG_STRING, false, FIELD(ib_devices), 0, 0,
	  NULL, "", "RDMA devices to use, or ^ and those to leave out" },
	{ "WEFT_IB_GID_INDEX", WF_CONFIG_CHOICE, false, FIELD(ib_gid_index),
	  0, 255, NULL, "auto", "index of the GID of an RDMA port, or auto" },
	{ "WEFT_IB_TRAFFIC_CLASS", WF_CONFIG_CHOICE, false,
	  FIELD(ib_traffic_class), 0, 255, NULL, "auto",
	  "traffic class of RDMA packets, or auto" },
	{ "WEFT_IB_SL", WF_CONFIG_INT, false, FIELD(ib_sl), 0, 15, NULL, "0",
	  "service level of RDMA packets" },
	{ "WEFT_IB_PKEY", WF_CONFIG_CHOICE, false, FIELD(ib_pkey), 0, 65535,
	  NULL, "auto", "partition key of an RDMA port, or auto" },
	{ "WEFT_IB_TIMEOUT", WF_CONFIG_INT, false, FIELD(ib_timeout), 1, 31,
	  NULL, "18", "an RDMA packet is resent after 4.096 us * 2^this" },
	{ "WEFT_IB_RETRY", WF_CONFIG_INT, false, FIELD(ib_retry), 0, 7, NULL,
	  "7", "times that RDMA packets are resent" },
	{ "WEFT_IB_RNR_RETRY", WF_CONFIG_INT, false, FIELD(ib_rnr_retry), 0, 7,
	  NULL, "7", "resends to a peer without receive buffers; 7: for ever" },
	{ "WEFT_IB_CONTACT", WF_CONFIG_TIME, false, FIELD(ib_contact_ns),
	  0, WF_CONFIG_INF, NULL, "600",
	  "seconds for which a peer is called over RDMA without an answer" },
	{ "WEFT_IB_RECONNECT", WF_CONFIG_TIME, false, FIELD(ib_reconnect_ns),
	  0, WF_CONFIG_INF, NULL, "30",
	  "seconds in which a lost RDMA path is made anew" },
	{ "WEFT_IB_SRQ", WF_CONFIG_INT, false, FIELD(ib_srq), 32, 65536, NULL,
	  "1024", "receive buffers of an RDMA device" },
	{ "WEFT_IB_SQ", WF_CONFIG_INT, false, FIELD(ib_sq), 16, 64, NULL,
	  "64", "posts under way to a peer over RDMA: 16, 32 or 64" },
	{ "WEFT_IB_INLINE", WF_CONFIG_INT, false, FIELD(ib_inline), 8, 128,
	  NULL, "128", "bytes that go inside of an RDMA work request" },
	{ "WEFT_IB_IN_ORDER", WF_CONFIG_BOOL, false, FIELD(ib_in_order), 0, 1,
	  NULL, "n", "RDMA devices write the bytes of a line in order" },
	/* never measured: all ranks have the same partners */
	{ "WEFT_COLL", WF_CONFIG_RADIX, true, FIELD(coll), 2,
	  WF_CONFIG_RADIX_MAX, NULL, "radix:8",
	  "radix of collectives, as radix:N with N " WF_CONFIG_RADICES },
	{ "WEFT_CHECK", WF_CONFIG_INT, true, FIELD(check), 0, 2, NULL, "1",
	  "argument checks: 0 none, 1 local ones, 2 across ranks, and leaks" },
	{ "WEFT_LOG", WF_CONFIG_ENUM, false, FIELD(log), 0, 4,
	  "error|warn|info|debug|trace", "warn", "what is written to stderr" },
	{ "WEFT_TIMEOUT", WF_CONFIG_TIME, false, FIELD(timeout_ns), MS,
	  WF_CONFIG_INF, NULL, "60", "seconds that start-up may take" },
	{ "WEFT_STALL", WF_CONFIG_TIME, false, FIELD(stall_ns), MS,
	  WF_CONFIG_INF, NULL, "30",
	  "seconds until a wait says what it waits for" },
	{ "WEFT_HOST_TIMEOUT", WF_CONFIG_TIME, false, FIELD(host_timeout_ns),
	  MS, WF_CONFIG_INF, NULL, "30",
	  "seconds of silence after which a host counts as lost" },
	{ "WEFT_LINE_MAX", WF_CONFIG_SIZE, true, FIELD(line_max), 0, 56, NULL,
	  "56", "most bytes of a message that travels as a line" },
	{ "WEFT_SLOT_MAX", WF_CONFIG_LIMIT, true, FIELD(slot_max), 0, 64 * MIB,
	  NULL, "auto", "most bytes of a message that lands in a slot; auto: "
	  "as fits the backend" },
	{ "WEFT_CHUNK", WF_CONFIG_LIMIT, true, FIELD(chunk), 64, 64 * MIB, NULL,
	  "auto", "bytes of a slot for a part of a long message" },
	{ "WEFT_ARENA", WF_CONFIG_SIZE, false, FIELD(arena), 64 * KIB, TIB,
	  NULL, "1m", "bytes of shared memory at the start of a process" },
	{ "WEFT_ARENA_MAX", WF_CONFIG_SIZE, false, FIELD(arena_max), MIB,
	  64 * TIB, NULL, "64g", "bytes to which that memory may grow" },
	{ "WEFT_HUGE_PAGES", WF_CONFIG_BOOL, false, FIELD(huge_pages), 0, 1,
	  NULL, "n", "that memory in huge pages of the system" },
	{ "WEFT_GROUP_SHARE", WF_CONFIG_SIZE, false, FIELD(group_share), 0,
	  WF_CONFIG_INF, NULL, "4k",
	  "bytes of a group's table above which a node holds it once" },
	{ "WEFT_SPIN", WF_CONFIG_INT, false, FIELD(spin), 0, UINT64_MAX, NULL,
	  "1000", "fruitless looks before a wait yields its core" },
	{ "WEFT_SLEEP", WF_CONFIG_TIME, false, FIELD(sleep_ns), 0,
	  WF_CONFIG_INF, NULL, "2ms",
	  "fruitless time after which a wait sleeps" },
	{ "WEFT_CMA", WF_CONFIG_BOOL, false, FIELD(cma), 0, 1, NULL, "n",
	  "copies by the kernel into heap memory of the same node" },
	{ "WEFT_SEED", WF_CONFIG_INT, true, FIELD(seed), 0, UINT64_MAX, NULL,
	  "0", "seed of the random numbers of a job" },
	{ "WEFT_TEST_DATA", WF_CONFIG_FOREIGN, false, 0, 0, 0, 0, NULL, NULL,
	  "directory of matrices for the demo and the tests" },
	{ "WEFT_CC", WF_CONFIG_FOREIGN, false, 0, 0, 0, 0, NULL, NULL,
	  "compiler that weftcc calls" },
	{ "WEFT_CXX", WF_CONFIG_FOREIGN, false, 0, 0, 0, 0, NULL, NULL,
	  "compiler that weftcxx calls" },
};

#define VARS (sizeof(vars) / sizeof(vars[0]))

const struct wf_config_var *wf_config_vars(size_t *n_p)
{
	*n_p = VARS;
	return vars;
}

/* The value of a variable; NULL if it is not set or empty. */
static const char *look_up(char *const *env, const char *name)
{
	size_t n = strlen(name);

	for (; env && *env; env++) {
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
			return (*env)[n + 1] ? *env + n + 1 : NULL;
	}
	return NULL;
}

static bool parse_number(const struct wf_config_var *var, const char *text,
			 uint64_t *value_p)
{
	switch (var->kind) {
	case WF_CONFIG_INT:
		return wf_config_parse_int(text, value_p);
	case WF_CONFIG_SIZE:
		return wf_config_parse_size(text, value_p);
	case WF_CONFIG_TIME:
		return wf_config_parse_time(text, value_p);
	case WF_CONFIG_BOOL:
		return wf_config_parse_bool(text, value_p);
	case WF_CONFIG_ENUM:
		return wf_config_parse_enum(text, var->words, value_p);
	case WF_CONFIG_RADIX:
		return wf_config_parse_radix(text, value_p);
	case WF_CONFIG_CHOICE:
		return wf_config_parse_choice(text, value_p);
	case WF_CONFIG_LIMIT:
		return wf_config_parse_limit(text, value_p);
	case WF_CONFIG_STRING:
	case WF_CONFIG_FOREIGN:
		break;
	}
	return false;
}

static bool in_range(const struct wf_config_var *var, uint64_t value)
{
	if (value == WF_CONFIG_AUTO && (var->kind == WF_CONFIG_CHOICE ||
					var->kind == WF_CONFIG_LIMIT))
		return true;
	return value >= var->min && value <= var->max;
}

/* Stores what text says; false: it is not allowed. */
static bool store(struct wf_config *config, const struct wf_config_var *var,
		  const char *text)
{
	char *field = (char *)config + var->offset;
	uint64_t value;

	if (var->kind == WF_CONFIG_STRING) {
		if (strlen(text) >= var->bytes)
			return false;
		memcpy(field, text, strlen(text) + 1);
		return true;
	}
	if (!parse_number(var, text, &value) || !in_range(var, value))
		return false;
	if (var->kind == WF_CONFIG_ENUM)
		config->log = (enum wf_log_level)value;
	else
		memcpy(field, &value, sizeof(value));
	return true;
}

static void add_bound(uint64_t value, char *why, size_t why_len)
{
	static const char suffix[] = " kmgt";
	int step = 0;

	if (value == WF_CONFIG_INF) {
		wf_text_add(why, why_len, "inf");
		return;
	}
	while (value >= KIB && value % KIB == 0 && suffix[step + 1]) {
		value /= KIB;
		step++;
	}
	wf_text_add(why, why_len, "%llu", (unsigned long long)value);
	if (step)
		wf_text_add(why, why_len, "%c", suffix[step]);
}

static void explain(const struct wf_config_var *var, const char *text,
		    char *why, size_t why_len)
{
	if (why_len)
		why[0] = '\0';
	wf_text_add(why, why_len, "%s is \"%.100s\": ", var->name, text);
	switch (var->kind) {
	case WF_CONFIG_INT:
		wf_text_add(why, why_len, "expected a whole number from %llu"
			    " to %llu", (unsigned long long)var->min,
			    (unsigned long long)var->max);
		break;
	case WF_CONFIG_SIZE:
	case WF_CONFIG_LIMIT:
		wf_text_add(why, why_len, "expected %sa size from ",
			    var->kind == WF_CONFIG_LIMIT ? "auto, or " : "");
		add_bound(var->min, why, why_len);
		wf_text_add(why, why_len, " to ");
		add_bound(var->max, why, why_len);
		wf_text_add(why, why_len, ", like 65536, 64k or 1m");
		break;
	case WF_CONFIG_TIME:
		wf_text_add(why, why_len, "expected a time%s, like 60, 0.5,"
			    " 20ms, 2m or inf",
			    var->min ? " of 1ms or more" : "");
		break;
	case WF_CONFIG_ENUM:
		wf_text_add(why, why_len, "expected one of %s", var->words);
		break;
	case WF_CONFIG_BOOL:
		wf_text_add(why, why_len, "expected y or n");
		break;
	case WF_CONFIG_RADIX:
		wf_text_add(why, why_len, "expected radix:N with N %s",
			    WF_CONFIG_RADICES);
		break;
	case WF_CONFIG_CHOICE:
		wf_text_add(why, why_len, "expected auto, or a number from "
			    "%llu to %llu, like 12 or 0x0c",
			    (unsigned long long)var->min,
			    (unsigned long long)var->max);
		break;
	case WF_CONFIG_STRING:
	case WF_CONFIG_FOREIGN:
		wf_text_add(why, why_len, "expected at most %zu characters",
			    var->bytes - 1);
		break;
	}
}

int wf_config_read(struct wf_config *config, char *const *env, char *why,
		   size_t why_len)
{
	struct wf_config result;

	memset(&result, 0, sizeof(result));
	for (size_t i = 0; i < VARS; i++) {
		const char *text = look_up(env, vars[i].name);

		if (vars[i].kind == WF_CONFIG_FOREIGN)
			continue;
		if (!text)
			text = vars[i].initial;
		if (!store(&result, &vars[i], text)) {
			explain(&vars[i], text, why, why_len);
			return WEFT_ERR_ARG;
		}
	}
	*config = result;
	return WEFT_OK;
}

uint64_t wf_config_hash(const struct wf_config *config)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < VARS; i++) {
		const char *field = (const char *)config + vars[i].offset;
		size_t bytes = vars[i].bytes;

		if (!vars[i].agreed)
			continue;
		if (vars[i].kind == WF_CONFIG_STRING)
			bytes = strlen(field);
		hash = wf_hash64(vars[i].name, strlen(vars[i].name), hash);
		hash = wf_hash64(field, bytes, hash);
	}
	return hash;
}
