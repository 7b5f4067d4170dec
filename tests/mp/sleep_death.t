#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A death while the others sleep wakes one of them at least: they need not wait
# until they look by themselves. Also of ranks that are on a node alone.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
sleeper=$top_builddir/tests/mp/sleeper

JOBS=6

# heard N: so many ranks have, within 5 s.
heard() {
	sed -n 's/^rank/# rank/p' "$work/out"
	check [ "$(grep -Ec '^rank [0-9]+ heard after [0-4]?[0-9]{1,3} ms' \
		"$work/out")" = "$1" ]
}

# woken N: one of N ranks is, by the end itself; in one of some jobs, for on a
# busy machine a rank may be looking by itself at that moment.
woken() {
	for ((job = 1; job <= JOBS; job++)); do
		expect_code 137 "$weftrun" --keep-going -n $(($1 + 1)) \
			"$sleeper" 700
		heard "$1"
		! grep -q '^rank .* woken by an end$' "$work/out" || return 0
	done
	expect_line '^rank .* woken by an end$'
}

one_sleeps() { woken 1; }
many_sleep() { woken 5; }

tap_run "$#" "$@" one_sleeps many_sleep
