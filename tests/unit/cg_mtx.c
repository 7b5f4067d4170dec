/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MatrixMarket reader: what is accepted, and one sentence for each way in
 * which a file can be wrong.
 */
#include "examples/cg/cg_mtx.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#define HEAD "%%MatrixMarket matrix coordinate real symmetric\n"

/* [4 1 0; 1 5 2; 0 2 6], the lower triangle in odd order */
static const char good[] = HEAD
	"% a comment\n"
	"\n"
	"3 3 5\n"
	"3 3 6\n"
	"2 1 1e0\n"
	" 1\t1 +4.0 \r\n"
	"\n"
	"3 2 2.\n"
	"2 2 .5e1\n";

static void accepted(void)
{
	static const int64_t start[] = { 0, 2, 5, 7 };
	static const int64_t col[] = { 0, 1, 0, 1, 2, 1, 2 };
	static const double val[] = { 4, 1, 1, 5, 2, 2, 6 };
	struct cg_csr a;
	struct cg_why why = { "" };

	if (!TAP_CHECK(cg_mtx_parse(good, strlen(good), &a, &why) == 0))
		tap_diag("%s", why.text);
	TAP_EQUAL(a.rows, 3);
	TAP_CHECK(memcmp(a.start, start, sizeof(start)) == 0);
	TAP_CHECK(memcmp(a.col, col, sizeof(col)) == 0);
	TAP_CHECK(memcmp(a.val, val, sizeof(val)) == 0);
	cg_csr_free(&a);
}

static void no_last_newline(void)
{
	const char *text = HEAD "1 1 1\n1 1 2";
	struct cg_csr a;
	struct cg_why why;

	TAP_EQUAL(cg_mtx_parse(text, strlen(text), &a, &why), 0);
	TAP_CHECK(a.rows == 1 && a.val[0] == 2.0);
	cg_csr_free(&a);
}

struct bad {
	const char *text;
	const char *why;	/* part of the sentence */
};

static void check_bad(const struct bad *bad, size_t n)
{
	struct cg_csr a;
	struct cg_why why;

	for (size_t i = 0; i < n; i++) {
		strcpy(why.text, "no failure");
		TAP_EQUAL(cg_mtx_parse(bad[i].text, strlen(bad[i].text), &a,
				       &why), -1);
		if (!TAP_CHECK(strstr(why.text, bad[i].why)))
			tap_diag("said \"%s\", expected \"%s\"", why.text,
				 bad[i].why);
		TAP_CHECK(!a.start && !a.col && !a.val);
	}
}

static void bad_headers(void)
{
	static const struct bad bad[] = {
		{ "", "empty" },
		{ "\n", "does not begin with %%MatrixMarket" },
		{ "3 3 5\n", "does not begin with %%MatrixMarket" },
		{ "%%MatrixMarket\n", "names no object" },
		{ "%%MatrixMarket vector coordinate real symmetric\n",
		  "vector" },
		{ "%%MatrixMarket matrix array real symmetric\n", "array" },
		{ "%%MatrixMarket matrix coordinate complex symmetric\n",
		  "field complex: only real" },
		{ "%%MatrixMarket matrix coordinate pattern symmetric\n",
		  "field pattern: only real" },
		{ "%%MatrixMarket matrix coordinate real general\n",
		  "symmetry general: only symmetric" },
		{ "%%MatrixMarket matrix coordinate real skew-symmetric\n",
		  "skew-symmetric" },
		{ "%%MatrixMarket matrix coordinate real symmetric 7\n",
		  "goes on" },
		{ HEAD, "no line with the sizes" },
		{ HEAD "% only a comment\n", "no line with the sizes" },
		{ HEAD "3 3\n", "not three integers" },
		{ HEAD "3 3 x\n", "not three integers" },
		{ HEAD "3 3 5 1\n", "not three integers" },
		{ HEAD "3.0 3 5\n", "not three integers" },
		{ HEAD "3 99999999999999999999 5\n", "not three integers" },
		{ HEAD "-3 -3 5\n", "negative" },
		{ HEAD "3 3 -5\n", "negative" },
		{ HEAD "3 4 5\n", "not square" },
		{ HEAD "0 0 0\n", "no rows" },
		{ HEAD "3 3 4000000000000000000\n1 1 1\n", "truncated" },
		{ HEAD "4000000000000000000 4000000000000000000 1\n1 1 1\n",
		  "not positive definite" },
	};

	check_bad(bad, sizeof(bad) / sizeof(bad[0]));
}

