/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings: defaults, every kind of value, refusals that name what is
 * allowed, the hash, unknown names.
 */
#include "base/config.h"
#include "tests/tap.h"

#include <weft/status.h>

#define S 1000000000ull

static struct wf_config config;
static char why[300];

/* Reads the settings of an environment that holds just this. */
static int read_one(const char *variable)
{
	char copy[2000];
	char other[] = "PATH=/bin";
	char *env[] = { other, copy, NULL };

	snprintf(copy, sizeof(copy), "%s", variable);
	memset(&config, 0x55, sizeof(config));
	memset(why, 'x', sizeof(why));
	return wf_config_read(&config, env, why, sizeof(why));
}

static void defaults(void)
{
	TAP_EQUAL(read_one("HOME=/"), WEFT_OK);
	TAP_CHECK(config.boot[0] == '\0' && config.transport[0] == '\0');
	TAP_EQUAL(config.coll, 8);
	TAP_EQUAL(config.log, WF_LOG_WARN);
	TAP_EQUAL(config.check, 1);
	TAP_CHECK(config.ib_gid_index == WF_CONFIG_AUTO);
	TAP_CHECK(config.ib_pkey == WF_CONFIG_AUTO);
	TAP_EQUAL(config.timeout_ns, 60 * S);
	TAP_EQUAL(config.stall_ns, 30 * S);
	TAP_EQUAL(config.line_max, 56);
	TAP_CHECK(config.slot_max == WF_CONFIG_AUTO);
	TAP_CHECK(config.chunk == WF_CONFIG_AUTO);
	TAP_EQUAL(config.arena, 1 << 20);
	TAP_EQUAL(config.arena_max, 64ull << 30);
	TAP_EQUAL(config.seed, 0);
	TAP_CHECK(config.spin > 0);
	TAP_EQUAL(wf_config_read(&config, NULL, why, sizeof(why)), WEFT_OK);
	TAP_EQUAL(config.check, 1);
}

static void empty_is_unset(void)
{
	TAP_EQUAL(read_one("WEFT_CHECK="), WEFT_OK);
	TAP_EQUAL(config.check, 1);
}

/* A name that only begins like a variable is not that variable. */
static void whole_names(void)
{
	TAP_EQUAL(read_one("WEFT_CHECKS=7"), WEFT_OK);
	TAP_EQUAL(read_one("WEFT_CHEC=7"), WEFT_OK);
	TAP_EQUAL(config.check, 1);
}

static void sizes(void)
{
	static const struct { const char *text; uint64_t value; } good[] = {
		{ "0", 0 }, { "1", 1 }, { "4096", 4096 }, { "4k", 4096 },
		{ "4K", 4096 }, { "3m", 3 << 20 }, { "64M", 64 << 20 },
		{ "auto", WF_CONFIG_AUTO }, { "Auto", WF_CONFIG_AUTO },
	};
	static const char *const bad[] = {
		"automatic", "-1", "+1", " 1", "1 ", "1kk", "k", "0x10",
		"1.5k", "65m", "1g", "inf", "99999999999999999999",
		"18446744073709551615k",
		"four",
	};
	char text[100];

	for (int i = 0; i < TAP_COUNT(good); i++) {
		snprintf(text, sizeof(text), "WEFT_SLOT_MAX=%s", good[i].text);
		TAP_EQUAL(read_one(text), WEFT_OK);
		TAP_EQUAL(config.slot_max, good[i].value);
	}
	for (int i = 0; i < TAP_COUNT(bad); i++) {
		snprintf(text, sizeof(text), "WEFT_SLOT_MAX=%s", bad[i]);
		if (!TAP_CHECK(read_one(text) == WEFT_ERR_ARG))
			tap_diag("    %s", text);
	}
	TAP_EQUAL(read_one("WEFT_ARENA=2g"), WEFT_OK);
	TAP_EQUAL(config.arena, 2ull << 30);
	TAP_EQUAL(read_one("WEFT_ARENA_MAX=1t"), WEFT_OK);
	TAP_EQUAL(config.arena_max, 1ull << 40);
	TAP_EQUAL(read_one("WEFT_LINE_MAX=57"), WEFT_ERR_ARG);
	TAP_EQUAL(read_one("WEFT_CHUNK=63"), WEFT_ERR_ARG);
}

