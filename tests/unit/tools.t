#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The checks of tools/ find what they are for: each gets a small tree of its own
# that is good, then one that is not.
. "$(dirname "$0")/../tap.sh"

# tree NAME...: an empty tree with these tools.
tree() {
	rm -rf "$work/tree"
	mkdir -p "$work/tree"/{tools,src/base,src/job,src/transport/shm,examples}
	mkdir -p "$work/tree"/{include/weft,man}
	for tool; do
		cp "$top_srcdir/tools/$tool" "$work/tree/tools/"
	done
}

# file PATH: its text from stdin, below a proper head.
file() {
	{
		echo '/* SPDX-License-Identifier: BSD-3-Clause */'
		printf '/*\n * A file of a test.\n */\n'
		cat
	} >"$work/tree/$1"
}

layers() {
	local run=$work/tree/tools/check-layers
	tree check-layers
	file src/base/a.h </dev/null
	file src/transport/shm/b.h </dev/null
	echo '#include "base/a.h"' | file src/job/c.c
	expect_code 0 "$run"
	echo '#include "job/d.h"' | file src/base/d.c
	file src/job/d.h </dev/null
	expect_code 1 "$run"
	expect_line 'src/base/d.c:5: base is not above job'
	file src/base/d.c </dev/null
	echo '#include "transport/shm/b.h"' | file src/job/c.c
	expect_code 1 "$run"
	expect_line 'job knows the backend shm'
	echo '#include "base/nothing.h"' | file src/job/c.c
	expect_code 1 "$run"
	expect_line 'no such header'
	file src/job/c.c </dev/null
	file src/base/c.c </dev/null
	expect_code 1 "$run"
	expect_line 'same name as src/base/c.c'
	rm "$work/tree/src/base/c.c"
	echo '#include "base/a.h"' | file examples/e.c
	expect_code 1 "$run"
	expect_line 'examples/e.c:5'
}

# body LINE...: a function in src/base/f.c with these lines.
body() {
	{
		echo 'int f(int a, int b)'
		echo '{'
		printf '%s\n' "$@"
		echo '	return a + b;'
		echo '}'
	} | file src/base/f.c
}

sizes() {
	local run=$work/tree/tools/check-size nested
	tree check-size
	nested=$(printf '%s\n' '	for (;;) {' '		if (a) {' \
		'			while (b)' '				b--;')
	body "$nested" '		} else if (b) {' '			b++;' \
		'		}' '	}' 'again:' '	if (a)' '		goto again;'
	expect_code 0 "$run"
	body "${nested/b--;/if (b) b--;}" '		}' '	}'
	expect_code 1 "$run"
	expect_line 'f\(\): nesting is 4'
	body $(for i in {1..57}; do echo "a++;"; done)
	expect_code 1 "$run"
	expect_line 'f\(\): length in lines is 61'
	body $(for i in {1..56}; do echo "a++;"; done)
	expect_code 0 "$run"
	body '	a = a && a && a && a && a && a && a && a && a && a && a' \
		'	    && a && a && a ? a : b;' '	a = b;'
	expect_code 0 "$run"
	body '	a = a && a && a && a && a && a && a && a && a && a && a' \
		'	    && a && a && a ? a : b;' '	if (a)' '		b = a;'
	expect_code 1 "$run"
	expect_line 'McCabe number is 16'
	echo 'int f(int a, void (*b)(int, int), int c, int d, int e, int f) {}' |
		file src/base/f.c
	expect_code 0 "$run"
	echo 'int f(int a, int b, int c, int d, int e, int f, int g) {}' |
		file src/base/f.c
	expect_code 1 "$run"
	expect_line 'number of parameters is 7'
	yes '' | head -597 | file src/base/f.c
	expect_code 1 "$run"
	expect_line 'f.c: length in lines is 601'
	rm "$work/tree/src/base/f.c"
	yes '' | head -247 | file src/base/f.h
	expect_code 1 "$run"
	expect_line 'f.h: length in lines is 251'
	mv "$work/tree/src/base/f.h" "$work/tree/include/weft/f.h"
	expect_code 0 "$run"
}

