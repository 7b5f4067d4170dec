/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of PMI-1: fields of replies, values as digits, the map of nodes.
 */
#include "boot/pmi_line.h"
#include "tests/tap.h"

static void fields(void)
{
	static const char line[] = "cmd=get_result rc=-1 msg=no_key value=a=b";
	char text[8];
	int number = 7;

	TAP_CHECK(wf_pmi_is(line, "get_result"));
	TAP_CHECK(!wf_pmi_is(line, "get"));
	TAP_CHECK(!wf_pmi_is("xcmd=get", "get"));
	TAP_CHECK(wf_pmi_is("cmd=barrier_out", "barrier_out"));
	TAP_CHECK(wf_pmi_field(line, "value", text, sizeof(text)));
	TAP_CHECK(strcmp(text, "a=b") == 0);
	TAP_CHECK(wf_pmi_field("cmd=x value=", "value", text, sizeof(text)));
	TAP_CHECK(text[0] == '\0');
	TAP_CHECK(wf_pmi_number(line, "rc", &number) && number == -1);
	/* a name counts at the start of a field only */
	TAP_CHECK(!wf_pmi_field("cmd=x myrc=1", "rc", text, sizeof(text)));
	TAP_CHECK(!wf_pmi_field("cmd=x rc", "rc", text, sizeof(text)));
	TAP_CHECK(!wf_pmi_field("", "rc", text, sizeof(text)));
	/* seven characters fit, eight do not */
	TAP_CHECK(wf_pmi_field("k=1234567", "k", text, sizeof(text)));
	TAP_CHECK(!wf_pmi_field("k=12345678", "k", text, sizeof(text)));
	number = 7;
	TAP_CHECK(!wf_pmi_number("rc=1x", "rc", &number));
	TAP_CHECK(!wf_pmi_number("rc=", "rc", &number));
	TAP_CHECK(!wf_pmi_number("rc=3000000000", "rc", &number));
	TAP_EQUAL(number, 7);
}

static void one_value(const unsigned char *bytes, size_t n)
{
	char *digits = wf_pmi_encode(bytes, n);
	unsigned char back[700];
	uint32_t crc = 0;
	size_t have = 0;

	TAP_EQUAL(strlen(digits), WF_PMI_HEAD + 2 * n);
	TAP_EQUAL(wf_pmi_decode_head(digits, &have, &crc), WEFT_OK);
	TAP_EQUAL(have, n);
	TAP_EQUAL(wf_pmi_decode(digits + WF_PMI_HEAD, back, n, crc), WEFT_OK);
	TAP_CHECK(memcmp(back, bytes, n) == 0);
	free(digits);
}

static void values(void)
{
	unsigned char bytes[700];
	size_t n;

	for (n = 0; n < sizeof(bytes); n++)
		bytes[n] = (unsigned char)(n * 7 + 3);
	for (n = 0; n <= sizeof(bytes); n += n < 4 ? 1 : 29)
		one_value(bytes, n);
}

/* Any one digit that changes, is lost or added, is found. */
static void damage(void)
{
	static const unsigned char bytes[3] = { 1, 2, 250 };
	char *digits = wf_pmi_encode(bytes, sizeof(bytes));
	char *tail = digits + WF_PMI_HEAD;
	unsigned char back[3];
	uint32_t crc = 0;
	size_t n = 0;
	int i;

	TAP_EQUAL(wf_pmi_decode_head(digits, &n, &crc), WEFT_OK);
	for (i = 0; i < 6; i++) {
		char was = tail[i];

		tail[i] = was == '0' ? '1' : '0';
		TAP_EQUAL(wf_pmi_decode(tail, back, 3, crc), WEFT_ERR_BOOT);
		tail[i] = 'A';
		TAP_EQUAL(wf_pmi_decode(tail, back, 3, crc), WEFT_ERR_BOOT);
		tail[i] = '\0';
		TAP_EQUAL(wf_pmi_decode(tail, back, 3, crc), WEFT_ERR_BOOT);
		tail[i] = was;
	}
	TAP_EQUAL(wf_pmi_decode(tail, back, 2, crc), WEFT_ERR_BOOT);
	TAP_EQUAL(wf_pmi_decode(tail, back, 3, crc ^ 1), WEFT_ERR_BOOT);
	TAP_EQUAL(wf_pmi_decode_head("0000000", &n, &crc), WEFT_ERR_BOOT);
	TAP_EQUAL(wf_pmi_decode_head("00000003 0000000", &n, &crc),
		  WEFT_ERR_BOOT);
	TAP_EQUAL(wf_pmi_decode_head("ffffffff00000000", &n, &crc),
		  WEFT_ERR_BOOT);
	free(digits);
}