static void bad_entries(void)
{
	static const struct bad bad[] = {
		{ HEAD "2 2 2\n1 1 1.00000000\n", "truncated: 1 of 2" },
		{ HEAD "1 1 1\n1 1 1\n1 1 1\n", "line 4: something follows" },
		{ HEAD "1 1 1\n1 1 1\njunk\n", "line 4: something follows" },
		{ HEAD "1 1 1\n1 1 1 1\n", "more than an entry" },
		{ HEAD "1 1 1\n1 1         \n", "not a finite number" },
		{ HEAD "1 1 1\n1 1 nan\n", "not a finite number" },
		{ HEAD "1 1 1\n1 1 -inf\n", "not a finite number" },
		{ HEAD "1 1 1\n1 1 1e999\n", "not a finite number" },
		{ HEAD "1 1 1\n1 1 0x1p3\n", "not a finite number" },
		{ HEAD "1 1 1\n1 1 1.5.2\n", "not a finite number" },
		{ HEAD "1 1 1\n1 1 1,5\n", "not a finite number" },
		{ HEAD "1 1 1\na b c\n", "does not begin with two integers" },
		{ HEAD "1 1 1\n1\n         ", "does not begin with two" },
		{ HEAD "1 1 1\n0 1 1\n", "out of range 1..1" },
		{ HEAD "1 1 1\n2 1 1\n", "out of range 1..1" },
		{ HEAD "1 1 1\n1 -1 1\n", "out of range 1..1" },
		{ HEAD "2 2 2\n1 1 1\n1 2 1\n", "above the diagonal" },
		{ HEAD "2 2 3\n1 1 1\n2 2 1\n1 1 1\n",
		  "(1, 1) is there twice" },
		{ HEAD "2 2 2\n1 1 1\n2 1 1\n", "diagonal of row 2" },
		{ HEAD "2 2 2\n1 1 1\n2 2 -1\n", "diagonal of row 2" },
		{ HEAD "2 2 2\n1 1 1\n2 2 0\n", "diagonal of row 2" },
	};

	check_bad(bad, sizeof(bad) / sizeof(bad[0]));
}

/* Cut anywhere, the file is refused or (behind the last digit) complete. */
static void cut_anywhere(void)
{
	struct cg_csr a;
	struct cg_why why;
	char text[sizeof(good)];
	int accepted_cuts = 0;

	for (size_t n = 0; n < strlen(good); n++) {
		memcpy(text, good, n);
		text[n] = '\0';
		if (cg_mtx_parse(text, n, &a, &why) == 0) {
			accepted_cuts++;
			cg_csr_free(&a);
		}
	}
	/* ".5e1" without its newline; ".5e" and shorter are no entry */
	TAP_CHECK(accepted_cuts >= 1 && accepted_cuts <= 3);
}

static void nul_byte_inside(void)
{
	char text[] = HEAD "1 1 1\n1 1 1\n";
	struct cg_csr a;
	struct cg_why why;

	text[strlen(HEAD) + 8] = '\0';
	TAP_EQUAL(cg_mtx_parse(text, sizeof(text) - 1, &a, &why), -1);
	TAP_CHECK(!a.start);
}

static void no_memory(void)
{
	struct cg_csr a;
	struct cg_why why;
	long at, failures = 0;
	int status = -1;

	for (at = 1; status && at < 100; at++) {
		fail_malloc_at(at);
		status = cg_mtx_parse(good, strlen(good), &a, &why);
		fail_malloc_at(0);
		if (status) {
			failures++;
			TAP_CHECK(strncmp(why.text, "no memory", 9) == 0);
			TAP_CHECK(!a.start && !a.col && !a.val);
		}
	}
	TAP_EQUAL(failures, 10);
	cg_csr_free(&a);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "accepted", accepted },
		{ "no last newline", no_last_newline },
		{ "bad headers", bad_headers },
		{ "bad entries", bad_entries },
		{ "cut anywhere", cut_anywhere },
		{ "nul byte inside", nul_byte_inside },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