# bad LINE: a file with this line is refused; the rest of the tree is fine.
bad() {
	printf '%s\n' "$1" | file src/base/f.c
	expect_code 1 "$work/tree/tools/check-style" &&
		expect_line "src/base/f.c:[0-9]+: $2"
}

style() {
	tree check-style
	echo 'static const char text[] = "// is no comment, nor is volatile";' |
		file src/base/f.c
	expect_code 0 "$work/tree/tools/check-style"
	bad 'int a; // b' 'comment with //'
	bad 'int a; ' 'blanks at the end'
	bad '        int a;' 'indented by blanks'
	bad '							int abcdefghijklmnopqrstu;' \
		'over 80 columns'
	bad '#define OUT(x) do { if (x) return; } while (0)' 'macro that jumps'
	bad 'typedef struct a b;' 'typedef of a struct'
	bad 'volatile int a;' 'volatile'
	echo 'int a;' >"$work/tree/src/base/f.c"
	expect_code 1 "$work/tree/tools/check-style"
	expect_line 'no SPDX line'
	rm "$work/tree/src/base/f.c"
	echo 'int a;' | file src/base/f.h
	expect_code 1 "$work/tree/tools/check-style"
	expect_line 'no guard'
}

# A good tree with one call.
api_tree() {
	tree check-api
	file include/weft/a.h <<'END'
#ifndef WEFT_A_H
#define WEFT_A_H
#define WEFT_API
#define WEFT_MUST_CHECK
struct weft_b {
	int b1, b2;
};
enum { WEFT_OK, WEFT_C = 3 };
/**
 * weft_a - does a
 *
 * Returns:  WEFT_OK.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_a(void) WEFT_MUST_CHECK;
#endif
END
	printf '#ifndef WEFT_H\n#define WEFT_H\n#include <weft/a.h>\n#endif\n' |
		file include/weft.h
	echo 'include/weft.h include/weft/a.h' >"$work/tree/include/Makefile.inc"
	printf 'W {\nglobal:\n\tweft_a;\n};\n' >"$work/tree/src/weft.map"
	printf '%s\n' '.Sh NAME' '.Nm weft_a' '.Sh SYNOPSIS' '.Ft int' \
		'.Fn weft_a void' '.Sh END' >"$work/tree/man/a.3"
	"$work/tree/tools/check-api" --layout >"$work/tree/src/weft.layout"
}

api() {
	local run=$work/tree/tools/check-api header=$work/tree/include/weft/a.h
	api_tree
	expect_code 0 "$run"
	sed -i '/weft_a;/d' "$work/tree/src/weft.map"
	expect_code 1 "$run"
	expect_line 'weft_a is not in src/weft.map'
	api_tree
	sed -i 's/weft_a;/&\n\tweft_b;/' "$work/tree/src/weft.map"
	expect_code 1 "$run"
	expect_line 'weft_b is in src/weft.map, but in no header'
	api_tree
	rm "$work/tree/man/a.3"
	expect_code 1 "$run"
	expect_line 'weft_a is not in the NAME section'
	api_tree
	sed -i 's/^\.Fn weft_a.*/.Fn weft_a "int a"/' "$work/tree/man/a.3"
	expect_code 1 "$run"
	expect_line 'a.3: int weft_a.int a., in include.weft.a.h int weft_a.vo'
	api_tree
	sed -i 's/^\.Fn weft_a.*/.Fo weft_a\n.Fa "int a"\n.Fa "int b"\n.Fc/' \
		"$work/tree/man/a.3"
	expect_code 1 "$run"
	expect_line 'a.3: int weft_a.int a, int b., in '
	api_tree
	sed -i '/^\.Fn/d' "$work/tree/man/a.3"
	expect_code 1 "$run"
	expect_line 'man/a.3: weft_a is not in the SYNOPSIS'
	api_tree
	sed -i '/Blocks/d' "$header"
	expect_code 1 "$run"
	expect_line "lacks 'Blocks:'"
	api_tree
	sed -i 's/ WEFT_MUST_CHECK;/;/' "$header"
	expect_code 1 "$run"
	expect_line 'returns a status without WEFT_MUST_CHECK'
	api_tree
	sed -i 's/int weft_a(void)/size_t weft_a(void)/' "$header"
	expect_code 1 "$run"
	expect_line 'does not compile as C11'
	api_tree
	sed -i 's/int b1,/char room; &/' "$header"
	expect_code 1 "$run"
	expect_line 'offset weft_b.b1 is 4, in src/weft.layout 0'
	expect_line 'size weft_b is 12, in src/weft.layout 8'
	expect_line 'offset weft_b.room is not in src/weft.layout'
	api_tree
	sed -i 's/WEFT_C = 3/WEFT_C = 4/' "$header"
	expect_code 1 "$run"
	expect_line 'value WEFT_C is 4, in src/weft.layout 3'
	api_tree
	sed -i 's/does a$/does WEFT_C, $WEFT_A and "WEFT_A"/' "$header"
	expect_code 0 "$run"
	sed -i 's/\$WEFT_A/WEFT_A/' "$header"
	expect_code 1 "$run"
	expect_line 'WEFT_A is no constant; a variable of the environment'
}

