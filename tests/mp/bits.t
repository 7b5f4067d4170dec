#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# One input, one number of ranks, the same bits: sums of real processes, with
# each radix, have those that a fold by the bracket gives without a job.
# INPUTS is how many.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
rank=$top_builddir/tests/mp/bits_rank

# bits RANKS [RADIX...]
bits() {
	local ranks=$1 inputs=${INPUTS:-20} radix want
	shift
	want=$("$rank" "$inputs" "$ranks") || return 1
	for radix in "${@:-8}"; do
		WEFT_COLL=radix:$radix expect_code 0 "$run" -n "$ranks" \
			--timeout 60 "$rank" "$inputs" || return 1
		expect_line "^(# )?$want\$" || return 1
	done
}

two_ranks() { bits 2; }
three_ranks() { bits 3; }
five_ranks() { bits 5 2 4 8 16; }
nine_ranks() { bits 9 2 8; }
copies_by_the_kernel() { WEFT_CMA=y bits 3; }

tap_run "$#" "$@" two_ranks three_ranks five_ranks nine_ranks \
	copies_by_the_kernel
