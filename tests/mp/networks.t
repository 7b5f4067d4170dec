#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs on two nodes with several networks, or none that joins them.  FAMILIES=4:
# none of IPv6.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/netns.sh"

# Bridges for containers, on both hosts, or one, are no way to the other one.
bridges() {
	local on
	for on in 'a b' a b; do
		NETNS_BRIDGES=$on two_nodes 1 "$survivor" busy 1 0 || return 0
	done
	# who insists hears which address it was
	NETNS_BRIDGES='a b' NETNS_KEEP=1 WEFT_OFI_INTERFACE=br-0ff1ce \
		expect_code 1 "$netns" 1 "$survivor" busy 1 0
	expect_line 'WEFT_ERR_DEVICE: .* ofi: (10.66.0.1|fd66::1) port [0-9]+ is an address of both hosts: choose other interfaces by WEFT_OFI_INTERFACE'
}

# Of several addresses those that lead there come first, or have their turn.
addresses() {
	local astray on
	for on in a b 'a b'; do
		for astray in '' hole refused; do
			NETNS_APART=$on NETNS_ASTRAY=$astray limit=60 \
				two_nodes 1 "$survivor" busy 1 0 || return 0
		done
	done
	for astray in alike taken; do
		NETNS_APART='a b' NETNS_ASTRAY=$astray limit=60 WEFT_LOG=info \
			two_nodes 1 "$survivor" busy 1 0 || return 0
		expect_line 'ofi: rank 1 on host .* at (10.68.0.1|fd68::1) port [0-9]+: Connection (timed out|refused)'
		expect_line 'ofi: rank 0 on host .* at (10.67.0.1|fd67::1) port'
	done
	# as they meet at first, asleep, and with six of them
	NETNS_APART='a b' NETNS_ASTRAY=alike WEFT_OFI_WAIT=y exchanges=100 \
		exchange 3
}

# A death is heard of as ever.
death_elsewhere() {
	NETNS_APART='a b' NETNS_ASTRAY=hole deaths 1 kill line 1 30 || return 0
	expect_line '^rank 0 heard of rank 1'
	NETNS_APART='a b' NETNS_ASTRAY=taken deaths 1 kill line 0 30 || return 0
	expect_line '^rank 1 heard of rank 0'
}

# Lifelines begin with the address that leads to the other host.
early_elsewhere() {
	local astray
	for astray in '' hole refused; do
		NETNS_APART='a b' NETNS_ASTRAY=$astray deaths 1 early 1 ||
			return 0
		expect_line '^rank 0 heard of rank 1 after 1?[0-9]{1,3} ms$'
	done
}

# The same of IPv6, whose hosts have several addresses as a rule.
bridges_of_ipv6() { NETNS_IPV6=1 bridges; }
addresses_of_ipv6() { NETNS_IPV6=1 addresses; }
death_elsewhere_of_ipv6() { NETNS_IPV6=1 death_elsewhere; }
early_elsewhere_of_ipv6() { NETNS_IPV6=1 early_elsewhere; }

# Nothing has ever come from there: no death, but no wait without end either.
unreachable() {
	NETNS_LOSS=1 WEFT_HOST_TIMEOUT=1 deaths 1 busy 1 0 || return 0
	expect_line '^rank 0: .* WEFT_ERR_DEVICE: .* rank 1 on host .* cannot be reached since 1 s \(WEFT_HOST_TIMEOUT\): no answer at 10.77.0.2 port [0-9]+ \(ofi\), nor from its lifeline at 10.77.0.2 port [0-9]+: Connection timed out'
	expect_line '^rank 1: .* WEFT_ERR_DEVICE: .* rank 0 on host .* cannot be reached'
}

# Lifelines answer, and the network that was chosen for the data leads nowhere.
# Who gives up first tells the other one.
data_unreachable() {
	local astray error= since='cannot be reached since 1 s \(WEFT_HOST_TIMEOUT\)'
	for astray in hole ''; do
		[ -n "$astray" ] || error=': Network is unreachable'
		NETNS_APART='a b' NETNS_ASTRAY=$astray WEFT_HOST_TIMEOUT=1 \
			WEFT_OFI_INTERFACE=apart two_nodes 1 "$survivor" apart ||
			return 0
		expect_line "^rank [01]: WEFT_ERR_DEVICE: .* rank [01] on host .* $since: no answer at 10.6[78].0.1 port [0-9]+ \(ofi$error\), but from its lifeline at 10.77.0.[12] port [0-9]+; .* \(WEFT_OFI_INTERFACE"
		expect_lines 2 '^rank [01]: WEFT_ERR_DEVICE: .* cannot be reached'
	done
}

