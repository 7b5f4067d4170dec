#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weftrun: options, exit codes, streams, signals, and what is left when a rank
# or weftrun itself dies.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
client=$top_builddir/tests/mp/boot_client

# ms COMMAND...: how long it takes.
ms() {
	local start end
	start=$(date +%s%N)
	"$@" >"$work/out" 2>&1
	end=$(date +%s%N)
	echo $(((end - start) / 1000000))
}

# gone PID: no such process, or one that only waits to be reaped.
gone() {
	! [ -e "/proc/$1/stat" ] ||
		grep -Eq '^[0-9]+ \(.*\) [ZX]' "/proc/$1/stat" 2>/dev/null
}

all_gone() {
	local pid
	for pid in $(sed -n 's/.*pid \([0-9]*\)$/\1/p' "$work/ranks"); do
		gone "$pid" || return 1
	done
}

# has_lines N PATTERN: in the output of the job in the background.
has_lines() {
	[ "$(grep -Ec -e "$2" "$work/ranks")" -ge "$1" ]
}

# background N ARGUMENT...: starts weftrun as $job, until N ranks have said
# their pids. The shell makes what is in its background ignore interrupts.
background() {
	local n=$1
	shift
	: >"$work/ranks" # not those of an earlier job
	env --default-signal=INT,QUIT "$weftrun" "$@" >"$work/ranks" 2>"$work/err" &
	job=$!
	wait_until 30 has_lines "$n" 'pid [0-9]+$'
}

options() {
	expect_code 0 "$weftrun" --help
	expect_line '^Usage: weftrun'
	expect_code 0 "$weftrun" --version
	expect_line '^weftrun \(weft\) [0-9]'
	expect_code 125 "$weftrun"
	expect_line '^weftrun: no program'
	expect_code 125 "$weftrun" -n 0 true
	expect_code 125 "$weftrun" -n 99999 true
	expect_code 125 "$weftrun" -n 2x true
	expect_code 125 "$weftrun" --nonsense true
	expect_code 125 env WEFT_TIMEOUT=soon "$weftrun" true
	expect_line 'WEFT_TIMEOUT.*soon'
	# the program's own options are its own
	expect_code 0 "$weftrun" -n 1 echo -n 5
	expect_line '^5$'
	expect_code 0 "$weftrun" --ranks 2 -- true
}

# What scripts for other launchers say: done, or refused with a sentence.
options_of_other_launchers() {
	local option
	expect_code 0 "$weftrun" -np 3 true
	expect_code 0 "$weftrun" -np 2 -x WEFT_A=b=c -x HOME sh -c \
		'[ "$WEFT_A" = b=c ]'
	expect_code 0 "$weftrun" -x WEFT_NONE true
	expect_line '^weftrun: -x WEFT_NONE: there is no such variable$'
	expect_code 125 "$weftrun" -x =a true
	# settings of weftrun itself, too
	expect_code 125 "$weftrun" -x WEFT_TIMEOUT=soon true
	printf '#!/bin/sh\npwd\n' >"$work/there" && chmod +x "$work/there"
	for option in -wdir --wdir -wd; do
		expect_code 0 "$weftrun" "$option" "$work" ./there
		expect_line "^$work\$"
	done
	expect_code 125 "$weftrun" --wdir "$work/none" true
	expect_line "^weftrun: --wdir $work/none: No such file"
	for option in -f --hostfile=a -machinefile; do
		expect_code 125 "$weftrun" "$option" a true
		expect_line "^weftrun: $option: .* this machine only.*mpirun"
	done
	expect_code 125 "$weftrun" --map-by core true
	expect_line '^weftrun: --map-by: use --bind WHERE'
	expect_code 0 "$weftrun" --bind-to none -oversubscribe -genvall true
	expect_code 0 "$weftrun" -n 2 -l echo a
	expect_line '^\[1\] a$'
	expect_code 0 "$weftrun" -genv WEFT_A b -n 2 sh -c '[ "$WEFT_A" = b ]'
	expect_code 125 "$weftrun" -genv A
	expect_line '^weftrun: -genv A: there is no value'
	expect_code 125 "$weftrun" -env A b true
	expect_line '^weftrun: -env: .*-x NAME=VALUE'
	expect_code 125 "$weftrun" -soft 1:4 true
	expect_line 'option .-soft'
	expect_code 125 "$weftrun" --mca btl self true
	expect_line 'WEFT_\*'
}

