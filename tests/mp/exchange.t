#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Random exchanges of real processes over shared memory: EXCHANGES of them,
# spread over jobs of 1 to 16 ranks; every byte is checked. GRAPHS more are made of
# edges that any rank gives, in jobs of 1 to 8. FIRST_SEED chooses other programs.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
rank=$top_builddir/tests/mp/exchange_rank
exchanges=${EXCHANGES:-600}
seed=${FIRST_SEED:-1}
jobs=8

# a wrong length costs the 200 ms after which an end asks the other
if [ "$exchanges" -ge 20000 ]; then mismatch=1000; else mismatch=50; fi

# job RANKS: its share of the exchanges
job() {
	local share=$((exchanges / jobs + 1))
	expect_code 0 "$run" -n "$1" --timeout $((60 + share / 20)) \
		"$rank" "$((seed + $1))" "$share" "$mismatch"
	grep '^seed' "$work/out" | sed 's/^/# /'
}

one_rank() { job 1; }
two_ranks() { job 2; }
three_ranks() { job 3; }
four_ranks() { job 4; }
five_ranks() { job 5; }
seven_ranks() { job 7; }
eleven_ranks() { job 11; }
sixteen_ranks() { job 16; }
copies_by_the_kernel() { WEFT_CMA=y job 4; }

edges_of_strangers() {
	local n share=$((${GRAPHS:-300} / 8 + 1))
	for n in 1 2 3 4 5 6 7 8; do
		expect_code 0 "$run" -n $n --timeout $((60 + share / 10)) \
			"$top_builddir/tests/mp/given_rank" \
			"$((8 * seed + n))" "$share"
	done
}

halo_example() {
	local n
	for n in 1 2 4 6; do
		expect_code 0 "$run" -n $n --timeout 60 \
			"$top_builddir/examples/weft-halo2d" 41 16
		expect_line "^41 steps .* off by [0-9]e-1[3-9]"
	done
}

tap_run "$#" "$@" one_rank two_ranks three_ranks four_ranks five_ranks \
	seven_ranks eleven_ranks sixteen_ranks copies_by_the_kernel \
	edges_of_strangers halo_example
