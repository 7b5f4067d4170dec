#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Paths between four nodes that are lost while the ranks live: they are made
# anew, and no byte is lost or comes twice; where they cannot be, all ranks hear
# of it. Each ROUNDS times, from FIRST_SEED on.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
in_a_guest "$@"
nodes 4 || exit 1
export WEFT_TRANSPORT=shm,verbs

# made_anew LEAST: so many times at least, in the last job.
made_anew() {
	local n
	n=$(grep -c 'is made anew' "$work/out")
	echo "# paths made anew: $n"
	check [ "$n" -ge "$1" ]
}

# With one repetition one lost packet of twenty is too many now and then.
exchanges() {
	local i
	for i in 0 1 2; do
		WEFT_IB_RETRY=1 WEFT_IB_TIMEOUT=13 WEFT_SLOT_MAX=16k on_nodes \
			1 rx1 rx2 rx3 rx4 -- tests/mp/exchange_rank \
			$((3 * seed + i)) 20 50
		expect_line '^seed .* 0 failures'
		made_anew 5
	done
}

packets_get_lost() {
	wires loss 5% || return 1
	each_round exchanges
	good_wires
}

# cut_off MEMORY COMMAND...: takes down the wire of a node, $wire, in the middle
# of exchanges, runs the command, and waits for the job.
cut_off() {
	local job code=0 memory=$1 wire=b$((lost + 1))
	shift
	rm -f "$work/job".*
	"$tests/pmi_launch" -d 1 rx1 rx2 rx3 rx4 -- tests/guest/outage \
		"$work/job" "$memory" >"$work/out" 2>&1 &
	job=$!
	wait_until 120 [ -e "$work/job.begun" ]
	touch "$work/job.cut"
	check ip link set $wire down
	"$@"
	wait $job || code=$?
	ip link set $wire up
	check [ "$code" = 0 ]
}

two_seconds() {
	sleep 2
	check ip link set $wire up
	touch "$work/job.end"
}

down() {
	local lost=$((seed % 4))
	WEFT_IB_RETRY=2 cut_off arena two_seconds
	check [ "$(grep -c '^rank [0-3]: all right' "$work/out")" = 4 ]
	made_anew 1
}

a_link_is_down() { each_round down; }

all_have_called() {
	[ "$(grep -c '^rank [0-3]: calls ' "$work/out")" = 16 ]
}

# Then the wire is there again, and what is still under way could come.
until_all_have_called() {
	wait_until 60 all_have_called
	check ip link set $wire up
	sleep 2
	touch "$work/job.end"
}

# says PATTERN: a line of the job matches.
says() {
	check grep -Eq "^$1" "$work/out"
}

# lost_it RANK OTHER: its error names the other one, 3 s (WEFT_IB_RECONNECT) and
# 2 s after the wire was cut, and 3 s more for a device that repeats what it has
# sent and for a busy machine.
lost_it() {
	says "rank $1: WEFT_ERR_DEVICE after [5-7][0-9]{3} ms: .*: rank $2 on "
}

# each_reaches_others_but LOST
each_reaches_others_but() {
	local i j
	for i in 0 1 2 3; do for j in 0 1 2 3; do
		if [ $i != $j ] && { [ $i = $1 ] || [ $j = $1 ]; }; then
			says "rank $i: calls rank $j: WEFT_ERR_DEVICE: .*rank $j on .* cannot be reached"
		else
			says "rank $i: calls rank $j: WEFT_OK: it answers"
		fi
	done; done
}

# Each one tells whom it has lost, and what it was given back is not written any
# more.
gone() {
	local i lost=$((seed % 4))
	WEFT_IB_RETRY=2 WEFT_IB_RECONNECT=3 cut_off own until_all_have_called
	for i in 0 1 2 3; do
		lost_it $i $([ $i = $lost ] && echo "[^$lost]" || echo $lost)
		says "rank $i: its buffer is untouched"
	done
	each_reaches_others_but $lost
	expect_line 'no path to it for 3000 ms .WEFT_IB_RECONNECT.'
	sed -n 's/^\(rank .*\) after \(.* ms\): .*: \(rank .*\) on .*/# \1 after \2: \3/p' \
		"$work/out"
}

a_link_is_gone() { each_round gone; }

tap_run "$#" "$@" packets_get_lost a_link_is_down a_link_is_gone
