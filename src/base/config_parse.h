/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of settings as users write them. Called by config.c and by
 * programs for their options.
 */
#ifndef WEFT_BASE_CONFIG_PARSE_H
#define WEFT_BASE_CONFIG_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Each reads a whole string. false: it is no such value, or one that 64 bits
 * do not hold; the output is untouched then.
 */
bool wf_config_parse_int(const char *text, uint64_t *value_p);
bool wf_config_parse_size(const char *text, uint64_t *value_p);
bool wf_config_parse_time(const char *text, uint64_t *ns_p);
bool wf_config_parse_bool(const char *text, uint64_t *value_p);

/* The index of text in words, "a|b|c". */
bool wf_config_parse_enum(const char *text, const char *words,
			  uint64_t *value_p);

/* The N of "radix:N", WF_CONFIG_RADICES; else *value_p stays. */
bool wf_config_parse_radix(const char *text, uint64_t *value_p);

/* WF_CONFIG_AUTO, or a size but inf. */
bool wf_config_parse_limit(const char *text, uint64_t *value_p);

/* WF_CONFIG_AUTO, or a number, also a hexadecimal one with 0x. */
bool wf_config_parse_choice(const char *text, uint64_t *value_p);

#endif