static void times(void)
{
	static const struct { const char *text; uint64_t value; } good[] = {
		{ "1", S }, { "60", 60 * S }, { "0.5", S / 2 },
		{ "1.25s", S + S / 4 }, { "20ms", S / 50 },
		{ "1500us", 1500000 }, { "1000000ns", 1000000 },
		{ "0.002", 2000000 }, { "1.0000000019", S + 1 },
		{ "2m", 120 * S }, { "0.5m", 30 * S },
		{ "inf", WF_CONFIG_INF }, { "INF", WF_CONFIG_INF },
		{ "1000000.9ns", 1000000 },
	};
	static const char *const bad[] = {
		"0", "-1", ".5", "1.", "1.s", "1h", "1 s", "s", "1..2",
		"999us", "99999999999", "18446744074", "nan", "1e3",
		"18446744073.9999999999", "307445734.6m",
	};
	char text[100];

	for (int i = 0; i < TAP_COUNT(good); i++) {
		snprintf(text, sizeof(text), "WEFT_STALL=%s", good[i].text);
		TAP_EQUAL(read_one(text), WEFT_OK);
		if (!TAP_EQUAL(config.stall_ns, good[i].value))
			tap_diag("    %s", text);
	}
	for (int i = 0; i < TAP_COUNT(bad); i++) {
		snprintf(text, sizeof(text), "WEFT_STALL=%s", bad[i]);
		if (!TAP_CHECK(read_one(text) == WEFT_ERR_ARG))
			tap_diag("    %s", text);
	}
	TAP_CHECK(strcmp(why, "WEFT_STALL is \"307445734.6m\": expected a "
			 "time of 1ms or more, like 60, 0.5, 20ms, 2m or "
			 "inf") == 0);
}

static void numbers_and_words(void)
{
	TAP_EQUAL(read_one("WEFT_CHECK=2"), WEFT_OK);
	TAP_EQUAL(config.check, 2);
	TAP_EQUAL(read_one("WEFT_CHECK=3"), WEFT_ERR_ARG);
	TAP_EQUAL(read_one("WEFT_CHECK=1k"), WEFT_ERR_ARG);
	TAP_EQUAL(read_one("WEFT_SEED=18446744073709551615"), WEFT_OK);
	TAP_CHECK(config.seed == UINT64_MAX);
	TAP_EQUAL(read_one("WEFT_SEED=18446744073709551616"), WEFT_ERR_ARG);
	TAP_EQUAL(read_one("WEFT_LOG=error"), WEFT_OK);
	TAP_EQUAL(config.log, WF_LOG_ERROR);
	TAP_EQUAL(read_one("WEFT_LOG=Trace"), WEFT_OK);
	TAP_EQUAL(config.log, WF_LOG_TRACE);
	TAP_EQUAL(read_one("WEFT_LOG=tra"), WEFT_ERR_ARG);
	TAP_EQUAL(read_one("WEFT_LOG=traces"), WEFT_ERR_ARG);
	TAP_EQUAL(read_one("WEFT_LOG=warn|info"), WEFT_ERR_ARG);
}

static void strings(void)
{
	TAP_EQUAL(read_one("WEFT_BOOT=solo"), WEFT_OK);
	TAP_CHECK(strcmp(config.boot, "solo") == 0);
	TAP_EQUAL(read_one("WEFT_BOOT=123456789012345"), WEFT_OK);
	TAP_EQUAL(strlen(config.boot), 15);
	TAP_EQUAL(read_one("WEFT_BOOT=1234567890123456"), WEFT_ERR_ARG);
	TAP_CHECK(strcmp(why, "WEFT_BOOT is \"1234567890123456\": expected "
			 "at most 15 characters") == 0);
	TAP_EQUAL(read_one("WEFT_TRANSPORT=^shm"), WEFT_OK);
	TAP_CHECK(strcmp(config.transport, "^shm") == 0);
}

