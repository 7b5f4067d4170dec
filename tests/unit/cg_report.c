/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reports of weft-cg, with fixed facts: every figure is in its place, and
 * the JSON is well-formed, also with odd file names and numbers.
 */
#include "examples/cg/cg_report.h"
#include "tests/tap.h"

#include <math.h>

static const int64_t layout[] = { 0, 2, 3, /* entries */ 0, 6, 9 };
static const double solution[] = { 1.0, 0.5, 0.25 };

struct sample {
	struct cg_rank_facts facts[2];
	struct cg_blocks blocks;
	struct cg_solved solved;
	struct cg_verdict verdict;
	struct cg_summary summary;
};

static void fill(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	s->facts[0] = (struct cg_rank_facts){
		2, 6, 1, 16, { 1.5, 0.25, 0.25 }, { { "shm", 1, 1, 16 } } };
	s->facts[1] = (struct cg_rank_facts){
		1, 3, 1, 8, { 0.5, 1.25, 0.25 },
		{ { "verbs", 0, 2, 5 }, { "shm", 1, 3, 8 } } };
	s->blocks = (struct cg_blocks){ 2, (int64_t *)(uintptr_t)layout,
					(int64_t *)(uintptr_t)layout + 3 };
	s->solved.blocks = &s->blocks;
	s->solved.x = solution;
	s->solved.outcome = (struct cg_outcome){ 42, 5e-9, 6e-9, true };
	s->verdict.serial.iterations = 41;
	s->verdict.allowed_iterations = 1;
	s->verdict.iterations_ok = true;
	s->summary = (struct cg_summary){ "a\"b\\\n.mtx", 2, s->facts,
					  &s->solved, NULL, NULL };
}

static char *report(const struct sample *s, bool json)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (json)
		cg_report_json(out, &s->summary);
	else
		cg_report_text(out, &s->summary);
	fclose(out);
	return text;
}

static void expect(const char *text, const char *const *parts, int n)
{
	for (int i = 0; i < n; i++)
		if (!TAP_CHECK(strstr(text, parts[i])))
			tap_diag("not there: %s", parts[i]);
}

static void as_text(void)
{
	static const char *const parts[] = {
		"ranks                 2\n",
		"rows                  1..2 per rank, 3 in all\n",
		"nonzeros              3..6 per rank, 9 in all\n",
		"neighbours            1..1 per rank, 2 in all\n",
		"bytes per exchange    8..16 per rank, 24 in all\n",
		("edges on one host     shm: 4 edges, 24 bytes per exchange\n"
		 "edges between hosts   verbs: 2 edges, 5 bytes per "
		 "exchange\n"),
		"iterations            42\n",
		"5.0000e-09 recursive, 6.0000e-09 true\n",
		"2.000000 s (mean over the ranks)\n",
		"compute 50.0 %, exchange 37.5 %, reduce 12.5 %\n",
	};
	struct sample s;
	char *text;

	fill(&s);
	text = report(&s, false);
	expect(text, parts, TAP_COUNT(parts));
	TAP_CHECK(!strstr(text, "serial") && !strstr(text, "not converged"));
	free(text);
	s.solved.outcome.converged = false;
	s.summary.verdict = &s.verdict;
	text = report(&s, false);
	TAP_CHECK(strstr(text, "42 (not converged)"));
	TAP_CHECK(strstr(text, "41, allowed difference 1: ok"));
	TAP_CHECK(strstr(text, "same bits on one rank FAILED"));
	free(text);
}

/* Brackets that close, quotes that pair, no comma before a bracket. */
static void well_formed(const char *text)
{
	char stack[20], last = 0;
	int depth = 0;
	bool quoted = false;

	for (; *text; text++) {
		TAP_CHECK(!quoted || (unsigned char)*text >= 0x20);
		if (quoted && *text == '\\')
			text++;
		else if (*text == '"')
			quoted = !quoted;
		else if (!quoted && strchr("{[", *text))
			stack[depth++] = *text;
		else if (!quoted && strchr("}]", *text))
			TAP_CHECK(depth > 0 && last != ',' &&
				  stack[--depth] == (*text == '}' ? '{' : '['));
		if (!strchr(" \n", *text))
			last = *text;
	}
	TAP_CHECK(depth == 0 && !quoted);
}

static void as_json(void)
{
	static const char *const parts[] = {
		"\"matrix\": \"a\\\"b\\\\\\u000a.mtx\"",
		"\"ranks\": 2", "\"rows\": 3", "\"nonzeros\": 9",
		"\"iterations\": 42", "\"converged\": true",
		"{\"transport\": \"shm\", \"same_host\": true, \"edges\": 4, "
		"\"bytes_per_exchange\": 24},\n",
		"{\"transport\": \"verbs\", \"same_host\": false, "
		"\"edges\": 2, \"bytes_per_exchange\": 5}],\n",
		"\"residual\": 5.0000000000000001e-09",
		"\"true_residual\": null",
		"{\"rows\": 1, \"nonzeros\": 3, \"neighbours\": 1, "
		"\"bytes_per_exchange\": 8, \"compute_s\": 0.5, "
		"\"exchange_s\": 1.25, \"reduce_s\": 0.25}",
	};
	struct sample s;
	char *text;

	fill(&s);
	s.solved.outcome.true_residual = NAN;
	text = report(&s, true);
	expect(text, parts, TAP_COUNT(parts));
	well_formed(text);
	TAP_CHECK(!strstr(text, "serial_check"));
	free(text);
	s.summary.verdict = &s.verdict;
	text = report(&s, true);
	TAP_CHECK(strstr(text, "\"ok\": false"));
	well_formed(text);
	free(text);
}

/* More classes than places: none is lost. */
static void many_carriers(void)
{
	struct cg_carrier list[CG_CARRIERS] = { { .edges = 0 } };
	struct cg_carrier one = { "a", 0, 1, 10 };
	int64_t edges = 0, bytes = 0;
	int i;

	for (i = 0; i < 2 * CG_CARRIERS; i++) {
		one.transport[0] = (char)('a' + i % (CG_CARRIERS + 2));
		cg_carrier_add(list, &one);
	}
	for (i = 0; i < CG_CARRIERS; i++) {
		edges += list[i].edges;
		bytes += list[i].bytes;
	}
	TAP_EQUAL(edges, 2 * CG_CARRIERS);
	TAP_EQUAL(bytes, 20 * CG_CARRIERS);
	TAP_EQUAL(list[0].edges, 2);
}

static void checksum(void)
{
	double x[] = { 1.0, 0.5, 0.25 };

	TAP_CHECK(cg_report_checksum(x, 0) == UINT64_C(0xcbf29ce484222325));
	TAP_CHECK(cg_report_checksum(x, 3) == cg_report_checksum(solution, 3));
	x[1] = nextafter(x[1], 1.0);
	TAP_CHECK(cg_report_checksum(x, 3) != cg_report_checksum(solution, 3));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as text", as_text },
		{ "as json", as_json },
		{ "many carriers", many_carriers },
		{ "checksum", checksum },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
