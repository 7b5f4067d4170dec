#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Joining and leaving a job in ways that users meet: settings that cannot be,
# forks, aborts, waits that take long, a death before or after the exchanges.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
member=$top_builddir/tests/mp/member

unknown_variables() {
	expect_code 0 env WEFT_SLOTMAX=1k WEFT_XYZZY=1 "$weftrun" -n 3 \
		"$member" meet
	expect_lines 1 'warn: unknown variable WEFT_SLOTMAX: did you mean WEFT_SLOT_MAX\?'
	expect_lines 1 'warn: unknown variable WEFT_XYZZY: weft\(7\)'
	expect_lines 3 '^rank [0-2] close: WEFT_OK: $'
	expect_lines 8 ''
}

bad_values() {
	expect_code 2 env WEFT_STALL=soon "$member" meet
	expect_lines 1 'error: WEFT_STALL is "soon": expected a time'
	expect_lines 1 'open: WEFT_ERR_ARG'
	expect_code 2 env WEFT_ARENA=2m WEFT_ARENA_MAX=1m "$member" meet
	expect_lines 1 'error: WEFT_ARENA, 2097152 bytes, is more than WEFT_ARENA_MAX'
	expect_lines 1 'open: WEFT_ERR_ARG'
	expect_code 2 env WEFT_BOOT=mpi "$member" meet
	expect_lines 1 'open: WEFT_ERR_BOOT'
}

no_transport() {
	local list
	for list in ^shm shmem,sh; do
		expect_code 2 env WEFT_TRANSPORT=$list "$weftrun" \
			--keep-going -n 2 "$member" meet
		expect_lines 2 'error: no backend can be used: WEFT_TRANSPORT is'
		expect_lines 2 'open: WEFT_ERR_DEVICE'
	done
	expect_lines 1 'warn: WEFT_TRANSPORT names shmem, which .*: it has shm(, [a-z]+)*$'
	expect_code 2 env WEFT_TRANSPORT=^shm "$member" meet
	expect_lines 1 'error: no backend can be used: WEFT_TRANSPORT is .*: shm: not in WEFT_TRANSPORT'
	expect_code 2 env WEFT_LOG=info WEFT_TRANSPORT=^shm "$member" meet
	expect_lines 1 'info: backend shm: not in WEFT_TRANSPORT'
	# one that is named says itself why it is not there
	if grep -q 'define WF_HAVE_VERBS ' "$top_builddir/config.h" &&
		[ ! -d /sys/class/infiniband ]; then
		expect_code 2 env WEFT_TRANSPORT=verbs "$member" meet
		expect_lines 1 'error: no backend .*; verbs: this machine has no RDMA device'
	fi
	for list in ^nosuch nosuch,shm; do
		expect_code 0 env WEFT_TRANSPORT=$list "$weftrun" -n 2 \
			"$member" meet
		expect_lines 1 'warn: WEFT_TRANSPORT names nosuch, which is no backend'
		expect_lines 1 'warn:'
	done
	expect_code 0 env WEFT_TRANSPORT=shm, "$weftrun" -n 2 "$member" meet
	expect_lines 0 'warn:'
}

settings_that_differ() {
	expect_code 2 "$weftrun" --keep-going -n 2 sh -c \
		"WEFT_SLOT_MAX=\$((PMIX_RANK + 1))k exec $member meet"
	expect_lines 1 'rank 0 .*error: rank 1: hosts .* and .* differ in WEFT_\* set'
	expect_lines 1 'rank 1 .*error: rank 0: hosts .* and .* differ in WEFT_\* set'
	expect_lines 2 'open: WEFT_ERR_BOOT'
	# what each rank may have as it likes
	expect_code 0 "$weftrun" -n 2 sh -c \
		"WEFT_SPIN=\$PMIX_RANK WEFT_STALL=1\$PMIX_RANK exec $member meet"
	expect_lines 2 'barrier: WEFT_OK'
}

memory_limits() {
	expect_code 0 env WEFT_ARENA=64k WEFT_ARENA_MAX=1m "$weftrun" -n 2 \
		"$member" alloc 1048576
	expect_lines 2 'alloc: WEFT_ERR_NOMEM: .*1048576 bytes.*WEFT_ARENA_MAX'
	expect_lines 2 'barrier: WEFT_OK'
	expect_code 0 "$member" alloc 18446744073709551615
	expect_lines 1 'alloc: WEFT_ERR_NOMEM'
	expect_code 0 "$member" alloc 0
	expect_lines 1 'alloc: WEFT_OK'
	# sanitizers need more
	! grep -Eq '__[at]san_init' "$member" || return 0
	expect_code 2 bash -c "ulimit -v 8000000; exec $member meet"
	expect_lines 1 'error: cannot make a segment that may grow to 68719476736 by.*ulimit -v, now 8000000'
	expect_lines 1 'open: WEFT_ERR_NOMEM'
}