static void radix(void)
{
	static const char *const bad[] = {
		"8", "radix", "radix:", "radix:1", "radix:17", "radix: 8",
		"radix:+8", "radix:8 ", "radix:8,", "ring", "radix:4294967304",
		"radii:8", "radix:0", "radix:3", "radix:12", "radix:32",
	};
	char text[100];

	TAP_EQUAL(read_one("WEFT_COLL=radix:2"), WEFT_OK);
	TAP_EQUAL(config.coll, 2);
	TAP_EQUAL(read_one("WEFT_COLL=Radix:16"), WEFT_OK);
	TAP_EQUAL(config.coll, 16);
	for (int i = 0; i < TAP_COUNT(bad); i++) {
		snprintf(text, sizeof(text), "WEFT_COLL=%s", bad[i]);
		if (!TAP_CHECK(read_one(text) == WEFT_ERR_ARG))
			tap_diag("    %s", text);
	}
	TAP_EQUAL(read_one("WEFT_COLL=ring"), WEFT_ERR_ARG);
	TAP_CHECK(strcmp(why, "WEFT_COLL is \"ring\": expected radix:N with "
			 "N 2, 4, 8 or 16") == 0);
}

/* A refusal names variable, value and what is allowed, and stores nothing. */
static void refusals(void)
{
	struct wf_config before;

	memset(&before, 0x55, sizeof(before));
	TAP_EQUAL(read_one("WEFT_SLOT_MAX=12q"), WEFT_ERR_ARG);
	TAP_CHECK(memcmp(&config, &before, sizeof(config)) == 0);
	TAP_CHECK(strcmp(why, "WEFT_SLOT_MAX is \"12q\": expected auto, or a "
			 "size from 0 to 64m, like 65536, 64k or 1m") == 0);
	TAP_EQUAL(read_one("WEFT_CHECK=x"), WEFT_ERR_ARG);
	TAP_CHECK(strcmp(why, "WEFT_CHECK is \"x\": expected a whole number "
			 "from 0 to 2") == 0);
	TAP_EQUAL(read_one("WEFT_LOG=x"), WEFT_ERR_ARG);
	TAP_CHECK(strcmp(why, "WEFT_LOG is \"x\": expected one of "
			 "error|warn|info|debug|trace") == 0);
	TAP_EQUAL(read_one("WEFT_ARENA=1"), WEFT_ERR_ARG);
	TAP_CHECK(strstr(why, "from 64k to 1t") != NULL);
	TAP_EQUAL(read_one("WEFT_IB_PKEY=0x10000"), WEFT_ERR_ARG);
	TAP_CHECK(strcmp(why, "WEFT_IB_PKEY is \"0x10000\": expected auto, or "
			 "a number from 0 to 65535, like 12 or 0x0c") == 0);
}

static void short_why(void)
{
	char variable[] = "WEFT_CHECK=x";
	char *env[] = { variable, NULL };

	why[0] = why[8] = '#';
	TAP_EQUAL(wf_config_read(&config, env, why, 8), WEFT_ERR_ARG);
	TAP_CHECK(strcmp(why, "WEFT_CH") == 0 && why[8] == '#');
	why[0] = '#';
	TAP_EQUAL(wf_config_read(&config, env, why, 0), WEFT_ERR_ARG);
	TAP_CHECK(why[0] == '#');
}

static uint64_t hash_with(const char *variable)
{
	TAP_EQUAL(read_one(variable), WEFT_OK);
	return wf_config_hash(&config);
}

