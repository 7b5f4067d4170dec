#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/run without a launcher: exit codes, the time limit, processes that stay
# behind, also those that made themselves independent.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
unset TEST_TIME				# the limits below are the real ones

# Writes a word that no other process has on its command line.
marker() {
	echo "86400.$$$RANDOM"
}

gone() {
	! pgrep -f "sleep $1" >/dev/null
}

exit_codes() {
	expect_code 0 "$run" true
	expect_code 3 "$run" sh -c 'exit 3'
	expect_code 137 "$run" sh -c 'kill -9 $$'
	expect_code 125 "$run" "$work/does-not-exist"
	expect_line 'does-not-exist: No such file'
	expect_code 125 "$run"
	expect_code 125 "$run" --timeout x true
}

output_passes_through() {
	expect_code 0 "$run" sh -c 'echo "ok 1 - case"'
	expect_line '^ok 1 - case$'
}

time_limit() {
	local mark
	mark=$(marker)
	expect_code 124 "$run" --timeout 0.3 sh -c "sleep $mark; true"
	expect_line 'not finished'
	check gone "$mark"
	# a process that ignores everything and has a session of its own
	expect_code 124 "$run" --timeout 0.3 \
		setsid -w sh -c "trap '' TERM INT HUP; sleep $mark; sleep 1$mark"
	check gone "$mark"
	check gone "1$mark"
}

time_for_tests() {
	expect_code 3 "$run" --until $(($(date +%s) + 1000)) sh -c 'exit 3'
	# "now" may be a tick ahead of the clock that it looks at
	expect_code 0 "$run" --until $(($(date +%s) - 1)) sh -c 'exit 3'
	expect_line '^1\.\.0 # SKIP the time for tests was over$'
	expect_code 125 "$run" --until soon true
}

left_behind() {
	local mark
	mark=$(marker)
	expect_code 125 "$run" sh -c "setsid sleep $mark & exit 0"
	expect_line 'left behind: [0-9]+ sleep'
	check gone "$mark"
}

# Who leaves within the grace time is no failure.
leaves_late() {
	expect_code 0 "$run" sh -c 'sleep 0.2 & exit 0'
}

stopped_from_outside() {
	local mark pid
	mark=$(marker)
	"$run" sh -c "sleep $mark; true" >"$work/out" 2>&1 &
	pid=$!
	wait_until 10 pgrep -f "^sleep $mark" >/dev/null
	kill "$pid"
	expect_code 143 wait "$pid"
	check gone "$mark"
}

killed_from_outside() {
	local mark pid
	mark=$(marker)
	"$run" sleep "$mark" &
	pid=$!
	wait_until 10 pgrep -f "^sleep $mark" >/dev/null
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	wait_until 10 gone "$mark"
}

tap_run "$#" "$@" exit_codes output_passes_through time_limit \
	time_for_tests left_behind leaves_late stopped_from_outside \
	killed_from_outside
