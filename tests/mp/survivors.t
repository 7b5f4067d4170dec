#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The end of ranks in real jobs: killed, stopped, closed early or late, and
# what the others hear of it. KILLS, STOPS, LATES and STARTS are how often, AWAY_MS
# for how long a stopped or busy rank is away.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
survivor=$top_builddir/tests/mp/survivor
kinds=(line slot direct chunks)

export TMPDIR=$work/tmp
mkdir "$TMPDIR"

# Each survivor of a loop hears within 2 s which rank is dead.
each_survivor_hears() {
	local n=${KILLS:-8} seed=${KILL_SEED:-$RANDOM} i victim
	RANDOM=$seed
	for ((i = 0; i < n; i++)); do
		victim=$((RANDOM % 4))
		expect_code 137 "$weftrun" --keep-going -n 4 "$survivor" kill \
			"${kinds[i % 4]}" $victim $((RANDOM % 40)) &&
			expect_lines 3 "^rank [0-3] heard of rank $victim" &&
			expect_line "^weftrun: rank $victim .*died of signal 9" ||
			{ echo "# KILL_SEED=$seed, number $i"; return 1; }
	done
}

# Its pid lives on; nothing but a closed file tells.
another_program() {
	local i said='is dead: its process [0-9]+ has started another program'
	for ((i = 0; i < 4; i++)); do
		expect_code 1 "$weftrun" --keep-going -n 4 "$survivor" exec \
			"${kinds[i]}" $i &&
			expect_lines 3 "^rank [0-3] heard of rank $i" &&
			expect_line "rank $i on host .* $said \(exec\)$"
	done
}

another_program_over_ofi() {
	needs_built OFI || return 0
	WEFT_TRANSPORT=ofi another_program
}

dead_before_it_was_met() {
	local i
	for i in 0 3 1; do
		expect_code 137 "$weftrun" --keep-going -n 4 "$survivor" \
			unmet $i
		expect_lines 3 "^rank [0-3] heard of rank $i"
	done
}

# Nobody waits for anybody: who asks finds out.
asked_who_is_dead() {
	expect_code 137 "$weftrun" --keep-going -n 5 "$survivor" ask 1 4
	expect_lines 3 '^rank [023] knows both'
	expect_code 137 "$weftrun" --keep-going -n 3 "$survivor" ask 0 1
	expect_lines 1 '^rank 2 knows both'
}

# Without --keep-going the launcher ends the job; most of the time is for busy
# machines, to start it.
the_job_ends() {
	local i start took
	for i in 0 1 2 3; do
		start=$(date +%s%N)
		expect_code 137 "$weftrun" -n 4 "$survivor" kill "${kinds[i]}" \
			$i 10
		took=$((($(date +%s%N) - start) / 1000000))
		expect_line "^weftrun: rank $i .*died of signal 9 \(Killed\)"
		echo "# $took ms from start to end"
		check [ $took -lt 5000 ]
	done
}

# All but the warning of a user who may lock little memory.
lines() { grep -vc ' KiB of locked memory ' "$work/out"; }

stopped_is_not_dead() {
	local n=${STOPS:-1} i
	for ((i = 0; i < n; i++)); do
		expect_code 0 env WEFT_STALL=1 "$weftrun" -n 4 "$survivor" \
			stop $((i % 4)) "${AWAY_MS:-2000}"
		expect_lines 3 "warn: waiting for weft_neighbor_alltoallv .*-edge . (from|to) rank $((i % 4)) "
		check [ "$(lines)" = 3 ]
	done
}

# One computes, and 31 wait for it.
busy_is_not_dead() {
	local n=${STOPS:-1} i
	for ((i = 0; i < n; i++)); do
		expect_code 0 "$weftrun" -n 32 "$survivor" busy $((i * 5 % 32)) \
			"${AWAY_MS:-1000}"
		check [ ! -s "$work/out" ] || sed 's/^/# /' "$work/out"
	done
}

closed_while_others_wait() {
	local kind
	for kind in "${kinds[@]}"; do
		expect_code 0 "$weftrun" -n 4 "$survivor" leave $kind 2 -1 0
		expect_lines 4 '^rank [0-3] closed$'
		check [ "$(lines)" = 4 ]
	done
}

closed_while_another_dies() {
	local n=${KILLS:-8} i code closed
	for ((i = 0; i < n; i++)); do
		code=0
		"$weftrun" --keep-going -n 4 "$survivor" leave \
			"${kinds[i % 4]}" 3 1 $((2 * i % 50)) >"$work/out" 2>&1 ||
			code=$?
		# it may have closed before it was to be killed
		closed=$((code == 137 ? 3 : 4))
		check [ $code = 137 -o $code = 0 ]
		expect_lines $closed '^rank [0-3] closed$'
	done
}

# Nobody has connected to anybody: nothing to wait for.
silent_ranks_close_at_once() {
	expect_code 0 "$weftrun" -n 4 "$survivor" silent 1500
	expect_lines 4 '^rank [0-3] closed in [0-9]{1,3} ms$'
}

contact_with_one_that_closes() {
	local n=${LATES:-3} i
	for ((i = 0; i < n; i++)); do
		head -c 4096 /dev/zero >"$work/board"
		expect_code 0 "$weftrun" -n 16 "$survivor" late "$work/board"
	done
}

starts_and_stops() {
	local n=${STARTS:-10} i
	for ((i = 0; i < n; i++)); do
		expect_code 0 "$weftrun" -n 4 "$survivor" once || return 1
		[ ! -s "$work/out" ] || check cat "$work/out" || return 1
	done
}

# After all of the above; names that are ours or PMIx's.
nothing_is_left() {
	check [ -z "$(ls -A "$TMPDIR")" ]
	find /dev/shm /tmp /var/tmp -maxdepth 1 -newer "$work/tmp.start" |
		grep -Ei '/(weft-|pmix|ompi|prte|gds)' >"$work/left"
	check [ ! -s "$work/left" ] || sed 's/^/# /' "$work/left"
}

touch "$work/tmp.start"
tap_run "$#" "$@" each_survivor_hears another_program \
	another_program_over_ofi dead_before_it_was_met asked_who_is_dead \
	the_job_ends stopped_is_not_dead busy_is_not_dead \
	closed_while_others_wait closed_while_another_dies \
	silent_ranks_close_at_once contact_with_one_that_closes \
	starts_and_stops nothing_is_left