static void hash(void)
{
	static const char *const agreed[] = {
		"WEFT_TRANSPORT=shm", "WEFT_COLL=radix:2", "WEFT_CHECK=0",
		"WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=256", "WEFT_CHUNK=1024",
		"WEFT_SEED=3",
	};
	static const char *const own[] = {
		"WEFT_LOG=debug", "WEFT_TIMEOUT=1", "WEFT_STALL=1",
		"WEFT_HOST_TIMEOUT=1",
		"WEFT_SPIN=1", "WEFT_BOOT=pmix", "WEFT_ARENA=2m",
		"WEFT_ARENA_MAX=2m", "WEFT_TEST_DATA=/data",
	};
	uint64_t usual = hash_with("HOME=/");
	uint64_t hashes[TAP_COUNT(agreed)];

	for (int i = 0; i < TAP_COUNT(agreed); i++) {
		hashes[i] = hash_with(agreed[i]);
		TAP_CHECK(hashes[i] != usual);
		for (int j = 0; j < i; j++)
			TAP_CHECK(hashes[i] != hashes[j]);
	}
	for (int i = 0; i < TAP_COUNT(own); i++)
		TAP_CHECK(hash_with(own[i]) == usual);
	TAP_CHECK(hash_with("WEFT_SLOT_MAX=auto") == usual);
	TAP_CHECK(hash_with("WEFT_COLL=radix:8") == usual);
}

static char told[4][100];
static int told_count;

static void tell(void *arg, const char *name, const char *suggestion)
{
	TAP_CHECK(arg == told);
	if (TAP_CHECK(told_count < 4))
		snprintf(told[told_count], sizeof(told[0]), "%s?%s", name,
			 suggestion ? suggestion : "-");
	told_count++;
}

static int unknown_in(const char *variable)
{
	char copy[200];
	char *env[] = { copy, NULL };
	int count;

	snprintf(copy, sizeof(copy), "%s", variable);
	told_count = 0;
	told[0][0] = '\0';
	count = wf_config_unknown(env, tell, told);
	TAP_EQUAL(told_count, count);
	return count;
}

static void unknown_names(void)
{
	TAP_EQUAL(unknown_in("WEFT_SLOTMAX=1"), 1);
	TAP_CHECK(strcmp(told[0], "WEFT_SLOTMAX?WEFT_SLOT_MAX") == 0);
	TAP_EQUAL(unknown_in("WEFT_TIMOEUT=1"), 1);
	TAP_CHECK(strcmp(told[0], "WEFT_TIMOEUT?WEFT_TIMEOUT") == 0);
	TAP_EQUAL(unknown_in("WEFT_ARENAS=1"), 1);
	TAP_CHECK(strcmp(told[0], "WEFT_ARENAS?WEFT_ARENA") == 0);
	TAP_EQUAL(unknown_in("WEFT_COLOUR_OF_THE_SKY=1"), 1);
	TAP_CHECK(strcmp(told[0], "WEFT_COLOUR_OF_THE_SKY?-") == 0);
	TAP_EQUAL(unknown_in("WEFT_=1"), 1);
	TAP_CHECK(strcmp(told[0], "WEFT_?-") == 0);
	TAP_EQUAL(unknown_in("WEFT_LOG=info"), 0);
	TAP_EQUAL(unknown_in("WEFT_TEST_DATA=/x"), 0);
	TAP_EQUAL(unknown_in("WEFT_CC=clang"), 0);
	TAP_EQUAL(unknown_in("WEFT_CXX=clang++"), 0);
	TAP_EQUAL(unknown_in("WEFTY=1"), 0);
	TAP_EQUAL(wf_config_unknown(NULL, tell, told), 0);
}

/* A name longer than the buffers is told by its beginning. */
static void long_name(void)
{
	char name[150] = "WEFT_LOG";
	char *env[] = { name, NULL };

	memset(name + 8, 'X', 120);
	told_count = 0;
	TAP_EQUAL(wf_config_unknown(env, tell, told), 1);
	TAP_EQUAL(strlen(told[0]), 64 + 2);
	TAP_CHECK(strcmp(told[0] + 64, "?-") == 0);
}

