#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over descriptions of machines that there are (ports.t has what is chosen
# there): things come late and in any order, with MACHINE_SEEDS seeds (1).
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

# Of each seed as much as in make check.
unset ROUNDS EXCHANGES GRAPHS PROGRAMS KILLS

# suites SEED DESCRIPTION: exchanges, messages, one-sided operations and a death
suites() {
	cases "$2;$any_time seed=$1" 'four ranks' messages 'one sided' &&
		FIRST_SEED=$1 HEAR_MS=5000 case_of_ends death \
			"$2;$late_and_lost seed=$1"
}

machine() {
	local seeds seed
	seeds=$(seq "${MACHINE_SEEDS:-1}") || return 1
	for seed in $seeds; do
		suites "$seed" "$1" || {
			echo "# seed $seed: $1"
			return 1
		}
	done
}

# ConnectX-6 with two ports in one subnet, on two hosts.
two_ports() {
	machine 'hosts 2;device name=mlx5_0;port speed=64;device name=mlx5_1;port speed=64'
}
link_aggregation() {
	machine 'hosts 2;device name=mlx5_bond_0;port link=eth width=4'
}
eight_adapters() {
	local text='hosts 2' i
	for i in 0 1 2 3 4 5 6 7; do
		text+=";device name=mlx5_$i"
	done
	machine "$text"
}
# Packets need global headers.
virtual_function() {
	machine 'hosts 2;device name=mlx5_0;port flags=1 gid=ib/fec0::1:0:0'
}
# Neither shared receive queues nor atomic operations.
irdma() {
	machine 'hosts 2;device name=irdma0 atomics=0 max_srq=0;port link=eth'
}
bnxt_re() { machine 'hosts 2;device name=bnxt_re0 atomics=0;port link=eth'; }
ethernet_and_infiniband() {
	machine 'hosts 2;device name=eth;port link=eth;device name=ib;port link=ib'
}
container() {
	local gids='gid=v2/::ffff:10.0.0.0 gid=v1/fe80::1:0 gid=v2/fe80::1:0'
	machine "hosts 2;device name=mlx5_0;port link=eth $gids gid=v2/::ffff:172.17.0.0 foreign=1"
}

tap_run "$#" "$@" two_ports link_aggregation eight_adapters virtual_function \
	irdma bnxt_re ethernet_and_infiniband container
