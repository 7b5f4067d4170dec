/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target: what a PMI-1 launcher answers. The input is cut at its first
 * newline into a reply and the digits of a value; the reply is a map of nodes,
 * too.
 *
 * Whatever is read of a reply is a part of it; digits that are accepted are
 * those that encoding the bytes gives; the ranks of a node are ascending, in
 * range, and this one is among them.
 */
#include <string.h>

#include "boot/pmi_line.h"
#include "tests/fuzz/fuzz.h"

#define SIZE 300
#define RANK 150

static void read_reply(const char *line)
{
	static const char *const names[] = { "cmd", "rc", "value", "kvsname" };
	char value[64];
	int number;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (wf_pmi_number(line, names[i], &number))
			FUZZ_CHECK(wf_pmi_field(line, names[i], value,
						sizeof(value)));
		if (!wf_pmi_field(line, names[i], value, sizeof(value)))
			continue;
		FUZZ_CHECK(strlen(value) < sizeof(value));
		FUZZ_CHECK(strchr(value, ' ') == NULL);
		FUZZ_CHECK(strstr(line, value) != NULL);
	}
	if (wf_pmi_is(line, "get_result"))
		FUZZ_CHECK(strncmp(line, "cmd=get_result", 14) == 0);
}

static void read_value(const char *digits)
{
	uint32_t crc;
	size_t n;
	char *bytes;
	char *again;

	if (wf_pmi_decode_head(digits, &n, &crc) != WEFT_OK)
		return;
	FUZZ_CHECK(strlen(digits) >= WF_PMI_HEAD && n <= WF_PMI_VALUE_MAX);
	if (n > strlen(digits))
		return;
	bytes = malloc(n + 1);
	if (bytes == NULL)
		return;
	if (wf_pmi_decode(digits + WF_PMI_HEAD, bytes, n, crc) == WEFT_OK) {
		again = wf_pmi_encode(bytes, n);
		FUZZ_CHECK(again == NULL || strcmp(again, digits) == 0);
		free(again);
	}
	free(bytes);
}

static void read_map(const char *text)
{
	struct wf_pmi_node node = { .ranks = NULL };
	bool mine = false;
	int i;

	if (wf_pmi_map_parse(text, RANK, SIZE, &node) != WEFT_OK) {
		FUZZ_CHECK(node.ranks == NULL);
		return;
	}
	FUZZ_CHECK(node.n >= 1 && node.n <= SIZE && node.nodes >= 1);
	FUZZ_CHECK(node.n == SIZE || node.nodes > 1);
	for (i = 0; i < node.n; i++) {
		FUZZ_CHECK(node.ranks[i] >= 0 && node.ranks[i] < SIZE);
		FUZZ_CHECK(i == 0 || node.ranks[i - 1] < node.ranks[i]);
		mine |= node.ranks[i] == RANK;
	}
	FUZZ_CHECK(mine);
	free(node.ranks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	char *end;

	if (text == NULL)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	end = strchr(text, '\n');
	if (end != NULL) {
		*end = '\0';
		read_value(end + 1);
	}
	read_reply(text);
	read_map(text);
	free(text);
	return 0;
}
