#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Which port each rank of a node takes, on descriptions of machines, and why not
# the others.  They exchange by these ports, too.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

# near CPUS: the directory of a device that is near to these, in $sysfs
near() {
	sysfs=$work/near-$1
	mkdir -p "$sysfs/device"
	echo "$1" >"$sysfs/device/local_cpulist"
}
# CPUs: all, none, and two that this process may use
all=0-4095 none=100000 two=()
for cpu in $(seq 0 $((8 * $(nproc)))); do
	[ ${#two[@]} = 2 ] || ! taskset -c "$cpu" true 2>/dev/null ||
		two+=("$cpu")
done

# machine RANKS DESCRIPTION
machine() {
	has_device || return 0
	WEFT_TRANSPORT=verbs WEFT_LOG=info on_device "$2" expect_code 0 \
		"$top_builddir/tests/run" -n "$1" --timeout 60 \
		"$top_builddir/tests/mp/exchange_rank" 5 3 0
}

# takes RANK PORT [TEXT], leaves RANK PORT REASON: PORT as "mlx5_0 port 1"
takes() {
	expect_lines 1 "rank $1 .* verbs: device $2: used, ${3-}"
}
leaves() {
	expect_lines 1 "rank $1 .* verbs: device $2: rejected because $3\$"
}

faster='another one is faster'
infiniband='another one is as fast, and InfiniBand'
nearer='another one is nearer to the CPUs of this process'
turns='it is for other ranks of the node'
apart='it may not reach those of other hosts that the first one does'

# Two ports of a ConnectX-6, in one subnet or in two, or one is not connected.
two_ports() {
	local cx6='device name=mlx5_0 ports=2' a='mlx5_0 port 1' b='mlx5_0 port 2'
	machine 3 "$cx6;port link=ib" || return 1
	takes 0 "$a" InfiniBand && takes 1 "$b" && takes 2 "$a"
	leaves 0 "$b" "$turns" && leaves 1 "$a" "$turns"
	machine 2 "$cx6;port gid=ib/fec0::1:0:0;port2 gid=ib/fec0:0:0:1::1:0:0" ||
		return 1
	takes 0 "$a" && takes 1 "$a" && leaves 1 "$b" "$apart"
	machine 2 "$cx6;port state=1" || return 1
	takes 0 "$b" && takes 1 "$b" && leaves 0 "$a" 'the port is down'
	machine 2 "$cx6;port state=2" || return 1
	takes 1 "$b" && leaves 1 "$a" 'the port is not active'
}

# Two ports that are one, to the user: as fast as both.
link_aggregation() {
	machine 2 'device name=mlx5_bond_0;port link=eth width=4' || return 1
	takes 0 'mlx5_bond_0 port 1' 'RoCE, .* traffic class 106' &&
		takes 1 'mlx5_bond_0 port 1'
}

# Four near to this process, and three that are not; one for its files.
eight_adapters() {
	local text='' i
	for i in 0 1 2 3; do
		near "$none"
		text+="device name=mlx5_$i sysfs=$sysfs;"
	done
	text+='device name=mlx5_4;port link=eth speed=16;'
	for i in 5 6 7; do
		near "$all"
		text+="device name=mlx5_$i sysfs=$sysfs;"
	done
	machine 4 "$text" || return 1
	for i in 0 1 2 3; do
		takes "$i" "mlx5_$((5 + i % 3)) port 1"
		leaves "$i" 'mlx5_0 port 1' "$nearer"
		leaves "$i" 'mlx5_4 port 1' "$faster"
		leaves "$i" "mlx5_$((5 + (i + 1) % 3)) port 1" "$turns"
	done
}

# Near to some of the CPUs is better than to none; a faster one is better still.
near_in_part() {
	local some full
	near "${two[0]}"
	some=$sysfs
	near "$none"
	full=$sysfs
	machine 1 "device name=a sysfs=$full;device name=b sysfs=$some" ||
		return 1
	takes 0 'b port 1' && leaves 0 'a port 1' "$nearer"
	machine 1 "device name=a sysfs=$full;port speed=128;device name=b sysfs=$some" ||
		return 1
	takes 0 'a port 1' && leaves 0 'b port 1' "$faster"
	# a virtual machine may tell nothing, or nothing that is a list
	machine 1 "device name=a sysfs=$full;device name=b" || return 1
	takes 0 'b port 1' && leaves 0 'a port 1' "$nearer"
	echo everywhere >"$some/device/local_cpulist"
	machine 1 "device name=a sysfs=$full;device name=b sysfs=$some" ||
		return 1
	takes 0 'b port 1'
}

# Ranks are bound to the sockets by turns: the adapters of each are used alike.
two_sockets() {
	local text='' i
	[ ${#two[@]} = 2 ] || {
		skip 'it takes two CPUs'
		return 0
	}
	has_device || return 0
	for i in 0 1 2 3; do
		near "${two[i / 2]}"
		text+="device name=mlx5_$i sysfs=$sysfs;"
	done
	WEFT_TRANSPORT=verbs WEFT_LOG=info CPUS="${two[*]}" on_device "$text" \
		expect_code 0 "$top_builddir/tests/run" -n 4 --timeout 60 \
		bash -c 'cpus=($CPUS)
		exec taskset -c "${cpus[PMIX_RANK % 2]}" "$0" "$@"' \
		"$top_builddir/tests/mp/exchange_rank" 5 3 0 || return 1
	takes 0 'mlx5_0 port 1' && takes 2 'mlx5_1 port 1' &&
		takes 1 'mlx5_3 port 1' && takes 3 'mlx5_2 port 1'
}

# A function of an adapter in a virtual machine: packets need global headers.
virtual_function() {
	machine 2 'hosts 2;device name=mlx5_0;port flags=1 gid=ib/fec0::1:0:0' ||
		return 1
	takes 0 'mlx5_0 port 1' InfiniBand && takes 1 'mlx5_0 port 1'
}

# Without atomic operations, as bnxt_re; or shared receive queues, as irdma.
what_it_lacks() {
	machine 2 'device name=bnxt_re0 atomics=0;port link=eth' || return 1
	takes 0 'bnxt_re0 port 1' RoCE && takes 1 'bnxt_re0 port 1'
	machine 2 'device name=a atomics=0;device name=b' || return 1
	takes 0 'b port 1' && takes 1 'b port 1'
	leaves 0 'a port 1' 'another one is as fast, and has atomic operations'
	machine 2 'device name=irdma0 atomics=0 max_srq=0;port link=eth' ||
		return 1
	takes 0 'irdma0 port 1' RoCE && takes 1 'irdma0 port 1'
}

no_datagrams() {
	has_device || return 0
	WEFT_TRANSPORT=verbs on_device 'device name=siw0 iwarp=1;port link=eth' \
		expect_code 1 "$top_builddir/tests/run" -n 1 --timeout 60 \
		"$top_builddir/tests/mp/exchange_rank" 5 1 0 || return 1
	expect_lines 1 'device siw0 port 1: an iWARP device has no datagrams'
}

# Libfabric, which would come first, is not here.
omni_path() {
	machine 2 'device name=hfi1_0 vendor=4469 part=9456' || return 1
	takes 0 'hfi1_0 port 1' Omni-Path && takes 1 'hfi1_0 port 1' Omni-Path
	# it looks as if it were in the network of the other one
	machine 2 'device name=hfi1_0 vendor=4469 part=9456;device name=ib' ||
		return 1
	takes 0 'ib port 1' InfiniBand && takes 1 'ib port 1' InfiniBand
	leaves 1 'hfi1_0 port 1' "$infiniband"
}

# As fast as each other, in whatever order: nobody mixes them.
ethernet_and_infiniband() {
	local eth='device name=eth;port link=eth' ib='device name=ib;port link=ib'
	local order
	for order in "$eth;$ib" "$ib;$eth"; do
		machine 2 "$order" || return 1
		takes 0 'ib port 1' InfiniBand && takes 1 'ib port 1'
		leaves 0 'eth port 1' "$infiniband"
	done
	WEFT_IB_DEVICES=eth machine 2 "$eth;$ib" || return 1
	takes 0 'eth port 1' RoCE && takes 1 'eth port 1'
	leaves 0 'ib port 1' 'WEFT_IB_DEVICES leaves it out'
}

# Of RoCE each port has a subnet of its own; by IPv6 it is seen that it has not.
ethernet() {
	local a='device name=a;port link=eth' b='device name=b;port link=eth'
	machine 2 "$a;$b" || return 1
	takes 0 'a port 1' && takes 1 'a port 1' && leaves 1 'b port 1' "$apart"
	machine 2 "$a gid=v2/fd00::a:0;$b gid=v2/fd00::b:0" || return 1
	takes 0 'a port 1' && takes 1 'b port 1'
	machine 2 "$a gid=v2/fd00::a:0;$b gid=v2/fd00:0:0:1::b:0" || return 1
	takes 0 'a port 1' && takes 1 'a port 1'
	machine 2 "$a gid=v2/fe80::a:0;$b gid=v2/fe80::b:0" || return 1
	takes 1 'a port 1' && leaves 1 'b port 1' "$apart"
}

# That of the host comes with those of the container.
container() {
	machine 2 'device name=mlx5_0;port link=eth gid=v1/fe80::1:0 gid=v2/fe80::1:0 gid=v2/fd00::1:0 gid=v2/::ffff:172.17.0.0' ||
		return 1
	takes 0 'mlx5_0 port 1' 'RoCE, GID 3 172.17.0.1 or one that suits'
	# the first one is that of the host, whose network device is not here
	local host='port link=eth gid=v2/::ffff:10.0.0.0 gid=v2/::ffff:172.17.0.0'
	machine 2 "device name=mlx5_0;$host foreign=1" || return 1
	takes 0 'mlx5_0 port 1' 'RoCE, GID 1 172.17.0.1,'
	expect_lines 2 'mlx5_0 port 1 GID 0 is not used: no path begins at it here \(No such device\)$'
	# where it may have failed for lack of handles another one is better
	local failed='fail call=ibv_create_ah'
	machine 2 "device name=mlx5_0;$host;$failed errno=EINVAL" || return 1
	takes 0 'mlx5_0 port 1' 'RoCE, GID 1 172.17.0.1,'
	machine 2 "device name=mlx5_0;$host;$failed errno=ENOMEM times=2" ||
		return 1
	takes 0 'mlx5_0 port 1' 'RoCE, GID 0 10.0.0.1 or one that suits'
	WEFT_TRANSPORT=verbs on_device "$host foreign=3" expect_code 1 \
		"$top_builddir/tests/run" -n 1 --timeout 60 \
		"$top_builddir/tests/mp/exchange_rank" 5 1 0 || return 1
	expect_lines 1 'port 1: no path begins at any of its GIDs: are they of another network namespace\?'
}

# The default one if the port is a full member, else the lowest where it is.
partitions() {
	local p='mlx5_0 port 1' of='device name=mlx5_0;port' pkeys
	for pkeys in 0x7fff,0x8002,0x8001:0x8001 0x8001,0xffff:0xffff \
		0x8005,0x0001,0x8001:0x8001 0x0003,0x7fff:0x7fff 0x0003,0x0002:0x0002; do
		has_device || return 0
		WEFT_TRANSPORT=verbs WEFT_LOG=info on_device \
			"$of pkey=$(sed 's/:.*//; s/,/ pkey=/g' <<<"$pkeys")" \
			expect_code 0 "$top_builddir/tests/run" -n 1 --timeout 60 \
			"$top_builddir/tests/mp/exchange_rank" 5 1 0 || return 1
		takes 0 "$p" ".* P_Key ${pkeys#*:}, "
	done
	WEFT_IB_PKEY=2 machine 2 "$of pkey=0xffff pkey=2 pkey=0x8002" || return 1
	takes 0 "$p" '.* P_Key 0x8002, '
	WEFT_TRANSPORT=verbs on_device "$of pkey=0 pkey=0x8000" expect_code 1 \
		"$top_builddir/tests/run" -n 1 --timeout 60 \
		"$top_builddir/tests/mp/exchange_rank" 5 1 0 || return 1
	expect_lines 1 'device mlx5_0 port 1: it is in no partition'
}

# nodes DESCRIPTION: a rank on each of two, which are two to the launcher, too
nodes() {
	local code=0
	has_device || return 1
	WEFT_TRANSPORT=verbs WEFT_LOG=info on_device "hosts 2;$1" timeout 60 \
		"$top_srcdir/tests/netns" 1 "$top_builddir/tests/mp/exchange_rank" \
		5 3 0 >"$work/out" 2>&1 || code=$?
	if [ "$code" = 77 ]; then
		skip "$(head -n 1 "$work/out")"
		return 1
	fi
	check [ "$code" = 0 ] || sed 's/^/# /' "$work/out"
}

# The network that both have, whatever either would take alone.
nodes_agree() {
	local a='device name=a;port speed=64 gid=ib/fec0::1:0:0'
	local b='device name=b;port gid=ib/fec0:0:0:1::1:0:0'
	local elsewhere='this job uses another network'
	nodes "only 0;$a;$b;only 1;$b" || return 0
	takes 0 'b port 1' && leaves 0 'a port 1' "$elsewhere" &&
		takes 1 'b port 1' &&
		expect_lines 1 'verbs: the job uses InfiniBand, subnet fec0:0000:0000:0001, P_Key number 0x7fff, which 2 of 2 nodes have$'
	nodes "only 0;$b;only 1;$a;$b" || return 0
	takes 0 'b port 1' && takes 1 'b port 1'
	# as fast as it is at the slower end
	nodes "only 0;$a;$b;only 1;${a/64/1};$b" || return 0
	takes 0 'b port 1' && takes 1 'b port 1' && leaves 1 'a port 1' "$faster"
	# it looks like InfiniBand
	local opa='device name=hfi1_0 vendor=4469 part=9456;port speed=64'
	nodes "only 0;$opa;device name=ib;only 1;device name=ib" || return 0
	takes 0 'ib port 1' InfiniBand && takes 1 'ib port 1'
	# InfiniBand is not everywhere
	nodes "only 0;device name=eth;port link=eth;device name=ib;only 1;device name=eth;port link=eth" ||
		return 0
	takes 0 'eth port 1' RoCE && takes 1 'eth port 1'
}

nodes_agree_on_partition() {
	local p='mlx5_0 port 1' of='device name=mlx5_0;port'
	nodes "only 0;$of pkey=0x8001 pkey=0x8002;only 1;$of pkey=0x8003 pkey=0x8002" ||
		return 0
	takes 0 "$p" '.* P_Key 0x8002, ' && takes 1 "$p" '.* P_Key 0x8002, '
	# limited members of one do not hear each other
	nodes "only 0;$of pkey=0x7fff pkey=0x8002 pkey=0x8005;only 1;$of pkey=0x0002 pkey=0x8005 pkey=0x7fff" ||
		return 0
	takes 0 "$p" '.* P_Key 0x8005, ' && takes 1 "$p" '.* P_Key 0x8005, '
	# of two ports in one partition the full member is used
	local limited='device name=a;port speed=64 pkey=0x7fff'
	nodes "$limited;device name=b;port pkey=0xffff" || return 0
	takes 0 'b port 1' && takes 1 'b port 1'
	leaves 1 'a port 1' 'another one is a full member of its partition'
	# the user's own
	WEFT_IB_PKEY=3 nodes "$of pkey=0xffff pkey=0x8002 pkey=0x8003" ||
		return 0
	takes 0 "$p" '.* P_Key 0x8003, ' && takes 1 "$p" '.* P_Key 0x8003, '
}

# Opening one takes milliseconds; asking whether there is one does not open it
# for nothing.
opens() {
	has_device || return 0
	local counts=$work/counts
	VERBS_DEVICE_COUNTS=$counts machine 2 \
		'device name=a ports=2;device name=b ports=2;device name=c' ||
		return 1
	check [ "$(grep -c ' 3 opens' "$counts")" = 2 ] || cat "$counts"
}

# The other node does not come: what was found is closed, though nobody opened it.
closed_unopened() {
	local counts=$work/unopened code=0
	has_device || return 0
	WEFT_TRANSPORT=verbs WEFT_TIMEOUT=1 NETNS_KEEP=1 \
		VERBS_DEVICE_COUNTS=$counts \
		on_device 'hosts 2;device name=a ports=2;device name=b' \
		timeout 60 "$top_srcdir/tests/netns" 1 \
		bash -c '[ "$PMI_RANK" = 0 ] || exit 0; exec "$0" "$@"' \
		"$top_builddir/tests/mp/exchange_rank" 5 3 0 \
		>"$work/out" 2>&1 || code=$?
	[ "$code" != 77 ] || {
		skip "$(head -n 1 "$work/out")"
		return 0
	}
	check [ "$code" = 1 ]
	expect_line 'joining the job failed: the PMI barrier did not end in 1 s'
	check [ "$(cat "$counts")" = \
		'rank 0: 0 doorbells, 0 requests, 0 bytes, 0 registrations, 0 pages, 2 opens' ]
}

tap_run "$#" "$@" two_ports link_aggregation eight_adapters near_in_part \
	two_sockets \
	virtual_function what_it_lacks no_datagrams omni_path ethernet_and_infiniband ethernet container partitions \
	nodes_agree nodes_agree_on_partition opens closed_unopened