struct example {
	const char *text;
	int rank, size;
	int nodes; /* 0: refused */
	int n;
	int ranks[4];
};

static const struct example examples[] = {
	{ "(vector,(0,1,4))", 2, 4, 1, 4, { 0, 1, 2, 3 } },
	/* a list that is too short is read again from its start */
	{ "(vector,(0,1,1))", 3, 4, 1, 4, { 0, 1, 2, 3 } },
	{ "(vector,(0,2,1))", 1, 5, 2, 2, { 1, 3 } },
	{ "(vector,(0,2,2))", 2, 4, 2, 2, { 2, 3 } },
	{ "(vector,(0,1,3),(1,1,1))", 3, 4, 2, 1, { 3 } },
	{ "(vector,(0,1,3),(1,1,1))", 1, 5, 2, 4, { 0, 1, 2, 4 } },
	{ "(vector,(7,2,1),(7,1,1))", 0, 3, 2, 2, { 0, 2 } },
	/* a list that is too long has ranks that do not exist */
	{ "(vector,(0,4,2))", 2, 3, 2, 1, { 2 } },
	{ "", 0, 1, 0, 0, { 0 } },
	{ "(vector)", 0, 1, 0, 0, { 0 } },
	{ "(vector,)", 0, 1, 0, 0, { 0 } },
	{ "(vector,(0,1,1)", 0, 1, 0, 0, { 0 } },
	{ "(vector,(0,1,1))x", 0, 1, 0, 0, { 0 } },
	{ "(vector,(0,0,1))", 0, 1, 0, 0, { 0 } },
	{ "(vector,(0,1,0))", 0, 1, 0, 0, { 0 } },
	{ "(vector,(-1,1,1))", 0, 1, 0, 0, { 0 } },
	{ "(vector,(0,1))", 0, 1, 0, 0, { 0 } },
	{ "(vector,(0,1,99999999999999999999))", 0, 1, 0, 0, { 0 } },
	{ "(block,(0,1,1))", 0, 1, 0, 0, { 0 } },
};

static void check_map(const struct example *example)
{
	struct wf_pmi_node node = { .ranks = NULL };
	int status = wf_pmi_map_parse(example->text, example->rank,
				      example->size, &node);
	int i;

	if (example->nodes == 0) {
		TAP_EQUAL(status, WEFT_ERR_BOOT);
		TAP_CHECK(node.ranks == NULL);
	} else if (TAP_EQUAL(status, WEFT_OK) &&
		   TAP_EQUAL(node.n, example->n)) {
		TAP_EQUAL(node.nodes, example->nodes);
		for (i = 0; i < node.n; i++)
			TAP_EQUAL(node.ranks[i], example->ranks[i]);
	}
	if (tap.failures > 0)
		tap_diag("%s, rank %d of %d", example->text, example->rank,
			 example->size);
	free(node.ranks);
}

static void maps(void)
{
	int i;

	for (i = 0; i < TAP_COUNT(examples); i++)
		check_map(&examples[i]);
}

/* More blocks than there is room for are refused, not written beyond it. */
static void long_map(void)
{
	char text[8 + 300 * 8 + 2] = "(vector";
	struct wf_pmi_node node = { .ranks = NULL };
	int i;

	for (i = 0; i < 300; i++)
		strcat(text, ",(0,1,1)");
	strcat(text, ")");
	TAP_EQUAL(wf_pmi_map_parse(text, 0, 300, &node), WEFT_ERR_BOOT);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "fields", fields },
		{ "values", values },
		{ "damage", damage },
		{ "maps", maps },
		{ "long map", long_map },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
