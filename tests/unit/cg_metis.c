/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * METIS reader: the Laplacian plus the identity, and one sentence for each
 * way in which a file can be wrong.
 */
#include "examples/cg/cg_metis.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

/* A path 2 - 1 - 4, and vertex 3 alone. */
static const char good[] =
	"% a comment\n"
	"4 2\n"
	"4 2\n"
	"1\n"
	"% another\n"
	"\n"
	"1";

static void accepted(void)
{
	static const int64_t start[] = { 0, 3, 5, 6, 8 };
	static const int64_t col[] = { 0, 1, 3, 0, 1, 2, 0, 3 };
	static const double val[] = { 3, -1, -1, -1, 2, 1, -1, 2 };
	struct cg_csr a;
	struct cg_why why = { "" };

	if (!TAP_CHECK(cg_metis_parse(good, strlen(good), &a, &why) == 0))
		tap_diag("%s", why.text);
	TAP_EQUAL(a.rows, 4);
	TAP_CHECK(memcmp(a.start, start, sizeof(start)) == 0);
	TAP_CHECK(memcmp(a.col, col, sizeof(col)) == 0);
	TAP_CHECK(memcmp(a.val, val, sizeof(val)) == 0);
	cg_csr_free(&a);
}

/* Sizes, two weights of each vertex, and of edges: 1 - 2 of 7, 2 - 3 of 9. */
static void all_weights(void)
{
	static const char text[] = "% a comment\n3 2 111 2\n5 0 1 2 7\n"
		"5 0 1 1 7 3 9\n%\n6 1 1 2 9\n";
	static const double val[] = { 7, 7, 9, 9 };
	static const int64_t col[] = { 1, 0, 2, 1 };
	struct cg_csr a;
	struct cg_why why = { "" };

	if (!TAP_CHECK(cg_metis_read(text, strlen(text), &a, &why) == 0)) {
		tap_diag("%s", why.text);
		return;
	}
	TAP_EQUAL(a.rows, 3);
	TAP_EQUAL(cg_csr_entries(&a), 4);
	TAP_CHECK(memcmp(a.col, col, sizeof(col)) == 0);
	TAP_CHECK(memcmp(a.val, val, sizeof(val)) == 0);
	TAP_EQUAL(cg_metis_line(text, strlen(text), 0), 3);
	TAP_EQUAL(cg_metis_line(text, strlen(text), 2), 6);
	cg_csr_free(&a);
}

static void bad_files(void)
{
	static const struct {
		const char *text;
		const char *why;
	} bad[] = {
		{ "", "empty" },
		{ "% nothing\n", "empty" },
		{ "x y\n", "not two integers" },
		{ "2\n\n\n", "not two integers" },
		{ "2 1 x\n2\n1\n", "the format is not three digits" },
		{ "-2 1\n2\n1\n", "negative" },
		{ "2 -1\n2\n1\n", "negative" },
		{ "0 0\n", "no vertices" },
		{ "2 1 1\n2 5\n1 5\n", "weights" },
		{ "2 1 011 1\n2 5\n1 5\n", "weights" },
		{ "2 1 0 1\n2\n1\n", "no number of weights" },
		{ "4000000000000000000 1\n2\n1\n", "truncated" },
		{ "2 4000000000000000000\n2\n1\n", "truncated" },
		{ "3 1\n2\n1", "truncated: 2 of 3 vertices" },
		{ "2 1\n2\n1\n1\n", "line 4: something follows" },
		{ "2 1\n2\n3\n", "neighbour 3 out of range 1..2" },
		{ "2 1\n2\n0\n", "neighbour 0 out of range 1..2" },
		{ "2 1\n2\n-1\n", "out of range 1..2" },
		{ "2 1\n2\n1.5\n", "vertex 2 is no integer" },
		{ "2 1\n1\n1\n", "its own neighbour" },
		{ "2 1\n2 2\n\n", "(1, 2) is there twice" },
		{ "3 2\n2 3\n1\n2\n", "not symmetric" },
		{ "2 1\n2\n\n    ", "1 neighbours, not twice" },
		{ "2 1\n2 2 2 2 2 2\n1\n", "line 2: more neighbours" },
		{ "3 1\n2\n1 3\n2\n", "more neighbours than the 1 edges" },
	};
	struct cg_csr a;
	struct cg_why why;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		strcpy(why.text, "no failure");
		TAP_EQUAL(cg_metis_parse(bad[i].text, strlen(bad[i].text), &a,
					 &why), -1);
		if (!TAP_CHECK(strstr(why.text, bad[i].why)))
			tap_diag("said \"%s\", expected \"%s\"", why.text,
				 bad[i].why);
		TAP_CHECK(!a.start && !a.col && !a.val);
	}
}

static void no_memory(void)
{
	struct cg_csr a;
	struct cg_why why;
	long at, failures = 0;
	int status = -1;

	for (at = 1; status && at < 100; at++) {
		fail_malloc_at(at);
		status = cg_metis_parse(good, strlen(good), &a, &why);
		fail_malloc_at(0);
		if (status) {
			failures++;
			TAP_CHECK(strncmp(why.text, "no memory", 9) == 0);
			TAP_CHECK(!a.start && !a.col && !a.val);
		}
	}
	TAP_EQUAL(failures, 9);
	cg_csr_free(&a);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "accepted", accepted },
		{ "all weights", all_weights },
		{ "bad files", bad_files },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
