# SPDX-License-Identifier: BSD-3-Clause
#
# TAP for test scripts: a script sources this file and hands the names of its
# functions to tap_run, with its own arguments in front of them:
#
#     tap_run "$#" "$@" case_one case_two
#
# A case fails if it returns non-zero; `check` tells what did not hold. Like
# the programs, `SCRIPT 3` runs the third case only, `SCRIPT "case three"` too. `skip REASON` in a case
# reports that this machine cannot run it.
#
# $work is an empty directory that is removed at the end.

: "${top_builddir:=$(pwd)}"
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
export top_builddir top_srcdir
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check COMMAND...: runs it; complains and fails if it does.
check() {
	"$@" && return 0
	echo "# does not hold: $*"
	failed=1
	return 1
}

skip() {
	skipped=$*
}

# built_with NAME: this backend, OFI or VERBS, was there when weft was configured.
built_with() {
	grep -q "^#define WF_HAVE_$1 1" "$top_builddir/config.h"
}

# needs_built NAME: the case is skipped without this backend.
needs_built() {
	built_with "$1" || { skip "weft was built without ${1,,}"; return 1; }
}

# expect_code CODE COMMAND...: its output goes to $work/out.
expect_code() {
	local want=$1 have=0
	shift
	"$@" >"$work/out" 2>&1 || have=$?
	[ "$have" = "$want" ] && return 0
	echo "# code $have instead of $want: $*"
	sed 's/^/#     /' "$work/out"
	failed=1
	return 1
}

# expect_line PATTERN: a line of $work/out matches.
expect_line() {
	grep -Eq -e "$1" "$work/out" && return 0
	echo "# no line matches $1:"
	sed 's/^/#     /' "$work/out"
	failed=1
	return 1
}

# expect_refusal CODE PATTERN PROGRAM WORD...: it says one sentence, which begins
# with its name, and has this exit code.
expect_refusal() {
	local code=$1 pattern=$2 program=$3
	shift 3
	expect_code "$code" "$program" "$@"
	expect_line "^$(basename "$program"): $pattern"
	check [ "$(wc -l <"$work/out")" = 1 ]
}

# expect_lines N PATTERN: so many lines of $work/out match.
expect_lines() {
	local have
	have=$(grep -Ec -e "$2" "$work/out")
	[ "$have" = "$1" ] && return 0
	echo "# $have lines instead of $1 match $2:"
	sed 's/^/#     /' "$work/out"
	failed=1
	return 1
}

# wait_until SECONDS COMMAND...: repeats it until it succeeds.
wait_until() {
	local end=$((SECONDS + $1 + 1))
	shift
	until "$@"; do
		if [ "$SECONDS" -ge "$end" ]; then
			echo "# never came true: $*"
			failed=1
			return 1
		fi
		sleep 0.02
	done
}

# each_round COMMAND...: ROUNDS times, once by default, with $seed from FIRST_SEED
# on, which is 1; the first round that fails is the last one.
each_round() {
	local first=${FIRST_SEED:-1} seed
	for ((seed = first; seed < first + ${ROUNDS:-1}; seed++)); do
		"$@"
		[ "$failed" = 0 ] || { echo "# FIRST_SEED=$seed"; return 1; }
	done
}

tap_run() {
	local given=$1 only=0 number=0 failures=0 found=0 name
	shift
	if [ "$given" -gt 0 ]; then
		only=$1
		shift "$given"
	fi
	if [ "$only" = 0 ]; then echo "1..$#"; else echo "1..1"; fi
	for name; do
		number=$((number + 1))
		[ "$only" = 0 ] || [ "$only" = "$number" ] ||
			[ "$only" = "${name//_/ }" ] || continue
		found=1
		failed=0
		skipped=
		"$name" || failed=1
		local shown=$number
		[ "$only" = 0 ] || shown=1
		if [ "$failed" != 0 ]; then
			echo "not ok $shown - ${name//_/ }"
			failures=$((failures + 1))
		else
			echo "ok $shown - ${name//_/ }${skipped:+ # SKIP $skipped}"
		fi
	done
	[ "$failures" = 0 ] && [ "$found" = 1 ]
}
