#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Batches of real processes: fields with gaps and without, of all lengths.
# ROUNDS is how many of each, FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
rank=$top_builddir/tests/mp/batch_rank

# random RANKS
random() {
	expect_code 0 "$run" -n "$1" --timeout 60 "$rank" \
		"$((${FIRST_SEED:-1} + 100 * $1))" "${ROUNDS:-20}"
}

up_to_eight() {
	local n
	for n in 1 2 3 5 8; do
		random $n
	done
}

three_ranks() { random 3; }

tap_run "$#" "$@" up_to_eight three_ranks
