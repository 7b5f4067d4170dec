#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Ranks of one host in namespaces of their own, as containers are: where pids
# of others mean nothing, and where their times are other ones.
. "$(dirname "$0")/../tap.sh"

netns=$(cd "$(dirname "$0")/.." && pwd)/netns
weftrun=$top_builddir/tools/weftrun/weftrun
survivor=$top_builddir/tests/mp/survivor
busy_ms=600			# a death would be declared after 200

# Where the first process of a container is not a rank; rank 0 may be OUTSIDE.
cat >"$work/contain" <<'END'
[ "${PMIX_RANK:-$PMI_RANK}" != "${OUTSIDE:-none}" ] || exec "$@"
exec unshare --kill-child -f $CONTAIN sh -c '"$@"; exit $?' sh "$@"
END

can() {
	unshare -f "$@" true 2>"$work/err" && return 0
	skip "no namespaces: $(head -n 1 "$work/err")"
	return 1
}

# quiet [COMMAND...]: the job ends well, and says nothing
quiet() {
	local code=0
	timeout 60 "$@" >"$work/out" 2>&1 || code=$?
	if [ $code = 77 ]; then
		skip "$(head -n 1 "$work/out")"
		return 0
	fi
	check [ $code = 0 ] && check [ ! -s "$work/out" ] ||
		sed 's/^/# /' "$work/out"
}

# ranks N PROGRAM...: in containers
ranks() { quiet "$weftrun" -n "$1" bash "$work/contain" "${@:2}"; }

each_in_its_own() {
	local -x CONTAIN='-p --mount-proc' WEFT_TRANSPORT=shm,ofi
	can $CONTAIN || return 0
	ranks 3 "$survivor" busy 1 $busy_ms
}

one_outside() {
	local -x CONTAIN='-p --mount-proc' WEFT_TRANSPORT=shm,ofi OUTSIDE=1
	can $CONTAIN || return 0
	ranks 3 "$survivor" busy 1 $busy_ms
	ranks 3 "$survivor" busy 0 $busy_ms
}

# Its pids are those of others there.
with_proc_of_outside() {
	local -x CONTAIN=-p WEFT_TRANSPORT=shm,ofi
	can $CONTAIN || return 0
	ranks 2 "$survivor" busy 1 $busy_ms
}

# All in one container, to which /proc shows the processes of outside: in there
# LeakSanitizer looks for its own threads.
in_one_with_proc_of_outside() {
	local -x WEFT_TRANSPORT=shm,ofi LSAN_OPTIONS=detect_leaks=0
	can -p || return 0
	quiet unshare -p --kill-child -f "$weftrun" -n 2 \
		"$survivor" busy 1 $busy_ms
	unset WEFT_TRANSPORT
	expect_code 1 timeout 60 unshare -p --kill-child -f "$weftrun" -n 2 \
		"$survivor" busy 1 1
	expect_line 'WEFT_ERR_DEVICE: .* shm: /proc does not tell when both processes started: mount that of their PID namespace'
}

other_times() {
	local -x CONTAIN='-T --boottime 100000' OUTSIDE=0
	can $CONTAIN || return 0
	ranks 3 "$survivor" busy 0 $busy_ms
	ranks 3 "$survivor" busy 1 $busy_ms
}

other_networks() {
	local -x CONTAIN='-p --mount-proc' WEFT_TRANSPORT=shm,ofi NETNS_ONE=1
	can $CONTAIN || return 0
	quiet "$netns" 2 bash "$work/contain" "$survivor" busy 1 $busy_ms
}

# dies COMMAND...: rank 1, and all three others hear of it
dies() {
	timeout 60 "$@" bash "$work/contain" "$survivor" kill line 1 30 \
		>"$work/out" 2>&1
	check [ "$(grep -cE 'heard of rank 1 after 1?[0-9]{1,3} ms' \
		"$work/out")" = 3 ] || sed 's/^/# /' "$work/out"
}

deaths() {
	local -x CONTAIN='-p --mount-proc' WEFT_TRANSPORT=shm,ofi NETNS_KEEP=1
	can $CONTAIN || return 0
	dies "$weftrun" --keep-going -n 4
	[ "$(id -u)" = 0 ] || return 0
	NETNS_ONE=1 dies "$netns" 2
	CONTAIN='-T --boottime 100000' dies "$weftrun" --keep-going -n 4
}

# Without a network nothing joins them.
no_network() {
	local -x CONTAIN='-p --mount-proc'
	can $CONTAIN || return 0
	expect_code 1 "$weftrun" -n 2 bash "$work/contain" "$survivor" busy 1 1
	expect_line 'WEFT_ERR_DEVICE: .* has no backend in common with this one: shm: kernel, PID namespace or user differ'
}

tap_run "$#" "$@" each_in_its_own one_outside with_proc_of_outside \
	in_one_with_proc_of_outside other_times other_networks deaths no_network