only_this_host() {
	local own option
	own=$(uname -n)
	for option in -host --hosts -H; do
		expect_code 0 "$weftrun" "$option" localhost,localhost:4 true
		expect_code 0 "$weftrun" "$option" "$own:2,${own%%.*}" true
		expect_code 0 "$weftrun" "$option" "$own.a.b" true
	done
	for option in "localhost,x$own" "${own}x" "${own%?}" '' localhos; do
		expect_code 125 "$weftrun" --host "$option" true
		expect_line 'is another machine, and .*this machine only.*srun'
	done
	for option in -N -ppn -npernode; do
		expect_code 0 "$weftrun" "$option" 3 echo rank
		check [ "$(grep -c '^rank$' "$work/out")" = 3 ]
		expect_code 0 "$weftrun" "$option" 4 -n 2 echo rank
		check [ "$(grep -c '^rank$' "$work/out")" = 2 ]
		expect_code 125 "$weftrun" -n 3 "$option" 2 true
		expect_line '^weftrun: -N 2: with 3 ranks .*srun --mpi=pmix'
		expect_code 125 "$weftrun" "$option" a true
		expect_line '^weftrun: -N a: the number of ranks is 1 to'
	done
}

several_programs() {
	expect_code 0 "$weftrun" -n 1 sh -c 'echo "$PMIX_RANK a $1"' sh x : \
		-np 2 sh -c 'echo "$PMIX_RANK b"' : sh -c 'echo "$PMIX_RANK c"'
	check [ "$(sort "$work/out" | tr '\n' ' ')" = '0 a x 1 b 2 b 3 c ' ]
	expect_code 0 "$weftrun" -n 1 "$client" run : -n 2 "$client" run
	# one that is the last word is an argument
	expect_code 0 "$weftrun" -n 2 sh -c :
	expect_code 127 "$weftrun" true : no-such-program
	expect_line '^weftrun: cannot start no-such-program: No such file'
	expect_code 125 "$weftrun" true : -n 2
	expect_code 125 "$weftrun" -n 16000 true : -n 500 true
	expect_code 5 "$weftrun" -n 1 sleep 60 : sh -c 'exit 5'
	expect_line '^weftrun: rank 1 .*exited with code 5'
}

a_time_limit() {
	expect_code 124 "$weftrun" -n 2 --timeout 0.2 sleep 60
	expect_line '^weftrun: the job has not ended within 0.2 s \(--timeout\)'
	expect_code 0 "$weftrun" --timeout 1m true
	expect_code 0 "$weftrun" --timeout inf true
	expect_code 125 "$weftrun" --timeout 0 true
	expect_code 125 "$weftrun" --timeout soon true
	expect_line '^weftrun: --timeout soon: it is a time like'
}

exit_codes() {
	expect_code 0 "$weftrun" -n 3 true
	expect_code 3 "$weftrun" -n 3 sh -c 'exit 3'
	expect_code 143 "$weftrun" -n 2 sh -c 'kill $$; sleep 60'
	expect_line 'rank [01] \(pid [0-9]+\) died of signal 15 \(Terminated\)'
	expect_code 7 "$weftrun" -n 3 sh -c '[ $PMIX_RANK = 1 ] && exit 7
		exec sleep 60'
	expect_line 'rank 1 .*exited with code 7; the others are killed'
}

