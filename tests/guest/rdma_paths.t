#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Paths between four nodes that are lost while the ranks live: they are made
# anew, and no byte is lost or comes twice; where they cannot be, all ranks hear
# of it.
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
packets_get_lost() {
	local seed first=${FIRST_SEED:-2}
	wires loss 5% || return 1
	for seed in $first $((first + 1)) $((first + 2)); do
		WEFT_IB_RETRY=1 WEFT_IB_TIMEOUT=13 WEFT_SLOT_MAX=16k on_nodes \
			1 rx1 rx2 rx3 rx4 -- tests/mp/exchange_rank \
			"$seed" 20 50
		expect_line '^seed .* 0 failures'
		made_anew 5
	done
	good_wires
}

# cut_off MEMORY COMMAND...: takes down the wire of node 2 in the middle of
# exchanges, runs the command, and waits for the job.
cut_off() {
	local job code=0 memory=$1
	shift
	rm -f "$work/job".*
	"$tests/pmi_launch" -d 1 rx1 rx2 rx3 rx4 -- tests/guest/outage \
		"$work/job" "$memory" >"$work/out" 2>&1 &
	job=$!
	wait_until 120 [ -e "$work/job.begun" ]
	check ip link set b2 down
	"$@"
	wait $job || code=$?
	ip link set b2 up
	check [ "$code" = 0 ]
}

two_seconds() {
	sleep 2
	check ip link set b2 up
	touch "$work/job.end"
}

a_link_is_down() {
	WEFT_IB_RETRY=2 cut_off arena two_seconds
	check [ "$(grep -c '^rank [0-3]: all right' "$work/out")" = 4 ]
	made_anew 1
}

have_their_buffers() {
	[ "$(grep -c '^rank [0-3]: has its buffer back' "$work/out")" = 4 ]
}

# Then the wire is there again, and what is still under way could come.
until_all_gave_up() {
	wait_until 60 have_their_buffers
	check ip link set b2 up
	sleep 2
	touch "$work/job.end"
}

# The others tell within WEFT_IB_RECONNECT and two seconds who it is, and what
# they were given back is not written any more.
a_link_is_gone() {
	WEFT_IB_RETRY=2 WEFT_IB_RECONNECT=3 cut_off own until_all_gave_up
	check [ "$(grep -c '^rank [0-3]: WEFT_ERR_' "$work/out")" = 4 ]
	check [ "$(grep -c '^rank [0-3]: its buffer is untouched' \
		"$work/out")" = 4 ]
	check grep -q '^rank [0-3]: WEFT_ERR_DEVICE: .*rank 1 ' "$work/out"
	expect_line 'no path to it for 3000 ms .WEFT_IB_RECONNECT.'
}

tap_run "$#" "$@" packets_get_lost a_link_is_down a_link_is_gone
