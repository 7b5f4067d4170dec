#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Matched messages of real processes: any of them, more of them than a receiver
# holds, a ring by all calls, those that come for a communicator which their
# receiver has not made yet, a rank that is killed while others wait for it, and
# one after another, in every call that waits; and the random programs of the
# simulator, whose order a serial matcher knows.
# COMMS is how many communicators are used, PROGRAMS how many of those programs,
# KILLS how many with a death; FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
weftrun=$top_builddir/tools/weftrun/weftrun
rank=$top_builddir/tests/mp/p2p_rank
gaps_rank=$top_builddir/tests/mp/p2p_gaps
early_rank=$top_builddir/tests/mp/p2p_early
deaths_rank=$top_builddir/tests/mp/p2p_deaths
play_rank=$top_builddir/tests/mp/play_rank

# random RANKS
random() {
	expect_code 0 "$run" -n "$1" --timeout 100 "$rank" random \
		"$((${FIRST_SEED:-1} + $1))" "${COMMS:-$((60 / $1))}"
}

one_rank() { random 1; }
two_ranks() { random 2; }
five_ranks() { random 5; }
nine_ranks() { random 9; }

flood() {
	expect_code 0 "$run" -n 3 --timeout 60 "$rank" flood
}

# by every call there is
ring() {
	local n
	for n in 1 2 5; do
		expect_code 0 "$run" -n $n --timeout 60 "$rank" ring
	done
}

# with CMA a receiver could be written to directly
gaps() {
	local cma
	for cma in n y; do
		WEFT_CMA=$cma expect_code 0 "$run" -n 2 --timeout 60 \
			"$gaps_rank"
	done
}

# early MAKER [FREED]
early() {
	rm -f "$work/board"
	expect_code 0 "$run" -n 4 --timeout 60 "$early_rank" "$work/board" "$@"
}

early_dup() { early dup; }
early_idup() { early idup; }
early_create() { early create; }
early_create_group() { early create_group; }
early_split() { early split; }

# freed MAKER MESSAGES: so many are sent, and dropped but for those received,
# one of each sender, by one who has used it. FREED says which ends there are.
freed() {
	local how left
	for how in ${FREED:-unseen unused used}; do
		left=$2
		[ "$how" = used ] && left=$(($2 - $2 / 1100))
		WEFT_LOG=debug early "$1" "$how"
		check [ "$(grep -c 'rank 3 .* dropped a message of .* freed$' \
			"$work/out")" = "$left" ]
	done
}

freed_dup() { freed dup 3300; }
freed_create() { freed create 2200; }
freed_create_group() { freed create_group 2200; }
freed_split() { freed split 2200; }

death() {
	local n
	for n in 2 3 7; do
		expect_code 137 timeout 60 "$weftrun" --keep-going -n $n \
			"$rank" death
		check [ -z "$(grep '^#' "$work/out")" ]
	done
}

# All who are left end well.
deaths() {
	expect_code 137 timeout $((60 * ${TEST_TIME:-1})) "$weftrun" \
		--keep-going -n 19 "$deaths_rank"
	check [ -z "$(grep '^#' "$work/out")" ]
	check [ "$(grep -c '^weftrun: rank .*signal 9' "$work/out")" = 17 ]
	check [ "$(grep -c '^weftrun: rank' "$work/out")" = 17 ]
}

# play RANKS
play() {
	expect_code 0 "$run" -n "$1" --timeout 60 "$play_rank" \
		"$((${FIRST_SEED:-1} + 100 * $1))" "${PROGRAMS:-60}"
}

two_play() { play 2; }
three_play() { play 3; }
five_play() { play 5; }

death_in_play() {
	local first=${FIRST_SEED:-1} i
	for ((i = first; i < first + ${KILLS:-6}; i++)); do
		expect_code 137 timeout 60 "$weftrun" --keep-going \
			-n $((2 + i % 4)) "$play_rank" $i death
		check [ -z "$(grep '^#' "$work/out")" ] ||
			{ cat "$work/out"; return 1; }
	done
}

tap_run "$#" "$@" one_rank two_ranks five_ranks nine_ranks flood ring gaps \
	early_dup early_idup early_create early_create_group early_split \
	freed_dup freed_create freed_create_group freed_split death deaths \
	two_play three_play five_play death_in_play