programs_that_do_not_start() {
	expect_code 127 "$weftrun" -n 4 no-such-program
	expect_line '^weftrun: cannot start no-such-program: No such file'
	check [ "$(wc -l <"$work/out")" = 1 ]
	expect_code 127 "$weftrun" -n 4 "$work/none"
	expect_code 127 "$weftrun" ''
	echo text >"$work/text"
	expect_code 126 "$weftrun" -n 4 "$work/text"
	expect_line 'Permission denied'
	expect_code 126 "$weftrun" "$work"
	mkdir -p "$work/bin" && cp "$work/text" "$work/bin/later"
	expect_code 126 env PATH="$work/bin:$PATH" "$weftrun" later
	# found, but the kernel cannot run it: said once
	cp "$(type -P true)" "$work/busy"
	expect_code 126 "$weftrun" -n 3 "$work/busy" 8>>"$work/busy"
	expect_line "^weftrun: cannot start $work/busy: Text file busy"
	check [ "$(grep -c 'cannot start' "$work/out")" = 1 ]
}

# script NAME LINE: whose first line is that.
script() {
	printf "$2\\n" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

# The kernel says of the program itself that there is no such file.
whoever_runs_it_is_missing() {
	local name
	mkdir -p "$work/bin"
	script plain "#! $work/none -x"
	script windows '#!/bin/sh\r'
	script nested "#!$work/bin/plain"
	script unfit "#!$work"
	perl -pe "s|/lib64/ld-linux[^\\0]*|/lib64/no-linker.so.2|" \
		"$(readlink -f "$(type -P cat)")" >"$work/bin/linked"
	chmod +x "$work/bin/linked"
	for name in plain nested; do
		expect_code 127 "$weftrun" -n 3 "$work/bin/$name"
		expect_line "^weftrun: cannot start $work/bin/$name: it is run by $work/none: No such file or directory\$"
	done
	check [ "$(wc -l <"$work/out")" = 1 ]
	expect_code 127 env PATH="$work/bin:$PATH" "$weftrun" plain
	expect_line "^weftrun: cannot start plain: it is run by $work/none: "
	expect_code 127 "$weftrun" "$work/bin/windows"
	expect_line 'windows: its first line ends with a carriage return.* that /bin/sh is not found$'
	expect_code 126 "$weftrun" "$work/bin/unfit"
	expect_line "unfit: it is run by $work: Permission denied\$"
	if grep -q no-linker "$work/bin/linked"; then
		expect_code 127 "$weftrun" -n 2 "$work/bin/linked"
		expect_line 'linked: it is run by /lib64/no-linker.so.2: No such'
	fi
	# as execvp(3) has it, one further on in PATH may be good
	script true "#!$work/none"
	expect_code 0 env PATH="$work/bin:$PATH" "$weftrun" true
}

each_rank_is_itself() {
	expect_code 0 "$weftrun" -n 5 sh -c 'echo "rank $PMIX_RANK"'
	check [ "$(sort "$work/out" | tr '\n' ' ')" = \
		'rank 0 rank 1 rank 2 rank 3 rank 4 ' ]
	expect_code 0 "$weftrun" -n 4 "$client" run
	expect_code 0 "$weftrun" -n 1 "$client" run
}

# at_host NAME COMMAND...: on a machine of that name.
at_host() {
	unshare -u ${user_space:-} sh -c 'hostname "$1" && shift && exec "$@"' \
		sh "$@"
}

# The library below has room for the names of hosts that it knows, not for all.
hosts_of_any_name() {
	local letters=abcdefghijklmnopqrstuvwxyz name user_space
	[ "$(id -u)" = 0 ] || user_space=-Ur
	at_host any true 2>/dev/null || {
		skip "no namespace of host names can be made here"
		return 0
	}
	for name in "${letters:0:25}${letters:0:25}" \
		"$letters$letters-0123456789" "$letters$letters-a-b.c.d" \
		"$letters$letters${letters:0:11}" 12345678 "n-$letters$letters"; do
		expect_code 0 at_host "$name" "$weftrun" -n 2 "$client" run ||
			echo "# host $name"
	done
}

# Containers give processes a user number of their own.
a_user_without_a_home() {
	unshare -U --map-user=54321 true 2>/dev/null || {
		skip "no user namespace can be made here"
		return 0
	}
	expect_code 0 env -u HOME unshare -U --map-user=54321 \
		"$weftrun" -n 2 "$client" run
	# nor does a rank, of whatever launcher
	expect_code 0 unshare -U --map-user=54321 env HOME=/ \
		"$weftrun" -n 2 env -u HOME "$client" run
	# where there is one it is left alone
	expect_code 0 env -u HOME "$weftrun" sh -c 'echo "[${HOME-none}]"'
	expect_line '^\[none\]$'
}

# The outer launcher's variables do not reach the inner job.
one_inside_the_other() {
	expect_code 0 "$weftrun" -n 2 "$weftrun" -n 3 "$client" run
	expect_code 0 env SLURM_STEP_NUM_TASKS=7 PMI_FD=9 PMI_SIZE=7 \
		"$weftrun" -n 2 "$client" run
}

input() {
	printf 'one\ntwo\n' | expect_code 0 "$weftrun" -n 3 cat
	check [ "$(cat "$work/out")" = "$(printf 'one\ntwo')" ]
	expect_code 0 "$weftrun" -n 2 sh -c 'readlink /proc/self/fd/0' \
		</dev/zero
	check [ "$(sort "$work/out" | tr '\n' ' ')" = '/dev/null /dev/zero ' ]
	# a descriptor of the caller is passed on, none of ours is added
	expect_code 0 "$weftrun" -n 2 sh -c '[ "$PMIX_RANK" = 1 ] ||
		[ "$(cat <&9)" = nine ]' 9< <(echo nine)
	sh -c 'ls /proc/self/fd' >"$work/fds"
	expect_code 0 "$weftrun" -n 1 sh -c 'ls /proc/self/fd'
	check cmp "$work/fds" "$work/out"
}

# From a terminal, which only weftrun may read: the ranks are not in front.
input_from_a_terminal() {
	cat >"$work/typed" <<-END
	$weftrun -n 2 sh -c '
		[ \$PMIX_RANK = 1 ] || { read line; echo "got \$line"; }'
	END
	# what was typed is lost where the terminal ends before it is read
	(sleep 0.5; echo hello; wait_until 20 grep -q '^got' "$work/out") |
		expect_code 0 env script -qec "$(cat "$work/typed")" /dev/null
	expect_line '^got hello'
}

tagged_output() {
	expect_code 0 "$weftrun" -n 3 --tag-output sh -c \
		'echo out; echo err >&2; printf tail'
	local r
	for r in 0 1 2; do
		expect_line "^\[$r\] out\$"
		expect_line "^\[$r\] err\$"
		expect_line "^\[$r\] tail\$"
	done
	check [ "$(wc -l <"$work/out")" = 9 ]
	# longer than any buffer, and nothing lost
	expect_code 0 "$weftrun" -n 1 --tag-output sh -c \
		'head -c 100000 /dev/zero | tr "\\0" x; echo; echo end'
	check [ "$(head -n 1 "$work/out")" = \
		"[0] $(head -c 100000 /dev/zero | tr '\0' x)" ]
	expect_line '^\[0\] end$'
}

# Lines stay whole, however long they are, up to 1 MiB.
tagged_lines_of_several_ranks() {
	expect_code 0 "$weftrun" -n 4 --tag-output sh -c \
		'head -c 300000 /dev/zero | tr "\0" $PMIX_RANK; echo'
	check [ "$(tr -s 0-3 <"$work/out" | sort | tr '\n' ' ')" = \
		'[0] 0 [1] 1 [2] 2 [3] 3 ' ]
	expect_code 0 "$weftrun" --tag-output sh -c \
		'head -c 1500000 /dev/zero | tr "\0" x'
	check [ "$(tr -s x <"$work/out" | tr '\n' ' ')" = '[0] x [0] x ' ]
	check [ "$(wc -c <"$work/out")" = $((1500000 + 2 * 5)) ]
}

tagged_output_that_cannot_be_written() {
	expect_code 125 sh -c 'exec "$@" >/dev/full' sh \
		"$weftrun" -n 2 --tag-output echo lost
	expect_line '^weftrun: standard output: No space left on device; what'
	# a rank that goes on hears of it
	expect_code 141 sh -c 'exec "$@" >/dev/full' sh \
		"$weftrun" -n 2 --tag-output yes
	expect_line 'rank [01] \(pid [0-9]+\) died of signal 13 \(Broken pipe\)'
	# a reader that comes when the ranks have ended loses nothing
	check [ "$({ "$weftrun" -n 2 --tag-output sh -c "seq 10000
		: >'$work/'wrote.\$PMIX_RANK" & } | (
		wait_until 30 [ -e "$work/wrote.0" -a -e "$work/wrote.1" ]
		wc -l))" = 20000 ]
}

