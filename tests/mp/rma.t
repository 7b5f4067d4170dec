#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# One-sided operations of real processes: random ones, every byte checked, long
# ones, on the program's own memory, and towards a rank that is killed. STEPS
# is how many of the random ones, FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
weftrun=$top_builddir/tools/weftrun/weftrun
rank=$top_builddir/tests/mp/rma_rank

# random RANKS
random() {
	expect_code 0 "$run" -n "$1" --timeout 60 "$rank" random \
		"$((${FIRST_SEED:-1} + $1))" "${STEPS:-20}"
}

one_rank() { random 1; }
two_ranks() { random 2; }
four_ranks() { random 4; }
seven_ranks() { random 7; }

long_ones() {
	expect_code 0 "$run" -n 2 --timeout 60 "$rank" long
}

# With or without, but never wrong.
own_memory() {
	expect_code 0 "$run" -n 3 --timeout 60 "$rank" memory
	expect_line '^(own memory is reached|unsupported: )'
}

# It is reached where the transport promises that.
own_memory_is_reached() {
	WEFT_TRANSPORT=${WEFT_TRANSPORT:-shm} WEFT_CMA=y WEFT_LOG=info \
		expect_code 0 "$run" -n 3 --timeout 60 "$rank" memory
	grep -q 'no cross memory attach' "$work/out" &&
		{ skip 'the kernel lets no process copy to others'; return 0; }
	expect_line '^own memory is reached'
}

atomics() {
	expect_code 0 "$run" -n 3 --timeout 60 "$rank" agent 1
}

exposed() {
	expect_code 0 "$run" -n 3 --timeout 60 "$rank" exposed
}

# Only where each transport reaches it.
own_memory_says_why() {
	expect_code 0 "$run" -n 2 --timeout 60 "$rank" memory
	expect_line 'weft_region_create: (shm|ofi) gives peers no access'
}

ring_example() {
	local n
	for n in 1 2 5; do
		expect_code 0 "$run" -n $n --timeout 60 \
			"$top_builddir/examples/weft-ring" 200 3000
		expect_line "^200 blocks .* $n ranks, 0 numbers are wrong"
	done
}

death() {
	local i
	for i in 2 3 6; do
		expect_code 137 timeout 60 "$weftrun" --keep-going -n $i \
			"$rank" death
		check [ -z "$(grep '^#' "$work/out")" ]
	done
}

tap_run "$#" "$@" one_rank two_ranks four_ranks seven_ranks long_ones \
	own_memory own_memory_is_reached own_memory_says_why exposed atomics \
	ring_example death
