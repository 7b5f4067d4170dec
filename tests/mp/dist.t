#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Exchanges of Dists between real processes, on drawn patterns, against a serial
# model. PATTERNS is how many of each number of ranks, FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
rank=$top_builddir/tests/mp/dist_rank

# drawn RANKS
drawn() {
	expect_code 0 "$run" -n "$1" --timeout 60 "$rank" \
		"$((${FIRST_SEED:-1} + 100 * $1))" "${PATTERNS:-20}"
}

up_to_eight() {
	local n
	for n in 1 2 3 4 5 6 7 8; do
		drawn $n
	done
}

by_the_kernel() { WEFT_CMA=y drawn 4; }
in_pieces() { WEFT_CHECK=2 drawn 5; }

tap_run "$#" "$@" up_to_eight by_the_kernel in_pieces