# Why an address was not taken.
reasons() {
	WEFT_LOG=info two_nodes 1 "$cg" --mesh 3,3,3 || return 0
	expect_line 'interface weft0 address 10.77.0.1 port 0: taken'
	[ -e /sys/class/infiniband ] ||
		! built_with VERBS ||
		expect_line 'info: backend verbs: this machine has no RDMA device'
	expect_line 'address 127.0.0.1 .*: a loopback address, which other nodes'
	WEFT_LOG=info WEFT_OFI_PROVIDER=^tcp expect_code 1 "$netns" 1 "$cg" \
		--mesh 3,3,3
	expect_line 'provider tcp;ofi_rxm: left out by WEFT_OFI_PROVIDER'
	expect_line 'libfabric has no provider that fits; WEFT_OFI_PROVIDER is'
	# at any level: between nodes there is nothing else
	WEFT_OFI_PROVIDER=nosuch expect_code 1 "$netns" 1 "$cg" --mesh 3,3,3
	expect_line 'warn: backend ofi: libfabric has no provider that fits; WEFT_OFI_PROVIDER is nosuch'
}

# Both ranks are told which backends there are, and why none joins them.
no_backend() {
	local common='has no backend in common with this one'
	two_nodes 1 true || return 0
	WEFT_TRANSPORT=shm NETNS_KEEP=1 expect_code 1 "$netns" 1 "$cg" \
		--mesh 3,3,3
	expect_line "rank [01] on host .* $common: shm: it is on another node; (verbs: not in WEFT_TRANSPORT; )?ofi: not in WEFT_TRANSPORT; give both"
	WEFT_OFI_PROVIDER=nosuch expect_code 1 "$netns" 1 "$cg" --mesh 3,3,3
	expect_line "$common: shm: it is on another node; (verbs: this machine has no RDMA device; )?ofi: libfabric has no provider that fits; WEFT_OFI_PROVIDER is nosuch; give both"
}

# The data of one connection is reset, nothing else: a named error at both ends.
severed() {
	for tool in ss iptables; do
		command -v $tool >/dev/null || { skip "no $tool"; return 0; }
	done
	cat >"$work/sever" <<-'END'
	ss -Htn -4 state established | while read -r _ _ here there; do
		iptables -A INPUT -p tcp ! --tcp-flags RST RST \
			--dport "${here##*:}" --sport "${there##*:}" \
			-j REJECT --reject-with tcp-reset || exit 1
	done
	touch "$1"
	sleep 1
	END
	limit=60 two_nodes 1 "$top_builddir/tests/mp/severed" \
		"bash $work/sever $work/severed" "$work/severed" || return 0
	# who sends finds out, and tells who waits
	expect_line '^rank 1 ended with WEFT_ERR_DEVICE: .* rank 0 .* broken$'
	expect_line '^rank 0 ended with WEFT_ERR_DEVICE: .* rank 1 .* told$'
}

# What TERM ends is gone with all its children.
ended() {
	local pid code=0 mark=$((RANDOM + 40000)).$$
	NETNS_CUT=$work/never "$netns" 1 bash -c \
		"sleep $mark & echo began; wait" >"$work/out" 2>&1 &
	pid=$!
	while kill -0 $pid 2>/dev/null &&
		[ "$(grep -c began "$work/out")" != 2 ]; do
		sleep 0.05
	done
	kill -TERM $pid 2>/dev/null
	wait $pid || code=$?
	if [ "$code" = 77 ]; then
		skip "$(head -n 1 "$work/out")"
		return 0
	fi
	check [ "$code" = 143 ]
	check [ -z "$(pgrep -f "sleep $mark")" ]
	check [ -z "$(pgrep -f "netns 1 bash -c sleep $mark")" ]
	check [ -z "$(ip netns list | grep -w "wf${pid}[ab]")" ]
}

# cpu_of SECONDS: $used, in ms, of a job that sleeps, and of what starts it
cpu_of() {
	local TIMEFORMAT='%U %S'
	{ time two_nodes 1 bash -c "exec {PMI_FD}>&-; sleep $1"; } \
		2>"$work/time"
	used=$(awk '{ printf "%d", ($1 + $2) * 1000 }' "$work/time")
}

# Ranks that are no longer connected to it cost the launcher nothing.
quiet_launcher() {
	local used start
	cpu_of 0
	start=$used
	cpu_of 4
	echo "# $used ms of CPU, $start ms of them to start and end"
	check [ $((used - start)) -lt 400 ]
}

of_ipv6='bridges_of_ipv6 addresses_of_ipv6 death_elsewhere_of_ipv6
early_elsewhere_of_ipv6'
[ "${FAMILIES:-4 6}" != 4 ] || of_ipv6=

# shellcheck disable=SC2086
tap_run "$#" "$@" bridges addresses death_elsewhere early_elsewhere $of_ipv6 \
	unreachable data_unreachable reasons no_backend severed ended \
	quiet_launcher