# says PAGE-LINE: a page of the small tree quotes this
says() {
	mkdir -p "$work/tree/docs" "$work/tree/tools/weftrun"
	printf '# A page\n\n    %s\n' "$1" \
		>"$work/tree/docs/when-it-does-not-start.md"
}

texts() {
	local run=$work/tree/tools/check-texts
	# the page itself
	expect_code 0 "$top_srcdir/tools/check-texts"
	tree check-texts
	printf '%s\n' '#define ADVICE "; do it"' \
		'int a = f("rank %d cannot go "' \
		'	  "on: %s" ADVICE, 1, b);' \
		'int c = f("no file %s was found", d);' |
		file src/base/f.c
	says 'weft: rank 3 host n1: error: rank 4 cannot go on: no file x was found; do it'
	expect_code 0 "$run"
	for line in 'weft: error: rank 4 cannot go: no file x was found; do it' \
		'weft: error: rank four cannot go on: no file x was found; do it' \
		'weft: error: rank 4 cannot go on: no file x was seen; do it' \
		'weft: error: rank 4 cannot go on: no file x was found; do that'
	do
		says "$line"
		expect_code 1 "$run"
		expect_line '^docs/when-it-does-not-start.md:3: nothing prints'
	done
	says 'weft: error: rank 4 cannot go on: no file x was found; do it'
	echo 'In `base/f.c` and `src/base/f.c`.' >"$work/tree/docs/b.md"
	expect_code 0 "$run"
	echo 'In `base/g.c`.' >"$work/tree/docs/b.md"
	expect_code 1 "$run"
	expect_line '^docs/b.md: there is no base/g.c'
	says 'nothing that anybody prints'
	expect_code 255 "$run"
}

# breaks OLD: a breakage of the small tree that replaces this line
breaks() {
	mkdir -p "$work/tree/tools/mutations"
	printf '%s\n' '# It breaks.' 'file: src/base/f.c' 'test: tests/f.t' \
		'old:' "$1" 'new:' '' >"$work/tree/tools/mutations/f.mut"
}

mutations() {
	local run=$work/tree/tools/check-mutations
	expect_code 0 "$top_srcdir/tools/check-mutations"
	tree check-mutations
	printf '%s\n' 'int a;' 'int b;' 'int b;' | file src/base/f.c
	breaks 'int a;'
	expect_code 0 "$run"
	breaks 'int b;'
	expect_code 1 "$run"
	expect_line '^tools/mutations/f.mut: fits 2 times$'
	breaks 'int c;'
	expect_code 1 "$run"
	expect_line '^tools/mutations/f.mut: fits 0 times$'
	breaks 'int a;'
	sed -i 's/^test: .*/& of a case/' "$work/tree/tools/mutations/f.mut"
	expect_code 1 "$run"
	expect_line '^tools/mutations/f.mut: there is no such case$'
	mkdir -p "$work/tree/tests"
	echo '	{ "of a case", f },' | file tests/g.c
	expect_code 0 "$run"
	echo 'of_a_case() { :; }' | file tests/f.t
	expect_code 0 "$run"
	echo 'of_another_case() { :; }' | file tests/f.t
	expect_code 1 "$run"
}

