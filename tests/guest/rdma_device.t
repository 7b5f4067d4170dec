#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# One device: a thousand queue pairs, memory in huge pages, too little memory,
# what weft-info says of it, what a peer takes, receive buffers, settings.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
in_a_guest "$@"
export WEFT_TRANSPORT=verbs

many_ranks() {
	expect_code 0 "$tests/pmi_launch" -d 32 rxe0 -- tests/guest/everyone \
		'rdma resource'
	expect_line '^32 ranks, each with each$'
	expect_line ' qp 1[0-9]{3} '
}

huge_pages() {
	echo 40 >/proc/sys/vm/nr_hugepages
	expect_code 0 tests/unit/segment.t 'huge pages, as many as there are'
	expect_line '^ok 1 - huge pages, as many as there are$'
	expect_code 0 env WEFT_HUGE_PAGES=y tests/run -n 3 --timeout 100 \
		tests/mp/exchange_rank 1 40 20
	expect_line '^seed 1: .* 0 failures'
	expect_code 1 env WEFT_HUGE_PAGES=y WEFT_ARENA=1g tests/run -n 2 \
		--timeout 100 tests/mp/exchange_rank 1 1 20
	expect_line 'number of huge pages .sysctl vm.nr_hugepages.'
}

# limited KIB COMMAND...: without the right of root to lock what it likes; as a
# user it might not get to the programs.
limited() {
	local kib=$1
	shift
	(ulimit -l "$kib" && exec setpriv --bounding-set=-ipc_lock \
		--inh-caps=-ipc_lock "$@")
}

# Refused before anything is registered, with what to do about it.
little_memory() {
	local remedy='in a shell: ulimit -l unlimited'
	remedy+='.*LimitMEMLOCK=infinity for slurmd.service or sshd.service'
	remedy+='.*PropagateResourceLimitsExcept=MEMLOCK in slurm.conf'
	expect_code 1 limited 64 examples/weft-cg --mesh 9,8,7
	expect_line "error: verbs: device rxe0 needs [0-9]* KiB of locked memory; this process may lock 64 KiB: raise the limit .*$remedy"
	check [ "$(grep -c 'weft: .* verbs' "$work/out")" = 1 ]
	# enough to open it, but not for what is to come
	expect_code 0 limited 8192 examples/weft-cg --mesh 9,8,7
	expect_line "warn: verbs: .* when the arena grows .* may lock 8192 KiB: .*$remedy"
	WEFT_IB_SRQ=32 expect_code 1 limited 1500 tests/run -n 2 --timeout 100 \
		tests/mp/exchange_rank 1 40 20
	expect_line "error: verbs: [0-9]* bytes cannot be registered with device rxe0: Cannot allocate memory; this process may lock 1500 KiB: .*$remedy"
}

info=tools/weft-info/weft-info

device_is_shown() {
	expect_code 0 "$info" --transport verbs
	expect_line '^  verbs  *yes  *28  *fence,.*,atomic,own-agent$'
	expect_code 0 "$info" -d
	expect_line '^  verbs  *device rxe0 port 1 GID [0-9]* is 10\.9\.0\.1 '
	expect_line '^  verbs  *device rxe0 port 1: used, RoCE, GID .* MTU [0-9]{3,4}, P_Key 0xffff, traffic class 106$'
	WEFT_IB_SRQ=64 expect_code 0 "$info" -c
	expect_line '^  WEFT_IB_SRQ  *64  *1024  *no '
	expect_code 0 "$info" -a --json
	check perl -MJSON::PP -0777 -e '
		my $all = decode_json(<STDIN>);
		my ($t) = grep { $_->{name} eq "verbs" } @{$all->{transports}};
		die "not usable" unless $t->{usable} eq JSON::PP::true;
		die "no device" unless grep { $_->{verdict} =~ /rxe0.*used/ }
			@{$all->{devices_for_several_nodes}};
		die "no memory" unless grep { $_->{transport} eq "verbs" &&
			$_->{peer_heap} > 0 } @{$all->{memory}};
	' <"$work/out"
}