/* Every default is one that a user could have written. */
static void table(void)
{
	size_t n;
	const struct wf_config_var *vars = wf_config_vars(&n);
	char text[400];

	TAP_CHECK(n >= 15);
	for (size_t i = 0; i < n; i++) {
		TAP_CHECK(strncmp(vars[i].name, "WEFT_", 5) == 0);
		TAP_CHECK(strlen(vars[i].help) > 10);
		if (vars[i].kind == WF_CONFIG_FOREIGN)
			continue;
		snprintf(text, sizeof(text), "%s=%s", vars[i].name,
			 vars[i].initial);
		TAP_EQUAL(read_one(text), WEFT_OK);
		if (vars[i].kind == WF_CONFIG_STRING)
			continue;
		snprintf(text, sizeof(text), "%s=?", vars[i].name);
		TAP_EQUAL(read_one(text), WEFT_ERR_ARG);
		TAP_CHECK(strstr(why, vars[i].name) == why);
	}
}

/* What the manual page says of a variable, from ".It Ev NAME" on. */
struct entry {
	char name[64];
	bool agreed;			/* marked with a star */
	char initial[64];		/* behind "Default: " */
};

static void read_line(const char *line, struct entry *entry, size_t *n,
		      size_t most)
{
	char mark[8] = "";

	if (sscanf(line, ".It Ev WEFT_%57s No %7s", entry[*n].name,
		   mark) >= 1) {
		if (*n + 1 < most)
			++*n;
		entry[*n - 1].agreed = mark[0] == '*';
	} else if (*n && !entry[*n - 1].initial[0]) {
		sscanf(line, "Default: %63s", entry[*n - 1].initial);
	}
}

/* Of the list in the ENVIRONMENT section. */
static size_t read_manual(struct entry *entry, size_t most)
{
	const char *top = getenv("top_srcdir");
	char line[500];
	bool inside = false;
	size_t n = 0;
	FILE *page;

	snprintf(line, sizeof(line), "%s/man/weft.7", top ? top : ".");
	page = fopen(line, "r");
	if (!TAP_CHECK(page))
		return 0;
	while (fgets(line, sizeof(line), page)) {
		if (!strncmp(line, ".Sh ", 4))
			inside = !strcmp(line, ".Sh ENVIRONMENT\n");
		else if (inside)
			read_line(line, entry, &n, most);
	}
	fclose(page);
	return n;
}

/* The page says "60 seconds." for 60, and something for an empty default. */
static bool is_default(const struct entry *entry,
		       const struct wf_config_var *var)
{
	size_t n = var->initial ? strlen(var->initial) : 0;

	return !n || (!strncmp(entry->initial, var->initial, n) &&
		      !strspn(entry->initial + n, "0123456789kmgt"));
}

/* weft.7 has all variables, in the order of the table, as they are. */
static void manual(void)
{
	static struct entry entry[64];
	size_t n, found = read_manual(entry, 64);
	const struct wf_config_var *vars = wf_config_vars(&n);

	TAP_EQUAL(found, n);
	for (size_t i = 0; i < n && i < found; i++) {
		const struct entry *e = &entry[i];

		if (TAP_CHECK(!strcmp(e->name, vars[i].name + 5)) &&
		    TAP_EQUAL(e->agreed, vars[i].agreed) &&
		    TAP_CHECK(is_default(e, &vars[i])))
			continue;
		tap_diag("%s: the page has WEFT_%s, default %s", vars[i].name,
			 e->name, e->initial);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "defaults", defaults },
		{ "empty is unset", empty_is_unset },
		{ "whole names", whole_names },
		{ "sizes", sizes },
		{ "times", times },
		{ "numbers and words", numbers_and_words },
		{ "strings", strings },
		{ "radix", radix },
		{ "refusals", refusals },
		{ "short buffer for the reason", short_why },
		{ "hash of what must agree", hash },
		{ "unknown names", unknown_names },
		{ "long unknown name", long_name },
		{ "table", table },
		{ "manual page", manual },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
