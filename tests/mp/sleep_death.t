#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A death while the others sleep wakes one of them at least: they need not wait
# until they look by themselves. Also of ranks that are on a node alone.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
sleeper=$top_builddir/tests/mp/sleeper

# heard N: so many ranks have, within 5 s, and one by the end itself.
heard() {
	sed -n 's/^rank/# rank/p' "$work/out"
	check [ "$(grep -Ec '^rank [0-9]+ heard after [0-4]?[0-9]{1,3} ms' \
		"$work/out")" = "$1" ]
	expect_line '^rank .* woken by an end$'
}

one_sleeps() {
	expect_code 137 "$weftrun" --keep-going -n 2 "$sleeper" 700
	heard 1
}

many_sleep() {
	expect_code 137 "$weftrun" --keep-going -n 6 "$sleeper" 700
	heard 5
}

tap_run "$#" "$@" one_sleeps many_sleep
