#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Broadcasts of real processes over shared memory: from any root, in flight
# together and with others between, of 4 MiB, and a rank that is killed in their
# midst.
# STEPS is how many calls, FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
weftrun=$top_builddir/tools/weftrun/weftrun
rank=$top_builddir/tests/mp/bcast_rank

# random RANKS
random() {
	expect_code 0 "$run" -n "$1" --timeout 60 "$rank" random \
		"$((${FIRST_SEED:-1} + $1))" "${STEPS:-300}"
}

one_rank() { random 1; }
two_ranks() { random 2; }
five_ranks() { random 5; }
nine_ranks() { random 9; }
sixteen_ranks() { random 16; }
many_levels() { WEFT_COLL=radix:2 random 9; }
copies_by_the_kernel() { WEFT_CMA=y random 4; }

four_mib() {
	local n
	for n in 2 3; do
		expect_code 0 "$run" -n $n --timeout 60 "$rank" long
	done
	WEFT_CMA=y expect_code 0 "$run" -n 2 --timeout 60 "$rank" long
}

death() {
	local n
	for n in 2 3 9; do
		expect_code 137 timeout 60 "$weftrun" --keep-going -n $n \
			"$rank" death $((38 + n))
		check [ -z "$(grep '^#' "$work/out")" ]
	done
}

tap_run "$#" "$@" one_rank two_ranks five_ranks nine_ranks sixteen_ranks \
	many_levels copies_by_the_kernel four_mib death
