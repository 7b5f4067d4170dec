#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# All collectives of real processes, blocking, nonblocking and persistent, over
# shared memory: random programs of any root, kind of element and length.
# PROGRAMS is how many, FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
rank=$top_builddir/tests/mp/forms_rank

# random RANKS
random() {
	expect_code 0 "$run" -n "$1" --timeout 100 "$rank" \
		"$((${FIRST_SEED:-1} + 100 * $1))" "${PROGRAMS:-4}"
}

one_rank() { random 1; }
two_ranks() { random 2; }
three_ranks() { random 3; }
five_ranks() { random 5; }
eight_ranks() { random 8; }
nine_ranks() { random 9; }
many_levels() { WEFT_COLL=radix:2 random 7; }
copies_by_the_kernel() { WEFT_CMA=y random 4; }

tap_run "$#" "$@" one_rank two_ranks three_ranks five_ranks eight_ranks \
	nine_ranks many_levels copies_by_the_kernel
