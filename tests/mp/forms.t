#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# All collectives of real processes, blocking, nonblocking and persistent, over
# shared memory: random programs of any root, kind of element and length, and
# ranks that are killed in their midst.
# PROGRAMS is how many, KILLS how many deaths, a fifth of them in each collective;
# FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
weftrun=$top_builddir/tools/weftrun/weftrun
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

# Legs of a pairwise exchange, as many as may be under way.
all_in_one_look() {
	expect_code 0 "$run" -n 17 --timeout 100 \
		"$top_builddir/tests/mp/alltoall_rank" "$work/board"
}

# All who are left hear of it.
death() {
	local first=${FIRST_SEED:-1} i
	for ((i = first; i < first + ${KILLS:-8}; i++)); do
		expect_code 137 timeout 60 "$weftrun" --keep-going \
			-n $((2 + i % 5)) "$rank" $i death
		check [ -z "$(grep '^#' "$work/out")" ] ||
			{ cat "$work/out"; return 1; }
	done
}

deep_death() { WEFT_COLL=radix:2 death; }

# Over other transports without KILLS in these alone.
some='bcast gatherv alltoall alltoallv'
every="barrier reduce allreduce scan exscan reduce_scatter_block reduce_scatter
allgather allgatherv gather scatter scatterv $some"

# killed_in COLLECTIVE SEED
killed_in() {
	local code=0
	timeout 60 "$weftrun" --keep-going -n $((2 + $2 % 5)) "$rank" "$2" \
		death "$1" >"$work/$1" 2>&1 || code=$?
	[ $code != 137 ] || grep -q '^#' "$work/$1" || return 0
	echo "# killed in $1, seed $2: code $code"
	sed 's/^/#     /' "$work/$1"
	return 1
}

# At any moment of each of them; four jobs at a time, which mostly wait.
death_in_each() {
	local seed=${FIRST_SEED:-1} names=$every pids=() round name
	[ -n "${KILLS-}" ] || [ -z "${WEFT_TRANSPORT-}" ] || names=$some
	for ((round = 0; round * 5 < ${KILLS:-5}; round++)); do
		for name in $names; do
			killed_in "$name" $((seed++)) &
			pids+=($!)
			[ ${#pids[@]} -ge 4 ] || continue
			wait "${pids[0]}" || failed=1
			pids=("${pids[@]:1}")
		done
	done
	for name in "${pids[@]}"; do wait "$name" || failed=1; done
}

tap_run "$#" "$@" one_rank two_ranks three_ranks five_ranks eight_ranks \
	nine_ranks many_levels copies_by_the_kernel all_in_one_look \
	death deep_death death_in_each
