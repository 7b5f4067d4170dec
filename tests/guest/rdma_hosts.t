#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A job of two hosts: two guests, whose devices a wire joins. Hydra starts the
# ranks of the second one by a shell that answers a port there.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"

# For the guests: `over_there COMMAND` runs it in the second one.
hosts='over_there() { echo "$*" | busybox nc n2 4711; }
if [ "$GUEST" = 2 ]; then
	busybox nc -ll -p 4711 -e sh
	exit 0
fi
# as Hydra calls ssh: -x HOST WORD...
cat >/tmp/reach <<"end"
#!/bin/sh
shift 2
echo "$*" | exec busybox nc n2 4711
end
chmod +x /tmp/reach
until over_there : 2>/dev/null; do sleep 0.1; done
trap "over_there \"kill \\\$PPID\"" EXIT
on_hosts() {
	mpiexec.hydra -launcher ssh -launcher-exec /tmp/reach -hosts n1,n2 "$@"
}
export WEFT_BOOT=pmi WEFT_TRANSPORT=shm,verbs
'

# on_two CODE COMMAND: of the first guest
on_two() {
	command -v mpiexec.hydra >/dev/null ||
		{ skip 'mpiexec.hydra is missing; Debian package: mpich'; return 1; }
	needs_guests || return 1
	guest "$1" -n 2 "$hosts$2"
}

solver() {
	on_two 0 'on_hosts -ppn 2 -n 4 examples/weft-cg --serial-check \
		--mesh 9,8,7' || return 0
	expect_line '^same bits on one rank ok'
	expect_line 'edges on one host  *shm: 4 edges, '
	expect_line 'edges between hosts  *verbs: 2 edges, '
}

# Before any lifeline of its host has answered: what is under way tells, and
# where nothing is, an empty write does.
early_death() {
	on_two 9 'on_hosts -disable-auto-cleanup -n 2 tests/mp/survivor \
		early 1' || return 0
	expect_line '^rank 0 heard of rank 1'
}

# The device's packets alone are lost, while both ranks live: who sends finds
# out, and tells who waits.
path_given_up() {
	on_two 0 '
	cat >/tmp/cut <<"end"
cut="/sbin/tc qdisc add dev eth0 root handle 1: prio bands 4
/sbin/tc qdisc add dev eth0 parent 1:4 netem loss 100%
/sbin/tc filter add dev eth0 parent 1: protocol ip u32 \
	match ip dport 4791 0xffff flowid 1:4"
echo "$cut" | sh
echo "$cut" | busybox nc n2 4711
touch /share/cut
sleep 1
end
	WEFT_IB_RECONNECT=2 WEFT_IB_RETRY=2 on_hosts -n 2 tests/mp/severed \
		"bash /tmp/cut" /share/cut' || return 0
	expect_line '^rank 1 ended with WEFT_ERR_DEVICE: .* rank 0 .* broken$'
	expect_line '^rank 0 ended with WEFT_ERR_DEVICE: .* rank 1 .* told$'
}

tap_run "$#" "$@" solver early_death path_given_up
