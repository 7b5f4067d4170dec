/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of settings as users write them.
 *
 * Written by hand instead of on strtoull() and strtod(), which skip blanks,
 * take signs and depend on the locale.
 */
#include "base/config_parse.h"

#include "base/clock.h"
#include "base/config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct unit {
	const char *name;
	uint64_t factor;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads digits and moves *text_p behind them; false: none, or too many. */
static bool take_digits(const char **text_p, uint64_t *value_p)
{
	const char *at = *text_p;
	uint64_t value = 0;

	if (!is_digit(*at))
		return false;
	for (; is_digit(*at); at++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'),
					   &value))
			return false;
	}
	*text_p = at;
	*value_p = value;
	return true;
}

/* The factor of a unit; 0: there is no such unit. */
static uint64_t factor(const struct unit *units, const char *name)
{
	while (units->name && strcasecmp(units->name, name) != 0)
		units++;
	return units->factor;
}

bool wf_config_parse_int(const char *text, uint64_t *value_p)
{
	uint64_t value;

	if (!take_digits(&text, &value) || *text)
		return false;
	*value_p = value;
	return true;
}

bool wf_config_parse_size(const char *text, uint64_t *value_p)
{
	static const struct unit units[] = {
		{ "", 1 }, { "k", 1ull << 10 }, { "m", 1ull << 20 },
		{ "g", 1ull << 30 }, { "t", 1ull << 40 }, { NULL, 0 }
	};
	uint64_t value;
	uint64_t times;

	if (strcasecmp(text, "inf") == 0) {
		*value_p = WF_CONFIG_INF;
		return true;
	}
	if (!take_digits(&text, &value))
		return false;
	times = factor(units, text);
	if (times == 0 || __builtin_mul_overflow(value, times, &value))
		return false;
	*value_p = value;
	return true;
}

/* Decimals behind a point, in parts of `whole`; what is finer is dropped. */
static bool take_decimals(const char **text_p, uint64_t whole,
			  uint64_t *parts_p)
{
	const char *at = *text_p;
	uint64_t parts = 0;

	if (!is_digit(*at))
		return false;
	for (; is_digit(*at); at++) {
		whole /= 10;
		parts += whole * (uint64_t)(*at - '0');
	}
	*text_p = at;
	*parts_p = parts;
	return true;
}

bool wf_config_parse_time(const char *text, uint64_t *ns_p)
{
	static const struct unit units[] = {
		{ "", WF_NS_PER_S }, { "s", WF_NS_PER_S },
		{ "ms", WF_NS_PER_MS }, { "us", WF_NS_PER_US }, { "ns", 1 },
		{ "m", 60 * WF_NS_PER_S }, { NULL, 0 }
	};
	/* decimals are kept in parts that every unit above 1 ns divides */
	const uint64_t whole = 60 * WF_NS_PER_S;
	uint64_t value;
	uint64_t parts = 0;
	uint64_t times;

	if (strcasecmp(text, "inf") == 0) {
		*ns_p = WF_CONFIG_INF;
		return true;
	}
	if (!take_digits(&text, &value))
		return false;
	if (*text == '.') {
		text++;
		if (!take_decimals(&text, whole, &parts))
			return false;
	}
	times = factor(units, text);
	if (times == 0 || __builtin_mul_overflow(value, times, &value))
		return false;
	parts /= whole / times;
	if (__builtin_add_overflow(value, parts, &value))
		return false;
	*ns_p = value;
	return true;
}

bool wf_config_parse_bool(const char *text, uint64_t *value_p)
{
	static const char *const no_yes[][4] = {
		{ "n", "no", "off", "0" }, { "y", "yes", "on", "1" }
	};

	for (uint64_t value = 0; value < 2; value++) {
		for (int i = 0; i < 4; i++) {
			if (strcasecmp(text, no_yes[value][i]) != 0)
				continue;
			*value_p = value;
			return true;
		}
	}
	return false;
}

bool wf_config_parse_enum(const char *text, const char *words,
			  uint64_t *value_p)
{
	size_t n = strlen(text);

	for (uint64_t value = 0; *words; value++) {
		size_t length = strcspn(words, "|");

		if (length == n && strncasecmp(words, text, n) == 0) {
			*value_p = value;
			return true;
		}
		words += length + (words[length] == '|');
	}
	return false;
}

bool wf_config_parse_radix(const char *text, uint64_t *value_p)
{
	static const char name[] = "radix:";
	size_t n = strlen(name);
	uint64_t value;

	if (strncasecmp(text, name, n) ||
	    !wf_config_parse_int(text + n, &value) || value < 2 ||
	    value > WF_CONFIG_RADIX_MAX || (value & (value - 1)))
		return false;
	*value_p = value;
	return true;
}

/* At most 15 digits: none of them is WF_CONFIG_AUTO. */
static bool parse_hex(const char *text, uint64_t *value_p)
{
	size_t n = strspn(text, "0123456789abcdefABCDEF");

	if (n == 0 || n > 15 || text[n])
		return false;
	*value_p = strtoull(text, NULL, 16);
	return true;
}

static bool parse_auto(const char *text, uint64_t *value_p)
{
	if (strcasecmp(text, "auto") != 0)
		return false;
	*value_p = WF_CONFIG_AUTO;
	return true;
}

bool wf_config_parse_limit(const char *text, uint64_t *value_p)
{
	uint64_t value;

	if (parse_auto(text, value_p))
		return true;
	if (!wf_config_parse_size(text, &value) || value == WF_CONFIG_INF)
		return false;
	*value_p = value;
	return true;
}

bool wf_config_parse_choice(const char *text, uint64_t *value_p)
{
	uint64_t value;

	if (parse_auto(text, value_p))
		return true;
	if (strncasecmp(text, "0x", 2) == 0)
		return parse_hex(text + 2, value_p);
	if (!wf_config_parse_int(text, &value) || value == WF_CONFIG_AUTO)
		return false;
	*value_p = value;
	return true;
}