counting() {
	mkdir -p "$work/results"
	printf ':test-result: PASS a\n:test-result: SKIP b\n' >"$work/results/a.trs"
	expect_code 0 "$top_srcdir/tools/count-results" "$work/results"
	expect_line '^1 passed, 0 failed, 1 skipped$'
	check [ "$(wc -l <"$work/out")" = 1 ]
	printf ':test-result: ERROR a\n' >"$work/results/b.trs"
	seq 100 >"$work/results/b.log"
	expect_code 1 "$top_srcdir/tools/count-results" "$work/results"
	expect_line '^1 passed, 1 failed, 1 skipped$'
	expect_line '/b\.log:$'
	check [ "$(sed -n '2p;41p' "$work/out" | tr '\n' ' ')" = '61 100 ' ]
	rm "$work/results"/*
	expect_code 1 "$top_srcdir/tools/count-results" "$work/results"
}

# A build directory whose tests fail as often as files in it tell.
build_of() {
	unset MAKEFLAGS MFLAGS TESTS	# of the make that runs this
	rm -rf "$work/tree"
	mkdir -p "$work/tree"/{tests/{mp,unit},build/tests/{mp,guest,unit}}
	cd "$work/tree/build" || return
	cat >run <<-'END'
	#!/bin/bash
	left=$(cat "$1.left" 2>/dev/null || echo 0)
	result=PASS
	[ "$left" = 0 ] || result=FAIL
	[ "$left" != 0 ] || [ ! -f "$1.skips" ] || result=SKIP
	echo "$1 $result$TESTS_UNTIL" | tee "${1%.t}.log" >>order
	echo ":test-result: $result case" >"${1%.t}.trs"
	echo $((left > 0 ? left - 1 : 0)) >"$1.left"
	[ "$result" != FAIL ]
	END
	chmod +x run
	printf '%s\n' 'top_srcdir = ..' 'TESTS = tests/mp/a.t tests/mp/b.t \' \
		'tests/mp/c.t tests/mp/program.t tests/unit/u.t \' \
		'tests/verbs_device/v.t' \
		'check: ; @c=0; for t in $(TESTS); do ./run $$t || c=1; done; exit $$c' \
		'check-rdma: ; @./run $(rdma_tests)' \
		'rdma_tests = tests/guest/g.t' >Makefile
	mkdir ../tests/{guest,verbs_device} tests/verbs_device
	echo '#!/bin/sh' | tee ../tests/{mp/{a,b,c},guest/g,verbs_device/v,unit/u}.t \
		>/dev/null
	echo 'no script' >../tests/mp/program.t
}

# fails TEST TIMES: so often, from now on
fails() {
	echo "$2" >"tests/$1.t.left"
}

once_more() (
	run=$top_srcdir/tools/once-more
	build_of || exit
	fails mp/b 1
	TESTS_UNTIL=9 expect_code 0 "$run" make check
	expect_line "^flaky: tests/mp/b.t \\($PWD/flaky/b-1\\)$"
	check [ "$(tail -n 1 order)" = 'tests/mp/b.t PASS' ]
	check [ "$(wc -l <order)" = 7 ]
	check [ "$(cat flaky/b-1/{first,second}.log | tr '\n' ' ')" = \
		'tests/mp/b.t FAIL9 tests/mp/b.t PASS ' ]
	fails mp/b 1
	expect_code 0 "$run" make check
	expect_line '/flaky/b-2\)$'
	fails verbs_device/v 1
	expect_code 0 "$run" make check
	expect_line '^flaky: tests/verbs_device/v.t '
	fails guest/g 1
	expect_code 0 "$run" make check-rdma
	expect_line '^flaky: tests/guest/g.t '
	[ "$failed" = 0 ]
)

# Neither what fails again or skips, nor programs, other floors, many at once.
never_again() (
	run=$top_srcdir/tools/once-more
	for fault in 'mp/b 2' 'mp/program 1' 'unit/u 1'; do
		build_of || exit
		fails $fault
		expect_code 2 "$run" make check
		check [ "$(grep -c ^flaky: "$work/out")" = 0 ]
		expect_code 1 "$top_srcdir/tools/count-results" tests
	done
	build_of || exit
	fails mp/a 1
	fails mp/b 1
	fails mp/c 1
	expect_code 2 "$run" make check
	check [ "$(wc -l <order)" = 6 ]
	build_of || exit
	fails mp/a 1
	touch tests/mp/a.t.skips
	expect_code 2 "$run" make check
	check [ "$(tail -n 1 order)" = 'tests/mp/a.t SKIP' ]
	# what failed before the command, which fails by something else
	build_of || exit
	fails mp/a 1
	expect_code 2 make check
	expect_code 3 "$run" sh -c 'exit 3'
	check [ "$(wc -l <order)" = 6 ]
	[ "$failed" = 0 ]
)

# .ci/run, with parts that find one each
three_flaky() (
	rm -rf "$work/tree"
	mkdir -p "$work/tree"/{.ci,tools}
	cp "$top_srcdir/.ci/run" "$work/tree/.ci"
	for tool in style layers size; do
		printf '#!/bin/sh\necho "flaky: tests/mp/%s.t (x)"\n' $tool \
			>"$work/tree/tools/check-$tool"
		chmod +x "$work/tree/tools/check-$tool"
	done
	expect_code 0 "$work/tree/.ci/run" style layers
	expect_line '^flaky: tests/mp/layers.t \(x\)$'
	expect_line '^2 passed, 0 failed, 0 skipped$'
	expect_code 1 "$work/tree/.ci/run" style layers size
	expect_line '^3 passed, 1 failed, 0 skipped$'
	[ "$failed" = 0 ]
)

# covered ARGUMENT...: a program of one error, run, and what coverage says.
covered() {
	rm -f "$work/tree/build"/*
	check sh -c 'cd "$1" && shift &&
		gcc --coverage -O0 -o e ../src/transport/shm/e.c &&
		./e "$@"' sh "$work/tree/build" "$@"
	"$work/tree/tools/coverage" "$work/tree/build" >"$work/out" 2>&1
}

errors() {
	local name='src/transport/shm/e.c f: return WEFT_ERR_NOMEM;'
	local list=$work/tree/tests/transport/unreached
	gcov --json-format --version >/dev/null 2>&1 ||
		skip 'no gcov' || return
	tree coverage
	mkdir -p "$work/tree"/{build,tests/transport}
	file src/transport/shm/e.c <<-'END'
	enum { WEFT_OK, WEFT_ERR_NOMEM = -3 };
	static int f(int a)
	{
		if (a > 1)
			return WEFT_ERR_NOMEM;
		return WEFT_OK;
	}
	int main(int argc, char **argv)
	{
		(void)argv;
		return f(argc) == 1 || f(1) == 1;
	}
	END
	covered
	expect_line "^coverage: not reached, and not in the list: $name"
	expect_line '^0 passed, 1 failed'
	printf '%s\n\tIt cannot be.\n' "$name" >"$list"
	covered
	expect_line "^not reached: $name"
	check sh -c '! grep -q "not in the list" "$1"' sh "$work/out"
	covered argument
	expect_line "^coverage: reached, or gone, but in the list: $name"
	rm "$list"
	covered argument
	expect_line '^errors of shm, ofi .* 100.0 %$'
	expect_line '^1 passed, 0 failed'
}

# What would give each build other bits is not compiled.
fast_math() {
	local cc="${CC:-cc} -std=gnu11 -I$top_srcdir/src -I$top_srcdir/include"
	local file=$top_srcdir/src/type/kernel_float.c
	expect_code 0 $cc -fsyntax-only "$file"
	expect_code 1 $cc -ffast-math -fsyntax-only "$file"
	expect_line 'error: .*-ffast-math, or a part of it'
	expect_code 1 $cc -ffinite-math-only -fsyntax-only "$file"
}

tap_run "$#" "$@" layers sizes style api texts mutations counting \
	once_more never_again three_flaky errors fast_math
