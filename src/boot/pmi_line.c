/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads and writes the text of PMI-1; see pmi_line.h. Called by boot_pmi.c.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "boot/pmi_line.h"

/* The value of a field, up to the next space; NULL: there is no such field. */
static const char *find(const char *line, const char *name, size_t *n_p)
{
	size_t n = strlen(name);

	while (strncmp(line, name, n) != 0 || line[n] != '=') {
		line = strchr(line, ' ');
		if (line == NULL)
			return NULL;
		line++;
	}
	*n_p = strcspn(line + n + 1, " \n");
	return line + n + 1;
}

bool wf_pmi_field(const char *line, const char *name, char *value, size_t size)
{
	size_t n;
	const char *at = find(line, name, &n);

	if (at == NULL || n >= size)
		return false;
	memcpy(value, at, n);
	value[n] = '\0';
	return true;
}

bool wf_pmi_is(const char *line, const char *cmd)
{
	size_t n = strlen(cmd);

	return strncmp(line, "cmd=", 4) == 0 &&
	       strncmp(line + 4, cmd, n) == 0 &&
	       (line[4 + n] == ' ' || line[4 + n] == '\0');
}

bool wf_pmi_number(const char *line, const char *name, int *number_p)
{
	char text[16];
	char *end;
	long number;

	if (!wf_pmi_field(line, name, text, sizeof(text)))
		return false;
	errno = 0;
	number = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0 || number < INT_MIN ||
	    number > INT_MAX)
		return false;
	*number_p = (int)number;
	return true;
}

char *wf_pmi_encode(const void *bytes, size_t n)
{
	static const char digit[] = "0123456789abcdef";
	const unsigned char *from = bytes;
	char *digits = malloc(WF_PMI_HEAD + 2 * n + 1);
	char *to = digits;
	size_t i;

	if (digits == NULL)
		return NULL;
	to += snprintf(to, WF_PMI_HEAD + 1, "%08x%08x", (unsigned)n,
		       wf_crc32(bytes, n));
	for (i = 0; i < n; i++) {
		*to++ = digit[from[i] >> 4];
		*to++ = digit[from[i] & 15];
	}
	*to = '\0';
	return digits;
}

/* The lower-case digits that wf_pmi_encode() writes; -1: none of them. */
static int value_of(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return -1;
}

static bool read_word(const char *digits, uint32_t *word_p)
{
	uint32_t word = 0;
	int i;

	for (i = 0; i < 8; i++) {
		int value = value_of(digits[i]);

		if (value < 0)
			return false;
		word = word << 4 | (uint32_t)value;
	}
	*word_p = word;
	return true;
}

int wf_pmi_decode_head(const char *digits, size_t *n_p, uint32_t *crc_p)
{
	uint32_t n;
	uint32_t crc;

	if (!read_word(digits, &n) || !read_word(digits + 8, &crc) ||
	    n > WF_PMI_VALUE_MAX)
		return WEFT_ERR_BOOT;
	*n_p = n;
	*crc_p = crc;
	return WEFT_OK;
}

int wf_pmi_decode(const char *digits, void *bytes, size_t n, uint32_t crc)
{
	unsigned char *to = bytes;
	size_t i;

	for (i = 0; i < n; i++) {
		int high = value_of(digits[2 * i]);
		int low = high < 0 ? -1 : value_of(digits[2 * i + 1]);

		if (low < 0)
			return WEFT_ERR_BOOT;
		to[i] = (unsigned char)(high * 16 + low);
	}
	if (digits[2 * n] != '\0' || wf_crc32(bytes, n) != crc)
		return WEFT_ERR_BOOT;
	return WEFT_OK;
}
