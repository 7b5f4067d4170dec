#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/run with a launcher: rank 0 passes through, the others are shown by
# rank, the time limit holds for all of them.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
unset TEST_TIME				# the limits below are the real ones

output_by_rank() {
	expect_code 0 "$run" -n 4 sh -c 'echo "out $TEST_RANK"
		echo "err $TEST_RANK" >&2'
	expect_line '^out 0$'
	expect_line '^err 0$'
	for rank in 1 2 3; do
		expect_line "^# \\[$rank\\] out $rank\$"
		expect_line "^# \\[$rank\\] err $rank\$"
	done
	check test "$(grep -c 'out' "$work/out")" = 4
}

failing_rank() {
	expect_code 7 "$run" -n 3 --keep-going sh -c '
		[ "$TEST_RANK" != 2 ] || { echo "not well"; exit 7; }'
	expect_line '^# \[2\] not well$'
	expect_line '^# tests/run: the job ended with code 7$'
}

time_limit_of_a_job() {
	local mark=86400.$$$RANDOM
	expect_code 124 "$run" -n 3 --timeout 4 sh -c \
		"trap '' TERM INT HUP; echo here; sleep $mark; sleep 1$mark"
	expect_line '^# \[2\] here$'
	expect_line 'not finished after 4 s'
	# Slurm takes its time to kill what ignores a SIGTERM
	wait_until 10 not_running "$mark"
}

not_running() {
	! pgrep -f "sleep 1?$1" >/dev/null
}

bad_command_lines() {
	expect_code 125 "$run" -n 1000000 true
	expect_code 125 "$run" -n 2
	expect_code 125 "$run" -n 2 --keep-going
	expect_code 127 "$run" -n 2 "$work/does-not-exist"
}

tap_run "$#" "$@" output_by_rank failing_rank time_limit_of_a_job \
	bad_command_lines
