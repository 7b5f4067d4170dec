#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The guests themselves: what comes back, what stays inside, who reaches whom.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"

# Its code, its output, the one directory that is shared, and nothing else.
one_guest() {
	needs_guests || return 0
	mkdir "$work/share"
	echo outside >"$work/file"
	guest 7 -s "$work/share" "ls /sys/class/infiniband
		echo inside >'$work/file' && cat '$work/file'
		echo kept >/share/kept
		exit 7"
	expect_line '^rxe0$'
	expect_line '^inside$'
	check [ "$(cat "$work/file")" = outside ]
	check [ "$(cat "$work/share/kept")" = kept ]
}

two_guests() {
	needs_guests || return 0
	guest 0 -n 2 'if [ "$GUEST" = 1 ]; then
			echo hello | busybox nc -l -p 4711
		else
			for try in $(seq 300); do
				busybox nc n1 4711 </dev/null && break
				sleep 0.1
			done
		fi'
	expect_line '^hello$'
}

# Packets to a node get lost on its own wire only.
nodes_of_a_guest() {
	needs_guests || return 0
	guest 0 'nodes 3 && ls /sys/class/infiniband &&
		reach() { busybox ping -c 1 -W 1 -I "10.7.0.$1" "10.7.0.$2"; } &&
		reach 1 2 && reach 2 3 && ip link set n2 down &&
		! reach 1 2 && reach 1 3'
	for device in rx1 rx2 rx3; do
		expect_line "^$device\$"
	done
}

bad_ends() {
	needs_guests || return 0
	guest 125 'echo c >/proc/sysrq-trigger; sleep 60'
	expect_line '^guest 1 died$'
	guest 124 -t 15 'sleep 60'
	expect_line '^guest 1: not done after 15 s$'
}

tap_run "$#" "$@" one_guest two_guests nodes_of_a_guest bad_ends