# A signal would end the rank: 153 is SIGXFSZ.
file_sizes() {
	expect_code 2 bash -c "ulimit -f 100; exec $member meet"
	expect_lines 1 'error: cannot make a segment .*ulimit -f, now 100'
	expect_lines 1 'open: WEFT_ERR_NOMEM'
	expect_code 0 "$weftrun" -n 2 bash -c "ulimit -f 8000
		exec $member alloc 16777216"
	expect_lines 2 'alloc: WEFT_ERR_NOMEM: .*16777216 bytes.*ulimit -f, now 8000'
	expect_lines 2 'barrier: WEFT_OK'
}

forks() {
	expect_code 0 "$weftrun" -n 2 "$member" fork
	expect_lines 2 'error: the child [0-9]+ of this rank aborts with code 42: a'
	expect_lines 2 '^rank [01] close: WEFT_OK'
	expect_lines 6 ''
	expect_code 0 "$member" fork
}

aborts() {
	expect_code 42 "$weftrun" -n 3 "$member" abort 1 42
	expect_lines 1 '^weftrun: rank 1 aborted the job with code 42: enough'
	expect_lines 1 'error: job aborted with code 42: enough'
	# no exit code of an abort is success
	expect_code 1 "$weftrun" -n 2 "$member" abort 0 256
	expect_code 5 "$member" abort 0 5
	expect_lines 1 'error: job aborted with code 5: enough'
	expect_code 1 "$member" abort 0 0
}

long_waits_are_told() {
	expect_code 0 env WEFT_STALL=0.3 "$weftrun" -n 3 "$member" late 900 \
		barrier
	expect_lines 2 'rank [12] .*warn: waiting for .*rank 0 on host .*, since 0 s'
	expect_lines 2 'rank [12] .*warn: waiting for the end of rank 0.*, since 0 s'
	expect_lines 3 'close: WEFT_OK'
	expect_lines 7 ''
	expect_code 0 env WEFT_STALL=inf "$weftrun" -n 3 "$member" late 900 \
		barrier
	expect_lines 3 ''
}

# It has said bye: for the others it has left, only the launcher knows better.
death_in_close() {
	expect_code 137 "$weftrun" --keep-going -n 3 "$member" close_die
	expect_lines 1 '^weftrun: rank 1 .*died of signal 9'
	expect_lines 2 '^rank [02] close: WEFT_OK'
	expect_lines 3 ''
}

death_in_connect() {
	expect_code 137 "$weftrun" --keep-going -n 3 "$member" connect_die
	expect_lines 2 '^rank [02] barrier: WEFT_ERR_PEER: .*rank 1 on host .*is dead'
	expect_lines 2 '^rank [02] close: WEFT_ERR_PEER'
}

# Before the others have joined: their own limit of time ends them.
death_in_open() {
	expect_code 2 "$weftrun" -n 2 --keep-going sh -c "
		[ \$PMIX_RANK = 0 ] || exec sleep 3
		WEFT_TIMEOUT=1 exec $member meet"
	expect_lines 1 'rank 0 .*error: joining the job failed: the PMIx fence'
	expect_lines 1 '^rank 0 open: WEFT_ERR_TIMEOUT'
}

# without STREAMS WORD...: a rank that has them closed
without() {
	expect_code 0 "$weftrun" -n 2 sh -c \
		"exec $member bare $2 $(printf '%s>&- ' $1)"
}

# Whatever does not open, in our code or that of a library below. Where libpmix
# itself ends the process nobody says anything.
few_descriptors() {
	local n code failures=0
	for ((n = 7; n < 64; n++)); do
		code=0
		"$weftrun" -n 1 bash -c "ulimit -n $n && exec $member meet" \
			>"$work/out" 2>&1 || code=$?
		[ "$code" != 0 ] || break
		grep -q '^weft: .*error: ' "$work/out" || continue
		expect_lines 1 "error: .*\(ulimit -n, now $n\)" || return 1
		failures=$((failures + 1))
	done
	echo "# opens with $n descriptors, of $failures others each says why not"
	check [ "$code" = 0 ]
	check [ "$failures" -gt 1 ]
}

standard_descriptors() {
	without "0 1 2"
	without 1
	without "0 2"
}

first_thread_ended() {
	expect_code 0 "$weftrun" -n 3 "$member" headless
	expect_code 0 env WEFT_CMA=y "$weftrun" -n 3 "$member" headless
}

closed_later() {
	without "" shut
}

tap_run "$#" "$@" unknown_variables bad_values no_transport \
	settings_that_differ memory_limits file_sizes forks aborts long_waits_are_told \
	death_in_close death_in_connect death_in_open standard_descriptors \
	few_descriptors closed_later first_thread_ended