# Nothing more goes into descriptor 9.
full() {
	perl -e 'open(my $f, ">&=9") or die; vec(my $w = "", 9, 1) = 1;
		exit(select(undef, $w, undef, 0) != 0)'
}

# unread COMMAND...: runs it, where nobody reads what a job prints, as soon as
# there is no room any more; the job is $job, its ranks say their pids.
unread() {
	rm -f "$work/fifo" && mkfifo "$work/fifo" && exec 9<>"$work/fifo"
	: >"$work/ranks"
	env --default-signal=INT "$weftrun" -n 2 --tag-output sh -c \
		"echo pid \$\$ >>'$work/ranks'; exec yes" >&9 2>"$work/err" &
	job=$!
	wait_until 30 has_lines 2 'pid [0-9]+$'
	wait_until 30 full
	"$@"
	wait_until 10 gone "$job" || kill -KILL "$job"
	exec 9>&-
}

a_rank_of_them() {
	kill -KILL "$(sed -n '1s/^pid //p' "$work/ranks")"
}

nobody_reads_tagged_output() {
	unread eval 'kill -INT $job'
	expect_code 130 wait "$job"
	unread a_rank_of_them
	expect_code 137 wait "$job"
	check all_gone
	cp "$work/err" "$work/out"
	expect_line 'rank [01] \(pid [0-9]+\) died of signal 9'
	expect_line '^weftrun: nobody reads the output: the end of it is lost$'
}

