#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Real processes of which one broadcasts from another root than the others, with
# WEFT_CHECK=2: all hear it, in one sentence that names both ranks and calls.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
rank=$top_builddir/tests/mp/odds_rank

# differ RANKS
differ() {
	local rank_1='rank 1 on host [^ ]* calls weft_bcast \(root 1, 8 bytes\)'
	local other='rank [02] on host [^ ]* calls weft_bcast \(root 0, 8 bytes\)'
	WEFT_CHECK=2 expect_code 0 "$run" -n "$1" --timeout 60 "$rank"
	expect_lines "$1" "[0-9] heard: collective 1 of context [0-9]+ differs: \
($other, $rank_1|$rank_1, $other)\$"
	expect_line "weft: rank [0-2] .*error: collective 1 of context "
}

two_ranks() { differ 2; }
three_ranks() { differ 3; }
seven_ranks() { differ 7; }

tap_run "$#" "$@" two_ranks three_ranks seven_ranks
