/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of weft-cg, and the files that it refuses to read.
 */
#include "examples/cg/cg_load.h"
#include "examples/cg/cg_options.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The words of a command line, one blank between two. */
static int read_line(const char *line, struct cg_options *options,
		     struct cg_why *why)
{
	static char copy[200];
	char *argv[20] = { NULL }, *word;
	int argc = 0;

	snprintf(copy, sizeof(copy), "weft-cg %s", line);
	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	return cg_options_read(options, argc, argv, why);
}

static void defaults(void)
{
	struct cg_options o;
	struct cg_why why;

	TAP_EQUAL(read_line("a.mtx", &o, &why), 0);
	TAP_CHECK(strcmp(o.file, "a.mtx") == 0);
	TAP_CHECK(o.limits.tol == 1e-8 && o.limits.maxit == 0);
	TAP_CHECK(!o.serial_check && !o.json && !o.help && !o.version);
}

static void everything(void)
{
	struct cg_options o;
	struct cg_why why;

	TAP_EQUAL(read_line("--mesh 3,4,5 --tol=1e-3 --maxit 70 "
			    "--serial-check --json", &o, &why), 0);
	TAP_CHECK(!o.file);
	TAP_CHECK(o.mesh.n[0] == 3 && o.mesh.n[1] == 4 && o.mesh.n[2] == 5);
	TAP_CHECK(o.limits.tol == 1e-3 && o.limits.maxit == 70);
	TAP_CHECK(o.serial_check && o.json);
	TAP_EQUAL(read_line("--help", &o, &why), 0);
	TAP_CHECK(o.help);
	TAP_EQUAL(read_line("-V", &o, &why), 0);
	TAP_CHECK(o.version);
	TAP_EQUAL(read_line("a.graph --json", &o, &why), 0);
	TAP_CHECK(o.file && o.json);
	TAP_CHECK(strstr(cg_options_usage(), "--serial-check"));
}

static void refused(void)
{
	static const char *const lines[][2] = {
		{ "", "give --mesh or a file" },
		{ "a.mtx b.mtx", "one matrix" },
		{ "a.mtx --mesh 1,1,1", "one matrix" },
		{ "--mesh 1,2", "NX,NY,NZ" },
		{ "--mesh 1,2,3,4", "NX,NY,NZ" },
		{ "--mesh 1,2,x", "NX,NY,NZ" },
		{ "--mesh 1,0,3", "NX,NY,NZ" },
		{ "--mesh -1,2,3", "NX,NY,NZ" },
		{ "--mesh 99999999999999999999,1,1", "NX,NY,NZ" },
		{ "--mesh 4000000,4000000,4000000", "too large" },
		{ "--tol 0 a.mtx", "--tol" },
		{ "--tol nan a.mtx", "--tol" },
		{ "--tol inf a.mtx", "--tol" },
		{ "--tol 1x a.mtx", "--tol" },
		{ "--maxit 0 a.mtx", "--maxit" },
		{ "--maxit 1.5 a.mtx", "--maxit" },
		{ "--nonsense a.mtx", "--nonsense" },
		{ "-q a.mtx", "unknown" },
		{ "--tol", "--tol" },
	};
	struct cg_options o;
	struct cg_why why;

	for (int i = 0; i < TAP_COUNT(lines); i++) {
		strcpy(why.text, "nothing");
		TAP_EQUAL(read_line(lines[i][0], &o, &why), -1);
		if (!TAP_CHECK(strstr(why.text, lines[i][1])))
			tap_diag("\"%s\": %s", lines[i][0], why.text);
	}
}

static char folder[] = "/tmp/cg-options-XXXXXX";

static void refuse_file(const char *name, const char *want)
{
	char path[200];
	struct cg_csr a;
	struct cg_why why = { "nothing" };

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	TAP_EQUAL(cg_load(path, &a, &why), -1);
	if (!TAP_CHECK(strstr(why.text, want) && strstr(why.text, path)))
		tap_diag("%s", why.text);
}

static void put_file(const char *name, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		TAP_CHECK(!"the file could be written");
}

static void remove_file(const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	TAP_EQUAL(remove(path), 0);
}

static void files(void)
{
	char path[200];
	struct cg_csr a;
	struct cg_why why;

	TAP_CHECK(mkdtemp(folder));
	refuse_file("missing.mtx", "No such file");
	refuse_file("name.txt", "neither in .mtx nor in .graph");
	refuse_file("name", "neither in .mtx nor in .graph");
	snprintf(path, sizeof(path), "%s/pipe.mtx", folder);
	TAP_EQUAL(mkfifo(path, 0600), 0);
	refuse_file("pipe.mtx", "no regular file");
	remove_file("pipe.mtx");
	snprintf(path, sizeof(path), "%s/folder.mtx", folder);
	TAP_EQUAL(mkdir(path, 0700), 0);
	refuse_file("folder.mtx", "is a directory");
	remove_file("folder.mtx");
	put_file("empty.graph", "");
	refuse_file("empty.graph", "empty");
	remove_file("empty.graph");
	put_file("good.graph", "2 1\n2\n1\n");
	snprintf(path, sizeof(path), "%s/good.graph", folder);
	TAP_EQUAL(cg_load(path, &a, &why), 0);
	TAP_EQUAL(cg_csr_entries(&a), 4);
	cg_csr_free(&a);
	remove_file("good.graph");
	TAP_EQUAL(rmdir(folder), 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "defaults", defaults },
		{ "everything", everything },
		{ "refused", refused },
		{ "files", files },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