a_rank_dies() {
	expect_code 137 "$weftrun" -n 4 "$client" die 2
	expect_line '^weftrun: rank 2 .*died of signal 9 \(Killed\)'
	# those who ignore the request are killed within a second, too
	local took
	took=$(ms "$weftrun" -n 4 sh -c "trap '' TERM INT HUP
		touch '$work/deaf'.\$PMIX_RANK
		while [ \$PMIX_RANK = 3 ]; do
			set -- '$work/deaf'.*
			[ \$# != 4 ] || kill -9 \$\$
			sleep 0.01
		done
		sleep 60; sleep 60; sleep 60")
	echo "# $took ms from start to end"
	expect_line '^weftrun: rank 3 .*signal 9'
	check [ "$took" -lt $((5000 * ${TEST_TIME:-1})) ]
	check [ "$took" -ge 450 ]
}

a_stopped_rank_is_killed() {
	expect_code 5 "$weftrun" -n 2 sh -c '[ $PMIX_RANK = 0 ] && kill -STOP $$
		sleep 0.3; exit 5'
}

keep_going() {
	expect_code 137 "$weftrun" -n 3 --keep-going sh -c \
		'[ $PMIX_RANK = 1 ] && kill -9 $$; sleep 0.3; echo done'
	check [ "$(grep -c '^done$' "$work/out")" = 2 ]
	expect_line '^weftrun: rank 1 .*died of signal 9 \(Killed\)$'
	expect_code 4 "$weftrun" -n 3 --keep-going sh -c \
		'sleep 0.$((PMIX_RANK * 3)); exit $((PMIX_RANK + 4))'
	expect_line 'rank 2 .*exited with code 6'
}

left_without_closing() {
	expect_code 1 "$weftrun" -n 4 "$client" left 1
	expect_line '^weftrun: rank 1 left without closing its job'
	# no rank of a program that never joined has left anything
	expect_code 0 "$weftrun" -n 4 sh -c ':'
	expect_code 1 "$weftrun" -n 2 sh -c "$client left 1; exit 0"
	expect_line '^weftrun: rank 1 left without closing its job'
}

abort() {
	expect_code 9 "$weftrun" -n 4 "$client" abort 3 9
	expect_line '^weftrun: rank 3 aborted the job with code 9: enough'
	expect_code 9 "$weftrun" -n 4 --keep-going "$client" abort 0 9
}

boot_timeout() {
	expect_code 124 env WEFT_TIMEOUT=1 "$weftrun" -n 3 sh -c \
		"[ \$PMIX_RANK = 1 ] && exec sleep 60; exec $client run"
	expect_line '1 of 3 ranks, the first of them rank 1, have not joined'
}

# Those that have joined are not left waiting for one that has ended.
ended_before_joining() {
	local code
	for code in 0 3; do
		expect_code $((code > 0 ? code : 124)) timeout 20 \
			env WEFT_TIMEOUT=inf "$weftrun" -n 3 --keep-going sh -c \
			"[ \$PMIX_RANK = 1 ] && exit $code; exec $client run"
		expect_line '^weftrun: [12] of 3 ranks, the first of them rank 1 \(ended\), have not joined the job, which others have joined; all are killed$'
	done
	# also where it is a second one that joins late
	expect_code 124 timeout 20 env WEFT_TIMEOUT=inf "$weftrun" -n 2 sh -c \
		"[ \$PMIX_RANK = 1 ] && { : >'$work/ended'; exit 0; }
		until [ -e '$work/ended' ]; do sleep 0.01; done
		exec $client run"
	expect_line 'rank 1 \(ended\), have not joined'
}

# The library below takes more than that.
a_low_limit_of_stacks() {
	local kib
	for kib in 64 128 192; do
		expect_code 0 sh -c "ulimit -s $kib; exec \"\$@\"" sh \
			"$weftrun" --tag-output -n 2 "$client" run
		expect_code 0 sh -c "ulimit -s $kib; exec \"\$@\"" sh \
			"$weftrun" sh -c "[ \$(ulimit -s) = $kib ]"
	done
}

# A rank that dies before the fence: the others are not left hanging.
death_before_the_fence() {
	expect_code 137 "$weftrun" -n 3 "$client" early 1
	expect_code 137 env WEFT_TIMEOUT=2 "$weftrun" -n 3 --keep-going \
		"$client" early 1
	expect_line '^weftrun: rank 1 .*died of signal 9'
}

# The rank is a bash: dash loses a signal that comes while it starts a command.
signals_are_forwarded() {
	local name
	for name in HUP USR1 USR2 QUIT TERM INT; do
		background 2 -n 2 bash -c "trap 'echo got; exit 0' $name
			echo pid \$\$; while :; do sleep 0.05; done"
		kill -s "$name" "$job"
		expect_code 0 wait "$job"
		check has_lines 2 '^got$' || echo "# signal $name"
	done
}

# ended_by NAME: weftrun has ended, or is asked to once more.
ended_by() {
	gone "$job" && return 0
	kill -s "$1" "$job"
	return 1
}

asked_twice() {
	local name
	for name in INT TERM; do
		background 2 -n 2 bash -c "trap 'echo got' $name; echo pid \$\$
			while :; do sleep 0.05; done"
		kill -s "$name" "$job"
		wait_until 30 has_lines 2 '^got$'
		wait_until 30 ended_by "$name"
		expect_code $((128 + $(kill -l "$name"))) wait "$job"
		check all_gone
	done
}

# The ranks end as they like under timeout, which sends its signal twice.
asked_by_timeout() {
	local i
	for ((i = 0; i < 5; i++)); do
		: >"$work/ranks"
		timeout 60 "$weftrun" -n 2 perl -e '
			$| = 1;
			$SIG{TERM} = sub {
				$SIG{TERM} = "IGNORE";
				select(undef, undef, undef, 0.2);
				exit 0;
			};
			print "pid $$\n";
			sleep 1 while 1;' >"$work/ranks" 2>"$work/err" &
		job=$!
		wait_until 30 has_lines 2 'pid [0-9]+$'
		kill -TERM "$job"
		expect_code 0 wait "$job"
	done
}

# stopped PID, running PID: its state.
stopped() {
	grep -Eq '^[0-9]+ \(.*\) T' "/proc/$1/stat"
}

running() {
	grep -Eq '^[0-9]+ \(.*\) [SR]' "/proc/$1/stat"
}

stop_and_continue() {
	local pid
	background 2 -n 2 "$client" wait
	kill -TSTP "$job"
	for pid in $(sed -n 's/^pid //p' "$work/ranks"); do
		wait_until 10 stopped "$pid"
	done
	wait_until 10 stopped "$job"
	kill -CONT "$job"
	for pid in $(sed -n 's/^pid //p' "$work/ranks"); do
		wait_until 10 running "$pid"
	done
	kill -TERM "$job"
	expect_code 143 wait "$job"
}

# killed_hard ARGUMENT...: weftrun is, and its two ranks are gone in 2 s.
killed_hard() {
	local start end
	background 2 "$@"
	start=$(date +%s%N)
	disown "$job" # no word of the shell about its end
	kill -KILL "$job"
	wait_until 10 all_gone
	end=$(date +%s%N)
	echo "# gone after $(((end - start) / 1000000)) ms"
	check [ $((end - start)) -lt 2000000000 ]
}

weftrun_is_killed() {
	killed_hard -n 2 "$client" wait
	killed_hard -n 2 sh -c "trap '' TERM HUP; $client wait; true"
	killed_hard -n 2 --tag-output sh -c "$client wait; true"
	killed_hard -n 2 sh -c "kill -STOP \$(sh -c 'echo \$PPID') &
		echo pid \$\$; sleep 60; sleep 60"
}

# The guardian is killed first: a second net holds what weftrun has started, and
# ranks behind that see that their server is gone.
guardian_is_killed() {
	both_killed "$client" wait
	both_killed sh -c "$client wait; true"
}

both_killed() {
	local guardian
	background 2 -n 2 "$@"
	guardian=$(pgrep -P "$job" weft-guardian)
	check [ -n "$guardian" ]
	disown "$job"
	kill -KILL "$guardian"
	kill -KILL "$job"
	wait_until 10 all_gone
}

# What a rank leaves in its process group ends with it.
left_in_the_group() {
	background 2 -n 2 sh -c 'sleep 3600 & echo "pid $!"'
	expect_code 0 wait "$job"
	check all_gone
}

# names: files that might be ours, where launchers like to leave them.
names() {
	find /dev/shm /tmp /var/tmp "${TMPDIR:-/tmp}" -maxdepth 1 2>/dev/null |
		grep -Ei 'weft-?run|pmix|ompi|prte|gds' | sort
}

no_files() {
	export TMPDIR=$work/tmp
	mkdir "$TMPDIR"
	names >"$work/before"
	expect_code 0 "$weftrun" -n 4 "$client" run
	expect_code 137 "$weftrun" -n 4 "$client" die 1
	killed_hard -n 2 "$client" wait
	names >"$work/after"
	check cmp "$work/before" "$work/after"
	check [ -z "$(ls -A "$TMPDIR")" ]
	unset TMPDIR
}

starts() {
	local n=${STARTS:-10} i
	names >"$work/before"
	for ((i = 0; i < n; i++)); do
		expect_code 0 "$weftrun" -n 4 "$client" run || return 1
	done
	names >"$work/after"
	check cmp "$work/before" "$work/after"
}

many_ranks() {
	local took
	took=$(ms "$weftrun" -n 64 "$client" run)
	check [ ! -s "$work/out" ]
	echo "# 64 ranks start, meet, read 64 values each and stop in $took ms"
	check [ "$took" -lt $((20000 * ${TEST_TIME:-1})) ]
}

# is_asked COMMAND...: somebody on this machine asks for display 7 while it runs
is_asked() {
	local code=0
	timeout 20 perl -MSocket -e '
		socket(my $s, AF_UNIX, SOCK_STREAM, 0) or exit 2;
		bind($s, pack_sockaddr_un("\0/tmp/.X11-unix/X7")) or exit 3;
		listen($s, 8) or exit 4;
		system(@ARGV) == 0 or exit 5;
		vec(my $asked = "", fileno($s), 1) = 1;
		exit(select($asked, undef, undef, 0) ? 1 : 0);
	' "$@" >"$work/out" 2>&1 || code=$?
	[ "$code" -le 1 ] || { check [ "$code" = 1 ]; sed 's/^/# /' "$work/out"; }
	[ "$code" != 0 ]
}

# The library that looks at the machine must not ask for displays: to look up
# their host may take long. Where its plugin is not installed, none does. Launchers
# of other tests that run now may ask: so it is tried until nobody has.
asks_no_display() {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		is_asked "$weftrun" --bind numa -n 1 \
			sh -c '[ -z "${HWLOC_COMPONENTS-}" ]' || return 0
	done
	echo "# display 7 was asked for $i times"
	failed=1
}

# The CPUs of each rank, in the order of ranks.
cpus_of() {
	timeout 30 "$weftrun" "$@" sh -c 'sed -n \
		"s/^Cpus_allowed_list:\t/$PMIX_RANK /p" /proc/self/status' |
		sort -n | cut -d ' ' -f 2 | tr '\n' ' '
}

binding() {
	local mine first
	mine=$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)
	first=${mine%%[-,]*}
	check [ "$(cpus_of -n 2)" = "$mine $mine " ]
	check [ "$(cpus_of --bind none -n 2)" = "$mine $mine " ]
	# within what weftrun itself may use
	check [ "$(taskset -c "$first" "$weftrun" --bind numa -n 2 sh -c \
		'sed -n "s/^Cpus_allowed_list:\t//p" /proc/self/status' |
		tr '\n' ' ')" = "$first $first " ]
	expect_code 0 taskset -c "$first" "$weftrun" -v --bind numa -n 2 true
	expect_line "^weftrun: rank 1 \\(pid [0-9]+\\) is bound to CPUs $first \\(numa\\)\$"
	# more ranks than cores: said, and done without
	expect_code 0 taskset -c "$first" "$weftrun" -v --bind core -n 2 true
	expect_line '^weftrun: --bind core: 2 ranks are more than the places'
	expect_line '^weftrun: rank 1 \(pid [0-9]+\) is not bound$'
	expect_code 125 "$weftrun" --bind cores -n 2 true
	expect_line '^weftrun: --bind cores: it may be none, .* hwthread \([0-9]+\)'
	expect_code 125 "$weftrun" --bind= true
	expect_code 125 env HWLOC_SYNTHETIC='core:2 pu:2' "$weftrun" \
		--bind core true
	expect_line 'HWLOC_SYNTHETIC'
	# each its own
	[ "$(nproc)" -ge 2 ] || return 0
	set -- $(cpus_of --bind hwthread -n 2)
	check [ "$1" = "$first" ]
	check [ "$1" -lt "$2" ]
}

tap_run "$#" "$@" options options_of_other_launchers \
	only_this_host \
	several_programs a_time_limit exit_codes programs_that_do_not_start \
	whoever_runs_it_is_missing \
	each_rank_is_itself hosts_of_any_name a_user_without_a_home \
	one_inside_the_other input input_from_a_terminal tagged_output \
	tagged_lines_of_several_ranks \
	tagged_output_that_cannot_be_written nobody_reads_tagged_output \
	a_rank_dies a_stopped_rank_is_killed keep_going left_without_closing \
	abort boot_timeout ended_before_joining a_low_limit_of_stacks death_before_the_fence signals_are_forwarded \
	asked_twice asked_by_timeout stop_and_continue weftrun_is_killed \
	guardian_is_killed left_in_the_group no_files starts many_ranks \
	asks_no_display binding
