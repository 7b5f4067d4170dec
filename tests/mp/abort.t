#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Ends that a rank wants: of the job, or of a communicator's ranks alone, which
# its launcher may take for failures of the job, or not.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
rank=$top_builddir/tests/mp/abort_rank
netns=$top_srcdir/tests/netns

fatal_errors() {
	expect_code 1 timeout 60 "$weftrun" -n 3 "$rank" fatal
	expect_line 'rank 0 .*weft_allreduce: out.type is NULL, on context [0-9]+, '
	expect_lines 1 '^weft: .*out.type is NULL'
	expect_lines 1 '^weftrun: rank 0 aborted the job with code 1: '
	expect_code 1 timeout 60 "$weftrun" -n 3 "$rank" raise
	expect_line 'rank 0 .*: mine, on context [0-9]+, '
	expect_lines 1 '^weft: .*mine'
	expect_lines 1 '^weftrun: rank 0 aborted the job with code 1: '
}

# By the rank that makes the call, in an operation of its own.
in_an_operation() {
	expect_code 9 timeout 60 "$weftrun" -n 4 "$rank" job 1 9
	expect_lines 1 '^weftrun: rank 1 aborted the job with code 9: in an op'
	# in the middle of progress: it takes all
	expect_code 42 timeout 60 "$weftrun" -n 7 "$rank" op 3 42
	expect_lines 1 '^weftrun: rank 3 aborted the job with code 42: weft_comm_a'
}

# survive CODE WHY ARGUMENT...: of 7 ranks 4 live, and hear of no other end.
survive() {
	local code=$1 why=$2
	shift 2
	expect_code "$code" timeout 60 "$weftrun" --keep-going -n 7 "$rank" "$@"
	expect_lines 1 "rank 3 host .*communicator aborted with code $code: $why"
	expect_lines 1 '^weft: .* error: '
	expect_lines 3 "^weftrun: rank [135] .*exited with code $code\$"
	expect_lines 3 '^weftrun: '
	expect_lines 4 '^lives$'
	expect_lines 0 '^#'
}

on_half='on context [0-9]+ "half", here rank 1 of 3$'

others_survive() {
	survive 42 "weft_comm_abort, $on_half" call 3 42
	survive 1 "weft_allreduce: out.type is NULL, $on_half" error 3
	survive 1 "mine, $on_half" raise 3
	survive 42 "weft_comm_abort, $on_half" threads 3 42
	# no exit code of an abort is success
	survive 1 "weft_comm_abort, $on_half" call 3 256
}

between_nodes() {
	local code=0
	NETNS_KEEP=1 timeout 60 "$netns" 3 "$rank" call 3 42 >"$work/out" 2>&1 ||
		code=$?
	[ "$code" != 77 ] || { skip "$(head -n 1 "$work/out")"; return; }
	check [ "$code" = 42 ]
	expect_lines 1 '^weft: .* error: '
	expect_lines 3 '^lives$'
	expect_lines 0 '^#'
}

# A launcher that takes it for a failure of the job.
others_are_ended() {
	expect_code 42 timeout 60 "$weftrun" -n 4 "$rank" call 3 42
	expect_lines 1 'rank 3 host .*communicator aborted with code 42: '
	expect_lines 1 '^weftrun: rank [13] .*exited with code 42; the others are'
	expect_lines 0 '^#'
}

all_are_in_it() {
	expect_code 7 timeout 60 "$rank" call 0 7
	expect_line 'job aborted with code 7: .* "half", here rank 0 of 1$'
}

tap_run "$#" "$@" fatal_errors in_an_operation others_survive \
	between_nodes others_are_ended all_are_in_it
