#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weftrun where something is missing or odd: descriptors, memory, streams, the
# guardian, its reader; a sentence each time, and never a hang.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
short=$top_builddir/tests/mp/weftrun_short
client=$top_builddir/tests/mp/boot_client

bad_options() {
	local words
	for words in -n '-n -1' '-n 0x2' '-n 99999999999999999999' '-n 16385' \
		'--ranks=' '--ranks=two' -x --keep-going=yes --tag --; do
		expect_code 125 "$weftrun" $words
		expect_line '^weftrun: '
	done
	expect_code 125 "$weftrun" -n '' true
	expect_line '^weftrun: -n : the number of ranks is 1 to 16384$'
}

# with_files N COMMAND...: at most N open files.
with_files() {
	bash -c 'ulimit -n "$0" && exec "$@"' "$@"
}

few_descriptors() {
	local n
	for n in 6 8 12 17; do
		expect_code 125 with_files $n "$weftrun" -n 2 true
		expect_line "^weftrun: 2 ranks .* limit is $n: .*ulimit -Hn"
	done
	expect_code 125 with_files 40 "$weftrun" -n 10 --tag-output true
	expect_line '^weftrun: 10 ranks take 46 open files'
	# enough for the check, too few for what else is open
	expect_code 125 with_files 22 bash -c 'exec 6<&0 7<&0 8<&0 9<&0 "$@"' \
		bash "$weftrun" -n 2 --tag-output true
	expect_line '^weftrun: (pipe|/dev/null|PMIx_server_init|signalfd)'
	expect_code 0 with_files 64 "$weftrun" -n 4 --tag-output "$client" run
	# a soft limit is raised, and the ranks have it back
	expect_code 0 bash -c "ulimit -Sn 20; $weftrun -n 12 bash -c '
		[ \$(ulimit -Sn) = 20 ]'"
}

# Each allocation of the launcher itself fails in turn.
no_memory() {
	local k code ended=0
	# each variable takes one; where that fails libpmix loses the others
	local clean=(env -i "PATH=$PATH" LSAN_OPTIONS=detect_leaks=0)
	for ((k = 1; k <= 100 && !ended; k++)); do
		code=0
		"${clean[@]}" FAIL_MALLOC_AT=$k "$short" -n 2 --bind numa --tag-output \
			"$client" run >"$work/out" 2>&1 || code=$?
		[ $code = 0 ] && ended=1 && continue
		check [ $code = 125 ] && expect_line '^weftrun: .*' ||
			{ echo "# allocation $k"; return 1; }
	done
	echo "# $((k - 2)) allocations"
	check [ $ended = 1 ]
	check [ $k -gt 10 ]
}

# With and without tags: a rank whose reader has left hears of it.
the_reader_leaves() {
	local tag
	for tag in '' --tag-output; do
		timeout $((20 * ${TEST_TIME:-1})) bash -c "
			set -o pipefail
			$weftrun $tag -n 2 yes 2>$work/err | head -n 1" \
			>"$work/out"
		check [ $? = 141 ]
		expect_line '^(\[[01]\] )?y$'
		check grep -Eq 'died of signal 13' "$work/err"
	done
}

# Whoever shares the stream may have made it nonblocking: nothing is lost.
a_stream_that_does_not_block() {
	local n
	n=$(perl -e 'use Fcntl; fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK);
		exec @ARGV' "$weftrun" -n 1 --tag-output sh -c \
		'yes 1234567 | head -n 100000' | { sleep 0.3; wc -c; })
	check [ "$n" = 1200000 ]
}

# A line that fills the buffer exactly, one byte less, one more; no end.
lines_of_all_lengths() {
	local n
	for n in 1 4090 4095 4096 4097 8191 8192 8193; do
		expect_code 0 "$weftrun" --tag-output sh -c \
			"head -c $n /dev/zero | tr '\\0' x; echo; printf end"
		check [ "$(sed -n 1p "$work/out" | wc -c)" = $((n + 5)) ]
		check [ "$(sed -n 2p "$work/out")" = '[0] end' ]
		check [ "$(wc -l <"$work/out")" = 2 ]
	done
}

streams_that_are_closed() {
	local code=0
	"$weftrun" -n 2 sh -c 'exit 3' <&- >&- 2>&- || code=$?
	check [ $code = 3 ]
	code=0
	"$weftrun" --tag-output -n 2 sh -c 'echo; exit 4' <&- >&- || code=$?
	check [ $code = 4 ]
}

odd_environments() {
	expect_code 0 env -u PATH "$weftrun" true
	expect_code 127 env PATH= "$weftrun" no-such-program
	expect_code 0 env TMPDIR="$work/none" "$weftrun" -n 2 "$client" run
	# who ignores SIGCHLD would never see an end
	expect_code 3 env --ignore-signal=CHLD "$weftrun" -n 2 sh -c 'exit 3'
	# SIGPIPE is for the ranks as it was for weftrun
	expect_code 0 env --ignore-signal=PIPE "$weftrun" sh -c \
		'trap "" USR1; grep -Eq "SigIgn:.*1[0-9a-f]{3}\$" /proc/self/status'
}

# Typed input that ends, and input that nobody reads.
terminal() {
	expect_code 0 script -qec "$weftrun -n 2 cat" /dev/null </dev/null
	(sleep 0.3; yes 'not read' | head -n 3000; sleep 0.3) |
		expect_code 0 script -qec "$weftrun -n 1 sh -c '
			exec <&-; sleep 0.6; echo done'" /dev/null
	expect_line '^done'
}

all_have() {
	[ "$(grep -c '^pid ' "$work/ranks")" = 2 ]
}

the_guardian_dies() {
	local job guardian
	: >"$work/ranks"
	"$weftrun" -n 2 "$client" wait >"$work/ranks" 2>"$work/out" &
	job=$!
	wait_until 30 all_have
	guardian=$(pgrep -P "$job" weft-guardian)
	kill -KILL "$guardian"
	wait_until 10 grep -q 'guardian process has died' "$work/out"
	kill -TERM "$job"
	expect_code 143 wait "$job"
}

# Rank 1 loses its connection, rank 0 fails of that and is gone first: the
# death of rank 1 is the cause.
the_cause_comes_later() {
	expect_code 137 "$weftrun" -n 2 "$client" cut "$work/cut"
	expect_line '^weftrun: rank 1 .*died of signal 9'
}

abort_while_ending() {
	expect_code 9 "$weftrun" -n 4 "$client" abort -1 9
	check [ "$(grep -c 'aborted the job' "$work/out")" = 1 ]
}

tap_run "$#" "$@" bad_options few_descriptors no_memory the_reader_leaves \
	a_stream_that_does_not_block lines_of_all_lengths \
	streams_that_are_closed odd_environments terminal the_guardian_dies \
	the_cause_comes_later abort_while_ending