# Without it, and where it is not the user's, and the reason for it.
no_usable_device() {
	WEFT_IB_DEVICES=^rxe0 expect_code 3 "$info" -d --transport verbs
	expect_line '^  verbs  *device rxe0 port 1: rejected because WEFT_IB_DEVICES leaves it out$'
	chmod 000 /dev/infiniband/*
	expect_code 4 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$info" -d --transport verbs
	expect_line '^  verbs  *device rxe0 port 1: rejected because this user may not open it in /dev/infiniband$'
	expect_code 4 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$info" --transport verbs
	expect_line '^  verbs  *device rxe0 port 1: this user may not open it'
	expect_code 4 limited 64 "$info" --transport verbs
	expect_line '^  verbs  .* may lock 64 KiB: raise the limit '
	expect_code 2 "$info" --transport ib
}

# The library's own, and the heap of the driver.
memory_of_a_peer() {
	local heap segment short
	expect_code 0 "$info" --memory
	read -r _ heap segment _ < <(grep '^  verbs' "$work/out")
	check [ "$heap" -gt 2048 ]
	check [ $((heap + segment)) -le 8192 ]
	expect_code 0 "$tests/mp/report.t" 'memory of a peer'
	WEFT_IB_SQ=16 expect_code 0 "$info" --memory
	read -r _ short _ < <(grep '^  verbs' "$work/out")
	check [ "$short" -lt $((heap - 3000)) ]
}

# How often nobody had a buffer to receive into, seen from either end.
not_ready() {
	cat /sys/class/infiniband/rxe0/ports/1/hw_counters/{rcvd,send}_rnr_err
}

# job RANKS PROGRAM...: no message meets a peer without a receive buffer.
job() {
	local ranks=$1 before
	before=$(not_ready)
	check [ "$(wc -w <<<"$before")" = 2 ]
	expect_code 0 tests/run -n "$ranks" --timeout 100 "${@:2}"
	check [ "$(not_ready)" = "$before" ]
}

jobs() {
	job 4 tests/mp/exchange_rank 1 20 50
	expect_line '^seed 1: .* 0 failures'
	job 3 tests/mp/p2p_rank flood
	job 5 tests/mp/p2p_rank random 1 3
	job 4 tests/mp/rma_rank random 1 5
}

receive_buffers() { jobs; }
few_receive_buffers() { WEFT_IB_SRQ=32 jobs; }

# attrs SETTING... TEXT: both ends of the queue pair have what it says.
attrs() {
	local text=${!#}
	expect_code 0 env "${@:1:$#-1}" tests/run -n 2 --timeout 100 \
		tests/guest/qp_attrs
	check [ "$(grep -Ec "$text" "$work/out")" = 2 ] || cat "$work/out"
}

settings() {
	attrs -u WEFT_IB_TIMEOUT -u WEFT_IB_RETRY WEFT_IB_GID_INDEX=auto \
		'GID 1, traffic class 106, service level 0, timeout 18, retries 7, RNR retries 7$'
	attrs WEFT_IB_GID_INDEX=0 'GID 0,'
	attrs WEFT_IB_GID_INDEX=0x1 'GID 1,'
	attrs WEFT_IB_TRAFFIC_CLASS=255 ', traffic class 255,'
	attrs WEFT_IB_SL=15 ', service level 15,'
	attrs WEFT_IB_TIMEOUT=31 ', timeout 31,'
	attrs WEFT_IB_RETRY=0 ', retries 0,'
	attrs WEFT_IB_RNR_RETRY=6 ', RNR retries 6$'
	attrs WEFT_IB_DEVICES=^rxe1,rxe0:2 'GID 1,'
	# its only partition; the highest bit says how much it is a member
	attrs WEFT_IB_PKEY=0xffff 'GID 1,'
	attrs WEFT_IB_PKEY=0x7fff 'GID 1,'
}

# refused SETTING TEXT: no job is opened, and the text says why.
refused() {
	expect_code 1 env WEFT_LOG=info "$1" examples/weft-cg --mesh 3,3,3
	expect_line "$2"
}

# not_from SETTING RANGE
not_from() {
	refused "$1" "${1%=*} is \"${1#*=}\": expected $2"
}

bad_settings() {
	not_from WEFT_IB_GID_INDEX=256 'auto, or a number from 0 to 255'
	not_from WEFT_IB_GID_INDEX=first 'auto, or a number from 0 to 255'
	not_from WEFT_IB_PKEY=0x10000 'auto, or a number from 0 to 65535'
	not_from WEFT_IB_TRAFFIC_CLASS=256 'auto, or a number from 0 to 255'
	not_from WEFT_IB_SL=16 'a whole number from 0 to 15'
	not_from WEFT_IB_TIMEOUT=0 'a whole number from 1 to 31'
	not_from WEFT_IB_RETRY=8 'a whole number from 0 to 7'
	not_from WEFT_IB_RNR_RETRY=8 'a whole number from 0 to 7'
	not_from WEFT_IB_SRQ=31 'a whole number from 32 to 65536'
	refused WEFT_IB_GID_INDEX=99 'device rxe0 port 1: it has no GID with the index of WEFT_IB_GID_INDEX'
	refused WEFT_IB_PKEY=0x8001 'device rxe0 port 1: it does not have the partition of WEFT_IB_PKEY'
	refused WEFT_IB_DEVICES=^rxe0 'device rxe0 port 1: WEFT_IB_DEVICES leaves it out'
	refused WEFT_IB_DEVICES=^rxe1,rxe0:1 'device rxe0 port 1: WEFT_IB_DEVICES leaves it out'
}

tap_run "$#" "$@" many_ranks huge_pages little_memory device_is_shown \
	no_usable_device memory_of_a_peer receive_buffers few_receive_buffers \
	settings bad_settings
