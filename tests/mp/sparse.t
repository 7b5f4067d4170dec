#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Sparse exchanges of real processes, in all patterns, one by one and several at
# once.
# ROUNDS is how many of each, FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
rank=$top_builddir/tests/mp/sparse_rank

# random RANKS
random() {
	expect_code 0 "$run" -n "$1" --timeout 60 "$rank" \
		"$((${FIRST_SEED:-1} + 100 * $1))" "${ROUNDS:-40}"
}

up_to_eight() {
	local n
	for n in 1 2 3 4 5 6 7 8; do
		random $n
	done
}

many_stages() { WEFT_COLL=radix:2 random 7; }
compared() { WEFT_CHECK=2 random 5; }

tap_run "$#" "$@" up_to_eight many_stages compared
