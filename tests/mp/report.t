#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# SIGUSR1 to weftrun: each rank says what it waits for, and for whom. Rank 1 of
# three comes late (tests/mp/stuck.c), and only when it is told to.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
stuck=$top_builddir/tests/mp/stuck

has_lines() {
	[ "$(grep -Ec -e "$2" "$work/ranks")" -ge "$1" ]
}

# asked PATTERN: asks all ranks, and one has said so.
asked() {
	grep -Eq -e "$1" "$work/out" && return 0
	kill -USR1 "$job"
	return 1
}

# begin CALL: three ranks, of which rank 1 does not make the call.
begin() {
	: >"$work/ranks"
	timeout $((60 * ${TEST_TIME:-1})) "$weftrun" -n 3 "$stuck" "$1" \
		>"$work/ranks" 2>"$work/out" &
	# not of timeout, which would pass the signal on to all
	job=$!
	wait_until 30 has_lines 3 'pid [0-9]+$'
	job=$(pgrep -P "$job" -x weftrun)
}

# go_on: rank 1 makes the call, and all end well. Of two signals that wait the
# one to report is taken first, and comes before the end of the ranks.
go_on() {
	kill -USR2 "$job"
	local code=0
	wait $! || code=$?
	check [ "$code" = 0 ] || sed 's/^/#     /' "$work/out"
}

# What the job accounts is within what weft-info has measured, of this transport.
memory_of_a_peer() {
	local transport=${WEFT_TRANSPORT:-shm}
	local info=$top_builddir/tools/weft-info/weft-info heap segment
	! ldd "$info" | grep -qE 'lib[at]san' ||
		{ skip 'sanitizers have an allocator of their own'; return 0; }
	expect_code 0 "$info" --memory --transport "$transport"
	read -r _ heap segment _ < <(grep "^  $transport" "$work/out")
	begin exchange
	wait_until 30 asked "report: device $transport: .* for each peer"
	sed -n 's/.* and \([1-9][0-9]*\) for each peer$/\1/p' "$work/out" \
		>"$work/each"
	check [ "$(sort -n "$work/each" | head -n 1)" -gt 512 ]
	check [ "$(sort -n "$work/each" | tail -n 1)" -le $((heap + segment)) ]
	go_on
}

host=$(hostname | cut -c 1-31)

exchange() {
	begin exchange
	wait_until 30 asked "^weft: rank 2 host $host: report:   in-edge 0 from rank 1 on host $host, 8 bytes: nothing has come"
	expect_line "^weft: rank 2 host $host: report: process [0-9]+, rank 2 of 3, asked by SIGUSR1"
	expect_line "rank 2 host $host: report: waits for weft_neighbor_alltoallv 1 of context [0-9]+ .*from rank 1 on"
	expect_line "rank 2 host $host: report: weft_neighbor_alltoallv 1 on a graph \\(context [0-9]+, here rank 2 of 3\\), active, since [0-9.]+ s, 1 steps? to go"
	expect_line 'rank 2 .* report: peer rank 1 on host .* by shm: connected, [0-9]+ posts, [0-9]+ of them done'
	expect_line 'rank 2 .* report: device shm: [1-9][0-9]* bytes'
	expect_line 'rank 2 .* report: memory: segment of [1-9][0-9]* bytes, used up to [1-9]'
	# the one that is late waits in no call
	expect_line 'rank 1 .* report: in no call that waits'
	expect_line 'rank 1 .* report: no operation is open'
	go_on
}

# Blocks do not mix: the lines of one are together, from the process to the
# memory.
blocks() {
	begin barrier
	wait_until 30 asked 'rank 2 .*: report: weft_barrier'
	go_on
	check [ "$(grep -c ': report: process' "$work/out")" -ge 3 ]
	check awk '/: report: process/ { if (rank != "") exit 1; rank = $3; next }
		rank != $3 { exit 1 }
		/: report: memory:/ { rank = "" }
		END { exit rank != "" }' "$work/out"
}

collectives() {
	local call
	for call in allreduce barrier; do
		begin "$call"
		wait_until 30 asked "rank 0 .*: report: weft_$call [0-9]+ on the world \\(context [0-9]+, here rank 0 of 3\\)"
		expect_line "rank 0 .*: report: waits for weft_$call [0-9]+ of context 0 .*: from rank 1 on host"
		expect_line 'rank 0 .*: report:   from rank 1 on host'
		go_on
	done
}

# The receiver that does not start is what the sender of a long one waits for.
large() {
	begin large
	wait_until 30 asked "rank 0 .*: report:   out-edge 0 to rank 1 on host $host, 100000 bytes: until the receiver"
	go_on
}

closing() {
	begin close
	wait_until 30 asked 'rank 0 .*: report: waits for the end of .*rank 1'
	go_on
}

threads() {
	begin threads
	wait_until 30 asked 'rank 2 .*: report: weft_barrier'
	expect_line 'rank 2 .*: report: weft_neighbor_alltoallv'
	check [ "$(grep -E 'rank 2 .*: report: (process|waits)' "$work/out" |
		tail -n 2 | grep -c waits)" = 2 ]
	go_on
}

# All processes that have said their pids catch SIGUSR1, but for one.
can_be_asked() {
	local pid n=0
	for pid in $(sed -n 's/^pid //p' "$work/ranks"); do
		n=$((n + (0x$(sed -n 's/^SigCgt:\t//p' \
			"/proc/$pid/status") >> 9 & 1)))
	done
	[ "$n" = 2 ]
}

# Those that wait in the launcher for one that has not opened the job yet.
opening() {
	begin open
	wait_until 30 can_be_asked
	wait_until 30 asked "^weft: rank 0 host $host: report: waits for the PMIx fence: .*a rank that has not come"
	expect_line "^weft: rank 0 host $host: report: process [0-9]+, rank 0 of 3, asked by SIGUSR1"
	go_on
}

tap_run "$#" "$@" exchange blocks collectives large closing threads opening \
	memory_of_a_peer
